// SPDX-License-Identifier: BSD-3-Clause
// The law of upcast, downcast and recast. Internal to core/layout.
#pragma once

#include <cstdint>

#include "core/layout/swizzle.hpp"

namespace tessera {

// The elements of `before`, old_width units each, and those of `after`, new_width units each, occupy the same memory. Walks both.
Status check_same_bits(const AnyLayout& before, const AnyLayout& after, std::int64_t old_width, std::int64_t new_width);

// Each element of `before` lies in the element of `after` at its coordinate, which differs by what the leaves' extents say.
Status check_same_places(const AnyLayout& before, const AnyLayout& after, std::int64_t old_width, std::int64_t new_width);

}  // namespace tessera
