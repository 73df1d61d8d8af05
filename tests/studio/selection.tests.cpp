// SPDX-License-Identifier: BSD-3-Clause
// Selecting cells with the mouse: what is selected, where it lights up, and what can be done with it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/session/actions/cell_table.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument =
    "let data = (4,8):(8,1)\nlet tv4 = ((2,4),(2,2)):((8,1),(4,16))\nlet owners = tv_figure(tv4, data)\nlet rows = layout_figure(data)\n"
    "let other = layout_figure((4,8):(1,4))\n";

void drag_cells(StudioDriver& studio, const char* figure, ImVec2 from, ImVec2 to) {
  const ImVec2 a = studio.cell_on_screen(figure, from.x, from.y), b = studio.cell_on_screen(figure, to.x, to.y);
  studio.move(a.x, a.y);
  studio.drag(b.x - a.x, b.y - a.y);
}

std::string selected(const StudioDriver& studio) {
  const CellSelection& selection = studio.app.session.workspace().selection;
  return selection.binding + " " + selection.cells;
}

}  // namespace

TEST_CASE("a click selects a cell, a drag a rectangle, Ctrl one more, and a click beside the cells none") {
  StudioDriver studio(kDocument, 1600, 1000);
  drag_cells(studio, "owners", {5, 2}, {5, 2});
  CHECK(selected(studio) == "owners (2,5)");
  drag_cells(studio, "owners", {2, 1}, {4, 3});
  CHECK(selected(studio) == "owners (1-3,2-4)");
  drag_cells(studio, "rows", {7, 3}, {6, 3});  // from right to left
  CHECK(selected(studio) == "rows (3,6-7)");
  studio.hold_ctrl(true);
  drag_cells(studio, "rows", {0, 0}, {0, 0});
  studio.hold_ctrl(false);
  CHECK(selected(studio) == "rows (3,6-7), (0,0)");
  const studio::RecordedItem canvas = studio.item("rows", "canvas");
  studio.move(canvas.x + 6, canvas.y + canvas.h - 6);
  studio.drag(0, 0);
  CHECK(selected(studio) == " ");
}

TEST_CASE("the menu of a figure offers what the cell under the mouse can be taken for, and what is done with the selected ones") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click_right_at(studio.cell_on_screen("owners", 5, 2));
  CHECK_FALSE(studio.shows("Copy the selected cells", "menu item"));
  for (const char* row : {"Select (2,5)", "Select T4", "Select V3", "Select W0"}) CHECK(studio.shows(row, "menu item"));
  studio.click("Select T4", "menu item");
  CHECK(selected(studio) == "owners T4");
  studio.click_right_at(studio.cell_on_screen("owners", 5, 2));
  for (const char* row : {"Zoom to the selection", "Select no cells"}) CHECK(studio.shows(row, "menu item"));
  studio.click("Copy the selected cells", "menu item");
  CHECK(studio.app.status == "4 cells of owners are in the clipboard as a table");
  // Beside the cells it is about the figure alone.
  const studio::RecordedItem canvas = studio.item("owners", "canvas");
  studio.click_right_at({canvas.x + 6, canvas.y + canvas.h - 6});
  CHECK_FALSE(studio.shows("Select T4", "menu item"));
  CHECK(studio.shows("Duplicate", "menu item"));
}

TEST_CASE("what is selected lights up in figures of one lineage by its address, and stands back nowhere else") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.app.pending.push_back(studio::Do{"figure.beside", {{"binding", "other"}}});
  studio.frames(3);
  const studio::Image before = studio.picture();
  drag_cells(studio, "owners", {0, 0}, {1, 0});  // offsets 0 and 1
  studio.move(5, 5);
  studio.frames(3);
  const studio::Image after = studio.picture();
  const auto changed = [&](const char* figure, float column, float row) {
    const ImVec2 at = studio.cell_on_screen(figure, column, row);
    // A quarter of a cell from its middle, where no label stands.
    const float off = 0.38f * studio.app.bench.canvases.at(figure).camera.scale;
    const std::size_t i = (static_cast<std::size_t>(at.y - off) * 1600 + static_cast<std::size_t>(at.x - off)) * 4;
    return before.rgba[i] != after.rgba[i] || before.rgba[i + 1] != after.rgba[i + 1] || before.rgba[i + 2] != after.rgba[i + 2];
  };
  CHECK_FALSE(changed("owners", 0, 0));
  CHECK(changed("owners", 5, 2));  // it stands back
  CHECK_FALSE(changed("rows", 1, 0));
  CHECK(changed("rows", 3, 3));
  CHECK_FALSE(changed("other", 3, 3));  // of another lineage
}

