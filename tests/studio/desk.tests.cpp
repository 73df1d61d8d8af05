// SPDX-License-Identifier: BSD-3-Clause
// How a person begins and what comes in from outside: the first page, the file chooser, recent files, dropped files and the clipboard.
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "app/session/files/share_text.hpp"
#include "app/studio/frame/clipboard.hpp"
#include "core/base/file.hpp"
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

// A person's own folders, and documents in one.
struct Home {
  test::TemporaryFolder folder;
  test::TemporaryEnvironment config{"XDG_CONFIG_HOME", (folder / "config").string()};
  test::TemporaryEnvironment cache{"XDG_CACHE_HOME", (folder / "cache").string()};
  test::TemporaryEnvironment state{"XDG_STATE_HOME", (folder / "state").string()};
  fs::path talks = folder / "talks";
  Home() {
    fs::create_directories(talks / "more");
    test::put(talks / "a.tess", kText);
    test::put(talks / "lecture.tess", "let tile = (8,8):(8,1)\n");
    test::put(talks / "more" / "deep.tess", "let deep = 3:1\n");
  }
};

void set_clipboard(const std::string& text) { ImGui::SetClipboardText(text.c_str()); }

void perform(StudioDriver& studio, studio::Action action) {
  studio.app.pending.push_back(std::move(action));
  studio.frames(3);
}

}  // namespace

TEST_CASE("the first page leads to the tour, to its GEMM, to a pasted layout, and away") {
  const Home home;
  for (const auto& [width, height] : {std::pair(1000, 640), std::pair(1600, 1000)}) {
    StudioDriver studio("", width, height);
    studio.app.bench.welcome.open = true;
    studio.frames(3);
    for (const char* card : {"Open the tour", "Paste a layout", "Run a GEMM"}) {
      const studio::RecordedItem& item = studio.item(card, "card");
      CHECK(item.x >= 0);
      CHECK(item.x + item.w <= static_cast<float>(width));
      CHECK(item.y + item.h <= static_cast<float>(height));
    }
    CHECK_FALSE(studio.shows("Inspector", "tab"));
  }
  StudioDriver tour("");
  perform(tour, studio::Do{"help.welcome"});
  tour.click("Open the tour", "card");
  CHECK(tour.app.session.title() == "tour.tess");
  CHECK_FALSE(tour.app.bench.welcome.open);

  StudioDriver gemm("");
  perform(gemm, studio::Do{"help.welcome"});
  gemm.click("Run a GEMM", "card");
  REQUIRE(gemm.app.session.find(gemm.app.selected()));
  CHECK(kind_name(*gemm.app.session.find(gemm.app.selected())->value) == "gemm");
  CHECK(gemm.side_page() == "GEMM");

  StudioDriver paste("");
  perform(paste, studio::Do{"help.welcome"});
  set_clipboard("  ");
  paste.click("Paste a layout", "card");
  CHECK(paste.app.bench.welcome.open);  // there was nothing to paste, and that is said
  CHECK(paste.app.status_is_error);
  set_clipboard("(4,8):(8,1)");
  paste.click("Paste a layout", "card");
  CHECK_FALSE(paste.app.bench.welcome.open);
  CHECK(paste.app.session.expression("layout") == "(4,8):(8,1)");

  StudioDriver keys("");
  perform(keys, studio::Do{"help.welcome"});
  keys.press(ImGuiKey_RightArrow);
  keys.press(ImGuiKey_RightArrow);
  keys.press(ImGuiKey_RightArrow);  // there is no fourth
  keys.press(ImGuiKey_Enter);
  keys.frames(3);
  CHECK(keys.side_page() == "GEMM");

  StudioDriver away("");
  perform(away, studio::Do{"help.welcome"});
  away.press(ImGuiKey_Escape);
  CHECK_FALSE(away.app.bench.welcome.open);
}

