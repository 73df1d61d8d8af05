// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/tensors.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/smem/smem_descriptor.hpp"
#include "core/base/checked.hpp"

namespace tessera {
namespace {

constexpr std::string_view kParts[] = {"append",
                                       "append_ones",
                                       "coalesce",
                                       "composition",
                                       "domain_offset",
                                       "filter",
                                       "flat_divide",
                                       "flatten",
                                       "get",
                                       "group",
                                       "group_modes_",
                                       "local_tile",
                                       "local_partition",
                                       "logical_divide",
                                       "partition_A",
                                       "partition_B",
                                       "partition_C",
                                       "partition_D",
                                       "partition_S",
                                       "prepend",
                                       "prepend_ones",
                                       "select",
                                       "slice",
                                       "slice_",
                                       "slice_and_offset",
                                       "take",
                                       "thrfrg_A",
                                       "thrfrg_B",
                                       "thrfrg_C",
                                       "tidfrg_D",
                                       "tidfrg_S",
                                       "tiled_divide",
                                       "unflatten",
                                       "zipped_divide",
                                       "upcast",
                                       "downcast",
                                       "recast_layout",
                                       "recast",
                                       "retile",
                                       "filter_zeros",
                                       "group_diff",
                                       "logical_product",
                                       "make_composed_layout",
                                       "replace",
                                       "tile_to_shape",
                                       "dice",
                                       "make_tensor_like",
                                       "as_position_independent_swizzle_tensor"};

bool is_tensor(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any) ||
         std::holds_alternative<Tensor>(value.any);
}

// An argument that is a number, or the name of an element type as its width.
std::int64_t width_argument(const Call& call, std::size_t i) {
  if (!call.has(i)) return 0;
  if (const auto type = as_value_type(*call[i].value)) return bits(*type);
  const auto number = as_integer(*call[i].value);
  return number ? *number : 0;
}

}  // namespace

bool gives_part_of_tensor(std::string_view function) {
  return std::find(std::begin(kParts), std::end(kParts), function) != std::end(kParts);
}

TensorArgument take_tensor(std::string_view function, std::vector<Value>& arguments) {
  TensorArgument made;
  static constexpr std::string_view kKeepOffsets[] = {"crd2idx",         "slice",    "slice_",    "make_tensor",   "make_tensor_",
                                                      "print",           "elements", "data",      "tma_partition", "cpasync.tma_partition",
                                                      "smem_descriptor", "access",   "check_copy"};
  if (std::find(std::begin(kKeepOffsets), std::end(kKeepOffsets), function) != std::end(kKeepOffsets)) return made;
  for (Value& value : arguments) {
    auto* tensor = std::get_if<Tensor>(&value.any);
    if (!tensor) continue;
    if (!made.was_behind_offset) made = {true, std::move(tensor->offset)};
    Value layout = to_value(std::move(tensor->layout));
    layout.element = value.element;
    value = std::move(layout);
  }
  return made;
}

