// SPDX-License-Identifier: BSD-3-Clause
// Bytes as signs, three in four: base64 of RFC 4648.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

// RFC 4648, 4: with padding, for data in a page.
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
// RFC 4648, 5: for a word in an address.
constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Without padding. `digits`: 64 signs.
inline std::string base64(std::string_view bytes, std::string_view digits) {
  std::string word;
  word.reserve(bytes.size() * 4 / 3 + 4);
  std::uint32_t bits = 0;
  int count = 0;  // of bits that wait, below 6
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<std::uint8_t>(c);
    for (count += 8; count >= 6; count -= 6) word += digits[bits >> (count - 6) & 63];
    bits &= (1u << count) - 1;
  }
  if (count > 0) word += digits[bits << (6 - count) & 63];
  return word;
}

inline std::string padded_base64(std::string_view bytes) {
  std::string word = base64(bytes, kBase64);
  word.resize((word.size() + 3) / 4 * 4, '=');
  return word;
}

}  // namespace tessera
