// SPDX-License-Identifier: BSD-3-Clause
// Chains of swizzles and layouts: what they compute, and that every operation on them keeps it.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"
#include "core/layout/print.hpp"
#include "core/layout/value_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

std::vector<std::int64_t> values(const AnyLayout& layout) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < size(layout); ++i) all.push_back(evaluate(layout, i));
  return all;
}

std::vector<ChainPart> small_parts() {
  std::vector<ChainPart> all;
  for (const char* text : {"8:1", "8:2", "(4,4):(4,1)", "(2,4):(4,1)", "(2,2,4):(1,4,2)", "(4,4):(1,-4)", "Sw<1,0,2>", "Sw<2,0,2>",
                           "Sw<3,0,3>", "Sw<2,1,-3>", "Sw<1,0,1> o 3 o (4,2):(1,4)", "16:3 o 1 o Sw<2,0,-2> o 2 o (4,4):(4,1)"})
    all.push_back(must(Reader(text).chain()));
  return all;
}

bool is_swizzle(const ChainPart& part) { return std::holds_alternative<Swizzle>(part); }

std::int64_t value_of(const ChainPart& part, std::int64_t i) {
  if (const auto* swizzle = std::get_if<Swizzle>(&part)) return (*swizzle)(i);
  if (const auto* layout = std::get_if<Layout>(&part)) return (*layout)(i);
  return evaluate(std::get<ComposedLayout>(part), i);
}

AnyLayout layout_of(const ChainPart& part) {
  if (const auto* layout = std::get_if<Layout>(&part)) return *layout;
  return std::get<ComposedLayout>(part);
}

const char* const kChains[] = {
    "Sw<1,0,2> o 0 o Sw<2,0,2> o 0 o (4,4):(4,1)",
    "(4,4):(4,1) o 0 o Sw<3,0,3> o 0 o (8,8):(8,1)",
    "(4,4):(4,1) o 5 o Sw<1,0,2> o 3 o (4,4):(1,4)",
    "8:2 o 0 o Sw<2,0,2> o 0 o 8:1",
    "16:3 o 1 o (2,2,4):(1,4,2) o 2 o Sw<2,0,-2> o 4 o ((2,2),4):((4,1),8)",
    "Sw<2,1,3> o 4 o 32:2 o 0 o Sw<3,0,3> o 16 o (8,2):(1,8)",
};

}  // namespace

TEST_CASE("A composed layout is A(offset + B(c)) for any A and B") {
  for (const ChainPart& a : small_parts()) {
    for (const ChainPart& b : small_parts()) {
      if (is_swizzle(a) && is_swizzle(b)) continue;
      for (const std::int64_t offset : {0, 1, 7}) {
        const AnyLayout made = must(make_composed_layout(a, offset, b));
        INFO(to_string(made));
        if (!is_swizzle(b)) CHECK(shape(made) == shape(layout_of(b)));
        for (std::int64_t i = 0; i < size(made); ++i) REQUIRE(evaluate(made, i) == value_of(a, offset + value_of(b, i)));
      }
    }
  }
}

TEST_CASE("Composition is associative, and a chain is one value however it was made") {
  const ChainPart a = must(Reader("Sw<1,0,2>").chain()), b = must(Reader("(4,4):(4,1)").chain()), c = must(Reader("Sw<3,0,3>").chain()),
                  d = must(Reader("16:1").chain());
  const ComposedLayout left = must(make_composed_layout(must(make_composed_layout(must(make_composed_layout(a, 1, b)), 2, c)), 3, d));
  const ComposedLayout right = must(make_composed_layout(a, 1, must(make_composed_layout(b, 2, must(make_composed_layout(c, 3, d))))));
  CHECK(left == right);
  CHECK(left == must(make_composed_layout({a, b, c, d}, {1, 2, 3})));
  CHECK(to_string(left) == "Sw<1,0,2> o 1 o (4,4):(4,1) o 2 o Sw<3,0,3> o 3 o 16:1");
  CHECK(parts(left) == 4);
  CHECK_FALSE(left == must(make_composed_layout({a, b, c, d}, {1, 2, 4})));
}