Result<IntTuple> add_offsets(const IntTuple& a, const IntTuple& b) {
  if (a.is_int() && a.value() == 0) return b;
  if (b.is_int() && b.value() == 0) return a;
  if (a.is_int() && b.is_int()) {
    if (const auto sum = checked_add(a.value(), b.value())) return IntTuple(*sum);
    return Error{ErrorCode::overflow, fmt::format("{} + {} leaves 64 bits", a.value(), b.value()), {}, {}};
  }
  if (!a.is_tuple() || !b.is_tuple())
    return Error{ErrorCode::not_congruent, fmt::format("the offsets {} and {} do not add up", to_string(a), to_string(b)), {}, {}};
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < std::max(a.rank(), b.rank()); ++i) {
    TESSERA_TRY(mode, add_offsets(i < a.rank() ? a[i] : IntTuple(0), i < b.rank() ? b[i] : IntTuple(0)));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

std::optional<IntTuple> origin_of(std::span<const Value> arguments) {
  for (const Value& each : arguments) {
    const auto* tensor = std::get_if<Tensor>(&each.any);
    const auto* plain = tensor ? std::get_if<Layout>(&tensor->layout) : std::get_if<Layout>(&each.any);
    if (plain && plain->has_basis()) return evaluate(*plain, 0);
  }
  return std::nullopt;
}

Status complete_offset(const IntTuple& origin, Value& part) {
  auto* tensor = std::get_if<Tensor>(&part.any);
  if (!tensor || !tensor->offset.is_tuple()) return Done{};
  TESSERA_TRY(sum, add_offsets(origin, tensor->offset));
  tensor->offset = std::move(sum);
  return Done{};
}

Result<Value> behind_offset(const IntTuple& offset, Value made) {
  Tensor tensor;
  if (auto* part = std::get_if<Tensor>(&made.any)) {
    tensor = std::move(*part);
  } else if (is_tensor(made)) {
    TESSERA_TRY(layout, as_any_layout(made));
    tensor.layout = std::move(layout);
  } else {
    return made;
  }
  TESSERA_TRY(sum, add_offsets(offset, tensor.offset));
  tensor.offset = std::move(sum);
  Value value{std::move(tensor)};
  value.element = made.element;
  return value;
}

namespace {

// The elements of the fragment that the function makes. Of descriptors each stands for 16 bytes of shared memory.
std::optional<Element> fragment_element(const Call& call) {
  const std::string_view name = call.function();
  if (!name.starts_with("partition_fragment_") && !name.starts_with("make_fragment_")) return std::nullopt;
  const auto mma = as_tiled_mma(*call[0].value);
  if (!mma) return std::nullopt;
  const MmaAtom& atom = (*mma)->atom();
  const Operand operand = name.back() == 'A' ? Operand::a : name.back() == 'B' ? Operand::b : Operand::c;
  const ValueType type = operand == Operand::a ? atom.val_a : operand == Operand::b ? atom.val_b : atom.val_c;
  switch (source_of(atom, operand)) {
    case OperandSource::registers: return element_of(type, MemorySpace::rmem);
    case OperandSource::tensor_memory: return element_of(type, MemorySpace::tmem);
    case OperandSource::smem_descriptor: break;
  }
  return Element{8 * kDescriptorUnit, std::nullopt, MemorySpace::unknown};
}

Element with_bits(Element element, std::int64_t bits) {
  element.bits = bits;
  element.type.reset();
  return element;
}

}  // namespace

Status check_described(const Call& call, const MmaAtom& atom, Operand operand) {
  if (source_of(atom, operand) != OperandSource::smem_descriptor) return Done{};
  const Value& given = *call[1].value;
  const MemorySpace space = given.element.space;
  const bool is_shape = std::holds_alternative<IntTuple>(given.any);
  if (!is_shape && (space == MemorySpace::smem || space == MemorySpace::unknown || space == MemorySpace::generic)) return Done{};
  return Error{ErrorCode::wrong_type,
               fmt::format("{}: {} reads this operand through descriptors of shared memory, so its fragment is a view of the tensor there; "
                           "this is {}",
                           call.function(), atom.name, is_shape ? "a shape" : "in " + std::string(memory_name(space))),
               call[1].span,
               {"give the tensor in shared memory, or its part"}};
}

Result<Layout> as_registers(const Call& call, Result<Layout> layout) {
  if (!layout || (is_static(layout->shape()) && is_static(layout->stride()))) return layout;
  return Error{
      ErrorCode::wrong_type,
      fmt::format("{}: Dynamic owning tensors not supported: {} is known only when the program runs, and registers are counted when "
                  "it is compiled",
                  call.function(), to_string(*layout)),
      call.span(),
      {"static integers are Int<8>{} or _8; a shape in make_shape(..) is dynamic where it has plain ones"}};
}

Element element_after(const Call& call, const Value& made) {
  constexpr std::int64_t kWidest = 4096;
  if (!is_tensor(made)) return {};
  if (const auto element = fragment_element(call)) return *element;
  Element element;
  for (std::size_t i = 0; i < call.parameters.size() && !element.is_known(); ++i) {
    if (call.has(i)) element = call[i].value->element;
  }
  if (!element.is_known()) return {};
  const std::int64_t n = width_argument(call, 1);
  if (call.function() == "upcast" && n >= 1 && n <= kWidest) return with_bits(element, element.bits * n <= kWidest ? element.bits * n : 0);
  if (call.function() == "downcast" && n >= 1) return with_bits(element, element.bits % n == 0 ? element.bits / n : 0);
  // Of recast_layout the last width in C++'s order, the first in the DSL's.
  if (call.function() == "recast_layout")
    return with_bits(element, std::min(kWidest, is_tensor(*call[0].value) ? width_argument(call, 2) : width_argument(call, 0)));
  return gives_part_of_tensor(call.function()) ? element : Element{};
}

}  // namespace tessera
