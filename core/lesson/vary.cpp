// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/vary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/members.hpp"
#include "core/lesson/names.hpp"

namespace tessera::lesson {
namespace {

constexpr std::int64_t kMostValues = 64;  // each is a picture
constexpr std::string_view kNone = "none";

Error refusal(const Written& piece, std::string message) {
  return Error{ErrorCode::parse,
               std::move(message),
               SourceSpan{piece.at, piece.at + piece.text.size()},
               {fmt::format("as in  s = 4 in (1,2,4)  or  s in 0..8, at most {} values", kMostValues)}};
}

Written part(const Written& piece, std::size_t from, std::size_t to) {
  const std::string_view all = piece.text, text = trimmed(all.substr(from, to - from));
  return {std::string(text), piece.at + (text.empty() ? from : static_cast<std::size_t>(text.data() - all.data()))};
}

Result<std::vector<Value>> range_of(const Written& of, const Scope& above) {
  const std::size_t dots = of.text.find("..");
  if (dots == std::string::npos) {
    TESSERA_TRY(value, value_of(of, above));
    Result<std::vector<Value>> elements = elements_of(value);
    if (!elements || elements->empty() || static_cast<std::int64_t>(elements->size()) > kMostValues)
      return refusal(of, fmt::format("{} are no values of a parameter", of.text));
    return elements;
  }
  std::int64_t ends[2] = {};
  for (const bool last : {false, true}) {
    const Written end = last ? part(of, dots + 2, of.text.size()) : part(of, 0, dots);
    TESSERA_TRY(value, value_of(end, above));
    TESSERA_TRY(number, as_integer(value));
    ends[last] = number;
  }
  std::int64_t length = 0;
  if (__builtin_sub_overflow(ends[1], ends[0], &length) || length < 0 || length >= kMostValues)
    return refusal(of, fmt::format("{}..{} is no range of a parameter", ends[0], ends[1]));
  std::vector<Value> made;
  for (std::int64_t i = ends[0]; i <= ends[1]; ++i) made.push_back(Value{IntTuple(i)});
  return made;
}

}  // namespace

Result<VaryValues> values_of(const Vary& vary, const Scope& above) {
  const Budget budget;
  const Written& param = vary.param;
  const std::size_t in = param.text.find(" in "), equals = param.text.substr(0, in).find('=');
  if (in == std::string::npos) return refusal(param, "a parameter is in a range or a tuple");
  VaryValues made;
  made.name = std::string(trimmed(std::string_view(param.text).substr(0, std::min(equals, in))));
  if (!is_binding_name(made.name)) return refusal(param, fmt::format("\"{}\" is no name of a parameter", made.name));
  TESSERA_TRY(values, range_of(part(param, in + 4, param.text.size()), above));
  made.values = std::move(values);
  if (equals != std::string::npos) {
    const Written first = part(param, equals + 1, in);
    TESSERA_TRY(value, value_of(first, above));
    const auto found =
        std::find_if(made.values.begin(), made.values.end(), [&](const Value& each) { return to_string(each) == to_string(value); });
    if (found == made.values.end()) return refusal(first, fmt::format("{} is none of the values of {}", first.text, made.name));
    made.first = static_cast<std::size_t>(found - made.values.begin());
  }
  if (vary.truth.empty()) return made;
  for (const Value& each : made.values) {
    const Names names{{made.name, each}};
    TESSERA_TRY(holds, condition(vary.truth, with_names(names, above)));
    made.holds.push_back(holds);
  }
  return made;
}

std::string written_values(const VaryValues& values) {
  std::string made;
  for (std::size_t i = 0; i < values.holds.size(); ++i) {
    if (values.holds[i]) made += (made.empty() ? "" : ", ") + to_string(values.values[i]);
  }
  return made.empty() ? std::string(kNone) : made;
}

Grade grade(const VaryValues& values, std::string_view answer) {
  Grade made;
  const auto unread = [&](std::string words) {
    made.read = false;
    made.difference = printable(words);
    return made;
  };
  answer = trimmed(answer);
  if (answer.empty()) return unread("there is no answer");
  if (answer.size() > kLongestAnswer) return unread(fmt::format("an answer has at most {} bytes", kLongestAnswer));
  std::vector<bool> given(values.values.size());
  std::string all;
  for (const Value& each : values.values) all += (all.empty() ? "" : ", ") + to_string(each);
  const char separator = answer.find(',') == std::string_view::npos ? ' ' : ',';
  for (const Written& each : answer == kNone ? std::vector<Written>() : parts_between({std::string(answer), 0}, separator)) {
    if (each.empty()) continue;
    const auto found =
        std::find_if(values.values.begin(), values.values.end(), [&](const Value& value) { return to_string(value) == each.text; });
    if (found == values.values.end()) return unread(fmt::format("{} is no value of {}: they are {}", each.text, values.name, all));
    given[static_cast<std::size_t>(found - values.values.begin())] = true;
  }
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    if (!given[i]) continue;
    made.understood += (made.understood.empty() ? "" : ", ") + to_string(values.values[i]);
  }
  if (made.understood.empty()) made.understood = kNone;
  const auto differs = std::mismatch(given.begin(), given.end(), values.holds.begin(), values.holds.end());
  made.right = differs.first == given.end();
  if (!made.right)
    made.difference =
        fmt::format("look at {} = {}", values.name, to_string(values.values[static_cast<std::size_t>(differs.first - given.begin())]));
  return made;
}

}  // namespace tessera::lesson
