// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: what a value is called with, indexed by, or asked for: layout(2,3), mma.get_slice(5).partition_A(x), x.shape[1].
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/call.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/eval/call_function.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {
namespace {

Result<Coord> coordinate(const std::vector<Value>& values, const std::vector<SourceSpan>& spans) {
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* part = std::get_if<IntTuple>(&values[i].any);
    if (!part)
      return Error{ErrorCode::wrong_type,
                   fmt::format("a coordinate is an integer or a tuple of integers, but this is {}", described(values[i])),
                   spans[i],
                   {}};
    modes.push_back(*part);
  }
  if (modes.size() == 1) return std::move(modes[0]);
  return IntTuple::tuple(std::move(modes));
}

bool is_layout(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any) ||
         std::holds_alternative<Tensor>(value.any);
}

// (x) in front of a bracket is x: parentheses group there.
const Expr& ungrouped(const Expr& expr) {
  const auto* tuple = std::get_if<TupleExpr>(&expr.node);
  const bool groups = tuple && tuple->elements.size() == 1 && !std::holds_alternative<SplatExpr>(tuple->elements[0].node);
  return groups ? tuple->elements[0] : expr;
}

// A thread or a coordinate is known at run time unless it is written as a static integer: 0 and threadIdx.x are not, _0{} and Int<0>{} are.
// In Python 0 is static, too.
void mark_known_at_run_time(Value& value, std::string_view written) {
  auto* number = std::get_if<IntTuple>(&value.any);
  if (!number || !number->is_int() || current_dialect() == Dialect::ours) return;
  const bool is_cpp = current_dialect() == Dialect::cpp;
  const bool literal = is_cpp && !written.empty() && is_digit(written.front());
  if (literal || names_place(written) || (is_cpp && value.number)) *number = as_dynamic(*number);
}

// Methods whose function is called otherwise, and functions that want the thread last.
std::string_view function_of_method(std::string_view method) {
  if (method == "compose") return "composition";
  if (method == "get_thread_slice" || method == "get_thr_slice") return "get_slice";
  if (method == "get_hier_coord" || method == "get_flat_coord" || method == "get_1d_coord") return method;
  return function_name(method, method);
}

std::int64_t index_within(std::int64_t index, std::size_t count) {
  return index < 0 ? index + static_cast<std::int64_t>(count) : index;  // Python counts from the end
}

}  // namespace

Result<Value> Evaluator::apply(const ApplyExpr& apply, SourceSpan span) {
  const Expr& callee = ungrouped(apply.callee[0]);
  if (apply.constructs || std::holds_alternative<TemplateExpr>(callee.node)) {
    const bool has_value = !apply.constructs && std::holds_alternative<TemplateExpr>(callee.node);
    if (has_value) {  // Layout<...>{}(2,3) calls, Shape<int,int>(M,N) makes
      TESSERA_TRY(arguments, evaluated(apply.arguments, apply.values, nullptr, "the call"));
      Result<Value> object = value(callee);
      if (object && (is_layout(*object) || std::holds_alternative<Swizzle>(object->any)))
        return apply_value(*object, std::move(arguments), text_of(callee.span), span);
      return construct(callee, std::move(arguments), span);
    }
    TESSERA_TRY(arguments, evaluated(apply.arguments, apply.values, nullptr, "the braces"));
    return construct(callee, std::move(arguments), span);
  }
  if (const auto* method_of = std::get_if<MemberExpr>(&callee.node)) {
    TESSERA_TRY(object, value(ungrouped(method_of->object[0])));
    TESSERA_TRY(arguments, evaluated(apply.arguments, apply.values, nullptr, method_of->name));
    return method(std::move(object), method_of->name, method_of->name_span, std::move(arguments), span);
  }
  TESSERA_TRY(object, value(callee));
  if (apply.values.empty() && (std::holds_alternative<LeafExpr>(callee.node) || std::holds_alternative<PairExpr>(callee.node)))
    return Error{ErrorCode::wrong_arity, fmt::format("{}(...) wants a coordinate", text_of(callee.span)), span, {}};
  TESSERA_TRY(arguments, evaluated(apply.arguments, apply.values, nullptr, "the call"));
  return apply_value(object, std::move(arguments), text_of(callee.span), span);
}

