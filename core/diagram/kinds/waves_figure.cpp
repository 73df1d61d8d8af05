// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM's grid on a device: which tiles of C are computed at the same time, and how many places stay empty in the last wave.
//
//   a place   room for one CTA on one multiprocessor
//   a wave    the CTAs that have a place at the same time; of a grid whose CTAs take several tiles each, one tile of each of them
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/checked.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/scaled_axes.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/plan/edges.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kHues = 8;
constexpr std::int64_t kFirstRows = 7, kLastRows = 2;  // of the waves that have bars
constexpr float kBar = 9;                              // cells that a whole wave is wide

// Which CTA computes a tile of C, and when.
struct TileTime {
  std::int64_t cta = 0, wave = 0;
};

// How many CTAs a device has room for, and why not more.
struct Places {
  std::string_view device;
  std::int64_t multiprocessors = 0, on_each = 1;
  std::string limit;                                                // "shared memory"
  std::int64_t count() const { return multiprocessors * on_each; }  // in whole clusters
};

Result<Places> places_of(const FigureSpec& spec, const GemmPlan& plan) {
  std::string_view asked = parameter(spec, "device");
  if (asked.empty()) {
    const auto runs_it = [&](const DeviceModel& each) { return each.sm >= plan.arch.sm; };
    const auto found = std::find_if(device_models().begin(), device_models().end(), runs_it);
    asked = plan.arch.sm <= 90 || found == device_models().end() ? "H100" : found->name;
  }
  TESSERA_TRY(device, find_device_model(asked));
  if (device.sm < plan.arch.sm)
    return Error{ErrorCode::bad_spec,
                 fmt::format("{} needs sm_{}, and {} has sm_{}", plan.name, plan.arch.sm, device.name, device.sm),
                 {},
                 {"device= names another one"}};
  const std::optional<SmLimits> limits = sm_limits(device.sm);
  if (!limits) return Error{ErrorCode::bad_spec, fmt::format("what a multiprocessor of {} holds is not known", device.name), {}, {}};
  TESSERA_TRY(held, occupancy(*limits, plan.threads, plan.smem_bytes, 0));
  Places places{device.name, device.sm_count, held.ctas, {}};
  for (const Occupancy::Limit& each : held.limits) {
    if (each.ctas == held.ctas && places.limit.empty()) places.limit = each.what;
  }
  return places;
}

// By m_tile + n_tile * m_tiles, of the first product of a batch.
std::vector<TileTime> times_of(const GemmPlan& plan, std::int64_t at_once) {
  const std::int64_t cluster = plan.cluster_size(), clusters = plan.grid / cluster, tiles = plan.m_tiles * plan.n_tiles;
  const std::int64_t rounds = ceil_div(tiles / cluster, clusters);  // tiles of one CTA, at most
  std::vector<TileTime> times(static_cast<std::size_t>(tiles));
  for (std::int64_t tile = 0; tile < tiles / cluster; ++tile) {
    for (std::int64_t rank = 0; rank < cluster; ++rank) {
      const std::int64_t cta = tile % clusters * cluster + rank;
      const auto [m, n] = plan::tile_of_raster(plan, tile, rank);
      times[static_cast<std::size_t>(m + n * plan.m_tiles)] = {cta, cta / at_once * rounds + tile / clusters};
    }
  }
  return times;
}

// How many tiles each wave computes, of all products of a batch. Their grids follow one another.
std::vector<std::int64_t> sizes_of(const GemmPlan& plan, const std::vector<TileTime>& first, std::int64_t at_once) {
  const std::int64_t rounds = ceil_div(plan.m_tiles * plan.n_tiles, plan.grid);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ceil_div(plan.grid * plan.batch, at_once) * rounds));
  for (std::int64_t product = 0; product < plan.batch; ++product) {
    for (const TileTime& each : first) {
      const std::int64_t cta = product * plan.grid + each.cta, round = each.wave - each.cta / at_once * rounds;
      ++sizes[static_cast<std::size_t>(cta / at_once * rounds + round)];
    }
  }
  return sizes;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return fmt::format("{} %", (200 * part + whole) / (2 * whole));  // rounded
}

// A bar for each wave: how many of the places have a CTA.
void add_bars(Scene& scene, Panel& panel, const std::vector<std::int64_t>& sizes, std::int64_t places, const std::vector<ColorIndex>& hues,
              float x, float unit) {
  const ColorIndex empty = scene.color(on_page({236, 238, 243}, scene.page));
  const auto waves = static_cast<std::int64_t>(sizes.size());
  float y = 0;
  for (std::int64_t wave = 0; wave < waves; ++wave) {
    const bool shown = waves <= kFirstRows + kLastRows + 1 || wave < kFirstRows || wave >= waves - kLastRows;
    if (!shown) {
      if (wave != kFirstRows) continue;
      const std::int64_t last = waves - kLastRows - 1;
      const bool alike =
          std::all_of(sizes.begin() + wave, sizes.begin() + last + 1, [&](std::int64_t size) { return size == sizes[kFirstRows]; });
      const std::string words = fmt::format("waves {} to {}{}", wave, last, alike ? fmt::format(", {} each", sizes[kFirstRows]) : "");
      panel.marks.push_back(Label{x, y + 0.4F * unit, scene.intern(words), LabelRole::note, Anchor::left, kAxisType * unit});
      y += unit;
      continue;
    }
    const std::int64_t count = sizes[static_cast<std::size_t>(wave)];
    const float whole = kBar * unit, filled = whole * static_cast<float>(count) / static_cast<float>(places);
    const std::uint32_t words = scene.add_words(fmt::format("wave {}: {} of {} places have a CTA", wave, count, places));
    panel.marks.push_back(Cell{x, y, filled, 0.8F * unit, hues[static_cast<std::size_t>(wave % kHues)], 0, false, {}, words});
    if (filled < whole) panel.marks.push_back(Cell{x + filled, y, whole - filled, 0.8F * unit, empty, 0, false, {}, words});
    panel.marks.push_back(
        Label{x - 0.3F * unit, y + 0.4F * unit, scene.intern(std::to_string(wave)), LabelRole::axis, Anchor::right, kAxisType * unit});
    panel.marks.push_back(Label{x + whole + 0.3F * unit, y + 0.4F * unit, scene.intern(fmt::format("{} of {}", count, places)),
                                LabelRole::axis, Anchor::left, kAxisType * unit});
    y += unit;
  }
}

}  // namespace

