// SPDX-License-Identifier: BSD-3-Clause
// GemmJob: one run of a GEMM in the background, and the report of it. The device works in another process, so a kernel that faults or hangs
// ends that process and not this one; the report says what happened, and the next job starts a new one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/gemm_request.hpp"
#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/gemm/run/analysis.hpp"

namespace tessera {

class WorkerPool;

// Where a report's figures come from. Only live and recorded ones have a time.
enum class Provenance { live, emulated, recorded };
std::string_view to_string(Provenance provenance);  // "LIVE", "SIMULATED", "RECORDED"

// What came of it, for people and as JSON. A figure that was not measured is absent.
struct GemmReport {
  Provenance provenance = Provenance::emulated;
  std::string headline;                   // first line: "LIVE on NVIDIA H200 ..." or "SIMULATED on the CPU: ..."
  bool checked = false, correct = false;  // compared with a reference, and equal within the tolerance
  double largest_error = 0;               // |C - reference|
  std::string tolerance;                  // how equality was judged, in words
  std::string device, date;               // of live and recorded ones
  std::string other_version;              // where the GEMM that was measured is not the one asked for; empty: nowhere that can be told
  std::optional<double> microseconds;     // median of one launch
  std::optional<double> spread_percent;   // p10 to p90 of the repeats, of the median
  std::optional<double> tflops;
  std::optional<double> baseline_microseconds;  // cuBLASLt, measured in the same run
  std::optional<double> baseline_spread_percent;
  std::optional<double> baseline_tflops;
  std::optional<double> percent_of_baseline;
  std::optional<double> noise;                         // of the ratio to the baseline, by measure/noise.hpp
  bool no_difference = false;                          // from the baseline that exceeds it
  int ways = 0;                                        // of the baseline that were timed; 0: the library's first choice alone
  std::optional<double> percent_of_best, best_tflops;  // of the fastest of those ways
  std::optional<double> tflops_beside_best;            // of this kernel in the runs that the two are of: speeds differ from run to run
  bool no_best_difference = false;
  std::vector<AccessSummary> accesses;  // of an emulation: CTA 0, its first k-tile and its epilogue
  std::vector<std::string> lines;       // further facts for a table, "name: value"
  std::string json;                     // everything, machine-readable
};

// "64 wavefronts in 16 instructions, at least 64"
std::string access_text(const AccessSummary& row);

// "4.00 us (p10 to p90: 1.20 %)": no median is shown without its spread.
std::string median_text(double microseconds, const std::optional<double>& spread_percent);
// The same with the rate it means: "3.47 ms (p10 to p90: 0.449 %), 39.6 TFLOP/s".
std::string speed_text(double microseconds, const std::optional<double>& spread_percent, const std::optional<double>& tflops);
// "60.6 % of cuBLASLt top-1, 99.8 % of its best of 8 (no measurable difference)"; empty without a baseline.
std::string beside_baseline_text(const GemmReport& report);

// Emulates on the CPU; refuses products beyond kMostSimulatedMacs. Never has a time.
Result<GemmReport> emulate(const GemmPlan& plan);
// The same for a person without a GPU: a product too large to wait for is emulated at a few tiles, and the report says so.
Result<GemmReport> emulate_soon(const GemmRequest& request);
// The measurements that come with the program for a GEMM of this name (assets/recordings/*.json, and the rungs of the ladders there).
struct Recordings {
  std::vector<GemmReport> own;     // of this plan, the newest first: what its numbers are
  std::vector<GemmReport> others;  // of another plan of that name, those that differ least first: no answer to this one
  std::vector<Error> damaged;      // files that cannot be read
};
Recordings recordings(const GemmPlan& plan);
// A worker's answer, or a recording, as a report. `measurement_json` is what `tessera gemm run --json` prints; what it measured may be
// another GEMM than the one asked for.
Result<GemmReport> report_of(std::string_view measurement_json, Provenance provenance, const GemmPlan& asked);

// The command that starts this program's own worker: the `tessera` that lies beside the running binary.
Result<std::string> own_worker_command();

// Workers for the runs of one program: the first run starts one, later ones find it and its device open.
std::shared_ptr<WorkerPool> make_worker_pool();

class GemmJob {
 public:
  enum class State { running, finished, failed, cancelled };
  struct Progress {
    std::string stage;    // "starting", "lower", "compile", "launch", "check", "measure"
    double fraction = 0;  // of the whole, 0..1
  };

  // Both start at once on a thread of their own. The first runs on the device of a worker, which `workers` keeps for the next run; without
  // them it ends with the job. The second emulates here.
  static std::unique_ptr<GemmJob> start(GemmRequest request, std::shared_ptr<WorkerPool> workers = {});
  static std::unique_ptr<GemmJob> start_emulation(GemmRequest request);
  ~GemmJob();  // cancels and joins
  GemmJob(const GemmJob&) = delete;
  GemmJob& operator=(const GemmJob&) = delete;

  // One thread asks.
  State state() const;
  Progress progress() const;
  void cancel();  // returns at once; a worker that does not listen is ended
  void wait();
  bool wait_for(std::chrono::milliseconds most);  // whether it has ended
  // The report, or why there is none; null while running.
  const Result<GemmReport>* result() const;
  const GemmRequest& request() const { return request_; }

 private:
  struct Shared;
  explicit GemmJob(GemmRequest request);
  GemmRequest request_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace tessera
