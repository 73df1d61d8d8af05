// SPDX-License-Identifier: BSD-3-Clause
// What a statement does to names besides the one that it binds: it is followed as the language does it, or the name has no value.
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/account.hpp"
#include "core/lang/programs/snippet.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// The value that the text shows last, or "none".
std::string shown(std::string_view text) {
  const SnippetAnswer answer = evaluate_snippet(text);
  const StatementAnswer& last = answer.statements.back();
  return last.values.empty() ? "none" : to_string(last.values.back().second);
}

}  // namespace

TEST_CASE("increments inside of an expression are followed, before it or behind it") {
  CHECK(shown("int a = 5;\nint b = ++a * 2;\nprint(b);") == "12");
  CHECK(shown("int a = 5;\nint b = ++a * 2;\nprint(a);") == "6");
  CHECK(shown("int a = 5;\nint b = a++ + 1;\nprint(b);") == "6");
  CHECK(shown("int a = 5;\nint b = a++ + 1;\nprint(a);") == "6");
  CHECK(shown("int a = 5;\nint b = 7;\nb -= a--;\nprint(b);") == "2");
  CHECK(shown("int a = 5;\n((a)) = 6;\nprint(a);") == "6");
}

TEST_CASE("a write that is not followed leaves no old value") {
  for (const char* text :
       {"int a = 5;\nint b = a++ + a;\nprint(a);", "int a = 5;\nbool b = a > 3 && a++ > 2;\nprint(a);",
        "int a = 5;\nint b = (a = 3) + 1;\nprint(a);", "int a = 5;\nauto&& b = a;\nb = 6;\nprint(a);",
        "int a = 5;\nconst auto& b = a;\na = 6;\nprint(b);", "int a = 5;\nint* p = &a;\n*p = 9;\nprint(a);",
        "int a = 5;\nint* p = &a;\n(*p)++;\nprint(a);", "int a = 1;\n#ifdef NOPE\na = 2;\n#else\na = 3;\n#endif\nprint(a);",
        "int a = 1;\na = a + 1;\nif (a < 9) goto again;\nagain:\nprint(a);", "int a = 5;\nprintf(\"%d\", a++);\nprint(a);",
        "x = [4, 8]\ny = x\ny[0] = 9\nprint(x)\n", "x = [4, 8]\ny = x\ny.append(9)\nprint(x)\n",
        "x = [4, 8]\na = 1\nx[0], a = 2, 3\nprint(a)\n", "a = 1\nb = (a := 3) + 1\nprint(a)\n", "a = 1\nimport numpy as a\nprint(a)\n"}) {
    INFO(text);
    CHECK(shown(text) == "none");
  }
}

TEST_CASE("unsigned and narrow numbers wrap as theirs do, and a comment that goes on hides its next line") {
  CHECK(shown("unsigned u = 0;\nu -= 1;\nunsigned w = u >> 28;\nprint(w);") == "15");
  CHECK(shown("uint8_t a = 250;\na += 10;\nprint(a);") == "4");
  CHECK(shown("int8_t a = 100;\na += 100;\nprint(a);") == "-56");
  CHECK(shown("unsigned u = 3;\nauto d = u - 4;\nprint(d);") == "4294967295");
  CHECK(shown("unsigned u = 3;\nint n = -1;\nprint(n < u);") == "false");
  CHECK(shown("bool b(7);\nint c = b + 1;\nprint(c);") == "2");
  CHECK(shown("int a = 1;\n// goes on \\\na = 2;\nprint(a);") == "1");
}

TEST_CASE("every statement has an entry in the account, and what binds a name is not passed over") {
  const SnippetAnswer answer = evaluate_snippet(
      "int n = 32;\nTensor t = my_thing(n);\nauto l = [&] { return n; };\nauto sA = make_layout(make_shape(bM, n));\n__syncthreads();\nint "
      "later;\n");
  std::string fates;
  for (const AccountEntry& each : account_of(answer)) {
    for (const std::string& name : each.names) fates += name + " ";
    fates += std::string(to_string(each.fate)) + "; ";
  }
  CHECK(fates == "n valued; t refused; l refused; sA waits; passed; later passed; ");
}
