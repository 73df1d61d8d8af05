// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/call_spans.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

using namespace statement_text;

namespace {

constexpr std::size_t kLongestList = std::size_t{1} << 14;  // bytes between two brackets

// Does this '<' begin arguments? a << b shifts, and a < b with a blank compares.
bool opens_angle(std::string_view text, std::size_t at, std::size_t first) {
  return text[at] == '<' && at > first && is_word(text[at - 1]) && !(at + 1 < text.size() && text[at + 1] == '<');
}
bool closes_angle(std::string_view text, std::size_t at) { return text[at] == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != '='; }

}  // namespace

std::vector<SourceSpan> arguments_in(std::string_view text, SourceSpan list, Dialect dialect) {
  std::vector<SourceSpan> made;
  const Walker walk(text, dialect);
  int depth = 0, angle = 0;
  std::size_t from = list.begin;
  const auto add = [&](std::size_t to) {
    while (from < to) {  // the blanks and comments in front of it
      const std::size_t behind = walk.after_comment(from);
      if (behind == from && !is_space(text[from])) break;
      from = behind > from ? behind : from + 1;
    }
    std::size_t end = to;
    while (end > from && is_space(text[end - 1])) --end;
    if (from < end) made.push_back({from, end});
    from = to + 1;
  };
  for (std::size_t i = list.begin; i < list.end;) {
    const std::size_t next = walk.after(i);
    if (next == i + 1) {
      const char c = text[i];
      if (opens(c)) ++depth;
      if (closes(c)) --depth;
      if (dialect == Dialect::cpp && opens_angle(text, i, list.begin)) ++angle;
      if (angle > 0 && closes_angle(text, i)) --angle;
      if (c == ',' && depth == 0 && angle == 0) add(i);
    }
    i = next;
  }
  add(list.end);
  return made;
}

std::optional<std::size_t> after_bracket(std::string_view text, std::size_t open, Dialect dialect) {
  const Walker walk(text, dialect);
  int depth = 0;
  for (std::size_t i = open; i < text.size() && i < open + kLongestList;) {
    const std::size_t next = walk.after(i);
    if (next == i + 1) {
      if (opens(text[i])) ++depth;
      if (closes(text[i]) && --depth == 0) return i + 1;
    }
    i = next;
  }
  return std::nullopt;
}

std::optional<std::size_t> after_angle(std::string_view text, std::size_t open, Dialect dialect) {
  if (dialect != Dialect::cpp || open >= text.size() || text[open] != '<' || text.substr(open, 2) == "<<" || text.substr(open, 2) == "<=")
    return std::nullopt;
  const Walker walk(text, dialect);
  int depth = 0, angle = 0;
  for (std::size_t i = open; i < text.size() && i < open + kLongestList;) {
    const std::size_t next = walk.after(i);
    if (next == i + 1) {
      const char c = text[i];
      if (c == ';') return std::nullopt;
      if (opens(c)) ++depth;
      if (closes(c) && --depth < 0) return std::nullopt;
      if (c == '<' && depth == 0) ++angle;
      if (depth == 0 && closes_angle(text, i) && --angle == 0) return i + 1;
    }
    i = next;
  }
  return std::nullopt;
}

}  // namespace tessera
