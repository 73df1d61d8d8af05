// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/base/overloaded.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/builtins/remarks.hpp"
#include "core/lang/builtins/spec_values.hpp"
#include "core/lang/builtins/tensors.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/eval/partition_watch.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/syntax/parser.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/user_function.hpp"
#include "core/lang/values/value_size.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostArgumentLeaves = 4 * kMostLeaves;  // of all arguments of one call
constexpr std::size_t kMostWarnings = 256;                     // of one expression

constexpr std::size_t kBytesOfAnElement = 2 * sizeof(Value) + 64;  // its value, the copy that a list takes of it, and its place in a call

// Before the values of a list's elements are evaluated into an array.
Status hold_values(HeldBytes& held, std::size_t count, std::string_view what) {
  return held.hold(static_cast<std::int64_t>(count * kBytesOfAnElement), [&] { return fmt::format("{} of {} elements", what, count); });
}

Error too_many_leaves(std::string_view function) {
  return {ErrorCode::limit, fmt::format("the arguments of {} have more than {} leaves together", function, kMostArgumentLeaves), {}, {}};
}

// What a call warned of, in a length for people: a warning may quote long values, and an expression may have many calls.
void bound_warnings(std::vector<Error>& warnings, std::size_t from) {
  for (std::size_t i = from; i < warnings.size(); ++i) shorten(warnings[i]);
  if (warnings.size() <= kMostWarnings) return;
  warnings.resize(kMostWarnings);
  warnings.back() = {ErrorCode::limit, fmt::format("more than {} warnings; the others are left out", kMostWarnings - 1), {}, {}};
}

// "takes 2 arguments", "takes 1 to 3 arguments", "takes at least 1 argument"
std::string arity_text(const Signature& signature) {
  const std::size_t least = signature.required, most = signature.parameters.size();
  const auto arguments = [](std::size_t n) { return n == 1 ? "argument" : "arguments"; };
  if (!signature.rest.empty()) return fmt::format("takes at least {} {}", least, arguments(least));
  if (least == most) return fmt::format("takes {} {}", most, arguments(most));
  return fmt::format("takes {} to {} arguments", least, most);
}

// Puts evaluated arguments where the signature wants them.
Status place_arguments(const Builtin& builtin, const std::vector<Argument>& arguments, const std::vector<Value>& values,
                       const std::vector<SourceSpan>& spans, Call& call) {
  const Signature& signature = signature_of(builtin);
  std::size_t position = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const CallArgument given{&values[i], spans[i]};
    if (argument.name.empty() && position < signature.parameters.size()) {
      call.parameters[position++] = given;
    } else if (argument.name.empty()) {
      if (signature.rest.empty()) {
        return Error{ErrorCode::wrong_arity,
                     fmt::format("{} {}, but {} are given", builtin.name, arity_text(signature), arguments.size()),
                     given.span,
                     {fmt::format("{}: {}", builtin.signature, builtin.help)}};
      }
      call.rest.push_back(given);
    } else {
      if (signature.rest == "modes" && argument.name == "mode") {  // the DSL's name for them
        if (!call.rest.empty())
          return Error{ErrorCode::wrong_arity, fmt::format("{}: the modes are given twice", builtin.name), argument.name_span, {}};
        call.rest.push_back(given);
        continue;
      }
      const std::string_view wanted = argument.name == "target_profile" ? "profile" : argument.name;  // the DSL's name for it
      const auto found = std::find(signature.parameters.begin(), signature.parameters.end(), wanted);
      if (found == signature.parameters.end()) {
        Error error{ErrorCode::unknown_name, fmt::format("{} has no parameter {}", builtin.name, argument.name), argument.name_span, {}};
        error.notes = nearest_parameter(argument.name, std::vector<std::string>(signature.parameters.begin(), signature.parameters.end()));
        error.notes.push_back(std::string(builtin.signature));
        return error;
      }
      CallArgument& slot = call.parameters[static_cast<std::size_t>(found - signature.parameters.begin())];
      if (slot.value)
        return Error{ErrorCode::wrong_arity, fmt::format("{} is given twice to {}", argument.name, builtin.name), argument.name_span, {}};
      slot = given;
    }
  }
  for (std::size_t i = 0; i < signature.required; ++i) {
    if (call.parameters[i].value) continue;
    return Error{ErrorCode::wrong_arity,
                 fmt::format("{} {}; {} is missing", builtin.name, arity_text(signature), signature.parameters[i]),
                 call.span(),
                 {fmt::format("{}: {}", builtin.signature, builtin.help)}};
  }
  return Done{};
}

}  // namespace

