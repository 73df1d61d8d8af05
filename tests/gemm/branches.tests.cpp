// SPDX-License-Identifier: BSD-3-Clause
// What the roles of a program do together, found from their blocks.
#include <array>
#include <vector>

#include "core/gemm/plan/branches.hpp"

#include "core/gemm/lower/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::lowering::blocks;

namespace {

enum : Id { kCta, kCluster, kNamed, kOther };  // barriers

Op wait(Id barrier) { return op(Wait{barrier}); }
Op work() { return op(Advance{0}); }
Op initialise() { return first_thread({op(Fence{FenceKind::mbarrier_init})}); }

// Of each role: operations that initialise, waits that all begin with, operations of its own, waits that all end with.
std::vector<std::array<std::size_t, 4>> parts(const std::vector<Block>& blocks) {
  GemmPlan plan;
  plan.barriers = {{"cta", BarrierKind::cta, 256},
                   {"cluster", BarrierKind::cluster, 512},
                   {"named", BarrierKind::named, 256},
                   {"other", BarrierKind::cta, 256}};
  for (const Block& block : blocks) plan.roles.push_back({"role", 0, 128, 0, block});
  std::vector<std::array<std::size_t, 4>> result;
  for (const OwnPart& own : own_parts(plan)) {
    const std::size_t all = blocks[result.size()].size();
    result.push_back({own.initialised, own.first - own.initialised, own.last - own.first, all - own.last});
  }
  return result;
}

using Parts = std::vector<std::array<std::size_t, 4>>;

}  // namespace

TEST_CASE("a barrier of all threads at which every role begins or ends belongs to no role, wherever mbarriers are initialised") {
  CHECK(parts({{initialise(), wait(kCta), work(), work()}, {wait(kCta), work()}}) == Parts{{1, 1, 2, 0}, {0, 1, 1, 0}});
  CHECK(parts({{wait(kCluster), work(), wait(kCluster)}, {initialise(), wait(kCluster), work(), work(), wait(kCluster)}}) ==
        Parts{{0, 1, 1, 1}, {1, 1, 2, 1}});
  CHECK(parts({{initialise(), wait(kCta), wait(kCluster), work(), wait(kCluster), wait(kCta)}}) == Parts{{1, 2, 1, 2}});
}

TEST_CASE("a barrier that some role does not meet at that place belongs to the roles") {
  CHECK(parts({{wait(kCta), work()}, {work(), wait(kCta)}}) == Parts{{0, 0, 2, 0}, {0, 0, 2, 0}});
  CHECK(parts({{wait(kCta), work()}, {wait(kOther), work()}}) == Parts{{0, 0, 2, 0}, {0, 0, 2, 0}});
  CHECK(parts({{wait(kCta), wait(kCta), work()}, {wait(kCta), work()}}) == Parts{{0, 1, 2, 0}, {0, 1, 1, 0}});
  CHECK(parts({{wait(kNamed), work(), wait(kNamed)}, {wait(kNamed), work(), wait(kNamed)}}) == Parts{{0, 0, 3, 0}, {0, 0, 3, 0}});
  CHECK(parts({{wait(kCta), initialise(), work()}, {wait(kCta), work()}}) == Parts{{0, 1, 2, 0}, {0, 1, 1, 0}});
}

TEST_CASE("a program of nothing but barriers begins with them, and has no end") {
  CHECK(parts({{wait(kCta)}, {wait(kCta), wait(kCta)}}) == Parts{{0, 1, 0, 0}, {0, 1, 1, 0}});
  CHECK(parts({{}, {wait(kCta)}}) == Parts{{0, 0, 0, 0}, {0, 0, 1, 0}});
  CHECK(parts(std::vector<Block>{}).empty());
}
