// SPDX-License-Identifier: BSD-3-Clause
// A source file that is walked through: blocks give names back, and what a block may assign is doubted behind it.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/lang/programs/explain.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "L = (4):(1) ! doubt; ..." of each object.
std::string explained(std::string_view source) {
  std::string text;
  const Explanation made = explain(source);
  for (const Explained& each : made.objects) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", each.name, to_string(each.value));
    for (const std::string& doubt : each.doubts) text += " ! " + doubt;
    for (const std::string& need : each.needs) text += " ? " + need;
  }
  for (const Unexplained& each : made.unexplained) text += fmt::format("; line {}: {}", each.line, each.message);
  for (const Unexplained& each : made.passed_over) text += fmt::format("; line {}: {}", each.line, each.message);
  return text;
}

}  // namespace

TEST_CASE("what is declared in a block ends with it") {
  CHECK(explained("int n = 4;\n{ int n = 8; auto A = make_layout(n); }\nauto B = make_layout(n);") == "A = 8:1; B = 4:1");
  CHECK(explained("int n = 4;\nvoid f() {\n  int n = 8;\n}\nauto B = make_layout(n);") == "B = 4:1");
  CHECK(explained("n = 4\ndef f(x):\n  n = 8\nB = cute.make_layout(n)\n") == "B = 4:1");
  // A parameter hides the name outside, and is guessed.
  CHECK(explained("int n = 4;\nvoid f(int n) {\n  auto A = make_layout(n);\n}\nauto B = make_layout(n);") == "A = 128:1 ? n; B = 4:1");
  CHECK(explained("struct Cfg {\n  static constexpr int kM = 64;\n};\nauto A = make_layout(Int<Cfg::kM>{});") == "A = 64:1");
  CHECK(explained("namespace cfg {\nconstexpr int kM = 64;\n}\nauto A = make_layout(Int<cfg::kM>{});") == "A = 64:1");
}

TEST_CASE("what a loop or a condition assigns is doubted behind it") {
  CHECK(explained("int n = 4;\nif (x) {\n  n = 8;\n}\nauto B = make_layout(n);\nauto C = B;") ==
        "B = 8:1 ! n: line 3 assigns it in a condition: another value is possible; "
        "C = 8:1 ! n: line 3 assigns it in a condition: another value is possible");
  CHECK(explained("int n = 4;\nfor (int i = 0; i < 3; ++i) {\n  n += 1;\n}\nauto B = make_layout(n);") ==
        "B = 5:1 ! n: line 3 assigns it in a loop: another value is possible");
  CHECK(explained("int n = 4;\nif (x) n = 8;\nauto B = make_layout(n);") ==
        "B = 4:1 ! n: line 2 assigns it in a condition: another value is possible");
  CHECK(explained("n = 4\nif x:\n  n = 8\nelse:\n  n = 9\nB = cute.make_layout(n)\n")
            .starts_with("B = 9:1 ! n: line 5 assigns it in a condition"));
  CHECK(explained("int n = 4;\nswitch (x) {\n  case 1: n = 8; break;\n  default: n = 9;\n}\nauto B = make_layout(n);")
            .starts_with("B = 9:1 ! n: line 3 assigns it in a condition"));
  // In its own branch a value is certain.
  CHECK(explained("int n = 4;\nif (x) {\n  n = 8;\n  auto B = make_layout(n);\n}") == "B = 8:1");
}

TEST_CASE("the branches of an #if that are not read are named") {
  CHECK(explained("#ifdef X\nauto A = make_layout(4);\n#else\nauto A = make_layout(8);\n#endif\nauto B = A;") ==
        "A = 4:1; line 3: the other branch of the #if in line 1; line 5: the end of the #if in line 1, whose condition is not known");
}
