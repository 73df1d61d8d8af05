// SPDX-License-Identifier: BSD-3-Clause
// The studio as a whole: the real frames, driven by clicks and keys, on a backend without a window.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/gemm/spec_fields.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument =
    "# The data\n"
    "let data = (4,8):(8,1)\n"
    "let tv4 = ((2,4),(2,2)):((8,1),(4,16))\n"
    "# Pictures\n"
    "let owners = tv_figure(tv4, data)\n"
    "let rows = layout_figure(data)\n"
    "# A product\n"
    "let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\n"
    "let product = gemm(m=16, n=16, k=8, mma=mma)\n";

std::string label_at(const Scene& scene, float x, float y) {
  const auto element = pick(scene, x, y);
  if (!element) return {};
  return std::string(cell_of(scene, *element).label);
}

// Frames until the run has ended; a test that waits for ever would be no test.
void wait_for_job(StudioDriver& studio, int seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (studio.app.busy() && std::chrono::steady_clock::now() < end) {
    studio.frames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE_FALSE(studio.app.busy());
  studio.frames(1);
}

}  // namespace

TEST_CASE("the studio shows every binding and the document's figures") {
  StudioDriver studio(kDocument);
  for (const char* name : {"data", "tv4", "owners", "rows", "mma", "product"}) CHECK(studio.shows(name, "row"));
  CHECK(studio.item("owners", "canvas").value == "32 cells");
  CHECK(studio.item("rows", "canvas").value == "32 cells");
  CHECK_FALSE(studio.app.status_is_error);
}

TEST_CASE("typing another expression changes the scene and the pixels at once, and undo brings both back") {
  StudioDriver studio(kDocument);
  const Scene before = *studio.app.session.figure("rows");
  const studio::Image picture_before = studio.picture();
  REQUIRE(label_at(before, 0.5f, 1.5f) == "8");

  studio.click("data", "row");
  studio.retype("expression of data", "(4,8):(1,4)");
  CHECK(studio.app.session.expression("data") == "(4,8):(1,4)");
  const Scene after = *studio.app.session.figure("rows");
  CHECK(label_at(after, 0.5f, 1.5f) == "1");
  CHECK(test::different_pixels(picture_before, studio.picture()) > 1000);

  REQUIRE(studio.app.session.can_undo());
  studio.move(640, 5);
  studio.click("Undo");
  CHECK(studio.app.session.expression("data") == "(4,8):(8,1)");
  CHECK(label_at(*studio.app.session.figure("rows"), 0.5f, 1.5f) == "8");
  studio.click("Redo");
  CHECK(studio.app.session.expression("data") == "(4,8):(1,4)");
}

TEST_CASE("an expression with a mistake shows the message and a caret, and the last picture stays") {
  StudioDriver studio(kDocument);
  studio.click("data", "row");
  studio.retype("expression of data", "(4,8):(8,");
  bool caret = false, message = false;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) {
    caret |= item.region == "Bindings" && item.label.find('^') != std::string::npos;
    message |= item.region == "Bindings" && item.label.find(')') != std::string::npos;
  }
  CHECK(caret);
  CHECK(message);
  CHECK(studio.app.figures.get(studio.app.session, {"rows"}, studio.app.textures).scene != nullptr);
  studio.retype("expression of data", "(4,8):(1,4)");
  CHECK(label_at(*studio.app.session.figure("rows"), 0.5f, 1.5f) == "1");
}