TEST_CASE("threads, values, warps and banks are selected by their cells") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.app.bench.picks = Picks::threads;
  drag_cells(studio, "owners", {0, 0}, {3, 0});  // T0 T0 T1 T1
  CHECK(selected(studio) == "owners T0-1");
  drag_cells(studio, "owners", {0, 0}, {0, 3});  // T0 T2 T4 T6
  CHECK(selected(studio) == "owners T0, T2, T4, T6");
  studio.app.bench.picks = Picks::values;
  drag_cells(studio, "owners", {0, 0}, {1, 0});
  CHECK(selected(studio) == "owners V0-1");
  studio.app.bench.picks = Picks::warps;
  drag_cells(studio, "owners", {0, 0}, {1, 0});
  CHECK(selected(studio) == "owners W0");
}

TEST_CASE("cells are found by what they are called, in the figure that is named, and all their owners are told") {
  StudioDriver studio("let atom = SM80_16x8x16_F32F16F16F32_TN\nlet twice = tv_figure((2,2):(1,0), (2,2):(1,2))\nlet data = (4,8):(8,1)\n",
                      1600, 1000);
  const auto find = [&](const char* typed) {
    studio.chord("Ctrl+K");
    studio.type(typed);
  };
  find("atom A(5,2)");
  CHECK(studio.shows("Go to A(5,2) of atom", "entry"));
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(selected(studio) == "atom A(5,2)");
  CHECK(studio.shows("atom A(5,2): T21 V0", "text"));
  CHECK(studio.shows("SELECTED", "text"));
  find("data (3,7)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(selected(studio) == "data (3,7)");
  CHECK(studio.shows("data", "canvas"));
  find("row 1");  // of the figure that has the focus
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(selected(studio) == "data row=1");
  CHECK(studio.shows("data row=1: 8 of its 32 cells", "text"));
  studio.chord("Ctrl+C");
  CHECK(studio.app.status == "8 cells of data are in the clipboard as a table");
  find("data (9,9)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.status.find("names no cell of data") != std::string::npos);
  CHECK(selected(studio) == "data row=1");
  studio.chord("Ctrl+G");
  studio.type("warp 0");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.shows("warp 0 names no cell of data: there are rows=0-3, cols=0-7, offsets=0-31",
                     "text"));  // a layout has no threads; the dialog stays
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
}

TEST_CASE("the selected cells are listed in the inspector and copied as a table") {
  StudioDriver studio(kDocument, 1600, 1000);
  drag_cells(studio, "owners", {4, 2}, {5, 2});
  CHECK(studio.shows("SELECTED", "text"));
  const Result<CellTable> table = selected_cell_table(studio.app.session);
  REQUIRE(table);
  CHECK(to_tsv(*table) ==
        "panel\tcoordinate\tthread\tvalue\ttensor\toffset\ntile\t(2,4)\t4\t2\t(4,8):(8,1)\t20\n"
        "tile\t(2,5)\t4\t3\t(4,8):(8,1)\t21\n");
  studio.click("Copy as table", "button");
  CHECK(std::string(ImGui::GetClipboardText()) == to_tsv(*table));
  studio.click("Select none", "button");
  CHECK_FALSE(studio.shows("SELECTED", "text"));
}

TEST_CASE("a presentation walks through the document's figures with the words above them") {
  StudioDriver studio(
      "# What a layout is.\nlet data = (4,8):(8,1)\n# First a picture.\nlet one = layout_figure(data)\nlet two = "
      "layout_figure((2,2):(1,2))\n\nlet three = layout_figure((2,2):(2,1))\n",
      1600, 1000);
  studio.app.pending.push_back(studio::Do{"present.start"});
  studio.frames(3);
  CHECK(studio.shows("First a picture.", "text"));
  CHECK(studio.shows("1 of 3   one", "text"));
  CHECK_FALSE(studio.shows("data", "row"));
  CHECK(studio.app.theme() == studio::ThemeKind::high_contrast);
  studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(studio.shows("2 of 3   two", "text"));
  CHECK(studio.shows("First a picture.", "text"));  // nothing stands above it itself
  studio.press(ImGuiKey_PageDown);
  studio.frames(2);
  CHECK(studio.shows("3 of 3   three", "text"));
  CHECK_FALSE(studio.app.recorder.find("First a picture."));  // a blank line ends it
  studio.press(ImGuiKey_PageDown);
  studio.frames(2);
  CHECK(studio.shows("3 of 3   three", "text"));
  studio.press(ImGuiKey_LeftArrow);
  studio.frames(2);
  studio.press(ImGuiKey_LeftArrow);
  studio.frames(2);
  CHECK(studio.shows("1 of 3   one", "text"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK(studio.shows("data", "row"));
  CHECK_FALSE(studio.app.session.can_undo());
}

TEST_CASE("a presentation fills a large screen, with type in proportion, and the workbench has its own size again") {
  const char* const text = "# Who owns what.\nlet one = layout_figure((4,8):(8,1))\n";
  const auto presented = [&](int width, int height) {
    StudioDriver studio(text, width, height);
    studio.app.pending.push_back(studio::Do{"present.start"});
    studio.frames(4);
    const float cell = studio.app.bench.canvases.at("presented one").camera.scale, caption = studio.item("Who owns what.", "text").h;
    studio.press(ImGuiKey_Escape);
    studio.frames(4);
    CHECK(studio.app.scale == 1);
    return std::pair(cell, caption);
  };
  const auto [cell, caption] = presented(1280, 800);
  const auto [large, headline] = presented(2560, 1600);
  CHECK(large > 1.9f * cell);
  CHECK(headline > 1.9f * caption);
  CHECK(8 * large > 0.5f * 2560);
}

TEST_CASE("a number of the expression is dragged, figures follow at once, and one undo takes the drag back") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click("data", "row");
  const studio::RecordedItem number = studio.item("number 2 of data", "number");  // the stride 8
  CHECK(number.value == "8");
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.drag(17, 0);
  CHECK(studio.app.session.expression("data") == "(4,8):(10,1)");
  const Scene scene = *studio.app.session.figure("rows");
  CHECK(cell_of(scene, *pick(scene, 0.5f, 1.5f)).label == "10");
  const studio::RecordedItem again = studio.item("number 2 of data", "number");
  studio.move(again.x + again.w / 2, again.y + again.h / 2);
  studio.drag(-400, 0);
  CHECK(studio.app.session.expression("data") == "(4,8):(0,1)");  // not below zero
  REQUIRE(studio.app.session.undo());
  CHECK(studio.app.session.expression("data") == "(4,8):(10,1)");
  REQUIRE(studio.app.session.undo());
  CHECK(studio.app.session.expression("data") == "(4,8):(8,1)");
  studio.frames(2);
  const studio::RecordedItem wheel = studio.item("number 0 of data", "number");
  studio.move(wheel.x + wheel.w / 2, wheel.y + wheel.h / 2);
  studio.wheel(1);
  CHECK(studio.app.session.expression("data") == "(5,8):(8,1)");
}

TEST_CASE("a pinned binding is shown as it was beside what it is, and the numbers that differ are told") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click("data", "row");
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "rows"}}});
  studio.app.pending.push_back(studio::Do{"pin.set"});
  studio.frames(3);
  REQUIRE(studio.shows("pinned rows", "canvas"));
  CHECK(studio.shows("A   as pinned", "text"));
  studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(4,8):(9,1)"}});
  studio.frames(3);
  // Whether its first corner is of another colour than what is within it.
  const auto changed = [&](const char* figure, float column, float row) {
    const ImVec2 at = studio.cell_on_screen(figure, column, row);
    const float scale = studio.app.bench.canvases.at(figure).camera.scale;
    const studio::Image now = studio.picture();
    const auto pixel = [&](float off) {
      const std::size_t i = (static_cast<std::size_t>(at.y + off * scale) * 1600 + static_cast<std::size_t>(at.x + off * scale)) * 4;
      return std::array{now.rgba[i], now.rgba[i + 1], now.rgba[i + 2]};
    };
    return pixel(-0.4f) != pixel(0.35f);
  };
  CHECK(changed("rows", 3, 1));               // 8 + 3 became 9 + 3: a corner marks it
  CHECK_FALSE(changed("pinned rows", 3, 1));  // as it was
  studio.click("data", "row");
  studio.app.pending.push_back(studio::Do{"pin.clear"});
  studio.frames(3);
  CHECK_FALSE(studio.shows("pinned rows", "canvas"));
  studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "data"}}});
  studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(4,8):(10,1)"}});
  studio.frames(3);
  CHECK(studio.shows("35 \xe2\x86\x92 38", "text"));  // its cosize
}

