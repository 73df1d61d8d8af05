// SPDX-License-Identifier: BSD-3-Clause
// Random slices, tiles, partitions, casts and rearrangements, each held against its definition.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/attack/laws.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::attack;

namespace {

Function maybe_swizzled(Dice& dice, Plain layout) {
  if (dice.one_in(2)) return plain(std::move(layout));
  const Bits bits = some_swizzle(dice);
  return swizzled(bits, dice.one_in(4) ? dice.up_to(20) : 0, std::move(layout));
}

const Plain& plain_of(const Function& whole) { return std::get<Plain>(whole.inner); }

// The value at a sum of strides of the layout inside.
Int value_at(const Function& whole, Int inner) { return whole.outer ? at(std::get<Bits>(*whole.outer), whole.offset + inner) : inner; }

// (layout,offset) against expected values.
Verdict offset_verdict(const Answer& answer, const std::vector<Int>& expected) {
  const auto made = read_function_and_offset(answer.text);
  return verdict(made && has_values(made->first, expected, made->second));
}

std::string coordinate_text(const std::vector<std::string>& parts) {
  std::string text = "(";
  for (std::size_t k = 0; k < parts.size(); ++k) text += (k ? "," : "") + parts[k];
  return text + ")";
}

Plain tuple_layout(Dice& dice) {
  Plain layout = some_layout(dice);
  while (!layout.shape.tuple || size(layout) > 512) layout = some_layout(dice);
  return layout;
}

void count_slice(Tally& tally, Dice& dice) {
  const Function whole = maybe_swizzled(dice, tuple_layout(dice));
  const Plain& l = plain_of(whole);
  std::vector<std::string> words;
  std::vector<std::vector<Int>> kept;
  Int fixed = 0;
  bool inside = true;
  for (std::size_t k = 0; k < rank(l); ++k) {
    const Plain m = mode(l, k);
    if (dice.one_in(2)) {
      words.emplace_back("_");
      kept.push_back(image(m));
    } else if (m.shape.tuple && dice.one_in(2)) {
      std::vector<std::string> inner;
      for (std::size_t j = 0; j < rank(m); ++j) {
        if (dice.one_in(2)) {
          inner.emplace_back("_");
          kept.push_back(image(mode(m, j)));
        } else {
          const Int c = dice.up_to(size(mode(m, j)) - 1);
          inner.push_back(std::to_string(c));
          fixed += at(mode(m, j), c);
        }
      }
      words.push_back(coordinate_text(inner));
    } else {
      const Int c = dice.one_in(25) ? size(m) + dice.up_to(3) : dice.up_to(size(m) - 1);
      inside = inside && c < size(m);
      words.push_back(std::to_string(c));
      fixed += at(m, c);
    }
  }
  std::vector<Int> expected;
  for (const Int v : sums(kept)) expected.push_back(value_at(whole, fixed + v));
  const std::string text = "slice_and_offset(" + coordinate_text(words) + ", " + to_text(whole) + ")";
  const Answer answer = ask(text);
  const Verdict seen = offset_verdict(answer, expected);
  tally.count(whole.outer ? "slice, swizzled" : "slice", text, answer, seen == Verdict::right && !inside ? Verdict::open : seen,
              whole.outer || !inside || kept.empty() ? Verdict::open : Verdict::right);
}

// One tile, by the definition of a divide: T(t) + T*(c) in each mode.
void count_local_tile(Tally& tally, Dice& dice) {
  const Function whole = maybe_swizzled(dice, tuple_layout(dice));
  const Plain& l = plain_of(whole);
  Tiler tiler;
  tiler.by_mode = true;
  for (std::size_t k = 0; k < rank(l); ++k) add_mode(tiler, dice, false);
  std::vector<std::string> words;
  std::vector<std::vector<Int>> coordinates;  // a mode: of the tile's elements
  bool inside = true, in_range = true, defined = true;
  for (std::size_t k = 0; k < rank(l) && defined; ++k) {
    const Plain m = mode(l, k);
    const auto rest = complement(*tiler.modes[k], coalesce(m).shape);
    defined = rest.has_value();
    if (!defined) break;
    const Int c = dice.one_in(12) ? size(*rest) + dice.up_to(2) : dice.up_to(size(*rest) - 1);
    in_range = in_range && c < size(*rest);
    words.push_back(std::to_string(c));
    coordinates.push_back(image(*tiler.modes[k]));
    for (Int& each : coordinates.back()) {
      each += at(*rest, c);
      inside = inside && each < size(m);
    }
  }
  if (!defined) return;
  std::vector<std::vector<Int>> modes;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    modes.emplace_back();
    for (const Int c : coordinates[k]) modes.back().push_back(at(mode(l, k), c));
  }
  std::vector<Int> expected = sums(modes);
  for (Int& v : expected) v = value_at(whole, v);
  const std::string text = "local_tile(" + to_text(whole) + ", " + tiler.text() + ", " + coordinate_text(words) + ")";
  const Answer answer = ask(text);
  Verdict seen = offset_verdict(answer, expected);
  if (seen == Verdict::right && (!inside || !in_range)) seen = Verdict::wrong;  // beyond the layout: CuTe says nothing, we do
  if (seen == Verdict::right) {
    for (std::size_t k = 0; k < rank(l); ++k) {  // a whole tile of tiles that do not divide: a word is allowed
      const auto both = tile_and_rest(mode(l, k), *tiler.modes[k]);
      std::vector<Int> all = both ? image(*both) : std::vector<Int>{};
      if (static_cast<Int>(all.size()) != size(mode(l, k)) || !injective(all)) seen = Verdict::open;
    }
  }
  tally.count(whole.outer ? "local_tile, swizzled" : "local_tile", text, answer, seen);
}

