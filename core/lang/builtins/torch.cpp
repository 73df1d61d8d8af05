// SPDX-License-Identifier: BSD-3-Clause
// Builtins: how a program of Python makes the tensors that it hands to a kernel: torch's functions, cutlass.torch's, from_dlpack, and which
// of a tensor's modes is the contiguous one. paste.cpp knows how they are spelled.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/call.hpp"
#include "core/lang/builtins/cutlass_words.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/torch_tensor.hpp"

namespace tessera {
namespace {

Result<TorchTensor> torch_argument(const Call& call, std::size_t i) {
  if (const auto tensor = as_torch_tensor(*call[i].value)) return *tensor;
  return argument_error(
      call, call.names[i], call[i],
      {ErrorCode::wrong_type, fmt::format("a tensor of torch is wanted, but this is {}", described(*call[i].value)), {}, {}});
}

Result<Value> value_of(const Call& call, Result<TorchTensor> made) {
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return torch_value(*made);
}

std::optional<std::size_t> place_of(const Call& call, std::string_view name) {
  for (std::size_t i = 0; i < call.names.size(); ++i) {
    if (call.names[i] == name && call.has(i)) return i;
  }
  return std::nullopt;
}

// "cuda", "cuda:0": a tensor that nothing is said of lies where the CPU has it.
Result<bool> device_of(const Call& call, bool otherwise) {
  const auto at = place_of(call, "device");
  if (!at) return otherwise;
  TESSERA_TRY(word, argument<std::optional<std::string>>(call, *at));
  if (!word) return otherwise;
  if (word->starts_with("cuda") || *word == "cpu") return *word != "cpu";
  return argument_error(call, "device", call[*at], {ErrorCode::unknown_name, fmt::format("\"{}\" is neither cuda nor cpu", *word), {}, {}});
}

Result<ValueType> type_of(const Call& call, ValueType otherwise) {
  const auto at = place_of(call, "dtype");
  if (!at) return otherwise;
  TESSERA_TRY(type, argument<std::optional<Value>>(call, *at));
  const auto* none = std::get_if<IntTuple>(&type->any);
  if (none && none->is_underscore()) return otherwise;
  return argument<ValueType>(call, *at);
}

// torch.empty((4, 8)) and torch.empty(4, 8): the extents up to the first argument of another kind.
Result<std::vector<std::int64_t>> sizes_of(const Call& call, std::size_t first, std::size_t count) {
  std::vector<std::int64_t> made;
  for (std::size_t i = first; i < first + count && call.has(i); ++i) {
    TESSERA_TRY(part, argument<IntTuple>(call, i));
    for (const std::int64_t each : leaf_values(part)) made.push_back(each);
  }
  return made;
}

constexpr std::size_t kMostSizes = 6;

template <ValueType Otherwise>
Result<Value> make_call(const Call& call) {
  TESSERA_TRY(shape, sizes_of(call, 0, kMostSizes));
  TESSERA_TRY(type, type_of(call, Otherwise));
  TESSERA_TRY(on_device, device_of(call, false));
  return value_of(call, contiguous_tensor(std::move(shape), type, on_device));
}

// torch.full(size, value): of the value's type.
Result<Value> full_call(const Call& call) {
  TESSERA_TRY(shape, sizes_of(call, 0, 1));
  const auto* truth = std::get_if<bool>(&call[1].value->any);
  const bool whole = as_integer(*call[1].value).operator bool();
  TESSERA_TRY(type, type_of(call, truth ? ValueType::u8 : whole ? ValueType::i64 : ValueType::f32));
  TESSERA_TRY(on_device, device_of(call, false));
  return value_of(call, contiguous_tensor(std::move(shape), type, on_device));
}

// torch.randint(high, size), torch.randint(low, high, size)
Result<Value> randint_call(const Call& call) {
  const std::size_t at = call.has(2) ? 2 : 1;
  TESSERA_TRY(shape, sizes_of(call, at, 1));
  if (!std::holds_alternative<IntTuple>(call[at].value->any) || std::get<IntTuple>(call[at].value->any).is_int())
    return Error{ErrorCode::wrong_arity, "torch.randint: the size is missing, a tuple", call.span(), {}};
  TESSERA_TRY(type, type_of(call, ValueType::i64));
  TESSERA_TRY(on_device, device_of(call, false));
  return value_of(call, contiguous_tensor(std::move(shape), type, on_device));
}

Result<Value> like_call(const Call& call) {
  TESSERA_TRY(tensor, torch_argument(call, 0));
  TESSERA_TRY(type, type_of(call, tensor.type));
  TESSERA_TRY(on_device, device_of(call, tensor.on_device));
  return value_of(call, like_tensor(tensor, type, on_device));
}

Result<Value> permuted_call(const Call& call) {
  TESSERA_TRY(shape, sizes_of(call, 0, 1));
  TESSERA_TRY(type, type_of(call, ValueType::f32));
  TESSERA_TRY(on_device, device_of(call, false));
  TESSERA_TRY(made, contiguous_tensor(std::move(shape), type, on_device));
  TESSERA_TRY(order, argument<std::optional<IntTuple>>(call, 2));
  if (!order || order->is_underscore()) return torch_value(made);
  return value_of(call, permuted_tensor(made, leaf_values(*order)));
}

// cutlass.torch.matrix(l, mode0, mode1, is_mode0_major, dtype): (mode0, mode1, l). Narrow floats lie in bytes.
Result<Value> matrix_call(const Call& call) {
  TESSERA_TRY(l, argument<std::int64_t>(call, 0));
  TESSERA_TRY(mode0, argument<std::int64_t>(call, 1));
  TESSERA_TRY(mode1, argument<std::int64_t>(call, 2));
  TESSERA_TRY(mode0_major, argument<bool>(call, 3));
  TESSERA_TRY(given, argument<ValueType>(call, 4));
  TESSERA_TRY(on_device, device_of(call, false));
  const bool whole = given == ValueType::i8 || given == ValueType::u8 || given == ValueType::i4 || given == ValueType::u4;
  const ValueType type = bits(given) <= 8 && !whole ? ValueType::i8 : given;
  TESSERA_TRY(made, contiguous_tensor({l, mode0_major ? mode1 : mode0, mode0_major ? mode0 : mode1}, type, on_device));
  return value_of(call, permuted_tensor(made, mode0_major ? std::vector<std::int64_t>{2, 1, 0} : std::vector<std::int64_t>{1, 2, 0}));
}

Result<Value> cute_tensor(const TorchTensor& tensor, ValueType type) {
  std::vector<IntTuple> shape(tensor.shape.begin(), tensor.shape.end()), stride(tensor.stride.begin(), tensor.stride.end());
  TESSERA_TRY(layout, Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))));
  Value made{std::move(layout)};
  made.element = element_of(type, tensor.on_device ? MemorySpace::gmem : MemorySpace::generic);
  return made;
}

