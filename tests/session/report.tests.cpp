// SPDX-License-Identifier: BSD-3-Clause
// Reports: every figure of a measurement reaches the report under its own name, what differs from the GEMM asked for is said, and a wrong
// result is wrong.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/session/gemm/jobs.hpp"
#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/measure/measurement.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

GemmRequest request(std::int64_t m = 16, std::int64_t n = 16, std::int64_t k = 8) {
  GemmRequest made;
  made.document = "gemm(m=16, n=16, k=8, cta_tiler=(16,16,8), mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  made.m = m, made.n = n, made.k = k;
  return made;
}

// The plan's own measurement, with every figure another one.
Measurement measurement_of(const GemmPlan& plan) {
  Measurement made;
  made.name = plan.name, made.date = "2026-01-02";
  made.m = plan.m, made.n = plan.n, made.k = plan.k;
  made.type_a = made.type_b = "f16", made.type_c = "f32";
  made.alpha = plan.alpha, made.beta = plan.beta;
  made.device.name = "A GPU";
  made.arch = {90, 'a'};
  made.compiler = "a compiler";
  made.resources.registers = 37, made.resources.spill_store_bytes = 41;
  made.resources.remarks = {explained("C7510", "k", "wgmma pipeline crossing function boundary")};
  made.block = {static_cast<unsigned>(plan.threads), 1, 1};
  made.grid = {static_cast<unsigned>(plan.m_tiles * plan.n_tiles), 1, 1};
  made.smem_bytes = plan.smem_bytes;
  made.cache.hit = true, made.cache.reason = "a reason";
  made.correctness.passed = true, made.correctness.compared = 256, made.correctness.max_abs_error = 0.25;
  made.correctness.abs_tolerance = 0.5, made.correctness.rel_tolerance = 0.125;
  made.spent = TimeSpent{100, 2, 300, 4, 5, 6, 70, 80, 9};
  made.notes = {"a note", "another"};
  Timing& timing = made.timing.emplace();
  timing.interleaved = {{4, 3, 6, {3, 4, 6}}, Spread{2, 1, 3, {1, 2, 3}}, 0.5, 11, 22};
  timing.alone = {{5, 5, 5, {5}}, {}, {}, 33, {}};
  timing.burst = {{7, 7, 7, {7}}, Spread{8, 8, 8, {8}}, 1.25, 44, 55};
  timing.ratio_control = 1.0625;
  timing.baseline_name = "a baseline";
  return made;
}

GemmReport report(const Measurement& measurement, const GemmPlan& plan, Provenance provenance = Provenance::live) {
  const Result<GemmReport> made = report_of(to_json(measurement), provenance, plan);
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  return *made;
}

}  // namespace

TEST_CASE("a report has every figure of its measurement under its own name") {
  const GemmPlan plan = plan_of(request()).value();
  const GemmReport made = report(measurement_of(plan), plan);
  CHECK(made.provenance == Provenance::live);
  CHECK(made.headline == "LIVE on A GPU: gemm, 16x16x8");
  CHECK((made.checked && made.correct));
  CHECK(made.largest_error == 0.25);
  CHECK(made.tolerance == "256 elements against an fp64 reference, |error| <= 0.5 + 0.125 |expected|");
  CHECK(made.device == "A GPU");
  CHECK(made.date == "2026-01-02");
  CHECK(made.other_version.empty());
  CHECK(made.microseconds == 4.0);
  CHECK(made.spread_percent == 75.0);
  CHECK(made.tflops == 11.0);
  CHECK(made.baseline_microseconds == 2.0);
  CHECK(made.baseline_tflops == 22.0);
  CHECK(made.percent_of_baseline == 50.0);
  CHECK(made.baseline_spread_percent == 100.0);
  CHECK(*made.noise == Approx(std::hypot(0.375, 0.5) + 0.0625));
  CHECK_FALSE(made.no_difference);
  CHECK(made.accesses.empty());
  CHECK(made.lines == std::vector<std::string>{
                          "compiled by a compiler for sm_90a: 37 registers a thread, 41 bytes spilled",
                          "ptxas: C7510: " + measurement_of(plan).resources.remarks->front().meaning, "cache: HIT: a reason",
                          "overhead: 426 ms beside compiling, checking and timing (lowered 2.00 ms, found to launched "
                          "15.0 ms, answered 9.00 ms, worker started 100 ms, device opened 300 ms)",
                          "baseline: a baseline", "interleaved: 4.00 us (p10 to p90: 75.0 %), 11.0 TFLOP/s, 50.0 % of the baseline",
                          "alone: 5.00 us (p10 to p90: 0 %), 33.0 TFLOP/s",
                          "burst: 7.00 us (p10 to p90: 0 %), 44.0 TFLOP/s, 125 % of the baseline", "baseline against itself: 1.062",
                          "beside the baseline: a difference of 100 %, and this run's noise is 68.8 %", "note: a note", "note: another"});
  CHECK(made.json == to_json(measurement_of(plan)));
}