Result<Value> Evaluator::apply_value(const Value& callee, Arguments arguments, std::string_view called, SourceSpan span) {
  constexpr std::size_t kLongestName = 40;
  called = called.substr(0, kLongestName);
  if (const auto* function = std::get_if<std::shared_ptr<const UserFunction>>(&callee.any)) {
    if ((*function)->body) return at(span, call_body(**function, {}, std::move(arguments)));
    std::vector<std::string_view> names;
    for (const Argument& argument : arguments.names) names.push_back(argument.name);
    TESSERA_TRY(values, at(span, placed_arguments(**function, names, std::move(arguments.values))));
    return at(span, call_function(**function, values, warnings_));
  }
  if (const auto* swizzle = std::get_if<Swizzle>(&callee.any); swizzle && arguments.values.size() == 1) {
    TESSERA_TRY(index, at(arguments.spans[0], as_integer(arguments.values[0])));
    return Value{IntTuple((*swizzle)(index))};
  }
  if (const auto* type = std::get_if<std::string>(&callee.any); type && value_type(*type) && arguments.values.size() == 1) {
    Value number = std::move(arguments.values[0]);  // T(1.0f), of using T = half_t
    if (const auto of_number = number_type(*type)) number = converted(std::move(number), *of_number);
    if (auto* whole = std::get_if<IntTuple>(&number.any)) *whole = as_dynamic(*whole);
    return number;
  }
  const auto* tuple = std::get_if<IntTuple>(&callee.any);
  if (!is_layout(callee) && !(tuple && arguments.values.empty())) {
    if (arguments.values.empty()) return callee;  // Type() makes a value of a type
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} is called, but it is {}", called, described(callee)),
                 span,
                 {"a layout, a tensor or a swizzle is called with a coordinate"}};
  }
  if (arguments.values.empty()) {
    if (tuple) return callee;
    return Error{ErrorCode::wrong_arity, fmt::format("{}(...) wants a coordinate", called), span, {}};
  }
  for (std::size_t i = 0; i < arguments.values.size(); ++i) mark_known_at_run_time(arguments.values[i], text_of(arguments.spans[i]));
  TESSERA_TRY(coord, coordinate(arguments.values, arguments.spans));
  return at(span, tensor_at(Remarks(warnings_, span, called), callee, coord));
}

// What a program defines: a function, or a method of one of its objects.
Result<Value> Evaluator::call_body(const UserFunction& function, std::string_view method, Arguments arguments) {
  CallArguments given{{}, std::move(arguments.values), arguments.templates};
  for (const Argument& each : arguments.names) given.names.push_back(each.name);
  return function.body(method, std::move(given));
}

