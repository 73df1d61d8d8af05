// SPDX-License-Identifier: BSD-3-Clause
// Measurement to JSON and back. Each part has a pair of functions that mirror each other; a field that is missing, or that no run can
// have, is named. A measurement comes from another process: what it says is believed only within these ranges.
#include "kernels/runtime/measure/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "kernels/runtime/device/device_json.hpp"

namespace tessera {

Timing::Timing() = default;
Timing::Timing(const Timing& other) = default;
Timing::Timing(Timing&& other) noexcept = default;
Timing& Timing::operator=(const Timing& other) = default;
Timing& Timing::operator=(Timing&& other) noexcept = default;
Timing::~Timing() = default;

Measurement::Measurement() = default;
Measurement::Measurement(const Measurement& other) = default;
Measurement::Measurement(Measurement&& other) noexcept = default;
Measurement& Measurement::operator=(const Measurement& other) = default;
Measurement& Measurement::operator=(Measurement&& other) noexcept = default;
Measurement::~Measurement() = default;

namespace {

constexpr double most_us = 1e12;               // eleven days
constexpr double most_tflops = 1e9;            // a billion of today's fastest
constexpr double most_ratio = 1e9;             // of two times
constexpr double most_number = 1e300;          // leaves room for sums and differences
constexpr std::size_t longest_text = 1 << 16;  // bytes
constexpr std::size_t most_kept_ways = 64;
constexpr std::size_t most_notes = 256;
constexpr std::size_t most_samples = 1 << 16;
constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
constexpr std::int64_t most_count = std::int64_t{1} << 50;  // of elements

// JSON has no NaN: an element that is one is written as null.
double read_any_number(JsonReader& in, const Json& json, std::string_view name) {
  const Json* found = json.find(name);
  return found != nullptr && found->is_null() ? std::nan("") : in.number(json, name);
}

std::optional<double> read_optional(JsonReader& in, const Json& json, std::string_view name, double most) {
  const Json* found = json.find(name);
  if (found != nullptr && found->is_null()) return std::nullopt;
  return in.number(json, name, 0, most);
}

Json spread_json(const Spread& s) {
  return Json::object({{"median_us", s.median}, {"p10_us", s.p10}, {"p90_us", s.p90}, {"samples_us", s.samples}});
}
Spread read_spread(JsonReader& in, const Json& j) {
  Spread s;
  s.median = in.number(j, "median_us", 0, most_us);
  s.p10 = in.number(j, "p10_us", 0, most_us);
  s.p90 = in.number(j, "p90_us", 0, most_us);
  s.samples = in.numbers(j, "samples_us", 0, most_us, most_samples);
  if (!(s.p10 <= s.median && s.median <= s.p90)) in.refuse(j, "'p10_us', 'median_us' and 'p90_us' must not fall");
  return s;
}

Json mode_json(const TimedMode& mode) {
  return Json::object({{"kernel", spread_json(mode.kernel)},
                       {"baseline", mode.baseline ? spread_json(*mode.baseline) : Json()},
                       {"ratio", mode.ratio},
                       {"kernel_tflops", mode.kernel_tflops},
                       {"baseline_tflops", mode.baseline_tflops}});
}
TimedMode read_mode(JsonReader& in, const Json& j) {
  TimedMode mode;
  mode.kernel = read_spread(in, in.object(j, "kernel"));
  if (const Json* baseline = j.find("baseline"); baseline == nullptr || !baseline->is_null())
    mode.baseline = read_spread(in, in.object(j, "baseline"));
  mode.ratio = read_optional(in, j, "ratio", most_ratio);
  mode.kernel_tflops = in.number(j, "kernel_tflops", 0, most_tflops);
  mode.baseline_tflops = read_optional(in, j, "baseline_tflops", most_tflops);
  return mode;
}

Json best_json(const BestOfWays& best) {
  Json::Members members{{"alone_us", best.alone_us}, {"way", best.way}};
  for (const TimingMode& of : kTimingModes) members.push_back({std::string(of.name), best.*of.best ? mode_json(*(best.*of.best)) : Json()});
  return Json::object(std::move(members));
}
// Nothing where it is missing: recordings of before have none.
std::optional<BestOfWays> read_best(JsonReader& in, const Json& timing) {
  const Json* found = timing.find("best");
  if (found == nullptr || found->is_null()) return std::nullopt;
  const Json& j = in.object(timing, "best");
  BestOfWays best;
  best.alone_us = in.numbers(j, "alone_us", 0, most_us, most_kept_ways);
  if (best.alone_us.empty()) in.refuse(j, "'alone_us' must have a time of each way");
  best.way = in.whole<int>(j, "way", 0, std::max(0, static_cast<int>(best.alone_us.size()) - 1));
  bool is_beside = false;
  for (const TimingMode& of : kTimingModes) {
    const Json* mode = j.find(of.name);
    if (mode == nullptr || mode->is_null()) continue;
    is_beside = true;
    best.*of.best = read_mode(in, in.object(j, of.name));
    if (!(best.*of.best)->ratio) in.refuse(j, fmt::format("'{}' must have a ratio", of.name));
  }
  if ((best.way > 0) != is_beside) in.refuse(j, "a way of timing must be there for another way than 0, and only then");
  return best;
}

Json timing_json(const Timing& t) {
  return Json::object({{"interleaved", mode_json(t.interleaved)},
                       {"alone", mode_json(t.alone)},
                       {"burst", mode_json(t.burst)},
                       {"ratio_control", t.ratio_control},
                       {"best", t.best ? best_json(*t.best) : Json()},
                       {"baseline_name", t.baseline_name},
                       {"launches_per_sample", t.launches_per_sample},
                       {"buffer_sets", t.buffer_sets}});
}
Timing read_timing(JsonReader& in, const Json& j) {
  Timing t;
  t.interleaved = read_mode(in, in.object(j, "interleaved"));
  t.alone = read_mode(in, in.object(j, "alone"));
  t.burst = read_mode(in, in.object(j, "burst"));
  t.ratio_control = read_optional(in, j, "ratio_control", most_ratio);
  t.best = read_best(in, j);
  if (t.best && !t.interleaved.ratio) in.refuse(j, "'best' is of a baseline, and none took part");
  t.baseline_name = in.text(j, "baseline_name");
  t.launches_per_sample = in.whole<int>(j, "launches_per_sample", 1);
  t.buffer_sets = in.whole<int>(j, "buffer_sets", 1);
  return t;
}

Json correctness_json(const Correctness& c) {
  return Json::object({{"passed", c.passed},
                       {"reason", c.reason},
                       {"compared", c.compared},
                       {"untouched", c.untouched},
                       {"mismatches", c.mismatches},
                       {"first_bad_index", c.first_bad_index},
                       {"first_bad_got", c.first_bad_got},
                       {"first_bad_expected", c.first_bad_expected},
                       {"max_abs_error", c.max_abs_error},
                       {"max_rel_error", c.max_rel_error},
                       {"abs_tolerance", c.abs_tolerance},
                       {"rel_tolerance", c.rel_tolerance}});
}
Correctness read_correctness(JsonReader& in, const Json& j) {
  Correctness c;
  c.passed = in.truth(j, "passed");
  c.reason = in.text(j, "reason");
  c.compared = in.whole<std::int64_t>(j, "compared", 0, most_count);
  c.untouched = in.whole<std::int64_t>(j, "untouched", 0, most_count);
  c.mismatches = in.whole<std::int64_t>(j, "mismatches", 0, most_count);
  c.first_bad_index = in.whole<std::int64_t>(j, "first_bad_index", -1, most_count);
  c.first_bad_got = read_any_number(in, j, "first_bad_got");
  c.first_bad_expected = read_any_number(in, j, "first_bad_expected");
  c.max_abs_error = read_any_number(in, j, "max_abs_error");
  c.max_rel_error = read_any_number(in, j, "max_rel_error");
  c.abs_tolerance = in.number(j, "abs_tolerance", 0, most_number);
  c.rel_tolerance = in.number(j, "rel_tolerance", 0, most_number);
  if (c.max_abs_error < 0 || c.max_rel_error < 0) in.refuse(j, "an error must not be negative");
  if (c.passed && c.mismatches > 0) in.refuse(j, fmt::format("a result with {} wrong elements has not passed", c.mismatches));
  return c;
}

Json resources_json(const ResourceUse& r) {
  Json::Members members{{"registers", r.registers},
                        {"spill_store_bytes", r.spill_store_bytes},
                        {"spill_load_bytes", r.spill_load_bytes},
                        {"stack_bytes", r.stack_bytes},
                        {"smem_bytes", r.smem_bytes},
                        {"barriers", r.barriers}};
  if (r.remarks) members.push_back({"ptxas", to_json(r.remarks)});  // older recordings do not say it
  return Json::object(std::move(members));
}
ResourceUse read_resources(JsonReader& in, const Json& j) {
  const auto count = [&](std::string_view name) { return in.whole<int>(j, name, -1); };  // -1: the compiler did not say
  ResourceUse r;
  r.registers = count("registers"), r.spill_store_bytes = count("spill_store_bytes"), r.spill_load_bytes = count("spill_load_bytes");
  r.stack_bytes = count("stack_bytes"), r.smem_bytes = count("smem_bytes"), r.barriers = count("barriers");
  if (const Json* remarks = j.find("ptxas")) r.remarks = read_remarks(in, *remarks);
  return r;
}

Json cache_json(const CacheOutcome& c) {
  Json::Members members{{"hit", c.hit}, {"reason", c.reason}, {"key", c.key}, {"notes", c.notes}};
  if (!c.differs.empty()) members.push_back({"differs", c.differs});
  if (!c.nearest.empty()) members.push_back({"nearest", c.nearest});
  return Json::object(std::move(members));
}
CacheOutcome read_cache(JsonReader& in, const Json& j) {
  return {in.truth(j, "hit"),
          in.text(j, "reason"),
          in.text(j, "key"),
          in.texts(j, "notes", most_notes),
          in.texts_or_none(j, "differs", most_notes),
          in.text_or(j, "nearest", "")};
}

double in_microseconds(double ms) { return std::round(ms * 1000) / 1000; }

Json spent_json(const TimeSpent& spent) {
  Json::Members members;
  for (const auto& [name, part] : kPartsOfTime) members.push_back({std::string(name), in_microseconds(spent.*part)});
  members.push_back({"overhead", in_microseconds(spent.overhead())});
  members.push_back({"found_to_launched", in_microseconds(spent.found_to_launched())});
  return Json::object(std::move(members));
}
TimeSpent read_spent(JsonReader& in, const Json& j) {
  TimeSpent spent;
  for (const auto& [name, part] : kPartsOfTime) spent.*part = in.number(j, name, 0, most_us);
  return spent;
}

// Within what a launch can be asked for.
std::array<unsigned, 3> read_extents(JsonReader& in, const Json& j, std::string_view name, std::array<unsigned, 3> most) {
  std::array<unsigned, 3> extents{1, 1, 1};
  const Json::List& items = in.list(j, name, 3);
  if (items.size() != 3) in.refuse(j, fmt::format("'{}' must be three numbers", name));
  for (std::size_t i = 0; i < 3 && !in.failed(); ++i) extents[i] = in.whole_in<unsigned>(&items[i], name, 1, most[i]);
  return extents;
}

}  // namespace

Spread spread_of(std::vector<double> samples) {
  Spread spread;
  if (samples.empty()) return spread;
  for (double& sample : samples) sample = std::round(sample * 1000) / 1000;  // events resolve about half a microsecond
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](double q) {
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (position - static_cast<double>(low)) * (sorted[high] - sorted[low]);
  };
  spread.median = at(0.5), spread.p10 = at(0.1), spread.p90 = at(0.9);
  spread.samples = std::move(samples);
  return spread;
}