TEST_CASE("The last layout of a chain has the modes, and swizzles behind it permute its domain") {
  const AnyLayout inside = "8:2 o 0 o Sw<1,0,2> o 3 o (2,4):(1,2)"_any;
  CHECK(to_string(shape(inside)) == "(2,4)");
  CHECK(cosize(inside) == 8);  // of the layout part, as in CuTe
  const AnyLayout behind = "Sw<1,0,2> o 1 o (4,2):(2,1) o 0 o Sw<1,0,2> o 0 o Sw<1,0,1>"_any;
  CHECK(to_string(shape(behind)) == "(4,2)");
  CHECK(size(behind) == 8);
  CHECK(must(evaluate(behind, IntTuple::tuple({3, 1}))).value() == evaluate(behind, 7));
}

TEST_CASE("Swizzles alone have no domain, and no chain is longer than its limit") {
  CHECK(make_composed_layout("Sw<1,0,1>"_swizzle, 0, "Sw<1,0,2>"_swizzle).error().message.starts_with("two swizzles around an offset"));
  std::vector<ChainPart> chain(kMostParts, ChainPart("Sw<1,0,1>"_swizzle));
  std::vector<IntTuple> offsets(kMostParts - 1, IntTuple(1));
  chain.back() = "4:1"_layout;
  const ComposedLayout longest = must(make_composed_layout(chain, offsets));
  CHECK(parts(longest) == kMostParts);
  CHECK(make_composed_layout("Sw<1,0,1>"_swizzle, 0, longest).error().code == ErrorCode::limit);
  CHECK(with_last_part(longest, to_part("Sw<1,0,1> o 0 o 4:1"_any)).error().code == ErrorCode::limit);
  CHECK(composition(AnyLayout(longest), AnyLayout("2:1"_layout)).has_value());
  CHECK(composition("2:1"_layout, longest).error().code == ErrorCode::limit);
}

TEST_CASE("Values behind any part of a chain stay within 62 bits") {
  const auto refused = [](const char* text) { return check_range(std::get<ComposedLayout>(must(Reader(text).any_layout()))).error().code; };
  CHECK(refused("Sw<1,0,1> o 0 o 8:1 o 4611686018427387904 o 4:1") == ErrorCode::overflow);
  CHECK(refused("8:1 o 0 o 8:2147483648 o 0 o 8:2147483648") == ErrorCode::overflow);
  CHECK(refused("8:4 o 0 o Sw<1,60,-1> o 0 o 8:1") == ErrorCode::overflow);
  CHECK(refused("8:1 o (1,2) o 8:1 o 0 o 4:1") == ErrorCode::wrong_type);
  CHECK(refused("Sw<1,0,1> o 0 o 8:1@0 o 0 o 4:1") == ErrorCode::wrong_type);
  CHECK(check_range(std::get<ComposedLayout>("8:1 o 0 o Sw<1,30,-1> o -4 o 8:1"_any)).has_value());
}

TEST_CASE("A composition with a chain on either side is A(B(c))") {
  for (const ChainPart& a : small_parts()) {
    for (const ChainPart& b : small_parts()) {
      if (is_swizzle(a) || is_swizzle(b)) continue;
      const AnyLayout left = layout_of(a), right = layout_of(b);
      const auto made = composition(left, right, Law::checked);
      INFO(to_string(left) << " o " << to_string(right));
      if (!made) {
        CHECK(made.error().code != ErrorCode::wrong_type);
        CHECK(std::holds_alternative<Layout>(right));  // what CuTe's conditions refuse of plain layouts
        continue;
      }
      CHECK(size(*made) == size(right));
      for (std::int64_t i = 0; i < size(right); ++i) REQUIRE(evaluate(*made, i) == evaluate(left, evaluate(right, i)));
    }
  }
}

TEST_CASE("A swizzle before or behind a chain joins it") {
  for (const char* text : kChains) {
    const AnyLayout chain = must(Reader(text).any_layout());
    const Swizzle swizzle = "Sw<1,1,2>"_swizzle;
    INFO(text);
    const AnyLayout before = must(composition(swizzle, chain));
    for (std::int64_t i = 0; i < size(chain); ++i) REQUIRE(evaluate(before, i) == swizzle(evaluate(chain, i)));
    const AnyLayout ends_in_one = must(make_composed_layout(to_part(chain), 0, "Sw<1,0,2>"_swizzle));
    const AnyLayout behind = must(composition(ends_in_one, AnyLayout("(2,2):(2,1)"_layout)));
    for (std::int64_t i = 0; i < 4; ++i) REQUIRE(evaluate(behind, i) == evaluate(chain, "Sw<1,0,2>"_swizzle("(2,2):(2,1)"_layout(i))));
    const AnyLayout two = must(composition(ends_in_one, "Sw<1,0,1>"_swizzle));
    for (std::int64_t i = 0; i < size(two); ++i) REQUIRE(evaluate(two, i) == evaluate(ends_in_one, "Sw<1,0,1>"_swizzle(i)));
  }
  CHECK(must(composition(Swizzle(), "8:2 o 0 o Sw<1,0,2> o 0 o 8:1"_any)) == "8:2 o 0 o Sw<1,0,2> o 0 o 8:1"_any);
}

