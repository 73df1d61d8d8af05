// SPDX-License-Identifier: BSD-3-Clause
// Commands on lines of every kind: each changes its part of the text and no other.
#include <string>

#include "app/session/document/command.hpp"
#include "app/session/document/session.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string applied(const Command& command, const std::string& text) {
  const Result<Document> result = tessera::apply(parse_document(text).value(), command);
  INFO(text << (result ? "" : describe(result.error())));
  REQUIRE(result);
  return to_text(*result);
}

}  // namespace

TEST_CASE("a line keeps what stands around its name and its expression") {
  CHECK(applied(SetBinding{"x", "5"}, "auto x = 4;  // four\n") == "auto x = 5;  // four\n");
  CHECK(applied(SetBinding{"x", "5"}, "x: int = 4  # four\n") == "x: int = 5  # four\n");
  CHECK(applied(SetBinding{"f", "(m,m)"}, "let f(m) = m\n") == "let f(m) = (m,m)\n");
  CHECK(applied(SetBinding{"a, b", "(1,2)"}, "let a, b = (3,4)\n") == "let a, b = (1,2)\n");
  CHECK(applied(RenameBinding{"x", "longer"}, "auto x = 4;\nlet y = (x,x)\nassert x == 4\n") ==
        "auto longer = 4;\nlet y = (longer,longer)\nassert longer == 4\n");
  CHECK(applied(RenameBinding{"L", "M"}, "using L = Layout<_8>;\nL{}\n") == "using M = Layout<_8>;\nM{}\n");
  CHECK(applied(RemoveBinding{"x"}, "let a = 1\nauto x = 4;\nlet b = 2\n") == "let a = 1\nlet b = 2\n");
  CHECK(applied(MoveBinding{"x", 0}, "let a = 1\nauto x = 4;\n") == "auto x = 4;\nlet a = 1\n");
  CHECK_FALSE(tessera::apply(parse_document("let a, b = (3,4)\n").value(), RenameBinding{"a, b", "c"}));
}

TEST_CASE("a value that a parameter is set to stands in front of its range") {
  const std::string set = applied(SetBinding{"pad", "5"}, "param pad = 0..8  # elements\n");
  CHECK(set == "param pad = 5 in 0..8  # elements\n");
  CHECK(applied(SetBinding{"pad", "6"}, set) == "param pad = 6 in 0..8  # elements\n");
  CHECK(applied(SetBinding{"pad", "1..4"}, "param pad = 0..8\n") == "param pad = 1..4\n");
}

TEST_CASE("a session finds parts by their names, and draws nothing of likely values") {
  Session session;
  REQUIRE(session.open_text("let a, b = ((4,8):(8,1), 2)\nauto s = make_layout(make_shape(bM, 8));\n", "text"));
  CHECK(session.value_text("a") == "(4,8):(8,1)");
  CHECK(session.figure("a").has_value());
  CHECK_FALSE(session.figure("s").has_value());
}
