// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/literal.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/utf8.hpp"

namespace tessera {

std::string real_literal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_literal(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character here = first_character(text.substr(at));
    if (text[at] == '"' || text[at] == '\\') out += '\\';
    append_printable(out, here, text.substr(at, here.length));
    at += here.length;
  }
  return out + '"';
}

namespace {

// 1b of \x1b, 202e of \u{202e}; nothing where other characters stand there.
std::optional<std::uint32_t> hexadecimal(std::string_view digits) {
  std::uint32_t code = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  return status == std::errc() && end == digits.data() + digits.size() ? std::optional(code) : std::nullopt;
}

}  // namespace

std::string text_of_literal(std::string_view quoted) {
  std::string text;
  const std::string_view inside = quoted.size() < 2 ? std::string_view() : quoted.substr(1, quoted.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      text += inside[i];
      continue;
    }
    const char kind = inside[++i];
    const std::size_t close = kind == 'u' && inside.substr(i + 1, 1) == "{" ? inside.find('}', i) : std::string_view::npos;
    const std::string_view digits = kind == 'x'                       ? inside.substr(i + 1, 2)
                                    : close != std::string_view::npos ? inside.substr(i + 2, close - i - 2)
                                                                      : std::string_view();
    const std::optional<std::uint32_t> code = kind == 'x' && digits.size() < 2 ? std::nullopt : hexadecimal(digits);
    if (code && kind == 'x') {
      text += static_cast<char>(*code);
      i += 2;
    } else if (code && *code < 0x110000 && (*code < 0xd800 || *code > 0xdfff)) {
      append_utf8(text, *code);
      i = close;
    } else {
      text += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind == 'r' ? '\r' : kind;
    }
  }
  return text;
}

}  // namespace tessera