const TimedMode& beside_best(const Timing& timing, const TimingMode& of) {
  if (!timing.best) return timing.*of.mode;
  const std::optional<TimedMode>& best = (*timing.best).*of.best;
  return best ? *best : timing.*of.mode;
}

Json measurement_json(const Measurement& m) {
  return Json::object({{"version", Measurement::current_version},
                       {"name", m.name},
                       {"m", m.m},
                       {"n", m.n},
                       {"k", m.k},
                       {"type_a", m.type_a},
                       {"type_b", m.type_b},
                       {"type_c", m.type_c},
                       {"alpha", m.alpha},
                       {"beta", m.beta},
                       {"flops", m.flops},
                       {"device", to_json(m.device)},
                       {"date", m.date},
                       {"arch", m.arch.name()},
                       {"compiler", m.compiler},
                       {"code", m.code},
                       {"resources", resources_json(m.resources)},
                       {"grid", m.grid},
                       {"block", m.block},
                       {"dynamic_smem_bytes", m.smem_bytes},
                       {"cache", cache_json(m.cache)},
                       {"compile_ms", m.compile_ms},
                       {"correctness", correctness_json(m.correctness)},
                       {"timing", m.timing ? timing_json(*m.timing) : Json()},
                       {"spent_ms", m.spent ? spent_json(*m.spent) : Json()},
                       {"notes", m.notes}});
}

