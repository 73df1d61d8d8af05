// SPDX-License-Identifier: BSD-3-Clause
// The figure of a product: the block, the layout of its copies, and their product, each copy in the tint that its number has.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

struct ProductPicture {
  AnyLayout block, result;
  std::optional<Layout> tiler;  // of the whole; nothing where it is one by modes
  std::string op, tiler_text;
  std::vector<std::int64_t> block_extent, tiler_extent;  // of each mode that is interleaved; of one mode each where none is
  TileGrid before, copies, after;
  std::int64_t tiles() const {
    std::int64_t n = 1;
    for (const std::int64_t extent : tiler_extent) n *= extent;
    return n;
  }
  bool interleaved() const { return block_extent.size() == 2; }
};

Result<AnyLayout> multiplied(std::string_view op, const AnyLayout& block, const Tiler& tiler) {
  if (op == "logical") return logical_product(block, tiler);
  if (op == "zipped") return zipped_product(block, tiler);
  if (op == "tiled") return tiled_product(block, tiler);
  if (op == "flat") return flat_product(block, tiler);
  const auto* layout = std::get_if<Layout>(&tiler.value);
  if (!layout) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("{}_product takes a layout of copies, and got the tiler {}", op, to_string(tiler)),
                 {},
                 {"write (2,3):(3,1), or make_layout((2,3)); a tiler by modes is for op=logical"}};
  }
  return op == "raked" ? raked_product(block, *layout) : blocked_product(block, *layout);
}

Result<Tiler> copies_object(const FigureSpec& spec) {
  const std::string_view op = parameter(spec, "op");
  const bool takes_layout = op.empty() || op == "blocked" || op == "raked";
  if (spec.objects.size() > 1) {
    if (const auto* layout = std::get_if<Layout>(&spec.objects[1])) return Tiler(*layout);
    const auto* tiler = std::get_if<Tiler>(&spec.objects[1]);
    if (const std::optional<IntTuple> shape = tiler && takes_layout ? shape_of(*tiler) : std::nullopt) {
      TESSERA_TRY(layout, Layout::make_compact(*shape));
      return Tiler(layout);
    }
    if (tiler) return *tiler;
  }
  return Error{ErrorCode::wrong_arity,
               "this figure needs a layout of copies as its second object",
               {},
               {"for example product_figure((2,2):(2,1), (2,3):(3,1))"}};
}

// How many elements a mode has; further modes than the layout's have one.
std::int64_t mode_size(const Shape& shape, std::size_t mode) { return mode < shape.rank() ? size(shape[mode]) : 1; }

void set_extents(ProductPicture& p, const Tiler& tiler) {
  const Shape& block = shape(p.block);
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (p.op == "blocked" || p.op == "raked") {
    for (std::size_t mode = 0; mode < 2; ++mode) {
      p.block_extent.push_back(mode_size(block, mode));
      p.tiler_extent.push_back(mode_size(p.tiler->shape(), mode));
    }
  } else if (p.op == "logical" && modes && modes->size() == 2 && shape(p.result).rank() == 2) {
    for (std::size_t mode = 0; mode < 2; ++mode) {
      p.block_extent.push_back(mode_size(block, mode));
      p.tiler_extent.push_back(size(shape(p.result)[mode]) / mode_size(block, mode));
    }
  } else {
    p.block_extent = {size(block)};
    p.tiler_extent = {size(p.result) / size(block)};
  }
}

// The result's rows and columns are numbered by block and copy, the one inside the other.
void nest_result(ProductPicture& p) {
  const Shape& s = shape(p.result);
  if (p.interleaved()) {
    const bool raked = p.op == "raked";
    const std::vector<std::int64_t>&inner = raked ? p.tiler_extent : p.block_extent, &outer = raked ? p.block_extent : p.tiler_extent;
    const std::string word = raked ? "block" : "copy";
    return nest(p.after, {{inner[0], outer[0]}, word + " row"}, {{inner[1], outer[1]}, word + " col"});
  }
  if (s.rank() == 2) nest(p.after, nested_axis(s[0]), nested_axis(s[1]));
}

