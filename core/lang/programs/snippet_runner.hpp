// SPDX-License-Identifier: BSD-3-Clause
// One evaluation of a text's statements, from the first to the last (snippet.hpp).
//
//   snippet.cpp            walks over the statements, looks names up, refuses
//   snippet_blocks.cpp     enters and leaves blocks, and knows which conditions hold
//   snippet_values.cpp     evaluates an expression, and guesses what it needs
//   snippet_bindings.cpp   gives names their values, shows and checks
//   snippet_calls.cpp      calls what the text defines
//   snippet_call_sites.cpp notes with what it is called
//   snippet_objects.cpp    objects of Python's libraries: a parser of arguments, a tensor that is marked
//   snippet_writes.cpp     takes values away that a statement may have changed
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/lang/programs/aliases.hpp"
#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/name_table.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/programs/unknown_names.hpp"
#include "core/lang/statements/blocks_ahead.hpp"
#include "core/lang/statements/call_sites.hpp"
#include "core/lang/statements/definitions.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

class SnippetRunner {
 public:
  SnippetRunner(std::string_view text, const std::vector<Statement>& statements, const SnippetOptions& options, const Scope& outer,
                KnownValues* known = nullptr)
      : text_(text), options_(options), outer_(outer), known_(known), unknown_(statements), ahead_(statements) {}
  SnippetRunner(const SnippetRunner&) = delete;
  SnippetRunner& operator=(const SnippetRunner&) = delete;
  SnippetAnswer run(std::vector<Statement> statements);
  // What the statements define can be called. It outlives the runner.
  void defines(const Definitions& definitions);
  // A function or a class template that the text defines; null: there is none of this name. Behind run().
  const Value* find_defined(std::string_view name);
  const NameTable& names() const { return names_; }  // as they are at the end; their values are those of the answer