// Shape<int,int>{M, N}, Coord{0, 1}, Layout{shape, stride}, Layout<S,D>{s, d}: the values in place of what the type left open.
Result<Value> Evaluator::construct(const Expr& type, Arguments arguments, SourceSpan span) {
  const auto* named = std::get_if<NameExpr>(&type.node);
  const auto* made = std::get_if<TemplateExpr>(&type.node);
  const std::string_view name = named ? named->name : made ? made->name : std::string_view();
  const auto is = [&](std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (is({"Shape", "Stride", "Coord", "Step", "Tile", "tuple", "IntTuple"}) || name.starts_with("array"))
    return at(span, make_tuple(std::move(arguments.values)));
  if (name == "Layout") return invoke(*find_builtin("make_layout"), std::move(arguments), name, span);
  if (name == "Tensor") return invoke(*find_builtin("make_tensor"), std::move(arguments), name, span);
  if (arguments.values.empty()) return value(type);
  if (named && !bound(name)) return at(type.span, this->name(name, type.span));  // which says that it is not known
  // A type that a name stands for, made with values: TileShape{M, N}.
  TESSERA_TRY(object, value(type));
  if (std::holds_alternative<IntTuple>(object.any)) {
    if (arguments.values.size() == 1) return std::move(arguments.values[0]);
    return at(span, make_tuple(std::move(arguments.values)));
  }
  if (is_layout(object)) return apply_value(object, std::move(arguments), name, span);
  return object;
}

Result<Value> Evaluator::method(Value object, std::string_view name, SourceSpan name_span, Arguments arguments, SourceSpan span) {
  // a.b.c(x) behind a bracket: what stands in front of the last name are members.
  if (const auto path = member_path(name)) {
    TESSERA_TRY(inner, at(name_span, member_of(object, path->base)));
    return method(std::move(inner), path->member, name_span, std::move(arguments), span);
  }
  if (const auto* program = std::get_if<std::shared_ptr<const UserFunction>>(&object.any);
      program && (*program)->is_object && (*program)->body) {
    const std::shared_ptr<const UserFunction> held = *program;
    return at(span, call_body(*held, name, std::move(arguments)));
  }
  const auto* word = std::get_if<std::string>(&object.any);
  const bool is_layout_enum = word && (*word == "ROW_MAJOR" || *word == "COL_MAJOR");
  if (const Builtin* of_enum = is_layout_enum ? find_builtin(fmt::format("LayoutEnum.{}", name)) : nullptr) {
    Arguments own{{Argument{}}, {std::move(object)}, {name_span}, 0};
    return invoke(*of_enum, std::move(own), name, span);
  }
  const bool asks = arguments.values.empty() && is_member(name);
  if (asks) {
    Result<Value> made = member_of(object, name);
    if (made || !find_builtin(function_of_method(name))) return at(name_span, std::move(made));
  }
  const Builtin* builtin = find_builtin(function_of_method(name));
  if (builtin && builtin->name == "get_slice" && !arguments.values.empty())
    mark_known_at_run_time(arguments.values[0], text_of(arguments.spans[0]));
  const auto* storage = std::get_if<Pointer>(&object.any);
  if (storage && arguments.values.empty() && (name == "data" || name == "get" || name == "begin"))
    return object;                                                   // of a vector: d_A.data().get()
  if (storage && name == "allocate" && !arguments.values.empty()) {  // the struct whose members say what lies there
    const auto* of = std::get_if<std::shared_ptr<const UserFunction>>(&arguments.values[0].any);
    if (of && (*of)->is_object) return std::move(arguments.values[0]);
  }
  if (storage && storage->element.space == MemorySpace::smem && storage->element.bits == 0 && (!builtin || arguments.values.empty()))
    return object;  // smem.A.begin(), smem.allocate(SharedStorage)
  if (!builtin) {
    // mma.tile_mnk()(2): a member that is then called.
    if (is_member(name)) {
      TESSERA_TRY(part, at(name_span, member_of(object, name)));
      return apply_value(part, std::move(arguments), name, span);
    }
    return Error{ErrorCode::unknown_name, fmt::format("{} has no method {}", described(object), name), name_span, nearest_note(name, {})};
  }
  // A thread's part of a tiled object: the function of the object, with the thread behind the tensor.
  std::optional<std::int64_t> thread;
  bool known_at_run_time = false;
  const Signature& signature = signature_of(*builtin);
  if (const auto* part = std::get_if<ThrMma>(&object.any)) {
    thread = part->thread;
    known_at_run_time = part->known_at_run_time;
    object = Value{std::shared_ptr(part->mma)};
  } else if (const auto* part_of_copy = std::get_if<ThrCopy>(&object.any)) {
    thread = part_of_copy->thread;
    known_at_run_time = part_of_copy->known_at_run_time;
    object = Value{std::shared_ptr(part_of_copy->copy)};
  }
  const auto insert = [&](std::size_t place, Value value) {
    const auto i = static_cast<std::ptrdiff_t>(place);
    arguments.names.insert(arguments.names.begin() + i, Argument{});
    arguments.values.insert(arguments.values.begin() + i, std::move(value));
    arguments.spans.insert(arguments.spans.begin() + i, name_span);
  };
  insert(0, std::move(object));
  const bool wants_thread = signature.parameters.size() > arguments.values.size() - 1 && arguments.values.size() == 2 &&
                            signature.parameters.size() == 3 && signature.parameters[2] == "thread";
  if (thread && wants_thread) insert(2, Value{IntTuple::marked(*thread, known_at_run_time ? marks::kDynamic : marks::kStatic)});
  return invoke(*builtin, std::move(arguments), name, span);
}

Result<Value> Evaluator::range_of(const Value& object, const RangeExpr& range, SourceSpan span) {
  TESSERA_TRY(elements, at(span, elements_of(object)));
  const auto bound_of = [&](const std::vector<Expr>& expr, std::int64_t otherwise) -> Result<std::int64_t> {
    if (expr.empty()) return otherwise;
    TESSERA_TRY(made, value(expr[0]));
    TESSERA_TRY(number, at(expr[0].span, as_integer(made)));
    return std::clamp<std::int64_t>(index_within(number, elements.size()), 0, static_cast<std::int64_t>(elements.size()));
  };
  TESSERA_TRY(from, bound_of(range.from, 0));
  TESSERA_TRY(to, bound_of(range.to, static_cast<std::int64_t>(elements.size())));
  return at(span, make_tuple(std::vector<Value>(elements.begin() + from, elements.begin() + std::max(from, to))));
}

// cute.struct.MemRange[Float16, 1024]: elements side by side in shared memory; cute.struct.Align[type, 128] is the type.
Result<Value> Evaluator::storage(const IndexExpr& index, std::string_view name) {
  if (name.ends_with("Align")) return value(index.at[0]);
  TESSERA_TRY(type, value(index.at[0]));
  TESSERA_TRY(element, at(index.at[0].span, as_value_type(type)));
  TESSERA_TRY(count, value(index.at[1]));
  TESSERA_TRY(shape, at(index.at[1].span, as_int_tuple(count)));
  TESSERA_TRY(layout, at(index.at[1].span, Layout::make_compact(shape)));
  Value made{std::move(layout)};
  made.element = element_of(element, MemorySpace::smem);
  return made;
}

Result<Value> Evaluator::index(const IndexExpr& index, SourceSpan span) {
  const auto* type = std::get_if<NameExpr>(&index.object[0].node);
  const bool in_struct = type && (type->name.ends_with("struct.MemRange") || type->name.ends_with("struct.Align"));
  if (in_struct && index.at.size() == 2) return storage(index, type->name);
  Result<Value> indexed = value(ungrouped(index.object[0]));
  // x[i] of what nothing is known of is an element that a program knows; x[0] may be a mode of a tuple.
  const bool by_number = std::holds_alternative<LeafExpr>(index.at[0].node) || std::holds_alternative<UnaryExpr>(index.at[0].node);
  const bool unknown = type && !indexed && indexed.error().missing == type->name;
  if (unknown && index.at.size() == 1 && !by_number && !std::holds_alternative<RangeExpr>(index.at[0].node) && !names_a_tensor(type->name))
    return element_of_array(span);
  TESSERA_TRY(object, std::move(indexed));
  if (const auto* range = std::get_if<RangeExpr>(&index.at[0].node); range && index.at.size() == 1) return range_of(object, *range, span);
  const std::vector<Argument> unnamed(index.at.size());
  TESSERA_TRY(arguments, evaluated(unnamed, index.at, nullptr, "the index"));
  if (const auto* held = std::get_if<std::shared_ptr<const UserFunction>>(&object.any); held && (*held)->is_object && (*held)->body) {
    Value key = arguments.values[0];
    if (arguments.values.size() > 1) {
      TESSERA_TRY(keys, make_tuple(std::move(arguments.values)));
      key = std::move(keys);
    }
    return at(span, (*held)->body("__getitem__", {{}, {std::move(key)}}));
  }
  TESSERA_TRY(coord, coordinate(arguments.values, arguments.spans));
  if (coord.is_int() && !object.element.is_known() && !std::holds_alternative<Tensor>(object.any)) {
    // Of a tuple, a list or a layout: its mode. Python counts from the end where it is negative.
    std::size_t count = 0;
    if (const auto elements = elements_of(object)) count = elements->size();
    std::int64_t mode = coord.value();
    mode = index_within(mode, count);
    return at(span, mode_of(object, std::span(&mode, 1)));
  }
  return at(span, tensor_at(Remarks(warnings_, span, text_of(index.object[0].span)), object, coord));
}

}  // namespace tessera
