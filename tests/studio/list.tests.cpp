// SPDX-License-Identifier: BSD-3-Clause
// The list of bindings: adding, finding, renaming, moving and mending lines with clicks and keys, also in long documents.
#include <ctime>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kText =
    "# The data\n"
    "let data = (4,8):(8,1)\n"
    "let tv = ((2,4),(2,2)):((8,1),(4,16))\n"
    "let owners = tv_figure(tv, data)\n"
    "let slip = coalsce(data)\n"
    "let n = 3\n";

std::string names(const StudioDriver& studio) {
  std::string text;
  for (const EvaluatedBinding& binding : studio.app.session.bindings()) text += (text.empty() ? "" : " ") + binding.name;
  return text;
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}let name_{} = ({},2):(1,4)\n", i % 10 == 0 ? "# A part\n" : "", i, i % 7 + 1);
  return text;
}

std::size_t rows(const StudioDriver& studio) {
  std::size_t count = 0;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) count += item.role == "row";
  return count;
}

void add(StudioDriver& studio, std::string_view line) {
  studio.click("add a binding", "edit");
  studio.type(line);
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
}

}  // namespace

TEST_CASE("a line typed at the foot of the list is a binding after Enter, and the field takes the next one") {
  StudioDriver studio(kText);
  add(studio, "more = (2,2):(1,2)");
  CHECK(studio.app.session.expression("more") == "(2,2):(1,2)");
  CHECK(studio.app.selected() == "more");
  CHECK(studio.shows("more", "row"));
  CHECK(studio.item("add a binding", "edit").value.empty());
  studio.type("let less = 8:1");  // without another click
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("less") == "8:1");
  add(studio, "composition(data, 4:1)");
  CHECK(studio.app.session.expression("layout") == "composition(data, 4:1)");
  add(studio, "auto sA = make_layout(make_shape(Int<4>{}, Int<2>{}));");
  CHECK(studio.app.session.value_text("sA") == "(4,2):(1,4)");
  CHECK(names(studio) == "data tv owners slip n more less layout sA");
}

TEST_CASE("words are completed in the field at the foot, and Enter chooses one before it adds the line") {
  StudioDriver studio(kText);
  studio.click("add a binding", "edit");
  studio.type("w = swizz");
  REQUIRE(studio.shows("swizzle_figure(", "completion"));
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.item("add a binding", "edit").value == "w = swizzle_figure(");
  CHECK_FALSE(studio.app.session.find("w"));
  studio.type("Sw<3,3,3> o 0 o (8,64):(64,1))");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("w") == "swizzle_figure(Sw<3,3,3> o 0 o (8,64):(64,1))");
}

TEST_CASE("a line that is refused stays in its field with the reason, and nothing is added") {
  StudioDriver studio(kText);
  const std::string before = studio.app.session.text();
  add(studio, "data = 4:1");
  CHECK(studio.shows("there is a binding \"data\" already", "text"));
  CHECK(studio.item("add a binding", "edit").value == "data = 4:1");
  CHECK(studio.app.session.text() == before);
  studio.retype("add a binding", "(4,8):(8,");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.text() == before);
  CHECK(studio.app.bench.bindings.typed_refused.has_value());
  studio.type("1)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(names(studio) == "data tv owners slip n layout");
}

