// SPDX-License-Identifier: BSD-3-Clause
// Random compositions, complements and inverses, each held against its definition.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/attack/laws.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::attack;

namespace {

std::vector<Int> composed(const Function& a, const Function& b) {
  std::vector<Int> values;
  for (const Int i : image(b)) values.push_back(at(a, i));
  return values;
}

void count_composition(Tally& tally, const std::string& name, const Function& a, const Function& b, bool infix) {
  const std::string text =
      infix && !a.outer && !b.outer ? to_text(a) + " o " + to_text(b) : "composition(" + to_text(a) + ", " + to_text(b) + ")";
  const Answer answer = ask(text);
  const std::vector<Int> expected = composed(a, b);
  Verdict seen = values_verdict(answer, expected);
  Verdict cutes = Verdict::open;
  if (!b.outer) {
    const auto& b_plain = std::get<Plain>(b.inner);
    const auto made = read_function(answer.text);
    if (made && std::holds_alternative<Plain>(made->inner) && !refines(b_plain.shape, std::get<Plain>(made->inner).shape))
      seen = Verdict::wrong;
    cutes = cutes_verdict(composition(std::get<Plain>(a.inner), b_plain), composed(plain(std::get<Plain>(a.inner)), b));
  }
  // Right, and worth a word: CuTe has no one layout of it.
  const bool stays_apart = std::any_of(answer.warnings.begin(), answer.warnings.end(), [](const std::string& warning) {
    return warning.find("stay beside each other") != std::string::npos;
  });
  if (seen == Verdict::right && stays_apart) seen = Verdict::open;
  tally.count(name, text, answer, seen, cutes);
}

void by_mode(Tally& tally, Dice& dice, bool with_swizzle) {
  Plain a = some_layout(dice);
  while (!a.shape.tuple) a = some_layout(dice);
  Tiler tiler;
  tiler.by_mode = true;
  const Int modes = dice.between(1, static_cast<Int>(rank(a)));
  for (Int k = 0; k < modes; ++k) add_mode(tiler, dice, true);
  const Function whole = with_swizzle ? swizzled(some_swizzle(dice), 0, a) : plain(a);
  std::vector<std::vector<Int>> parts;
  std::vector<Plain> cutes;
  bool inside = true, admissible = true;
  for (std::size_t k = 0; k < tiler.modes.size(); ++k) {
    const Plain of_a = mode(a, k);
    const Plain b = tiler.modes[k].value_or(Plain{size(of_a), 1});
    const std::vector<Int> coordinates = image(b);
    inside = inside && *std::max_element(coordinates.begin(), coordinates.end()) < size(of_a);
    parts.push_back(composed(plain(of_a), plain(b)));
    const auto part = tiler.modes[k] ? composition(of_a, b) : of_a;
    admissible = admissible && part;
    if (part) cutes.push_back(*part);
  }
  const std::vector<Int> plain_values = sums(parts);
  std::vector<Int> expected = plain_values;
  if (with_swizzle) {
    for (Int& v : expected) v = at(std::get<Bits>(*whole.outer), whole.offset + v);
  }
  const std::string text = "composition(" + to_text(whole) + ", " + tiler.text() + ")";
  const Answer answer = ask(text);
  Verdict seen = values_verdict(answer, expected);
  if (seen == Verdict::right && !inside) seen = Verdict::open;  // right by CuTe's rule for the last mode, and worth a word
  tally.count(with_swizzle ? "by mode, swizzled" : "by mode", text, answer, seen,
              admissible && inside ? cutes_verdict(beside(cutes), plain_values) : Verdict::open);
}

}  // namespace

TEST_CASE("A random composition is A(B(i)) at every i, or a word says that it is not", "[laws]") {
  Tally tally;
  Dice dice(1);
  for (int k = 0; k < 2500 * factor(); ++k) {
    count_composition(tally, "plain", plain(some_layout(dice)), plain(some_layout(dice)), dice.one_in(4));
  }
  for (int k = 0; k < 2500 * factor(); ++k) {
    const Plain a = dice.one_in(3) ? compact_layout(dice) : wild_layout(dice, 3, Signs::any);
    count_composition(tally, "negative strides", plain(a), plain(wild_layout(dice, 2, Signs::any)), dice.one_in(4));
  }
  for (int k = 0; k < 1200 * factor(); ++k) by_mode(tally, dice, false);
  for (int k = 0; k < 500 * factor(); ++k) by_mode(tally, dice, true);
  for (int k = 0; k < 1200 * factor(); ++k) {
    const Int offset = dice.one_in(3) ? dice.up_to(40) : 0;
    count_composition(tally, "swizzled A", swizzled(some_swizzle(dice), offset, some_layout(dice)), plain(some_layout(dice)),
                      dice.one_in(4));
  }
  for (int k = 0; k < 2500 * factor(); ++k) {
    const Int offset = dice.one_in(8) ? dice.up_to(40) : 0;
    count_composition(tally, "swizzled B", plain(some_layout(dice)), swizzled(some_swizzle(dice), offset, some_layout(dice)),
                      dice.one_in(4));
  }
  for (int k = 0; k < 800 * factor(); ++k) {
    count_composition(tally, "both swizzled", swizzled(some_swizzle(dice), 0, some_layout(dice)),
                      swizzled(some_swizzle(dice), 0, some_layout(dice)), false);
  }
  for (int k = 0; k < 1200 * factor(); ++k) {
    const Plain a = some_layout(dice);
    const Bits bits = some_swizzle(dice);
    const std::string text = "composition(" + to_text(a) + ", " + to_text(Function{std::nullopt, 0, bits}) + ")";
    const Answer answer = ask(text);
    std::vector<Int> expected;
    for (Int i = 0; i < size(a); ++i) expected.push_back(at(a, at(bits, i)));
    tally.count("layout o swizzle", text, answer, values_verdict(answer, expected));
  }
  tally.report("Compositions");
}

