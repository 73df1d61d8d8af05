// SPDX-License-Identifier: BSD-3-Clause
// The figure of an MMA: A at the left, B above, C in the corner, each cell with its thread and value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/mma/owner_census.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/whole_blocks.hpp"
#include "core/layout/print.hpp"

namespace tessera {

namespace {

constexpr Rgb kFirstAtom{124, 28, 168};  // of its outline: neither a frame's nor an atom boundary's

struct OperandFacts {
  char name;
  char row_name, col_name;
  ValueType type;
  OperandSource source;
};

OperandFacts facts(const TiledMma& mma, Operand operand) {
  const MmaAtom& atom = mma.atom();
  switch (operand) {
    case Operand::a: return {'A', 'M', 'K', atom.val_a, atom.source_a};
    case Operand::b: return {'B', 'N', 'K', atom.val_b, atom.source_b};
    case Operand::c:
      return {'C', 'M', 'N', atom.val_c, atom.kind == MmaKind::umma ? OperandSource::tensor_memory : OperandSource::registers};
  }
  return {'C', 'M', 'N', atom.val_c, OperandSource::registers};
}

// `turned`: B is drawn with K down, so its heading names K first.
std::string heading_of(const OperandFacts& f, std::int64_t rows, std::int64_t cols, bool turned) {
  std::string out = turned ? fmt::format("{}  {}{} × {}{}", f.name, f.col_name, cols, f.row_name, rows)
                           : fmt::format("{}  {}{} × {}{}", f.name, f.row_name, rows, f.col_name, cols);
  if (f.type != ValueType::none) out += fmt::format("  {}", short_name(f.type));
  if (f.source == OperandSource::smem_descriptor) out += "  (smem)";
  if (f.source == OperandSource::tensor_memory) out += "  (tmem)";
  return out;
}

// print_latex and print_svg show A at the left of C and B above it, one cell of room between them.
Frame frame_of(const OperandPicture& p, float gap) {
  switch (p.operand) {
    case Operand::a: return {-static_cast<float>(p.cols) - gap, 0, p.rows, p.cols};
    case Operand::b: return {0, -static_cast<float>(p.cols) - gap, p.cols, p.rows};
    case Operand::c: return {0, 0, p.rows, p.cols};
  }
  return {0, 0, p.rows, p.cols};
}

Panel latex_panel(Scene& scene, const OperandPicture& p, const Palette& palette) {
  Panel panel = begin_panel(p.operand, p.heading, std::string(1, operand_letter(p.operand)));
  const Frame frame = frame_of(p, 1);
  add_latex_owner_cells(scene, panel, frame, p.layout_tv, p.rows, p.cols, palette, p.operand == Operand::b);
  const float a_col = frame.x - 1, b_row = frame.y - 1;
  if (p.operand == Operand::a) add_latex_axes(scene, panel, frame, a_col, -1);
  if (p.operand == Operand::b) {  // n first, then k
    add_latex_axes(scene, panel, {frame.x, frame.y, 0, frame.cols}, -1, b_row);
    add_latex_axes(scene, panel, {frame.x, frame.y, frame.rows, 0}, -1, b_row);
  }
  return panel;
}

// Which data paths and columns of tensor memory an operand takes: "data paths 0 to 127, columns 0 to 255 of 32 bits".
std::string tensor_memory_place(const TiledMma& mma, Operand operand, const OperandFacts& f, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t kDataPathBits = std::int64_t{1} << 21, kColumnBits = 32;
  const std::int64_t bits_of_element = bits(f.type);
  const Result<Layout> tile = Layout::make_compact(IntTuple::tuple({rows, cols}));
  const Result<Layout> fragment = tile ? mma.fragment(operand, *tile) : tile;  // coordinate -> address in elements
  if (!fragment || bits_of_element < 1) {
    return fmt::format("{} lies in tensor memory, no thread holds it{}", f.name, fragment ? "" : ": " + fragment.error().message);
  }
  const std::vector<std::int64_t> extents = leaf_values(fragment->shape()), strides = leaf_values(fragment->stride());
  std::int64_t last_path = 0, paths = 1, last_bit = bits_of_element - 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t reach = (extents[i] - 1) * strides[i] * bits_of_element;
    last_path += reach / kDataPathBits;
    if (reach >= kDataPathBits) paths *= extents[i];
    last_bit += reach % kDataPathBits;
  }
  const std::string some = paths == last_path + 1 ? std::string() : fmt::format("{} of the ", paths);
  return fmt::format(
      "{} lies in tensor memory: {}data paths (rows) 0 to {}, columns 0 to {} of 32 bits{}; no thread holds it before tcgen05.ld", f.name,
      some, last_path, last_bit / kColumnBits, mma.num_threads() > 1 ? " of each CTA" : "");
}

// The logical threads of an operand, (ThrV,(ThrM,ThrN)) of its fragments, whose parts hardware threads take: as partition_A, partition_B
// and partition_C find them. CuTe's (thread, value) layout has the same ones, unless ids have gaps in which other atoms stand, or atoms
// along K hold partial sums of the same elements of C.
struct LogicalThreads {
  Layout fragments;                   // ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN))) -> colexicographic index
  std::vector<std::int64_t> logical;  // of each hardware thread; -1: it does nothing
  bool are_of(const Layout& layout_tv) const {
    const Layout threads = layout_tv[0], own = fragments[0];
    for (std::size_t i = 0; i < logical.size(); ++i) {
      const auto t = static_cast<std::int64_t>(i);
      if (logical[i] >= 0 && (t >= threads.size() || threads(t) != own(logical[i]))) return false;
    }
    return true;
  }
};

Result<LogicalThreads> threads_of(const TiledMma& mma, Operand operand, std::int64_t rows, std::int64_t cols) {
  TESSERA_TRY(tile, Layout::make_compact(IntTuple::tuple({rows, cols})));
  TESSERA_TRY(fragments, mma.thrfrg(operand, tile));
  const Layout& thr = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const std::int64_t v = thr[0].size(), m = thr[1].size(), n = thr[2].size();
  LogicalThreads made{std::move(fragments), std::vector<std::int64_t>(static_cast<std::size_t>(thr.cosize()), -1)};
  for (std::int64_t i = 0; i < thr.size(); ++i) {
    std::int64_t& logical = made.logical[static_cast<std::size_t>(thr(i))];
    if (logical >= 0) continue;
    // Where a stride is 0, it finds none, and the first that has the thread counts.
    const std::array<std::int64_t, 4> at = mma.thr_vmnk(thr(i)).value_or(std::array{i % v, i / v % m, i / v / m % n, i / v / m / n});
    const std::int64_t down = operand == Operand::b ? at[2] : at[1], across = operand == Operand::c ? at[2] : at[3];
    logical = at[0] + v * (down + (operand == Operand::b ? n : m) * across);
  }
  return made;
}

// (thr, val) -> colexicographic index
OwnerMap::Index index_of(LogicalThreads threads) {
  return [threads = std::move(threads)](std::int64_t t, std::int64_t v) {
    const auto at = static_cast<std::size_t>(t);
    return at < threads.logical.size() && threads.logical[at] >= 0 ? threads.fragments(threads.logical[at], v) : std::int64_t{-1};
  };
}

}  // namespace

