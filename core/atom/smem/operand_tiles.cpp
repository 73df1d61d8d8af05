// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/smem/operand_tiles.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kBlockRows = 128, kBlockFactors = 4;  // of a block of scale factors

IntTuple tuple(std::vector<IntTuple> modes) { return IntTuple::tuple(std::move(modes)); }

Error not_whole(std::string_view what, std::int64_t extent, std::int64_t of) {
  return {ErrorCode::not_divisible, fmt::format("{} is {}, no multiple of {}", what, extent, of), {}, {}};
}

// The extents of a CTA's tile, each one number.
Result<std::array<std::int64_t, 3>> extents_of(const Shape& tile_mnk) {
  if (tile_mnk.rank() != 3)
    return Error{ErrorCode::rank_mismatch, fmt::format("a tile (M,N,K) has three modes, but this is {}", to_string(tile_mnk)), {}, {}};
  return std::array{size(tile_mnk[0]), size(tile_mnk[1]), size(tile_mnk[2])};
}

// Of one CTA's tile: the rows of A that are its own, or the columns of B, whose scale factors come in whole blocks.
Result<std::int64_t> rows_of_factors(const TiledMma& mma, Operand operand, const std::array<std::int64_t, 3>& tile) {
  if (operand == Operand::b) return (tile[1] + kBlockRows - 1) / kBlockRows * kBlockRows;
  const std::int64_t ctas = mma.atom().thr_id.size();
  if (tile[0] % ctas != 0) return not_whole("M of the tile", tile[0], ctas);
  return tile[0] / ctas;
}

// Scale factors that one instruction takes along K.
Result<std::int64_t> factors_of_instruction(const TiledMma& mma, std::int64_t vector) {
  const std::int64_t k = shape_extent(mma.atom(), 2);
  if (vector < 1 || k % vector != 0 || kBlockFactors % (k / vector) != 0) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("{} takes {} elements along K, which are no 1, 2 or 4 vectors of {}", mma.atom().name, k, vector),
                 {},
                 {}};
  }
  return k / vector;
}

}  // namespace

Result<std::string> widest_smem_rows(ValueType type, std::int64_t contiguous) {
  const std::int64_t row_bits = contiguous * bits(type);
  if (contiguous < 1 || contiguous % 8 != 0 || row_bits % 128 != 0) {
    return Error{
        ErrorCode::not_divisible,
        fmt::format("{} elements of {} bits side by side are no whole number of 16 bytes and of 8 elements", contiguous, bits(type)),
        {},
        {"the contiguous mode of an operand in shared memory is made of units of 16 bytes"}};
  }
  for (const std::int64_t bytes : {128, 64, 32}) {
    if (row_bits % (bytes * 8) == 0) return fmt::format("SW{}", bytes);
  }
  return std::string("INTER");
}

Result<AnyLayout> dsl_smem_block(std::string_view kind, ValueType type) {
  const bool wide_units = kind.ends_with("_32B");
  TESSERA_TRY(atom, find_smem_atom(fmt::format("{}::Layout_{}_Atom<{}>", wide_units ? "UMMA" : "GMMA", kind, cute_name(type))));
  if (!wide_units) return std::move(atom.layout);
  const std::int64_t contiguous = std::int64_t{8} * atom.row_bytes / bits(type);
  return composition(get_swizzle(atom.layout), 0, Layout::trusted(tuple({contiguous, 8}), tuple({1, contiguous})));
}

Result<AnyLayout> tile_to_mma_shape(const AnyLayout& block, const Shape& mma_tile_shape, const std::optional<IntTuple>& order) {
  if (mma_tile_shape.rank() < 3 || mma_tile_shape[0].rank() != 2) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{} is no shape of a partition ((MMA_M,MMA_K),M,K,..)", to_string(mma_tile_shape)),
                 {},
                 {"partition_shape_A(mma, (M,K)) gives it"}};
  }
  std::vector<IntTuple> tile{tuple({mma_tile_shape[0][0], mma_tile_shape[1]}), tuple({mma_tile_shape[0][1], mma_tile_shape[2]})};
  for (std::size_t i = 3; i < mma_tile_shape.rank(); ++i) tile.push_back(mma_tile_shape[i]);
  const Shape target = tuple(std::move(tile));
  TESSERA_TRY(tiled, order ? tile_to_shape(block, target, *order) : tile_to_shape(block, target));
  return tiled_divide(tiled, to_tiler(product_each(mma_tile_shape[0])));
}

