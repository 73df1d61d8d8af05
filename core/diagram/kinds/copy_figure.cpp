// SPDX-License-Identifier: BSD-3-Clause
// The figure of a copy: the source at the left, the destination at the right, each cell with its thread and value; one grid where both are
// alike. Lines are around what a thread takes at once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

constexpr float kHeadingSign = 0.3f;  // width of a sign of a heading, in text units
constexpr float kLatexGap = 3;        // cells between print_latex's source and destination

// What one thread takes at once: cells of one instruction of it that are neighbours.
struct Vector {
  std::int64_t row = 0, col = 0, rows = 1, cols = 1;  // the box around its cells
  std::int64_t cells = 0;
  Owner first;              // of the cell at the box's corner
  bool is_in_order = true;  // are its values one after the other, from left to right?
};

struct Vectors {
  std::vector<std::int32_t> of;  // by cell, row by row; -1: nobody has it
  std::vector<Vector> all;
  bool are_shared = false;  // has a cell several owners?
  // How many elements each of them has; 0 where they are not all as many, or single elements.
  std::int64_t length() const {
    if (all.empty() || all.front().cells < 2) return 0;
    const bool alike = std::all_of(all.begin(), all.end(), [&](const Vector& each) { return each.cells == all.front().cells; });
    return alike ? all.front().cells : 0;
  }
  // Is each a row of a few cells that one label can name?
  bool have_names() const {
    constexpr std::int64_t kLeast = 4;
    return !are_shared && length() >= kLeast && std::all_of(all.begin(), all.end(), [](const Vector& each) {
      return each.rows == 1 && each.cols == each.cells && each.is_in_order;
    });
  }
};

struct PictureSide {
  AnyLayout layout_tv;  // (thr, val) -> (m, n), colexicographic
  std::int64_t threads() const { return size(shape(layout_tv)[0]); }
  std::string_view id;  // "source", "destination"
  std::string heading;
  OwnerMap map;
  Vectors vectors;
};

// `values`: of one instruction. None of a large tile, where lines would stand too near to each other.
Vectors vectors_of(const OwnerMap& map, std::int64_t values) {
  constexpr std::int64_t kMost = std::int64_t{1} << 16;  // cells
  Vectors made;
  const std::int64_t rows = map.rows(), cols = map.cols();
  if (rows * cols > kMost) return made;
  made.of.assign(static_cast<std::size_t>(rows * cols), -1);
  const auto owner = [&](std::int64_t r, std::int64_t c) {
    const std::span<const Owner> owners = map.owners(r, c);
    return owners.empty() ? Owner{-1, -1} : owners.front();
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> open;
  for (std::int64_t cell = 0; cell < rows * cols && !late(); ++cell) {
    const Owner first = owner(cell / cols, cell % cols);
    made.are_shared = made.are_shared || map.owners(cell / cols, cell % cols).size() > 1;
    if (first.thread < 0 || made.of[static_cast<std::size_t>(cell)] >= 0) continue;
    Vector vector{cell / cols, cell % cols, 1, 1, 0, first, true};
    const auto take = [&](std::int64_t r, std::int64_t c) {
      if (r < 0 || c < 0 || r >= rows || c >= cols || made.of[static_cast<std::size_t>(r * cols + c)] >= 0) return;
      const Owner here = owner(r, c);
      if (here.thread != first.thread || here.value / values != first.value / values) return;
      made.of[static_cast<std::size_t>(r * cols + c)] = static_cast<std::int32_t>(made.all.size());
      open.emplace_back(r, c);
    };
    for (take(vector.row, vector.col); !open.empty();) {
      const auto [r, c] = open.back();
      open.pop_back();
      ++vector.cells;
      vector.rows = std::max(vector.rows, r - vector.row + 1);
      vector.cols = std::max(vector.cols, c - vector.col + 1);
      vector.is_in_order = vector.is_in_order && owner(r, c).value - first.value == c - vector.col;
      take(r - 1, c), take(r + 1, c), take(r, c - 1), take(r, c + 1);
    }
    made.all.push_back(vector);
  }
  return made;
}

struct CopyPicture {
  std::string name, ptx;
  ValueType type = ValueType::none;
  std::int64_t rows = 1, cols = 1;
  bool is_alike = false;  // has each thread and value the same place in source and destination?
  CopyKind kind = CopyKind::universal;
  bool tiled = false;  // else rows and columns are only how an atom's values are laid out here
  AxisNames axes{};
  bool of_operand = false;  // is the tile an operand's of an MMA?
  std::string tiler;        // where it leaves rows or columns out, or takes them in another order
  PictureSide source, destination;
};

// An operand's copy has the names of the operand's modes, any other those of a tiler.
AxisNames axes_of(const TiledCopy& copy) {
  if (!copy.operand() || *copy.operand() == Operand::c) return {"n", "m"};
  return {"k", *copy.operand() == Operand::a ? "m" : "n"};
}

// The extent of one mode of a tiler: an integer's value, or how many elements a layout picks.
std::int64_t extent(const Tiler& tiler) {
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) return *n;
  if (const auto* layout = std::get_if<Layout>(&tiler.value)) return layout->size();
  if (const auto* composed = std::get_if<ComposedLayout>(&tiler.value)) return size(AnyLayout(*composed));
  if (const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value)) {
    std::int64_t product = 1;
    for (const Tiler& mode : *modes) product = count_product(product, extent(mode));
    return product;
  }
  return 1;
}

