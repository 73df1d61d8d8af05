// SPDX-License-Identifier: BSD-3-Clause
// Rounding to the element types of tensors, as the hardware converts (to nearest, ties to even), and what stands for no value.
#pragma once

#include <bit>
#include <cstdint>

#include "core/atom/value_type.hpp"

namespace tessera {

// The value nearest to x that `type` can hold; overflow gives infinity, integers saturate.
double round_to(ValueType type, double x);

// What a register or an element holds before anything was written: a NaN of its own, which no arithmetic of numbers gives.
constexpr std::uint64_t kUnwrittenBits = 0x7ff8'7e55'e7a0'0001;
constexpr double kUnwritten = std::bit_cast<double>(kUnwrittenBits);
inline bool is_unwritten(double x) { return std::bit_cast<std::uint64_t>(x) == kUnwrittenBits; }

}  // namespace tessera