TEST_CASE("hovering a cell lights up the same thread and value, and the same address, in every figure") {
  StudioDriver studio(kDocument);
  const studio::Image quiet = studio.picture();
  const ImVec2 at = studio.cell_on_screen("owners", 5, 2);
  studio.move(at.x, at.y);
  studio.frames(2);
  REQUIRE(studio.app.hovered);
  // tv4 at thread 4, value 3 is 2 + 4 + 16 = 22, so (2,5): offset 2 * 8 + 5 of the row-major data.
  const studio::Hovered hovered = *studio.app.hovered;
  CHECK(hovered.figure == "owners");
  REQUIRE_FALSE(hovered.links.empty());
  CHECK(hovered.links.front().thread == 4);
  CHECK(hovered.links.front().value == 3);
  CHECK(hovered.links.front().row == 2);
  CHECK(hovered.links.front().col == 5);
  CHECK(hovered.links.front().address == 21);
  CHECK(hovered.words.find("(2,5)") != std::string::npos);
  CHECK(hovered.words.find("offset 21") != std::string::npos);
  CHECK(studio.shows(hovered.words, "text"));  // in the status line

  studio::Figure& rows = studio.app.figures.get(studio.app.session, {"rows"}, studio.app.textures);
  const studio::Highlights there = studio::highlights_of(hovered, "rows", *rows.scene, *rows.index);
  REQUIRE(there.same.size() == 1);
  CHECK(cell_of(*rows.scene, there.same[0]).label == "21");
  // The pixels of the other figure's cell changed too.
  const ImVec2 linked = studio.cell_on_screen("rows", 5, 2);
  const studio::Image lit = studio.picture();
  const studio::Camera& camera = studio.app.bench.canvases.at("rows").camera;
  std::size_t changed = 0;
  for (int dy = static_cast<int>(-camera.scale); dy <= static_cast<int>(camera.scale); ++dy) {
    for (int dx = static_cast<int>(-camera.scale); dx <= static_cast<int>(camera.scale); ++dx) {
      const std::size_t i = (static_cast<std::size_t>(linked.y + static_cast<float>(dy)) * 1280 +
                             static_cast<std::size_t>(linked.x + static_cast<float>(dx))) *
                            4;
      changed += lit.rgba[i] != quiet.rgba[i];
    }
  }
  CHECK(changed > 20);
}

TEST_CASE("the wheel zooms at the mouse, the middle button pans, and Fit shows the whole figure again") {
  StudioDriver studio(kDocument);
  const studio::Camera fitted = studio.app.bench.canvases.at("owners").camera;
  const ImVec2 at = studio.cell_on_screen("owners", 2, 1);
  studio.move(at.x, at.y);
  studio.wheel(3);
  const studio::Camera zoomed = studio.app.bench.canvases.at("owners").camera;
  CHECK(zoomed.scale > fitted.scale * 1.5f);
  const ImVec2 still = studio.cell_on_screen("owners", 2, 1);
  CHECK(std::abs(still.x - at.x) < 2);
  CHECK(std::abs(still.y - at.y) < 2);
  studio.drag(40, 25, 2);
  CHECK(studio.app.session.workspace().selection.empty());
  CHECK(studio.app.bench.canvases.at("owners").camera.origin.x == Approx(zoomed.origin.x + 40));
  studio.move(640, 5);
  studio.click("Fit", "button");
  CHECK(studio.app.bench.canvases.at("owners").camera.scale == Approx(fitted.scale));
}

TEST_CASE("a figure is exported to a file, and an existing file is replaced only after a second word") {
  const test::TemporaryFolder folder;
  StudioDriver studio(kDocument);
  const std::filesystem::path path = folder / "rows.svg";
  studio.click("rows", "row");
  studio.click("Export figure", "button");
  REQUIRE(studio.shows("Export rows", "text"));
  studio.retype("path", path.string());
  studio.click("Export", "button");
  REQUIRE(std::filesystem::exists(path));
  CHECK(test::contents(path).find("<svg") != std::string::npos);
  CHECK_FALSE(studio.shows("path", "edit"));

  test::put(path, "precious");
  studio.click("Export figure", "button");
  studio.retype("path", path.string());
  studio.click("Export", "button");
  CHECK(test::contents(path) == "precious");
  REQUIRE(studio.shows("Replace", "button"));
  studio.click("Replace", "button");
  CHECK(test::contents(path).find("<svg") != std::string::npos);
}

