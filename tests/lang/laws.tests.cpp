// SPDX-License-Identifier: BSD-3-Clause
// A warning comes exactly where CuTe's answer breaks the operation's law. The laws are written anew here, from their definitions, and
// know nothing of how core/layout computes or checks: only leaves, / and %.
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/lang/programs/evaluate.hpp"
#include "core/layout/swizzle.hpp"
#include "tests/support/source_dir.hpp"

namespace {

using namespace tessera;
using Int = std::int64_t;

// ---- functions, from the definition of CuTe's notation -------------------------------------------------------------------

void leaves(const IntTuple& t, std::vector<Int>& out) {
  if (!t.is_tuple()) return out.push_back(t.value());
  for (const IntTuple& mode : t.modes()) leaves(mode, out);
}

struct Flat {
  std::vector<Int> shape, stride;

  Flat() = default;
  Flat(std::vector<Int> s, std::vector<Int> d) : shape(std::move(s)), stride(std::move(d)) {}
  explicit Flat(const Layout& layout) {
    leaves(layout.shape(), shape);
    leaves(layout.stride(), stride);
  }
  Int size() const {
    Int n = 1;
    for (const Int s : shape) n *= s;
    return n;
  }
  Int operator()(Int x) const {
    Int sum = 0;
    for (std::size_t k = 0; k + 1 < shape.size(); ++k) {
      sum += x % shape[k] * stride[k];
      x /= shape[k];
    }
    return shape.empty() ? 0 : sum + x * stride.back();
  }
};

Int swizzled(int b, int m, int s, Int x) {
  const Int y = x & (((Int{1} << b) - 1) << (m + std::max(s, 0)));
  return x ^ (s >= 0 ? y >> s : y << -s);
}

// Any layout value as a function with a domain.
struct Function {
  Int size = 0;
  std::function<Int(Int)> at;
};

std::function<Int(Int)> part(const std::variant<Swizzle, Layout>& p) {
  if (const auto* s = std::get_if<Swizzle>(&p)) return [s = *s](Int x) { return swizzled(s.bits(), s.base(), s.shift(), x); };
  return Flat(std::get<Layout>(p));
}

Function function(const AnyLayout& layout) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return {Flat(*plain).size(), Flat(*plain)};
  const auto& c = std::get<ComposedLayout>(layout);
  const auto outer = part(c.outer);
  const auto inner = std::holds_alternative<Layout>(c.inner) ? part(std::get<Layout>(c.inner)) : part(std::get<Swizzle>(c.inner));
  const auto* domain = std::holds_alternative<Layout>(c.inner) ? &std::get<Layout>(c.inner) : std::get_if<Layout>(&c.outer);
  return {domain ? Flat(*domain).size() : 1, [outer, inner, o = c.offset.value()](Int x) { return outer(o + inner(x)); }};
}

Function function(const std::string& text) {
  const Value value = evaluate(text).value();
  if (const auto* plain = std::get_if<Layout>(&value.any)) return function(AnyLayout(*plain));
  return function(AnyLayout(std::get<ComposedLayout>(value.any)));
}

// ---- what is asked ---------------------------------------------------------------------------------------------------------

struct Asked {
  Value value;
  bool answered = false, law = false, any = false;  // a warning of a broken law; any warning
  std::string words;
};

Asked ask(const std::string& text) {
  std::vector<Error> warnings;
  Result<Value> made = evaluate(text, {}, &warnings);
  Asked asked;
  if (!made) return asked;
  asked.value = std::move(*made);
  asked.answered = true;
  for (const Error& w : warnings) {
    asked.law = asked.law || w.code == ErrorCode::breaks_law;
    asked.any = true;
    asked.words += w.message + '\n';
  }
  return asked;
}

AnyLayout layout_of(const Value& value) {
  if (const auto* plain = std::get_if<Layout>(&value.any)) return *plain;
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return *composed;
  return std::get<Tensor>(value.any).layout;
}