TEST_CASE("the filter shows the rows whose name, kind or expression it fits, and Escape shows all again") {
  StudioDriver studio(kText);
  studio.click("filter", "edit");
  studio.type("owrs");  // letters may be left out of a name
  CHECK(studio.shows("owners", "row"));
  CHECK(rows(studio) == 1);
  CHECK(studio.shows("1 of 5", "text"));
  studio.retype("filter", "coals");
  CHECK(studio.shows("slip", "row"));
  CHECK(rows(studio) == 1);
  studio.retype("filter", "figure");
  CHECK(studio.shows("owners", "row"));
  CHECK_FALSE(studio.shows("n", "row"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK(rows(studio) == 5);
}

TEST_CASE("F2 renames a binding in its row: uses follow, a refusal is said there, Escape leaves it") {
  StudioDriver studio(kText);
  studio.click("data", "row");
  studio.chord("F2");
  REQUIRE(studio.shows("name of data", "edit"));
  studio.type("tv");  // in the place of the whole name
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.shows("there is a binding \"tv\" already", "text"));
  REQUIRE(studio.shows("name of data", "edit"));
  studio.retype("name of data", "smem");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK_FALSE(studio.shows("name of data", "edit"));
  CHECK(studio.app.session.expression("owners") == "tv_figure(tv, smem)");
  CHECK(studio.app.selected() == "smem");
  studio.chord("F2");
  studio.type("other");
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK_FALSE(studio.shows("name of smem", "edit"));
  CHECK(studio.app.session.find("smem"));
  CHECK_FALSE(studio.app.session.find("other"));
}

TEST_CASE("Delete takes the selected binding away, and Ctrl+D doubles it, but not while something is typed") {
  StudioDriver studio(kText);
  studio.click("n", "row");
  studio.chord("Ctrl+D");
  CHECK(studio.app.session.expression("n_2") == "3");
  studio.chord("Delete");
  CHECK(names(studio) == "data tv owners slip n");
  studio.click("expression of n", "edit");
  studio.chord("Delete");
  CHECK(names(studio) == "data tv owners slip n");
}

TEST_CASE("a row that is dragged shows where it lands, and lands there with the comment above it") {
  StudioDriver studio(kText);
  const studio::RecordedItem from = studio.item("n", "row"), to = studio.item("tv", "row");
  studio.move(from.x + 30, from.y + 15);
  studio.hold_button(true);
  studio.move(to.x + 30, to.y + 8);
  REQUIRE(studio.shows("n", "landing"));
  CHECK(studio.item("n", "landing").value == "above tv");
  CHECK(studio.app.session.text() == kText);
  const std::string selected = studio.app.selected();
  studio.hold_button(false);
  studio.frames(2);
  CHECK(names(studio) == "data n tv owners slip");
  CHECK(studio.app.selected() == selected);  // it was no click
  CHECK_FALSE(studio.shows("n", "landing"));
  const studio::RecordedItem first = studio.item("data", "row"), last = studio.item("slip", "row");
  studio.move(first.x + 30, first.y + 15);
  studio.hold_button(true);
  studio.move(last.x + 30, last.y + 28);
  CHECK(studio.item("data", "landing").value == "below slip");
  studio.hold_button(false);
  studio.frames(2);
  CHECK(names(studio) == "n tv owners slip data");
  CHECK(studio.app.session.text().find("# The data\nlet data") != std::string::npos);
}

TEST_CASE("the right button opens a menu of what can be done with that row, whichever is selected") {
  StudioDriver studio(kText);
  studio.click("data", "row");
  studio.click_right("n", "row");
  CHECK(studio.app.selected() == "data");
  REQUIRE(studio.shows("Duplicate", "menu item"));
  CHECK(studio.item("Show beside", "menu item").value.starts_with("disabled: "));  // a number has no figure
  studio.click("Duplicate", "menu item");
  CHECK(studio.app.session.expression("n_2") == "3");
  studio.click_right("tv", "row");
  studio.click("Rename...", "menu item");
  REQUIRE(studio.shows("name of tv", "edit"));
  studio.type("threads");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("owners") == "tv_figure(threads, data)");
  studio.click_right("data", "row");
  studio.click("Show beside", "menu item");
  CHECK(studio.shows("data", "canvas"));
}

TEST_CASE("a row that is clicked stays under the mouse, though the editor above it closes") {
  StudioDriver studio(lines(200));
  for (const char* name : {"name_3", "name_8", "name_1", "name_9", "name_2"}) {
    INFO(name);
    const studio::RecordedItem before = studio.item(name, "row");
    studio.click(name, "row");
    CHECK(studio.app.selected() == name);
    CHECK(studio.item(name, "row").y == Approx(before.y));
    CHECK(studio.item("expression of " + std::string(name), "edit").y > before.y + 25);
  }
  studio.wheel(-3);
  CHECK_FALSE(studio.shows("name_0", "row"));
  const studio::RecordedItem far = studio.item("name_14", "row");
  studio.click("name_14", "row");
  CHECK(studio.item("name_14", "row").y == Approx(far.y));
  // Without the mouse on the list no room is left above the first row.
  studio.move(640, 5);
  studio.app.pending.push_back(studio::Do{"binding.select", {{"binding", "name_0"}}});
  studio.frames(4);
  const studio::RecordedItem filter = studio.item("filter", "edit"), first = studio.item("name_0", "row");
  CHECK(first.y < filter.y + 120);
}

TEST_CASE("a binding that is selected elsewhere comes into sight, and one in sight does not move") {
  StudioDriver studio(lines(200));
  CHECK_FALSE(studio.shows("name_150", "row"));
  studio.app.pending.push_back(studio::Do{"binding.select", {{"binding", "name_150"}}});
  studio.frames(4);
  const studio::RecordedItem row = studio.item("name_150", "row");
  CHECK(row.y > 90);
  CHECK(row.y < 700);
  const studio::RecordedItem above = studio.item("name_148", "row");
  studio.app.pending.push_back(studio::Do{"binding.select", {{"binding", "name_148"}}});
  studio.frames(4);
  CHECK(studio.item("name_148", "row").y == Approx(above.y));
}