Result<Value> from_dlpack_call(const Call& call) {
  TESSERA_TRY(tensor, torch_argument(call, 0));
  return cute_tensor(tensor, tensor.type);
}

// All integers are the run's, but for the 1 of the leading mode.
Result<Value> with_dynamic_layout(const Value& tensor, const Layout& layout, std::optional<std::int64_t> leading) {
  if (leading && *leading < 0) *leading += static_cast<std::int64_t>(layout.rank());
  if (!leading) {
    if (const auto found = leading_mode(layout)) leading = static_cast<std::int64_t>(*found);
  }
  std::vector<IntTuple> shape, stride;
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    const bool leads = leading && *leading == static_cast<std::int64_t>(i);
    if (leads && !(layout.stride()[i].is_int() && layout.stride()[i].value() == 1))
      return Error{
          ErrorCode::wrong_type,
          fmt::format("mark_layout_dynamic: mode {} has the stride {}, and a leading mode has 1", i, to_string(layout.stride()[i])),
          {},
          {}};
    shape.push_back(as_dynamic(layout.shape()[i]));
    stride.push_back(leads ? layout.stride()[i] : as_dynamic(layout.stride()[i]));
  }
  TESSERA_TRY(made, Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))));
  Value value{std::move(made)};
  value.element = tensor.element;
  return value;
}

