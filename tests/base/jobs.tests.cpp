// SPDX-License-Identifier: BSD-3-Clause
// The order of jobs, and what comes of those that nobody wants any more.
#include "core/base/jobs.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr double kHoweverLong = std::numeric_limits<double>::infinity();

// Work that goes on until it is let go or asked to stop; for so long that a test fails, and not for ever.
struct Gate {
  std::atomic<bool> begun = false, open = false;
  Jobs<std::string>::Work work() {
    return [this](const std::stop_token& stop) {
      begun = true;
      for (int i = 0; i < 3000 && !open && !stop.stop_requested(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return std::string(stop.stop_requested() ? "stopped" : "gate");
    };
  }
  void await_begin() const {
    while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

Jobs<std::string>::Work saying(std::string word) {
  return [word](const std::stop_token&) { return word; };
}

std::vector<std::string> values(std::vector<Jobs<std::string>::Made> made) {
  std::vector<std::string> all;
  for (auto& each : made) all.push_back(each.value);
  return all;
}

}  // namespace

TEST_CASE("jobs are done in the order in which they were asked for, and each has its number") {
  Gate gate;
  Jobs<std::string> jobs;
  const std::uint64_t first = jobs.ask(gate.work()), second = jobs.ask(saying("b")), third = jobs.ask(saying("c"));
  CHECK(jobs.take(0).empty());
  CHECK(jobs.take(0.01).empty());
  gate.open = true;
  const auto made = jobs.take(kHoweverLong);
  REQUIRE(made.size() == 3);
  CHECK((made[0].order == first && made[1].order == second && made[2].order == third));
  CHECK(values(made) == std::vector<std::string>{"gate", "b", "c"});
  CHECK(jobs.take(kHoweverLong).empty());  // each is given once, and where nothing is left nobody waits
}

TEST_CASE("a job that is forgotten is never done, unless it has begun") {
  Gate gate;
  Jobs<std::string> jobs;
  const std::uint64_t begun = jobs.ask(gate.work());
  gate.await_begin();
  const std::uint64_t waits = jobs.ask(saying("b"));
  jobs.ask(saying("c"));
  for (const std::uint64_t order : {begun, waits, std::uint64_t{0}, waits + 100}) jobs.forget(order);
  gate.open = true;
  CHECK(values(jobs.take(kHoweverLong)) == std::vector<std::string>{"gate", "c"});
}

TEST_CASE("where all is forgotten, what is under way stops, and nobody sees its value or one that was ready") {
  Gate gate;
  Jobs<std::string> jobs;
  jobs.ask(saying("ready"));
  jobs.ask(gate.work());
  jobs.ask(saying("waits"));
  gate.await_begin();
  jobs.forget_all();
  CHECK(jobs.take(kHoweverLong).empty());
  jobs.ask(saying("new"));
  CHECK(values(jobs.take(kHoweverLong)) == std::vector<std::string>{"new"});
}

TEST_CASE("jobs that are stopped give their values all the same, even those that had not begun") {
  Gate under_way, waits;
  Jobs<std::string> jobs;
  jobs.ask(under_way.work());
  jobs.ask(waits.work());
  under_way.await_begin();
  jobs.stop();
  CHECK(values(jobs.take(kHoweverLong)) == std::vector<std::string>{"stopped", "stopped"});
}

TEST_CASE("jobs end while one is under way and others wait") {
  Gate gate;
  bool done = false;
  {
    Jobs<std::string> jobs;
    jobs.ask(gate.work());
    jobs.ask([&](const std::stop_token&) {
      done = true;
      return std::string();
    });
    gate.await_begin();
  }
  CHECK_FALSE(done);
}

TEST_CASE("what work throws becomes a refusal") {
  const auto refuse = [](const char* why) { return std::string("refused: ") + why; };
  CHECK(or_refusal([] { return std::string("fine"); }, refuse) == "fine");
  CHECK(or_refusal([]() -> std::string { throw std::bad_alloc(); }, refuse) == "refused: std::bad_alloc");
}
