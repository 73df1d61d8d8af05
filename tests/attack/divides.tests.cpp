// SPDX-License-Identifier: BSD-3-Clause
// Random divides and products, each held against its definition: a divide meets every element once, a product keeps its copies apart.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/attack/laws.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::attack;

namespace {

enum class Form { logical, zipped, tiled, flat };
const std::vector<std::string> kForms = {"logical", "zipped", "tiled", "flat"};

// The order in which a form walks (first, second) of each mode: logical pairs them mode by mode, the others walk all firsts, then all
// seconds.
std::vector<Int> in_order(Form form, const std::vector<std::vector<Int>>& firsts, const std::vector<std::vector<Int>>& seconds) {
  std::vector<std::vector<Int>> order;
  if (form == Form::logical) {
    for (std::size_t k = 0; k < seconds.size(); ++k) {
      if (k < firsts.size()) order.push_back(firsts[k]);
      order.push_back(seconds[k]);
    }
  } else {
    order = firsts;
    order.insert(order.end(), seconds.begin(), seconds.end());
  }
  return sums(order);
}

std::vector<Int> through(const Plain& layout, const std::vector<Int>& coordinates) {
  std::vector<Int> values;
  for (const Int c : coordinates) values.push_back(at(layout, c));
  return values;
}

void swizzle_all(std::vector<Int>& values, const Function& whole) {
  if (!whole.outer) return;
  for (Int& v : values) v = at(std::get<Bits>(*whole.outer), whole.offset + v);
}

// The definition of a divide, mode by mode.
struct Parts {
  std::vector<std::vector<Int>> tiles, rests;
  bool defined = true;    // every complement exists
  bool once = true;       // every coordinate of the layout is met once
  bool beyond = false;    // some coordinate lies outside
  bool one_tile = false;  // a tile that meets itself: what is wanted of it is not clear
  bool separable = true;  // A(tile + rest) is A(tile) + A(rest), as it is of any layout
  bool admissible = true, cutes_right = true;
};

void divide_mode(Parts& parts, const Plain& of_a, const std::optional<Plain>& tile) {
  if (!tile) {  // kept: CuTe takes the mode as a pair
    parts.defined = parts.admissible = false;
    return;
  }
  const auto rest = complement(*tile, coalesce(of_a).shape);
  if (!rest) {
    parts.defined = false;
    return;
  }
  const std::vector<Int> tile_at = image(*tile), rest_at = image(*rest);
  std::vector<Int> all = sums({tile_at, rest_at});
  parts.tiles.push_back(through(of_a, tile_at));
  parts.rests.push_back(through(of_a, rest_at));
  for (std::size_t r = 0; r < rest_at.size(); ++r) {
    for (std::size_t t = 0; t < tile_at.size(); ++t) {
      if (at(of_a, tile_at[t] + rest_at[r]) != parts.tiles.back()[t] + parts.rests.back()[r]) parts.separable = false;
    }
  }
  parts.one_tile = parts.one_tile || !injective(tile_at);
  std::sort(all.begin(), all.end());
  parts.beyond = parts.beyond || all.back() >= size(of_a);
  if (static_cast<Int>(all.size()) != size(of_a) || !injective(all) || all.back() >= size(of_a)) parts.once = false;
  const auto cutes = logical_divide(of_a, *tile);
  if (!cutes) {
    parts.admissible = false;
  } else if (!has_values(plain(*cutes), sums({parts.tiles.back(), parts.rests.back()}))) {
    parts.cutes_right = false;
  }
}

void count_divide(Tally& tally, Dice& dice, bool with_swizzle) {
  const Plain a = some_layout(dice);
  const Form form = static_cast<Form>(dice.up_to(3));
  const Tiler tiler = some_tiler(dice, rank(a), form == Form::logical);
  if (tiler.by_mode && !a.shape.tuple) return;
  const Function whole = with_swizzle ? swizzled(some_swizzle(dice), dice.one_in(4) ? dice.up_to(20) : 0, a) : plain(a);
  Parts parts;
  std::vector<std::vector<Int>> seconds;
  if (!tiler.by_mode) {
    divide_mode(parts, a, tiler.modes[0]);
    seconds = parts.rests;
  } else {
    for (std::size_t k = 0; k < rank(a); ++k) {
      const Plain of_a = mode(a, k);
      if (k < tiler.modes.size() && tiler.modes[k]) {
        divide_mode(parts, of_a, tiler.modes[k]);
        if (!parts.defined) break;
        seconds.push_back(parts.rests.back());
      } else if (k < tiler.modes.size()) {
        parts.tiles.push_back({0});
        seconds.push_back(image(of_a));
      } else {
        seconds.push_back(image(of_a));
      }
    }
  }
  const std::string name = kForms[static_cast<std::size_t>(form)] + "_divide";
  const std::string text = name + "(" + to_text(whole) + ", " + tiler.text() + ")";
  const Answer answer = ask(text);
  if (!parts.defined) {
    tally.count(name, text, answer, Verdict::open);
    return;
  }
  std::vector<Int> expected = in_order(form, parts.tiles, seconds);
  swizzle_all(expected, whole);
  Verdict seen = values_verdict(answer, expected);
  if (seen == Verdict::right && !parts.separable) seen = Verdict::wrong;  // the values of the tiles, but not of A(tile + rest)
  if (seen == Verdict::right && !parts.once) seen = parts.one_tile && !parts.beyond ? Verdict::open : Verdict::wrong;
  tally.count(with_swizzle ? name + ", swizzled" : name, text, answer, seen,
              parts.admissible && parts.separable && parts.cutes_right && parts.once ? Verdict::right : Verdict::open);
}

void count_product(Tally& tally, Dice& dice, bool with_swizzle) {
  Plain a = some_layout(dice);
  while (size(a) > 128) a = some_layout(dice);
  Plain b = dice.one_in(2) ? compact_layout(dice, 2) : wild_layout(dice, 2);
  while (size(b) > 64 || cosize(b) > 512) b = compact_layout(dice, 2);
  const int kind = static_cast<int>(dice.up_to(5));
  const Function whole = with_swizzle ? swizzled(some_swizzle(dice), 0, a) : plain(a);
  const std::string name = kind < 4 ? kForms[static_cast<std::size_t>(kind)] + "_product" : kind == 4 ? "blocked_product" : "raked_product";
  const std::string text = name + "(" + to_text(whole) + ", " + to_text(b) + ")";
  const Answer answer = ask(text);
  const auto rest = complement(a, size(a) * cosize(b));
  if (!rest) {
    tally.count(name, text, answer, Verdict::open);
    return;
  }
  const std::vector<Int> copies = through(*rest, image(b));
  std::vector<Int> expected;
  if (kind < 4) {
    expected = sums({image(a), copies});
  } else {
    // Mode k of the block beside, or inside, mode k of the tiler; missing modes are 1:0. Where a mode of the tiler is reached does not
    // follow from its part alone, so the pairs are walked as coordinates.
    const std::size_t modes = std::max(rank(a), rank(b));
    std::vector<Int> extents;
    for (std::size_t k = 0; k < modes; ++k) {
      const Int of_a = k < rank(a) ? size(mode(a, k)) : 1, of_b = k < rank(b) ? size(mode(b, k)) : 1;
      extents.push_back(kind == 4 ? of_a : of_b);
      extents.push_back(kind == 4 ? of_b : of_a);
    }
    for (Int i = 0; i < size(a) * size(b); ++i) {
      Int left = i, block = 0, tile = 0, block_step = 1, tile_step = 1;
      for (std::size_t k = 0; k < extents.size(); ++k) {
        const Int digit = left % extents[k];
        left /= extents[k];
        Int& into = (k % 2 == 0) == (kind == 4) ? block : tile;
        Int& step = (k % 2 == 0) == (kind == 4) ? block_step : tile_step;
        into += digit * step;
        step *= extents[k];
      }
      expected.push_back(at(a, block) + copies[static_cast<std::size_t>(tile)]);
    }
  }
  const bool apart = !injective(image(a)) || !injective(image(b)) || injective(expected);
  swizzle_all(expected, whole);
  Verdict seen = values_verdict(answer, expected);
  if (seen == Verdict::right && !apart) seen = Verdict::wrong;
  const auto cutes = logical_product(a, b);
  const bool cutes_right = cutes && has_values(plain(*cutes), sums({image(a), copies})) && apart;
  tally.count(with_swizzle ? name + ", swizzled" : name, text, answer, seen, cutes_right && kind < 4 ? Verdict::right : Verdict::open);
}

void count_tile_to_shape(Tally& tally, Dice& dice) {
  const Plain a = compact_layout(dice, 2);
  std::vector<Tree> target, repeats;
  for (std::size_t k = 0; k < rank(a); ++k) {
    repeats.emplace_back(dice.of({1, 2, 3, 4}));
    target.emplace_back(size(mode(a, k)) * repeats.back().value * (dice.one_in(12) ? 2 : 1));
    repeats.back().value = target.back().value / size(mode(a, k));
  }
  const std::string shape = rank(a) == 1 && !a.shape.tuple ? to_text(target[0]) : to_text(Tree(target));
  const std::string text = "tile_to_shape(" + to_text(a) + ", " + shape + ")";
  const Answer answer = ask(text);
  std::vector<Int> expected;
  Int all = 1;
  for (const Tree& each : target) all *= each.value;
  for (Int i = 0; i < all; ++i) {
    Int left = i, block = 0, copy = 0, block_step = 1, copy_step = 1;
    for (std::size_t k = 0; k < target.size(); ++k) {
      const Int c = left % target[k].value, extent = size(mode(a, k));
      left /= target[k].value;
      block += c % extent * block_step;
      block_step *= extent;
      copy += c / extent * copy_step;
      copy_step *= repeats[k].value;
    }
    expected.push_back(at(a, block) + copy * size(a));
  }
  tally.count("tile_to_shape", text, answer, values_verdict(answer, expected), Verdict::right);
}

}  // namespace

TEST_CASE("A random divide meets every element once and where its definition says, or a word says that it does not", "[laws]") {
  Tally tally;
  Dice dice(4);
  for (int k = 0; k < 5000 * factor(); ++k) count_divide(tally, dice, false);
  for (int k = 0; k < 1500 * factor(); ++k) count_divide(tally, dice, true);
  tally.report("Divides");
}

TEST_CASE("A random product is its block at places that keep the copies apart, or a word says that it is not", "[laws]") {
  Tally tally;
  Dice dice(5);
  for (int k = 0; k < 4000 * factor(); ++k) count_product(tally, dice, false);
  for (int k = 0; k < 1200 * factor(); ++k) count_product(tally, dice, true);
  for (int k = 0; k < 400 * factor(); ++k) count_tile_to_shape(tally, dice);
  tally.report("Products");
}