TEST_CASE("Where CuTe moves a swizzle wrongly past a layout, the two stay beside each other, and a remark says so") {
  const auto of = [](const char* a, const char* b, std::vector<Error>& notes) {
    return to_string(
        must(composition(must(Reader(a).layout()), std::get<ComposedLayout>(must(Reader(b).any_layout())), Law::noted(notes))));
  };
  std::vector<Error> notes;
  CHECK(of("(4,4):(4,1)", "Sw<2,0,2> o 0 o (4,4):(1,4)", notes) == "Sw<2,0,-2> o 0 o (4,4):(4,1)");
  CHECK(of("8:2", "16:1 o 0 o 8:1", notes) == "8:2");
  CHECK(notes.empty());
  CHECK(of("(2,4):(4,1)", "Sw<1,0,2> o 0 o 8:2", notes) == "(2,4):(4,1) o 0 o Sw<1,0,2> o 0 o 8:2");  // CuTe's has 2 at 6, and it is 10
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].message.find("at 6 that layout gives 2") != std::string::npos);
  CHECK(of("16:3", "Sw<2,0,2> o 0 o 16:1", notes) == "16:3 o 0 o Sw<2,0,2> o 0 o 16:1");
  CHECK(of("16:3", "Sw<2,0,2> o 1 o 8:1", notes) == "16:3 o 0 o Sw<2,0,2> o 1 o 8:1");
}

TEST_CASE("Operations on the domain of a chain keep its values") {
  for (const char* text : kChains) {
    INFO(text);
    const AnyLayout chain = must(Reader(text).any_layout());
    for (const auto& same : {coalesce(chain), flatten(chain), filter(chain), group(chain, 0, 1), append(chain, 4), prepend(chain, 4)})
      CHECK(values(must(same)) == values(chain));
    for (const AnyLayout& divided : {must(logical_divide(chain, Tiler(2))), must(zipped_divide(chain, Tiler("2:1"_layout)))}) {
      const std::int64_t tiles = size(shape(divided)[1]);
      CHECK(size(divided) == size(chain));
      if (rank(chain) == 1)
        for (std::int64_t t = 0; t < tiles; ++t) CHECK(evaluate(divided, 1, t) == evaluate(chain, 1 + 2 * t));
    }
    const AnyLayout mode = must(get(chain, 0));
    for (std::int64_t i = 0; i < size(mode); ++i) CHECK(evaluate(mode, i) == evaluate(chain, i));
    const AnyLayout product = must(logical_product(chain, Tiler("2:1"_layout)));
    for (std::int64_t i = 0; i < size(chain); ++i) CHECK(evaluate(product, i, 0) == evaluate(chain, i));
    CHECK(size(product) == 2 * size(chain));
  }
}

