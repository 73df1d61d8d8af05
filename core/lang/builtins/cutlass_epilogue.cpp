// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what an epilogue of tcgen05.mma calls: its tile, the copies between tensor memory, registers and shared memory; and the TMA
// copies of a cluster.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/dsl_ops.hpp"
#include "core/atom/mma/epilogue_tile.hpp"
#include "core/atom/mma/tmem_fragment.hpp"
#include "core/atom/smem/operand_tiles.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/cutlass_words.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

// make_tmem_copy(op, tmem): four warps, each at its own 32 data paths. Source: cute/atom/copy_traits_sm100.hpp.
Result<Value> tmem_copy_call(const Call& call) {
  const Value& tensor = *call[1].value;
  TESSERA_TRY(layout, argument<Layout>(call, 1));
  if (tensor.element.space != MemorySpace::tmem || !tensor.element.type) {
    return argument_error(call, call.names[1], call[1],
                          {ErrorCode::wrong_type,
                           "a tensor in tensor memory with a type is wanted",
                           {},
                           {"make_tensor(make_tmem_ptr<float>(0), layout), or the accumulator of a UMMA"}});
  }
  const ValueType type = *tensor.element.type;
  const auto made = [&]() -> Result<TiledCopy> {
    Result<CopyAtom> atom = as_copy_atom(*call[0].value);
    if (!atom) {
      TESSERA_TRY(traits, as_copy_traits(*call[0].value));
      atom = CopyAtom::make(std::move(traits), type);
    }
    if (!atom) return std::move(atom).error();
    if (!atom->traits.val_id)
      return Error{ErrorCode::wrong_type, fmt::format("{} is no copy from or to tensor memory", atom->traits.name), {}, {}};
    const std::int64_t width = bits(type);
    if (bits(atom->value_type) != width) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("a copy of {} bits an element of a tensor of {}", bits(atom->value_type), width),
                   {},
                   {"the atom's type is as wide as the tensor's"}};
    }
    TESSERA_TRY(values, upcast(*atom->traits.val_id, width));
    // (thr, val) -> address in elements
    const Layout threads = Layout::trusted(IntTuple::tuple({32, 4}), IntTuple::tuple({0, 32 * (kTmemLaneBits / width)}));
    return make_cotiled_copy(*atom, make_layout({threads, coalesce(values)}), layout);
  };
  Result<TiledCopy> copy = made();
  if (!copy) return std::move(std::move(copy).error()).at(call.span());
  return Value{std::make_shared<const TiledCopy>(*std::move(copy))};
}

Result<Value> atom_value(const Call& call, Result<CopyAtom> atom) {
  if (!atom) return std::move(std::move(atom).error()).at(call.span());
  return Value{*std::move(atom)};
}

Result<CopyAtom> named_atom(const std::string& name, ValueType type) {
  TESSERA_TRY(traits, find_copy_atom(name));
  return CopyAtom::make(std::move(traits), type);
}

Result<EpilogueTensor> epilogue_tensor(const Call& call, std::size_t layout, std::size_t type) {
  TESSERA_TRY(m_major, is_column_major(call, layout));
  TESSERA_TRY(element, argument<ValueType>(call, type));
  return EpilogueTensor{element, m_major};
}

// The parameter tmem_warp_shape_mn, or what the CTA's tile says of it.
Result<EpilogueWarps> warps_of(const Call& call, std::size_t i, std::int64_t cta_m, bool two_ctas) {
  if (!call.has(i)) return epilogue_warps(cta_m, two_ctas);
  TESSERA_TRY(shape, argument<std::optional<IntTuple>>(call, i));
  if (!shape || shape->is_underscore()) return epilogue_warps(cta_m, two_ctas);
  TESSERA_CHECK(check_tile(call, i, *shape, 2));
  return EpilogueWarps{size((*shape)[0]), size((*shape)[1])};
}

Result<IntTuple> cta_tile_of(const Call& call) {
  TESSERA_TRY(tile, argument<IntTuple>(call, 0));
  if (tile.rank() < 2) TESSERA_CHECK(check_tile(call, 0, tile, 3));
  return tile;
}

bool is_given(const Call& call, std::size_t i) {  // and not as Python's None
  if (!call.has(i)) return false;
  const auto* tuple = std::get_if<IntTuple>(&call[i].value->any);
  return tuple == nullptr || !tuple->is_underscore();
}

