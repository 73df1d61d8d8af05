// SPDX-License-Identifier: BSD-3-Clause
// The rules of suggest.hpp: each looks at a refused text and adds what may have been meant, the likeliest first. A rule need not be sure:
// what cannot be evaluated is thrown away.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera::mistakes {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A refused text, taken apart as far as it can be.
struct Mistake {
  Mistake(std::string_view text, const Error& error, const Scope& scope);

  std::string_view text;
  const Error& error;
  const Scope& scope;
  std::vector<Token> tokens;         // without the last, which is the end; empty where there are characters that no token begins with
  std::vector<std::size_t> partner;  // of a bracket, also of a template's: the one on the other side, or kNone
  std::vector<std::size_t> within;   // the bracket that a token stands in, or kNone

  bool is(std::size_t i, char symbol) const {
    return i < tokens.size() && tokens[i].kind == Token::Kind::symbol && tokens[i].symbol == symbol;
  }
  bool is_name(std::size_t i) const { return i < tokens.size() && tokens[i].kind == Token::Kind::name; }
  bool is_integer(std::size_t i) const { return i < tokens.size() && tokens[i].kind == Token::Kind::integer; }
  std::string_view word(std::size_t i) const { return i < tokens.size() ? of(tokens[i].span) : std::string_view(); }
  std::string_view of(SourceSpan span) const { return text.substr(span.begin, span.end - span.begin); }
  bool is_opener(std::size_t i) const { return is(i, '(') || is(i, '[') || is(i, '{'); }
  bool is_closer(std::size_t i) const { return is(i, ')') || is(i, ']') || is(i, '}'); }
  bool begins_operand(std::size_t i) const;
  bool ends_operand(std::size_t i) const;
  // Where the error says that it is: the token that begins at or behind its place; tokens.size() without one.
  std::size_t place() const;
  // The elements between an opening bracket and its partner, by the commas on that level; of kNone those of the whole text.
  std::vector<SourceSpan> elements(std::size_t opener) const;
  // The calls whose brackets hold the place of the error, the innermost first: the tokens of their opening brackets.
  std::vector<std::size_t> calls_around() const;
};

struct Edit {
  SourceSpan span;
  std::string text;
};
struct Idea {
  std::string mended;
  std::string meant;     // a sentence without its full stop
  bool invents = false;  // an operand that the text does not have: it can be told, and is no fix
};
class Ideas {
 public:
  explicit Ideas(std::string_view text) : text_(text) {}
  void add(std::vector<Edit> edits, std::string meant, bool invents = false);
  void replace(SourceSpan span, std::string text, std::string meant) { add({{span, std::move(text)}}, std::move(meant)); }
  void invent(std::vector<Edit> edits, std::string meant) { add(std::move(edits), std::move(meant), true); }
  std::vector<Idea> all;

 private:
  std::string_view text_;
};

using Rule = void (*)(const Mistake& mistake, Ideas& ideas);
// A sign of a word processor for the one that is meant: what stands there stays the same, so that another rule may follow.
void plain_characters(const Mistake& mistake, Ideas& ideas);

// The rules in the order in which they are asked.
std::span<const Rule> text_rules();  // suggest_text.cpp: characters, brackets, commas
std::span<const Rule> call_rules();  // suggest_calls.cpp: what stands in which brackets, and in which order
std::span<const Rule> atom_rules();  // suggest_atoms.cpp: names of instructions
std::span<const Rule> name_rules();  // suggest_names.cpp: words

std::string without_blanks(std::string_view text);  // of both ends

}  // namespace tessera::mistakes