TEST_CASE("the arrow keys move the selection, and leave it while something is typed") {
  StudioDriver studio(kText);
  studio.click("tv", "row");
  studio.press(ImGuiKey_DownArrow);
  studio.frames(2);
  CHECK(studio.app.selected() == "owners");
  studio.press(ImGuiKey_UpArrow);
  studio.press(ImGuiKey_UpArrow);
  studio.press(ImGuiKey_UpArrow);
  studio.frames(2);
  CHECK(studio.app.selected() == "data");
  studio.click("expression of data", "edit");
  studio.press(ImGuiKey_DownArrow);
  studio.frames(2);
  CHECK(studio.app.selected() == "data");
}

TEST_CASE("what was probably meant is on a button, with what it becomes; Alt+Enter takes it, too") {
  StudioDriver studio(kText);
  studio.click("slip", "row");
  REQUIRE(studio.shows("Mend: coalesce(data)", "button"));
  studio.click("Mend: coalesce(data)", "button");
  CHECK(studio.app.session.expression("slip") == "coalesce(data)");
  CHECK_FALSE(studio.shows("Mend: coalesce(data)", "button"));
  studio.chord("Ctrl+Z");
  CHECK(studio.app.session.expression("slip") == "coalsce(data)");
  studio.click("expression of slip", "edit");
  studio.chord("Alt+Enter");
  CHECK(studio.app.session.expression("slip") == "coalesce(data)");
}

TEST_CASE("of ten thousand bindings only those in sight are drawn, and a frame is quick") {
  StudioDriver studio(lines(10'000));
  CHECK(rows(studio) < 40);
  studio.move(100, 300);
  for (const float steps : {-3.0f, 1000.0f, -20000.0f}) {
    studio.wheel(steps);
    CHECK(rows(studio) < 40);
    CHECK(rows(studio) > 10);
  }
  CHECK(studio.shows("name_9999", "row"));
  const std::clock_t begin = std::clock();  // of this process: other programs may share the processor
  studio.frames(20);
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / 20 < 0.2);
}

TEST_CASE("Enter on a line of the list, and F4, edit its expression with all of it selected, and Ctrl+Enter shows it") {
  StudioDriver studio("let data = (4,8):(8,1)\nlet other = (2,2):(1,2)\nlet n = 3\n");
  studio.click("other", "row");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  REQUIRE(studio.app.recorder.focused());
  CHECK(studio.app.recorder.focused()->label == "expression of other");
  studio.type("(4,4):(4,1)");
  CHECK(studio.app.session.expression("other") == "(4,4):(4,1)");
  studio.press(ImGuiKey_Enter);  // leaves the field
  studio.frames(3);
  CHECK_FALSE(studio.app.recorder.focused());
  studio.press(ImGuiKey_UpArrow);
  studio.frames(2);
  studio.chord("F4");
  studio.type("8:1");
  CHECK(studio.app.session.expression("data") == "8:1");
  CHECK(studio.app.session.expression("other") == "(4,4):(4,1)");
}

TEST_CASE("a click into the expression selects all of it, and the next one places the cursor") {
  StudioDriver studio("let data = (4,8):(8,1)\n");
  studio.click("data", "row");
  studio.click("expression of data", "edit");
  studio.type("(4,8):(1,4)");
  CHECK(studio.app.session.expression("data") == "(4,8):(1,4)");
}

TEST_CASE("a new line is drawn beside the others, however it is added, and undo takes it from the screen with its text") {
  StudioDriver studio("let data = (4,8):(8,1)\n");
  studio.click("add a binding", "edit");
  studio.type("mine = layout_figure(data)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.shows("mine", "canvas"));
  CHECK(studio.shows("data", "canvas"));
  studio.chord("Ctrl+N");
  studio.type("let more = (2,2):(1,2)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("more") == "(2,2):(1,2)");
  CHECK(studio.shows("more", "canvas"));
  studio.chord("Ctrl+N");
  studio.type("bad = (2,2");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::ask);  // refused there
  CHECK_FALSE(studio.app.session.find("bad"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  REQUIRE(studio.app.session.undo());
  studio.frames(3);
  CHECK_FALSE(studio.shows("more", "canvas"));
  CHECK_FALSE(studio.app.session.find("more"));
  CHECK(studio.shows("mine", "canvas"));
}

TEST_CASE("a line that a blank line parts from a heading stands apart from the lines below that") {
  StudioDriver studio("# All of it.\nlet a = 4:1\nlet b = 4:2\n\nlet c = 4:3\n");
  studio.click("c", "row");  // whose field stands below it
  const float step = studio.item("b", "row").y - studio.item("a", "row").y, apart = studio.item("c", "row").y - studio.item("b", "row").y;
  CHECK(apart > step + 8);
}
