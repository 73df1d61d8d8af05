// SPDX-License-Identifier: BSD-3-Clause
// verify: does a plan's program fit together? Looked at without values, in milliseconds; the machine (core/gemm/run) looks at every byte.
#pragma once

#include <string>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Refused by rule, with the numbers, where
// - an operation names a tensor, barrier, ring ... that is not there, or reads a variable that nothing sets;
// - roles share threads, wgmma has no aligned warpgroup, or setmaxnreg and the register file do not fit;
// - tensors leave the shared memory of the CTA, or overlap;
// - an mbarrier's arrivals or bytes, or the CTA's barrier's threads, are not those that come, or a wait is for a phase that nobody ends;
// - a stage is written before it is empty, read before it is full or after it was released, or holds different tiles of K of A and B;
// - a tile of K is copied twice or never;
// - an element of C is stored twice or never.
// The first cluster is walked, and the last where it has fewer tiles. Where that would take more operations than are looked at, `notes`, if
// it is there, gets a sentence that says so.
Status verify(const GemmPlan& plan, std::vector<std::string>* notes = nullptr);

}  // namespace tessera