Result<ProductPicture> read(const FigureSpec& spec) {
  ProductPicture p;
  TESSERA_TRY(block, layout_object(spec, 0, "a block to be repeated"));
  TESSERA_TRY(tiler, copies_object(spec));
  TESSERA_TRY(op, choice(spec, "op", kProductOpChoices));
  if (layout_part(block).has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} gives coordinates; this figure is of offsets", to_string(block)), {}, {}};
  TESSERA_TRY(result, multiplied(op, block, tiler));
  if (size(result) > kMostTileCells)
    return Error{ErrorCode::limit,
                 fmt::format("a product is drawn of up to {} elements, and this one has {}", kMostTileCells, size(result)),
                 {},
                 {"draw the product of a smaller layout of copies"}};
  TESSERA_CHECK(take_cells(2 * size(result), 0, to_string(block)));
  p.op = op;
  p.block = std::move(block);
  p.result = std::move(result);
  p.tiler_text = to_string(tiler);
  if (const auto* layout = std::get_if<Layout>(&tiler.value)) p.tiler = *layout;
  set_extents(p, tiler);
  const auto fill = [&](TileGrid& grid, const AnyLayout& of, auto tile_of) {
    const Shape& s = shape(of);
    const TileExtent extent = tile_extent(s);
    grid.rows = extent.rows;
    grid.cols = extent.cols;
    const std::int64_t rows = s.rank() > 1 ? size(s[0]) : size(of);
    for (std::int64_t r = 0; r < extent.rows; ++r) {
      for (std::int64_t c = 0; c < extent.cols && !late(); ++c) {
        const std::int64_t i = tile_index(s, extent, r, c);
        grid.offset.push_back(evaluate(of, i));
        grid.tile.push_back(tile_of(i % rows, i / rows, i));
        grid.row.push_back(static_cast<std::int32_t>(i % rows));
        grid.col.push_back(static_cast<std::int32_t>(i / rows));
      }
    }
  };
  p.before = {"block", fmt::format("block  {}", to_string(p.block)), 0, 0, {}, {}, {}, {}, 0};
  fill(p.before, p.block, [](std::int64_t, std::int64_t, std::int64_t) { return std::int64_t{0}; });
  if (p.tiler) {
    p.copies = {"copies", fmt::format("copies  {}", to_string(*p.tiler)), 0, 0, {}, {}, {}, {}, 1};
    fill(p.copies, *p.tiler, [](std::int64_t, std::int64_t, std::int64_t i) { return i; });
  }
  p.after = {"product", fmt::format("{}_product:  {}", p.op, to_string(p.result)), 0, 0, {}, {}, {}, {}, 2};
  const bool raked = p.op == "raked";
  fill(p.after, p.result, [&](std::int64_t row, std::int64_t col, std::int64_t i) {
    if (!p.interleaved()) return i / p.block_extent[0];
    const auto copy = [&](std::int64_t at, std::size_t mode) { return raked ? at % p.tiler_extent[mode] : at / p.block_extent[mode]; };
    return copy(row, 0) + p.tiler_extent[0] * copy(col, 1);
  });
  nest_result(p);
  return p;
}

// What the result's rows and columns are, where their numbers do not say it.
void add_brackets(Scene& scene, Panel& panel, const ProductPicture& p, const Frame& frame, float unit) {
  if (p.interleaved() && p.after.is_nested()) return;
  const std::int64_t numbers = p.after.is_nested() ? p.after.down.levels.front() : frame.rows;
  const float rows_room = (0.42f + 0.2f * static_cast<float>(std::to_string(numbers - 1).size()) + p.after.room_left()) * unit;
  const auto left = [&](float to, float further, std::string_view words) {
    add_bracket(scene, panel, BracketAt::left, frame.y, to, frame.x - (frame.rows > 1 ? rows_room : 0) - further * unit, words, unit);
  };
  const auto below = [&](float to, float further, std::string_view words) {
    add_bracket(scene, panel, BracketAt::below, frame.x, to, frame.bottom() + further * unit, words, unit);
  };
  if (!p.interleaved()) {
    if (shape(p.result).rank() > 1) left(frame.bottom(), 0, "block"), below(frame.right(), 0, "copies");
    return;
  }
  const bool raked = p.op == "raked";
  const std::vector<std::int64_t>& inner = raked ? p.tiler_extent : p.block_extent;
  const std::string_view inside = raked ? "copies" : "block", outside = raked ? "block" : "copies";
  if (frame.rows > 1) {
    left(frame.y + static_cast<float>(inner[0]), 0, inside);
    left(frame.bottom(), 1.5f, outside);
  }
  if (shape(p.result).rank() < 2) return;
  below(frame.x + frame.w * static_cast<float>(inner[1]), 0, inside);
  below(frame.right(), 0.7f, outside);
}

