// SPDX-License-Identifier: BSD-3-Clause
// The bars of a timeline: which operations of a simulation belong together, and which of them follow from one another.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/overloaded.hpp"
#include "core/diagram/kinds/timeline_parts.hpp"
#include "core/gemm/plan/branches.hpp"

namespace tessera {

namespace {

using namespace plan;

constexpr std::int64_t kShownTiles = 2;
constexpr std::size_t kNoBar = static_cast<std::size_t>(-1);

Track track_of(const GemmPlan& plan, const Event& event) {
  if (const auto* copy = std::get_if<Copy>(&event.op->op)) {
    const Tensor &from = plan.tensors[plan.partitions[copy->from.partition].tensor],
                 &to = plan.tensors[plan.partitions[copy->to.partition].tensor];
    if (to.operand == Operand::c || from.operand == Operand::c) return Track::storing;
    return from.space == Space::shared || plan.is_fragment(copy->to) ? Track::loading : Track::arriving;
  }
  if (std::holds_alternative<Mma>(event.op->op)) return Track::multiplying;
  if (std::holds_alternative<Convert>(event.op->op)) return Track::storing;
  if (std::holds_alternative<Opaque>(event.op->op)) return Track::working;
  if (std::holds_alternative<Wait>(event.op->op) || std::holds_alternative<WaitGroup>(event.op->op)) return Track::waiting;
  return Track::none;
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

// What a wait is for, in a word that stands in its bar.
std::string awaited(const GemmPlan& plan, const Event& event) {
  if (const Barrier* const barrier = barrier_of(plan, event)) return barrier->name;
  switch (std::get<WaitGroup>(event.op->op).of) {
    case GroupOf::cp_async: return "copies";
    case GroupOf::wgmma: return "products";
    case GroupOf::bulk: return "stores";
  }
  return {};
}

// What has no bar, since it takes no time of its own: "arrivals".
std::string_view without_bar(const Event& event) {
  return std::visit(
      Overloaded{[](const Commit&) -> std::string_view { return "commits"; }, [](const Expect&) -> std::string_view { return "arrivals"; },
                 [](const Arrive&) -> std::string_view { return "arrivals"; }, [](const Fence&) -> std::string_view { return "fences"; },
                 [](const SetRegisters&) -> std::string_view { return "changes of the register count"; },
                 [](const auto&) -> std::string_view { return {}; }},
      event.op->op);
}

TimelineBar bar_of_event(const GemmPlan& plan, const Event& event, Track track, std::int64_t k_tile, std::int64_t tile) {
  TimelineBar bar{event.role, track, track == Track::storing ? -1 : event.stage, k_tile, tile, event.start, event.end};
  bar.text = track == Track::waiting   ? awaited(plan, event)
             : k_tile >= 0             ? fmt::format("{}", k_tile)
             : track == Track::storing ? fmt::format("tile {} of C", tile)
                                       : std::string();
  if (const auto* opaque = std::get_if<Opaque>(&event.op->op))
    bar.text = opaque->name + (event.fill >= 0 ? fmt::format(" {}", event.fill) : std::string());
  if (track == Track::storing && k_tile < 0) bar.short_text = fmt::format("C {}", tile);
  if (track == Track::working && event.fill >= 0) bar.short_text = std::to_string(event.fill);  // its colour says the name
  bar.op = event.op;
  return bar;
}

void add_operand(const GemmPlan& plan, const Event& event, TimelineBar& bar) {
  const auto* copy = std::get_if<Copy>(&event.op->op);
  if (copy == nullptr) return;
  const Operand operand = plan.tensors[plan.partitions[copy->from.partition].tensor].operand;
  bar.of_a = bar.of_a || operand == Operand::a;
  bar.of_b = bar.of_b || operand == Operand::b;
}

// The multiplication or opaque operation that an arrival follows.
std::size_t work_before(const std::vector<TimelineBar>& bars, const Event& arrival) {
  std::size_t found = kNoBar;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const TimelineBar& bar = bars[b];
    const bool multiplies = bar.track == Track::multiplying && bar.stage == arrival.stage;
    if (bar.role == arrival.role && (multiplies || bar.track == Track::working) && bar.end <= arrival.end) found = b;
  }
  return found;
}

// From what ends a wait to the wait.
void link_waits(Timeline& timeline, const std::vector<Event>& events, const std::vector<std::size_t>& bar_of) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::int64_t by = events[i].released_by;
    if (bar_of[i] == kNoBar || by < 0 || timeline.bars[bar_of[i]].track != Track::waiting) continue;
    std::size_t from = bar_of[static_cast<std::size_t>(by)];
    if (from == kNoBar) from = work_before(timeline.bars, events[static_cast<std::size_t>(by)]);
    if (from != kNoBar && from != bar_of[i])
      timeline.arcs.push_back({from, bar_of[i], timeline.bars[bar_of[i]].end, TimelineArc::Kind::wait});
  }
}

