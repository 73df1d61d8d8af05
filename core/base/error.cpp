// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/error.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/utf8.hpp"

namespace tessera {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::parse: return "parse";
    case ErrorCode::unknown_name: return "unknown_name";
    case ErrorCode::wrong_type: return "wrong_type";
    case ErrorCode::wrong_arity: return "wrong_arity";
    case ErrorCode::not_congruent: return "not_congruent";
    case ErrorCode::bad_extent: return "bad_extent";
    case ErrorCode::overflow: return "overflow";
    case ErrorCode::limit: return "limit";
    case ErrorCode::out_of_range: return "out_of_range";
    case ErrorCode::rank_mismatch: return "rank_mismatch";
    case ErrorCode::not_divisible: return "not_divisible";
    case ErrorCode::not_injective: return "not_injective";
    case ErrorCode::breaks_law: return "breaks_law";
    case ErrorCode::not_representable: return "not_representable";
    case ErrorCode::unknown_atom: return "unknown_atom";
    case ErrorCode::wrong_arch: return "wrong_arch";
    case ErrorCode::bad_spec: return "bad_spec";
    case ErrorCode::too_much_smem: return "too_much_smem";
    case ErrorCode::no_device: return "no_device";
    case ErrorCode::no_compiler: return "no_compiler";
    case ErrorCode::compile_failed: return "compile_failed";
    case ErrorCode::launch_failed: return "launch_failed";
    case ErrorCode::timed_out: return "timed_out";
    case ErrorCode::wrong_result: return "wrong_result";
    case ErrorCode::measurement_fault: return "measurement_fault";
    case ErrorCode::bad_message: return "bad_message";
    case ErrorCode::io: return "io";
    case ErrorCode::already_exists: return "already_exists";
    case ErrorCode::corrupt: return "corrupt";
  }
  return "unknown";
}

namespace {

constexpr std::size_t kWidestQuote = 100;  // bytes of the source line shown around the place

// Where the character begins that byte `at` of `line` belongs to.
std::size_t character_begin(std::string_view line, std::size_t at) { return at >= line.size() ? at : utf8_prefix(line, at).size(); }

// The line around `span`, cut to a readable width, and a line of carets below it.
std::string quote(std::string_view source, SourceSpan span) {
  const std::size_t begin = std::min(span.begin, source.size());
  const std::string_view before = source.substr(0, begin);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line_number = std::count(before.begin(), before.end(), '\n') + 1;
  std::string_view line = source.substr(line_begin, source.substr(line_begin).find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t at = begin - line_begin, first = at > kWidestQuote / 2 ? character_begin(line, at - kWidestQuote / 2) : 0;
  const std::size_t end = std::max(span.end, span.begin + 1) - line_begin;
  line = utf8_prefix(line.substr(std::min(first, line.size())), kWidestQuote);
  // What is shown of a character may be wider than its bytes, and the carets stand under what is shown.
  std::string shown;
  std::size_t indent = 0, carets = 0, offset = first;
  while (!line.empty()) {
    const Utf8Character character = first_character(line);
    const std::size_t width = columns(shown);
    if (character.code == '\t')
      shown += ' ';
    else
      append_printable(shown, character, line.substr(0, character.length));
    const std::size_t added = columns(shown) - width;
    if (offset + character.length <= at)
      indent += added;
    else if (offset < end)
      carets += added;
    offset += character.length;
    line.remove_prefix(character.length);
  }
  if (at > offset) indent += at - offset;
  return fmt::format("\n{:>5} | {}\n      | {}{}", line_number, shown, std::string(indent, ' '),
                     std::string(std::max<std::size_t>(carets, 1), '^'));
}

// A note may be many lines, as a compiler's are; none of them begins where a message begins.
std::string indented(std::string_view note) {
  std::string text;
  for (const char c : printable(note, Lines::kept)) {
    text += c;
    if (c == '\n') text += "        ";
  }
  return text;
}

}  // namespace

std::string describe(const Error& error, std::string_view source) {
  std::string text = fmt::format("{}: {}", to_string(error.code), printable(error.message));
  if (error.span && !source.empty()) text += quote(source, *error.span);
  for (const std::string& note : error.notes) text += "\n  note: " + indented(note);
  return text;
}

}  // namespace tessera
