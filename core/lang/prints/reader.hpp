// SPDX-License-Identifier: BSD-3-Clause
// Prints that stand in lines: objects with their names, the dumps of MMAs and copies, tables of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lang/prints/prints.hpp"

namespace tessera {

// Everything that the lines print; nothing where they print nothing, or where they are code.
std::vector<Pasted> read_lines(std::string_view text, const Scope& scope);

// Why an object with dynamic integers has no value.
Error unknown_numbers(const std::string& expression, const std::vector<std::string>& unknown, SourceSpan span);

}  // namespace tessera