TEST_CASE("A and B stand side by side at one scale with the room of all figures, or one above the other where that is narrow") {
  const std::string document = std::string(kDocument) + "let third = layout_figure((3,3):(1,3))\n";
  for (const auto& [width, height, across] : {std::tuple(1600, 1000, true), std::tuple(1000, 640, true), std::tuple(700, 1000, false)}) {
    StudioDriver studio(document, width, height);
    studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "rows"}}});
    studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(5,9):(9,1)"}});
    studio.frames(4);
    const studio::RecordedItem a = studio.item("pinned rows", "canvas"), b = studio.item("rows", "canvas");
    CHECK(a.w == b.w);
    CHECK(a.h == b.h);
    CHECK((a.y == b.y) == across);
    CHECK((a.x == b.x) != across);
    CHECK(std::min(a.w, b.w) > 250);
    CHECK_FALSE(studio.shows("other", "canvas"));
    const auto& canvases = studio.app.bench.canvases;
    CHECK(canvases.at("rows").camera.scale == canvases.at("pinned rows").camera.scale);
    CHECK(canvases.at("rows").camera.origin.x == canvases.at("pinned rows").camera.origin.x);
    CHECK(studio.shows("A   as pinned", "text"));
    CHECK(studio.shows("B   as it is", "text"));
    studio.move(b.x + b.w / 2, b.y + b.h / 2);  // what is zoomed in one is in the other
    studio.wheel(2);
    studio.frames(2);
    CHECK(canvases.at("rows").camera.scale == canvases.at("pinned rows").camera.scale);
    studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(2,3):(3,1)"}});  // the smaller one has the scale of the larger, too
    studio.app.pending.push_back(studio::Do{"view.fit"});
    studio.frames(4);
    CHECK(canvases.at("rows").camera.scale == canvases.at("pinned rows").camera.scale);
    CHECK(canvases.at("rows").fitted);
    studio.app.pending.push_back(studio::Do{"pin.clear"});
    studio.frames(4);
    CHECK(studio.app.session.workspace().maximised.empty());
  }
}

