// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/atom_text.hpp"
#include "core/base/characters.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/division_or_comment.hpp"

namespace tessera {
namespace {

// Printable as it is, or as its code: a control character must not reach a terminal.
std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f ? fmt::format("the byte 0x{:02x}", byte) : byte < 0x80 ? fmt::format("'{}'", c) : "this character";
}

constexpr int kMostNameParts = 64;  // of a name: a.b.c has three

class Lexer {
 public:
  Lexer(std::string_view text, std::span<const std::size_t> divisions) : text_(text), divisions_(divisions) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 2 + 2);
    while (skip_blank(), at_ < text_.size()) {
      Token token;
      token.span.begin = at_;
      behind_operand_ = !tokens.empty() && ends_operand(tokens.back());
      TESSERA_CHECK(read(token));
      token.span.end = at_;
      tokens.push_back(token);
    }
    tokens.push_back(Token{Token::Kind::end, 0, {text_.size(), text_.size()}});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // Behind these a sign is an operator, and `_` begins no pointer's name: 4 -3 is a difference, (4,-3) a tuple.
  bool ends_operand(const Token& token) const {
    if (token.kind != Token::Kind::symbol) {
      const std::string_view text = text_.substr(token.span.begin, token.span.end - token.span.begin);
      return text != "o" && text != "return" && text != "and" && text != "or" && text != "not" && text != "if" && text != "else";
    }
    return token.symbol == ')' || token.symbol == ']' || token.symbol == '}';
  }