TEST_CASE("recent documents open from the first page, from the menu of files and from the finder") {
  const Home home;
  const std::string lecture = (home.talks / "lecture.tess").string();
  const auto fresh = [&](StudioDriver& studio) {
    studio.app.settings.recent = {(home.talks / "a.tess").string(), lecture};
    studio.frames(2);
  };
  StudioDriver first("");
  fresh(first);
  perform(first, studio::Do{"help.welcome"});
  first.click(lecture, "recent");
  CHECK(first.app.session.title() == "lecture.tess");
  CHECK(first.app.settings.recent.front() == lecture);

  StudioDriver menu(kText);
  fresh(menu);
  menu.choose("File", lecture);
  CHECK(menu.app.session.title() == "lecture.tess");

  StudioDriver finder(kText);
  fresh(finder);
  finder.chord("Ctrl+K");
  finder.type("lecture");
  finder.press(ImGuiKey_Enter);
  finder.frames(3);
  CHECK(finder.app.session.title() == "lecture.tess");
}

TEST_CASE("what a crash left without a file is offered on the first page, in the menu of files and in the finder") {
  const Home home;
  {
    Session crashed;
    REQUIRE(crashed.open_text("", "untitled"));
    REQUIRE(crashed.run(AddBinding{"mine", "(4,8):(8,1)", {}}));
    REQUIRE(crashed.autosave());
  }
  const std::string name = left_documents().value().at(0).name;
  const auto is_back = [](StudioDriver& studio) {
    return studio.app.session.expression("mine") == "(4,8):(8,1)" && studio.app.session.dirty() && !studio.app.session.path();
  };
  StudioDriver first("");
  perform(first, studio::Do{"help.welcome"});
  first.click(name, "left");
  CHECK(is_back(first));
  CHECK_FALSE(first.app.bench.welcome.open);

  StudioDriver menu(kText);
  menu.choose("File", "Take up what was left...");
  CHECK(is_back(menu));

  StudioDriver finder(kText);
  finder.chord("Ctrl+K");
  finder.type("untitled");
  finder.press(ImGuiKey_Enter);
  finder.frames(3);
  CHECK(is_back(finder));

  StudioDriver changed(kText);  // its changes would be lost
  perform(changed, studio::Do{"binding.delete", {{"binding", "rows"}}});
  changed.choose("File", "Take up what was left...");
  CHECK(changed.app.bench.dialog.kind == studio::DialogKind::discard);
  changed.click("Discard changes", "button");
  CHECK(is_back(changed));

  perform(changed, studio::Do{"file.forget_left", {{"which", name}}});
  CHECK(left_documents().value().empty());
  StudioDriver nothing(kText);
  nothing.choose("File", "Take up what was left...");
  CHECK(nothing.app.status == "no program that ended early has left a document");
  CHECK_FALSE(nothing.app.status_is_error);
}

TEST_CASE("the finder knows whole words and what is meant by others, options of the figure, and adds no atom for a word of everyday") {
  const auto found = [](StudioDriver& studio, const char* typed) {
    if (studio.app.bench.finder.open) studio.press(ImGuiKey_Escape);
    studio.chord("Ctrl+K");
    studio.type(typed);
    return studio.app.bench.finder;
  };
  StudioDriver studio("let data = (4,8):(8,1)\nlet texts = (2,2):(2,1)\nlet rows = layout_figure(data)\n");
  CHECK(found(studio, "text").found.at(0).title == "Text");  // not texts, which begins so
  CHECK(found(studio, "fullscreen").found.at(0).title == "Full screen");
  CHECK(found(studio, "dark mode").found.at(0).title == "Theme");
  for (const auto& [typed, wanted] : {std::pair("colours", "palette: "), std::pair("bank conflicts", "banks"), std::pair("recover", "left"),
                                      std::pair("screenshot", "Export")}) {
    CAPTURE(typed);
    const auto state = found(studio, typed);
    REQUIRE_FALSE(state.found.empty());
    CHECK(state.found.front().title.find(wanted) != std::string::npos);
  }
  // An option of the figure that is focused.
  found(studio, "palette greys");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(view_of(studio.app.session.workspace().arrangement, "rows").options.palette == "greys");
  // Of atoms alone none is chosen until the person chooses it.
  const auto volta = found(studio, "volta");
  REQUIRE(volta.found.at(0).mark == "atom");
  CHECK(volta.found.at(0).title.starts_with("SM70_"));
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.bindings().size() == 3);
  CHECK(studio.app.bench.finder.open);
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.bindings().size() == 4);
  // Its instruction is no word of everyday.
  const auto exact = found(studio, "hopper bf16 m64n128k16");
  CHECK(exact.chosen == 0);
  CHECK(exact.found.at(0).title.starts_with("SM90_64x128x16_F32BF16BF16"));
}

