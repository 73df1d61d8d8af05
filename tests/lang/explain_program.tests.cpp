// SPDX-License-Identifier: BSD-3-Clause
// A source file that is walked through: blocks give names back, and what a block may assign is doubted behind it.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/lang/programs/explain_program.hpp"
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
    for (const std::string& stated : each.stated) text += " with " + stated;
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

TEST_CASE("what a loop assigns further down is doubted from its beginning") {
  CHECK(explained("int n = 4;\nfor (int i = 0; i < 3; ++i) {\n  auto A = make_layout(n);\n  n = 8;\n  auto B = make_layout(n);\n}") ==
        "A = 4:1 ! n: line 4 assigns it in a loop: another value is possible; B = 8:1");
  CHECK(explained("n = 4\nfor i in range(3):\n  for k in range(2):\n    A = cute.make_layout(n)\n  n = 8\n") ==
        "A = 4:1 ! n: line 5 assigns it in a loop: another value is possible");
  // What is made in the loop is new in each round, and so is a variable of the same name.
  CHECK(explained("for (int i = 0; i < 3; ++i) {\n  int n = 4;\n  auto A = make_layout(n);\n  n = 8;\n}") == "A = 4:1");
  CHECK(explained("int n = 4;\nfor (int i = 0; i < 3; ++i) {\n  auto A = make_layout(n);\n  int n = 8;\n}") == "A = 4:1");
  // A function may be called again.
  CHECK(explained("int n = 4;\nvoid f() {\n  auto A = make_layout(n);\n  n = 8;\n}") ==
        "A = 4:1 ! n: line 4 assigns it in a function: another value is possible");
}

TEST_CASE("of a condition that is known only what is taken counts, and without a doubt") {
  const std::string_view chain =
      "constexpr int k = {};\nint n = 4;\nif constexpr (k > 2) {{\n  n = 8;\n}} else if (k == 2) {{\n  n = 16;\n  auto A = "
      "make_layout(n);\n}} else "
      "{{\n  n = 32;\n}}\nauto B = make_layout(n);";
  CHECK(explained(fmt::format(fmt::runtime(chain), 3)) == "B = 8:1");
  CHECK(explained(fmt::format(fmt::runtime(chain), 2)) == "A = 16:1; B = 16:1");
  CHECK(explained(fmt::format(fmt::runtime(chain), 1)) == "B = 32:1");
  CHECK(explained("k = 3\nn = 4\nif k > 3:\n  n = 8\nelif k:\n  n = 16\nelse:\n  n = 32\nB = cute.make_layout(n)\n") == "B = 16:1");
  CHECK(explained("int n = 4;\nif (n > 5) n = 8;\nauto B = make_layout(n);").starts_with("B = 4:1 ! n"));  // read as one statement
  // One that is not known leaves the others open, and so does one that rests on a guess or on a doubt.
  CHECK(explained("n = 4\nif x:\n  n = 8\nelif 3 > 4:\n  n = 16\nelse:\n  n = 32\nB = cute.make_layout(n)\n").starts_with("B = 32:1 ! n"));
  CHECK(explained("int n = 4;\nif (bM > 2) {\n  n = 8;\n}\nauto B = make_layout(n);").starts_with("B = 8:1 ! n"));
  CHECK(explained("int n = 4, k = 1;\nif (x) {\n  k = 2;\n}\nif (k == 2) {\n  n = 8;\n}\nauto B = make_layout(n);")
            .starts_with("B = 8:1 ! n"));
  CHECK(explained("int n = 4, k = 1;\nwhile (x) {\n  if (k == 1) {\n    n = 8;\n  }\n  k = 2;\n  auto B = make_layout(n);\n}")
            .starts_with("B = 8:1 ! n"));
  // An else that belongs to a loop follows no condition.
  CHECK(
      explained("n = 4\nif n > 5:\n  n = 8\nfor i in x:\n  m = 2\nelse:\n  n = 16\nB = cute.make_layout(n)\n").starts_with("B = 16:1 ! n"));
}

TEST_CASE("a value that a condition may not have made is no known one") {
  const auto fate = [](std::string_view source) {
    const AccountEntry last = explain(source, {}, Dialect::cpp).account.back();
    return fmt::format("{} {}", to_string(last.fate), last.words);
  };
  CHECK(fate("int n = 4;\nif (x) {\n  n = 8;\n}\nint m = n;") ==
        "waits n: line 3 assigns it in a condition: another value is possible; here it is 8");
  CHECK(fate("int n = f(4);\nif (x) {\n  n = 8;\n}\nint m = n;").starts_with("waits n: line 3"));
  CHECK(fate("int n = 4;\nif (x) {\n  n = 8;\n  int m = n;\n}") == "valued 8");
}

