// SPDX-License-Identifier: BSD-3-Clause
// The machine gives one result in every order of its roles, and every value that a person chose of time changes no value of C.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/role_plans.hpp"

using namespace tessera;

namespace {

void expect_orders(const GemmSpec& spec, std::initializer_list<std::uint32_t> orders) {
  const auto plan = lower(spec);
  if (!plan) FAIL(describe(plan.error()));
  const SimulationInput input = integer_input(*plan, 11);
  const std::vector<double> wanted = reference(*plan, input);
  for (const std::uint32_t interleaving : orders) {
    CAPTURE(interleaving);
    const auto result = simulate(*plan, input, {.interleaving = interleaving});
    if (!result) FAIL(describe(result.error()));
    REQUIRE(result->c == wanted);
  }
}
void expect_every_order(const GemmSpec& spec) { expect_orders(spec, {0, 1, 2, 3, 4, 5, 6, 7}); }

}  // namespace

TEST_CASE("the tour's GEMMs run in eight orders, and agree with the definition") {
  expect_every_order(support::article());
  expect_every_order(support::tensor(128, 128, 128, 64, 64, 32, 3));
}

TEST_CASE("each choice of what registers hold and when tiles are copied agrees with the definition") {
  for (const Fragments fragments : {Fragments::one_k_block, Fragments::next_k_block, Fragments::all_k_blocks}) {
    for (const Copies copies : {Copies::waited_for, Copies::ahead}) {
      for (const std::int64_t stages : {1, 2, 3}) {
        CAPTURE(static_cast<int>(fragments), static_cast<int>(copies), stages);
        GemmSpec spec = support::tensor(64, 64, 160, 64, 64, 32, stages);
        spec.fragments = fragments, spec.copies = copies;
        expect_every_order(spec);
        GemmSpec plain = support::article();
        plain.k = 48, plain.stages = stages, plain.fragments = fragments, plain.copies = copies;
        plain.gA = support::layout(IntTuple::tuple({64, 48}), IntTuple::tuple({1, 64}));
        plain.gB = support::layout(IntTuple::tuple({96, 48}), IntTuple::tuple({1, 96}));
        plain.sA.reset(), plain.sB.reset(), plain.cta_tiler = IntTuple::tuple({64, 96, 16});
        expect_every_order(plain);
      }
    }
  }
}

TEST_CASE("a producer and consumers of wgmma run in eight orders, and agree with the definition") {
  for (const Overlap overlap : {Overlap::none, Overlap::deferred, Overlap::skewed, Overlap::ping_pong}) {
    CAPTURE(static_cast<int>(overlap));
    GemmSpec spec = support::hopper(overlap, overlap == Overlap::skewed ? 512 : 256, 256, 192, overlap == Overlap::skewed ? 256 : 128, 128,
                                    overlap == Overlap::ping_pong ? 1 : 2);
    expect_every_order(spec);
    spec.k_order = KOrder::zigzag, spec.cluster = IntTuple::tuple({1, 1}), spec.ctas = 1;
    expect_orders(spec, {0, 1, 2, 6});
  }
}

TEST_CASE("tiles that travel in other ways run in several orders, and agree with the definition") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    expect_orders(spec, {0, 1, 2, 5});
  }
}

TEST_CASE("threads that load from global memory agree with the definition, whatever their atom, types, tiles and choice of fragments") {
  for (const GemmSpec& spec : support::gmem_specs()) {
    INFO(spec.name);
    expect_orders(spec, {0, 3});
  }
}

