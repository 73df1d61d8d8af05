// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/text/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/literal.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera::plan::text {

namespace {

constexpr std::string_view kPairs[] = {"->", "..", "==", ">="};
constexpr std::string_view kSigns = "{}()[]<>,;:=*+-%@_";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> tokens() {
    while (skip()) TESSERA_CHECK(take());
    add(Token::Kind::end, 0);
    return std::move(tokens_);
  }

 private:
  // To the next token; false at the end of the text.
  bool skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#' || text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_[at_] == '\n') {
        new_line_ = true, ++at_;
      } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  void add(Token::Kind kind, std::size_t bytes) {
    Token token{kind, text_.substr(at_, bytes), {}, at_};
    const bool goes_on =
        inside_ > 0 || (!tokens_.empty() && (tokens_.back().text == "," || tokens_.back().text == "=" || tokens_.back().text == "->" ||
                                             tokens_.back().text == "*" || tokens_.back().text == ".."));
    token.begins = new_line_ && !goes_on;
    new_line_ = false;
    if (token.text == "(" || token.text == "[") ++inside_;
    if (token.text == ")" || token.text == "]") inside_ = std::max(0, inside_ - 1);
    tokens_.push_back(std::move(token));
    at_ += bytes;
  }

  Status take() {
    const char c = text_[at_];
    if (is_letter(c) && !(c == '_' && !(at_ + 1 < text_.size() && (is_letter(text_[at_ + 1]) || is_digit(text_[at_ + 1]))))) {
      std::size_t end = at_;
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
      add(Token::Kind::word, end - at_);
      return Done{};
    }
    if (is_digit(c)) {
      add(Token::Kind::number, digits());
      return Done{};
    }
    if (c == '"') return take_quoted();
    for (const std::string_view pair : kPairs) {
      if (!text_.substr(at_).starts_with(pair)) continue;
      add(Token::Kind::sign, pair.size());
      return Done{};
    }
    if (kSigns.find(c) == std::string_view::npos)
      return error_at(text_, at_, 1, ErrorCode::parse, fmt::format("\"{}\" does not occur in a plan", std::string(1, c)));
    add(Token::Kind::sign, 1);
    return Done{};
  }

  std::size_t digits() const {  // 12, 0.5, 1e-05
    std::size_t end = at_;
    const auto run = [&] {
      while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    run();
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) ++end, run();
    if (end < text_.size() && text_[end] == 'e') {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '-' || text_[exponent] == '+')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) end = exponent, run();
    }
    return end - at_;
  }

  Status take_quoted() {
    for (std::size_t end = at_ + 1; end < text_.size() && text_[end] != '\n'; ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (text_[end] == '"') {
        add(Token::Kind::quoted, end + 1 - at_);
        tokens_.back().quoted = text_of_literal(tokens_.back().text);
        return Done{};
      }
    }
    return error_at(text_, at_, 1, ErrorCode::parse, "these quotes have no end on their line", "a \" behind the last letter");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool new_line_ = false;
  int inside_ = 0;  // parentheses and brackets
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) { return Lexer(text).tokens(); }

Error error_at(std::string_view text, std::size_t at, std::size_t bytes, ErrorCode code, const std::string& message,
               std::string what_to_try) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  Error error = refuse(code, fmt::format("line {}, column {} of the plan: {}", line, at - start + 1, message), std::move(what_to_try));
  error.span = SourceSpan{at, at + bytes};
  return error;
}

}  // namespace tessera::plan::text
