// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/snippet.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/convert.hpp"
#include "core/lang/lexer.hpp"
#include "core/lang/likely.hpp"
#include "core/lang/members.hpp"
#include "core/lang/user_function.hpp"
#include "core/lang/weight.hpp"

namespace tessera {
namespace {

constexpr int kMostTries = 2500;          // evaluations of one statement, while its symbols are guessed
constexpr int kMostSame = 2;              // refusals in the same words one after the other
constexpr std::size_t kMostSymbols = 16;  // that one statement can bring

class Runner {
 public:
  Runner(std::string_view text, const SnippetOptions& options, const Scope& outer) : text_(text), options_(options), outer_(outer) {}

  SnippetAnswer run() {
    give();
    std::vector<Statement> statements = read_statements(text_, options_.statements);
    if (statements.size() > kMostStatements) {
      Statement rest = statements[kMostStatements];
      statements.resize(kMostStatements);
      add(rest).refused = Error{ErrorCode::limit, fmt::format("a text has at most {} statements", kMostStatements), rest.span, {}};
    }
    for (Statement& each : statements) statement(std::move(each));
    return std::move(answer_);
  }

 private:
  using Names = std::unordered_map<std::string, Value>;

  StatementAnswer& add(Statement statement) {
    StatementAnswer& made = answer_.statements.emplace_back();
    made.statement = std::move(statement);
    return made;
  }

