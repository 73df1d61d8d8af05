// SPDX-License-Identifier: BSD-3-Clause
// Random tiled MMAs: over all threads and values, a partition meets each element of a tensor as often as the atom does, and each thread's
// part is where the definition says; where it is not, a word says so.
//
//   element of ((v, (tm, tk)), (f, (rm, rk)))  =  T( P_m(a_m + AtomM * (tm + ThrM * rm)), P_k(a_k + AtomK * (tk + ThrK * rk)) )
//   with (a_m, a_k) from the atom's (thr, val) -> (m, k), and P the permutation beside its complement
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/layout/print.hpp"
#include "tests/attack/laws.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::attack;

namespace {

constexpr Int kMostElements = 1 << 17;  // (thread, value) pairs of one operand

struct Operand {
  char letter;
  int row, column;  // of M, N, K
};
constexpr Operand kOperands[] = {{'A', 0, 2}, {'B', 1, 2}, {'C', 0, 1}};

struct RandomMma {
  std::string text;
  Plain thr_id, of[3];           // (thr, val) -> (row, column) of A, B, C
  Int atom_size[3], threads[3];  // M, N, K
  Plain atom_layout;
  std::optional<Plain> permutation[3];

  bool whole_tile(std::size_t k) const { return !permutation[k] || size(*permutation[k]) % (atom_size[k] * threads[k]) == 0; }
};

Plain read_plain(const std::string& text) { return std::get<Plain>(read_function(text)->inner); }

std::optional<RandomMma> some_mma(Dice& dice, const std::vector<std::string>& names) {
  RandomMma mma;
  const std::string& name = dice.of(names);
  const auto atom = tessera::find_mma_atom(name);
  if (!atom || !atom->refusal_a.empty() || atom->sparse) return std::nullopt;
  mma.thr_id = read_plain(tessera::to_string(atom->thr_id));
  mma.of[0] = read_plain(tessera::to_string(atom->layout_a));
  mma.of[1] = read_plain(tessera::to_string(atom->layout_b));
  mma.of[2] = read_plain(tessera::to_string(atom->layout_c));
  for (std::size_t k = 0; k < 3; ++k) mma.atom_size[k] = tessera::shape_extent(*atom, k);
  // Threads side by side, the modes in any order: every one of them has its own place.
  std::vector<std::size_t> order{0, 1, 2};
  for (std::size_t k = 3; k-- > 1;) std::swap(order[k], order[static_cast<std::size_t>(dice.up_to(static_cast<Int>(k)))]);
  std::vector<Plain> modes(3);
  Int reached = 1;
  for (const std::size_t k : order) {
    const Int extent = size(mma.thr_id) > 32 ? dice.of({1, 1, 2}) : dice.of({1, 1, 2, 2, 3, 4});
    modes[k] = {extent, extent == 1 ? 0 : reached};
    mma.threads[k] = extent;
    reached *= extent;
  }
  mma.atom_layout = beside(modes);
  std::string permutations;
  for (std::size_t k = 0; k < 3; ++k) {
    const Int least = mma.atom_size[k] * mma.threads[k];
    std::string words = "_";
    if (dice.one_in(3)) {
      Plain p{least * dice.of({1, 1, 2}), 1};
      if (dice.one_in(2) && p.shape.value % 8 == 0)
        p = beside({{8, 1},
                    {p.shape.value / 8 / 2 * 2 == p.shape.value / 8 ? 2 : 1, p.shape.value / 2},
                    {p.shape.value / 8 / 2 * 2 == p.shape.value / 8 ? p.shape.value / 16 : p.shape.value / 8, 8}});
      if (dice.one_in(12)) p = {std::max<Int>(1, least / 2), 1};
      words = p.shape.tuple ? to_text(p) : std::to_string(p.shape.value);
      mma.permutation[k] = std::move(p);
    }
    permutations += (k ? "," : "") + words;
  }
  mma.text = fmt::format("make_tiled_mma({}, {}, ({}))", name, to_text(mma.atom_layout), permutations);
  return mma;
}

// A tensor whose values tell its elements apart: modes of about the tile's extents, now and then not divided by it, or in two parts.
Plain some_tensor(Dice& dice, const RandomMma& mma, const Operand& operand) {
  std::vector<Plain> modes(2);
  std::vector<Int> extents;
  for (const int k : {operand.row, operand.column}) {
    const auto at = static_cast<std::size_t>(k);
    const Int tile = std::max(mma.atom_size[at] * mma.threads[at], mma.permutation[at] ? size(*mma.permutation[at]) : 1);
    extents.push_back(tile * dice.of({1, 1, 1, 2, 3}) + (dice.one_in(12) ? dice.between(1, 5) : 0));
  }
  const std::size_t first = static_cast<std::size_t>(dice.up_to(1));
  Int reached = 1;
  for (const std::size_t k : {first, 1 - first}) {
    const Int extent = extents[k];
    const Int part = dice.of({2, 3, 4, 6, 8, 12, 24});
    if (dice.one_in(3) && extent % part == 0 && extent > part) {
      const bool swapped = dice.one_in(2);
      modes[k] = beside({{part, swapped ? reached * (extent / part) : reached}, {extent / part, swapped ? reached : reached * part}});
    } else {
      modes[k] = {extent, reached};
    }
    reached *= extent;
  }
  return beside(modes);
}

// Places of a mode in the order in which atoms and threads take them: the permutation, then what it leaves.
std::optional<std::vector<Int>> places(const std::optional<Plain>& permutation, Int tile, const Plain& mode) {
  const Plain p = permutation.value_or(Plain{tile, tile == 1 ? 0 : 1});
  const auto rest = complement(p, coalesce(mode).shape);
  if (!rest) return std::nullopt;
  return sums({image(p), image(*rest)});
}

struct Expected {
  std::vector<Int> values;     // of thrfrg, first mode fastest; empty where the definition has no whole number of atoms
  bool plain_threads = false;  // the tile is a whole number of atoms in every mode: what is else said of the MMA is not for nothing
};

std::optional<Expected> definition(const RandomMma& mma, const Operand& operand, const Plain& tensor) {
  const Plain& tv = mma.of[operand.letter - 'A'];
  const auto r = static_cast<std::size_t>(operand.row), c = static_cast<std::size_t>(operand.column);
  const Int rows = mma.atom_size[r], columns = mma.atom_size[c];
  const auto row_places = places(mma.permutation[r], rows * mma.threads[r], mode(tensor, 0));
  const auto column_places = places(mma.permutation[c], columns * mma.threads[c], mode(tensor, 1));
  if (!row_places || !column_places) return std::nullopt;
  Expected expected;
  const Int all_rows = static_cast<Int>(row_places->size()), all_columns = static_cast<Int>(column_places->size());
  if (all_rows % (rows * mma.threads[r]) != 0 || all_columns % (columns * mma.threads[c]) != 0) return expected;
  expected.plain_threads = mma.whole_tile(0) && mma.whole_tile(1) && mma.whole_tile(2);
  const Int rest_rows = all_rows / rows / mma.threads[r], rest_columns = all_columns / columns / mma.threads[c];
  for (Int rc = 0; rc < rest_columns; ++rc) {
    for (Int rr = 0; rr < rest_rows; ++rr) {
      for (Int f = 0; f < size(mode(tv, 1)); ++f) {
        for (Int tc = 0; tc < mma.threads[c]; ++tc) {
          for (Int tr = 0; tr < mma.threads[r]; ++tr) {
            for (Int v = 0; v < size(mode(tv, 0)); ++v) {
              const Int element = at(mode(tv, 0), v) + at(mode(tv, 1), f);
              const Int row = element % rows + rows * (tr + mma.threads[r] * rr);
              const Int column = element / rows + columns * (tc + mma.threads[c] * rc);
              expected.values.push_back(at(mode(tensor, 0), (*row_places)[static_cast<std::size_t>(row)]) +
                                        at(mode(tensor, 1), (*column_places)[static_cast<std::size_t>(column)]));
            }
          }
        }
      }
    }
  }
  return expected;
}

// Each value of the tensor as often as every other one, and no other value.
bool covers(const std::vector<Int>& met, const Plain& tensor) {
  std::map<Int, Int> times;
  for (const Int v : image(tensor)) times[v] = 0;
  for (const Int v : met) {
    const auto at = times.find(v);
    if (at == times.end()) return false;
    ++at->second;
  }
  const Int once = times.begin()->second;
  return once > 0 && std::all_of(times.begin(), times.end(), [once](const auto& each) { return each.second == once; });
}

// The hardware threads of (v,m,n,k), first mode fastest: the atom's own, then atoms at the complement of its ids.
std::vector<Int> threads_of(const RandomMma& mma) {
  const auto rest = complement(mma.thr_id, size(mma.thr_id) * cosize(mma.atom_layout));
  if (!rest) return {};
  std::vector<Int> atoms;
  for (const Int atom : image(mma.atom_layout)) atoms.push_back(at(*rest, atom));
  return sums({image(mma.thr_id), atoms});
}

// One thread's values of `expected`, in its own order.
std::vector<Int> part_of(const RandomMma& mma, const Operand& operand, const std::vector<Int>& expected, Int v,
                         const std::vector<Int>& mnk) {
  const Int threads_v = size(mode(mma.of[operand.letter - 'A'], 0));
  const Int rows = mma.threads[operand.row], columns = mma.threads[operand.column];
  const Int first = v + threads_v * (mnk[static_cast<std::size_t>(operand.row)] + rows * mnk[static_cast<std::size_t>(operand.column)]);
  const Int step = threads_v * rows * columns;
  std::vector<Int> part;
  for (std::size_t i = static_cast<std::size_t>(first); i < expected.size(); i += static_cast<std::size_t>(step))
    part.push_back(expected[i]);
  return part;
}

// Whether CuTe's rule for a thread's place, (thread / stride) mod extent in each mode, finds this thread and no other one's place.
Int found_by_dividing(const Tree& shape, const Tree& stride, Int thread) {
  if (!shape.tuple) return stride.value == 0 ? 0 : thread / stride.value % shape.value * stride.value;
  Int found = 0;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) found += found_by_dividing(shape.modes[k], stride.modes[k], thread);
  return found;
}

