// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/padding.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <variant>
#include <vector>

#include "core/layout/algebra.hpp"

namespace tessera {

Padding padding_of(const AnyLayout& any) {
  constexpr std::int64_t kMost = 16;
  const auto* layout = std::get_if<Layout>(&any);
  if (!layout || layout->rank() != 2 || layout->has_basis()) return {};
  for (const bool columns : {true, false}) {
    const Layout contiguous = coalesce((*layout)[columns ? 1 : 0]), other = (*layout)[columns ? 0 : 1];
    const std::int64_t extent = contiguous.size();
    if (contiguous.shape().is_tuple() || extent < 2 || contiguous.stride().value() != 1) continue;
    std::vector<std::int64_t> strides = leaf_values(other.stride()), extents = leaf_values(other.shape());
    std::int64_t pitch = 0;
    for (std::size_t i = 0; i < strides.size(); ++i) {
      if (extents[i] > 1) pitch = std::gcd(pitch, strides[i]);
    }
    if (pitch > extent && pitch - extent <= std::min(kMost, extent) && other.cosize() == (other.size() - 1) * pitch + 1)
      return {columns, pitch - extent, pitch};
  }
  return {};
}

}  // namespace tessera
