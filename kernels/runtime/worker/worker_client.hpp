// SPDX-License-Identifier: BSD-3-Clause
// The client's side of worker_protocol.hpp: starts a worker when one is needed, and outlives whatever happens to it.
//
//   WorkerClient client({.command = "ssh gpubox tessera worker"});
//   auto measurement = client.run({.spec = "gemm(m=4096, n=4096, k=4096)"}, on_progress, stop);
//
// A worker that crashes, hangs, talks without end or nonsense, or is cancelled is killed with its children and reported as an Error in
// words; the next call starts a fresh one. One that ended between two calls is replaced, and the measurement's notes say so. Calls block:
// run them on a thread of your own, one at a time. The client starts no threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"

namespace tessera {

struct WorkerSettings {
  std::string command;                             // "tessera worker", "ssh gpubox tessera worker": see worker_command.hpp
  std::chrono::milliseconds hello_limit{20000};    // from start to hello
  std::chrono::milliseconds silence_limit{90000};  // between two events of a request
  std::chrono::milliseconds total_limit{600000};   // from a call to its answer, however much is said in between
  bool shell = false;                              // a shell reads the command: only where the person's own settings say so
};

class WorkerClient {
 public:
  explicit WorkerClient(WorkerSettings settings);
  ~WorkerClient();  // ends the worker, by force if it does not go
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;

  using OnProgress = std::function<void(const ProgressEvent&)>;

  // `request.id` is set here. op is run or check.
  Result<Measurement> run(WorkerRequest request, const OnProgress& on_progress = {}, std::stop_token stop = {});

  // `request.against` is the other GEMM; op is set here.
  Result<Comparison> compare(WorkerRequest request, const OnProgress& on_progress = {}, std::stop_token stop = {});

  Result<std::vector<DeviceSummary>> devices(std::stop_token stop = {});

  bool has_worker() const;  // started and, as far as is known, alive
  const WorkerSettings& settings() const { return settings_; }
  void set_limits(const WorkerSettings& settings);  // of the next calls; the command stays

 private:
  struct Worker;
  struct Patience;
  template <class Event>
  Result<Event> answer(WorkerRequest request, std::string_view what, const OnProgress& on_progress, std::stop_token stop);
  Result<WorkerEvent> ask(WorkerRequest request, const OnProgress& on_progress, std::stop_token stop);
  Result<WorkerEvent> ask_worker(WorkerRequest& request, Patience& patience, const OnProgress& on_progress, const std::stop_token& stop);
  Status start(Patience& patience, const std::stop_token& stop);
  Result<std::string> next_line(Patience& patience, const std::stop_token& stop);
  Error end_badly(Error error);
  void tell_of_replacement(Measurement& measurement) const;

  WorkerSettings settings_;
  std::unique_ptr<Worker> worker_;
  std::int64_t last_id_ = 0;
  double start_ms_ = 0;   // what the last call took to start a worker
  std::string left_;      // how the worker ended before it said anything to the request, in words; empty: it did not
  std::string replaced_;  // how the worker that was kept from an earlier call had ended, in words
};

}  // namespace tessera