TEST_CASE("an export with an unknown ending or into an unwritable place is refused in the dialog") {
  StudioDriver studio(kDocument);
  studio.click("rows", "row");
  for (const char* path : {"/nowhere/at/all/rows.xyz", "/proc/nowhere/rows.svg"}) {
    studio.click("Export figure", "button");
    studio.retype("path", path);
    studio.click("Export", "button");
    CHECK(studio.shows("path", "edit"));
    CHECK_FALSE(studio.app.bench.dialog.message.empty());
    studio.click("Cancel", "button");
  }
}

TEST_CASE("a GEMM is emulated with a green light, the band says SIMULATED, and no time is shown") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.click("Simulate", "button");
  wait_for_job(studio, 60);
  CHECK(studio.shows("SIMULATED", "band"));
  CHECK(studio.shows("correct", "light"));
  for (const studio::RecordedItem& item : studio.app.recorder.items()) CHECK(item.label.find("FLOP/s") == std::string::npos);
}

TEST_CASE("a worker that faults and one that hangs are both survived, and the next run works") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.app.request.timeout_seconds = 1;

  studio.app.request.worker = "sh -c 'kill -SEGV $$'";
  studio.click("Run", "button");
  wait_for_job(studio, 30);
  CHECK(studio.shows("NO RESULT", "band"));
  CHECK(studio.app.status_is_error);

  studio.app.request.worker = "sleep 1000";
  studio.click("Run", "button");
  CHECK(studio.app.busy());
  CHECK(studio.shows("RUNNING", "band"));
  wait_for_job(studio, 30);
  CHECK(studio.shows("NO RESULT", "band"));

  studio.click("Simulate", "button");
  wait_for_job(studio, 60);
  CHECK(studio.shows("correct", "light"));
}

TEST_CASE("a report is about the GEMM that was run: after an edit it is no verdict, and undo brings it back") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.click("Simulate", "button");
  wait_for_job(studio, 60);
  REQUIRE(studio.shows("correct", "light"));
  for (const Command& edit : {Command(SetBinding{"product", "gemm(m=16, n=16, k=16, mma=mma)"}),
                              Command(SetBinding{"mma", "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(1,2))"})}) {
    studio.app.pending.push_back(studio::Edit{edit});
    studio.frames(3);
    CHECK_FALSE(studio.shows("correct", "light"));
    CHECK_FALSE(studio.shows("SIMULATED", "band"));
    REQUIRE(studio.shows("NOT RUN", "band"));
    CHECK(studio.item("NOT RUN", "band").value == "the last result is of an earlier version");
    studio.app.pending.push_back(studio::Do{"edit.undo"});
    studio.frames(3);
    CHECK(studio.shows("correct", "light"));
  }
}

TEST_CASE("the inspector has a button for every choice of a GEMM, and a click changes the document's text") {
  StudioDriver studio(kDocument, 1280, 1600);
  studio.click("product", "row");
  studio.click("Inspector", "tab");
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    if (!choices_of(field).empty()) CHECK(studio.shows(field.name));
    for (const FieldChoice& choice : choices_of(field)) CHECK(studio.shows(choice.name, "button"));
  }
  studio.click("all_k_blocks", "button");
  CHECK(studio.app.session.expression("product") == "gemm(m=16, n=16, k=8, mma=mma, fragments=all_k_blocks)");
  studio.click("one_k_block", "button");
  CHECK(studio.app.session.expression("product") == "gemm(m=16, n=16, k=8, mma=mma, fragments=one_k_block)");
  studio.click("+", "button");  // the first count is that of stages
  CHECK(studio.app.session.expression("product") == "gemm(m=16, n=16, k=8, mma=mma, fragments=one_k_block, stages=2)");
  studio.click("-", "button");
  CHECK(studio.app.session.expression("product") == "gemm(m=16, n=16, k=8, mma=mma, fragments=one_k_block, stages=1)");
}

