// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/naming.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// CuTe's names of tensors: mA, gA, sA, rA, cA, tAgA, tCsB_copy_view, tCrC.
bool names_tensor(std::string_view name) {
  std::size_t small = 0;
  while (small < name.size() && is_lower(name[small])) ++small;
  const bool part = small == 1 && name[0] == 't' && name.size() > 2;  // tCsA, tTR_gD, tDgD
  const bool whole = small >= 1 && small <= 2 && name.size() > small && is_upper(name[small]) &&
                     std::string_view("mgsrct").find(name[0]) != std::string_view::npos;
  return part || whole;
}

// What part of a tensor's name says where it lies: the letter in front of the last capital, as in tCsA.
NameSort tensor_sort(std::string_view name) {
  const bool part = name[0] == 't' && name.size() > 2;
  if (name[0] == 'c' || (part && name.size() > 3 && name.substr(2, 1) == "c")) return NameSort::coordinates;
  if (part) return NameSort::fragment;
  if (name[0] == 's') return NameSort::smem;
  if (name[0] == 'r') return NameSort::fragment;
  const bool batch = name.find("mkl") != std::string_view::npos || name.find("nkl") != std::string_view::npos ||
                     name.find("mnl") != std::string_view::npos;
  return batch ? NameSort::batched : NameSort::matrix;
}

// Words of a name, and what they suggest: the first row that one of its words is part of.
struct Hint {
  std::vector<std::string_view> words;
  std::vector<NameSort> sorts;
};
const std::vector<Hint>& hints() {
  using enum NameSort;
  static const std::vector<Hint> all = {
      {{"cta_group"}, {group}},
      {{"barrier", "mbar"}, {number, pointer}},
      {{"num_", "_per_", "padding", "count", "_cnt", "k_tile", "ktile"}, {number, one}},
      {{"bits", "mbase", "shift"}, {three, number}},
      {{"repeat"}, {repeat, number}},
      {{"tensor"}, {matrix, batched, tiles, smem, staged, fragment, coordinates}},
      {{"layout_enum", "is_", "has_", "use_", "enable"}, {truth, number}},
      {{"dtype", "element", "valtype", "type", "elem"}, {type, major}},
      {{"major"}, {major, truth, number}},
      {{"thr_mma", "thrmma", "thread_mma", "cta_mma"}, {thr_mma, mma}},
      {{"mma_tile", "mmatile", "tile_shape", "tileshape", "mma_shape"}, {tile, pair}},
      {{"mma_atom", "mmaatom", "mma_op"}, {atom, mma}},
      {{"tiled_mma", "tiledmma"}, {mma, atom}},
      {{"thr_layout_vmnk", "layout_vmnk"}, {tiles, plain}},
      {{"threadlayout", "thread_layout", "thrlayout", "thr_layout"}, {threads, tiles, plain}},
      {{"csmemlayout"}, {square, plain, smem}},
      {{"smemlayout", "smem_layout", "layoutatom", "layout_atom", "swizzle_atom"}, {plain, smem, staged, tiles}},
      {{"layout"}, {plain, staged, tiles, tile}},
      {{"mma"}, {mma, thr_mma, atom, tile}},
      {{"thr_copy", "thrcopy", "thread_copy"}, {thr_copy, thr_mma}},
      {{"tiled_copy", "tiledcopy"}, {copy, thr_copy}},
      {{"copy_atom", "copyatom", "atom_copy", "load_atom", "store_atom"}, {copy_atom, copy_op, copy}},
      {{"copy_op", "copyop", "load_op", "store_op"}, {copy_op, copy_atom}},
      {{"copy"}, {copy, thr_copy, copy_atom, copy_op}},
      {{"thr_", "thread_r", "thread_s", "thread_g"}, {thr_copy, thr_mma, number}},
      {{"atom"}, {copy_atom, atom, copy_op, plain}},
      {{"block_tma", "cta_tma", "thr_tma", "blk_tma"}, {thr_tma, thr_copy}},
      {{"tma"}, {tma, copy, thr_copy, tiles, copy_atom}},
      {{"tiled_"}, {copy, thr_copy, tiles, copy_atom}},
      {{"g2s", "s2r", "r2s", "r2g", "t2r", "s2g", "g2r", "r2t", "s2t"}, {thr_copy, copy, copy_atom}},
      {{"swizzle"}, {swizzle, number, smem}},
      {{"problem", "mnkl"}, {problem, tile}},
      {{"stride"}, {stride, pair, number}},
      {{"tiler", "tile", "shape", "mnk", "cluster", "_mn"}, {tile, pair, number, problem, tiles}},
      {{"coord", "crd"}, {one, tile, pair}},
      {{"ptr", "iterator", "pointer"}, {pointer}},
      {{"block_", "host_", "buffer"}, {pointer, number, matrix}},
      {{"idx", "index", "thread", "stage", "tid", "rank", "warp"}, {one, number}},
      {{"acc", "frag"}, {fragment, matrix, tiles, batched, smem}},
  };
  return all;
}

