// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: the blocks that are walked into, and conditions that are known to hold or not.
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

#include "core/base/characters.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/stated.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

namespace {

using namespace statement_text;

// The condition in the head of `if constexpr (x > 4)`, `else if (x)` or `elif x:`. It is empty for `else`, and absent for any other head.
// `continues`: the head belongs to the condition above it.
std::optional<std::string_view> condition_of(std::string_view head, bool& continues) {
  head = trimmed(head);
  std::string_view word = first_word(head);
  continues = word == "else" || word == "elif";
  if (word == "else") {
    head = trimmed(head.substr(word.size()));
    if (head.empty() || head == ":") return std::string_view();
    word = first_word(head);
  }
  if (word != "if" && word != "elif") return std::nullopt;
  head = trimmed(head.substr(word.size()));
  if (first_word(head) == "constexpr") head = trimmed(head.substr(9));
  if (head.ends_with(':')) head = trimmed(head.substr(0, head.size() - 1));
  return head.empty() ? std::nullopt : std::optional(head);
}

}  // namespace

bool SnippetRunner::walks(const Statement& statement) {
  if (statement.kind == Statement::Kind::enters) enter(statement);
  if (statement.kind == Statement::Kind::leaves) {
    names_.leave();
    bind_inherited();
    ahead_.leave();
    if (!block_.empty()) block_.pop_back();
    if (!enters_.empty()) {
      enters_.pop_back();
      inherited_.pop_back();
      uncertain_.pop_back();
      unreached_.pop_back();
    }
    if (conditions_.size() > 1) conditions_.pop_back();
    conditions_.back().end = number_;
  }
  return statement.kind == Statement::Kind::enters || statement.kind == Statement::Kind::leaves;
}

void SnippetRunner::enter(const Statement& statement) {
  const bool conditional = statement.reason == "a condition";
  if (!conditional) conditions_.back() = Conditions();  // the else of a loop
  const std::optional<bool> holds = conditional ? known_condition(statement) : std::nullopt;
  NameTable::Stated stated;
  if (conditional) stated = stated_condition(statement, holds);
  const bool excluded = stated.holds == false && !stated.is_of_place();  // other threads come here
  names_.enter(statement, holds == true, std::move(stated));
  state_parameters(statement);
  ahead_.enter(number_, statement);
  block_.push_back(++blocks_);
  enters_.push_back(number_);
  inherited_.push_back(inherited(statement));
  uncertain_.push_back(holds != true && (conditional || statement.reason == "a loop" || statement.reason == "an exception"));
  unreached_.push_back(excluded || (!unreached_.empty() && unreached_.back()));
  conditions_.emplace_back();
  if (const std::int64_t threads = launch_bound(statement); threads > 0) answer_.kernels.push_back({statement.line, threads, block_});
  const bool by_arguments = conditional && definitions_ && asks_command_line(part(statement.span));
  if (by_arguments) keep_defaults();
  const bool skipped = (holds && !*holds) || by_arguments || skips_definition(statement);
  skipped_until_ = std::max(skipped_until_, skipped ? ahead_.end_of(number_) : 0);
}

// if (argc > 1) { m = atoi(argv[1]); }: what stands in it may be another value, and is not what the program has by itself.
void SnippetRunner::keep_defaults() {
  const std::size_t first = of_ ? of_->enters : 0;
  for (std::size_t i = number_ + 1; i < ahead_.end_of(number_); ++i) {
    const Statement& each = definitions_->statements()[first + i];
    for (const std::string& name : each.names) keep_default(name, each.line);
    for (const std::string& name : each.addressed) keep_default(name, each.line);
    for (const Assigned& assigned : each.assigns) keep_default(assigned.name, each.line);
  }
}

