// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/likely.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/evaluate.hpp"

namespace tessera {
namespace {

enum class Sort : std::uint8_t {
  number,
  one,
  truth,
  pair,
  tile,
  problem,
  type,
  plain,
  smem,
  staged,
  matrix,
  batched,
  coordinates,
  major,
  atom,
  mma,
  thr_mma,
  copy_op,
  copy_atom,
  copy,
  thr_copy,
  fragment,
  pointer,
  swizzle,
  stride,
  group,
  three,
  repeat,
  vector,
  tiles,
  tma,
  leading,
  depth,
  local,
  thr_tma,
  square,
  threads,
  zero
};

struct Row {
  Sort sort;
  std::string_view text;
};
constexpr Row kRows[] = {
    {Sort::number, "128"},
    {Sort::one, "1"},
    {Sort::truth, "true"},
    {Sort::pair, "(128,64)"},
    {Sort::tile, "(128,128,64)"},
    {Sort::problem, "(512,256,128,2)"},
    {Sort::type, "half_t"},
    {Sort::type, "float"},
    {Sort::type, "uint128_t"},
    {Sort::stride, "(64,1,8192)"},
    {Sort::matrix, "make_tensor(make_gmem_ptr(half_t), (512,256):(256,1))"},
    {Sort::batched, "make_tensor(make_gmem_ptr(half_t), (512,256,2):(256,1,131072))"},
    {Sort::smem, "make_tensor(make_smem_ptr(half_t), Sw<3,3,3> o 0 o (128,64):(64,1))"},
    {Sort::staged, "make_tensor(make_smem_ptr(half_t), (128,64,3):(64,1,8192))"},
    {Sort::plain, "(128,64):(64,1)"},
    {Sort::coordinates, "make_identity_tensor((512,256))"},
    {Sort::fragment, "make_tensor(make_rmem_ptr(half_t), ((2,2),4,8):((1,2),4,16))"},
    {Sort::mma, "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16))"},
    {Sort::thr_mma, "get_slice(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16)), 0)"},
    {Sort::copy, "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8))"},
    {Sort::copy, "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,4):(4,1), (1,32))"},
    {Sort::thr_copy, "get_slice(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8)), 0)"},
    {Sort::atom, "SM80_16x8x16_F32F16F16F32_TN"},
    {Sort::copy_atom, "Copy_Atom<SM75_U32x4_LDSM_N, half_t>"},
    {Sort::copy_atom, "Copy_Atom<UniversalCopy<uint16_t>, half_t>"},
    {Sort::copy_op, "SM75_U32x4_LDSM_N"},
    {Sort::copy_op, "UniversalCopy<uint128_t>"},
    {Sort::pointer, "make_gmem_ptr(half_t)"},
    {Sort::swizzle, "Sw<3,3,3>"},
    {Sort::major, "\"K\""},
    {Sort::group, "\"ONE\""},
    {Sort::three, "3"},
    {Sort::repeat, "\"x32\""},
    {Sort::staged, "make_tensor(make_smem_ptr(half_t), Sw<3,3,3> o 0 o (128,64,3):(64,1,8192))"},
    {Sort::matrix, "make_tensor(make_gmem_ptr(float), (512,256):(256,1))"},
    {Sort::vector, "make_tensor(make_gmem_ptr(half_t), 4096:1)"},
    {Sort::stride, "(64,1)"},
    {Sort::stride, "(64,1,(8192,16384))"},
    {Sort::stride, "(64,1,8192,16384)"},
    {Sort::problem, "(512,256,128,2,4)"},
    {Sort::problem, "(512,256,128,(4,2))"},
    {Sort::problem, "((512,2),(256,2),(128,2),2)"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),(4,8)):((64,1),(8192,32768)))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), (128,64,4,8):(64,1,8192,32768))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8):((64,1),8192,16384,65536))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), (128,64,4,8,2):(64,1,8192,32768,262144))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2):((64,1),8192,16384,65536,524288))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2,2):((64,1),8192,16384,65536,524288,1048576))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2,2,2):((64,1),8192,16384,65536,524288,1048576,2097152))"},
    {Sort::tiles, "make_tensor(make_gmem_ptr(half_t), (((16,8),64),2,4,8):(((64,1024),1),8192,16384,65536))"},
    {Sort::type, "int8_t"},
    {Sort::thr_tma,
     "get_slice(make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), Sw<3,3,3> o 0 o (128,64):(64,1), "
     "(128,64), 1), 0)"},
    {Sort::tma,
     "make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), Sw<3,3,3> o 0 o (128,64):(64,1), (128,64), 1)"},
    {Sort::tma,
     "make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256,2):(256,1,131072)), Sw<3,3,3> o 0 o (128,64):(64,1), "
     "(128,64), 1)"},
    // Only where a name suggests them: three refusals in the same words end a search, and these say what rows above say too.
    {Sort::square, "(128,128):(1,128)"},
    {Sort::threads, "(16,8):(8,1)"},
    {Sort::zero, "0"},
    {Sort::leading, "(128,1)"},
    {Sort::depth, "64"},
    {Sort::local, "make_tensor(make_gmem_ptr(half_t), (128,64,4):(256,1,64))"},
};

