// SPDX-License-Identifier: BSD-3-Clause
// A plan's text reads back to an equal plan, and what is no plan is refused with its place.
#include "core/gemm/text/text.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "core/gemm/ladder.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

// Is the text read as the plan, and written again as the text?
bool reads_back(const GemmPlan& plan) {
  const std::string text = plan::to_text(plan);
  const auto read = plan::parse_plan(text);
  if (!read) UNSCOPED_INFO(read.error().message);
  return read && *read == plan && plan::to_text(*read) == text;
}

// Some spec: of one of the ways in which tiles travel, with other sizes, stages, factors and schedules.
GemmSpec some_spec() {
  static const std::vector<std::pair<std::string, GemmSpec>> ways = support::travels();
  const auto up_to = [](int n) { return *rc::gen::inRange(0, n); };
  GemmSpec spec;
  if (up_to(3) == 0) {
    const auto overlap = static_cast<Overlap>(up_to(4));
    spec = support::hopper(overlap, 64 * (1 + up_to(8)), 64 * (1 + up_to(8)), 64 * (1 + up_to(6)), 128, 64 << up_to(3),
                           overlap == Overlap::ping_pong ? 1 : 2);
    spec.ctas = 2 * up_to(3), spec.k_order = static_cast<KOrder>(up_to(2)), spec.stages = 2 + up_to(3);
    if (up_to(2) == 0) spec.cluster = 1;
    if (up_to(2) == 0) spec.type_c = ValueType::f32;
    if (up_to(3) == 0) spec.store = Stores::direct;
    if (up_to(3) == 0) spec.registers = IntTuple::tuple({24 + 8 * up_to(8), 136 + 8 * up_to(13)});
  } else if (up_to(2) == 0) {
    spec = support::tensor(1 + up_to(200), 1 + up_to(200), 1 + up_to(200), 32 << up_to(3), 32 << up_to(3), 32, 1 + up_to(4));
    spec.fragments = static_cast<Fragments>(up_to(4)), spec.copies = static_cast<Copies>(up_to(3));
    if (up_to(3) == 0) spec = support::from_gmem(spec);
    spec.raster_group = up_to(9), spec.batch = 1 + up_to(2);
  } else {
    spec = ways[static_cast<std::size_t>(up_to(static_cast<int>(ways.size())))].second;
  }
  spec.name = *rc::gen::elementOf(std::vector<std::string>{"gemm", "", "with \"quotes\" and \\", "plan", "a b"});
  spec.beta = up_to(2), spec.alpha = *rc::gen::elementOf(std::vector<double>{1, 0.1, -2.5e-7});
  if (up_to(4) == 0) spec.extents = Extents::arguments;
  return spec;
}

}  // namespace

TEST_CASE("every rung's plan reads back from its text", "[plan_text]") {
  for (const Rung& rung : ladder()) {
    INFO(rung.number);
    const GemmPlan plan = lower(rung.spec(512, 512, 512).value()).value();
    CHECK(reads_back(plan));
    GemmPlan other = plan;
    ++other.roles.back().registers;
    CHECK_FALSE(plan::parse_plan(plan::to_text(other)).value() == plan);
  }
}

TEST_CASE("the plans of random specs read back from their texts", "[plan_text]") {
  std::int64_t lowered = 0, tried = 0;
  CHECK(rc::check("parse_plan(to_text(p)) == p", [&] {
    for (int i = 0; i < 10; ++i) {
      const auto plan = lower(some_spec());
      ++tried, lowered += plan.has_value();
      if (plan) RC_ASSERT(reads_back(*plan));
    }
  }));
  CHECK(tried >= 1000);
  CHECK(lowered > tried / 4);
}

TEST_CASE("a round trip takes no more than 5 ms", "[plan_text]") {
  for (const Rung& rung : ladder()) {
    const GemmPlan plan = lower(rung.spec(4096, 4096, 4096).value()).value();
    double best = 1000;  // ms of this process
    for (int i = 0; i < 5; ++i) {
      const std::clock_t before = std::clock();
      CHECK(plan::parse_plan(plan::to_text(plan)).has_value());
      best = std::min(best, 1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    INFO(rung.number);
    CHECK(best <= 5);
  }
}
