// SPDX-License-Identifier: BSD-3-Clause
// Strings as text of the language: what cannot be shown is written in signs that can, and read as the same bytes again.
#include <rapidcheck.h>

#include <string>

#include "core/base/literal.hpp"
#include "core/base/utf8.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a string is written in signs that can be shown") {
  CHECK(quoted_literal("say \"hi\" \\") == R"("say \"hi\" \\")");
  CHECK(quoted_literal("a\nb\tc\r") == R"("a\nb\tc\r")");
  CHECK(quoted_literal("\x1b[0m\xff\xe2\x80\xae") == R"("\x1b[0m\xff\u{202e}")");
  CHECK(quoted_literal("é 字") == "\"é 字\"");
}

TEST_CASE("what is between quotes stands for what its escapes say") {
  CHECK(text_of_literal(R"("\x1b[0m\u{202e}\t\"x\\")") == "\x1b[0m\xe2\x80\xae\t\"x\\");
  CHECK(text_of_literal("'it\\'s'") == "it's");
  // No escape: the sign behind the backslash.
  CHECK(text_of_literal(R"("\q\x1\xzz\u{}\u{110000}\u{d800}\u12")") == "qx1xzzu{}u{110000}u{d800}u12");
  CHECK(text_of_literal(R"("a\")") == "a\\");
  CHECK(text_of_literal("\"").empty());
}

TEST_CASE("whatever bytes a string has, its text is printable and reads as the same bytes") {
  CHECK(rc::check("text_of_literal(quoted_literal(s)) == s", [](const std::string& bytes) {
    const std::string text = quoted_literal(bytes);
    RC_ASSERT(printable(text) == text);
    RC_ASSERT(text_of_literal(text) == bytes);
  }));
}
