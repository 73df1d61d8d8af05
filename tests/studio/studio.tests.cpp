// SPDX-License-Identifier: BSD-3-Clause
// The studio as a whole: the real frames, driven by clicks and keys, on a backend without a window.
#include <chrono>
#include <filesystem>
#include <thread>

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
  CHECK(studio.app.figures.get(studio.app.session, "rows", studio.app.textures).scene.has_value());
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

  studio::Figure& rows = studio.app.figures.get(studio.app.session, "rows", studio.app.textures);
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

TEST_CASE("the wheel zooms at the mouse, dragging pans, and Fit shows the whole figure again") {
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
  studio.drag(40, 25);
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
  REQUIRE(studio.shows("Export figure", "text"));
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

TEST_CASE("a GEMM is emulated with a green light, the band says EMULATED, and no time is shown") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.click("Emulate", "button");
  wait_for_job(studio, 60);
  CHECK(studio.shows("EMULATED", "band"));
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

  studio.click("Emulate", "button");
  wait_for_job(studio, 60);
  CHECK(studio.shows("correct", "light"));
}

TEST_CASE("a report is about the GEMM that was run: after an edit it is no verdict, and undo brings it back") {
  StudioDriver studio(kDocument);
  studio.click("product", "row");
  studio.click("Emulate", "button");
  wait_for_job(studio, 60);
  REQUIRE(studio.shows("correct", "light"));
  for (const Command& edit : {Command(SetBinding{"product", "gemm(m=16, n=16, k=16, mma=mma)"}),
                              Command(SetBinding{"mma", "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(1,2))"})}) {
    studio.app.pending.push_back(studio::Edit{edit});
    studio.frames(3);
    CHECK_FALSE(studio.shows("correct", "light"));
    CHECK_FALSE(studio.shows("EMULATED", "band"));
    REQUIRE(studio.shows("NOT RUN", "band"));
    CHECK(studio.item("NOT RUN", "band").value == "the last result is of an earlier version");
    studio.app.pending.push_back(studio::Undo{});
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
  studio.app.pending.push_back(studio::Select{"article_gemm"});  // its row is further down than the window
  studio.frames(3);
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
  studio.click("Light", "button");
  const Settings kept = load_settings().value();
  CHECK(kept.recent == std::vector<std::string>{(folder / "a.tess").string(), (folder / "b.tess").string()});
  CHECK(kept.theme == "light");
  CHECK(kept.worker.empty());
  studio.click("Open", "button");
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

TEST_CASE("both themes draw every panel, and they differ") {
  StudioDriver studio(kDocument);
  const studio::Image dark = studio.picture();
  studio.click("Light", "button");
  CHECK(test::different_pixels(dark, studio.picture()) > dark.rgba.size() / 4 / 2);
  studio.click("Dark", "button");
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

TEST_CASE("the shortcuts mean what people expect, and a text field keeps its own undo") {
  StudioDriver studio(kDocument);
  CHECK(std::holds_alternative<studio::Undo>(*studio::shortcut(studio.app, 'z', false, false)));
  CHECK(std::holds_alternative<studio::Redo>(*studio::shortcut(studio.app, 'z', true, false)));
  CHECK(std::holds_alternative<studio::Redo>(*studio::shortcut(studio.app, 'y', false, false)));
  CHECK(std::holds_alternative<studio::Save>(*studio::shortcut(studio.app, 's', false, true)));
  CHECK_FALSE(studio::shortcut(studio.app, 'z', false, true));
  CHECK_FALSE(studio::shortcut(studio.app, 'k', false, false));
}
