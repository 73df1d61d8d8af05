// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: names get their values; what is shown and checked.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/eval/call_function.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/programs/effects.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/syntax/parser.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/pipeline_state.hpp"

namespace tessera {

namespace {

constexpr std::size_t kMostHeld = 64;                          // assertions that a guess for another one must not break
constexpr std::int64_t kLargestArray = std::int64_t{1} << 40;  // elements

}  // namespace

void SnippetRunner::take(StatementAnswer& made, const std::string& name, Value value) {
  if (name.empty() || name == "_") return;
  if (auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any); spec && (*spec)->name == GemmSpec().name) {
    GemmSpec named = **spec;  // a GEMM is called as its binding is
    named.name = name;
    *spec = std::make_shared<const GemmSpec>(std::move(named));
  }
  if (known_) own_ ? origins_.own(name, part(made.statement.span)) : origins_.other(name);
  made.values.reserve(made.statement.names.size());
  made.values.emplace_back(name, std::move(value));
  const Value& kept = made.values.back().second;
  std::optional<NumberType> type = made.statement.declares ? kept.number : std::nullopt;
  const Result<std::int64_t> number = as_integer(kept);
  const bool counts = made.statement.declares && made.statement.dialect == Dialect::cpp && !type && number;
  if (counts && std::in_range<std::int32_t>(*number)) type = NumberType();  // auto n = 1
  NameTable::Meaning meaning{&kept, made.needs, made.doubts, made.stated, {}, number_, type, false, made.given};
  const bool of_class = made.statement.dialect == Dialect::python && !enters_.empty() && is_python_class(enters_.back());
  if (of_class) names_.bind("self." + name, meaning, made.statement);  // what a class has, its objects have
  names_.bind(name, std::move(meaning), made.statement);
  if (made.statement.dialect == Dialect::python) note_element_type(name, kept, made.statement.line);
}

// A number that stands for many has no place in a picture.
bool SnippetRunner::is_guessed_figure(const StatementAnswer& made, const Value& value) {
  return !made.needs.empty() && std::holds_alternative<std::shared_ptr<const FigureCall>>(value.any);
}

