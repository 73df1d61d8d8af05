// SPDX-License-Identifier: BSD-3-Clause
// banks_figure: which word of which bank each wavefront serves, and the lanes that ask for it. What PTX's instructions ask for, and how the
// hardware groups lanes, is written here a second time.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Plain;
using tessera::attack::Tree;

namespace {

constexpr int kLanes = 32, kBanks = 32;

// One warp's instructions over a matrix, one mode of which has its elements beside each other.
struct Access {
  Int rows = 0, cols = 0, pitch = 0;  // rows: across the elements that lie beside each other
  bool row_major = true;
  tessera::attack::Bits swizzle;  // b = 0: none
  Int offset = 0, bits = 16, wide = 128;
  bool store = false;
  int matrices = 0;  // of ldmatrix; 0: loads or stores
  Int asked = -1;    // instruction
  Plain layout() const {
    return row_major ? Plain{std::vector<Tree>{rows, cols}, std::vector<Tree>{pitch, 1}}
                     : Plain{std::vector<Tree>{cols, rows}, std::vector<Tree>{1, pitch}};
  }
  std::string text() const {
    return swizzle.b > 0 ? fmt::format("Sw<{},{},{}> o {} o {}", swizzle.b, swizzle.m, swizzle.s, offset, to_text(layout()))
                         : to_text(layout());
  }
  Int byte(Int row, Int col) const {
    const Int at = row * pitch + col;
    return (swizzle.b > 0 ? tessera::attack::at(swizzle, offset + at) : at) * bits / 8;
  }
  Int at_once() const { return matrices > 0 ? 128 / bits : wide / bits; }
  Int bytes() const { return matrices > 0 ? 16 : wide / 8; }
};

// Of each instruction, the byte that each lane begins at; -1: it takes no part.
std::vector<std::vector<Int>> instructions_of(const Access& of) {
  std::vector<std::vector<Int>> made;
  if (of.matrices == 0) {
    const Int vectors = of.cols / of.at_once(), all = vectors * of.rows;
    for (Int i = 0; i < all; ++i) {
      if (i % kLanes == 0) made.emplace_back(kLanes, -1);
      made.back()[static_cast<std::size_t>(i % kLanes)] = of.byte(i / vectors, i % vectors * of.at_once());
    }
    return made;
  }
  // Matrices two beside each other where there is room, and the others below: they are counted down first.
  const Int beside = of.matrices > 1 && of.cols >= 2 * of.at_once() ? 2 : 1, below = of.matrices / beside;
  for (Int down = 0; down < of.rows; down += 8 * below) {
    for (Int across = 0; across < of.cols; across += beside * of.at_once()) {
      made.emplace_back(kLanes, -1);
      for (Int lane = 0; lane < 8 * of.matrices; ++lane) {
        const Int matrix = lane / 8;
        made.back()[static_cast<std::size_t>(lane)] = of.byte(down + matrix % below * 8 + lane % 8, across + matrix / below * of.at_once());
      }
    }
  }
  return made;
}

struct Served {
  Int word = 0;
  std::vector<Int> lanes;
};
struct Phase {
  Int first = 0, lanes = 0;
  std::map<Int, std::vector<Served>> of_bank;
  Int wavefronts() const {
    std::size_t most = 0;
    for (const auto& [bank, words] : of_bank) most = std::max(most, words.size());
    return static_cast<Int>(most);
  }
  Int least() const {
    std::size_t words = 0;
    for (const auto& [bank, of] : of_bank) words += of.size();
    return static_cast<Int>((words + kBanks - 1) / kBanks);
  }
};

// 32 lanes together up to 4 bytes each, 16 of 8 bytes, 8 of 16 bytes; twice as many of a load whose neighbours, or lanes two apart, have
// the same address. Of a matrix its 8 rows.
std::vector<Phase> phases_of(const Access& of, const std::vector<Int>& address) {
  const auto pairs = [&](std::size_t apart) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Int mine = address[lane], other = address[lane ^ apart];
      if (mine >= 0 && other >= 0 && mine != other) return false;
    }
    return true;
  };
  Int together = of.matrices > 0 ? 8 : of.bytes() <= 4 ? 32 : of.bytes() == 8 ? 16 : 8;
  if (of.matrices == 0 && of.bytes() > 4 && !of.store && (pairs(1) || pairs(2))) together *= 2;
  std::vector<Phase> made;
  for (Int first = 0; first < kLanes; first += together) {
    Phase phase{first, together, {}};
    for (Int lane = first; lane < first + together; ++lane) {
      const Int begin = address[static_cast<std::size_t>(lane)];
      for (Int word = begin / 4; begin >= 0 && word * 4 < begin + of.bytes(); ++word) {
        std::vector<Served>& here = phase.of_bank[word % kBanks];
        const auto same = std::find_if(here.begin(), here.end(), [&](const Served& each) { return each.word == word; });
        if (same == here.end())
          here.push_back({word, {lane}});
        else
          same->lanes.push_back(lane);
      }
    }
    if (!phase.of_bank.empty()) made.push_back(std::move(phase));
  }
  return made;
}

