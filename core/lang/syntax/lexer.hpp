// SPDX-License-Identifier: BSD-3-Clause
// Text -> tokens. Spaces and comments (`# ...`, `// ...`, `/* ... */`) are dropped; every token keeps its place in the text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

// Symbols of more than one character, and those outside of ASCII, as one character each.
namespace op {
inline constexpr char kFloorDivide = 'd';   // the `//` that divides
inline constexpr char kEqual = 'e';         // ==
inline constexpr char kNotEqual = 'n';      // !=
inline constexpr char kLessEqual = 'l';     // <=
inline constexpr char kGreaterEqual = 'g';  // >=; two tokens `>` are never joined, since they may close two templates
inline constexpr char kIs = 'i';            // Python's words, which the parser reads: is, is not, in, not in
inline constexpr char kIsNot = 'I';
inline constexpr char kIn = 'm';
inline constexpr char kNotIn = 'M';
inline constexpr char kAnd = 'a';             // &&
inline constexpr char kOr = 'r';              // ||
inline constexpr char kShiftLeft = 's';       // <<
inline constexpr char kShiftRight = 'S';      // two `>` side by side: the parser's word
inline constexpr char kCompose = 'c';         // \u2218
inline constexpr char kLogicalDivide = 'q';   // \u2298
inline constexpr char kLogicalProduct = 'p';  // \u2297
inline constexpr char kPower = 'w';           // Python's **, behind an operand
inline constexpr char kRange = 't';           // 32..56
}  // namespace op

struct Token {
  enum class Kind : std::uint8_t {
    integer,     // 8, -3, 0x10, 0b1010, 1'000, 1_000, and CuTe's static _8
    real,        // 1.5, 2e-3
    text,        // "..." or '...'; the span includes the quotes
    name,        // a name or a path of names: half_t, GMMA::Major::K, cute.make_layout
    underscore,  // _
    symbol,      // one of ( ) [ ] { } < > , : = @ ; & * + - / % ! ~ ^ | ? . in `symbol`, or a name of namespace op
    end,         // after the last token
  };
  Kind kind = Kind::end;
  char symbol = 0;
  SourceSpan span;
  std::int64_t integer = 0;
  double real = 0;
};

// The last token is always Kind::end. Refuses characters that no token starts with, open strings and numbers beyond 64 bits.
// `divisions`, ascending, are the places of those `//` that divide; any other begins a comment.
Result<std::vector<Token>> tokenize(std::string_view text, std::span<const std::size_t> divisions = {});

// Where one binding's expression ends in a document: at the end of its line when all brackets are closed there, else at the end
// of the line that closes them; and always before a line that begins with `let` (so an open bracket spoils one binding only) and
// before a trailing comment; a `//` that may divide (division_or_comment.hpp) is part of the expression. Never fails.
std::size_t end_of_expression(std::string_view text, std::size_t begin);

// Letters, digits and `_`, not beginning with a digit; not `_`, `_4`, `o`, `let`, `true` or `false`.
bool is_binding_name(std::string_view name);

}  // namespace tessera
