// SPDX-License-Identifier: BSD-3-Clause
// What the law checks share: holding a printed layout against the values that a definition gives.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/attack/attack.hpp"

namespace tessera::attack {

// Each mode of `finer` has the size of the mode of `coarser` that it stands for.
inline bool refines(const Tree& coarser, const Tree& finer) {
  if (!coarser.tuple) return product(finer) == coarser.value;
  if (!finer.tuple || finer.modes.size() != coarser.modes.size()) return false;
  for (std::size_t k = 0; k < coarser.modes.size(); ++k) {
    if (!refines(coarser.modes[k], finer.modes[k])) return false;
  }
  return true;
}

// The layout has exactly these values, from coordinate 0 on.
inline bool has_values(const Function& made, const std::vector<Int>& expected, Int offset = 0) {
  if (size(made) != static_cast<Int>(expected.size())) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (at(made, static_cast<Int>(i)) + offset != expected[i]) return false;
  }
  return true;
}

inline Verdict verdict(bool right) { return right ? Verdict::right : Verdict::wrong; }

// A printed value against expected values. Text that is no layout is wrong whatever it says.
inline Verdict values_verdict(const Answer& answer, const std::vector<Int>& expected) {
  const auto made = read_function(answer.text);
  return verdict(made && has_values(*made, expected));
}

// Of CuTe's own layout, for weighing a refusal.
inline Verdict cutes_verdict(const std::optional<Plain>& cutes, const std::vector<Int>& expected) {
  return cutes && has_values(plain(*cutes), expected) ? Verdict::right : Verdict::open;
}

// The values of functions beside each other: the sum over the modes, first mode fastest.
inline std::vector<Int> sums(const std::vector<std::vector<Int>>& modes) {
  std::vector<Int> all{0};
  for (const auto& values : modes) {
    std::vector<Int> next;
    next.reserve(all.size() * values.size());
    for (const Int v : values) {
      for (const Int before : all) next.push_back(before + v);
    }
    all = std::move(next);
  }
  return all;
}

// A tiler by mode: for each of its modes an integer, a layout or `_` (no layout).
struct Tiler {
  bool by_mode = false;
  std::vector<std::optional<Plain>> modes;  // not by mode: one
  std::vector<std::string> words;

  std::string text() const {
    if (!by_mode) return words[0];
    std::string all = "(";
    for (std::size_t k = 0; k < words.size(); ++k) all += (k ? "," : "") + words[k];
    return all + ")";
  }
};

inline void add_mode(Tiler& tiler, Dice& dice, bool may_keep) {
  if (may_keep && dice.one_in(6)) {
    tiler.modes.emplace_back(std::nullopt);
    tiler.words.emplace_back("_");
  } else if (dice.one_in(2)) {
    const Int n = dice.of({1, 2, 2, 3, 4, 4, 5, 6, 8, 16});
    tiler.modes.emplace_back(Plain{n, n == 1 ? 0 : 1});
    tiler.words.push_back(std::to_string(n));
  } else {
    Plain layout;
    do layout = dice.one_in(3) ? wild_layout(dice, 2) : Plain{dice.of({1, 2, 3, 4, 6, 8}), dice.of({0, 1, 1, 2, 2, 3, 4, 6, 8})};
    while (size(layout) > 64);
    tiler.words.push_back(to_text(layout));
    tiler.modes.emplace_back(std::move(layout));
  }
}

// For a layout of this rank; by mode when it is a tuple, then of at most that rank.
inline Tiler some_tiler(Dice& dice, std::size_t rank, bool may_keep) {
  Tiler tiler;
  tiler.by_mode = dice.one_in(2);
  const Int modes = tiler.by_mode ? dice.between(1, static_cast<Int>(rank)) : 1;
  for (Int k = 0; k < modes; ++k) add_mode(tiler, dice, tiler.by_mode && may_keep);
  return tiler;
}

}  // namespace tessera::attack