Function result_of(const Value& value) {
  Function made = function(layout_of(value));
  if (const auto* pair = std::get_if<Tensor>(&value.any))
    made.at = [inner = made.at, o = pair->offset.value()](Int x) { return o + inner(x); };
  return made;
}

// ---- random inputs -----------------------------------------------------------------------------------------------------------

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Int below(Int n) { return static_cast<Int>(engine_() % static_cast<std::uint64_t>(n)); }
  Int of(const std::vector<Int>& all) { return all[static_cast<std::size_t>(below(static_cast<Int>(all.size())))]; }
  bool one_in(Int n) { return below(n) == 0; }

  // Compact in a random order, or with strides of no order.
  std::string layout(int most_modes, bool wild) {
    const int rank = 1 + static_cast<int>(below(most_modes));
    std::vector<Int> extents, strides(static_cast<std::size_t>(rank));
    std::vector<std::size_t> order;
    for (int k = 0; k < rank; ++k) {
      extents.push_back(of({1, 2, 2, 3, 4, 4, 5, 6, 8, 12}));
      order.push_back(static_cast<std::size_t>(k));
    }
    std::shuffle(order.begin(), order.end(), engine_);
    Int stride = wild ? of({1, 1, 2, 3}) : 1;
    for (const std::size_t k : order) {
      strides[k] = wild && one_in(3) ? of({0, 1, 2, 3, 4, 5, 6, 8, 16, 19, 24}) : stride;
      stride *= extents[k] * (wild && one_in(4) ? of({2, 3}) : 1);
    }
    return text(extents, strides);
  }
  std::string swizzle() {
    const Int bits = 1 + below(3);
    return fmt::format("Sw<{},{},{}>", bits, below(4), one_in(4) ? -(bits + below(2)) : bits + below(3));
  }
  std::string swizzled_layout(bool with_offset) {
    const Int o = with_offset && one_in(2) ? of({1, 2, 4, 8, 12}) : 0;
    return fmt::format("{} o {} o {}", swizzle(), o, layout(3, one_in(2)));
  }

 private:
  // (2,(3,4)):(1,(2,6)): modes after the first may be one.
  std::string text(const std::vector<Int>& extents, const std::vector<Int>& strides) {
    if (extents.size() == 1) return fmt::format("{}:{}", extents[0], strides[0]);
    const std::size_t open = one_in(2) ? static_cast<std::size_t>(below(static_cast<Int>(extents.size()))) : extents.size();
    std::string s, d;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      const char* before = k == open && k + 1 < extents.size() ? "(" : "";
      s += (k ? "," : "") + fmt::format("{}{}", before, extents[k]);
      d += (k ? "," : "") + fmt::format("{}{}", before, strides[k]);
    }
    const char* close = open + 1 < extents.size() ? "))" : ")";
    return "(" + s + close + ":(" + d + close;
  }

  std::mt19937_64 engine_;
};

// ---- laws ----------------------------------------------------------------------------------------------------------------------

// CuTe's complement from its description: between the modes in order of strides, then up to M counted mode by mode.
std::optional<Flat> complement_of(const Flat& layout, const std::vector<Int>& cotarget) {
  std::vector<std::pair<Int, Int>> modes;  // stride, extent
  for (std::size_t k = 0; k < layout.shape.size(); ++k) {
    if (layout.stride[k] != 0 && layout.shape[k] != 1) modes.emplace_back(layout.stride[k], layout.shape[k]);
  }
  std::sort(modes.begin(), modes.end());
  Flat made;
  Int last = 1;
  for (const auto& [stride, extent] : modes) {
    if (stride < last) return std::nullopt;
    if (stride / last != 1) {
      made.shape.push_back(stride / last);
      made.stride.push_back(last);
    }
    last = stride * extent;
  }
  Int rest = 1, divisor = last;
  for (const Int m : cotarget) {
    rest *= (m + divisor - 1) / divisor;
    divisor = (divisor + m - 1) / m;
  }
  if (rest != 1) {
    made.shape.push_back(rest);
    made.stride.push_back(last);
  }
  return made;
}

