// SPDX-License-Identifier: BSD-3-Clause
// Types of CuTe's objects in what compilers and MLIR print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace tessera {

// A type that stands for a value.
struct PrintedType {
  std::string name;  // what stood before it: LShape=cute::tuple<...>
  SourceSpan span;
  std::string expression;
  std::vector<std::string> unknown;  // dynamic integers and what else the type leaves out
};

// Is this a compiler's message that names types of CuTe, or nothing but such types?
bool is_compiler_output(std::string_view text);
// The outermost types that stand for values, each once, in order.
std::vector<PrintedType> compiler_types(std::string_view text);

// Types of MLIR's dialect `cute`: !cute.layout<"(8,4):(4,1)">, !cute.memref<f16, gmem, "...">
bool is_mlir(std::string_view text);
std::vector<PrintedType> mlir_types(std::string_view text);

// The identifier before `at` where the text reads `NAME = TYPE`; empty elsewhere.
std::string name_before(std::string_view text, std::size_t at);

}  // namespace tessera