TEST_CASE("Slices and tiles of a chain have the values of the whole") {
  for (const char* text : kChains) {
    const AnyLayout whole = must(Reader(text).any_layout());
    if (rank(whole) != 2) continue;
    const std::int64_t rows = size(shape(whole)[0]), columns = size(shape(whole)[1]);
    const ValueTable table(whole);
    for (std::int64_t r = 0; r < rows; ++r) {
      REQUIRE(table(r, columns - 1) == evaluate(whole, r, columns - 1));
      const auto part = must(slice_and_offset(IntTuple::tuple({r, IntTuple::underscore()}), whole));
      INFO(text << " row " << r << ": " << to_string(part.layout));
      for (std::int64_t c = 0; c < columns; ++c) {
        REQUIRE(part.offset.value() + evaluate(part.layout, c) == evaluate(whole, r, c));
        REQUIRE(must(evaluate(whole, IntTuple::tuple({r, c}))).value() == evaluate(whole, r, c));
      }
      const auto shifted = must(domain_offset(IntTuple::tuple({r, 1}), whole));
      REQUIRE(evaluate(shifted.layout, 0) == evaluate(whole, r, 1));
    }
    const auto tile = must(local_tile(whole, Tiler(std::vector<Tiler>{2, 2}), IntTuple::tuple({1, 0}), Law::checked));
    for (const std::int64_t i : {0, 1, 2, 3}) CHECK(tile.offset.value() + evaluate(tile.layout, i) == evaluate(whole, 2 + i % 2, i / 2));
    const auto mine = must(local_partition(whole, "(2,2):(1,2)"_layout, 3, Law::checked));
    CHECK(mine.offset.value() + evaluate(mine.layout, 0) == evaluate(whole, 1, 1));
  }
  // Strides that do not split at the swizzle's bits: CuTe's slice is refused, the whole offset inside is not.
  const AnyLayout odd = "8:2 o 0 o Sw<3,0,3> o 0 o (8,8):(9,1)"_any;
  const auto row = must(slice_and_offset(IntTuple::tuple({3, IntTuple::underscore()}), odd));
  for (std::int64_t c = 0; c < 8; ++c) CHECK(evaluate(row.layout, c) == evaluate(odd, 3, c));
}

TEST_CASE("The inverse of a chain is the chain of inverses turned round") {
  const AnyLayout chain = "Sw<1,0,2> o 1 o (4,4):(4,1) o 2 o Sw<3,0,3> o 3 o 16:1"_any;
  CHECK(to_string(must(right_inverse(chain))) == "16:1 o -3 o Sw<3,0,3> o -2 o (4,4):(4,1) o -1 o Sw<1,0,2>");
  for (const char* text : {"Sw<1,0,2> o 0 o Sw<2,0,2> o 0 o (4,4):(4,1)", "(4,4):(4,1) o 0 o (4,2):(4,1)", "(4,4):(4,1) o 0 o 16:1",
                           "8:1 o 0 o Sw<1,0,2> o 0 o 8:1", "64:1 o 0 o Sw<3,3,3>"}) {
    INFO(text);
    const AnyLayout layout = must(Reader(text).any_layout());
    const AnyLayout left = must(left_inverse(layout, Law::checked));
    for (std::int64_t i = 0; i < size(layout); ++i) CHECK(evaluate(left, evaluate(layout, i)) == i);
    const AnyLayout right = must(right_inverse(must(Reader("Sw<2,0,2> o 0 o Sw<1,0,1> o 0 o (4,4):(4,1)").any_layout()), Law::checked));
    CHECK(size(right) == 16);
  }
}

TEST_CASE("What chains have in common is counted as far as both are at their index") {
  CHECK(must(max_common_vector("Sw<2,1,3> o 0 o 32:1"_any, "32:1"_any)) == 2);
  CHECK(must(max_common_vector("Sw<2,2,3> o 0 o Sw<1,1,2> o 0 o 32:1"_any, "32:1"_any)) == 2);
  CHECK(must(max_common_vector("16:1 o 0 o Sw<1,3,1> o 0 o 16:1"_any, "16:1"_any)) == 16);
  CHECK(must(max_common_vector("16:1 o 0 o Sw<1,2,1> o 0 o 16:1"_any, "16:1"_any)) == 8);
  CHECK(must(max_common_vector("16:1 o 1 o 16:1"_any, "16:1"_any)) == 1);
  CHECK(to_string(must(max_common_layout("Sw<2,0,2> o 0 o (4,4):(1,4)"_any, "Sw<2,0,2> o 0 o (4,4):(1,4)"_any))) == "Sw<2,0,2> o 0 o 16:1");
  const AnyLayout a = "16:1 o 0 o Sw<1,2,1> o 0 o 16:1"_any;
  const AnyLayout common = must(max_common_layout(a, a));
  CHECK(size(common) == 16);
  for (std::int64_t i = 0; i < size(common); ++i) CHECK(evaluate(a, evaluate(common, i)) == i);
  CHECK(must(max_alignment("Sw<2,3,3> o 4 o Sw<1,1,2> o 0 o 8:1"_any)) == 2);
  CHECK(must(max_alignment("Sw<2,3,3> o 4 o Sw<2,3,3> o 16 o 32:1"_any)) == 4);
  CHECK(must(max_alignment("8:1 o 0 o Sw<1,1,2> o 0 o 8:1"_any)) == 1);
}

