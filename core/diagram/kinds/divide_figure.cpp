// SPDX-License-Identifier: BSD-3-Clause
// The figure of a divide: the layout with its tiles, and what the divide makes of it, in the same tints.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/tile_parts.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

struct DividePicture {
  AnyLayout layout, result;
  std::string op, tiler;
  bool by_mode = false;
  Shape tile, rest;  // of the zipped divide
  TileGrid before, after;
  std::int64_t beyond = 0;                  // coordinates of the result that are none of the layout
  std::int64_t element = 0, its_index = 0;  // one that is followed: 1-D coordinates in the result, and in the layout
  std::int64_t tiles() const { return size(rest); }
  bool keeps_modes() const { return op == "logical" && by_mode; }  // each mode becomes (tile, rest)
};

// The modes of a shape from one on, as one.
Shape modes_from(const Shape& shape, std::size_t first) {
  std::vector<IntTuple> modes;
  for (std::size_t mode = first; mode < shape.rank(); ++mode) modes.push_back(shape[mode]);
  return modes.empty() ? IntTuple(1) : IntTuple::tuple(std::move(modes));
}

// Of a matrix: the row inside, the column around it: "tile col 0".
NestedAxis by_row_and_column(const Shape& shape, std::string_view of) {
  NestedAxis axis = nested_axis(shape);
  if (axis.levels.size() == 2 && shape.rank() == 2 && shape[0].is_int() && shape[1].is_int()) axis.outermost = fmt::format("{} col", of);
  return axis;
}

// Place in the tile inside, which tile around it: "rest row 0".
NestedAxis tile_and_rest(const Shape& mode, std::string_view along) {
  if (!mode.is_tuple() || mode.rank() != 2) return nested_axis(mode);
  return {{size(mode[0]), size(mode[1])}, fmt::format("rest {}", along)};
}

// The result's rows and columns are numbered by its own coordinates.
void nest_result(DividePicture& p) {
  if (!p.keeps_modes()) return nest(p.after, by_row_and_column(p.tile, "tile"), by_row_and_column(p.rest, "rest"));
  const Shape& s = shape(p.result);
  nest(p.after, tile_and_rest(s[0], "row"), s.rank() == 2 ? tile_and_rest(s[1], "col") : nested_axis(modes_from(s, 1)));
}

// What the numbers beside the result's cells are, inside of those over brackets.
AxisNames names_of(const DividePicture& p) {
  if (!p.after.is_nested()) return {};
  if (p.keeps_modes()) return {"tile col", "tile row"};
  return {p.after.across.outermost.empty() ? "rest" : "rest row", p.after.down.outermost.empty() ? "tile" : "tile row"};
}

// Does each element stand where it stood before the divide?
bool is_in_place(const DividePicture& p) {
  return p.before.rows == p.after.rows && p.before.cols == p.after.cols && p.before.row == p.after.row && p.before.col == p.after.col;
}

Result<Tiler> tiler_object(const FigureSpec& spec) {
  if (spec.objects.size() < 2)
    return Error{
        ErrorCode::wrong_arity, "this figure needs a tiler as its second object", {}, {"for example divide_figure((4,8):(8,1), (2,4))"}};
  if (const auto* tiler = std::get_if<Tiler>(&spec.objects[1])) return *tiler;
  if (const auto* layout = std::get_if<Layout>(&spec.objects[1])) return Tiler(*layout);
  return Error{ErrorCode::wrong_type,
               fmt::format("this figure needs a tiler as its second object, and got {}", object_name(spec.objects[1])),
               {},
               {"a shape is a tiler by modes, a layout one of the whole: divide_figure((4,8):(8,1), (2,4))"}};
}

Result<AnyLayout> divided(std::string_view op, const AnyLayout& layout, const Tiler& tiler) {
  if (op == "logical") return logical_divide(layout, tiler);
  if (op == "tiled") return tiled_divide(layout, tiler);
  if (op == "flat") return flat_divide(layout, tiler);
  return zipped_divide(layout, tiler);
}

// The 1-D coordinates of a layout, apart in each mode by so much that a tile which passes the end of one does not reach the next column:
// what lies there is no element.
struct Numbers {
  Layout layout;
  std::vector<std::int64_t> extent, apart;  // of each mode

