// SPDX-License-Identifier: BSD-3-Clause
// A job's thread talks to the worker and leaves its progress and its end where the caller can look without waiting.
#include "app/session/gemm/jobs.hpp"

#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/session/gemm/worker_call.hpp"
#include "core/base/jobs.hpp"
#include "kernels/runtime/worker/worker_pool.hpp"

namespace tessera {
namespace {

Result<GemmReport> run_on_worker(const GemmRequest& request, WorkerPool& workers, const WorkerClient::OnProgress& on_progress,
                                 const std::stop_token& stop) {
  TESSERA_TRY(call, worker_call(request));
  WorkerClient client = workers.take(call.settings);
  Result<Measurement> measured = client.run(std::move(call.message), on_progress, stop);
  workers.keep(std::move(client));
  TESSERA_TRY(measurement, std::move(measured));
  return report_of(to_json(measurement), Provenance::live, call.plan);
}

Result<GemmReport> ended_early(const char* why) { return Error{ErrorCode::limit, fmt::format("the job ended early: {}", why), {}, {}}; }

}  // namespace

struct GemmJob::Shared {
  struct Ended {
    Result<GemmReport> report;
    bool stopped = false;
  };
  std::mutex mutex;
  Progress progress{"starting", 0};
  std::optional<Ended> ended;
  Jobs<Ended> jobs;  // last, so that its thread ends before what it uses

  void report(std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    progress = {std::string(stage), fraction};
  }
  // Whether it has ended, after so many seconds at most.
  bool has_ended(double seconds) {
    if (ended) return true;
    for (auto& made : jobs.take(seconds)) ended = std::move(made.value);
    return ended.has_value();
  }
  template <class Make>
  void start(Make make) {
    jobs.ask([make = std::move(make)](const std::stop_token& stop) {
      Result<GemmReport> report = or_refusal([&] { return make(stop); }, ended_early);
      return Ended{std::move(report), stop.stop_requested()};
    });
  }
};

GemmJob::GemmJob(GemmRequest request) : request_(std::move(request)), shared_(std::make_unique<Shared>()) {}

GemmJob::~GemmJob() = default;

std::shared_ptr<WorkerPool> make_worker_pool() { return std::make_shared<WorkerPool>(); }

std::unique_ptr<GemmJob> GemmJob::start(GemmRequest request, std::shared_ptr<WorkerPool> workers) {
  std::unique_ptr<GemmJob> job(new GemmJob(std::move(request)));
  if (!workers) workers = make_worker_pool();
  job->shared_->start([shared = job->shared_.get(), request = job->request_, workers = std::move(workers)](const std::stop_token& stop) {
    const auto on_progress = [shared](const ProgressEvent& event) { shared->report(event.stage, event.fraction); };
    return run_on_worker(request, *workers, on_progress, stop);
  });
  return job;
}

std::unique_ptr<GemmJob> GemmJob::start_emulation(GemmRequest request) {
  std::unique_ptr<GemmJob> job(new GemmJob(std::move(request)));
  job->shared_->start([shared = job->shared_.get(), request = job->request_](const std::stop_token&) {
    const Budget budget(request.limits);
    shared->report("emulate", 0.1);
    return emulate_soon(request);
  });
  return job;
}

GemmJob::State GemmJob::state() const {
  if (!shared_->has_ended(0)) return State::running;
  if (shared_->ended->report) return State::finished;
  return shared_->ended->stopped ? State::cancelled : State::failed;
}

GemmJob::Progress GemmJob::progress() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->progress;
}

void GemmJob::cancel() { shared_->jobs.stop(); }

void GemmJob::wait() { shared_->has_ended(std::numeric_limits<double>::infinity()); }

bool GemmJob::wait_for(std::chrono::milliseconds most) { return shared_->has_ended(std::chrono::duration<double>(most).count()); }

const Result<GemmReport>* GemmJob::result() const { return shared_->has_ended(0) ? &shared_->ended->report : nullptr; }

}  // namespace tessera
