// SPDX-License-Identifier: BSD-3-Clause
// WorkerPool: workers that outlive a run, so that the next run finds its device open. Opening one takes longer than most kernels run.
//
//   WorkerClient client = pool.take(settings);
//   const auto measurement = client.run(request);
//   pool.keep(std::move(client));
//
// A run that went wrong has ended its worker, so a worker that is kept has answered. All of them end with the pool, and die with this
// process whatever happens (child_process.hpp).
#pragma once

#include <mutex>
#include <vector>

#include "kernels/runtime/worker/worker_client.hpp"

namespace tessera {

class WorkerPool {
 public:
  // A client with the worker that an earlier run of this command has left, or one that has none yet. The limits are those of `settings`.
  WorkerClient take(const WorkerSettings& settings);

  // One worker of each command is kept; others end.
  void keep(WorkerClient client);

 private:
  std::mutex mutex_;  // runs may end on several threads
  std::vector<WorkerClient> idle_;
};

}  // namespace tessera
