// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM in time: what each role of one CTA does, in the order of a simulation. Steps are counted, never timed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"
#include "core/diagram/timeline_parts.hpp"
#include "core/diagram/words.hpp"
#include "core/gemm/plan/branches.hpp"
#include "core/gemm/run/simulate.hpp"

namespace tessera {

namespace {

using namespace plan;

constexpr std::string_view kTrackNames[] = {"copies", "fragments", "multiply", "store", "wait"};
constexpr int kTracks = 5;
constexpr std::size_t kMostBars = 160;
constexpr float kLine = 1.3F, kBetween = 0.2F;                         // height of a line of bars, and what of it lies between them
constexpr std::int64_t kShownTiles = 2, kLongestGap = 3, kBreak = 40;  // steps in which nothing that is drawn begins or ends

Track track_of(const GemmPlan& plan, const Event& event) {
  if (const auto* copy = std::get_if<Copy>(&event.op->op)) {
    const Tensor &from = plan.tensors[plan.partitions[copy->from.partition].tensor],
                 &to = plan.tensors[plan.partitions[copy->to.partition].tensor];
    if (to.operand == Operand::c || from.operand == Operand::c) return Track::storing;
    return from.space == Space::shared || plan.is_fragment(copy->to) ? Track::loading : Track::arriving;
  }
  if (std::holds_alternative<Mma>(event.op->op)) return Track::multiplying;
  if (std::holds_alternative<Convert>(event.op->op)) return Track::storing;
  if (std::holds_alternative<Wait>(event.op->op) || std::holds_alternative<WaitGroup>(event.op->op)) return Track::waiting;
  return Track::none;
}

std::set<std::int64_t> first_and_last(std::int64_t k_tiles) {
  std::set<std::int64_t> shown;
  for (std::int64_t k = 0; k < k_tiles; ++k) {
    if (k < 4 || k >= k_tiles - 2) shown.insert(k);
  }
  return shown;
}

const Barrier* barrier_of(const GemmPlan& plan, const Event& event) {
  const auto* wait = std::get_if<Wait>(&event.op->op);
  return wait != nullptr ? &plan.barriers[wait->barrier] : nullptr;
}

// The waits of all roles on each other, before the work and after it.
std::set<const Op*> waits_together(const GemmPlan& plan) {
  std::set<const Op*> waits;
  const std::vector<OwnPart> own = own_parts(plan);
  for (std::size_t role = 0; role < own.size(); ++role) {
    const Block& block = plan.roles[role].block;
    for (std::size_t i = own[role].initialised; i < block.size(); ++i) {
      if (i < own[role].first || i >= own[role].last) waits.insert(&block[i]);
    }
  }
  return waits;
}

Timeline collect(const GemmPlan& plan, const std::vector<Event>& events, const std::set<std::int64_t>& k_tiles) {
  Timeline timeline;
  const std::set<const Op*> together = waits_together(plan);
  std::map<std::tuple<std::int64_t, Track, std::int64_t, std::int64_t, std::int64_t>, std::size_t> open;
  std::vector<std::size_t> bar_of(events.size(), kMostBars);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const Track track = track_of(plan, event);
    if (event.cta != 0 || track == Track::none) continue;
    const bool of_k = event.fill >= 0 && track != Track::storing;
    const std::int64_t k_tile = of_k ? event.fill % plan.k_tiles : -1, tile = of_k ? event.fill / plan.k_tiles : event.tile;
    if (tile >= kShownTiles || (of_k && !k_tiles.contains(k_tile))) continue;
    if (track == Track::waiting && event.end - event.start < 2) continue;  // it did not have to wait
    const Barrier* const barrier = barrier_of(plan, event);
    if (together.contains(event.op)) continue;
    const std::int64_t stage = track == Track::storing ? -1 : event.stage;
    const auto key = std::tuple{event.role, track, stage, track == Track::waiting ? event.start : k_tile, tile};
    const auto [found, is_new] = open.try_emplace(key, timeline.bars.size());
    if (is_new && timeline.bars.size() >= kMostBars) continue;
    if (is_new) {
      TimelineBar bar{event.role, track, stage, k_tile, tile, event.start, event.end};
      bar.text = k_tile >= 0               ? fmt::format("{}", k_tile)
                 : track == Track::storing ? fmt::format("C {}", tile)
                 : barrier != nullptr      ? barrier->name
                                           : std::string();
      timeline.bars.push_back(std::move(bar));
    }
    if (found->second >= timeline.bars.size()) continue;
    TimelineBar& bar = timeline.bars[found->second];
    bar.start = std::min(bar.start, event.start), bar.end = std::max(bar.end, event.end);
    if (bar.op == nullptr) bar.op = event.op;
    if (const auto* copy = std::get_if<Copy>(&event.op->op)) {
      const Operand operand = plan.tensors[plan.partitions[copy->from.partition].tensor].operand;
      bar.of_a = bar.of_a || operand == Operand::a;
      bar.of_b = bar.of_b || operand == Operand::b;
    }
    bar_of[i] = found->second;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::int64_t by = events[i].released_by;
    if (bar_of[i] == kMostBars || by < 0 || timeline.bars[bar_of[i]].track != Track::waiting) continue;
    std::size_t from = bar_of[static_cast<std::size_t>(by)];
    if (from == kMostBars) {  // an arrival: the multiplication that it follows
      const Event& arrival = events[static_cast<std::size_t>(by)];
      for (std::size_t b = 0; b < timeline.bars.size(); ++b) {
        const TimelineBar& bar = timeline.bars[b];
        if (bar.role == arrival.role && bar.track == Track::multiplying && bar.stage == arrival.stage && bar.end <= arrival.end) from = b;
      }
    }
    if (from != kMostBars && from != bar_of[i]) timeline.arcs.push_back({from, bar_of[i]});
  }
  return timeline;
}

// Steps to places: long stretches in which nothing begins or ends are shortened; where that hides much, the place is returned.
std::vector<float> place_in_time(std::vector<TimelineBar>& bars) {
  std::vector<std::int64_t> times;
  for (const TimelineBar& bar : bars) times.push_back(bar.start), times.push_back(bar.end);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::map<std::int64_t, float> place;
  std::vector<float> breaks;
  float x = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i > 0) x += static_cast<float>(std::min(times[i] - times[i - 1], kLongestGap));
    if (i > 0 && times[i] - times[i - 1] > kBreak) breaks.push_back(x - 0.5F * static_cast<float>(kLongestGap));
    place[times[i]] = x;
  }
  const float scale = std::clamp(48.0F / std::max(x, 1.0F), 0.3F, 1.6F);
  for (TimelineBar& bar : bars) bar.x0 = place[bar.start] * scale, bar.x1 = place[bar.end] * scale;
  for (float& at : breaks) at *= scale;
  return breaks;
}

