// SPDX-License-Identifier: BSD-3-Clause
// Two GEMMs beside each other: in which fields they differ, what their accesses cost by the bank and sector rules, and how fast each is in
// one run on one device.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/session/gemm/jobs.hpp"
#include "app/session/gemm/prediction.hpp"
#include "kernels/runtime/worker/worker_client.hpp"

namespace tessera {

struct GemmComparison {
  struct Difference {
    std::string field, a, b;  // texts of the language; empty: left out
    std::string words;        // "stages: 1 -> 3"
  };
  struct Count {
    Access::Step step{};
    std::optional<AccessSummary> a, b;  // nothing: the GEMM has no such step
  };
  GemmSpec spec_a, spec_b;
  std::vector<Difference> differences;
  GemmReport emulated_a, emulated_b;
  std::vector<Count> counts;                         // in the order of the steps
  std::optional<GemmReport> measured_a, measured_b;  // of one run, both or none
  std::optional<double> ratio;                       // time of b / time of a, launched in turn; nothing: not both are right
  std::optional<double> control;                     // b / b of the same run: how far the ratio can be trusted
  std::optional<double> noise;                       // up to which a ratio is no measurable difference (measure/noise.hpp)
  std::string not_measured;                          // why, in a sentence; empty: they were
};

// What can be said without a device.
Result<GemmComparison> compare(const GemmRequest& a, const GemmRequest& b);

// Both on a's worker and device, into the comparison. Where there is no device or no compiler the comparison says so, and that is no
// error; a kernel that faults, or a worker that does not answer, is one.
Status measure(GemmComparison& comparison, const GemmRequest& a, const GemmRequest& b, const WorkerClient::OnProgress& on_progress,
               std::stop_token stop);

// How many times as fast b is, by the launches in turn; nothing where they have no times.
std::optional<SpeedRatio> speed_ratio(const GemmComparison& comparison);

// Both measured in turn in the background, and nothing emulated. Starts at once on a thread of its own; its end cancels it.
class ComparisonJob {
 public:
  ComparisonJob(GemmRequest a, GemmRequest b);
  ~ComparisonJob();
  ComparisonJob(const ComparisonJob&) = delete;
  ComparisonJob& operator=(const ComparisonJob&) = delete;

  // One thread asks.
  GemmJob::Progress progress() const;
  void cancel();  // returns at once
  bool stopped() const;
  std::optional<Result<GemmComparison>> take();  // once, when it has ended

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// "b takes 1.25 times as long as a, ...": within the noise, that there is no measurable difference.
std::string ratio_text(const GemmComparison& comparison);
std::string to_json(const GemmComparison& comparison);

}  // namespace tessera
