// SPDX-License-Identifier: BSD-3-Clause
// The keyboard's way through every dialog and every popup of a figure's bar: Tab comes to each thing that can be used, once and in the
// order in which it is drawn, Shift+Tab goes back the same way, and the arrow keys choose.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument =
    "let data = (4,8):(8,1)\nlet tv4 = ((2,4),(2,2)):((8,1),(4,16))\nlet owners = tv_figure(tv4, data, thread=3)\n";

struct Place {
  test::TemporaryFolder folder;
  test::TemporaryEnvironment state{"XDG_STATE_HOME", folder.path().string()};
  std::filesystem::path file = folder / "a.tess";
  Place() { test::put(file, kDocument); }
};

struct Keys : StudioDriver {
  using StudioDriver::StudioDriver;

  void do_now(studio::Action action) {
    app.pending.push_back(std::move(action));
    frames(3);
  }
  void change() {
    click("data", "row");
    retype("expression of data", "16:2");
  }
  std::string focused() const {
    const studio::RecordedItem* item = app.recorder.focused();
    return item ? item->role + " " + item->label : std::string("nothing");
  }
  std::string tab(bool back = false) {
    press_with(ImGuiKey_Tab, studio::Modifiers{false, back, false, false});
    return focused();
  }
  std::string key(ImGuiKey which) {
    press(which);
    frames(2);
    return focused();
  }
  // What can be used in a dialog, in the order in which it is drawn; the words of a row of choices are one thing.
  std::vector<std::string> usable(const std::string& region) const {
    std::vector<std::string> found;
    std::vector<const studio::RecordedItem*> rows;
    for (const studio::RecordedItem& item : app.recorder.items()) {
      if (item.region == region && item.role == "choices") rows.push_back(&item);
    }
    for (const studio::RecordedItem& item : app.recorder.items()) {
      if (item.region != region || item.role == "text" || item.role == "picture" || item.value == "disabled") continue;
      const bool is_word =
          item.role == "button" && std::any_of(rows.begin(), rows.end(), [&](const studio::RecordedItem* row) {
            return item.x >= row->x && item.y >= row->y && item.x + item.w <= row->x + row->w && item.y + item.h <= row->y + row->h;
          });
      if (!is_word) found.push_back(item.role + " " + item.label);
    }
    return found;
  }
};

// Tab from where the keyboard is, until it is there again.
void check_ring(Keys& studio, const std::string& region) {
  const std::vector<std::string> things = studio.usable(region);
  REQUIRE_FALSE(things.empty());
  std::vector<std::string> there, back;
  const std::string first = studio.tab();
  for (std::string now = first; there.size() <= things.size(); now = studio.tab()) {
    there.push_back(now);
    if (there.size() > 1 && now == first) break;
  }
  INFO(region);
  REQUIRE(there.back() == first);
  there.pop_back();
  std::vector<std::string> expected = things;
  const auto begin = std::find(expected.begin(), expected.end(), first);
  REQUIRE(begin != expected.end());
  std::rotate(expected.begin(), begin, expected.end());
  CHECK(there == expected);
  for (std::size_t i = 0; i < things.size(); ++i) back.push_back(studio.tab(true));
  std::reverse(expected.begin(), expected.end());
  CHECK(back == expected);
}

}  // namespace

TEST_CASE("Tab and Shift+Tab come to everything in every dialog, in its order") {
  const Place place;
  const StudioDriver::OfFile file{place.file.string()};
  SECTION("Export figure") {
    Keys studio(kDocument);
    for (const char* format : {"svg", "tex", "png"}) {
      studio.do_now(studio::Do{"file.export", {{"format", format}}});
      check_ring(studio, "Export figure");
      studio.key(ImGuiKey_Escape);
    }
  }
  SECTION("Open a document") {
    Keys studio(file);
    studio.chord("Ctrl+O");
    studio.type("nothing");  // which Tab cannot complete
    check_ring(studio, "Open a document");
  }
  SECTION("Save as") {
    Keys studio(file);
    studio.do_now(studio::Do{"file.save_as"});
    check_ring(studio, "Save as");
  }
  SECTION("Unsaved changes") {
    Keys studio(file);
    studio.change();
    studio.do_now(studio::Quit{});
    check_ring(studio, "Unsaved changes");
  }
  SECTION("Open another document") {
    Keys studio(file);
    studio.change();
    studio.do_now(studio::Open{(place.folder / "b.tess").string()});
    check_ring(studio, "Open another document");
  }
  SECTION("The file has changed") {
    Keys studio(file);
    studio.change();
    test::put(place.file, "let theirs = 1\n");
    studio.chord("Ctrl+S");
    check_ring(studio, "The file has changed");
  }
  SECTION("what an action needs") {
    Keys studio(file);
    studio.click("data", "row");
    for (const char* action : {"binding.rename", "binding.add", "binding.compare"}) {
      studio.do_now(studio::Do{action});
      const auto& items = studio.app.recorder.items();
      const auto cancel =
          std::find_if(items.rbegin(), items.rend(), [](const studio::RecordedItem& item) { return item.label == "Cancel"; });
      REQUIRE(cancel != items.rend());
      check_ring(studio, std::string(cancel->region));
      studio.key(ImGuiKey_Escape);
    }
  }
}