// Does a condition hold with the defaults and the calls that the text states, for the first block? Both branches are read all the same.
NameTable::Stated SnippetRunner::stated_condition(const Statement& statement, std::optional<bool> certain) {
  Conditions& chain = conditions_.back();
  bool continues = false;
  const std::optional<std::string_view> condition = condition_of(part(statement.span), continues);
  const bool follows = continues && chain.end + 1 == number_;
  if (!continues) chain.none_stated = true;
  if (continues && !follows) chain.none_stated.reset();
  NameTable::Stated made;
  if (continues) made.notes = chain.notes;
  const std::optional<bool> own = certain              ? certain
                                  : !condition         ? std::nullopt
                                  : condition->empty() ? std::optional(true)
                                                       : stated_truth(*condition, statement, made.notes);
  if (chain.none_stated == false || own == false)
    made.holds = false;
  else if (chain.none_stated && own)
    made.holds = true;
  if (own == true && chain.none_stated)
    chain.none_stated = false;
  else if (!own && chain.none_stated == true)
    chain.none_stated.reset();
  chain.notes = made.notes;
  if (certain) made.holds.reset();  // which is known without
  return made;
}

std::optional<bool> SnippetRunner::stated_truth(std::string_view condition, const Statement& statement, std::vector<std::string>& notes) {
  const DialectScope dialect(statement.dialect);
  looked_up_.clear();
  const Result<Value> value = evaluate_expression(condition, scope(), nullptr);
  // What a block does as a whole is shown for the first one; threads of a block may do different things side by side.
  if (!value ||
      std::any_of(looked_up_.begin(), looked_up_.end(), [&](const std::string& each) { return is_place(each) && !names_block(each); }))
    return std::nullopt;
  StatementAnswer made;
  note_needs(made);
  if (!made.needs.empty() || !made.doubts.empty()) return std::nullopt;
  notes.insert(notes.end(), made.stated.begin(), made.stated.end());
  if (const Result<bool> holds = as_bool(*value)) return *holds;
  const Result<std::int64_t> number = as_integer(*value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

// The parameters of a block have the values that calls give them, else their defaults, unless a value is given for them. A default may use
// the parameters before it; one that has no value here, such as void, states nothing.
void SnippetRunner::state_parameters(const Statement& block) {
  const DialectScope dialect(block.dialect);
  Statement declaration;
  declaration.declares = true;
  declaration.line = block.line;
  std::size_t first = block.span.begin;
  while (first < block.span.end && is_space(text_[first])) ++first;
  const auto calls = options_.called ? options_.called->find(block.span.begin) : CalledBlocks::const_iterator();
  const std::vector<CalledParameter> none;
  const std::vector<CalledParameter>& given = options_.called && calls != options_.called->end() ? calls->second : none;
  for (const StatedParameter& parameter : block.stated) {
    if (given_.contains(parameter.name)) continue;
    NameTable::Meaning meaning;
    meaning.stated_type = parameter.type;
    const auto place = std::find_if(given.begin(), given.end(), [&](const CalledParameter& each) { return each.name == parameter.name; });
    const CalledParameter* called = place == given.end() ? nullptr : &*place;
    if (called && called->value) {
      meaning.value = &stated_values_.emplace_back(adopted(*called->value));
      meaning.stated = called->stated;
      meaning.doubts = called->doubts;
      meaning.given = called->given;
    } else if ((!called || called->differs) && parameter.initial.begin < parameter.initial.end) {
      looked_up_.clear();
      StatementAnswer made;
      const WithUnknownArguments partial;
      without_guesses_ = true;
      Result<Value> value = evaluate_expression(part(parameter.initial), scope(), nullptr);
      without_guesses_ = false;
      note_needs(made);
      if (value && made.needs.empty() && may_have_value(parameter.type, *value)) {
        meaning.value = &stated_values_.emplace_back(*std::move(value));
        meaning.doubts = std::move(made.doubts);
        meaning.stated = std::move(made.stated);
        meaning.given = std::move(made.given);
        if (!of_)
          meaning.stated.insert(meaning.stated.begin(),
                                fmt::format("{} = {}, its default in line {}", parameter.name, part(parameter.initial),
                                            block.line + lines_in({first, parameter.initial.begin})));
      }
    }
    meaning.bound = number_;
    const auto* of_class = meaning.value ? std::get_if<std::string>(&meaning.value->any) : nullptr;
    const std::string class_name = of_class && definitions_ && definitions_->class_named(*of_class) ? *of_class : std::string();
    names_.bind(parameter.name, std::move(meaning), declaration);
    if (!class_name.empty()) names_.call_class(parameter.name, class_name);
  }
  state_surroundings(given);
}

// What a call says besides its arguments: the members of self, and how a kernel is launched.
void SnippetRunner::state_surroundings(const std::vector<CalledParameter>& given) {
  for (const CalledParameter& each : given) {
    const bool of_self = each.name.starts_with("self.");
    if ((!of_self && !names_launch(each.name)) || given_.contains(each.name)) continue;
    NameTable::Meaning meaning;
    meaning.bound = number_;
    meaning.stated = each.stated;
    meaning.doubts = each.doubts;
    meaning.given = each.given;
    if (each.value)
      meaning.value = &stated_values_.emplace_back(adopted(*each.value));
    else
      meaning.lost = NameTable::Lost{fmt::format("{} has no value where this method is called", each.name), {}};
    if (of_self && each.value)
      names_.lend(each.name, std::move(meaning));
    else
      names_.bind_here(each.name, std::move(meaning));
  }
}

// Does the condition hold in front of which `statement` begins a block? Nothing: it is not known. An `else` follows what stood above.
std::optional<bool> SnippetRunner::known_condition(const Statement& statement) {
  Conditions& chain = conditions_.back();
  bool continues = false;
  const std::optional<std::string_view> condition = condition_of(part(statement.span), continues);
  const bool follows = continues && chain.end + 1 == number_;
  const std::optional<bool> none_before = continues ? (follows ? chain.none_held : std::nullopt) : std::optional(true);
  const std::optional<bool> own = !condition ? std::nullopt : condition->empty() ? std::optional(true) : known_truth(*condition, statement);
  chain.none_held.reset();
  if (none_before == false || own == false) {
    if (none_before) chain.none_held = none_before;
    return false;
  }
  if (!none_before || !own) return std::nullopt;
  chain.none_held = false;
  return true;
}

std::optional<bool> SnippetRunner::known_truth(std::string_view condition, const Statement& statement) {
  const DialectScope dialect(statement.dialect);
  const std::optional<Value> value = known_value(condition);
  if (!value) return std::nullopt;
  if (const Result<bool> holds = as_bool(*value)) return *holds;
  const Result<std::int64_t> number = as_integer(*value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

// The value of an expression that rests on no guess.
std::optional<Value> SnippetRunner::known_value(std::string_view text) {
  looked_up_.clear();
  Result<Value> value = evaluate_expression(text, scope(), nullptr);
  return value && !rests_on_guesses() ? std::optional(*std::move(value)) : std::nullopt;
}

// Does what was looked up have a value that was guessed, or perhaps another one?
bool SnippetRunner::rests_on_guesses() const {
  return std::any_of(looked_up_.begin(), looked_up_.end(), [&](const std::string& each) {
    const NameTable::Meaning* meaning = names_.find(each);
    if (is_place(each)) return true;
    if (!meaning) return guessed_.contains(each);
    return guessed_.contains(each) || !meaning->needs.empty() || !meaning->doubts.empty() || !meaning->stated.empty() ||
           ahead_.assigned_again(each, meaning->bound).line > 0;
  });
}

std::size_t SnippetRunner::lines_in(SourceSpan span) const {
  const std::string_view text = part(span);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A statement of a block whose condition does not hold.
void SnippetRunner::skip(Statement statement) {
  if (statement.kind == Statement::Kind::enters || statement.kind == Statement::Kind::leaves) return;
  statement.kind = Statement::Kind::passed_over;
  statement.reason = kCodeOfFalse;
  StatementAnswer& made = add(std::move(statement));
  made.block = block_;
}

// 128 of __global__ void __launch_bounds__(128, 2) f(...); 0 where none is said.
std::int64_t SnippetRunner::launch_bound(const Statement& kernel) {
  constexpr std::string_view kWord = "__launch_bounds__(";
  const std::string_view head = part(kernel.span);
  const std::size_t at = head.find(kWord);
  if (at == std::string_view::npos) return 0;
  const std::size_t from = at + kWord.size(), to = std::min(head.find_first_of(",)", from), head.size());
  const std::optional<Value> bound = known_value(head.substr(from, to - from));
  return bound ? as_integer(*bound).value_or(0) : 0;
}

}  // namespace tessera
