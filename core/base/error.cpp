// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/error.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error_code_named.hpp"
#include "core/base/quote.hpp"
#include "core/base/utf8.hpp"

namespace tessera {

Error::Error() = default;
Error::Error(ErrorCode code, std::string message, std::optional<SourceSpan> span, std::vector<std::string> notes)
    : code(code), message(std::move(message)), span(span), notes(std::move(notes)) {}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

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

std::optional<ErrorCode> error_code_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::corrupt); ++i) {
    if (to_string(static_cast<ErrorCode>(i)) == name) return static_cast<ErrorCode>(i);
  }
  return std::nullopt;
}

namespace {

// A note may be many lines, as a compiler's are; none of them begins where a message begins.
std::string indented(std::string_view note) {
  std::string text;
  for (const char c : printable(note, Lines::kept)) {
    text += c;
    if (c == '\n') text += "        ";
  }
  return text;
}

// The line of the text with its fix, where the fix is; without the text what to write.
std::string fixed_line(const Fix& fix, std::string_view source) {
  if (fix.span.begin > fix.span.end || fix.span.end > source.size() || source.empty()) return printable(fix.replacement);
  const std::size_t line = fix.span.begin == 0 ? std::string_view::npos : source.rfind('\n', fix.span.begin - 1);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const std::size_t end = std::min(source.find('\n', fix.span.end), source.size());
  return indented(fmt::format("{}{}{}", source.substr(begin, fix.span.begin - begin), fix.replacement,
                              source.substr(fix.span.end, end - fix.span.end)));
}

}  // namespace

std::string describe(const Error& error, std::string_view source) {
  std::string text = fmt::format("{}: {}", to_string(error.code), printable(error.message));
  if (error.span && !source.empty()) {
    const Quotation quoted = quote(source, *error.span);
    text += fmt::format("\n{:>5} | {}\n      | {}{}", quoted.line, quoted.shown, std::string(quoted.indent, ' '),
                        std::string(quoted.carets, '^'));
  }
  for (const std::string& note : error.notes) text += "\n  note: " + indented(note);
  if (error.fix) text += "\n  try:  " + fixed_line(*error.fix, source);
  return text;
}

}  // namespace tessera
