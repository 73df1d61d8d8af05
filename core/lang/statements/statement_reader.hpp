// SPDX-License-Identifier: BSD-3-Clause
// The reader of statements: statements.cpp finds where each one ends, statement_kinds.cpp says what it is.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/statements/statements.hpp"
#include "core/lang/syntax/language.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

constexpr std::size_t kMostNested = 200;  // blocks within each other that are walked into

// The last words of a list: of "int n, T* const a = 0, class B" n, a and B.
void add_last_words(std::string_view list, std::vector<std::string>& names);

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
  // Of `Type name{values}`: where the values begin.
  struct Declared {
    std::string_view type, name;
    std::size_t value = 0;
  };

  // statements.cpp
  void skip_blank();
  void be_in_language_at(std::size_t at);
  std::size_t line_of(std::size_t at);
  std::size_t end_of_block(std::size_t brace) const;
  std::size_t end_of_indented(std::size_t begin, std::size_t next) const;
  End end_of_cpp(std::size_t begin) const;
  End end_of_line(std::size_t begin, const statement_text::Walker& walk) const;
  bool is_whole_line(std::size_t begin, std::size_t end, std::size_t next) const;
  std::size_t after_blanks(std::size_t at) const;
  std::optional<bool> behind_members(std::string_view head, std::size_t brace) const;
  bool is_block_head(std::size_t begin, std::size_t brace, bool empty) const;
  bool goes_on(std::size_t begin, std::size_t end) const;
  bool begins_statement(std::size_t at) const;
  bool interrupts(std::size_t line, std::size_t level, char innermost) const;
  bool goes_on_within(std::size_t line, std::string_view word) const;
  std::size_t indentation_of(std::size_t at) const { return statement_text::indentation(text_, at); }
  bool is_never_closed(std::size_t at) const;
  void statement(std::size_t begin);
  static void refuse_without_names(Statement& made);
  void mark_unread(std::size_t begin, std::size_t end);
  // statement_blocks.cpp
  void cpp_block(std::size_t begin, const End& end, std::string_view text);
  void enumeration(std::size_t begin, std::size_t open);
  void enter(std::size_t begin, std::size_t end, std::string_view reason, std::optional<std::size_t> column);
  void leave(std::size_t at, std::optional<std::size_t> column);
  std::size_t column_of(std::size_t at) const;
  std::vector<Assigned> assigned_by(std::size_t begin, std::size_t end, std::string_view reason) const;
  bool is_directive(std::size_t at) const;
  std::size_t end_of_directive(std::size_t begin) const;
  std::size_t end_of_branch(std::size_t at) const;
  void directive(std::size_t begin);
  void end_of_branches();
  void define(std::size_t begin, std::size_t end);

  // statement_kinds.cpp
  static std::string_view reason_of(std::string_view text);  // of its first word; empty: it is evaluated
  bool is_of_this_text(std::string_view reason);
  void cpp_statement(std::size_t begin, const End& end);
  void line_statement(std::size_t begin, std::size_t end);
  bool launches(std::string_view text) const;
  bool check(std::size_t begin, std::size_t end, std::string_view text);
  bool print(std::size_t begin, std::size_t end, std::string_view text);
  void let(std::size_t begin, std::size_t end);
  void parameter(std::size_t begin, std::size_t end);
  // statement_declarations.cpp
  void declaration(std::size_t begin, std::size_t end);
  bool update(std::size_t begin, std::size_t end);
  bool declarators(std::size_t begin, std::size_t end);
  void declare(std::size_t begin, std::size_t end, std::string_view type, std::string_view name, std::size_t value);
  std::optional<Declared> declared(std::size_t begin, std::size_t end) const;
  void declared_without_value(std::size_t begin, std::size_t end);
  void template_alias(std::size_t begin, std::size_t behind, std::size_t end);
  void typedef_statement(std::size_t begin, std::size_t end);
  void take_names(Statement& made, std::size_t from, std::size_t to) const;
  void take_also(std::vector<std::string> others);
  // statement_lists.cpp
  void trim_fragment(std::size_t& begin, std::size_t& end) const;
  bool list(std::size_t begin, std::size_t end);
  bool are_targets(std::size_t begin, std::size_t end) const;
  bool is_listed(std::size_t begin, std::size_t end) const;  // are there commas outside of brackets?

  std::optional<SourceSpan> inside_call(std::size_t begin, std::size_t end, std::initializer_list<std::string_view> words) const;
  std::size_t end_of_argument(std::size_t from, std::size_t to) const;
  std::size_t assignment(std::size_t from, std::size_t to) const;  // the place of its '='; `to` where there is none
  std::vector<std::string> names_used(SourceSpan expression) const;
  void follow_writes(std::size_t first);
  void follow_python(std::size_t first);
  void distrust_jumps();
  std::string without_comments(std::size_t from, std::size_t to) const;
  std::vector<std::string> names_in(std::size_t from, std::size_t to) const;
  Statement& add(Statement::Kind kind, std::size_t begin, std::size_t end);
  Statement& expression(Statement::Kind kind, std::size_t begin, std::size_t from, std::size_t to);
  void passed(std::size_t begin, std::size_t end, std::string_view reason);
  std::string_view part(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }

  std::string_view text_;
  const StatementOptions& options_;
  std::vector<LanguagePart> parts_;
  std::size_t part_ = 0;  // that is read now
  Dialect dialect_ = Dialect::ours;
  bool cpp_ = false;
  bool calls_dsl_;  // lists without brackets are read: 4,8:8,1 is a slip in our own notation
  statement_text::Walker walk_;
  std::vector<Statement> made_;
  std::vector<std::optional<std::size_t>> blocks_;  // those that were entered; of Python's the column
  // What the statements of a branch bind that is not read.
  std::vector<UnreadNames> bound_in(std::size_t begin, std::size_t end);

  // An #if that is open: its line, where its statements begin in made_, and what another branch of it assigns.
  struct Branches {
    std::size_t line = 0, first = 0;
    bool is_decided = false;  // #if 0, #if 1, and what macros decide that were given values
    std::vector<Assigned> others;
    std::vector<std::string> macros;
  };
  void branch_that_does_not_hold(std::size_t end);
  std::vector<Branches> ifs_;
  std::unordered_map<std::string, std::size_t> first_assigned_;  // of names: the first of the statements before looked_at_ that assigns it
  std::size_t looked_at_ = 0;
  // Is a block walked into? Those within very many others are passed over.
  bool enters_blocks() const { return options_.into_blocks && blocks_.size() < kMostNested; }
  bool has_jumps_ = false;                     // a goto
  std::unordered_map<std::string, bool> own_;  // names of classes and namespaces: does the text define them?
  std::vector<std::string> foreign_;           // names of Python that imports bind to others' modules
  std::size_t at_ = 0;
  std::size_t counted_ = 0, line_ = 1;
};

}  // namespace tessera
