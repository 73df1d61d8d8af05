// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM in time: what each role of one CTA does, in the order of a simulation. Steps are counted, never timed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/timeline_operations.hpp"
#include "core/diagram/kinds/timeline_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "core/gemm/plan/explain_op.hpp"

namespace tessera {

namespace {

constexpr std::string_view kTrackNames[] = {"copies", "load fragments", "multiply", "work", "store C", "wait"};
constexpr int kTracks = 6;
constexpr std::size_t kMostBars = 160;
constexpr float kWays = 0.3F;                                  // room below copies, where their arrows are seen between bars
constexpr float kAside = 0.6F, kLetter = 0.27F, kType = 0.5F;  // of names beside the lanes
constexpr float kIndex = 0.6F;                                 // room for a member's index before the lines of a role
constexpr std::int64_t kFirstTiles = 4, kLastTiles = 2;        // of K
constexpr float kAxis = 1.7F;                                  // room for numbers and words

std::set<std::int64_t> first_and_last(std::int64_t k_tiles) {
  std::set<std::int64_t> shown;
  for (std::int64_t k = 0; k < k_tiles; ++k) {
    if (k < kFirstTiles || k >= k_tiles - kLastTiles) shown.insert(k);
  }
  return shown;
}

// Only bars of which something is drawn, with their places, and no more than kMostBars; how many are left out for that.
std::size_t keep_shown(Timeline& timeline, const TimeScale& scale) {
  std::vector<bool> wanted;
  std::size_t count = 0, too_many = 0;
  for (TimelineBar& bar : timeline.bars) {
    bar.x0 = scale.at(bar.start), bar.x1 = scale.at(bar.end, false);
    const bool shown = scale.shows(bar);
    wanted.push_back(shown && count < kMostBars);
    count += shown, too_many += shown && !wanted.back();
  }
  keep_bars(timeline, wanted);
  std::erase_if(timeline.arcs, [&](const TimelineArc& arc) { return !scale.shows(timeline.bars[arc.from].end) || !scale.shows(arc.at); });
  return too_many;
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

// What the two parities of a phase are filled with.
std::array<ColorIndex, 2> parity_fills(Scene& scene) {
  return {scene.color(on_page({240, 242, 245}, scene.page)), scene.color(on_page({203, 213, 225}, scene.page))};
}

// One for each name of an opaque operation.
std::map<std::string, ColorIndex> colors_of_work(Scene& scene, const Palette& palette, const std::vector<TimelineBar>& bars) {
  std::map<std::string, ColorIndex> colors;
  for (const TimelineBar& bar : bars) {
    if (bar.track == Track::working) colors.emplace(std::get<plan::Opaque>(bar.op->op).name, ColorIndex{});
  }
  std::int64_t number = 0;
  for (auto& [name, color] : colors) color = scene.color(palette.category(number++, static_cast<std::int64_t>(colors.size())));
  return colors;
}

ColorIndex overlap_fill(Scene& scene) { return scene.color(on_page({229, 231, 235}, scene.page)); }

void add_legend(Scene& scene, Panel& panel, const std::vector<ColorIndex>& stages, ColorIndex wait, ColorIndex store, bool waits,
                bool has_stages, bool has_phases, bool stores, const std::map<std::string, ColorIndex>& works,
                const std::optional<ColorIndex>& fetched, const std::string& overlap, float y) {
  float x = 0;
  const auto row = [&](ColorIndex fill, const std::string& text) {
    panel.marks.push_back(Cell{x, y - 0.15F, 1.4F, 1.0F, fill});
    panel.marks.push_back(Label{x + 1.7F, y + 0.35F, scene.intern(text), LabelRole::legend, Anchor::left, 0.5F});
    x += 2.4F + 0.29F * static_cast<float>(text.size());
  };
  for (std::size_t stage = 0; stage < stages.size(); ++stage) row(stages[stage], has_stages ? fmt::format("stage {}", stage) : "a k-tile");
  if (fetched) row(*fetched, "k-tile in registers");
  for (const auto& [name, color] : works) row(color, name);
  if (stores) row(store, "stores a tile of C");
  if (waits) row(wait, "waits for what is named");
  if (!overlap.empty() || has_phases) x = 0, y += 1.3F;
  for (std::size_t parity = 0; has_phases && parity < 2; ++parity)
    row(parity_fills(scene)[parity], fmt::format("a phase of parity {}", parity));
  if (!overlap.empty()) row(overlap_fill(scene), overlap);
}

// "CTA", where one role is all of it: what a role is called in the plan is an identifier. "consumer, 0 and 1" where it has two members.
std::string name_of_role(const plan::Role& role) {
  if (role.name == "cta") return "CTA";
  return role.members == 1 ? role.name : fmt::format("{}, 0 {} {}", role.name, role.members == 2 ? "and" : "to", role.members - 1);
}

// What stands beside a line of bars.
std::string name_of_line(Track track, std::int64_t line, std::int64_t stages) {
  if (track != Track::arriving) return std::string(kTrackNames[static_cast<std::size_t>(track)]);
  return line < stages ? fmt::format("copy to stage {}", line) : std::string("copy to registers");
}

// The lane of the barriers below those of the roles, a line for each that has phases; where it ends.
float add_phase_lane(Scene& scene, Panel& panel, const GemmPlan& plan, std::vector<TimelineBar>& bars, float y, std::size_t& longest) {
  const float top = y;
  std::map<std::int64_t, float> lines;  // what collect gave them -> y
  for (TimelineBar& bar : bars) {
    if (bar.track != Track::phase) continue;
    const auto [found, is_new] = lines.try_emplace(bar.line, y);
    bar.y = found->second;
    if (!is_new) continue;
    const std::string name = name_of_barrier(plan, bar);
    longest = std::max(longest, name.size());
    panel.marks.push_back(Label{-kAside, y + kLine / 2, scene.intern(name), LabelRole::axis, Anchor::right, kType});
    y += kLine;
  }
  return y == top ? y : y + 0.5F;
}

// The lanes as they are laid down, from top to bottom.
struct Lanes {
  Scene& scene;
  Panel& panel;
  const GemmPlan& plan;
  std::vector<TimelineBar>& bars;
  float y = 0;
  std::size_t longest = 0;  // of the names beside the lines, in letters

  void name_beside(float x, float middle, const std::string& name) {
    panel.marks.push_back(Label{x, middle, scene.intern(name), LabelRole::axis, Anchor::right, kType});
  }

  // The lines of one member of a role for a track; how many.
  std::int64_t add_member(std::int64_t member, Track track) {
    const std::int64_t lines = place_in_lines(bars, member, track, plan.stages());
    for (TimelineBar& bar : bars) {
      if (bar.role == member && bar.track == track) bar.y = y + kLine * static_cast<float>(bar.line);
    }
    y += kLine * static_cast<float>(lines);
    return lines;
  }

  // Of one role: the lines of its members stand below each other, each with the member's index beside it.
  //
  //   consumer   multiply  0 | 0 | | 1 |
  //                        1   | 0 | | 1 |
  void add_track(const plan::Role& role, std::int64_t first, Track track) {
    const float top = y;
    std::vector<std::int64_t> lines;  // of each member
    for (std::int64_t i = 0; i < role.members; ++i) {
      const float begins = y;
      lines.push_back(add_member(first + i, track));
      if (role.members > 1 && lines.back() > 0) name_beside(-kAside, (begins + y) / 2, std::to_string(i));
    }
    if (y == top) return;
    const float x = -kAside - (role.members > 1 ? kIndex : 0.0F);
    const bool by_stage = track == Track::arriving && role.members == 1;
    for (std::int64_t line = 0; line < (by_stage ? lines[0] : 1); ++line) {
      const std::string name = by_stage || track != Track::arriving ? name_of_line(track, line, plan.stages()) : std::string("copy");
      longest = std::max(longest, name.size() + (role.members > 1 ? 2 : 0));
      name_beside(x, by_stage ? top + kLine * (static_cast<float>(line) + 0.5F) : (top + y) / 2, name);
    }
    if (track == Track::arriving) y += kWays;
  }
};

// Gives bars their lines, and puts names beside these; where the lanes end. A family of roles has one lane.
float add_lanes(Scene& scene, Panel& panel, const GemmPlan& plan, std::vector<TimelineBar>& bars, float right) {
  Lanes lanes{scene, panel, plan, bars};
  std::vector<std::pair<float, const plan::Role*>> middles;
  std::int64_t member = 0;
  for (const plan::Role& role : plan.roles) {
    const float top = lanes.y;
    for (int t = 0; t < kTracks; ++t) lanes.add_track(role, member, static_cast<Track>(t));
    member += role.members;
    if (lanes.y == top) continue;
    middles.emplace_back((top + lanes.y) / 2, &role);
    panel.marks.push_back(Outline{0, top - kBetween / 2, right + kBetween, lanes.y - top + kBetween, StrokeRole::hairline});
    lanes.y += 0.5F;
  }
  const float barriers = lanes.y, y = add_phase_lane(scene, panel, plan, bars, barriers, lanes.longest);
  const float aside = 2 * kAside + kLetter * static_cast<float>(lanes.longest);
  const auto name = [&](float middle, const std::string& text) {
    panel.marks.push_back(Label{-aside, middle, scene.intern(text), LabelRole::panel_name, Anchor::right, 0.55F});
  };
  for (const auto& [middle, role] : middles) name(middle, name_of_role(*role));
  if (y > barriers) {
    panel.marks.push_back(Outline{0, barriers - kBetween / 2, right + kBetween, y - 0.5F - barriers + kBetween, StrokeRole::hairline});
    name((barriers + y - 0.5F) / 2, "barriers");
  }
  return y - 0.5F;
}

std::string place_of(const TimelineBar& copy) { return copy.stage < 0 ? std::string("registers") : fmt::format("stage {}", copy.stage); }

// What the picture is for: a band behind a multiplication and the copy that runs under it. Gives its words.
std::string add_overlap(Scene& scene, Panel& panel, const Timeline& timeline, const Overlapped& both) {
  const TimelineBar &copy = timeline.bars[both.copy], &product = timeline.bars[both.product];
  const auto [top, bottom] = std::minmax(copy.y, product.y);
  panel.marks.push_back(
      Cell{product.x0, top - kBetween / 2, product.x1 - product.x0, bottom - top + kLine + kBetween, overlap_fill(scene)});
  return fmt::format("while k-tile {} is multiplied, k-tile {} is copied to {}", product.k_tile, copy.k_tile, place_of(copy));
}

// Does a copy of a later k-tile begin before a multiplication does?
bool begins_before(const std::vector<TimelineBar>& bars, const TimelineBar& copy) {
  return copy.track == Track::arriving && std::any_of(bars.begin(), bars.end(), [&](const TimelineBar& bar) {
           return bar.track == Track::multiplying && bar.tile == copy.tile && bar.k_tile < copy.k_tile && copy.start < bar.start;
         });
}

std::string sentence_of(const GemmPlan& plan, const Timeline& timeline, const std::optional<Overlapped>& both) {
  if (!plan.mma)
    return fmt::format("{} of one CTA, in units that the plan declares: an order that its barriers leave open, and no times.",
                       counted(static_cast<std::int64_t>(plan.roles.size()), "role"));
  if (!plan.has_smem()) return "Nothing is copied to shared memory: threads load what they multiply from global memory.";
  if (both) {
    return plan.stages() == 1 ? "Copies run ahead of the products."
                              : fmt::format("Copies run ahead of the products, in a ring of {}.", counted(plan.stages(), "stage"));
  }
  if (plan.k_tiles == 1) return "There is one k-tile: it is copied, read and multiplied, and no copy can run ahead.";
  bool early = false, fetched = false;
  for (const TimelineBar& bar : timeline.bars) {
    if (!begins_before(timeline.bars, bar)) continue;
    early = true;
    fetched = fetched || bar.stage < 0;
  }
  if (fetched) return "The next k-tile is read into registers before this one is multiplied, and put into its stage after that.";
  if (early) return "No copy runs under a multiplication.";
  return "No copy runs under a multiplication: a k-tile is copied, read and multiplied before the next one is copied.";
}

// A bar's cells, one where no cut tears it; its name is in the first that has room for it. Has it a name?
bool add_bar(Scene& scene, Panel& panel, const TimeScale& scale, const TimelineBar& bar, Cell cell, std::size_t number,
             TimelineMarks& marks) {
  constexpr float kSign = 0.36F;  // of a bar's width, so that its words are of a readable size
  bool named = bar.text.empty(), first = true;
  for (const auto& [x0, x1] : scale.pieces(bar.x0, std::max(bar.x1, bar.x0 + 0.2F))) {
    cell.x = x0, cell.w = x1 - x0, cell.label = {}, cell.lines = 0;
    for (const std::string& text : {bar.text, bar.short_text}) {
      if (named || text.empty() || cell.w < kSign * static_cast<float>(text.size())) continue;
      cell.label = scene.intern(text), cell.lines = 1;
      named = true;
    }
    if (first)
      marks.bars.push_back(panel.marks.size());
    else
      marks.pieces.emplace_back(panel.marks.size(), number);
    first = false;
    panel.marks.push_back(cell);
  }
  return named;
}

// Where a name beside a bar stands.
struct BesideName {
  float y = 0, x0 = 0, x1 = 0;
};

// The name of a bar that is too narrow for it, to its right or its left, where no bar and no other name stands.
void name_beside(Scene& scene, Panel& panel, const TimeScale& scale, const std::vector<TimelineBar>& bars, const TimelineBar& bar,
                 std::vector<BesideName>& names) {
  constexpr float kAway = 0.2F;
  const float right = std::max(bar.x1, bar.x0 + 0.2F) + kAway, left = bar.x0 - kAway;
  float room_right = scale.right() - right, room_left = left;
  for (const TimelineBar& other : bars) {
    if (&other == &bar || other.y != bar.y) continue;
    if (other.x0 >= bar.x0)
      room_right = std::min(room_right, other.x0 - right);
    else
      room_left = std::min(room_left, left - other.x1);
  }
  for (const BesideName& name : names) {
    if (name.y != bar.y) continue;
    if (name.x0 >= bar.x0)
      room_right = std::min(room_right, name.x0 - right);
    else
      room_left = std::min(room_left, left - name.x1);
  }
  for (const TimeCut& cut : scale.cuts) {
    if (cut.x + kCutWidth > right) room_right = std::min(room_right, cut.x - right);
    if (cut.x < left) room_left = std::min(room_left, left - cut.x - kCutWidth);
  }
  for (const std::string& text : {bar.text, bar.short_text}) {
    const float width = kLetter * static_cast<float>(text.size()) + kAway;
    if (text.empty() || std::max(room_right, room_left) < width) continue;
    const bool behind = room_right >= width;
    panel.marks.push_back(
        Label{behind ? right : left, bar.y + kLine / 2, scene.intern(text), LabelRole::axis, behind ? Anchor::left : Anchor::right, kType});
    names.push_back(behind ? BesideName{bar.y, right, right + width} : BesideName{bar.y, left - width, left});
    return;
  }
}

// K-tiles whose products begin before all of their fragments are there.
std::vector<std::int64_t> multiplied_while_loaded(const std::vector<TimelineBar>& bars) {
  std::set<std::int64_t> found;
  for (const TimelineBar& load : bars) {
    const bool overlaps = load.track == Track::loading && std::any_of(bars.begin(), bars.end(), [&](const TimelineBar& bar) {
                            return bar.track == Track::multiplying && bar.role == load.role && bar.tile == load.tile &&
                                   bar.k_tile == load.k_tile && bar.start < load.end;
                          });
    if (overlaps) found.insert(load.k_tile);
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> notes_of(const GemmPlan& plan, const Timeline& timeline, const TimeScale& scale, std::size_t too_many) {
  std::vector<std::string> notes;
  if (!plan.mma) notes.emplace_back("number in a bar: the fill of the ring that it writes, or reads");
  if (plan.mma)
    notes = {fmt::format("number in a bar: the k-tile{}", plan.k_tiles > 1 ? fmt::format(", 0 to {}", plan.k_tiles - 1) : std::string()),
             fmt::format("a CTA of {}{} makes a tile of {} × {} of C, one of {}", counted(plan.threads, "thread"),
                         plan.members().size() > 1 ? fmt::format(" in {} roles", plan.members().size()) : std::string(), plan.blk_m,
                         plan.blk_n, plan.m_tiles * plan.n_tiles)};
  const auto any = [&](TimelineArc::Kind kind) {
    return std::any_of(timeline.arcs.begin(), timeline.arcs.end(), [&](const TimelineArc& arc) { return arc.kind == kind; });
  };
  if (std::any_of(timeline.bars.begin(), timeline.bars.end(), [](const TimelineBar& bar) { return bar.track == Track::phase; }))
    notes.emplace_back("barriers: the parity of the phase that is under way; a wait for a phase compares it");
  std::string arrows;
  if (any(TimelineArc::Kind::arrival)) arrows = "from a copy that has arrived to what reads it first";
  if (any(TimelineArc::Kind::wait)) arrows += fmt::format("{}from what ends a wait to the wait", arrows.empty() ? "" : ", and ");
  if (!arrows.empty()) notes.push_back("arrows: " + arrows);
  if (any(TimelineArc::Kind::freed)) notes.emplace_back("dashed: when a k-tile is done with, the next one is copied into its stage");
  if (const std::vector<std::int64_t> k_tiles = multiplied_while_loaded(timeline.bars); !k_tiles.empty())
    notes.push_back(fmt::format("the products of k-tile{} {} begin before all fragments are loaded: each waits only for its own",
                                k_tiles.size() == 1 ? "" : "s", ranges_of(k_tiles, "")));
  if (static_cast<std::int64_t>(scale.whole.size()) < plan.k_tiles && plan.mma)
    notes.push_back(fmt::format("drawn from copy to product: k-tiles {}{}",
                                ranges_of(std::vector<std::int64_t>(scale.whole.begin(), scale.whole.end()), ""),
                                scale.cuts.empty() ? "" : "; steps between torn edges are left out"));
  if (timeline.shown_tiles < timeline.tiles)
    notes.push_back(fmt::format("the first {} of {} tiles of C", timeline.shown_tiles, timeline.tiles));
  if (too_many > 0) notes.push_back(fmt::format("left out: the last {} bars, which are more than {}", too_many, kMostBars));
  if (!timeline.without.empty()) notes.push_back(fmt::format("not drawn: {}", fmt::join(timeline.without, ", ")));
  notes.emplace_back("a bar spans its first to its last step");
  return notes;
}

const SimulationOptions kInTime{.ctas = 1, .trace = false, .timeline = true, .values = false};

}  // namespace

Result<Scene> timeline_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(asked, number_set(spec, "k_tiles"));
  if (!asked.empty() && !plan->mma)
    return Error{
        ErrorCode::bad_spec, fmt::format("{} has no tiles of K, of which some could be drawn", plan->name), {}, {"k_tiles left out"}};
  if (!asked.empty() && *asked.rbegin() >= plan->k_tiles)
    return Error{ErrorCode::out_of_range,
                 fmt::format("k_tile {} is not one of the {} tiles of K", *asked.rbegin(), plan->k_tiles),
                 {},
                 {fmt::format("k_tiles are 0 to {}", plan->k_tiles - 1)}};
  TESSERA_TRY(run, simulate(*plan, {}, kInTime));
  const std::set<std::int64_t> k_tiles = asked.empty() ? first_and_last(plan->k_tiles) : asked;
  Timeline timeline = collect_bars(*plan, run.timeline);
  if (parameter(spec, "phases") == "yes") add_phases(timeline, *plan, run.phases);
  const TimeScale scale = scale_of(*plan, timeline.bars, k_tiles);
  const std::size_t too_many = keep_shown(timeline, scale);
  Scene scene = begin_scene(spec);
  std::vector<ColorIndex> stages;
  const std::int64_t colors = std::max<std::int64_t>(plan->stages(), 1);  // a k-tile of no stage has the first one's
  for (std::int64_t stage = 0; stage < colors; ++stage) stages.push_back(scene.color(palette.category(stage, colors)));
  const ColorIndex wait = scene.color(on_page({214, 217, 222}, scene.page)), store = scene.color(on_page({236, 226, 240}, scene.page));
  const auto is_fetched = [&](const TimelineBar& bar) { return bar.track == Track::arriving && bar.stage < 0; };
  std::optional<ColorIndex> fetched;  // where tiles wait in registers for their stage
  if (std::any_of(timeline.bars.begin(), timeline.bars.end(), is_fetched)) fetched = scene.color(on_page({222, 235, 210}, scene.page));
  std::map<std::string, ColorIndex> works = colors_of_work(scene, palette, timeline.bars);
  Panel panel{"timeline", {}};
  const float bottom = add_lanes(scene, panel, *plan, timeline.bars, scale.right()), y = bottom + kAxis;
  TESSERA_CHECK(take_cells(static_cast<std::int64_t>(timeline.bars.size()), 0, "a timeline"));
  TimelineMarks marks;
  const std::optional<Overlapped> both = widest_overlap(timeline.bars);
  const std::string overlap = both ? add_overlap(scene, panel, timeline, *both) : std::string();
  add_time_axis(scene, panel, scale, -kBetween / 2, bottom + kBetween / 2);
  add_ways(panel, timeline, colors_of_arcs(scene, timeline, stages), marks);
  const std::array<ColorIndex, 2> parities = parity_fills(scene);
  std::vector<std::size_t> unnamed;
  for (std::size_t b = 0; b < timeline.bars.size(); ++b) {
    const TimelineBar& bar = timeline.bars[b];
    const bool of_k = bar.stage >= 0 || bar.k_tile >= 0;
    Cell cell{0, bar.y + kBetween / 2, 0, kLine - kBetween};
    cell.fill = bar.track == Track::phase     ? parities[static_cast<std::size_t>(bar.number % 2)]
                : bar.track == Track::waiting ? wait
                : bar.track == Track::working ? works[std::get<plan::Opaque>(bar.op->op).name]
                : is_fetched(bar)             ? *fetched
                : of_k                        ? stages[static_cast<std::size_t>(std::max<std::int64_t>(bar.stage, 0)) % stages.size()]
                                              : store;
    cell.subject = scene.add_words(whole_words_of(*plan, bar));
    if (!add_bar(scene, panel, scale, bar, cell, b, marks) && bar.track != Track::working) unnamed.push_back(b);  // work has a colour
  }
  std::vector<BesideName> names;
  for (const std::size_t b : unnamed) name_beside(scene, panel, scale, timeline.bars, timeline.bars[b], names);
  add_arcs(panel, timeline, colors_of_arcs(scene, timeline, stages), marks);
  add_cuts(scene, panel, scale, -2 * kBetween, bottom + kBetween, -0.75F);
  const auto has = [&](Track track) {
    return std::any_of(timeline.bars.begin(), timeline.bars.end(), [&](const TimelineBar& bar) { return bar.track == track; });
  };
  if (std::none_of(timeline.bars.begin(), timeline.bars.end(), [](const TimelineBar& b) { return b.k_tile >= 0; })) stages.clear();
  add_legend(scene, panel, stages, wait, store, has(Track::waiting), plan->has_smem(), has(Track::phase), plan->mma.has_value(), works,
             fetched, overlap, y + 0.6F);
  add_steps(scene, panel, *plan, timeline, marks);
  scene.panels.push_back(std::move(panel));
  std::string sentence = sentence_of(*plan, timeline, both);
  if (sentence == scene.title + ".") sentence.clear();  // it is said already
  add_captions(scene, spec, {std::move(sentence), notes_of(*plan, timeline, scale, too_many), {}, {}}, 1.35F);
  return scene;
}

Result<BarOperations> timeline_operations(const GemmPlan& plan) {
  TESSERA_TRY(run, simulate(plan, {}, kInTime));
  const std::vector<const plan::Op*> operations = operations_of(plan);
  BarOperations found;
  for (const TimelineBar& bar : collect_bars(plan, run.timeline).bars) {
    std::vector<std::int32_t>& numbers = found[whole_words_of(plan, bar)];
    for (const plan::Op* op : bar.ops)
      numbers.push_back(static_cast<std::int32_t>(std::find(operations.begin(), operations.end(), op) - operations.begin()));
  }
  return found;
}

}  // namespace tessera
