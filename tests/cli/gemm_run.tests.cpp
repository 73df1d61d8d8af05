// SPDX-License-Identifier: BSD-3-Clause
// `tessera gemm run` with a worker that misbehaves (tests/kernels/test_worker.cpp): it ends in time and in words, and leaves no process
// behind, however it is ended itself.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/process_list.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::string beside_tests(const char* name) { return (fs::read_symlink("/proc/self/exe").parent_path() / name).string(); }

const char* const kGemm = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";

// The program under test, running with a worker of some mood. Its worker's processes have the mark in their command lines.
class GemmRun {
 public:
  explicit GemmRun(const std::string& mood, std::vector<std::string> more = {}, const std::string& before = "env",
                   std::vector<std::string> words = {"gemm", "run", kGemm}) {
    words.insert(words.begin(), beside_tests("tessera"));
    words.push_back("--worker");
    words.push_back(before + " TEST_WORKER=" + mood + " '" + beside_tests("test_worker") + "' " + mark);
    words.insert(words.end(), more.begin(), more.end());
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setenv("HOME", folder_.path().c_str(), 1);
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}) ::unsetenv(name);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_DFL);
    ::dup2(::open((folder_ / "out").c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open((folder_ / "err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(99);
  }
  ~GemmRun() {
    if (pid_ > 0) send(SIGKILL), (void)end();
  }
  GemmRun(const GemmRun&) = delete;
  GemmRun& operator=(const GemmRun&) = delete;

  void send(int number) const { ::kill(pid_, number); }
  // Waits for the worker: the program's own command line has the mark too, so its process does not count.
  std::size_t wait_for_worker() const {
    for (int i = 0; i < 1000 && workers() == 0; ++i) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(200ms);  // the greeting and the request
    return workers();
  }
  // Its exit code; 128 + signal when it was killed.
  int end() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string errors() const { return contents(folder_ / "err"); }
  std::string output() const { return contents(folder_ / "out"); }

  const std::string mark = unique_mark();

 private:
  std::size_t workers() const {
    std::size_t count = 0;
    for (const int pid : processes_with(mark)) count += pid != pid_ ? 1 : 0;
    return count;
  }

  TemporaryFolder folder_;
  pid_t pid_ = -1;
};

}  // namespace

// A cluster's srun says that it queues, and starts the program when its turn comes.
TEST_CASE("a worker behind a queue is waited for as long as --worker-start says, and what the queue writes before is passed over") {
  TemporaryFolder folder;
  put(folder / "srun",
      "#!/bin/sh\nshift\necho 'srun: job 7 queued and waiting for resources' >&2\necho 'Welcome to the cluster'\nsleep 2\nexec \"$@\"\n");
  fs::permissions(folder / "srun", fs::perms::owner_all);
  const std::string worker = " --worker \"srun --gres=gpu:1 env CUDA_VISIBLE_DEVICES= '" + beside_tests("tessera") + "' worker\"";
  const auto run = [&](const std::string& more) {
    return shell_in(folder.path(), "tessera gemm run '" + std::string(kGemm) + "'" + worker + more, "",
                    "PATH='" + folder.path().string() + "':\"$PATH\"");
  };
  const auto devices = [&](const std::string& more) {
    return shell_in(folder.path(), "tessera devices" + worker + more, "", "PATH='" + folder.path().string() + "':\"$PATH\"");
  };
  CHECK(has(devices(" --worker-start 0.5").err, "did not greet within 0.5 s"));
  CHECK(has(devices(" --worker-start 0").err, "above 0"));
  CHECK(devices("").code == 3);
  const Run early = run(" --worker-start 0.5");
  CHECK(early.code == 1);
  CHECK(has(early.err, "did not greet within 0.5 s"));
  CHECK(has(early.err, "--worker-start SECONDS"));
  const Run late = run(" --worker-start 30");
  CHECK(late.code == 3);
  CHECK(has(late.err, "no_device: "));  // the worker has answered: there is none here
}

TEST_CASE("a kill, Ctrl-C and a closed terminal end a GEMM's run in words, and its worker with it") {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    for (const char* mood : {"deaf_to_input", "endless_progress", "stderr_flood", "half_line"}) {
      INFO("signal " << number << ", " << mood);
      GemmRun run(mood);
      REQUIRE(run.wait_for_worker() >= 1);
      run.send(number);
      CHECK(run.end() == 1);
      CHECK(has(run.errors(), "the run was stopped"));
      CHECK(left_after(5s, run.mark) == 0);
    }
  }
}

TEST_CASE("a worker dies with a program that is killed outright") {
  for (const char* mood : {"deaf_to_input", "endless_progress", "stubborn", "mute"}) {
    INFO(mood);
    GemmRun run(mood);
    REQUIRE(run.wait_for_worker() >= 1);
    run.send(SIGKILL);
    CHECK(run.end() == 128 + SIGKILL);
    CHECK(left_after(5s, run.mark) == 0);
  }
}

TEST_CASE("a worker in a session of its own, as behind ssh, leaves when its program is killed") {
  GemmRun run("deaf", {"--inject", "hang"}, "setsid env");
  REQUIRE(run.wait_for_worker() >= 1);
  run.send(SIGKILL);
  CHECK(run.end() == 128 + SIGKILL);
  CHECK(left_after(5s, run.mark) == 0);
}

TEST_CASE("other commands that ask a worker leave none behind either") {
  for (const int number : {SIGTERM, SIGINT, SIGKILL}) {
    GemmRun run("deaf_to_input", {}, "env", {"devices"});
    REQUIRE(run.wait_for_worker() >= 1);
    run.send(number);
    CHECK(run.end() == 128 + number);
    CHECK(left_after(5s, run.mark) == 0);
  }
}

TEST_CASE("a measurement of another GEMM than the one asked for is said to be one, and is no success") {
  GemmRun run("other_gemm", {"--check"});
  CHECK(run.end() == 1);
  CHECK(has(run.output(), "OF ANOTHER VERSION: m was 8, is 16, n was 8, is 16"));
  GemmRun named("other_name", {"--check"});
  CHECK(named.end() == 1);
  CHECK(has(named.errors(), "the result is of \"naive f32 8x8x8\", and \""));
  CHECK(named.output().empty());
}

TEST_CASE("--timeout is the time of the whole run, whatever its worker says meanwhile") {
  for (const char* mood : {"endless_progress", "flood_of_progress", "half_line", "stderr_flood", "dripping_line"}) {
    INFO(mood);
    GemmRun run(mood, {"--timeout", "0.5"});
    const auto began = std::chrono::steady_clock::now();
    CHECK(run.end() == 1);
    CHECK(std::chrono::steady_clock::now() - began < 10s);
    CHECK((has(run.errors(), "timed_out") || has(run.errors(), "limit")));
    CHECK(left_after(5s, run.mark) == 0);
  }
}

TEST_CASE("a hostile worker is refused in a few lines") {
  for (const char* mood : {"deep", "long_words", "lie", "wrong_id", "greets_again", "endless_banner", "many_banners"}) {
    INFO(mood);
    GemmRun run(mood);
    CHECK(run.end() == 1);
    CHECK(run.errors().size() < 20000);
    CHECK_FALSE(run.errors().empty());
    CHECK(left_after(5s, run.mark) == 0);
  }
}
