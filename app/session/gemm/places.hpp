// SPDX-License-Identifier: BSD-3-Clause
// Where runs go: a worker, named by the command that starts it, and a GPU of its machine. What a worker says of its GPUs, which commands
// were used before, and what a person can try where a worker does not answer.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/session/files/settings.hpp"
#include "app/session/gemm/gemm_request.hpp"
#include "core/base/result.hpp"
#include "kernels/runtime/device/device.hpp"

namespace tessera {

inline constexpr const char* kThisMachine = "this machine";  // in the place of an empty command

// The GPUs of the worker's machine, asked of a worker: the driver is opened in its process, and not in this one. Blocks until it answers,
// is stopped, or has not greeted in WorkerSettings' time. A refusal says what to try.
Result<std::vector<DeviceSummary>> devices_of(const GemmRequest& place, const std::stop_token& stop);
// "0: NVIDIA H200, sm_90, 139 GiB"
std::string words_of(const DeviceSummary& device);

// What went wrong on the way to a worker, with the worker's command and what to try. Other errors are left as they are: a kernel that is
// wrong, a spec that is refused.
Error said_of_worker(Error error, const GemmRequest& place);

// From now on that worker and that GPU; a command is the first of those that were used.
constexpr std::size_t kMostWorkers = 12;
void use_place(Settings& settings, const std::string& worker, int device);
// Refuses a command that is not started as it is written (split_command).
Status check_worker(const std::string& worker, bool shell);

}  // namespace tessera
