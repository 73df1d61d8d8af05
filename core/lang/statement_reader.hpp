// SPDX-License-Identifier: BSD-3-Clause
// The reader of statements: statements.cpp finds where each one ends, statement_kinds.cpp says what it is.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/lang/statements.hpp"

namespace tessera {

namespace statement_text {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
inline bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
inline bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
std::string_view first_word(std::string_view text);
std::string_view trimmed(std::string_view text);
bool has_word(std::string_view text, std::string_view word);

// Walks over a text, knowing strings and comments.
class Walker {
 public:
  Walker(std::string_view text, bool cpp) : text_(text), cpp_(cpp) {}
  std::size_t after(std::size_t at) const;          // behind what begins at `at`: a comment, a string, or one character
  std::size_t after_comment(std::size_t at) const;  // `at` itself where no comment begins
  bool begins_line(std::size_t at) const;

 private:
  bool divides(std::size_t at) const;

  std::string_view text_;
  bool cpp_;
};

}  // namespace statement_text

class StatementReader {
 public:
  StatementReader(std::string_view text, const StatementOptions& options);
  std::vector<Statement> run();

 private:
  struct End {
    std::size_t at = 0;                // behind the last character of the statement
    std::size_t next = 0;              // where the next one begins
    std::optional<std::size_t> block;  // of the '{' that opens a block
  };

  // statements.cpp
  void skip_blank();
  std::size_t line_of(std::size_t at);
  std::size_t end_of_directive(std::size_t begin) const;
  std::size_t end_of_block(std::size_t brace) const;
  std::size_t end_of_indented(std::size_t begin, std::size_t next) const;
  End end_of_cpp(std::size_t begin) const;
  End end_of_line(std::size_t begin, const statement_text::Walker& walk) const;
  bool is_whole_line(std::size_t begin, std::size_t end, std::size_t next) const;
  bool is_block_head(std::size_t begin, std::size_t brace) const;
  void statement(std::size_t begin);

  // statement_kinds.cpp
  void cpp_statement(std::size_t begin, const End& end);
  void cpp_block(std::size_t begin, const End& end, std::string_view text);
  void line_statement(std::size_t begin, std::size_t end);
  bool check(std::size_t begin, std::size_t end, std::string_view text);
  bool print(std::size_t begin, std::size_t end, std::string_view text);
  void let(std::size_t begin, std::size_t end);
  void parameter(std::size_t begin, std::size_t end);
  void declaration(std::size_t begin, std::size_t end);
  void declared_without_value(std::size_t begin, std::size_t end);
  void template_alias(std::size_t begin, std::size_t end);
  void typedef_statement(std::size_t begin, std::size_t end);
  // statement_lists.cpp
  void trim_fragment(std::size_t& begin, std::size_t& end) const;
  bool list(std::size_t begin, std::size_t end);
  bool is_listed(std::size_t begin, std::size_t end) const;  // are there commas outside of brackets?

  std::optional<SourceSpan> inside_call(std::size_t begin, std::size_t end, std::initializer_list<std::string_view> words) const;
  std::size_t end_of_argument(std::size_t from, std::size_t to) const;
  std::size_t assignment(std::size_t from, std::size_t to) const;  // the place of its '='; `to` where there is none
  std::vector<std::string> names_in(std::size_t from, std::size_t to) const;
  Statement& add(Statement::Kind kind, std::size_t begin, std::size_t end);
  Statement& expression(Statement::Kind kind, std::size_t begin, std::size_t from, std::size_t to);
  void passed(std::size_t begin, std::size_t end, std::string_view reason);
  std::string_view part(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }

  std::string_view text_;
  const StatementOptions& options_;
  bool cpp_;
  bool calls_dsl_;  // lists without brackets are read: 4,8:8,1 is a slip in our own notation
  statement_text::Walker walk_;
  std::vector<Statement> made_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0, line_ = 1;
};

}  // namespace tessera
