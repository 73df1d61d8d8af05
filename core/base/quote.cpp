// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/quote.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/utf8.hpp"

namespace tessera {

namespace {

// The newlines of a text, eight bytes at a time: a text with thousands of errors is counted through for each of them.
std::size_t count_newlines(std::string_view text) {
  constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f, kNewlines = 0x0a0a0a0a0a0a0a0a, kOnes = 0x0101010101010101;
  std::size_t count = 0;
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    word ^= kNewlines;                                                      // 0 in the bytes that are newlines
    const std::uint64_t high = ~(((word & kLow7) + kLow7) | word | kLow7);  // the high bit of these bytes, and no other
    count += static_cast<std::size_t>(((high >> 7) * kOnes) >> 56);         // the sum of the bytes
  }
  return count + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Where the character begins that byte `at` of `line` belongs to.
std::size_t character_begin(std::string_view line, std::size_t at) { return at >= line.size() ? at : utf8_prefix(line, at).size(); }

}  // namespace

Quotation quote(std::string_view source, SourceSpan span, std::size_t widest) {
  const std::size_t begin = std::min(span.begin, source.size());
  const std::string_view before = source.substr(0, begin);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t line_number = count_newlines(before) + 1;
  std::string_view line = source.substr(line_begin, source.substr(line_begin).find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t at = begin - line_begin, first = at > widest / 2 ? character_begin(line, at - widest / 2) : 0;
  const std::size_t end = std::max(span.end, span.begin + 1) - line_begin;
  line = utf8_prefix(line.substr(std::min(first, line.size())), widest);
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
  return {line_number, std::move(shown), indent, std::max<std::size_t>(carets, 1)};
}

}  // namespace tessera
