// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/share_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "app/session/files/document_io.hpp"
#include "core/base/base64.hpp"
#include "core/base/characters.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::string_view kMark = "tessera:", kVersion = "1";
constexpr std::size_t kCheckDigits = 16;

std::array<std::int8_t, 256> values_of_digits() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kBase64Url.size(); ++i) values[static_cast<std::uint8_t>(kBase64Url[i])] = static_cast<std::int8_t>(i);
  return values;
}

Error corrupt(std::string words) {
  return {ErrorCode::corrupt, std::move(words), {}, {"copy the whole word again, from \"tessera:\" to its end"}};
}

Result<std::string> decoded(std::string_view word) {
  static const std::array<std::int8_t, 256> values = values_of_digits();
  std::string bytes;
  bytes.reserve(word.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const int value = values[static_cast<std::uint8_t>(word[i])];
    if (value < 0) {
      const std::string sign = printable(word.substr(i, first_character(word.substr(i)).length));
      return corrupt(fmt::format("the share text was changed: '{}' is no sign of one", sign));
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
    bits &= (1u << count) - 1;
  }
  // The bits behind the last byte are zero: every text has one word.
  if (count >= 6 || bits != 0) return corrupt("the share text was changed: its end belongs to no text");
  return bytes;
}

// Without the blanks and line ends in it.
std::string joined(std::string_view text) {
  std::string word;
  word.reserve(text.size());
  for (const char c : text) {
    if (!is_space(c)) word += c;
  }
  return word;
}

// "1" of "tessera:1:..."; empty where there is none.
std::string_view version_of(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with(kMark)) return {};
  text.remove_prefix(kMark.size());
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return digits < text.size() && text[digits] == ':' ? text.substr(0, digits) : std::string_view();
}

}  // namespace

std::string share_text(std::string_view document) {
  return fmt::format("{}{}:{}.{}", kMark, kVersion, base64(document, kBase64Url), sha256_hex(document).substr(0, kCheckDigits));
}

bool is_share_text(std::string_view text) { return !version_of(text).empty(); }

Result<std::string> read_share_text(std::string_view text) {
  const std::string_view version = version_of(text);
  if (version.empty()) return corrupt("this is no share text: one begins with \"tessera:1:\"");
  if (version != kVersion) {
    return Error{
        ErrorCode::corrupt,
        fmt::format("this share text is of version {}, and this program reads version {}", printable(version.substr(0, 20)), kVersion),
        {},
        {"a later Tessera opens it"}};
  }
  if (text.size() > kLargestDocument * 3 / 2)
    return Error{ErrorCode::limit, fmt::format("a share text of {} bytes is longer than that of any document", text.size()), {}, {}};
  const std::string word = joined(text);
  std::string_view rest = std::string_view(word).substr(kMark.size() + kVersion.size() + 1);
  const std::size_t dot = rest.find('.');
  if (dot == std::string::npos || rest.size() - dot - 1 < kCheckDigits) return corrupt("the share text was cut off: its end is missing");
  if (rest.size() - dot - 1 > kCheckDigits) return corrupt("the share text was changed: something stands behind its end");
  TESSERA_TRY(document, decoded(rest.substr(0, dot)));
  if (rest.substr(dot + 1) != sha256_hex(document).substr(0, kCheckDigits))
    return corrupt("the share text was changed: the check at its end does not fit");
  return document;
}

}  // namespace tessera