// From the copy that brings a k-tile last to the first that reads it, unless a wait says so already.
void link_arrivals(Timeline& timeline) {
  using Tile = std::pair<std::int64_t, std::int64_t>;  // of C, of K
  std::map<Tile, std::size_t> arrived, read;
  const std::vector<TimelineBar>& bars = timeline.bars;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const Tile tile{bars[b].tile, bars[b].k_tile};
    if (bars[b].k_tile < 0) continue;
    if (bars[b].track == Track::arriving && bars[b].stage >= 0) {
      const auto [found, is_new] = arrived.try_emplace(tile, b);
      if (!is_new && bars[found->second].end < bars[b].end) found->second = b;
    }
    if (bars[b].track == Track::loading || bars[b].track == Track::multiplying) {
      const auto [found, is_new] = read.try_emplace(tile, b);
      if (!is_new && bars[b].start < bars[found->second].start) found->second = b;
    }
  }
  const std::vector<TimelineArc> waits = timeline.arcs;
  for (const auto& [tile, to] : read) {
    const auto from = arrived.find(tile);
    if (from == arrived.end() || bars[from->second].end > bars[to].start) continue;
    const bool is_said = std::any_of(waits.begin(), waits.end(), [&](const TimelineArc& arc) { return arc.from == from->second; });
    if (!is_said) timeline.arcs.push_back({from->second, to, bars[to].start, TimelineArc::Kind::arrival});
  }
}

// Who reads a k-tile's stage last: the loads of its fragments, and the products where these read any of it from the stage itself.
std::size_t last_reader(const std::vector<TimelineBar>& bars, std::int64_t stage, std::int64_t tile, std::int64_t k_tile) {
  bool of_a = false, of_b = false;
  std::size_t load = kNoBar, product = kNoBar;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const TimelineBar& bar = bars[b];
    if (bar.stage != stage || bar.tile != tile || bar.k_tile != k_tile) continue;
    if (bar.track != Track::loading && bar.track != Track::multiplying) continue;
    std::size_t& last = bar.track == Track::loading ? load : product;
    if (last == kNoBar || bars[last].end <= bar.end) last = b;
    if (bar.track == Track::loading) of_a = of_a || bar.of_a, of_b = of_b || bar.of_b;
  }
  if (of_a && of_b) return load;
  if (load == kNoBar || (product != kNoBar && bars[product].end >= bars[load].end)) return product;
  return load;
}

// Of the role that copies: its products of a k-tile, where these end behind what reads the stage last and before the copy. The loop comes
// to the copy behind them.
std::size_t behind_products(const std::vector<TimelineBar>& bars, std::size_t reader, const TimelineBar& copy) {
  std::size_t last = reader;
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const TimelineBar& bar = bars[b];
    const bool of_tile =
        bar.track == Track::multiplying && bar.role == copy.role && bar.tile == bars[reader].tile && bar.k_tile == bars[reader].k_tile;
    if (of_tile && bar.end <= copy.start && bar.end > bars[last].end) last = b;
  }
  return last;
}

// From the end of the k-tile that a stage held to the copy that comes into it next, unless a wait says so already.
void link_frees(Timeline& timeline) {
  const std::vector<TimelineBar>& bars = timeline.bars;
  const std::vector<TimelineArc> waits = timeline.arcs;
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> held;  // by stage: the tiles of C and of K that came into it last
  for (std::size_t b = 0; b < bars.size(); ++b) {
    if (bars[b].track != Track::arriving || bars[b].stage < 0 || bars[b].k_tile < 0) continue;
    const auto [found, is_new] = held.try_emplace(bars[b].stage, bars[b].tile, bars[b].k_tile);
    if (is_new) continue;
    const auto before = std::exchange(found->second, {bars[b].tile, bars[b].k_tile});
    const std::size_t from = last_reader(bars, bars[b].stage, before.first, before.second);
    if (from == kNoBar || bars[from].end > bars[b].start) continue;
    const bool waited = std::any_of(waits.begin(), waits.end(), [&](const TimelineArc& arc) {
      const TimelineBar& wait = bars[arc.to];
      return arc.kind == TimelineArc::Kind::wait && wait.role == bars[b].role && wait.stage == bars[b].stage && wait.end <= bars[b].start &&
             wait.end >= bars[from].end;
    });
    if (!waited) timeline.arcs.push_back({behind_products(bars, from, bars[b]), b, bars[b].start, TimelineArc::Kind::freed});
  }
}

}  // namespace

