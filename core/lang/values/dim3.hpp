// SPDX-License-Identifier: BSD-3-Clause
// CUDA's dim3: three extents of a grid, a block or a cluster.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/lang/values/value.hpp"

namespace tessera {

// An object with the members x, y and z.
Value dim3_value(const std::array<std::int64_t, 3>& extents);
// Of a dim3, or of a number or a tuple of up to three of them, of which those that are left out are 1; nothing of other values.
std::optional<std::array<std::int64_t, 3>> as_dim3(const Value& value);

}  // namespace tessera
