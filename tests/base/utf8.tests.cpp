// SPDX-License-Identifier: BSD-3-Clause
// UTF-8 against the Unicode standard's own examples, and printable() against every code point and every short run of bytes.
#include "core/base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <ios>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

const std::string kSign = "\xef\xbf\xbd";  // U+FFFD

std::string bytes_of(std::initializer_list<int> bytes) {
  std::string out;
  for (const int byte : bytes) out += static_cast<char>(byte);
  return out;
}

std::string spelled(char32_t code) {
  std::string out;
  append_utf8(out, code);
  return out;
}

// Whether a terminal may be shown this: decoded anew, byte by byte, without the code under test.
bool is_harmless(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return false;
    if (c == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0) return false;  // C1
    const std::string_view three = text.substr(i, 3);
    if (three >= std::string_view("\xe2\x80\x8b") && three <= std::string_view("\xe2\x80\x8f")) return false;  // zero width
    if (three >= std::string_view("\xe2\x80\xa8") && three <= std::string_view("\xe2\x80\xae")) return false;  // separators, overrides
    if (three >= std::string_view("\xe2\x81\xa6") && three <= std::string_view("\xe2\x81\xa9")) return false;  // isolates
    if (three == "\xef\xbb\xbf") return false;                                                                 // byte order mark
  }
  return true;
}

}  // namespace

TEST_CASE("every code point survives being written and read") {
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const std::string text = spelled(code);
    const Utf8Character read = first_character(text);
    if (!read.valid || read.code != code || read.length != text.size()) FAIL("U+" << std::hex << static_cast<std::uint32_t>(code));
  }
}

TEST_CASE("surrogates, overlong spellings and what lies beyond U+10FFFF are no UTF-8") {
  const std::array<std::string, 8> wrong{bytes_of({0xc0, 0x80}),       bytes_of({0xc1, 0xbf}),       bytes_of({0xe0, 0x9f, 0xbf}),
                                         bytes_of({0xed, 0xa0, 0x80}), bytes_of({0xed, 0xbf, 0xbf}), bytes_of({0xf0, 0x8f, 0xbf, 0xbf}),
                                         bytes_of({0xf4, 0x90, 0, 0}), bytes_of({0xf5, 0x80, 0x80})};
  for (const std::string& text : wrong) CHECK_FALSE(is_utf8(text));
  CHECK(spelled(0xd800) == kSign);
  CHECK(spelled(0x110000) == kSign);
}

TEST_CASE("ill-formed bytes are repaired one U+FFFD for each maximal subpart, as in the Unicode standard's tables 3-8 to 3-11") {
  const auto signs = [](int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += kSign;
    return out;
  };
  CHECK(repair_utf8(bytes_of({0xc0, 0xaf, 0xe0, 0x80, 0xbf, 0xf0, 0x81, 0x82, 0x41})) == signs(8) + "A");
  CHECK(repair_utf8(bytes_of({0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf, 0xed, 0xaf, 0x41})) == signs(8) + "A");
  CHECK(repair_utf8(bytes_of({0xf4, 0x91, 0x92, 0x93, 0xff, 0x41, 0x80, 0xbf, 0x42})) == signs(5) + "A" + signs(2) + "B");
  CHECK(repair_utf8(bytes_of({0xe1, 0x80, 0xe2, 0xf0, 0x91, 0x92, 0xf1, 0xbf, 0x41})) == signs(4) + "A");
  CHECK(repair_utf8("a\xe2\x82") == "a" + kSign);
  CHECK(repair_utf8("(4,8) → é 漢 😀") == "(4,8) → é 漢 😀");
}

