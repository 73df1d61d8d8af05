// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/snippet.hpp"
#include "core/base/distinct.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/name_table.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/definitions.hpp"
#include "core/lang/statements/pasted_text.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/values/value_size.hpp"

namespace tessera {

namespace {

constexpr std::size_t kMostDoubts = 4;  // that are said of one value

bool is_elected(std::string_view name) { return name.ends_with("elect_one_sync"); }

std::string first_of(std::string_view name) {
  const std::string_view what = name.find("lock") != std::string_view::npos      ? "block"
                                : name.find("cluster") != std::string_view::npos ? "cluster"
                                : name.find("warp") != std::string_view::npos    ? "warp"
                                                                                 : "thread";
  return fmt::format("{} = {}, the first {}", name, names_place_vector(name) ? "(0,0,0)" : is_elected(name) ? "1" : "0", what);
}

static_assert(std::is_nothrow_move_constructible_v<StatementAnswer>);  // the names' values stay where they are when answers move

}  // namespace

SnippetAnswer SnippetRunner::run(std::vector<Statement> statements) {
  give();
  answer_.statements.reserve(answer_.statements.size() + statements.size());
  for (number_ = 0; number_ < statements.size(); ++number_) {
    if (returned_) break;
    if (number_ < skipped_until_) {
      skip(std::move(statements[number_]));
      continue;
    }
    note_calls(statements[number_]);
    if (!walks(statements[number_]) && !returns(statements[number_])) statement(std::move(statements[number_]));
  }
  for (const auto& [name, text] : options_.given) {
    const auto first = first_lines_.find(name);
    if (given_.contains(name) && !used_.contains(name)) answer_.unused.push_back({name, first == first_lines_.end() ? 0 : first->second});
  }
  return std::move(answer_);
}

StatementAnswer& SnippetRunner::add(Statement statement) {
  StatementAnswer& made = answer_.statements.emplace_back();
  made.statement = std::move(statement);
  return made;
}

void SnippetRunner::give() {
  for (const auto& [name, text] : options_.given) {
    Result<Value> made = evaluate(text, scope());
    if (made) {
      given_[name] = std::move(*made);
      continue;
    }
    Statement statement;
    statement.names = {name};
    Error error = std::move(made).error();
    error.message = fmt::format("the value given for {}: {}", name, error.message);
    error.span.reset();
    add(std::move(statement)).refused = std::move(error);
  }
}

// The text's own value, else the one that is given for the name. What the text does not give as it can be read is not guessed.
const Value* SnippetRunner::find(std::string_view name) {
  const std::string key(name);
  if (!without_guesses_ || !guessed_.contains(key)) looked_up_.emplace(name);
  if (const NameTable::Meaning* meaning = names_.find(key); meaning && meaning->value) return meaning->value;
  if (const auto found = given_.find(key); found != given_.end()) {
    used_.insert(key);
    return &found->second;
  }
  if (names_.lost(name)) return nullptr;
  if (is_place(key)) return &first_place_[names_place_vector(key) ? 1 : is_elected(key) ? 2 : 0];
  if (const auto found = guessed_.find(key); found != guessed_.end() && !without_guesses_) return found->second;
  if (const Value* called = names_.find(key) ? nullptr : defined(name)) return called;
  if (caller_) return find_from_call(name);
  return outer_ ? outer_(name) : nullptr;
}

// threadIdx.x, cute.arch.block_idx(): in a file that is walked through, what depends on it is shown for the first one.
bool SnippetRunner::is_place(const std::string& name) const {
  if (!options_.statements.into_blocks || !names_place(name) || given_.contains(name)) return false;
  const NameTable::Meaning* meaning = names_.find(name);
  return !meaning || !meaning->value;
}

Scope SnippetRunner::scope() {
  return [this](std::string_view name) { return find(name); };
}

void SnippetRunner::statement(Statement given) {
  read_member(given);
  StatementAnswer& made = add(std::move(given));
  made.block = block_;
  const Statement& statement = made.statement;
  made.given = statement.macros;
  used_.insert(statement.macros.begin(), statement.macros.end());
  if (!statement.unread.empty()) {
    refuse(made, {ErrorCode::parse, statement.unread, statement.expression, {}});
    return assign(made);
  }
  if (Status form = check_form(text_, statement); !form) return refuse(made, std::move(form).error());
  own_ = is_own_line(text_, statement);
  if (const auto first = first_lines_.find(statement.names.empty() ? "" : statement.names[0]); own_ && first != first_lines_.end()) {
    made.refused = bound_twice(text_, statement, first->second);
    return;
  }
  for (const std::string& name : statement.names) first_lines_.emplace(name, statement.line);
  const DialectScope dialect(own_ ? Dialect::ours : statement.dialect);
  partitioned_.clear();
  if (note_option(statement)) return pass_over(made, "an option of the command line");
  try {
    evaluate_one(made);
  } catch (const std::exception& fault) {  // of one statement: the others have their values
    refuse(made, {ErrorCode::parse,
                  fmt::format("this statement cannot be evaluated, by a fault of this program: {}", fault.what()),
                  statement.expression,
                  {"please report it with this statement"}});
  }
  if (!made.refused) made.partitions = std::move(partitioned_);
  keep(made);
  assign(made);
  if (!own_ || made.refused) return;
  std::vector<Error> hidden = hidden_names(text_, made.statement);
  made.warnings.insert(made.warnings.end(), hidden.begin(), hidden.end());
}

void SnippetRunner::evaluate_one(StatementAnswer& made) {
  erased_ = &made.statement.erased;
  switch (made.statement.kind) {
    case Statement::Kind::passed_over:
      if (made.statement.type.ends_with('*') && null_pointer(made)) return;
      return lose_names(made.statement, made.statement.reason.empty() ? "refused" : "passed over");
    case Statement::Kind::function: return function(made);
    case Statement::Kind::parameter: return parameter(made);
    case Statement::Kind::bind: return bind(made);
    case Statement::Kind::show:
    case Statement::Kind::effect: return show(made);
    case Statement::Kind::check: return check(made);
    case Statement::Kind::enters:
    case Statement::Kind::leaves: return;
  }
}

void SnippetRunner::refuse(StatementAnswer& made, Error error) {
  shorten(error);
  lose_names(made.statement, "refused", error.message);
  made.values.clear();
  made.refused = std::move(error);
}

// What turns out to be no statement of ours after all.
void SnippetRunner::pass_over(StatementAnswer& made, std::string reason) {
  made.statement.kind = Statement::Kind::passed_over;
  made.statement.reason = std::move(reason);
  made.values.clear();
  made.warnings.clear();
  lose_names(made.statement, "passed over");
}

// Counts what the answer keeps; what does not fit has no value.
void SnippetRunner::keep(StatementAnswer& made) {
  Status kept = spend_bytes(kept_bytes(made), "the value");
  if (kept) return;
  made.warnings.clear();
  refuse(made, std::move(std::move(kept).error()).at(made.statement.expression));
}

void SnippetRunner::note_needs(StatementAnswer& made) {
  DistinctTexts needs, doubts, stated, given;
  needs.add_all(made.needs);
  doubts.add_all(made.doubts);
  stated.add_all(made.stated);
  given.add_all(made.given);
  std::vector<std::pair<std::size_t, std::string_view>> symbols;  // in the order in which they were needed first
  for (const std::string& name : looked_up_) {
    const NameTable::Meaning* meaning = guessed_.contains(name) ? names_.find(name) : nullptr;
    if (guessed_.contains(name) && !(meaning && meaning->value)) symbols.emplace_back(symbol_order_[name], name);
  }
  std::sort(symbols.begin(), symbols.end());
  for (const auto& [order, name] : symbols) needs.add(name);
  for (const std::string& name : looked_up_) {
    const NameTable::Meaning* meaning = names_.find(name);
    if (!(meaning && meaning->value) && given_.contains(name)) given.add(name);
    if (is_place(name)) stated.add(first_of(name));
    const std::size_t member = name.find("::");
    if (const NameTable::Meaning* owner = member == std::string::npos ? nullptr : names_.find(name.substr(0, member))) {
      needs.add_all(owner->needs);
      stated.add_all(owner->stated);
    }
    if (!meaning) continue;
    needs.add_all(meaning->needs);
    stated.add_all(meaning->stated);
    given.add_all(meaning->given);
    for (const std::string& each : meaning->doubts) {
      if (doubts.size() < kMostDoubts) doubts.add(each);
    }
    const BlocksAhead::Again again = meaning->value ? ahead_.assigned_again(name, meaning->bound) : BlocksAhead::Again();
    if (again.line > 0 && doubts.size() < kMostDoubts) doubts.add(NameTable::assigned_in(name, again.line, again.reason));
  }
  made.needs = std::move(needs).take();
  made.doubts = std::move(doubts).take();
  made.stated = std::move(stated).take();
  made.given = std::move(given).take();
  if (made.statement.kind != Statement::Kind::check) settled_.insert(made.needs.begin(), made.needs.end());
}

Error SnippetRunner::explained(Error error) {
  const bool names_it = error.code == ErrorCode::unknown_name && error.span && error.span->end <= text_.size();
  const bool is_unknown =
      error.message.find("is not defined") != std::string::npos || error.message.find("no function") != std::string::npos;
  const std::string name = !error.missing.empty() ? error.missing : names_it ? std::string(part(*error.span)) : "";
  const NameTable::Meaning* meaning = names_.find(name);
  if (name.empty() || (meaning && meaning->value)) return error;
  if (const NameTable::Lost* lost = names_.lost(name)) {
    error.message = name + lost->message.substr(std::min(lost->message.find(' '), lost->message.size()));  // of Cfg, Cfg::kM
    error.notes.clear();
    if (!lost->note.empty()) error.notes.push_back(lost->note);
  } else {
    unknown_.explain(error, name, number_, is_unknown);
  }
  return error;
}

SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, const SnippetOptions& options,
                                  const Scope& scope) {
  const DefaultBudget budget;
  const NestedText open;
  std::optional<Definitions> definitions;
  if (options.statements.into_blocks) definitions.emplace(text, statements);
  SnippetRunner runner(text, statements, options, scope);
  if (definitions) runner.defines(*definitions);
  return runner.run(std::move(statements));
}

SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, KnownValues& known) {
  const DefaultBudget budget;
  const NestedText open;
  const SnippetOptions options;
  const Scope none;
  return SnippetRunner(text, statements, options, none, &known).run(std::move(statements));
}

struct IncludedText::Read {
  Read(std::string of, std::optional<Dialect> language, Scope scope) : text(std::move(of)), outer(std::move(scope)) {
    options.guess = false;
    options.statements.into_blocks = true;
    options.statements.language = language;
  }

  std::string text;
  Scope outer;
  SnippetOptions options;
  std::optional<Definitions> definitions;
  std::optional<SnippetRunner> runner;
};

IncludedText::IncludedText(std::string text, std::optional<Dialect> language, Scope scope)
    : read_(std::make_unique<Read>(std::move(text), language, std::move(scope))) {
  const DefaultBudget budget;
  const NestedText open;
  std::vector<Statement> statements = read_statements(read_->text, read_->options.statements);
  if (statements.size() > kMostStatements) return;
  read_->definitions.emplace(read_->text, statements);
  read_->runner.emplace(read_->text, statements, read_->options, read_->outer);
  read_->runner->defines(*read_->definitions);
  const SnippetAnswer answer = read_->runner->run(std::move(statements));
  for (const auto& [name, value] : read_->runner->names().certain()) names_.emplace(name, *value);
}

