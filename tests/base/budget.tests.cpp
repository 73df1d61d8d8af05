// SPDX-License-Identifier: BSD-3-Clause
// Budget: what is counted, when it is refused, and what the refusal says.
#include "core/base/budget.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/stopping.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("A budget counts cells and bytes, and refuses what would pass a limit without counting it") {
  Budget budget({.bytes = 1000, .cells = 10});
  CHECK(spend_cells(6, "walking").has_value());
  CHECK_FALSE(spend_cells(5, "walking").has_value());
  CHECK(budget.cells() == 6);
  CHECK(spend_cells(4, "walking").has_value());
  CHECK(spend_bytes(600, "the picture").has_value());
  CHECK(fit_bytes(400, "sorting").has_value());
  CHECK(fit_bytes(400, "sorting").has_value());  // the first 400 are free again
  CHECK_FALSE(fit_bytes(401, "sorting").has_value());
  budget.give_back_bytes(600);
  CHECK(fit_bytes(1000, "sorting").has_value());
}

TEST_CASE("A refusal names the estimate, the limit, what is used, and the flag that raises it") {
  Budget budget({.seconds = 0, .bytes = 3 << 20, .cells = 10});
  REQUIRE(spend_cells(6, "walking").has_value());
  const Error cells = spend_cells(5, [] { return "walking 5:1"; }).error();
  CHECK(cells.code == ErrorCode::limit);
  CHECK(cells.message == "walking 5:1 takes 5 cells; the limit of one request is 10, of which 6 are used");
  CHECK(cells.notes == std::vector<std::string>{"--limit-cells 22 would raise the limit"});
  const Error bytes = spend_bytes(std::int64_t{3} << 30, "the picture").error();
  CHECK(bytes.message == "the picture takes about 3 GiB of memory; the limit of one request is 3 MiB");
  CHECK(bytes.notes.at(0).starts_with("--limit-bytes "));
  const Error time = check_time("the composition").error();
  CHECK(time.message == "the composition was stopped after 0 s, the limit of one request");
  CHECK(time.notes.at(0).starts_with("--limit-seconds "));
}

TEST_CASE("A loop that asks whether it is late learns it soon") {
  Budget budget({.seconds = 0});
  int asked = 1;
  while (!late() && asked < 100000) ++asked;
  CHECK(asked <= 1000);
  CHECK(late());  // and stays so
}

TEST_CASE("Without a budget each question is asked of the default limits alone") {
  CHECK(Budget::current() == nullptr);
  for (int i = 0; i < 3; ++i) CHECK(spend_cells(Limits{}.cells, "walking").has_value());
  CHECK_FALSE(spend_cells(Limits{}.cells + 1, "walking").has_value());
  CHECK_FALSE(late());
}

TEST_CASE("A default budget is made only where none is current, and a budget is its thread's own") {
  {
    const DefaultBudget outer;
    Budget* const made = Budget::current();
    REQUIRE(made != nullptr);
    const DefaultBudget inner;
    CHECK(Budget::current() == made);
    const Budget own({.cells = 1});
    CHECK(Budget::current() == &own);
    bool none = false;
    std::thread([&] { none = Budget::current() == nullptr; }).join();
    CHECK(none);
  }
  CHECK(Budget::current() == nullptr);
}

TEST_CASE("A budget within another ends no later, and says the limit that is met; its bytes and cells are its own") {
  const Budget request({.seconds = 0.01, .cells = 5});
  Budget figure({.seconds = 10, .cells = 100});
  CHECK(spend_cells(50, "walking").has_value());
  while (request.seconds() < 0.01) continue;
  CHECK(figure.look());
  CHECK(check_time("drawing").error().message == "drawing was stopped after 0.01 s, the limit of one request");
  const Budget shorter({.seconds = 0, .cells = 1});
  CHECK(check_time("asking").error().message == "asking was stopped after 0.01 s, the limit of one request");
}

TEST_CASE("A budget on another thread counts from the beginning of the request") {
  const auto begun = std::chrono::steady_clock::now() - std::chrono::seconds(3);
  std::string said;
  std::thread([&] {
    const Budget budget({.seconds = 2}, begun);
    const Status time = check_time("drawing");
    said = time ? "" : time.error().message;
  }).join();
  CHECK(said == "drawing was stopped after 2 s, the limit of one request");
  const Budget budget({.seconds = 60}, begun);
  CHECK(budget.seconds() >= 3);
  CHECK(check_time("drawing").has_value());
}

TEST_CASE("A request that is to end learns it where it asks for the time, in every budget within it") {
  std::stop_source source;
  {
    const StoppedBy by(source.get_token());
    Budget outer;
    CHECK_FALSE(outer.look());
    source.request_stop();
    CHECK(is_stopped());
    CHECK(outer.look());
    Budget inner({.seconds = 100});
    CHECK(inner.late());
    std::jthread([] { CHECK_FALSE(is_stopped()); }).join();
    {
      const StoppedBy another{std::stop_token()};
      CHECK_FALSE(is_stopped());
    }
    CHECK(is_stopped());
  }
  CHECK_FALSE(is_stopped());
  Budget after;
  CHECK_FALSE(after.look());
}

TEST_CASE("Counts that leave 64 bits are beyond every limit") {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(count_product(std::int64_t{1} << 40, std::int64_t{1} << 40) == most);
  CHECK(count_sum(most, 1) == most);
  Budget budget;
  CHECK_FALSE(spend_cells(most, "walking").has_value());
  REQUIRE(spend_cells(1, "walking").has_value());
  CHECK_FALSE(spend_bytes(most, "walking").has_value());
}

TEST_CASE("An amount of memory is written in the largest unit that it fills") {
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text((std::int64_t{1} << 20) - 1) == "1 MiB");
  CHECK(bytes_text((std::int64_t{1} << 20) - (std::int64_t{1} << 10)) == "1023 KiB");
  CHECK(bytes_text(std::int64_t{1} << 30) == "1 GiB");
}
