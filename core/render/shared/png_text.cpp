// SPDX-License-Identifier: BSD-3-Clause
// Chunks of a PNG file: length, name, data, checksum, all numbers with the highest byte first.
#include "core/render/shared/png_text.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

namespace {

constexpr std::size_t kHeaderEnd = 8 + 25;  // signature, and IHDR with its length, name, 13 bytes and checksum

std::uint32_t crc32(std::string_view data) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      t[n] = c;
    }
    return t;
  }();
  std::uint32_t crc = 0xffffffffu;
  for (char c : data) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

void append_u32(std::string& out, std::uint32_t n) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 0xff);
}

std::uint32_t read_u32(std::string_view data) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(data[i]);
  return n;
}

constexpr std::size_t kBeforeData = 8, kBeforeText = 5;  // length and name; the keyword's end and what tells of no compression

std::size_t length_of(std::string_view chunk) { return read_u32(chunk); }

// From its length to its checksum; empty when there is none or the file is damaged.
std::string_view text_chunk(std::string_view png, std::string_view keyword) {
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t length = read_u32(png.substr(at));
    if (length > png.size() - at - 12) return {};
    const std::string_view name = png.substr(at + 4, 4), data = png.substr(at + kBeforeData, length);
    if (name == "iTXt" && data.size() >= keyword.size() + kBeforeText && data.substr(0, keyword.size()) == keyword &&
        data[keyword.size()] == '\0')
      return png.substr(at, length + 12);
    at += 12 + length;
  }
  return {};
}

}  // namespace

std::string with_png_text(std::string_view png, std::string_view keyword, std::string_view text) {
  std::string body = "iTXt";
  body += keyword;
  body.append(5, '\0');  // end of keyword, not compressed, method 0, no language, no translated keyword
  body += text;
  std::string out(png.substr(0, kHeaderEnd));
  append_u32(out, static_cast<std::uint32_t>(body.size() - 4));
  out += body;
  append_u32(out, crc32(body));
  out += png.substr(kHeaderEnd);
  return out;
}

std::string png_text(std::string_view png, std::string_view keyword) {
  const std::string_view chunk = text_chunk(png, keyword);
  return chunk.empty()
             ? std::string()
             : std::string(chunk.substr(kBeforeData + keyword.size() + kBeforeText, length_of(chunk) - keyword.size() - kBeforeText));
}

bool png_text_is_whole(std::string_view png, std::string_view keyword) {
  const std::string_view chunk = text_chunk(png, keyword);
  if (chunk.empty()) return false;
  const std::size_t end = chunk.size() - 4;
  return crc32(chunk.substr(4, end - 4)) == read_u32(chunk.substr(end));
}

}  // namespace tessera