TEST_CASE("the arrow keys go from button to button of a dialog, and Enter presses the one that they came to") {
  const Place place;
  Keys studio(StudioDriver::OfFile{place.file.string()});
  studio.change();
  studio.do_now(studio::Quit{});
  CHECK(studio.tab() == "button Save");
  CHECK(studio.key(ImGuiKey_RightArrow) == "button Discard");
  CHECK(studio.key(ImGuiKey_RightArrow) == "button Cancel");
  CHECK(studio.key(ImGuiKey_LeftArrow) == "button Discard");
  CHECK(studio.key(ImGuiKey_RightArrow) == "button Cancel");
  studio.key(ImGuiKey_Enter);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
  CHECK_FALSE(studio.app.quit);
}

TEST_CASE("the rows of a choice on a figure's bar are chosen by the arrow keys and Enter") {
  Keys studio(kDocument, 1600, 1000);
  studio.click("color", "button");
  CHECK(studio.key(ImGuiKey_DownArrow) == "choice as it is");
  CHECK(studio.key(ImGuiKey_DownArrow) == "choice thread");
  CHECK(studio.key(ImGuiKey_DownArrow) == "choice value");
  CHECK(studio.key(ImGuiKey_UpArrow) == "choice thread");
  CHECK(studio.tab() == "choice value");
  studio.key(ImGuiKey_Enter);
  CHECK(view_of(studio.app.session.workspace().arrangement, "owners").options.parameters.at("color") == "value");
  CHECK_FALSE(studio.shows("as it is", "choice"));  // the popup is closed
  studio.click("color: value", "button");
  studio.key(ImGuiKey_Escape);
  CHECK_FALSE(studio.shows("as it is", "choice"));
}

TEST_CASE("what is typed on a figure's bar has the keyboard at once, and Tab goes on to the button behind it") {
  Keys studio(kDocument, 1600, 1000);
  studio.click("thread: 3", "button");
  CHECK(studio.focused() == "edit thread");
  studio.type("2");  // over what stood there
  CHECK(view_of(studio.app.session.workspace().arrangement, "owners").options.parameters.at("thread") == "2");
  CHECK(studio.tab() == "button as it is");
  CHECK(studio.tab() == "edit thread");
  CHECK(studio.tab(true) == "button as it is");
  studio.key(ImGuiKey_Enter);
  CHECK(view_of(studio.app.session.workspace().arrangement, "owners").options.parameters.empty());
}

TEST_CASE("menus open by Alt and their letter, and are walked by the arrow keys") {
  Keys studio(kDocument);
  studio.chord("F10");
  CHECK(studio.shows("Open...", "menu item"));
  studio.key(ImGuiKey_RightArrow);
  CHECK_FALSE(studio.shows("Open...", "menu item"));
  CHECK(studio.shows("Undo", "menu item"));
  studio.key(ImGuiKey_LeftArrow);
  CHECK(studio.shows("Open...", "menu item"));
  studio.key(ImGuiKey_Escape);
  CHECK_FALSE(studio.shows("Open...", "menu item"));
  studio.chord("Alt+V");
  REQUIRE(studio.shows("Theme", "menu item"));
  CHECK(studio.key(ImGuiKey_DownArrow).starts_with("menu item "));
  for (int i = 0; i < 60 && studio.focused() != "menu item Theme"; ++i) studio.key(ImGuiKey_DownArrow);
  REQUIRE(studio.focused() == "menu item Theme");
  const studio::ThemeKind before = studio.app.theme();
  studio.key(ImGuiKey_Enter);
  CHECK(studio.app.theme() != before);
  CHECK_FALSE(studio.shows("Theme", "menu item"));
  // Each menu has a letter of its own.
  std::vector<std::string> opened;
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    if (const std::string menu = studio::menu_of_keys(std::string("Alt+") + letter); !menu.empty()) opened.push_back(menu);
  }
  std::vector<std::string> all = studio::menus();
  std::sort(all.begin(), all.end());
  std::sort(opened.begin(), opened.end());
  CHECK(opened == all);
}

TEST_CASE("Tab walks through the tool row of the figure that has the focus, and Enter presses there alone") {
  Keys studio(kDocument);
  studio.do_now(studio::Do{"figure.show", {{"binding", "owners"}}});
  studio.do_now(studio::Do{"figure.maximise", {{"binding", "owners"}}});
  REQUIRE(studio.focused() == "nothing");
  std::vector<std::string> walked;
  for (std::string at = studio.tab(); std::find(walked.begin(), walked.end(), at) == walked.end() && walked.size() < 40; at = studio.tab())
    walked.push_back(at);
  const auto has = [&](const char* wanted) {
    return std::any_of(walked.begin(), walked.end(), [&](const std::string& at) { return at == wanted; });
  };
  CHECK(walked.size() > 4);
  CHECK(has("button More"));
  CHECK(has("button Restore"));
  while (studio.focused() != "button More") studio.tab();
  studio.key(ImGuiKey_Enter);
  REQUIRE(studio.shows("A click and a drag select", "text"));
  CHECK(studio.tab().starts_with("button "));  // in what More has opened
  studio.key(ImGuiKey_Escape);
  CHECK_FALSE(studio.shows("A click and a drag select", "text"));
  studio.key(ImGuiKey_Escape);
  CHECK(studio.focused() == "nothing");
  studio.key(ImGuiKey_Enter);
  CHECK_FALSE(studio.shows("A click and a drag select", "text"));
  // A field that takes the keyboard ends the walk.
  studio.tab();
  CHECK(studio.focused() != "nothing");
  studio.change();
  studio.click("owners", "row");
  studio.frames(2);
  studio.key(ImGuiKey_Escape);
  CHECK(studio.focused() == "nothing");
}
