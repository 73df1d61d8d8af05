// SPDX-License-Identifier: BSD-3-Clause
// Reports of GEMM runs: from an emulation, from a worker's measurement, from the recordings that come with the program.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/files/document_io.hpp"
#include "app/session/gemm/few_tiles.hpp"
#include "app/session/gemm/jobs.hpp"
#include "app/session/gemm/ladder_recording.hpp"
#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/gemm/run/race.hpp"
#include "core/gemm/run/simulate.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/measure/measurement.hpp"
#include "kernels/runtime/measure/noise.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostPatientMacs = std::int64_t{1} << 24;  // multiply-adds that are emulated without making a person wait

// Whether m*n*k passes the limit, without computing it: it may not fit in 64 bits.
bool more_macs(const GemmPlan& plan, std::int64_t limit) { return plan.m > limit / plan.n / plan.k; }

// Before anything is allocated.
Status check_size(const GemmPlan& plan) {
  const auto refuse = [&](std::string what) {
    return Error{
        ErrorCode::limit,
        std::move(what),
        {},
        {fmt::format("try a smaller problem of the same tiles, such as --m {} --n {} --k {}", plan.blk_m, plan.blk_n, 2 * plan.blk_k)}};
  };
  if (more_macs(plan, kMostSimulatedMacs)) {
    return refuse(fmt::format("{} x {} x {} are more multiplications than are simulated, {}", plan.m, plan.n, plan.k, kMostSimulatedMacs));
  }
  constexpr std::int64_t kNumber = 8;  // bytes; C is held three times
  const std::int64_t numbers = count_sum(count_sum(plan.buffer_elements(Operand::a), plan.buffer_elements(Operand::b)),
                                         count_product(plan.buffer_elements(Operand::c), 3));
  return fit_bytes(count_product(numbers, kNumber), [&] { return fmt::format("the emulation of {} x {} x {}", plan.m, plan.n, plan.k); });
}

Json access_json(const AccessSummary& row) {
  return Json::object({{"step", step_name(row.step)},
                       {"instructions", row.instructions},
                       {row.shared ? "wavefronts" : "sectors", row.units},
                       {"least", row.least_units},
                       {"bytes", row.bytes},
                       {"conflict", row.conflict}});
}

std::string product_of(const GemmPlan& plan) {
  const std::string batch = plan.batch == 1 ? std::string() : fmt::format(", batch {}", plan.batch);
  return fmt::format("{}x{}x{}{}", plan.m, plan.n, plan.k, batch);
}

// Where a measurement's GEMM is not the plan's, in words. What a measurement does not say, such as its layouts, cannot be compared.
std::string differences(const Measurement& measured, const GemmPlan& plan) {
  std::vector<std::string> found;
  const auto compare = [&](std::string_view name, const auto& then, const auto& now) {
    if (then != now) found.push_back(fmt::format("{} was {}, is {}", name, then, now));
  };
  compare("m", measured.m, plan.m);
  compare("n", measured.n, plan.n);
  compare("k", measured.k, plan.k);
  compare("the type of A", measured.type_a, short_name(plan.gmem(Operand::a).type));
  compare("the type of B", measured.type_b, short_name(plan.gmem(Operand::b).type));
  compare("the type of C", measured.type_c, short_name(plan.gmem(Operand::c).type));
  compare("alpha", measured.alpha, plan.alpha);
  compare("beta", measured.beta, plan.beta);
  compare("threads of a CTA", std::int64_t{measured.block[0]} * measured.block[1] * measured.block[2], plan.threads);
  compare("CTAs", std::int64_t{measured.grid[0]} * measured.grid[1] * measured.grid[2], plan.grid * plan.batch);
  compare("shared memory", measured.smem_bytes, plan.smem_bytes);
  return fmt::format("{}", fmt::join(found, ", "));
}

// A recording whose figures are the plan's may still be of another kernel: its code tells. Emitted only where it is asked.
std::string other_code(const Measurement& recorded, const GemmPlan& plan) {
  if (recorded.code.empty()) return "";
  const Result<KernelSource> source = emit_gemm(plan);
  return source && code_hash(*source) == recorded.code ? "" : "the kernel's code has changed since";
}

// Every element of gC's layout is compared; gaps of a padded C belong to nobody.
double largest_difference(const std::vector<double>& got, const std::vector<double>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(got[i] - expected[i]);
    if (!(difference <= largest)) largest = difference;  // also takes up a NaN
  }
  return largest;
}