// "M16 × K16" of an operand's tile, else "16 × 16".
std::string extents(const CopyPicture& p) {
  if (!p.of_operand) return fmt::format("{} × {}", p.rows, p.cols);
  return fmt::format("{}{} × {}{}", p.axes.down == "m" ? 'M' : 'N', p.rows, p.axes.across == "k" ? 'K' : 'N', p.cols);
}

// Are this side's values in registers alone, of matrices that a warp moves?
bool is_of_matrices(const CopyPicture& p, bool source) {
  switch (p.kind) {
    case CopyKind::ldmatrix:
    case CopyKind::ldmatrix_trans: return !source;
    case CopyKind::stmatrix:
    case CopyKind::stmatrix_trans: return source;
    case CopyKind::movmatrix: return true;
    case CopyKind::universal:
    case CopyKind::cp_async:
    case CopyKind::tma:
    case CopyKind::bulk:
    case CopyKind::tmem:
    case CopyKind::other: return false;
  }
  return false;
}

bool reads_rows(const CopyPicture& p) { return !is_of_matrices(p, true) && is_of_matrices(p, false); }
bool writes_rows(const CopyPicture& p) { return is_of_matrices(p, true) && !is_of_matrices(p, false); }

// "shared memory", where the instruction has its side in one place alone.
std::string memory_of(const CopyPicture& p, bool source) {
  if (is_of_matrices(p, source)) return "registers";
  const std::optional<AccessSpace> space = space_of(p.kind, source ? CopySide::source : CopySide::destination);
  if (!space) return {};
  return *space == AccessSpace::smem ? "shared memory" : "global memory";
}

// `values`: of one instruction.
Result<PictureSide> make_side(AnyLayout layout_tv, const CopyPicture& p, std::string_view name, std::int64_t values) {
  PictureSide side;
  const std::int64_t threads = size(shape(layout_tv)[0]);
  const OwnerMap::Index index = [&](std::int64_t t, std::int64_t v) { return evaluate(layout_tv, t, v); };
  TESSERA_TRY(map, OwnerMap::make(threads, size(layout_tv) / threads, index, p.rows, p.cols, {}, to_string(layout_tv)));
  side.layout_tv = std::move(layout_tv);
  side.map = std::move(map);
  side.id = name;
  side.vectors = vectors_of(side.map, std::max<std::int64_t>(1, values));
  side.heading = fmt::format("{}  {}", p.is_alike ? "source and destination alike:" : name, extents(p));
  if (p.type != ValueType::none) side.heading += fmt::format("  {}", short_name(p.type));
  return side;
}

// How far a tiler's mode reaches: to its last row, or as far as print_latex draws, where a divide by the mode goes on, rows between the
// last and the next one's first included: 4:3 has 10 and 12.
Result<std::int64_t> reach_of(const Layout& mode, bool as_divided) {
  if (!as_divided) return mode.cosize();
  TESSERA_TRY(rest, complement(mode, IntTuple(1)));
  return count_product(mode.size(), rest.size());
}

// The modes of a tiler that are no tuples themselves, in their order.
void append_leaves(const Tiler& tiler, std::vector<const Tiler*>& leaves) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!modes) return leaves.push_back(&tiler);
  for (const Tiler& mode : *modes) append_leaves(mode, leaves);
}

