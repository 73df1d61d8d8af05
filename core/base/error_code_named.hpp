// SPDX-License-Identifier: BSD-3-Clause
// An error's code by its name, as another process has written it: error.hpp has the name of a code.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/error.hpp"

namespace tessera {

// Nothing where no code is called so.
std::optional<ErrorCode> error_code_named(std::string_view name);

}  // namespace tessera