Result<OperandPicture> operand_picture(const TiledMma& mma, Operand operand) {
  OperandPicture p;
  p.operand = operand;
  const std::array<std::int64_t, 3> tile = mma.tile_mnk();
  p.rows = operand == Operand::b ? tile[1] : tile[0];
  p.cols = operand == Operand::c ? tile[1] : tile[2];
  const OperandFacts f = facts(mma, operand);
  p.in_registers = f.source == OperandSource::registers;
  p.heading = heading_of(f, p.rows, p.cols, operand == Operand::b);
  TESSERA_CHECK(check_cells(count_product(p.rows, p.cols), p.heading));
  TESSERA_CHECK(check_cells(mma.thr_layout_vmnk().cosize(), fmt::format("the thread layout {}", to_string(mma.thr_layout_vmnk()))));
  if (f.source == OperandSource::tensor_memory) p.place = tensor_memory_place(mma, operand, f, p.rows, p.cols);
  TESSERA_TRY(layout_tv, mma.layout_tv(operand));
  TESSERA_TRY(coords, mma.layout_tv_coords(operand));
  p.layout_tv = std::move(layout_tv);
  p.comment = fmt::format("Layout{}: ArithTuple(_0,_0) o {}", f.name, print(coords, Spelling::cute_print));
  const std::vector<std::int64_t> ids = mma.thread_ids();
  TESSERA_TRY(threads, threads_of(mma, operand, p.rows, p.cols));
  p.is_cutes = threads.are_of(p.layout_tv);
  const std::int64_t values = threads.fragments[1].size();
  TESSERA_TRY(map, OwnerMap::make(mma.thr_layout_vmnk().cosize(), values, index_of(std::move(threads)), p.rows, p.cols,
                                  p.in_registers ? std::span<const std::int64_t>(ids) : std::span<const std::int64_t>(ids).first(1),
                                  to_string(mma.thr_layout_vmnk())));
  p.map = std::move(map);
  return p;
}

