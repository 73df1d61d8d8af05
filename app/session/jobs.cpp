// SPDX-License-Identifier: BSD-3-Clause
// A job's thread talks to the worker and leaves its progress and its end where the caller can look without waiting.
#include "app/session/jobs.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "kernels/runtime/worker/worker_client.hpp"
#include "kernels/runtime/worker/worker_command.hpp"

namespace tessera {
namespace {

constexpr double kSecondsAfterKernel = 30;  // a worker may be silent for a kernel's time, and so much longer

std::string today() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

Result<Injection> injection_of(const std::string& word) {
  if (word.empty() || word == "none") return Injection::none;
  if (word == "fault") return Injection::fault;
  if (word == "hang") return Injection::hang;
  return Error{ErrorCode::unknown_name, fmt::format("\"{}\" cannot be injected; fault and hang can", word), {}, {}};
}

// Also refuses what is no number.
Status check_seconds(std::string_view name, double seconds, double most) {
  if (seconds > 0 && seconds <= most) return Done{};
  return Error{
      ErrorCode::out_of_range, fmt::format("{} of {} s cannot be waited for; above 0 and up to {} s can", name, seconds, most), {}, {}};
}

std::chrono::milliseconds milliseconds_of(double seconds) { return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)); }

// Our own worker has the limits of who starts it.
std::string flags_of(const Limits& limits) {
  return fmt::format(" {} {} {} {} {} {}", kLimitSecondsFlag, limits.seconds, kLimitBytesFlag, limits.bytes, kLimitCellsFlag, limits.cells);
}

Result<GemmReport> run_on_worker(const GemmRequest& request, const WorkerClient::OnProgress& on_progress, std::stop_token stop) {
  TESSERA_TRY(injection, injection_of(request.inject));
  TESSERA_CHECK(check_seconds("a run", request.timeout_seconds, 86400));
  TESSERA_CHECK(check_seconds("a kernel", request.kernel_seconds, 3600));
  TESSERA_TRY(plan, [&] {
    const Budget budget(request.limits);
    return plan_of(request);
  }());
  WorkerSettings settings;
  settings.command = request.worker;
  settings.shell = request.worker_shell && !request.worker.empty();
  if (settings.command.empty()) {
    TESSERA_TRY(own, own_worker_command());
    settings.command = own + flags_of(request.limits);
  }
  settings.total_limit = milliseconds_of(request.timeout_seconds);
  settings.silence_limit = std::max(settings.silence_limit, milliseconds_of(request.kernel_seconds + kSecondsAfterKernel));
  WorkerRequest message;
  message.op = request.timing ? WorkerOp::run : WorkerOp::check;
  message.spec = to_spec_text(request);
  message.device = request.device;
  message.time_limit_seconds = request.kernel_seconds;
  message.date = today();
  message.inject = injection;
  WorkerClient client(settings);
  TESSERA_TRY(measurement, client.run(std::move(message), on_progress, stop));
  return report_of(to_json(measurement), Provenance::live, plan);
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

Result<std::string> own_worker_command() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / "tessera";
  if (error || ::access(program.c_str(), X_OK) != 0) {
    return Error{ErrorCode::io,
                 fmt::format("there is no program \"tessera\" beside this one to start as a worker (looked for {})", program.string()),
                 {},
                 {"name a command with --worker, e.g. --worker \"ssh gpubox tessera worker\""}};
  }
  return quoted_word(program.string()) + " worker";
}

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

std::unique_ptr<GemmJob> GemmJob::start(GemmRequest request) {
  std::unique_ptr<GemmJob> job(new GemmJob(std::move(request)));
  job->shared_->thread = std::jthread([shared = job->shared_.get(), request = job->request_](std::stop_token stop) {
    const auto on_progress = [shared](const ProgressEvent& event) { shared->report(event.stage, event.fraction); };
    // Before the question whether it was stopped.
    Result<GemmReport> report = without_exceptions([&] { return run_on_worker(request, on_progress, stop); });
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

const Result<GemmReport>* GemmJob::result() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->result ? &*shared_->result : nullptr;
}

}  // namespace tessera
