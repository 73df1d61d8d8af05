// SPDX-License-Identifier: BSD-3-Clause
// A tensor map as the driver writes it, with the rules of the hardware in words before the driver is asked.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/runtime/device/cuda_driver.hpp"
#include "kernels/runtime/device/device.hpp"

namespace tessera {

// Refuses what TMA cannot address: a base, pitch or box that is no multiple of 16 bytes, a box of more than 256 rows or columns, a row of
// a box wider than its swizzle. Source: CUDA driver API, cuTensorMapEncodeTiled.
Status check_tensor_map(const TensorMapArgument& argument);

#ifdef TESSERA_HAVE_DRIVER
struct alignas(128) TensorMapBytes {
  std::array<std::byte, 128> bytes{};
};
Status encode_tensor_map(const CudaDriver& driver, const TensorMapArgument& argument, TensorMapBytes& map);
#endif

}  // namespace tessera