Result<OwnerMap::Index> partition_index(const TiledMma& mma, Operand operand, std::int64_t rows, std::int64_t cols) {
  TESSERA_TRY(threads, threads_of(mma, operand, rows, cols));
  return index_of(std::move(threads));
}

bool is_cutes_layout(const TiledMma& mma, Operand operand) {
  const std::array<std::int64_t, 3> tile = mma.tile_mnk();
  const Result<LogicalThreads> threads =
      threads_of(mma, operand, operand == Operand::b ? tile[1] : tile[0], operand == Operand::c ? tile[1] : tile[2]);
  const Result<Layout> layout_tv = mma.layout_tv(operand, Law::as_cute);
  return threads && layout_tv && threads->are_of(*layout_tv);
}

char operand_letter(Operand operand) { return operand == Operand::a ? 'A' : operand == Operand::b ? 'B' : 'C'; }

Panel begin_panel(Operand operand, std::string heading, std::string id) {
  Panel panel{std::move(heading), {}, std::move(id)};
  panel.operand = operand == Operand::a ? PanelOperand::a : operand == Operand::b ? PanelOperand::b : PanelOperand::c;
  panel.axes = operand == Operand::a ? AxisNames{"k", "m"} : operand == Operand::b ? AxisNames{"n", "k"} : AxisNames{"n", "m"};
  return panel;
}

void add_tv_axes(Scene& scene, Panel& panel, const Frame& frame, float unit) {
  add_axes(scene, panel, frame, {true, true, "T", "V"}, unit);
}

PanelOperand operand_of(Operand operand) {
  return operand == Operand::a ? PanelOperand::a : operand == Operand::b ? PanelOperand::b : PanelOperand::c;
}

template <class P>
auto first_grid(P& panel) -> decltype(std::get_if<Grid>(&panel.marks.front())) {
  for (auto& mark : panel.marks) {
    if (auto* grid = std::get_if<Grid>(&mark)) return grid;
  }
  return nullptr;
}

