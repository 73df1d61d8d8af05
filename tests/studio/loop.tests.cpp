// SPDX-License-Identifier: BSD-3-Clause
// The studio's loop under a person who is faster than its frames: nothing that was typed or clicked is lost, and the last frame shows it.
#include <algorithm>
#include <string>

#include "app/studio/frame/loop.hpp"

#include "tests/studio/slow_screen.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::SlowScreen;
using test::StudioDriver;

namespace {

const char* const kLarge =
    "let data = (4,8):(8,1)\n"
    "let big = layout_figure((1024,1024):(1024,1))\n"
    "let rows = layout_figure(data)\n";

constexpr studio::Modifiers kCtrl{true, false, false, false};

// What is on the screen, above the picture too, when the studio has gone to sleep is the document.
void check_screen(StudioDriver& studio, const std::string& name, const std::string& text) {
  CHECK(studio.app.session.expression(name) == text);
  CHECK(studio.item("expression of " + name, "edit").value == text);
  const auto& items = studio.app.recorder.items();
  const bool above_the_picture = std::any_of(
      items.begin(), items.end(), [&](const studio::RecordedItem& item) { return item.region == "Canvas " + name && item.label == text; });
  CHECK(above_the_picture);
}

// Shows `data` beside the large figure.
struct LargeDocument : StudioDriver {
  LargeDocument() : StudioDriver(kLarge, 1920, 1000) {
    app.pending.push_back(studio::Do{"figure.beside", {{"binding", "data"}}});
    frames(3);
  }
};

}  // namespace

TEST_CASE("typing at 10 ms a key into a document with a 1024x1024 figure, at 100 ms a frame, loses no key") {
  for (const std::string text : {"(4,8):(1,4)", "((2,2),8):((8,16),1)", "composition((4,8):(8,1), (2,4):(1,2))", "(4,8):(8,31"}) {
    for (const double key_seconds : {0.010, 0.025, 0.11}) {
      INFO(text << " at " << key_seconds);
      LargeDocument studio;
      SlowScreen screen(studio.backend(), studio.app, 0.1);
      screen.click(studio.item("expression of data", "edit"), 0.01);
      screen.press(ImGuiKey_A, 0.005, kCtrl, 'a');
      screen.type(text, key_seconds);
      screen.run();
      check_screen(studio, "data", text);
      CHECK(studio.app.session.undo_label() == "Set data");
    }
  }
}

TEST_CASE("corrections and clicks between the keys come where they were made") {
  LargeDocument studio;
  SlowScreen screen(studio.backend(), studio.app, 0.1);
  screen.click(studio.item("expression of data", "edit"), 0.005);
  screen.press(ImGuiKey_A, 0.005, kCtrl, 'a');
  screen.type("(4,8):(1,5", 0.01);
  screen.press(ImGuiKey_Backspace, 0.005);
  screen.type("4)", 0.01);
  screen.press(ImGuiKey_Home, 0.005);
  screen.press(ImGuiKey_RightArrow, 0.005);
  screen.press(ImGuiKey_Delete, 0.005);
  screen.type("2", 0.01);
  screen.click(studio.item("Undo", "button"), 0.003);  // at once after the last key
  screen.click(studio.item("Redo", "button"), 0.003);
  screen.run();
  check_screen(studio, "data", "(2,8):(1,4)");
}

TEST_CASE("quick clicks are all performed, each on what was under the mouse then") {
  StudioDriver studio("let a = 4:1\nlet b = 8:1\nlet c = 2:1\n");
  SlowScreen screen(studio.backend(), studio.app, 0.1);
  const studio::RecordedItem b = studio.item("b", "row"), c = studio.item("Inspector", "tab"), d = studio.item("GEMM", "tab");
  for (int i = 0; i < 3; ++i) screen.click(studio.item("Max", "button"), 0.001);
  screen.click(b, 0.001);
  screen.click(d, 0.001);
  screen.click(c, 0.001);
  screen.click(d, 0.001);
  screen.run();
  CHECK(studio.app.selected() == "b");
  CHECK(studio.side_page() == "GEMM");
  CHECK_FALSE(studio.app.session.workspace().maximised.empty());  // an odd number of times
}

TEST_CASE("a shortcut acts on everything that was typed before it") {
  const std::string text = "(4,8):(1,4)";
  LargeDocument studio;
  SlowScreen screen(studio.backend(), studio.app, 0.1);
  screen.click(studio.item("expression of data", "edit"), 0.005);
  screen.press(ImGuiKey_A, 0.005, kCtrl, 'a');
  screen.type(text, 0.01);
  screen.then(0.01, studio::CloseAsked{});
  screen.run();
  CHECK(studio.app.session.expression("data") == text);
  CHECK(studio.app.bench.dialog.kind == studio::DialogKind::quit);  // it knows of the change
  CHECK(studio.shows("Cancel", "button"));                          // and the question is on the screen
}

TEST_CASE("the studio goes to sleep when nothing happens, and draws no frame for looking after its file") {
  StudioDriver studio("let a = 4:1\n");
  SlowScreen screen(studio.backend(), studio.app, 0.01);
  screen.then(60, studio::MouseMoved{{640, 400}});
  screen.run();
  CHECK(screen.frames() <= 4 * studio::kSettleFrames);
}

TEST_CASE("what is done in the last frame before the studio would sleep is shown") {
  LargeDocument studio;
  SlowScreen screen(studio.backend(), studio.app, 0.01);
  screen.before_frame = [&](long frames) {
    if (frames + 1 == studio::kSettleFrames) studio.app.pending.push_back(studio::Edit{SetBinding{"data", "8:1"}});
  };
  screen.run();
  CHECK(screen.frames() >= 2 * studio::kSettleFrames);
  CHECK(screen.frames() <= 4 * studio::kSettleFrames);  // the figure that is drawn beside wakes it once more where it is slow
  check_screen(studio, "data", "8:1");
}