// Where a tiler's mode has strides it takes other rows or columns than the first ones: 4:2 takes 0, 2, 4 and 6. The layout from places in
// the tile, as layout_s_tv numbers them, to colexicographic cells of the box around them; nothing: they are the same.
Result<std::optional<Layout>> cells_of(const Tiler& tiler, CopySides& sides, bool as_divided) {
  const auto* list = std::get_if<std::vector<Tiler>>(&tiler.value);
  std::vector<const Tiler*> leaves, of_rows;
  append_leaves(tiler, leaves);
  append_leaves(list && !list->empty() ? list->front() : tiler, of_rows);
  std::vector<IntTuple> shapes, strides;
  bool moved = false;
  std::int64_t unit = 1, rows = 1;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto* number = std::get_if<TileSize>(&leaves[i]->value);
    const auto* layout = std::get_if<Layout>(&leaves[i]->value);
    const Result<Layout> plain = number   ? Layout::make(IntTuple(*number), IntTuple(1))
                                 : layout ? Result<Layout>(*layout)
                                          : Result<Layout>(Error{});
    const bool cuts = plain && !plain->has_basis() && plain->cosize() >= 1;
    if (!cuts && as_divided) return std::optional<Layout>();
    if (!cuts)
      return Error{ErrorCode::not_representable,
                   fmt::format("the tiler {} cuts no tile out of a tensor: {} is no mode of one", to_string(tiler), to_string(*leaves[i])),
                   {},
                   {"modes of a tiler are integers or layouts: (4:2,8)"}};
    TESSERA_TRY(scaled, composition_unchecked(Layout::make(IntTuple(plain->cosize()), IntTuple(unit)).value(), *plain));
    moved = moved || plain->cosize() != plain->size() || to_string(coalesce(*plain)) != fmt::format("{}:1", plain->size());
    shapes.push_back(scaled.shape()), strides.push_back(scaled.stride());
    TESSERA_TRY(reach, reach_of(*plain, as_divided));
    unit = count_product(unit, reach);
    if (i < of_rows.size()) rows = unit;
  }
  if (!moved || leaves.empty()) return std::optional<Layout>();
  TESSERA_TRY(cells, Layout::make(IntTuple::tuple(std::move(shapes)), IntTuple::tuple(std::move(strides))));
  sides.rows = rows;
  sides.cols = unit / rows;
  return std::optional(std::move(cells));
}

// (thr, val) -> cell, for every thread and value what `cells` says of the place in the tile; one layout where there is such a one.
AnyLayout in_cells(const Layout& cells, const Layout& layout_tv) {
  const Result<Layout> made = composition_unchecked(cells, layout_tv);
  bool is_one = made.has_value();
  for (std::int64_t i = 0; is_one && i < layout_tv.size() && !late(); ++i) is_one = (*made)(i) == cells(layout_tv(i));
  return is_one ? AnyLayout(*made) : AnyLayout(ComposedLayout{cells, 0, layout_tv});
}

Result<CopySides> sides_of(const TiledCopy& copy, bool as_divided) {
  CopySides sides;
  if (const auto* modes = std::get_if<std::vector<Tiler>>(&copy.tiler_mn().value); modes != nullptr && !modes->empty()) {
    sides.rows = extent(modes->front());
    for (std::size_t i = 1; i < modes->size(); ++i) sides.cols = count_product(sides.cols, extent((*modes)[i]));
  } else {
    sides.rows = extent(copy.tiler_mn());
  }
  TESSERA_CHECK(check_cells(count_product(sides.rows, sides.cols), "the copy's tile"));
  TESSERA_TRY(s, copy.layout_s_tv());
  TESSERA_TRY(d, copy.layout_d_tv());
  TESSERA_TRY(cells, cells_of(copy.tiler_mn(), sides, as_divided));
  if (cells) {
    TESSERA_CHECK(check_cells(count_product(sides.rows, sides.cols), "the copy's tile"));
    sides.source_tv = in_cells(*cells, s);
    sides.destination_tv = in_cells(*cells, d);
    sides.tiler = to_string(copy.tiler_mn());
    return sides;
  }
  sides.source_tv = std::move(s);
  sides.destination_tv = std::move(d);
  return sides;
}