TEST_CASE("a variable of C++ keeps a type that its declaration says without a value") {
  const auto last = [](std::string_view source) { return explain(source, {}, Dialect::cpp).account.back().words; };
  CHECK(last("uint8_t n;\nn = 300;") == "44");
  CHECK(last("uint8_t n, m = 2;\nn = 300;") == "44");
  CHECK(last("uint8_t n;\nn = 300;\nn = 301;") == "45");
  CHECK(last("uint8_t n = f(3);\nn = 300;") == "44");
  CHECK(last("uint8_t n = {300};") == "44");
  CHECK(last("int8_t n = {};") == "0");
  CHECK(last("int n = 3;\nvoid f() {\n  uint8_t n = 4;\n}\nn = 300;") == "300");
  CHECK(last("auto n = 1;\nbool b = true;\nn = b;") == "1");
  CHECK(last("auto n = f(3);\nn = 300;") == "the type of n is not known, since the line that declares it is refused");
}

TEST_CASE("the branches of an #if that are not read are named") {
  CHECK(explained("#ifdef X\nauto A = make_layout(4);\n#else\nauto A = make_layout(8);\n#endif\nauto B = A;") ==
        "A = 4:1; line 3: the other branch of the #if in line 1; line 5: the end of the #if in line 1, whose condition is not known");
}

TEST_CASE("a parameter has the default that its head states, and says so") {
  CHECK(explained("template <int Stages = 3, class T = half_t>\nstruct Tr {\n  static constexpr int kS = Stages;\n"
                  "  using L = Layout<Shape<_8, Int<kS>>>;\n};") == "L = (8,3):(1,8) with Stages = 3, its default in line 1");
  CHECK(explained("template <int N = 4,\n          int M = 2 * N>\nvoid f() {\n  auto L = make_layout(M);\n}") ==
        "L = 8:1 with M = 2 * N, its default in line 2 with N = 4, its default in line 1");
  CHECK(explained("void f(int n = 4) {\n  auto L = make_layout(n);\n}") == "L = 4:1 with n = 4, its default in line 1");
  CHECK(explained("def f(x, tile=(8, 4), n: int = 2):\n  L = cute.make_layout(tile)\n  M = cute.make_layout(n)\n") ==
        "L = (8,4):(1,8) with tile = (8, 4), its default in line 1; M = 2:1 with n = 2, its default in line 1");
  CHECK(explained("class G:\n  def __init__(self, n: int = 2):\n    self.n = n\n  def run(self):\n    L = cute.make_layout(self.n)\n") ==
        "L = 2:1 with n = 2, its default in line 2");
  // It hides what is outside, ends with its block, and one without a value here states nothing.
  CHECK(explained("int n = 8;\nvoid f(int n = 4) {\n  auto L = make_layout(n);\n}\nauto M = make_layout(n);") ==
        "L = 4:1 with n = 4, its default in line 2; M = 8:1");
  CHECK(explained("template <int N = other<3>()>\nvoid f() {\n  auto L = make_layout(N);\n}") == "L = 128:1 ? N");
  CHECK(explained("template <int N = 4>\nvoid f() {\n  if (N == 8) {\n    auto L = make_layout(N);\n  }\n}") ==
        "L = 4:1 with N = 4, its default in line 1");
}

TEST_CASE("a value that is given comes before the default") {
  const Explanation made = explain("template <int N = 4>\nvoid f() {\n  auto L = make_layout(N);\n}", {{"N", "6"}});
  REQUIRE(made.objects.size() == 1);
  CHECK(to_string(made.objects[0].value) == "6:1");
  CHECK(made.objects[0].stated.empty());
}

TEST_CASE("what is guessed for a parameter is of the kind that its head states") {
  const Explanation of_truth = explain("template <bool kStages>\nvoid f() {\n  auto L = make_layout(kStages ? 2 : 4);\n}");
  REQUIRE(of_truth.symbols.size() == 1);
  CHECK(of_truth.symbols[0].likely == "true");
  CHECK(explained("void f(int sA) {\n  auto L = make_layout(sA);\n}") == "L = 128:1 ? sA");
  CHECK(explained("def f(x: cutlass.Constexpr[int]):\n  L = cute.make_layout(x)\n") == "L = 128:1 ? x");
  CHECK(explained("def f(n: cute.Tensor):\n  L = cute.coalesce(n)\n").ends_with("? n"));
}