std::string overhead_line(const TimeSpent& s) {
  const auto time = [](double ms) { return time_text(1000 * ms); };
  const std::string opening = s.start + s.open < 1 ? "" : fmt::format(", worker started {}, device opened {}", time(s.start), time(s.open));
  return fmt::format("overhead: {} beside compiling, checking and timing (lowered {}, found to launched {}, answered {}{})",
                     time(s.overhead()), time(s.lower), time(s.found_to_launched()), time(s.answer), opening);
}

void fill_best(GemmReport& report, const Timing& timing) {
  const TimedMode& mode = beside_best(timing);
  report.ways = static_cast<int>(timing.best->alone_us.size());
  report.best_tflops = mode.baseline_tflops;
  report.tflops_beside_best = mode.kernel_tflops;
  if (mode.ratio) report.percent_of_best = 100 * *mode.ratio;
  const std::optional<double> noise = noise_of(mode, timing.ratio_control);
  report.no_best_difference = mode.ratio && noise && !is_measurable(*mode.ratio, *noise);
  std::string text = fmt::format("best of {}: ", report.ways);
  const bool is_first = !timing.best->interleaved.has_value();
  text += is_first ? "the first" : fmt::format("number {}", timing.best->way + 1);
  if (mode.baseline) text += ", " + median_text(mode.baseline->median, spread_percent(*mode.baseline));
  if (mode.baseline_tflops) text += ", " + rate_text(1e12 * *mode.baseline_tflops);
  if (!is_first) text += fmt::format(", and beside it this kernel {}", rate_text(1e12 * mode.kernel_tflops));
  report.lines.push_back(std::move(text));
}

void fill_timing(GemmReport& report, const Timing& timing) {
  const TimedMode& mode = timing.interleaved;
  report.microseconds = mode.kernel.median;
  report.spread_percent = spread_percent(mode.kernel);
  report.tflops = mode.kernel_tflops;
  if (mode.baseline) {
    report.baseline_microseconds = mode.baseline->median;
    report.baseline_spread_percent = spread_percent(*mode.baseline);
  }
  report.baseline_tflops = mode.baseline_tflops;
  if (mode.ratio) report.percent_of_baseline = 100 * *mode.ratio;
  if (!timing.baseline_name.empty()) report.lines.push_back("baseline: " + timing.baseline_name);
  if (timing.best) fill_best(report, timing);
  for (const TimingMode& of : kTimingModes) {
    const TimedMode &timed = timing.*of.mode, &best = beside_best(timing, of);
    std::string text = fmt::format("{}: {}, {}", of.name, median_text(timed.kernel.median, spread_percent(timed.kernel)),
                                   rate_text(1e12 * timed.kernel_tflops));
    if (timed.ratio) text += fmt::format(", {} of the baseline", percent_text(100 * *timed.ratio));
    if (best.ratio && &best != &timed)
      text += fmt::format(", {} of its best of {}", percent_text(100 * *best.ratio), timing.best->alone_us.size());
    report.lines.push_back(std::move(text));
  }
  if (timing.ratio_control) report.lines.push_back(fmt::format("baseline against itself: {:.3f}", *timing.ratio_control));
  report.noise = noise_of(mode, timing.ratio_control);
  if (mode.ratio && report.noise) {
    report.no_difference = !is_measurable(*mode.ratio, *report.noise);
    report.lines.push_back("beside the baseline: " + difference_text(*mode.ratio, *report.noise));
  }
}

}  // namespace

std::string access_text(const AccessSummary& row) {
  return fmt::format("{} {} in {} instructions, at least {}", row.units, row.shared ? "wavefronts" : "sectors", row.instructions,
                     row.least_units);
}

std::string median_text(double microseconds, const std::optional<double>& spread_percent) {
  const std::string spread = spread_percent ? fmt::format(" (p10 to p90: {})", percent_text(*spread_percent)) : "";
  return time_text(microseconds) + spread;
}

std::string speed_text(double microseconds, const std::optional<double>& spread_percent, const std::optional<double>& tflops) {
  return median_text(microseconds, spread_percent) + (tflops ? ", " + rate_text(1e12 * *tflops) : "");
}

std::string beside_baseline_text(const GemmReport& report) {
  if (!report.percent_of_baseline) return "";
  const auto verdict = [](bool none) { return none ? " (no measurable difference)" : ""; };
  std::string text = fmt::format("{} of cuBLASLt top-1{}", percent_text(*report.percent_of_baseline), verdict(report.no_difference));
  if (report.percent_of_best) {
    text += fmt::format(", {} of its best of {}{}", percent_text(*report.percent_of_best), report.ways, verdict(report.no_best_difference));
  }
  return text;
}

std::string_view to_string(Provenance provenance) {
  switch (provenance) {
    case Provenance::live: return "LIVE";
    case Provenance::emulated: return "SIMULATED";
    case Provenance::recorded: return "RECORDED";
  }
  return "";
}

