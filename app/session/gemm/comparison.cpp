// SPDX-License-Identifier: BSD-3-Clause
// First the specs, then both on the CPU, then both on a worker's device.
#include "app/session/gemm/comparison.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/gemm/places.hpp"
#include "app/session/gemm/worker_call.hpp"
#include "core/base/jobs.hpp"
#include "core/base/json.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/runtime/measure/noise.hpp"

namespace tessera {
namespace {

std::vector<GemmComparison::Count> side_by_side(const std::vector<AccessSummary>& a, const std::vector<AccessSummary>& b) {
  std::map<Access::Step, GemmComparison::Count> of_step;  // in the order of the steps
  for (const AccessSummary& row : a) of_step[row.step].a = row;
  for (const AccessSummary& row : b) of_step[row.step].b = row;
  std::vector<GemmComparison::Count> counts;
  for (auto& [step, count] : of_step) {
    count.step = step;
    counts.push_back(std::move(count));
  }
  return counts;
}

bool same_problem(const GemmSpec& a, const GemmSpec& b) { return a.m == b.m && a.n == b.n && a.k == b.k; }

// What is missing here, and not wrong.
bool is_missing(const Error& error) { return error.code == ErrorCode::no_device || error.code == ErrorCode::no_compiler; }

Json count_json(const std::optional<AccessSummary>& row) {
  if (!row) return Json();
  return Json::object(
      {{"instructions", row->instructions}, {row->shared ? "wavefronts" : "sectors", row->units}, {"least", row->least_units}});
}

Json side_json(const GemmSpec& spec, const GemmReport& emulated, const std::optional<GemmReport>& measured) {
  Json::Members members{{"name", spec.name}, {"spec", to_string(spec)}, {"emulation_correct", emulated.correct}};
  if (measured) {
    members.push_back({"correct", measured->correct});
    members.push_back({"median_us", measured->microseconds ? Json(*measured->microseconds) : Json()});
    members.push_back({"tflops", measured->tflops ? Json(*measured->tflops) : Json()});
    members.push_back({"spread_percent", measured->spread_percent ? Json(*measured->spread_percent) : Json()});
  }
  return Json::object(std::move(members));
}

void compare_fields(GemmComparison& made) {
  for (const SpecField* field : difference(made.spec_a, made.spec_b)) {
    made.differences.push_back({std::string(field->name), text_of(*field, made.spec_a), text_of(*field, made.spec_b),
                                difference_text(*field, made.spec_a, made.spec_b)});
  }
}

// Nothing is emulated: a device checks both.
Result<GemmComparison> measured_in_turn(const GemmRequest& a, const GemmRequest& b, const WorkerClient::OnProgress& on_progress,
                                        const std::stop_token& stop) {
  GemmComparison made;
  for (const auto& [request, into] : {std::pair(&a, &made.spec_a), std::pair(&b, &made.spec_b)}) {
    const Budget budget(request->limits);
    TESSERA_TRY(spec, spec_of(*request));
    *into = std::move(spec);
  }
  compare_fields(made);
  const Status measured = measure(made, a, b, on_progress, stop);
  if (measured) return made;
  return stop.stop_requested() ? measured.error() : said_of_worker(measured.error(), a);
}

}  // namespace

Result<GemmComparison> compare(const GemmRequest& a, const GemmRequest& b) {
  GemmComparison made;
  {
    const Budget budget(a.limits);
    TESSERA_TRY(spec, spec_of(a));
    TESSERA_TRY(report, emulate_soon(a));
    made.spec_a = std::move(spec), made.emulated_a = std::move(report);
  }
  {
    const Budget budget(b.limits);
    TESSERA_TRY(spec, spec_of(b));
    TESSERA_TRY(report, emulate_soon(b));
    made.spec_b = std::move(spec), made.emulated_b = std::move(report);
  }
  compare_fields(made);
  made.counts = side_by_side(made.emulated_a.accesses, made.emulated_b.accesses);
  made.not_measured = "nothing was measured";
  return made;
}

Status measure(GemmComparison& comparison, const GemmRequest& a, const GemmRequest& b, const WorkerClient::OnProgress& on_progress,
               std::stop_token stop) {
  TESSERA_TRY(call, worker_call(a));
  TESSERA_TRY(other, worker_call(b));
  call.message.against = other.message.spec;
  WorkerClient client(call.settings);
  Result<Comparison> both = client.compare(std::move(call.message), on_progress, stop);
  if (!both && is_missing(both.error())) {
    comparison.not_measured = "nothing was measured: " + both.error().message;
    return Done{};
  }
  if (!both) return std::move(both).error();
  TESSERA_TRY(of_a, report_of(to_json(both->a), Provenance::live, call.plan));
  TESSERA_TRY(of_b, report_of(to_json(both->b), Provenance::live, other.plan));
  if (both->a.timing) {
    comparison.ratio = both->a.timing->interleaved.ratio;
    comparison.control = both->a.timing->ratio_control;
    comparison.noise = noise_of(both->a.timing->interleaved, comparison.control);
  }
  comparison.measured_a = std::move(of_a), comparison.measured_b = std::move(of_b);
  comparison.not_measured.clear();
  return Done{};
}

std::optional<SpeedRatio> speed_ratio(const GemmComparison& comparison) {
  if (!comparison.ratio || !(*comparison.ratio > 0)) return std::nullopt;
  return SpeedRatio{1 / *comparison.ratio, comparison.noise.value_or(0), "A"};
}

struct ComparisonJob::Shared {
  std::mutex mutex;
  GemmJob::Progress progress{"starting", 0};
  bool stopped = false;
  Jobs<Result<GemmComparison>> jobs;  // last, so that its thread ends before what it uses
};

ComparisonJob::ComparisonJob(GemmRequest a, GemmRequest b) : shared_(std::make_unique<Shared>()) {
  shared_->jobs.ask([shared = shared_.get(), a = std::move(a), b = std::move(b)](const std::stop_token& stop) {
    const auto on_progress = [shared](const ProgressEvent& event) {
      const std::lock_guard lock(shared->mutex);
      shared->progress = {event.stage, event.fraction};
    };
    return or_refusal([&] { return measured_in_turn(a, b, on_progress, stop); },
                      [](const char* why) {
                        return Result<GemmComparison>(Error{ErrorCode::limit, fmt::format("the comparison ended early: {}", why), {}, {}});
                      });
  });
}

ComparisonJob::~ComparisonJob() = default;

GemmJob::Progress ComparisonJob::progress() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->progress;
}

