// SPDX-License-Identifier: BSD-3-Clause
// A trace laid over what was read of a source: values of a run stand where the text has them, and where both differ both are said.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/lang/programs/explain_program.hpp"
#include "core/lang/programs/trace.hpp"

namespace tessera {

// Of each traced object that is a layout, a tensor, an MMA or a copy:
//
//   the text reads the same     the value rests on no guess any more
//   the text reads another      the traced value stands there, and `beside` says what was read
//   the text reads none         an object of its own; the statement has a value now
//   numbers of the run in it    text alone, in Explanation::traced; a value of the text that does not fit is no object any more, and
//                               `beside` says it. One that fits stays as it was read
//
// A number or a tuple is laid over a statement that reads an object there. `from_trace`: names whose values were given to the explanation
// by values_for; what was computed with no other is traced, too.
//
// A row belongs to the statement of its line that binds its name; a dump in C++ to the last statement above it that does. One place may
// have several values, as of a loop that Python unrolls: each is an object.
void lay_over(Explanation& explanation, const std::vector<TracedObject>& objects, const std::vector<std::string>& from_trace = {});

// Of the names to which a text gives no value, those that have one and the same value wherever a trace has them, as `explain` takes given
// values: the text can be read with them in the place of guesses.
std::vector<std::pair<std::string, std::string>> values_for(const std::vector<Symbol>& symbols, const std::vector<TracedObject>& objects);

}  // namespace tessera
