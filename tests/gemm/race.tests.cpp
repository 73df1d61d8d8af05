// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a plan in several orders, and what is left of it when nothing orders it.
#include "core/gemm/run/race.hpp"

#include <optional>
#include <string>

#include "core/gemm/plan/work.hpp"
#include "core/gemm/text/text.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// A writer and a reader of one tile; a barrier between them, or none.
std::string two_roles(const std::string& behind_write, const std::string& before_read, const std::string& name = "two") {
  return "plan \"" + name + R"(" {
  cta threads 64 smem_bytes 4096
  tensor sK shared a f16 (16,128):(128,1) elements 2048
  partition tK of sK modes (val) (32,64):(64,1)
  barrier "there" named arrivals 64
  role writer threads 32 {
    opaque "write" writes tK units 3
)" + behind_write +
         "  }\n  role reader first_thread 32 threads 32 {\n" + before_read + "    opaque \"read\" reads tK units 2\n  }\n}";
}
GemmPlan plan_of(const std::string& text) { return plan::parse_plan(text).value(); }
std::string work(const std::string& text) { return plan::to_text(plan::work_of(plan_of(text))); }

const std::string kArrive = "    arrive there threads 32\n", kWait = "    wait there\n";

}  // namespace

TEST_CASE("a plan whose barrier stands between writer and reader has no fault") {
  CHECK_FALSE(fault_of(plan_of(two_roles(kArrive, kWait))).value());
}

TEST_CASE("a race is found in an order that shows it, and a wait for ever in every one") {
  const std::optional<Error> race = fault_of(plan_of(two_roles("", ""))).value();
  REQUIRE(race);
  CHECK(race->message.find("sK") != std::string::npos);
  CHECK(fault_of(plan_of(two_roles("", kWait))).value());
}

TEST_CASE("the work of a plan is what it does, wherever it waits") {
  CHECK(work(two_roles(kArrive, kWait)) == work(two_roles("", "", "another name")));
  CHECK(work(two_roles(kArrive + kWait, kWait)) == work(two_roles(kArrive, "")));
  std::string longer = two_roles(kArrive, kWait);
  longer.replace(longer.find("units 2"), 7, "units 4");
  CHECK(work(longer) != work(two_roles(kArrive, kWait)));
}
