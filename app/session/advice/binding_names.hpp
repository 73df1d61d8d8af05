// SPDX-License-Identifier: BSD-3-Clause
// What the names of CuTe's programs say by custom: sA lies in shared memory and is of A, tAsA is one thread's part of it.
#pragma once

#include <string_view>

#include "core/lang/values/value.hpp"

namespace tessera {

// 'a' of copyA, s2r_copy_a, sA and sA_layout; 0 where the name says none.
char operand_of(std::string_view name);
// tAsA, tCgC: one thread's part of a tensor, as partitions are named.
bool is_partition(std::string_view name);
// By its pointer, and where it has none by the name: gA.
bool lies_in_gmem(std::string_view name, const Value& value);

}  // namespace tessera