const std::vector<Likely>& values() {
  static const std::vector<Likely> made = [] {
    std::vector<Likely> all;
    for (const Row& row : kRows) all.push_back({row.text, evaluate(row.text).value()});
    return all;
  }();
  return made;
}

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
Sort tensor_sort(std::string_view name) {
  const bool part = name[0] == 't' && name.size() > 2;
  if (name[0] == 'c' || (part && name.size() > 3 && name.substr(2, 1) == "c")) return Sort::coordinates;
  if (part) return Sort::fragment;
  if (name[0] == 's') return Sort::smem;
  if (name[0] == 'r') return Sort::fragment;
  const bool batch = name.find("mkl") != std::string_view::npos || name.find("nkl") != std::string_view::npos ||
                     name.find("mnl") != std::string_view::npos;
  return batch ? Sort::batched : Sort::matrix;
}

// Words of a name, and what they suggest: the first row that one of its words is part of.
struct Hint {
  std::vector<std::string_view> words;
  std::vector<Sort> sorts;
};
const std::vector<Hint>& hints() {
  using enum Sort;
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

std::vector<Sort> suggested(std::string_view path) {
  path = without_index(path);
  const std::size_t dot = path.find_last_of(".:");
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  if (name.empty()) return {};
  if (name == "bK") return {Sort::depth, Sort::number};
  if (name == "bM" || name == "bN" || name == "bP") return {Sort::number};                            // the block's extents
  if (path.starts_with("threadIdx.") || path.starts_with("blockIdx.")) return {Sort::zero};           // every kernel has these
  if (name.size() == 2 && name[0] == 't' && is_upper(name[1])) return {Sort::threads, Sort::matrix};  // tA, tB, tC: layouts of threads
  const std::string low = lower(name);
  if (names_tensor(name) && low.find("layout") != std::string::npos) return {Sort::plain, Sort::staged, Sort::tiles, Sort::smem};
  if (names_tensor(name) && tensor_sort(name) == Sort::smem)
    return {Sort::smem, Sort::staged, Sort::matrix, Sort::batched, Sort::tiles, Sort::fragment, Sort::coordinates};
  if (names_tensor(name) && name.size() == 2 && name[0] == 'g')  // a block's tiles: (BLK_M,BLK_K,k)
    return {Sort::matrix, Sort::local, Sort::batched, Sort::tiles, Sort::coordinates};
  if (names_tensor(name))
    return {tensor_sort(name), Sort::matrix, Sort::batched, Sort::tiles, Sort::smem, Sort::staged, Sort::fragment, Sort::coordinates};
  if (name == "dC" || name == "dD") return {Sort::leading, Sort::stride, Sort::number};
  if (name == "dA" || name == "dB") return {Sort::stride, Sort::leading, Sort::number};
  if (name == "A" || name == "B") return {Sort::pointer, Sort::number, Sort::matrix};
  if (low == "t" || (name.size() == 2 && name[0] == 'T' && is_upper(name[1]))) return {Sort::type, Sort::major};
  for (const Hint& hint : hints()) {
    for (const std::string_view word : hint.words) {
      if (low.find(word) != std::string::npos) return hint.sorts;
    }
  }
  return {Sort::number};
}

}  // namespace

bool is_likely_tensor(std::string_view path) {
  const std::vector<Sort> sorts = suggested(path);
  if (sorts.empty()) return false;
  for (const Sort each : {Sort::matrix, Sort::batched, Sort::smem, Sort::staged, Sort::plain, Sort::coordinates, Sort::fragment}) {
    if (sorts[0] == each) return true;
  }
  return false;
}

namespace {

// Each value once, in the order in which they are added.
void add_to(std::vector<const Likely*>& made, const Likely& value) {
  if (std::find(made.begin(), made.end(), &value) == made.end()) made.push_back(&value);
}

}  // namespace

std::vector<const Likely*> suggested_values(std::string_view name) {
  std::vector<const Likely*> made;
  const std::vector<Likely>& all = values();
  for (const Sort sort : suggested(name)) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kRows[i].sort == sort) add_to(made, all[i]);
    }
  }
  return made;
}

std::vector<const Likely*> likely_values(std::string_view name) {
  std::vector<const Likely*> made = suggested_values(name);
  for (const Likely& each : values()) add_to(made, each);
  return made;
}

}  // namespace tessera
