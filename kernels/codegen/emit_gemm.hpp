// SPDX-License-Identifier: BSD-3-Clause
// GemmPlan -> KernelSource. The text is for reading: names from the plan, a shape comment on every tensor line, one helper a PTX
// instruction, no includes. The same plan gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

Result<KernelSource> emit_gemm(const GemmPlan& plan);

namespace emitting {
// A line of the text, and the plan's operation that it is written for; null: of none, such as a declaration or a brace of a branch.
struct SourceLine {
  std::string text;
  const plan::Op* op = nullptr;
};
// The text of emit_gemm, line by line. The operations are those of `plan`, which must outlive them.
Result<std::vector<SourceLine>> emit_lines(const GemmPlan& plan);
}  // namespace emitting

// The kernel with a main() that allocates, launches and checks: one .cu that nvcc builds.
std::string standalone_program(const KernelSource& source);

}  // namespace tessera
