// SPDX-License-Identifier: BSD-3-Clause
// PyTorch's tensors, as far as their layout goes: shape, strides, type and device. They are no tensors of CuTe: from_dlpack makes those.
//
//   torch.empty((1, 4, 8), dtype=torch.float16).permute(1, 2, 0)      shape (4,8,1), strides (8,1,32)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct TorchTensor {
  std::vector<std::int64_t> shape, stride;  // in elements
  ValueType type = ValueType::f32;
  bool on_device = false;
};

// Refused where the extents are negative, or their product leaves 64 bits.
Result<TorchTensor> contiguous_tensor(std::vector<std::int64_t> shape, ValueType type, bool on_device);
// The same places in elements of another type; torch keeps the strides of a tensor whose elements leave no holes. Refused for others.
Result<TorchTensor> like_tensor(const TorchTensor& tensor, ValueType type, bool on_device);
// The strides of the dimensions in another order: refused where it is no order of all of them.
Result<TorchTensor> permuted_tensor(const TorchTensor& tensor, const std::vector<std::int64_t>& order);

// An object with torch.Tensor's members and methods.
Value torch_value(const TorchTensor& tensor);
// Nothing where the value is no tensor of torch.
std::optional<TorchTensor> as_torch_tensor(const Value& value);

// half_t of torch.float16; nothing for other names.
std::optional<ValueType> torch_type(std::string_view name);

}  // namespace tessera
