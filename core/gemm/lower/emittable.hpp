// SPDX-License-Identifier: BSD-3-Clause
// Which plans a kernel can be written for. A plan may be drawn and simulated that no kernel is written for yet.
#pragma once

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Names the type, atom, scale, size or operation that stands in the way, and what there is instead.
Status check_emittable(const GemmPlan& plan);

// Is the kernel a branch for each role, whole warpgroups that copy by TMA and multiply by wgmma? Else one text that every thread runs.
bool is_in_branches(const GemmPlan& plan);

// Does alpha * accumulator + beta * C need a double, because a float does not hold the sum or C exactly?
bool is_scaled_in_double(const GemmPlan& plan);

}  // namespace tessera
