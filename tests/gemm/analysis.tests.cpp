// SPDX-License-Identifier: BSD-3-Clause
// What a plan's accesses come to; the rule itself is tested in tests/atom/warp_access.tests.cpp.
#include "core/gemm/run/analysis.hpp"

#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

TEST_CASE("the tour's tensor-core tiles have no bank conflicts, and say so") {
  const GemmPlan plan = lower(support::tensor(128, 128, 32)).value();
  const Simulation result = simulate(plan, integer_input(plan, 1)).value();
  for (const AccessSummary& row : summarize(result.trace)) {
    CAPTURE(static_cast<int>(row.step));
    if (row.shared) CHECK(row.units == row.least_units);
    CHECK(row.instructions > 0);
  }
}
