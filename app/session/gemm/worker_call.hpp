// SPDX-License-Identifier: BSD-3-Clause
// What a worker is sent to run a GEMM, and how long it is waited for.
#pragma once

#include "app/session/gemm/gemm_request.hpp"
#include "kernels/runtime/worker/worker_client.hpp"

namespace tessera {

struct WorkerCall {
  WorkerSettings settings;
  WorkerRequest message;
  GemmPlan plan;  // of the GEMM: what is refused on the CPU asks no worker
};
Result<WorkerCall> worker_call(const GemmRequest& request);

}  // namespace tessera
