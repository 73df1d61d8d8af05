// SPDX-License-Identifier: BSD-3-Clause
// Operators, indices, members and calls of any expression.
#include "tests/support/catch.hpp"

#include "core/lang/evaluate.hpp"

namespace tessera {
namespace {

struct Row {
  std::string_view text, value;
};

void expect(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const auto made = evaluate(row.text);
    INFO(row.text << (made ? "" : ": " + made.error().message));
    CHECK((made && to_string(*made) == row.value));
  }
}

}  // namespace

TEST_CASE("arithmetic has the precedence that C++ and Python share, and Python's rounding") {
  expect({{"2 + 3 * 4", "14"},
          {"(2 + 3) * 4", "20"},
          {"10 - 4 - 3", "3"},
          {"4 -3", "1"},
          {"-7 // 2", "-4"},
          {"-7 / 2", "-3"},
          {"-7 % 4", "1"},
          {"1 << 4 | 3", "19"},
          {"256 >> 2 >> 1", "32"},
          {"6 & 3 ^ 8", "10"},
          {"~5", "-6"},
          {"Int<128/8>{} * Int<4>{}", "64"},
          {"ceil_div(100, 8) * 2", "26"},
          {"0 <= 3 < 4", "true"},
          {"0 <= 5 < 4", "false"},
          {"3 == 3 and not 2 > 4", "true"},
          {"(4,8):(8,1) == make_layout((4,8), (8,1))", "true"},
          {"5 if 2 > 1 else 6", "5"},
          {"2 > 1 ? 5 : 6", "5"},
          {"(1,2) + (3,)", "(1,2,3)"},
          {"(None,) * 2 + (0,)", "(_,_,0)"},
          {"(8, 2 * 3):(1, 4 + 4)", "(8,6):(1,8)"}});
}

TEST_CASE("modes, elements and slices by index") {
  expect({{"((4,8):(8,1))[0]", "4:8"},
          {"make_layout((4,8)).shape[1]", "8"},
          {"make_layout((4,8)).stride", "(1,4)"},
          {"(3,4,5)[1:]", "(4,5)"},
          {"(3,4,5)[:2]", "(3,4)"},
          {"(3,4,5)[-1]", "5"},
          {"make_layout((4,8))[None, 2]", "((4):(1),8)"},
          {"make_layout((4,8))[(None, 2)]", "((4):(1),8)"},
          {"make_layout(make_shape(4,8))(2,3)", "14"},
          {"Layout<Shape<_4,_8>>{}(2,3)", "14"},
          {"Swizzle<3,3,3>{}(72)", "64"},
          {"Layout<Shape<_4,_2>>{}.shape()", "(4,2)"},
          {"cosize_v<Layout<Shape<_4,_8>>>", "32"},
          {"decltype(make_layout(make_shape(_4{})))::value", "(4):(1)"},
          {"composition((12,(4,8)):(59,(13,1)), <3:4, 8:2>)", "(3,(2,4)):(236,(26,1))"},
          {"(4,8):(8,1) \u2218 4:2", "(2,2):(16,1)"},
          {"16:1 \u2298 4:1", "(4,4):(1,4)"},
          {"4:1 \u2297 3:1", "(4,3):(1,4)"}});
}

TEST_CASE("a thread's slice partitions as the functions do, and tensors keep their place and type") {
  const std::string_view mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))";
  const std::string by_method = std::string(mma) + ".get_slice(37).partition_C((64,64):(64,1))";
  const std::string by_function = "partition_C(" + std::string(mma) + ", (64,64):(64,1), 37)";
  REQUIRE(evaluate(by_method).has_value());
  CHECK(to_string(*evaluate(by_method)) == to_string(*evaluate(by_function)));
  expect({{"make_tensor(make_smem_ptr(half_t), (64,32):(32,1))(_,3)", "make_tensor(smem_ptr[16b](unset) + 3, (64):(32))"},
          {"recast<uint128_t>(make_tensor(make_smem_ptr(half_t), (64,32):(32,1)))", "(64,4):(4,1)"},
          {"make_tensor(make_gmem_ptr(float), (4,8)).element_type", "\"float\""},
          {"local_tile(local_tile((64,64):(64,1), (32,32), (1,0)), (8,8), (0,2))", "((8,8):(64,1),2064)"}});
}

TEST_CASE("wrong operands are refused with the operator and both sides") {
  for (const Row& row : std::initializer_list<Row>{{"(4,8):(8,1) + 1", "`+` takes two integers"},
                                                   {"7 // 0", "nothing is divided by zero"},
                                                   {"7 % 0", "nothing is divided by zero"},
                                                   {"9223372036854775807 + 1", "leaves 64 bits"},
                                                   {"1 << 63", "bits are shifted by 0 to 62"},
                                                   {"3(4)", "is called, but it is the integer 3"},
                                                   {"(3,4)[5]", "there is no mode 5"},
                                                   {"make_layout((4,8)).colour", "has no member colour"}}) {
    const auto made = evaluate(row.text);
    INFO(row.text);
    REQUIRE(!made.has_value());
    INFO(made.error().message);
    CHECK(made.error().message.find(row.value) != std::string::npos);
  }
}

}  // namespace tessera
