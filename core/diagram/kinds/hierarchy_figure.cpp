// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM's levels: the grid of CTAs, one CTA's tile by warps, a warp's fragment by threads, each the picture of one cell of
// the one before; and one element of A and of B on its way from global memory to the registers that are multiplied into one of C.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/gemm_parts.hpp"
#include "core/diagram/kinds/hierarchy_way.hpp"
#include "core/diagram/parts/opening_lines.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kMostBlocks = 16;  // cells of a panel in each direction
constexpr std::int64_t kMostFragmentRows = 16, kMostFragmentColumns = 8;
constexpr std::int64_t kRightmost = 3;  // columns right of the element that is followed, where nothing is said

// Cells [first, first + count) of a mode, the window of at most `most` that holds `at` and begins at a multiple of it.
struct Window {
  std::int64_t first = 0, count = 1;
};
Window window_of(std::int64_t at, std::int64_t extent, std::int64_t most) {
  const std::int64_t first = at / most * most;
  return {first, std::min(most, extent - first)};
}

// "(37,21)". Where nothing is said, a place at the right edge of the grid and of its CTA's tile, so that the lines which open cells go
// over no others.
Result<FollowedProduct> followed(const FigureSpec& spec, const GemmPlan& plan) {
  FollowedProduct f;
  f.m = std::min(plan.m - 1, (plan.m_tiles > 1 ? plan.blk_m : 0) + plan.blk_m * 5 / 8);
  f.n = std::max<std::int64_t>(plan.n - 1 - (plan.blk_n > kRightmost ? kRightmost : 0), 0);
  f.k = std::min(plan.k - 1, (plan.k_tiles > 1 ? plan.blk_k : 0) + plan.blk_k * 3 / 8);
  if (const std::string_view written = parameter(spec, "at"); !written.empty()) {
    TESSERA_TRY(element, read_coordinate(written, "at"));
    if (!element || element->first >= plan.m || element->second >= plan.n)
      return Error{ErrorCode::out_of_range,
                   fmt::format("at={} is no element of C", written),
                   {},
                   {fmt::format("C is {} x {}: at=\"(0,0)\" to at=\"({},{})\"", plan.m, plan.n, plan.m - 1, plan.n - 1)}};
    f.m = element->first;
    f.n = element->second;
  }
  TESSERA_TRY(k, integer(spec, kSliceOfK));
  if (k && *k >= plan.k)
    return Error{ErrorCode::out_of_range, fmt::format("k={} is no slice of the {} that are multiplied", *k, plan.k), {}, {}};
  f.k = k.value_or(f.k);
  f.m_tile = f.m / plan.blk_m, f.row = f.m % plan.blk_m;
  f.n_tile = f.n / plan.blk_n, f.col = f.n % plan.blk_n;
  f.k_tile = f.k / plan.blk_k, f.depth = f.k % plan.blk_k;
  return f;
}

// Rows and columns of the coarsest blocks that have one warp each.
std::pair<std::int64_t, std::int64_t> warp_block(const OwnerMap& map) {
  const auto warp = [&](std::int64_t r, std::int64_t c) {
    const auto owners = map.owners(r, c);
    return owners.empty() ? std::int64_t{-1} : owners.front().thread / kWarp;
  };
  std::int64_t rows = map.rows(), cols = map.cols();
  for (std::int64_t r = 0; r < map.rows() && !late(); ++r) {
    for (std::int64_t c = 0; c < map.cols(); ++c) {
      if (r > 0 && warp(r, c) != warp(r - 1, c)) rows = std::gcd(rows, r);
      if (c > 0 && warp(r, c) != warp(r, c - 1)) cols = std::gcd(cols, c);
    }
  }
  return {rows, cols};
}

}  // namespace