Result<Value> Evaluator::value(const Expr& expr) {
  return std::visit(
      Overloaded{
          [&](const LeafExpr& leaf) -> Result<Value> { return Value{leaf.value}; },
          [&](const RealExpr& real) -> Result<Value> { return Value{real.value}; },
          [&](const TextExpr& text) -> Result<Value> { return Value{text.value}; },
          [&](const NameExpr& n) { return name(n.name, expr.span); },
          [&](const TupleExpr& t) { return at(expr.span, tuple(t)); },
          [&](const PairExpr& p) { return pair(p, expr.span); },
          [&](const ArithmeticExpr& a) { return arithmetic(a); },
          [&](const UnaryExpr& u) { return unary(u, expr.span); },
          [&](const ConditionalExpr& c) { return conditional(c); },
          [&](const ComposeExpr& c) { return compose(c, expr.span); },
          [&](const PointerExpr& p) -> Result<Value> {
            return Value{Pointer{{p.bits, std::nullopt, space_of_pointer(p.name)}, 0}};
          },
          [&](const CallExpr& c) { return call(c, expr.span); },
          [&](const TemplateExpr& t) { return at(expr.span, type(t, expr.span)); },
          [&](const ApplyExpr& a) { return apply(a, expr.span); },
          [&](const IndexExpr& i) { return index(i, expr.span); },
          [&](const RangeExpr&) -> Result<Value> {
            return Error{
                ErrorCode::parse, "a range such as 1: stands alone between [ and ], and 1..4 among the values of a sweep", expr.span, {}};
          },
          [&](const MemberExpr& m) -> Result<Value> {
            TESSERA_TRY(object, value(m.object[0]));
            return at(m.name_span, member_of(object, m.name));
          },
          [&](const BracesExpr& b) { return at(expr.span, braces(b)); },
          [&](const ComprehensionExpr& c) { return at(expr.span, comprehension(c)); },
          [&](const LambdaExpr& l) { return at(expr.span, lambda(l)); },
          [&](const SplatExpr&) -> Result<Value> {
            return Error{ErrorCode::parse, "*tuple stands between the elements of a list", expr.span, {}};
          },
      },
      expr.node);
}

Result<Value> Evaluator::copy_of(const Value& value, std::string_view name, SourceSpan span) {
  TESSERA_CHECK(at(span, spend_bytes(bytes_of_copy(value), [&] { return fmt::format("a copy of {}", name); })));
  return value;
}

std::optional<Evaluator::MemberPath> Evaluator::member_path(std::string_view name) {
  const std::size_t dot = name.rfind('.'), colons = name.rfind("::");
  if (colons != std::string_view::npos && (dot == std::string_view::npos || colons > dot))
    return MemberPath{name.substr(0, colons), name.substr(colons + 2)};
  if (dot == std::string_view::npos) return std::nullopt;
  return MemberPath{name.substr(0, dot), name.substr(dot + 1)};
}

Result<Value> Evaluator::name(std::string_view name, SourceSpan span) {
  if (const Value* value = bound(name)) return copy_of(*value, name, span);
  Result<Value> whole = name_without_members(name, span);
  if (whole) return whole;
  const auto path = member_path(name);
  if (!path || whole.error().code != ErrorCode::unknown_name) return whole;
  Result<Value> object = this->name(path->base, {span.begin, span.begin + path->base.size()});
  if (object) {
    Result<Value> member = member_of(*object, path->member);
    const auto* made = std::get_if<std::shared_ptr<const UserFunction>>(&object->any);
    if (!member && made && (*made)->is_partial) return whole;
    return at(span, std::move(member));
  }
  return is_member(path->member) ? object : whole;  // x.shape misses x; self.tile misses itself
}

Result<Value> Evaluator::name_without_members(std::string_view name, SourceSpan span) {
  if (auto constant = constant_of(name)) return *std::move(constant);
  if (find_builtin(name)) {
    Error error{ErrorCode::unknown_name, fmt::format("{} is a function: write {}", name, find_builtin(name)->signature), span, {}};
    error.missing = name;  // a variable may be named so too: shape, layout
    return error;
  }
  if (names_an_atom(name)) return at(span, find_atom(name));
  Error error{ErrorCode::unknown_name, fmt::format("the name {} is not defined", name), span, nearest_note(name, {})};
  error.missing = name;
  return error;
}

Result<Value> Evaluator::conditional(const ConditionalExpr& expr) {
  TESSERA_TRY(holds, truth(expr.parts[0]));
  return value(expr.parts[holds ? 1 : 2]);
}