TEST_CASE("a timeline counts the tiles of K that lie in no ring as those that do") {
  const GemmSpec spec = support::element_a_thread(true);
  const GemmPlan plan = lower(spec).value();
  const Simulation run = simulate(plan, {}, {.ctas = 1, .trace = false, .timeline = true, .values = false}).value();
  std::vector<std::int64_t> loaded, multiplied;
  for (const Event& event : run.timeline) {
    CHECK(event.stage == -1);
    const auto* copy = std::get_if<plan::Copy>(&event.op->op);
    if (copy != nullptr && plan.is_fragment(copy->to)) loaded.push_back(event.fill);
    if (!std::holds_alternative<plan::Mma>(event.op->op)) continue;
    multiplied.push_back(event.fill);
    CHECK(event.k_tile == event.fill);
  }
  std::vector<std::int64_t> wanted;
  for (std::int64_t k = 0; k < spec.k; ++k) wanted.push_back(k / 8);
  CHECK(multiplied == wanted);
  CHECK(loaded.size() == 2 * wanted.size());
  CHECK(std::is_sorted(loaded.begin(), loaded.end()));
}

TEST_CASE("without values the machine goes the same way, and computes nothing") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    const SimulationInput input = integer_input(plan, 3);
    for (const std::uint32_t interleaving : {0U, 3U}) {
      const Simulation whole = simulate(plan, input, {.interleaving = interleaving, .timeline = true}).value();
      const Simulation way = simulate(plan, {}, {.interleaving = interleaving, .timeline = true, .values = false}).value();
      CHECK(way.c.empty());
      REQUIRE(way.timeline.size() == whole.timeline.size());
      for (std::size_t i = 0; i < way.timeline.size(); ++i) {
        const Event &a = way.timeline[i], &b = whole.timeline[i];
        const auto all = [](const Event& e) {
          return std::tuple{e.op, e.cta, e.role, e.stage, e.fill, e.k_tile, e.tile, e.start, e.end, e.released_by};
        };
        if (all(a) != all(b)) FAIL("event " << i);
      }
    }
  }
}

TEST_CASE("of a clustered grid whole clusters run, as many as the CTAs that were asked for need") {
  GemmSpec spec = support::hopper(Overlap::none, 512, 128, 64, 128, 64, 2);
  spec.store_boxes = 1, spec.ctas = 0;  // a CTA a tile
  const GemmPlan all = lower(spec).value();
  const SimulationInput input = integer_input(all, 3);
  for (const auto& [asked, run] : {std::pair<std::int64_t, std::int64_t>{0, 0}, {1, 2}, {2, 2}, {3, 4}, {8, 8}, {99, 8}, {-1, 8}}) {
    CAPTURE(asked);
    const Simulation result = simulate(all, input, {.ctas = asked}).value();
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < result.c.size(); ++i) changed += result.c[i] != input.c[i];
    CHECK(changed >= run * 128 * 64 * 9 / 10);
    CHECK(changed <= run * 128 * 64);
  }
}

TEST_CASE("a simulation counts the instructions of one CTA and one k-tile, and refuses inputs of another size") {
  for (const auto& [name, spec] : support::travels()) {
    INFO(name);
    const GemmPlan plan = lower(spec).value();
    SimulationInput input = integer_input(plan, 3);
    const std::int64_t atom = shape_extent(plan.mma->atom(), 0) * shape_extent(plan.mma->atom(), 1) * shape_extent(plan.mma->atom(), 2);
    CHECK(simulate(plan, input)->mma_instructions == plan.blk_m * plan.blk_n * plan.blk_k / atom);
    for (std::vector<double> SimulationInput::*values : {&SimulationInput::a, &SimulationInput::b, &SimulationInput::c}) {
      SimulationInput other = input;
      (other.*values).push_back(0);
      CHECK_FALSE(simulate(plan, other));
      (other.*values).resize((other.*values).size() - 2);
      const auto refused = simulate(plan, other);
      REQUIRE_FALSE(refused);
      CHECK(refused.error().message.find("elements; the plan needs") != std::string::npos);
    }
  }
  GemmPlan plan = lower(support::tensor(128, 128, 64)).value();
  plan.roles.clear();
  CHECK_FALSE(simulate(plan, integer_input(plan, 3)));
}

