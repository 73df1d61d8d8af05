// SPDX-License-Identifier: BSD-3-Clause
// The bar over a figure: what it offers comes from the kinds' table, and what is chosen is seen, undone and kept.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "core/diagram/kinds/figures.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kDocument =
    "let data = (4,8):(8,1)\nlet tv4 = ((2,4),(2,2)):((8,1),(4,16))\nlet owners = tv_figure(tv4, data, thread=3)\n";

FigureOptions options(const StudioDriver& studio) { return view_of(studio.app.session.workspace().arrangement, "owners").options; }

}  // namespace

TEST_CASE("a choice changes the figure at once, undo takes it back, and as it is forgets it") {
  StudioDriver studio(kDocument, 1600, 1000);
  const studio::Image before = studio.picture();
  CHECK(studio.shows("thread: 3", "button"));  // what the expression says
  studio.click("color", "button");
  for (const char* word : {"thread", "value", "warp", "offset"}) CHECK(studio.shows(word, "choice"));
  studio.click("value", "choice");
  CHECK(options(studio).parameters == std::map<std::string, std::string>{{"color", "value"}});
  CHECK(test::different_pixels(before, studio.picture()) > 1000);
  CHECK(studio.app.session.text() == kDocument);
  studio.click("color: value", "button");
  studio.click("as it is", "choice");
  CHECK(options(studio).parameters.empty());
  REQUIRE(studio.app.session.undo());
  CHECK(options(studio).parameters.at("color") == "value");
}

TEST_CASE("what is typed is drawn, and what is refused is said on the canvas") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click("thread: 3", "button");
  studio.retype("thread", "0-1");
  CHECK(options(studio).parameters.at("thread") == "0-1");
  CHECK(
      studio.app.figures.get(studio.app.session, view_of(studio.app.session.workspace().arrangement, "owners"), studio.app.textures).scene);
  studio.retype("thread", "99");
  const auto& items = studio.app.recorder.items();
  CHECK(std::any_of(items.begin(), items.end(), [](const studio::RecordedItem& item) { return item.value == "error"; }));
  studio.click("as it is", "button");
  CHECK(options(studio).parameters.empty());
}

TEST_CASE("every kind and every parameter of a kind can be reached, and the figure as it is seen is kept") {
  StudioDriver studio(kDocument, 1600, 1000);
  studio.click("kind: tv", "button");
  // Those that take what is drawn, a thread-value layout and its data.
  for (const std::string_view kind : {"tv", "tv_inverse", "composition", "diagram"}) {
    INFO(kind);
    CHECK(studio.shows(kind, "choice"));
  }
  for (const std::string_view kind : {"mma", "gemm", "copy", "roofline"}) {
    INFO(kind);
    CHECK_FALSE(studio.shows(kind, "choice"));
  }
  studio.click("tv_inverse", "choice");
  CHECK(options(studio).kind == "tv_inverse");
  CHECK_FALSE(studio.app.status_is_error);
  studio.click("More", "button");
  const auto kind =
      std::find_if(figure_kinds().begin(), figure_kinds().end(), [](const FigureKind& each) { return each.name == "tv_inverse"; });
  for (const FigureParameter& parameter : kind->parameters) {
    const auto& items = studio.app.recorder.items();
    INFO(parameter.name);
    CHECK(std::any_of(items.begin(), items.end(), [&](const studio::RecordedItem& item) {
      return item.role == "button" && item.label.substr(0, item.label.find(':')) == parameter.name;
    }));
  }
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  studio.click("Keep as figure", "button");
  CHECK(studio.app.session.expression("figure") == "tv_inverse_figure(tv4, data, thread=3)");
}

TEST_CASE("cells of 14 pixels have their labels, and so has a 32x32 layout where it is shown alone") {
  StudioDriver studio("let a = (32,32):(32,1)\n", 1600, 1000);
  CHECK(studio.app.bench.canvases.at("a").camera.scale >= 20);
  const studio::Image far = studio.picture();
  const ImVec2 at = studio.cell_on_screen("a", 31, 31);  // "1023"
  std::size_t dark = 0;
  for (int dy = -5; dy <= 5; ++dy) {
    for (int dx = -9; dx <= 9; ++dx) {
      const std::size_t i =
          (static_cast<std::size_t>(at.y + static_cast<float>(dy)) * 1600 + static_cast<std::size_t>(at.x + static_cast<float>(dx))) * 4;
      const std::size_t corner = (static_cast<std::size_t>(at.y - 8) * 1600 + static_cast<std::size_t>(at.x)) * 4;
      dark += std::abs(far.rgba[i] - far.rgba[corner]) > 60;
    }
  }
  CHECK(dark > 5);
}

TEST_CASE("a figure that is told in steps has a slider of them, and keys") {
  StudioDriver studio("let rows = layout_figure((4,8):(8,1), steps=row)\nlet plain = layout_figure((4,8):(8,1))\n", 1600, 1000);
  const auto step = [&] { return chosen_step(view_of(studio.app.session.workspace().arrangement, "rows").options); };
  CHECK_FALSE(studio.shows("step of plain", "slider"));
  const studio::RecordedItem slider = studio.item("step of rows", "slider");
  CHECK(slider.value == "0 of 4");
  const studio::Image whole = studio.picture();
  studio.click(">", "button");
  CHECK(step() == 1);
  CHECK(test::different_pixels(whole, studio.picture()) > 1000);
  CHECK(studio.item("step of rows", "slider").value == "1 of 4");
  studio.chord("Alt+Right");
  CHECK(step() == 2);
  studio.chord("Alt+Left");
  CHECK(step() == 1);
  studio.move(slider.x + slider.w - 4, slider.y + slider.h / 2);
  studio.drag(0, 0);
  CHECK(step() == 4);
  REQUIRE(studio.app.session.undo());
  studio.click("step of rows", "slider");  // the middle
  CHECK(step() == 2);
}