Result<Scene> hierarchy_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr || !plan->mma)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(f, followed(spec, *plan));
  TESSERA_TRY(tile, c_tile(*plan));
  const auto owners = tile.map.owners(f.row, f.col);
  if (owners.empty())
    return Error{ErrorCode::not_representable,
                 fmt::format("no thread owns C({},{}): the accumulators lie in tensor memory", f.m, f.n),
                 {},
                 {"draw the tiles: gemm_figure(...)"}};
  f.owner = owners.front();
  const auto [block_rows, block_cols] = warp_block(tile.map);
  const Window grid_rows = window_of(f.m_tile, plan->m_tiles, kMostBlocks), grid_cols = window_of(f.n_tile, plan->n_tiles, kMostBlocks);
  const std::int64_t block_r = f.row / block_rows, block_c = f.col / block_cols;
  const Window tile_rows = window_of(block_r, plan->blk_m / block_rows, kMostBlocks),
               tile_cols = window_of(block_c, plan->blk_n / block_cols, kMostBlocks);
  const Window part_rows = window_of(f.row % block_rows, block_rows, kMostFragmentRows),
               part_cols = window_of(f.col % block_cols, block_cols, kMostFragmentColumns);
  TESSERA_CHECK(take_cells(grid_rows.count * grid_cols.count + tile_rows.count * tile_cols.count + part_rows.count * part_cols.count, 0,
                           "a GEMM's levels"));
  Scene scene = begin_scene(spec);
  scene.tensors = {"C"};
  const std::int64_t high = std::max({grid_rows.count, tile_rows.count, part_rows.count, std::int64_t{8}});
  const float unit = type_scale(spec, high, grid_cols.count + tile_cols.count + part_cols.count);
  const float gap = 3.4f * unit, least = 4.5f * unit;  // headings have room
  const Frame grid{0, 0, grid_rows.count, grid_cols.count};
  const Frame cta{std::max(grid.right(), least) + gap, 0, tile_rows.count, tile_cols.count, 1.1f};
  const Frame part{std::max(cta.right(), cta.x + least) + gap, 0, part_rows.count, part_cols.count, 1.1f};
  const ColorIndex pale = scene.color(on_page({236, 238, 243}, scene.page));
  const ColorIndex chosen = scene.color(on_page({184, 191, 203}, scene.page));  // no thread's colour, nor a warp's
  const std::int64_t warps = (plan->threads + kWarp - 1) / kWarp;
  const auto outline = [](Panel& panel, const Frame& frame, std::int64_t r, std::int64_t c) {
    panel.marks.push_back(Outline{frame.column(c), frame.y + static_cast<float>(r), frame.w, 1, StrokeRole::highlight});
  };

  Panel ctas{
      fmt::format("C  {} × {}: {} × {} CTAs", plan->m, plan->n, plan->m_tiles, plan->n_tiles), {}, "grid", PanelOperand::none, {"n", "m"}};
  GridColumns columns = begin_grid(grid.rows, grid.cols);
  columns.place = GridColumns::Place::given;
  for (std::int64_t r = 0; r < grid.rows; ++r) {
    for (std::int64_t c = 0; c < grid.cols; ++c) {
      const bool is_it = grid_rows.first + r == f.m_tile && grid_cols.first + c == f.n_tile;
      columns.fills.push_back(is_it ? chosen : pale);
      columns.row.push_back(static_cast<std::int32_t>((grid_rows.first + r) * plan->blk_m));
      columns.col.push_back(static_cast<std::int32_t>((grid_cols.first + c) * plan->blk_n));
    }
  }
  add_grid(ctas, grid, std::move(columns));
  add_frame(ctas, grid);
  add_scaled_axes(scene, ctas, grid, {grid_rows.first, 1}, {grid_cols.first, 1}, unit);
  add_heading(scene, ctas, grid.x, -1.15f * unit, "grid of CTAs", unit);
  add_axis_names(scene, ctas, grid, unit);
  outline(ctas, grid, f.m_tile - grid_rows.first, f.n_tile - grid_cols.first);
  add_opening(ctas, grid, cell_bounds(grid, f.m_tile - grid_rows.first, f.n_tile - grid_cols.first), cta, unit);
  scene.panels.push_back(std::move(ctas));

  std::int64_t blocks_of_warp = 0;  // that are drawn
  Panel blocks{fmt::format("tile of CTA ({},{}), by warps", f.m_tile, f.n_tile), {}, "tile", PanelOperand::none, {"n", "m"}};
  columns = begin_grid(cta.rows, cta.cols);
  columns.place = GridColumns::Place::given;
  for (std::int64_t r = 0; r < cta.rows; ++r) {
    for (std::int64_t c = 0; c < cta.cols; ++c) {
      const std::int64_t row = (tile_rows.first + r) * block_rows, col = (tile_cols.first + c) * block_cols;
      const auto of = tile.map.owners(row, col);
      const std::int64_t warp = of.empty() ? -1 : of.front().thread / kWarp;
      blocks_of_warp += warp == f.owner.thread / kWarp;
      columns.fills.push_back(warp < 0 ? pale : scene.color(palette.category(warp, warps)));
      columns.row.push_back(static_cast<std::int32_t>(f.m_tile * plan->blk_m + row));
      columns.col.push_back(static_cast<std::int32_t>(f.n_tile * plan->blk_n + col));
      columns.add_label(warp < 0 ? std::string() : fmt::format("W{}", warp));
    }
  }
  add_grid(blocks, cta, std::move(columns));
  add_frame(blocks, cta);
  add_scaled_axes(scene, blocks, cta, {tile_rows.first * block_rows, block_rows}, {tile_cols.first * block_cols, block_cols}, unit);
  add_heading(scene, blocks, cta.x, -1.15f * unit, fmt::format("CTA ({},{}), by warps", f.m_tile, f.n_tile), unit);
  add_axis_names(scene, blocks, cta, unit);
  outline(blocks, cta, block_r - tile_rows.first, block_c - tile_cols.first);
  const Bounds opened = cell_bounds(cta, block_r - tile_rows.first, block_c - tile_cols.first);
  const float opened_at = add_opening(blocks, cta, opened, part, unit);
  scene.panels.push_back(std::move(blocks));

  Panel fragment{fmt::format("part of warp {}, by threads", f.owner.thread / kWarp), {}, "fragment", PanelOperand::none, {"n", "m"}};
  columns = begin_grid(part.rows, part.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = 0;
  const std::int64_t first_row = block_r * block_rows + part_rows.first, first_col = block_c * block_cols + part_cols.first;
  for (std::int64_t r = 0; r < part.rows; ++r) {
    for (std::int64_t c = 0; c < part.cols; ++c) {
      const auto of = tile.map.owners(first_row + r, first_col + c);
      columns.fills.push_back(of.empty() ? pale : scene.color(palette.category(of.front().thread % kWarp, kWarp)));
      columns.row.push_back(static_cast<std::int32_t>(f.m_tile * plan->blk_m + first_row + r));
      columns.col.push_back(static_cast<std::int32_t>(f.n_tile * plan->blk_n + first_col + c));
      columns.thread.push_back(of.empty() ? -1 : of.front().thread);
      columns.value.push_back(of.empty() ? -1 : of.front().value);
      columns.add_label(of.empty() ? std::string() : fmt::format("T{}\nV{}", of.front().thread, of.front().value));
    }
  }
  add_grid(fragment, part, std::move(columns));
  add_frame(fragment, part);
  add_scaled_axes(scene, fragment, part, {first_row, 1}, {first_col, 1}, unit);
  add_heading(scene, fragment, part.x, -1.15f * unit,
              fmt::format("{}warp {}, by threads", blocks_of_warp > 1 ? "a block of " : "", f.owner.thread / kWarp), unit);
  add_axis_names(scene, fragment, part, unit);
  outline(fragment, part, f.row - first_row, f.col - first_col);
  scene.panels.push_back(std::move(fragment));

  TESSERA_TRY(chain_a, chain_of(scene, *plan, Operand::a, f));
  TESSERA_TRY(chain_b, chain_of(scene, *plan, Operand::b, f));
  const std::array<WayChain, 2> chains{std::move(chain_a), std::move(chain_b)};
  const std::string joins = joining_words(*plan);
  const WayStation c{fmt::format("C({},{})", f.m, f.n),
                     fmt::format("T{} V{}", f.owner.thread, f.owner.value),
                     fmt::format("C({},{}): thread {}, value {}", f.m, f.n, f.owner.thread, f.owner.value),
                     0,
                     0,
                     scene.color(palette.category(f.owner.thread % kWarp, kWarp))};
  const float above = std::max(grid.bottom(), cta.bottom());
  const WaySize down = size_of_columns(chains, unit, opened_at - unit, part.bottom() - above - kHeadingRoom * unit);
  const bool beside = above + kHeadingRoom * unit + down.h <= part.bottom() + 0.01f &&
                      down.w + unit <= opened_at + 0.01f;  // the fragment is so much higher
  scene.panels.push_back(beside ? way_down(scene, chains, c, joins, chosen, above + kHeadingRoom * unit, down, unit)
                                : way_across(scene, chains, c, joins, chosen, std::max(above, part.bottom()) + kHeadingRoom * unit, unit));
  Panel& way = scene.panels.back();
  add_heading(scene, way, 0, (beside ? above : std::max(above, part.bottom())) + (kHeadingRoom - 0.6f) * unit,
              fmt::format("one of the {} products that make C({},{}): k = {}", plan->k, f.m, f.n, f.k), unit);

  Captions captions;
  captions.sentence = fmt::format(
      "C({},{}) is value {} of thread {}, in warp {} of CTA ({},{}); the boxes follow the elements of A and B that k = {} multiplies for "
      "it.",
      f.m, f.n, f.owner.value, f.owner.thread, f.owner.thread / kWarp, f.m_tile, f.n_tile, f.k);
  if (warps > 1) captions.legends.push_back(category_legend(scene, palette, "warp", warps));
  if (warps > 1) captions.legends.back().words.insert(0, fmt::format("CTA ({},{}), ", f.m_tile, f.n_tile));
  if (warps > 1) captions.legends.back().numbered = warps <= 8;
  captions.legends.push_back(quad_legend(scene, palette, f.owner.thread / kWarp));
  captions.legends.back().words.insert(0, fmt::format("warp {}, ", f.owner.thread / kWarp));
  captions.notes.push_back(fmt::format("thick frames: where C({},{}) is, from the grid to the thread that holds it; dark grey: the CTA{}",
                                       f.m, f.n, plan->stages() > 1 ? " and the stages" : ""));
  captions.notes.push_back(
      fmt::format("m = {} · {} + {} = {}, n = {} · {} + {} = {}, k = {} · {} + {} = {}: a tile's number, its extent, and the "
                  "place in it",
                  f.m_tile, plan->blk_m, f.row, f.m, f.n_tile, plan->blk_n, f.col, f.n, f.k_tile, plan->blk_k, f.depth, f.k));
  captions.notes.push_back(fmt::format("M × N × K: {} × {} × {}, in tiles of {} × {} × {}; {}; {}; {}", plan->m, plan->n, plan->k,
                                       plan->blk_m, plan->blk_n, plan->blk_k, counted(plan->threads, "thread"), plan->mma->atom().name,
                                       plan->has_smem() ? counted(plan->stages(), "stage") : std::string("no shared memory")));
  if (grid_rows.count < plan->m_tiles || grid_cols.count < plan->n_tiles)
    captions.notes.push_back(
        fmt::format("drawn: {} × {} of the grid's {} × {} CTAs", grid_rows.count, grid_cols.count, plan->m_tiles, plan->n_tiles));
  captions.notes.push_back(fmt::format(
      "a cell of the CTA is a block of {} × {} elements of one warp, W{}; T and V: the thread and its value", block_rows, block_cols,
      blocks_of_warp > 1 ? fmt::format("; opened: one of the {} of W{}", blocks_of_warp, f.owner.thread / kWarp) : std::string()));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
