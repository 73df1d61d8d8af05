// SPDX-License-Identifier: BSD-3-Clause
// Builtins: tensors and pointers, a thread's slice of a tiled object, registers.
#include <algorithm>
#include <array>
#include <cstddef>
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

#include "core/atom/smem/operand_tiles.hpp"
#include "core/base/checked.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/remarks.hpp"
#include "core/lang/builtins/tensors.hpp"
#include "core/lang/syntax/number_types.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/dim3.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/user_function.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {
namespace {

template <class T>
Result<T> at_span(const Call& call, Result<T> made) {
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return made;
}

bool is_layout(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any);
}

// A layout as make_layout takes it: one, or a shape with an optional stride.
Result<AnyLayout> layout_of(std::span<const CallArgument> given) {
  if (given.empty()) return Error{ErrorCode::wrong_arity, "a tensor needs a layout or a shape", {}, {}};
  if (given.size() == 1) return as_any_layout(*given[0].value);
  if (given.size() > 2) return Error{ErrorCode::wrong_arity, "a tensor is made of a pointer and a layout, or of shape and stride", {}, {}};
  TESSERA_TRY(shape, as_int_tuple(*given[0].value));
  const auto* major = std::get_if<std::string>(&given[1].value->any);
  if (major && (*major == "LayoutLeft" || *major == "LayoutRight")) {
    TESSERA_TRY(layout, *major == "LayoutLeft" ? Layout::make_compact(shape) : make_layout_row_major(shape));
    return AnyLayout(std::move(layout));
  }
  TESSERA_TRY(stride, as_int_tuple(*given[1].value));
  TESSERA_TRY(layout, Layout::make(shape, stride));
  return AnyLayout(std::move(layout));
}

Value tensor_value(AnyLayout layout, IntTuple offset, Element element) {
  const bool at_origin = offset.is_int() && offset.value() == 0;
  Value made = at_origin ? to_value(std::move(layout)) : Value{Tensor{std::move(layout), std::move(offset)}};
  made.element = element;
  return made;
}

// make_tensor(pointer, layout), make_tensor(pointer, shape, stride), make_tensor<T>(layout), the DSL's make_tensor(x.iterator, layout).
// A tensor over a declared array that is too short for it.
void remark_beyond_array(const Call& call, const Pointer& pointer, const AnyLayout& layout) {
  const Layout& plain = plain_part(layout);
  if (!call.warnings || pointer.extent == 0 || plain.has_basis()) return;
  std::int64_t last = pointer.offset;
  for (const FlatMode& mode : flat_modes(plain)) {
    const auto reach = checked_mul(mode.shape - 1, mode.stride);
    const auto sum = reach && *reach > 0 ? checked_add(last, *reach) : std::optional(last);  // backwards reaches nothing further
    if (!reach || !sum) return;
    last = *sum;
  }
  if (last < pointer.extent) return;
  call.warnings->push_back({ErrorCode::out_of_range,
                            fmt::format("{} reaches element {} of an array of {}", to_string(layout), last, pointer.extent),
                            call.span(),
                            {"cosize_v<Layout> is what the array has to hold"}});
}

// A swizzle as one of byte addresses: that of x.inner counts elements, where the elements of x are known.
Result<Swizzle> swizzle_of_bytes(const Value& value) {
  TESSERA_TRY(swizzle, as_swizzle(value));
  return swizzle_in_bytes(swizzle, value.element.bits);
}

// The layout of elements behind a pointer whose addresses are swizzled.
Result<AnyLayout> behind_swizzle(const Swizzle& of_bytes, std::int64_t offset, std::int64_t bits, const AnyLayout& layout) {
  if (of_bytes.is_identity()) return layout;
  TESSERA_TRY(of_elements, swizzle_in_elements(of_bytes, bits));
  if (const auto* plain = std::get_if<Layout>(&layout); plain && offset != 0) {
    TESSERA_TRY(made, make_composed_layout(ChainPart(of_elements), IntTuple(offset), ChainPart(*plain)));
    return AnyLayout(std::move(made));
  }
  TESSERA_TRY(made, composition(of_elements, layout));
  return AnyLayout(std::move(made));
}

