// SPDX-License-Identifier: BSD-3-Clause
// What was meant by a text that is refused, where that may have been a figure: the language takes any KIND_figure(...), and only here it
// is known which there are.
#pragma once

#include <string_view>

#include "core/lang/values/scope.hpp"

namespace tessera {

// As `suggest` (core/lang/suggest/suggest.hpp), and a slip in the name of a figure is one too.
void suggest_with_figures(Error& error, std::string_view text, const Scope& scope = {});

}  // namespace tessera
