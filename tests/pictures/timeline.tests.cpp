// SPDX-License-Identifier: BSD-3-Clause
// timeline_figure: bars of a GEMM's operations, by the events of its simulation.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;

namespace {

// What a bar is: of which role, what it does, to which k-tile (or to which tile of C, where it stores), in which stage.
struct Bar {
  std::string role, does;  // "copies", "loads", "multiplies", "stores"
  Int of = 0, stage = -1;
  friend auto operator<=>(const Bar&, const Bar&) = default;
};
using Steps = std::pair<Int, Int>;

struct Gemm {
  std::string text;
  std::map<std::tuple<Bar, Int>, Steps> bars;  // Int: the tile of C
  Int k_tiles = 0;
};

// Bars of the first CTA by the simulation: an operation is what its tensors are.
std::map<std::tuple<Bar, Int>, Steps> bars_of(const tessera::GemmPlan& plan, const std::vector<tessera::Event>& events) {
  std::map<std::tuple<Bar, Int>, Steps> bars;
  for (const tessera::Event& event : events) {
    if (event.cta != 0) continue;
    std::string does;
    if (const auto* copy = std::get_if<tessera::plan::Copy>(&event.op->op)) {
      const auto& from = plan.tensors[plan.partitions[copy->from.partition].tensor];
      const auto& to = plan.tensors[plan.partitions[copy->to.partition].tensor];
      const bool of_c = from.operand == tessera::Operand::c || to.operand == tessera::Operand::c;
      const bool loads = from.space == tessera::plan::Space::shared || plan.is_fragment(copy->to);
      does = of_c ? "stores" : loads ? "loads" : "copies";
    } else if (std::holds_alternative<tessera::plan::Mma>(event.op->op)) {
      does = "multiplies";
    } else if (std::holds_alternative<tessera::plan::Convert>(event.op->op)) {
      does = "stores";
    } else {
      continue;
    }
    const bool stores = does == "stores";
    const Int tile = !stores && event.fill >= 0 ? event.fill / plan.k_tiles : event.tile;
    if (tile >= 2) continue;  // the first two tiles of C are drawn
    const Int of = stores ? tile : event.fill >= 0 ? event.fill % plan.k_tiles : -1;
    const Bar bar{plan.roles[static_cast<std::size_t>(event.role)].name, does, of, stores ? -1 : event.stage};
    const auto [found, is_new] = bars.try_emplace({bar, tile}, Steps{event.start, event.end});
    found->second = {std::min(found->second.first, event.start), std::max(found->second.second, event.end)};
  }
  return bars;
}

std::string wrong_timeline(const Picture& picture, const Gemm& of) {
  const PanelDrawn& panel = picture.panels.front();
  // Steps stand at their numbers: all as wide, where nothing is cut out.
  std::map<double, double> ticks;
  for (const LabelDrawn& label : panel.labels) {
    char* end = nullptr;
    const double step = std::strtod(label.text.c_str(), &end);
    if (label.role == "axis" && label.anchor == "center" && *end == '\0') ticks[step] = label.x;
  }
  if (ticks.size() < 2) return "steps have no numbers";
  const double each = (ticks.rbegin()->second - ticks.begin()->second) / (ticks.rbegin()->first - ticks.begin()->first);
  const auto place = [&](Int step) { return ticks.begin()->second + each * (static_cast<double>(step) - ticks.begin()->first); };
  for (const auto& [step, x] : ticks) {
    if (std::abs(place(static_cast<Int>(step)) - x) > 0.02) return fmt::format("step {} stands beside its place", step);
  }
  std::map<std::tuple<std::string, std::string, Int, Int, Int, Int>, int> wanted, drawn;  // role, does, of, stage, first and last step
  for (const auto& [key, steps] : of.bars) {
    const Bar& bar = std::get<0>(key);
    ++wanted[{bar.role, bar.does, bar.of, bar.does == "copies" ? bar.stage : -1, steps.first, steps.second}];
  }
  std::map<std::string, std::vector<double>> lanes;  // middles of lines, by their names
  for (const LabelDrawn& label : panel.labels) {
    if (label.role == "axis" && label.anchor == "right") lanes[label.text].push_back(label.y);
  }
  for (const CellDrawn& cell : panel.cells) {
    if (cell.links.empty()) continue;
    const std::string& words = cell.links.front().words;
    const std::size_t steps = words.rfind(", steps ");
    Int first = 0, last = 0;
    char more = 0;
    long long a = 0, b = 0;
    if (steps == std::string::npos || std::sscanf(words.c_str() + steps, ", steps %lld to %lld%c", &a, &b, &more) != 2)
      return "a bar says " + words;
    first = a, last = b;
    if (std::abs(cell.x - place(first)) > 0.02 || std::abs(cell.x + cell.w - std::max(place(last), cell.x + 0.2)) > 0.03)
      return fmt::format("{} stands from {} to {}", words, cell.x, cell.x + cell.w);
    const std::size_t role_end = words.find(' ', 7);  // behind "CTA 0, "
    const std::string role = words.substr(7, role_end - 7), does = words.substr(role_end + 1, words.find(' ', role_end + 1) - role_end - 1);
    const auto number_behind = [&](const char* what) {
      const std::size_t at = words.find(what);
      return at == std::string::npos ? Int{-1} : static_cast<Int>(std::atoll(words.c_str() + at + std::string(what).size()));
    };
    if (does == "waits") continue;
    const Int k_tile = number_behind(" k_tile "), stage = number_behind(" to stage "), tile = number_behind(" tile ");
    ++drawn[{role, does, does == "stores" ? tile : k_tile, does == "copies" ? stage : -1, first, last}];
    const std::string number = does == "stores" ? fmt::format("tile {} of C", tile) : std::to_string(k_tile);
    if (!cell.label.empty() && cell.label != number && cell.label != fmt::format("C {}", tile))
      return fmt::format("{} has the number {}", words, cell.label);
    // It is in its lane.
    const std::string lane = does == "copies"       ? (stage >= 0 ? fmt::format("copy to stage {}", stage) : "copy to registers")
                             : does == "loads"      ? "load fragments"
                             : does == "multiplies" ? "multiply"
                                                    : "store C";
    const double middle = cell.y + cell.h / 2;
    if (std::none_of(lanes[lane].begin(), lanes[lane].end(), [&](double y) { return std::abs(y - middle) < 1.4; }))
      return words + " is not in the lane " + lane;
  }
  for (const auto& [bar, count] : wanted) {
    const auto found = drawn.find(bar);
    if (found == drawn.end() || found->second != count)
      return fmt::format("{} {} {} (stage {}) from step {} to {} is not drawn", std::get<0>(bar), std::get<1>(bar), std::get<2>(bar),
                         std::get<3>(bar), std::get<4>(bar), std::get<5>(bar));
  }
  if (drawn.size() != wanted.size()) return fmt::format("{} bars of {}", drawn.size(), wanted.size());
  // Each arrow ends at a bar.
  for (const StrokeDrawn& arrow : panel.arrows) {
    const bool ends = std::any_of(panel.cells.begin(), panel.cells.end(), [&](const CellDrawn& cell) {
      const bool beside = arrow.x1 > cell.x - 0.02 && arrow.x1 < cell.x + cell.w + 0.02;
      return !cell.links.empty() && beside && arrow.y1 >= cell.y - 0.02 && arrow.y1 <= cell.y + cell.h + 0.02;
    });
    if (!ends) return fmt::format("an arrow ends at {}, {}, where no bar begins", arrow.x1, arrow.y1);
  }
  return wrong_words(picture,
                     {fmt::format("number in a bar: the k-tile{}", of.k_tiles > 1 ? fmt::format(", 0 to {}", of.k_tiles - 1) : "")});
}

Gemm some_gemm(Dice& dice) {
  const std::vector<std::string> mmas{"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,1), (32,32,16))",
                                      "make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN, (2,1,1):(1,2,2), (32,16,8))"};
  for (;;) {
    Gemm of;
    const Int tile = dice.of({32, 64}), k = dice.of({16, 32}), tiles = dice.between(1, 6);
    of.text = fmt::format("gemm(m={}, n={}, k={}, mma={}, cta_tiler=({},{},{}), stages={})", tile * dice.between(1, 2), tile, k * tiles,
                          dice.of(mmas), tile, tile, k, dice.between(1, 4));
    const auto value = tessera::evaluate(of.text);
    if (!value) continue;
    const auto plan = tessera::lower(*std::get<std::shared_ptr<const tessera::GemmSpec>>(value->any));
    if (!plan) continue;
    const auto run = tessera::simulate(*plan, {}, {.ctas = 1, .trace = false, .timeline = true, .values = false});
    if (!run) continue;
    of.bars = bars_of(*plan, run->timeline), of.k_tiles = plan->k_tiles;
    if (of.bars.size() > 150) continue;
    // A long stretch in which nothing begins or ends is cut out, and steps are not all as wide then.
    std::vector<Int> times{0};
    for (const auto& [bar, steps] : of.bars) times.insert(times.end(), {steps.first, steps.second});
    std::sort(times.begin(), times.end());
    Int longest = 0;
    for (std::size_t t = 1; t < times.size(); ++t) longest = std::max(longest, times[t] - times[t - 1]);
    if (longest > 30) continue;
    return of;
  }
}

}  // namespace

TEST_CASE("a timeline's bars are the operations of the simulation, from their first step to their last", "[pictures]") {
  Dice dice(227);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Gemm of = some_gemm(dice);
    const std::string all = of.k_tiles > 1 ? fmt::format("0-{}", of.k_tiles - 1) : "0";
    cases.push_back({fmt::format("timeline_figure({}, k_tiles=\"{}\")", of.text, all),
                     [of](const Picture& picture) { return wrong_timeline(picture, of); }});
  }
  hold("timeline", cases);
}