// The atom of each cell as drawn, any number for each; -1: nobody owns it.
std::vector<std::int32_t> atoms_of(const TiledMma& mma, Operand operand, const OwnerMap& map, std::int64_t atom_values, bool swap) {
  // Which atom along the operand's two modes a thread belongs to.
  const Layout& thr = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const std::int64_t v = thr[0].size(), m = thr[1].size(), n = thr[2].size();
  std::vector<std::int32_t> atom_of(static_cast<std::size_t>(thr.cosize()), 0);
  for (std::int64_t i = 0; i < thr.size(); ++i) {
    const std::int64_t am = i / v % m, an = i / v / m % n, ak = i / v / m / n;
    const std::int64_t atom = operand == Operand::a ? am + m * ak : operand == Operand::b ? an + n * ak : am + m * an;
    atom_of[static_cast<std::size_t>(thr(i))] = static_cast<std::int32_t>(atom);
  }
  std::vector<std::int32_t> atoms(static_cast<std::size_t>(map.rows() * map.cols()), -1);
  for (std::int64_t r = 0; r < map.rows(); ++r) {
    for (std::int64_t c = 0; c < map.cols(); ++c) {
      const std::span<const Owner> owners = map.owners(r, c);
      if (owners.empty()) continue;
      const std::size_t at = static_cast<std::size_t>(swap ? c * map.rows() + r : r * map.cols() + c);
      const std::size_t thread = static_cast<std::size_t>(owners.front().thread);
      atoms[at] = (thread < atom_of.size() ? atom_of[thread] : 0) + 65536 * (owners.front().value / static_cast<std::int32_t>(atom_values));
    }
  }
  return atoms;
}

void add_mma_borders(Panel& panel, const Frame& frame, const TiledMma& mma, Operand operand, const OwnerMap& map, std::int64_t atom_values,
                     bool swap) {
  const std::vector<std::int32_t> atoms = atoms_of(mma, operand, map, atom_values, swap);
  std::vector<std::int32_t> warps(atoms.size(), -1);
  bool many_warps = false;
  for (std::int64_t r = 0; r < map.rows(); ++r) {
    for (std::int64_t c = 0; c < map.cols(); ++c) {
      const std::span<const Owner> owners = map.owners(r, c);
      if (owners.empty()) continue;
      const std::size_t at = static_cast<std::size_t>(swap ? c * map.rows() + r : r * map.cols() + c);
      warps[at] = owners.front().thread / 32;
      many_warps = many_warps || warps[at] != 0;
    }
  }
  if (auto* grid = first_grid(panel); grid && grid->of->size() == atoms.size()) {
    GridColumns columns = *grid->of;
    widen_whole(columns, whole_groups(columns.rows, columns.cols, atoms));
    grid->of = std::make_shared<const GridColumns>(std::move(columns));
  }
  add_borders(panel, frame, atoms, StrokeRole::boundary, false);
  if (many_warps) add_borders(panel, frame, warps, StrokeRole::strong, false);
}

OwnerStyle style_of(const OperandPicture& p, const OwnerStyle& asked) {
  OwnerStyle style = asked;
  if (p.in_registers) return style;
  style.labels = asked.labels == "coordinate" ? asked.labels : "none";
  style.selected.clear();  // nobody owns its cells
  return style;
}

GridColumns operand_columns(Scene& scene, const OperandPicture& p, const OwnerColors& colors, const OwnerStyle& style) {
  GridColumns columns = owner_columns(p.map, colors, style);
  if (p.in_registers) return columns;
  columns.fills.assign(columns.size(), scene.color(on_page({238, 240, 244}, scene.page)));
  columns.thread.clear();
  columns.value.clear();
  columns.other_ends.clear();
  columns.others.clear();
  return columns;
}

Panel operand_panel(Scene& scene, const Frame& frame, const TiledMma& mma, const OperandPicture& p, const OwnerColors& colors,
                    const OwnerStyle& asked) {
  Panel panel = begin_panel(p.operand, p.heading, std::string(1, operand_letter(p.operand)));
  OwnerStyle style = style_of(p, asked);
  style.swap = p.operand == Operand::b;
  add_owner_grid(panel, frame, operand_columns(scene, p, colors, style));
  add_mma_borders(panel, frame, mma, p.operand, p.map, p.layout_tv[1][0].size(), style.swap);
  return panel;
}

