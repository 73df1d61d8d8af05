// SPDX-License-Identifier: BSD-3-Clause
// What `tessera batch` answers to one line; it neither reads nor prints, so that tests and fuzzers call it too.
#pragma once

#include <string>
#include <string_view>

#include "core/base/budget.hpp"
#include "core/base/json.hpp"
#include "core/lang/evaluate.hpp"

namespace tessera {

constexpr std::size_t kLongestLine = kRequestJson.bytes;  // of one request: room for kLongestText with every character escaped

// {"id":"a1","expr":"(4,8):(8,1)"} -> {"id":"a1","ok":true,"kind":"layout",...} and a newline. A line that cannot be read gets an error.
// Each line has the limits for itself. With "fix":true a refusal says what was meant (core/lang/suggest.hpp).
std::string answer_line(std::string_view line, const Limits& limits = {});
void append_answer_line(std::string& out, std::string_view line, const Limits& limits = {});

}  // namespace tessera
