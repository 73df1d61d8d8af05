// SPDX-License-Identifier: BSD-3-Clause
// Edits of expressions as text: what a rename or a slider changes, with everything else (spaces, comments) left as it was typed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

// tv(a, b, thread=1) with ("thread", "3") -> tv(a, b, thread=3); an empty value removes the argument. Refuses what is not a call.
Result<std::string> with_named_argument(std::string_view call, std::string_view name, std::string_view value);

// Replaces every use of the binding `from`. Named arguments (`from = 3` in a call), strings, comments, qualified names
// (GMMA::from) and, when `is_function`, calls (`from(...)`) are something else and stay.
std::string with_renamed_uses(std::string_view expression, std::string_view from, std::string_view to, bool is_function);

// The brackets that are still open at the end of `text`, e.g. "((" of "((2,4),(8"; strings and comments do not count.
std::string open_brackets(std::string_view text);

bool is_identifier(std::string_view text);  // letters, digits and underscores, not starting with a digit

}  // namespace tessera
