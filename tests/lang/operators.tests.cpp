// SPDX-License-Identifier: BSD-3-Clause
// Operators, indices, members and calls of any expression.
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/catch.hpp"

#include "core/lang/prints/prints.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/syntax/dialect.hpp"

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
          {"8 | 3 & 1", "9"},
          {"1 | 6 & 4", "5"},
          {"6 ^ 5 & 3", "7"},
          {"3 | 1 ^ 2", "3"},
          {"1 | 2 ^ 3 & 4", "3"},
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

TEST_CASE("where C++ and Python differ each text is read by its own rules") {
  struct Both {
    std::string_view text, cpp, python;
  };
  // Computed by g++ 12 and by Python 3.11; C++'s truth values are shown as the int that they are assigned to.
  for (const Both& row : {Both{"-7 % 3", "-1", "2"},
                          {"7 % -3", "1", "-2"},
                          {"-7 % 4 + 1", "-2", "2"},
                          {"-7 / 7", "-1", "-1"},
                          {"5 & 3 == 3", "1", "false"},
                          {"4 | 1 == 1", "5", "false"},
                          {"1 | 2 == 2", "1", "false"},
                          {"5 == 5 & 1", "1", "false"},
                          {"3 > 2 > 1", "0", "true"},
                          {"3 == 3 == 1", "1", "false"},
                          {"1 < 2 == 1", "1", "false"},
                          {"8 | 3 & 1", "9", "9"},
                          {"64 - 2 // 2", "62", "63"}}) {
    INFO(row.text);
    const SnippetAnswer cpp = evaluate_snippet("int x = " + std::string(row.text) + "\n;");
    const SnippetAnswer python = evaluate_snippet("x = " + std::string(row.text) + "  # cute.size(a)\n");
    REQUIRE((cpp.last() && python.last()));
    CHECK(to_string(cpp.last()->values.at(0).second) == row.cpp);
    CHECK(to_string(python.last()->values.at(0).second) == row.python);
  }
}

TEST_CASE("a choice within a choice is a statement's value, and no print of a layout") {
  const SnippetAnswer answer = evaluate_snippet("int c = 3 > 2 ? 3 > 5 ? 1 : 2 : 9; int d = false ? 1 : true ? 2 : 3;");
  REQUIRE(answer.statements.size() == 2);
  CHECK(to_string(answer.statements[0].values.at(0).second) == "2");
  CHECK(to_string(answer.statements[1].values.at(0).second) == "2");
  CHECK_FALSE(evaluate_print("int c = 3 > 2 ? 3 > 5 ? 1 : 2 : 9;"));
}

TEST_CASE("Python's words for and, or and division have Python's values") {
  const DialectScope python(Dialect::python);
  expect({{"3 and 5", "5"},
          {"0 or 7", "7"},
          {"5 and 0", "0"},
          {"0 and 7 or 2", "2"},
          {"7 / 2", "3.5"},
          {"8 / 2", "4"},
          {"7.5 // 2", "3.0"},
          {"-7.5 // 2", "-4.0"},
          {"2 ** 3 ** 2", "512"},
          {"-(2 ** 2)", "-4"},
          {"2 ** 3 * 2", "16"},
          {"int(7.9)", "7"}});
}

TEST_CASE("integers are written in every base, and with separators") {
  expect({{"0b1010", "10"},
          {"0o17", "15"},
          {"0x1F", "31"},
          {"1'000'000", "1000000"},
          {"1_000", "1000"},
          {"(1'024,0b11)", "(1024,3)"},
          {"010", "10"}});
  const DialectScope cpp(Dialect::cpp);
  expect({{"010", "8"}, {"0777", "511"}, {"0", "0"}, {"08", "8"}, {"0.5", "0.5"}});
}

TEST_CASE("a number takes the type that it is declared with or cast to") {
  const SnippetAnswer answer = evaluate_snippet(
      "int d = 7.9;\nunsigned k = -1;\nuint8_t m = 300;\nint8_t n = 200;\nbool g = 4;\nint e = 7.0 / 2;\nfloat h = 3;\n"
      "auto i = static_cast<int>(3.7);\nauto j = (int)3.7 + 1;\nauto l = (float)1 / 2;\n");
  std::string all;
  for (const StatementAnswer& each : answer.statements) all += each.values.empty() ? "?;" : to_string(each.values[0].second) + ";";
  CHECK(all == "7;4294967295;44;-56;true;3;3.0;3;4;0.5;");
}

TEST_CASE("a name of very many parts is refused") {
  std::string text = "a";
  for (int i = 0; i < 100000; ++i) text += ".x";
  CHECK(evaluate(text).error().code == ErrorCode::limit);
  std::string calls = "a";
  for (int i = 0; i < 100000; ++i) calls += "().x";
  CHECK(evaluate(calls).error().code == ErrorCode::limit);
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

TEST_CASE("Python's is, is not, in and not in compare as Python does, and are no words of C++") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"4 if None is not None else 5", "5"},
      {"4 if (1,2) is None else 5", "5"},
      {"4 if (1,2) is not None else 5", "4"},
      {"3 in (1, 3)", "true"},
      {"3 not in (1, 3)", "false"},
      {"\"K\" in (\"M\", \"K\")", "true"},
      {"\"ab\" in \"cabd\"", "true"},
      {"not 3 in (1, 2)", "true"},
      {"True is True and 3 is not None", "true"},
      {"cutlass.Float16 is cutlass.Float16", "true"},
      {"cutlass.Float16 is cutlass.Float32", "false"},
      {"(1,) in ((1,), 2)", "true"},
      {"None in (1, None)", "true"},
      {"1 if 2 < 3 in (3,) else 0", "1"},  // 2 < 3 and 3 in (3,)
  };
  const DialectScope python(Dialect::python);
  for (const auto& [text, value] : cases) {
    INFO(text);
    const Result<Value> made = evaluate(text);
    if (!made) FAIL(made.error().message);
    CHECK(to_string(*made) == value);
  }
  const Result<Value> objects = evaluate("(4,8):(8,1) is (4,8):(8,1)");
  REQUIRE_FALSE(objects);
  CHECK(objects.error().message.find("one object") != std::string::npos);
  const DialectScope cpp(Dialect::cpp);
  CHECK_FALSE(evaluate("4 is 4"));
}

}  // namespace tessera
