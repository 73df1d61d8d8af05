// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/mma/blockwise_scales.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

IntTuple pair(IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); }

Result<std::int64_t> blocks_of(const IntTuple& extent, std::int64_t block) {
  if (block < 1) return Error{ErrorCode::out_of_range, fmt::format("a scale factor of {} elements", block), {}, {}};
  if (!extent.is_int() || extent.value() < 1)
    return Error{ErrorCode::wrong_type, fmt::format("an extent is wanted, but this is {}", to_string(extent)), {}, {}};
  return (extent.value() - 1) / block + 1;
}

struct Blocks {
  std::int64_t rows = 1, columns = 1;  // elements of one block
  IntTuple row_blocks, column_blocks;

  Shape shape() const { return pair(pair(rows, row_blocks), pair(columns, column_blocks)); }
  Stride strides(bool rows_first) const {
    return rows_first ? pair(pair(0, 1), pair(0, row_blocks)) : pair(pair(0, column_blocks), pair(0, 1));
  }
};

Result<Blocks> blocks_of(const BlockwiseScales& scales, ScaledOperand operand, const Shape& extents, unsigned mark) {
  const bool of_a = operand == ScaledOperand::a;
  Blocks made{of_a ? scales.m : scales.n, scales.k, {}, {}};
  TESSERA_TRY(rows, blocks_of(extents[of_a ? 0 : 1], made.rows));
  TESSERA_TRY(columns, blocks_of(extents[2], made.columns));
  made.row_blocks = IntTuple::marked(rows, mark), made.column_blocks = IntTuple::marked(columns, mark);
  return made;
}

}  // namespace

Result<Layout> scales_of_problem(const BlockwiseScales& scales, ScaledOperand operand, const Shape& problem) {
  if (problem.rank() != 3 && problem.rank() != 4) {
    return Error{ErrorCode::rank_mismatch, fmt::format("a problem is (M,N,K) or (M,N,K,L), but this is {}", to_string(problem)), {}, {}};
  }
  TESSERA_TRY(blocks, blocks_of(scales, operand, problem, marks::kDynamic));
  const Shape shape = blocks.shape();
  const Stride strides = blocks.strides(operand == ScaledOperand::a ? scales.a_mn : scales.b_mn);
  const IntTuple batch = problem.rank() == 4 ? problem[3] : IntTuple::marked(1, marks::kDynamic);
  TESSERA_TRY(one, checked_size(pair(blocks.row_blocks, blocks.column_blocks)));
  return Layout::make(IntTuple::tuple({shape[0], shape[1], batch}),
                      IntTuple::tuple({strides[0], strides[1], IntTuple::marked(one, marks::kDynamic)}));
}

Result<Layout> scales_of_tile(const BlockwiseScales& scales, ScaledOperand operand, const Shape& tile) {
  if (tile.rank() != 3) return Error{ErrorCode::rank_mismatch, fmt::format("a tile is (M,N,K), but this is {}", to_string(tile)), {}, {}};
  TESSERA_TRY(blocks, blocks_of(scales, operand, product_each(tile), marks::kStatic));
  return Layout::make(blocks.shape(), blocks.strides(scales.a_mn));
}

}  // namespace tessera
