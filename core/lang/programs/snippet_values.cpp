// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: what an expression is worth, and what is guessed for that.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/programs/symbol_table.hpp"
#include "core/lang/statements/stated.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

namespace {

constexpr int kMostTries = 2500;          // evaluations of one statement, while its symbols are guessed
constexpr int kMostChecks = 400;          // the same of an assertion, until it holds
constexpr int kFewestTries = 24;          // that a guess leaves to the names which it makes needed
constexpr int kMostSame = 2;              // refusals in the same words one after the other
constexpr std::size_t kMostSymbols = 16;  // that one statement can bring
constexpr int kDeepestText = 8;           // statements within an expression of a statement of ...

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

bool names_nothing(ErrorCode code) { return code == ErrorCode::unknown_atom || code == ErrorCode::unknown_name; }

}  // namespace

// The text with the signs blanked that are statements of their own.
std::string SnippetRunner::without_writes(SourceSpan span) const {
  std::string text(part(span));
  for (const SourceSpan& sign : *erased_) {
    if (sign.begin < span.begin || sign.end > span.end) continue;
    text.replace(sign.begin - span.begin, sign.end - sign.begin, sign.end - sign.begin, ' ');
  }
  return text;
}

// The expression of a statement, with spans into the whole text.
Result<Value> SnippetRunner::value_at(SourceSpan span, std::vector<Error>* warnings, bool own) {
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
Result<Value> SnippetRunner::known_at(SourceSpan span, std::vector<Error>& warnings) {
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
Result<Value> SnippetRunner::value_of(const Statement& statement, SourceSpan span, std::vector<Error>& warnings) {
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
      if (&likely->value != value) continue;
      symbol_order_.emplace(each, symbol_order_.size());
      answer_.symbols.push_back({each, std::string(likely->text), statement.line});
    }
  }
  looked_up_.clear();
  return value_at(span, &warnings);
}

void SnippetRunner::remark_language(SourceSpan span, const Value& value, std::vector<Error>& warnings) {
  std::optional<Error> other = remark_other_languages(part(span), scope(), value, false);
  if (!other) return;
  other->span = span;
  warnings.push_back(std::move(*other));
}

// `most`: tries up to which this goes on. One guess may use a third of what is left, so that a wrong one in front leaves some to others.
Result<Value> SnippetRunner::attempt(SourceSpan span, std::vector<std::string>& fresh, int most) {
  ++tries_;
  Result<Value> made = value_at(span, nullptr);
  if (made && must_hold_ && !fresh.empty()) {
    const Result<bool> holds = as_bool(*made);
    if (holds && (!*holds || !still_hold())) return Error{ErrorCode::breaks_law, {}, {}, {}};
  }
  if (made || !options_.guess || made.error().missing.empty()) return made;
  const std::string name = made.error().missing;
  if (fresh.size() == kMostSymbols) hopeless_ = true;  // other guesses leave as many names without a value
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

std::vector<const Likely*> SnippetRunner::guesses_for(const std::string& name) const {
  std::vector<const Likely*> all = must_hold_ ? suggested_values(name) : likely_values(name);  // 128 == size(mma) holds of many kinds
  if (const NameTable::Meaning* meaning = names_.find(name); meaning && !meaning->stated_type.empty()) {
    std::erase_if(all, [&](const Likely* each) { return !may_have_value(meaning->stated_type, each->value); });
    // Of a type whose name suggests nothing, or a number, an element's type is likelier than Int<128>.
    if (is_of_types(meaning->stated_type) && !all.empty() && as_integer(all.front()->value))
      std::stable_partition(all.begin(), all.end(),
                            [](const Likely* each) { return std::holds_alternative<std::string>(each->value.any); });
  }
  for (const auto& [preferred, text] : options_.preferred) {
    if (preferred == name)
      std::stable_partition(all.begin(), all.end(), [&wanted = text](const Likely* each) { return each->text == wanted; });
  }
  return all;
}

// Do the assertions above, which held with other guesses?
bool SnippetRunner::still_hold() {
  for (const SourceSpan& above : held_) {
    const Result<Value> made = value_at(above, nullptr);
    const Result<bool> holds = made ? as_bool(*made) : Result<bool>(true);
    if (holds && !*holds) return false;
  }
  return true;
}

// An assertion that is false may be so by a guess for which nothing speaks but assertions: that is made again.
Result<Value> SnippetRunner::guess_again(StatementAnswer& made, Result<Value> before) {
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

// A text that is made of the statement's parts.
Result<Value> SnippetRunner::evaluate_guessed(const std::string& text, const Statement& statement) {
  const std::string_view outer = text_;
  text_ = text;
  std::vector<Error> warnings;
  Result<Value> made = value_of(statement, {0, text.size()}, warnings);
  text_ = outer;
  return made;
}

// "bM = 128, bK = 64"
std::string SnippetRunner::likely_values_of(const std::vector<std::string>& names) const {
  std::string text;
  for (const Symbol* symbol : SymbolTable(answer_.symbols).among(names))
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol->name, symbol->likely);
  return text;
}

}  // namespace tessera
