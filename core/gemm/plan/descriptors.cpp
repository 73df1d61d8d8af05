// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/descriptors.hpp"

#include <cstdint>
#include <optional>

namespace tessera::plan {

std::optional<MatrixOfRows> matrix_of_rows(const Tensor& gmem) {
  const Layout& layout = plain_part(gmem.layout);
  if (layout.rank() != 2 || !layout.shape()[0].is_int() || !layout.shape()[1].is_int()) return std::nullopt;
  const std::int64_t extent_0 = layout.shape()[0].value(), extent_1 = layout.shape()[1].value();
  const std::int64_t stride_0 = layout.stride()[0].value(), stride_1 = layout.stride()[1].value();
  if (stride_1 == 1) return MatrixOfRows{extent_0, extent_1, stride_0, false};
  if (stride_0 == 1) return MatrixOfRows{extent_1, extent_0, stride_1, true};
  return std::nullopt;
}

std::int64_t offset_of(const Descriptor& descriptor, ValueType type, std::int64_t mn, std::int64_t k) {
  const std::int64_t of_row = descriptor.swizzle_bytes * 8 / bits(type);  // elements
  const std::int64_t row = descriptor.mn_major ? k : mn;
  const std::int64_t in_row =
      descriptor.mn_major ? mn / of_row * descriptor.leading_bytes + mn % of_row * bits(type) / 8 : k * bits(type) / 8;
  return row / kSwizzledRows * descriptor.stride_bytes + row % kSwizzledRows * descriptor.swizzle_bytes + in_row;
}

std::int64_t swizzled(int swizzle_bytes, std::int64_t address) {
  constexpr int kUnit = 16, kRow = 128;  // bytes
  if (swizzle_bytes == 0) return address;
  return address ^ address / kRow % (swizzle_bytes / kUnit) * kUnit;
}

}  // namespace tessera::plan