Timeline collect_bars(const GemmPlan& plan, const std::vector<Event>& events) {
  Timeline timeline;
  const std::set<const Op*> together = waits_together(plan);
  std::map<std::tuple<std::int64_t, Track, std::int64_t, std::int64_t, std::int64_t>, std::size_t> open;
  std::vector<std::size_t> bar_of(events.size(), kNoBar);
  std::set<std::string_view> without;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const Track track = track_of(plan, event);
    if (event.cta != 0) continue;
    if (track == Track::none) {
      if (const std::string_view what = without_bar(event); !what.empty()) without.insert(what);
      continue;
    }
    const bool of_k = event.fill >= 0 && track != Track::storing && plan.k_tiles > 0;
    const std::int64_t k_tile = of_k ? event.fill % plan.k_tiles : -1, tile = of_k ? event.fill / plan.k_tiles : event.tile;
    timeline.tiles = std::max(timeline.tiles, tile + 1);
    if (tile >= kShownTiles) continue;
    if (track == Track::waiting && event.end - event.start < 2) {  // it did not have to wait
      without.insert("waits that end at once");
      continue;
    }
    if (together.contains(event.op)) continue;
    const std::int64_t stage = track == Track::storing ? -1 : event.stage;
    const auto key = std::tuple{event.role, track, stage,
                                track == Track::waiting   ? event.start
                                : track == Track::working ? static_cast<std::int64_t>(i)
                                                          : k_tile,
                                tile};
    const auto [found, is_new] = open.try_emplace(key, timeline.bars.size());
    if (is_new) timeline.bars.push_back(bar_of_event(plan, event, track, k_tile, tile));
    TimelineBar& bar = timeline.bars[found->second];
    bar.start = std::min(bar.start, event.start), bar.end = std::max(bar.end, event.end);
    add_operand(plan, event, bar);
    if (std::find(bar.ops.begin(), bar.ops.end(), event.op) == bar.ops.end()) bar.ops.push_back(event.op);
    bar_of[i] = found->second;
  }
  timeline.without.assign(without.begin(), without.end());
  timeline.shown_tiles = std::min(timeline.tiles, kShownTiles);
  link_waits(timeline, events, bar_of);
  link_arrivals(timeline);
  link_frees(timeline);
  return timeline;
}

void add_phases(Timeline& timeline, const GemmPlan& plan, const std::vector<PhaseEnd>& ends) {
  std::int64_t last = 0, line = 0;
  for (const TimelineBar& bar : timeline.bars) last = std::max(last, bar.end);
  for (std::size_t id = 0; id < plan.barriers.size(); ++id) {
    const Barrier& barrier = plan.barriers[id];
    if (barrier.kind != BarrierKind::mbarrier) continue;
    for (std::int64_t stage = 0; stage < barrier.members * stages_of(plan.rings, barrier.ring); ++stage, ++line) {
      TimelineBar bar{.role = static_cast<std::int64_t>(plan.members().size()), .track = Track::phase, .stage = stage, .line = line};
      bar.barrier = static_cast<Id>(id);
      const auto put = [&](std::int64_t end) {
        if (end <= bar.start) return;
        bar.end = end, bar.text = std::to_string(bar.number % 2);
        timeline.bars.push_back(bar);
      };
      for (const PhaseEnd& each : ends) {
        if (each.cta != 0 || each.barrier != id || each.stage != stage) continue;
        put(std::min(each.step, last));
        bar.start = each.step, bar.number = each.number + 1;
      }
      put(last);
    }
  }
}

void keep_bars(Timeline& timeline, const std::vector<bool>& wanted) {
  std::vector<std::size_t> place(timeline.bars.size(), kNoBar);
  std::vector<TimelineBar> bars;
  for (std::size_t b = 0; b < timeline.bars.size(); ++b) {
    if (!wanted[b]) continue;
    place[b] = bars.size();
    bars.push_back(std::move(timeline.bars[b]));
  }
  std::vector<TimelineArc> arcs;
  for (const TimelineArc& arc : timeline.arcs) {
    if (place[arc.from] != kNoBar && place[arc.to] != kNoBar) arcs.push_back({place[arc.from], place[arc.to], arc.at, arc.kind});
  }
  timeline.bars = std::move(bars), timeline.arcs = std::move(arcs);
}

std::optional<Overlapped> widest_overlap(const std::vector<TimelineBar>& bars) {
  std::optional<Overlapped> widest;
  std::int64_t most = 0;
  for (std::size_t m = 0; m < bars.size(); ++m) {
    if (bars[m].track != Track::multiplying || bars[m].k_tile < 0) continue;
    for (std::size_t c = 0; c < bars.size(); ++c) {
      const TimelineBar &copy = bars[c], &product = bars[m];
      if (copy.track != Track::arriving || copy.tile != product.tile || copy.k_tile <= product.k_tile) continue;
      const std::int64_t both = std::min(copy.end, product.end) - std::max(copy.start, product.start);
      const bool better = both > most || (both == most && product.k_tile == 1);  // where the ring is full, if it is all the same
      if (both > 0 && better) most = both, widest = Overlapped{c, m};
    }
  }
  return widest;
}

}  // namespace tessera