std::pair<Int, Int> wavefronts_of(const std::vector<Phase>& phases) {
  Int count = 0, least = 0;
  for (const Phase& phase : phases) count += phase.wavefronts(), least += phase.least();
  return {count, least};
}

std::string name_of(const Access& of) {
  if (of.matrices > 0) return fmt::format("ldmatrix.x{}", of.matrices);
  const std::string name = of.store ? "STS" : "LDS";
  return of.wide == 32 ? name : of.wide < 32 ? fmt::format("{}.U{}", name, of.wide) : fmt::format("{}.{}", name, of.wide);
}

std::string wrong_in_phase(const Picture& picture, const Access& of, const std::vector<Phase>& phases, std::size_t number, Int above,
                           bool names) {
  const Phase& phase = phases[number];
  WantedCells wanted;
  for (Int row = 0; row < phase.wavefronts(); ++row) {
    for (Int bank = 0; bank < kBanks; ++bank) {
      Wanted cell;
      Link link;
      link.row = row, link.col = bank, link.tensor = of.text();
      const auto here = phase.of_bank.find(bank);
      if (here != phase.of_bank.end() && row < static_cast<Int>(here->second.size())) {
        const Served& served = here->second[static_cast<std::size_t>(row)];
        cell.label = fmt::format("T{}", served.lanes.front());
        if (served.lanes.size() > 1) cell.label += fmt::format("\n+{}", served.lanes.size() - 1);
        if (names) cell.label += fmt::format("\nw{}", served.word);
        link.offset = served.word * 32 / of.bits, link.bank = bank;
        for (const Int lane : served.lanes) link.thread = lane, cell.links.push_back(link);
      } else {
        cell.links.push_back(link);
      }
      wanted[{row, bank}] = cell;
    }
  }
  const PanelDrawn* panel = picture.panel(fmt::format("phase{}", number));
  if (panel == nullptr) return fmt::format("phase {} is not drawn", number);
  const Place place = place_of(*panel);
  const auto [count, least] = wavefronts_of(phases);
  const std::string lanes = fmt::format("{}lanes {}-{}", phases.size() > 1 && count > least ? fmt::format("phase {}, ", number) : "",
                                        phase.first, phase.first + phase.lanes - 1);
  const bool named = std::any_of(panel->labels.begin(), panel->labels.end(), [&](const LabelDrawn& label) { return label.text == lanes; });
  if (!named) return fmt::format("nothing says \"{}\"", lanes);
  return first_of({wrong_cells(*panel, wanted, place),
                   wrong_axes(
                       *panel, place, phase.wavefronts(), kBanks, [&](Int row) { return std::to_string(above + row); },
                       [&](Int col) { return number == 0 ? std::to_string(col) : std::string(); })});
}