Result<Value> epilogue_tile_sm100(const Call& call) {
  TESSERA_TRY(cta, cta_tile_of(call));
  TESSERA_TRY(two_ctas, argument<bool>(call, 1));
  TESSERA_TRY(d, epilogue_tensor(call, 2, 3));
  std::optional<EpilogueTensor> c;
  if (is_given(call, 5)) {
    TESSERA_TRY(type, argument<ValueType>(call, 5));
    c = EpilogueTensor{type, true};
  }
  if (c && is_given(call, 4)) {
    TESSERA_TRY(m_major, is_column_major(call, 4));
    c->m_major = m_major;
  }
  TESSERA_TRY(warps, warps_of(call, 6, size(cta[0]), two_ctas));
  Result<EpilogueTile> tile = epilogue_tile(size(cta[0]), size(cta[1]), warps, d, c);
  if (!tile) return std::move(std::move(tile).error()).at(call.span());
  return Value{Tiler(std::vector<Tiler>{tile->rows, tile->columns})};
}

Result<Value> tmem_load_sm100(const Call& call) {
  TESSERA_TRY(cta, cta_tile_of(call));
  TESSERA_TRY(d, epilogue_tensor(call, 1, 2));
  TESSERA_TRY(accumulator, argument<ValueType>(call, 3));
  TESSERA_TRY(modes, epilogue_modes(call, 4));
  TESSERA_TRY(two_ctas, argument<bool>(call, 5));
  TESSERA_TRY(warps, warps_of(call, 6, size(cta[0]), two_ctas));
  Result<std::string> name = tmem_load_for(extent_of(modes[0]), extent_of(modes[1]), warps, d, accumulator);
  if (!name) return std::move(std::move(name).error()).at(call.span());
  return atom_value(call, named_atom(*name, accumulator));
}

Result<Value> smem_store_sm100(const Call& call) {
  TESSERA_TRY(d, epilogue_tensor(call, 0, 1));
  TESSERA_TRY(accumulator, argument<ValueType>(call, 2));
  TESSERA_TRY(load, argument<std::shared_ptr<const TiledCopy>>(call, 3));
  const std::string name = smem_store_for(load->atom().traits, d, accumulator);
  return atom_value(call, name.empty() ? make_dsl_copy_atom("UniversalCopy", d.type, 0) : named_atom(name, d.type));
}

// The columns of tensor memory that a tensor there takes, whole words of 32 bits.
Result<std::int64_t> tmem_columns(const Call& call, const Value& tensor) {
  if (tensor.element.space != MemorySpace::tmem || tensor.element.bits == 0)
    return argument_error(call, call.names[0], call[0], {ErrorCode::wrong_type, "a tensor in tensor memory with a type is wanted", {}, {}});
  TESSERA_TRY(layout, as_layout(tensor));
  TESSERA_TRY(words, recast_layout(layout, tensor.element.bits, kTmemColumnBits));
  return words.cosize() & 0xffff;  // lanes are above the columns of an address
}

Result<Value> tmem_columns_call(const Call& call) {
  TESSERA_TRY(columns, tmem_columns(call, *call[0].value));
  TESSERA_TRY(rounding, argument<std::optional<bool>>(call, 1));
  if (rounding.value_or(true)) columns = tmem_allocation(columns);
  if (columns >= kTmemLeastColumns && columns <= kTmemColumns) return Value{IntTuple(columns)};
  return Error{
      ErrorCode::out_of_range,
      fmt::format("get_num_tmem_alloc_cols: {} columns, of which {} to {} are allocated", columns, kTmemLeastColumns, kTmemColumns),
      call.span(),
      {}};
}

// cluster_shape_to_tma_atom_A, _B and _SFB: A's is multicast along the cluster's N, the others along its M.
enum class Multicast { along_n, along_m, of_factors };
template <Multicast Of>
Result<Value> tma_of_cluster(const Call& call) {
  TESSERA_TRY(cluster, argument<IntTuple>(call, 0));
  TESSERA_TRY(threads, argument<Layout>(call, 1));
  const std::int64_t ctas = threads.size();
  const std::int64_t m = size(cluster[0]), n = cluster.rank() > 1 ? size(cluster[1]) : 1;
  if ((ctas != 1 && ctas != 2) || m % ctas != 0) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("{}: an MMA of {} CTAs does not divide a cluster of {}", call.function(), ctas, to_string(cluster)),
                 call.span(),
                 {}};
  }
  const bool multicast = Of == Multicast::along_n ? n != 1 : Of == Multicast::along_m ? m != ctas : m != 1;
  Result<CopyTraits> traits =
      find_copy_atom(fmt::format("{}_LOAD{}", ctas == 2 ? "SM100_TMA_2SM" : "SM90_TMA", multicast ? "_MULTICAST" : ""));
  if (!traits) return std::move(std::move(traits).error()).at(call.span());
  return Value{*std::move(traits)};
}

