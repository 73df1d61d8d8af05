// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/operations.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/builtins/tensors.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/index_marks.hpp"

namespace tessera {
namespace {

// log2 of a power of two, else -1.
int exact_log2(std::int64_t n) {
  for (int i = 0; i < 63; ++i) {
    if (std::int64_t{1} << i == n) return i;
  }
  return -1;
}

}  // namespace

Result<Value> byte_swizzled(const Swizzle& swizzle, std::int64_t bits, Layout layout) {
  const int log_bits = exact_log2(bits);
  if (log_bits < 0)
    return Error{ErrorCode::wrong_type, fmt::format("elements of {} bits cannot be swizzled: the width is a power of two", bits), {}, {}};
  if (swizzle.is_identity()) return Value{std::move(layout)};
  const int base = swizzle.base() + 3 - log_bits;
  if (base < 0) {
    return Error{ErrorCode::not_representable,
                 fmt::format("{} on byte addresses flips bits inside an element of {} bits", to_string(swizzle), bits),
                 {},
                 {}};
  }
  TESSERA_TRY(recast, Swizzle::make(swizzle.bits(), base, swizzle.shift()));
  ComposedLayout made{recast, 0, std::move(layout)};
  TESSERA_CHECK(check_range(made));
  return Value{std::move(made)};
}

namespace {

// The value at the coordinate, marked as CuTe's integer would be.
IntTuple with_mark(IntTuple index, const AnyLayout& layout, const Coord& coord) {
  const auto* plain = std::get_if<Layout>(&layout);
  if (!index.is_int() || !plain || plain->has_basis()) {
    return index.is_int() && !plain && !is_static(coord) ? IntTuple::marked(index.value(), marks::kDynamic) : index;
  }
  return IntTuple::marked(index.value(), index_mark(coord, plain->shape(), plain->stride()));
}

}  // namespace

Result<Value> layout_at(const Remarks& remarks, const AnyLayout& layout, const Coord& coord) {
  remark_outside(remarks, coord, shape(layout));
  if (has_underscore(coord)) {
    TESSERA_TRY(slice, slice_and_offset(coord, layout));
    remark_broken_slice(remarks, layout, coord);
    return to_value(std::move(slice));
  }
  TESSERA_TRY(index, evaluate(layout, coord));
  return Value{with_mark(std::move(index), layout, coord)};
}

namespace {

// offset + B(c): a composed layout without a swizzle.
AnyLayout with_offset(const Tensor& both) { return ComposedLayout{Swizzle(), both.offset, std::get<Layout>(both.layout)}; }

}  // namespace

Result<Value> layout_at(const Remarks& remarks, const Tensor& both, const Coord& coord) {
  const auto* layout = std::get_if<Layout>(&both.layout);
  if (!layout || !layout->has_basis()) {  // numbers: what the layout gives, behind the offset
    TESSERA_TRY(made, layout_at(remarks, both.layout, coord));
    if (const auto* index = std::get_if<IntTuple>(&made.any)) {
      TESSERA_TRY(sum, add_offsets(both.offset, *index));
      return Value{std::move(sum)};
    }
    return behind_offset(both.offset, std::move(made));
  }
  remark_outside(remarks, coord, layout->shape());
  TESSERA_TRY(value, evaluate(with_offset(both), at_origin(coord)));
  if (!has_underscore(coord)) return Value{std::move(value)};
  TESSERA_TRY(part, slice(coord, *layout));
  return Value{Tensor{std::move(part), std::move(value)}};
}

std::optional<Swizzle> awaited_swizzle(const Value& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout.any);
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  const bool waits = layout.element.bits > 0 && layout.element.space == MemorySpace::unknown && current_dialect() != Dialect::python;
  if (!waits || !swizzle || swizzle->is_identity()) return std::nullopt;
  const Result<Swizzle> of_bytes = swizzle_in_bytes(*swizzle, layout.element.bits);
  return of_bytes ? std::optional(*of_bytes) : std::nullopt;
}

namespace {

// CuTe's own call of a layout that waits for its pointer swizzles the element's number as if it were a byte's.
void remark_awaited(const Remarks& remarks, const Value& layout, const Coord& coord, const Value& made) {
  const auto* element = std::get_if<IntTuple>(&made.any);
  const std::optional<Swizzle> of_bytes = element && element->is_int() ? awaited_swizzle(layout) : std::nullopt;
  if (!of_bytes) return;
  const Result<IntTuple> inner = evaluate(layout_part(std::get<ComposedLayout>(layout.any)), coord);
  if (!inner || !inner->is_int()) return;
  const std::int64_t of_cute = (*of_bytes)(inner->value());
  if (of_cute == element->value()) return;
  remarks.add(
      ErrorCode::wrong_result,
      fmt::format("the layout waits for its pointer, and CuTe's own call of it swizzles elements by a swizzle of bytes: it gives {}",
                  of_cute),
      {"shown is the element at which a tensor in shared memory has this coordinate"});
}

}  // namespace