TEST_CASE("A cast of a chain casts every part, and says where bits are lost") {
  CHECK(to_string(must(upcast("Sw<1,3,3> o 8 o Sw<2,3,3> o 16 o (8,64):(1,8)"_any, 4, Law::checked))) ==
        "Sw<1,1,3> o 2 o Sw<2,1,3> o 4 o (2,64):(1,2)");
  CHECK(to_string(must(downcast("Sw<1,3,3> o 8 o Sw<2,3,3> o 16 o (8,64):(1,8)"_any, 2, Law::checked))) ==
        "Sw<1,4,3> o 16 o Sw<2,4,3> o 32 o (16,64):(1,16)");
  CHECK(to_string(must(recast_layout("Sw<1,3,3> o 0 o Sw<2,3,3> o 0 o (8,64):(1,8)"_any, 16, 32, Law::checked))) ==
        "Sw<1,2,3> o 0 o Sw<2,2,3> o 0 o (4,64):(1,4)");
  CHECK(upcast("8:2 o 0 o Sw<1,1,2> o 0 o 8:1"_any, 2, Law::checked).error().code == ErrorCode::breaks_law);
  CHECK(upcast("Sw<1,3,3> o 8 o Sw<2,3,3> o 3 o (8,64):(1,8)"_any, 4).error().code == ErrorCode::not_divisible);
  CHECK(upcast("8:1 o 0 o Sw<1,1,2>"_any, 2).error().code == ErrorCode::not_representable);
}

TEST_CASE("Predicates of a chain are true of its values") {
  CHECK(must(is_injective("Sw<1,0,2> o 0 o Sw<2,0,2> o 0 o (4,4):(4,1)"_any)).holds);
  CHECK_FALSE(must(is_injective("Sw<1,0,2> o 0 o Sw<2,0,2> o 0 o (4,4):(2,1)"_any)).holds);
  CHECK_FALSE(must(is_injective("(2,2):(1,1) o 0 o Sw<1,0,1> o 0 o 4:1"_any)).holds);
  CHECK(must(is_compact("(4,4):(4,1) o 0 o Sw<2,0,2> o 0 o (4,4):(4,1)"_any)).holds);
  CHECK_FALSE(must(is_surjective("8:2 o 0 o Sw<2,0,2> o 0 o 8:1"_any)).holds);
}

TEST_CASE("A chain is spelled as each tool writes it") {
  const AnyLayout chain = "Sw<1,0,2> o 0 o (4,4):(4,1) o 3 o Sw<3,0,-3> o 0 o 16:1"_any;
  CHECK(print(chain, Spelling::cute_print) == "Sw<1,0,2> o _0 o (_4,_4):(_4,_1) o _3 o Sw<3,0,-3> o _0 o _16:_1");
  CHECK(print("8:2 o 0 o Sw<2,0,2> o 0 o 8:1"_any, Spelling::cute_cpp) ==
        "ComposedLayout<Layout<_8,_2>,_0,ComposedLayout<Swizzle<2,0,2>,_0,Layout<_8,_1>>>");
  CHECK(print("8:2 o 0 o Sw<2,0,2> o 0 o 8:1"_any, Spelling::cute_dsl) ==
        "cute.make_composed_layout(cute.make_layout(8, stride=2), 0, cute.make_composed_layout(cute.make_swizzle(2, 0, 2), 0, "
        "cute.make_layout(8, stride=1)))");
}

TEST_CASE("The parts of a chain are asked for as in CuTe") {
  const AnyLayout chain = "Sw<1,0,2> o 3 o Sw<2,0,2> o 0 o 16:1"_any;
  CHECK(to_string(get_swizzle(chain)) == "Sw<1,0,2>");
  CHECK(to_string(get_nonswizzle(chain)) == "Sw<2,0,2> o 0 o 16:1");
  CHECK(to_string(layout_part(chain)) == "16:1");
  CHECK(to_string(with_plain_part(chain, "4:2"_layout)) == "Sw<1,0,2> o 3 o Sw<2,0,2> o 0 o 4:2");
  CHECK(finish(chain, 5) == evaluate(chain, 5));
  CHECK(to_string(simplify("Sw<0,4,3> o 0 o 8:2 o 0 o Sw<1,0,2> o 0 o 8:1"_any)) == "8:2 o 0 o Sw<1,0,2> o 0 o 8:1");
}