// get_permutation_mnk of block-scaled mma.sync: N's eights of two pairs side by side.
Result<Value> permutation_sm120(const Call& call) {
  TESSERA_TRY(tile, argument<IntTuple>(call, 0));
  TESSERA_CHECK(check_tile(call, 0, tile, 3));
  TESSERA_TRY(vector, argument<std::int64_t>(call, 1));
  TESSERA_TRY(bytes, argument<bool>(call, 2));
  if (vector != 16 && vector != 32)
    return Error{ErrorCode::out_of_range, fmt::format("a scale factor of {} elements", vector), call[1].span, {}};
  const Layout n = Layout::trusted(IntTuple::tuple({8, 2, 2}), IntTuple::tuple({1, 16, 8}));
  return Value{Tiler(std::vector<Tiler>{Tiler(std::min<std::int64_t>(size(tile[0]), 128)), Tiler(n), Tiler(bytes ? 32 : 64)})};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"sm100_utils.compute_epilogue_tile_shape",
   "sm100_utils.compute_epilogue_tile_shape(cta_tile_shape, use_2cta_instrs, layout_d, elem_ty_d, layout_c=, elem_ty_c=, tmem_warp_shape_mn=)",
   "CuTe DSL: the tile that an epilogue stores at once, a layout of rows and one of columns", epilogue_tile_sm100},
  {"sm100_utils.get_tmem_load_op",
   "sm100_utils.get_tmem_load_op(cta_tile_shape, layout_d, elem_ty_d, elem_ty_acc, epi_tile, use_2cta_instrs, tmem_warp_shape_mn=)",
   "CuTe DSL: the load from tensor memory for an epilogue's tile", tmem_load_sm100},
  {"sm100_utils.get_smem_store_op", "sm100_utils.get_smem_store_op(layout_d, elem_ty_d, elem_ty_acc, tiled_tmem_load)",
   "CuTe DSL: stmatrix where it fits what the load brings, else a plain store", smem_store_sm100},
  {"sm100_utils.get_permutation_mnk", "sm100_utils.get_permutation_mnk(tile_shape_mnk, sf_vec_size, use_mxf8f6f4)",
   "CuTe DSL: PermutationMNK of block-scaled mma.sync", permutation_sm120},
  {"sm100_utils.get_num_tmem_alloc_cols", "sm100_utils.get_num_tmem_alloc_cols(tmem_tensors, rounding=)",
   "CuTe DSL: the columns of tensor memory that a tensor takes, as they are allocated", tmem_columns_call},
  {"sm100_utils.cluster_shape_to_tma_atom_A", "sm100_utils.cluster_shape_to_tma_atom_A(cluster_shape_mnk, atom_thr_id)",
   "CuTe DSL: the TMA copy of A, multicast where the cluster has several CTAs along N", tma_of_cluster<Multicast::along_n>},
  {"sm100_utils.cluster_shape_to_tma_atom_B", "sm100_utils.cluster_shape_to_tma_atom_B(cluster_shape_mnk, atom_thr_id)",
   "CuTe DSL: the TMA copy of B, multicast where the cluster has several MMAs along M", tma_of_cluster<Multicast::along_m>},
  {"sm100_utils.cluster_shape_to_tma_atom_SFB", "sm100_utils.cluster_shape_to_tma_atom_SFB(cluster_shape_mnk, atom_thr_id)",
   "CuTe DSL: the TMA copy of B's scale factors, multicast where the cluster has several CTAs along M", tma_of_cluster<Multicast::of_factors>},
  {"make_tmem_copy", "make_tmem_copy(copy_op, tmem)", "the copy of four warps between registers and a tensor in tensor memory", tmem_copy_call},
};
// clang-format on

}  // namespace

std::span<const Builtin> cutlass_epilogue_builtins() { return kRows; }

}  // namespace tessera