TEST_CASE("in a narrow window what is compared has the room of the panels, until they are wanted") {
  StudioDriver studio(kDocument, 1000, 640);
  studio.app.pending.push_back(studio::Do{"binding.compare", {{"binding", "data"}, {"expression", "(4,8):(10,1)"}}});
  studio.frames(4);
  const auto room = [&] { return studio.item("data_2", "canvas").w * studio.item("data_2", "canvas").h; };
  const float all = room();
  CHECK(studio.item("data_2", "canvas").w > 450);
  CHECK_FALSE(studio.shows("Inspector", "tab"));
  CHECK_FALSE(studio.shows("List", "tab"));
  CHECK_FALSE(studio.app.session.workspace().side_hidden);  // the person has hidden nothing
  studio.click("Show the inspector", "button");
  CHECK(studio.shows("Inspector", "tab"));
  CHECK(studio.shows("List", "tab"));
  CHECK(room() < 0.7f * all);
  studio.app.pending.push_back(studio::Do{"pin.clear"});
  studio.frames(4);
  studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "data"}}});
  studio.frames(4);
  CHECK(studio.shows("List", "tab"));  // B is edited there
  CHECK_FALSE(studio.shows("Inspector", "tab"));
}

TEST_CASE("the comparison says in words how many cells differ, and which numbers") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "data"}}});
  studio.frames(3);
  CHECK(studio.shows("no cell differs yet: edit data, and the cells of B that change are marked like this", "legend"));
  studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(4,8):(10,1)"}});
  studio.frames(3);
  CHECK(studio.shows("A has 32 cells and B 38: 24 of B's are new or not as in A", "legend"));
  const std::string words = [&] {
    for (const studio::RecordedItem& each : studio.app.recorder.items()) {
      if (each.role == "differences") return each.label;
    }
    return std::string();
  }();
  studio.app.pending.push_back(studio::Edit{SetBinding{"data", "(4,8):(10,"}});
  studio.frames(3);
  CHECK(studio.shows("B is refused as it is: its last picture stays until it can be drawn again", "legend"));
  CHECK(words.find("cosize: 35 \xe2\x86\x92 38") == std::string::npos);
  CHECK(words.find("cosize: 32 \xe2\x86\x92 38") != std::string::npos);
}

