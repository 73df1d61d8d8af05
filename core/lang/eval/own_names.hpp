// SPDX-License-Identifier: BSD-3-Clause
// Names that mean something where nothing binds them: functions, constants, element types, atoms, and calls that make figures.
#pragma once

#include <optional>
#include <string_view>

#include "core/lang/values/value.hpp"

namespace tessera {

constexpr std::string_view kFigureSuffix = "_figure";

// true, LayoutLeft, SW_3_3_3, Underscore, half_t: the value that the word has by itself; nothing for other names.
std::optional<Value> constant_of(std::string_view name);
// tv_figure(...): a call of it makes a figure, of whatever kind.
bool names_a_figure(std::string_view name);
// Is a name without a value looked for among the atoms? Whether there is such an atom is another question.
bool names_an_atom(std::string_view name);

// A function, constant, element type or atom: `size` and `LayoutLeft`, and not `sA`. A text that uses it means another thing where a
// binding takes it. Which figures there are is known above this folder.
bool is_own_name(std::string_view name);

}  // namespace tessera
