// SPDX-License-Identifier: BSD-3-Clause
// What a worker is sent to run a GEMM, and how long it is waited for.
#pragma once

#include <chrono>
#include <string>

#include "app/session/gemm/gemm_request.hpp"
#include "kernels/runtime/worker/worker_client.hpp"

namespace tessera {

struct WorkerCall {
  WorkerSettings settings;
  WorkerRequest message;
  GemmPlan plan;  // of the GEMM: what is refused on the CPU asks no worker
};
// The path of `tessera`, which lies beside the running program.
Result<std::string> own_program();
Result<WorkerCall> worker_call(const GemmRequest& request);
// How long a worker's greeting is waited for (GemmRequest::start_seconds). Refuses what is no time, or more than a day.
Result<std::chrono::milliseconds> hello_limit_of(double start_seconds);

}  // namespace tessera
