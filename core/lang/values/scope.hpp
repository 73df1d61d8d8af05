// SPDX-License-Identifier: BSD-3-Clause
// Scope: what the names of an expression stand for.
#pragma once

#include <functional>
#include <string_view>

#include "core/lang/values/value.hpp"

namespace tessera {

// Looks up a binding; null when there is none.
using Scope = std::function<const Value*(std::string_view name)>;

}  // namespace tessera
