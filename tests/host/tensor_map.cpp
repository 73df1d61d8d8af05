// SPDX-License-Identifier: BSD-3-Clause
#include "tests/host/tensor_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::host {
namespace {

constexpr unsigned long long kMagic = 0x7e55'e7a0'7e50'3a90;  // what no other bytes are

Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

}  // namespace

Result<HostTensorMap> tensor_map(const plan::TensorMap& map, const plan::Tensor& tensor, std::span<std::byte> memory) {
  const Layout& layout = plain_part(tensor.layout);  // (row, column) or (column, row) -> element
  const std::int64_t bytes = bits(tensor.type) / 8;
  if (layout.rank() != 2 || !layout.shape()[0].is_int() || !layout.shape()[1].is_int())
    return fault(fmt::format("{} = {} is no matrix", tensor.name, to_string(tensor.layout)));
  const std::size_t across = layout.stride()[1].value() == 1 ? 0 : 1;  // the mode that counts rows
  if (layout.stride()[1 - across].value() != 1)
    return fault(fmt::format("{} = {} has no rows that are contiguous", tensor.name, to_string(tensor.layout)));
  if (static_cast<std::int64_t>(memory.size()) < tensor.elements * bytes)
    return fault(fmt::format("{} has {} bytes of {}", tensor.name, memory.size(), tensor.elements * bytes));
  HostTensorMap made{};
  made.magic = kMagic;
  made.base = reinterpret_cast<unsigned char*>(memory.data());
  made.rows = layout.shape()[across].value(), made.columns = layout.shape()[1 - across].value() - map.left_over;
  made.pitch_bytes = layout.stride()[across].value() * bytes;
  made.element_bytes = static_cast<int>(bytes);
  made.box_rows = static_cast<int>(map.box_rows), made.box_columns = static_cast<int>(map.box_columns);
  made.swizzle_bytes = map.swizzle_bytes;
  made.rounds_to_tf32 = tensor.type == ValueType::tf32;
  made.dimensions = 2, made.matrices = 1, made.batch_bytes = 0;
  TESSERA_CHECK(check_tensor_map(made));
  return made;
}

Result<std::vector<HostTensorMap>> tensor_maps(const GemmPlan& plan, std::span<std::byte> a, std::span<std::byte> b,
                                               std::span<std::byte> c) {
  std::vector<HostTensorMap> all;
  for (const plan::TensorMap& map : plan.maps) {
    const plan::Tensor& tensor = plan.tensors[map.tensor];
    TESSERA_TRY(made, tensor_map(map, tensor, tensor.operand == Operand::a ? a : tensor.operand == Operand::b ? b : c));
    if (plan.is_batched())
      made.dimensions = 3, made.matrices = plan.batch, made.batch_bytes = tensor.batch_elements * bits(tensor.type) / 8;
    all.push_back(made);
  }
  return all;
}

Status check_tensor_map(const HostTensorMap& map) {
  const int inner = map.box_columns * map.element_bytes;
  if (map.magic != kMagic) return fault("a copy by TMA gets a pointer that is to no tensor map");
  if (map.pitch_bytes % 16 != 0) return fault(fmt::format("a tensor map has rows of {} bytes; TMA takes multiples of 16", map.pitch_bytes));
  if (map.box_rows < 1 || map.box_rows > 256 || map.box_columns < 1 || map.box_columns > 256 || inner % 16 != 0)
    return fault(fmt::format("a tensor map has boxes of {} rows of {} bytes", map.box_rows, inner));
  if (map.swizzle_bytes != 0 && inner != map.swizzle_bytes)
    return fault(fmt::format("a tensor map swizzles by {} bytes, and its boxes have rows of {}", map.swizzle_bytes, inner));
  return Done{};
}

std::int64_t box_bytes(const HostTensorMap& map) { return static_cast<std::int64_t>(map.box_rows) * map.box_columns * map.element_bytes; }

std::int64_t swizzled(std::int64_t address, int swizzle_bytes) {
  return swizzle_bytes == 0 ? address : address ^ ((address >> 7 & (swizzle_bytes / 16 - 1)) << 4);
}

void for_each_element(const HostTensorMap& map, const BoxPlace& at, std::int64_t shared_address, bool is_store, const VisitElement& visit) {
  const auto& [row, column, matrix] = at;
  const std::int64_t unit = is_store ? plan::kStoredUnit / map.element_bytes : 1;
  for (std::int64_t r = 0; r < map.box_rows; ++r) {
    for (std::int64_t c = 0; c < map.box_columns; ++c) {
      const std::int64_t first = column + c - (column + c) % unit;  // that goes with it
      const bool inside = matrix >= 0 && matrix < std::max<std::int64_t>(1, map.matrices) && row + r >= 0 && row + r < map.rows &&
                          column + c >= 0 && first < map.columns;
      unsigned char* const global =
          inside ? map.base + matrix * map.batch_bytes + (row + r) * map.pitch_bytes + (column + c) * map.element_bytes : nullptr;
      visit(swizzled(shared_address + (r * map.box_columns + c) * map.element_bytes, map.swizzle_bytes), global, map.element_bytes);
    }
  }
}

}  // namespace tessera::host
