// SPDX-License-Identifier: BSD-3-Clause
// Goes through the tokens of a plan's text, and reads the layouts in it. Private to core/gemm/text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/text/tokens.hpp"
#include "core/layout/tiler.hpp"

namespace tessera::plan::text {

// After the first error nothing is read any more, and what is asked for stays as it is.
class LayoutReader {
 public:
  LayoutReader(std::string_view text, const std::vector<Token>& tokens, std::size_t at) : text_(text), tokens_(tokens), at_(at) {}
  std::size_t position() const { return at_; }

  void layout(AnyLayout& layout);  // (4,8):(8,1), Sw<3,3,3> o 0 o (8,64):(64,1)
  Tiler tiler();                   // _, 32, (32,(4,2):(1,8),_)
  void take(Layout& layout);

 protected:
  std::string_view source() const { return text_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  void go_to(std::size_t at) { at_ = at; }
  bool ok() const { return !error_; }
  const Token& peek() const { return tokens_[at_]; }
  const Token& ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  const Token& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool accept(std::string_view sign) {  // a sign or word, where it stands here
    const bool is = ok() && peek().text == sign && peek().kind != Token::Kind::quoted;
    if (is) next();
    return is;
  }
  bool begins_statement() const;  // does a statement begin here?
  bool goes_on() const;           // is something left of the statement?
  int line_of(const Token& token) const;
  std::int64_t integer();  // 12, -3

  void fail(const std::string& message, std::string what_to_try = {}) { fail_at(peek(), message, std::move(what_to_try)); }
  void fail_at(const Token& token, const std::string& message, std::string what_to_try = {});
  void wants(const std::string& what);  // something else stands here

  std::optional<Error> error_;

 private:
  IntTuple tuple();
  std::variant<Swizzle, Layout> part();

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;                        // of parentheses
  mutable std::size_t line_begins_ = 0;  // what line_of has counted
  mutable int line_ = 1;
};

}  // namespace tessera::plan::text
