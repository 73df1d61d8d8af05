// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/snippet.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/value_type.hpp"
#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/eval/call_function.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/aliases.hpp"
#include "core/lang/programs/effects.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/name_table.hpp"
#include "core/lang/programs/pasted_text.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/statement_reader.hpp"
#include "core/lang/programs/unknown_names.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/syntax/parser.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/weight.hpp"

namespace tessera {
namespace {

constexpr int kMostTries = 2500;                               // evaluations of one statement, while its symbols are guessed
constexpr int kMostChecks = 400;                               // the same of an assertion, until it holds
constexpr std::size_t kMostHeld = 64;                          // assertions that a guess for another one must not break
constexpr int kFewestTries = 24;                               // that a guess leaves to the names which it makes needed
constexpr int kMostSame = 2;                                   // refusals in the same words one after the other
constexpr std::size_t kMostSymbols = 16;                       // that one statement can bring
constexpr std::size_t kMostDoubts = 4;                         // that are said of one value
constexpr std::int64_t kLargestArray = std::int64_t{1} << 40;  // elements
constexpr int kDeepestText = 8;                                // statements within an expression of a statement of ...

static_assert(std::is_nothrow_move_constructible_v<StatementAnswer>);  // the names' values stay where they are when answers move

// A refusal's words: which numbers it names may come from a guess further down.
std::string without_digits(std::string_view message) {
  std::string words;
  for (const char c : message) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) words += c;
    if (digit && (words.empty() || words.back() != '#')) words += '#';
  }
  return words;
}

class Runner {
 public:
  Runner(std::string_view text, const std::vector<Statement>& statements, const SnippetOptions& options, const Scope& outer,
         KnownValues* known = nullptr)
      : text_(text), options_(options), outer_(outer), known_(known), unknown_(statements) {}

  SnippetAnswer run(std::vector<Statement> statements) {
    give();
    answer_.statements.reserve(answer_.statements.size() + statements.size());
    for (number_ = 0; number_ < statements.size(); ++number_) {
      if (!walks(statements[number_])) statement(std::move(statements[number_]));
    }
    for (const auto& [name, text] : options_.given) {
      const auto first = first_lines_.find(name);
      if (given_.contains(name) && !used_.contains(name)) answer_.unused.push_back({name, first == first_lines_.end() ? 0 : first->second});
    }
    return std::move(answer_);
  }

 private:
  StatementAnswer& add(Statement statement) {
    StatementAnswer& made = answer_.statements.emplace_back();
    made.statement = std::move(statement);
    return made;
  }

