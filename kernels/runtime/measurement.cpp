// SPDX-License-Identifier: BSD-3-Clause
// Measurement to JSON and back. Each part has a pair of functions that mirror each other; a missing field is named.
#include "kernels/runtime/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/runtime/device_json.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<double>(json.get<double>());
}

Json spread_json(const Spread& s) { return {{"median_us", s.median}, {"p10_us", s.p10}, {"p90_us", s.p90}, {"samples_us", s.samples}}; }
Spread read_spread(const Json& j) {
  return {j.at("median_us").get<double>(), j.at("p10_us").get<double>(), j.at("p90_us").get<double>(),
          j.at("samples_us").get<std::vector<double>>()};
}

Json mode_json(const TimedMode& mode) {
  return {{"kernel", spread_json(mode.kernel)},
          {"baseline", mode.baseline ? spread_json(*mode.baseline) : Json()},
          {"ratio", optional_json(mode.ratio)},
          {"kernel_tflops", mode.kernel_tflops},
          {"baseline_tflops", optional_json(mode.baseline_tflops)}};
}
TimedMode read_mode(const Json& j) {
  TimedMode mode;
  mode.kernel = read_spread(j.at("kernel"));
  if (!j.at("baseline").is_null()) mode.baseline = read_spread(j.at("baseline"));
  mode.ratio = optional_number(j.at("ratio"));
  mode.kernel_tflops = j.at("kernel_tflops").get<double>();
  mode.baseline_tflops = optional_number(j.at("baseline_tflops"));
  return mode;
}

Json timing_json(const Timing& t) {
  return {{"interleaved", mode_json(t.interleaved)},
          {"alone", mode_json(t.alone)},
          {"burst", mode_json(t.burst)},
          {"ratio_control", optional_json(t.ratio_control)},
          {"baseline_name", t.baseline_name},
          {"launches_per_sample", t.launches_per_sample},
          {"buffer_sets", t.buffer_sets}};
}
Timing read_timing(const Json& j) {
  Timing t;
  t.interleaved = read_mode(j.at("interleaved"));
  t.alone = read_mode(j.at("alone"));
  t.burst = read_mode(j.at("burst"));
  t.ratio_control = optional_number(j.at("ratio_control"));
  t.baseline_name = j.at("baseline_name").get<std::string>();
  t.launches_per_sample = j.at("launches_per_sample").get<int>();
  t.buffer_sets = j.at("buffer_sets").get<int>();
  return t;
}

// JSON has no NaN: an element that is one is written as null.
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double read_number(const Json& json) { return json.is_null() ? std::nan("") : json.get<double>(); }

Json correctness_json(const Correctness& c) {
  return {{"passed", c.passed},
          {"reason", c.reason},
          {"compared", c.compared},
          {"untouched", c.untouched},
          {"mismatches", c.mismatches},
          {"first_bad_index", c.first_bad_index},
          {"first_bad_got", number_json(c.first_bad_got)},
          {"first_bad_expected", number_json(c.first_bad_expected)},
          {"max_abs_error", c.max_abs_error},
          {"max_rel_error", c.max_rel_error},
          {"abs_tolerance", c.abs_tolerance},
          {"rel_tolerance", c.rel_tolerance}};
}
Correctness read_correctness(const Json& j) {
  Correctness c;
  c.passed = j.at("passed").get<bool>();
  c.reason = j.at("reason").get<std::string>();
  c.compared = j.at("compared").get<std::int64_t>();
  c.untouched = j.at("untouched").get<std::int64_t>();
  c.mismatches = j.at("mismatches").get<std::int64_t>();
  c.first_bad_index = j.at("first_bad_index").get<std::int64_t>();
  c.first_bad_got = read_number(j.at("first_bad_got"));
  c.first_bad_expected = read_number(j.at("first_bad_expected"));
  c.max_abs_error = j.at("max_abs_error").get<double>();
  c.max_rel_error = j.at("max_rel_error").get<double>();
  c.abs_tolerance = j.at("abs_tolerance").get<double>();
  c.rel_tolerance = j.at("rel_tolerance").get<double>();
  return c;
}

