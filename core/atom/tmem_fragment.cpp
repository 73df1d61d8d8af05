// SPDX-License-Identifier: BSD-3-Clause
// Tensor-memory fragments by CuTe's rules (mma_traits_sm100_frag.hpp of CUTLASS 4.7).
#include "core/atom/tmem_fragment.hpp"

#include <fmt/format.h>

#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kDataPaths = 128, kColumns = 512, kColumnBits = 32;
constexpr std::int64_t kDataPathBits = std::int64_t{1} << 21;  // address distance of two data paths

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

Result<Layout> tmem_fragment(const MmaAtom& atom, ValueType type, bool is_accumulator, const Shape& partition_shape) {
  const bool pair = atom.thr_id.size() == 2;
  const std::int64_t storage_bits = is_accumulator ? kColumnBits : bits(type);
  const std::int64_t capacity = kDataPaths * kColumns * kColumnBits;
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
      Layout::trusted(IntTuple::tuple({kDataPaths, 16384}), IntTuple::tuple({kDataPathBits / bits(type), storage_bits / bits(type)}));
  return composition(address, placed);
}

}  // namespace tessera
