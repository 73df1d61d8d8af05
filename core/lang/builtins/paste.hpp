// SPDX-License-Identifier: BSD-3-Clause
// What people paste from other programs: their names of functions and constants. For what programs print see prints.hpp.
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

// The name under which the table of builtins has a function that CuTe DSL or an older CuTe calls differently. `pasted` is the name as
// it stands, `name` is it without the library's: make_tiled_copy has other parameters in the DSL than in C++.
std::string_view function_name(std::string_view pasted, std::string_view name);

// CUTLASS's types that are nothing but shapes: (M,N,K), (rows,columns), (contiguous,strided). With or without their namespaces.
bool is_shape_type(std::string_view name);

// The word of a Python enumeration: "K" of OperandMajorMode.K; nothing for other names.
std::optional<std::string_view> dsl_constant(std::string_view name);

}  // namespace tessera