void count_local_partition(Tally& tally, Dice& dice) {
  const Function whole = maybe_swizzled(dice, tuple_layout(dice));
  const Plain& l = plain_of(whole);
  std::vector<Plain> threads;
  Int reached = 1;
  for (std::size_t k = 0; k < rank(l); ++k) {
    const Int extent = dice.of({1, 2, 2, 4, 3, 8});
    threads.push_back({extent, extent == 1 ? 0 : reached});
    reached *= extent;
  }
  const Int thread = dice.one_in(12) ? reached + dice.up_to(5) : dice.up_to(reached - 1);
  std::vector<std::vector<Int>> modes;
  bool divides = true, inside = true;
  Int left = thread;
  for (std::size_t k = 0; k < rank(l); ++k) {
    const Plain m = mode(l, k);
    const Int extent = size(threads[k]), rests = (size(m) + extent - 1) / extent;
    divides = divides && size(m) % extent == 0;
    modes.emplace_back();
    for (Int r = 0; r < rests; ++r) {
      const Int c = left % extent + r * extent;
      inside = inside && c < size(m);
      modes.back().push_back(at(m, c));
    }
    left /= extent;
  }
  std::vector<Int> expected = sums(modes);
  for (Int& v : expected) v = value_at(whole, v);
  const std::string text = "local_partition(" + to_text(whole) + ", " + to_text(beside(threads)) + ", " + std::to_string(thread) + ")";
  const Answer answer = ask(text);
  Verdict seen = offset_verdict(answer, expected);
  if (seen == Verdict::right && (!inside || thread >= reached)) seen = Verdict::wrong;
  if (seen == Verdict::right && !divides) seen = Verdict::open;
  tally.count(whole.outer ? "local_partition, swizzled" : "local_partition", text, answer, seen);
}

// The bits of every element, `width` each, as often as they are met.
std::vector<Int> bits_of(const std::vector<Int>& elements, Int width) {
  std::vector<Int> bits;
  for (const Int e : elements) {
    for (Int k = 0; k < width; ++k) bits.push_back(e * width + k);
  }
  std::sort(bits.begin(), bits.end());
  return bits;
}

void extents_of(const Tree& shape, std::vector<Int>& extents) {
  if (!shape.tuple) return extents.push_back(shape.value);
  for (const Tree& each : shape.modes) extents_of(each, extents);
}

// Whether each fine element lies in the coarse one of its coordinate: the digit of each mode divided by what the cast divided its extent
// by. A swizzle may permute whole ranges, so that the bits are the same and the coordinates are not: then a word is allowed.
bool keeps_places(const Function& fine, const Function& coarse, Int ratio) {
  std::vector<Int> fine_extents, coarse_extents;
  extents_of(plain_of(fine).shape, fine_extents);
  extents_of(plain_of(coarse).shape, coarse_extents);
  if (fine_extents.size() != coarse_extents.size()) return false;
  for (Int i = 0; i < size(fine); ++i) {
    Int left = i, place = 0, step = 1;
    for (std::size_t k = 0; k < fine_extents.size(); ++k) {
      const Int share = (fine_extents[k] + coarse_extents[k] - 1) / coarse_extents[k];
      place += left % fine_extents[k] / share * step;
      left /= fine_extents[k];
      step *= coarse_extents[k];
    }
    const Int begin = at(coarse, place) * ratio, element = at(fine, i);
    if (element < begin || element >= begin + ratio) return false;
  }
  return true;
}