TEST_CASE("more multiplications than the limit are refused before they begin, and those of one CTA are not") {
  const GemmPlan plan = lower(support::tensor(4096, 4096, 256)).value();
  const SimulationInput input = integer_input(plan, 3);
  const auto refused = simulate(plan, input);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::limit);
  CHECK(describe(refused.error()).find("m=128 n=128 k=64") != std::string::npos);
  CHECK(simulate(plan, input, {.ctas = 1, .trace = false}));
}

TEST_CASE("one CTA of a GEMM can be run alone, and the rest of C stays as it was") {
  const GemmPlan plan = lower(support::tensor(256, 128, 64, 128, 128, 32, 2)).value();
  const SimulationInput input = integer_input(plan, 3);
  const Simulation result = simulate(plan, input, {.ctas = 1}).value();
  const std::vector<double> wanted = reference(plan, input);
  std::int64_t equal = 0, untouched = 0;
  for (std::int64_t m = 0; m < plan.m; ++m) {
    for (std::int64_t n = 0; n < plan.n; ++n) {
      const auto at = static_cast<std::size_t>(evaluate(plan.gmem(Operand::c).layout, m, n));
      if (m < 128) equal += result.c[at] == wanted[at];
      if (m >= 128) untouched += result.c[at] == input.c[at];
    }
  }
  CHECK(equal == 128 * 128);
  CHECK(untouched == 128 * 128);
}

TEST_CASE("a timeline has every operation of a role one after the other, and waits know who ended them") {
  const GemmPlan plan = lower(support::tensor(64, 64, 160, 64, 64, 32, 3)).value();
  const Simulation result = simulate(plan, integer_input(plan, 3), {.timeline = true}).value();
  REQUIRE(!result.timeline.empty());
  std::int64_t last = -1, copies = 0, multiplications = 0;
  for (const Event& event : result.timeline) {
    CHECK(event.start > last - 1);
    CHECK(event.end > event.start);
    last = event.start;
    if (const auto* copy = std::get_if<plan::Copy>(&event.op->op); copy != nullptr && copy->by == plan::CopyBy::cp_async) {
      ++copies;
      CHECK(event.stage == event.k_tile % 3);
      CHECK(event.end > event.start + 1);  // under way until it is waited for
    }
    multiplications += std::holds_alternative<plan::Mma>(event.op->op);
  }
  CHECK(copies == 2 * plan.k_tiles);
  CHECK(multiplications == plan.k_tiles * plan.mma_k);
}

TEST_CASE("one CTA of the tour's tensor-core GEMM takes half a second at most", "[.timing]") {
  const GemmSpec spec = support::wide_stores(support::tensor(4096, 4096, 4096, 128, 256, 64, 3, 2, 4), 4);
  const GemmPlan plan = lower(spec).value();
  const SimulationInput input = integer_input(plan, 3);
  const std::clock_t begin = std::clock();  // of this process: other programs may share the processor
  const auto result = simulate(plan, input, {.ctas = 1});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (!result) FAIL(describe(result.error()));
  WARN(fmt::format("{:.3f} s", seconds));
  CHECK(seconds < 0.5);
}

TEST_CASE("roles that multiply by mma.sync while another copies for them are verified, and compute the product in every order") {
  for (const support::Parted how : support::kParted) {
    const GemmPlan plan = support::parted_plan(how);
    INFO(plan.name);
    const auto verdict = verify(plan);
    if (!verdict) FAIL(describe(verdict.error()));
    const SimulationInput input = integer_input(plan, 5);
    for (std::uint32_t interleaving = 0; interleaving < 5; ++interleaving) {
      const auto result = simulate(plan, input, {.interleaving = interleaving, .trace = false});
      if (!result) FAIL(describe(result.error()));
      CHECK(result->c == reference(plan, input));
    }
  }
  GemmPlan plan = support::parted_plan(support::Parted::cp_async_producer);
  const auto waits = [](const plan::Op& op) { return std::holds_alternative<plan::WaitGroup>(op.op); };
  REQUIRE(support::edit(plan, waits, support::nothing) == 1);
  CHECK_FALSE(simulate(plan, integer_input(plan, 5), {.interleaving = 1, .trace = false}));
}
