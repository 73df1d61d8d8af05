// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/value.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/copy/print_atoms.hpp"
#include "core/base/literal.hpp"
#include "core/base/overloaded.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

namespace {

// Atoms and tiled objects as expressions of the language: never refused.
template <class T>
std::string expression_of(const T& object) {
  return print(object, Spelling::tessera).value();
}

// Of a pointer whose elements nobody named, so that no width is claimed.
std::string untyped_text(const Pointer& pointer) {
  switch (pointer.element.space) {
    case MemorySpace::gmem: return "make_gmem_ptr()";
    case MemorySpace::smem: return "make_smem_ptr()";
    case MemorySpace::rmem: return "make_rmem_ptr()";
    case MemorySpace::tmem: return "make_tmem_ptr()";
    case MemorySpace::generic: return "make_ptr()";
    case MemorySpace::unknown: return "ptr[8b](unset)";
  }
  return {};
}

// gmem_ptr[16b](unset), with what is added to it.
std::string pointer_text(const Pointer& pointer) {
  const std::string_view name = pointer.element.space == MemorySpace::unknown ? "ptr" : pointer_name(pointer.element.space);
  const std::string text = pointer.element.bits > 0 ? fmt::format("{}[{}b](unset)", name, pointer.element.bits) : untyped_text(pointer);
  return pointer.offset == 0 ? text : fmt::format("{} + {}", text, pointer.offset);
}

std::string tensor_text(const Tensor& tensor, const Element& element) {
  const auto* plain = std::get_if<Layout>(&tensor.layout);
  const bool coordinates = plain && plain->has_basis() && tensor.offset.is_tuple();
  if (coordinates) {
    const std::vector<std::int64_t> parts = leaf_values(tensor.offset);
    const bool at_origin = std::all_of(parts.begin(), parts.end(), [](std::int64_t part) { return part == 0; });
    return at_origin ? to_string(*plain) : fmt::format("{} o {}", to_string(tensor.offset), to_string(*plain));
  }
  if (element.is_known() && tensor.offset.is_int())
    return fmt::format("make_tensor({}, {})", pointer_text({element, tensor.offset.value()}), to_string(tensor.layout));
  return fmt::format("({},{})", to_string(tensor.layout), to_string(tensor.offset));
}

// Tr{kM = 128, Element = half_t}
std::string object_text(const UserFunction& object) {
  std::string text = object.name + "{";
  for (const auto& [name, value] : object.captured)
    text += fmt::format("{}{} = {}", text.back() == '{' ? "" : ", ", name, to_string(value));
  return text + "}";
}

std::string list_text(const ValueList& list) {
  std::string text = "(";
  for (const Value& each : list) text += (&each == list.data() ? "" : ", ") + to_string(each);
  return text + ")";
}

std::string figure_text(const FigureCall& call) {
  std::string text = call.kind + "_figure(";
  std::string_view comma;
  for (const Value& argument : call.arguments) {
    text += fmt::format("{}{}", comma, to_string(argument));
    comma = ", ";
  }
  for (const auto& [name, argument] : call.named) {
    text += fmt::format("{}{}={}", comma, name, to_string(argument));
    comma = ", ";
  }
  return text + ")";
}

}  // namespace

std::string_view kind_name(const Value& value) {
  return std::visit(Overloaded{
                        [](const IntTuple& t) -> std::string_view { return t.is_int() ? "int" : "int_tuple"; },
                        [](const Layout&) -> std::string_view { return "layout"; },
                        [](const ComposedLayout&) -> std::string_view { return "composed_layout"; },
                        [](const Swizzle&) -> std::string_view { return "swizzle"; },
                        [](const Tiler&) -> std::string_view { return "tiler"; },
                        [](bool) -> std::string_view { return "bool"; },
                        [](double) -> std::string_view { return "number"; },
                        [](const std::string&) -> std::string_view { return "string"; },
                        [](const Tensor&) -> std::string_view { return "tensor"; },
                        [](const Pointer&) -> std::string_view { return "pointer"; },
                        [](const MmaAtom&) -> std::string_view { return "mma_atom"; },
                        [](const CopyTraits&) -> std::string_view { return "copy_atom"; },
                        [](const CopyAtom&) -> std::string_view { return "copy_atom"; },
                        [](const std::shared_ptr<const TiledMma>&) -> std::string_view { return "tiled_mma"; },
                        [](const std::shared_ptr<const TiledCopy>&) -> std::string_view { return "tiled_copy"; },
                        [](const ThrMma&) -> std::string_view { return "thr_mma"; },
                        [](const ThrCopy&) -> std::string_view { return "thr_copy"; },
                        [](const std::shared_ptr<const TmaValue>&) -> std::string_view { return "tma_copy"; },
                        [](const std::shared_ptr<const ValueList>&) -> std::string_view { return "list"; },
                        [](const std::shared_ptr<const UserFunction>& function) -> std::string_view {
                          return function->is_object ? "object" : "function";
                        },
                        [](const std::shared_ptr<const GemmSpec>&) -> std::string_view { return "gemm"; },
                        [](const std::shared_ptr<const FigureCall>&) -> std::string_view { return "figure"; },
                        [](const std::shared_ptr<const Report>&) -> std::string_view { return "report"; },
                    },
                    value.any);
}