  // The coordinate with this number; -1: it is beyond the end of a mode.
  std::int64_t index(std::int64_t number) const {
    std::int64_t index = 0, step = 1;
    for (std::size_t mode = 0; mode < extent.size(); ++mode) {
      const std::int64_t at = mode + 1 < extent.size() ? number % apart[mode] : number;
      if (at >= extent[mode]) return -1;
      index += step * at, step *= extent[mode];
      number /= apart[mode];
    }
    return index;
  }
};

// Strides of coordinates that are counted from `step` on; it becomes that of what comes behind them.
Stride counting(const Shape& shape, std::int64_t& step) {
  if (shape.is_int()) return IntTuple(std::exchange(step, step * shape.value()));
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.modes()) modes.push_back(counting(mode, step));
  return IntTuple::tuple(std::move(modes));
}

// Of a tiler of the whole, one mode of all coordinates.
Result<Numbers> numbers_of(const Shape& shape, const Tiler& tiler) {
  const auto* by_mode = std::get_if<std::vector<Tiler>>(&tiler.value);
  Numbers numbers;
  std::int64_t step = 1;
  if (!by_mode || !shape.is_tuple()) {
    numbers.extent = {size(shape)}, numbers.apart = {1};
    TESSERA_TRY(all, Layout::make(shape, counting(shape, step)));
    numbers.layout = std::move(all);
    return numbers;
  }
  std::vector<IntTuple> strides;
  for (std::size_t mode = 0; mode < shape.rank(); ++mode) {
    std::int64_t reach = 1, first = step;
    TESSERA_TRY(one, Layout::make(shape[mode], counting(shape[mode], reach)));
    if (mode < by_mode->size()) {
      TESSERA_TRY(tiled, logical_divide(AnyLayout(one), (*by_mode)[mode]));
      reach = std::max(reach, cosize(layout_part(tiled)));
    }
    strides.push_back(counting(shape[mode], first));
    numbers.extent.push_back(one.size());
    numbers.apart.push_back(reach);
    step *= reach;
  }
  TESSERA_TRY(all, Layout::make(shape, IntTuple::tuple(std::move(strides))));
  numbers.layout = std::move(all);
  return numbers;
}

// Which tile each element of the layout is of, by its 1-D coordinate: the zipped divide of these coordinates has a tile's in its first
// mode, and a tile for each of the second.
std::unordered_map<std::int64_t, std::int64_t> tile_numbers(const AnyLayout& zipped, const Numbers& numbers) {
  std::unordered_map<std::int64_t, std::int64_t> tile_of;
  const std::int64_t each = size(shape(zipped)[0]), all = size(zipped);
  for (std::int64_t i = 0; i < all && !late(); ++i) {
    if (const std::int64_t index = numbers.index(evaluate(zipped, i)); index >= 0) tile_of.try_emplace(index, i / each);
  }
  return tile_of;
}

// An element that is neither the first of its tile nor in the first tile, where there is such a one.
void choose_element(DividePicture& p, const auto& from, const auto& zipped) {
  const auto behind_middle = [](std::int64_t count) { return std::min(count / 2 + 1, count - 1); };
  const std::int64_t each = size(p.tile), wanted = zipped(behind_middle(each) + each * behind_middle(p.tiles()));
  p.its_index = std::max<std::int64_t>(wanted, 0);
  while (p.element + 1 < p.after.rows * p.after.cols && from(p.element) != p.its_index && !late()) ++p.element;
}

