// SPDX-License-Identifier: BSD-3-Clause
// The dialog that exports a figure: what is chosen there is in the picture and in the file, which is the one that `tessera draw` writes.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument = "let rows = layout_figure((64,64):(64,1))\n";

struct Exporting : StudioDriver {
  test::TemporaryFolder folder;
  explicit Exporting(int width = 1280, int height = 800) : StudioDriver(kDocument, width, height) {
    chord("Ctrl+E");
    retype("path", (folder / "rows.svg").string());
  }
  bool has(std::string_view part, const char* file) { return test::contents(folder / file).find(part) != std::string::npos; }
  const studio::ExportState& state() const { return app.bench.exporting; }
  bool is_open() const { return app.bench.dialog.kind == studio::DialogKind::export_figure; }
};

}  // namespace

TEST_CASE("every row of draw's table of sizes is in the dialog, with the formats that it says something to") {
  Exporting studio;
  for (const FigureFormat format : figure_formats()) {
    studio.click_in("Export figure", extension(format));
    for (const ExportOption& row : export_options()) {
      INFO(extension(format) << " " << row.name);
      const auto& items = studio.app.recorder.items();
      CHECK(std::any_of(items.begin(), items.end(), [&](const auto& item) {
              return item.region == "Export figure" && item.label == row.name;
            }) == row.says_something_to(format));
    }
  }
  studio.click_in("Export figure", "svg");
  for (const FigureParameter& row : common_parameters()) {
    if (row.kind == FigureParameter::Kind::flag) CHECK(studio.item_in("Export figure", std::string(row.name)).role == "text");
  }
}

TEST_CASE("what is chosen changes the picture, and is in the file; Enter exports") {
  Exporting studio;
  const studio::RecordedItem whole = studio.item("preview", "picture");
  studio.click("columnwidth", "button");
  CHECK(studio.state().file.sizes.width == "columnwidth");
  CHECK(studio.item("preview", "picture").value != whole.value);
  CHECK_FALSE(studio.state().left_out.empty());
  CHECK(studio.shows(studio.state().left_out, "text"));
  studio.click_in("Export figure", "tex");
  CHECK(std::filesystem::path(studio.app.bench.dialog.path).extension() == ".tex");
  studio.click("yes", "button");  // fragment stands first
  CHECK(studio.state().file.sizes.fragment);
  studio.press(ImGuiKey_Enter);
  studio.frames(2);
  CHECK_FALSE(studio.is_open());
  CHECK(studio.has("tikzpicture", "rows.tex"));
  CHECK_FALSE(studio.has("documentclass", "rows.tex"));
  const Result<Exported> same = studio::exported(studio.app.session, studio.state().file);
  REQUIRE(same);
  CHECK(test::contents(studio.folder / "rows.tex") == same->bytes);
  CHECK(studio.app.status.find(same->left_out) != std::string::npos);  // what is left out is said afterwards, too
}

