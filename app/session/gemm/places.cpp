// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/places.hpp"

#include <algorithm>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/gemm/jobs.hpp"
#include "kernels/runtime/worker/worker_client.hpp"
#include "kernels/runtime/worker/worker_command.hpp"

namespace tessera {
namespace {

// Did the worker, or the way to it, fail, and not what it was asked to do?
bool is_of_worker(ErrorCode code) {
  return code == ErrorCode::io || code == ErrorCode::timed_out || code == ErrorCode::bad_message || code == ErrorCode::launch_failed ||
         code == ErrorCode::no_device || code == ErrorCode::no_compiler;
}

Result<std::string> command_of(const GemmRequest& place) {
  return place.worker.empty() ? own_worker_command() : Result<std::string>(place.worker);
}

}  // namespace

Result<std::vector<DeviceSummary>> devices_of(const GemmRequest& place, const std::stop_token& stop) {
  const auto asked = [&]() -> Result<std::vector<DeviceSummary>> {
    TESSERA_TRY(command, command_of(place));
    WorkerSettings settings;
    settings.command = std::move(command);
    settings.shell = place.worker_shell && !place.worker.empty();
    TESSERA_TRY(found, WorkerClient(std::move(settings)).devices(stop));
    if (found.empty()) return Error{ErrorCode::no_device, "there is a driver and no GPU that it can use", {}, {}};
    return found;
  };
  Result<std::vector<DeviceSummary>> found = asked();
  if (found) return found;
  return said_of_worker(std::move(found).error(), place);
}

std::string words_of(const DeviceSummary& device) {
  return fmt::format("{}: {}, sm_{}, {} GiB", device.index, device.name, device.sm, device.memory_bytes >> 30);
}

Error said_of_worker(Error error, const GemmRequest& place) {
  if (!is_of_worker(error.code)) return error;
  const Result<std::string> command = command_of(place);
  error.notes.push_back(fmt::format("the worker: {}", command ? *command : kThisMachine));
  if (error.code == ErrorCode::no_device || error.code == ErrorCode::no_compiler)
    error.notes.push_back("another machine's GPU is used by a worker there, such as: ssh HOST tessera worker");
  else
    error.notes.push_back("to try it, give the command in a terminal: a worker that can be reached greets at once, with \"hello\"");
  return error;
}

void use_place(Settings& settings, const std::string& worker, int device) {
  settings.worker = worker;
  settings.device = device;
  if (worker.empty()) return;
  std::erase(settings.workers, worker);
  settings.workers.insert(settings.workers.begin(), worker);
  if (settings.workers.size() > kMostWorkers) settings.workers.resize(kMostWorkers);
}

Status check_worker(const std::string& worker, bool shell) {
  if (!worker.empty()) TESSERA_CHECK(worker_arguments(worker, shell));
  return Done{};
}

}  // namespace tessera