std::string to_string(const Value& value) {
  return std::visit(Overloaded{
                        [](const IntTuple& t) { return tessera::to_string(t); },
                        [](const Layout& layout) { return tessera::to_string(layout); },
                        [](const ComposedLayout& layout) { return tessera::to_string(layout); },
                        [](const Swizzle& swizzle) { return tessera::to_string(swizzle); },
                        [](const Tiler& tiler) { return tessera::to_string(tiler); },
                        [](bool truth) { return std::string(truth ? "true" : "false"); },
                        [](double number) { return real_literal(number); },
                        [](const std::string& text) { return quoted_literal(text); },
                        [&](const Tensor& tensor) { return tensor_text(tensor, value.element); },
                        [](const Pointer& pointer) { return pointer_text(pointer); },
                        [](const MmaAtom& atom) { return atom.name; },
                        [](const CopyTraits& traits) {
                          return traits.name.starts_with("Copy_Traits<") ? traits.name : fmt::format("Copy_Traits<{}>", traits.name);
                        },
                        [](const CopyAtom& atom) { return expression_of(atom); },
                        [](const std::shared_ptr<const TiledMma>& mma) { return expression_of(*mma); },
                        [](const std::shared_ptr<const TiledCopy>& copy) { return expression_of(*copy); },
                        [](const ThrMma& part) { return fmt::format("get_slice({}, {})", expression_of(*part.mma), part.thread); },
                        [](const ThrCopy& part) { return fmt::format("get_slice({}, {})", expression_of(*part.copy), part.thread); },
                        [](const std::shared_ptr<const TmaValue>& tma) { return tma->expression; },
                        [](const std::shared_ptr<const ValueList>& list) { return list_text(*list); },
                        [](const std::shared_ptr<const UserFunction>& function) {
                          if (function->is_object) return object_text(*function);
                          if (function->body) return function->name;
                          return fmt::format("{}({}) = {}", function->name, fmt::join(function->parameters, ", "), function->expression);
                        },
                        [](const std::shared_ptr<const GemmSpec>& spec) { return tessera::to_string(*spec); },
                        [](const std::shared_ptr<const FigureCall>& call) { return figure_text(*call); },
                        [](const std::shared_ptr<const Report>& report) { return to_text(*report); },
                    },
                    value.any);
}

namespace {

// Any value that CuTe has, in one of its spellings.
struct Speller {
  const Value& value;
  Spelling spelling;

  Result<std::string> operator()(const IntTuple& tuple) const { return print(tuple, spelling); }
  Result<std::string> operator()(const Layout& layout) const { return print(layout, spelling); }
  Result<std::string> operator()(const ComposedLayout& layout) const {
    if (spelling == Spelling::cute_dsl && !inner_layout(layout))
      return Error{ErrorCode::not_representable,
                   fmt::format("the DSL has no composed layout with a swizzle on the right: {}", to_string(value)),
                   {},
                   {}};
    return print(AnyLayout(layout), spelling);
  }
  Result<std::string> operator()(const Swizzle& swizzle) const { return print(swizzle, spelling); }
  Result<std::string> operator()(const Tiler& tiler) const { return print(tiler, spelling); }
  Result<std::string> operator()(const Tensor& tensor) const {
    const bool cpp = spelling == Spelling::cute_cpp, dsl = spelling == Spelling::cute_dsl;
    return fmt::format("{}{}{}{}{}", cpp ? "tuple<" : "(", print(tensor.layout, spelling), dsl ? ", " : ",", print(tensor.offset, spelling),
                       cpp ? ">" : ")");
  }
  Result<std::string> operator()(const Pointer&) const { return to_string(value); }
  Result<std::string> operator()(const std::shared_ptr<const UserFunction>&) const { return not_of_cute(); }
  Result<std::string> operator()(const ThrMma& part) const { return print(*part.mma, spelling); }
  Result<std::string> operator()(const ThrCopy& part) const { return print(*part.copy, spelling); }
  // Of the descriptor CuTe prints addresses; what is left is the atom, or the tiled copy.
  Result<std::string> operator()(const std::shared_ptr<const TmaValue>& tma) const {
    if (spelling == Spelling::tessera) return tma->expression;
    return tma->copy.tiled ? print(*tma->copy.tiled, spelling) : print(tma->copy.atom, spelling);
  }
  Result<std::string> operator()(const std::shared_ptr<const ValueList>& list) const {
    std::string text = spelling == Spelling::cute_cpp ? "tuple<" : "(";
    for (const Value& each : *list) {
      TESSERA_TRY(part, print(each, spelling));
      text += (&each == list->data() ? "" : ",") + part;
    }
    return text + (spelling == Spelling::cute_cpp ? ">" : ")");
  }
  Result<std::string> operator()(const MmaAtom& atom) const { return print(atom, spelling); }
  Result<std::string> operator()(const CopyTraits&) const {
    if (spelling == Spelling::cute_cpp) return to_string(value);
    return as_copy_atom(value).error();  // which asks for the element type
  }
  Result<std::string> operator()(const CopyAtom& atom) const { return print(atom, spelling); }
  Result<std::string> operator()(const std::shared_ptr<const TiledMma>& mma) const { return print(*mma, spelling); }
  Result<std::string> operator()(const std::shared_ptr<const TiledCopy>& copy) const { return print(*copy, spelling); }
  Result<std::string> operator()(const std::shared_ptr<const GemmSpec>&) const { return not_of_cute(); }
  Result<std::string> operator()(const std::shared_ptr<const FigureCall>&) const { return not_of_cute(); }
  Result<std::string> operator()(const std::shared_ptr<const Report>&) const { return not_of_cute(); }
  Result<std::string> operator()(bool) const { return not_of_cute(); }
  Result<std::string> operator()(double) const { return not_of_cute(); }
  Result<std::string> operator()(const std::string&) const { return not_of_cute(); }

  Error not_of_cute() const { return {ErrorCode::wrong_type, fmt::format("{} is nothing that CuTe prints", described(value)), {}, {}}; }
};

}  // namespace

Result<std::string> print(const Value& value, Spelling spelling) { return std::visit(Speller{value, spelling}, value.any); }

}  // namespace tessera
