// SPDX-License-Identifier: BSD-3-Clause
// The document as one text: typing, colours, marks, completion and undo; and what is pasted.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kText =
    "# The data\n"
    "let data = (4,8):(8,1)\n"
    "let tv = ((2,4),(2,2)):((8,1),(4,16))\n"
    "let owners = tv_figure(tv, data)\n";

constexpr studio::Modifiers kCtrl{true, false, false, false}, kCtrlShift{true, true, false, false}, kShift{false, true, false, false};

struct Text : StudioDriver {
  explicit Text(std::string_view document = kText) : StudioDriver(document) {
    click("Text", "tab");
    press_with(ImGuiKey_End, kCtrl);
  }
  const studio::TextBuffer& buffer() const { return app.bench.bindings.page.editor.buffer; }
  std::string text() const { return app.session.text(); }
  double seconds_of(int count) {
    const auto begin = std::chrono::steady_clock::now();
    frames(count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
  }
};

std::size_t pixels_of(const studio::Image& picture, ImU32 color, const studio::RecordedItem& part) {
  std::size_t count = 0;
  for (auto y = static_cast<int>(part.y); y < static_cast<int>(part.y + part.h); ++y) {
    for (auto x = static_cast<int>(part.x); x < static_cast<int>(part.x + part.w); ++x) {
      const std::uint8_t* pixel =
          &picture.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x)) * 4];
      const auto near = [&](int shift, int channel) { return std::abs(static_cast<int>((color >> shift) & 255) - pixel[channel]) < 24; };
      count += near(IM_COL32_R_SHIFT, 0) && near(IM_COL32_G_SHIFT, 1) && near(IM_COL32_B_SHIFT, 2);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("what is typed in the text is in the document at once, and undo takes a burst back") {
  Text studio;
  CHECK(studio.buffer().text() == kText);
  studio.type("let n = 3");
  CHECK(studio.text() == std::string(kText) + "let n = 3");
  CHECK(studio.app.session.value_text("n") == "3");
  studio.press_with(ImGuiKey_Z, kCtrl);
  CHECK(studio.text() == kText);
  CHECK(studio.buffer().text() == kText);
  studio.press_with(ImGuiKey_Y, kCtrl);
  CHECK(studio.text() == std::string(kText) + "let n = 3");
  CHECK(studio.buffer().cursor() == studio.buffer().text().size());
}

TEST_CASE("the text has line numbers and colours of its words") {
  Text studio;
  CHECK(studio.item("1", "line").value == "# The data");
  CHECK(studio.item("4", "line").value == "let owners = tv_figure(tv, data)");
  studio.move(900, 5);
  const studio::Image picture = studio.picture();
  const studio::Theme& theme = studio::theme_of(studio.app.theme());
  CHECK(pixels_of(picture, theme.link, studio.item("2", "line")) > 10);    // numbers
  CHECK(pixels_of(picture, theme.accent, studio.item("4", "line")) > 10);  // a function
  CHECK(pixels_of(picture, theme.link, studio.item("1", "line")) == 0);
  CHECK(pixels_of(picture, theme.accent, studio.item("3", "line")) == 0);
}

TEST_CASE("keys move and select as in any editor") {
  Text studio;
  studio.press_with(ImGuiKey_Home, kCtrl);
  CHECK(studio.buffer().cursor() == 0);
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_End);
  studio.press_with(ImGuiKey_LeftArrow, kCtrlShift);
  CHECK(studio.buffer().selected_text() == ")");
  studio.press_with(ImGuiKey_LeftArrow, kCtrlShift);
  CHECK(studio.buffer().selected_text() == "1)");
  studio.type("2)");
  CHECK(studio.app.session.expression("data") == "(4,8):(8,2)");
  studio.press(ImGuiKey_Backspace);
  studio.press(ImGuiKey_Backspace);
  studio.type("1)");
  studio.press(ImGuiKey_Enter);
  studio.type("let n = 3");
  CHECK(studio.app.session.expression("n") == "3");
  studio.press_with(ImGuiKey_Home, kShift);
  CHECK(studio.buffer().selected_text() == "let n = 3");
  studio.press_with(ImGuiKey_X, kCtrl);
  CHECK_FALSE(studio.app.session.find("n"));
  studio.press_with(ImGuiKey_V, kCtrl);
  CHECK(studio.app.session.expression("n") == "3");
}

