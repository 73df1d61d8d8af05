// SPDX-License-Identifier: BSD-3-Clause
// The baseline: what cuBLASLt's own heuristic proposes for the same product, its first choice first and at most eight.
#pragma once

#include <memory>

#include <optional>
#include <string>
#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"

#include "kernels/runtime/measure/baseline.hpp"

namespace tessera {

// no_compiler without cuBLASLt; bad_spec where source.blas is not expressible or a type is not one of cuBLAS'.
Result<std::unique_ptr<Baseline>> make_cublaslt_baseline(Device& device, const KernelSource& source);

// Why cuBLASLt has no such product, by its types, majors and factors (cuBLAS documentation, cublasLtMatmul); nothing where it has. What
// else it refuses, it says itself.
std::optional<std::string> not_of_cublaslt(const KernelSource& source);

}  // namespace tessera