 private:
  // snippet.cpp
  StatementAnswer& add(Statement statement);
  void give();
  const Value* find(std::string_view name);
  bool is_place(const std::string& name) const;
  Scope scope();
  std::string_view part(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }
  void statement(Statement given);
  void evaluate_one(StatementAnswer& made);
  void refuse(StatementAnswer& made, Error error);
  void pass_over(StatementAnswer& made, std::string reason);
  void keep(StatementAnswer& made);
  void note_needs(StatementAnswer& made);
  Error explained(Error error);
  // snippet_blocks.cpp
  bool walks(const Statement& statement);
  void enter(const Statement& statement);
  void state_parameters(const Statement& block);
  void state_surroundings(const std::vector<CalledParameter>& given);
  NameTable::Stated stated_condition(const Statement& statement, std::optional<bool> certain);
  std::optional<bool> stated_truth(std::string_view condition, const Statement& statement, std::vector<std::string>& notes);
  void keep_defaults();
  std::size_t lines_in(SourceSpan span) const;
  std::optional<bool> known_condition(const Statement& statement);
  std::optional<bool> known_truth(std::string_view condition, const Statement& statement);
  std::optional<Value> known_value(std::string_view text);
  bool rests_on_guesses() const;
  void skip(Statement statement);
  std::int64_t launch_bound(const Statement& kernel);
  // snippet_calls.cpp
  struct Members;
  SnippetRunner(SnippetRunner& caller, const Definition& of, const std::vector<Statement>& statements, const SnippetOptions& options,
                const Members* members);
  const Value* defined(std::string_view name);
  const Value* class_value(const Definition& of);
  Value function_value(std::string name, std::vector<const Definition*> callees);
  bool is_open_around(const Definition& local) const;
  const Value* find_from_call(std::string_view name);
  const Value* find_for(const Definition& callee, const std::string& name);
  Result<Value> call(const std::vector<const Definition*>& callees, const CallArguments& arguments, const Members* members);
  Value with_templates(const std::vector<const Definition*>& callees, const CallArguments& templates);
  Result<Value> call_one(const Definition& callee, const std::vector<CalledParameter>& parameters, const Members* members);
  Result<Value> instantiate(const Definition& of, const CallArguments& arguments);
  Value in_smem(const Members& members);
  Result<Value> size_of_object(const Members& members);
  Value object_of(const Definition& of, std::shared_ptr<Members> members);
  Value adopted(const Value& value);
  std::vector<std::pair<std::string, NameTable::Meaning>> inherited(const Statement& statement);
  void bind_inherited();
  bool returns(const Statement& statement);
  bool skips_definition(const Statement& statement) const;
  void note_calls(const Statement& statement);
  void note_call(const CallSite& site);
  std::vector<const Definition*> callees_of(const CallSite& site);
  std::vector<CalledParameter> members_at_call() const;
  std::vector<CalledParameter> launch_of(const CallSite& site);
  CalledParameter known_argument(SourceSpan span);
  std::string class_around() const;
  bool is_python_class(std::size_t enters) const;
  // snippet_objects.cpp
  struct ParserOption {
    std::string name;
    SourceSpan initial;  // of its default; empty: False
  };
  std::optional<ParserOption> option_in(SourceSpan arguments) const;
  bool note_option(const Statement& statement);
  std::optional<Value> parsed_arguments(const Statement& statement);
  std::optional<Value> library_object(const Statement& statement) const;
  void change_object(const std::string& name, Value value, std::size_t line);
  bool advance(const Statement& statement, const std::string& name);
  void note_marks(const Statement& statement, const Value& value);
  void note_element_type(const std::string& name, const Value& type, std::size_t line);
  bool is_struct(const Definition& of) const;
  void read_member(Statement& statement) const;
  std::optional<std::int64_t> bytes_of_struct(const Definition& of);
  Value struct_value(const Definition& of);
  // snippet_values.cpp
  std::string without_writes(SourceSpan span) const;
  Result<Value> value_at(SourceSpan span, std::vector<Error>* warnings, bool own = false);
  Result<Value> known_at(SourceSpan span, std::vector<Error>& warnings);
  Result<Value> value_of(const Statement& statement, SourceSpan span, std::vector<Error>& warnings);
  void remark_language(SourceSpan span, const Value& value, std::vector<Error>& warnings);
  Result<Value> attempt(SourceSpan span, std::vector<std::string>& fresh, int most);
  std::vector<const Likely*> guesses_for(const std::string& name) const;
  bool still_hold();
  Result<Value> guess_again(StatementAnswer& made, Result<Value> before);
  Result<Value> evaluate_guessed(const std::string& text, const Statement& statement);
  std::string likely_values_of(const std::vector<std::string>& names) const;
  // snippet_bindings.cpp
  void take(StatementAnswer& made, const std::string& name, Value value);
  static bool is_guessed_figure(const StatementAnswer& made, const Value& value);
  void parameter(StatementAnswer& made);
  void bind(StatementAnswer& made);
  std::string_view class_of(const Statement& statement) const;
  Status in_its_type(const Statement& statement, Value& value);
  Result<Value> updated(const Statement& statement);
  Result<Value> declared(StatementAnswer& made);
  bool is_unknown_type(const std::string& type);
  bool null_pointer(StatementAnswer& made);
  std::optional<Result<Value>> number_of(StatementAnswer& made, const std::string& type, std::string_view rest);
  Result<Value> listed(const Statement& statement);
  Result<Value> storage(StatementAnswer& made);
  std::int64_t elements_of_array(const Statement& statement);
  void show(StatementAnswer& made);
  void look_at_effect(StatementAnswer& made);
  void check(StatementAnswer& made);
  void function(StatementAnswer& made);
  // snippet_writes.cpp
  void lose(const std::string& name, NameTable::Lost lost, const Statement& statement);
  void doubt(const std::string& name, std::string why);
  void lose_names(const Statement& statement, std::string_view why, const std::string& note = {});
  void assign(const StatementAnswer& made);
  void share(const Statement& statement);
  bool is_never_changed(const std::string& name) const;
  void lose_others(const std::string& name, const Statement& statement);
  void lose_with(const std::string& name, const Statement& statement, std::string_view why);
  void assigned(const Statement& statement, const Assigned& each);
  bool asks_command_line(std::string_view head) const;
  void keep_default(const std::string& name, std::size_t line);
  static std::string made_without_value(const std::string& name, const Statement& statement);

