// SPDX-License-Identifier: BSD-3-Clause
// All runs: what changed before each, what was expected of it, and the file that keeps them.
#include "app/session/gemm/run_history.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/private_file.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/timed_report.hpp"

using namespace tessera;

namespace {

constexpr const char* kMma = "mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)";

RunRow row(int stages, std::int64_t at_ns = 1) {
  RunRow made;
  made.at_ns = at_ns;
  made.binding = "g";
  made.expression = made.spec =
      "gemm(m=64, n=64, k=64, " + std::string(kMma) + (stages == 1 ? "" : ", stages=" + std::to_string(stages)) + ")";
  return made;
}

GemmReport timed(double us) {
  GemmReport report = support::timed_report(us, 1);
  report.tflops = 100 / us;
  return report;
}

Error refusal(const char* words) { return Error{ErrorCode::no_device, words, {}, {}}; }

}  // namespace

TEST_CASE("a run says what changed from the one before it, and what became of what was expected") {
  RunHistory history;
  RunRow first = row(1);
  first.prediction = Prediction{Prediction::Says::faster, 10};
  CHECK(history.add(first, timed(20)).changed.empty());
  CHECK(history.runs()[0].verdict.empty());  // there was nothing beside it
  RunRow second = row(3);
  second.prediction = Prediction{Prediction::Says::faster, 50};
  history.add(second, timed(10));
  CHECK(history.runs()[1].changed == "stages: 1 -> 3");
  CHECK(history.runs()[1].verdict == "Right: you said faster by 50 %; beside the last result it was 2 times as fast: 100 % faster");
  CHECK(history.runs()[1].at_ns > history.runs()[0].at_ns);
  history.add(row(3), refusal("no device"));
  CHECK(history.runs()[2].changed == "the same again");
  CHECK(result_of(history.runs()[2]) == "refused: no device");
  // What has no time is passed over by the next that has one.
  RunRow fourth = row(2);
  fourth.prediction = Prediction{Prediction::Says::same, 0};
  history.add(fourth, timed(10));
  CHECK(history.runs()[3].verdict.starts_with("Right: you said no difference"));
  CHECK(history.last_timed("g")->spec == row(2).spec);
  CHECK(history.last_timed("another") == nullptr);
}

TEST_CASE("runs are written and read again whole, and a damaged line costs that line") {
  RunHistory history;
  RunRow run = row(2, 1'764'284'400'000'000'000);
  run.prediction = Prediction{Prediction::Says::slower, 12.5};
  run.note = "a \"note\"\nof two lines";
  history.add(run, timed(5));
  history.add(row(3), refusal("stopped"));
  std::string lines = to_lines(history.runs());
  CHECK(read_runs(lines).runs == history.runs());
  CHECK(date_of(history.runs()[0]) == "2025-11-27 23:00:00 UTC");
  lines.insert(0, "{\"at_ns\":\n[]\n\n");
  const ReadRuns read = read_runs(lines);
  CHECK(read.damaged == 2);
  CHECK(read.runs == history.runs());
}

TEST_CASE("the file keeps the runs of two programs, and the newest of very many") {
  const test::TemporaryFolder folder;
  const std::filesystem::path place = folder.path() / "state" / "gemm";
  std::filesystem::create_directories(folder.path() / "state");
  CHECK(load_runs(place).value().runs.empty());
  REQUIRE(save_runs({row(1, 10), row(2, 30)}, place));
  REQUIRE(save_runs({row(3, 20)}, place));
  const ReadRuns kept = load_runs(place).value();
  REQUIRE(kept.runs.size() == 3);
  CHECK(kept.runs[1].at_ns == 20);
  // A note that was changed is the one that is written.
  RunHistory history;
  history.merge(kept.runs);
  history.merge(kept.runs);
  CHECK(history.runs().size() == 3);
  history.set_note(1, "why?");
  REQUIRE(save_runs(history.runs(), place));
  CHECK(load_runs(place).value().runs[1].note == "why?");

  std::vector<RunRow> many;
  for (std::size_t i = 0; i < kMostRuns + 5; ++i) many.push_back(row(1, 100 + static_cast<std::int64_t>(i)));
  RunHistory full;
  full.merge(many);
  CHECK(full.runs().size() == kMostRuns);
  CHECK(full.runs().front().at_ns == 105);
  full.add(row(2), timed(3));
  CHECK(full.runs().size() == kMostRuns);
  CHECK(full.runs().back().spec == row(2).spec);
}

TEST_CASE("a run is brought back as it was written, unless its names stand for something else by now") {
  const Value tile = evaluate_expression("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)", {}, nullptr).value();
  const Value other = evaluate_expression("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))", {}, nullptr).value();
  RunRow run = row(3);
  run.expression = "gemm(m=64, n=64, k=64, mma=tile, stages=3)";
  const auto where_tile_is = [](const Value& value) {
    return [&value](std::string_view name) { return name == "tile" ? &value : nullptr; };
  };
  CHECK(restored(run, where_tile_is(tile)) == run.expression);
  CHECK(restored(run, where_tile_is(other)) == run.spec);
  CHECK(restored(run, {}) == run.spec);
}

TEST_CASE("a run that is forgotten leaves the file, and does not come back from it until it is brought back") {
  const test::TemporaryFolder folder;
  const std::filesystem::path place = folder / "gemm";
  RunHistory history;
  history.merge({row(1, 10), row(2, 20), row(3, 30)});
  REQUIRE(save_runs(history.runs(), place));
  const std::uint64_t before = history.revision();
  const RunRow second = history.forget(1);
  CHECK(second == row(2, 20));
  CHECK(history.revision() != before);
  history.merge(load_runs(place).value().runs);
  CHECK(history.runs() == std::vector{row(1, 10), row(3, 30)});
  REQUIRE(save_runs(history.runs(), place, history.forgotten()));
  CHECK(load_runs(place).value().runs == history.runs());
  history.bring_back(second);
  CHECK(history.forgotten().empty());
  REQUIRE(save_runs(history.runs(), place, history.forgotten()));
  CHECK(load_runs(place).value().runs == std::vector{row(1, 10), row(2, 20), row(3, 30)});
}
