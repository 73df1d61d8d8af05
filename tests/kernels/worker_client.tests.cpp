// SPDX-License-Identifier: BSD-3-Clause
// A real worker process (tests/kernels/test_worker.cpp: the real loop around a fake device) that crashes, hangs and talks nonsense. The
// client reports each in words, and its next run works.
#include "kernels/runtime/worker/worker_client.hpp"

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/utf8.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/process_list.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using std::chrono::milliseconds;

namespace {

WorkerClient client_of(const std::string& mood = "", milliseconds silence = milliseconds(20000)) {
  WorkerSettings settings;
  settings.command = "TEST_WORKER=" + mood + " '" + test::program("test_worker") + "'";
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

TEST_CASE("a worker compares two GEMMs, and says which of them it refuses or finds wrong") {
  WorkerClient client = client_of();
  WorkerRequest request = check_of("good");
  request.against = "slower";
  request.mode_seconds = 0.02;
  std::vector<std::string> stages;
  const auto both = client.compare(request, [&](const ProgressEvent& event) { stages.push_back(event.stage); });
  INFO((both ? "" : describe(both.error())));
  REQUIRE(both.has_value());
  CHECK(stages.back() == "time");
  REQUIRE(both->a.timing);
  CHECK(both->a.timing->interleaved.kernel.median == Approx(100));
  CHECK(*both->a.timing->interleaved.ratio == Approx(2.5));
  CHECK(both->a.timing->baseline_name == "slower");
  CHECK(both->b.name == "slower");
  CHECK(both->b.timing->interleaved.kernel.median == Approx(250));
  request.against = "wrong";
  const auto wrong = client.compare(request);
  REQUIRE(wrong.has_value());
  CHECK(wrong->a.correctness.passed);
  CHECK_FALSE(wrong->b.correctness.passed);
  CHECK_FALSE(wrong->a.timing);
  request.against = "nonsense";
  CHECK(client.compare(request).error().code == ErrorCode::bad_spec);
  request.against.clear();
  CHECK(client.compare(request).error().message.find("'against' is missing") != std::string::npos);
  request.against = "good";
  request.inject = Injection::fault;
  CHECK(client.compare(request).error().code == ErrorCode::launch_failed);
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

namespace {

// A worker that lies, and which dies with its lies.
Error told_by_liar(const std::string& mood, WorkerSettings settings = {}) {
  const std::string mark = test::unique_mark();
  settings.command = "TEST_WORKER=" + mood + " '" + test::program("test_worker") + "' " + mark;
  const auto begin = std::chrono::steady_clock::now();
  WorkerClient client(settings);
  const auto told = client.run(check_of("good"));
  INFO(mood);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
  REQUIRE_FALSE(told.has_value());
  CHECK((!client.has_worker() || mood == "long_words"));
  if (mood != "long_words") CHECK(test::left_after(milliseconds(5000), mark) == 0);
  return told.error();
}

bool has(const Error& error, const std::string& words) { return error.message.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a worker that goes on making progress is ended when the total time is over") {
  WorkerSettings settings;
  settings.silence_limit = milliseconds(20000);
  settings.total_limit = milliseconds(700);
  const Error ended = told_by_liar("endless_progress", settings);
  CHECK(ended.code == ErrorCode::timed_out);
  CHECK(has(ended, "did not end within 0.7 s"));
}

TEST_CASE("everything a worker says to one request is bounded, progress too") {
  const Error flood = told_by_liar("flood_of_progress");
  CHECK(flood.code == ErrorCode::limit);
  CHECK(has(flood, "more than 67108864 bytes to one request"));
  CHECK(told_by_liar("long_line").code == ErrorCode::limit);
}

TEST_CASE("a worker that falls silent, in the middle of a line too, is ended after the silence it is allowed") {
  WorkerSettings settings;
  settings.silence_limit = milliseconds(400);
  for (const char* mood : {"half_line", "dripping_line", "stderr_flood", "deaf_to_input"}) {
    const Error ended = told_by_liar(mood, settings);
    CHECK(ended.code == ErrorCode::timed_out);
    CHECK(has(ended, "said nothing for 0.4 s"));
    for (const std::string& note : ended.notes) CHECK(note.size() < 5000);
  }
}

TEST_CASE("answers that lie are refused with the reason") {
  CHECK(has(told_by_liar("deep"), "nested more than 64 deep"));
  CHECK(has(told_by_liar("wrong_id"), "answered request 77; it was asked request 1"));
  CHECK(has(told_by_liar("no_id"), "answered request 0; it was asked request 1"));
  CHECK(has(told_by_liar("greets_again"), "greeted again"));
  CHECK(has(told_by_liar("lie"), "'m' must be a whole number from 0"));
  CHECK(told_by_liar("long_words").message.size() < 20000);
}

TEST_CASE("a greeting is bounded in time and in bytes, however it is made of lines") {
  WorkerSettings settings;
  settings.hello_limit = milliseconds(500);
  CHECK(has(told_by_liar("dripping_banner", settings), "did not greet within 0.5 s"));
  for (const char* mood : {"endless_banner", "many_banners"}) CHECK(has(told_by_liar(mood), "does not greet as a worker"));
  WorkerSettings hasty;
  hasty.total_limit = milliseconds(300);
  CHECK(has(told_by_liar("dripping_banner", hasty), "did not greet within 0.3 s"));
}

TEST_CASE("a worker that stays when its input ends is ended by force") {
  const std::string mark = test::unique_mark();
  {
    WorkerSettings settings;
    settings.command = "TEST_WORKER=stubborn '" + test::program("test_worker") + "' " + mark;
    WorkerClient client(settings);
    require_next_run_works(client);
    CHECK(test::processes_with(mark).size() >= 1);
  }
  CHECK(test::left_after(milliseconds(5000), mark) == 0);
}

TEST_CASE("a worker leaves in the middle of a kernel when nobody is left to hear of it, its launcher's group or not") {
  // As behind ssh: the worker is in a session of its own, where no kill reaches it, and only its pipes tell.
  const std::string mark = test::unique_mark();
  auto client = std::make_unique<WorkerClient>(WorkerSettings{
      .command = "setsid env TEST_WORKER=deaf '" + test::program("test_worker") + "' " + mark, .silence_limit = milliseconds(500)});
  CHECK(client->run(check_of("good", Injection::hang)).error().code == ErrorCode::timed_out);
  client.reset();
  CHECK(test::left_after(milliseconds(5000), mark) == 0);
}

TEST_CASE("a worker answers what it was asked when its input has ended, as in a pipeline") {
  const std::string command =
      "echo '{\"v\":1,\"id\":4,\"op\":\"check\",\"spec\":\"good\"}' | '" + test::program("test_worker") + "' | tail -n 1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string answer(100000, '\0');
  answer.resize(std::fread(answer.data(), 1, answer.size(), pipe.get()));
  CHECK(answer.starts_with(R"({"event":"result","id":4)"));
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
    WorkerSettings settings{"TEST_WORKER=mute '" + test::program("test_worker") + "'", milliseconds(300), milliseconds(300)};
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

TEST_CASE("a worker's words are shown to a person as printable text, whatever bytes they are") {
  for (const std::string mood : {"escapes", "last_escapes"}) {
    WorkerClient client = client_of(mood);
    const auto failed = client.run(check_of("good"));
    REQUIRE_FALSE(failed.has_value());
    const std::string shown = describe(failed.error());
    INFO(shown);
    CHECK(printable(shown, Lines::kept) == shown);
    if (mood == "escapes") CHECK(shown == "io: a\\x1b]0;owned\\x07\\nb\n  note: \\u{9b}2J\n        c\n  note: \\u{feff}");
    if (mood == "last_escapes") CHECK(shown.find("\\x1b[2J \\xff \\u{9b} \\u{202e}") != std::string::npos);
  }
}