Result<Value> Evaluator::tuple(const TupleExpr& tuple) {
  HeldBytes held;
  TESSERA_CHECK(hold_values(held, tuple.elements.size(), "a tuple"));
  const std::vector<Argument> unnamed(tuple.elements.size());
  TESSERA_TRY(elements, evaluated(unnamed, tuple.elements, nullptr, "a tuple"));
  if (tuple.may_group && std::holds_alternative<NameExpr>(tuple.elements[0].node)) {
    const auto* number = std::get_if<IntTuple>(&elements.values[0].any);
    if (!number || number->is_tuple()) return std::move(elements.values[0]);
  }
  TESSERA_TRY(made, make_tuple(std::move(elements.values)));
  made.grouped = tuple.may_group;
  return made;
}

Result<IntTuple> Evaluator::int_tuple(const Expr& expr, std::string_view what) {
  if (const auto* leaf = std::get_if<LeafExpr>(&expr.node)) return leaf->value;
  Result<Value> made = value(expr);
  if (!made) return std::move(made).error();
  if (auto* tuple = std::get_if<IntTuple>(&made->any)) return std::move(*tuple);
  return Error{
      ErrorCode::wrong_type, fmt::format("{} is an integer or a tuple of integers, but this is {}", what, described(*made)), expr.span, {}};
}

Result<Value> Evaluator::pair(const PairExpr& pair, SourceSpan span) {
  TESSERA_TRY(shape, int_tuple(pair.shape_and_stride[0], "a shape"));
  TESSERA_TRY(stride, int_tuple(pair.shape_and_stride[1], "a stride"));
  Result<Layout> layout = Layout::make(std::move(shape), std::move(stride));
  if (!layout) return std::move(std::move(layout).error()).at(span);
  return Value{std::move(*layout)};
}

// thread=0-3 is no difference, and 0..3 the same list.
bool is_number_list(std::string_view parameter, std::string_view written) {
  if (parameter == "highlight" || parameter == "crop" || parameter == "at")  // T0-3, (T0,W1), (2,5): selectors mean themselves
    return written.find_first_not_of("TWQV0123456789(),-. ") == std::string_view::npos &&
           written.find_first_of("0123456789") != std::string_view::npos;
  return (parameter == "thread" || parameter == "k_tiles" || parameter == "elements") &&
         written.find_first_not_of("0123456789-. ") == std::string_view::npos && written.find_first_of("-.", 1) != std::string_view::npos;
}

Result<Value> Evaluator::figure(const CallExpr& call) {
  FigureCall made;
  made.kind = call.name.substr(0, call.name.size() - kFigureSuffix.size());
  for (const Argument& argument : call.arguments) {
    const Expr& expr = call.values[argument.value];
    // color=thread: words need no quotes. Whether one means itself or what is bound to it, the kind's row decides where the figure is made.
    const auto* word = argument.name.empty() ? nullptr : std::get_if<NameExpr>(&expr.node);
    const std::string_view written = text_of(expr.span);
    Result<Value> given = is_number_list(argument.name, written) ? Result<Value>(Value{std::string(written)}) : value(expr);
    if (!given && word) given = Value{std::string(word->name)};
    if (!given) return given;
    if (argument.name.empty()) {
      made.arguments.push_back(std::move(*given));
    } else {
      made.named.emplace_back(std::string(argument.name), std::move(*given));
      made.words.emplace_back(word ? word->name : std::string_view());
    }
  }
  Value value{std::make_shared<const FigureCall>(std::move(made))};
  TESSERA_CHECK(check_leaves(value));
  return value;
}

// Behind the dots of a Python call, these say where the compiler is; here they mean nothing.
bool is_compiler_argument(std::string_view name) { return name == "loc" || name == "ip"; }

// Whose argument the i-th is, by its name or its place.
std::string_view parameter_at(const Builtin& builtin, const std::vector<Argument>& arguments, std::size_t i) {
  const std::vector<std::string_view>& parameters = signature_of(builtin).parameters;
  return arguments[i].name.empty() && i < parameters.size() ? parameters[i] : arguments[i].name;
}

