// SPDX-License-Identifier: BSD-3-Clause
// --csv: a row of each run behind those that a file has, of what a worker measured and of what comes with the program.
#include <filesystem>
#include <string>
#include <vector>

#include "app/session/gemm/measurement_csv.hpp"

#include <fmt/format.h>

#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

const char* const kDocument =
    "let mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\nlet one = gemm(m=16, n=16, k=16, mma=mma, cta_tiler=(16,16,8))\n";

// What a device would say of "one", with these stages.
Measurement measured(const char* stages, double us, double other_us) {
  GemmRequest request;
  request.document = kDocument, request.binding = "one", request.set = {{"stages", stages}};
  const GemmPlan plan = plan_of(request).value();
  Measurement made;
  made.name = plan.name;
  made.m = plan.m, made.n = plan.n, made.k = plan.k;
  made.type_a = made.type_b = "f16", made.type_c = "f32";
  made.device.name = "A GPU, of a shop", made.device.driver_version = "1.2";
  made.date = "2026-01-02";
  made.arch = {70, 0};
  made.block = {static_cast<unsigned>(plan.threads), 1, 1};
  made.smem_bytes = plan.smem_bytes;
  made.correctness.passed = true, made.correctness.compared = 256;
  TimedMode& mode = made.timing.emplace().interleaved;
  mode.kernel = spread_of({us}), mode.baseline = spread_of({other_us}), mode.ratio = other_us / us;
  made.timing->baseline_name = "the baseline";
  return made;
}

// A worker that gives these answers, one a request.
std::string answering(const TemporaryFolder& folder, const std::vector<WorkerEvent>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) put(folder / fmt::format("answer{}", i + 1), to_line(answers[i]) + "\n");
  put(folder / "worker.sh",
      fmt::format("echo '{{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}}'\nn=0\nwhile read -r line; do n=$((n+1)); "
                  "cat {}/answer$n || exit 5; done\n",
                  folder.path().string()));
  put(folder / "d.tess", kDocument);
  return " --file " + (folder / "d.tess").string() + " --csv " + (folder / "runs.csv").string() + " --worker 'sh " +
         (folder / "worker.sh").string() + "'";
}

}  // namespace

TEST_CASE("each run adds one row to its CSV, and a comparison one of both") {
  const TemporaryFolder folder;
  const auto csv = folder / "runs.csv";
  const Measurement one = measured("3", 4, 2);
  const Run first = shell("tessera gemm run one --set stages=3" + answering(folder, {ResultEvent{1, one}}));
  INFO(first.out << first.err);
  CHECK(first.code == 0);
  CHECK(measurement_rows(csv).value() == std::vector<CsvRow>{measurement_row(one, {{"stages", "3"}})});
  CHECK(has(contents(csv), ",\"A GPU, of a shop\",1.2,2026-01-02,yes,stages=3,the baseline,2,"));
  const Measurement a = measured("1", 4, 5), b = measured("2", 5, 4);
  const Run both = shell("tessera gemm compare one --set stages=2" + answering(folder, {ComparisonEvent{1, {a, b}}}));
  INFO(both.out << both.err);
  CHECK(both.code == 0);
  REQUIRE(measurement_rows(csv).value().size() == 2);
  CHECK(measurement_rows(csv).value()[1] == measurement_row(a, {}, "one stages=2"));
}

