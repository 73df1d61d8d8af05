// SPDX-License-Identifier: BSD-3-Clause
// Where lines are broken: nothing is lost, no row is wider than there is room, and words stay whole where they can.
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/text/text_rows.hpp"

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::studio;

namespace {

std::string broken(std::string_view line, std::size_t columns) {
  std::string text;
  for (const TextRow& row : rows_of(line, columns))
    text += (text.empty() ? "" : "|") + std::string(line.substr(row.begin, row.end - row.begin));
  return text;
}

}  // namespace

TEST_CASE("lines are broken behind blanks and commas, else where they end") {
  CHECK(broken("let a = (4,8):(8,1)", kNoWrap) == "let a = (4,8):(8,1)");
  CHECK(broken("let a = 1", 12) == "let a = 1");
  CHECK(broken("let a = compose(first, second)", 20) == "let a = |compose(first, |second)");
  CHECK(broken("abcdefghijklmnopqrstuvwxyz", 12) == "abcdefghijkl|mnopqrst|uvwxyz");
  CHECK(broken("", 12).empty());
  CHECK(rows_of("", 12).size() == 1);
}

TEST_CASE("rows are one behind the other, within their columns, also with tabs and letters of several bytes") {
  const std::string lines[] = {"let\tx = \xc3\xa4\xc3\xb6\xc3\xbc, composition(aaaa,bbbb)\t\tend of it all", std::string(200, 'x'),
                               "\t\t\t\t\t\t\t", "a b c d e f g h i j k l m n o p q r s t"};
  for (const std::string& line : lines) {
    for (const std::size_t columns : {12u, 13u, 20u, 61u}) {
      const std::vector<TextRow> rows = rows_of(line, columns);
      std::size_t at = 0;
      for (const TextRow& row : rows) {
        CHECK(row.begin == at);
        CHECK(row.column == column_at(line, row.begin));
        CHECK(column_at(line, row.end) - row.column + row.indent <= columns);
        CHECK(row_of(rows, row.begin) == static_cast<std::size_t>(&row - rows.data()));
        at = row.end;
      }
      CHECK(at == line.size());
    }
  }
}

TEST_CASE("rows of a text are counted, and found again") {
  TextBuffer text;
  text.replace_all("one\n" + std::string(30, 'x') + "\n\nlast\n");
  TextRows rows;
  rows.arrange(text, 12);
  CHECK(rows.lines() == 5);
  CHECK(rows.count() == 1 + 4 + 1 + 1 + 1);
  CHECK(rows.line_of(0) == 0);
  for (const std::size_t row : {1u, 2u, 3u, 4u}) CHECK(rows.line_of(row) == 1);
  CHECK(rows.line_of(5) == 2);
  CHECK(rows.line_of(100) == 4);
}

TEST_CASE("a wrapped line is clicked, walked and edited by its rows, and the toggle makes it one again") {
  const std::string line = "let wide = composition((4,8):(8,1), (2,4):(1,2), name, another_name, and_another)";
  test::StudioDriver studio(line + "\nlet next = 4:1\n");
  studio.click("Text", "tab");
  studio.frames(2);
  const RecordedItem first = studio.item("1", "line");
  const RecordedItem second = studio.item("2", "line");
  const float row = second.h;
  CHECK(first.h >= 2 * row);
  CHECK(second.y == Approx(first.y + first.h));
  const TextBuffer& buffer = studio.app.bench.bindings.page.editor.buffer;
  studio.move(first.x + 60, first.y + row * 1.5f);
  studio.hold_button(true);
  studio.hold_button(false);
  const std::size_t at = buffer.cursor();
  CHECK(at > 10);
  CHECK(at < line.size());
  studio.press(ImGuiKey_UpArrow);
  CHECK(buffer.cursor() < at);
  CHECK(buffer.line_of(buffer.cursor()) == 0);
  studio.press(ImGuiKey_DownArrow);
  CHECK(buffer.cursor() == at);
  studio.press(ImGuiKey_DownArrow);
  studio.type("q");
  CHECK(studio.app.session.text() != line + "\nlet next = 4:1\n");
  studio.chord("Alt+Z");
  CHECK(studio.item("1", "line").h == Approx(row));
}

TEST_CASE("a word is completed in the list's field by Tab, by arrows, and with the mouse") {
  test::StudioDriver studio("let data = (4,8):(8,1)\nlet database = 4:1\nlet use = 8:1\n");
  const auto expression = [&] { return std::string(studio.app.session.expression("use")); };
  studio.click("use", "row");
  studio.retype("expression of use", "dat");
  REQUIRE(studio.shows("data", "completion"));
  studio.press(ImGuiKey_Tab);
  studio.frames(2);
  CHECK(expression() == "data");
  CHECK_FALSE(studio.shows("data", "completion"));
  studio.type(" + datab");
  studio.press(ImGuiKey_Tab);
  studio.frames(2);
  CHECK(expression() == "data + database");
  studio.retype("expression of use", "coal");
  studio.click("coalesce(", "completion");
  CHECK(expression().starts_with("coalesce("));
  studio.retype("expression of use", "dat");
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_Tab);
  studio.frames(2);
  CHECK(expression() == "database");
}
