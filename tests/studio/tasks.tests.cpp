// SPDX-License-Identifier: BSD-3-Clause
// What people do first, by keyboard alone on the tour: each takes at most four actions, of which one is a key with its modifiers or a text.
#include <filesystem>
#include <functional>
#include <string>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

struct Person : StudioDriver {
  int actions = 0;
  Person() : StudioDriver("", 1600, 1000) {
    app.bench.welcome.open = true;
    frames(3);
  }
  void opens_tour() {
    enter();
    actions = 0;
  }
  void enter() { key(ImGuiKey_Enter); }
  void key(ImGuiKey which) {
    press(which);
    frames(3);
    ++actions;
  }
  void keys(const char* chord) {
    StudioDriver::chord(chord);
    ++actions;
  }
  void writes(const char* text) {
    type(text);
    ++actions;
  }
  void finds(const char* text) {
    keys("Ctrl+K");
    writes(text);
    enter();
  }
  std::string expression(const char* name) const { return std::string(app.session.expression(name)); }
};

}  // namespace

TEST_CASE("a cell of a figure is seen with its owner") {
  Person person;
  person.enter();  // the tour has the focus
  person.finds("ampere A(5,2)");
  CHECK(person.actions <= 4);
  CHECK(person.shows("ampere", "canvas"));
  CHECK(person.shows("ampere A(5,2): T21 V0", "text"));
  CHECK(person.shows("SELECTED", "text"));
}

TEST_CASE("a stride is changed, and the figure shows it") {
  Person person;
  person.opens_tour();
  person.finds("row_major = (4,8):(16,1)");
  CHECK(person.actions <= 4);
  CHECK(person.expression("row_major") == "(4,8):(16,1)");
  CHECK(person.shows("row_major", "canvas"));
}

TEST_CASE("a figure is added, and drawn") {
  Person person;
  person.opens_tour();
  person.keys("Ctrl+N");
  person.writes("mine = tv_figure(tv, padded)");
  person.enter();
  CHECK(person.actions <= 4);
  CHECK(person.expression("mine") == "tv_figure(tv, padded)");
  CHECK(person.shows("mine", "canvas"));
}

TEST_CASE("two versions of a layout are compared") {
  Person person;
  person.opens_tour();
  const std::string before = person.expression("row_major");
  person.keys("Ctrl+K");
  person.writes("row_major = (4,8):(1,4)");
  person.key(ImGuiKey_DownArrow);
  person.enter();
  CHECK(person.actions <= 4);
  CHECK(person.expression("row_major") == before);
  CHECK(person.expression("row_major_2") == "(4,8):(1,4)");
  CHECK(person.shows("pinned row_major_2", "canvas"));
  CHECK_FALSE(person.shows("who_owns", "canvas"));  // both have the room of all
  CHECK(person.shows("30 of the 32 cells of B differ from A", "legend"));
  REQUIRE(person.app.session.undo());
  person.frames(3);
  CHECK_FALSE(person.shows("pinned row_major_2", "canvas"));
  CHECK_FALSE(person.app.session.find("row_major_2"));
}

TEST_CASE("a layout is compared with what one makes of it in a dialog, which says while one types what is wrong with it") {
  Person person;
  person.opens_tour();
  person.finds("row_major");
  person.actions = 0;
  person.finds("compare with");
  CHECK(person.item("expression", "edit").value == "(4,8):(8,1)");
  person.writes("(4,8):(1,");  // it was selected
  CHECK(person.item("expression", "edit").value == "(4,8):(1,");
  person.enter();
  CHECK(person.shows("Compare with...", "text"));  // still
  const studio::RecordedItem* why = person.app.recorder.find("OK", "button");
  REQUIRE(why);
  CHECK(why->value == "disabled");
  person.actions = 3;
  person.type("4)");
  CHECK(person.shows("= (4,8):(1,4)", "text"));
  person.enter();
  CHECK(person.actions <= 4);
  CHECK(person.shows("pinned row_major_2", "canvas"));
  CHECK(person.shows("A   row_major", "text"));
  CHECK(person.shows("B   row_major_2", "text"));
}

TEST_CASE("a figure is exported for a column of a paper by keys alone") {
  const test::TemporaryFolder folder;
  Person person;
  person.opens_tour();
  REQUIRE(person.app.session.save_as(folder / "tour.tess", false));
  person.keys("Ctrl+E");
  person.key(ImGuiKey_RightArrow);
  person.enter();
  CHECK(person.actions <= 4);
  CHECK(test::contents(folder / (person.app.selected() + ".tex")).find("columnwidth") != std::string::npos);
  person.actions = 0;
  person.finds("pdf slide");
  CHECK(person.actions <= 4);
  CHECK(std::filesystem::exists(folder / (person.app.selected() + ".pdf")));
}

TEST_CASE("an atom is found, and drawn") {
  Person person;
  person.opens_tour();
  person.finds("16x8x8 tf32");
  CHECK(person.actions <= 4);
  CHECK(person.app.selected() == "mma_atom");
  CHECK(person.shows("mma_atom", "canvas"));
}

TEST_CASE("the cells of a warp are copied as a table") {
  Person person;
  person.opens_tour();
  person.finds("ampere_2x2 warp 0");
  person.keys("Ctrl+C");
  CHECK(person.actions <= 4);
  const std::string table = ImGui::GetClipboardText();
  for (const char* panel : {"\nA\t", "\nB\t", "\nC\t"}) CHECK(("\n" + table).find(panel) != std::string::npos);
  CHECK(person.app.status.find("cells of ampere_2x2 are in the clipboard") != std::string::npos);
}

TEST_CASE("a figure is exported for a column of a paper") {
  const test::TemporaryFolder folder;
  Person person;
  person.opens_tour();
  person.finds("export tex columnwidth");
  CHECK(person.app.bench.dialog.path.find("presets") == std::string::npos);
  person.retype("path", (folder / "figure.tex").string());  // not where the tests run
  person.enter();
  CHECK(person.actions <= 4);
  CHECK(test::contents(folder / "figure.tex").find("columnwidth") != std::string::npos);
}

TEST_CASE("a GEMM is emulated") {
  Person person;
  person.opens_tour();
  person.finds("article_gemm");
  person.keys("Ctrl+Shift+R");
  CHECK(person.actions <= 4);
  CHECK(person.app.gemm.binding == "article_gemm");
}

TEST_CASE("a document is presented") {
  Person person;
  person.opens_tour();
  person.keys("F5");
  CHECK(person.app.session.workspace().presenting);
  const std::string first = person.app.selected();
  person.key(ImGuiKey_RightArrow);
  person.key(ImGuiKey_RightArrow);
  CHECK(person.app.selected() != first);
  person.key(ImGuiKey_Escape);
  CHECK(person.actions <= 4);
  CHECK_FALSE(person.app.session.workspace().presenting);
  CHECK_FALSE(person.app.status_is_error);
}

TEST_CASE("all changes are taken back") {
  Person person;
  person.opens_tour();
  const std::string text = person.app.session.text();
  person.finds("mine = 8:1");
  person.finds("row_major = (4,8):(1,4)");
  REQUIRE(person.app.session.text() != text);
  person.actions = 0;
  person.finds("revert");
  CHECK(person.actions <= 4);
  CHECK(person.app.session.text() == text);
}