// The extents of coalesce(L).
std::vector<Int> coalesced_extents(const Flat& layout) {
  std::vector<Int> s{1}, d{0};
  for (std::size_t k = 0; k < layout.shape.size(); ++k) {
    if (layout.shape[k] == 1) continue;
    if (s.back() == 1) {
      s.back() = layout.shape[k];
      d.back() = layout.stride[k];
    } else if (s.back() * d.back() == layout.stride[k]) {
      s.back() *= layout.shape[k];
    } else {
      s.push_back(layout.shape[k]);
      d.push_back(layout.stride[k]);
    }
  }
  return s;
}

// One mode divided: what it is by definition, and whether every element is in a tile.
struct Divided {
  Flat mode, tile, rest;
  Int operator()(Int in_tile, Int which) const { return mode(tile(in_tile) + rest(which)); }
  bool keeps_all() const {
    std::set<Int> kept;
    for (Int t = 0; t < tile.size(); ++t) {
      for (Int r = 0; r < rest.size(); ++r) kept.insert(tile(t) + rest(r));
    }
    for (Int x = 0; x < mode.size(); ++x) {
      if (!kept.count(x)) return false;
    }
    return true;
  }
  bool reaches_beyond() const {
    for (Int t = 0; t < tile.size(); ++t) {
      for (Int r = 0; r < rest.size(); ++r) {
        if (tile(t) + rest(r) >= mode.size()) return true;
      }
    }
    return false;
  }
};

Divided divided(const Flat& mode, const Flat& tile) { return {mode, tile, complement_of(tile, coalesced_extents(mode)).value()}; }

Flat mode_of(const Layout& layout, std::size_t k) { return Flat(layout[k]); }

using Judge = std::function<bool(const Value&)>;  // does the law hold?