void SnippetRunner::parameter(StatementAnswer& made) {
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

void SnippetRunner::bind(StatementAnswer& made) {
  const Statement& statement = made.statement;
  if (statement.expression.begin == statement.expression.end && statement.type.empty() && statement.made.empty())
    return refuse(made, {ErrorCode::parse, "an expression is missing behind '='", statement.span, {}});
  if (const std::string_view named = class_of(statement); !named.empty()) {
    take(made, statement.names[0], Value{std::string(named)});
    return names_.call_class(statement.names[0], std::string(named));
  }
  if (std::optional<Value> parsed = parsed_arguments(statement)) {
    made.stated = {fmt::format("{} has the defaults of its options", statement.names[0])};
    return take(made, statement.names[0], std::move(*parsed));
  }
  if (std::optional<Value> object = library_object(statement)) return take(made, statement.names[0], std::move(*object));
  if (!statement.update.empty() && !find(statement.names[0])) return pass_over(made, "an update of what has no value");
  Result<Value> value = !statement.update.empty() ? updated(statement)
                        : statement.is_list       ? listed(statement)
                        : !statement.made.empty() ? evaluate_guessed(statement.made, statement)
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
    if (statement.dialect == Dialect::cpp && !own_) {
      if (Status fits = in_its_type(statement, *value); !fits) return refuse(made, std::move(fits).error());
    }
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
std::string_view SnippetRunner::class_of(const Statement& statement) const {
  const std::string_view head = statement_text::first_word(part(statement.span));
  if (statement.dialect != Dialect::cpp || statement.names.size() != 1 || (head != "using" && head != "typedef")) return {};
  std::string_view named = trimmed(part(statement.expression));
  if (named.starts_with("typename ")) named = trimmed(named.substr(9));
  const bool is_word = !named.empty() && statement_text::first_word(named).size() == named.size();
  return is_word && named != statement.names[0] && names_.has_class(std::string(named)) ? named : std::string_view();
}

// A variable of C++ keeps the type that it was declared with. Refuses an integer for one whose type was not read: it may wrap.
Status SnippetRunner::in_its_type(const Statement& statement, Value& value) {
  if (statement.declares) {
    if (std::holds_alternative<bool>(value.any)) value.number = NumberType{NumberType::Kind::truth, 8, false};
    return Done{};
  }
  const std::string& name = statement.names[0];
  const NameTable::Meaning* meaning = names_.find(name);
  if (meaning && meaning->type) value = converted(std::move(value), *meaning->type);
  if (!meaning || !meaning->type_unread || !as_integer(value)) return Done{};
  return Error{ErrorCode::unknown_name,
               fmt::format("the type of {} is not known, since the line that declares it is refused", name),
               statement.expression,
               {"a narrow integer wraps"}};
}

// a += 3 is a = a + (3), ++a is a = a + (1)
Result<Value> SnippetRunner::updated(const Statement& statement) {
  const bool counts = statement.update == "++" || statement.update == "--";
  const Value* before = find(statement.names[0]);
  if (const auto state = before ? as_pipeline_state(*before) : std::nullopt; state && statement.update == "++")
    return pipeline_state_value(state->advanced(1));
  const std::string by = counts ? std::string("1") : without_writes(statement.expression);
  const bool is_word = statement_text::first_word(by).size() == by.size();
  const std::string sign = counts ? statement.update.substr(0, 1) : statement.update;
  const std::string text = fmt::format("{} {} {}{}{}", statement.names[0], sign, is_word ? "" : "(", by, is_word ? "" : ")");
  Result<Value> value = evaluate_guessed(text, statement);
  if (!value) value.error().span = statement.expression;
  return value;
}

// C++'s `Type name = value`, `Type name{values}`, `Type name`: the value where there is one, else what the type makes.
Result<Value> SnippetRunner::declared(StatementAnswer& made) {
  const Statement& statement = made.statement;
  const std::string_view rest = part(statement.expression);
  const char first = rest.empty() ? ' ' : rest.front();
  const std::string named = without_specifiers(statement.type);
  if (const std::size_t open = named.find('<'); open != std::string::npos && named.ends_with('>') && names_vector(named.substr(0, open)))
    return evaluate_guessed(named, statement);  // whatever it is filled with
  const bool has_value = !rest.empty() && first != '{' && first != '(' && first != '[';
  const bool assigned =
      text_.substr(statement.span.begin, statement.expression.begin - statement.span.begin).find('=') != std::string_view::npos;
  if (has_value || assigned) {
    const auto type = number_type(without_specifiers(statement.type));
    SourceSpan value_span = statement.expression;
    if (type && first == '{' && rest.back() == '}') {  // int x = {3}
      const std::string_view inside = trimmed(rest.substr(1, rest.size() - 2));
      if (inside.empty()) return evaluate_guessed("0", statement);
      value_span.begin = static_cast<std::size_t>(inside.data() - text_.data());
      value_span.end = value_span.begin + inside.size();
    }
    Result<Value> value = value_of(statement, value_span, made.warnings);
    return value && type ? converted(std::move(*value), *type) : std::move(value);
  }
  if (first == '[') return storage(made);
  // The type and the brackets behind the name, put side by side.
  std::string text = without_specifiers(statement.type);
  if (is_unknown_type(text)) return Error{ErrorCode::unknown_name, fmt::format("the type {} is not known here", text), statement.span, {}};
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

// GPU_Clock timer: a name that nothing gives a value and that no type is likely to have. A number is no type.
bool SnippetRunner::is_unknown_type(const std::string& type) {
  if (statement_text::first_word(type).size() != type.size() || type == "auto" || names_.find(type) || find(type) || is_own_name(type))
    return false;
  const std::vector<const Likely*> likely = likely_values(type);
  return !likely.empty() && as_integer(likely.front()->value);
}

// half_t* p; and half_t* p = nullptr: of an element's type a pointer of which nothing else is known.
bool SnippetRunner::null_pointer(StatementAnswer& made) {
  const std::string_view type = trimmed(std::string_view(made.statement.type).substr(0, made.statement.type.size() - 1));
  if (type.ends_with('*') || made.statement.assigns.size() != 1) return false;
  const std::string written = without_specifiers(std::string(type) + " ");  // half_t of static half_t const*
  looked_up_.clear();
  const DialectScope dialect(made.statement.dialect);
  const Result<Value> named = evaluate_expression(written, scope(), nullptr);
  const Result<ValueType> element = named ? as_value_type(*named) : Result<ValueType>(named.error());
  if (!element) return false;
  note_needs(made);
  const std::string name = made.statement.assigns[0].name;
  made.statement.kind = Statement::Kind::bind;
  made.statement.names = {name};
  made.statement.reason.clear();
  made.statement.assigns.clear();
  take(made, name, Value{Pointer{element_of(*element, MemorySpace::generic), 0}});
  return true;
}

// int x{3}, auto y(4): where the type is one of numbers, what stands in the brackets is the value; nothing is 0, and without brackets
// there is no value.
std::optional<Result<Value>> SnippetRunner::number_of(StatementAnswer& made, const std::string& type, std::string_view rest) {
  const Statement& statement = made.statement;
  if (find_builtin(type)) return std::nullopt;  // dim3 grid(4, 2)
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

Result<Value> SnippetRunner::listed(const Statement& statement) {
  Result<Value> value = evaluate_guessed(fmt::format("({})", part(statement.expression)), statement);
  if (!value) value.error().span = statement.expression;
  return value;
}

// __shared__ TA smem[cosize_v<SmemLayout>]: a pointer.
Result<Value> SnippetRunner::storage(StatementAnswer& made) {
  const bool shared = made.statement.type.find("__shared__") != std::string::npos;
  std::string type = made.statement.type;
  if (const std::size_t at = type.rfind(' '); at != std::string::npos) type.erase(0, at + 1);
  Result<Value> value = evaluate_guessed(fmt::format("{}({})", shared ? "make_smem_ptr" : "make_rmem_ptr", type), made.statement);
  if (auto* pointer = value ? std::get_if<Pointer>(&value->any) : nullptr) pointer->extent = elements_of_array(made.statement);
  return value;
}

// 64 * 64 of half_t smem[64 * 64]; 0 where it is not said.
std::int64_t SnippetRunner::elements_of_array(const Statement& statement) {
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

void SnippetRunner::show(StatementAnswer& made) {
  std::vector<Error> warnings;
  const Statement& statement = made.statement;
  gives_nothing_.clear();
  Result<Value> value = statement.is_list ? listed(statement) : value_of(statement, statement.expression, warnings);
  note_needs(made);
  made.warnings = std::move(warnings);
  if (!value && !gives_nothing_.empty()) return pass_over(made, fmt::format("a call of {}", gives_nothing_));
  if (!value) return refuse(made, explained(std::move(value).error()));
  if (is_guessed_figure(made, *value)) return refuse(made, needs_values(made.needs).at(made.statement.expression));
  note_marks(statement, *value);
  if (made.statement.kind == Statement::Kind::effect) look_at_effect(made);
  if (made.statement.kind == Statement::Kind::show) made.values.emplace_back("", std::move(*value));
}

// copy(a, b): its arguments were evaluated as a tuple, in which they lose where they lie.
void SnippetRunner::look_at_effect(StatementAnswer& made) {
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

void SnippetRunner::check(StatementAnswer& made) {
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

void SnippetRunner::function(StatementAnswer& made) {
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

}  // namespace tessera