Result<Value> make_tensor_call(const Call& call) {
  std::vector<CallArgument> given;
  Element element;
  IntTuple offset = 0;
  for (const CallArgument& each : call.rest) {
    const bool first = &each == call.rest.data();
    if (const auto* pointer = std::get_if<Pointer>(&each.value->any)) {
      element = pointer->element;
      offset = IntTuple(pointer->offset);
    } else if (const auto type = as_value_type(*each.value); type && !(first && given.empty() && call.rest.size() == 1)) {
      element = element_of(*type, MemorySpace::rmem);
    } else if (const auto* text = std::get_if<std::string>(&each.value->any); text && *text == "bool") {
      element = Element{0, std::nullopt, MemorySpace::rmem};
    } else if (const auto* tensor = std::get_if<Tensor>(&each.value->any)) {
      if (first && call.rest.size() > 1) {  // x.data() of a tensor of coordinates, or the tensor itself
        offset = tensor->offset;
        element = each.value->element;
      } else {
        given.push_back(each);
      }
    } else {
      given.push_back(each);
    }
  }
  // A coordinate in front is where a tensor of coordinates begins: make_tensor(x.data(), layout).
  const auto* origin = given.size() >= 2 ? std::get_if<IntTuple>(&given[0].value->any) : nullptr;
  const bool has_pointer = given.size() < call.rest.size() && std::holds_alternative<Pointer>(call.rest[0].value->any);
  const bool coordinates = origin && is_layout(*given[1].value) && !has_pointer;
  if (coordinates) {
    offset = *origin;
    given.erase(given.begin());
  }
  Result<AnyLayout> layout = layout_of(given);
  if (!layout) return std::move(std::move(layout).error()).at(call.span());
  if (has_pointer && given.size() == 1 && awaited_swizzle(*given[0].value)) element.swizzled_pointer = true;
  const auto* plain = std::get_if<Layout>(&*layout);
  if (coordinates && plain && plain->has_basis()) return coordinates_behind(offset, *plain);
  if (const auto* pointer = std::get_if<Pointer>(&call.rest[0].value->any)) {
    remark_beyond_array(call, *pointer, *layout);
    if (!pointer->swizzle.is_identity()) {
      if (element.bits == 0)
        return Error{
            ErrorCode::wrong_type, "make_tensor: the pointer swizzles bytes, and the type of its elements is not known", call.span(), {}};
      layout = at_span(call, behind_swizzle(pointer->swizzle, pointer->offset, element.bits, *layout));
      if (!layout) return std::move(layout).error();
      if (std::holds_alternative<ComposedLayout>(*layout)) offset = IntTuple(0);
      element.swizzled_pointer = true;
    }
  }
  if (element.space == MemorySpace::rmem && call.rest.size() > given.size() && !has_pointer && std::holds_alternative<Layout>(*layout))
    TESSERA_CHECK(as_registers(call, std::get<Layout>(*layout)));
  const bool shared = element.space == MemorySpace::smem;
  AnyLayout under = shared ? *layout : AnyLayout();
  Value made = tensor_value(std::move(*layout), std::move(offset), element);
  if (shared) remark_phase(Remarks(call), made, under, element.bits);
  return made;
}

// The DSL's make_tensor(iterator, layout), whose arguments may be named.
Result<Value> dsl_tensor_call(const Call& call) {
  Call as_cpp = call;
  as_cpp.rest = {call.parameters[0], call.parameters[1]};
  return make_tensor_call(as_cpp);
}

// The same place in elements of another width: the array has so many more or fewer of them, where that is known.
Pointer as_elements(Pointer pointer, Element element) {
  const std::int64_t before = pointer.element.bits, after = element.bits;
  if (before != after) {
    const auto all = before > 0 && after > 0 && pointer.offset == 0 ? checked_mul(pointer.extent, before) : std::nullopt;
    pointer.extent = all ? *all / after : 0;
  }
  pointer.element = element;
  return pointer;
}