Result<Value> tensor_at(const Remarks& remarks, const Value& tensor, const Coord& coord) {
  Result<Value> made = Error{};
  const SwizzleInPointer slices(tensor.element.swizzled_pointer);
  if (const auto* behind = std::get_if<Tensor>(&tensor.any)) {
    made = layout_at(remarks, *behind, coord);
  } else {
    TESSERA_TRY(layout, as_any_layout(tensor));
    made = layout_at(remarks, layout, coord);
    if (made) remark_awaited(remarks, tensor, coord, *made);
  }
  if (made && std::holds_alternative<Tensor>(made->any)) made->element = tensor.element;
  return made;
}

Result<Value> coordinates_behind(const IntTuple& offset, Layout layout) {
  if (has_basis(offset) || has_underscore(offset))
    return Error{ErrorCode::wrong_type, fmt::format("an offset is made of integers, but this is {}", to_string(offset)), {}, {}};
  Tensor both{std::move(layout), offset};
  // Refused where the two do not add up: as far as the last coordinate.
  const Coord last = std::get<Layout>(both.layout).size() - 1;
  TESSERA_CHECK(evaluate(with_offset(both), last));
  for (const std::int64_t part : leaf_values(offset)) {
    if (part != 0) return Value{std::move(both)};
  }
  return to_value(std::move(both.layout));
}

Result<Value> composition_of(const Value& a, const Value& b, Law law) {
  const auto* swizzle_a = std::get_if<Swizzle>(&a.any);
  const auto* swizzle_b = std::get_if<Swizzle>(&b.any);
  if (swizzle_a && swizzle_b) {
    TESSERA_TRY(made, composition(*swizzle_a, *swizzle_b));
    return Value{made};
  }
  if (swizzle_a) {
    TESSERA_TRY(layout, as_any_layout(b));
    TESSERA_TRY(made, composition(*swizzle_a, layout));
    return to_value(std::move(made));
  }
  if (swizzle_b) {
    TESSERA_TRY(layout, as_any_layout(a));
    TESSERA_TRY(made, composition(layout, *swizzle_b, law));
    return to_value(std::move(made));
  }
  TESSERA_TRY(layout, as_any_layout(a));
  if (const auto* composed = std::get_if<ComposedLayout>(&b.any)) {
    TESSERA_TRY(made, composition(layout, AnyLayout(*composed), law));
    return to_value(std::move(made));
  }
  TESSERA_TRY(tiler, as_tiler(b));
  TESSERA_TRY(made, composition(layout, tiler, law));
  return to_value(std::move(made));
}

void remark_composition(const Remarks& remarks, const Value& a, const Value& b) {
  if (!remarks.warnings || std::holds_alternative<Swizzle>(a.any) || std::holds_alternative<Swizzle>(b.any)) return;
  const Result<AnyLayout> layout = as_any_layout(a);
  const Result<Tiler> tiler = as_tiler(b);
  if (layout && tiler) remark_reach(remarks, *layout, *tiler);
}

void remark_other_reading(const Remarks& remarks, const Value& a, const Value& b, const Value& by_mode) {
  const auto* tiler = std::get_if<Tiler>(&b.any);
  if (!remarks.warnings || !tiler || !tiler->is_tuple()) return;
  std::vector<Layout> modes;
  for (const Tiler& mode : std::get<std::vector<Tiler>>(tiler->value)) {
    const auto* n = std::get_if<TileSize>(&mode.value);
    const auto* layout = std::get_if<Layout>(&mode.value);
    if (!layout && (!n || *n < 1)) return;  // `_`: no layout is meant
    modes.push_back(layout ? *layout : Layout::trusted(n->number(), *n == 1 ? 0 : 1));
  }
  const Result<Layout> one = checked_make_layout(std::move(modes));
  if (!one) return;
  const Result<Value> other = composition_of(a, Value{*one});
  if (!other || to_string(*other) == to_string(by_mode)) return;
  remarks.add(ErrorCode::rank_mismatch,
              fmt::format("a tuple on the right is taken mode by mode, which gives {}; as the one layout {} it would give {}",
                          described(by_mode), to_string(*one), described(*other)),
              {fmt::format("write o {} for the one layout, and composition(a, b) where by mode is meant", to_string(*one))});
}

namespace {

Result<ChainPart> as_chain_part(const Value& value) {
  if (const auto* swizzle = std::get_if<Swizzle>(&value.any)) return ChainPart(*swizzle);
  TESSERA_TRY(layout, as_any_layout(value));
  return to_part(std::move(layout));
}

}  // namespace

Result<Value> make_composed(const Value& outer, const IntTuple& offset, const Value& inner) {
  TESSERA_TRY(a, as_chain_part(outer));
  TESSERA_TRY(b, as_chain_part(inner));
  TESSERA_TRY(made, make_composed_layout(std::move(a), offset, std::move(b)));
  return Value{std::move(made)};
}