Result<Value> mark_layout_call(const Call& call) {
  TESSERA_TRY(layout, argument<Layout>(call, 0));
  TESSERA_TRY(leading, argument<std::optional<std::int64_t>>(call, 1));
  if (!layout.shape().is_tuple()) return *call[0].value;
  return with_dynamic_layout(*call[0].value, layout, leading);
}

// The extent of one mode is the run's, and with it the strides of the modes outside of it.
Result<Value> mark_shape_call(const Call& call) {
  TESSERA_TRY(layout, argument<Layout>(call, 0));
  TESSERA_TRY(mode, argument<std::int64_t>(call, 1));
  if (!layout.shape().is_tuple() || mode < 0 || mode >= static_cast<std::int64_t>(layout.rank()))
    return argument_error(call, "mode", call[1],
                          {ErrorCode::out_of_range, fmt::format("{} has no mode {}", to_string(Value{layout}), mode), {}, {}});
  const IntTuple& inner = layout.stride()[static_cast<std::size_t>(mode)];
  std::vector<IntTuple> shape, stride;
  for (std::size_t i = 0; i < layout.rank(); ++i) {
    const bool marked = static_cast<std::int64_t>(i) == mode;
    const IntTuple& own = layout.stride()[i];
    const bool outside = own.is_int() && inner.is_int() && own.value() > inner.value();
    shape.push_back(marked ? as_dynamic(layout.shape()[i]) : layout.shape()[i]);
    stride.push_back(outside ? as_dynamic(own) : own);
  }
  TESSERA_TRY(made, Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))));
  Value value{std::move(made)};
  value.element = call[0].value->element;
  return value;
}

// What a tensor of bytes holds, written in another type: the tensor that it is written into.
Result<Value> converted_call(const Call& call) { return *call[1].value; }

bool is_byte_float(ValueType type) { return type == ValueType::e4m3 || type == ValueType::e5m2; }

