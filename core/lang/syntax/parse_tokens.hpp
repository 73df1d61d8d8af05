// SPDX-License-Identifier: BSD-3-Clause
// The tokens of one expression while it is parsed: where the parser stands, which brackets `<` open, and what it says when it is lost.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/syntax/ast.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

// _8 and -_8; a `_` further back separates digits.
inline bool says_static(std::string_view integer) {
  return integer.find('_') < 2 && integer.find_first_of("0123456789") > integer.find('_');
}

class ParseTokens {
 public:
  ParseTokens(std::string_view text, std::vector<Token> tokens);

  const Token& now() const { return tokens_[at_]; }
  const Token& next(std::size_t ahead = 1) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is(char symbol) const { return now().kind == Token::Kind::symbol && now().symbol == symbol; }
  bool next_is(char symbol, std::size_t ahead = 1) const { return next(ahead).kind == Token::Kind::symbol && next(ahead).symbol == symbol; }
  bool is_word(std::string_view word) const { return now().kind == Token::Kind::name && text_of(now().span) == word; }
  bool is_o() const { return is_word("o"); }
  bool at_end() const { return now().kind == Token::Kind::end; }
  // Does a `<` here open a list that a `>` closes? One that stands between two operands and has no such `>` compares them.
  bool opens_list() const { return is('<') && opens_list_[at_]; }
  // Is an integer static because it says so, _8, or because the text has no word of CuTe's C++ for dynamic ones?
  bool is_static_integer(const Token& token) const { return !beside_static_ || says_static(text_of(token.span)); }
  // Two `>` side by side shift where no list is open.
  bool is_shift_right() const { return is('>') && next_is('>') && now().span.end == next().span.begin; }

  std::string_view text() const { return text_; }
  std::string_view text_of(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }
  SourceSpan since(std::size_t begin) const { return {begin, at_ == 0 ? begin : tokens_[at_ - 1].span.end}; }

  const Token& take() { return tokens_[at_++]; }
  void skip(std::size_t count = 1) { at_ += count; }

  // `auto layout = ...`, `TiledMMA mma = ...`, `using Atom = ...` and Python's `layout = ...`: what they declare is what stands behind
  // the '='. Any other '=' is in brackets, behind the name of an argument.
  void skip_declaration();

  Error error(std::string message, std::string note = {}) const;
  Error unexpected(std::string_view wanted) const;
  // The closing bracket of the one at `open`.
  Status close(char symbol, const Token& open, std::string_view also);

 private:
  std::string_view text_;
  std::vector<Token> tokens_;
  bool beside_static_;            // the text is CuTe's C++: a plain integer in it is dynamic
  std::vector<bool> opens_list_;  // of each token; empty where there is no `<`
  std::size_t at_ = 0;
};

}  // namespace tessera