TEST_CASE("the mouse places the cursor, selects by dragging, and a double click takes a word") {
  Text studio;
  studio.chord("Alt+Z");  // a line is one row
  const studio::RecordedItem line = studio.item("3", "line");
  studio.move(line.x + 1, line.y + line.h / 2);
  studio.drag(200, 0);
  CHECK(studio.buffer().selected_text().starts_with("let tv = ((2,4)"));
  studio.click_on(studio.item("1", "line"));
  CHECK_FALSE(studio.buffer().has_selection());
  CHECK(studio.buffer().line_of(studio.buffer().cursor()) == 0);
}

TEST_CASE("a mistake has a mark at its line with the message, and the line of the cursor has it below") {
  Text studio;
  CHECK_FALSE(studio.shows("line 2", "mark"));
  studio.press_with(ImGuiKey_Home, kCtrl);
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_End);
  studio.press(ImGuiKey_Backspace);
  REQUIRE(studio.shows("line 2", "mark"));
  const std::string message = studio.item("line 2", "mark").value;
  CHECK_FALSE(message.empty());
  CHECK(studio.shows(message, "text"));
  studio.type(")");
  CHECK_FALSE(studio.shows("line 2", "mark"));
  // From elsewhere a button leads there.
  studio.press_with(ImGuiKey_End, kCtrl);
  studio.type("let a = coalsce(data)");
  studio.press(ImGuiKey_Enter);
  studio.press_with(ImGuiKey_Home, kCtrl);
  studio.click("1 line is refused; go to line 5", "button");
  CHECK(studio.buffer().line_of(studio.buffer().cursor()) == 4);
}

TEST_CASE("words are completed with Tab, Enter or a click, and named parameters come with their call") {
  Text studio;
  studio.type("let more = own");
  REQUIRE(studio.shows("owners", "completion"));
  studio.press(ImGuiKey_Tab);
  CHECK(studio.text().ends_with("let more = owners"));
  CHECK_FALSE(studio.shows("owners", "completion"));
  studio.press(ImGuiKey_Enter);  // a new line: the list is closed
  studio.type("let b = coalesc");
  REQUIRE(studio.shows("coalesce(", "completion"));
  studio.click("coalesce(", "completion");
  CHECK(studio.text().ends_with("let b = coalesce("));
  REQUIRE(studio.shows("coalesce(layout, profile=)", "signature"));
  CHECK(studio.item("coalesce(layout, profile=)", "signature").value == "layout");
  studio.type("data, ");
  CHECK(studio.item("coalesce(layout, profile=)", "signature").value == "profile=");
  studio.type("prof");
  REQUIRE(studio.shows("profile=", "completion"));
  CHECK(studio.item("profile=", "completion").value == "chosen");
  studio.press(ImGuiKey_Enter);
  CHECK(studio.text().ends_with("let b = coalesce(data, profile="));
  studio.type("1)");
  studio.press(ImGuiKey_Enter);
  studio.type("let c = make_tiled_mma(SM90_64x128x16_F32F16");
  bool atom = false;
  for (const studio::RecordedItem& item : studio.app.recorder.items())
    atom |= item.role == "completion" && item.label.starts_with("SM90_64x128x16_F32F16F16_");
  CHECK(atom);
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  for (const studio::RecordedItem& item : studio.app.recorder.items()) CHECK(item.role != "completion");
  studio.press_with(ImGuiKey_Space, kCtrl);
  studio.frames(2);
  bool again = false;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) again |= item.role == "completion";
  CHECK(again);
}

TEST_CASE("the cursor's line is the selected binding, which Alt+Enter mends") {
  Text studio;
  studio.type("let a = coalsce(data)");
  studio.press(ImGuiKey_UpArrow);
  CHECK(studio.app.selected() == "owners");
  studio.press(ImGuiKey_DownArrow);
  CHECK(studio.app.selected() == "a");
  studio.chord("Alt+Enter");
  CHECK(studio.app.session.expression("a") == "coalesce(data)");
  CHECK(studio.buffer().text() == studio.text());
}

TEST_CASE("the list and the text show one document") {
  Text studio;
  studio.click("List", "tab");
  studio.click("data", "row");
  studio.retype("expression of data", "(4,8):(1,4)");
  studio.click("Text", "tab");
  CHECK(studio.buffer().text() == studio.text());
  CHECK(studio.item("2", "line").value == "let data = (4,8):(1,4)");
  CHECK(studio.buffer().line_of(studio.buffer().cursor()) == 1);
  studio.type("# ");
  studio.click("List", "tab");
  CHECK_FALSE(studio.shows("data", "row"));
}

