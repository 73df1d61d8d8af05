// SPDX-License-Identifier: BSD-3-Clause
// verify: does a plan's program fit together? Looked at without values, in milliseconds; the machine (core/gemm/run) looks at every byte.
#pragma once

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Refused by rule, with the numbers, where
// - an operation names a tensor, barrier, ring ... that is not there, or reads a variable that nothing sets;
// - roles share threads, wgmma has no aligned warpgroup, or setmaxnreg and the register file do not fit;
// - tensors leave the shared memory of the CTA, or overlap;
// - a barrier's arrivals or bytes are not those that its phases get;
// - an element of C is stored twice or never.
Status verify(const GemmPlan& plan);

}  // namespace tessera
