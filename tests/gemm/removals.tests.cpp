// SPDX-License-Identifier: BSD-3-Clause
// Each wait, arrival and fence is left out in turn: somebody notices, or it was of no use there. And what nobody notices is never excused
// where it was of use.
#include "core/gemm/run/removals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::support;

namespace {

constexpr std::uint32_t kFew = 1;  // orders, where a test looks at many plans: what one order shows, all do (below)
constexpr std::uint32_t kNamedAndDrawn = 4 + 64;

// A rung in few tiles: two or three for a CTA that takes several, and more k-tiles than stages.
GemmPlan few_tiles(const Rung& rung) {
  const bool ring = rung.number >= 10, persistent = rung.number >= 14;
  GemmSpec spec = rung.spec(rung.number >= 16 ? 768 : persistent ? 512 : 128, 256, ring ? 384 : rung.number >= 8 ? 320 : 24).value();
  if (persistent) spec.ctas = 2;
  if (!persistent)
    spec.m = spec.cta_tiler[0].value(), spec.n = spec.cta_tiler[1].value(), spec.gA.reset(), spec.gB.reset(), spec.gC.reset();
  return lower(spec).value();
}

GemmPlan small(Overlap overlap) {
  const bool ping_pong = overlap == Overlap::ping_pong, skewed = overlap == Overlap::skewed;
  return lower(hopper(overlap,
                      ping_pong ? 512
                      : skewed  ? 768
                                : 384,
                      64, 384,
                      ping_pong ? 64
                      : skewed  ? 256
                                : 128,
                      64, ping_pong ? 1 : 2))
      .value();
}

struct Looked {
  std::size_t noticed = 0;
  std::vector<std::string> idle, missed;
};
Looked look_at(const GemmPlan& plan, std::uint32_t orders, bool members = false) {
  Looked looked;
  const RacedProblem problem = raced_problem(plan).value();
  for (const OrderingOp& op : ordering_ops(plan, members)) {
    const Result<Removal> removal = judge_removal(plan, op, problem, orders);
    INFO(op.of << ": " << op.text << (removal ? "" : describe(removal.error())));
    REQUIRE(removal);
    if (removal->is_noticed())
      ++looked.noticed;
    else if (removal->idle.empty())
      looked.missed.push_back(op.of + ": " + op.text);
    else
      looked.idle.push_back(op.text + ": " + removal->idle);
  }
  return looked;
}

const std::string kUnheard = ": nobody waits for the phase that it ends, nor for a later one of that stage";
const std::string kNowhere = ": no thread comes to it at this size";
const std::string kFenced = "fence of wgmma's registers: since the fence before it nothing but wgmma has touched the sums";

}  // namespace

TEST_CASE("each wait, arrival and fence of a rung is missed when it is left out, or was of no use there") {
  using Words = std::vector<std::string>;
  for (const Rung& rung : ladder()) {
    const GemmPlan plan = few_tiles(rung);
    INFO(rung.number << " " << rung.name << ": " << plan.m << " x " << plan.n << " x " << plan.k);
    REQUIRE_FALSE(fault_of(plan, kFew).value());
    const Looked looked = look_at(plan, kFew);
    CHECK(looked.missed == Words());
    CHECK(looked.idle == (rung.number == 16                        ? Words{kFenced}
                          : rung.number >= 10 && rung.number <= 13 ? Words{std::string("arrive on empty[read - 1]") + kUnheard}
                                                                   : Words{}));
    CHECK((looked.noticed > 0) == (rung.number > 2));
  }
}

TEST_CASE("the same of the schedules that no rung has, and of one member of a family alone") {
  for (const Overlap overlap : {Overlap::none, Overlap::ping_pong, Overlap::skewed}) {
    const GemmPlan plan = small(overlap);
    INFO(static_cast<int>(overlap));
    const Looked looked = look_at(plan, kFew, overlap == Overlap::none);  // of the largest ones the families alone
    CHECK(looked.missed == std::vector<std::string>());
    CHECK(looked.noticed > 20);
    for (const std::string& idle : looked.idle) {
      INFO(idle);
      CHECK((idle == kFenced || idle.ends_with(kUnheard) || idle.ends_with(kNowhere)));
    }
  }
}

TEST_CASE("what is noticed in one order is noticed in every order") {
  const GemmPlan plan = lower(tensor(64, 64, 160, 64, 64, 32, 3)).value();
  const RacedProblem problem = raced_problem(plan).value();
  std::size_t places = 0;
  for (const OrderingOp& op : ordering_ops(plan)) {
    const GemmPlan other = without(plan, op);
    for (std::uint32_t order = 0; order < kNamedAndDrawn; ++order) {
      INFO(op.of << ": " << op.text << ", order " << order);
      CHECK(fault_on_machine(other, problem, order).value());
      ++places;
    }
  }
  CHECK(places >= 6 * kNamedAndDrawn);
}