TEST_CASE("a text of ten thousand lines is typed in without a wait") {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += fmt::format("let name_{} = ({},2):(1,4)\n", i, i % 7 + 1);
  Text studio(many);
  CHECK(studio.shows("10000", "line"));
  CHECK(studio.seconds_of(20) < 0.2);
  const std::clock_t begin = std::clock();  // of this process: other programs may share the processor
  studio.type("let n = 3");
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / 9;
  CHECK(studio.app.session.value_text("n") == "3");
  CHECK(seconds < 5);  // what walks all lines for each line takes minutes
  UNSCOPED_INFO("a key takes " << seconds << " s");
}

TEST_CASE("what is pasted without a field that has the keyboard makes bindings") {
  StudioDriver studio(kText);
  ImGui::SetClipboardText(
      "auto sA = make_layout(make_shape(Int<4>{}, Int<2>{}));\nauto sB = make_layout(make_shape(Int<8>{}, Int<2>{}));\n");
  studio.chord("Ctrl+V");
  CHECK(studio.app.session.value_text("sA") == "(4,2):(1,4)");
  CHECK(studio.app.session.value_text("sB") == "(8,2):(1,8)");
  CHECK(studio.app.selected() == "sB");
  studio.click("filter", "edit");
  const std::string before = studio.app.session.text();
  studio.chord("Ctrl+V");
  CHECK(studio.app.session.text() == before);
}

TEST_CASE("a clipboard of ten megabytes is answered soon, and one beyond the limit is refused with words") {
  const std::string line = "let a = (4,8):(8,1) # a line that is pasted again and again\n";
  std::string lines, words, numbers, nested(10u << 20, '(');
  for (int i = 0; lines.size() < (10u << 20); ++i)
    lines += fmt::format("let name_{} = ({},8):(8,1) # a line that is long enough\n", i, i % 9 + 1);
  while (words.size() < (10u << 20)) words += "these are words of a letter, and no document at all\n";
  while (numbers.size() < (10u << 20)) numbers += "0123456789";
  std::size_t kind = 0;
  for (const std::string& pasted : {lines, words, numbers, nested, std::string(kLargestDocument + 1, 'x')}) {
    INFO("kind " << kind++);
    StudioDriver studio(kText);
    ImGui::SetClipboardText(pasted.c_str());
    const auto begin = std::chrono::steady_clock::now();
    studio.chord("Ctrl+V");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    INFO("took " << seconds << " s: " << studio.app.status);
    CHECK(seconds < 15);
    CHECK(studio.app.status_is_error);
    CHECK(studio.app.session.text() == kText);
  }
}

TEST_CASE("keys act on the line where one types, also on one that was just written") {
  Text studio;
  studio.type("let more = (2,2):(1,2)");
  CHECK(studio.app.selected() == "more");
  studio.chord("Ctrl+Enter");
  CHECK(studio.shows("more", "canvas"));
}

TEST_CASE("a line whose name is typed anew keeps its pane, its pin and the whole room") {
  Text studio;
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "data"}}});
  studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "data"}}});  // which gives it the whole room
  studio.frames(3);
  const Arrangement before = studio.app.session.workspace().arrangement;
  studio.press_with(ImGuiKey_Home, kCtrl);
  studio.press(ImGuiKey_DownArrow);
  studio.press_with(ImGuiKey_End, kShift);
  studio.type("let da");
  CHECK_FALSE(studio.app.session.find("data"));
  CHECK(studio.app.session.workspace().arrangement == before);  // it stands there, as it was
  CHECK(studio.shows("data", "canvas"));
  studio.type("ta = (4,8):(1,4)");
  studio.frames(2);
  REQUIRE(studio.app.session.expression("data") == "(4,8):(1,4)");
  CHECK(studio.app.session.workspace().arrangement == before);
  CHECK(studio.app.session.workspace().maximised == "data");
  CHECK(studio.shows("pinned data", "canvas"));
  studio.press(ImGuiKey_Home);
  studio.press_with(ImGuiKey_RightArrow, kCtrl);
  studio.press_with(ImGuiKey_RightArrow, kCtrl);
  studio.press(ImGuiKey_LeftArrow);
  studio.press(ImGuiKey_Backspace);
  studio.type("e");
  CHECK(studio.app.session.find("date"));
  CHECK(studio.app.session.workspace().maximised == "date");
  CHECK(studio.shows("date", "canvas"));
  studio.press(ImGuiKey_Home);
  studio.press_with(ImGuiKey_End, kShift);
  studio.press(ImGuiKey_Delete);
  CHECK(studio.shows("date", "canvas"));
  studio.press(ImGuiKey_DownArrow);  // the text is left without it
  studio.frames(2);
  CHECK_FALSE(studio.shows("date", "canvas"));
  CHECK(studio.app.session.workspace().maximised.empty());
}
