// SPDX-License-Identifier: BSD-3-Clause
// The baseline: what cuBLASLt's own heuristic proposes for the same product, its first choice first and at most eight.
#pragma once

#include <memory>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/measure/baseline.hpp"

namespace tessera {

// no_compiler without cuBLASLt; bad_spec where source.blas is not expressible or a type is not one of cuBLAS'.
Result<std::unique_ptr<Baseline>> make_cublaslt_baseline(Device& device, const KernelSource& source);

}  // namespace tessera
