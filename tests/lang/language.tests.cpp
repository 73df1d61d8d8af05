// SPDX-License-Identifier: BSD-3-Clause
// Which language a text is in: comments, strings and what both languages have decide nothing.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/statements/statements.hpp"
#include "core/lang/syntax/language.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string value_of(std::string_view text) {
  const Result<Value> made = evaluate(text);
  return made ? to_string(*made) : std::string(to_string(made.error().code)) + ": " + made.error().message;
}

}  // namespace

TEST_CASE("words of comments and strings decide no language") {
  for (const char* text : {"# using two warps\nn = 256 // 8\nm = n\n", "x = \"auto; template <int>\"\n",
                           "# typename of the tile\nr = -7 % 3\n", "let a = \"auto x;\"\nlet b = 7 // 2\n"}) {
    INFO(text);
    CHECK(dialect_of(text) == Dialect::ours);
  }
  CHECK(dialect_of("import cutlass.cute as cute\n\ndef f(c):\n    \"\"\"auto tiles\"\"\"\n    g = ((c, c // 8), 2)\n") == Dialect::python);
  CHECK(dialect_of("// def f(x):\nint n = 3;\n") == Dialect::cpp);
}

TEST_CASE("code decides it: declarations, directives and qualified names, imports, heads and the DSL's names") {
  for (const char* text :
       {"auto x = f(y)\n", "int a = 5;\nint b = a;\n", "#include <cute/tensor.hpp>\n", "#pragma once\n", "x = cute::size(y)\n",
        "a = 1;\nb = 2;\n", "/* tiles */ f(x)\n", "using L = Layout<Shape<_4>>;", "p->x = 3;", "static_assert(size(a) == 3)"}) {
    INFO(text);
    CHECK(dialect_of(text) == Dialect::cpp);
  }
  for (const char* text : {"a = cute.size(b)\n", "import math\nx = 3\n", "from x import y\nz = y\n", "def f(a):\n  return a\n",
                           "for i in range(4):\n  x = i\n", "@cute.jit\ndef f(): pass\n", "x = lambda a: a\n",
                           "#if x:\nx = cute.size(y[::2])\n", "x = self.tile[0];\n"}) {
    INFO(text);
    CHECK(dialect_of(text) == Dialect::python);
  }
  CHECK(dialect_of("thread 1 -> (0, 8)\n") == Dialect::ours);
}

TEST_CASE("a file's ending decides before its code") {
  for (const auto& [path, language] :
       {std::pair("a.py", Dialect::python), std::pair("b/c.cuh", Dialect::cpp), std::pair("x.y.hpp", Dialect::cpp)})
    CHECK(dialect_of_file(path) == language);
  CHECK_FALSE(dialect_of_file("a.tess"));
  CHECK_FALSE(dialect_of_file("Makefile"));
  StatementOptions options;
  options.language = Dialect::python;
  const std::vector<Statement> made = read_statements("name = \"template\";\nm = 64 // 2\n", options);
  REQUIRE(made.size() == 2);
  CHECK(made[1].dialect == Dialect::python);
  CHECK(made[1].expression.end - made[1].expression.begin == 7);  // 64 // 2
}

TEST_CASE("of a text in both languages each statement is read as its own code says") {
  const std::string text = "int a = -7 % 3;\nauto b = a;\n\nimport cutlass.cute as cute\nc = -7 % 3\nd = cute.size((2, 64 // 8))\n";
  const std::vector<LanguagePart> parts = language_parts(text);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].dialect == Dialect::cpp);
  CHECK(parts[1].dialect == Dialect::python);
  CHECK(text.substr(parts[1].begin, 6) == "import");
  CHECK(value_of(text) == "16");
  CHECK(value_of("int a = -7 % 3;\nauto b = a;\nprint(b);\n") == "-1");
  CHECK(value_of(text + "print(c)\n") == "2");
}

TEST_CASE("a // in Python divides wherever it stands, and swallows nothing behind it") {
  CHECK(value_of("import cutlass.cute as cute\ng = 8\ns = ((g, 64 // g), 2)\nt = cute.size(s)\n") == "128");
  CHECK(value_of("# using two warps\nn = 256 // 8\nx = n\n") == "32");
}

TEST_CASE("parentheses around anything but what is written out change nothing") {
  for (const auto& [text, value] :
       {std::pair("(idx2crd(14,(4,8))) == (2,3)", "true"), std::pair("(coalesce((4,8):(1,4))) == 32:1", "true"),
        std::pair("((4,8):(8,1)) == (4,8):(8,1)", "true"), std::pair("(8) == 8", "true"), std::pair("(8) * 2", "16"),
        std::pair("-(8)", "-8"), std::pair("((8)) + 1", "9"), std::pair("(8)", "(8)"), std::pair("(8):(1)", "(8):(1)"),
        std::pair("((8:1) o 4:2)", "4:2"), std::pair("(size((4,8))) // 4", "8"), std::pair("(Sw<3,3,3>)", "Sw<3,3,3>"),
        std::pair("make_layout(make_shape((Int<8>{}), _4{}))", "(8,4):(1,8)"), std::pair("cute.make_layout(((4), 8))", "(4,8):(1,4)")}) {
    INFO(text);
    CHECK(value_of(text) == value);
  }
  CHECK(value_of("let n = 8\nlet s = make_layout((n))") == "(8):(1)");
  CHECK(value_of("let l = (4,8):(8,1)\nlet s = size((l))") == "32");
  CHECK(value_of("let l = (4,8):(8,1)\nlet s = (l)") == "(4,8):(8,1)");
  CHECK(value_of("x = (cute.make_layout((4, 8)))\nprint(cute.size(x))\n") == "32");
}
