// SPDX-License-Identifier: BSD-3-Clause
// Where tiles of shared memory begin: asked by whoever lays them out.
#pragma once

#include <cstdint>

namespace tessera {

// Bytes: where tiles of shared memory begin, at multiples of the period of the widest swizzle of 16-byte units.
constexpr std::int64_t kSmemAlignment = 1024;

}  // namespace tessera