TEST_CASE("the file chooser begins in the document's folder, follows what is typed, and opens with Enter") {
  const Home home;
  StudioDriver studio(StudioDriver::OfFile{(home.talks / "a.tess").string()});
  studio.chord("Ctrl+O");
  CHECK(studio.shows("lecture.tess", "file"));
  CHECK(studio.shows("more/", "folder"));
  studio.type("le");
  CHECK_FALSE(studio.shows("a.tess", "file"));
  studio.press(ImGuiKey_Tab);
  studio.frames(2);
  CHECK(studio.item("path", "edit").value == "lecture.tess");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.title() == "lecture.tess");

  studio.chord("Ctrl+O");
  studio.type("mo");
  studio.press(ImGuiKey_Tab);
  studio.press(ImGuiKey_Enter);  // into the folder
  studio.frames(3);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::open);
  REQUIRE(studio.shows("deep.tess", "file"));
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_DownArrow);  // after the way back
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.title() == "deep.tess");

  studio.chord("Ctrl+O");
  studio.click("..", "folder");
  CHECK(studio.shows("lecture.tess", "file"));
  studio.click("lecture.tess", "file");
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::open);  // one click chooses
  studio.click_in("Open a document", "Open");
  CHECK(studio.app.session.title() == "lecture.tess");

  studio.chord("Ctrl+O");
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
}

TEST_CASE("Save as begins beside the document, and asks before it replaces what is there") {
  const Home home;
  StudioDriver studio(StudioDriver::OfFile{(home.talks / "a.tess").string()});
  studio.chord("Ctrl+Shift+S");
  CHECK(studio.item("path", "edit").value == "a.tess");
  CHECK(studio.shows("lecture.tess", "file"));  // what is there already
  studio.retype("path", "lecture.tess");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(test::contents(home.talks / "lecture.tess") == "let tile = (8,8):(8,1)\n");
  studio.click("Replace", "button");
  CHECK(test::contents(home.talks / "lecture.tess") == kText);
  CHECK(studio.app.session.title() == "lecture.tess");
}

TEST_CASE("a dropped document opens, and one with changes is asked about first") {
  const Home home;
  StudioDriver studio(kText);
  perform(studio, studio::Drop{{(home.talks / "lecture.tess").string()}});
  CHECK(studio.app.session.title() == "lecture.tess");
  perform(studio, studio::Edit{SetBinding{"tile", "4:1"}});
  perform(studio, studio::Drop{{(home.talks / "a.tess").string()}});
  CHECK(studio.app.session.title() == "lecture.tess");
  studio.click("Discard changes", "button");
  CHECK(studio.app.session.title() == "a.tess");
  perform(studio, studio::Edit{SetBinding{"data", "4:1"}});
  perform(studio, studio::Do{"file.open", {{"path", (home.talks / "lecture.tess").string()}}});
  studio.click("Save and open", "button");
  CHECK(test::contents(home.talks / "a.tess").starts_with("let data = 4:1\n"));
  CHECK(studio.app.session.title() == "lecture.tess");
  perform(studio, studio::Drop{{(home.talks / "nobody.tess").string()}});
  CHECK(studio.app.status_is_error);
  CHECK(studio.app.session.title() == "lecture.tess");
}