// Bars of a track that overlap lie below each other; copies have a line a stage, and those to registers lines of their own behind these.
std::int64_t place_in_lines(std::vector<TimelineBar>& bars, std::int64_t role, Track track, std::int64_t stages) {
  std::vector<float> ends;
  for (TimelineBar& bar : bars) {
    if (bar.role != role || bar.track != track) continue;
    std::size_t line = track == Track::arriving ? static_cast<std::size_t>(stages) : 0;
    if (track == Track::arriving && bar.stage >= 0) {
      line = static_cast<std::size_t>(bar.stage);
    } else {
      while (line < ends.size() && ends[line] > bar.x0 + 0.01F) ++line;
    }
    if (line >= ends.size()) ends.resize(line + 1, -1.0F);
    ends[line] = bar.x1;
    bar.line = static_cast<std::int64_t>(line);
  }
  return static_cast<std::int64_t>(ends.size());
}

// `example`: a k_tile that lies in stage 0, or a k_tile where there are no stages.
void add_legend(Scene& scene, Panel& panel, const std::vector<ColorIndex>& stages, ColorIndex wait, ColorIndex store, bool waits,
                std::int64_t example, bool has_stages, const std::optional<ColorIndex>& fetched, float y) {
  float x = 0;
  const auto row = [&](ColorIndex fill, const std::string& text, std::string_view sample) {
    Cell cell{x, y - 0.15F, 1.4F, 1.0F, fill};
    if (!sample.empty()) cell.label = scene.intern(sample), cell.lines = 1;
    panel.marks.push_back(cell);
    panel.marks.push_back(Label{x + 1.7F, y + 0.35F, scene.intern(text), LabelRole::legend, Anchor::left, 0.5F});
    x += 2.4F + 0.29F * static_cast<float>(text.size());
  };
  for (std::size_t stage = 0; stage < stages.size(); ++stage)
    row(stages[stage], stage > 0 ? fmt::format("stage {}", stage) : fmt::format("k_tile {}{}", example, has_stages ? " in stage 0" : ""),
        stage == 0 ? std::to_string(example) : "");
  if (fetched) row(*fetched, "k_tile in registers", "");
  row(store, "stores a tile of C", "");
  if (waits) row(wait, "waits", "");
}

}  // namespace