TEST_CASE("a recording of another version of a GEMM is named and not shown as its result") {
  const std::string tour = test::contents(test::source_dir() + "/assets/presets/tour.tess");
  StudioDriver studio(tour);
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "article_gemm"}}});  // its row is further down than the window
  studio.frames(3);
  CHECK(studio.shows("RECORDED", "band"));
  studio.click("Simulate", "button");
  wait_for_job(studio, 60);
  CHECK(studio.shows("SIMULATED", "band"));  // which has no time
  CHECK(studio.shows("RECORDED", "band"));
  std::string edited(studio.app.session.expression("article_gemm"));
  edited.replace(edited.find("beta=-1.0"), 9, "beta=0.0");
  studio.app.pending.push_back(studio::Edit{SetBinding{"article_gemm", edited}});
  studio.frames(3);
  CHECK_FALSE(studio.shows("RECORDED", "band"));
  CHECK_FALSE(studio.shows("correct", "light"));
  CHECK(studio.shows("NOT RUN", "band"));
}

TEST_CASE("what a crash left of a document is offered when it is opened, and Recover takes it up") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment state("XDG_STATE_HOME", folder.path().string());
  const std::filesystem::path file = folder / "a.tess";
  test::put(file, kDocument);
  test::put(folder / "half.tess", "let a = (4,");
  std::string unsaved;
  {
    Session crashed;
    REQUIRE(crashed.open(file));
    REQUIRE(crashed.run(SetBinding{"data", "(4,8):(1,4)"}));
    REQUIRE(crashed.autosave());
    unsaved = crashed.text();
  }

  StudioDriver studio("let a = 4:1\n");
  studio.app.pending.push_back(studio::Open{file.string()});
  studio.frames(3);
  CHECK(studio.app.status.find("Recover") != std::string::npos);
  studio.click("Recover", "button");
  CHECK(studio.app.session.expression("data") == "(4,8):(1,4)");
  CHECK_FALSE(studio.shows("Recover", "button"));
  studio.click("Save", "button");
  CHECK(test::contents(file) == unsaved);
  CHECK(studio.app.settings.recent == std::vector<std::string>{file.string()});

  studio.app.pending.push_back(studio::Open{(folder / "half.tess").string()});
  studio.frames(3);
  CHECK(studio.app.status_is_error);
  CHECK(studio.app.status.find("cut off") != std::string::npos);
  studio.app.pending.push_back(studio::Edit{SetBinding{"a", "4:1"}});
  studio.app.pending.push_back(studio::Save{});
  studio.frames(3);
  CHECK(test::contents(folder / "half.tess") == "let a = (4,");
  studio.click("Replace", "button");
  CHECK(test::contents(folder / "half.tess") == "let a = 4:1");
}

TEST_CASE("documents that were opened and the theme are in the settings file afterwards") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment config("XDG_CONFIG_HOME", folder.path().string());
  const test::TemporaryEnvironment state("XDG_STATE_HOME", folder.path().string());
  test::put(folder / "a.tess", kDocument);
  test::put(folder / "b.tess", "let b = 4:1\n");
  StudioDriver studio(kDocument);
  const auto open = [&](const char* name) {
    studio.app.pending.push_back(studio::Open{(folder / name).string()});
    studio.frames(3);
  };
  open("a.tess");
  CHECK_FALSE(std::filesystem::exists(settings_path()));  // a screenshot leaves no trace
  studio.app.keeps_settings = true;
  studio.app.settings.worker = "of the command line";
  for (const char* name : {"a.tess", "b.tess", "a.tess"}) open(name);
  studio.choose("View", "Theme");
  const Settings kept = load_settings().value();
  CHECK(kept.recent == std::vector<std::string>{(folder / "a.tess").string(), (folder / "b.tess").string()});
  CHECK(kept.theme == "light");
  CHECK(kept.worker.empty());
  studio.choose("File", "Open...");
  studio.click((folder / "b.tess").string(), "button");
  CHECK(studio.app.bench.dialog.path == (folder / "b.tess").string());
}

