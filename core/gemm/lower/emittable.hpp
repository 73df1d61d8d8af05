// SPDX-License-Identifier: BSD-3-Clause
// Which types, instructions and sizes a kernel can be written for; of operations kernels/codegen/can_emit.hpp knows it. A plan may be drawn
// and simulated that no kernel is written for yet.
#pragma once

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Names the type, atom, scale or size that stands in the way, and what there is instead.
Status check_emittable(const GemmPlan& plan);

// Does alpha * accumulator + beta * C need a double, because a float does not hold the sum or C exactly?
bool is_scaled_in_double(const GemmPlan& plan);

}  // namespace tessera