void count_mma(Tally& tally, Dice& dice, const RandomMma& mma) {
  const std::vector<Int> threads = threads_of(mma);
  const std::string threads_text = fmt::format("thr_layout_vmnk({})", mma.text);
  const Answer threads_answer = ask(threads_text);
  Verdict threads_seen = values_verdict(threads_answer, threads);
  const bool sound_threads = threads_seen == Verdict::right && injective(threads);
  const bool whole_tiles = mma.whole_tile(0) && mma.whole_tile(1) && mma.whole_tile(2);
  if (sound_threads && !whole_tiles) threads_seen = Verdict::open;
  tally.count("thr_layout_vmnk", threads_text, threads_answer, threads_seen);
  for (const Operand& operand : kOperands) {
    const Plain tensor = some_tensor(dice, mma, operand);
    const Plain& tv = mma.of[operand.letter - 'A'];
    const Int times = size(tv) / (mma.atom_size[operand.row] * mma.atom_size[operand.column]);
    if (size(tensor) * std::max<Int>(times, 1) > kMostElements) continue;
    const std::string name = std::string("thrfrg_") + operand.letter;
    const std::string text = fmt::format("{}({}, {})", name, mma.text, to_text(tensor));
    const Answer answer = ask(text);
    const auto expected = definition(mma, operand, tensor);
    const auto made = read_function(answer.text);
    const bool whole = made && size(*made) <= 8 * kMostElements && covers(image(*made), tensor);
    const bool defined = expected && !expected->values.empty();
    const bool as_defined = defined && made && has_values(*made, expected->values);
    Verdict seen = !whole || (defined && !as_defined)                       ? Verdict::wrong
                   : as_defined && expected->plain_threads && sound_threads ? Verdict::right
                                                                            : Verdict::open;
    tally.count(name, text, answer, seen);
    if (!defined || !expected->plain_threads) continue;
    if (!sound_threads) continue;
    const Int v = dice.up_to(size(mma.thr_id) - 1);
    const std::vector<Int> mnk{dice.up_to(mma.threads[0] - 1), dice.up_to(mma.threads[1] - 1), dice.up_to(mma.threads[2] - 1)};
    if (size(mode(tv, 0)) != size(mma.thr_id)) continue;
    const Int atom = mnk[0] + mma.threads[0] * (mnk[1] + mma.threads[1] * mnk[2]);
    const Int thread = threads[static_cast<std::size_t>(v + size(mma.thr_id) * atom)];
    const Plain thread_layout = read_plain(threads_answer.text);
    if (found_by_dividing(thread_layout.shape, thread_layout.stride, thread) != thread) continue;  // CuTe gives it another one's part
    const std::string part_name = std::string("partition_") + operand.letter;
    const std::string part_text = fmt::format("{}({}, {}, {})", part_name, mma.text, to_text(tensor), thread);
    const Answer part = ask(part_text);
    const auto part_made = read_function_and_offset(part.text);
    const bool right = part_made && has_values(part_made->first, part_of(mma, operand, expected->values, v, mnk), part_made->second);
    const bool covered = covers(expected->values, tensor);
    tally.count(part_name, part_text, part, !right || !covered ? Verdict::wrong : Verdict::right);
  }
}

}  // namespace

TEST_CASE("The partitions of random tiled MMAs meet each element the right number of times, or a word says that they do not", "[laws]") {
  Tally tally;
  Dice dice(9);
  std::vector<std::string> names, warp;
  for (const std::string& name : tessera::mma_atom_names()) {
    const auto atom = tessera::find_mma_atom(name);
    if (!atom || atom->sparse) continue;
    names.push_back(name);
    if (atom->kind == tessera::MmaKind::mma_sync || atom->kind == tessera::MmaKind::fma) warp.push_back(name);
  }
  REQUIRE(names.size() > 100);
  REQUIRE(warp.size() > 20);
  int made = 0;
  while (made < 500 * factor()) {
    const auto mma = some_mma(dice, dice.one_in(4) ? names : warp);
    if (!mma) continue;
    ++made;
    count_mma(tally, dice, *mma);
  }
  tally.report("Partitions of " + std::to_string(made) + " tiled MMAs");
}
