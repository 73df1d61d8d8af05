// SPDX-License-Identifier: BSD-3-Clause
// UTF-8: read, repaired, measured, and made safe for a terminal or a window. Nothing else in the project looks at its bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera {

inline constexpr char32_t kReplacement = U'\ufffd';

// What stands at the front of a text.
struct Utf8Character {
  char32_t code = kReplacement;
  std::size_t length = 0;  // bytes; of ill-formed bytes the "maximal subpart", which one U+FFFD stands for
  bool valid = false;
};
Utf8Character first_character(std::string_view text);  // `text` is not empty

bool is_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t code);
std::size_t count_characters(std::string_view text);  // code points; each ill-formed subpart is one

// The longest beginning of at most `bytes` bytes that does not end inside a character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

// "a\xff" -> "a" and U+FFFD. Valid text is unchanged.
std::string repair_utf8(std::string_view text);

// Controls, and what is invisible or changes how its neighbours are shown: ESC, C1, bidirectional overrides, zero-width signs, line
// separators, byte order marks.
bool is_unprintable(char32_t code);

// Text of unknown origin as it may be shown to a person: the unprintable as \n, \x1b, \u{202e}, bytes that are no UTF-8 as \xff. What is
// shown twice stays the same. `kept` lets '\n' and '\t' through, for text that is many lines.
enum class Lines { escaped, kept };
std::string printable(std::string_view text, Lines lines = Lines::escaped);
void append_printable(std::string& out, const Utf8Character& character, std::string_view bytes, Lines lines = Lines::escaped);

// Columns that printable text takes in a terminal: two for East Asian wide characters and emoji, none for combining marks.
int columns(char32_t code);
std::size_t columns(std::string_view text);
std::string cut_to_columns(std::string_view text, std::size_t most);  // "abc…" where it is longer

// "abc \"x\"" with the quotes and escapes of JSON. The data is exact, and safe to print: the unprintable is \u202e; bytes that are no
// UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);
std::string json_string(std::string_view text);

}  // namespace tessera
