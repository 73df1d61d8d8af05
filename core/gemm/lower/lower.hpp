// SPDX-License-Identifier: BSD-3-Clause
// lower: GemmSpec -> GemmPlan. The one place where divisibility, shared-memory, thread-count, alignment and architecture rules live.
#pragma once

#include "core/gemm/gemm_spec.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Each refusal names the rule, the numbers, and the field that would fix it.
Result<GemmPlan> lower(const GemmSpec& spec);

}  // namespace tessera