  std::string_view text_;
  const SnippetOptions& options_;
  const Scope& outer_;
  KnownValues* known_;  // null: nothing is
  Origins origins_;
  SnippetAnswer answer_;
  NameTable names_;
  std::unordered_map<std::string, Value> given_;
  // Of a thread or a block, of its three parts, and of whether it is the one of its warp that is elected.
  IntTuple run_time_0_ = IntTuple::marked(0, marks::kDynamic);
  std::array<Value, 3> first_place_{Value{run_time_0_}, Value{IntTuple::tuple({run_time_0_, run_time_0_, run_time_0_})},
                                    Value{IntTuple::marked(1, marks::kDynamic)}};
  std::deque<Value> stated_values_;  // of parameters, where they stay
  std::unordered_map<std::string, const Value*> guessed_;
  std::unordered_map<std::string, std::size_t> symbol_order_;  // which kept guess was made first, second, ...
  std::set<std::string> looked_up_;                            // by the statement that is evaluated
  std::set<std::string> used_;                                 // of the values that are given
  Aliases aliases_;
  std::set<std::string> addressed_;                           // names whose addresses were taken
  std::unordered_map<std::string, std::size_t> first_lines_;  // of names that are bound
  UnknownNames unknown_;
  BlocksAhead ahead_;
  std::size_t number_ = 0;                           // of the statement that is evaluated
  std::vector<Partitioned> partitioned_;             // by the expression that was evaluated last
  bool own_ = false;                                 // is it one of ours?
  const std::vector<SourceSpan>* erased_ = nullptr;  // of the statement that is evaluated
  std::vector<std::size_t> block_;                   // that are walked through, and how many began so far
  std::size_t blocks_ = 0;
  // Of an if, its elifs and its else: did none of them hold so far, and which statement left the last one?
  struct Conditions {
    std::optional<bool> none_held;
    std::optional<bool> none_stated;  // the same with what the text states
    std::vector<std::string> notes;   // which is this
    std::size_t end = 0;
  };
  std::vector<Conditions> conditions_ = std::vector<Conditions>(1);  // of the text and of each block that is open
  std::size_t skipped_until_ = 0;                                    // statements before this one are of a condition that does not hold
  int tries_ = 0;
  std::vector<SourceSpan> held_;   // assertions that are true with what was guessed
  std::set<std::string> settled_;  // symbols whose values are in other values
  bool must_hold_ = false;         // guesses with which an assertion is false are no guesses
  bool without_guesses_ = false;   // a parameter's default says what is known, or nothing
  bool hopeless_ = false;          // whatever is guessed, the statement is refused

  // What the text defines, and the call that this runner evaluates.
  const Definitions* definitions_ = nullptr;
  std::vector<CallSite> sites_;                                                     // where it is called; empty where nobody asks
  std::vector<std::size_t> enters_;                                                 // the statements that began the open blocks
  std::vector<std::vector<std::pair<std::string, NameTable::Meaning>>> inherited_;  // of each that is a class: what its bases have
  std::vector<bool> uncertain_;                                                     // of each open block: may it be left out, or run again?
  std::vector<bool> unreached_;                        // of each: does its condition not hold with what is stated?
  std::map<std::string, Value, std::less<>> defined_;  // functions and classes that were asked for
  std::deque<Value> local_functions_;                  // those of functions that are open
  std::shared_ptr<SnippetRunner*> self_ = std::make_shared<SnippetRunner*>(this);  // so that what outlives the runner knows it
  SnippetRunner* caller_ = nullptr;                                                // the runner of the whole text; null: this is it
  const Definition* of_ = nullptr;                                                 // that is called
  const Members* members_ = nullptr;                                               // of the object whose method is called
  std::optional<Result<Value>> returned_;
  std::vector<ParserOption> options_of_parser_;  // argparse: those of all parsers
  std::string gives_nothing_;                    // the function that was called last and returns no value
};

}  // namespace tessera
