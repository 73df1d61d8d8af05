// SPDX-License-Identifier: BSD-3-Clause
// From a request to the worker that is asked, and what it is sent.
#include "app/session/gemm/worker_call.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/session/gemm/jobs.hpp"
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

}  // namespace

Result<std::chrono::milliseconds> hello_limit_of(double start_seconds) {
  TESSERA_CHECK(check_seconds("a worker's start", start_seconds, 86400));
  return milliseconds_of(start_seconds);
}

Result<WorkerCall> worker_call(const GemmRequest& request) {
  TESSERA_TRY(injection, injection_of(request.inject));
  TESSERA_CHECK(check_seconds("a run", request.timeout_seconds, 86400));
  TESSERA_CHECK(check_seconds("a kernel", request.kernel_seconds, 3600));
  TESSERA_TRY(hello_limit, hello_limit_of(request.start_seconds));
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
  settings.hello_limit = hello_limit;
  settings.silence_limit = std::max(settings.silence_limit, milliseconds_of(request.kernel_seconds + kSecondsAfterKernel));
  WorkerRequest message;
  message.op = request.timing ? WorkerOp::run : WorkerOp::check;
  message.spec = to_spec_text(request);
  message.device = request.device;
  message.time_limit_seconds = request.kernel_seconds;
  message.date = today();
  message.inject = injection;
  return WorkerCall{std::move(settings), std::move(message), std::move(plan)};
}

Result<std::string> own_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / "tessera";
  if (error || ::access(program.c_str(), X_OK) != 0) {
    return Error{ErrorCode::io,
                 fmt::format("there is no program \"tessera\" beside this one to start as a worker (looked for {})", program.string()),
                 {},
                 {"name a command with --worker, e.g. --worker \"ssh gpubox tessera worker\""}};
  }
  return program.string();
}

Result<std::string> own_worker_command() {
  TESSERA_TRY(program, own_program());
  return quoted_word(program) + " worker";
}

}  // namespace tessera