  void give() {
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
  const Value* find(std::string_view name) {
    looked_up_.emplace(name);
    const std::string key(name);
    if (const NameTable::Meaning* meaning = names_.find(key); meaning && meaning->value) return meaning->value;
    if (const auto found = given_.find(key); found != given_.end()) {
      used_.insert(key);
      return &found->second;
    }
    if (names_.lost(name)) return nullptr;
    if (const auto found = guessed_.find(key); found != guessed_.end()) return found->second;
    return outer_ ? outer_(name) : nullptr;
  }
  Scope scope() {
    return [this](std::string_view name) { return find(name); };
  }

  std::string_view part(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }

  // The text with the signs blanked that are statements of their own.
  std::string without_writes(SourceSpan span) const {
    std::string text(part(span));
    for (const SourceSpan& sign : *erased_) {
      if (sign.begin < span.begin || sign.end > span.end) continue;
      text.replace(sign.begin - span.begin, sign.end - sign.begin, sign.end - sign.begin, ' ');
    }
    return text;
  }

  // The expression of a statement, with spans into the whole text.
  Result<Value> value_at(SourceSpan span, std::vector<Error>* warnings, bool own = false) {
    const auto move = [&](Error& error) {
      const SourceSpan inside = error.span.value_or(SourceSpan{0, span.end - span.begin});
      error.span = SourceSpan{span.begin + inside.begin, span.begin + inside.end};
    };
    // What stands in an own line may be anything that was pasted there.
    const bool whole = own && NestedText::count() < kDeepestText;
    const std::string erased = erased_ && !erased_->empty() ? without_writes(span) : std::string();
    const std::string_view text = erased.empty() ? part(span) : std::string_view(erased);
    partitioned_.clear();
    std::optional<PartitionWatch> watch;
    if (options_.statements.into_blocks) watch.emplace(partitioned_);
    Result<Value> made = whole ? evaluate(text, scope(), warnings) : evaluate_expression(text, scope(), warnings);
    if (!made) move(made.error());
    if (warnings) {
      for (Error& each : *warnings) move(each);
    }
    return made;
  }

  // The same of one of our own lines, which is evaluated only where that was not done before.
  Result<Value> known_at(SourceSpan span, std::vector<Error>& warnings) {
    const std::string_view text = part(span);
    const auto moved = [](std::vector<Error> errors, std::size_t back, std::size_t forth) {
      for (Error& each : errors) {
        if (each.span) each.span = SourceSpan{each.span->begin - back + forth, each.span->end - back + forth};
      }
      return errors;
    };
    if (known_->may_know(text)) {
      const std::optional<std::string> origin = origins_.of(text);
      if (const KnownValues::Known* found = origin ? known_->find(text, *origin) : nullptr) {
        warnings = moved(found->warnings, 0, span.begin);
        return found->value;
      }
    }
    Budget& budget = *Budget::current();
    const double since = processor_seconds();
    const std::int64_t cells = budget.cells(), bytes = budget.bytes();
    Result<Value> made = value_at(span, &warnings, true);
    // What was stopped may have been satisfied with less.
    if (!made || processor_seconds() - since < kLongEvaluation || budget.look()) return made;
    if (std::optional<std::string> origin = origins_.of(text))
      known_->keep(
          {std::string(text), std::move(*origin), *made, moved(warnings, span.begin, 0), budget.cells() - cells, budget.bytes() - bytes});
    return made;
  }

  // The value, with symbols guessed where that is wanted: the first guesses with which it is evaluated are kept.
  Result<Value> value_of(const Statement& statement, SourceSpan span, std::vector<Error>& warnings) {
    looked_up_.clear();
    Result<Value> first = own_ && known_ ? known_at(span, warnings) : value_at(span, &warnings, own_);
    // Neither a layout nor one of our own lines: `x = (8)` was pasted, and both languages that it can be from make 8 of it.
    const bool pasted = !own_ && statement.kind == Statement::Kind::bind && (!first || std::holds_alternative<IntTuple>(first->any));
    if (pasted) {
      if (std::optional<Value> both = as_both_languages(part(span), scope())) first = std::move(*both);
    }
    if (first && !own_) remark_language(span, *first, warnings);
    if (first || own_ || !options_.guess || statement.is_macro || first.error().missing.empty()) return first;
    warnings.clear();
    tries_ = 0;
    hopeless_ = false;
    std::vector<std::string> fresh;
    must_hold_ = statement.kind == Statement::Kind::check;
    int most = must_hold_ ? kMostChecks : kMostTries;
    Result<Value> made = attempt(span, fresh, most);
    if (!made && must_hold_) {  // with no values that are likely does it hold: it is said with some of them
      must_hold_ = hopeless_ = false;
      tries_ = 0;
      most = kMostTries;
      for (const std::string& each : fresh) guessed_.erase(each);
      fresh.clear();
      made = attempt(span, fresh, most);
    }
    must_hold_ = false;
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

  void remark_language(SourceSpan span, const Value& value, std::vector<Error>& warnings) {
    std::optional<Error> other = remark_other_languages(part(span), scope(), value);
    if (!other) return;
    other->span = span;
    warnings.push_back(std::move(*other));
  }

  // `most`: tries up to which this goes on. One guess may use a third of what is left, so that a wrong one in front leaves some to others.
  Result<Value> attempt(SourceSpan span, std::vector<std::string>& fresh, int most) {
    ++tries_;
    Result<Value> made = value_at(span, nullptr);
    if (made && must_hold_ && !fresh.empty()) {
      const Result<bool> holds = as_bool(*made);
      if (holds && (!*holds || !still_hold())) return Error{ErrorCode::breaks_law, {}, {}, {}};
    }
    if (made || !options_.guess || made.error().missing.empty()) return made;
    const std::string name = made.error().missing;
    if (fresh.size() == kMostSymbols || guessed_.contains(name) || names_.lost(name)) return made;
    fresh.push_back(name);
    const std::size_t depth = fresh.size();
    std::optional<Error> refused;
    std::string last, last_message;
    int same = 0;
    for (const Likely* each : guesses_for(name)) {
      if (tries_ >= most || same == kMostSame) break;
      guessed_[name] = &each->value;
      Result<Value> with = attempt(span, fresh, tries_ + std::max(kFewestTries, (most - tries_) / 3));
      if (with) return with;
      // What is refused in the same words whatever this name stands for is not refused for it. Not to hold is no refusal.
      const std::string words = without_digits(with.error().message);
      same = !words.empty() && words == last ? same + 1 : 0;
      last = words;
      const bool exactly = !words.empty() && with.error().message == last_message;
      last_message = with.error().message;
      const bool too_large = with.error().code == ErrorCode::limit;
      const ErrorCode last_code = with.error().missing.empty() ? with.error().code : ErrorCode::limit;  // a name is no mistake
      if (!refused) refused = std::move(with).error();
      while (fresh.size() > depth) {
        guessed_.erase(fresh.back());
        fresh.pop_back();
      }
      // An atom or a function that does not exist does not come about by another guess.
      hopeless_ = hopeless_ || (exactly && names_nothing(last_code));
      if (too_large || hopeless_) break;
    }
    guessed_.erase(name);
    fresh.pop_back();
    return refused ? Result<Value>(std::move(*refused)) : std::move(made);
  }

  std::vector<const Likely*> guesses_for(const std::string& name) const {
    std::vector<const Likely*> all = must_hold_ ? suggested_values(name) : likely_values(name);  // 128 == size(mma) holds of many kinds
    for (const auto& [preferred, text] : options_.preferred) {
      if (preferred == name)
        std::stable_partition(all.begin(), all.end(), [&wanted = text](const Likely* each) { return each->text == wanted; });
    }
    return all;
  }

  // Do the assertions above, which held with other guesses?
  bool still_hold() {
    for (const SourceSpan& above : held_) {
      const Result<Value> made = value_at(above, nullptr);
      const Result<bool> holds = made ? as_bool(*made) : Result<bool>(true);
      if (holds && !*holds) return false;
    }
    return true;
  }

  // An assertion that is false may be so by a guess for which nothing speaks but assertions: that is made again.
  Result<Value> guess_again(StatementAnswer& made, Result<Value> before) {
    std::vector<std::pair<std::string, const Value*>> freed;
    const std::vector<Symbol> symbols = answer_.symbols;
    for (const std::string& name : made.needs) {
      if (settled_.contains(name) || !guessed_.contains(name)) continue;
      freed.emplace_back(name, guessed_[name]);
      guessed_.erase(name);
      std::erase_if(answer_.symbols, [&](const Symbol& symbol) { return symbol.name == name; });
    }
    if (freed.empty()) return before;
    std::vector<Error> warnings;
    Result<Value> again = value_of(made.statement, made.statement.expression, warnings);
    const Result<bool> holds = again ? as_bool(*again) : Result<bool>(false);
    if (holds && *holds && still_hold()) return again;
    answer_.symbols = symbols;
    for (const auto& [name, value] : freed) guessed_[name] = value;
    return before;
  }

  static bool names_nothing(ErrorCode code) { return code == ErrorCode::unknown_atom || code == ErrorCode::unknown_name; }

  // The blocks that are walked into: what is no statement of its own.
  bool walks(const Statement& statement) {
    if (statement.kind == Statement::Kind::enters) {
      names_.enter(statement);
      block_.push_back(++blocks_);
      if (const std::int64_t threads = launch_bound(statement); threads > 0) answer_.kernels.push_back({statement.line, threads, block_});
    }
    if (statement.kind == Statement::Kind::leaves) {
      names_.leave();
      if (!block_.empty()) block_.pop_back();
    }
    return statement.kind == Statement::Kind::enters || statement.kind == Statement::Kind::leaves;
  }

  // 128 of __global__ void __launch_bounds__(128, 2) f(...); 0 where none is said.
  std::int64_t launch_bound(const Statement& kernel) {
    constexpr std::string_view kWord = "__launch_bounds__(";
    const std::string_view head = part(kernel.span);
    const std::size_t at = head.find(kWord);
    if (at == std::string_view::npos) return 0;
    const std::size_t from = at + kWord.size(), to = std::min(head.find_first_of(",)", from), head.size());
    looked_up_.clear();
    const Result<Value> bound = evaluate_expression(head.substr(from, to - from), scope(), nullptr);
    const bool guessed = std::any_of(looked_up_.begin(), looked_up_.end(), [&](const std::string& each) {
      const NameTable::Meaning* meaning = names_.find(each);
      return guessed_.contains(each) || (meaning && (!meaning->needs.empty() || !meaning->doubts.empty()));
    });
    const Result<std::int64_t> number = bound ? as_integer(*bound) : Result<std::int64_t>(bound.error());
    return number && !guessed ? *number : 0;
  }

  void statement(Statement given) {
    StatementAnswer& made = add(std::move(given));
    made.block = block_;
    const Statement& statement = made.statement;
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
    std::vector<Error> hidden = hidden_functions(text_, made.statement);
    made.warnings.insert(made.warnings.end(), hidden.begin(), hidden.end());
  }

  void evaluate_one(StatementAnswer& made) {
    erased_ = &made.statement.erased;
    switch (made.statement.kind) {
      case Statement::Kind::passed_over: return lose_names(made.statement, made.statement.reason.empty() ? "refused" : "passed over");
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

  // What becomes of a name's value here is not said by the line that gave it one.
  void lose(const std::string& name, NameTable::Lost lost, const Statement& statement) {
    origins_.other(name);
    names_.lose(name, std::move(lost), statement);
  }
  void doubt(const std::string& name, std::string why) {
    origins_.other(name);
    names_.doubt(name, std::move(why));
  }

  void lose_names(const Statement& statement, std::string_view why, const std::string& note = {}) {
    const bool none = statement.reason == "a declaration without a value";
    const std::string reason = statement.reason.empty() ? "" : fmt::format(" ({})", statement.reason);
    for (const std::string& name : statement.names) {
      if (name.empty() || name == "_") continue;
      std::string message =
          none ? made_without_value(name, statement)
               : fmt::format("{} has no value, since line {}, which gives it one, is {}{}", name, statement.line, why, reason);
      lose(name, {std::move(message), note.empty() ? "" : fmt::format("{}: {}", name, note)}, statement);
    }
    unknown_.stand_above(statement);
  }

  // What a statement that is passed over assigns: a tensor's elements are no part of its value, and where blocks are walked into, a
  // condition is one possibility of two.
  void assign(const StatementAnswer& made) {
    const Statement& statement = made.statement;
    if (!statement.reason.empty() || made.refused) {
      for (const Assigned& each : statement.assigns) assigned(statement, each);
    } else {  // x.append(3) has a value, and changes x
      for (const Assigned& each : statement.assigns) {
        if (each.how == Assigned::How::element) assigned(statement, each);
      }
    }
    share(statement);
    for (const std::string& name : statement.addressed) {
      addressed_.insert(name);
      if (made.refused && statement.unread.empty()) lose_with(name, statement, "may change it by its address");
    }
  }

  // Other names of what a statement binds, and what happens to those of what it assigns.
  void share(const Statement& statement) {
    const bool python = statement.dialect != Dialect::cpp;
    const bool in_place = python && !statement.update.empty();  // a += [1] changes the list that b is, too
    for (const std::string& name : statement.names) {
      if (name.empty() || name == "_" || own_) continue;
      if (!statement.declares && (!python || in_place)) lose_others(name, statement);
      if (statement.declares || (python && !in_place)) aliases_.part(name);
    }
    if (own_ || statement.shares.empty()) return;
    for (const std::string& name : statement.names) {
      if (!name.empty() && name != "_") aliases_.share(name, statement.shares);
    }
  }
  void lose_others(const std::string& name, const Statement& statement) {
    for (const std::string& other : aliases_.others(name)) {
      const NameTable::Meaning* meaning = names_.find(other);
      if (!meaning || !meaning->value || !changes_with_elements(*meaning->value)) continue;
      lose(other, {fmt::format("{} has no value: line {} assigns {}, which may be the same variable", other, statement.line, name), {}},
           statement);
    }
  }
  void lose_with(const std::string& name, const Statement& statement, std::string_view why) {
    const NameTable::Meaning* meaning = names_.find(name);
    if (meaning && meaning->value && changes_with_elements(*meaning->value))
      lose(name, {fmt::format("{} has no value: line {} {}", name, statement.line, why), {}}, statement);
    lose_others(name, statement);
  }

  void assigned(const Statement& statement, const Assigned& each) {
    lose_others(each.name, statement);
    const NameTable::Meaning* meaning = names_.find(each.name);
    const Value* value = meaning ? meaning->value : nullptr;
    if (each.how == Assigned::How::element && statement.dialect == Dialect::cpp &&
        (!value || !std::holds_alternative<Tensor>(value->any))) {
      for (const std::string& name : addressed_) lose_with(name, statement, "stores through a pointer, which may be its address");
    }
    if (each.how == Assigned::How::element && value && !changes_with_elements(*value)) return;
    if (each.how == Assigned::How::hidden && !value) return;
    if (each.how == Assigned::How::other && (value || given_.contains(each.name))) return;
    const std::string_view reason = statement.reason;
    if (options_.statements.into_blocks && value && (reason == "a condition" || reason == "a loop" || reason == "an exception")) {
      return doubt(each.name, fmt::format("{}: line {} assigns it in {}: another value is possible", each.name, statement.line, reason));
    }
    std::string message = made_without_value(each.name, statement);
    lose(each.name, {std::move(message), {}}, statement);
  }

  static std::string made_without_value(const std::string& name, const Statement& statement) {
    if (statement.reason == "a declaration without a value")
      return fmt::format("{} has no value: line {} declares it without one", name, statement.line);
    if (statement.reason.empty()) return fmt::format("{} has no value: line {}, which is refused, assigns it", name, statement.line);
    if (statement.reason.starts_with("the end of the #if"))
      return fmt::format("{} has no value behind line {}, {}: it is not the same in all branches", name, statement.line, statement.reason);
    const bool defines = statement.reason == "a class" || statement.reason == "a namespace" || statement.reason == "an enumeration" ||
                         statement.reason.starts_with("a macro");
    return fmt::format("{} has no value: line {}, {}, which is passed over, {} it", name, statement.line, statement.reason,
                       defines ? "defines" : "assigns");
  }

  void refuse(StatementAnswer& made, Error error) {
    shorten(error);
    lose_names(made.statement, "refused", error.message);
    made.values.clear();
    made.refused = std::move(error);
  }

  // What turns out to be no statement of ours after all.
  void pass_over(StatementAnswer& made, std::string reason) {
    made.statement.kind = Statement::Kind::passed_over;
    made.statement.reason = std::move(reason);
    made.values.clear();
    made.warnings.clear();
    lose_names(made.statement, "passed over");
  }

  // Counts what the answer keeps; what does not fit has no value.
  void keep(StatementAnswer& made) {
    Status kept = spend_bytes(kept_bytes(made), "the value");
    if (kept) return;
    made.warnings.clear();
    refuse(made, std::move(std::move(kept).error()).at(made.statement.expression));
  }

  void note_needs(StatementAnswer& made) {
    const auto add = [](std::vector<std::string>& to, const std::string& each) {
      if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    };
    for (const Symbol& symbol : answer_.symbols) {
      const NameTable::Meaning* meaning = names_.find(symbol.name);
      if (looked_up_.contains(symbol.name) && !(meaning && meaning->value)) made.needs.push_back(symbol.name);
    }
    for (const std::string& name : looked_up_) {
      const NameTable::Meaning* meaning = names_.find(name);
      if (!meaning) continue;
      for (const std::string& each : meaning->needs) add(made.needs, each);
      for (const std::string& each : meaning->doubts) {
        if (made.doubts.size() < kMostDoubts) add(made.doubts, each);
      }
    }
    if (made.statement.kind != Statement::Kind::check) settled_.insert(made.needs.begin(), made.needs.end());
  }

  void take(StatementAnswer& made, const std::string& name, Value value) {
    if (name.empty() || name == "_") return;
    if (auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any); spec && (*spec)->name == GemmSpec().name) {
      GemmSpec named = **spec;  // a GEMM is called as its binding is
      named.name = name;
      *spec = std::make_shared<const GemmSpec>(std::move(named));
    }
    if (known_) own_ ? origins_.own(name, part(made.statement.span)) : origins_.other(name);
    made.values.reserve(made.statement.names.size());
    made.values.emplace_back(name, std::move(value));
    names_.bind(name, {&made.values.back().second, made.needs, made.doubts, {}}, made.statement);
  }

  // A number that stands for many has no place in a picture.
  static bool is_guessed_figure(const StatementAnswer& made, const Value& value) {
    return !made.needs.empty() && std::holds_alternative<std::shared_ptr<const FigureCall>>(value.any);
  }

  void parameter(StatementAnswer& made) {
    ParameterRange range;
    for (auto [number, span] : {std::pair{&range.lower, made.statement.lower}, {&range.upper, made.statement.upper}}) {
      Result<Value> value = value_at(span, nullptr);
      Result<std::int64_t> bound = value ? as_integer(*value) : Result<std::int64_t>(value.error());
      if (!bound) return refuse(made, explained(std::move(bound.error()).at(span)));
      *number = *bound;
    }
    const std::string& name = made.statement.names[0];
    if (range.lower > range.upper) {
      return refuse(made, {ErrorCode::out_of_range,
                           fmt::format("the range of {} ends at {}, before it begins at {}", name, range.upper, range.lower),
                           SourceSpan{made.statement.lower.begin, made.statement.upper.end},
                           {}});
    }
    made.range = range;
    bind(made);
    if (made.refused) return;
    const Result<std::int64_t> number = as_integer(made.values[0].second);
    if (!number) return refuse(made, Error(number.error()).at(made.statement.expression));
    if (*number >= range.lower && *number <= range.upper) return;
    refuse(made, {ErrorCode::out_of_range,
                  fmt::format("{} is {}, outside of its range {}..{}", name, *number, range.lower, range.upper),
                  made.statement.expression,
                  {}});
  }

  void bind(StatementAnswer& made) {
    const Statement& statement = made.statement;
    if (statement.expression.begin == statement.expression.end && statement.type.empty())
      return refuse(made, {ErrorCode::parse, "an expression is missing behind '='", statement.span, {}});
    if (const std::string_view named = class_of(statement); !named.empty()) {
      take(made, statement.names[0], Value{std::string(named)});
      return names_.call_class(statement.names[0], std::string(named));
    }
    if (!statement.update.empty() && !find(statement.names[0])) return pass_over(made, "an update of what has no value");
    Result<Value> value = !statement.update.empty() ? updated(statement)
                          : statement.is_list       ? listed(statement)
                          : statement.type.empty()  ? value_of(statement, statement.expression, made.warnings)
                                                    : declared(made);
    note_needs(made);
    if (!value && statement.is_macro) return pass_over(made, "a preprocessor line");
    if (!value && statement.kind == Statement::Kind::passed_over) return lose_names(statement, "passed over");
    if (!value) return refuse(made, explained(std::move(value).error()));
    if (is_guessed_figure(made, *value)) return refuse(made, needs_values(made.needs).at(statement.expression));
    unknown_.stand_above(statement);
    if (const auto given = given_.find(statement.names[0]); statement.kind == Statement::Kind::parameter && given != given_.end()) {
      used_.insert(statement.names[0]);
      value = given->second;
    }
    if (statement.taking == Statement::Taking::each) {
      for (const std::string& name : statement.names) take(made, name, *value);
      return;
    }
    if (statement.names.size() == 1 && statement.taking == Statement::Taking::whole) {
      if (statement.dialect == Dialect::cpp && !own_) in_its_type(statement, *value);
      return take(made, statement.names[0], std::move(*value));
    }
    Result<std::vector<Value>> elements = elements_of(*value);
    if (!elements) return refuse(made, std::move(std::move(elements).error()).at(statement.expression));
    if (elements->size() != statement.names.size()) {
      return refuse(made, {ErrorCode::rank_mismatch,
                           fmt::format("{} name{} the elements of a tuple of {}: {}", statement.names.size(),
                                       statement.names.size() == 1 ? " takes" : "s take", elements->size(), described(*value)),
                           statement.expression,
                           {}});
    }
    for (std::size_t i = 0; i < elements->size(); ++i) take(made, statement.names[i], std::move((*elements)[i]));
  }

  // GemmTraits of using Tr = GemmTraits and typedef GemmTraits Tr; empty where no class of that name was walked through.
  std::string_view class_of(const Statement& statement) const {
    const std::string_view head = statement_text::first_word(part(statement.span));
    if (statement.dialect != Dialect::cpp || statement.names.size() != 1 || (head != "using" && head != "typedef")) return {};
    std::string_view named = trimmed(part(statement.expression));
    if (named.starts_with("typename ")) named = trimmed(named.substr(9));
    const bool is_word = !named.empty() && statement_text::first_word(named).size() == named.size();
    return is_word && named != statement.names[0] && names_.has_class(std::string(named)) ? named : std::string_view();
  }

  // A variable of C++ keeps the type that it was declared with.
  void in_its_type(const Statement& statement, Value& value) {
    const std::string& name = statement.names[0];
    if (statement.declares) {
      types_.erase(name);
      if (std::holds_alternative<bool>(value.any)) value.number = NumberType{NumberType::Kind::truth, 8, false};
      if (value.number) types_.emplace(name, *value.number);
      return;
    }
    if (const auto type = types_.find(name); type != types_.end()) value = converted(std::move(value), type->second);
  }

  // a += 3 is a = a + (3), ++a is a = a + (1)
  Result<Value> updated(const Statement& statement) {
    const bool counts = statement.update == "++" || statement.update == "--";
    const std::string by = counts ? std::string("1") : without_writes(statement.expression);
    const bool is_word = statement_text::first_word(by).size() == by.size();
    const std::string sign = counts ? statement.update.substr(0, 1) : statement.update;
    const std::string text = fmt::format("{} {} {}{}{}", statement.names[0], sign, is_word ? "" : "(", by, is_word ? "" : ")");
    Result<Value> value = evaluate_guessed(text, statement);
    if (!value) value.error().span = statement.expression;
    return value;
  }

  // C++'s `Type name = value`, `Type name{values}`, `Type name`: the value where there is one, else what the type makes.
  Result<Value> declared(StatementAnswer& made) {
    const Statement& statement = made.statement;
    const std::string_view rest = part(statement.expression);
    const char first = rest.empty() ? ' ' : rest.front();
    const bool has_value = !rest.empty() && first != '{' && first != '(' && first != '[';
    const bool assigned =
        text_.substr(statement.span.begin, statement.expression.begin - statement.span.begin).find('=') != std::string_view::npos;
    if (has_value || assigned) {
      Result<Value> value = value_of(statement, statement.expression, made.warnings);
      const auto type = number_type(without_specifiers(statement.type));
      return value && type ? converted(std::move(*value), *type) : std::move(value);
    }
    if (first == '[') return storage(made);
    // The type and the brackets behind the name, put side by side.
    std::string text = without_specifiers(statement.type);
    if ((rest.empty() || first == '{' || first == '(') && text.find('<') == std::string::npos) {
      if (std::optional<Result<Value>> number = number_of(made, text, rest)) {
        const auto type = number_type(text);
        return *number && type ? converted(std::move(**number), *type) : std::move(*number);
      }
    }
    const bool is_template_of_value = text == "auto" || text == "Tensor" || text == "Layout";
    text += rest.empty() ? "{}" : rest;
    if (is_template_of_value && first == '(') text = std::string(rest);
    Result<Value> value = evaluate_guessed(text, statement);
    if (!value) value.error().span = statement.span;
    return value;
  }

  // int x{3}, auto y(4): where the type is one of numbers, what stands in the brackets is the value; nothing is 0, and without brackets
  // there is no value.
  std::optional<Result<Value>> number_of(StatementAnswer& made, const std::string& type, std::string_view rest) {
    const Statement& statement = made.statement;
    if (type != "auto") {
      const Result<Value> named = evaluate_guessed(type, statement);
      const auto* word = named ? std::get_if<std::string>(&named->any) : nullptr;
      if (!word || !value_type(*word)) return std::nullopt;
    }
    if (rest.empty()) {
      made.statement.kind = Statement::Kind::passed_over;
      made.statement.reason = "a declaration without a value";
      return Error{ErrorCode::unknown_name, "", {}, {}};
    }
    const std::string_view inside = trimmed(rest.substr(1, rest.size() - 2));
    if (inside.empty()) return evaluate_guessed(type == "bool" ? "false" : "0", statement);
    const auto begin = static_cast<std::size_t>(inside.data() - text_.data());
    return value_of(statement, {begin, begin + inside.size()}, made.warnings);
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
    Result<Value> value = evaluate_guessed(fmt::format("{}({})", shared ? "make_smem_ptr" : "make_rmem_ptr", type), made.statement);
    if (auto* pointer = value ? std::get_if<Pointer>(&value->any) : nullptr) pointer->extent = elements_of_array(made.statement);
    return value;
  }

  // 64 * 64 of half_t smem[64 * 64]; 0 where it is not said.
  std::int64_t elements_of_array(const Statement& statement) {
    std::int64_t all = 1;
    std::string_view rest = trimmed(part(statement.expression));
    while (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos) return 0;
      const Result<Value> count = evaluate_expression(rest.substr(1, close - 1), scope(), nullptr);
      const Result<std::int64_t> number = count ? as_integer(*count) : Result<std::int64_t>(count.error());
      if (!number || *number < 1 || *number > kLargestArray / all) return 0;
      all *= *number;
      rest = trimmed(rest.substr(close + 1));
    }
    return rest.empty() ? all : 0;
  }

  void show(StatementAnswer& made) {
    std::vector<Error> warnings;
    const Statement& statement = made.statement;
    Result<Value> value = statement.is_list ? listed(statement) : value_of(statement, statement.expression, warnings);
    note_needs(made);
    made.warnings = std::move(warnings);
    if (!value) return refuse(made, explained(std::move(value).error()));
    if (is_guessed_figure(made, *value)) return refuse(made, needs_values(made.needs).at(made.statement.expression));
    if (made.statement.kind == Statement::Kind::effect) look_at_effect(made);
    if (made.statement.kind == Statement::Kind::show) made.values.emplace_back("", std::move(*value));
  }

  // copy(a, b): its arguments were evaluated as a tuple, in which they lose where they lie.
  void look_at_effect(StatementAnswer& made) {
    const SourceSpan span = made.statement.expression;
    const std::string_view text = part(span);
    const Result<Expr> expr = parse_expression(text);
    const auto* list = expr ? std::get_if<TupleExpr>(&expr->node) : nullptr;
    std::vector<Value> elements;
    for (const Expr& each : list ? list->elements : std::vector<Expr>{}) {
      Result<Value> value = evaluate_expression(text.substr(each.span.begin, each.span.end - each.span.begin), scope(), nullptr);
      if (!value) return;
      elements.push_back(std::move(*value));
    }
    for (Error& each : remarks_on_effect(trimmed(part({made.statement.span.begin, span.begin})), elements))
      made.warnings.push_back(std::move(each).at(span));
  }

  void check(StatementAnswer& made) {
    Result<Value> value = value_of(made.statement, made.statement.expression, made.warnings);
    note_needs(made);
    if (!value) return refuse(made, explained(std::move(value).error()));
    const Result<bool> holds = as_bool(*value);
    if (!holds) return refuse(made, Error(holds.error()).at(made.statement.expression));
    bool is_true = *holds;
    if (!is_true && options_.guess && !made.needs.empty()) {
      value = guess_again(made, std::move(value));
      is_true = as_bool(*value).value();
    }
    if (is_true && !made.needs.empty() && held_.size() < kMostHeld) held_.push_back(made.statement.expression);
    if (is_true) {
      if (!made.needs.empty()) made.remark = fmt::format("this holds with the likely values {}", likely_values_of(made.needs));
      return;
    }
    const std::string condition(part(made.statement.expression));
    Error error{ErrorCode::breaks_law, fmt::format("this does not hold: {}", condition), made.statement.expression, {}};
    if (!made.needs.empty()) {  // with other values of the symbols it may
      error.message += ", with the likely values of what it needs";
      made.warnings.push_back(std::move(error));
      return;
    }
    refuse(made, std::move(error));
  }

  // "bM = 128, bK = 64"
  std::string likely_values_of(const std::vector<std::string>& names) const {
    std::string text;
    for (const Symbol& symbol : answer_.symbols) {
      if (std::find(names.begin(), names.end(), symbol.name) == names.end()) continue;
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol.name, symbol.likely);
    }
    return text;
  }

  void function(StatementAnswer& made) {
    const Statement& statement = made.statement;
    Result<Value> value = make_function(statement.names[0], statement.parameters, part(statement.expression), scope());
    if (!value) {
      Error error = std::move(value).error();
      error.span = statement.span;
      return refuse(made, std::move(error));
    }
    unknown_.stand_above(statement);
    take(made, statement.names[0], std::move(*value));
  }

  Error explained(Error error) {
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

  std::string_view text_;
  const SnippetOptions& options_;
  const Scope& outer_;
  KnownValues* known_;  // null: nothing is
  Origins origins_;
  SnippetAnswer answer_;
  NameTable names_;
  std::unordered_map<std::string, Value> given_;
  std::unordered_map<std::string, const Value*> guessed_;
  std::set<std::string> looked_up_;  // by the statement that is evaluated
  std::set<std::string> used_;       // of the values that are given
  Aliases aliases_;
  std::set<std::string> addressed_;                           // names whose addresses were taken
  std::unordered_map<std::string, NumberType> types_;         // of C++'s numbers, as they were declared
  std::unordered_map<std::string, std::size_t> first_lines_;  // of names that are bound
  UnknownNames unknown_;
  std::size_t number_ = 0;                           // of the statement that is evaluated
  std::vector<Partitioned> partitioned_;             // by the expression that was evaluated last
  bool own_ = false;                                 // is it one of ours?
  const std::vector<SourceSpan>* erased_ = nullptr;  // of the statement that is evaluated
  std::vector<std::size_t> block_;                   // that are walked through, and how many began so far
  std::size_t blocks_ = 0;
  int tries_ = 0;
  std::vector<SourceSpan> held_;   // assertions that are true with what was guessed
  std::set<std::string> settled_;  // symbols whose values are in other values
  bool must_hold_ = false;         // guesses with which an assertion is false are no guesses
  bool hopeless_ = false;          // whatever is guessed, the statement is refused
};

}  // namespace

SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, const SnippetOptions& options,
                                  const Scope& scope) {
  const DefaultBudget budget;
  const NestedText open;
  Runner runner(text, statements, options, scope);
  return runner.run(std::move(statements));
}

SnippetAnswer evaluate_statements(std::string_view text, std::vector<Statement> statements, KnownValues& known) {
  const DefaultBudget budget;
  const NestedText open;
  const SnippetOptions options;
  const Scope none;
  return Runner(text, statements, options, none, &known).run(std::move(statements));
}

namespace {

SnippetAnswer evaluate_read(std::string_view text, const SnippetOptions& options, const Scope& scope) {
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