IncludedText::~IncludedText() = default;

const Value* IncludedText::find(std::string_view name) const {
  if (const auto found = names_.find(name); found != names_.end()) return &found->second;
  if (!read_->runner) return nullptr;
  const DefaultBudget budget;
  const NestedText open;
  return read_->runner->find_defined(name);
}

namespace {

SnippetAnswer evaluate_with(std::string_view text, const SnippetOptions& options, const Scope& scope) {
  std::vector<Statement> statements = read_statements(text, options.statements);
  const bool too_many = statements.size() > kMostStatements;
  Statement rest = too_many ? statements[kMostStatements] : Statement();
  if (too_many) statements.resize(kMostStatements);
  SnippetAnswer answer = evaluate_statements(text, std::move(statements), options, scope);
  if (!too_many) return answer;
  answer.statements.push_back({});
  StatementAnswer& last = answer.statements.back();
  last.refused = Error{ErrorCode::limit, fmt::format("a text has at most {} statements", kMostStatements), rest.span, {}};
  last.statement = std::move(rest);
  return answer;
}

// Is a class all that the text has?
bool is_only_classes(const SnippetAnswer& answer) {
  const auto says_something = [](const StatementAnswer& each) {
    return each.refused || !each.values.empty() || each.statement.kind != Statement::Kind::passed_over;
  };
  const auto is_class = [](const StatementAnswer& each) {
    return each.statement.reason == "a class" || each.statement.reason == "a namespace";
  };
  return std::none_of(answer.statements.begin(), answer.statements.end(), says_something) &&
         std::any_of(answer.statements.begin(), answer.statements.end(), is_class);
}

// Where a class alone was pasted, what is asked for stands in it.
SnippetAnswer evaluate_read(std::string_view text, const SnippetOptions& options, const Scope& scope) {
  SnippetAnswer answer = evaluate_with(text, options, scope);
  if (options.statements.into_blocks || !is_only_classes(answer)) return answer;
  SnippetOptions inside = options;
  inside.statements.into_blocks = true;
  return evaluate_with(text, inside, scope);
}

}  // namespace

SnippetAnswer evaluate_snippet(std::string_view text, const SnippetOptions& options, const Scope& scope) {
  std::optional<PastedText> pasted = options.statements.language ? std::nullopt : without_marks(text);  // a file has no marks
  if (!pasted) return evaluate_read(text, options, scope);
  SnippetAnswer answer = evaluate_read(pasted->text, options, scope);
  for (Statement& removed : pasted->removed) {
    const auto behind = std::find_if(answer.statements.begin(), answer.statements.end(),
                                     [&](const StatementAnswer& each) { return each.statement.span.begin > removed.span.begin; });
    answer.statements.emplace(behind)->statement = std::move(removed);
  }
  return answer;
}

}  // namespace tessera