Result<Scene> timeline_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr || !plan->mma)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, number_set(spec, "k_tiles"));
  if (!asked.empty() && *asked.rbegin() >= plan->k_tiles)
    return Error{ErrorCode::out_of_range,
                 fmt::format("k_tile {} is not one of the {} tiles of K", *asked.rbegin(), plan->k_tiles),
                 {},
                 {fmt::format("k_tiles are 0 to {}", plan->k_tiles - 1)}};
  TESSERA_TRY(run, simulate(*plan, {}, {.ctas = 1, .trace = false, .timeline = true, .values = false}));
  const std::set<std::int64_t> k_tiles = asked.empty() ? first_and_last(plan->k_tiles) : asked;
  Timeline timeline = collect(*plan, run.timeline, k_tiles);
  const std::vector<float> breaks = place_in_time(timeline.bars);
  Scene scene = begin_scene(spec);
  std::vector<ColorIndex> stages;
  const std::int64_t colors = std::max<std::int64_t>(plan->stages(), 1);  // a k-tile of no stage has the first one's
  for (std::int64_t stage = 0; stage < colors; ++stage) stages.push_back(scene.color(palette.category(stage, colors)));
  const ColorIndex wait = scene.color(on_page({214, 217, 222}, scene.page)), store = scene.color(on_page({236, 226, 240}, scene.page));
  const auto is_fetched = [&](const TimelineBar& bar) { return bar.track == Track::arriving && bar.stage < 0; };
  std::optional<ColorIndex> fetched;  // where tiles wait in registers for their stage
  if (std::any_of(timeline.bars.begin(), timeline.bars.end(), is_fetched)) fetched = scene.color(on_page({222, 235, 210}, scene.page));
  Panel panel{"timeline", {}};
  float right = 0, y = 0;
  for (const TimelineBar& bar : timeline.bars) right = std::max(right, bar.x1);
  for (std::size_t role = 0; role < plan->roles.size(); ++role) {
    const float top = y;
    for (int track = 0; track < kTracks; ++track) {
      const std::int64_t lines = place_in_lines(timeline.bars, static_cast<std::int64_t>(role), static_cast<Track>(track), plan->stages());
      if (lines == 0) continue;
      panel.marks.push_back(Label{-0.6F, y + 0.5F * kLine * static_cast<float>(lines), scene.intern(kTrackNames[track]), LabelRole::axis,
                                  Anchor::right, 0.5F});
      for (TimelineBar& bar : timeline.bars) {
        if (bar.role == static_cast<std::int64_t>(role) && bar.track == static_cast<Track>(track))
          bar.y = y + kLine * static_cast<float>(bar.line);
      }
      y += kLine * static_cast<float>(lines);
    }
    if (y == top) continue;
    panel.marks.push_back(Label{-4.2F, (top + y) / 2, scene.intern(plan->roles[role].name), LabelRole::panel_name, Anchor::right, 0.55F});
    panel.marks.push_back(Outline{0, top - kBetween / 2, right, y - top + kBetween, StrokeRole::hairline});
    y += 0.5F;
  }
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(timeline.bars.size()), 0, "a timeline"));
  constexpr float kSign = 0.4F;  // of a bar's width, so that its words are of a readable size
  TimelineMarks marks;
  for (const TimelineBar& bar : timeline.bars) {
    Cell cell{bar.x0, bar.y + kBetween / 2, std::max(bar.x1 - bar.x0, 0.2F), kLine - kBetween};
    const bool of_k = bar.stage >= 0 || bar.k_tile >= 0;
    cell.fill = bar.track == Track::waiting ? wait
                : is_fetched(bar)           ? *fetched
                : of_k                      ? stages[static_cast<std::size_t>(std::max<std::int64_t>(bar.stage, 0)) % stages.size()]
                                            : store;
    if (!bar.text.empty() && cell.w >= kSign * static_cast<float>(bar.text.size())) cell.label = scene.intern(bar.text), cell.lines = 1;
    cell.subject = scene.add_words(fmt::format("CTA 0, {}, steps {} to {}", words_of(*plan, bar), bar.start, bar.end));
    marks.bars.push_back(panel.marks.size());
    panel.marks.push_back(cell);
  }
  for (const TimelineArc& arc : timeline.arcs) {
    const TimelineBar &from = timeline.bars[arc.from], &to = timeline.bars[arc.to];
    marks.arcs.push_back(panel.marks.size());
    panel.marks.push_back(Arrow{from.x1, from.y + kLine / 2, to.x1, to.y + (from.y < to.y ? kBetween / 2 : kLine - kBetween / 2)});
  }
  for (const float at : breaks) panel.marks.push_back(Label{at, -0.4F, scene.intern("..."), LabelRole::axis, Anchor::center, 0.6F});
  const bool waits =
      std::any_of(timeline.bars.begin(), timeline.bars.end(), [](const TimelineBar& b) { return b.track == Track::waiting; });
  add_legend(scene, panel, stages, wait, store, waits, plan->k_tiles > plan->stages() ? plan->stages() : 0, plan->has_smem(), fetched,
             y + 0.6F);
  add_steps(scene, panel, *plan, timeline, marks);
  scene.panels.push_back(std::move(panel));
  std::vector<std::string> notes{fmt::format("{} × {} × {}   k-tiles {}{}   {} threads, {}; steps in the order of a simulation, not times",
                                             plan->m, plan->n, plan->k, plan->k_tiles,
                                             plan->has_smem() ? fmt::format("   stages {}", plan->stages()) : "", plan->threads,
                                             plan->roles.size() == 1 ? "one role" : fmt::format("{} roles", plan->roles.size()))};
  if (static_cast<std::int64_t>(k_tiles.size()) < plan->k_tiles)
    notes.push_back(fmt::format("drawn: k-tiles {}", ranges_of(std::vector<std::int64_t>(k_tiles.begin(), k_tiles.end()), "")));
  add_captions(scene, spec, {{}, std::move(notes), {}, {}}, 1.0F);
  return scene;
}

}  // namespace tessera