TEST_CASE("Stop ends a run that does not listen") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.app.request.worker = "sleep 1000";
  studio.click("Run", "button");
  REQUIRE(studio.app.busy());
  studio.click("Stop", "button");
  wait_for_job(studio, 30);
  CHECK(studio.app.status == "stopped");
}

TEST_CASE("every theme draws every panel, and they differ") {
  StudioDriver studio(kDocument);
  std::vector<studio::Image> pictures;
  for (const char* theme : {"dark", "light", "high_contrast", "color_blind"}) {
    studio.app.pending.push_back(studio::Do{"view.theme", {{"theme", theme}}});
    studio.frames(3);
    CHECK(name_of(studio.app.theme()) == theme);
    for (const studio::Image& other : pictures) CHECK(test::different_pixels(other, studio.picture()) > 1000);
    pictures.push_back(studio.picture());
  }
  studio.click("GEMM", "tab");
  CHECK(studio.shows("PLAN", "text"));
}

TEST_CASE("unsaved changes are not lost by closing the window") {
  StudioDriver studio(kDocument);
  studio.click("data", "row");
  studio.retype("expression of data", "(4,8):(1,4)");
  studio.app.pending.push_back(studio::Quit{});
  studio.frames(3);
  CHECK_FALSE(studio.app.quit);
  studio.click_in("Unsaved changes", "Cancel");
  CHECK_FALSE(studio.app.quit);
  studio.app.pending.push_back(studio::Quit{});
  studio.frames(3);
  studio.click_in("Unsaved changes", "Discard");
  CHECK(studio.app.quit);
}

TEST_CASE("the shortcuts mean what the table says, and a text field keeps its own undo") {
  StudioDriver studio(kDocument);
  const auto id = [&](const char* keys, bool typing = false) {
    const auto action = studio::shortcut(studio.app, keys, typing);
    return action ? std::get<studio::Do>(*action).id : std::string();
  };
  CHECK(id("Ctrl+Z") == "edit.undo");
  CHECK(id("Ctrl+Shift+Z") == "edit.redo");
  CHECK(id("Ctrl+Y") == "edit.redo");
  CHECK(id("Ctrl+S", true) == "file.save");
  CHECK(id("Ctrl+Z", true).empty());
  CHECK(id("Delete", true).empty());
  CHECK(id("Delete") == "binding.delete");
  CHECK(id("Ctrl+J").empty());
  studio.app.bench.sheet = studio::Sheet::keys;
  CHECK(id("Delete").empty());  // a page lies over the list
}

TEST_CASE("what there is nothing to do for is no error: Undo at the beginning, and Escape from a menu and a presentation") {
  StudioDriver studio(kDocument);
  studio.chord("Ctrl+Z");
  CHECK(studio.app.status == "nothing was changed yet");
  CHECK_FALSE(studio.app.status_is_error);
  studio.app.status.clear();
  studio.chord("Escape");
  CHECK(studio.app.status.empty());
  studio.app.pending.push_back(studio::Do{"cells.go", {{"cells", "data (1,1)"}}});
  studio.frames(3);
  studio.click("Edit", "button");
  studio.chord("Escape");  // closes the menu alone
  CHECK_FALSE(studio.app.session.workspace().selection.empty());
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  studio.chord("F5");
  studio.chord("Escape");
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK_FALSE(studio.app.session.workspace().presenting);
  CHECK_FALSE(studio.app.session.workspace().selection.empty());
  studio.chord("Escape");
  CHECK(studio.app.session.workspace().selection.empty());
  CHECK(studio.app.messages.unseen_errors() == 0);
}

