// SPDX-License-Identifier: BSD-3-Clause
// The studio and its file: two of them on one document, a file that changes under one, the way out, and lines that cannot be read.
#include <filesystem>
#include <string>

#include "tests/studio/slow_screen.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::SlowScreen;
using test::StudioDriver;
namespace fs = std::filesystem;

namespace {

const char* const kText = "let data = (4,8):(8,1)\nlet rows = layout_figure(data)\n";
const char* const kTheirs = "let data = (2,2):(2,1)\nlet rows = layout_figure(data)\n# theirs\n";

struct Place {
  test::TemporaryFolder folder;
  test::TemporaryEnvironment state{"XDG_STATE_HOME", folder.path().string()};
  fs::path file = folder / "a.tess";
  Place() { test::put(file, kText); }
  StudioDriver::OfFile of_file() const { return {file.string()}; }
};

void set_data(StudioDriver& studio, const std::string& expression) {
  studio.click("data", "row");
  studio.retype("expression of data", expression);
  REQUIRE(studio.app.session.expression("data") == expression);
}

// A second passes in which nobody does anything.
void look(StudioDriver& studio) {
  studio::watch_file(studio.app);
  studio.frames(3);
}

bool shows_line(const StudioDriver& studio, const std::string& line) {
  for (const studio::RecordedItem& item : studio.app.recorder.items()) {
    if (item.region == "Difference" && item.label == line) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("two studios on one document: the first to save wins, the other is asked, and neither loses its changes") {
  const Place place;
  StudioDriver first(place.of_file()), second(place.of_file());
  set_data(first, "(4,8):(1,4)");
  set_data(second, "16:2");
  REQUIRE(first.app.session.autosave());
  REQUIRE(second.app.session.autosave());
  first.click("Save", "button");
  CHECK(test::contents(place.file) == first.app.session.text());
  CHECK_FALSE(first.app.session.dirty());

  second.click("Save", "button");
  CHECK(test::contents(place.file) == first.app.session.text());  // not overwritten
  REQUIRE(second.shows("another program has changed a.tess since it was opened, and you have changed it too.", "text"));
  std::size_t autosaves = 0;
  for (const auto& entry : fs::directory_iterator(autosave_folder())) {
    ++autosaves;
    CHECK(test::contents(entry.path()).find("16:2") != std::string::npos);  // the second's is still there
  }
  CHECK(autosaves == 1);

  second.click_in("The file has changed", "Show the difference");
  CHECK(shows_line(second, "- let data = (4,8):(1,4)"));
  CHECK(shows_line(second, "+ let data = 16:2"));
  CHECK(shows_line(second, "  let rows = layout_figure(data)"));
  second.click("Close the difference", "button");
  second.click_in("File", "Keep mine");
  CHECK(test::contents(place.file) == second.app.session.text());
  CHECK_FALSE(second.shows("Keep mine"));
  CHECK(fs::is_empty(autosave_folder()));

  look(first);  // now it is the first that is behind, and it has nothing of its own to lose
  CHECK(first.app.session.text() == second.app.session.text());
  CHECK_FALSE(first.app.session.dirty());
  CHECK_FALSE(first.shows("Reload"));
  CHECK(first.app.status == "another program has changed a.tess: this is its text now; Undo brings back what it was");
  first.click("Undo", "button");
  CHECK(first.app.session.expression("data") == "(4,8):(1,4)");
}

TEST_CASE("a file that changes on the disk is said at once, takes no key from the person, and is reloaded or kept as asked") {
  const Place place;
  StudioDriver studio(place.of_file());
  SlowScreen screen(studio.backend(), studio.app, 0.1);
  studio.click("data", "row");
  screen.click(studio.item("expression of data", "edit"), 0.01);
  screen.press(ImGuiKey_End, 0.01);
  screen.type(" + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1", 0.1);
  bool written = false;
  screen.before_frame = [&](long) {
    if (screen.now() > 1.5 && !written) test::put(place.file, kTheirs), written = true;
  };
  screen.run();
  CHECK(studio.app.session.text().find(" + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1\n") != std::string::npos);
  REQUIRE(studio.shows("Keep mine", "button"));  // noticed by the timer, in the middle of the typing
  CHECK(studio.shows("another program has changed a.tess since it was opened, and you have changed it too", "text"));
  CHECK(test::contents(place.file) == kTheirs);

  studio.click_in("File", "Reload");
  CHECK(studio.app.session.text() == kTheirs);
  CHECK_FALSE(studio.app.session.dirty());
  CHECK_FALSE(studio.shows("Keep mine"));
  studio.click("Undo", "button");
  CHECK(studio.app.session.text().find(" + 1 + 1") != std::string::npos);
}

TEST_CASE("of a conflict, Save as keeps both, and Cancel leaves everything as it is") {
  const Place place;
  StudioDriver studio(place.of_file());
  set_data(studio, "16:2");
  test::put(place.file, kTheirs);
  studio.click("Save", "button");
  studio.click_in("The file has changed", "Cancel");
  CHECK(test::contents(place.file) == kTheirs);
  CHECK(studio.app.session.dirty());
  CHECK(studio.shows("Keep mine", "button"));  // the question stays

  studio.click("Save", "button");
  studio.click_in("The file has changed", "Save as");
  studio.click_in("Save as", "Save here");  // the same place: it exists
  studio.click_in("Save as", "Replace");    // and was written by another program
  CHECK(test::contents(place.file) == kTheirs);
  studio.click_in("The file has changed", "Save as");
  studio.retype("path", (place.folder / "mine.tess").string());
  studio.click("Save here", "button");
  CHECK(test::contents(place.file) == kTheirs);
  CHECK(test::contents(place.folder / "mine.tess") == studio.app.session.text());
  CHECK_FALSE(studio.shows("Keep mine"));
  CHECK(studio.app.session.title() == "mine.tess");
}

TEST_CASE("a file that is gone is said, and written again by Keep mine") {
  const Place place;
  StudioDriver studio(place.of_file());
  fs::remove(place.file);
  look(studio);
  CHECK(studio.app.status.find("a.tess is gone") != std::string::npos);
  CHECK_FALSE(studio.shows("Reload", "button"));
  studio.click_in("File", "Keep mine");
  CHECK(test::contents(place.file) == kText);
  CHECK_FALSE(studio.shows("Keep mine"));
}

TEST_CASE("the way out offers Save, Discard and Cancel, and Save asks where the file has changed") {
  const Place place;
  StudioDriver studio(place.of_file());
  set_data(studio, "16:2");
  const auto quit = [&] {
    studio.app.pending.push_back(studio::Quit{});
    studio.frames(3);
  };
  quit();
  for (const char* label : {"Save", "Discard", "Cancel"}) studio.item_in("Unsaved changes", label);
  test::put(place.file, kTheirs);
  studio.click_in("Unsaved changes", "Save");
  CHECK_FALSE(studio.app.quit);
  CHECK(test::contents(place.file) == kTheirs);
  studio.click_in("The file has changed", "Cancel");
  CHECK_FALSE(studio.app.quit);

  quit();
  studio.click_in("Unsaved changes", "Save");
  studio.click_in("The file has changed", "Keep mine");
  CHECK(test::contents(place.file) == studio.app.session.text());
  CHECK(studio.app.quit);
}

TEST_CASE("Save on the way out saves and goes, and asks for a place where there is none") {
  const Place place;
  {
    StudioDriver studio(place.of_file());
    set_data(studio, "16:2");
    studio.app.pending.push_back(studio::Quit{});
    studio.frames(3);
    studio.click_in("Unsaved changes", "Save");
    CHECK(studio.app.quit);
    CHECK(test::contents(place.file) == studio.app.session.text());
  }
  StudioDriver studio(kText);
  set_data(studio, "16:2");
  studio.app.pending.push_back(studio::Quit{});
  studio.frames(3);
  studio.click_in("Unsaved changes", "Save");
  CHECK_FALSE(studio.app.quit);
  studio.retype("path", (place.folder / "new.tess").string());
  studio.click("Save here", "button");
  CHECK(studio.app.quit);
  CHECK(test::contents(place.folder / "new.tess") == studio.app.session.text());
}

TEST_CASE("a document with bad lines opens with them marked, they are mended where they stand, and a save loses none") {
  const Place place;
  const std::string text = "let data = 8:1\nlet b 4:1  # why\n\nrows 4\nlet last = data\n";
  test::put(place.file, text);
  StudioDriver studio(place.of_file());
  CHECK(studio.app.status_is_error);
  CHECK(studio.app.status.find("line 2: '=' is missing after the name b") != std::string::npos);
  for (const char* name : {"data", "last"}) CHECK(studio.shows(name, "row"));
  REQUIRE(studio.shows("let b 4:1", "bad line"));
  CHECK(studio.item("rows 4", "bad line").value.find("neither a binding nor a comment") != std::string::npos);

  set_data(studio, "9:1");
  studio.click("Save", "button");
  CHECK(test::contents(place.file) == "let data = 9:1\nlet b 4:1  # why\n\nrows 4\nlet last = data\n");

  studio.click_on(studio.item("bad line", "edit"));  // the first of them
  studio.press(ImGuiKey_End);
  for (int i = 0; i < 3; ++i) studio.press(ImGuiKey_Backspace);
  studio.type("= 5:2 ");  // it can be read in the middle of this, and the field stays
  studio.type("+ 1");
  CHECK(studio.app.session.text() == "let data = 9:1\nlet b = 5:2 + 1  # why\n\nrows 4\nlet last = data\n");
  studio.click("last", "row");
  CHECK(studio.shows("b", "row"));
  CHECK_FALSE(studio.shows("let b 4:1", "bad line"));
  CHECK(studio.shows("rows 4", "bad line"));
  studio.click("Undo", "button");
  CHECK(studio.shows("let b 4:1", "bad line"));
}

TEST_CASE("by Tab each answer to unsaved changes is reached, and Enter alone loses nothing") {
  const Place place;
  StudioDriver studio(place.of_file());
  const auto quit = [&] {
    studio.app.pending.push_back(studio::Quit{});
    studio.frames(3);
  };
  set_data(studio, "16:2");
  quit();
  studio.press(ImGuiKey_Tab);
  studio.press(ImGuiKey_Tab);
  studio.press(ImGuiKey_Tab);
  studio.frames(2);
  REQUIRE(studio.app.recorder.focused());
  CHECK(studio.app.recorder.focused()->label == "Cancel");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
  CHECK_FALSE(studio.app.quit);
  quit();
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(place.file) == studio.app.session.text());
  CHECK(studio.app.quit);
  studio.app.quit = false;
  const std::string saved = studio.app.session.text();
  set_data(studio, "32:2");
  quit();
  studio.press(ImGuiKey_Tab);
  studio.press(ImGuiKey_Tab);
  studio.press(ImGuiKey_Enter);  // Discard
  studio.frames(3);
  CHECK(studio.app.quit);
  CHECK(test::contents(place.file) == saved);
}

TEST_CASE("a document that comes with the program is opened as a copy: Save asks for a place, and its file stays as it is") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "share" / "presets");
  const std::filesystem::path tour = folder / "share" / "presets" / "tour.tess";
  test::put(tour, kText);
  const test::TemporaryEnvironment assets("TESSERA_ASSETS", (folder / "share").string());
  StudioDriver studio("");
  studio.app.pending.push_back(studio::Do{"file.tour"});
  studio.frames(3);
  CHECK(studio.app.session.title() == "tour.tess");
  CHECK_FALSE(studio.app.session.path());
  set_data(studio, "16:2");
  studio.chord("Ctrl+S");
  REQUIRE(studio.app.bench.dialog.kind == studio::DialogKind::save_as);
  CHECK(studio.app.bench.dialog.path == "tour.tess");
  CHECK(studio.app.bench.dialog.chooser.base != tour.parent_path().string());
  studio.retype("path", (folder / "mine.tess").string());
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(folder / "mine.tess") == studio.app.session.text());
  CHECK(test::contents(tour) == kText);
  StudioDriver named(StudioDriver::OfFile{tour.string()});
  CHECK_FALSE(named.app.session.path());
  StudioDriver own(StudioDriver::OfFile{(folder / "mine.tess").string()});
  CHECK(own.app.session.path());
}