// make_gmem_ptr(A), make_smem_ptr<half_t>(x): of what type and where, as far as it is said.
template <MemorySpace S>
Result<Value> pointer_call(const Call& call) {
  Pointer made;
  made.element.space = S;
  std::int64_t bytes = 0;  // an address in shared memory that is written out
  for (const CallArgument& each : call.rest) {
    if (const auto* pointer = std::get_if<Pointer>(&each.value->any)) {
      made.offset = pointer->offset;
      made.extent = pointer->extent;
      if (made.element.bits == 0) made.element.bits = pointer->element.bits, made.element.type = pointer->element.type;
    } else if (const auto type = as_value_type(*each.value)) {
      made = as_elements(made, element_of(*type, made.element.space));
    } else if (const auto* address = std::get_if<IntTuple>(&each.value->any); S == MemorySpace::smem && address && address->is_int()) {
      bytes = address->value();
    } else if (const auto* word = std::get_if<std::string>(&each.value->any)) {  // the DSL's AddressSpace.gmem
      for (const MemorySpace space : {MemorySpace::gmem, MemorySpace::smem, MemorySpace::rmem, MemorySpace::tmem})
        if (*word == memory_name(space)) made.element.space = space;
    }
  }
  const auto places = made.element.bits > 0 ? checked_mul(bytes, 8) : std::nullopt;
  if (places && *places % made.element.bits == 0) made.offset += *places / made.element.bits;
  return Value{made};
}

// The DSL's make_ptr(dtype, value, mem_space, assumed_align=, swizzle_=).
Result<Value> dsl_pointer_call(const Call& call) {
  Call as_cpp = call;
  for (const CallArgument& each : {call.parameters[0], call.parameters[1], call.parameters[2]}) {
    if (each.value) as_cpp.rest.push_back(each);
  }
  TESSERA_TRY(made, pointer_call<MemorySpace::generic>(as_cpp));
  if (!call.has(4)) return made;
  TESSERA_TRY(swizzle, at_span(call, swizzle_of_bytes(*call[4].value)));
  std::get<Pointer>(made.any).swizzle = swizzle;
  return made;
}

// half_t, or Array<half_t, 8>, whose elements together are one.
Result<Element> element_argument(const Call& call, std::size_t i) {
  const Element of_array = call[i].value->element;
  if (const auto* array = std::get_if<Layout>(&call[i].value->any); array && of_array.bits > 0) {
    if (const auto width = checked_mul(array->size(), of_array.bits)) return Element{*width, std::nullopt, MemorySpace::unknown};
  }
  TESSERA_TRY(type, argument<ValueType>(call, i));
  return element_of(type, MemorySpace::unknown);
}

Result<Value> recast_call(const Call& call) {
  // recast<T>(tensor): the type comes behind what is cast; the DSL's recast_tensor(tensor, dtype) too.
  TESSERA_TRY(to, element_argument(call, 1));
  if (const auto* pointer = std::get_if<Pointer>(&call[0].value->any)) {
    Pointer made = *pointer;
    return Value{as_elements(made, {to.bits, to.type, made.element.space})};
  }
  const Element before = call[0].value->element;
  if (before.bits == 0) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("recast: nothing says how wide the elements of {} are", described(*call[0].value)),
                 call[0].span,
                 {"make it with a type: make_tensor<half_t>(layout), or use recast_layout<Old, New>(layout)"}};
  }
  const bool is_dsl = call.function() == "recast_tensor";
  const auto width = [&](const Element& element) {  // the DSL casts a Boolean as a byte
    return is_dsl && element.type == ValueType::b1 ? 8 : element.bits;
  };
  Value source = *call[0].value;
  if (is_dsl && before.swizzled_pointer) {
    TESSERA_TRY(bare, member_of(source, "layout"));
    Remarks(call).add(ErrorCode::wrong_result, "recast_tensor: the CuTe DSL drops the swizzle of the tensor's pointer",
                      {"cute.make_tensor(cute.recast_ptr(x.iterator, swizzle, dtype=...), layout) gives it again"});
    source = std::move(bare);
  }
  TESSERA_TRY(layout, as_any_layout(source));
  TESSERA_TRY(made, at_span(call, lawful(call, [&](Law law) { return recast_layout(layout, width(before), width(to), law); })));
  Value value = to_value(std::move(made));
  to.space = before.space;
  to.swizzled_pointer = before.swizzled_pointer && !is_dsl;
  value.element = to;
  return value;
}

// The DSL's recast_ptr(ptr, swizzle_=, dtype=): another swizzle or other elements at the same place.
Result<Value> dsl_recast_ptr_call(const Call& call) {
  const auto* pointer = std::get_if<Pointer>(&call[0].value->any);
  if (!pointer)
    return argument_error(call, "ptr", call[0],
                          {ErrorCode::wrong_type, "a pointer is wanted, but this is " + described(*call[0].value), {}, {}});
  const auto given = [&](std::size_t i) {
    const auto* tuple = call.has(i) ? std::get_if<IntTuple>(&call[i].value->any) : nullptr;
    return call.has(i) && !(tuple && tuple->is_underscore());  // Python's None
  };
  Pointer made = *pointer;
  if (given(2)) {
    TESSERA_TRY(type, argument<ValueType>(call, 2));
    made = as_elements(made, element_of(type, made.element.space));
  }
  made.swizzle = Swizzle();  // one that is not given again is gone
  if (given(1)) {
    TESSERA_TRY(swizzle, at_span(call, swizzle_of_bytes(*call[1].value)));
    made.swizzle = swizzle;
  }
  return Value{made};
}

