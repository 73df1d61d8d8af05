// SPDX-License-Identifier: BSD-3-Clause
// A lesson's words as blocks and looks, and answers that are made by hand.
#include "app/session/lesson/lesson_words.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/lesson/answer_draft.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

using Kind = WordBlock::Kind;

const Value* star(std::string_view name) {
  static const Value text = evaluate_expression("\"a*b* _c_\"", {}, nullptr).value();
  return name == "star" ? &text : nullptr;
}

std::vector<WordBlock> blocks(const std::string& text) {
  Result<std::vector<WordBlock>> made = words_of({text, 0}, star);
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

// "plain **strong** _emphasis_ `code`", as it was read.
std::string looks(const WordLine& words) {
  std::string made;
  for (const WordRun& run : words) {
    const char* const around = run.look == WordLook::strong     ? "**"
                               : run.look == WordLook::emphasis ? "_"
                               : run.look == WordLook::code     ? "`"
                                                                : "";
    made += around + run.text + around;
  }
  return made;
}
std::string looks(const std::string& text) { return looks(blocks(text).at(0).words); }

lesson::Expected cells_of(IntTuple shape) {
  lesson::Expected made;
  made.kind = lesson::Kind::cells;
  made.shape = std::move(shape);
  return made;
}

}  // namespace

TEST_CASE("emphasis, strong words and code are told apart, and a product is none of them") {
  CHECK(looks("a **row of `m` tiles**, *then* `x*y`") == "a **row of **`m`** tiles**, _then_ `x*y`");
  CHECK(looks("M*N and 2 * 3 * 4") == "M*N and 2 * 3 * 4");
  CHECK(looks("layout_a and layout_b_c") == "layout_a and layout_b_c");
  CHECK(looks("_all of it_ and \\*a\\*") == "_all of it_ and *a*");
  CHECK(looks("one ` alone, and **open") == "one ` alone, and **open");
  CHECK(looks("``a ` b``") == "`a ` b`");
  CHECK(looks("see [the page](https://example.org/a) ![a tile](x.png)") == "see the page (https://example.org/a) a tile");
  CHECK(looks("<script>alert(1)</script>") == "<script>alert(1)</script>");
}

TEST_CASE("a value is never read as Markdown, wherever it stands") {
  CHECK(looks("{{star}} is **{{star}}** and `{{star}}`") == "a*b* _c_ is **a*b* _c_** and `a*b* _c_`");
  CHECK(looks("{{2*3}}*{{4}}") == "6*4");
  const Result<std::vector<WordBlock>> refused = words_of({"first\nthen {{nobody}}", 100}, star);
  REQUIRE_FALSE(refused);
  REQUIRE(refused.error().span);
  CHECK(refused.error().span->begin == 113);
}

TEST_CASE("headings, lists, quotations, code and tables are blocks of their own") {
  const std::vector<WordBlock> all = blocks(
      "# Rows\nfirst line\nsecond line\n\n1. one\n   goes on\n2. two\n   - deep\n\n> quoted\n> words\n\n```cpp\nint *a;\n\n# no "
      "heading\n```\n\n| a | b |\n|---|---|\n| "
      "`x` | {{1+1}} |\n| 3 |\n");
  REQUIRE(all.size() == 8);
  CHECK(all[0].kind == Kind::heading);
  CHECK(all[0].level == 1);
  CHECK(looks(all[1].words) == "first line second line");
  CHECK(all[2].kind == Kind::item);
  CHECK(all[2].sign == "1.");
  CHECK(looks(all[2].words) == "one goes on");
  CHECK(all[4].level == 1);
  CHECK(all[4].sign.empty());
  CHECK(all[5].kind == Kind::quotation);
  CHECK(looks(all[5].words) == "quoted words");
  CHECK(all[6].kind == Kind::code);
  CHECK(plain_text(all[6].words) == "int *a;\n\n# no heading");
  REQUIRE(all[7].kind == Kind::table);
  REQUIRE(all[7].rows.size() == 3);
  CHECK(looks(all[7].rows[1][0]) == "`x`");
  CHECK(looks(all[7].rows[1][1]) == "2");
  CHECK(all[7].rows[2].size() == 2);  // a row that is short has empty cells
}

TEST_CASE("a prompt has code and nothing else") {
  CHECK(looks(prompt_words("Is `(4,8):(8,1)` 2 * 3 * 4?")) == "Is `(4,8):(8,1)` 2 * 3 * 4?");
  CHECK(prompt_words("").empty());
}

TEST_CASE("cells are painted into a text and out of it again, and text that is no cells paints none") {
  CHECK(with_cell("(2,2) (2,3)", {2, 6}, true) == "(2,2) (2,3) (2,6)");
  CHECK(with_cell("2 2, 0 1", {2, 2}, false) == "(0,1)");
  CHECK(with_cell("", {0, 0}, true) == "(0,0)");
  CHECK(cells_in("(2,2) (2").empty());
  CHECK(cells_in("cells(tv, tile, 3)").empty());
  CHECK(with_cell("cells(tv, tile, 3)", {1, 1}, true) == "(1,1)");
  REQUIRE(painted_grid(cells_of(IntTuple::tuple({4, 8}))));
  CHECK(painted_grid(cells_of(IntTuple::tuple({4, 8})))->columns == 8);
  CHECK_FALSE(painted_grid(cells_of(IntTuple::tuple({64, 64}))));
  CHECK_FALSE(painted_grid(cells_of(IntTuple::tuple({4, IntTuple::tuple({2, 4})}))));
}

TEST_CASE("an order is moved row by row, and letters that are left out come behind") {
  CHECK(order_in(4, "c a") == std::vector<std::size_t>{2, 0, 1, 3});
  CHECK(order_in(3, "z z b B") == std::vector<std::size_t>{1, 0, 2});
  CHECK(moved_option(3, "b a c", 2, 0) == "c b a");
  CHECK(moved_option(3, "b a c", 0, 2) == "a c b");
  CHECK(moved_option(3, "", 7, 0) == "a b c");
}

TEST_CASE("an option is chosen by its letter, and without options by yes and no") {
  lesson::Expected expected;
  expected.kind = lesson::Kind::choice;
  CHECK(option_in(expected, "no") == 1);
  CHECK(option_text(expected, 0) == "yes");
  CHECK(option_in(expected, "a") == std::nullopt);
  expected.options = {"one", "two"};
  CHECK(option_in(expected, " B ") == 1);
  CHECK(option_in(expected, "c") == std::nullopt);
  CHECK(option_text(expected, 1) == "b");
}
