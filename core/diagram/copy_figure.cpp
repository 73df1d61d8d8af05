// SPDX-License-Identifier: BSD-3-Clause
// The figure of a copy: the source at the left, the destination at the right, each cell with its thread and value.
#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/tv_parts.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

constexpr float kLatexGap = 3;  // cells between print_latex's source and destination

struct CopySide {
  Layout layout_tv;     // (thr, val) -> (m, n), colexicographic
  std::string_view id;  // "source", "destination"
  std::string heading;
  OwnerMap map;
};

struct CopyPicture {
  std::string name, ptx;
  ValueType type = ValueType::none;
  std::int64_t rows = 1, cols = 1;
  bool tiled = false;  // else rows and columns are only how an atom's values are laid out here
  CopySide source, destination;
};

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

Result<CopySide> make_side(Layout layout_tv, const CopyPicture& p, std::string_view name) {
  CopySide side;
  TESSERA_TRY(map, OwnerMap::make(layout_tv, p.rows, p.cols));
  side.layout_tv = std::move(layout_tv);
  side.map = std::move(map);
  side.id = name;
  side.heading = fmt::format("{}  {} × {}", name, p.rows, p.cols);
  if (p.type != ValueType::none) side.heading += fmt::format("  {}", short_name(p.type));
  return side;
}

Result<CopySides> sides_of(const TiledCopy& copy) {
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
  p.name = atom.traits.name;
  p.ptx = atom.traits.ptx;
  p.type = atom.value_type;
  p.rows = sides.rows;
  p.cols = sides.cols;
  TESSERA_TRY(source, make_side(std::move(sides.source_tv), p, "source"));
  TESSERA_TRY(destination, make_side(std::move(sides.destination_tv), p, "destination"));
  p.source = std::move(source);
  p.destination = std::move(destination);
  return p;
}

// layout_s_tv as CuTe prints it, over coordinates: index i of an m x n tile is (i % m, i / m).
std::string coordinate_comment(std::string_view name, const Layout& layout_tv, std::int64_t rows, std::int64_t cols) {
  Result<Layout> tile = make_identity_layout(IntTuple::tuple({rows, cols}));
  if (!tile) return {};
  const Result<Layout> coords = composition_unchecked(*tile, layout_tv);
  return coords ? fmt::format("Layout {} TV: ArithTuple(_0,_0) o {}", name, static_spelling(to_string(*coords))) : std::string();
}

// "Each of 32 threads copies 8 of the 256 elements", or what it reads and what it writes where these differ.
std::string sentence_of(const CopyPicture& p) {
  const std::string tile = fmt::format("the {} × {} tile", p.rows, p.cols);
  const std::string of = p.tiled ? tile : std::string();
  if (p.source.layout_tv == p.destination.layout_tv) return sentence(p.source.map.sentence("copies", of));
  return sentence(
      fmt::format("{}; {}", p.source.map.sentence("reads", "the source"), p.destination.map.sentence("writes", "the destination")));
}

Scene latex_copy(const FigureSpec& spec, const CopyPicture& p, const Palette& palette) {
  Scene scene = begin_scene(spec);
  scene.comments = {coordinate_comment("S", p.source.layout_tv, p.rows, p.cols),
                    coordinate_comment("D", p.destination.layout_tv, p.rows, p.cols)};
  const Frame s{0, 0, p.rows, p.cols}, d{static_cast<float>(p.cols) + kLatexGap, 0, p.rows, p.cols};
  Panel left{p.source.heading, {}, std::string(p.source.id)}, right{p.destination.heading, {}, std::string(p.destination.id)};
  add_latex_owner_cells(scene, left, s, p.source.layout_tv, p.rows, p.cols, palette, false);
  add_latex_axes(scene, left, s, -1, -1);
  add_latex_owner_cells(scene, right, d, p.destination.layout_tv, p.rows, p.cols, palette, false);
  add_latex_axes(scene, right, d, d.right(), -1);  // CuTe puts the destination's row numbers at its right
  scene.panels.push_back(std::move(left));
  scene.panels.push_back(std::move(right));
  return scene;
}

}  // namespace

Result<CopySides> copy_sides(const FigureSpec& spec) {
  const FigureObject& object = spec.objects.front();
  if (const auto* tiled = std::get_if<TiledCopy>(&object)) return sides_of(*tiled);
  if (const auto* atom = std::get_if<CopyAtom>(&object)) return sides_of(*atom);
  return Error{
      ErrorCode::wrong_type, fmt::format("this figure needs a tiled copy or a copy atom, and got {}", object_name(object)), {}, {}};
}

Result<Scene> copy_figure(const FigureSpec& spec) {
  TESSERA_TRY(p, read(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(style, owner_style(spec));
  TESSERA_CHECK(check_threads(spec, p.source.layout_tv[0].size(), p.name));
  if (spec.style == FigureStyle::print_latex) return latex_copy(spec, p, palette);
  TESSERA_CHECK(only_own_style(spec));
  Scene scene = begin_scene(spec);
  const bool wide = p.cols > 2 * p.rows;  // then one above the other
  const float unit = type_scale(spec, wide ? 2 * p.rows : p.rows, wide ? p.cols : 2 * p.cols);
  const std::int64_t values = std::max(p.source.map.values(), p.destination.map.values());
  const OwnerColors colors(scene, palette, p.source.map.threads(), values, style.color);
  const Frame s{0, 0, p.rows, p.cols};
  const Frame d = wide ? Frame{0, s.bottom() + 2.6f * unit, p.rows, p.cols} : Frame{s.right() + 2.2f * unit, 0, p.rows, p.cols};
  for (const auto& [frame, side] : {std::pair{s, &p.source}, std::pair{d, &p.destination}}) {
    Panel panel{side->heading, {}, std::string(side->id), PanelOperand::none, {p.tiled ? "n" : "", p.tiled ? "m" : ""}};
    add_owner_grid(panel, frame, owner_columns(side->map, colors, style));
    add_axes(scene, panel, frame, {p.rows > 1, true}, unit);
    add_axis_names(scene, panel, frame, unit);
    add_heading(scene, panel, frame.x, frame.y - 1.15f * unit, side->heading, unit);
    scene.panels.push_back(std::move(panel));
  }
  TESSERA_TRY(painted, paint(scene, spec, palette, style.color, {}));
  std::vector<std::string> notes = {fmt::format("{}   {}", p.name, counted(p.source.layout_tv[0].size(), "thread"))};
  if (!p.ptx.empty()) notes.push_back(p.ptx);
  Captions captions{sentence_of(p), std::move(notes), {colors.legend(), std::move(painted)}};
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
