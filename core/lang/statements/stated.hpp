// SPDX-License-Identifier: BSD-3-Clause
// What the head of a template, a class or a function states of its parameters: their kinds and their defaults. A file's own words are
// better than what a name suggests.
//
//   template <int Stages = 3, class T = half_t>      Stages is an integer, and 3 where nobody says another number
//   def __init__(self, tile=(128, 64), swap: bool)   tile is (128,64) where nobody says another; swap is true or false
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/lang/statements/statements.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// The parameters of a list without its brackets; `at`: where the list begins in its text.
std::vector<StatedParameter> stated_parameters(std::string_view list, std::size_t at, Dialect dialect);

// Does the head say no more than that the parameter is a type: class T, typename T, or Python's Type[cutlass.Numeric]?
bool is_of_types(std::string_view type);
// May a parameter of this type have such a value? A type that is not known excludes nothing.
bool may_have_value(std::string_view type, const Value& value);

}  // namespace tessera