TEST_CASE("any three bytes are repaired to UTF-8, and what was UTF-8 is unchanged") {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const int third : {0x00, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe2, 0xf0, 0xff}) {
        const std::string text = bytes_of({first, second, third}), repaired = repair_utf8(text), shown = printable(text);
        const bool good = is_utf8(repaired) && (!is_utf8(text) || repaired == text) && is_utf8(shown) && is_harmless(shown);
        if (!good) FAIL(std::hex << first << ' ' << second << ' ' << third << " -> " << shown);
      }
    }
  }
}

TEST_CASE("printable text spells out what would steer a terminal or deceive the eye") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\x1b]0;title\x07", "\\x1b]0;title\\x07"},
      {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
      {"\x7f", "\\x7f"},
      {spelled(0x9b) + "31m", "\\u{9b}31m"},
      {"\x9b", "\\x9b"},
      {"user" + spelled(0x202e) + "gpj" + spelled(0x2069), "user\\u{202e}gpj\\u{2069}"},
      {spelled(0xfeff) + "a" + spelled(0x200b) + spelled(0x2028), "\\u{feff}a\\u{200b}\\u{2028}"},
      {spelled(0xe0041), "\\u{e0041}"},
      {"na\xefve \xe2\x82", "na\\xefve \\xe2\\x82"},
      {"é → 漢 😀 \\x1b", "é → 漢 😀 \\x1b"},
  };
  for (const auto& [text, shown] : cases) CHECK(printable(text) == shown);
  CHECK(printable("a\nb\tc\rd\x1b", Lines::kept) == "a\nb\tc\\rd\\x1b");
}

TEST_CASE("what is printable is shown as it is, so that text may be made printable twice") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      if (random() % 2 == 0)
        text += static_cast<char>(random() % 256);
      else
        append_utf8(text, static_cast<char32_t>(random() % 0x30000));
    }
    for (const Lines lines : {Lines::escaped, Lines::kept}) {
      const std::string once = printable(text, lines);
      REQUIRE(printable(once, lines) == once);
    }
    REQUIRE(is_harmless(printable(text)));
  }
}

TEST_CASE("columns are two for wide characters and none for marks that stand on the one before") {
  CHECK(columns("abc") == 3);
  CHECK(columns("漢字") == 4);
  CHECK(columns("e\xcc\x81") == 1);
  CHECK(columns("😀 ok") == 5);
  CHECK(columns("→…×") == 3);
  CHECK(cut_to_columns("漢字 abc", 9) == "漢字 abc");
  CHECK(cut_to_columns("漢字 abc", 7) == "漢字 a…");
  CHECK(cut_to_columns("漢字", 3) == "漢…");
  CHECK(cut_to_columns("漢字", 2) == "…");
  CHECK(cut_to_columns("ab", 0).empty());
}

TEST_CASE("a text is cut between characters") {
  const std::string text = "a漢😀b";
  for (std::size_t bytes = 0; bytes <= text.size() + 1; ++bytes) {
    const std::string_view cut = utf8_prefix(text, bytes);
    CHECK(cut.size() <= bytes);
    CHECK(cut.size() + 4 > std::min(bytes, text.size()));
    CHECK(is_utf8(cut));
  }
  CHECK(utf8_prefix(std::string(9, '\x80'), 5).size() == 5);  // no characters at all
}

TEST_CASE("a JSON string is read back as the text it was made of, and is harmless as it stands") {
  std::string all;
  for (char32_t code = 0; code < 0x3000; ++code) {
    if (code < 0xd800 || code > 0xdfff) append_utf8(all, code);
  }
  append_utf8(all, 0xe0041);
  append_utf8(all, 0x1f600);
  const std::string json = json_string(all);
  CHECK(nlohmann::json::parse(json).get<std::string>() == all);
  CHECK(is_harmless(json));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = bytes_of({'a', byte, 'b'});
    CHECK(nlohmann::json::parse(json_string(text)).get<std::string>() == repair_utf8(text));
  }
}

TEST_CASE("characters are counted with each ill-formed part as one") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("a→😀") == 3);
  CHECK(count_characters("\xff\xe2\x82z") == 3);
}