// An atom alone has no tile. Its values are numbered by their place in the reference, threads down as far as they go.
Result<CopySides> sides_of(const CopyAtom& atom) {
  CopySides sides;
  const std::int64_t values = std::max(atom.val_layout_src.cosize(), atom.val_layout_dst.cosize());
  TESSERA_CHECK(check_cells(values, "the copy atom"));
  // (n, m) rows of the picture are what one thread holds in the reference: 8 halves of ldmatrix's row, 4 floats of a vector.
  sides.cols = std::min<std::int64_t>(values, std::max<std::int64_t>(atom.val_layout_ref[1].size(), atom.val_layout_src[1].size()));
  if (values % sides.cols != 0) sides.cols = values;
  sides.rows = values / sides.cols;
  // value number i is drawn at row i / cols, column i % cols
  const auto place = [&](const Layout& tv) -> Result<Layout> {
    TESSERA_TRY(
        rows, Layout::make(IntTuple::tuple({sides.cols, sides.rows}), IntTuple::tuple({sides.rows, 1})));  // value -> colexicographic cell
    return composition(rows, tv);
  };
  TESSERA_TRY(s, place(atom.val_layout_src));
  TESSERA_TRY(d, place(atom.val_layout_dst));
  sides.source_tv = std::move(s);
  sides.destination_tv = std::move(d);
  return sides;
}

Result<CopyPicture> read(const FigureSpec& spec) {
  TESSERA_TRY(sides, copy_sides(spec));
  const auto* tiled = std::get_if<TiledCopy>(&spec.objects.front());
  const CopyAtom& atom = tiled ? tiled->atom() : std::get<CopyAtom>(spec.objects.front());
  CopyPicture p;
  p.tiled = tiled != nullptr;
  if (tiled) p.axes = axes_of(*tiled), p.of_operand = tiled->operand().has_value();
  p.name = atom.traits.name;
  p.ptx = atom.traits.ptx;
  p.type = atom.value_type;
  p.rows = sides.rows;
  p.cols = sides.cols;
  p.kind = atom.traits.kind;
  p.is_alike = sides.are_alike();
  p.tiler = sides.tiler;
  TESSERA_TRY(source, make_side(std::move(sides.source_tv), p, "source", atom.val_layout_src[1].size()));
  TESSERA_TRY(destination, make_side(std::move(sides.destination_tv), p, "destination", atom.val_layout_dst[1].size()));
  p.source = std::move(source);
  p.destination = std::move(destination);
  return p;
}

// "Each of 32 threads copies 8 of the 256 elements", or what it reads and what it writes where these differ.
std::string sentence_of(const CopyPicture& p) {
  const std::string tile = fmt::format("the {} × {} tile", p.rows, p.cols);
  const std::string of = p.tiled ? tile : std::string();
  if (const OwnerMap::Share share = p.source.map.share(); p.is_alike && !p.tiler.empty() && share.least == share.most)
    return sentence(fmt::format("each of {} copies {}, in a box of {} × {}", counted(share.threads, "thread"),
                                counted(share.least, "element"), p.rows, p.cols));
  if (p.is_alike) return sentence(p.source.map.sentence("copies", of));
  // Of matrices a lane names a row in memory, and holds parts of others.
  if (reads_rows(p))
    return sentence(
        fmt::format("in the source T points at its row of 16 bytes; {}", p.destination.map.sentence("receives", "the destination")));
  if (writes_rows(p))
    return sentence(fmt::format("{}; in the destination T points at its row of 16 bytes", p.source.map.sentence("gives", "the source")));
  return sentence(
      fmt::format("{}; {}", p.source.map.sentence("reads", "the source"), p.destination.map.sentence("writes", "the destination")));
}

Result<Scene> latex_copy(const FigureSpec& spec, const CopyPicture& p, const Palette& palette) {
  if (!std::holds_alternative<Layout>(p.source.layout_tv) || !std::holds_alternative<Layout>(p.destination.layout_tv)) {
    return Error{ErrorCode::not_representable,
                 "where this copy's threads are is no layout, which print_latex would write",
                 {},
                 {"Tessera's own style draws it"}};
  }
  Scene scene = begin_scene(spec);
  scene.comments = {"Layout S TV: " + print_of_coordinates(layout_part(p.source.layout_tv), p.rows, p.cols),
                    "Layout D TV: " + print_of_coordinates(layout_part(p.destination.layout_tv), p.rows, p.cols)};
  const Frame s{0, 0, p.rows, p.cols}, d{static_cast<float>(p.cols) + kLatexGap, 0, p.rows, p.cols};
  Panel left{p.source.heading, {}, std::string(p.source.id)}, right{p.destination.heading, {}, std::string(p.destination.id)};
  add_latex_owner_cells(scene, left, s, layout_part(p.source.layout_tv), p.rows, p.cols, palette, false);
  add_latex_axes(scene, left, s, -1, -1);
  add_latex_owner_cells(scene, right, d, layout_part(p.destination.layout_tv), p.rows, p.cols, palette, false);
  add_latex_axes(scene, right, d, d.right(), -1);  // CuTe puts the destination's row numbers at its right
  scene.panels.push_back(std::move(left));
  scene.panels.push_back(std::move(right));
  return scene;
}