Result<Evaluator::Arguments> Evaluator::evaluated(const std::vector<Argument>& arguments, const std::vector<Expr>& values,
                                                  const Builtin* builtin, std::string_view what) {
  Arguments made;
  const auto add = [&](const Argument& argument, Value value, SourceSpan span) {
    made.names.push_back(argument);
    made.values.push_back(std::move(value));
    made.spans.push_back(span);
  };
  made.values.reserve(values.size());
  std::int64_t leaves = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (late()) return past_deadline(fmt::format("evaluating the elements of {}", what));
    if (is_compiler_argument(arguments[i].name)) continue;
    const auto* splat = std::get_if<SplatExpr>(&values[i].node);
    const Expr& each = splat ? splat->tuple[0] : values[i];
    const auto* word = std::get_if<NameExpr>(&each.node);
    // A choice means itself, whatever is bound to that name.
    const SpecField* field = word && builtin && builtin->knows_word ? find_spec_field(arguments[i].name) : nullptr;
    Result<Value> given = field && is_word_of(*field, word->name) ? Result<Value>(Value{std::string(word->name)}) : value(each);
    if (!given && word && builtin && builtin->knows_word && builtin->knows_word(parameter_at(*builtin, arguments, i), word->name))
      given = Value{std::string(word->name)};
    if (!given && i == 0 && builtin && builtin->address_first && given.error().missing == std::string_view(word ? word->name : ""))
      given = Value{Pointer{}};
    if (!given) return std::move(given).error();
    leaves += leaf_count(*given, kMostArgumentLeaves);
    if (leaves > kMostArgumentLeaves) return std::move(too_many_leaves(what)).at(each.span);
    if (!splat) {
      add(arguments[i], std::move(*given), each.span);
      continue;
    }
    TESSERA_TRY(elements, at(each.span, elements_of(*given)));
    for (Value& element : elements) add(arguments[i], std::move(element), each.span);
  }
  return made;
}

Result<Value> Evaluator::call(const CallExpr& expr, SourceSpan span) {
  HeldBytes held;
  TESSERA_CHECK(at(span, hold_values(held, expr.values.size(), expr.name)));
  const std::string_view written = text_of({span.begin, expr.name_span.end});
  // cute::size(x) is the function, also where size is bound.
  const bool qualified = written.size() > expr.name.size() && find_builtin(function_name(written, expr.name));
  if (const Value* callee = qualified ? nullptr : bound(expr.name)) {
    TESSERA_TRY(arguments, evaluated(expr.arguments, expr.values, nullptr, expr.name));
    arguments.templates = expr.templates;
    return apply_value(*callee, std::move(arguments), expr.name, span);
  }
  const Builtin* builtin = find_builtin(function_name(written, expr.name));
  if (builtin && builtin->name == "shared_storage" && expr.values.size() == 1 &&
      expr.arguments[0].name.empty()) {  // of a type, as far as it is known
    const Result<Value> type = value(expr.values[0]);
    const auto* object = type ? std::get_if<std::shared_ptr<const UserFunction>>(&type->any) : nullptr;
    if (object && (*object)->is_object && (*object)->body) return at(span, (*object)->body("__in_smem__", {}));
    return invoke(*builtin, Arguments{}, expr.name, span);
  }
  if (builtin && builtin->name == "sweep") return at(span, sweep(expr, span));
  if (builtin && builtin->name == "table") return at(span, table(expr, span));
  if (builtin) {
    TESSERA_TRY(arguments, evaluated(expr.arguments, expr.values, builtin, expr.name));
    return invoke(*builtin, std::move(arguments), expr.name, span);
  }
  if (names_a_figure(expr.name)) return figure(expr);
  // conditional_return<kHasAux>(a, b): a where the condition holds, which stands behind the arguments here; the other one is not looked at.
  if (expr.name == "conditional_return" && expr.templates == 1 && expr.values.size() == 3) {
    TESSERA_TRY(condition, value(expr.values[2]));
    TESSERA_TRY(holds, at(expr.values[2].span, as_bool(condition)));
    return value(expr.values[holds ? 0 : 1]);
  }
  if (expr.values.empty() && looks_like_atom(expr.name)) return at(span, find_atom(expr.name));
  if (expr.values.size() == 1 && value_type(expr.name)) {  // cutlass.Int32(8), which the DSL knows at run time
    TESSERA_TRY(number, value(expr.values[0]));
    if (const auto type = number_type(expr.name)) number = converted(std::move(number), *type);
    if (auto* tuple = std::get_if<IntTuple>(&number.any)) *tuple = as_dynamic(*tuple);
    return number;
  }
  if (const auto path = member_path(expr.name)) {
    Result<Value> object = name(path->base, {expr.name_span.begin, expr.name_span.begin + path->base.size()});
    if (object) {
      TESSERA_TRY(arguments, evaluated(expr.arguments, expr.values, nullptr, expr.name));
      return method(std::move(*object), path->member, {expr.name_span.end - path->member.size(), expr.name_span.end}, std::move(arguments),
                    span);
    }
    const bool is_method = find_builtin(function_name(path->member, path->member)) || is_member(path->member);
    if (is_method) return object;  // what is missing is the object
    if (path->member == "at") return element_of_array(span);
  }
  Error error{ErrorCode::unknown_name, fmt::format("there is no function {}", expr.name), expr.name_span, nearest_note(expr.name, {})};
  const bool reads = expr.values.empty() && member_path(expr.name);  // options.m(): what a program's object says
  if (reads || names_a_tensor(expr.name)) error.missing = expr.name;
  return error;
}

