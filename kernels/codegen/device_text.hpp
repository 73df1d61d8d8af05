// SPDX-License-Identifier: BSD-3-Clause
// The files of kernels/device as text, embedded when the program is built.
#pragma once

#include <string_view>

namespace tessera::device_text {

extern const std::string_view memory, ldmatrix, stmatrix, mbarrier, cluster, tma, wgmma, wmma, registers, swizzle, convert;

}  // namespace tessera::device_text
