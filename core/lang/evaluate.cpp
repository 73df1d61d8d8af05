// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/evaluate.hpp"
#include "core/base/overloaded.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins.hpp"
#include "core/lang/evaluator.hpp"
#include "core/lang/operations.hpp"
#include "core/lang/parser.hpp"
#include "core/lang/paste.hpp"
#include "core/lang/prints.hpp"
#include "core/lang/tensors.hpp"
#include "core/lang/weight.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::string_view kFigureSuffix = "_figure";

// Adds the place to a refusal that has none.
template <class T>
Result<T> at(SourceSpan span, Result<T> made) {
  if (!made) return std::move(std::move(made).error()).at(span);
  return made;
}

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
Status place_arguments(const Builtin& builtin, const CallExpr& expr, const std::vector<Value>& values, Call& call) {
  const Signature& signature = signature_of(builtin);
  std::size_t position = 0;
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) {
    const Argument& argument = expr.arguments[i];
    const CallArgument given{&values[i], expr.values[i].span};
    if (argument.name.empty() && position < signature.parameters.size()) {
      call.parameters[position++] = given;
    } else if (argument.name.empty()) {
      if (signature.rest.empty()) {
        return Error{ErrorCode::wrong_arity,
                     fmt::format("{} {}, but {} are given", builtin.name, arity_text(signature), expr.arguments.size()),
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
        error.notes = nearest_of(argument.name, std::vector<std::string>(signature.parameters.begin(), signature.parameters.end()));
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
  return std::visit(Overloaded{
                        [&](const LeafExpr& leaf) -> Result<Value> { return Value{leaf.value}; },
                        [&](const RealExpr& real) -> Result<Value> { return Value{real.value}; },
                        [&](const TextExpr& text) -> Result<Value> { return Value{text.value}; },
                        [&](const NameExpr& n) { return name(n.name, expr.span); },
                        [&](const TupleExpr& t) { return at(expr.span, tuple(t)); },
                        [&](const PairExpr& p) { return pair(p, expr.span); },
                        [&](const ArithmeticExpr& a) { return arithmetic(a); },
                        [&](const ComposeExpr& c) { return compose(c, expr.span); },
                        [&](const PointerExpr& p) -> Result<Value> {
                          return Error{ErrorCode::wrong_type,
                                       fmt::format("{} stands before a layout, as in {}[16b](unset) o (8,8):(1,8)", p.name, p.name),
                                       expr.span,
                                       {}};
                        },
                        [&](const CallExpr& c) { return call(c, expr.span); },
                        [&](const TemplateExpr& t) { return at(expr.span, type(t, expr.span)); },
                    },
                    expr.node);
}

Result<Value> Evaluator::name(std::string_view name, SourceSpan span) {
  if (scope_) {
    if (const Value* bound = scope_(name)) {
      TESSERA_CHECK(at(span, spend_bytes(bytes_of_copy(*bound), [&] { return fmt::format("a copy of {}", name); })));
      return *bound;
    }
  }
  if (name == "true" || name == "True") return Value{true};
  if (name == "false" || name == "False") return Value{false};
  if (name == "LayoutLeft" || name == "LayoutRight" || name == "GenRowMajor" || name == "GenColMajor") {
    return Value{std::string(name == "GenRowMajor" ? "LayoutRight" : name == "GenColMajor" ? "LayoutLeft" : name)};
  }
  if (name == "Underscore" || name == "None" || name == "X") return Value{IntTuple::underscore()};
  if (const auto word = dsl_constant(name)) return Value{std::string(*word)};
  if (const auto type = value_type(name)) return Value{std::string(cute_name(*type))};
  if (find_builtin(name)) {
    return Error{ErrorCode::unknown_name, fmt::format("{} is a function: write {}", name, find_builtin(name)->signature), span, {}};
  }
  if (looks_like_atom(name)) return at(span, find_atom(name));
  return Error{ErrorCode::unknown_name, fmt::format("the name {} is not defined", name), span, nearest_note(name, {})};
}

Result<Value> Evaluator::tuple(const TupleExpr& tuple) {
  HeldBytes held;
  TESSERA_CHECK(hold_values(held, tuple.elements.size(), "a tuple"));
  std::vector<Value> elements;
  elements.reserve(tuple.elements.size());
  for (const Expr& each : tuple.elements) {
    Result<Value> element = value(each);
    if (!element) return element;
    const bool fits = std::holds_alternative<IntTuple>(element->any) || std::holds_alternative<Layout>(element->any) ||
                      std::holds_alternative<ComposedLayout>(element->any) || std::holds_alternative<Tiler>(element->any);
    if (!fits) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("a tuple holds integers, layouts, _ and tuples of these, but this is {}", described(*element)),
                   each.span,
                   {}};
    }
    elements.push_back(std::move(*element));
  }
  return make_tuple(std::move(elements));
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

Result<Value> Evaluator::compose(const ComposeExpr& compose, SourceSpan span) {
  for (std::size_t i = 0; i < compose.parts.size(); ++i) {
    const auto* type = std::get_if<TemplateExpr>(&compose.parts[i].node);
    if (std::holds_alternative<PointerExpr>(compose.parts[i].node) || (type && type->name == "smem_ptr_flag_bits")) {
      return pointer_compose(compose, i, span);
    }
  }
  // CuTe prints a coordinate tensor as ArithTuple(_0,_0) o shape:stride.
  if (const auto* origin = std::get_if<CallExpr>(&compose.parts[0].node);
      origin && origin->name == "ArithTuple" && compose.parts.size() == 2) {
    TESSERA_TRY(offset, int_tuple(compose.parts[0], "an offset"));
    TESSERA_TRY(inner, value(compose.parts[1]));
    TESSERA_TRY(layout, at(compose.parts[1].span, as_layout(inner)));
    return at(span, coordinates_behind(offset, std::move(layout)));
  }
  if (compose.parts.size() > 3) {
    return Error{
        ErrorCode::parse, "at most three parts are composed: A o offset o B", compose.parts[3].span, {"give parts a name with let"}};
  }
  std::vector<Value> parts;
  parts.reserve(compose.parts.size());
  for (const Expr& each : compose.parts) {
    Result<Value> part = value(each);
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  if (parts.size() == 3) {
    const auto* offset = std::get_if<IntTuple>(&parts[1].any);
    if (!offset) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("between two 'o' stands an offset, but this is {}", described(parts[1])),
                   compose.parts[1].span,
                   {}};
    }
    return at(span, make_composed(parts[0], *offset, parts[2]));
  }
  // The DSL prints one as (0,0) o shape:stride.
  const auto* offset = std::get_if<IntTuple>(&parts[0].any);
  const auto* behind = std::get_if<Layout>(&parts[1].any);
  const bool integers = offset && offset->is_tuple() && !has_basis(*offset) && !has_underscore(*offset);
  if (integers && behind && behind->has_basis()) return at(span, coordinates_behind(*offset, *behind));
  Result<Value> made = lawful(warnings_, span, "composition", [&](Law law) { return at(span, composition_of(parts[0], parts[1], law)); });
  if (made) remark_composition(Remarks(warnings_, span, "o"), parts[0], parts[1]);
  if (made) remark_other_reading(Remarks(warnings_, span, "o"), parts[0], parts[1], *made);
  if (made) made->element_bits = parts[0].element_bits;
  return made;
}

// Sw<3,4,3> o smem_ptr[16b](unset) o L: the swizzle acts on byte addresses, L counts elements. In units of elements the swizzle's
// base is smaller by log2(bytes of an element). A pointer in front, as in a tensor, changes nothing.
Result<Value> Evaluator::pointer_compose(const ComposeExpr& compose, std::size_t pointer, SourceSpan span) {
  std::int64_t bits = 0;
  if (const auto* printed = std::get_if<PointerExpr>(&compose.parts[pointer].node)) {
    bits = printed->bits;
  } else {
    const auto& type = std::get<TemplateExpr>(compose.parts[pointer].node);
    if (type.arguments.size() != 1)
      return Error{ErrorCode::parse, "smem_ptr_flag_bits<bits> names one width", compose.parts[pointer].span, {}};
    TESSERA_TRY(width, int_tuple(type.arguments[0], "a width in bits"));
    bits = width.is_int() ? width.value() : 0;
  }
  const auto with_bits = [bits](Result<Value> made) {
    if (made) made->element_bits = bits;
    return made;
  };
  if (pointer == 0) {
    if (compose.parts.size() == 2) return with_bits(value(compose.parts[1]));
    ComposeExpr tail;
    tail.parts.assign(compose.parts.begin() + 1, compose.parts.end());
    return with_bits(this->compose(tail, span));
  }
  if (pointer != 1 || compose.parts.size() != 3) {
    return Error{ErrorCode::parse,
                 "a pointer stands in front of the layout: Sw<3,4,3> o smem_ptr[16b](unset) o layout",
                 compose.parts[pointer].span,
                 {}};
  }
  Result<Value> outer = value(compose.parts[0]);
  if (!outer) return outer;
  Result<Value> inner = value(compose.parts[2]);
  if (!inner) return inner;
  TESSERA_TRY(layout, at(compose.parts[2].span, as_layout(*inner)));
  TESSERA_TRY(swizzle, at(compose.parts[0].span, as_swizzle(*outer)));
  return with_bits(at(span, byte_swizzled(swizzle, bits, std::move(layout))));
}

Result<Value> Evaluator::figure(const CallExpr& call) {
  FigureCall made;
  made.kind = call.name.substr(0, call.name.size() - kFigureSuffix.size());
  for (const Argument& argument : call.arguments) {
    const Expr& expr = call.values[argument.value];
    Result<Value> given = value(expr);
    // color=thread: words of a figure's parameters need no quotes.
    const auto* word = std::get_if<NameExpr>(&expr.node);
    if (!given && word && !argument.name.empty() && given.error().code == ErrorCode::unknown_name) given = Value{std::string(word->name)};
    if (!given) return given;
    if (argument.name.empty()) {
      made.arguments.push_back(std::move(*given));
    } else {
      made.named.emplace_back(std::string(argument.name), std::move(*given));
    }
  }
  Value value{std::make_shared<const FigureCall>(std::move(made))};
  TESSERA_CHECK(check_leaves(value));
  return value;
}

// data(2,3): a layout at a coordinate, or with `_` its slice.
Result<Value> Evaluator::apply(const Value& callee, const CallExpr& call, SourceSpan span) {
  std::vector<IntTuple> coord;
  for (const Expr& each : call.values) {
    TESSERA_TRY(part, int_tuple(each, "a coordinate"));
    coord.push_back(std::move(part));
  }
  if (coord.empty()) return Error{ErrorCode::wrong_arity, fmt::format("{}(...) wants a coordinate", call.name), span, {}};
  const Coord whole = coord.size() == 1 ? std::move(coord[0]) : IntTuple::tuple(std::move(coord));
  if (const auto* both = std::get_if<LayoutAndOffset>(&callee.any))
    return at(span, layout_at(Remarks(warnings_, span, call.name), *both, whole));
  TESSERA_TRY(layout, at(call.name_span, as_any_layout(callee)));
  Result<Value> made = at(span, layout_at(Remarks(warnings_, span, call.name), layout, whole));
  if (made && std::holds_alternative<LayoutAndOffset>(made->any)) made->element_bits = callee.element_bits;
  return made;
}

Result<Value> Evaluator::call(const CallExpr& expr, SourceSpan span) {
  if (scope_) {
    if (const Value* bound = scope_(expr.name)) return apply(*bound, expr, span);
  }
  const Builtin* builtin = find_builtin(function_name(text_of({span.begin, expr.name_span.end}), expr.name));
  if (!builtin) {
    if (expr.name.size() > kFigureSuffix.size() && expr.name.ends_with(kFigureSuffix)) return figure(expr);
    if (expr.values.empty() && looks_like_atom(expr.name)) return at(span, find_atom(expr.name));
    return Error{ErrorCode::unknown_name, fmt::format("there is no function {}", expr.name), expr.name_span, nearest_note(expr.name, {})};
  }
  HeldBytes held;
  TESSERA_CHECK(at(span, hold_values(held, expr.values.size(), expr.name)));
  std::vector<Value> values;
  values.reserve(expr.values.size());
  std::int64_t leaves = 0;
  for (std::size_t i = 0; i < expr.values.size(); ++i) {
    const Expr& each = expr.values[i];
    Result<Value> given = value(each);
    const auto* word = std::get_if<NameExpr>(&each.node);
    if (!given && word && builtin->knows_word && builtin->knows_word(expr.arguments[i].name, word->name))
      given = Value{std::string(word->name)};
    if (!given) return given;
    leaves += leaf_count(*given, kMostArgumentLeaves);
    if (leaves > kMostArgumentLeaves) return at(each.span, Result<Value>(too_many_leaves(expr.name)));
    values.push_back(std::move(*given));
  }
  Call call(builtin->name, signature_of(*builtin).parameters, span);
  call.warnings = warnings_;
  TESSERA_CHECK(place_arguments(*builtin, expr, values, call));
  TESSERA_CHECK(at(span, check_time(builtin->name)));
  const std::size_t warnings_before = warnings_ ? warnings_->size() : 0;
  Result<Value> made = builtin->function(call);
  if (warnings_) bound_warnings(*warnings_, warnings_before);
  if (made) TESSERA_CHECK(at(span, check_leaves(*made)));
  if (made) made->element_bits = element_bits_of(call, *made);
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

namespace {

Result<Value> evaluate_within_budget(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  TESSERA_CHECK(check_time("reading the expression"));
  const std::size_t warned = warnings ? warnings->size() : 0;
  Result<Value> made = is_print(text) ? Error{ErrorCode::parse, "this is no print", {}, {}} : evaluate_best_reading(text, scope, warnings);
  if (made || made.error().code == ErrorCode::limit) return made;
  // What is no expression may be what a program printed.
  if (warnings) warnings->resize(warned);
  if (auto printed = evaluate_print(text, scope, warnings)) return *std::move(printed);
  return made;
}

}  // namespace

Result<Value> evaluate(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  const DefaultBudget budget;
  Result<Value> made = evaluate_within_budget(text, scope, warnings);
  if (!made) shorten(made.error());
  return made;
}

}  // namespace tessera
