// SPDX-License-Identifier: BSD-3-Clause
// What a tensor keeps when a function rearranges it or takes a part of it: the width of its elements.
#pragma once

#include "core/lang/call.hpp"

namespace tessera {

// Does the function give the tensor that it is given, in part or in another order? As slice, local_tile and zipped_divide do, and
// complement does not.
bool gives_part_of_tensor(std::string_view function);

// The width of an element of what the call has made: its argument's, or the one that a cast gives it; 0: not known.
std::int64_t element_bits_of(const Call& call, const Value& made);

}  // namespace tessera
