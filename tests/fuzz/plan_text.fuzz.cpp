// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a plan's text: it is refused in UTF-8, or reads back from what it is written as, and then verified, and run where it is right.
#include <string>
#include <string_view>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/text/text.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_plan_text(std::string_view bytes) {
  const Budget budget;
  const Result<GemmPlan> plan = plan::parse_plan(bytes);
  if (!plan) return is_utf8(describe(plan.error(), bytes)) ? "" : "a plan's refusal is not UTF-8";
  const Result<GemmPlan> again = plan::parse_plan(plan::to_text(*plan));
  if (!again || !(*again == *plan)) return "a plan does not read back from its text";
  if (const Status verdict = verify(*plan); !verdict) return is_utf8(describe(verdict.error(), bytes)) ? "" : "a verdict is not UTF-8";
  const Result<Simulation> run = simulate(*plan, {}, {.ctas = 1, .trace = false, .values = !plan->mma});
  return run || is_utf8(describe(run.error(), bytes)) ? "" : "the machine's refusal is not UTF-8";
}

}  // namespace tessera::fuzz
