// SPDX-License-Identifier: BSD-3-Clause
// Real faults and hangs, in a worker process on a real GPU: both are survived, and the next run works.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/worker/worker_client.hpp"
#include "kernels/runtime/worker/worker_command.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

bool has_gpu() {
  const auto found = devices();
  if (found && !found->empty() && open_nvrtc()) return true;
  WARN("skipped: no GPU (" << (found ? "none found, or no NVRTC" : found.error().message) << ")");
  return false;
}

WorkerClient gpu_client(milliseconds silence = milliseconds(60000)) {
  WorkerSettings settings;
  settings.command = "TEST_WORKER=gpu '" + test::program("test_worker") + "'";
  settings.silence_limit = silence;
  return WorkerClient(settings);
}

WorkerRequest request_of(Injection inject, double time_limit_seconds) {
  WorkerRequest request;
  request.op = WorkerOp::check;
  request.spec = "good";
  request.inject = inject;
  request.time_limit_seconds = time_limit_seconds;
  return request;
}

void require_next_run_works(WorkerClient& client) {
  const auto next = client.run(request_of(Injection::none, 30));
  INFO((next ? "" : describe(next.error())));
  REQUIRE(next.has_value());
  CHECK(next->correctness.passed);
}

}  // namespace

TEST_CASE("a kernel that faults on the GPU is reported in words, and the next run works") {
  if (!has_gpu()) return;
  WorkerClient client = gpu_client();
  const auto faulted = client.run(request_of(Injection::fault, 30));
  REQUIRE_FALSE(faulted.has_value());
  WARN(describe(faulted.error()));
  CHECK(faulted.error().code == ErrorCode::launch_failed);
  CHECK(faulted.error().message.starts_with("CUDA_ERROR_ILLEGAL_ADDRESS"));
  require_next_run_works(client);
}

TEST_CASE("a kernel that hangs on the GPU is noticed by the worker, and the next run works") {
  if (!has_gpu()) return;
  WorkerClient client = gpu_client();
  const auto hung = client.run(request_of(Injection::hang, 2));
  REQUIRE_FALSE(hung.has_value());
  WARN(describe(hung.error()));
  CHECK(hung.error().code == ErrorCode::timed_out);
  require_next_run_works(client);
}

TEST_CASE("a worker that waits for a hanging kernel is ended from outside, and the next run works") {
  if (!has_gpu()) return;
  WorkerClient client = gpu_client(milliseconds(8000));
  const auto hung = client.run(request_of(Injection::hang, 600));
  REQUIRE_FALSE(hung.has_value());
  WARN(describe(hung.error()));
  CHECK(hung.error().message.find("said nothing for 8.0 s") != std::string::npos);
  require_next_run_works(client);
}

TEST_CASE("a kept worker finds its kernel again, and says where the time of each run went") {
  if (!has_gpu()) return;
  const test::TemporaryFolder folder;
  const std::string program = test::program("tessera");
  WorkerClient client(
      WorkerSettings{.command = "XDG_CACHE_HOME=" + quoted_word(folder.path().string()) + " " + quoted_word(program) + " worker"});
  const auto median = [](std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  };
  for (const char* name : {"article_gemm", "tensor_gemm"}) {
    WorkerRequest request = request_of(Injection::none, 30);
    request.spec = std::string("#! gemm ") + name + "\n" + test::contents("assets/presets/tour.tess");
    std::vector<double> overheads, launches;
    for (int i = 0; i < 8; ++i) {
      const auto run = client.run(request);
      INFO((run ? "" : describe(run.error())));
      REQUIRE(run.has_value());
      std::string parts;
      for (const auto& [part, ms] : kPartsOfTime) parts += " " + std::string(part) + " " + std::to_string((*run->spent).*ms);
      WARN(name << (run->cache.hit ? ", cache hit:" : ", cache miss:") << parts << ", compile " << run->compile_ms << ": overhead "
                << run->spent->overhead() << " ms");
      if (i < 2) continue;  // the first opens the device
      CHECK(run->cache.hit);
      overheads.push_back(run->spent->overhead());
      launches.push_back(run->spent->found_to_launched());
    }
    WARN(name << ": medians of " << overheads.size() << " runs: " << median(overheads) << " ms beside the kernels, " << median(launches)
              << " ms from the kept cubin to its launch");
  }
}