void ComparisonJob::cancel() {
  shared_->stopped = true;
  shared_->jobs.stop();
}

bool ComparisonJob::stopped() const { return shared_->stopped; }

std::optional<Result<GemmComparison>> ComparisonJob::take() {
  for (auto& made : shared_->jobs.take(0)) return std::move(made.value);
  return std::nullopt;
}

std::string ratio_text(const GemmComparison& comparison) {
  if (!comparison.ratio) return comparison.not_measured.empty() ? "no speed of a wrong answer" : comparison.not_measured;
  std::string text = fmt::format("b takes {:.3f} times as long as a, launched in turn", *comparison.ratio);
  if (comparison.control) text += fmt::format("; b takes {:.3f} times as long as itself", *comparison.control);
  if (comparison.noise) text += "; " + difference_text(*comparison.ratio, *comparison.noise);
  if (!same_problem(comparison.spec_a, comparison.spec_b)) text += "; the problems differ, so compare rates";
  return text;
}

std::string to_json(const GemmComparison& comparison) {
  Json::List differences, counts;
  for (const GemmComparison::Difference& each : comparison.differences)
    differences.push_back(Json::object({{"field", each.field}, {"a", each.a}, {"b", each.b}}));
  for (const GemmComparison::Count& each : comparison.counts)
    counts.push_back(Json::object({{"step", step_name(each.step)}, {"a", count_json(each.a)}, {"b", count_json(each.b)}}));
  Json::Members members{
      {"a", side_json(comparison.spec_a, comparison.emulated_a, comparison.measured_a)},
      {"b", side_json(comparison.spec_b, comparison.emulated_b, comparison.measured_b)},
      {"differences", std::move(differences)},
      {"counts", std::move(counts)},
      {"device", comparison.measured_a ? Json(comparison.measured_a->device) : Json()},
      {"ratio", comparison.ratio ? Json(*comparison.ratio) : Json()},
      {"control", comparison.control ? Json(*comparison.control) : Json()},
      {"noise", comparison.noise},
      {"measurable", comparison.ratio && comparison.noise ? Json(is_measurable(*comparison.ratio, *comparison.noise)) : Json()}};
  if (!comparison.not_measured.empty()) members.push_back({"not_measured", comparison.not_measured});
  return Json::object(std::move(members)).dump(2);
}

}  // namespace tessera
