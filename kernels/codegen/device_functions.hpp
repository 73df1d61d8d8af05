// SPDX-License-Identifier: BSD-3-Clause
// The device functions that a kernel calls: of kernels/device, and the atom's own `mma`. Only those that it uses, declared before it and
// defined after it, so that a reader meets the kernel first.
#pragma once

#include <string>
#include <string_view>

#include "core/atom/mma_atom.hpp"

namespace tessera::emitting {

struct DeviceFunctions {
  std::string types;         // typedef unsigned short half_t;
  std::string declarations;  // __device__ unsigned smem_address(const void* pointer);
  std::string definitions;
};

// `code`: the kernel; `atom`: whose `mma` it may call, or null.
DeviceFunctions device_functions(std::string_view code, const MmaAtom* atom);

}  // namespace tessera::emitting