// stride_A_host.at(i), ptr_A[i], of a name without a value: the element is given or guessed as one, under its whole text.
Result<Value> Evaluator::element_of_array(SourceSpan span) {
  std::string name(text_of(span));
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  if (const Value* value = bound(name)) return copy_of(*value, name, span);
  Error error{ErrorCode::unknown_name, fmt::format("{} is not defined: an element of a program's array", name), span, {}};
  error.missing = std::move(name);
  return error;
}

namespace {

// partition_S, and not partition_shape_C
bool is_partition_function(std::string_view name) { return name.size() == 11 && name.starts_with("partition_"); }

}  // namespace

Result<Value> Evaluator::invoke(const Builtin& builtin, Arguments arguments, std::string_view called, SourceSpan span) {
  const std::optional<IntTuple> origin = gives_part_of_tensor(builtin.name) ? origin_of(arguments.values) : std::nullopt;
  const TensorArgument tensor = take_tensor(builtin.name, arguments.values);
  Call call(builtin.name, signature_of(builtin).parameters, span);
  call.warnings = warnings_;
  TESSERA_CHECK(place_arguments(builtin, arguments.names, arguments.values, arguments.spans, call));
  TESSERA_CHECK(at(span, check_time(builtin.name)));
  const std::size_t warnings_before = warnings_ ? warnings_->size() : 0;
  const bool cuts = gives_part_of_tensor(builtin.name) || builtin.name.find("fragment") != std::string_view::npos;
  const bool in_pointer = cuts && std::any_of(call.parameters.begin(), call.parameters.end(),
                                              [](const CallArgument& each) { return each.value && each.value->element.swizzled_pointer; });
  Result<Value> made = [&] {
    const SwizzleInPointer slices(in_pointer);
    return builtin.function(call);
  }();
  if (warnings_) bound_warnings(*warnings_, warnings_before);
  if (!made) return at(span, std::move(made));
  if (tensor.was_behind_offset && gives_part_of_tensor(builtin.name)) made = at(span, behind_offset(tensor.offset, std::move(*made)));
  if (!made) return made;
  if (origin) TESSERA_CHECK(at(span, complete_offset(*origin, *made)));
  TESSERA_CHECK(at(span, check_leaves(*made)));
  if (!made->element.is_known()) made->element = element_after(call, *made);
  if (builtin.help.starts_with("(thr, val) -> ") && std::holds_alternative<Layout>(made->any)) made->modes = kThreadAndValue;
  if (std::vector<Partitioned>* watched = PartitionWatch::list(); watched && is_partition_function(builtin.name))
    watched->push_back({builtin.name.back(), *call[0].value, *call[1].value, std::string(text_of(call[1].span)), {}});
  if (std::vector<Partitioned>* watched = PartitionWatch::list(); watched && builtin.name == "local_partition" && call[3].value == nullptr)
    watched->push_back({'L', *call[1].value, *call[0].value, std::string(text_of(call[0].span)), std::string(text_of(call[1].span))});
  remark_other_form(call, *made);
  remark_refused_by_dsl(call);
  static_cast<void>(called);
  return made;
}

Result<Value> evaluate_reading(std::string_view text, std::span<const std::size_t> divisions, const Scope& scope,
                               std::vector<Error>* warnings, DivisionTrace* trace) {
  TESSERA_TRY(expr, parse_expression(text, divisions));
  Result<Value> made = Evaluator(text, scope, warnings, trace).value(expr);
  if (!made) return made;
  TESSERA_CHECK(check_leaves(*made));
  if (std::holds_alternative<ComposeExpr>(expr.node)) {
    if (const auto* composed = std::get_if<ComposedLayout>(&made->any)) return to_value(simplify(*composed));
  }
  return made;
}

Result<Value> evaluate_expression(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_CHECK(check_time("reading the expression"));
  Dialect dialect = current_dialect();
  if (dialect == Dialect::ours) dialect = has_cpp_marks(text) ? Dialect::cpp : calls_dsl(text) ? Dialect::python : Dialect::ours;
  const DialectScope in(dialect);
  return evaluate_best_reading(text, scope, warnings);
}

}  // namespace tessera