  void give() {
    for (const auto& [name, text] : options_.given) {
      Result<Value> made = evaluate(text, scope());
      if (made) {
        bound_[name] = std::move(*made);
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

  const Value* find(std::string_view name) {
    looked_up_.emplace(name);
    const std::string key(name);
    if (const auto found = bound_.find(key); found != bound_.end()) return &found->second;
    if (const auto found = guessed_.find(key); found != guessed_.end()) return found->second;
    return outer_ ? outer_(name) : nullptr;
  }
  Scope scope() {
    return [this](std::string_view name) { return find(name); };
  }

  std::string_view part(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }

  // The expression of a statement, with spans into the whole text.
  Result<Value> value_at(SourceSpan span, std::vector<Error>* warnings) {
    const auto move = [&](Error& error) {
      const SourceSpan inside = error.span.value_or(SourceSpan{0, span.end - span.begin});
      error.span = SourceSpan{span.begin + inside.begin, span.begin + inside.end};
    };
    Result<Value> made = evaluate_expression(part(span), scope(), warnings);
    if (!made) move(made.error());
    if (warnings) {
      for (Error& each : *warnings) move(each);
    }
    return made;
  }

  // The value, with symbols guessed where that is wanted: the first guesses with which it is evaluated are kept.
  Result<Value> value_of(const Statement& statement, SourceSpan span, std::vector<Error>& warnings) {
    looked_up_.clear();
    tries_ = 0;
    hopeless_ = false;
    std::vector<std::string> fresh;
    Result<Value> made = attempt(span, fresh);
    if (!made) {
      for (const std::string& each : fresh) guessed_.erase(each);
      return made;
    }
    for (const std::string& each : fresh) {
      const Value* value = guessed_[each];
      for (const Likely* likely : likely_values(each)) {
        if (&likely->value == value) answer_.symbols.push_back({each, std::string(likely->text), statement.line});
      }
    }
    looked_up_.clear();
    return value_at(span, &warnings);
  }

  Result<Value> attempt(SourceSpan span, std::vector<std::string>& fresh) {
    ++tries_;
    Result<Value> made = value_at(span, nullptr);
    if (made || !options_.guess || made.error().missing.empty()) return made;
    const std::string name = made.error().missing;
    if (fresh.size() == kMostSymbols || guessed_.contains(name)) return made;
    fresh.push_back(name);
    const std::size_t depth = fresh.size();
    std::optional<Error> refused;
    std::string last;
    int same = 0;
    for (const Likely* each : likely_values(name)) {
      if (tries_ >= kMostTries || same == kMostSame) break;
      guessed_[name] = &each->value;
      Result<Value> with = attempt(span, fresh);
      if (with) return with;
      // What is refused in the same words whatever this name stands for is not refused for it.
      same = with.error().message == last ? same + 1 : 0;
      last = with.error().message;
      const bool too_large = with.error().code == ErrorCode::limit;
      const ErrorCode last_code = with.error().code;
      if (!refused) refused = std::move(with).error();
      while (fresh.size() > depth) {
        guessed_.erase(fresh.back());
        fresh.pop_back();
      }
      // An atom or a function that does not exist does not come about by another guess.
      hopeless_ = hopeless_ || (same > 0 && names_nothing(last_code));
      if (too_large || hopeless_) break;
    }
    guessed_.erase(name);
    fresh.pop_back();
    return refused ? Result<Value>(std::move(*refused)) : std::move(made);
  }

  static bool names_nothing(ErrorCode code) { return code == ErrorCode::unknown_atom || code == ErrorCode::unknown_name; }

  void statement(Statement given) {
    StatementAnswer& made = add(std::move(given));
    const Statement& statement = made.statement;
    switch (statement.kind) {
      case Statement::Kind::passed_over: return;
      case Statement::Kind::function: return function(made);
      case Statement::Kind::parameter:
      case Statement::Kind::bind: return bind(made);
      case Statement::Kind::show:
      case Statement::Kind::effect: return show(made);
      case Statement::Kind::check: return check(made);
    }
  }

  void refuse(StatementAnswer& made, Error error) {
    made.refused = std::move(error);
    for (const std::string& name : made.statement.names) failed_.insert(name);
  }

  void note_needs(StatementAnswer& made) {
    for (const Symbol& symbol : answer_.symbols) {
      if (looked_up_.contains(symbol.name)) made.needs.push_back(symbol.name);
    }
    for (const std::string& name : looked_up_) {
      const auto found = needs_.find(name);
      if (found == needs_.end()) continue;
      for (const std::string& each : found->second) {
        if (std::find(made.needs.begin(), made.needs.end(), each) == made.needs.end()) made.needs.push_back(each);
      }
    }
    for (const std::string& name : made.statement.names) needs_[name] = made.needs;
  }

  void take(StatementAnswer& made, const std::string& name, Value value) {
    if (name.empty() || name == "_") return;
    made.values.emplace_back(name, value);
    bound_[name] = std::move(value);
    failed_.erase(name);
  }

  void bind(StatementAnswer& made) {
    const Statement& statement = made.statement;
    if (statement.expression.begin == statement.expression.end && statement.type.empty())
      return refuse(made, {ErrorCode::parse, "an expression is missing behind '='", statement.span, {}});
    Result<Value> value = statement.is_list        ? listed(statement)
                          : statement.type.empty() ? value_of(statement, statement.expression, made.warnings)
                                                   : declared(made);
    note_needs(made);
    if (!value) return refuse(made, explained(std::move(value).error()));
    if (statement.names.size() == 1) return take(made, statement.names[0], std::move(*value));
    Result<std::vector<Value>> elements = elements_of(*value);
    if (!elements) return refuse(made, std::move(std::move(elements).error()).at(statement.expression));
    if (elements->size() != statement.names.size()) {
      return refuse(made, {ErrorCode::rank_mismatch,
                           fmt::format("{} names take the elements of a tuple of {}: {}", statement.names.size(), elements->size(),
                                       described(*value)),
                           statement.expression,
                           {}});
    }
    for (std::size_t i = 0; i < elements->size(); ++i) take(made, statement.names[i], std::move((*elements)[i]));
  }

  // C++'s `Type name = value`, `Type name{values}`, `Type name`: the value where there is one, else what the type makes.
  Result<Value> declared(StatementAnswer& made) {
    const Statement& statement = made.statement;
    const std::string_view rest = part(statement.expression);
    const char first = rest.empty() ? ' ' : rest.front();
    const bool has_value = !rest.empty() && first != '{' && first != '(' && first != '[';
    const bool assigned =
        text_.substr(statement.span.begin, statement.expression.begin - statement.span.begin).find('=') != std::string_view::npos;
    if (has_value || assigned) return value_of(statement, statement.expression, made.warnings);
    if (first == '[') return storage(made);
    // The type and the brackets behind the name, put side by side.
    std::string text = statement.type;
    for (const std::string_view word :
         {"static ", "constexpr ", "const ", "inline ", "typename ", "alignas(128) ", "__shared__ ", "extern "}) {
      for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
    }
    const bool is_template_of_value = text == "auto" || text == "Tensor" || text == "Layout";
    text += rest.empty() ? "{}" : rest;
    if (is_template_of_value && first == '(') text = std::string(rest);
    Result<Value> value = evaluate_guessed(text, statement);
    if (!value) value.error().span = statement.span;
    return value;
  }

  Result<Value> listed(const Statement& statement) {
    Result<Value> value = evaluate_guessed(fmt::format("({})", part(statement.expression)), statement);
    if (!value) value.error().span = statement.expression;
    return value;
  }

  // A text that is made of the statement's parts.
  Result<Value> evaluate_guessed(const std::string& text, const Statement& statement) {
    const std::string_view outer = text_;
    text_ = text;
    std::vector<Error> warnings;
    Result<Value> made = value_of(statement, {0, text.size()}, warnings);
    text_ = outer;
    return made;
  }

  // __shared__ TA smem[cosize_v<SmemLayout>]: a pointer.
  Result<Value> storage(StatementAnswer& made) {
    const bool shared = made.statement.type.find("__shared__") != std::string::npos;
    std::string type = made.statement.type;
    if (const std::size_t at = type.rfind(' '); at != std::string::npos) type.erase(0, at + 1);
    return evaluate_guessed(fmt::format("{}({})", shared ? "make_smem_ptr" : "make_rmem_ptr", type), made.statement);
  }

  void show(StatementAnswer& made) {
    std::vector<Error> warnings;
    const Statement& statement = made.statement;
    Result<Value> value = statement.is_list ? listed(statement) : value_of(statement, statement.expression, warnings);
    note_needs(made);
    made.warnings = std::move(warnings);
    if (!value) return refuse(made, explained(std::move(value).error()));
    if (made.statement.kind == Statement::Kind::show) made.values.emplace_back("", std::move(*value));
  }

  void check(StatementAnswer& made) {
    Result<Value> value = value_of(made.statement, made.statement.expression, made.warnings);
    note_needs(made);
    if (!value) return refuse(made, explained(std::move(value).error()));
    const Result<bool> holds = as_bool(*value);
    if (!holds) return refuse(made, Error(holds.error()).at(made.statement.expression));
    if (*holds) return;
    const std::string condition(part(made.statement.expression));
    Error error{ErrorCode::breaks_law, fmt::format("this does not hold: {}", condition), made.statement.expression, {}};
    if (!made.needs.empty()) {  // with other values of the symbols it may
      error.message += ", with the likely values of what it needs";
      made.warnings.push_back(std::move(error));
      return;
    }
    refuse(made, std::move(error));
  }

  void function(StatementAnswer& made) {
    const Statement& statement = made.statement;
    Result<Value> value = make_function(statement.names[0], statement.parameters, part(statement.expression), scope());
    if (!value) {
      Error error = std::move(value).error();
      error.span = statement.span;
      return refuse(made, std::move(error));
    }
    take(made, statement.names[0], std::move(*value));
  }

  // A name whose own statement was refused has no value for that reason.
  Error explained(Error error) {
    if (error.missing.empty() || !failed_.contains(error.missing)) return error;
    error.message = fmt::format("{} has no value, since its own statement is refused", error.missing);
    error.notes.clear();
    return error;
  }

  std::string_view text_;
  const SnippetOptions& options_;
  const Scope& outer_;
  SnippetAnswer answer_;
  Names bound_;
  std::unordered_map<std::string, const Value*> guessed_;
  std::set<std::string> looked_up_;  // by the statement that is evaluated
  std::unordered_map<std::string, std::vector<std::string>> needs_;
  std::set<std::string> failed_;
  int tries_ = 0;
  bool hopeless_ = false;  // whatever is guessed, the statement is refused
};

}  // namespace

const StatementAnswer* SnippetAnswer::last() const {
  const StatementAnswer* bound = nullptr;
  for (auto each = statements.rbegin(); each != statements.rend(); ++each) {
    if (each->values.empty() && !each->refused) continue;
    if (each->statement.kind == Statement::Kind::show) return &*each;
    if (!bound) bound = &*each;
  }
  return bound;
}

SnippetAnswer evaluate_snippet(std::string_view text, const SnippetOptions& options, const Scope& scope) {
  const DefaultBudget budget;
  return Runner(text, options, scope).run();
}

}  // namespace tessera