TEST_CASE("why nothing is unpinned is said plainly, and goes away by itself") {
  StudioDriver studio(kDocument);
  studio.chord("Ctrl+Shift+P");
  CHECK(studio.app.status == "nothing is pinned: Ctrl+P pins the selected line first");
  CHECK_FALSE(studio.app.status_is_error);
  CHECK(studio.app.messages.unseen_errors() == 0);
  studio.frames(60);
  CHECK_FALSE(studio.app.status.empty());  // it can be read
  studio.frames(340);
  CHECK(studio.app.status.empty());
}

TEST_CASE("a click that comes in one breath with its move is the click that it would be later") {
  const auto clicked = [](StudioDriver& studio, const studio::RecordedItem& at, bool at_once) {
    const ImVec2 middle(at.x + at.w / 2, at.y + at.h / 2);
    const std::vector<studio::InputEvent> events = {studio::MouseMoved{middle}, studio::MouseButton{0, true, {}},
                                                    studio::MouseButton{0, false, {}}};
    if (at_once) {
      studio.at_once(events);
    } else {
      for (const studio::InputEvent& event : events) studio.at_once({event});
    }
    studio.frames(2);
    return studio.app.recorder.to_json();
  };
  std::map<std::string, studio::RecordedItem> each;  // one of every role in every region
  {
    StudioDriver studio(kDocument);
    for (const studio::RecordedItem& item : studio.app.recorder.items()) {
      if (item.role != "text" && item.w > 0 && item.h > 0) each.emplace(item.region + " " + item.role, item);
    }
  }
  CHECK(each.size() >= 8);
  for (const auto& [what, item] : each) {
    INFO(what << ": " << item.label);
    StudioDriver now(kDocument), later(kDocument);
    CHECK(clicked(now, item, true) == clicked(later, item, false));
  }
}

TEST_CASE("the menus say what can be done, and why not") {
  StudioDriver studio(kDocument);
  studio.click("data", "row");
  studio.choose("Binding", "Duplicate");
  CHECK(studio.app.session.expression("data_2") == "(4,8):(8,1)");
  studio.click("Edit", "button");
  CHECK(studio.item("Redo", "menu item").value == "disabled: nothing was undone");
  CHECK(studio.item("Undo", "menu item").value.empty());
  studio.click("Undo", "menu item");
  CHECK_FALSE(studio.app.session.find("data_2"));
  // Every row of a menu is there.
  for (const std::string& menu : studio::menus()) {
    studio.click(menu, "button");
    for (const ActionRow& row : actions()) {
      INFO(row.id);
      if (row.menu == menu) CHECK(studio.shows(row.title, "menu item"));
    }
    studio.press(ImGuiKey_Escape);
    studio.move(640, 790);
    studio.frames(2);
  }
}

