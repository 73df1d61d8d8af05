// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/names.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kOpen = "{{", kClose = "}}";

std::string shown(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value.any)) return *text;
  return to_string(value);
}

std::string on_one_line(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (!is_space(c))
      made += c;
    else if (!made.empty() && made.back() != ' ')
      made += ' ';
  }
  while (made.ends_with(' ')) made.pop_back();
  return made;
}

// 0 and 1 alone: row 0, a stride of 1.
bool is_constant(std::string_view text, std::size_t at) {
  const bool ends = at + 1 == text.size() || !(is_word(text[at + 1]) || text[at + 1] == '.');
  const bool is_full_stop = at + 1 < text.size() && text[at + 1] == '.' && (at + 2 == text.size() || !is_digit(text[at + 2]));
  return (text[at] == '0' || text[at] == '1') && (ends || is_full_stop);
}

// Behind what is no word at `at`: the end of {{...}}, of a span of code, or of (a link).
std::size_t behind_code(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view close, std::size_t from) {
    const std::size_t end = text.find(close, from);
    return end == std::string_view::npos ? text.size() : end + close.size();
  };
  if (text.substr(at).starts_with(kOpen)) return behind(kClose, at + kOpen.size());
  if (text[at] == '`') {
    const std::size_t ticks = std::min(text.find_first_not_of('`', at), text.size()) - at;
    return behind(text.substr(at, ticks), at + ticks);
  }
  if (text.substr(at).starts_with("](")) return behind(")", at + 2);
  return at;
}

}  // namespace

Scope with_names(const Names& names, const Scope& behind) {
  return [&names, &behind](std::string_view name) -> const Value* {
    for (std::size_t i = names.size(); i-- > 0;) {
      if (names[i].first == name) return &names[i].second;
    }
    return behind ? behind(name) : nullptr;
  };
}

Result<Value> value_of(const Written& piece, const Scope& scope) {
  Result<Value> value = evaluate_expression(piece.text, scope, nullptr);
  if (!value) return moved(std::move(value).error(), piece);
  return value;
}

Result<bool> condition(const Written& piece, const Scope& scope, std::string* why) {
  std::vector<Error> warnings;
  Result<Value> value = evaluate_expression(piece.text, scope, &warnings);
  if (!value) return moved(std::move(value).error(), piece);
  Result<bool> holds = as_bool(*value);
  if (!holds) return moved(std::move(holds).error(), piece);
  if (why && !*holds && !warnings.empty()) *why = warnings.front().message;
  return holds;
}

Result<std::string> filled(const Written& piece, const Scope& scope, std::size_t* counted) {
  std::string made;
  const std::string_view text = piece.text;
  std::size_t at = 0;
  for (std::size_t open = text.find(kOpen); open != std::string_view::npos; open = text.find(kOpen, at)) {
    made += text.substr(at, open - at);
    const std::size_t close = text.find(kClose, open);
    if (close == std::string_view::npos) {
      return Error{ErrorCode::parse,
                   "{{ is not closed",
                   SourceSpan{piece.at + open, piece.at + open + kOpen.size()},
                   {"an expression in words stands between {{ and }}"}};
    }
    const std::size_t begin = open + kOpen.size();
    TESSERA_TRY(value, value_of({std::string(text.substr(begin, close - begin)), piece.at + begin}, scope));
    made += shown(value);
    if (counted) ++*counted;
    at = close + kClose.size();
  }
  made += text.substr(at);
  return made;
}

Result<std::string> filled_line(const Written& piece, const Scope& scope, std::size_t* counted) {
  TESSERA_TRY(made, filled(piece, scope, counted));
  return on_one_line(made);
}

std::vector<std::size_t> typed_numbers(const Written& words) {
  std::vector<std::size_t> found;
  const std::string_view text = words.text;
  bool in_word = false, in_fence = false, at_line = true;
  for (std::size_t i = 0; i < text.size();) {
    if (at_line && text.substr(i).starts_with("```")) in_fence = !in_fence;
    at_line = text[i] == '\n';
    if (in_fence) {
      ++i;
      continue;
    }
    if (const std::size_t next = behind_code(text, i); next > i) {
      in_word = true;  // {{n}}-byte
      i = next;
      continue;
    }
    if (is_digit(text[i]) && !in_word && !is_constant(text, i)) found.push_back(words.at + i);
    const bool is_point = text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]);
    in_word = is_word(text[i]) || (in_word && (text[i] == '-' || is_point));
    ++i;
  }
  return found;
}

std::vector<Written> parts_between(const Written& piece, char separator) {
  std::vector<Written> parts;
  const std::string_view text = piece.text;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (i < text.size()) {
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c != separator || depth > 0) continue;
    }
    const std::string_view part = text.substr(begin, i - begin), inner = trimmed(part);
    parts.push_back({std::string(inner), piece.at + begin + (inner.empty() ? 0 : static_cast<std::size_t>(inner.data() - part.data()))});
    begin = i + 1;
  }
  return parts;
}

}  // namespace tessera::lesson