// Each copy by the number that stands in the layout of copies, where there is one and hues are few; else by its place among them.
Legend legend_of(Scene& scene, const Palette& palette, const ProductPicture& p) {
  Legend legend = category_legend(scene, palette, "copy", p.tiles());
  if (!p.tiler || static_cast<std::int64_t>(legend.hues.size()) != p.tiles()) {
    if (legend.numbered && p.tiler) legend.words += ", by its 1-D coordinate in the layout of copies";
    return legend;
  }
  std::vector<std::pair<std::int64_t, ColorIndex>> numbered;
  for (std::int64_t i = 0; i < p.tiles(); ++i) numbered.emplace_back((*p.tiler)(i), legend.hues[static_cast<std::size_t>(i)]);
  std::sort(numbered.begin(), numbered.end());
  legend.hues.clear();
  for (const auto& [number, hue] : numbered) legend.numbers.push_back(number), legend.hues.push_back(hue);
  legend.words = "hue: the copy, by its number in the layout of copies";
  return legend;
}

// Where copies interleave, the cells of the first one stand out.
void outline_first_copy(Panel& panel, const TileGrid& grid, const Frame& frame) {
  for (std::int64_t i = 0; i < grid.rows * grid.cols; ++i) {
    if (grid.tile[static_cast<std::size_t>(i)] == 0)
      panel.marks.push_back(
          Outline{frame.column(i % grid.cols), frame.y + static_cast<float>(i / grid.cols), frame.w, 1, StrokeRole::strong});
  }
}

}  // namespace

Result<Scene> product_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kTileLabelChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.block), p.tiler ? to_string(*p.tiler) : std::string("copies"), to_string(p.result)};
  const std::vector<ColorIndex> tints = tile_tints(scene, palette, p.tiles());
  const float w = tile_cell_width({&p.before, &p.copies, &p.after}, labels);
  const std::int64_t left_cols = std::max(p.before.cols, p.copies.cols), left_rows = p.before.rows + p.copies.rows + 3;
  const bool beside = w * static_cast<float>(left_cols + p.after.cols) <= 48;
  const float unit =
      type_scale(spec, beside ? std::max(left_rows, p.after.rows) : left_rows + p.after.rows,
                 static_cast<std::int64_t>(w * static_cast<float>(beside ? left_cols + p.after.cols : std::max(left_cols, p.after.cols))));
  // Block and copies one above the other at the left, their product at the right, or all below each other. Headings need room too.
  const auto heading_width = [&](const TileGrid& grid) { return 0.46f * 0.6f * unit * static_cast<float>(grid.heading.size()); };
  const float column = std::max({w * static_cast<float>(left_cols), heading_width(p.before), p.tiler ? heading_width(p.copies) : 0.0f});
  const Frame block{0, 0, p.before.rows, p.before.cols, w};
  const Frame copies{0, block.bottom() + 2.3f * unit, p.copies.rows, p.copies.cols, w};
  const float end = p.tiler ? copies.bottom() : block.bottom();
  const float left_room = p.after.is_nested() ? 1.8f + p.after.room_left() + (p.interleaved() ? 0 : 1.4f) : 4.2f;
  const Frame product = beside ? Frame{column + left_room * unit, 0, p.after.rows, p.after.cols, w}
                               : Frame{0, end + (2.3f + p.after.room_above()) * unit, p.after.rows, p.after.cols, w};
  if (beside) p.before.lift = p.after.room_above(), p.after.aside = heading_aside(left_room - 1.2f, product.x, column, unit);
  scene.panels.push_back(tile_panel(scene, p.before, block, tints, labels, unit));
  if (p.tiler) scene.panels.push_back(tile_panel(scene, p.copies, copies, tints, labels, unit));
  Panel after = tile_panel(scene, p.after, product, tints, labels, unit);
  add_brackets(scene, after, p, product, unit);
  if (p.interleaved() && p.after.is_nested()) {
    const std::string inside = p.op == "raked" ? "copy" : "block";
    after.axes = {inside + " col", inside + " row"};
    add_axis_names(scene, after, product, unit);
  }
  const bool outlined = p.op == "raked" && parameter(spec, "highlight").empty();
  if (outlined) outline_first_copy(after, p.after, product);
  scene.panels.push_back(std::move(after));
  Captions captions{{}, {}, {legend_of(scene, palette, p)}, {}};
  captions.sentence = fmt::format("The block of {} is repeated {} times{}.", counted(size(p.block), "element"), p.tiles(),
                                  p.op == "raked"     ? ", and its copies interleave"
                                  : p.op == "blocked" ? ", and its copies lie beside one another"
                                                      : "");
  if (std::string words = cell_words(labels); !words.empty()) captions.notes.push_back(std::move(words));
  if (outlined) captions.notes.emplace_back("outlined: the first copy");
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
