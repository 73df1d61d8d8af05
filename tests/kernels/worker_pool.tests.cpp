// SPDX-License-Identifier: BSD-3-Clause
// Real worker processes (tests/kernels/test_worker.cpp) that serve one run after another, and what happens to them between the runs.
#include "kernels/runtime/worker/worker_pool.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/process_list.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

// The processes of a worker in this mood have `mark` in their command lines.
WorkerSettings settings_of(const std::string& mark, const std::string& mood = "") {
  WorkerSettings settings;
  settings.command = "TEST_WORKER=" + mood + " '" + test::program("test_worker") + "' " + mark;
  return settings;
}

Result<Measurement> run(WorkerPool& pool, const WorkerSettings& settings, const std::string& spec = "good") {
  WorkerRequest request;
  request.op = WorkerOp::check;
  request.spec = spec;
  WorkerClient client = pool.take(settings);
  Result<Measurement> measurement = client.run(request);
  pool.keep(std::move(client));
  return measurement;
}

std::vector<int> processes_of(const std::string& mark) {
  std::vector<int> found = test::processes_with(mark);
  std::sort(found.begin(), found.end());
  return found;
}

// The one that answers, not the sleeping ones of its group.
int worker_of(const std::string& mark) {
  for (const int pid : test::processes_with(mark)) {
    std::error_code ignored;
    if (std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ignored).filename() == "test_worker") return pid;
  }
  return -1;
}

}  // namespace

TEST_CASE("two runs of one command reach one worker process, and the second opens nothing") {
  const std::string mark = test::unique_mark();
  {
    WorkerPool pool;
    const auto first = run(pool, settings_of(mark)).value();
    const std::vector<int> workers = processes_of(mark);
    REQUIRE_FALSE(workers.empty());
    const auto second = run(pool, settings_of(mark)).value();
    CHECK(processes_of(mark) == workers);
    CHECK(first.spent->start > 0);
    CHECK(second.spent->start == 0);
    CHECK(second.spent->open < first.spent->start);
    CHECK(second.notes.empty());
  }
  CHECK(test::left_after(milliseconds(5000), mark) == 0);
}

TEST_CASE("the limits of a run hold for a worker that was kept from another") {
  const std::string mark = test::unique_mark();
  WorkerPool pool;
  REQUIRE(run(pool, settings_of(mark)));
  WorkerSettings hasty = settings_of(mark);
  hasty.silence_limit = milliseconds(300);
  const auto silent = run(pool, hasty, "silence");
  REQUIRE_FALSE(silent);
  CHECK(silent.error().message.find("said nothing for 0.3 s") != std::string::npos);
  CHECK(test::left_after(milliseconds(5000), mark) == 0);  // it is not kept
  CHECK(run(pool, settings_of(mark)));
}

TEST_CASE("a worker that died between two runs is replaced, and the measurement says how it died") {
  const std::string mark = test::unique_mark();
  WorkerPool pool;
  REQUIRE(run(pool, settings_of(mark)));
  const int worker = worker_of(mark);
  REQUIRE(worker > 0);
  ::kill(worker, SIGKILL);
  const auto next = run(pool, settings_of(mark));
  REQUIRE(next);
  CHECK(next->correctness.passed);
  CHECK(next->spent->start > 0);
  REQUIRE(next->notes.size() == 1);
  CHECK(next->notes[0] == "the worker of the run before was killed by signal 9 (Killed); this run has a fresh one");
  CHECK(worker_of(mark) != worker);
  CHECK(run(pool, settings_of(mark))->notes.empty());
}

TEST_CASE("a worker that leaves just when it is asked again is replaced, and its request is not lost") {
  const std::string mark = test::unique_mark();
  WorkerPool pool;
  REQUIRE(run(pool, settings_of(mark, "one_shot")));
  const auto next = run(pool, settings_of(mark, "one_shot"), "slower");  // another GEMM, which it has not lowered
  INFO((next ? "" : describe(next.error())));
  REQUIRE(next);
  REQUIRE(next->notes.size() == 1);
  CHECK(next->notes[0] == "the worker of the run before ended with exit code 0; this run has a fresh one");
}

TEST_CASE("a request that kills a worker is tried once more and then told, not for ever") {
  const std::string mark = test::unique_mark();
  WorkerPool pool;
  REQUIRE(run(pool, settings_of(mark)));
  const auto killed = run(pool, settings_of(mark), "segfault");
  REQUIRE_FALSE(killed);
  CHECK(killed.error().message.find("signal 11 (Segmentation fault)") != std::string::npos);
  CHECK(test::left_after(milliseconds(5000), mark) == 0);
  CHECK(run(pool, settings_of(mark)));
}

TEST_CASE("one worker of each command is kept, those of runs at the same time end") {
  const std::string mark = test::unique_mark(), other = test::unique_mark();
  WorkerPool pool;
  REQUIRE(run(pool, settings_of(mark)));
  REQUIRE(run(pool, settings_of(other)));
  const std::vector<int> workers = processes_of(mark), others = processes_of(other);
  CHECK(workers != others);
  WorkerRequest request;
  request.op = WorkerOp::check;
  request.spec = "good";
  WorkerClient first = pool.take(settings_of(mark)), second = pool.take(settings_of(mark));
  REQUIRE(second.run(request));
  CHECK(first.has_worker());
  CHECK(processes_of(mark).size() == 2 * workers.size());
  pool.keep(std::move(first));
  pool.keep(std::move(second));
  for (int i = 0; i < 500 && processes_of(mark) != workers; ++i) std::this_thread::sleep_for(milliseconds(10));
  CHECK(processes_of(mark) == workers);
  CHECK(processes_of(other) == others);
}
