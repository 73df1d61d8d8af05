// SPDX-License-Identifier: BSD-3-Clause
// Layouts in the spellings of other tools, to paste back: CuTe's print(), CuTe C++ types, the CuTe DSL.
#pragma once

#include <string>

#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"

namespace tessera {

enum class Spelling {
  tessera,     // (4,8):(8,1)
  cute_print,  // (_4,_8):(_8,_1)          as print() shows static integers
  cute_cpp,    // Layout<Shape<_4,_8>,Stride<_8,_1>>
  cute_dsl,    // cute.make_layout((4, 8), stride=(8, 1))
};

std::string print(const IntTuple& t, Spelling spelling);
std::string print(const Layout& layout, Spelling spelling);
std::string print(const Swizzle& swizzle, Spelling spelling);
std::string print(const AnyLayout& layout, Spelling spelling);
std::string print(const Tiler& tiler, Spelling spelling);

}  // namespace tessera
