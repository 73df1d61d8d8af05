// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: A o offset o B, and what a printed pointer in front of a layout means.
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/builtins/call.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

// A o offset o B o offset o C as it is written; where no offset stands between two parts, they are composed.
Result<Value> composed_from_right(std::span<const Value> parts) {
  const auto is_offset = [&](std::size_t i) { return std::holds_alternative<IntTuple>(parts[i].any); };
  bool chain = parts.size() % 2 == 1;
  for (std::size_t i = 1; i < parts.size(); i += 2) chain = chain && is_offset(i);
  if (chain) return compose_chain(parts);
  Value right = parts.back();
  for (std::size_t i = parts.size() - 1; i > 0;) {
    const bool behind_offset = i >= 2 && is_offset(i - 1) && !is_offset(i - 2);
    Result<Value> made =
        behind_offset ? make_composed(parts[i - 2], std::get<IntTuple>(parts[i - 1].any), right) : composition_of(parts[i - 1], right);
    if (!made) return made;
    right = std::move(*made);
    i -= behind_offset ? 2 : 1;
  }
  return right;
}

// The layouts of a tuple side by side, where it has more modes than what it is composed with.
Result<Value> as_one_layout(const Value& a, const Value& b) {
  const auto* tiler = std::get_if<Tiler>(&b.any);
  const auto* modes = tiler ? std::get_if<std::vector<Tiler>>(&tiler->value) : nullptr;
  const auto whole = modes ? as_any_layout(a) : Result<AnyLayout>(Error{});
  if (!whole || modes->size() <= rank(shape(*whole))) return Error{};
  std::vector<Layout> layouts;
  for (const Tiler& mode : *modes) {
    const auto* layout = std::get_if<Layout>(&mode.value);
    if (!layout) return Error{};
    layouts.push_back(*layout);
  }
  return result_value(checked_make_layout(std::move(layouts)));
}

}  // namespace

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
  std::vector<Value> parts;
  parts.reserve(compose.parts.size());
  for (const Expr& each : compose.parts) {
    Result<Value> part = value(each);
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  if (parts.size() > 2) return at(span, composed_from_right(parts));
  // The DSL prints one as (0,0) o shape:stride.
  const auto* offset = std::get_if<IntTuple>(&parts[0].any);
  const auto* behind = std::get_if<Layout>(&parts[1].any);
  const bool integers = offset && offset->is_tuple() && !has_basis(*offset) && !has_underscore(*offset);
  if (integers && behind && behind->has_basis()) return at(span, coordinates_behind(*offset, *behind));
  // 20:2 o (5:4,4:1): where there are no two modes to take by mode, the tuple is the one layout that its modes make.
  if (Result<Value> whole = as_one_layout(parts[0], parts[1])) parts[1] = std::move(*whole);
  Result<Value> made = lawful(warnings_, span, "composition", [&](Law law) { return at(span, composition_of(parts[0], parts[1], law)); });
  if (made) remark_composition(Remarks(warnings_, span, "o"), parts[0], parts[1]);
  if (made) remark_other_reading(Remarks(warnings_, span, "o"), parts[0], parts[1], *made);
  if (made) made->element = parts[0].element;
  return made;
}

// Sw<3,4,3> o smem_ptr[16b](unset) o L: the swizzle acts on byte addresses, L counts elements. In units of elements the swizzle's
// base is smaller by log2(bytes of an element). A pointer in front, as in a tensor, changes nothing.
Result<Value> Evaluator::pointer_compose(const ComposeExpr& compose, std::size_t pointer, SourceSpan span) {
  std::int64_t bits = 0;
  MemorySpace space = MemorySpace::smem;
  if (const auto* printed = std::get_if<PointerExpr>(&compose.parts[pointer].node)) {
    bits = printed->bits;
    space = space_of_pointer(printed->name);
  } else {
    const auto& type = std::get<TemplateExpr>(compose.parts[pointer].node);
    if (type.arguments.size() != 1)
      return Error{ErrorCode::parse, "smem_ptr_flag_bits<bits> names one width", compose.parts[pointer].span, {}};
    TESSERA_TRY(width, int_tuple(type.arguments[0], "a width in bits"));
    bits = width.is_int() ? width.value() : 0;
  }
  const auto with_bits = [&](Result<Value> made) {
    if (made) made->element = {bits, std::nullopt, space};
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

}  // namespace tessera