TEST_CASE("a number stays under the hand while it is dragged, and one that is refused is marked where it stands") {
  StudioDriver studio("let m = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1), (32,32,4))\n", 1600, 2000);
  studio.click("m", "row");
  studio.app.pending.push_back(studio::Do{"pin.set"});
  studio.app.pending.push_back(studio::Do{"cells.select", {{"binding", "m"}, {"cells", "(0,0)"}}});  // listed above, while there are any
  studio.frames(3);
  const studio::RecordedItem number = studio.item("number 6 of m", "number");
  REQUIRE(number.value == "4");
  REQUIRE(number.y > 400);
  REQUIRE(number.y < 1900);
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.hold_button(true);
  studio.move(number.x + number.w / 2 + 9, number.y + number.h / 2);
  CHECK(studio.shows("number is refused", "mark"));
  CHECK(studio.item("number 6 of m", "number").y == number.y);
  CHECK(studio.app.figures.get(studio.app.session, view_of(studio.app.session.workspace().arrangement, "m"), studio.app.textures).scene);
  studio.move(number.x + number.w / 2 + 33, number.y + number.h / 2);
  CHECK_FALSE(studio.shows("number is refused", "mark"));
  CHECK(studio.item("number 6 of m", "number").value == "8");
  CHECK(studio.item("number 6 of m", "number").y == number.y);
  studio.hold_button(false);
}

TEST_CASE("a presentation begins with the selected figure, says its keys, and goes on with a click") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "rows"}}});
  studio.app.pending.push_back(studio::Do{"figure.maximise", {{"binding", "rows"}}});
  studio.app.pending.push_back(studio::Do{"present.start"});
  studio.frames(3);
  REQUIRE(studio.shows("2 of 3   rows", "text"));
  CHECK(std::any_of(studio.app.recorder.items().begin(), studio.app.recorder.items().end(), [](const studio::RecordedItem& item) {
    return item.role == "text" && item.label.starts_with("click, arrow keys: go") && item.label.ends_with("Esc: end");
  }));
  const ImVec2 cell = studio.cell_on_screen("presented rows", 1, 1);
  studio.move(cell.x, cell.y);
  studio.hold_button(true);
  studio.hold_button(false);
  studio.frames(2);
  CHECK(studio.shows("3 of 3   other", "text"));
  CHECK(studio.app.session.workspace().selection.empty());
}

TEST_CASE("a figure beside others is a tab where panes would become slits, and another figure in a pane moves none") {
  const std::string document = std::string(kDocument) + "let more = (2,3):(1,2)\n";
  StudioDriver small(document, 1280, 800);
  const auto& now = small.app.session.workspace();
  const std::size_t before = panes(now.arrangement).size();
  REQUIRE(before == 3);
  small.app.pending.push_back(studio::Do{"figure.beside", {{"binding", "more"}}});
  small.frames(4);
  CHECK(panes(now.arrangement).size() == before);
  CHECK(views(now.arrangement).size() == before + 1);
  CHECK(small.shows("more", "canvas"));
  StudioDriver large(document, 2560, 1440);
  const auto& there = large.app.session.workspace();
  large.app.pending.push_back(studio::Do{"figure.beside", {{"binding", "more"}}});
  large.frames(4);
  CHECK(panes(there.arrangement).size() == before + 1);
  const studio::RecordedItem owners = large.item("owners", "canvas");
  large.app.pending.push_back(studio::Do{"figure.show", {{"binding", "rows"}}});
  large.app.pending.push_back(studio::Do{"figure.show", {{"binding", "data"}}});  // in the place of rows
  large.frames(4);
  CHECK_FALSE(large.shows("rows", "canvas"));
  CHECK(large.item("owners", "canvas").x == owners.x);
  CHECK(large.item("owners", "canvas").w == owners.w);
}

