// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/numbers_in.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

std::vector<NumberInText> numbers_in(std::string_view expression) {
  std::vector<NumberInText> found;
  const std::vector<std::size_t> divisions = possible_divisions(expression);
  const Result<std::vector<Token>> tokens = tokenize(expression, divisions);
  if (!tokens) return found;
  for (const Token& token : *tokens) {
    if (token.kind == Token::Kind::integer) found.push_back({token.span, token.integer});
  }
  return found;
}

std::string with_number(std::string_view expression, const NumberInText& number, std::int64_t value) {
  const std::string_view was = expression.substr(number.span.begin, number.span.end - number.span.begin);
  std::string text(expression.substr(0, number.span.begin));
  if (was.starts_with('_')) text += '_';  // CuTe's static _8 stays static
  text += std::to_string(value);
  return text += expression.substr(number.span.end);
}

}  // namespace tessera
