// SPDX-License-Identifier: BSD-3-Clause
// Tensor-memory fragments by CuTe's rules (mma_traits_sm100_frag.hpp of CUTLASS 4.7).
#include "core/atom/mma/tmem_fragment.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

// One atom, (m, n) -> data path + 128 * column.
Layout atom_in_tmem(std::int64_t m, std::int64_t n, bool pair, bool duplicated) {
  const auto make = [](IntTuple s0, IntTuple s1, IntTuple d0, IntTuple d1) {
    return Layout::trusted(IntTuple::tuple({std::move(s0), std::move(s1)}), IntTuple::tuple({std::move(d0), std::move(d1)}));
  };
  const auto two = [](std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); };
  if (!pair && m == 64) return make(two(16, 4), n, two(1, 32), 128);                    // half of each warp's 32 data paths
  if (pair && m == 32) return make(32, two(n / 4, 4), 1, two(128, 32));                 // columns in four quarters
  if (pair && m == 64 && !duplicated) return make(64, two(n / 2, 2), 1, two(128, 64));  // columns in two halves
  return make(128, n, 1, 128);  // all data paths; of a pair's 64 rows of A, each row twice
}

}  // namespace

TmemPlace tmem_place(std::int64_t address_in_bits) {
  const std::int64_t in_lane = address_in_bits % kTmemLaneBits;
  return {address_in_bits / kTmemLaneBits, in_lane / kTmemColumnBits, in_lane % kTmemColumnBits};
}

std::int64_t tmem_allocation(std::int64_t columns) {
  std::int64_t made = kTmemLeastColumns;
  while (made < columns) made *= 2;
  return made;
}

Result<std::vector<TmemRegister>> tmem_registers(const CopyTraits& copy) {
  const bool load = copy.ptx.starts_with("tcgen05.ld"), store = copy.ptx.starts_with("tcgen05.st");
  if ((!load && !store) || !copy.val_id)
    return Error{ErrorCode::wrong_type,
                 fmt::format("{} moves nothing between registers and tensor memory, as tcgen05.ld and tcgen05.st do", copy.name),
                 {},
                 {"for example SM100_TMEM_LOAD_32dp32b8x"}};
  const Layout& registers = load ? copy.layout_dst : copy.layout_src;  // (thr, val) -> bit
  std::vector<TmemRegister> made;
  for (std::int64_t thread = 0; thread < registers[0].size(); ++thread) {
    for (std::int64_t bit = 0; bit < registers[1].size(); bit += kTmemColumnBits) {
      const std::int64_t moved = registers[0](thread) + registers[1](bit);
      // A packed copy takes 16 of every 32 bits, two columns to a register: the first of them is named.
      made.push_back({thread, bit / kTmemColumnBits, tmem_place((*copy.val_id)(moved))});
    }
  }
  return made;
}

Result<Layout> tmem_fragment(const MmaAtom& atom, ValueType type, bool is_accumulator, const Shape& partition_shape) {
  const bool pair = atom.thr_id.size() == 2;
  const std::int64_t storage_bits = is_accumulator ? kTmemColumnBits : bits(type);
  const std::int64_t capacity = kTmemLanes * kTmemColumns * kTmemColumnBits;
  if (size(partition_shape) * storage_bits > capacity) {
    return Error{ErrorCode::limit,
                 fmt::format("{} elements of {} bits are more than tensor memory has: {} of {} bits", size(partition_shape), storage_bits,
                             size(partition_shape) * storage_bits, capacity),
                 {},
                 {"choose a smaller tile"}};
  }
  const Shape& tile = partition_shape[0];
  const std::int64_t m = size(tile[0]), n = size(tile[1]);
  const Layout one = atom_in_tmem(m, n, pair, !is_accumulator);
  // A in tensor memory needs C at the same data paths, so that 64-row atoms are not interleaved into the free halves.
  const bool skips_halves = !pair && m == 64 && atom.source_a == OperandSource::tensor_memory;
  std::vector<IntTuple> extents, strides;
  std::int64_t step = skips_halves ? 2 : 1;
  for (std::size_t i = 1; i < partition_shape.rank(); ++i) {
    TESSERA_TRY(mode, Layout::make_compact(partition_shape[i]));
    std::vector<IntTuple> leaves;
    for (const std::int64_t d : leaf_values(mode.stride())) leaves.emplace_back(d * step);
    extents.push_back(mode.shape());
    strides.push_back(with_profile(leaves, mode.shape()));
    step *= mode.size();
  }
  const Layout atoms = Layout::trusted(IntTuple::tuple(std::move(extents)), IntTuple::tuple(std::move(strides)));
  TESSERA_TRY(placed, tiled_product(one, Tiler(atoms)));
  // data path + 128 * column -> address
  const Layout address =
      Layout::trusted(IntTuple::tuple({kTmemLanes, 16384}), IntTuple::tuple({kTmemLaneBits / bits(type), storage_bits / bits(type)}));
  return composition(address, placed);
}

Result<Layout> tmem_scale_factors(const Shape& stage, TmemScales sharing) {
  constexpr std::int64_t kRows = 128;  // of a block of scale factors
  const auto pair = [](IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); };
  if (stage.rank() != 3 || stage[0].rank() != 2 || stage[0][1].rank() != 2 || !stage[0][1][0].is_int() || !stage[0][1][1].is_int()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("a stage of scale factors is ((MN,(vector,factors)),MN's tiles,K's tiles), but this is {}", to_string(stage)),
                 {},
                 {"one stage of what make_smem_layout_sfa or _sfb gives has that shape"}};
  }
  const std::int64_t rows = size(stage[0][0]), vector = stage[0][1][0].value(), factors = stage[0][1][1].value();
  if (rows % kRows != 0) {
    return Error{ErrorCode::not_divisible, fmt::format("{} rows of scale factors are no multiple of {}, a block's", rows, kRows), {}, {}};
  }
  const bool halves = sharing == TmemScales::two_by_two;
  const std::int64_t lane = kTmemLaneBits / 8, warp = kTmemLanesOfAWarp;
  const std::int64_t blocks = rows / warp / (halves ? 2 : 1);
  // (block, factor) -> column; the tiles fill what it leaves free, and follow it
  const Layout columns = Layout::trusted(pair(blocks, factors), pair(4, 1));
  TESSERA_TRY(compact, Layout::make_compact(halves ? pair(stage[1], stage[2]) : pair(stage[2], stage[1])));
  const Layout tiles = halves ? compact : make_layout(std::vector<Layout>{compact[1], compact[0]});
  TESSERA_TRY(all, tiled_product(columns, Tiler(tiles)));
  const IntTuple in_warp = pair(warp, blocks), in_warp_strides = pair(lane, 4);
  const IntTuple lanes = halves ? IntTuple::tuple({in_warp, 2, 2}) : pair(in_warp, 4);
  const IntTuple lane_strides =
      halves ? IntTuple::tuple({in_warp_strides, 2 * warp * lane, warp * lane}) : pair(in_warp_strides, warp * lane);
  const IntTuple factor_strides = pair(0, factors == 1 && !halves ? 0 : 1);
  return Layout::make(IntTuple::tuple({pair(lanes, pair(vector, factors)), all[1].shape(), all[2].shape()}),
                      IntTuple::tuple({pair(lane_strides, factor_strides), all[1].stride(), all[2].stride()}));
}

}  // namespace tessera
