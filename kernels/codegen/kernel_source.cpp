// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

KernelSource::KernelSource() = default;
KernelSource::KernelSource(const KernelSource& other) = default;
KernelSource::KernelSource(KernelSource&& other) noexcept = default;
KernelSource& KernelSource::operator=(const KernelSource& other) = default;
KernelSource& KernelSource::operator=(KernelSource&& other) noexcept = default;
KernelSource::~KernelSource() = default;

}  // namespace tessera