// What registers are laid out like: without a swizzle, and of coordinates by their shape alone.
Result<Layout> layout_like(const AnyLayout& layout) {
  const auto* plain = std::get_if<Layout>(&layout);
  if (!plain || !plain->has_basis()) return make_layout_like(layout);
  TESSERA_TRY(compact, Layout::make_compact(plain->shape()));
  return make_layout_like(AnyLayout(std::move(compact)));
}

Result<Value> like_call(const Call& call) {
  TESSERA_TRY(layout, argument<AnyLayout>(call, 0));
  TESSERA_TRY(like, at_span(call, as_registers(call, layout_like(layout))));
  Value made{std::move(like)};
  Element element = call[0].value->element;
  if (call.has(1)) {
    TESSERA_TRY(type, argument<ValueType>(call, 1));
    element = element_of(type, MemorySpace::rmem);
  }
  element.space = MemorySpace::rmem;
  made.element = element;
  return made;
}

// The DSL's make_fragment_like(src, dtype=): a tensor's strides keep their order, and of a layout mode 0 comes first as in C++.
Result<Value> dsl_fragment_like_call(const Call& call) {
  const Value& source = *call[0].value;
  const auto* plain = std::get_if<Layout>(&source.any);
  const bool is_tensor = source.element.is_known() || std::holds_alternative<Tensor>(source.any) || (plain && plain->has_basis());
  if (is_tensor) return like_call(call);
  TESSERA_TRY(layout, argument<AnyLayout>(call, 0));
  TESSERA_TRY(like, at_span(call, make_fragment_like(layout)));
  TESSERA_TRY(nested, at_span(call, unflatten(flatten(like), shape(layout))));  // C++ nests mode 1 of two once more
  Value made{std::move(nested)};
  if (!call.has(1)) return made;
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  made.element = element_of(type, MemorySpace::rmem);
  return made;
}

// Of an operand that is read through descriptors, the fragment is a view of the tensor in shared memory: a shape has none.
template <Operand X>
Result<Value> fragment_of_partition(const Call& call) {
  TESSERA_TRY(mma, argument<std::shared_ptr<const TiledMma>>(call, 0));
  TESSERA_CHECK(check_described(call, mma->atom(), X));
  TESSERA_TRY(part, argument<AnyLayout>(call, 1));
  Result<Layout> layout = mma->fragment_of(X, part, call[1].value->element.bits);
  if (source_of(mma->atom(), X) == OperandSource::registers) layout = as_registers(call, std::move(layout));
  return result_value(at_span(call, std::move(layout)));
}

Result<Value> rmem_tensor_call(const Call& call) {
  TESSERA_TRY(layout, argument<AnyLayout>(call, 0));
  Value made = to_value(std::move(layout));
  made.element.space = MemorySpace::rmem;
  if (call.has(1)) {
    TESSERA_TRY(type, argument<ValueType>(call, 1));
    made.element = element_of(type, MemorySpace::rmem);
  }
  return made;
}

Result<Value> get_slice_call(const Call& call) {
  const Value& object = *call[0].value;
  const auto* tuple = std::get_if<IntTuple>(&call[1].value->any);
  if (tuple && !tuple->is_int()) return Error{ErrorCode::wrong_type, "get_slice: a thread is an integer", call[1].span, {}};
  TESSERA_TRY(thread, argument<std::int64_t>(call, 1));
  const bool known_at_run_time = tuple && tuple->is_dynamic();
  if (const auto copy = as_tiled_copy(object)) {
    remark_thread(Remarks(call), **copy, thread);
    return Value{ThrCopy{*copy, thread, known_at_run_time}};
  }
  auto mma = as_tiled_mma(object);
  if (!mma) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("get_slice: a tiled MMA or a tiled copy is wanted, but this is {}", described(object)),
                 call[0].span,
                 {}};
  }
  remark_thread(Remarks(call), **mma, thread);
  return Value{ThrMma{std::move(*mma), thread, known_at_run_time}};
}

