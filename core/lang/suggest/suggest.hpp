// SPDX-License-Identifier: BSD-3-Clause
// What was meant by a text that is refused: a sentence for a learner, and the fix.
//
//   4,8:8,1                -> (4,8):(8,1)             the numbers of one tuple stand in parentheses
//   coalesce (4,8):(1,4)   -> coalesce((4,8):(1,4))   the whole layout is the argument
//   coalsce((2,4):(1,2))   -> coalesce((2,4):(1,2))   a slip
//
// Rules (suggest_rules.hpp) look at the words around the place of the refusal and have ideas; an idea counts only where the text that it
// makes is evaluated. That takes from some microseconds to some milliseconds, so whoever refuses many texts asks only where it is wanted.
#pragma once

#include <string>
#include <string_view>

#include "core/lang/values/scope.hpp"

namespace tessera {

// Gives the refusal of `text` a fix, and notes that say what was probably meant. Where no rule knows better, it stays as it is.
void suggest(Error& error, std::string_view text, const Scope& scope = {});

// The text with the fix in its place.
std::string mended(std::string_view text, const Fix& fix);

// `text` where it is evaluated, else with its fix; refused, with what is wrong, where there is none.
Result<std::string> mended_text(std::string_view text, const Scope& scope = {});

}  // namespace tessera
