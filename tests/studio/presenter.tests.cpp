// SPDX-License-Identifier: BSD-3-Clause
// A presentation: the whole screen, blank and back, words before pictures, a pointer; and the speaker's window beside it.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/frame/loop.hpp"
#include "tests/studio/drawn_texts.hpp"
#include "tests/studio/slow_screen.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kLecture =
    "# Where elements lie.\n# note: ask who has seen a stride\nlet data = (4,8):(8,1)\nlet first = layout_figure(data)\n\n"
    "# Who owns them.\nlet tv4 = ((2,4),(2,2)):((8,1),(4,16))\nlet second = tv_figure(tv4, data, thread=3)\n";

struct Lecture : StudioDriver {
  explicit Lecture(int width = 1280, int height = 800) : StudioDriver(kLecture, width, height) { act("present.start"); }
  void act(const char* id, Arguments arguments = {}) {
    app.pending.push_back(studio::Do{id, std::move(arguments)});
    frames(3);
  }
  bool shows_picture(const std::string& name) const { return app.recorder.find("presented " + name, "canvas") != nullptr; }
};

}  // namespace

TEST_CASE("a presentation takes the whole screen and gives it back; F11 takes it by hand") {
  StudioDriver studio(kLecture);
  CHECK_FALSE(studio.app.full_screen);
  studio.chord("F5");
  CHECK(studio.app.full_screen);
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK_FALSE(studio.app.full_screen);
  studio.chord("F11");
  CHECK(studio.app.full_screen);
  studio.chord("F5");
  studio.press(ImGuiKey_Escape);
  studio.frames(3);
  CHECK(studio.app.full_screen);  // it had it before
  studio.chord("F11");
  CHECK_FALSE(studio.app.full_screen);
}