// The element width of a type, in bits.
Result<Value> sizeof_bits_call(const Call& call) {
  return call_with(call, [](ValueType type) { return std::int64_t{bits(type)}; });
}

Result<Value> value_itself(const Call& call) {
  if (call.rest.empty()) return Value{IntTuple(0)};
  return *call.rest.front().value;
}

// sizeof(half_t): in bytes, as C++ counts: the parts of a byte have one of their own. Of a tensor in registers: of all its elements, at
// multiples of 16 bytes, as cute::array_aligned holds them; of a class: of its members.
Result<Value> sizeof_call(const Call& call) {
  const Element& element = call[0].value->element;
  if (const auto* object = std::get_if<std::shared_ptr<const UserFunction>>(&call[0].value->any); object && (*object)->is_object) {
    if ((*object)->body) return at_span(call, (*object)->body("__sizeof__", {}));
  }
  if (const auto* word = std::get_if<std::string>(&call[0].value->any); word && *word == "barrier") return Value{IntTuple(8)};
  if (element.space == MemorySpace::rmem && element.bits > 0 && std::holds_alternative<Layout>(call[0].value->any)) {
    const auto width = checked_mul(std::get<Layout>(call[0].value->any).cosize(), element.bits);
    if (!width) return Error{ErrorCode::overflow, "sizeof: the size leaves 64 bits", {}, {}};
    constexpr std::int64_t kAlign = 16;
    return Value{IntTuple((*width / 8 + (*width % 8 != 0 ? 1 : 0) + kAlign - 1) / kAlign * kAlign)};
  }
  return call_with(call, [](ValueType type) { return std::int64_t{(bits(type) + 7) / 8}; });
}

Result<Value> dim3_call(const Call& call) {
  std::array<std::int64_t, 3> extents{1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    TESSERA_TRY(extent, argument<std::optional<std::int64_t>>(call, i));
    extents[i] = extent.value_or(1);
  }
  return dim3_value(extents);
}

Result<Value> size_in_bytes_call(const Call& call) {
  return call_with(call, [](ValueType type, const AnyLayout& layout) -> Result<std::int64_t> {
    const auto width = checked_mul(cosize(layout), bits(type));
    if (!width) return Error{ErrorCode::overflow, "size_in_bytes: the size leaves 64 bits", {}, {}};
    return *width / 8 + (*width % 8 != 0 ? 1 : 0);
  });
}

// static_cast<T const*>(p): the pointer, now to T; static_cast<int>(3.7): the number in that type.
Result<Value> cast_call(const Call& call) {
  const Value& given = *call[0].value;
  const auto* pointer = std::get_if<Pointer>(&given.any);
  const auto type = as_value_type(*call[1].value);
  if (!pointer) {
    const auto of_number = type ? number_type(cute_name(*type)) : std::nullopt;
    return of_number ? converted(given, *of_number) : given;
  }
  Pointer made = *pointer;
  if (type) made = as_elements(made, element_of(*type, made.element.space));
  return Value{made};
}

Result<Value> is_same_call(const Call& call) {
  for (std::size_t i = 1; i < call.rest.size(); ++i) {
    if (to_string(*call.rest[i].value) == to_string(*call.rest[0].value)) return Value{true};
  }
  return Value{false};
}

// A tensor in shared memory by its layout, which a swizzle of its bytes may permute.
Result<Value> shared_tensor(const Call& call, std::size_t layout_at, std::size_t swizzle_at, std::optional<ValueType> type) {
  TESSERA_TRY(layout, argument<AnyLayout>(call, layout_at));
  TESSERA_TRY(swizzle, argument<std::optional<Swizzle>>(call, swizzle_at));
  const bool swizzles = swizzle && !swizzle->is_identity();
  if (swizzles && !type) type = call[swizzle_at].value->element.type;  // x.inner swizzles elements of x
  Value made = to_value(layout);
  if (swizzles) {
    if (!type) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("{}: the swizzle {} is one of bytes, and the type of the elements is not known here", call.function(),
                               to_string(Value{*swizzle})),
                   call[swizzle_at].span,
                   {"give the element type: dtype=cutlass.Float16"}};
    }
    TESSERA_TRY(of_bytes, swizzle_of_bytes(*call[swizzle_at].value));
    TESSERA_TRY(swizzled, at_span(call, behind_swizzle(of_bytes, 0, bits(*type), layout)));
    made = to_value(std::move(swizzled));
  }
  made.element = type ? element_of(*type, MemorySpace::smem) : Element{0, std::nullopt, MemorySpace::smem};
  made.element.swizzled_pointer = swizzles;
  return made;
}
// Storage in shared memory: of which type, its members say.
Result<Value> smem_storage_call(const Call&) { return Value{Pointer{Element{0, std::nullopt, MemorySpace::smem}, 0}}; }