Json resources_json(const ResourceUse& r) {
  return {{"registers", r.registers},
          {"spill_store_bytes", r.spill_store_bytes},
          {"spill_load_bytes", r.spill_load_bytes},
          {"stack_bytes", r.stack_bytes},
          {"smem_bytes", r.smem_bytes},
          {"barriers", r.barriers}};
}
ResourceUse read_resources(const Json& j) {
  return {j.at("registers").get<int>(),   j.at("spill_store_bytes").get<int>(), j.at("spill_load_bytes").get<int>(),
          j.at("stack_bytes").get<int>(), j.at("smem_bytes").get<int>(),        j.at("barriers").get<int>()};
}

Json cache_json(const CacheOutcome& c) { return {{"hit", c.hit}, {"reason", c.reason}, {"key", c.key}, {"notes", c.notes}}; }
CacheOutcome read_cache(const Json& j) {
  return {j.at("hit").get<bool>(), j.at("reason").get<std::string>(), j.at("key").get<std::string>(),
          j.at("notes").get<std::vector<std::string>>()};
}

Measurement read_measurement(const Json& j) {
  Measurement m;
  m.name = j.at("name").get<std::string>();
  m.m = j.at("m").get<std::int64_t>(), m.n = j.at("n").get<std::int64_t>(), m.k = j.at("k").get<std::int64_t>();
  m.type_a = j.at("type_a").get<std::string>(), m.type_b = j.at("type_b").get<std::string>(), m.type_c = j.at("type_c").get<std::string>();
  m.alpha = j.at("alpha").get<double>(), m.beta = j.at("beta").get<double>(), m.flops = j.at("flops").get<double>();
  m.device = device_from_json(j.at("device"));
  m.date = j.at("date").get<std::string>();
  const std::string arch = j.at("arch").get<std::string>();
  if (auto parsed = parse_arch(arch)) m.arch = *parsed;
  m.compiler = j.at("compiler").get<std::string>();
  m.resources = read_resources(j.at("resources"));
  m.grid = j.at("grid").get<std::array<unsigned, 3>>(), m.block = j.at("block").get<std::array<unsigned, 3>>();
  m.smem_bytes = j.at("dynamic_smem_bytes").get<std::int64_t>();
  m.cache = read_cache(j.at("cache"));
  m.compile_ms = j.at("compile_ms").get<double>();
  m.correctness = read_correctness(j.at("correctness"));
  if (!j.at("timing").is_null()) m.timing = read_timing(j.at("timing"));
  m.notes = j.at("notes").get<std::vector<std::string>>();
  return m;
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

std::string to_json(const Measurement& m, bool compact) {
  const Json json = {{"version", Measurement::current_version},
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
                     {"device", device_to_json(m.device)},
                     {"date", m.date},
                     {"arch", m.arch.name()},
                     {"compiler", m.compiler},
                     {"resources", resources_json(m.resources)},
                     {"grid", m.grid},
                     {"block", m.block},
                     {"dynamic_smem_bytes", m.smem_bytes},
                     {"cache", cache_json(m.cache)},
                     {"compile_ms", m.compile_ms},
                     {"correctness", correctness_json(m.correctness)},
                     {"timing", m.timing ? timing_json(*m.timing) : Json()},
                     {"notes", m.notes}};
  return json.dump(compact ? -1 : 2, ' ', false, Json::error_handler_t::replace);
}

Result<Measurement> measurement_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return Error{ErrorCode::corrupt, "this is not a measurement: not a JSON object", {}, {}};
  const int version = json.contains("version") && json["version"].is_number_integer() ? json["version"].get<int>() : 0;
  if (version != Measurement::current_version) {
    return Error{
        ErrorCode::corrupt,
        fmt::format("a measurement of version {} cannot be read; this Tessera reads version {}", version, Measurement::current_version),
        {},
        {}};
  }
  try {
    return read_measurement(json);
  } catch (const Json::exception& exception) {  // the JSON library's way to say which field; it ends here
    return Error{ErrorCode::corrupt, fmt::format("the measurement cannot be read: {}", exception.what()), {}, {}};
  }
}

}  // namespace tessera