// A colour for each repetition of the atom, in the order in which a picture of C has them; the first owner of a cell decides.
Legend paint_atoms(Scene& scene, const Palette& palette, const TiledMma& mma, std::span<const OwnedOperand> operands) {
  std::int64_t most = 1;
  std::vector<std::vector<std::int32_t>> atoms;
  for (const OwnedOperand& p : operands) {
    const bool swap = std::any_of(scene.panels.begin(), scene.panels.end(), [&](const Panel& panel) {
      const auto* grid = panel.operand == operand_of(p.operand) ? first_grid(panel) : nullptr;
      return grid && grid->of->place == GridColumns::Place::transposed;
    });
    std::vector<std::int32_t>& ids = atoms.emplace_back(atoms_of(mma, p.operand, *p.map, p.atom_values, swap));
    std::vector<std::int32_t> known(ids);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::erase(known, -1);
    for (std::int32_t& id : ids) {
      if (id >= 0) id = static_cast<std::int32_t>(std::lower_bound(known.begin(), known.end(), id) - known.begin());
    }
    most = std::max(most, static_cast<std::int64_t>(known.size()));
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (Panel& panel : scene.panels) {
      Grid* grid = panel.operand == operand_of(operands[i].operand) ? first_grid(panel) : nullptr;
      if (!grid) continue;
      GridColumns columns = *grid->of;
      std::vector<ColorIndex> colors;
      for (std::int64_t atom = 0; atom < most; ++atom) colors.push_back(scene.color(palette.category(atom, most)));
      for (std::size_t cell = 0; cell < columns.size(); ++cell)
        columns.fills[cell] = atoms[i][cell] < 0 ? kNoColor : colors[static_cast<std::size_t>(atoms[i][cell])];
      grid->of = std::make_shared<const GridColumns>(std::move(columns));
    }
  }
  return category_legend(scene, palette, "atom", most);
}

std::vector<OwnedOperand> owned(std::initializer_list<const OperandPicture*> operands) {
  std::vector<OwnedOperand> made;
  for (const OperandPicture* p : operands) {
    if (p->in_registers) made.push_back({p->operand, &p->map, p->layout_tv[1][0].size()});
  }
  return made;
}

// That CuTe's rule, (thread / stride) mod extent, finds another thread's place for one; empty where it finds each one's own.
std::string note_of_places(const TiledMma& mma) {
  const Layout& thr = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const std::int64_t v = thr[0].size(), m = thr[1].size(), n = thr[2].size();
  std::int64_t others = 0;
  std::string first;
  for (const std::int64_t thread : mma.thread_ids()) {
    const auto at = mma.thr_vmnk(thread);
    if (!at) continue;
    const std::int64_t taken = thr((*at)[0] + v * ((*at)[1] + m * ((*at)[2] + n * (*at)[3])));
    if (taken == thread || ++others > 1) continue;
    first = fmt::format("it gives T{} the part of T{}", thread, taken);
  }
  if (others == 0) return {};
  return fmt::format("CuTe divides by the strides of {}: {}{}", to_string(thr), first,
                     others > 1 ? fmt::format(", and {} more that of another one", others - 1) : std::string());
}

// Where an element of C has not one owner, and whose part a thread takes instead of its own.
void note_owners(const TiledMma& mma, std::vector<std::string>& notes) {
  if (std::string places = note_of_places(mma); !places.empty()) notes.push_back(std::move(places));
  const auto counted = census_of_c(mma);
  if (!counted || !*counted) return;
  const OwnerCensus& census = **counted;
  if (!census.one_owner_each()) notes.push_back(describe(census));
  if (census.partial_sums > 1)
    notes.push_back(
        fmt::format("each element of C has {} owners, the atoms along K: their partial sums are to be added", census.partial_sums));
}

