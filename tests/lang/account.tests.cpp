// SPDX-License-Identifier: BSD-3-Clause
// What a C++ file binds is accounted for where it stands, whatever the heads in front of it look like.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/lang/programs/explain_program.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "2 a, 3 b": each line with the names that it binds.
std::string bound(std::string_view source) {
  std::string text;
  for (const AccountEntry& each : explain(source, {}, Dialect::cpp).account) {
    for (const std::string& name : each.names) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.line, name);
  }
  return text;
}

// What is said of the name.
std::string said_of(std::string_view source, std::string_view name) {
  for (const AccountEntry& each : explain(source, {}, Dialect::cpp).account) {
    for (const std::string& own : each.names) {
      if (own == name) return fmt::format("{}: {}", to_string(each.fate), each.words);
    }
  }
  return "none";
}

}  // namespace

TEST_CASE("functions are walked into whose heads have comments, defaults, operators or values of members") {
  CHECK(bound("void f(int n)  // a > b\n{\n  int x = 3;\n}\n") == "3 x");
  CHECK(bound("__global__ __launch_bounds__(128) void\n// begins\nk(int n)\n// ends\n{\n  int x = 3;\n}\n") == "6 x");
  CHECK(bound("void load(int& to, int index = 0) const {\n  int x = 3;\n}\n") == "2 x");
  CHECK(bound("bool in_range(int n) noexcept\n{\n  int x = 3;\n}\n") == "3 x");
  CHECK(bound("bool T::operator==(const T& b) const\n{\n  int x = 3;\n}\n") == "3 x");
  CHECK(bound("struct S {\n  int a() const override {\n    F::g();\n    int x = 3;\n  }\n  T b() const noexcept {\n    int y = 3;\n  "
              "}\n};\n") == "4 x, 7 y");
  CHECK(bound("T& operator+=(const T& b) {\n  int x = 3;\n}\n") == "2 x");
  CHECK(bound("T::T(int n) :\n  Base(n),\n  value{},\n  other{n, 3}\n{\n  int x = 3;\n}\nint y = 4;\n") == "6 x, 8 y");
  CHECK(bound("template <class A,  ///< the type, A<B>\n  int N = (4 > 3)>\nstruct S {\n  int x = 3;\n};\n") == "4 x");
}

TEST_CASE("shifts and comparisons are no lists of a template, and one statement's names are all there") {
  CHECK(bound("int zk = z << k, yk = y << k;\n") == "1 zk, 1 yk");
  CHECK(bound("int next = i + 1 < n ? 3 : 4, count = 5;\n") == "1 next, 1 count");
  CHECK(bound("int arr[3] = {1, 2}, n2 = 4;\n") == "1 arr, 1 n2");
  CHECK(bound("auto val = p->count[3] += 1;\n") == "1 val");
  CHECK(bound("auto const [a, b] = c ? at::g(1) : at::h(2);\n") == "1 a, 1 b");
  CHECK(said_of("int zk = 3 << 2, yk = 1 << 4;\n", "yk") == "valued: 16");
}

TEST_CASE("what a head declares is its own, and an argument there is not") {
  CHECK(bound("if (const auto both = f(a, words, b); both)\n  words = both;\n") == "1 words");
  CHECK(bound("for (int i = 0, n = 4; i < n; ++i) total = i;\n") == "1 total");
}

TEST_CASE("words of Python are names in C++, and what an arrow leads to is no name") {
  CHECK(said_of("int from = 3;\nfrom = from + 1;\n", "from") == "valued: 3");
  CHECK(bound("from = 1;\nimport = 2;\npass = 3;\nwith = 4;\n") == "1 from, 2 import, 3 pass, 4 with");
  CHECK(said_of("int q = 3;\np->q = 5;\nint r = q;\n", "r").find("5") == std::string::npos);
}

TEST_CASE("raw strings end where they end") {
  CHECK(bound("const char* t = R\"(a \" ( // b\n)\";\nint x = 3;\n") == "1 t, 3 x");
  CHECK(bound("const char* t = u8R\"mark(a )\" b)mark\";\nint x = 3;\n") == "1 t, 2 x");
}

TEST_CASE("storage in shared memory is a pointer, with whatever alignment, and numbers may end with a point and an f") {
  CHECK(said_of("extern __shared__ half_t smem[];\n", "smem").starts_with("valued: smem_ptr[16b]"));
  CHECK(said_of("__shared__ alignas(16) float tile[32 * 33];\n", "tile").starts_with("valued: smem_ptr[32b]"));
  CHECK(said_of("__shared__ __align__(1024) half_t buf[64];\n", "buf").starts_with("valued: smem_ptr[16b]"));
  CHECK(said_of("float z = 0.f;\n", "z") == "valued: 0.0");
}

TEST_CASE("what another branch of an #if binds is refused line by line, and so is what the branches leave undecided") {
  const std::string text = "#ifdef X\nint a = 1;\n#else\nint a = 2;\nint b = 3;\n#endif\n";
  CHECK(bound(text) == "2 a, 4 a, 5 b, 6 a");
  CHECK(said_of(text, "b") == "refused: not evaluated: in the other branch of the #if in line 1");
  CHECK(bound("#if 0\nint a = 1;\n#endif\nint b = 2;\n") == "4 b");
  CHECK(bound("#ifdef X\n#else\n#ifdef Y\n#else\nint c = 3;\n#endif\n#endif\n") == "5 c");
}
