// SPDX-License-Identifier: BSD-3-Clause
// What a plan takes beside what its architecture allows.
#include "core/gemm/plan/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

PlanLimit limit(const GemmPlan& plan, std::string_view what) {
  const std::vector<PlanLimit> all = limits_of(plan);
  const auto found = std::find_if(all.begin(), all.end(), [&](const PlanLimit& each) { return each.what == what; });
  if (found == all.end()) FAIL("no limit of " << what);
  return *found;
}

}  // namespace

TEST_CASE("a plan's shared memory, threads, registers and copies stand beside what they may be") {
  GemmSpec spec = support::tensor(256, 256, 128);
  const GemmPlan plan = lower(spec).value();
  const PlanLimit smem = limit(plan, "shared memory");
  CHECK(smem.takes == plan.smem_bytes);
  CHECK(smem.of == 166912);  // of sm_80
  CHECK_FALSE(smem.over());
  CHECK(limit(plan, "threads").takes == plan.threads);
  CHECK(limit(plan, "registers").takes == plan.blk_m * plan.blk_n / plan.threads);  // each thread's share of the tile, in f32
  CHECK(limit(plan, "copies of A").takes == 16);
  CHECK_FALSE(limit(plan, "copies of A").short_of());

  // Two sums of 16 bits share a register.
  GemmSpec halves = spec;
  halves.mma =
      TiledMma::make(find_mma_atom("SM80_16x8x16_F16F16F16F16_TN").value(), spec.mma->atom_layout_mnk(), spec.mma->permutation_mnk())
          .value();
  const GemmPlan narrow = lower(halves).value();
  CHECK(limit(narrow, "registers").takes == narrow.blk_m * narrow.blk_n / narrow.threads / 2);

  spec.stages = 16;
  const PlanLimit beyond = limit(lower(spec).value(), "shared memory");
  CHECK(beyond.over() == (beyond.takes > 166912));
  CHECK(words_of({"shared memory", 245760, 232448, "bytes a CTA"}) == "245,760 of 232,448 bytes a CTA");
  CHECK(words_of({"threads", 96, 1024, "a CTA"}) == "96 of 1,024 a CTA");
  CHECK(PlanLimit{"shared memory", 245760, 232448, "bytes a CTA"}.over());
  CHECK_FALSE(PlanLimit{"shared memory", 232448, 232448, "bytes a CTA"}.over());
}