Result<Scene> mma_figure(const FigureSpec& spec) {
  TESSERA_TRY(mma, mma_object(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(style, owner_style(spec, kOwnerLabelChoices, kMmaColorChoices));
  TESSERA_TRY(c, operand_picture(mma, Operand::c));
  TESSERA_CHECK(check_threads(spec, mma.thread_ids(), mma.atom().name));
  TESSERA_TRY(a, operand_picture(mma, Operand::a));
  TESSERA_TRY(b, operand_picture(mma, Operand::b));
  if (!has_color(spec)) style.color = default_color(c.rows * c.cols, mma.num_threads());
  Scene scene = begin_scene(spec);
  scene.comments = {c.comment, a.comment, b.comment};
  if (spec.style != FigureStyle::tessera) {  // print_svg places the same cells
    for (const OperandPicture* p : {&c, &a, &b}) scene.panels.push_back(latex_panel(scene, *p, palette));
    return scene;
  }
  const float unit = type_scale(spec, c.rows + a.cols, c.cols + a.cols);
  const std::int64_t values = std::max({a.map.values(), b.map.values(), c.map.values()});
  const OwnerColors colors(scene, palette, mma.thread_ids(), values, style.color);
  const Frame fc = frame_of(c, unit), fa = frame_of(a, unit), fb = frame_of(b, unit);
  Panel pc = operand_panel(scene, fc, mma, c, colors, style);
  add_heading(scene, pc, fc.x, fc.bottom() + 0.6f * unit, c.heading, unit);
  if (!c.place.empty()) add_note(scene, pc, fc.x, fc.bottom() + 1.2f * unit, c.place, unit);
  Panel pa = operand_panel(scene, fa, mma, a, colors, style);
  add_axes(scene, pa, fa, {true, true}, unit);
  add_axis_names(scene, pa, fa, unit);
  pa.marks.push_back(Label{fa.right(), -1.1f * unit, scene.intern(a.heading), LabelRole::panel_name, Anchor::right, 0.46f * unit});
  Panel pb = operand_panel(scene, fb, mma, b, colors, style);
  add_axes(scene, pb, fb, {true, true}, unit);
  add_axis_names(scene, pb, fb, unit);
  add_heading(scene, pb, fb.x, fb.y - 1.1f * unit, b.heading, unit);
  std::string permuted = permutation_note(mma);
  Legend outlined;
  if (!permuted.empty()) {
    const auto atoms = [&](const OperandPicture& p) {
      return atoms_of(mma, p.operand, p.map, p.layout_tv[1][0].size(), p.operand == Operand::b);
    };
    const std::vector<std::int32_t> of_c = atoms(c);
    const std::string first = first_atom_note(of_c, c.rows, c.cols);
    const bool nothing_lit = parameter(spec, "highlight").empty() && parameter(spec, "thread").empty();
    const ColorIndex color = scene.palette_name == "greys" ? kNoColor : scene.color(on_page(kFirstAtom, scene.page));
    if (nothing_lit && outline_first_atom(pc, fc, of_c, color)) {
      outline_first_atom(pa, fa, atoms(a), color);
      outline_first_atom(pb, fb, atoms(b), color);
      outlined = {{color == kNoColor ? scene.color(scene.page.ink) : color}, "outline: " + first};
    } else {
      permuted += "; " + first;
    }
  }
  for (Panel* panel : {&pc, &pa, &pb}) scene.panels.push_back(std::move(*panel));
  std::optional<Panel> warps = c.in_registers && style.color != "warp" ? warp_map(scene, c.map, fa, fb, unit) : std::nullopt;
  const bool has_warp_map = warps.has_value();
  if (warps) scene.panels.push_back(std::move(*warps));
  const std::array<std::int64_t, 3> tile = mma.tile_mnk();
  const std::size_t threads = mma.thread_ids().size();
  std::vector<std::string> notes = {
      fmt::format("{}   {} × {} × {}   {} {}", mma.atom().name, tile[0], tile[1], tile[2], threads, threads == 1 ? "thread" : "threads")};
  if (!mma.atom().ptx.empty()) notes.push_back(mma.atom().ptx);
  if (!permuted.empty()) notes.push_back(std::move(permuted));
  if (std::holds_alternative<TiledMma>(spec.objects.front()) && is_atom_alone(mma))
    notes.emplace_back("tiled 1 × 1 × 1: the same as the atom alone");
  note_owners(mma, notes);
  if (!a.place.empty()) notes.push_back(a.place);
  TESSERA_TRY(painted,
              style.color == "atom" ? paint_atoms(scene, palette, mma, owned({&c, &a, &b})) : paint(scene, spec, palette, style.color, {}));
  Captions captions{sentence_of(mma), std::move(notes), {colors.legend(), std::move(painted), std::move(outlined), shared_legend(scene)}};
  captions.title = spec.name;
  say_borders(captions);
  if (has_warp_map) captions.strong += "; in the corner: the warps of C";
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

Result<Scene> tv_operand_figure(const FigureSpec& spec) {
  TESSERA_TRY(mma, mma_object(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(style, owner_style(spec, kOwnerLabelChoices, kMmaColorChoices));
  const Operand operand = spec.kind == "tv_a" ? Operand::a : spec.kind == "tv_b" ? Operand::b : Operand::c;
  TESSERA_TRY(p, operand_picture(mma, operand));
  TESSERA_CHECK(check_threads(spec, mma.thread_ids(), mma.atom().name));
  Scene scene = begin_scene(spec);
  if (!has_color(spec)) style.color = default_color(p.rows * p.cols, mma.num_threads());
  const Frame frame{0, 0, p.rows, p.cols};
  if (spec.style == FigureStyle::print_latex) {
    scene.comments = {"Layout TV" + p.comment.substr(p.comment.find(':'))};
    Panel panel = begin_panel(p.operand, p.heading, std::string(1, operand_letter(p.operand)));
    add_latex_owner_cells(scene, panel, frame, p.layout_tv, p.rows, p.cols, palette, false);
    add_latex_axes(scene, panel, frame, -1, -1);
    scene.panels.push_back(std::move(panel));
    return scene;
  }
  TESSERA_CHECK(only_own_style(spec));
  const float unit = type_scale(spec, p.rows, p.cols);
  const OwnerColors colors(scene, palette, mma.thread_ids(), p.map.values(), style.color);
  Panel panel = begin_panel(p.operand, heading_of(facts(mma, operand), p.rows, p.cols, false), std::string(1, operand_letter(p.operand)));
  if (p.operand == Operand::b) std::swap(panel.axes.across, panel.axes.down);  // B is drawn here as it is stored: N down
  add_owner_grid(panel, frame, operand_columns(scene, p, colors, style_of(p, style)));
  add_mma_borders(panel, frame, mma, p.operand, p.map, p.layout_tv[1][0].size(), style.swap);
  add_axes(scene, panel, frame, {true, true}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_heading(scene, panel, 0, -1.15f * unit, panel.name, unit);
  scene.panels.push_back(std::move(panel));
  std::vector<std::string> notes{mma.atom().name};
  const OperandFacts named = facts(mma, operand);
  const auto lower_case = [](char letter) { return static_cast<char>(letter + ('a' - 'A')); };
  if (p.in_registers && p.is_cutes)
    notes.push_back(fmt::format("{} maps (thread, value) to {} + {} {}", to_string(p.layout_tv), lower_case(named.row_name), p.rows,
                                lower_case(named.col_name)));
  if (!p.place.empty()) notes.push_back(p.place);
  if (const std::string permuted = permutation_note(mma); !permuted.empty()) notes.push_back(permuted);
  if (operand == Operand::c) note_owners(mma, notes);
  if (operand != Operand::c && p.in_registers) {
    if (std::string places = note_of_places(mma); !places.empty()) notes.push_back(std::move(places));
  }
  TESSERA_TRY(painted,
              style.color == "atom" ? paint_atoms(scene, palette, mma, owned({&p})) : paint(scene, spec, palette, style.color, {}));
  const std::string what = fmt::format("{} ({} × {})", operand_letter(operand), p.rows, p.cols);
  Captions captions{p.in_registers
                        ? sentence(p.map.sentence("owns", what))
                        : fmt::format("{} lies in {}, and no thread owns it.", what, p.place.empty() ? "shared memory" : "tensor memory"),
                    std::move(notes),
                    {p.in_registers ? colors.legend() : Legend{}, std::move(painted), shared_legend(scene)}};
  say_borders(captions);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
