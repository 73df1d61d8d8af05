// SPDX-License-Identifier: BSD-3-Clause
// Rounding to the element types of tensors, as the hardware converts (to nearest, ties to even).
#pragma once

#include "core/atom/value_type.hpp"

namespace tessera {

// The value nearest to x that `type` can hold; overflow gives infinity, integers saturate.
double round_to(ValueType type, double x);

}  // namespace tessera
