// SPDX-License-Identifier: BSD-3-Clause
// What a pasted text says, statement by statement: each name has the value that the program gives it there, or none, with the line that is
// the reason.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/snippet.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "x = 3; line 2 refused: ...; line 3 passed over: a loop; holds: ...", in order.
std::string answered(std::string_view text, const SnippetOptions& options = {}) {
  std::string made;
  const SnippetAnswer answer = evaluate_snippet(text, options);
  for (const StatementAnswer& each : answer.statements) {
    const auto add = [&](const std::string& word) { made += (made.empty() ? "" : "; ") + word; };
    if (each.refused) add(fmt::format("line {} refused: {}", each.statement.line, each.refused->message));
    if (!each.statement.reason.empty()) add(fmt::format("line {}: {}", each.statement.line, each.statement.reason));
    for (const auto& [name, value] : each.values) add((name.empty() ? "" : name + " = ") + to_string(value));
    for (const Error& warning : each.warnings) add("warning: " + warning.message);
    if (!each.remark.empty()) add(each.remark);
  }
  return made;
}

// What `print` shows last, or why it is refused.
std::string last_of(std::string_view text) {
  const SnippetAnswer answer = evaluate_snippet(text);
  if (answer.statements.empty()) return "(nothing)";
  const StatementAnswer& last = answer.statements.back();
  if (last.refused) return last.refused->message;
  return last.values.empty() ? last.statement.reason : to_string(last.values.back().second);
}

struct Case {
  std::string_view text, answer;
};