Result<DividePicture> read(const FigureSpec& spec) {
  DividePicture p;
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  TESSERA_TRY(tiler, tiler_object(spec));
  TESSERA_TRY(op, choice(spec, "op", kDivideOpChoices));
  p.op = op;
  p.tiler = to_string(tiler);
  p.by_mode = tiler.is_tuple();
  if (layout_part(layout).has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} gives coordinates; this figure is of offsets", to_string(layout)), {}, {}};
  TESSERA_TRY(result, divided(op, layout, tiler));
  const Shape& s = shape(layout);
  if (size(layout) > kMostTileCells || size(result) > kMostTileCells)
    return Error{
        ErrorCode::limit,
        fmt::format("a divide is drawn of up to {} elements, and this one has {}", kMostTileCells, std::max(size(layout), size(result))),
        {},
        {"draw one tile of it: local_tile(layout, tiler, (0,0))"}};
  TESSERA_CHECK(take_cells(size(layout) + size(result), 0, to_string(layout)));
  // The same divide of the 1-D coordinates says where each element of the result comes from.
  TESSERA_TRY(numbers, numbers_of(s, tiler));
  TESSERA_TRY(from, divided(op, AnyLayout(numbers.layout), tiler));
  TESSERA_TRY(zipped, zipped_divide(AnyLayout(numbers.layout), tiler));
  p.tile = shape(zipped)[0];
  p.rest = shape(zipped)[1];
  const auto tile_of = tile_numbers(zipped, numbers);
  const auto tile_at = [&](std::int64_t i) {
    const auto found = tile_of.find(i);
    return found == tile_of.end() ? std::int64_t{-1} : found->second;
  };
  const std::int64_t all = size(layout), rows = s.rank() > 1 ? size(s[0]) : all;
  const auto add = [&](TileGrid& grid, std::int64_t index, std::int64_t offset) {
    const bool inside = index >= 0 && index < all;
    grid.offset.push_back(offset);
    grid.tile.push_back(inside ? tile_at(index) : -1);
    grid.row.push_back(static_cast<std::int32_t>(inside ? index % rows : -1));
    grid.col.push_back(static_cast<std::int32_t>(inside ? index / rows : -1));
  };
  const TileExtent before = tile_extent(s);
  p.before = {"layout", to_string(layout), before.rows, before.cols, {}, {}, {}, {}, 0};
  for (std::int64_t r = 0; r < before.rows; ++r) {
    for (std::int64_t c = 0; c < before.cols; ++c) {
      const std::int64_t index = tile_index(s, before, r, c);
      add(p.before, index, evaluate(layout, index));
    }
  }
  const Shape& t = shape(result);
  // Flat divides have the tile's modes first, as many as the tiler has.
  std::int64_t down = size(t[0]);
  if (op == "flat") down = size(p.tile);
  p.after = {"divide", fmt::format("{}_divide:  {}", op, to_string(result)), down, size(result) / down, {}, {}, {}, {}, 0};
  for (std::int64_t r = 0; r < p.after.rows; ++r) {
    for (std::int64_t c = 0; c < p.after.cols && !late(); ++c) {
      const std::int64_t i = r + p.after.rows * c, index = numbers.index(evaluate(from, i)), offset = evaluate(result, i);
      if (index < 0) ++p.beyond;
      if (index >= 0 && evaluate(layout, index) != offset)
        return Error{ErrorCode::not_representable,
                     fmt::format("{}_divide of {} by {} has offset {} at {}, and the tiler's coordinate there has {}: it is no division "
                                 "into tiles",
                                 op, to_string(layout), p.tiler, offset, i, evaluate(layout, index)),
                     {},
                     {"see logical_divide(...) for what is asked of a tiler"}};
      add(p.after, index, offset);
    }
  }
  choose_element(
      p, [&](std::int64_t i) { return numbers.index(evaluate(from, i)); },
      [&](std::int64_t i) { return numbers.index(evaluate(zipped, i)); });
  p.layout = std::move(layout);
  p.result = std::move(result);
  nest_result(p);
  return p;
}

// What the result's rows and columns are.
void add_brackets(Scene& scene, Panel& panel, const DividePicture& p, const Frame& frame, float unit) {
  if (p.keeps_modes()) return;  // its numbers say it
  const std::int64_t numbers = p.after.is_nested() ? p.after.down.levels.front() : frame.rows;
  const float room = 0.42f + 0.2f * static_cast<float>(std::to_string(numbers - 1).size()) + p.after.room_left();
  add_bracket(scene, panel, BracketAt::left, frame.y, frame.bottom(), frame.x - room * unit, fmt::format("tile {}", to_string(p.tile)),
              unit);
  add_bracket(scene, panel, BracketAt::below, frame.x, frame.right(), frame.bottom(), fmt::format("rest {}", to_string(p.rest)), unit);
}