TEST_CASE("what an action needs is asked for, Enter does it, and a refusal keeps the dialog") {
  StudioDriver studio(kDocument);
  studio.click("data", "row");
  studio.app.pending.push_back(studio::Do{"binding.rename"});
  studio.frames(3);
  REQUIRE(studio.shows("Rename...", "text"));
  studio.type("tv4");
  studio.press(ImGuiKey_Enter);
  studio.frames(2);
  CHECK(studio.shows("there is a binding \"tv4\" already", "text"));
  studio.retype("to", "smem");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("owners") == "tv_figure(tv4, smem)");
  CHECK_FALSE(studio.shows("Rename...", "text"));
  studio.app.pending.push_back(studio::Do{"binding.add"});
  studio.frames(3);
  studio.type("(2,2");
  CHECK_FALSE(studio.shows("= (2,2)"));
  studio.type(")");
  CHECK(studio.shows("= (2,2)"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
}

TEST_CASE("the finder finds actions, bindings, atoms and functions, and does what is chosen") {
  StudioDriver studio(kDocument);
  const auto find = [&](const char* typed) {
    studio.app.pending.push_back(studio::Do{"help.actions"});
    studio.frames(3);
    studio.type(typed);
  };
  find("split r");
  CHECK(studio.item("Split right", "entry").value == "Ctrl+\\");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(panes(studio.app.session.workspace().arrangement).size() == 3);
  CHECK_FALSE(studio.app.bench.finder.open);
  find("compare");
  CHECK(studio.app.bench.finder.found[0].title.starts_with("Compare"));
  CHECK(studio.app.bench.finder.found[1].title.starts_with("Compare"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  find("copy as a table");
  CHECK(studio.app.bench.finder.found.front().title == "Copy as a table of its cells");
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  find("sm80_16x8x8_f32f16");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("mma_atom") == "SM80_16x8x8_F32F16F16F32_TN");
  find("product");
  studio.click("product", "entry");
  CHECK(studio.app.selected() == "product");
  find("coalesce");
  studio.click("coalesce", "entry");
  REQUIRE(studio.app.bench.dialog.kind == studio::DialogKind::ask);
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  find("qqqqqq");
  CHECK(studio.shows("nothing has such a name", "text"));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK_FALSE(studio.app.bench.finder.open);
  // Words in any order, and by what an atom is known as elsewhere.
  for (const auto& [typed, first] :
       {std::pair("bf16 16x8x16 sm80", "SM80_16x8x16_F32BF16BF16F32_TN"), std::pair("undo all", "Revert all changes")}) {
    INFO(typed);
    find(typed);
    REQUIRE_FALSE(studio.app.bench.finder.found.empty());
    CHECK(studio.app.bench.finder.found.front().title == first);
    studio.press(ImGuiKey_Escape);
    studio.frames(2);
  }
  find("m16n8k8 tensor");
  CHECK(studio.app.bench.finder.found.front().title.find("16x8x8") != std::string::npos);
}

TEST_CASE("what Enter does not do is typed on, in the finder and in a dialog that refuses") {
  StudioDriver studio(kDocument);
  studio.chord("Ctrl+K");
  studio.type("qqqq");
  studio.press(ImGuiKey_Enter);
  studio.frames(4);
  studio.press(ImGuiKey_Backspace);
  studio.type("data");
  CHECK(studio.app.bench.finder.typed.ends_with("data"));
  CHECK(studio.app.bench.finder.typed != "qqqq");
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  studio.chord("Ctrl+G");
  studio.type("(99,99)");
  studio.press(ImGuiKey_Enter);
  studio.frames(4);
  REQUIRE(studio.app.bench.dialog.kind == studio::DialogKind::ask);
  studio.chord("Ctrl+A");
  studio.type("data (1,1)");
  studio.press(ImGuiKey_Enter);
  studio.frames(4);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::none);
  CHECK(studio.app.session.workspace().selection.cells == "(1,1)");
}

TEST_CASE("a figure that was moved shows the same where it gets another room, and is never out of sight") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click("owners", "row");
  studio.app.pending.push_back(studio::Do{"figure.maximise"});
  studio.frames(3);
  studio::CanvasState& state = studio.app.bench.canvases.at("owners");
  state.camera.origin.x += 500;  // by hand
  state.fitted = false;
  studio.frames(2);
  const float scale = state.camera.scale;
  const ImVec2 middle = state.camera.to_scene({state.room.x / 2, state.room.y / 2});
  studio.click("Restore", "button");
  studio.frames(3);
  const ImVec2 now = state.camera.to_scene({state.room.x / 2, state.room.y / 2});
  CHECK(now.x == Approx(middle.x).margin(0.1));
  CHECK(now.y == Approx(middle.y).margin(0.1));
  CHECK(state.camera.scale < scale);
  studio.app.pending.push_back(studio::Do{"figure.maximise", {{"binding", "owners"}}});
  studio.frames(3);
  CHECK(state.camera.scale == Approx(scale).epsilon(0.01));
  state.camera.origin = {-1e5f, 0};
  studio.click("Restore", "button");
  studio.frames(3);
  CHECK(state.fitted);
}

