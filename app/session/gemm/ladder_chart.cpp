// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/ladder_chart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/units.hpp"
#include "core/gemm/rungs/ladder.hpp"

namespace tessera {
namespace {

// A launch of the kernel has one of the baseline beside it.
bool is_paired(const TimingMode& mode) { return mode.mode == &Timing::interleaved; }

Result<std::vector<TimingMode>> modes_of(const LadderChart& wanted) {
  std::vector<TimingMode> modes;
  for (const std::string& name : wanted.modes) {
    const auto found =
        std::find_if(std::begin(kTimingModes), std::end(kTimingModes), [&](const TimingMode& mode) { return mode.name == name; });
    if (found == std::end(kTimingModes))
      return Error{
          ErrorCode::unknown_name, fmt::format("there is no way of timing \"{}\": interleaved, alone and burst are timed", name), {}, {}};
    modes.push_back(*found);
  }
  if (modes.empty()) return Error{ErrorCode::wrong_arity, "a chart needs a way of timing: interleaved, alone or burst", {}, {}};
  return modes;
}

// p10 to p90, in percent, of what single launches would say.
std::optional<std::pair<double, double>> spread_of_ratio(const TimedMode& mode) {
  const std::vector<double>&kernel = mode.kernel.samples, &baseline = mode.baseline->samples;
  if (kernel.size() < 2 || kernel.size() != baseline.size()) return {};
  std::vector<double> percent;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (!(kernel[i] > 0)) return {};
    percent.push_back(100 * baseline[i] / kernel[i]);
  }
  const Spread spread = spread_of(std::move(percent));
  return std::pair(spread.p10, spread.p90);
}

// p10 to p90 of a rate, of single launches.
std::optional<std::pair<double, double>> spread_of_rate(const TimedMode& mode) {
  const Spread& us = mode.kernel;
  if (us.samples.size() < 2 || !(us.p10 > 0)) return {};
  return std::pair(mode.kernel_tflops * us.median / us.p90, mode.kernel_tflops * us.median / us.p10);
}

std::optional<Bar> bar_of(const Measurement& measurement, const TimingMode& mode, bool rate) {
  if (!measurement.timing) return {};
  const TimedMode& timed = (*measurement.timing).*mode.mode;
  if (rate) return Bar{timed.kernel_tflops, is_paired(mode) ? spread_of_rate(timed) : std::nullopt, rate_text(1e12 * timed.kernel_tflops)};
  if (!timed.ratio || !timed.baseline) return {};
  return Bar{100 * *timed.ratio, is_paired(mode) ? spread_of_ratio(timed) : std::nullopt, percent_text(100 * *timed.ratio)};
}

std::string types_of(const Measurement& m) {
  const std::string operands = m.type_a == m.type_b ? m.type_a : fmt::format("{} and {}", m.type_a, m.type_b);
  return m.type_c == operands ? operands : fmt::format("{}, C in {}", operands, m.type_c);
}

// `number`: what the bar does not say, its rate or its share, where no other way of timing has a bar beside it.
std::string note_of(const MeasuredRung& rung, bool number, bool has_rates) {
  if (!rung.measurement) return "not measured";
  if (!rung.measurement->correctness.passed) return "its result is wrong";
  if (!rung.measurement->timing) return "not timed";
  const TimedMode& mode = rung.measurement->timing->interleaved;
  if (!mode.ratio) return fmt::format("{}, no baseline", rate_text(1e12 * mode.kernel_tflops));
  const std::string_view other = rung.other_version.empty() ? "" : "of another version";
  const std::string text = has_rates ? percent_text(100 * *mode.ratio) : rate_text(1e12 * mode.kernel_tflops);
  return number ? fmt::format("{}{}{}", text, other.empty() ? "" : ", ", other) : std::string(other);
}

// "f32 51.3 TFLOP/s, f16 689 to 701 TFLOP/s"
std::string baselines_of(const MeasuredLadder& ladder) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<double, double>> rates;
  for (const MeasuredRung& rung : ladder.rungs) {
    if (!rung.measurement || !rung.measurement->timing || !rung.measurement->timing->interleaved.baseline_tflops) continue;
    const double rate = 1e12 * *rung.measurement->timing->interleaved.baseline_tflops;
    const auto [at, is_new] = rates.try_emplace(types_of(*rung.measurement), rate, rate);
    if (is_new) order.push_back(at->first);
    at->second = {std::min(at->second.first, rate), std::max(at->second.second, rate)};
  }
  std::vector<std::string> words;
  for (const std::string& types : order) {
    const std::string least = rate_text(rates[types].first), most = rate_text(rates[types].second);
    words.push_back(least == most ? fmt::format("{}: {}", types, least) : fmt::format("{}: {} to {}", types, least, most));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

Result<BarChart> chart_of(const MeasuredLadder& ladder, const LadderChart& wanted) {
  TESSERA_TRY(modes, modes_of(wanted));
  BarChart chart;
  const std::string& device = ladder.any().device.name;
  chart.title = wanted.title.empty() ? fmt::format("Two ladders on {}, {}", device, size_text(ladder.extents)) : wanted.title;
  if (modes.size() > 1) chart.series.assign(wanted.modes.begin(), wanted.modes.end());
  std::vector<BarRow> museum;  // beside the ladders, where both are to rise
  for (const MeasuredRung& rung : ladder.rungs) {
    BarRow row;
    row.key = std::to_string(rung.number), row.name = rung.name;
    const auto known =
        std::find_if(tessera::ladder().begin(), tessera::ladder().end(), [&](const Rung& one) { return one.name == rung.name; });
    const bool is_known = known != tessera::ladder().end(), is_beside = wanted.rates && is_known && known->of == RungOf::museum;
    if (is_known) row.says = known->in_short;
    for (const TimingMode& mode : modes)
      row.bars.push_back(rung.measurement ? bar_of(*rung.measurement, mode, wanted.rates) : std::nullopt);
    if (rung.measurement) row.group = types_of(*rung.measurement);
    if (rung.measurement && is_known) row.group = fmt::format("{}: {}", is_beside ? "museum piece" : name_of_ladder(known->of), row.group);
    if (wanted.rates && rung.measurement && rung.measurement->timing && modes.size() == 1)
      row.mark = ((*rung.measurement->timing).*modes.front().mode).baseline_tflops;
    row.note = note_of(rung, modes.size() == 1, wanted.rates);
    row.faint = !rung.other_version.empty();
    (is_beside ? museum : chart.rows).push_back(std::move(row));
  }
  chart.rows.insert(chart.rows.end(), std::make_move_iterator(museum.begin()), std::make_move_iterator(museum.end()));
  const std::string timed = modes.size() > 1 ? "" : fmt::format(", {}", modes.front().name);
  if (wanted.rates) {
    chart.axis = "TFLOP/s" + timed, chart.powers_of_ten = true;
  } else {
    chart.axis = "speed in percent of cuBLASLt's (top-1, same types)" + timed;
    chart.reference = std::pair(100.0, std::string("cuBLASLt"));
  }
  chart.notes = {fmt::format("{}: {}", to_string(ladder.provenance), origin_text(ladder))};
  if (const std::string baselines = baselines_of(ladder); !baselines.empty()) chart.notes.push_back("cuBLASLt: " + baselines);
  if (wanted.rates && modes.size() == 1)
    chart.notes.emplace_back(
        "the line in a row, and the percentage: cuBLASLt's top-1 of the same types, whose launches took turns with the kernel's");
  if (std::any_of(modes.begin(), modes.end(), is_paired))
    chart.notes.emplace_back(wanted.rates ? "whiskers: p10 to p90 of single launches"
                                          : "whiskers: p10 to p90 of single launches, each against cuBLASLt's next to it");
  return chart;
}

Result<Scene> draw_chart(const MeasuredLadder& ladder, const LadderChart& wanted) {
  TESSERA_TRY(chart, chart_of(ladder, wanted));
  return bar_chart(chart, wanted.palette);
}

}  // namespace tessera
