// SPDX-License-Identifier: BSD-3-Clause
// What a statement needs that is no part of CuTe's algebra: CUTLASS's own types, another library's functions, a TMA's descriptor.
#pragma once

#include <string>
#include <string_view>

#include "core/lang/syntax/dialect.hpp"

namespace tessera {

// "a type of another library: cutlass::gemm::GemmShape"; empty where there is no such thing.
std::string other_library(std::string_view statement, Dialect dialect);

}  // namespace tessera