Result<Value> get_tensor_call(const Call& call) {
  const auto* storage = std::get_if<Pointer>(&call[0].value->any);
  std::optional<ValueType> type = storage ? storage->element.type : call[0].value->element.type;
  TESSERA_TRY(given, argument<std::optional<ValueType>>(call, 3));
  return shared_tensor(call, 1, 2, given ? given : type);
}
Result<Value> allocate_tensor_call(const Call& call) {
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  return shared_tensor(call, 2, 4, type);
}

// clang-format off
constexpr Builtin kRows[] = {
  {"make_tensor", "make_tensor(pointer_and_layout...)", "a layout with the type and the memory of its elements", make_tensor_call, nullptr, true},
  {"make_tensor_", "make_tensor_(iterator, layout)", "CuTe DSL: make_tensor", dsl_tensor_call, nullptr, true},
  {"make_counting_tensor", "make_counting_tensor(pointer_and_layout...)", "a tensor of a layout's own values", make_tensor_call, nullptr, true},
  {"make_coord_tensor", "make_coord_tensor(pointer_and_layout...)", "a tensor of coordinates by a layout with basis strides", make_tensor_call, nullptr, true},
  {"make_gmem_ptr", "make_gmem_ptr(address_or_type...)", "a pointer into global memory", pointer_call<MemorySpace::gmem>, nullptr, true},
  {"make_smem_ptr", "make_smem_ptr(address_or_type...)", "a pointer into shared memory", pointer_call<MemorySpace::smem>, nullptr, true},
  {"make_rmem_ptr", "make_rmem_ptr(address_or_type...)", "a pointer to registers", pointer_call<MemorySpace::rmem>, nullptr, true},
  {"make_tmem_ptr", "make_tmem_ptr(address_or_type...)", "a pointer into tensor memory", pointer_call<MemorySpace::tmem>, nullptr, true},
  {"make_ptr", "make_ptr(address_or_type...)", "CuTe DSL: a pointer", pointer_call<MemorySpace::generic>, nullptr, true},
  {"make_ptr_", "make_ptr_(dtype, value=, mem_space=, assumed_align=, swizzle_=)", "CuTe DSL: a pointer, whose swizzle is one of bytes",
   dsl_pointer_call},
  {"make_smem_layout_atom", "make_smem_layout_atom(kind, element_type)", "CuTe DSL: SmemLayoutAtomKind.K_SW128 of a type is GMMA's Layout_K_SW128_Atom",
   [](const Call& c) -> Result<Value> {
     TESSERA_TRY(kind, argument<std::string>(c, 0));
     TESSERA_TRY(type, argument<ValueType>(c, 1));
     TESSERA_TRY(block, dsl_smem_block(kind, type));
     Value made = to_value(std::move(block));
     made.element = element_of(type, MemorySpace::unknown);
     return made; }},
  {"make_fragment", "make_fragment(layout, dtype=)", "CuTe DSL: make_rmem_tensor", rmem_tensor_call},
  {"make_rmem_tensor", "make_rmem_tensor(layout, dtype=)", "a tensor in registers, of the same shape in a compact layout",
   rmem_tensor_call},
  {"make_tensor_like", "make_tensor_like(tensor, dtype=)", "registers for a tensor of this shape, in the order of its strides", like_call},
  {"make_rmem_tensor_like", "make_rmem_tensor_like(tensor, dtype=)", "registers for a tensor of this shape, in the order of its strides", like_call},
  {"make_fragment_like_", "make_fragment_like_(src, dtype=)",
   "CuTe DSL: registers of this shape; of a tensor in the order of its strides, of a layout mode 0 first", dsl_fragment_like_call},
  {"make_fragment_A", "make_fragment_A(mma, partition)", "the fragment of what partition_A gives: registers, tensor memory or descriptors", fragment_of_partition<Operand::a>},
  {"make_fragment_B", "make_fragment_B(mma, partition)", "the fragment of what partition_B gives: registers, tensor memory or descriptors", fragment_of_partition<Operand::b>},
  {"make_fragment_C", "make_fragment_C(mma, partition)", "the fragment of what partition_C gives: registers, tensor memory", fragment_of_partition<Operand::c>},
  {"recast", "recast(tensor, type)", "the same bits as elements of another type: recast<T>(tensor)", recast_call},
  {"align", "align(pointer, min_align)", "CuTe DSL: the pointer, to an address that is a multiple of so many bytes", [](const Call& c) -> Result<Value> {
     if (std::holds_alternative<Pointer>(c[0].value->any)) return *c[0].value;
     return argument_error(c, c.names[0], c[0], {ErrorCode::wrong_type, fmt::format("a pointer is wanted, but this is {}", described(*c[0].value)), {}, {}}); }},
  {"recast_ptr", "recast_ptr(pointer, type)", "the same address as one of another type", recast_call},
  {"recast_ptr_", "recast_ptr_(ptr, swizzle_=, dtype=)", "CuTe DSL: the same address, with another swizzle or as one of another type",
   dsl_recast_ptr_call},
  {"recast_tensor", "recast_tensor(src, dtype)", "CuTe DSL: recast", recast_call},
  {"get_slice", "get_slice(tiled, thread)", "a thread's part of a tiled MMA or copy, with partition_A, partition_S, ...", get_slice_call},
  {"sizeof_bits", "sizeof_bits(type)", "the width of an element in bits", sizeof_bits_call},
  {"sizeof", "sizeof(type)", "the size of an element in bytes", sizeof_call},
  {"dim3", "dim3(x=, y=, z=)", "CUDA: the extents of a grid, a block or a cluster", dim3_call},
  {"size_in_bytes", "size_in_bytes(dtype, layout)", "CuTe DSL: the bytes from the first element to the last", size_in_bytes_call},
  {"is_same", "is_same(types...)", "is the first type one of the others?", is_same_call},
  {"is_any_of", "is_any_of(types...)", "is the first type one of the others?", is_same_call},
  {"is_void", "is_void(type)", "is the type void?", [](const Call& c) {
     return Result<Value>(Value{to_string(*c[0].value) == to_string(Value{std::string(cute_name(ValueType::none))})}); }},
  {"is_static", "is_static(value)", "are its integers known? They are here", [](const Call&) { return Result<Value>(Value{true}); }},
  {"static_cast", "static_cast(value, type)", "the number in that type; a pointer as one to it", cast_call},
  {"reinterpret_cast", "reinterpret_cast(pointer, type)", "the pointer as one to that type", cast_call},
  {"raw_pointer_cast", "raw_pointer_cast(pointer)", "the pointer", [](const Call& c) { return Result<Value>(*c[0].value); }},
  {"as_position_independent_swizzle_tensor", "as_position_independent_swizzle_tensor(tensor)",
   "the tensor with its swizzle in its layout, and not in its pointer", [](const Call& c) {
     Value made = *c[0].value;
     made.element.swizzled_pointer = false;
     return Result<Value>(std::move(made)); }},
  {"CUTE_STATIC_V", "CUTE_STATIC_V(value)", "the value", [](const Call& c) { return Result<Value>(*c[0].value); }},
  {"SmemAllocator", "SmemAllocator(arguments...)", "CuTe DSL: what allocates shared memory", smem_storage_call},
  {"shared_storage", "shared_storage(arguments...)", "a struct in shared memory, whose members are storage", smem_storage_call},
  {"get_tensor", "get_tensor(storage, layout, swizzle=, dtype=)", "CuTe DSL: a tensor in a range of shared memory", get_tensor_call},
  {"allocate_tensor", "allocate_tensor(allocator, element_type, layout, byte_alignment=, swizzle=)", "CuTe DSL: a tensor in shared memory",
   allocate_tensor_call},
  {"make_warp_uniform", "make_warp_uniform(value)", "the value, which is the same in all lanes", [](const Call& c) { return Result<Value>(*c[0].value); }},
  {"print_layout", "print_layout(values...)", "the layout as it is", value_itself},
  {"print_tensor", "print_tensor(values...)", "the tensor as it is", value_itself},
  {"print_latex", "print_latex(values...)", "the value as it is; `tessera figure` draws it", value_itself},
};
// clang-format on

}  // namespace

std::span<const Builtin> tensor_builtins() { return kRows; }

}  // namespace tessera
