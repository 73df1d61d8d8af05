// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/likely.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/syntax/naming.hpp"

namespace tessera {
namespace {

struct Row {
  NameSort sort;
  std::string_view text;
};
constexpr Row kRows[] = {
    {NameSort::number, "128"},
    {NameSort::one, "1"},
    {NameSort::truth, "true"},
    {NameSort::pair, "(128,64)"},
    {NameSort::tile, "(128,128,64)"},
    {NameSort::problem, "(512,256,128,2)"},
    {NameSort::type, "half_t"},
    {NameSort::type, "float"},
    {NameSort::type, "uint128_t"},
    {NameSort::stride, "(64,1,8192)"},
    {NameSort::matrix, "make_tensor(make_gmem_ptr(half_t), (512,256):(256,1))"},
    {NameSort::batched, "make_tensor(make_gmem_ptr(half_t), (512,256,2):(256,1,131072))"},
    {NameSort::smem, "make_tensor(make_smem_ptr(half_t), Sw<3,3,3> o 0 o (128,64):(64,1))"},
    {NameSort::staged, "make_tensor(make_smem_ptr(half_t), (128,64,3):(64,1,8192))"},
    {NameSort::plain, "(128,64):(64,1)"},
    {NameSort::coordinates, "make_identity_tensor((512,256))"},
    {NameSort::fragment, "make_tensor(make_rmem_ptr(half_t), ((2,2),4,8):((1,2),4,16))"},
    {NameSort::mma, "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16))"},
    {NameSort::thr_mma, "get_slice(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16)), 0)"},
    {NameSort::copy, "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8))"},
    {NameSort::copy, "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,4):(4,1), (1,32))"},
    {NameSort::thr_copy, "get_slice(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8)), 0)"},
    {NameSort::atom, "SM80_16x8x16_F32F16F16F32_TN"},
    {NameSort::copy_atom, "Copy_Atom<SM75_U32x4_LDSM_N, half_t>"},
    {NameSort::copy_atom, "Copy_Atom<UniversalCopy<uint16_t>, half_t>"},
    {NameSort::copy_op, "SM75_U32x4_LDSM_N"},
    {NameSort::copy_op, "UniversalCopy<uint128_t>"},
    {NameSort::pointer, "make_gmem_ptr(half_t)"},
    {NameSort::swizzle, "Sw<3,3,3>"},
    {NameSort::major, "\"K\""},
    {NameSort::group, "\"ONE\""},
    {NameSort::three, "3"},
    {NameSort::repeat, "\"x32\""},
    {NameSort::staged, "make_tensor(make_smem_ptr(half_t), Sw<3,3,3> o 0 o (128,64,3):(64,1,8192))"},
    {NameSort::matrix, "make_tensor(make_gmem_ptr(float), (512,256):(256,1))"},
    {NameSort::vector, "make_tensor(make_gmem_ptr(half_t), 4096:1)"},
    {NameSort::stride, "(64,1)"},
    {NameSort::stride, "(64,1,(8192,16384))"},
    {NameSort::stride, "(64,1,8192,16384)"},
    {NameSort::problem, "(512,256,128,2,4)"},
    {NameSort::problem, "(512,256,128,(4,2))"},
    {NameSort::problem, "((512,2),(256,2),(128,2),2)"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),(4,8)):((64,1),(8192,32768)))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), (128,64,4,8):(64,1,8192,32768))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8):((64,1),8192,16384,65536))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), (128,64,4,8,2):(64,1,8192,32768,262144))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2):((64,1),8192,16384,65536,524288))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2,2):((64,1),8192,16384,65536,524288,1048576))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), ((128,64),2,4,8,2,2,2):((64,1),8192,16384,65536,524288,1048576,2097152))"},
    {NameSort::tiles, "make_tensor(make_gmem_ptr(half_t), (((16,8),64),2,4,8):(((64,1024),1),8192,16384,65536))"},
    {NameSort::type, "int8_t"},
    {NameSort::thr_tma,
     "get_slice(make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), Sw<3,3,3> o 0 o (128,64):(64,1), "
     "(128,64), 1), 0)"},
    {NameSort::tma,
     "make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256):(256,1)), Sw<3,3,3> o 0 o (128,64):(64,1), (128,64), 1)"},
    {NameSort::tma,
     "make_tma_copy(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), (512,256,2):(256,1,131072)), Sw<3,3,3> o 0 o (128,64):(64,1), "
     "(128,64), 1)"},
    // Only where a name suggests them: three refusals in the same words end a search, and these say what rows above say too.
    {NameSort::square, "(128,128):(1,128)"},
    {NameSort::threads, "(16,8):(8,1)"},
    {NameSort::zero, "0"},
    {NameSort::zeros, "(0,0,0)"},
    {NameSort::leading, "(128,1)"},
    {NameSort::depth, "64"},
    {NameSort::local, "make_tensor(make_gmem_ptr(half_t), (128,64,4):(256,1,64))"},
};

const std::vector<Likely>& values() {
  static const std::vector<Likely> made = [] {
    std::vector<Likely> all;
    for (const Row& row : kRows) all.push_back({row.text, evaluate_expression(row.text, {}, nullptr).value()});
    return all;
  }();
  return made;
}

// Each value once, in the order in which they are added.
void add_to(std::vector<const Likely*>& made, const Likely& value) {
  if (std::find(made.begin(), made.end(), &value) == made.end()) made.push_back(&value);
}

}  // namespace

std::vector<const Likely*> suggested_values(std::string_view name) {
  std::vector<const Likely*> made;
  const std::vector<Likely>& all = values();
  for (const NameSort sort : sorts_of_name(name)) {
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
