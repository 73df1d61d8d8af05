// SPDX-License-Identifier: BSD-3-Clause
// A comment that states another value than its statement has is a remark; agreement is none.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/lang/programs/explain_program.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "l: the comment in line 1 says ..." of each remark.
std::string remarks(std::string_view source, Dialect language = Dialect::cpp) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& message) {
    if (message.find("the comment") == std::string::npos) return;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, message);
  };
  const Explanation made = explain(source, {}, language);
  for (const Explained& each : made.objects) {
    for (const Error& warning : each.warnings) add(each.name, warning.message);
    for (const std::string& doubt : each.doubts) add(each.name, doubt);
  }
  for (const ExplainedEffect& each : made.effects) {
    for (const Error& warning : each.warnings) add(each.name, warning.message);
  }
  return text;
}

const std::string kWrong = "l: the comment in line 1 says (8,4):(4,1), the value is (8,4):(1,8)";

}  // namespace

TEST_CASE("a comment on a statement's line that states another layout is a remark") {
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // (8,4):(4,1)\n") == kWrong);
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  /* (8,4):(4,1) */\n") == kWrong);
  CHECK(remarks("l = cute.make_layout((8, 4))  # (8,4):(4,1)\n", Dialect::python) == kWrong);
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // l: (8,4):(4,1)\n") == kWrong);
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // -> (8,4):(4,1) row-major\n") == kWrong);
  CHECK(remarks("auto l = make_layout(make_shape(Int<8>{}, Int<4>{}));  // (_8, _4) : (_4, _1)\n") ==
        "l: the comment in line 1 says (_8, _4) : (_4, _1), the value is (8,4):(1,8)");
  CHECK(remarks("auto l = make_layout(\n    make_shape(8, 4));  // (8,4):(4,1)\n") ==
        "l: the comment in line 2 says (8,4):(4,1), the value is (8,4):(1,8)");
}

TEST_CASE("agreement, symbols and sentences are no remarks") {
  for (const std::string_view comment :
       {"(8,4):(1,8)", "(_8,_4):(_1,_8)", "( 8 , 4 ) : ( 1 , 8 )", "(BLK_M,BLK_K)", "(BLK_M,4):(4,1)", "(8,4):(4,1) o 4",
        "(thr,val) -> (m,n)", "was (8,4):(4,1) once", "(8,4):(4,1)+2", "(8,4)", "8", "(32,1) threads", "x"}) {
    CAPTURE(comment);
    if (comment == "(32,1) threads") continue;  // a shape of as many modes: see below
    CHECK(remarks(fmt::format("auto l = make_layout(make_shape(8, 4));  // {}\n", comment)).empty());
  }
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));\nauto s = \"// (8,4):(4,1)\";\n").empty());
}

TEST_CASE("a shape is held against a layout of as many modes") {
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // (4,8)\n") == "l: the comment in line 1 says (4,8), the value is (8,4):(1,8)");
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // (8,4)\n").empty());
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));  // (8,4,2)\n").empty());
  CHECK(remarks("auto s = make_shape(8, 4);  // (4,8)\n") == "s: the comment in line 1 says (4,8), the value is (8,4)");
}

TEST_CASE("a comment on a line of its own is about the statement that it goes with") {
  CHECK(remarks("// (8,4):(4,1)\nauto l = make_layout(make_shape(8, 4));\n") == kWrong);
  CHECK(remarks("auto l = make_layout(make_shape(8, 4));\n// (8,4):(4,1)\n") ==
        "l: the comment in line 2 says (8,4):(4,1), the value is (8,4):(1,8)");
  // Below each, and above each.
  CHECK(remarks("auto a = make_layout(8);\n// 8:1\nauto b = make_layout(4);\n// 4:1\n").empty());
  CHECK(remarks("// 8:1\nauto a = make_layout(8);\n// 4:1\nauto b = make_layout(4);\n").empty());
  CHECK(remarks("auto a = make_layout(8);\n\n// 4:2\n\nauto b = make_layout(4);\n").empty());
}

TEST_CASE("where the value rests on a guess, the comment is the better evidence") {
  CHECK(remarks("void f(int bM) {\n  auto l = make_layout(bM);  // 64:1\n}\n") ==
        "l: the comment in line 2 says 64:1, with the likely values bM = 128 it is 128:1: the comment is the better evidence");
}
