// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/error.hpp"

#include <algorithm>

#include <fmt/format.h>

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

// The line around `span`, cut to a readable width, and a line of carets below it.
std::string quote(std::string_view source, SourceSpan span) {
  const std::size_t begin = std::min(span.begin, source.size());
  const std::size_t last_newline = source.substr(0, begin).rfind('\n');
  std::size_t line_begin = last_newline == std::string_view::npos ? 0 : last_newline + 1;
  const std::size_t line_number =
      static_cast<std::size_t>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(begin), '\n')) + 1;
  std::size_t line_end = source.find('\n', begin);
  if (line_end == std::string_view::npos) line_end = source.size();
  if (begin - line_begin > kWidestQuote / 2) line_begin = begin - kWidestQuote / 2;
  if (line_end - line_begin > kWidestQuote) line_end = line_begin + kWidestQuote;
  const std::size_t end = std::clamp(span.end, begin + 1, std::max(line_end, begin + 1));
  return fmt::format("\n{:>5} | {}\n      | {}{}", line_number, source.substr(line_begin, line_end - line_begin),
                     std::string(begin - line_begin, ' '), std::string(end - begin, '^'));
}

}  // namespace

std::string describe(const Error& error, std::string_view source) {
  std::string text = fmt::format("{}: {}", to_string(error.code), error.message);
  if (error.span && !source.empty()) text += quote(source, *error.span);
  for (const std::string& note : error.notes) text += "\n  note: " + note;
  return text;
}

}  // namespace tessera