TEST_CASE("a presentation's screen is blank until the next key, which does nothing else") {
  Lecture studio;
  REQUIRE(studio.shows_picture("first"));
  studio.type("b");
  CHECK(studio.shows("black", "blank"));
  CHECK_FALSE(studio.shows_picture("first"));
  studio.press(ImGuiKey_RightArrow);
  studio.frames(2);
  CHECK(studio.shows_picture("first"));
  studio.type("w");
  CHECK(studio.shows("white", "blank"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK(studio.shows_picture("first"));
  CHECK(studio.app.session.workspace().presenting);
  studio.type("b");
  studio.act("present.stop");
  studio.act("present.start");
  CHECK(studio.shows_picture("first"));  // no presentation begins blank
}

TEST_CASE("words first: each figure comes covered, and the next step reveals it") {
  Lecture studio;
  studio.type("r");
  const auto& now = studio.app.session.workspace();
  CHECK_FALSE(studio.shows_picture("first"));
  CHECK(studio.shows("Where elements lie.", "text"));
  const auto go = [&](ImGuiKey key) {
    studio.press(key);
    studio.frames(2);
  };
  go(ImGuiKey_RightArrow);
  CHECK(studio.shows_picture("first"));
  go(ImGuiKey_RightArrow);
  CHECK(now.step == 1);
  CHECK_FALSE(studio.shows_picture("second"));
  CHECK(studio.shows("Who owns them.", "text"));
  go(ImGuiKey_RightArrow);
  CHECK(studio.shows_picture("second"));
  go(ImGuiKey_LeftArrow);
  CHECK_FALSE(studio.shows_picture("second"));
  go(ImGuiKey_LeftArrow);
  CHECK(now.step == 0);
  CHECK(studio.shows_picture("first"));  // back means: as it was
  studio.type("r");
  go(ImGuiKey_RightArrow);
  CHECK(studio.shows_picture("second"));
}

TEST_CASE("the pointer is a light where the mouse is, as long as it is wanted") {
  Lecture studio;
  studio.move(300, 400);
  CHECK_FALSE(studio.shows("pointer", "light"));
  studio.type("p");
  studio.move(500, 300);
  const studio::RecordedItem light = studio.item("pointer", "light");
  CHECK(light.x + light.w / 2 == Approx(500));
  CHECK(light.y + light.h / 2 == Approx(300));
  studio.type("p");
  CHECK_FALSE(studio.shows("pointer", "light"));
}

TEST_CASE("captions of a presentation can be read in a room: 18 pixels at 1920x1080") {
  Lecture studio(1920, 1080);
  studio.frames(3);
  const test::DrawnTexts drawn(*ImGui::GetDrawData());
  const auto caption =
      std::find_if(drawn.all().begin(), drawn.all().end(), [](const auto& text) { return text.words == "Whereelementslie."; });
  REQUIRE(caption != drawn.all().end());
  CHECK(caption->size >= 18);
  CHECK(drawn.intersections().empty());
}

namespace {

// A screen with a second one beside it, in an ImGui context of its own.
class TwoScreens : public test::SlowScreen {
 public:
  using SlowScreen::SlowScreen;
  struct Second : studio::Surface {
    explicit Second(TwoScreens& first) : first_(first) {}
    double now() const override { return first_.now(); }
    bool wait(double) override { return false; }
    studio::InputQueue& input() override { return input_; }
    void set_title(const std::string&) override {}
    void frame(const studio::InputFrame& input, const studio::Textures&, ImU32, const std::function<void()>& draw) override {
      ImGuiContext* const before = ImGui::GetCurrentContext();
      backend_.frame(input, draw);
      const test::DrawnTexts drawn(*ImGui::GetDrawData());
      first_.texts.clear();
      for (const test::DrawnText& each : drawn.all()) first_.texts.push_back(each.words);
      first_.over = drawn.intersections();
      ++first_.seconds_frames;
      ImGui::SetCurrentContext(before);
    }
    TwoScreens& first_;
    studio::InputQueue input_;
    studio::NullBackend backend_{1120, 700, ImGui::GetIO().Fonts};
  };

  Result<std::unique_ptr<studio::Surface>> beside(const std::string&) override {
    if (refuses) return Error{ErrorCode::io, "no second window", {}, {}};
    ImGuiContext* const before = ImGui::GetCurrentContext();
    auto made = std::make_unique<Second>(*this);
    ImGui::SetCurrentContext(before);
    second = made.get();
    ++opened;
    return std::unique_ptr<studio::Surface>(std::move(made));
  }
  void fill_screen(bool fills) override { filled.push_back(fills); }

  bool refuses = false;
  int opened = 0;
  long seconds_frames = 0;
  Second* second = nullptr;
  std::vector<std::string> texts, over;
  std::vector<bool> filled;
  bool says(std::string_view words) const {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
};

}  // namespace

TEST_CASE("the speaker's window has the notes, the next picture and a clock, takes keys, and ends with the presentation") {
  StudioDriver studio(kLecture);
  studio.app.pending.push_back(studio::Do{"figure.show", {{"binding", "first"}}});
  studio.frames(3);
  TwoScreens screen(studio.backend(), studio.app, 0.01);
  screen.then(0.1, studio::KeyChanged{std::nullopt, 0, true, {false, true, false, false}, 5});  // Shift+F5
  bool presses = false;
  screen.before_frame = [&](long) {
    if (presses && screen.opened == 2 && studio.app.session.workspace().step == 0 && screen.second->input().empty())
      screen.second->input().add(studio::KeyChanged{ImGuiKey_RightArrow, 0, true, {}, 0});
  };
  screen.then(2.9, studio::MouseMoved{{5, 5}});
  screen.run();
  CHECK(screen.opened == 1);
  CHECK(screen.filled == std::vector<bool>{true});
  CHECK(screen.says("Whereelementslie."));
  CHECK(screen.says("askwhohasseenastride"));
  CHECK(screen.says("1of2"));
  CHECK(screen.says("2of2"));
  CHECK(screen.over.empty());
  presses = true;
  const long until = screen.seconds_frames;
  CHECK(until < 60);  // its clock moves once a second, and nothing is drawn between
  CHECK(until >= 4);
  screen.then(0.5, studio::MouseMoved{{9, 9}});
  screen.run();
  CHECK(studio.app.session.workspace().step == 1);  // by its own key
  CHECK(screen.says("2of2"));
  CHECK(screen.says("thisisthelast"));
  CHECK_FALSE(screen.says("askwhohasseenastride"));
  screen.press(ImGuiKey_Escape, 0.05);
  screen.run();
  CHECK_FALSE(studio.app.session.workspace().presenting);
  CHECK_FALSE(studio.app.bench.presenter.notes);
}

TEST_CASE("the window fills the screen with the presentation, and is as it was with its end") {
  StudioDriver studio(kLecture);
  TwoScreens screen(studio.backend(), studio.app, 0.01);
  screen.then(0.1, studio::KeyChanged{std::nullopt, 0, true, {}, 5});
  screen.then(0.5, studio::KeyChanged{ImGuiKey_Escape, 0, true, {}, 0});
  screen.then(0.2, studio::KeyChanged{ImGuiKey_Escape, 0, false, {}, 0});
  screen.run();
  CHECK(screen.filled == std::vector<bool>{true, false});
  CHECK(screen.opened == 0);
}

TEST_CASE("where there is no second window the presentation goes on, and it is said why") {
  StudioDriver studio(kLecture);
  TwoScreens screen(studio.backend(), studio.app, 0.01);
  screen.refuses = true;
  screen.then(0.1, studio::KeyChanged{std::nullopt, 0, true, {false, true, false, false}, 5});
  screen.run();
  CHECK(studio.app.session.workspace().presenting);
  CHECK(studio.app.status.find("no second window") != std::string::npos);
  CHECK_FALSE(studio.app.bench.presenter.notes);
}