TEST_CASE("a number that is none is said, and no file is written; Escape closes and lets the picture go") {
  Exporting studio;
  studio.click_in("Export figure", "png");
  const std::size_t textures = studio.app.textures.all().size();
  studio.retype("dpi", "many");
  CHECK(studio.shows("dpi is a number, not \"many\"", "text"));
  studio.press(ImGuiKey_Enter);
  studio.frames(2);
  CHECK(studio.is_open());
  studio.retype("dpi", "0");
  CHECK(studio.shows("--dpi 0 is above 0 and at most 4608", "text"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK_FALSE(studio.is_open());
  CHECK(studio.app.textures.all().size() == textures - 1);
  CHECK_FALSE(std::filesystem::exists(studio.folder / "rows.png"));
}

TEST_CASE("of a figure that is shown twice the one that is asked about is exported, as it is seen") {
  StudioDriver studio(kDocument, 1600, 1000);
  const auto perform = [&](studio::Do action) {
    studio.app.pending.push_back(std::move(action));
    studio.frames(3);
  };
  perform({"figure.split_right", {{"binding", "rows"}}});
  std::vector<std::string> places;
  for (const PaneAt& each : panes(studio.app.session.workspace().arrangement)) {
    if (each.pane->tabs[each.pane->shown].binding == "rows") places.push_back(each.place);
  }
  REQUIRE(places.size() == 2);
  perform({"figure.option", {{"binding", "rows"}, {"place", places[1]}, {"option", "palette"}, {"value", "greys"}}});
  for (const std::size_t which : {0, 1}) {
    perform({"file.export", {{"binding", "rows"}, {"place", places[which]}}});
    CHECK(studio.app.bench.exporting.file.figure.palette == (which == 1 ? "greys" : ""));
    studio.press(ImGuiKey_Escape);
    studio.frames(3);
  }
}

TEST_CASE("a figure goes beside its document, with what was chosen for it on the screen") {
  const test::TemporaryFolder folder;
  test::put(folder / "own.tess", kDocument);
  StudioDriver studio(StudioDriver::OfFile{(folder / "own.tess").string()});
  studio.app.pending.push_back(studio::Do{"figure.option", {{"binding", "rows"}, {"option", "palette"}, {"value", "greys"}}});
  studio.frames(2);
  studio.chord("Ctrl+E");
  CHECK(studio.app.bench.dialog.path == (folder / "rows.svg").string());
  CHECK(studio.app.bench.exporting.file.figure.palette == "greys");
  studio.click("Export", "button");
  CHECK(std::filesystem::exists(folder / "rows.svg"));
}

TEST_CASE("the dialog and its buttons are on the screen of a small window") {
  Exporting studio(1000, 640);
  for (const char* name : {"Export", "Cancel"}) {
    const studio::RecordedItem button = studio.item_in("Export figure", name);
    CHECK(button.y + button.h < 640);
  }
  CHECK(studio.item("preview", "picture").x + studio.item("preview", "picture").w < 1000);
}

TEST_CASE("the finder opens the dialog at a format and a width, and what is none is refused") {
  StudioDriver studio(kDocument);
  studio.chord("Ctrl+K");
  studio.type("export tex columnwidth");
  CHECK(studio.shows("Export rows tex columnwidth", "entry"));
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  REQUIRE(studio.app.bench.dialog.kind == studio::DialogKind::export_figure);
  CHECK(studio.app.bench.exporting.file.format == FigureFormat::tex);
  CHECK(studio.app.bench.exporting.file.sizes.width == "columnwidth");
  CHECK(studio.app.bench.dialog.path.ends_with("rows.tex"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  for (const auto& [name, value] : {std::pair("format", "doc"), std::pair("width", "wide")}) {
    studio.app.pending.push_back(studio::Do{"file.export", {{"binding", "rows"}, {name, value}}});
    studio.frames(3);
    CHECK(studio.app.status_is_error);
    CHECK(studio.app.status.find(value) != std::string::npos);
    CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
  }
}

TEST_CASE("Tab and the arrow keys go from row to row of the dialog and choose in them; Enter presses a button that they have come to") {
  StudioDriver studio(kDocument);
  studio.app.pending.push_back(studio::Do{"file.export", {{"format", "tex"}}});
  studio.frames(3);
  const auto focused = [&] {
    const studio::RecordedItem* item = studio.app.recorder.focused();
    return item ? item->role + " " + item->label : std::string("nothing");
  };
  const auto tab = [&](bool back = false) {
    studio.press_with(ImGuiKey_Tab, studio::Modifiers{false, back, false, false});
    return focused();
  };
  CHECK(focused() == "choices for");
  std::string walked;
  std::string now = tab();
  for (int i = 0; i < 60 && now != "choices for"; ++i, now = tab()) walked += now + "\n";
  CHECK(now == "choices for");
  for (const char* each : {"choices format\n", "choices width\n", "edit width\n", "combo palette\n", "edit title text\n", "edit path\n",
                           "button Export\n", "button Cancel\n"}) {
    INFO(each << walked);
    CHECK(walked.find(each) != std::string::npos);
  }
  for (int i = 0; i < 60 && now != "choices width"; ++i) now = tab(true);
  const auto press = [&](ImGuiKey key) {
    studio.press(key);
    studio.frames(2);
    return studio.app.bench.exporting.file.sizes.width;
  };
  CHECK(press(ImGuiKey_RightArrow) == "columnwidth");
  CHECK(press(ImGuiKey_RightArrow) == "textwidth");
  CHECK(press(ImGuiKey_LeftArrow) == "columnwidth");
  CHECK(press(ImGuiKey_LeftArrow).empty());  // as large as it is
  press(ImGuiKey_DownArrow);
  CHECK(focused() == "edit width");
  studio.type("84mm");  // what stood there was selected
  CHECK(studio.app.bench.exporting.file.sizes.width == "84mm");
  press(ImGuiKey_UpArrow);
  CHECK(focused() == "choices width");
  press(ImGuiKey_UpArrow);
  CHECK(focused() == "choices format");
  press(ImGuiKey_RightArrow);
  CHECK(studio.app.bench.exporting.file.format == FigureFormat::svg);
  for (int i = 0; i < 60 && now != "button Cancel"; ++i) now = tab();
  press(ImGuiKey_Enter);  // presses that, and exports nothing
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
}

TEST_CASE("what a figure is for is one key, Enter exports it, and the next one is for the same") {
  const test::TemporaryFolder folder;
  test::put(folder / "own.tess", kDocument);
  StudioDriver studio(StudioDriver::OfFile{(folder / "own.tess").string()});
  studio.chord("Ctrl+E");
  CHECK(studio.shows("screen", "button"));
  CHECK(studio.item("for", "choices").value == "screen");
  studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(studio.item("for", "choices").value == "LaTeX column");
  CHECK(studio.item("format", "choices").value == "tex");
  CHECK(studio.item("width", "choices").value == "columnwidth");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(folder / "rows.tex").find("columnwidth") != std::string::npos);
  CHECK(studio.app.status.find((folder / "rows.tex").string()) != std::string::npos);
  studio.chord("Ctrl+E");
  CHECK(studio.item("for", "choices").value == "LaTeX column");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.shows("Replace", "button"));  // nothing is lost without a word
  test::put(folder / "rows.tex", "another");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(folder / "rows.tex").find("columnwidth") != std::string::npos);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
}

TEST_CASE("the finder has what figures are exported for, and writes it") {
  const test::TemporaryFolder folder;
  test::put(folder / "own.tess", kDocument);
  StudioDriver studio(StudioDriver::OfFile{(folder / "own.tess").string()});
  const auto finds = [&](const char* words) {
    studio.chord("Ctrl+K");
    studio.type(words);
  };
  finds("export");
  CHECK(studio.shows("Export the figure...", "entry"));
  CHECK(studio.shows("Export as LaTeX at a column's width (3.33 in)", "entry"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  finds("latex column");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(folder / "rows.tex").find("columnwidth") != std::string::npos);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
  finds("latex column");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.shows("Replace", "button"));
  CHECK(studio.item("path", "edit").value == (folder / "rows.tex").string());
  CHECK(studio.item("width", "choices").value == "columnwidth");
}