namespace {

// Of a plan with operations that have no values: in several orders, does anything read or write too early, or wait for ever?
Result<GemmReport> race_report(const GemmPlan& plan) {
  TESSERA_TRY(raced, race(plan, plan.mma ? integer_input(plan, 1) : SimulationInput()));
  const std::int64_t steps = raced.steps;
  GemmReport report;
  report.provenance = Provenance::emulated;
  report.headline = fmt::format("RACED on the CPU, in units that the plan declares, so there is no time: {}", plan.name);
  report.checked = report.correct = true;
  report.largest_error = std::numeric_limits<double>::quiet_NaN();  // nothing has a value
  report.tolerance = fmt::format(
      "in {} orders of its roles and copies nothing is read or overwritten too early, and nobody waits for ever; "
      "opaque operations have no values",
      kRacedOrders);
  report.lines.push_back(fmt::format("threads of a CTA: {}", plan.threads));
  report.lines.push_back(fmt::format("units: {} in turn", steps));
  report.json =
      Json::object(
          {{"provenance", "RACED"}, {"name", plan.name}, {"correct", true}, {"orders", std::int64_t{kRacedOrders}}, {"units", steps}})
          .dump(2);
  return report;
}

}  // namespace

Result<GemmReport> emulate(const GemmPlan& plan) {
  const DefaultBudget budget;
  if (!plan.mma || has_opaque(plan)) return race_report(plan);
  TESSERA_CHECK(check_size(plan));
  const SimulationInput input = integer_input(plan, 1);
  TESSERA_TRY(simulation, simulate(plan, input));
  const std::vector<double> expected = reference(plan, input);
  TESSERA_CHECK(check_time("the reference of the emulation"));
  if (simulation.c.size() != expected.size()) {
    return Error{ErrorCode::wrong_result,
                 fmt::format("the emulation wrote {} elements of C, the reference {}", simulation.c.size(), expected.size()),
                 {},
                 {}};
  }
  GemmReport report;
  report.provenance = Provenance::emulated;
  report.headline = fmt::format("SIMULATED on the CPU, so there is no time: {}, {}", plan.name, product_of(plan));
  report.checked = true;
  report.largest_error = largest_difference(simulation.c, expected);
  report.correct = report.largest_error == 0;
  report.tolerance = "equal to the fp64 reference in every element, for small integers";
  report.lines.push_back(fmt::format("threads of a CTA: {}", plan.threads));
  report.lines.push_back(fmt::format(
      "tile: {}x{}x{}, {}", plan.blk_m, plan.blk_n, plan.blk_k,
      plan.has_smem() ? fmt::format("{} stage{}, {} bytes of shared memory", plan.stages(), plan.stages() == 1 ? "" : "s", plan.smem_bytes)
                      : std::string("no shared memory")));
  Json::List accesses;
  report.accesses = summarize(simulation.trace);
  for (const AccessSummary& row : report.accesses) {
    accesses.push_back(access_json(row));
    report.lines.push_back(fmt::format("{}: {}", step_name(row.step), access_text(row)));
  }
  const Json json = Json::object({{"provenance", "SIMULATED"},
                                  {"name", plan.name},
                                  {"m", plan.m},
                                  {"n", plan.n},
                                  {"k", plan.k},
                                  {"correct", report.correct},
                                  {"largest_error", report.largest_error},
                                  {"tolerance", report.tolerance},
                                  {"mma_instructions", simulation.mma_instructions},
                                  {"accesses", std::move(accesses)}});
  report.json = json.dump(2);
  return report;
}

Result<GemmSpec> at_few_tiles(GemmSpec spec, const GemmPlan& plan) {
  if (spec.ctas > 0) spec.ctas = plan.cluster_size();  // one cluster takes the tiles that are left
  const std::int64_t m = std::min(plan.m, ceil_div(2, plan.cluster_m) * plan.cluster_m * plan.blk_m),
                     n = std::min(plan.n, plan.cluster_n * plan.blk_n),
                     k = std::min(plan.k, (std::max<std::int64_t>(plan.stages(), 1) + 1) * plan.blk_k);
  return at_extents(std::move(spec), m, n, k);
}

Result<GemmReport> emulate_soon(const GemmRequest& request) {
  TESSERA_TRY(spec, spec_of(request));
  TESSERA_TRY(plan, lower(spec));
  if (spec.plan != nullptr || !more_macs(plan, kMostPatientMacs)) return emulate(plan);
  TESSERA_TRY(small, at_few_tiles(std::move(spec), plan));
  TESSERA_TRY(small_plan, lower(small));
  TESSERA_TRY(report, emulate(small_plan));
  report.lines.insert(report.lines.begin(), fmt::format("size: {} of the {} asked for, with the same tiles and the same threads",
                                                        product_of(small_plan), product_of(plan)));
  return report;
}