// stride_A.at(i) and stride_A[i] are called as their array is.
std::string_view without_index(std::string_view path) {
  if (path.ends_with(']')) return path.substr(0, path.find('['));
  const std::size_t at = path.find(".at(");
  return path.ends_with(')') && at != std::string_view::npos ? path.substr(0, at) : path;
}

}  // namespace

bool names_vector(std::string_view name) {
  return name == "thrust::device_vector" || name == "thrust::host_vector" || name == "std::vector";
}

bool names_place(std::string_view path) {
  constexpr std::string_view kDsl[] = {"arch.warp_idx", "arch.lane_idx", "arch.block_idx_in_cluster"};
  constexpr std::string_view kCpp[] = {"canonical_warp_idx_sync", "canonical_warp_idx",    "canonical_warp_group_idx",
                                       "canonical_lane_idx",      "block_rank_in_cluster", "elect_one_sync"};
  if (path.starts_with("threadIdx.") || path.starts_with("blockIdx.") || names_place_vector(path)) return true;
  const std::string_view name = path.substr(path.rfind(':') == std::string_view::npos ? 0 : path.rfind(':') + 1);
  return std::any_of(std::begin(kDsl), std::end(kDsl), [&](std::string_view each) { return path.ends_with(each); }) ||
         std::find(std::begin(kCpp), std::end(kCpp), name) != std::end(kCpp);
}

bool names_place_vector(std::string_view path) {
  constexpr std::string_view kDsl[] = {"arch.thread_idx", "arch.block_idx", "arch.cluster_idx", "arch.block_in_cluster_idx"};
  return std::any_of(std::begin(kDsl), std::end(kDsl), [&](std::string_view each) { return path.ends_with(each); });
}

bool names_block(std::string_view path) {
  return names_place(path) && (path.find("block") != std::string_view::npos || path.find("cluster") != std::string_view::npos);
}

bool names_launch(std::string_view path) {
  constexpr std::string_view kDsl[] = {"arch.grid_dim", "arch.block_dim", "arch.cluster_dim"};
  if (path.starts_with("blockDim.") || path.starts_with("gridDim.")) return true;
  return std::any_of(std::begin(kDsl), std::end(kDsl), [&](std::string_view each) { return path.ends_with(each); });
}

std::vector<NameSort> sorts_of_name(std::string_view path) {
  path = without_index(path);
  const std::size_t dot = path.find_last_of(".:");
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  if (name.empty()) return {};
  if (name == "bK") return {NameSort::depth, NameSort::number};
  if (name == "bM" || name == "bN" || name == "bP") return {NameSort::number};  // the block's extents
  if (names_place(path)) return {names_place_vector(path) ? NameSort::zeros : NameSort::zero};
  if (name.size() == 2 && name[0] == 't' && is_upper(name[1]))
    return {NameSort::threads, NameSort::matrix};  // tA, tB, tC: layouts of threads
  const std::string low = lower(name);
  if (names_tensor(name) && low.find("layout") != std::string::npos)
    return {NameSort::plain, NameSort::staged, NameSort::tiles, NameSort::smem};
  if (names_tensor(name) && tensor_sort(name) == NameSort::smem)
    return {NameSort::smem,  NameSort::staged,   NameSort::matrix,     NameSort::batched,
            NameSort::tiles, NameSort::fragment, NameSort::coordinates};
  if (names_tensor(name) && name.size() == 2 && name[0] == 'g')  // a block's tiles: (BLK_M,BLK_K,k)
    return {NameSort::matrix, NameSort::local, NameSort::batched, NameSort::tiles, NameSort::coordinates};
  if (names_tensor(name))
    return {tensor_sort(name), NameSort::matrix, NameSort::batched,  NameSort::tiles,
            NameSort::smem,    NameSort::staged, NameSort::fragment, NameSort::coordinates};
  if (name == "dC" || name == "dD") return {NameSort::leading, NameSort::stride, NameSort::number};
  if (name == "dA" || name == "dB") return {NameSort::stride, NameSort::leading, NameSort::number};
  if (name == "A" || name == "B") return {NameSort::pointer, NameSort::number, NameSort::matrix};
  if (low == "t" || (name.size() == 2 && name[0] == 'T' && is_upper(name[1]))) return {NameSort::type, NameSort::major};
  for (const Hint& hint : hints()) {
    for (const std::string_view word : hint.words) {
      if (low.find(word) != std::string::npos) return hint.sorts;
    }
  }
  return {NameSort::number};
}

bool names_a_tensor(std::string_view path) {
  const std::vector<NameSort> sorts = sorts_of_name(path);
  if (sorts.empty()) return false;
  for (const NameSort each : {NameSort::matrix, NameSort::batched, NameSort::smem, NameSort::staged, NameSort::plain, NameSort::coordinates,
                              NameSort::fragment}) {
    if (sorts[0] == each) return true;
  }
  return false;
}

}  // namespace tessera