// Units of memory that elements of this width occupy, as often as they do.
std::vector<Int> bits_of(const Function& f, Int width) {
  std::vector<Int> all;
  for (Int i = 0; i < f.size; ++i) {
    for (Int u = 0; u < width; ++u) all.push_back(f.at(i) * width + u);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Behind a swizzle the bits may be the same and yet an element be torn apart: each must lie in the wide element at its coordinate.
bool keeps_together(const std::string& text, const Value& wide, Int width) {
  const Function before = function(text), after = function(layout_of(wide));
  const Flat fine(std::get<Layout>(std::get<ComposedLayout>(evaluate(text)->any).inner));
  const Flat coarse(std::get<Layout>(std::get<ComposedLayout>(wide.any).inner));
  for (Int i = 0; i < before.size; ++i) {
    Int rest = i, place = 0, step = 1;
    for (std::size_t k = 0; k < fine.shape.size(); ++k) {
      const Int together = (fine.shape[k] + coarse.shape[k] - 1) / coarse.shape[k];
      place += rest % fine.shape[k] / together * step;
      rest /= fine.shape[k];
      step *= coarse.shape[k];
    }
    if (before.at(i) / width != after.at(place)) return false;
  }
  return true;
}

struct Question {
  std::string text;
  Judge holds;
};

Question divide_question(Random& random) {
  static const std::vector<std::string> kinds{"logical_divide", "zipped_divide", "tiled_divide", "flat_divide"};
  const std::string kind = kinds[static_cast<std::size_t>(random.below(4))];
  const std::string a = random.layout(3, random.one_in(2)), b = random.layout(2, random.one_in(3));
  const Divided by = {Flat(std::get<Layout>(evaluate(a)->any)), Flat(std::get<Layout>(evaluate(b)->any)), {}};
  return {kind + "(" + a + ", " + b + ")", [by](const Value& value) {
            const Divided d = divided(by.mode, by.tile);
            const Function r = result_of(value);
            if (!d.keeps_all() || r.size != d.tile.size() * d.rest.size()) return false;
            for (Int i = 0; i < r.size; ++i) {
              if (r.at(i) != d(i % d.tile.size(), i / d.tile.size())) return false;
            }
            return true;
          }};
}

Question tile_question(Random& random) {
  std::string a = random.layout(3, random.one_in(2));
  const Layout layout = std::get<Layout>(evaluate(a)->any);
  if (layout.rank() < 2) a = "(" + std::to_string(layout.size()) + ",3):(1," + std::to_string(layout.size()) + ")";
  const Layout whole = std::get<Layout>(evaluate(a)->any);
  const Int t0 = random.of({1, 2, 3, 4, 5}), t1 = random.of({1, 2, 3, 4});
  const Divided d0 = divided(mode_of(whole, 0), Flat({t0}, {1})), d1 = divided(mode_of(whole, 1), Flat({t1}, {1}));
  const bool partition = random.one_in(2);
  if (partition) {
    const Int thread = random.below(t0 * t1);
    return {fmt::format("local_partition({}, ({},{}):(1,{}), {})", a, t0, t1, t0, thread), [=](const Value& value) {
              const Function r = result_of(value);
              for (Int i = 0; i < r.size; ++i) {
                Int which = i;
                const Int r0 = which % d0.rest.size();
                which /= d0.rest.size();
                const Int r1 = whole.rank() == 2 ? which : which % d1.rest.size();
                which /= d1.rest.size();
                Int wanted = d0(thread % t0, r0) + d1(thread / t0, r1);
                if (whole.rank() == 3) wanted += mode_of(whole, 2)(which);
                if (r.at(i) != wanted) return false;
              }
              return true;
            }};
  }
  const Int r0 = random.below(d0.rest.size()), r1 = random.below(d1.rest.size());
  return {fmt::format("local_tile({}, ({},{}), ({},{}))", a, t0, t1, r0, r1), [=](const Value& value) {
            const Function r = result_of(value);
            for (Int i = 0; i < r.size; ++i) {
              Int wanted = d0(i % t0, r0) + d1(i / t0 % t1, r1);
              if (whole.rank() == 3) wanted += mode_of(whole, 2)(i / t0 / t1);
              if (r.at(i) != wanted) return false;
            }
            return true;
          }};
}

Question inverse_question(Random& random) {
  const bool right = random.one_in(2);
  const std::string l = random.one_in(4) ? random.layout(3, true) : random.swizzled_layout(true);
  return {(right ? "right_inverse(" : "left_inverse(") + l + ")", [=](const Value& value) {
            const Function of = function(l), inverse = result_of(value);
            for (Int i = 0; i < (right ? inverse.size : of.size); ++i) {
              const Int there = right ? i : of.at(i);
              if (of.at(inverse.at(there)) != there) return false;
            }
            return true;
          }};
}

Question recast_question(Random& random) {
  const std::string l = random.one_in(4) ? random.swizzled_layout(true) : random.layout(3, random.one_in(2));
  const Int n = random.of({1, 2, 2, 4, 8, 3});
  const int kind = static_cast<int>(random.below(3));
  Int old_width = 1, new_width = n;
  std::string text = fmt::format("upcast({}, {})", l, n);
  if (kind == 1) {
    text = fmt::format("downcast({}, {})", l, n);
    std::swap(old_width, new_width);
  } else if (kind == 2) {
    const Int old_bits = random.of({4, 8, 16, 32, 6}), new_bits = random.of({4, 8, 16, 32, 24});
    text = fmt::format("recast_layout({}, {}, {})", l, old_bits, new_bits);
    const Int common = std::gcd(old_bits, new_bits);
    old_width = old_bits / common;
    new_width = new_bits / common;
  }
  return {text, [=](const Value& value) {
            const Function before = function(l), after = result_of(value);
            if (bits_of(before, old_width) != bits_of(after, new_width)) return false;
            return old_width != 1 || !std::holds_alternative<ComposedLayout>(value.any) || keeps_together(l, value, new_width);
          }};
}

Question composition_question(Random& random) {
  const std::string a = random.layout(2, random.one_in(3));
  const bool bare = random.one_in(3);
  const std::string swizzle = random.swizzle(), inner = random.layout(2, random.one_in(3));
  const std::string b = bare ? swizzle : swizzle + " o 0 o " + inner;
  const Swizzle s = std::get<Swizzle>(evaluate(swizzle)->any);
  return {bare && random.one_in(2) ? a + " o " + b : "composition(" + a + ", " + b + ")", [=](const Value& value) {
            const Function outer = function(a), r = result_of(value);
            const Function of_b = bare ? Function{outer.size, [](Int x) { return x; }} : function(inner);
            for (Int i = 0; i < r.size; ++i) {
              if (r.at(i) != outer.at(swizzled(s.bits(), s.base(), s.shift(), of_b.at(i)))) return false;
            }
            return true;
          }};
}

Question product_question(Random& random) {
  const std::string block = random.layout(2, random.one_in(4)), tiler = random.layout(2, random.one_in(4));
  return {"logical_product(" + block + ", " + tiler + ")", [=](const Value& value) {
            const Flat a(std::get<Layout>(evaluate(block)->any)), b(std::get<Layout>(evaluate(tiler)->any));
            Int cosize = 1;
            for (std::size_t k = 0; k < b.shape.size(); ++k) cosize += (b.shape[k] - 1) * b.stride[k];
            const Flat free = complement_of(a, {a.size() * cosize}).value();
            const Function r = result_of(value);
            std::set<Int> met, of_a, of_b;
            for (Int i = 0; i < a.size(); ++i) of_a.insert(a(i));
            for (Int i = 0; i < b.size(); ++i) of_b.insert(b(i));
            for (Int i = 0; i < r.size; ++i) {
              if (r.at(i) != a(i % a.size()) + free(b(i / a.size()))) return false;
              met.insert(r.at(i));
            }
            const bool apart = static_cast<Int>(met.size()) == r.size;
            const bool distinct = static_cast<Int>(of_a.size()) == a.size() && static_cast<Int>(of_b.size()) == b.size();
            return r.size == a.size() * b.size() && (apart || !distinct);
          }};
}

// The tensor at the coordinates that the same partition of a tensor of plain extents has. Its first mode is nested.
Question partition_question(Random& random) {
  static const std::vector<std::string> atoms{"SM80_16x8x16_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT", "UniversalFMA<float>",
                                              "SM80_16x8x8_F32TF32TF32F32_TN"};
  const std::string atom = atoms[static_cast<std::size_t>(random.below(static_cast<Int>(atoms.size())))];
  const std::string mma = fmt::format("make_tiled_mma({}, ({},{},1))", atom, random.of({1, 2, 4}), random.of({1, 2}));
  const Int m0 = random.of({8, 16, 24, 32, 12}), m1 = random.of({1, 2, 4, 8}), k0 = random.of({4, 8, 16}), k1 = random.of({1, 2, 4});
  const bool swap = random.one_in(2);
  const Int d0 = swap ? k0 * k1 : 1, d1 = swap ? 1 : m0 * m1;
  const std::string tensor = fmt::format("(({},{}),({},{})):(({},{}),({},{}))", m0, m1, k0, k1, d0,
                                         random.one_in(3) ? d0 * m0 : d0 * m0 * 16, d1, random.one_in(3) ? d1 * k0 : d1 * k0 * 8);
  const std::string letter(1, "ABC"[random.below(3)]);
  const Int thread = random.below(32);
  const Int apart = 1 << 20;  // so that coordinates beyond the tensor can be told apart too
  const std::string flat = fmt::format("({},{}):(1,{})", m0 * m1, k0 * k1, apart);
  const std::string call = "partition_" + letter + "(" + mma + ", ";
  return {fmt::format("{}{}, {})", call, tensor, thread), [=](const Value& value) {
            const Result<Value> places = evaluate(fmt::format("{}{}, {})", call, flat, thread));
            const Function r = result_of(value), coordinates = result_of(*places);
            // With extents that the atoms do not divide, CuTe counts other repetitions of a nested mode; the law says nothing simpler then.
            if (r.size != coordinates.size) throw std::runtime_error("not comparable");
            const Layout whole = std::get<Layout>(evaluate(tensor)->any);
            for (Int i = 0; i < r.size; ++i) {
              const Int at = coordinates.at(i);
              if (r.at(i) != mode_of(whole, 0)(at % apart) + mode_of(whole, 1)(at / apart)) return false;
            }
            return true;
          }};
}

struct Score {
  int asked = 0, answered = 0, broken = 0, missed = 0, falsely = 0;
};

void print(const char* what, const Score& s) {
  fmt::print("{:<12} {:6d} asked {:6d} answered {:5d} break their law: {} without a word, {} false warnings\n", what, s.asked, s.answered,
             s.broken, s.missed, s.falsely);
}

Score put(Question (*make)(Random&), int calls, unsigned seed) {
  Random random(seed);
  Score score;
  for (int n = 0; n < calls; ++n) {
    const Question question = make(random);
    ++score.asked;
    const Asked asked = ask(question.text);
    if (!asked.answered) continue;
    bool holds = true;
    try {
      holds = question.holds(asked.value);
    } catch (const std::exception&) {
      continue;
    }
    ++score.answered;
    score.broken += !holds;
    INFO(question.text << " -> " << to_string(asked.value) << '\n' << asked.words);
    if (!holds && !asked.law) {
      ++score.missed;
      if (score.missed < 5) CHECK(asked.law);
    }
    if (holds && asked.law) {
      ++score.falsely;
      if (score.falsely < 5) CHECK_FALSE(asked.law);
    }
  }
  return score;
}

}  // namespace

TEST_CASE("of random calls, those whose answer breaks its law are warned of, and no others") {
  const std::pair<const char*, Question (*)(Random&)> kinds[] = {{"divides", divide_question},           {"tiles", tile_question},
                                                                 {"inverses", inverse_question},         {"recasts", recast_question},
                                                                 {"compositions", composition_question}, {"products", product_question},
                                                                 {"partitions", partition_question}};
  Score all;
  for (const auto& [name, make] : kinds) {
    const Score score = put(make, make == partition_question ? 1500 : 4800, 20261122);
    print(name, score);
    CHECK(score.missed == 0);
    CHECK(score.falsely == 0);
    CHECK(score.answered > 400);
    all.asked += score.asked;
    all.answered += score.answered;
    all.broken += score.broken;
    all.missed += score.missed;
    all.falsely += score.falsely;
  }
  print("all", all);
  CHECK(all.asked >= 30000);
  CHECK(all.broken > 1000);
}

TEST_CASE("the answers that broke their laws without a word are warned of") {
  for (const char* text : {"local_tile(((12,5),2):((4,5),64),(5,1),(11,0))",
                           "partition_A(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN), ((24,2),(4,4)):((4,384),(1,96)), 5)",
                           "right_inverse(Sw<3,1,3> o 4 o 12:8)", "recast_layout((8,1):(6,16),16,32)", "upcast(7:1,4)",
                           "tiled_divide((3,16,2):(19,1,57),(2,2):(3,1))", "composition((8,4):(4,1), Sw<3,3,3>)"}) {
    const Asked asked = ask(text);
    INFO(text << '\n' << asked.words);
    CHECK(asked.answered);
    CHECK(asked.law);
  }
}

TEST_CASE("a complement that ends before its cotarget, or beyond its bound, is remarked") {
  for (const char* text : {"complement(4:1, (3,4,4))", "complement(4:1, (6,4,4))", "complement(2:3, 8)", "complement(2:5, 3)"}) {
    INFO(text);
    CHECK(ask(text).any);
  }
  for (const char* text : {"complement(4:1, 24)", "complement(4:2, 24)", "complement((2,2):(1,6), 24)", "complement(4:1, (4,6))"}) {
    INFO(text);
    CHECK_FALSE(ask(text).any);
  }
}