std::string wrong_banks(const Picture& picture, const Access& of) {
  const std::vector<std::vector<Int>> all = instructions_of(of);
  std::size_t drawn = of.asked >= 0 ? static_cast<std::size_t>(of.asked) : 0;
  for (std::size_t i = all.size(); of.asked < 0 && i-- > 0;) {
    const auto [count, least] = wavefronts_of(phases_of(of, all[i]));
    if (count > least) drawn = i;
  }
  const std::vector<Phase> phases = phases_of(of, all[drawn]);
  const auto [count, least] = wavefronts_of(phases);
  bool names = count > least;
  for (const Phase& phase : phases) {
    for (const auto& [bank, words] : phase.of_bank) {
      for (const Served& word : words) names = names && word.lanes.size() == 1 && word.word <= 999;
    }
  }
  Int above = 0;
  for (std::size_t number = 0; number < phases.size(); ++number) {
    if (std::string wrong = wrong_in_phase(picture, of, phases, number, above, names); !wrong.empty()) return wrong;
    above += phases[number].wavefronts();
  }
  if (picture.panel(fmt::format("phase{}", phases.size())) != nullptr) return "there is a phase too many";
  std::vector<std::string> words;
  if (all.size() > 1) {
    words.push_back(fmt::format("drawn: instruction {} of {} of warp 0", drawn, all.size()));
    Int units = 0, needed = 0;
    for (const std::vector<Int>& each : all) {
      const auto [more, most] = wavefronts_of(phases_of(of, each));
      units += more, needed += most;
    }
    words.push_back(fmt::format("in all, {} takes {}", name_of(of), count_of(units, "wavefront")));
  }
  const std::string heading = phases.size() == 1 && least == 1 && count > 1
                                  ? fmt::format("{}: {}-way bank conflict, {} wavefronts", name_of(of), count, count)
                              : count == least ? fmt::format("{}: {}, no conflict", name_of(of), count_of(count, "wavefront"))
                                               : fmt::format("{}: {}, {} needed", name_of(of), count_of(count, "wavefront"), least);
  const std::vector<LabelDrawn>& labels = picture.panel("phase0")->labels;
  const bool said = std::any_of(labels.begin(), labels.end(), [&](const LabelDrawn& label) { return label.text == heading; });
  if (!said) return fmt::format("nothing says \"{}\"", heading);
  return wrong_words(picture, words);
}

Access some_access(Dice& dice) {
  for (;;) {
    Access of;
    of.bits = dice.of({4, 8, 16, 16, 32, 64, 128});
    of.wide = dice.of({8, 16, 32, 64, 128});
    if (dice.one_in(3)) of.matrices = static_cast<int>(dice.of({1, 2, 4}));
    if (of.matrices == 0 && of.wide < of.bits) continue;
    if (of.matrices > 0 && of.bits > 32) continue;
    const Int unit = of.at_once();
    of.rows = of.matrices > 0 ? 8 * dice.of({1, 2, 4}) * (of.matrices == 1 ? 1 : of.matrices / 2) : dice.of({2, 3, 4, 8, 16, 32, 33});
    of.cols = unit * (of.matrices > 1 ? 2 : 1) * dice.of({1, 2, 4, 8});
    if (of.cols < 2) continue;  // which mode has neighbours would not be seen
    of.pitch = of.cols + unit * dice.of({0, 0, 1, 2, 8, 32});
    of.row_major = dice.one_in(2);
    of.store = of.matrices == 0 && dice.one_in(2);
    if (dice.one_in(2)) {
      of.swizzle = tessera::attack::some_swizzle(dice);
      while ((Int{1} << of.swizzle.m) < unit) ++of.swizzle.m;
      of.offset = unit * dice.of({0, 0, 0, 1, 5});
    }
    const auto count = static_cast<Int>(instructions_of(of).size());
    if (count > 64) continue;
    if (dice.one_in(3)) of.asked = dice.up_to(count - 1);
    return of;
  }
}

}  // namespace

TEST_CASE("a picture of banks has every word in its bank, and the lanes that ask for it", "[pictures]") {
  Dice dice(213);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Access of = some_access(dice);
    const std::string by = of.matrices > 0 ? fmt::format("SM75_U32x{}_LDSM_N", of.matrices) : std::to_string(of.wide);
    std::string figure = fmt::format("banks_figure({}, {}, bits={}", by, of.text(), of.bits);
    if (of.matrices == 0 && of.store) figure += ", op=store";
    if (of.asked >= 0) figure += fmt::format(", instruction={}", of.asked);
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_banks(picture, of); }});
  }
  hold("banks", cases);
}
