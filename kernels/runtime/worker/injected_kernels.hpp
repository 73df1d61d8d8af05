// SPDX-License-Identifier: BSD-3-Clause
// Kernels that misbehave on purpose, so that surviving them can be shown on a real device: the worker compiles and launches them like
// any other text (`tessera gemm run --inject fault`).
#pragma once

#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

// Writes to an address that no allocation holds.
KernelSource faulting_kernel();

// Spins for as long as the GPU lets it.
KernelSource hanging_kernel();

}  // namespace tessera
