// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/likely.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

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
  stride
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
    {Sort::stride, "(64,1,8192)"},
    {Sort::matrix, "make_tensor(make_gmem_ptr(half_t), (512,256):(256,1))"},
    {Sort::batched, "make_tensor(make_gmem_ptr(half_t), (512,256,2):(256,1,131072))"},
    {Sort::smem, "make_tensor(make_smem_ptr(half_t), Sw<3,3,3> o 0 o (128,64):(64,1))"},
    {Sort::staged, "make_tensor(make_smem_ptr(half_t), (128,64,3):(64,1,8192))"},
    {Sort::plain, "(128,64):(64,1)"},
    {Sort::coordinates, "make_identity_tensor((512,256))"},
    {Sort::fragment, "make_tensor(make_rmem_ptr(half_t), ((2,2),4,8):((1,2),4,16))"},
    {Sort::mma, "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))"},
    {Sort::thr_mma, "get_slice(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1)), 0)"},
    {Sort::copy, "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8))"},
    {Sort::thr_copy, "get_slice(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (32,8):(8,1), (1,8)), 0)"},
    {Sort::atom, "SM80_16x8x16_F32F16F16F32_TN"},
    {Sort::copy_atom, "Copy_Atom<SM75_U32x4_LDSM_N, half_t>"},
    {Sort::copy_op, "SM75_U32x4_LDSM_N"},
    {Sort::pointer, "make_gmem_ptr(half_t)"},
    {Sort::swizzle, "Sw<3,3,3>"},
    {Sort::major, "\"K\""},
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

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

// CuTe's names of tensors: mA, gA, sA, rA, cA, tAgA, tCsB_copy_view, tCrC.
bool names_tensor(std::string_view name) {
  std::size_t small = 0;
  while (small < name.size() && is_lower(name[small])) ++small;
  const bool part = small == 1 && name[0] == 't' && name.size() > 2;  // tCsA, tTR_gD, tDgD
  const bool whole = small >= 1 && small <= 2 && name.size() > small && is_upper(name[small]) &&
                     std::string_view("mgsrctab").find(name[0]) != std::string_view::npos;
  return part || whole;
}

// What part of a tensor's name says where it lies: the letter in front of the last capital, as in tCsA.
Sort tensor_sort(std::string_view name) {
  const bool part = name[0] == 't' && name.size() > 2;
  if (name[0] == 'c' || (part && name.size() > 3 && name.substr(2, 1) == "c")) return Sort::coordinates;
  if (part) return name.find('r') != std::string_view::npos ? Sort::fragment : Sort::fragment;
  if (name[0] == 's') return Sort::smem;
  if (name[0] == 'r') return Sort::fragment;
  const bool batch = name.find("mkl") != std::string_view::npos || name.find("nkl") != std::string_view::npos ||
                     name.find("mnl") != std::string_view::npos;
  return batch ? Sort::batched : Sort::matrix;
}

std::vector<Sort> suggested(std::string_view path) {
  const std::size_t dot = path.find_last_of(".:");
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  const std::string low = lower(name);
  const auto has = [&](std::string_view part) { return low.find(part) != std::string::npos; };
  if (name.empty()) return {};
  if (name == "bM" || name == "bN" || name == "bK" || name == "bP") return {Sort::number};  // the block's extents
  if (names_tensor(name)) {
    const Sort sort = tensor_sort(name);
    return {sort, Sort::matrix, Sort::batched, Sort::smem, Sort::staged, Sort::fragment, Sort::coordinates};
  }
  if (has("dtype") || has("element") || has("valtype") || has("type") || low == "t" ||
      (name.size() == 2 && name[0] == 'T' && is_upper(name[1])))
    return {Sort::type, Sort::major};
  if (has("thr_mma") || has("thrmma") || has("thread_mma") || has("cta_mma")) return {Sort::thr_mma, Sort::mma};
  if (has("mma") && !has("tile") && !has("shape"))
    return has("atom") || has("op") ? std::vector{Sort::atom, Sort::mma} : std::vector{Sort::mma, Sort::thr_mma, Sort::atom};
  if (has("tiledmma")) return {Sort::mma};
  if (has("thr_copy") || has("thrcopy") || has("thread_copy") || has("thr_") || has("thread_"))
    return {Sort::thr_copy, Sort::thr_mma, Sort::number};
  if (has("copy"))
    return has("atom") ? std::vector{Sort::copy_atom, Sort::copy_op, Sort::copy}
           : has("op") ? std::vector{Sort::copy_op, Sort::copy_atom}
                       : std::vector{Sort::copy, Sort::thr_copy, Sort::copy_atom};
  if (has("tma") || has("g2s") || has("s2r") || has("r2s") || has("r2g") || has("t2r"))
    return {Sort::thr_copy, Sort::copy, Sort::copy_atom};
  if (has("swizzle")) return {Sort::swizzle, Sort::number, Sort::smem};
  if (has("smemlayout") || has("smem_layout") || has("layoutatom")) return {Sort::plain, Sort::smem, Sort::staged};
  if (has("layout")) return {Sort::plain, Sort::staged, Sort::tile};
  if (has("problem") || has("mnkl")) return {Sort::problem, Sort::tile};
  if (has("stride")) return {Sort::stride, Sort::pair, Sort::number};
  if (has("tiler") || has("tile") || has("shape") || has("mnk") || has("cluster") || has("_mn"))
    return {Sort::tile, Sort::pair, Sort::number, Sort::problem};
  if (has("coord") || has("crd")) return {Sort::one, Sort::tile, Sort::pair};
  if (has("ptr") || has("iterator")) return {Sort::pointer};
  if (has("major")) return {Sort::major, Sort::truth, Sort::number};
  if (has("idx") || has("index") || has("thread") || has("stage") || has("tid") || has("rank") || has("warp"))
    return {Sort::one, Sort::number};
  if (has("is_") || has("has_") || has("use") || has("enable")) return {Sort::truth, Sort::number};
  if (has("tensor") || has("acc") || has("frag")) return {Sort::matrix, Sort::fragment, Sort::batched, Sort::smem};
  return {Sort::number};
}

}  // namespace

std::vector<const Likely*> likely_values(std::string_view name) {
  std::vector<const Likely*> made;
  const std::vector<Likely>& all = values();
  const auto add = [&](std::size_t i) {
    if (std::find(made.begin(), made.end(), &all[i]) == made.end()) made.push_back(&all[i]);
  };
  for (const Sort sort : suggested(name)) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (kRows[i].sort == sort) add(i);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) add(i);
  return made;
}

}  // namespace tessera
