// SPDX-License-Identifier: BSD-3-Clause
// Members of values: layout.shape, tensor.layout, mma.thr_id, TiledCopy::Tiler_MN, f16.width. C++ and the DSL name them differently.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

// Is there any value with such a member?
// "arch::Sm90" of cutlass::arch::Sm90, the tag of an architecture, whose kMinComputeCapability is 90; empty of other names.
std::string_view arch_tag(std::string_view name);

bool is_member(std::string_view name);
// Refused by the names that this value has.
Result<Value> member_of(const Value& value, std::string_view name);

// The elements of a tuple, a tiler or a list, one by one; the modes of a layout. Refuses what has none.
Result<std::vector<Value>> elements_of(const Value& value);
// The mode of the DSL's leading_dim: the first with a static stride of 1 and not one element alone. Nothing where there is none.
std::optional<std::size_t> leading_mode(const Layout& layout);
// What a loop of Python walks over: these, and the keys of a dictionary.
Result<std::vector<Value>> iterated(const Value& value);

}  // namespace tessera
