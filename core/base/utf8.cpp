// SPDX-License-Identifier: BSD-3-Clause
// The well-formed sequences are those of table 3-7 of the Unicode standard.
#include "core/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tessera {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t code) {
  const auto at = std::lower_bound(ranges.begin(), ranges.end(), code, [](const Range& range, char32_t c) { return range.last < c; });
  return at != ranges.end() && at->first <= code;
}

// In order of their code points, as is_in needs them.
constexpr std::array kUnprintable{
    Range{0x0000, 0x001f},    // C0
    Range{0x007f, 0x009f},    // DEL, C1
    Range{0x00ad, 0x00ad},    // soft hyphen
    Range{0x034f, 0x034f},    // combining grapheme joiner
    Range{0x061c, 0x061c},    // Arabic letter mark
    Range{0x115f, 0x1160},    // Hangul fillers
    Range{0x17b4, 0x17b5},    // Khmer inherent vowels
    Range{0x180b, 0x180f},    // Mongolian selectors and separator
    Range{0x200b, 0x200f},    // zero-width space and joiners, direction marks
    Range{0x2028, 0x202e},    // line and paragraph separator, embeddings and overrides
    Range{0x2060, 0x206f},    // word joiner, invisible operators, isolates, deprecated controls
    Range{0x3164, 0x3164},    // Hangul filler
    Range{0xfeff, 0xfeff},    // byte order mark
    Range{0xffa0, 0xffa0},    // half-width Hangul filler
    Range{0xfff0, 0xfffb},    // unassigned, annotations
    Range{0xfffe, 0xffff},    // no characters
    Range{0x1bca0, 0x1bca3},  // shorthand controls
    Range{0x1d173, 0x1d17a},  // musical controls
    Range{0xe0000, 0xe0fff},  // tags, selectors
};

constexpr std::array kCombining{
    Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd}, Range{0x0610, 0x061a}, Range{0x064b, 0x065f},
    Range{0x06d6, 0x06dc}, Range{0x0900, 0x0902}, Range{0x093c, 0x093c}, Range{0x0941, 0x0948}, Range{0x094d, 0x094d},
    Range{0x0e31, 0x0e31}, Range{0x0e34, 0x0e3a}, Range{0x0e47, 0x0e4e}, Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff},
    Range{0x20d0, 0x20f0}, Range{0x302a, 0x302d}, Range{0x3099, 0x309a}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f},
};

constexpr std::array kWide{
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},   Range{0x2e80, 0x303e},   Range{0x3041, 0x33ff},   Range{0x3400, 0x4dbf},
    Range{0x4e00, 0xa4cf},   Range{0xa960, 0xa97f},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},   Range{0x1b000, 0x1b2ff}, Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff},
    Range{0x1f900, 0x1f9ff}, Range{0x1fa70, 0x1faff}, Range{0x20000, 0x3fffd},
};

constexpr bool ascends(const auto& ranges) {
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first <= ranges[i - 1].last) return false;
  }
  return true;
}
static_assert(ascends(kUnprintable) && ascends(kCombining) && ascends(kWide));

// The bytes of a sequence after its first, and what the second of them may be: without this, "overlong" spellings and surrogates would
// pass.
struct Sequence {
  std::size_t more = 0;
  unsigned char least = 0x80, most = 0xbf;
};

Sequence sequence_of(unsigned char first) {
  if (first >= 0xc2 && first <= 0xdf) return {1};
  if (first == 0xe0) return {2, 0xa0, 0xbf};
  if (first == 0xed) return {2, 0x80, 0x9f};
  if (first >= 0xe1 && first <= 0xef) return {2};
  if (first == 0xf0) return {3, 0x90, 0xbf};
  if (first >= 0xf1 && first <= 0xf3) return {3};
  if (first == 0xf4) return {3, 0x80, 0x8f};
  return {};
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const Sequence sequence = sequence_of(first);
  if (sequence.more == 0) return {kReplacement, 1, false};
  char32_t code = first & (0x3fu >> sequence.more);
  for (std::size_t i = 1; i <= sequence.more; ++i) {
    const bool fits = i < text.size() && byte(i) >= (i == 1 ? sequence.least : 0x80) && byte(i) <= (i == 1 ? sequence.most : 0xbf);
    if (!fits) return {kReplacement, i, false};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  return {code, sequence.more + 1, true};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (!character.valid) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) code = kReplacement;
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).length);
  return count;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  // A character has at most four bytes: if none begins among the last three, the text is no UTF-8 here and may be cut anywhere.
  for (std::size_t back = 0; back < 4 && back <= bytes; ++back) {
    const std::size_t at = bytes - back;
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    return text.substr(0, at + first_character(text.substr(at)).length <= bytes ? bytes : at);
  }
  return text.substr(0, bytes);
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.valid)
      out += text.substr(0, character.length);
    else
      append_utf8(out, kReplacement);
    text.remove_prefix(character.length);
  }
  return out;
}

bool is_unprintable(char32_t code) { return code < 0x7f ? code < 0x20 : is_in(kUnprintable, code); }

void append_printable(std::string& out, const Utf8Character& character, std::string_view bytes, Lines lines) {
  const auto code = static_cast<std::uint32_t>(character.code);
  if (!character.valid) {
    for (const char byte : bytes) fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
  } else if (!is_unprintable(character.code) || (lines == Lines::kept && (code == '\n' || code == '\t'))) {
    out += bytes;
  } else if (code == '\n' || code == '\r' || code == '\t') {
    out += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
  } else if (code < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", code);
  }
}

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    append_printable(out, character, text.substr(0, character.length), lines);
    text.remove_prefix(character.length);
  }
  return out;
}

int columns(char32_t code) { return code < 0x300 ? 1 : is_in(kCombining, code) ? 0 : is_in(kWide, code) ? 2 : 1; }

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    sum += static_cast<std::size_t>(columns(character.code));
    text.remove_prefix(character.length);
  }
  return sum;
}

std::string cut_to_columns(std::string_view text, std::size_t most) {
  if (columns(text) <= most) return std::string(text);
  std::size_t used = 1, bytes = 0;  // of the ellipsis
  while (bytes < text.size()) {
    const Utf8Character character = first_character(text.substr(bytes));
    used += static_cast<std::size_t>(columns(character.code));
    if (used > most) break;
    bytes += character.length;
  }
  return most == 0 ? std::string() : std::string(text.substr(0, bytes)) + "…";
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const auto code = static_cast<std::uint32_t>(character.code);
    if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (code == '\n') {
      out += "\\n";
    } else if (is_unprintable(character.code) && code < 0x10000) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    } else if (is_unprintable(character.code)) {  // JSON spells it as a pair of surrogates
      fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    } else if (character.valid) {
      out += text.substr(0, character.length);
    } else {
      append_utf8(out, kReplacement);
    }
    text.remove_prefix(character.length);
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace tessera
