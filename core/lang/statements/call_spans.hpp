// SPDX-License-Identifier: BSD-3-Clause
// Calls as they stand in a program's text: where the brackets of one end, and where its arguments stand.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/syntax/dialect.hpp"

namespace tessera {

// What stands between the commas of a list, without the blanks around each; none where there is nothing.
std::vector<SourceSpan> arguments_in(std::string_view text, SourceSpan list, Dialect dialect);
// Behind the bracket that closes the one at `open`: (, [ or {. Nothing where it does not close.
std::optional<std::size_t> after_bracket(std::string_view text, std::size_t open, Dialect dialect);
// Behind the '>' that closes the '<' at `open`, where what stands between them may be a template's arguments.
std::optional<std::size_t> after_angle(std::string_view text, std::size_t open, Dialect dialect);

}  // namespace tessera