Layout scale_factor_block(std::int64_t vector, bool k_major) {
  const IntTuple rows = tuple({32, 4}), row_strides = tuple({16, 4}), factors = tuple({vector, kBlockFactors}), strides = tuple({0, 1});
  return k_major ? Layout::trusted(tuple({rows, factors}), tuple({row_strides, strides}))
                 : Layout::trusted(tuple({factors, rows}), tuple({strides, row_strides}));
}

Result<Layout> scale_factors_of(const Shape& shape, std::int64_t vector) {
  if (vector < 1 || vector > kLargestIndex / (kBlockRows * kBlockFactors))
    return Error{ErrorCode::out_of_range, fmt::format("a scale factor of {} elements", vector), {}, {}};
  if (shape.rank() != 2 && shape.rank() != 3) {
    return Error{
        ErrorCode::rank_mismatch, fmt::format("scale factors are of a tensor (M,K) or (M,K,L), but this is {}", to_string(shape)), {}, {}};
  }
  std::vector<IntTuple> whole(shape.modes().begin(), shape.modes().end());
  const std::int64_t block[] = {kBlockRows, kBlockFactors * vector};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!whole[i].is_int() || whole[i].value() < 1) continue;
    const std::int64_t blocks = (whole[i].value() - 1) / block[i] + 1;
    const auto extent = checked_mul(blocks, block[i]);
    if (!extent) return Error{ErrorCode::overflow, fmt::format("blocks of scale factors over {} leave 64 bits", to_string(shape)), {}, {}};
    whole[i] = IntTuple::marked(*extent, whole[i].mark());
  }
  return tile_to_shape(scale_factor_block(vector), tuple(std::move(whole)), shape.rank() == 2 ? tuple({2, 1}) : tuple({2, 1, 3}));
}

Result<Layout> smem_scale_factors(const TiledMma& mma, Operand operand, const Shape& tile_mnk, std::int64_t vector, std::int64_t stages) {
  TESSERA_TRY(tile, extents_of(tile_mnk));
  TESSERA_TRY(rows, rows_of_factors(mma, operand, tile));
  const std::size_t mode = operand == Operand::a ? 0 : 1;
  const std::int64_t instructions = tile[mode] / shape_extent(mma.atom(), mode), instructions_k = tile[2] / shape_extent(mma.atom(), 2);
  TESSERA_TRY(all, scale_factors_of(tuple({rows, tile[2]}), vector));
  TESSERA_TRY(of_one, shape_div(tuple({rows, tile[2]}), tuple({instructions, instructions_k})));
  TESSERA_TRY(divided, tiled_divide(all, to_tiler(of_one)));
  TESSERA_TRY(blocks, logical_divide(divided, Tiler(std::vector<Tiler>{to_tiler(tuple({kBlockRows, vector}))})));
  std::vector<Layout> modes;
  for (std::size_t i = 0; i < blocks.rank(); ++i) modes.push_back(blocks[i]);
  modes.push_back(Layout::trusted(stages, filter_zeros(blocks).cosize()));
  return make_layout(modes);
}

Result<Layout> deduced_scale_factors(const TiledMma& mma, Operand operand, const Shape& tile_mnk, std::int64_t vector) {
  TESSERA_TRY(tile, extents_of(tile_mnk));
  TESSERA_TRY(rows, rows_of_factors(mma, operand, tile));
  TESSERA_TRY(factors, factors_of_instruction(mma, vector));
  if (rows % kBlockRows != 0) return not_whole("the extent of a CTA's rows", rows, kBlockRows);
  if (tile[2] % (vector * kBlockFactors) != 0) return not_whole("K of the tile", tile[2], vector * kBlockFactors);
  const std::int64_t blocks = rows / kBlockRows, elements = kBlockRows * kBlockFactors;
  const IntTuple of_mma = tuple({tuple({tuple({32, 4}), blocks}), tuple({vector, factors})});
  const IntTuple strides = tuple({tuple({tuple({16, 4}), elements}), tuple({0, 1})});
  return Layout::make(tuple({of_mma, 1, tuple({kBlockFactors / factors, tile[2] / vector / kBlockFactors})}),
                      tuple({strides, 0, tuple({factors, blocks * elements})}));
}

}  // namespace tessera
