// SPDX-License-Identifier: BSD-3-Clause
// What `tessera batch` answers to one line; it neither reads nor prints, so that tests and fuzzers call it too.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/json.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

constexpr std::size_t kLongestLine = kRequestJson.bytes;  // of one request: room for kLongestText with every character escaped

// {"id":"a1","expr":"(4,8):(8,1)"} -> {"id":"a1","ok":true,"kind":"layout",...} and a newline. A line that cannot be read gets an error.
// Each line has the limits for itself. With "fix":true a refusal says what was meant (core/lang/suggest/suggest.hpp).
std::string answer_line(std::string_view line, const Limits& limits = {});

// The names of a document, for `--file`. An answer says which of `shadows` its expression met: "shadows":["size"].
struct Surroundings {
  Scope scope;
  std::function<void(Error&)> explain;  // adds why a name of the document has no value
  std::vector<std::string> shadows{};   // names of the language that the document takes, sorted
};
void append_answer_line(std::string& out, std::string_view line, const Limits& limits = {}, const Surroundings& around = {});

}  // namespace tessera
