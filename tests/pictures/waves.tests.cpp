// SPDX-License-Identifier: BSD-3-Clause
// waves_figure: which CTA computes each tile of C, in which wave, and how full each wave is.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;

namespace {

struct Waves {
  std::string text;
  Int rows = 0, columns = 0, places = 0;
  std::map<std::pair<Int, Int>, std::pair<Int, Int>> tiles;  // (m, n) -> CTA, wave
  std::map<Int, Int> sizes;                                  // wave -> tiles
};

// An H100 has 132 multiprocessors, each of 2048 threads, 32 CTAs and 228 KiB of shared memory, of which a CTA takes 1 KiB more than it
// asks.
Int places_of(const tessera::GemmPlan& plan) {
  const Int by_threads = 2048 / ((plan.threads + 31) / 32 * 32), by_memory = 228 * 1024 / ((plan.smem_bytes + 127) / 128 * 128 + 1024);
  return 132 * std::min({by_threads, by_memory, Int{32}});
}

// CTAs begin in the order of their numbers. One that takes several tiles takes every grid-th, as its program says.
Waves waves_of(std::string text, const tessera::GemmPlan& plan) {
  Waves of{std::move(text), plan.m_tiles, plan.n_tiles, places_of(plan), {}, {}};
  const Int all = plan.m_tiles * plan.n_tiles, rounds = (all + plan.grid - 1) / plan.grid;
  for (Int cta = 0; cta < plan.grid; ++cta) {
    for (Int tile = cta, round = 0; tile < all; tile += plan.grid, ++round) {
      // Of groups of M-tiles, in each of which all tiles of N are walked.
      Int group = plan.raster_group;
      while (plan.m_tiles % group != 0) --group;
      const Int m = tile % group + tile / (group * plan.n_tiles) * group, n = tile / group % plan.n_tiles;
      const Int wave = cta / of.places * rounds + round;
      of.tiles[{m, n}] = {cta, wave};
      ++of.sizes[wave];
    }
  }
  return of;
}

std::string wrong_waves(const Picture& picture, const Waves& of) {
  const PanelDrawn* grid = picture.panel("grid");
  const PanelDrawn* bars = picture.panel("waves");
  if (!grid || !bars) return "a panel is missing";
  std::map<Int, std::string> fills;  // of a wave's hue
  std::map<std::pair<Int, Int>, int> seen;
  double width = 0;
  for (const CellDrawn& cell : grid->cells) width = std::max(width, cell.w);
  for (const CellDrawn& cell : grid->cells) {
    const std::pair<Int, Int> at{std::lround(cell.y), std::lround(cell.x / width)};
    const auto found = of.tiles.find(at);
    if (found == of.tiles.end() || ++seen[at] > 1 || !near(cell.y, static_cast<double>(at.first)) ||
        std::abs(cell.x - width * static_cast<double>(at.second)) > 0.01)
      return fmt::format("a cell at {}, {}", cell.x, cell.y);
    const auto [cta, wave] = found->second;
    if (cell.label != std::to_string(wave)) return fmt::format("({},{}) is said to be of wave {}", at.first, at.second, cell.label);
    const std::string words = fmt::format("tile ({},{}) of C, by CTA {} in wave {}", at.first, at.second, cta, wave);
    if (cell.links.empty() || cell.links.front().words != words) return fmt::format("({},{}) does not say: {}", at.first, at.second, words);
    const auto [fill, is_new] = fills.try_emplace(wave % 8, cell.fill);
    if (fill->second != cell.fill) return fmt::format("({},{}) has another colour than its wave", at.first, at.second);
  }
  if (seen.size() != of.tiles.size()) return fmt::format("{} tiles of {}", seen.size(), of.tiles.size());
  if (std::string wrong = wrong_axes(*grid, {0, 0, width}, of.rows, of.columns, number, number); !wrong.empty()) return wrong;

  // Bars: each wave has one, of its colour as far as it is full.
  const auto waves = static_cast<Int>(of.sizes.size());
  std::map<std::string, std::vector<const CellDrawn*>> parts;  // by their words, from left to right
  for (const CellDrawn& cell : bars->cells) {
    if (cell.links.empty()) return "a bar says nothing";
    parts[cell.links.front().words].push_back(&cell);
  }
  double left = 0, whole = 0, above = -1;
  Int drawn = 0, used = 0;
  for (const auto& [wave, size] : of.sizes) {
    used += size;
    if (waves > 10 && wave >= 7 && wave < waves - 2) continue;
    const auto found = parts.find(fmt::format("wave {}: {} of {} places have a CTA", wave, size, of.places));
    if (found == parts.end()) return fmt::format("wave {} has no bar of {}", wave, size);
    std::vector<const CellDrawn*>& own = found->second;
    std::sort(own.begin(), own.end(), [](const CellDrawn* a, const CellDrawn* b) { return a->x < b->x; });
    if (own.size() != (size == of.places ? 1U : 2U)) return fmt::format("the bar of wave {} has {} parts", wave, own.size());
    const double end = own.back()->x + own.back()->w;
    if (drawn++ == 0) left = own[0]->x, whole = end - left;
    if (std::abs(own[0]->x - left) > 0.01 || std::abs(end - left - whole) > 0.02 || own[0]->y <= above || own.back()->y != own[0]->y)
      return fmt::format("the bar of wave {} stands elsewhere", wave);
    if (std::abs(own[0]->w - whole * static_cast<double>(size) / static_cast<double>(of.places)) > 0.02)
      return fmt::format("the bar of wave {} is {} of {} wide", wave, own[0]->w, whole);
    if (fills.at(wave % 8) != own[0]->fill) return fmt::format("the bar of wave {} has another colour", wave);
    const std::string said = fmt::format("{} of {}", size, of.places);
    const auto beside = [&](const LabelDrawn& label) { return label.text == said && std::abs(label.y - own[0]->y - own[0]->h / 2) < 0.01; };
    if (std::none_of(bars->labels.begin(), bars->labels.end(), beside)) return fmt::format("{} does not stand beside wave {}", said, wave);
    above = own[0]->y;
  }
  if (drawn != static_cast<Int>(parts.size())) return fmt::format("{} bars of {}", parts.size(), drawn);
  const Int room = waves * of.places;
  return wrong_words(picture,
                     {fmt::format("{} tile{} take {} wave{} of {} places: {} % of the places have work.", used, used == 1 ? "" : "s", waves,
                                  waves == 1 ? "" : "s", of.places, (200 * used + room) / (2 * room))});
}

Waves some_waves(Dice& dice) {
  for (;;) {
    const Int tile = dice.of({16, 32, 64}), m = dice.between(1, 24), n = dice.between(1, 24), tiles = m * n;
    const Int ctas = dice.one_in(2) ? 0 : dice.between(1, std::min<Int>(tiles, 132));
    std::string text =
        fmt::format("gemm(m={}, n={}, k=32, mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (1,1,1), ({},{},16)), cta_tiler=({},{},16)",
                    tile * m, tile * n, std::min<Int>(tile, 32), std::min<Int>(tile, 32), tile, tile);
    if (ctas > 0) text += fmt::format(", ctas={}", ctas);
    text += ")";
    const auto value = tessera::evaluate(text);
    if (!value) continue;
    const auto plan = tessera::lower(*std::get<std::shared_ptr<const tessera::GemmSpec>>(value->any));
    if (plan) return waves_of(std::move(text), *plan);
  }
}

}  // namespace

TEST_CASE("a grid's waves are its CTAs in their order, as many at once as the device has places", "[pictures]") {
  Dice dice(311);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Waves of = some_waves(dice);
    cases.push_back({fmt::format("waves_figure({})", of.text), [of](const Picture& picture) { return wrong_waves(picture, of); }});
  }
  hold("waves", cases);
}