double seconds_of(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  static_cast<void>(evaluate_snippet(text));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("each declarator of a declaration binds its own name") {
  const Case cases[] = {
      {"auto a = make_shape(4,8), b = make_shape(2,2);", "a = (4,8); b = (2,2)"},
      {"int n = max(3,4), m = 9;", "n = 4; m = 9"},
      {"constexpr int kM = 128, kN = 64;", "kM = 128; kN = 64"},
      {"int x = 5,\n    y = x;", "x = 5; y = 5"},
      {"int a, b = 2;", "line 1: a declaration without a value; b = 2"},
      {"int a{3}, b(4), *c = b;", "a = 3; b = 4; c = 4"},
      {"float* p; int const* const q = nullptr; auto r = nullptr; Params const* s; half_t &t;",
       "p = ptr[32b](unset); q = ptr[32b](unset); line 1: a null pointer; line 1: a declaration without a value; line 1: a declaration "
       "without "
       "a value"},
      {"using L = Layout<_8>; L const a;", "L = 8:1; a = 8:1"},
      {"int a; a = 1, b = 2;", "line 1: a declaration without a value; a = 1; b = 2"},
      {"using L = Layout<Shape<_4,_8>, Stride<_8,_1>>; auto x = size<0>(L{}), y = size<1>(L{});", "L = (4,8):(8,1); x = 4; y = 8"},
      // A call keeps its arguments, and a product its type.
      {"auto a = make_shape(max(1, 2), 3);", "a = (2,3)"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(answered(each.text) == each.answer);
  }
}

TEST_CASE("a line of C++ ends where its ';' is missing and the next statement begins") {
  const Case cases[] = {
      {"auto x = make_shape(4, 8)\nauto y = size(x)", "x = (4,8); y = 32"},
      {"auto x = make_shape(4, 8)\n\n// why\nint n = 3;\nauto y = n;", "x = (4,8); n = 3; y = 3"},
      {"using namespace cute\nauto y = 3;", "line 1: a using directive; y = 3"},
      {"auto x = make_layout(make_shape(4,\n  8),\n  LayoutRight{})\nprint(x)", "x = (4,8):(8,1); (4,8):(8,1)"},
      // These go on.
      {"auto x = 4 +\n  5;", "x = 9"},
      {"auto x = 4\n  + 5;", "x = 9"},
      {"template <int N>\nusing L = Layout<Shape<Int<N>>>;\nauto x = L<4>{};", "L = L(N) = Layout<Shape<Int<N>>>; x = (4):(1)"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(answered(each.text) == each.answer);
  }
}

TEST_CASE("a variable of a plain type has the value in its brackets, 0 where they are empty, and none without them") {
  const Case cases[] = {
      {"int64_t u{8};", "u = 8"},
      {"constexpr int kM{128};", "kM = 128"},
      {"int w{};", "w = 0"},
      {"auto x{3};", "x = 3"},
      {"std::size_t n(4);", "n = 4"},
      {"using T = int; T n{5};", "T = \"int32_t\"; n = 5"},
      {"int a; auto b = a + 1;", "line 1: a declaration without a value; line 1 refused: a has no value: line 1 declares it without one"},
      {"using T = float; T a; auto b = a;",
       "T = \"float\"; line 1: a declaration without a value; line 1 refused: a has no value: line 1 "
       "declares it without one"},
      // A type whose objects are all alike has its value.
      {"Int<8> n; auto m = n;", "n = 8; m = 8"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(answered(each.text) == each.answer);
  }
}

TEST_CASE("a name that the text gives a value which is not read has none, and none is guessed") {
  const Case cases[] = {
      {"auto kN = helper(3);\nauto x = make_shape(kN, 4);", "kN has no value, since line 1, which gives it one, is refused"},
      {"auto kN = other::helper(3);\nauto x = make_shape(kN, 4);",
       "kN has no value: line 1, a function of another library: other::helper, which is passed over, assigns it"},
      {"int k[2] = {1, 2};\nauto x = make_shape(k, 4);", "k has no value: line 1, an array, which is passed over, assigns it"},
      {"struct Cfg { static constexpr int kM = 64; };\nauto x = make_shape(Cfg::kM, 4);",
       "Cfg has no value: line 1, a class, which is passed over, defines it"},
      {"class Cfg:\n  kM = 64\nx = (Cfg.kM, 4)", "Cfg has no value: line 1, a class, which is passed over, defines it"},
      {"enum { kM = 64, kN };\nauto x = kN;", "kN has no value: line 1, an enumeration, which is passed over, defines it"},
      {"#define AREA 4 * 8\nauto x = AREA;", "AREA has no value: line 1, a macro of several terms, which is passed over, defines it"},
      {"auto f = [](int i) { return i; };\nauto x = f;", "f has no value, since line 1, which gives it one, is passed over (a lambda)"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(last_of(each.text) == each.answer);
  }
  // What nothing gives a value is guessed as before, and a value that is given stands for one that is not read.
  CHECK(last_of("void f(int kN) { }\nauto x = make_shape(kN, 4);") == "(128,4)");
  SnippetOptions options;
  options.given = {{"kN", "32"}};
  CHECK(answered("auto kN = helper(3);\nauto x = make_shape(kN, 4);", options).ends_with("x = (32,4)"));
}

TEST_CASE("macros, chains and unpacked names are read") {
  const Case cases[] = {
      {"#define BM 64\n#define BK (BM / 2)  // half\nauto s = make_shape(BM, BK);", "BM = 64; BK = 32; s = (64,32)"},
      {"#define HD __device__\nauto s = 3;", "line 1: a preprocessor line; s = 3"},
      {"g = h = 5", "h = 5g = 5"},
      {"auto const& [c, d] = make_tuple(3, 4);", "c = 3d = 4"},
      {"e, = (8,)\nprint(e)", "e = 8; 8"},
      {"(a,) = (8,)", "a = 8"},
      {"auto [a] = make_tuple(3);", "a = 3"},
      {"x, = (1, 2)", "line 1 refused: 1 name takes the elements of a tuple of 2: the tuple (1,2)"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    std::string made = answered(each.text);
    for (const std::string_view both : {"h = 5; g = 5", "c = 3; d = 4"}) {
      if (made == both) made = fmt::format("{}{}", both.substr(0, 5), both.substr(7));
    }
    CHECK(made == each.answer);
  }
}

TEST_CASE("an update gives a name its next value") {
  const Case cases[] = {
      {"int a = 5;\na += 3;", "a = 5; a = 8"},
      {"int a = 5;\na -= 1 + 1;", "a = 5; a = 3"},
      {"int a = 5;\na *= 2;\na <<= 1;", "a = 5; a = 10; a = 20"},
      {"int a = 5;\n++a;\na++;\na--;", "a = 5; a = 6; a = 7; a = 6"},
      {"a = 7\na //= 2", "a = 7; a = 3"},
      {"a = 7\na //= 1 + 1", "a = 7; a = 3"},
      {"a = (1, 2)\na += 3\nb = a", "a = (1,2); line 2 refused: "},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(answered(each.text).starts_with(each.answer));
  }
  CHECK(last_of("b = 4\nacc += b") == "an update of what has no value");
}

TEST_CASE("what is passed over takes its value from every name that it assigns") {
  const Case cases[] = {
      {"int a = 1;\nint b = 2;\nfor (int i = 0; i < 4; ++i) { a += i; int b = 3; }\nprint(b);\nprint(a);",
       "a has no value: line 3, a loop, which is passed over, assigns it"},
      {"int a = 1;\nif (x) a = 3;\nprint(a);", "a has no value: line 2, a condition, which is passed over, assigns it"},
      {"int a = 1;\nif (x) { a++; }\nprint(a);", "a has no value: line 2, a condition, which is passed over, assigns it"},
      {"int a = 1;\nwhile (a < 3) ++a;\nprint(a);", "a has no value: line 2, a loop, which is passed over, assigns it"},
      {"int a = 1;\ndo { a = 2; } while (x);\nprint(a);", "a has no value: line 2, a loop, which is passed over, assigns it"},
      {"int a = 1;\nauto f = [&] { a = 2; };\nprint(a);", "a has no value: line 2, a lambda, which is passed over, assigns it"},
      {"a = 1\nif x:\n  a, b = 2, 3\nprint(a)", "a has no value: line 2, a condition, which is passed over, assigns it"},
      {"a = 1\nwith f() as a:\n  g(x)\nprint(a)", "a has no value: line 2, a context, which is passed over, assigns it"},
      {"a = 1\ndel a\nprint(a)", "a has no value: line 2, a deletion, which is passed over, assigns it"},
      {"a = (1, 2)\na[0] = 5\nprint(a)", "a has no value: line 2, a store, which is passed over, assigns it"},
      {"auto t = make_tuple(1, 2);\nget<0>(t) = 5;\nprint(t);", "t has no value: line 2, a store, which is passed over, assigns it"},
      {"int a = 1;\nint& r = a;\nr = 5;\nprint(a);", "a has no value: line 3 assigns r, which may be the same variable"},
      // In Python another object for one name is seen by no other, and a change of the object is.
      {"a = (1, 2)\nb = a\nwhile f():\n    b = (3, 4)\nprint(a)", "(1,2)"},
      {"a = [1, 2]\nb = a\nwhile f():\n    b += [3]\nprint(a)", "a has no value: line 3 assigns b, which may be the same variable"},
      // The elements of a tensor are no part of what it is.
      {"auto t = make_tensor(make_gmem_ptr<float>(p), make_shape(4, 8));\nt(0) = 5;\nprint(size(t));", "32"},
      {"auto p = make_gmem_ptr<float>(x);\n*p = 3.0f;", "a store"},
      {"int b = 2;\nfor (int i = 0; i < 4; ++i) { int b = 3; b = i; }\nprint(b);", "2"},
      {"int a = 1;\nif (x) { } auto L = make_layout(a);\nprint(L);", "1:0"},
      {"int a = 1;\nif (x) { } else { }\nauto L = make_layout(4);\nprint(L);", "4:1"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(last_of(each.text) == each.answer);
  }
}

TEST_CASE("of an #if one branch is read, and the other is named") {
  CHECK(answered("#if 0\nauto a = 1;\n#endif\nauto b = 2;") ==
        "line 1: a preprocessor line; line 2: code of an #if 0; line 3: a preprocessor line; b = 2");
  CHECK(answered("#ifdef X\nauto a = 1;\n#else\nauto a = 2; auto c = 3;\n#endif\nauto b = a;") ==
        "line 1: a preprocessor line; a = 1; line 3: the other branch of the #if in line 1; line 5: the end of the #if in line 1, whose "
        "condition is not known; line 6 refused: a has no value behind line 5, the end of the #if in line 1, whose condition is not known: "
        "it "
        "is not the same in all branches");
  CHECK(last_of("#ifdef X\nauto a = 1;\n#else\nauto c = 3;\n#endif\nauto b = c;") ==
        "c has no value: line 3, the other branch of the #if in line 1, which is passed over, assigns it");
  CHECK(last_of("#if 0\nauto a = 1;\n#else\nauto a = 2;\n#endif\nprint(a);") == "2");
}

TEST_CASE("an assertion about guessed names says with which values it holds, and takes such values") {
  CHECK(answered("static_assert(bM % 64 == 0);") == "this holds with the likely values bM = 128");
  CHECK(answered("static_assert(bK == 64);") == "this holds with the likely values bK = 64");
  CHECK(answered("static_assert(rows == 77);") == "warning: this does not hold: rows == 77, with the likely values of what it needs");
  CHECK(answered("static_assert(4 == 4);").empty());
}

TEST_CASE("what never ends is refused with its line") {
  CHECK(answered("x = 4\n/* abc\ny = 3\n") == "x = 4; line 2 refused: this comment never ends, and nothing below is read");
  CHECK(answered("auto x = 4; /* abc\nauto y = 3;\n") == "x = 4; line 1 refused: this comment never ends, and nothing below is read");
  CHECK(answered("auto x = /* abc\nauto y = 3;\n") == "line 1 refused: the comment that begins here never ends, and nothing below is read");
  CHECK(answered("auto x = \"abc;\nauto y = 3;\n") ==
        "line 1 refused: this string is not closed: \" is missing at the end of the line; y = 3");
}

TEST_CASE("a bracket or a string that nothing closes ends where a statement begins at its level") {
  SnippetOptions python, cpp;
  python.statements = {true, Dialect::python};
  cpp.statements = {true, Dialect::cpp};
  const std::string open = "this '(' is never closed: ')' is missing",
                    long_string = " never ends: what stands below is read from the next statement on";
  CHECK(answered("def f():\n    x = (1, 2\n    y = 3\n", python) == "line 2 refused: " + open + "; y = 3");
  CHECK(answered("def f():\n    x = (1, 2,\n    y = 3\n", python).ends_with("y = 3"));
  CHECK(answered("def f():\n    x = [4\n    print(5)\n", python) == "line 2 refused: this '[' is never closed: ']' is missing; 5");
  CHECK(answered("def f():\n    x = (1,\ny = 3\n", python).ends_with("y = 3"));
  CHECK(answered("def f():\n    \"\"\"It is so.\n    y = 3\n", python) == "line 2 refused: this string" + long_string + "; y = 3");
  CHECK(answered("def f():\n    x = '''It is so.\n      z = 2\n    for sure it is\n    y = 3\n", python) ==
        "line 2 refused: the string that begins here" + long_string + "; y = 3");
  CHECK(answered("void f() {\n  auto x = (1, 2\n  auto y = 3;\n}\n", cpp) == "line 2 refused: " + open + "; y = 3");
  CHECK(answered("void f() {\n  auto x = (1, 2\n  if (x)\n    g();\n}\nauto y = 3;\n", cpp).ends_with("y = 3"));
  // What closes goes on, wherever its lines begin.
  CHECK(answered("def f():\n    x = (1,\n    2,\n  (3))\n    y = 3\n", python) == "x = (1,2,3); y = 3");
  CHECK(answered("def f():\n    x = ((4\n    if 2 > 1\n    else 8), 2)\n    y = 3\n", python).ends_with("y = 3"));
  CHECK(answered("def f():\n    \"\"\"It is so.\n    z = 2\n    \"\"\"\n    y = 3\n", python) == "line 2: a comment; y = 3");
}

TEST_CASE("where nothing says the language, what the others would make of it is said") {
  const auto said = [](std::string_view text) {
    std::vector<Error> warnings;
    const Result<Value> value = evaluate(text, {}, &warnings);
    const std::string_view begin = "nothing says which language this is in: read in Tessera's own notation it is ";
    if (!value || warnings.empty()) return value ? to_string(*value) : value.error().message;
    return warnings.size() == 1 && warnings[0].message.starts_with(begin) ? warnings[0].message.substr(begin.size()) : "another warning";
  };
  CHECK(said("-7 % 3") == "the integer 2; in C++ it is the integer -1");
  CHECK(said("7 / 2") == "the integer 3; in Python it is the number 3.5");
  CHECK(said("5 & 3 == 3") == "the truth value false; in C++ it is the integer 1");
  CHECK(said("3 > 2 > 1") == "the truth value true; in C++ it is the truth value false");
  CHECK(said("010") == "the integer 10; in C++ it is the integer 8");
  CHECK(said("3 and 5") == "the integer 5; in C++ it is the truth value true");
  CHECK(said("8 / 2") == "4");  // the same everywhere
  CHECK(said("(8)") == "(8)");  // our notation
  CHECK(said("composition((6):(0), Sw<3,3,-4>)") == "(6):(0)");
  // C++ has no statement without a ';'.
  CHECK(answered("# typename of the tile\nn = -7 % 3") == "n = 2");
  CHECK(answered("n = 7 / 2") ==
        "n = 3; warning: nothing says which language this is in: read in Tessera's own notation it is the integer 3; in Python it is the "
        "number 3.5");
  CHECK(answered("let n = 7 / 2") == "n = 3");      // our own line
  CHECK(answered("auto n = -7 % 3;") == "n = -1");  // C++
  CHECK(answered("import cutlass\nn = 7 / 2").ends_with("n = 3.5"));
  CHECK(answered("x = (8)\ny = ((4), max((-1), 2))") == "x = 8; y = (4,2)");
}

TEST_CASE("patches, fences and prompts are taken off, and what is no code of the text is passed over") {
  const Case cases[] = {
      {"@@ -1,2 +1,2 @@\n-auto x = 3;\n+auto x = 4;\n auto y = x;\n", "line 2: a removed line; x = 4; y = 4"},
      {"-a = 3\n+a = (4,\n+     5)\n", "line 1: a removed line; a = (4,5)"},
      {"```cpp\nauto x = 4;\n```\n", "x = 4"},
      {"The layout:\n\n```cpp\nauto x = 4;\n```\nis small.\n", "line 1: text around the code; x = 4; line 6: text around the code"},
      {">>> a = (4, 8)\n>>> a\n(4, 8)\n", "a = (4,8); (4,8); line 3: an answer of the interpreter"},
      {">>> for i in range(3):\n...   print(i)\n...\n>>> b = 3\n", "line 1: a loop; b = 3"},
      {"In [1]: a = 4\nOut[1]: 4\n\nIn [2]: b = a\n", "a = 4; line 2: an answer of the interpreter; b = 4"},
      // A sum that goes on below is no patch.
      {"a = (4\n+ 5)\n", "a = 9"},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(answered(each.text) == each.answer);
  }
}

TEST_CASE("a bracket that stays open spoils its own statement") {
  std::string text = "auto broken = make_shape((4, 8;\n";
  for (int i = 0; i < 200; ++i) text += fmt::format("auto x{} = {};\n", i, i);
  SnippetAnswer answer = evaluate_snippet(text);
  REQUIRE(answer.statements.size() == 201);
  CHECK(answer.statements[0].refused);
  CHECK_FALSE(answer.statements[200].refused);
  CHECK(answered("auto a = make_shape((4, 8\nauto b = 3\nc = 4\n").ends_with("b = 3; c = 4"));
  CHECK(answered("a = cute.size((4, 8)\nb = 3\n").ends_with("b = 3"));
  // A named argument at the left margin is one where the brackets close.
  CHECK(answered("a = cute.make_layout((4, 8),\nstride=(8, 1))\n") == "a = (4,8):(8,1)");
}

TEST_CASE("long texts are read in seconds") {
  std::string open = "auto a = ", many;
  for (int i = 0; i < 100'000; ++i) open += "Layout<";
  CHECK(seconds_of(open) < 5);
  for (int i = 0; i < 10'000; ++i)
    many += fmt::format("auto name_{0} = make_layout(make_shape(4, 8), make_stride({0}, 1)); // {0} {1}\n", i, std::string(40, 'x'));
  CHECK(seconds_of(many) < 10);
  CHECK(seconds_of("x = 4 // 5 " + std::string(1'000'000, '/') + "\n") < 5);
}