Result<Scene> waves_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr || !plan->mma)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(labels, choice(spec, "labels", kWavesLabelChoices));
  TESSERA_TRY(places, places_of(spec, *plan));
  const std::int64_t tiles = plan->m_tiles * plan->n_tiles;
  TESSERA_CHECK(take_cells(tiles * plan->batch, tiles, "the tiles of a grid"));
  const std::int64_t cluster = plan->cluster_size();
  const std::int64_t at_once = std::max(places.count() / cluster * cluster, cluster);  // CTAs, in whole clusters
  const std::vector<TileTime> times = times_of(*plan, at_once);
  const std::vector<std::int64_t> sizes = sizes_of(*plan, times, at_once);
  const auto waves = static_cast<std::int64_t>(sizes.size());
  const std::int64_t used = tiles * plan->batch;

  Scene scene = begin_scene(spec);
  std::vector<ColorIndex> hues;
  for (std::int64_t hue = 0; hue < kHues; ++hue) hues.push_back(scene.color(palette.category(hue, kHues)));
  const float unit = type_scale(spec, std::max<std::int64_t>(plan->m_tiles, 8), plan->n_tiles + 10);
  const Frame frame{0, 0, plan->m_tiles, plan->n_tiles, labels == "cta" && plan->grid > 999 ? 1.5F : 1.2F};
  Panel grid{
      fmt::format("C  {} × {}: {} × {} tiles", plan->m, plan->n, plan->m_tiles, plan->n_tiles), {}, "grid", PanelOperand::none, {"n", "m"}};
  for (std::int64_t m = 0; m < plan->m_tiles; ++m) {
    for (std::int64_t n = 0; n < plan->n_tiles; ++n) {
      const TileTime& time = times[static_cast<std::size_t>(m + n * plan->m_tiles)];
      Cell cell{frame.column(n), static_cast<float>(m), frame.w, 1, hues[static_cast<std::size_t>(time.wave % kHues)]};
      if (labels != "none") cell.label = scene.intern(std::to_string(labels == "cta" ? time.cta : time.wave)), cell.lines = 1;
      cell.subject = scene.add_words(fmt::format("tile ({},{}) of C, by CTA {} in wave {}", m, n, time.cta, time.wave));
      grid.marks.push_back(cell);
    }
  }
  add_frame(grid, frame);
  add_scaled_axes(scene, grid, frame, {0, 1}, {0, 1}, unit);
  add_axis_names(scene, grid, frame, unit);
  add_heading(scene, grid, frame.x, -1.15F * unit, "tiles of C", unit);
  Panel bars{"waves", {}, "waves"};
  const float x = frame.right() + 2.5F * unit;
  add_bars(scene, bars, sizes, at_once, hues, x, unit);
  add_heading(scene, bars, x, -1.15F * unit, "waves", unit);
  scene.panels.push_back(std::move(grid));
  scene.panels.push_back(std::move(bars));

  const bool in_turn = plan->grid < tiles;
  std::vector<std::string> notes{labels == "none"
                                     ? std::string("colour: the wave")
                                     : fmt::format("number in a tile: its {}; colour: the wave", labels == "cta" ? "CTA" : "wave"),
                                 fmt::format("{} has {} multiprocessors, each with {} for CTAs, by its {}", places.device,
                                             places.multiprocessors, counted(places.on_each, "place"), places.limit),
                                 "registers are not counted: what a thread needs is the compiler's to say",
                                 "as if all CTAs took equally long, and began in the order of blockIdx"};
  if (at_once < places.count()) notes.push_back(fmt::format("clusters of {} stay together: {} places", cluster, at_once));
  if (in_turn) notes.push_back(fmt::format("{} take {} tiles in turn: a wave is one tile of each", counted(plan->grid, "CTA"), tiles));
  if (plan->batch > 1) notes.push_back(fmt::format("the tiles of the first of {} products; the waves are of all", plan->batch));
  add_captions(scene, spec,
               {fmt::format("{} take {} of {}: {} of the places have work.", counted(used, "tile"), counted(waves, "wave"),
                            counted(at_once, "place"), percent(used, waves * at_once)),
                std::move(notes),
                {},
                {}},
               unit);
  return scene;
}

}  // namespace tessera
