// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/run_history.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/base/private_file.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/eval/evaluate_expression.hpp"

namespace tessera {
namespace {

constexpr const char* kFile = "runs.jsonl";
constexpr std::size_t kLongestNote = 4000;  // bytes

std::string_view word_of(Prediction::Says says) {
  return says == Prediction::Says::faster ? "faster" : says == Prediction::Says::slower ? "slower" : "same";
}

Json json_of(const RunRow& run) {
  Json::Members members{{"at_ns", run.at_ns},     {"binding", run.binding}, {"expression", run.expression},
                        {"spec", run.spec},       {"changed", run.changed}, {"emulated", run.emulated},
                        {"refused", run.refused}, {"correct", run.correct}, {"device", run.device},
                        {"verdict", run.verdict}, {"note", run.note}};
  const auto number = [&](const char* name, const std::optional<double>& value) {
    if (value) members.push_back({name, *value});
  };
  number("microseconds", run.microseconds);
  number("spread_percent", run.spread_percent);
  number("tflops", run.tflops);
  number("percent_of_baseline", run.percent_of_baseline);
  number("noise", run.noise);
  if (run.prediction) {
    members.push_back({"says", word_of(run.prediction->says)});
    members.push_back({"percent", run.prediction->percent});
  }
  return Json::object(std::move(members));
}

Result<RunRow> run_of(const Json& json) {
  JsonReader in(ErrorCode::bad_message, "a run cannot be read");
  RunRow run;
  run.at_ns = in.whole<std::int64_t>(json, "at_ns", 0);
  run.binding = in.text(json, "binding");
  run.expression = in.text(json, "expression");
  run.spec = in.text(json, "spec");
  run.changed = in.text(json, "changed");
  run.emulated = in.truth(json, "emulated");
  run.refused = in.text(json, "refused");
  run.correct = in.truth(json, "correct");
  run.device = in.text(json, "device");
  run.verdict = in.text(json, "verdict");
  run.note = in.text(json, "note");
  const auto number = [&](const char* name) -> std::optional<double> {
    if (!json.find(name)) return std::nullopt;
    return in.number(json, name, 0);
  };
  run.microseconds = number("microseconds");
  run.spread_percent = number("spread_percent");
  run.tflops = number("tflops");
  run.percent_of_baseline = number("percent_of_baseline");
  run.noise = number("noise");
  if (json.find("says")) {
    const std::string says = in.text(json, "says");
    run.prediction = Prediction{says == "faster"   ? Prediction::Says::faster
                                : says == "slower" ? Prediction::Says::slower
                                                   : Prediction::Says::same,
                                in.number(json, "percent", 0)};
  }
  return in.done(std::move(run));
}

std::shared_ptr<const GemmSpec> spec_in(const std::string& text, const Scope& scope) {
  const Result<Value> value = evaluate_expression(text, scope, nullptr);
  const auto* spec = value ? std::get_if<std::shared_ptr<const GemmSpec>>(&value->any) : nullptr;
  return spec ? *spec : nullptr;
}

// Sorted.
std::vector<std::int64_t> times_of(const std::vector<RunRow>& runs) {
  std::vector<std::int64_t> times;
  for (const RunRow& run : runs) times.push_back(run.at_ns);
  std::sort(times.begin(), times.end());
  return times;
}

void erase_forgotten(std::vector<RunRow>& runs, const std::vector<std::int64_t>& forgotten) {
  std::erase_if(runs, [&](const RunRow& run) { return std::find(forgotten.begin(), forgotten.end(), run.at_ns) != forgotten.end(); });
}

}  // namespace

std::string spec_text(GemmSpec spec, std::string_view binding) {
  if (spec.name == binding) spec.name = GemmSpec{}.name;
  return to_string(spec);
}

std::string date_of(const RunRow& run) {
  const auto seconds = static_cast<std::time_t>(run.at_ns / 1'000'000'000);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
}

std::string result_of(const RunRow& run) {
  if (!run.refused.empty()) return "refused: " + run.refused;
  if (!run.correct) return "WRONG";
  if (run.microseconds) return speed_text(*run.microseconds, run.spread_percent, run.tflops);
  return run.emulated ? "correct on the CPU" : "correct, not timed";
}

std::string restored(const RunRow& run, const Scope& scope) {
  const auto spec = spec_in(run.expression, scope), was = spec_in(run.spec, {});
  const bool is_same = spec && was && difference(*spec, *was).empty();
  return is_same ? run.expression : run.spec;
}

GemmReport numbers_of(const RunRow& run) {
  GemmReport report;
  report.provenance = run.emulated ? Provenance::emulated : Provenance::live;
  report.checked = true;
  report.correct = run.correct;
  report.device = run.device;
  report.microseconds = run.microseconds;
  report.spread_percent = run.spread_percent;
  report.tflops = run.tflops;
  report.percent_of_baseline = run.percent_of_baseline;
  report.noise = run.noise;
  return report;
}

std::string changes_between(const std::string& spec_before, const std::string& spec) {
  if (spec_before == spec) return "the same again";
  const auto before = spec_in(spec_before, {}), now = spec_in(spec, {});
  if (!before || !now) return "another text";
  std::string words;
  for (const SpecField* field : difference(*before, *now)) words += (words.empty() ? "" : ", ") + difference_text(*field, *before, *now);
  return words.empty() ? "the same again" : words;
}

const RunRow* RunHistory::last_timed(std::string_view binding) const {
  const auto found = std::find_if(runs_.rbegin(), runs_.rend(),
                                  [&](const RunRow& run) { return run.binding == binding && run.microseconds && run.correct; });
  return found == runs_.rend() ? nullptr : &*found;
}

const RunRow& RunHistory::add(RunRow run, const Result<GemmReport>& report) {
  const auto before = std::find_if(runs_.rbegin(), runs_.rend(), [&](const RunRow& each) { return each.binding == run.binding; });
  run.changed = before == runs_.rend() ? std::string() : changes_between(before->spec, run.spec);
  run.refused = report ? std::string() : report.error().message;
  if (report) {
    run.correct = report->correct;
    run.device = report->device;
    run.microseconds = report->microseconds;
    run.spread_percent = report->spread_percent;
    run.tflops = report->tflops;
    run.percent_of_baseline = report->percent_of_baseline;
    run.noise = report->noise;
    const RunRow* timed = last_timed(run.binding);
    const std::optional<SpeedRatio> ratio = timed ? speed_ratio(numbers_of(*timed), *report) : speed_ratio_to_baseline(*report);
    if (run.prediction && ratio) run.verdict = judge(*run.prediction, *ratio).words;
  }
  if (!runs_.empty()) run.at_ns = std::max(run.at_ns, runs_.back().at_ns + 1);
  runs_.push_back(std::move(run));
  shorten();
  ++revision_;
  return runs_.back();
}

void RunHistory::set_note(std::size_t number, std::string note) {
  if (number >= runs_.size() || runs_[number].note == note) return;
  note.resize(std::min(note.size(), kLongestNote));
  runs_[number].note = std::move(note);
  ++revision_;
}

RunRow RunHistory::forget(std::size_t number) {
  RunRow run = std::move(runs_[number]);
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(number));
  forgotten_.push_back(run.at_ns);
  ++revision_;
  return run;
}

void RunHistory::bring_back(RunRow run) {
  std::erase(forgotten_, run.at_ns);
  merge({std::move(run)});
}

void RunHistory::merge(std::vector<RunRow> kept) {
  const std::vector<std::int64_t> here = times_of(runs_);
  erase_forgotten(kept, forgotten_);
  std::erase_if(kept, [&](const RunRow& run) { return std::binary_search(here.begin(), here.end(), run.at_ns); });
  if (kept.empty()) return;
  runs_.insert(runs_.end(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  std::stable_sort(runs_.begin(), runs_.end(), [](const RunRow& a, const RunRow& b) { return a.at_ns < b.at_ns; });
  shorten();
  ++revision_;
}

void RunHistory::shorten() {
  if (runs_.size() > kMostRuns) runs_.erase(runs_.begin(), runs_.end() - static_cast<std::ptrdiff_t>(kMostRuns));
}

std::string to_lines(const std::vector<RunRow>& runs) {
  std::string lines;
  for (const RunRow& run : runs) lines += json_of(run).dump() + "\n";
  return lines;
}

ReadRuns read_runs(std::string_view lines) {
  ReadRuns read;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.empty()) continue;
    const Result<Json> json = parse_json(line, kFileJson, ErrorCode::bad_message);
    Result<RunRow> run = json ? run_of(*json) : Result<RunRow>(json.error());
    if (run)
      read.runs.push_back(std::move(*run));
    else
      ++read.damaged;
  }
  return read;
}

std::filesystem::path history_folder() {
  const std::filesystem::path own = own_folder(OwnFolder::state);
  return own.empty() ? own : own / "gemm";
}

namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{256} << 20;  // bytes

Result<ReadRuns> read_in(const PrivateFolder& folder) {
  TESSERA_TRY(kept, folder.read(kFile, kLargest));
  return kept ? read_runs(kept->bytes) : ReadRuns();
}

}  // namespace

Result<ReadRuns> load_runs(const std::filesystem::path& folder) {
  if (folder.empty()) return ReadRuns();
  TESSERA_TRY(opened, PrivateFolder::open(folder));
  return opened ? read_in(*opened) : Result<ReadRuns>(ReadRuns());
}

Status save_runs(std::vector<RunRow> runs, const std::filesystem::path& folder, const std::vector<std::int64_t>& forgotten) {
  TESSERA_TRY(made, PrivateFolder::make(folder));
  const Descriptor locked = made.lock(std::chrono::seconds(2));
  TESSERA_TRY(kept, read_in(made));
  erase_forgotten(kept.runs, forgotten);
  RunHistory all;
  all.merge(std::move(runs));
  all.merge(std::move(kept.runs));
  TESSERA_TRY(written, made.write(kFile, to_lines(all.runs())));
  (void)written;
  return Done{};
}

}  // namespace tessera
