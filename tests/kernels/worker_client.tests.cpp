// SPDX-License-Identifier: BSD-3-Clause
// A real worker process (tests/kernels/test_worker.cpp: the real loop around a fake device) that crashes, hangs and talks nonsense. The
// client reports each in words, and its next run works.
#include "kernels/runtime/worker_client.hpp"

#include <signal.h>

#include <thread>

#include "tests/support/catch.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

WorkerClient client_of(const std::string& mood = "", milliseconds silence = milliseconds(20000)) {
  WorkerSettings settings;
  settings.command = "TEST_WORKER=" + mood + " '" TESSERA_TEST_WORKER "'";
  settings.silence_limit = silence;
  return WorkerClient(settings);
}

WorkerRequest check_of(const std::string& spec, Injection inject = Injection::none) {
  WorkerRequest request;
  request.op = WorkerOp::check;
  request.spec = spec;
  request.inject = inject;
  return request;
}

void require_next_run_works(WorkerClient& client) {
  const auto next = client.run(check_of("good"));
  REQUIRE(next.has_value());
  CHECK(next->correctness.passed);
}

}  // namespace

TEST_CASE("a worker answers several requests, with progress") {
  WorkerClient client = client_of();
  CHECK_FALSE(client.has_worker());
  std::vector<std::string> stages;
  const auto first = client.run(check_of("good"), [&](const ProgressEvent& event) { stages.push_back(event.stage); });
  REQUIRE(first.has_value());
  CHECK(first->correctness.compared == 64);
  CHECK(stages.front() == "compile");
  CHECK(client.has_worker());
  CHECK(client.devices()->at(0).name == "Fake GPU");
  CHECK_FALSE(client.run(check_of("wrong"))->correctness.passed);
  require_next_run_works(client);
}

TEST_CASE("a refused request is an error with its span, and the worker stays") {
  WorkerClient client = client_of();
  const auto refused = client.run(check_of("nonsense"));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::bad_spec);
  CHECK(refused.error().span == SourceSpan{0, 4});
  CHECK(refused.error().notes == std::vector<std::string>{"try good"});
  CHECK(client.has_worker());
  WorkerRequest elsewhere = check_of("good");
  elsewhere.device = 5;
  CHECK(client.run(elsewhere).error().code == ErrorCode::no_device);
}

TEST_CASE("a kernel that faults is reported in the driver's words, and the next run works") {
  WorkerClient client = client_of();
  const auto faulted = client.run(check_of("good", Injection::fault));
  REQUIRE_FALSE(faulted.has_value());
  CHECK(faulted.error().code == ErrorCode::launch_failed);
  CHECK(faulted.error().message.starts_with("CUDA_ERROR_ILLEGAL_ADDRESS: the kernel read or wrote outside its memory"));
  CHECK_FALSE(client.has_worker());
  require_next_run_works(client);
}

TEST_CASE("a kernel that hangs is reported by the worker itself where the driver lets it notice") {
  WorkerClient client = client_of();
  CHECK(client.run(check_of("good", Injection::hang)).error().code == ErrorCode::timed_out);
  require_next_run_works(client);
}

TEST_CASE("a worker that hangs with its kernel is ended by the client, and the next run works") {
  WorkerClient client = client_of("deaf", milliseconds(600));
  const auto begin = std::chrono::steady_clock::now();
  const auto hung = client.run(check_of("good", Injection::hang));
  CHECK(hung.error().code == ErrorCode::timed_out);
  CHECK(hung.error().message.find("said nothing for 0.6 s") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(15));
  CHECK_FALSE(client.has_worker());
  client = client_of();
  require_next_run_works(client);
}

TEST_CASE("a stop ends a run that hangs, at once") {
  WorkerClient client = client_of("deaf");
  std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(300));
    stop.request_stop();
  });
  const auto stopped = client.run(check_of("silence"), {}, stop.get_token());
  stopper.join();
  REQUIRE_FALSE(stopped.has_value());
  CHECK(stopped.error().message == "the run was stopped");
  require_next_run_works(client);
}

TEST_CASE("a worker that dies is reported with how it died, and the next run works") {
  WorkerClient client = client_of();
  const auto crashed = client.run(check_of("segfault"));
  CHECK(crashed.error().message.find("signal 11 (Segmentation fault)") != std::string::npos);
  require_next_run_works(client);
  const auto left = client.run(check_of("exit"));
  CHECK(left.error().message.find("exit code 7") != std::string::npos);
  require_next_run_works(client);
}

TEST_CASE("a line that is no event ends the worker, not the client") {
  WorkerClient client = client_of();
  CHECK(client.run(check_of("garbage")).error().code == ErrorCode::bad_message);
  require_next_run_works(client);
}

TEST_CASE("greetings that are missing, foreign or of another version") {
  SECTION("a banner before the hello is passed over") {
    WorkerClient client = client_of("banner");
    require_next_run_works(client);
  }
  SECTION("another protocol") {
    const auto refused = client_of("future").run(check_of("good"));
    CHECK(refused.error().code == ErrorCode::bad_message);
    CHECK(refused.error().message.find("speaks protocol 99; this program speaks 1") != std::string::npos);
  }
  SECTION("no hello") {
    WorkerSettings settings{"TEST_WORKER=mute '" TESSERA_TEST_WORKER "'", milliseconds(300), milliseconds(300)};
    CHECK(WorkerClient(settings).run(check_of("good")).error().message.find("did not greet") != std::string::npos);
  }
  SECTION("no such command") {
    const auto refused = WorkerClient({"/nowhere/tessera worker"}).run(check_of("good"));
    CHECK(refused.error().message.find("'/nowhere/tessera' could not be started: No such file") != std::string::npos);
  }
  SECTION("no such command after an assignment") {
    const auto refused = WorkerClient({"A=b /nowhere/tessera worker"}).run(check_of("good"));
    CHECK(refused.error().message.find("the command was not found") != std::string::npos);
    CHECK(refused.error().notes.back().find("/nowhere/tessera") != std::string::npos);  // env's own words
  }
  SECTION("a command that is no worker") {
    const auto refused = WorkerClient({"yes"}).run(check_of("good"));
    CHECK(refused.error().message.find("does not greet as a worker") != std::string::npos);
  }
  SECTION("a command that ends at once, before it reads: no SIGPIPE") {
    CHECK_FALSE(WorkerClient({"sh -c 'exit 3'"}).run(check_of("good")).has_value());
  }
}