TEST_CASE("A random complement is CuTe's, ordered, apart from its layout, and fills its bound, or a word says that it does not", "[laws]") {
  Tally tally;
  Dice dice(2);
  int different = 0;
  std::string first_different;
  for (int k = 0; k < 6000 * factor(); ++k) {
    const Plain l = some_layout(dice);
    std::string text = "complement(" + to_text(l);
    Tree bound = cosize(filter(l));
    if (!dice.one_in(4)) {
      bound = dice.one_in(4) ? Tree(std::vector<Tree>{dice.between(1, 30), dice.between(1, 30)})
                             : Tree(dice.one_in(3) ? size(l) * dice.between(1, 8) : dice.between(1, 400));
      text += ", " + to_text(bound);
    }
    text += ")";
    const auto law = [&](const Plain& made) {
      const std::vector<Int> mine = image(filter(l)), rest = image(made);
      if (!std::is_sorted(rest.begin(), rest.end()) || !injective(rest)) return false;
      if (rest.back() >= product(bound)) return false;
      return !injective(mine) || injective(sums({mine, rest}));
    };
    const Answer answer = ask(text);
    const auto made = read_function(answer.text);
    const bool right = made && !made->outer && law(std::get<Plain>(made->inner));
    // What a page promises: the two side by side meet every index below the bound. Where they do not, a word says so.
    const auto covers = [&](const Plain& rest) {
      std::vector<Int> both = sums({image(filter(l)), image(rest)});
      std::sort(both.begin(), both.end());
      both.erase(std::unique(both.begin(), both.end()), both.end());
      const Int below = std::lower_bound(both.begin(), both.end(), product(bound)) - both.begin();
      return below == product(bound);
    };
    const bool full = right && covers(std::get<Plain>(made->inner));
    const auto cutes = complement(l, bound);
    tally.count("complement", text, answer, full ? Verdict::right : Verdict::wrong,
                cutes && law(*cutes) && covers(*cutes) ? Verdict::right : Verdict::open);
    // Where CuTe has an answer it is ours, as a function; where its static_assert refuses, ours does.
    const bool same = made && !made->outer && cutes && image(std::get<Plain>(made->inner)) == image(*cutes);
    if (answer.refused ? cutes.has_value() : !same) different += 1, first_different = text + " is " + answer.text;
  }
  tally.report("Complements");
  INFO(first_different);
  CHECK(different == 0);
}

namespace {

// L(R(i)) == i for every i below the size of R.
Verdict right_inverse_verdict(const Function& l, const std::optional<Function>& r) {
  if (!r || size(*r) < 1) return Verdict::wrong;
  for (Int i = 0; i < size(*r); ++i) {
    if (at(l, at(*r, i)) != i) return Verdict::wrong;
  }
  return Verdict::right;
}

// R(L(i)) is i, or where L repeats a value a coordinate of L with that value.
Verdict left_inverse_verdict(const Function& l, const std::optional<Function>& r) {
  if (!r) return Verdict::wrong;
  const bool one_to_one = injective(image(l));
  for (Int i = 0; i < size(l); ++i) {
    const Int back = at(*r, at(l, i));
    if (back == i) continue;
    if (one_to_one || back < 0 || back >= size(l) || at(l, back) != at(l, i)) return Verdict::wrong;
  }
  return Verdict::right;
}

}  // namespace

TEST_CASE("A random inverse undoes its layout, or a word says where it does not", "[laws]") {
  Tally tally;
  Dice dice(3);
  const auto count = [&](const std::string& name, const Function& l, bool left) {
    const std::string text = (left ? "left_inverse(" : "right_inverse(") + to_text(l) + ")";
    const Answer answer = ask(text);
    const auto made = read_function(answer.text);
    Verdict cutes = Verdict::open;
    if (!l.outer) {
      const auto& p = std::get<Plain>(l.inner);
      const auto r = left ? left_inverse(p) : std::optional(right_inverse(p));
      if (r) cutes = left ? left_inverse_verdict(l, plain(*r)) : right_inverse_verdict(l, plain(*r));
    }
    tally.count(name, text, answer, left ? left_inverse_verdict(l, made) : right_inverse_verdict(l, made), cutes);
  };
  for (int k = 0; k < 1000 * factor(); ++k) {
    count("right, plain", plain(dice.one_in(4) ? wild_layout(dice, 3, Signs::any) : some_layout(dice)), false);
    count("left, plain", plain(some_layout(dice)), true);
    const Int offset = dice.one_in(3) ? dice.up_to(20) : 0;
    const Function f = swizzled(some_swizzle(dice), offset, some_layout(dice));
    count("right, swizzled", f, false);
    count("left, swizzled", f, true);
  }
  tally.report("Inverses");
}