TEST_CASE("lines that are added one after the other all get their picture, whether their values come at once or later") {
  for (const double patience : {1.0, 0.0}) {
    StudioDriver studio("let first = (4,8):(8,1)\n", 1280, 800);
    studio.app.session.be_patient(patience == 0 ? -1 : patience);
    const Workspace& now = studio.app.session.workspace();
    for (int i = 0; i < 8; ++i) {
      const std::string line = fmt::format("l{} = ({},4):(4,1)", i, i + 2);
      studio.app.pending.push_back(studio::Do{"binding.let", {{"line", line}}});
      studio.frames(i % 2 == 0 ? 1 : 4);  // the next one comes before, or after, its value is there
    }
    studio.app.session.settle();
    studio.frames(4);
    for (int i = 0; i < 8; ++i) {
      CAPTURE(i, patience);
      CHECK(pane_of(now.arrangement, fmt::format("l{}", i)).has_value());
    }
    for (const studio::RecordedItem& item : studio.app.recorder.items()) {
      if (item.role == "canvas") CHECK(item.w >= 300);  // and none is a slit
    }
    REQUIRE(studio.app.session.undo());
    studio.frames(2);
    CHECK_FALSE(pane_of(now.arrangement, "l7").has_value());  // its picture goes with its line
    if (patience > 0) CHECK(pane_of(now.arrangement, "l6").has_value());
  }
}

TEST_CASE("the inspector says how a cell comes about, with the bits of a swizzle under each other, and of which cell is chosen") {
  StudioDriver studio("let plain = layout_figure(Sw<3,3,3> o 0 o (8,64):(64,1))\n", 1600, 1000);
  studio.app.pending.push_back(studio::Do{"cells.select", {{"binding", "plain"}, {"cells", "(5,2), (1,0)"}}});
  studio.frames(3);
  CHECK(studio.shows("HOW IT COMES ABOUT", "text"));
  CHECK(studio.shows("in 001000000", "bits"));
  CHECK(studio.shows("out 001001000", "bits"));
  studio.click("selected cell 2", "row");
  CHECK(studio.shows("in 101000010", "bits"));
  CHECK(studio.shows("xor 000101000", "bits"));
  CHECK(studio.shows("out 101101010", "bits"));
}

TEST_CASE("a presentation goes through the steps of a figure") {
  StudioDriver studio("let one = layout_figure((4,8):(8,1), steps=row)\nlet two = layout_figure((2,2):(1,2))\n", 1600, 1000);
  studio.app.pending.push_back(studio::Do{"present.start"});
  studio.frames(3);
  CHECK(studio.shows("1 of 2   one   step 1 of 4", "text"));
  const studio::Image first = studio.picture();
  studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(studio.shows("1 of 2   one   step 2 of 4", "text"));
  CHECK(test::different_pixels(first, studio.picture()) > 1000);
  for (int i = 0; i < 3; ++i) studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(studio.shows("2 of 2   two", "text"));
}

TEST_CASE("a leaf of a diagram that is dragged over another takes its place, and undo brings it back") {
  StudioDriver studio("let data = ((2,4),8):((1,16),2)\nlet arrows = diagram_figure(data)\n", 1600, 1000);
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "arrows"}}});
  studio.frames(4);
  const auto leaf_at = [&](std::size_t number) {
    const studio::Figure& figure = studio.app.figures.get(studio.app.session, {"arrows", {}}, studio.app.textures);
    for (std::uint32_t p = 0; p < figure.scene->panels.size(); ++p) {
      for (std::uint32_t m = 0; m < figure.scene->panels[p].marks.size(); ++m) {
        if (leaf_of_diagram(*figure.scene, {p, m, 0}) != number) continue;
        const CellView cell = cell_of(*figure.scene, {p, m, 0});
        return studio.cell_on_screen("arrows", cell.x + cell.w / 2 - 0.5f, cell.y + cell.h / 2 - 0.5f);
      }
    }
    return ImVec2(0, 0);
  };
  const auto drag = [&](std::size_t from, std::size_t to) {
    const ImVec2 a = leaf_at(from), b = leaf_at(to);
    studio.move(a.x, a.y);
    studio.drag(b.x - a.x, b.y - a.y);
    studio.frames(3);
  };
  drag(0, 2);
  CHECK(studio.app.session.expression("data") == "((8,4),2):((2,16),1)");
  REQUIRE(studio.app.session.undo());
  CHECK(studio.app.session.expression("data") == "((2,4),8):((1,16),2)");
  studio.frames(3);
  drag(1, 1);
  CHECK(studio.app.session.expression("data") == "((2,4),8):((1,16),2)");
}
