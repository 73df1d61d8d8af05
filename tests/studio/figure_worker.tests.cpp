// SPDX-License-Identifier: BSD-3-Clause
// Figures that take longer than a frame: the last picture stays, and what comes is what is wanted by then.
#include "app/studio/paint/figure_worker.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

const char* const kLarge = "let a = (256,256):(256,1)\nlet small = (2,2):(1,2)\n";

// No frame waits, so that no figure is there at once.
struct Impatient : StudioDriver {
  explicit Impatient(std::string_view document = kLarge) : StudioDriver(document, 1600, 1000) { app.figures.be_patient(0); }

  studio::Figure& figure(const char* name) {
    return app.figures.get(app.session, view_of(app.session.workspace().arrangement, name), app.textures);
  }
  std::string first_label(const char* name) {
    const studio::Figure& shown = figure(name);
    if (!shown.scene) return "nothing";
    for (const Panel& panel : shown.scene->panels) {
      for (const Mark& mark : panel.marks) {
        if (const auto* grid = std::get_if<Grid>(&mark)) return std::string(grid->of->label(1));
      }
    }
    return "no grid";
  }
  void settle() {
    for (int i = 0; i < 2000 && app.busy(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frames(1);
    }
    REQUIRE_FALSE(app.busy());
  }
  void set(const char* expression) {
    app.pending.push_back(studio::Do{"binding.set", {{"binding", "a"}, {"expression", expression}}});
    frames(1);
  }
};

}  // namespace

TEST_CASE("the last picture stays until the new one is there, and a sign says that it is on its way") {
  Impatient studio;
  CHECK(studio.first_label("a") == "1");
  studio.set("(256,256):(1,256)");
  CHECK(studio.app.busy());
  CHECK(studio.first_label("a") == "1");
  CHECK_FALSE(studio.shows("drawing ...", "text"));  // not for a moment
  // As long as nothing is collected, it is on its way.
  studio.figure("a").since -= 1;
  studio.settle();
  CHECK(studio.first_label("a") == "256");
  CHECK_FALSE(studio.shows("drawing ...", "text"));
}

TEST_CASE("what is no longer wanted when it is ready is not shown, and what is wanted again is there") {
  Impatient studio;
  studio.set("(256,256):(1,256)");
  studio.set("(256,256):(2,512)");
  studio.set("(256,256):(3,768)");
  studio.settle();
  CHECK(studio.first_label("a") == "768");
  REQUIRE(studio.app.session.undo());
  studio.frames(1);
  studio.settle();
  CHECK(studio.first_label("a") == "512");
}

TEST_CASE("another step or option keeps the picture until its own is made") {
  Impatient studio("let a = layout_figure((64,64):(64,1), steps=row)\n");
  studio.app.pending.push_back(studio::Do{"figure.step_next", {{"binding", "a"}}});
  studio.frames(1);
  CHECK(studio.first_label("a") == "1");
  CHECK(studio.figure("a").steps == 64);
  studio.settle();
  CHECK(studio.figure("a").scene->steps.empty());
  CHECK(studio.figure("a").steps == 64);
}

TEST_CASE("a frame that waits shows small figures at once") {
  Impatient studio;
  studio.app.figures.be_patient(60);
  studio.set("(4,4):(1,4)");
  CHECK_FALSE(studio.app.busy());
  CHECK(studio.first_label("a") == "4");
}

TEST_CASE("the worker makes what was asked for last of a place, in order, and ends with work left") {
  Session session;
  REQUIRE(session.open_text("let a = (512,512):(512,1)\nlet b = 8:1\n", "test"));
  const auto task = [&](const char* name) { return session.figure_task(name, {}).value(); };
  studio::FigureWorker worker;
  const std::uint64_t first = ask(worker, task("a"));
  std::uint64_t last = ask(worker, task("b"));
  for (int i = 0; i < 50; ++i) last = ask(worker, task("b"), last);
  std::vector<std::uint64_t> made;
  while (made.empty() || made.back() != last) {
    for (const studio::FigureWorker::Made& each : worker.take(10)) {
      CHECK(each.value.index.has_value() == each.value.figure.scene->has_value());
      made.push_back(each.order);
    }
  }
  CHECK(made.front() == first);
  CHECK(made.size() < 10);
  for (int i = 0; i < 20; ++i) (void)ask(worker, task("a"));
}