// "16 bytes", or elements where their width is not known.
std::string amount(const CopyPicture& p, std::int64_t elements) {
  const std::int64_t width = p.type == ValueType::none ? 0 : bits(p.type);
  return width > 0 && elements * width % 8 == 0 ? counted(elements * width / 8, "byte") : counted(elements, "element");
}

// Around single registers lines stand so near to each other that strong ones would outweigh the colours.
StrokeRole role_of_lines(const PictureSide& side) {
  constexpr std::int64_t kShort = 4;
  return side.vectors.length() < kShort ? StrokeRole::boundary : StrokeRole::strong;
}

// What such lines around vectors mean: "one access of 16 bytes", "one register of 4 bytes".
std::string words_of_lines(const CopyPicture& p, StrokeRole role) {
  const auto words = [&](const PictureSide& side, bool is_source) {
    const std::int64_t length = side.vectors.length();
    if (length == 0 || role_of_lines(side) != role) return std::string();
    const bool one = length * bits(p.type) <= 32, row = is_source ? reads_rows(p) : writes_rows(p);
    return fmt::format("{} of {}",
                       row                             ? "a row"
                       : !is_of_matrices(p, is_source) ? "one access"
                       : one                           ? "one register"
                                                       : "registers",
                       amount(p, length));
  };
  const std::string source = words(p.source, true), destination = words(p.destination, false);
  if (source == destination) return source;
  return fmt::format("{}{}{}", source.empty() ? "" : "in the source, " + source, source.empty() || destination.empty() ? "" : "; ",
                     destination.empty() ? "" : "in the destination, " + destination);
}

// Can a label name a whole vector? Where nothing is asked of single cells, and their numbers would be as large.
bool name_vectors(const FigureSpec& spec, const PictureSide& side, float unit) {
  constexpr float kLargestUnit = 1.5f;
  if (is_off(spec, "axes")) return false;  // names are taken out with the axes
  for (const std::string_view asked : {"labels", "thread", "highlight", "crop", "fold", "steps"}) {
    if (const std::string_view given = parameter(spec, asked); !given.empty() && given != "no") return false;
  }
  return unit <= kLargestUnit && side.vectors.have_names();
}

// "T5 V0-7" once on each vector. Lines between its cells are painted over where they would go through the name.
void add_names(Scene& scene, Panel& panel, const Frame& frame, const Vectors& vectors, const OwnerColors& colors, float unit) {
  constexpr float kType = 0.42f, kSign = 0.6f, kHigh = 0.45f;  // width of a sign, in type sizes; half the height of what is painted
  for (const Vector& each : vectors.all) {
    const std::string name = fmt::format("T{} V{}-{}", each.first.thread, each.first.value, each.first.value + each.cells - 1);
    const float x = (frame.column(each.col) + frame.column(each.col + each.cols)) / 2, y = frame.y + static_cast<float>(each.row) + 0.5f;
    for (std::int64_t c = 1; c < each.cols; ++c) {
      const float at = frame.column(each.col + c);
      if (std::abs(at - x) > kSign * kType * unit * static_cast<float>(name.size()) / 2) continue;
      const auto value = static_cast<std::int32_t>(each.first.value + c - 1);
      panel.marks.push_back(Line{at, y - kHigh, at, y + kHigh, StrokeRole::boundary, colors.fill({each.first.thread, value})});
    }
    panel.marks.push_back(Label{x, y, scene.intern(name), LabelRole::legend, Anchor::center, kType * unit});
  }
}

}  // namespace