TEST_CASE("what a measurement does not have, its report has not") {
  const GemmPlan plan = plan_of(request()).value();
  Measurement bare = measurement_of(plan);
  bare.cache.hit = false, bare.spent.reset(), bare.notes.clear(), bare.resources.spill_store_bytes = -1;
  bare.resources.remarks.reset();
  Timing& timing = *bare.timing;
  timing.ratio_control.reset(), timing.baseline_name.clear();
  timing.interleaved = {{0, 0, 0, {0}}, {}, {}, 0, {}}, timing.burst = timing.alone;
  const GemmReport made = report(bare, plan);
  CHECK(made.microseconds == 0.0);
  for (const std::optional<double>& none : {made.spread_percent, made.baseline_microseconds, made.baseline_tflops, made.percent_of_baseline,
                                            made.noise, made.baseline_spread_percent})
    CHECK_FALSE(none);
  CHECK(made.lines == std::vector<std::string>{"compiled by a compiler for sm_90a: 37 registers a thread, 0 bytes spilled",
                                               "ptxas: not said: the assembler's log was not kept", "cache: MISS: a reason",
                                               "interleaved: 0 us, 0 FLOP/s", "alone: 5.00 us (p10 to p90: 0 %), 33.0 TFLOP/s",
                                               "burst: 5.00 us (p10 to p90: 0 %), 33.0 TFLOP/s"});
  bare.timing.reset();
  CHECK(report(bare, plan).lines.size() == 3);
  bare.resources.remarks.emplace();
  CHECK(report(bare, plan).lines[1] == "ptxas: none");
  CHECK_FALSE(report(bare, plan).microseconds);
}

TEST_CASE("a ratio that a run's noise may make is said to be no measurable difference") {
  const GemmPlan plan = plan_of(request()).value();
  Measurement near = measurement_of(plan);
  TimedMode& mode = near.timing->interleaved;
  mode = {{100, 99, 101, {}}, Spread{102, 102, 102, {}}, 1.02, 11, 22};
  near.timing->ratio_control = 0.99;
  const auto has = [](const GemmReport& made, const std::string& line) {
    return std::find(made.lines.begin(), made.lines.end(), line) != made.lines.end();
  };
  mode.ratio = 1.0199;
  CHECK(report(near, plan).no_difference);
  CHECK(has(report(near, plan), "beside the baseline: no measurable difference: 1.99 % is within this run's noise of 2.00 %"));
  mode.ratio = 1.0201;
  CHECK_FALSE(report(near, plan).no_difference);
  CHECK(has(report(near, plan), "beside the baseline: a difference of 2.01 %, and this run's noise is 2.00 %"));
  near.timing->ratio_control.reset();
  mode.ratio = 1.0101;
  CHECK_FALSE(report(near, plan).no_difference);
}

TEST_CASE("a report has the ratio to the baseline's first way and to its fastest, each with its own verdict") {
  const GemmPlan plan = plan_of(request()).value();
  Measurement measured = measurement_of(plan);
  const auto has = [](const GemmReport& made, const std::string& line) {
    return std::find(made.lines.begin(), made.lines.end(), line) != made.lines.end();
  };
  CHECK(beside_baseline_text(report(measured, plan)) == "50.0 % of cuBLASLt top-1");
  CHECK(report(measured, plan).ways == 0);
  Timing& timing = *measured.timing;
  timing.ratio_control = 1.0;
  timing.best = BestOfWays{{3, 2, 4}, 1, TimedMode{{100, 100, 100, {}}, Spread{96, 95.04, 96.96, {}}, 0.96, 11, 23}};
  GemmReport made = report(measured, plan);
  CHECK(made.ways == 3);
  CHECK(made.percent_of_best == 96.0);
  CHECK(made.best_tflops == 23.0);
  CHECK(made.tflops_beside_best == 11.0);
  CHECK_FALSE(made.no_best_difference);
  CHECK(has(made, "best of 3: number 2, 96.0 us (p10 to p90: 2.00 %), 23.0 TFLOP/s, and beside it this kernel 11.0 TFLOP/s"));
  CHECK(beside_baseline_text(made) == "50.0 % of cuBLASLt top-1, 96.0 % of its best of 3");
  timing.best->interleaved->ratio = 0.995;
  CHECK(beside_baseline_text(report(measured, plan)) == "50.0 % of cuBLASLt top-1, 99.5 % of its best of 3 (no measurable difference)");
  timing.best = BestOfWays{{2, 3}, 0, {}};
  made = report(measured, plan);
  CHECK(made.percent_of_best == 50.0);
  CHECK(made.best_tflops == 22.0);
  CHECK(has(made, "best of 2: the first, 2.00 us (p10 to p90: 100 %), 22.0 TFLOP/s"));
  CHECK(beside_baseline_text(made) == "50.0 % of cuBLASLt top-1, 50.0 % of its best of 2");
  timing.interleaved.ratio = 1.0;
  CHECK(beside_baseline_text(report(measured, plan)) ==
        "100 % of cuBLASLt top-1 (no measurable difference), 100 % of its best of 2 (no measurable difference)");
  CHECK(beside_baseline_text(GemmReport()).empty());
}

