// SPDX-License-Identifier: BSD-3-Clause
// A document whose values take seconds: frames go on, what is typed is there at once, and values come when they are ready.
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/studio/frame/loop.hpp"
#include "tests/studio/slow_screen.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kSlow =
    "let n = 1024\n"
    "let data = (4,8):(8,1)\n"
    "let slow = is_injective((n,1024,8):(1,n,1))\n";

struct Impatient : StudioDriver {
  explicit Impatient(std::string_view document = kSlow) : StudioDriver(document, 1600, 1000) {
    app.session.be_patient(studio::kValuePatience);
    app.figures.be_patient(studio::kPatience);
  }
  void set(const char* name, const char* expression) {
    app.pending.push_back(studio::Edit{SetBinding{name, expression}, true});
    timed_frame();
  }
  // The milliseconds of this frame are kept.
  void timed_frame() {
    const auto begin = std::chrono::steady_clock::now();
    frames(1);
    spent.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  void settle() {
    for (int i = 0; i < 20000 && app.busy(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      timed_frame();
    }
    REQUIRE_FALSE(app.busy());
  }
  double median() const {
    std::vector<double> sorted = spent;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  std::string value(const char* name) const {
    const EvaluatedBinding* const found = app.session.find(name);
    return found->value ? to_string(*found->value) : is_awaited(*found) ? "awaited" : found->value.error().message;
  }
  std::vector<double> spent;
};

}  // namespace

TEST_CASE("frames go on while a document is evaluated, and what is typed meanwhile is in it") {
  Impatient studio;
  studio.set("n", "1023");
  CHECK(studio.app.busy());
  CHECK(studio.value("n") == "1024");
  studio.set("data", "(4,8):(1,4");
  studio.set("data", "(4,8):(1,4)");
  CHECK(studio.app.session.expression("data") == "(4,8):(1,4)");
  CHECK(studio.value("data") == "(4,8):(8,1)");
  for (int i = 0; i < 30; ++i) studio.timed_frame();
  CHECK(studio.median() < 16);
  const double longest = *std::max_element(studio.spent.begin(), studio.spent.end());
  CHECK(longest < 200);  // of a busy machine; all at once took seconds
  studio.settle();
  CHECK(studio.value("n") == "1023");
  CHECK(studio.value("data") == "(4,8):(1,4)");
  CHECK(studio.value("slow") == "false");
}

TEST_CASE("that values are on their way is said where it takes a while, in no red") {
  Impatient studio;
  studio.app.pending.push_back(studio::Edit{AddBinding{"more", "is_injective((1023,1024,8):(1,1023,1))", {}}, false});
  studio.frames(2);
  CHECK(studio.value("more") == "awaited");
  CHECK(studio.item("more", "row").value == "awaited");
  CHECK_FALSE(studio.shows("evaluating ...", "text"));  // not for a moment
  studio.app.evaluating_since -= 1;
  studio.frames(1);
  CHECK(studio.shows("evaluating ...", "text"));
  studio.settle();
  studio.frames(2);
  CHECK_FALSE(studio.shows("evaluating ...", "text"));
  CHECK(studio.item("more", "row").value == "bool");
}

TEST_CASE("undo while a document is evaluated is right at once, and refusals come with their fixes") {
  Impatient studio;
  studio.set("n", "1023");
  studio.app.pending.push_back(studio::Do{"edit.undo"});
  studio.timed_frame();
  CHECK_FALSE(studio.app.session.evaluating());
  CHECK(studio.value("n") == "1024");
  studio.set("data", "coalsce((4,8):(1,4))");
  studio.settle();
  const EvaluatedBinding* const refused = studio.app.session.find("data");
  REQUIRE_FALSE(refused->value);
  REQUIRE(refused->value.error().fix);
  CHECK(refused->value.error().fix->replacement == "coalesce");
  studio.frames(1);
  CHECK(studio.item("data", "row").value == "error");
}

TEST_CASE("what takes values out of the window waits for those of this text") {
  Impatient studio;
  studio.set("n", "1023");
  studio.set("data", "(4,8):(1,4)");
  REQUIRE(studio.app.session.evaluating());
  studio.app.pending.push_back(studio::Do{"pin.set", {{"binding", "data"}}});
  studio.frames(1);
  CHECK_FALSE(studio.app.session.evaluating());
  REQUIRE(studio.app.session.pinned_value());
  CHECK(to_string(*studio.app.session.pinned_value()) == "(4,8):(1,4)");
}

TEST_CASE("a document that is opened shows its first figures when it has values") {
  Impatient studio("let a = 8:1\n");
  studio.app.session.be_patient(0);
  REQUIRE(studio.app.session.open_text(kSlow, "slow.tess"));
  studio::opened_document(studio.app);
  studio.frames(1);
  CHECK(shown_views(studio.app.session.workspace().arrangement).empty());
  CHECK(studio.app.selected() == "n");
  studio.settle();
  studio.frames(1);
  REQUIRE(shown_views(studio.app.session.workspace().arrangement).size() == 1);
  CHECK(studio.app.selected() == "data");
}

TEST_CASE("the loop looks for values that are on their way, and sleeps when they are there") {
  StudioDriver studio(kSlow);
  studio.app.session.be_patient(0);
  REQUIRE(studio.app.session.run(SetBinding{"n", "256"}));
  REQUIRE(studio.app.session.evaluating());
  test::SlowScreen screen(studio.backend(), studio.app, 0.01);
  screen.then(60, studio::MouseMoved{{5, 5}});
  screen.before_frame = [](long) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  screen.run();
  CHECK_FALSE(studio.app.session.evaluating());
  CHECK(studio.item("slow", "row").value == "bool");
  CHECK(screen.frames() > 3);
  CHECK(screen.frames() < 1000);  // of some 2000 that a minute has room for
}
