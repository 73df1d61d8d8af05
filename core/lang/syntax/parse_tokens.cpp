// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/parse_tokens.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

bool is_symbol(const Token& token, std::string_view of) {
  return token.kind == Token::Kind::symbol && of.find(token.symbol) != std::string_view::npos;
}

// Which `<` have a `>` on their own level of brackets, before anything that no list of arguments holds.
std::vector<bool> lists_of(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<bool> opens(tokens.size(), false);
  std::vector<std::size_t> open;  // places of brackets and of `<`
  // conditional_t<a == b, ...> holds a comparison; a < b == c does not hold one.
  const auto names_template = [&](std::size_t list) {
    if (list == 0 || tokens[list - 1].kind != Token::Kind::name) return false;
    std::string_view name = text.substr(tokens[list - 1].span.begin, tokens[list - 1].span.end - tokens[list - 1].span.begin);
    if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos) name.remove_prefix(colons + 2);
    return name.ends_with("_t") || name.ends_with("_v") || name == "conditional" || name == "enable_if" || name == "bool_constant" ||
           name == "Int" || name == "C";
  };
  const auto drop_lists = [&] {
    while (!open.empty() && is_symbol(tokens[open.back()], "<") && !names_template(open.back())) open.pop_back();
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::name) {
      const std::string_view word = text.substr(token.span.begin, token.span.end - token.span.begin);
      if (word == "and" || word == "or" || word == "if" || word == "else") drop_lists();
    } else if (is_symbol(token, "([{")) {
      open.push_back(i);
    } else if (is_symbol(token, ")]}")) {
      drop_lists();
      if (!open.empty()) open.pop_back();
    } else if (is_symbol(token, ";") || (token.kind == Token::Kind::symbol && (token.symbol == op::kOr || token.symbol == op::kEqual))) {
      drop_lists();
    } else if (is_symbol(token, "<")) {
      const bool number_before = i > 0 && (tokens[i - 1].kind == Token::Kind::integer || is_symbol(tokens[i - 1], ")]"));
      if (!number_before) open.push_back(i);
    } else if (is_symbol(token, ">") && !open.empty() && is_symbol(tokens[open.back()], "<")) {
      opens[open.back()] = true;
      open.pop_back();
    }
  }
  return opens;
}

// Does this name, with what follows it, write a static integer, or make a tuple or a layout as CuTe's C++ does and nobody else?
bool is_cpp_word(std::string_view name, const Token& next) {
  if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
  if (name.size() > 1 && name[0] == '_') return std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_symbol(next, "<")) return name == "Int" || name == "C" || name == "integral_constant" || name == "constant" || name == "UInt";
  if (name == "GenRowMajor" || name == "GenColMajor") return true;
  return is_symbol(next, "(") && (name == "make_shape" || name == "make_stride" || name == "make_coord" || name == "make_tile");
}

// Does the text say which of its integers are static? One that never does is this language's own, where all of them are.
bool tells_static_integers(std::string_view text, const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view word = text.substr(tokens[i].span.begin, tokens[i].span.end - tokens[i].span.begin);
    if (word == "Step" && is_symbol(tokens[i + 1], "<")) {  // Step<_1,X> picks modes, of any layout
      while (i + 1 < tokens.size() && !is_symbol(tokens[i], ">")) ++i;
      continue;
    }
    if (tokens[i].kind == Token::Kind::integer && says_static(word)) return true;
    if (tokens[i].kind == Token::Kind::name && is_cpp_word(word, tokens[i + 1])) return true;
  }
  return false;
}

}  // namespace

ParseTokens::ParseTokens(std::string_view text, std::vector<Token> tokens)
    : text_(text), tokens_(std::move(tokens)), beside_static_(tells_static_integers(text_, tokens_)) {
  const bool any = std::any_of(tokens_.begin(), tokens_.end(), [](const Token& token) { return is_symbol(token, "<"); });
  opens_list_ = any ? lists_of(text_, tokens_) : std::vector<bool>(tokens_.size(), false);
}

void ParseTokens::skip_declaration() {
  int open = 0;
  for (std::size_t i = at_; i < tokens_.size(); ++i) {
    if (is_symbol(tokens_[i], "([{") || (is_symbol(tokens_[i], "<") && opens_list_[i])) ++open;
    if (is_symbol(tokens_[i], ")]}>")) --open;
    if (!is_symbol(tokens_[i], "=") || open != 0) continue;
    const bool declares = i > at_ && tokens_[i - 1].kind == Token::Kind::name && (tokens_[at_].kind == Token::Kind::name || is('['));
    if (declares) at_ = i + 1;
    return;
  }
}

Error ParseTokens::error(std::string message, std::string note) const {
  Error e{ErrorCode::parse, std::move(message), now().span, {}};
  if (!note.empty()) e.notes.push_back(std::move(note));
  return e;
}

Error ParseTokens::unexpected(std::string_view wanted) const {
  if (at_end()) return error(fmt::format("the text ends where {} is expected", wanted));
  if (is_symbol(now(), ")]}>")) return error(fmt::format("'{}' closes nothing that is open; {} is expected", now().symbol, wanted));
  if (is('?')) {
    return error(fmt::format("{} is expected, but here stands '?'", wanted),
                 "a dynamic integer that the DSL does not know: write the number that it has at run time");
  }
  return error(fmt::format("{} is expected, but here stands '{}'", wanted, text_of(now().span).substr(0, 40)));
}

Status ParseTokens::close(char symbol, const Token& open, std::string_view also) {
  if (is(symbol)) {
    ++at_;
    return Done{};
  }
  if (at_end())
    return Error{ErrorCode::parse, fmt::format("this '{}' is never closed: '{}' is missing", open.symbol, symbol), open.span, {}};
  if (is_symbol(now(), ")]}>")) {
    return error(fmt::format("'{}' cannot close the '{}' at character {}: '{}' is expected", now().symbol, open.symbol, open.span.begin + 1,
                             symbol));
  }
  return error(fmt::format("{}'{}' is expected, but here stands '{}'", also, symbol, text_of(now().span).substr(0, 40)));
}

}  // namespace tessera
