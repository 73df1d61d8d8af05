// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/division_or_comment.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

// After the string that begins at `at`, which ends in its line, closed or not.
std::size_t after_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return at < text.size() && text[at] == quote ? at + 1 : at;
}

std::size_t end_of_line(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

bool is_slashes(std::string_view text, std::size_t at) { return text.substr(at).starts_with("//"); }

// What stands to the right of a `//`: up to the next one, a # comment or the end of the line.
std::string_view right_side(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] != '\n' && text[end] != '#' && !is_slashes(text, end))
    end = text[end] == '"' || text[end] == '\'' ? after_string(text, end) : end + 1;
  return text.substr(at, end - at);
}

}  // namespace

bool has_cpp_marks(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      i = end_of_line(text, i);
    } else if (c == '"' || c == '\'') {
      i = after_string(text, i);
    } else if (is_word(c)) {
      const std::size_t begin = i;
      while (i < text.size() && is_word(text[i])) ++i;
      const std::string_view word = text.substr(begin, i - begin);
      if (word == "auto" || word == "using") return true;
    } else {
      const std::string_view two = text.substr(i, 2);
      if (c == ';' || two == "::" || two == "{}" || two == "/*") return true;
      ++i;
    }
  }
  return false;
}

bool may_divide(std::string_view text, std::size_t at) {
  std::size_t left = at;
  while (left > 0 && (text[left - 1] == ' ' || text[left - 1] == '\t')) --left;
  if (left == 0 || !(is_word(text[left - 1]) || text[left - 1] == ')' || text[left - 1] == ']')) return false;
  const Result<std::vector<Token>> tokens = tokenize(right_side(text, at + 2));
  if (!tokens) return false;
  const auto symbol = [](const Token& token, std::string_view of) {
    return token.kind == Token::Kind::symbol && of.find(token.symbol) != std::string_view::npos;
  };
  const auto begins = [](const Token& token) { return token.kind != Token::Kind::symbol && token.kind != Token::Kind::end; };
  const std::size_t from = at + 2;
  const auto is_o = [&](const Token& token) { return text.substr(from + token.span.begin, token.span.end - token.span.begin) == "o"; };
  if (!begins(tokens->front()) && !symbol(tokens->front(), "(")) return false;
  for (std::size_t i = 1; i < tokens->size(); ++i) {
    const Token &before = (*tokens)[i - 1], &token = (*tokens)[i];
    const bool ends = (begins(before) && !is_o(before)) || symbol(before, ")]");
    if (ends && begins(token) && !is_o(token)) return false;
  }
  return true;
}

std::vector<std::size_t> possible_divisions(std::string_view text) {
  std::vector<std::size_t> found;
  const bool python = current_dialect() == Dialect::python;
  if (text.find("//") == std::string_view::npos || current_dialect() == Dialect::cpp || (!python && has_cpp_marks(text))) return found;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '#') {
      i = end_of_line(text, i);
    } else if (text[i] == '"' || text[i] == '\'') {
      i = after_string(text, i);
    } else if (!is_slashes(text, i)) {
      ++i;
    } else if (python || may_divide(text, i)) {
      found.push_back(i);
      i += 2;
    } else {
      i = end_of_line(text, i);
    }
  }
  return found;
}

std::string_view without_trailing_comment(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (open <= 0 && (c == '#' || is_slashes(text, i))) {
      const std::string_view before = text.substr(0, i);
      return before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
    }
    if (c == '#') {
      i = end_of_line(text, i);
      continue;
    }
    if (c == '"' || c == '\'') {
      i = after_string(text, i);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++open;
    if (c == ')' || c == ']' || c == '}') --open;
    ++i;
  }
  return text;
}

}  // namespace tessera