std::string to_json(const Measurement& measurement, bool compact) { return measurement_json(measurement).dump(compact ? -1 : 2); }

Result<Measurement> read_measurement(const Json& j) {
  if (j.members() == nullptr) return Error{ErrorCode::corrupt, "this is not a measurement: not a JSON object", {}, {}};
  JsonReader in(ErrorCode::corrupt, "the measurement cannot be read", longest_text);
  const int version = in.whole_or<int>(j, "version", 0);
  if (!in.failed() && version != Measurement::current_version) {
    return Error{
        ErrorCode::corrupt,
        fmt::format("a measurement of version {} cannot be read; this Tessera reads version {}", version, Measurement::current_version),
        {},
        {}};
  }
  Measurement m;
  m.name = in.text(j, "name");
  m.m = in.whole<std::int64_t>(j, "m", 0), m.n = in.whole<std::int64_t>(j, "n", 0), m.k = in.whole<std::int64_t>(j, "k", 0);
  m.type_a = in.text(j, "type_a"), m.type_b = in.text(j, "type_b"), m.type_c = in.text(j, "type_c");
  m.alpha = in.number(j, "alpha"), m.beta = in.number(j, "beta"), m.flops = in.number(j, "flops", 0, most_number);
  m.device = read_device(in, in.object(j, "device"));
  m.date = in.text(j, "date");
  if (auto parsed = parse_arch(in.text(j, "arch"))) m.arch = *parsed;
  m.compiler = in.text(j, "compiler");
  m.code = in.text_or(j, "code", "");
  m.resources = read_resources(in, in.object(j, "resources"));
  m.grid = read_extents(in, j, "grid", {0x7fffffff, 65535, 65535});
  m.block = read_extents(in, j, "block", {1024, 1024, 64});
  m.smem_bytes = in.whole<std::int64_t>(j, "dynamic_smem_bytes", 0, most_bytes);
  m.cache = read_cache(in, in.object(j, "cache"));
  m.compile_ms = in.number(j, "compile_ms", 0, most_us);
  m.correctness = read_correctness(in, in.object(j, "correctness"));
  if (const Json* timing = j.find("timing"); timing == nullptr || !timing->is_null()) m.timing = read_timing(in, in.object(j, "timing"));
  if (m.timing && !(m.correctness.passed && m.correctness.compared > 0))
    in.refuse(j, "there are times of a result that was not found right, and a wrong answer has no speed");
  if (const Json* spent = j.find("spent_ms"); spent != nullptr && !spent->is_null()) m.spent = read_spent(in, in.object(j, "spent_ms"));
  m.notes = in.texts(j, "notes", most_notes);
  return in.done(std::move(m));
}

Result<Measurement> measurement_from_json(std::string_view text) {
  auto json = parse_json(text, kAnswerJson, ErrorCode::corrupt);
  if (!json) return Error{json.error().code, "this is not a measurement: " + json.error().message, {}, {}};
  return read_measurement(*json);
}

}  // namespace tessera
