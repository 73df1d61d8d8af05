// SPDX-License-Identifier: BSD-3-Clause
// The ladder page: what was recorded of each rung, how it differs from others, and its way to the GEMM page.
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/session/gemm/ladder_recording.hpp"
#include "core/base/units.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

struct LadderDriver : StudioDriver {
  LadderDriver() : StudioDriver("let data = (4,8):(8,1)\n", 1600, 1200) {
    app.pending.push_back(studio::Do{"gemm.ladder"});
    frames(2);
    CHECK(app.busy());  // frames go on until the recordings are read
    for (int i = 0; i < 2000 && app.bench.ladder.waiting(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frames(1);
    }
    frames(2);
    REQUIRE(app.bench.ladder.contents);
    REQUIRE(app.bench.ladder.contents->damaged.empty());
  }
  const studio::LadderState& state() const { return app.bench.ladder; }
};

std::string label_of(const Rung& rung) { return fmt::format("{} {}", rung.number, rung.name); }

}  // namespace

TEST_CASE("the ladder shows every rung with the speed that was recorded of it, of each device and size") {
  LadderDriver studio;
  const auto& recordings = studio.state().contents->recordings;
  REQUIRE(recordings.size() >= 2);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    studio.app.bench.ladder.recording = i;
    studio.frames(2);
    for (const Rung& rung : ladder()) {
      CAPTURE(i, rung.number);
      const std::string& shown = studio.item(label_of(rung), "rung").value;
      const MeasuredRung* found = nullptr;
      for (const MeasuredRung& each : recordings[i].rungs) {
        if (each.name == rung.name) found = &each;
      }
      if (!found || !found->measurement) {
        CHECK(shown.find("FLOP/s") == std::string::npos);  // no number stands for what was not measured
        continue;
      }
      const TimedMode& timed = found->measurement->timing->interleaved;
      CHECK(shown.find(rate_text(1e12 * timed.kernel_tflops)) != std::string::npos);
      CHECK(shown.find(percent_text(100 * timed.ratio.value())) != std::string::npos);
      CHECK((shown.find('*') == std::string::npos) == found->other_version.empty());
    }
  }
  CHECK(studio.shows("CUDA CORES: f32 times f32", "text"));
  CHECK(studio.shows("TENSOR CORES: f16 times f16, summed in f32", "text"));
}

TEST_CASE("a rung's speed is asked for first, and what was expected stands beside what was recorded") {
  LadderDriver studio;
  const Rung& last = *find_rung(16);
  const std::string label = label_of(last);
  studio.click(label, "rung");
  CHECK(studio.item(label, "rung").value.find("TFLOP/s") != std::string::npos);
  studio.click("Ask before each speed", "button");
  CHECK(studio.item(label, "rung").value == "selected how fast?");
  CHECK(studio.item(label_of(ladder().front()), "rung").value.find("FLOP/s") != std::string::npos);  // there is none below it
  studio.click("Expected", "edit");
  studio.type("1.5");
  const auto tflops = [&](int number) {
    const auto& rungs = studio.state().contents->recordings[studio.state().recording].rungs;
    for (const MeasuredRung& each : rungs) {
      if (each.name == find_rung(number)->name) return each.measurement->timing->interleaved.kernel_tflops;
    }
    return 0.0;
  };
  CHECK(studio.shows(fmt::format("you said 1.5 times; recorded: {:.3g} times", tflops(last.number) / tflops(last.number - 1)), "text"));
  CHECK(studio.shows(fmt::format("expected of {}", last.number), "mark"));
  CHECK(studio.item(label, "rung").value.find("TFLOP/s") != std::string::npos);
  studio.type("x");
  CHECK(studio.item(label, "rung").value == "selected how fast?");
  CHECK(studio.shows("a number above 0, such as 1.5", "text"));
  studio.click("Show all speeds", "button");
  CHECK(studio.item(label, "rung").value.find("TFLOP/s") != std::string::npos);
}

TEST_CASE("a rung whose product was wrong has no speed") {
  LadderDriver studio;
  MeasuredRung& rung = studio.app.bench.ladder.contents->recordings[studio.state().recording].rungs.back();
  REQUIRE(rung.measurement);
  rung.measurement->correctness.passed = false;
  studio.frames(2);
  CHECK(studio.item(label_of(*find_rung(rung.number)), "rung").value.find("WRONG: no speed") != std::string::npos);
}

TEST_CASE("a rung says its idea, its question and what it changes, against the one below or any other") {
  LadderDriver studio;
  const Rung &first = ladder().front(), &second = *(ladder().begin() + 1), &last = ladder().back();
  CHECK(studio.state().rung == last.number);
  studio.click(label_of(second), "rung");
  CHECK(studio.shows(second.idea, "text"));
  CHECK(studio.shows(fmt::format("Question: {}", second.question), "text"));
  REQUIRE(studio.state().difference);
  CHECK((*studio.state().difference)->changes.size() == second.fields.size());
  studio.click("Source", "tab");
  studio.click("Plan", "tab");
  studio.click("Fields", "tab");
  studio.hold_ctrl(true);
  studio.click(label_of(last), "rung");
  studio.hold_ctrl(false);
  CHECK(studio.state().rung == second.number);
  CHECK(studio.state().other == last.number);
  CHECK(studio.state().compared == std::pair(last.number, second.number));
  studio.press(ImGuiKey_UpArrow);
  studio.frames(2);
  CHECK(studio.state().rung == first.number);
  CHECK(studio.shows("it is the first", "text"));
  studio.press(ImGuiKey_DownArrow);
  studio.press(ImGuiKey_DownArrow);
  studio.frames(2);
  CHECK(studio.state().rung == (ladder().begin() + 2)->number);
  CHECK(studio.state().compared == std::pair(second.number, (ladder().begin() + 2)->number));
}

TEST_CASE("a rung is opened as a line of the document, on the GEMM page, and Escape closes the ladder") {
  LadderDriver studio;
  studio.click(label_of(*find_rung(16)), "rung");
  studio.click("Open on the GEMM page", "button");
  studio.frames(3);
  const auto extents = studio.state().contents->recordings[studio.state().recording].extents;
  CHECK(studio.app.session.expression("rung_16") == fmt::format("rung(16, {0}, {0}, {0})", extents.m));
  CHECK(studio.app.selected() == "rung_16");
  CHECK(studio.side_page() == "GEMM");
  CHECK_FALSE(studio.state().open);
  studio.app.pending.push_back(studio::Do{"gemm.ladder"});
  studio.frames(2);
  CHECK(studio.shows("The ladder", "text"));
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK_FALSE(studio.state().open);
}