Result<Value> fp8_tensor_call(const Call& call) {
  TESSERA_TRY(tensor, torch_argument(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(leading, argument<std::int64_t>(call, 2));
  TESSERA_TRY(marks, argument<std::optional<bool>>(call, 5));
  TESSERA_TRY(made, cute_tensor(tensor, is_byte_float(type) ? type : tensor.type));
  if (!marks.value_or(true)) return made;
  return with_dynamic_layout(made, std::get<Layout>(made.any), leading);
}

// cutlass.torch.cute_tensor_like(tensor, dtype, is_dynamic_layout): a tensor of CuTe on the device, and torch's.
Result<Value> tensor_like_call(const Call& call) {
  TESSERA_TRY(tensor, torch_argument(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(is_dynamic, argument<bool>(call, 2));
  TESSERA_TRY(device, like_tensor(tensor, type, true));
  TESSERA_TRY(made, cute_tensor(device, type));
  if (is_dynamic) {
    std::optional<std::int64_t> leading;
    for (std::size_t i = device.stride.size(); i-- > 0;) {
      if (device.stride[i] == 1) leading = static_cast<std::int64_t>(i);
    }
    TESSERA_TRY(marked, with_dynamic_layout(made, std::get<Layout>(made.any), leading));
    made = std::move(marked);
  }
  return make_tuple({std::move(made), torch_value(device)});
}

// utils.LayoutEnum.from_tensor(x)
Result<Value> layout_enum_call(const Call& call) {
  TESSERA_TRY(layout, argument<Layout>(call, 0));
  const auto mode = leading_mode(layout);
  if (mode && *mode < 2) return Value{std::string(*mode == 1 ? "ROW_MAJOR" : "COL_MAJOR")};
  return argument_error(
      call, call.names[0], call[0],
      {ErrorCode::wrong_type,
       mode ? fmt::format("mode {} of {} is the contiguous one, which is neither rows nor columns", *mode, to_string(layout))
            : fmt::format("no mode of {} has stride 1", to_string(layout)),
       {},
       {}});
}

#define TESSERA_SIZES "size, size1=, size2=, size3=, size4=, size5=, "
#define TESSERA_OPTIONS "dtype=, device=, requires_grad=, generator=, pin_memory=, layout=, out=)"

// clang-format off
constexpr Builtin kRows[] = {
  {"torch.empty", "torch.empty(" TESSERA_SIZES TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", make_call<ValueType::f32>},
  {"torch.zeros", "torch.zeros(" TESSERA_SIZES TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", make_call<ValueType::f32>},
  {"torch.ones", "torch.ones(" TESSERA_SIZES TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", make_call<ValueType::f32>},
  {"torch.rand", "torch.rand(" TESSERA_SIZES TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", make_call<ValueType::f32>},
  {"torch.randn", "torch.randn(" TESSERA_SIZES TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", make_call<ValueType::f32>},
  {"torch.full", "torch.full(size, fill_value, " TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", full_call},
  {"torch.randint", "torch.randint(low, high, size=, " TESSERA_OPTIONS, "PyTorch: a tensor, the last dimension contiguous", randint_call},
  {"torch.empty_like", "torch.empty_like(tensor, " TESSERA_OPTIONS, "PyTorch: a tensor with the strides of another", like_call},
  {"torch.zeros_like", "torch.zeros_like(tensor, " TESSERA_OPTIONS, "PyTorch: a tensor with the strides of another", like_call},
  {"torch.ones_like", "torch.ones_like(tensor, " TESSERA_OPTIONS, "PyTorch: a tensor with the strides of another", like_call},
  {"torch.rand_like", "torch.rand_like(tensor, " TESSERA_OPTIONS, "PyTorch: a tensor with the strides of another", like_call},
  {"torch.randn_like", "torch.randn_like(tensor, " TESSERA_OPTIONS, "PyTorch: a tensor with the strides of another", like_call},
  {"torch.device", "torch.device(name, index=)", "PyTorch: a device by its name", [](const Call& c) {
     return call_with(c, [](const std::string& name) { return name; }); }},
  {"torch.cuda.is_available", "torch.cuda.is_available()", "PyTorch: is there a GPU? There is one where a kernel runs", [](const Call&) {
     return Result<Value>(Value{true}); }},
  {"cutlass_torch.dtype", "cutlass_torch.dtype(type)", "cutlass.torch: torch's type of CUTLASS's", [](const Call& c) -> Result<Value> {
     TESSERA_TRY(type, argument<ValueType>(c, 0));
     return Value{std::string(cute_name(type))}; }},
  {"cutlass_torch.create_and_permute_torch_tensor",
   "cutlass_torch.create_and_permute_torch_tensor(shape, dtype, permute_order=, init_type=, init_config=, device=)",
   "cutlass.torch: a tensor whose dimensions are in another order", permuted_call},
  {"cutlass_torch.matrix", "cutlass_torch.matrix(l, mode0, mode1, is_mode0_major, cutlass_dtype, init_type=, init_config=, device=)",
   "cutlass.torch: a tensor (mode0,mode1,l)", matrix_call},
  {"cutlass_torch.convert_cute_tensor",
   "cutlass_torch.convert_cute_tensor(f32_torch_tensor, cute_tensor, dtype, is_dynamic_layout=, enable_tvm_ffi=)",
   "cutlass.torch: the tensor of CuTe, with other elements", converted_call},
  {"cutlass_torch.cute_tensor_like", "cutlass_torch.cute_tensor_like(data_ref, cutlass_dtype, is_dynamic_layout, assumed_align=, enable_tvm_ffi=)",
   "cutlass.torch: tensors of CuTe and of torch with the strides of another", tensor_like_call},
  {"cutlass_torch.default_stream", "cutlass_torch.default_stream()", "cutlass.torch: a stream", [](const Call&) {
     return Result<Value>(Value{std::string("stream")}); }},
  {"cutlass_torch.current_stream", "cutlass_torch.current_stream()", "cutlass.torch: a stream", [](const Call&) {
     return Result<Value>(Value{std::string("stream")}); }},
  {"RandomInitConfig", "RandomInitConfig(min_val=, max_val=)", "cutlass.torch: between which numbers a tensor's elements are", [](const Call&) {
     return Result<Value>(Value{std::string("RandomInitConfig")}); }},
  {"ScalarInitConfig", "ScalarInitConfig(value=)", "cutlass.torch: what a tensor's elements are", [](const Call&) {
     return Result<Value>(Value{std::string("ScalarInitConfig")}); }},
  {"GaussianInitConfig", "GaussianInitConfig(mean=, std=, scale=)", "cutlass.torch: how a tensor's elements spread", [](const Call&) {
     return Result<Value>(Value{std::string("GaussianInitConfig")}); }},
  {"from_dlpack", "from_dlpack(tensor, assumed_align=, use_32bit_stride=, enable_tvm_ffi=, force_tf32=)",
   "CuTe DSL: a tensor of torch as one of CuTe", from_dlpack_call},
  {"is_fp8_dtype", "is_fp8_dtype(dtype)", "CUTLASS: is the type Float8E4M3FN or Float8E5M2?", [](const Call& c) {
     return call_with(c, [](ValueType type) { return is_byte_float(type); }); }},
  {"create_cute_tensor_for_fp8",
   "create_cute_tensor_for_fp8(storage_tensor, dtype, leading_dim, source_f32_tensor=, assumed_align=, mark_dynamic_layout=)",
   "CUTLASS: a tensor of torch as one of CuTe, also of 8-bit floats", fp8_tensor_call},
  {"mark_layout_dynamic", "mark_layout_dynamic(tensor, leading_dim=)", "CuTe DSL: the tensor, whose extents and strides are the run's",
   mark_layout_call},
  {"mark_compact_shape_dynamic", "mark_compact_shape_dynamic(tensor, mode, stride_order=, divisibility=)",
   "CuTe DSL: the tensor, where one extent is the run's", mark_shape_call},
  {"LayoutEnum.from_tensor", "LayoutEnum.from_tensor(tensor)", "CUTLASS: ROW_MAJOR where mode 1 is contiguous, COL_MAJOR where mode 0 is",
   layout_enum_call},
  {"LayoutEnum.mma_major_mode", "LayoutEnum.mma_major_mode(layout)", "CUTLASS: K of ROW_MAJOR, MN of COL_MAJOR", mma_major_mode},
  {"LayoutEnum.sm90_mma_major_mode", "LayoutEnum.sm90_mma_major_mode(layout)", "CUTLASS: K of ROW_MAJOR, MN of COL_MAJOR", mma_major_mode},
  {"LayoutEnum.is_k_major_a", "LayoutEnum.is_k_major_a(layout)", "CUTLASS: is it ROW_MAJOR?", has_order<false>},
  {"LayoutEnum.is_m_major_a", "LayoutEnum.is_m_major_a(layout)", "CUTLASS: is it COL_MAJOR?", has_order<true>},
  {"LayoutEnum.is_k_major_b", "LayoutEnum.is_k_major_b(layout)", "CUTLASS: is it ROW_MAJOR?", has_order<false>},
  {"LayoutEnum.is_n_major_b", "LayoutEnum.is_n_major_b(layout)", "CUTLASS: is it COL_MAJOR?", has_order<true>},
  {"LayoutEnum.is_n_major_c", "LayoutEnum.is_n_major_c(layout)", "CUTLASS: is it ROW_MAJOR?", has_order<false>},
  {"LayoutEnum.is_m_major_c", "LayoutEnum.is_m_major_c(layout)", "CUTLASS: is it COL_MAJOR?", has_order<true>},
};
// clang-format on

#undef TESSERA_SIZES
#undef TESSERA_OPTIONS

}  // namespace

std::span<const Builtin> torch_builtins() { return kRows; }

}  // namespace tessera