Result<GemmReport> report_of(std::string_view measurement_json, Provenance provenance, const GemmPlan& asked) {
  TESSERA_TRY(measurement, measurement_from_json(measurement_json));
  if (measurement.name != asked.name)
    return Error{
        ErrorCode::wrong_result, fmt::format("the result is of \"{}\", and \"{}\" was asked for", measurement.name, asked.name), {}, {}};
  GemmReport report;
  report.provenance = provenance;
  report.headline = fmt::format("{} on {}: {}, {}x{}x{}", to_string(provenance), measurement.device.name, measurement.name, measurement.m,
                                measurement.n, measurement.k);
  if (provenance == Provenance::recorded) report.headline += fmt::format(", on {}", measurement.date);
  report.checked = measurement.correctness.compared > 0;
  report.correct = measurement.correctness.passed;
  report.largest_error = measurement.correctness.max_abs_error;
  report.tolerance =
      fmt::format("{} elements against an fp64 reference, |error| <= {:.3g} + {:.3g} |expected|", measurement.correctness.compared,
                  measurement.correctness.abs_tolerance, measurement.correctness.rel_tolerance);
  report.device = measurement.device.name;
  report.date = measurement.date;
  if (!measurement.correctness.passed) report.lines.push_back("wrong: " + measurement.correctness.reason);
  report.lines.push_back(fmt::format("compiled by {} for {}: {} registers a thread, {} bytes spilled", measurement.compiler,
                                     measurement.arch.name(), measurement.resources.registers,
                                     std::max(0, measurement.resources.spill_store_bytes)));
  for (const std::string& remark : remarks_in_words(measurement.resources)) report.lines.push_back("ptxas: " + remark);
  if (!measurement.cache.reason.empty())  // recordings have none
    report.lines.push_back(fmt::format("cache: {}: {}", measurement.cache.hit ? "HIT" : "MISS", measurement.cache.reason));
  if (measurement.spent) report.lines.push_back(overhead_line(*measurement.spent));
  if (measurement.timing && measurement.correctness.passed) fill_timing(report, *measurement.timing);
  for (const std::string& note : measurement.notes) report.lines.push_back("note: " + note);
  report.other_version = differences(measurement, asked);
  if (provenance == Provenance::recorded && report.other_version.empty()) report.other_version = other_code(measurement, asked);
  if (provenance == Provenance::recorded && measurement.code.empty())
    report.lines.emplace_back("note: its kernel's code was not recorded: whether this version has the same cannot be told");
  if (!report.other_version.empty()) report.headline += ", OF ANOTHER VERSION: " + report.other_version;
  report.json = to_json(measurement);
  return report;
}

Recordings recordings(const GemmPlan& plan) {
  Recordings found;
  const auto add = [&](std::string_view json) {
    Result<GemmReport> report = report_of(json, Provenance::recorded, plan);
    if (report) (report->other_version.empty() ? found.own : found.others).push_back(std::move(*report));
  };
  if (const Result<std::filesystem::path> folder = find_asset("recordings")) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(*folder, ignored)) {
      if (entry.path().extension() != ".json") continue;
      const Result<std::string> text = read_file(entry.path());
      const Result<Measurement> measurement = text ? measurement_from_json(*text) : Result<Measurement>(text.error());
      if (!measurement) {
        Error error = measurement.error();
        error.message = fmt::format("{}: {}", entry.path().filename().string(), error.message);
        found.damaged.push_back(std::move(error));
      } else if (measurement->name == plan.name) {
        add(*text);
      }
    }
  }
  RecordedLadders ladders = recorded_ladders();
  std::move(ladders.damaged.begin(), ladders.damaged.end(), std::back_inserter(found.damaged));
  for (const MeasuredLadder& ladder : ladders.ladders) {
    for (const MeasuredRung& rung : ladder.rungs) {
      if (rung.measurement && rung.name == plan.name) add(to_json(*rung.measurement));
    }
  }
  const auto newer = [](const GemmReport& a, const GemmReport& b) { return a.date > b.date; };
  std::sort(found.own.begin(), found.own.end(), newer);
  std::sort(found.others.begin(), found.others.end(), newer);
  const auto differences_in = [](const GemmReport& report) {
    return std::count(report.other_version.begin(), report.other_version.end(), ',');
  };
  std::stable_sort(found.others.begin(), found.others.end(),
                   [&](const GemmReport& a, const GemmReport& b) { return differences_in(a) < differences_in(b); });
  return found;
}

}  // namespace tessera