  void skip_blank() {
    if (at_ == 0 && text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    for (;;) {
      if (at_ < text_.size() && is_space(text_[at_])) {
        ++at_;
      } else if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {  // a line that goes on
        at_ += 2;
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else if (peek() == '#' || (peek() == '/' && peek(1) == '/' && !divides())) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  bool divides() const { return std::binary_search(divisions_.begin(), divisions_.end(), at_); }

  Status read(Token& token) {
    const char c = peek();
    if (c == '/' && peek(1) == '/' && divides()) {
      symbol(token, op::kFloorDivide, 2);
      return Done{};
    }
    const bool signed_digit = !behind_operand_ && (c == '-' || c == '+') && (is_digit(peek(1)) || (peek(1) == '_' && is_digit(peek(2))));
    if (is_digit(c) || signed_digit || (c == '.' && !behind_operand_ && is_digit(peek(1)))) return number(token);
    if (c == '_' && (is_digit(peek(1)) || (peek(1) == '-' && is_digit(peek(2)))) && static_integer_ends()) return number(token);
    if (is_letter(c)) return name(token);
    if (text_.substr(at_).starts_with("...")) {  // CuTe's documentation leaves template arguments out this way
      at_ += 3;
      token.kind = Token::Kind::name;
      return Done{};
    }
    if (c == '"' || c == '\'') return quoted(token);
    if (behind_operand_ && c == '*' && peek(1) == '*') {
      symbol(token, op::kPower, 2);
      return Done{};
    }
    if (read_operator(token)) return Done{};
    return Error{ErrorCode::parse, fmt::format("{} has no meaning here", shown(c)), SourceSpan{at_, at_ + 1}, {}};
  }

  void symbol(Token& token, char of, std::size_t length) {
    token.kind = Token::Kind::symbol;
    token.symbol = of;
    at_ += length;
  }

  bool read_operator(Token& token) {
    struct Long {
      std::string_view text;
      char symbol;
    };
    static constexpr Long kLong[] = {
        {"==", op::kEqual}, {"!=", op::kNotEqual},    {"<=", op::kLessEqual},         {">=", op::kGreaterEqual},
        {"&&", op::kAnd},   {"||", op::kOr},          {"<<", op::kShiftLeft},         {"->", '.'},
        {"..", op::kRange}, {"\u2218", op::kCompose}, {"\u2298", op::kLogicalDivide}, {"\u2297", op::kLogicalProduct}};
    const std::string_view rest = text_.substr(at_);
    for (const Long& each : kLong) {
      if (!rest.starts_with(each.text)) continue;
      symbol(token, each.symbol, each.text.size());
      return true;
    }
    if (rest.empty() || std::string_view("()[]{}<>,:=@;&*+-/%!~^|?.").find(rest[0]) == std::string_view::npos) return false;
    symbol(token, rest[0], 1);
    return true;
  }

  // _16 is an integer, _16x is a name. CuTe prints a negative one as _-16.
  bool static_integer_ends() const {
    std::size_t i = at_ + (peek(1) == '-' ? 2 : 1);
    while (i < text_.size() && is_digit(text_[i])) ++i;
    return i == text_.size() || !is_word(text_[i]);
  }

  Status name(Token& token) {
    // Sw<1,0,2>o0o_16:1 is a composed layout whose blanks were lost.
    const bool behind_part = behind_operand_ || (at_ > 0 && text_[at_ - 1] == '>');
    const bool joined_o = behind_part && peek() == 'o' && (is_digit(peek(1)) || (peek(1) == '_' && is_digit(peek(2))));
    if (joined_o) {
      ++at_;
      token.kind = Token::Kind::name;
      return Done{};
    }
    for (int parts = 1;; ++parts) {
      if (parts > kMostNameParts) {
        return Error{ErrorCode::limit,
                     fmt::format("a name has at most {} parts between its dots", kMostNameParts),
                     SourceSpan{token.span.begin, at_},
                     {}};
      }
      while (is_word(peek())) ++at_;
      if (peek() == ':' && peek(1) == ':' && is_letter(peek(2))) {
        at_ += 2;
      } else if (peek() == '.' && is_letter(peek(1))) {
        at_ += 1;
      } else {
        break;
      }
    }
    token.kind = at_ - token.span.begin == 1 && text_[token.span.begin] == '_' ? Token::Kind::underscore : Token::Kind::name;
    return Done{};
  }

  Status quoted(Token& token) {
    const char quote = text_[at_];
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    }
    if (peek() != quote) {
      return Error{ErrorCode::parse,
                   fmt::format("this string is not closed: {} is missing at the end of the line", quote),
                   SourceSpan{token.span.begin, token.span.begin + 1},
                   {}};
    }
    ++at_;
    token.kind = Token::Kind::text;
    return Done{};
  }

  bool is_exponent(std::size_t ahead) const {
    const char letter = peek(ahead), next = peek(ahead + 1);
    return (letter == 'e' || letter == 'E') && (is_digit(next) || ((next == '-' || next == '+') && is_digit(peek(ahead + 2))));
  }

  Status number(Token& token) {
    const bool static_first = peek() == '_';
    if (static_first) ++at_;
    const bool negative = peek() == '-';
    if (negative || peek() == '+') ++at_;
    const bool is_static = static_first || peek() == '_';
    if (is_static && !static_first) ++at_;
    const int base = is_static ? 10 : base_of_prefix();
    if (base != 10 && !is_digit(peek(1))) at_ += 2;
    const std::size_t digits = at_;
    while (is_digit_of(peek(), base) || is_separator(base)) ++at_;
    const bool suffix = (peek(1) == 'f' || peek(1) == 'F') && !is_word(peek(2));  // 0.f
    const bool point = peek() == '.' && peek(1) != '.' && (!is_letter(peek(1)) || suffix || is_exponent(1));
    if (base == 10 && !is_static && (point || is_exponent(0))) return real(token, digits, negative);

    token.kind = Token::Kind::integer;
    std::string written(text_.substr(digits, at_ - digits));
    std::erase_if(written, [](char c) { return c == '\'' || c == '_'; });
    std::uint64_t magnitude = 0;
    const auto [end, status] = std::from_chars(written.data(), written.data() + written.size(), magnitude, base);
    skip_integer_suffix();
    if ((written.empty() || end != written.data() + written.size()) && status != std::errc::result_out_of_range)
      return Error{ErrorCode::parse, "a number has no digits here", SourceSpan{token.span.begin, at_}, {}};
    const std::uint64_t most = std::uint64_t{0x7fffffffffffffff} + (negative ? 1 : 0);
    if (status == std::errc::result_out_of_range || magnitude > most) {
      return Error{ErrorCode::overflow,
                   "this number does not fit in 64 bits: integers reach from -2^63 to 2^63-1",
                   SourceSpan{token.span.begin, at_},
                   {}};
    }
    token.integer = negative ? static_cast<std::int64_t>(~magnitude + 1) : static_cast<std::int64_t>(magnitude);
    return Done{};
  }

  // 0x, 0b, 0o; and C++'s 010, whose 0 is a digit.
  int base_of_prefix() const {
    if (peek() != '0') return 10;
    switch (peek(1)) {
      case 'x':
      case 'X': return 16;
      case 'b':
      case 'B': return peek(2) == '0' || peek(2) == '1' ? 2 : 10;
      case 'o':
      case 'O': return is_digit(peek(2)) ? 8 : 10;
      default: break;
    }
    if (current_dialect() != Dialect::cpp) return 10;
    std::size_t digits = 1;
    while (is_digit_of(peek(digits), 8)) ++digits;
    return digits > 1 && !is_word(peek(digits)) && peek(digits) != '.' ? 8 : 10;
  }
  static bool is_digit_of(char c, int base) {
    if (base == 16) return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return c >= '0' && c < '0' + base;
  }
  // 1'000 and 1_000: between two digits. A `_` in front of a last number is how CuTe prints what had lost its blanks.
  bool is_separator(int base) const {
    const bool between = at_ > 0 && is_digit_of(text_[at_ - 1], base) && is_digit_of(peek(1), base);
    return between && (peek() == '_' || (peek() == '\'' && !is_word_quote()));
  }
  // 'a'1'b' has a string behind its 1: a separator's digits go on to no further quote than separators.
  bool is_word_quote() const {
    std::size_t i = 1;
    while (is_word(peek(i)) || (peek(i) == '\'' && is_word(peek(i + 1)))) ++i;
    return peek(i) == '\'';
  }

  // 8u, 8ull: as C++ writes it, and compilers print it.
  void skip_integer_suffix() {
    const std::size_t suffix = integer_suffix(text_.substr(at_));
    if (at_ + suffix == text_.size() || !is_word(text_[at_ + suffix])) at_ += suffix;
  }

  Status real(Token& token, std::size_t digits, bool negative) {
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    if (is_exponent(0)) {
      at_ += 2;
      while (is_digit(peek())) ++at_;
    }
    const std::size_t end_of_digits = at_;
    if ((peek() == 'f' || peek() == 'F') && !is_word(peek(1))) ++at_;  // 1.0f
    token.kind = Token::Kind::real;
    const auto [end, status] = std::from_chars(text_.data() + digits, text_.data() + end_of_digits, token.real);
    if (status != std::errc() || end != text_.data() + end_of_digits) {
      return Error{
          ErrorCode::overflow, "this number does not fit in a 64-bit floating-point number", SourceSpan{token.span.begin, at_}, {}};
    }
    if (negative) token.real = -token.real;
    return Done{};
  }

  std::string_view text_;
  std::span<const std::size_t> divisions_;
  std::size_t at_ = 0;
  bool behind_operand_ = false;
};

// Does the line at `begin` start a binding: `let` and a blank?
bool starts_binding(std::string_view text, std::size_t begin) {
  return text.substr(begin).starts_with("let ") || text.substr(begin).starts_with("let\t");
}

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view text, std::span<const std::size_t> divisions) { return Lexer(text, divisions).run(); }

std::size_t end_of_expression(std::string_view text, std::size_t begin) {
  int open = 0;
  bool cpp = false;               // C++'s marks were met
  std::size_t looked_at = begin;  // up to where they were looked for
  const auto divides = [&](std::size_t i) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    cpp = cpp || has_cpp_marks(text.substr(looked_at, end - looked_at));
    looked_at = end;
    return !cpp && may_divide(text.substr(0, end), i);
  };
  std::size_t last = begin;  // after the last character that is neither blank nor comment
  for (std::size_t i = begin; i < text.size();) {
    const char c = text[i];
    if (c == '\n') {
      if (open <= 0 || starts_binding(text, i + 1)) break;
      ++i;
    } else if (c == '/' && i + 1 < text.size() && text[i + 1] == '/' && divides(i)) {
      i += 2;
    } else if (c == '#' || (c == '/' && i + 1 < text.size() && text[i + 1] == '/')) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
      }
      if (i < text.size() && text[i] == c) ++i;
      last = i;
    } else {
      if (c == '(' || c == '[' || c == '{') ++open;
      if (c == ')' || c == ']' || c == '}') --open;
      ++i;
      if (!is_space(c)) last = i;
    }
  }
  return last;
}

bool is_binding_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0]) || name == "_" || name == "o" || name == "let" || name == "true" || name == "false") return false;
  bool static_integer = name[0] == '_';
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_word(name[i])) return false;
    if (i > 0 && !is_digit(name[i])) static_integer = false;
  }
  return !static_integer;
}

}  // namespace tessera
