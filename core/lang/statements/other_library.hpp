// SPDX-License-Identifier: BSD-3-Clause
// What a statement needs that is no part of CuTe's algebra: CUTLASS's own types, another library's functions, a TMA's descriptor.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/syntax/dialect.hpp"

namespace tessera {

// "a type of another library: cutlass::gemm::GemmShape"; empty where there is no such thing. `foreign`: modules of Python that are called
// as CUTLASS's are and come from elsewhere.
std::string other_library(std::string_view statement, Dialect dialect, std::span<const std::string> foreign = {});

// The names that an import binds to modules or functions of others than CUTLASS: sm90_utils of `import quack.sm90_utils as sm90_utils`.
// None of `import cutlass.utils.hopper_helpers as sm90_utils`.
std::vector<std::string> foreign_names(std::string_view import_statement);
// What `import a.b as c, d` and `from x import y as z` bind: c, d, z.
std::vector<std::string> imported_names(std::string_view import_statement);
// Does a call of this function of Python make an object of the run that holds no layout: a stream, a pipeline, a parser of arguments?
bool makes_run_object(std::string_view path);

}  // namespace tessera
