// SPDX-License-Identifier: BSD-3-Clause
// lower: GemmSpec -> GemmPlan. The one place where divisibility, shared-memory, thread-count, alignment and architecture rules live.
#pragma once

#include <span>
#include <string_view>

#include "core/gemm/gemm_spec.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// Each refusal names the rule, the numbers, and the field that would fix it.
Result<GemmPlan> lower(const GemmSpec& spec);

// The steps by which it does so, in order, and what there is of the plan after one of them. Refuses a name that is none of the spec's
// passes: of wgmma, roles stands for all between tensors and raster.
std::span<const std::string_view> passes();  // stages, sizes, threads, tensors, fragments, ...
Result<GemmPlan> lower_until(const GemmSpec& spec, std::string_view pass);

}  // namespace tessera
