// SPDX-License-Identifier: BSD-3-Clause
// The F2 matrix of a layout, and the layout of an F2 matrix.
#include "core/layout/bit_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

constexpr int kMostBits = 20;  // of a coordinate: every one of the 2^20 is compared

// Modes of two, one a column, merged as CuTe would.
Layout from_single_bits(const std::vector<std::int64_t>& columns) {
  FlatModes modes;
  for (const std::int64_t c : columns) modes.push_back({2, c, {}});
  if (modes.empty()) return Layout();
  coalesce_in_place(modes, false);
  return to_layout(modes);
}

bool single_bits(const std::vector<std::int64_t>& columns) {
  std::int64_t seen = 0;
  for (const std::int64_t c : columns) {
    if (c < 0 || (c & (c - 1)) != 0 || (c & seen) != 0) return false;
    seen |= c;
  }
  return true;
}

}  // namespace

Result<BitMatrix> bit_matrix(const AnyLayout& layout) {
  const std::int64_t n = size(layout);
  if (!std::has_single_bit(static_cast<std::uint64_t>(n))) {
    return Error{ErrorCode::not_representable,
                 fmt::format("a bit matrix needs a size that is a power of two, but {} has {}", to_string(layout), n),
                 {},
                 {}};
  }
  const int bits = std::countr_zero(static_cast<std::uint64_t>(n));
  if (bits > kMostBits) {
    return Error{ErrorCode::limit,
                 fmt::format("a bit matrix is made of at most {} coordinate bits, but {} has {}", kMostBits, to_string(layout), bits),
                 {},
                 {}};
  }
  if (layout_part(layout).has_basis()) {
    return Error{
        ErrorCode::wrong_type, fmt::format("a bit matrix needs integer strides, but {} goes to coordinates", to_string(layout)), {}, {}};
  }
  BitMatrix matrix;
  for (int k = 0; k < bits; ++k) matrix.columns.push_back(evaluate(layout, std::int64_t{1} << k));
  // Each value is that of the coordinate without its lowest bit, xor that bit's column.
  std::vector<std::int64_t> expected(static_cast<std::size_t>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0) {
      const int low = std::countr_zero(static_cast<std::uint64_t>(i));
      expected[static_cast<std::size_t>(i)] =
          expected[static_cast<std::size_t>(i & (i - 1))] ^ matrix.columns[static_cast<std::size_t>(low)];
    }
    const std::int64_t value = evaluate(layout, i);
    if (value == expected[static_cast<std::size_t>(i)]) continue;
    return Error{ErrorCode::not_representable,
                 fmt::format("{} is not linear over bits: at coordinate {} the xor of its bits' indices is {}, but its index is {}",
                             to_string(layout), to_string(idx2crd(i, shape(layout))), expected[static_cast<std::size_t>(i)], value),
                 {},
                 {}};
  }
  return matrix;
}

Result<AnyLayout> from_bit_matrix(const BitMatrix& matrix) {
  const auto& columns = matrix.columns;
  if (columns.size() > 62 || std::any_of(columns.begin(), columns.end(), [](std::int64_t c) { return c < 0 || c >= kLargestIndex / 2; })) {
    return Error{ErrorCode::limit, "a bit matrix has at most 62 columns, each between 0 and 2^61", {}, {}};
  }
  if (single_bits(columns)) return AnyLayout(from_single_bits(columns));
  int highest = 0;
  for (const std::int64_t c : columns) highest = std::max(highest, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(c))));
  for (int bits = 1; bits <= highest / 2; ++bits) {
    for (int base = 0; base + 2 * bits <= highest; ++base) {
      for (int distance = bits; base + bits + distance <= highest; ++distance) {
        for (const int shift : {distance, -distance}) {
          const auto swizzle = Swizzle::make(bits, base, shift);
          if (!swizzle) continue;
          std::vector<std::int64_t> plain;
          for (const std::int64_t c : columns) plain.push_back((*swizzle)(c));
          if (single_bits(plain)) return composition(*swizzle, 0, from_single_bits(plain));
        }
      }
    }
  }
  return Error{ErrorCode::not_representable,
               "no swizzle before a layout has this bit matrix: after any Sw<B,M,S> some column still has several bits",
               {},
               {}};
}

std::string to_string(const BitMatrix& matrix) {
  int rows = 1;
  for (const std::int64_t c : matrix.columns) rows = std::max(rows, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(c))));
  std::string out;
  for (int r = rows; r-- > 0;) {
    for (const std::int64_t c : matrix.columns) out += (c >> r & 1) != 0 ? '1' : '0';
    if (r > 0) out += '\n';
  }
  return out;
}

}  // namespace tessera