void count_cast(Tally& tally, Dice& dice) {
  Plain l = dice.one_in(4) ? wild_layout(dice, 3, Signs::any) : some_layout(dice);
  while (size(l) > 256) l = some_layout(dice);
  const Function whole = dice.one_in(4) ? maybe_swizzled(dice, l) : plain(l);
  const int kind = static_cast<int>(dice.up_to(2));
  Int from = 1, to = 1;
  std::string name, text;
  if (kind == 2) {
    from = dice.of({1, 4, 6, 8, 16, 32, 64});
    to = dice.of({1, 4, 6, 8, 16, 32, 64, 128});
    name = "recast_layout";
    text = "recast_layout(" + to_text(whole) + ", " + std::to_string(from) + ", " + std::to_string(to) + ")";
  } else {
    const Int n = dice.of({1, 2, 2, 3, 4, 4, 8});
    (kind == 0 ? to : from) = n;
    name = kind == 0 ? "upcast" : "downcast";
    text = name + "(" + to_text(whole) + ", " + std::to_string(n) + ")";
  }
  const Int common = std::gcd(from, to);
  const Answer answer = ask(text);
  const auto made = read_function(answer.text);
  const bool right = made && bits_of(image(whole), from / common) == bits_of(image(*made), to / common);
  Verdict cutes = Verdict::open;
  if (!whole.outer && kind < 2) {
    const auto c = kind == 0 ? upcast(l, to) : downcast(l, from);
    if (c && bits_of(image(l), from) == bits_of(image(*c), to)) cutes = Verdict::right;
  }
  Verdict seen = verdict(right);
  if (right && whole.outer) {
    const bool up = from == common && keeps_places(whole, *made, to / common);
    const bool down = to == common && keeps_places(*made, whole, from / common);
    if (!up && !down) seen = Verdict::open;
  }
  tally.count(whole.outer ? name + ", swizzled" : name, text, answer, seen, cutes);
}

void count_rearrangement(Tally& tally, Dice& dice) {
  const Function whole = maybe_swizzled(dice, tuple_layout(dice));
  const Plain& l = plain_of(whole);
  const Int modes = static_cast<Int>(rank(l));
  const auto all = [&](const std::vector<Plain>& parts) {
    std::vector<std::vector<Int>> values;
    for (const Plain& part : parts) values.push_back(image(part));
    std::vector<Int> expected = sums(values);
    for (Int& v : expected) v = value_at(whole, v);
    return expected;
  };
  const auto count = [&](const std::string& name, const std::string& arguments, const std::vector<Int>& expected) {
    const std::string text = name + "(" + to_text(whole) + arguments + ")";
    const Answer answer = ask(text);
    tally.count(name, text, answer, values_verdict(answer, expected), Verdict::right);
  };
  const Int begin = dice.up_to(modes - 1), end = dice.between(begin + 1, modes), chosen = dice.up_to(modes - 1);
  switch (dice.up_to(6)) {
    case 0: return count("coalesce", "", all({l}));
    case 1: return count("flatten", "", all({l}));
    case 2: return count("group", ", " + std::to_string(begin) + ", " + std::to_string(end), all({l}));
    case 3: {
      std::vector<Plain> kept;
      for (Int k = begin; k < end; ++k) kept.push_back(mode(l, static_cast<std::size_t>(k)));
      return count("take", ", " + std::to_string(begin) + ", " + std::to_string(end), all(kept));
    }
    case 4:
      return count("select", ", " + std::to_string(chosen) + ", " + std::to_string(begin),
                   all({mode(l, static_cast<std::size_t>(chosen)), mode(l, static_cast<std::size_t>(begin))}));
    case 5: return count("get", ", " + std::to_string(chosen), all({mode(l, static_cast<std::size_t>(chosen))}));
    default: {
      std::vector<Int> expected = image(filter(l));
      for (Int& v : expected) v = value_at(whole, v);
      return count("filter", "", expected);
    }
  }
}

void count_coordinate(Tally& tally, Dice& dice) {
  const Plain l = tuple_layout(dice);
  std::vector<Tree> coordinate;
  bool inside = true;
  for (std::size_t k = 0; k < rank(l); ++k) {
    const Int extent = size(mode(l, k));
    coordinate.emplace_back(dice.one_in(10) ? extent + dice.up_to(3) : dice.up_to(extent - 1));
    inside = inside && coordinate.back().value < extent;
  }
  const std::string text = "crd2idx(" + to_text(Tree(coordinate)) + ", " + to_text(l) + ")";
  const Answer answer = ask(text);
  const auto made = read_tree(answer.text);
  const bool right = made && !made->tuple && made->value == at_tree(l, Tree(coordinate));
  tally.count("crd2idx", text, answer, verdict(right && inside), Verdict::right);
}

}  // namespace

TEST_CASE("A random part of a layout is where its definition says, or a word says that it is not", "[laws]") {
  Tally tally;
  Dice dice(6);
  for (int k = 0; k < 1500 * factor(); ++k) count_slice(tally, dice);
  for (int k = 0; k < 2000 * factor(); ++k) count_local_tile(tally, dice);
  for (int k = 0; k < 1500 * factor(); ++k) count_local_partition(tally, dice);
  for (int k = 0; k < 500 * factor(); ++k) count_coordinate(tally, dice);
  tally.report("Parts of layouts");
}

TEST_CASE("A random cast keeps every bit once, or a word says that it does not", "[laws]") {
  Tally tally;
  Dice dice(7);
  for (int k = 0; k < 2500 * factor(); ++k) count_cast(tally, dice);
  tally.report("Casts");
}

TEST_CASE("A random rearrangement keeps the function", "[laws]") {
  Tally tally;
  Dice dice(8);
  for (int k = 0; k < 2500 * factor(); ++k) count_rearrangement(tally, dice);
  tally.report("Rearrangements");
}