Result<Value> compose_chain(std::span<const Value> parts) {
  if (parts.size() < 3 || parts.size() % 2 == 0) {
    return Error{ErrorCode::parse,
                 fmt::format("between two parts of a composed layout stands an offset, A o offset o B o offset o C, but these are {} parts",
                             parts.size()),
                 {},
                 {"A o B is composition; give it a name with let, or write composition(A, B)"}};
  }
  std::vector<ChainPart> chain;
  std::vector<IntTuple> offsets;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 0) {
      TESSERA_TRY(part, as_chain_part(parts[i]));
      chain.push_back(std::move(part));
      continue;
    }
    const auto* offset = std::get_if<IntTuple>(&parts[i].any);
    if (!offset)
      return Error{ErrorCode::wrong_type, fmt::format("between two 'o' stands an offset, but this is {}", described(parts[i])), {}, {}};
    offsets.push_back(*offset);
  }
  TESSERA_TRY(made, make_composed_layout(std::move(chain), offsets));
  return Value{std::move(made)};
}

namespace {

// Takes its leaves as far as `rest` goes: what divides both of them, mode by mode.
IntTuple taken(const IntTuple& shape, std::int64_t& rest) {
  if (!shape.is_tuple()) {
    const std::int64_t common = std::gcd(shape.value(), rest);
    rest /= std::max<std::int64_t>(common, 1);
    return IntTuple(common);
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.modes()) modes.push_back(taken(mode, rest));
  return IntTuple::tuple(std::move(modes));
}

}  // namespace

Result<IntTuple> shape_mod(const IntTuple& shape, const IntTuple& n) {
  if (n.is_int()) {
    if (n.value() < 1) return Error{ErrorCode::bad_extent, fmt::format("shape_mod: {} is no number of coordinates", n.value()), {}, {}};
    TESSERA_CHECK(checked_size(shape));
    std::int64_t rest = n.value();
    return taken(shape, rest);
  }
  if (!n.is_tuple() || !shape.is_tuple() || n.rank() > shape.rank())
    return Error{ErrorCode::rank_mismatch, fmt::format("shape_mod: {} does not fit the shape {}", to_string(n), to_string(shape)), {}, {}};
  std::vector<IntTuple> modes(shape.modes().begin(), shape.modes().end());
  for (std::size_t i = 0; i < n.rank(); ++i) {
    TESSERA_TRY(mode, shape_mod(shape[i], n[i]));
    modes[i] = std::move(mode);
  }
  return IntTuple::tuple(std::move(modes));
}

Result<Swizzle> swizzle_of(std::span<const IntTuple> numbers) {
  std::array<int, 3> part{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!numbers[i].is_int() || numbers[i].value() < -64 || numbers[i].value() > 64) {
      return Error{ErrorCode::limit, "the numbers of a swizzle Sw<B,M,S> are integers from -64 to 64", {}, {}};
    }
    part[i] = static_cast<int>(numbers[i].value());
  }
  return Swizzle::make(part[0], part[1], part[2]);
}

Result<IntTuple> basis_stride(std::int64_t scale, std::span<const std::int64_t> modes) {
  BasisPath path;
  for (const std::int64_t mode : modes) {
    if (mode < 0 || mode > 255 || path.length == BasisPath::kDeepest)
      return Error{ErrorCode::limit, "a basis stride names up to 6 modes from 0 to 255", {}, {}};
    path.modes[path.length++] = static_cast<std::uint8_t>(mode);
  }
  return IntTuple::basis(scale, path);
}

Result<Value> mode_of(const Value& value, std::span<const std::int64_t> modes) {
  if (value.element.swizzled_pointer) {  // what is asked of its layout concerns the one behind the pointer
    TESSERA_TRY(behind, member_of(value, "layout"));
    return mode_of(behind, modes);
  }
  if (modes.empty()) return value;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) {
    if (modes[0] < 0 || modes[0] >= static_cast<std::int64_t>(tuple->rank())) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("there is no mode {} in {}, which has rank {}", modes[0], to_string(*tuple), tuple->rank()),
                   {},
                   {}};
    }
    return mode_of(Value{tuple->is_tuple() ? (*tuple)[static_cast<std::size_t>(modes[0])] : *tuple}, modes.subspan(1));
  }
  const auto* tiler = std::get_if<Tiler>(&value.any);
  if (std::holds_alternative<std::shared_ptr<const ValueList>>(value.any) || (tiler && tiler->is_tuple())) {
    TESSERA_TRY(elements, elements_of(value));
    if (modes[0] < 0 || modes[0] >= static_cast<std::int64_t>(elements.size()))
      return Error{ErrorCode::out_of_range, fmt::format("there is no mode {} in {}", modes[0], described(value)), {}, {}};
    return mode_of(elements[static_cast<std::size_t>(modes[0])], modes.subspan(1));
  }
  TESSERA_TRY(layout, as_any_layout(value));
  TESSERA_TRY(part, get(layout, modes[0]));
  return mode_of(to_value(std::move(part)), modes.subspan(1));
}

}  // namespace tessera
