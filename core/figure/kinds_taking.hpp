// SPDX-License-Identifier: BSD-3-Clause
// Which kinds of figure draw a value: for menus, and for who asked for another one.
#pragma once

#include <string_view>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

// The kinds that draw the value alone, in the order of their table. Each is tried within a small budget, and takes it where only that is
// not enough.
std::vector<std::string_view> kinds_taking(const Value& value);

}  // namespace tessera