// "outlined: offset 30, at (3,6) in the layout and at ((1,1),(2,1)) in the divide"
void follow_element(const DividePicture& p, Panel& before, const Frame& first, Panel& after, const Frame& second, Captions& captions) {
  const Shape& s = shape(p.layout);
  const std::int64_t rows = s.rank() > 1 ? p.before.rows : 1;
  const auto outline = [](Panel& panel, const Frame& frame, std::int64_t r, std::int64_t c) {
    panel.marks.push_back(Outline{frame.column(c), frame.y + static_cast<float>(r), frame.w, 1, StrokeRole::highlight});
  };
  if (s.rank() > 1)
    outline(before, first, p.its_index % rows, p.its_index / rows);
  else
    outline(before, first, p.its_index / p.before.cols, p.its_index % p.before.cols);
  outline(after, second, p.element % p.after.rows, p.element / p.after.rows);
  captions.notes.push_back(fmt::format("outlined: offset {}, at {} before and at {} after the divide", evaluate(p.layout, p.its_index),
                                       to_string(idx2crd(p.its_index, s)), to_string(idx2crd(p.element, shape(p.result)))));
}

std::string sentence_of(const DividePicture& p) {
  return fmt::format("{} divided by {}: {} of {}{}.", to_string(p.layout), p.tiler, counted(p.tiles(), "tile"),
                     counted(size(p.tile), "element"), p.keeps_modes() ? ", mode by mode" : ", a tile a column");
}

}  // namespace

Result<Scene> divide_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kTileLabelChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  const std::vector<ColorIndex> tints = tile_tints(scene, palette, p.tiles());
  const float w = tile_cell_width({&p.before, &p.after}, labels);
  const Frame first{0, 0, p.before.rows, p.before.cols, w};
  const bool beside = !spec.stacked && w * static_cast<float>(p.before.cols + p.after.cols) <= 44 && p.before.rows > 1;
  const std::int64_t high = beside ? std::max(p.before.rows, p.after.rows) : p.before.rows + p.after.rows;
  const auto wide =
      static_cast<std::int64_t>(w * static_cast<float>(beside ? p.before.cols + p.after.cols : std::max(p.before.cols, p.after.cols)));
  const float unit = type_scale(spec, high, wide);
  const float words = p.keeps_modes() ? 0 : 0.2f * static_cast<float>(fmt::format("tile {}", to_string(p.tile)).size());
  const float brackets = unit * (1.5f + words + p.after.room_left());
  const Frame second = beside ? Frame{first.right() + brackets + 0.8f * unit, 0, p.after.rows, p.after.cols, w}
                              : Frame{0, first.bottom() + (2.3f + p.after.room_above()) * unit, p.after.rows, p.after.cols, w};
  if (beside)
    p.before.lift = p.after.room_above(),
    p.after.aside = heading_aside(brackets / unit, second.x,
                                  std::max(first.right(), 0.46f * 0.6f * unit * static_cast<float>(p.before.heading.size())), unit);
  Panel before = tile_panel(scene, p.before, first, tints, labels, unit);
  Panel after = tile_panel(scene, p.after, second, tints, labels, unit);
  add_brackets(scene, after, p, second, unit);
  Captions captions{sentence_of(p), {}, {category_legend(scene, palette, "tile", p.tiles())}, {}};
  if (captions.legends.front().numbered) captions.legends.front().words += ", by the rest's 1-D coordinate";
  if (parameter(spec, "highlight").empty()) follow_element(p, before, first, after, second, captions);
  after.axes = names_of(p);
  add_axis_names(scene, after, second, unit);
  scene.panels.push_back(std::move(before));
  scene.panels.push_back(std::move(after));
  if (std::string words = cell_words(labels); !words.empty()) captions.notes.push_back(std::move(words));
  if (p.keeps_modes() && is_in_place(p))
    captions.notes.emplace_back("no element changes its place; its coordinate is now (tile, rest) in each mode");
  if (p.beyond > 0)
    captions.notes.push_back(fmt::format("grey: {} beyond the layout, which a kernel must leave out", counted(p.beyond, "coordinate")));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