TEST_CASE("a worker that was kept, with its device, is not said to have been started") {
  const GemmPlan plan = plan_of(request()).value();
  const auto overhead = [&](double start, double open) {
    Measurement measured = measurement_of(plan);
    measured.spent->start = start, measured.spent->open = open;
    return report(measured, plan).lines.at(3);
  };
  CHECK(overhead(0, 0).find("answered 9.00 ms)") != std::string::npos);
  CHECK(overhead(0.5, 0.25).find("worker started") == std::string::npos);
  CHECK(overhead(0.5, 0.5).find("worker started") != std::string::npos);
}

TEST_CASE("a wrong result says what is wrong and has no speed, and an unchecked one is not called checked") {
  const GemmPlan plan = plan_of(request()).value();
  Measurement wrong = measurement_of(plan);
  wrong.correctness.passed = false, wrong.correctness.reason = "element 3 differs", wrong.timing.reset();
  const GemmReport made = report(wrong, plan);
  CHECK((made.checked && !made.correct));
  CHECK(made.lines.front() == "wrong: element 3 differs");
  CHECK_FALSE(made.tflops);
  wrong.correctness.compared = 1;
  CHECK(report(wrong, plan).checked);
  wrong.correctness.compared = 0;
  CHECK_FALSE(report(wrong, plan).checked);
}

TEST_CASE("every part of a GEMM in which a recording differs is said, with both values") {
  const GemmPlan plan = plan_of(request()).value();
  const auto difference = [&](auto&& change) {
    Measurement measured = measurement_of(plan);
    change(measured);
    const GemmReport made = report(measured, plan, Provenance::recorded);
    CHECK(made.headline.ends_with(", on 2026-01-02, OF ANOTHER VERSION: " + made.other_version));
    return made.other_version;
  };
  CHECK(difference([](Measurement& x) { x.m = 32; }) == "m was 32, is 16");
  CHECK(difference([](Measurement& x) { x.n = 32; }) == "n was 32, is 16");
  CHECK(difference([](Measurement& x) { x.k = 32; }) == "k was 32, is 8");
  CHECK(difference([](Measurement& x) { x.type_a = "bf16"; }) == "the type of A was bf16, is f16");
  CHECK(difference([](Measurement& x) { x.type_b = "bf16"; }) == "the type of B was bf16, is f16");
  CHECK(difference([](Measurement& x) { x.type_c = "bf16"; }) == "the type of C was bf16, is f32");
  CHECK(difference([](Measurement& x) { x.alpha = 2; }) == "alpha was 2, is 1");
  CHECK(difference([](Measurement& x) { x.beta = 2; }) == "beta was 2, is 0");
  const std::string threads = std::to_string(plan.threads), many = std::to_string(2 * plan.threads);
  for (const std::size_t axis : {0, 1, 2}) {
    CHECK(difference([&](Measurement& x) { x.block[axis] *= 2; }) == "threads of a CTA was " + many + ", is " + threads);
    CHECK(difference([&](Measurement& x) { x.grid[axis] *= 2; }) == "CTAs was 2, is 1");
  }
  const std::string smem = std::to_string(plan.smem_bytes);
  CHECK(difference([](Measurement& x) { x.smem_bytes += 1; }) ==
        "shared memory was " + std::to_string(plan.smem_bytes + 1) + ", is " + smem);
  CHECK(difference([](Measurement& x) { x.m = 32, x.k = 4; }) == "m was 32, is 16, k was 4, is 8");
  const GemmPlan tiles = plan_of(request(32, 48)).value();
  CHECK(report(measurement_of(tiles), tiles).other_version.empty());  // 2 x 3 CTAs
}

TEST_CASE("a recording is compared with the code of the kernel as it is now, and one without code says that it cannot be") {
  const GemmPlan plan = plan_of(request()).value();
  const auto says_unknown = [](const GemmReport& made) { return made.lines.back().find("cannot be told") != std::string::npos; };
  Measurement measured = measurement_of(plan);
  CHECK(says_unknown(report(measured, plan, Provenance::recorded)));
  measured.code = code_hash(emit_gemm(plan).value());
  GemmReport made = report(measured, plan, Provenance::recorded);
  CHECK(made.other_version.empty());
  CHECK_FALSE(says_unknown(made));
  measured.code[0] = measured.code[0] == '0' ? '1' : '0';
  CHECK(report(measured, plan, Provenance::recorded).other_version == "the kernel's code has changed since");
  CHECK(report(measured, plan).other_version.empty());  // what a worker ran just now, it was asked for
}

