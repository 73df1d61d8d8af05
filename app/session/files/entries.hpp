// SPDX-License-Identifier: BSD-3-Clause
// --entry NAME[:LINE]: which call of a function gives its parameters their values. --entry "Traits<128, 64>": a call that the file does not
// have, as a header's templates are used elsewhere.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/programs/called.hpp"

namespace tessera {

inline constexpr const char* kEntryHelp =
    "NAME or NAME:LINE: the function's parameters have the values of its call in that line; a call that stands alone needs no naming. Or a "
    "call that the file does not have: \"Traits<128, 64>\", \"Kernel(128, stages=3)\"";

// Refuses what is no name, with a number behind a colon that is no line, or with arguments that do not close.
Result<std::vector<Entry>> read_entries(const std::vector<std::string>& written);
// Refuses an entry that names no function that the file calls, or a line without such a call; the calls that there are stand in its notes.
Status check_entries(const std::vector<Entry>& entries, const std::vector<CalledFunction>& called);
// "f is called in lines 8 and 9, with different m: --entry f:8 takes the first", one for each function of which it is so.
std::vector<std::string> words_of_calls(const std::vector<CalledFunction>& called);

}  // namespace tessera