TEST_CASE("a dropped figure becomes lines of the document that draw it again") {
  const Home home;
  const std::string svg = (home.folder / "picture.svg").string();
  {
    StudioDriver other("let tv = ((2,4),(2,2)):((8,1),(4,16))\nlet data = (4,8):(1,4)\nlet picture = tv_figure(tv, data)\n");
    perform(other, studio::Do{"figure.option", {{"binding", "picture"}, {"option", "thread"}, {"value", "3"}}});
    const Result<std::string> bytes = studio::figure_file(other.app, "picture", ".svg");
    REQUIRE(bytes);
    test::put(svg, *bytes);
  }
  StudioDriver studio(kText);  // whose data is another one
  perform(studio, studio::Drop{{svg}});
  CHECK_FALSE(studio.app.status_is_error);
  CHECK(studio.app.session.expression("data") == "(4,8):(8,1)");
  CHECK(studio.app.session.expression("data_2") == "(4,8):(1,4)");
  CHECK(studio.app.session.expression(studio.app.selected()) == "tv_figure(tv, data_2, thread=3)");
  CHECK(studio.shows(studio.app.selected(), "canvas"));
  perform(studio, studio::Drop{{svg}});  // once more: its lines are there
  CHECK_FALSE(studio.app.session.find("tv_2"));
  studio.chord("Ctrl+Z");

  const std::string plain = (home.folder / "plain.svg").string();
  test::put(plain, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  perform(studio, studio::Drop{{plain}});
  CHECK(studio.app.status_is_error);
  CHECK(studio.app.status.starts_with(plain));
}

TEST_CASE("a share text opens wherever it is pasted, also in a field, and a damaged one is refused") {
  const Home home;
  StudioDriver studio(kText);
  perform(studio, studio::Do{"edit.share"});
  const std::string word = ImGui::GetClipboardText();
  CHECK(*read_share_text(word) == kText);

  StudioDriver other("let a = 4:1\n");
  set_clipboard(word);
  SlowScreen screen(other.backend(), other.app, 0.01);
  screen.click(other.item("expression of a", "edit"), 0.01);
  screen.press(ImGuiKey_V, 0.01, {true, false, false, false}, 'v');
  screen.run();
  CHECK(other.app.session.text() == kText);
  CHECK(other.app.session.title() == kSharedTitle);
  CHECK_FALSE(other.app.session.path());

  set_clipboard(word.substr(0, word.size() - 1));
  other.chord("Ctrl+V");
  CHECK(other.app.status_is_error);
  CHECK(other.app.status.find("cut off") != std::string::npos);
}

TEST_CASE("ten megabytes in the clipboard are pasted or refused with a word, in a moment") {
  const Home home;
  StudioDriver studio(kText);
  std::string layouts;
  while (layouts.size() < 10'000'000) layouts += "(4,8):(8,1)\n";
  for (const std::string& text : {std::string(10'000'000, 'x'), std::string(10'000'000, '('), layouts, std::string(10'000'000, '\n')}) {
    set_clipboard(text);
    const auto begin = std::chrono::steady_clock::now();
    perform(studio, studio::Do{"edit.paste"});
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 20);
    CHECK(studio.app.status_is_error);
    CHECK(studio.app.status.size() < 1000);
    CHECK(studio.app.session.text() == kText);
  }
}

TEST_CASE("a value is copied in every form, from the menu of its figure too") {
  const Home home;
  StudioDriver studio(kText);
  const auto copied = [&](const char* form) {
    set_clipboard("");
    perform(studio, studio::Do{"edit.copy", {{"binding", "data"}, {"form", form}}});
    INFO(form << ": " << studio.app.status);
    CHECK_FALSE(studio.app.status_is_error);
    return std::string(ImGui::GetClipboardText());
  };
  CHECK(copied("tess") == "(4,8):(8,1)");
  CHECK(copied("cpp").find("Shape<_4,_8>") != std::string::npos);
  CHECK(copied("dsl").find("make_layout") != std::string::npos);
  CHECK(copied("print").starts_with("(_4,_8):("));
  CHECK(copied("latex").find("\\begin{tikzpicture}") != std::string::npos);
  CHECK(copied("svg").starts_with("<svg"));
  CHECK(copied("text").find("31") != std::string::npos);
  const std::string path = copied("png");
  CHECK(path == (home.folder / "cache" / "tessera" / "copied" / "data.png").string());
  CHECK(test::contents(path).starts_with("\x89PNG"));

  studio.click_right("rows", "canvas");
  studio.click("Copy as...", "menu item");
  studio.click("LaTeX", "menu item");
  CHECK(std::string(ImGui::GetClipboardText()).find("layout") != std::string::npos);
  CHECK(studio.app.status.starts_with("rows is in the clipboard as LaTeX"));

  studio.chord("Ctrl+K");
  studio.type("Copy as SVG");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(std::string(ImGui::GetClipboardText()).starts_with("<svg"));
}
