// SPDX-License-Identifier: BSD-3-Clause
// Bytes as an expression: whatever they are, the answer is a value or an error, and a value that was printed reads back as a value.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/syntax/limits.hpp"
#include "core/lang/values/answer.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_expression(std::string_view bytes) {
  const Budget budget;  // of both evaluations: a fuzzer bounds the time of one input
  std::vector<Error> warnings;
  const Result<Value> value = evaluate(bytes, {}, &warnings);
  for (const Error& warning : warnings) {
    if (!is_utf8(describe(warning, bytes))) return "a warning is not UTF-8";
  }
  if (!value) return is_utf8(describe(value.error(), bytes)) ? "" : "a refusal is not UTF-8";
  answer(*value);
  const std::string printed = to_string(*value);
  if (printed.size() >= kLongestText) return "";
  const Result<Value> again = evaluate(printed);
  if (!again && again.error().code != ErrorCode::limit) return "a printed value does not read back: " + printed.substr(0, 200);
  return "";
}

}  // namespace tessera::fuzz