TEST_CASE("a line in the finder is a binding, another expression, or what the one there is is compared with") {
  StudioDriver studio(kDocument);
  const auto find = [&](const char* typed) {
    studio.chord("Ctrl+K");
    studio.type(typed);
  };
  find("data = (4,8):(1,4)");
  CHECK(studio.shows("Set data = (4,8):(1,4)", "entry"));
  studio.press(ImGuiKey_DownArrow);
  studio.frames(1);
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("data_2") == "(4,8):(1,4)");
  CHECK(studio.shows("pinned data_2", "canvas"));
  find("mine = (2,4):(4,1)");
  CHECK(studio.shows("Add mine = (2,4):(4,1)", "entry"));
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("mine") == "(2,4):(4,1)");
  CHECK(studio.shows("mine", "canvas"));
  find("mine = (2,4):(1,2)");
  studio.press(ImGuiKey_Enter);
  studio.frames(3);
  CHECK(studio.app.session.expression("mine") == "(2,4):(1,2)");
  find("mine = (2,4");
  CHECK(studio.item("Set mine = (2,4", "entry").value.starts_with("disabled: "));
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK(studio.app.session.expression("mine") == "(2,4):(1,2)");
}

TEST_CASE("a tab is dragged to another pane and to the side of one, and bars between panes move") {
  StudioDriver studio(kDocument, 1600, 1000);
  const auto drag = [&](const studio::RecordedItem from, ImVec2 to) {
    studio.move(from.x + from.w / 2, from.y + from.h / 2);
    studio.drag(to.x - (from.x + from.w / 2), to.y - (from.y + from.h / 2));
  };
  const studio::RecordedItem rows = studio.item("rows", "canvas");
  drag(studio.item("owners", "tab"), {rows.x + rows.w / 2, rows.y + rows.h / 2});
  REQUIRE(panes(studio.app.session.workspace().arrangement).size() == 1);
  CHECK(studio.app.session.workspace().arrangement.tabs.size() == 2);
  CHECK(studio.shows("owners", "canvas"));
  const studio::RecordedItem all = studio.item("owners", "canvas");
  drag(studio.item("owners", "tab"), {all.x + all.w - 20, all.y + all.h / 2});
  const Arrangement split = studio.app.session.workspace().arrangement;
  REQUIRE(split.is_split());
  CHECK(split.across);
  CHECK(split.second->tabs.front().binding == "owners");
  const studio::RecordedItem bar = studio.item("figures", "splitter");
  drag(bar, {bar.x + 200, bar.y + 100});
  CHECK(studio.app.session.workspace().arrangement.share > 0.6f);
  REQUIRE(studio.app.session.undo());
  CHECK(studio.app.session.workspace().arrangement.share == Approx(0.5f));
}

TEST_CASE("a figure has the whole room and gives it back, and a larger interface is larger") {
  StudioDriver studio(kDocument);
  const auto area = [&] { return studio.item("owners", "canvas").w * studio.item("owners", "canvas").h; };
  const float shared = area();
  studio.click("owners", "row");
  studio.app.pending.push_back(studio::Do{"figure.maximise"});
  studio.frames(3);
  CHECK_FALSE(studio.shows("rows", "canvas"));
  CHECK(area() > shared * 1.8f);
  studio.click("Restore", "button");
  CHECK(studio.shows("rows", "canvas"));
  const float small = studio.item("Export figure", "button").h;
  for (int i = 0; i < 5; ++i) studio.app.pending.push_back(studio::Do{"view.bigger"}), studio.frames(3);
  CHECK(studio.app.scale == Approx(1.5f));
  CHECK(studio.item("Export figure", "button").h > small * 1.3f);
}