bool CopySides::are_alike() const {
  if (source_tv == destination_tv) return true;
  if (size(source_tv) != size(destination_tv) || size(shape(source_tv)[0]) != size(shape(destination_tv)[0])) return false;
  for (std::int64_t i = 0; i < size(source_tv) && !late(); ++i) {
    if (evaluate(source_tv, i) != evaluate(destination_tv, i)) return false;
  }
  return true;
}

Result<CopySides> copy_sides(const FigureSpec& spec) {
  const FigureObject& object = spec.objects.front();
  if (const auto* tiled = std::get_if<TiledCopy>(&object)) return sides_of(*tiled, spec.style == FigureStyle::print_latex);
  if (const auto* atom = std::get_if<CopyAtom>(&object)) return sides_of(*atom);
  return Error{
      ErrorCode::wrong_type, fmt::format("this figure needs a tiled copy or a copy atom, and got {}", object_name(object)), {}, {}};
}

Result<Scene> copy_figure(const FigureSpec& spec) {
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(style, owner_style(spec));
  TESSERA_CHECK(check_threads(spec, p.source.threads(), p.name));
  if (spec.style == FigureStyle::print_latex) return latex_copy(spec, p, palette);
  TESSERA_CHECK(only_own_style(spec));
  Scene scene = begin_scene(spec);
  const bool wide = p.is_alike || spec.stacked || p.cols > 2 * p.rows;  // then one above the other
  const float unit = type_scale(spec, wide && !p.is_alike ? 2 * p.rows : p.rows, wide ? p.cols : 2 * p.cols);
  const std::int64_t values = std::max(p.source.map.values(), p.destination.map.values());
  const OwnerColors colors(scene, palette, p.source.map.threads(), values, style.color);
  const Frame s{0, 0, p.rows, p.cols};
  const Frame d = wide ? Frame{0, s.bottom() + 2.6f * unit, p.rows, p.cols} : Frame{s.right() + 2.2f * unit, 0, p.rows, p.cols};
  // Words in a heading make no picture wider.
  const std::string source_in = memory_of(p, true), destination_in = memory_of(p, false);
  const std::size_t longest =
      std::max(p.source.heading.size() + source_in.size(), p.destination.heading.size() + destination_in.size()) + 3;
  const bool is_known = !p.is_alike && !source_in.empty() && !destination_in.empty();
  const bool is_in_headings = is_known && kHeadingSign * unit * static_cast<float>(longest) <= s.width();
  for (const auto& [frame, side] : {std::pair{s, &p.source}, std::pair{d, &p.destination}}) {
    Panel panel{side->heading, {}, std::string(side->id), PanelOperand::none, p.axes};
    if (p.is_alike && side == &p.destination) break;
    OwnerStyle labelled = style;
    const bool named = name_vectors(spec, *side, unit);
    if (named) labelled.labels = "none";
    add_owner_grid(panel, frame, owner_columns(side->map, colors, labelled));
    if (side->vectors.length() > 0) {
      add_borders(panel, frame, side->vectors.of, role_of_lines(*side), true);
      add_borders(panel, frame, std::vector<std::int32_t>(side->vectors.of.size(), 0), StrokeRole::strong, true);
    }
    if (named) add_names(scene, panel, frame, side->vectors, colors, unit);
    add_axes(scene, panel, frame, {p.rows > 1, true}, unit);
    add_axis_names(scene, panel, frame, unit);
    std::string heading = side->heading;
    if (is_in_headings) heading.insert(side->id.size(), fmt::format(" ({})", memory_of(p, side == &p.source)));
    add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, heading, unit);
    scene.panels.push_back(std::move(panel));
  }
  TESSERA_TRY(painted, paint(scene, spec, palette, style.color, {}));
  std::vector<std::string> notes = {
      fmt::format("{}{}{}, {}", p.name, p.ptx.empty() ? "" : ": ", p.ptx, counted(p.source.threads(), "thread"))};
  if (!p.tiler.empty())
    notes.push_back(fmt::format("rows and columns as the tiler {} takes them; the others are none of this tile's", p.tiler));
  if (is_known && !is_in_headings) notes.push_back(fmt::format("source: {}; destination: {}", source_in, destination_in));
  Captions captions{sentence_of(p), std::move(notes), {colors.legend(), std::move(painted), shared_legend(scene, "moved")}};
  captions.boundary = words_of_lines(p, StrokeRole::boundary), captions.strong = words_of_lines(p, StrokeRole::strong);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
