// SPDX-License-Identifier: BSD-3-Clause
// Which operations have a text, and where. A plan may be drawn and simulated that no kernel is written for yet.
#pragma once

#include <span>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::emitting {

// A copy that has a text: by which instruction, from where and to where. What is not listed has none.
struct CanEmit {
  plan::CopyBy by;
  plan::Space from, to;
};
std::span<const CanEmit> copies_with_text();

// Names the operation or the role that stands in the way, and what there is instead.
Status check_operations(const GemmPlan& plan);

}  // namespace tessera::emitting