TEST_CASE("an emulation whose result is wrong says so, and by how much") {
  GemmPlan plan = plan_of(request(16, 16, 16)).value();
  CHECK(emulate(plan)->correct);
  plan.alpha = 2;  // of the kernel and of the reference alike
  CHECK(emulate(plan)->correct);
  // Sums of many halves are not exact.
  GemmRequest deep = request(16, 16, 16384);
  deep.document.replace(deep.document.find("F32F16F16F32"), 12, "F16F16F16F16");
  const GemmReport half = emulate(plan_of(deep).value()).value();
  CHECK((half.checked && !half.correct));
  CHECK((half.largest_error >= 1 && std::floor(half.largest_error) == half.largest_error));
  const nlohmann::json json = nlohmann::json::parse(half.json);
  CHECK(json["correct"] == false);
  CHECK(json["largest_error"] == half.largest_error);
}

TEST_CASE("an emulation's report counts every step's accesses and says what was emulated") {
  const GemmPlan plan = plan_of(request(32, 16, 16)).value();
  const GemmReport made = emulate(plan).value();
  const nlohmann::json json = nlohmann::json::parse(made.json);
  CHECK(json["provenance"] == "SIMULATED");
  CHECK(json["name"] == plan.name);
  CHECK((json["m"] == 32 && json["n"] == 16 && json["k"] == 16));
  CHECK((json["correct"] == true && json["largest_error"] == 0));
  CHECK(json["mma_instructions"] > 0);
  CHECK(made.headline.ends_with(plan.name + ", 32x16x16"));
  REQUIRE(made.lines.size() == 2 + made.accesses.size());
  CHECK(made.lines[0] == "threads of a CTA: " + std::to_string(plan.threads));
  CHECK(made.lines[1] == "tile: 16x16x8, 1 stage, " + std::to_string(plan.smem_bytes) + " bytes of shared memory");
  REQUIRE(json["accesses"].size() == made.accesses.size());
  for (std::size_t i = 0; i < made.accesses.size(); ++i) {
    const AccessSummary& row = made.accesses[i];
    const nlohmann::json& said = json["accesses"][i];
    const std::string unit = row.shared ? "wavefronts" : "sectors";
    CHECK(said["step"] == step_name(row.step));
    CHECK(said["instructions"] == row.instructions);
    CHECK(said[unit] == row.units);
    CHECK(said["least"] == row.least_units);
    CHECK(made.lines[2 + i] == std::string(step_name(row.step)) + ": " + std::to_string(row.units) + " " + unit + " in " +
                                   std::to_string(row.instructions) + " instructions, at least " + std::to_string(row.least_units));
  }
  using Step = Access::Step;
  const std::pair<Step, const char*> names[] = {
      {Step::read_a, "gmem read of A"},       {Step::read_b, "gmem read of B"},   {Step::g2s_write_a, "smem write of A"},
      {Step::g2s_write_b, "smem write of B"}, {Step::s2r_a, "smem read of A"},    {Step::s2r_b, "smem read of B"},
      {Step::store_c, "gmem store of C"},     {Step::stage_c, "smem write of C"}, {Step::unstage_c, "smem read of C"}};
  for (const auto& [step, name] : names) CHECK(step_name(step) == name);
}

TEST_CASE("a product is emulated whole up to the multiplications that a person waits for, and at a few tiles beyond") {
  const auto said = [](std::int64_t m, std::int64_t n, std::int64_t k) { return emulate_soon(request(m, n, k)).value().lines.front(); };
  CHECK(said(256, 256, 256).starts_with("threads of a CTA"));  // 2^24
  CHECK(said(272, 256, 256) == "size: 32x16x16 of the 272x256x256 asked for, with the same tiles and the same threads");
  CHECK(said(16, 16, 65544) == "size: 16x16x16 of the 16x16x65544 asked for, with the same tiles and the same threads");
}

TEST_CASE("of a persistent grid of clusters, one cluster is emulated") {
  GemmRequest request;
  request.document =
      "let large = gemm(m=4096, n=4096, k=4096, mma=make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>, "
      "Layout<Shape<_2,_1,_1>>), cta_tiler=(128,64,64), type_c=bf16, stages=2, cluster=(2,2), ctas=128, store_boxes=1)\n";
  request.binding = "large";
  const auto report = emulate_soon(request);
  if (!report) FAIL(describe(report.error()));
  CHECK(report->correct);
  CHECK(report->lines.front() == "size: 256x128x192 of the 4096x4096x4096 asked for, with the same tiles and the same threads");
}