TEST_CASE("an mbarrier that may not be initialised yet is used by nobody") {
  for (const Overlap overlap : {Overlap::none, Overlap::skewed}) {
    const GemmPlan plan = small(overlap);
    const RacedProblem problem = raced_problem(plan).value();
    const std::vector<OrderingOp> ops = ordering_ops(plan);
    REQUIRE(ops[0].text == "fence of the mbarriers' initialisation");
    REQUIRE(ops[1].text == "wait on cluster");
    for (const std::size_t i : {0u, 1u}) {
      const Removal removal = judge_removal(plan, ops[i], problem, 4).value();
      REQUIRE(removal.caught);
      CHECK(removal.caught->message.find("does not know that it is initialised") != std::string::npos);
      CHECK(removal.noticed_in == 4);
    }
  }
}

TEST_CASE("a wait that another one makes up for is not excused, and one that finds nothing is") {
  GemmPlan plan = lower(tensor(64, 64, 160, 64, 64, 32, 3)).value();
  REQUIRE(edit(
              plan, [](const Op& op) { return as<WaitGroup>(op) != nullptr; }, twice) == 2);
  const RacedProblem problem = raced_problem(plan).value();
  std::vector<std::string> said;
  for (const OrderingOp& op : ordering_ops(plan)) {
    if (!op.text.starts_with("wait until")) continue;
    const Removal removal = judge_removal(plan, op, problem, kFew).value();
    CHECK_FALSE(removal.is_noticed());
    said.push_back(removal.idle);
  }
  const std::string none = "no group is under way that it would wait for";
  CHECK(said == std::vector<std::string>{"", none, "", none});
}

TEST_CASE("of two fences the first is of use, and is not excused though the second makes up for it") {
  GemmPlan plan = small(Overlap::none);
  REQUIRE(edit(
              plan, [](const Op& op) { return as<Fence>(op) != nullptr && as<Fence>(op)->kind == FenceKind::wgmma; }, twice) == 1);
  const RacedProblem problem = raced_problem(plan).value();
  std::vector<std::string> said;
  for (const OrderingOp& op : ordering_ops(plan)) {
    if (op.text == "fence of wgmma's registers") said.push_back(op.text + ": " + judge_removal(plan, op, problem, kFew).value().idle);
  }
  CHECK(said == std::vector<std::string>{"fence of wgmma's registers: ", kFenced});
}

TEST_CASE("arrivals for whose phases somebody waits are of use, and so is what no rule of the machine looks at") {
  const GemmPlan plan = lower(tensor(64, 64, 160, 64, 64, 32, 3)).value();
  const RacedProblem in_turn = raced_problem(plan).value();
  for (const auto& [executed, of_use] : in_turn.of_use) CHECK(of_use);
  const GemmPlan ring = small(Overlap::none);
  const RacedProblem problem = raced_problem(ring).value();
  std::size_t arrivals = 0;
  for (const auto& [executed, of_use] : problem.of_use) {
    if (as<Arrive>(*executed.first) == nullptr && as<Expect>(*executed.first) == nullptr) continue;
    ++arrivals;
    CHECK(of_use);
  }
  CHECK(arrivals == 5);  // two by each consumer, one by the producer
}

TEST_CASE("what no thread comes to is said to be that") {
  GemmSpec spec = hopper(Overlap::skewed, 256, 64, 384, 256, 64, 2);
  spec.cluster = IntTuple::tuple({1, 1}), spec.ctas = 0;
  const Looked looked = look_at(lower(spec).value(), kFew);
  CHECK(std::count_if(looked.idle.begin(), looked.idle.end(), [](const std::string& idle) { return idle.ends_with(kNowhere); }) > 5);
}

TEST_CASE("an operation that is left out of one member stays in the others") {
  const GemmPlan plan = small(Overlap::none);
  std::size_t found = 0;
  for (const OrderingOp& op : ordering_ops(plan, true)) {
    if (op.member != 1 || !op.text.starts_with("arrive on empty")) continue;
    ++found;
    const GemmPlan other = without(plan, op);
    CHECK(operations_of(other).size() > operations_of(without(plan, {op.number, op.of, op.text, -1})).size());
    const auto fault = fault_on_machine(other, raced_problem(plan).value(), 0).value();
    REQUIRE(fault);
    CHECK(fault->message.find("of 4 arrivals") != std::string::npos);
  }
  CHECK(found == 2);
}
