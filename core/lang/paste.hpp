// SPDX-License-Identifier: BSD-3-Clause
// What people paste: the dumps that CuTe's print(TiledMMA) and print(TiledCopy) write, and other libraries' names of functions.
#pragma once

#include <optional>
#include <string_view>

#include "core/lang/evaluate.hpp"

namespace tessera {

// Does the text begin with TiledMMA, TiledCopy, MMA_Atom or Copy_Atom on a line of its own?
bool is_print_dump(std::string_view text);
// The atom is found again by its layouts, since CuTe prints no name; `warnings`, if any, gets a word where several atoms have them.
Result<Value> evaluate_print_dump(std::string_view text, const Scope& scope, std::vector<Error>* warnings = nullptr);

// The name under which the table of builtins has a function that CuTe DSL or an older CuTe calls differently. `pasted` is the name as
// it stands, `name` is it without the library's: make_tiled_copy has other parameters in the DSL than in C++.
std::string_view function_name(std::string_view pasted, std::string_view name);

// The word of a Python enumeration: "K" of OperandMajorMode.K; nothing for other names.
std::optional<std::string_view> dsl_constant(std::string_view name);

}  // namespace tessera
