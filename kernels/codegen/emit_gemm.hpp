// SPDX-License-Identifier: BSD-3-Clause
// GemmPlan -> KernelSource. The text is for reading: names from the plan, a shape comment on every tensor line, one helper a PTX
// instruction, no includes. The same plan gives the same bytes.
#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

Result<KernelSource> emit_gemm(const GemmPlan& plan);

// The kernel with a main() that allocates, launches and checks: one .cu that nvcc builds.
std::string standalone_program(const KernelSource& source);

}  // namespace tessera
