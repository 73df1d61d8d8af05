// SPDX-License-Identifier: BSD-3-Clause
// A job's thread talks to the worker and leaves its progress and its end where the caller can look without waiting.
#include "app/session/gemm/jobs.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/session/gemm/worker_call.hpp"
#include "kernels/runtime/worker/worker_pool.hpp"

namespace tessera {
namespace {

Result<GemmReport> run_on_worker(const GemmRequest& request, WorkerPool& workers, const WorkerClient::OnProgress& on_progress,
                                 std::stop_token stop) {
  TESSERA_TRY(call, worker_call(request));
  WorkerClient client = workers.take(call.settings);
  Result<Measurement> measured = client.run(std::move(call.message), on_progress, stop);
  workers.keep(std::move(client));
  TESSERA_TRY(measurement, std::move(measured));
  return report_of(to_json(measurement), Provenance::live, call.plan);
}

// A job's thread has nobody above it to catch what a full memory throws.
template <class Work>
Result<GemmReport> without_exceptions(const Work& work) {
  try {
    return work();
  } catch (const std::exception& thrown) {
    return Error{ErrorCode::limit, fmt::format("the job ended early: {}", thrown.what()), {}, {}};
  }
}

}  // namespace

struct GemmJob::Shared {
  mutable std::mutex mutex;
  std::condition_variable ended;
  State state = State::running;
  Progress progress{"starting", 0};
  std::optional<Result<GemmReport>> result;
  std::jthread thread;  // last, so that it ends before what it uses

  void report(std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    progress = {std::string(stage), fraction};
  }
  void end(Result<GemmReport> with, bool stopped) {
    const std::lock_guard lock(mutex);
    state = with ? State::finished : stopped ? State::cancelled : State::failed;
    result = std::move(with);
    ended.notify_all();
  }
};

GemmJob::GemmJob(GemmRequest request) : request_(std::move(request)), shared_(std::make_unique<Shared>()) {}

GemmJob::~GemmJob() { cancel(); }

std::shared_ptr<WorkerPool> make_worker_pool() { return std::make_shared<WorkerPool>(); }

std::unique_ptr<GemmJob> GemmJob::start(GemmRequest request, std::shared_ptr<WorkerPool> workers) {
  std::unique_ptr<GemmJob> job(new GemmJob(std::move(request)));
  if (!workers) workers = make_worker_pool();
  job->shared_->thread =
      std::jthread([shared = job->shared_.get(), request = job->request_, workers = std::move(workers)](std::stop_token stop) {
        const auto on_progress = [shared](const ProgressEvent& event) { shared->report(event.stage, event.fraction); };
        // Before the question whether it was stopped.
        Result<GemmReport> report = without_exceptions([&] { return run_on_worker(request, *workers, on_progress, stop); });
        shared->end(std::move(report), stop.stop_requested());
      });
  return job;
}

std::unique_ptr<GemmJob> GemmJob::start_emulation(GemmRequest request) {
  std::unique_ptr<GemmJob> job(new GemmJob(std::move(request)));
  job->shared_->thread = std::jthread([shared = job->shared_.get(), request = job->request_](std::stop_token stop) {
    const Budget budget(request.limits);
    shared->report("emulate", 0.1);
    Result<GemmReport> report = without_exceptions([&] { return emulate_soon(request); });
    shared->end(std::move(report), stop.stop_requested());
  });
  return job;
}

GemmJob::State GemmJob::state() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->state;
}

GemmJob::Progress GemmJob::progress() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->progress;
}

void GemmJob::cancel() { shared_->thread.request_stop(); }

void GemmJob::wait() {
  std::unique_lock lock(shared_->mutex);
  shared_->ended.wait(lock, [this] { return shared_->state != State::running; });
}

bool GemmJob::wait_for(std::chrono::milliseconds most) {
  std::unique_lock lock(shared_->mutex);
  return shared_->ended.wait_for(lock, most, [this] { return shared_->state != State::running; });
}

const Result<GemmReport>* GemmJob::result() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->result ? &*shared_->result : nullptr;
}

}  // namespace tessera