TEST_CASE("what a run measured is recorded under its name and device, and nothing that was not timed is") {
  const TemporaryFolder folder;
  const Measurement one = measured("3", 4, 2);
  const std::string record = " --record '" + folder.path().string() + "'";
  const Run run = shell("tessera gemm run one --set stages=3" + record + answering(folder, {ResultEvent{1, one}}));
  INFO(run.out << run.err);
  CHECK(run.code == 0);
  const std::filesystem::path file = folder / "one-a-gpu--of-a-shop.json";
  CHECK(has(run.err, "recorded in " + file.string()));
  CHECK(measurement_from_json(contents(file))->timing->interleaved.kernel.median == 4);
  std::filesystem::remove(file);
  Measurement untimed = one;
  untimed.timing.reset();
  CHECK(has(shell("tessera gemm run one --set stages=3" + record + answering(folder, {ResultEvent{1, untimed}})).err, "nothing was timed"));
  Measurement other = one;
  other.m = 32;
  CHECK(has(shell("tessera gemm run one --set stages=3" + record + answering(folder, {ResultEvent{1, other}})).err, "another GEMM was"));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("of a comparison whose second GEMM is wrong the row is that one's, and it has no time") {
  const TemporaryFolder folder;
  Measurement a = measured("1", 4, 5), b = measured("2", 5, 4);
  a.timing.reset(), b.timing.reset();
  b.correctness.passed = false, b.correctness.reason = "element 3 is 1";
  CHECK(shell("tessera gemm compare one --set stages=2" + answering(folder, {ComparisonEvent{1, {a, b}}})).code == 1);
  CHECK(measurement_rows(folder / "runs.csv").value() == std::vector<CsvRow>{measurement_row(b, {{"stages", "2"}})});
}

TEST_CASE("recordings have rows too, what was not measured has none, and a file of something else is refused before a run") {
  const Run twice = shell(
      "tessera gemm run article_gemm --recorded --csv r.csv && tessera gemm run article_gemm --recorded --csv r.csv"
      " >/dev/null && wc -l < r.csv");
  CHECK(twice.code == 0);
  CHECK(has(twice.out, "\n3\n"));
  const TemporaryFolder folder;
  const Error missing{ErrorCode::no_device, "there is no GPU", {}, {}};
  const Run none = shell("tessera gemm compare one" + answering(folder, {ErrorEvent{1, missing}}));
  CHECK(none.code == 0);
  CHECK(has(none.err, "no row was added to " + (folder / "runs.csv").string() + ": nothing was measured: there is no GPU"));
  const Run emulated = shell("tessera gemm run one --emulate" + answering(folder, {ErrorEvent{1, missing}}));
  CHECK(has(emulated.err, "an emulation has no time"));
  CHECK_FALSE(std::filesystem::exists(folder / "runs.csv"));
  const Measurement other = [] {
    Measurement made = measured("1", 4, 2);
    made.m = 32;
    return made;
  }();
  CHECK(has(shell("tessera gemm run one" + answering(folder, {ResultEvent{1, other}})).err, "another GEMM was measured"));
  CHECK_FALSE(std::filesystem::exists(folder / "runs.csv"));
  put(folder / "runs.csv", "my notes\n");
  const Run refused = shell("tessera gemm run one" + answering(folder, {ResultEvent{1, other}}));
  CHECK(refused.code == 1);
  CHECK(refused.out.empty());
  CHECK(has(refused.err, "has other columns than a measurement's"));
  CHECK(contents(folder / "runs.csv") == "my notes\n");
}

TEST_CASE("a sweep has a line and a row of each combination, of a refused one with the reason, and goes on where it ended") {
  const TemporaryFolder folder;
  const auto csv = folder / "runs.csv";
  const Error failed{ErrorCode::compile_failed, "the compiler refused", {}, {"look here"}};
  const std::string sweep = "tessera gemm sweep one --set stages=1,2,99,3";
  const Run first =
      shell(sweep + answering(folder, {ResultEvent{1, measured("1", 4, 2)}, ResultEvent{2, measured("2", 5, 5)}, ErrorEvent{3, failed}}));
  INFO(first.out << first.err);
  CHECK(first.code == 0);
  CHECK(has(first.out, "1/4  stages=1: CORRECT, 4.00 us (p10 to p90: 0 %), 0 FLOP/s, 50.0 % of cuBLASLt top-1\n"));
  CHECK(
      has(first.out, "2/4  stages=2: CORRECT, 5.00 us (p10 to p90: 0 %), 0 FLOP/s, 100 % of cuBLASLt top-1 (no measurable difference)\n"));
  CHECK(has(first.out, "3/4  stages=99: refused: stages is 99; it must be 1 to "));
  CHECK(has(first.out, "4/4  stages=3: refused: the compiler refused; look here\n"));
  CHECK(has(first.out, "4 combinations: 2 measured, 0 of them wrong; 2 refused, 0 in the file already\n"));
  const auto rows = measurement_rows(csv).value();
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == measurement_row(measured("1", 4, 2), {{"stages", "1"}}));
  CHECK(rows[1] == measurement_row(measured("2", 5, 5), {{"stages", "2"}}));
  CHECK(rows[2].back().starts_with("stages is 99"));
  CHECK(rows[3].back() == "the compiler refused; look here");
  // Nobody answers, and nobody is asked but for the one that is new.
  const Run again = shell(sweep + ",4 --resume" + answering(folder, {ResultEvent{1, measured("4", 7, 7)}}));
  INFO(again.out << again.err);
  CHECK(again.code == 0);
  CHECK(has(again.out, "2/5  stages=2: the file has it\n"));
  CHECK(has(again.out, "5 combinations: 1 measured, 0 of them wrong; 0 refused, 4 in the file already\n"));
  CHECK(measurement_rows(csv).value().size() == 5);
}

TEST_CASE("a sweep ends where nothing can be measured, and a wrong result is no success") {
  const TemporaryFolder folder;
  const Error missing{ErrorCode::no_device, "there is no GPU", {}, {}};
  const Run none = shell("tessera gemm sweep one --set stages=1,2" + answering(folder, {ErrorEvent{1, missing}}));
  CHECK(none.code == 3);
  CHECK(has(none.err, "there is no GPU"));
  CHECK(none.out.empty());
  CHECK_FALSE(std::filesystem::exists(folder / "runs.csv"));
  Measurement wrong = measured("1", 4, 2);
  wrong.timing.reset(), wrong.correctness.passed = false, wrong.correctness.reason = "element 3 is 1";
  const Run run = shell("tessera gemm sweep one --m 16" + answering(folder, {ResultEvent{1, wrong}}));
  CHECK(run.code == 1);
  CHECK(has(run.out, "1/1  m=16: WRONG"));
  CHECK(has(run.out, "1 measured, 1 of them wrong"));
  CHECK(measurement_rows(folder / "runs.csv").value() == std::vector<CsvRow>{measurement_row(wrong, {})});
  CHECK(shell("tessera gemm sweep article_gemm --resume").code == 2);
  CHECK(has(shell("tessera gemm sweep article_gemm --m 64,x").err, "m = x is no extent"));
}
