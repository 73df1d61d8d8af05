// SPDX-License-Identifier: BSD-3-Clause
// Clients by their commands. None is ended while the lock is held, since ending waits for a process.
#include "kernels/runtime/worker/worker_pool.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace tessera {
namespace {

auto same_command(const WorkerSettings& settings) {
  return [&settings](const WorkerClient& client) {
    return client.settings().command == settings.command && client.settings().shell == settings.shell;
  };
}

}  // namespace

WorkerClient WorkerPool::take(const WorkerSettings& settings) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(idle_.begin(), idle_.end(), same_command(settings));
  if (found == idle_.end()) return WorkerClient(settings);
  WorkerClient client = std::move(*found);
  idle_.erase(found);
  client.set_limits(settings);
  return client;
}

void WorkerPool::keep(WorkerClient client) {
  if (!client.has_worker()) return;
  const std::lock_guard lock(mutex_);
  if (std::none_of(idle_.begin(), idle_.end(), same_command(client.settings()))) idle_.push_back(std::move(client));
}

}  // namespace tessera
