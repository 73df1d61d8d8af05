// SPDX-License-Identifier: BSD-3-Clause
// Builtins: where the scale factors of scaled GEMMs lie: the DSL's blockscaled_utils, and C++'s configurations.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/mma/blockwise_scales.hpp"
#include "core/atom/mma/tmem_fragment.hpp"
#include "core/atom/smem/operand_tiles.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/cutlass_words.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

// Types of C++ whose functions are called; here each is its own spelling, Sm1xxBlockScaledConfig<16>.
constexpr std::string_view kBlockScaled = "Sm1xxBlockScaledConfig", kBlockwise = "Sm1xxBlockwiseScaleConfig";

std::optional<std::int64_t> positive(std::string_view text) {
  const std::optional<std::int64_t> value = number_in<std::int64_t>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

Error no_config(const Call& call) {
  return argument_error(call, call.names[0], call[0],
                        {ErrorCode::wrong_type,
                         fmt::format("a {}<16> or {}<128,128,128> is wanted, but this is another value", kBlockScaled, kBlockwise),
                         {},
                         {}});
}

Result<std::int64_t> vector_of_config(const Call& call) {
  TESSERA_TRY(arguments, arguments_of_type(call, 0, kBlockScaled));
  if (arguments.size() != 1) return no_config(call);
  const std::optional<std::int64_t> vector = positive(arguments[0]);
  return vector ? Result<std::int64_t>(*vector) : no_config(call);
}

// Nothing: the configuration is another.
Result<std::optional<BlockwiseScales>> blockwise_of(const Call& call) {
  TESSERA_TRY(arguments, arguments_of_type(call, 0, kBlockwise));
  if (arguments.size() != 5) return std::optional<BlockwiseScales>();
  BlockwiseScales made;
  std::int64_t* const fields[] = {&made.m, &made.n, &made.k};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<std::int64_t> number = positive(arguments[i]);
    if (!number) return no_config(call);
    *fields[i] = *number;
  }
  made.a_mn = arguments[3] == "MN", made.b_mn = arguments[4] == "MN";
  return std::optional(made);
}

Result<Value> layout_value(const Call& call, Result<Layout> made) {
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return Value{*std::move(made)};
}

Result<Value> config_call(const Call& call) {
  TESSERA_TRY(vector, argument<std::int64_t>(call, 0));
  if (vector < 1) return Error{ErrorCode::out_of_range, fmt::format("a scale factor of {} elements", vector), call[0].span, {}};
  return Value{fmt::format("{}<{}>", kBlockScaled, vector)};
}

Result<Value> blockwise_call(const Call& call) {
  BlockwiseScales made;
  std::int64_t* const fields[] = {&made.m, &made.n, &made.k};
  for (std::size_t i = 0; i < 3; ++i) {
    TESSERA_TRY(elements, argument<std::int64_t>(call, i));
    if (elements < 1) return Error{ErrorCode::out_of_range, fmt::format("a scale factor of {} elements", elements), call[i].span, {}};
    *fields[i] = elements;
  }
  bool* const majors[] = {&made.a_mn, &made.b_mn};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!call.has(3 + i)) continue;
    TESSERA_TRY(mn, is_mn_major(call, 3 + i));
    *majors[i] = mn;
  }
  return Value{fmt::format("{}<{},{},{},{},{}>", kBlockwise, made.m, made.n, made.k, made.a_mn ? "MN" : "K", made.b_mn ? "MN" : "K")};
}

// sm100_trivial_blockwise_scale_config(tile): one scale factor a tile.
Result<Value> trivial_blockwise_call(const Call& call) {
  TESSERA_TRY(tile, argument<IntTuple>(call, 0));
  TESSERA_CHECK(check_tile(call, 0, tile, 3));
  return Value{fmt::format("{}<{},{},{},MN,MN>", kBlockwise, size(tile[0]), size(tile[1]), size(tile[2]))};
}

template <ScaledOperand Of>
Result<Value> factors_of_tile(const Call& call) {
  TESSERA_TRY(blockwise, blockwise_of(call));
  if (!blockwise) return no_config(call);
  TESSERA_TRY(tile, argument<IntTuple>(call, 1));
  return layout_value(call, scales_of_tile(*blockwise, Of, tile));
}

// C++ refuses a problem that it knows when it compiles and that is not made of whole blocks; any other is rounded up to them.
Status check_whole_blocks(const Call& call, const std::vector<IntTuple>& modes, std::int64_t vector) {
  const std::int64_t block[] = {128, 4 * vector};
  bool is_known = true, whole = true;
  for (const IntTuple& mode : modes) is_known = is_known && is_static(mode);
  for (std::size_t i = 0; i < 2; ++i) whole = whole && size(modes[i]) % block[i] == 0;
  if (whole || !is_known) return Done{};
  return argument_error(call, call.names[1], call[1],
                        {ErrorCode::not_divisible,
                         fmt::format("{} by {} elements are no whole blocks of {} by {}, which CuTe wants of static extents",
                                     size(modes[0]), size(modes[1]), block[0], block[1]),
                         {},
                         {"a dynamic extent, a plain integer in make_shape(..), is rounded up"}});
}

// The scale factors of A are of (M,K), those of B of (N,K), and both of the batch.
template <std::size_t Rows>
Result<Value> factors_of_problem(const Call& call) {
  TESSERA_TRY(problem, argument<IntTuple>(call, 1));
  TESSERA_TRY(blockwise, blockwise_of(call));
  if (blockwise) return layout_value(call, scales_of_problem(*blockwise, Rows == 0 ? ScaledOperand::a : ScaledOperand::b, problem));
  TESSERA_TRY(vector, vector_of_config(call));
  if (problem.rank() != 3 && problem.rank() != 4) TESSERA_CHECK(check_tile(call, 1, problem, 4));
  std::vector<IntTuple> modes{problem[Rows], problem[2]};
  if (problem.rank() == 4) modes.push_back(problem[3]);
  Result<Layout> made = scale_factors_of(IntTuple::tuple(modes), vector);
  if (made) TESSERA_CHECK(check_whole_blocks(call, modes, vector));
  return layout_value(call, std::move(made));
}

template <Operand Of>
Result<Value> deduced_factors(const Call& call) {
  TESSERA_TRY(vector, vector_of_config(call));
  TESSERA_TRY(mma, argument<std::shared_ptr<const TiledMma>>(call, 1));
  TESSERA_TRY(tile, argument<IntTuple>(call, 2));
  return layout_value(call, deduced_scale_factors(*mma, Of, tile, vector));
}

template <Operand Of>
Result<Value> smem_factors(const Call& call) {
  return call_with(call, [](const std::shared_ptr<const TiledMma>& mma, const IntTuple& tile, std::int64_t vector, std::int64_t stages) {
    return smem_scale_factors(*mma, Of, tile, vector, stages);
  });
}

// make_smem_layout_sf: the stages of one tile (MN,K), as they are.
Result<Value> smem_factors_of_tile(const Call& call) {
  return call_with(call, [](const IntTuple& tile, std::int64_t vector, std::int64_t stages) -> Result<Layout> {
    if (tile.rank() != 2)
      return Error{ErrorCode::rank_mismatch, fmt::format("a tile of two modes is wanted, but this is {}", to_string(tile)), {}, {}};
    TESSERA_TRY(all, scale_factors_of(tile, vector));
    return make_layout(std::vector<Layout>{all[0], all[1], Layout::trusted(stages, filter_zeros(all).cosize())});
  });
}

// make_tmem_layout_sfa and _sfb. B's lie in halves where a pair of CTAs has 64 rows of A each.
template <Operand Of>
Result<Value> tmem_factors(const Call& call) {
  return call_with(
      call, [](const std::shared_ptr<const TiledMma>& mma, const IntTuple& tile, std::int64_t, const Layout& stage) -> Result<Layout> {
        if (tile.rank() != 3)
          return Error{ErrorCode::rank_mismatch, fmt::format("a tile of three modes is wanted, but this is {}", to_string(tile)), {}, {}};
        const std::int64_t ctas = mma->atom().thr_id.size();
        const bool halves = Of == Operand::b && ctas == 2 && size(tile[0]) / ctas == 64;
        return tmem_scale_factors(stage.shape(), halves ? TmemScales::two_by_two : TmemScales::four_by_one);
      });
}

bool is_major_name(std::string_view, std::string_view word) { return word.ends_with("Major::K") || word.ends_with("Major::MN"); }

// clang-format off
constexpr Builtin kRows[] = {
  {"blockscaled_utils.tile_atom_to_shape_SF", "blockscaled_utils.tile_atom_to_shape_SF(shape, sf_vec_size)",
   "CuTe DSL: where the scale factors of a tensor (M,K,L) lie", [](const Call& c) {
     return call_with(c, [](const IntTuple& shape, std::int64_t vector) { return scale_factors_of(shape, vector); }); }},
  {"blockscaled_utils.make_smem_layout_sfa", "blockscaled_utils.make_smem_layout_sfa(tiled_mma, mma_tiler_mnk, sf_vec_size, num_stages)",
   "CuTe DSL: where the scale factors of A's stages lie in shared memory", smem_factors<Operand::a>},
  {"blockscaled_utils.make_smem_layout_sfb", "blockscaled_utils.make_smem_layout_sfb(tiled_mma, mma_tiler_mnk, sf_vec_size, num_stages)",
   "CuTe DSL: where the scale factors of B's stages lie in shared memory", smem_factors<Operand::b>},
  {"blockscaled_utils.make_smem_layout_sf", "blockscaled_utils.make_smem_layout_sf(tile_shape, sf_vec_size, num_stages)",
   "CuTe DSL: where the scale factors of a tile's stages lie in shared memory", smem_factors_of_tile},
  {"blockscaled_utils.make_tmem_layout_sfa", "blockscaled_utils.make_tmem_layout_sfa(tiled_mma, mma_tiler_mnk, sf_vec_size, smem_layout)",
   "CuTe DSL: where the scale factors of a stage of A lie in tensor memory", tmem_factors<Operand::a>},
  {"blockscaled_utils.make_tmem_layout_sfb", "blockscaled_utils.make_tmem_layout_sfb(tiled_mma, mma_tiler_mnk, sf_vec_size, smem_layout)",
   "CuTe DSL: where the scale factors of a stage of B lie in tensor memory", tmem_factors<Operand::b>},

  {"Sm1xxBlockScaledConfig", "Sm1xxBlockScaledConfig(sf_vec_size)", "CUTLASS: block-scaled types by how many elements have one scale factor",
   config_call},
  {"tile_atom_to_shape_SFA", "tile_atom_to_shape_SFA(config, problem_shape)", "CUTLASS: where A's scale factors lie, of (M,N,K) or (M,N,K,L)",
   factors_of_problem<0>},
  {"tile_atom_to_shape_SFB", "tile_atom_to_shape_SFB(config, problem_shape)", "CUTLASS: where B's scale factors lie, of (M,N,K) or (M,N,K,L)",
   factors_of_problem<1>},
  {"deduce_smem_layoutSFA", "deduce_smem_layoutSFA(config, tiled_mma, tile_shape_mnk)", "CUTLASS: A's scale factors in shared memory, one stage",
   deduced_factors<Operand::a>},
  {"deduce_smem_layoutSFB", "deduce_smem_layoutSFB(config, tiled_mma, tile_shape_mnk)", "CUTLASS: B's scale factors in shared memory, one stage",
   deduced_factors<Operand::b>},
  {"Sm1xxBlockwiseScaleConfig", "Sm1xxBlockwiseScaleConfig(sf_m, sf_n, sf_k, major_sfa=, major_sfb=)",
   "CUTLASS: blockwise scaled operands by how many elements along M, N and K have one scale factor", blockwise_call, is_major_name},
  {"Sm90BlockwiseScaleConfig", "Sm90BlockwiseScaleConfig(sf_m, sf_n, sf_k, major_sfa=, major_sfb=)",
   "CUTLASS: blockwise scaled operands by how many elements along M, N and K have one scale factor", blockwise_call, is_major_name},
  {"Sm100BlockwiseScaleConfig", "Sm100BlockwiseScaleConfig(sf_m, sf_n, sf_k, major_sfa=, major_sfb=)",
   "CUTLASS: blockwise scaled operands by how many elements along M, N and K have one scale factor", blockwise_call, is_major_name},
  {"Sm120BlockwiseScaleConfig", "Sm120BlockwiseScaleConfig(sf_m, sf_n, sf_k, major_sfa=, major_sfb=)",
   "CUTLASS: blockwise scaled operands by how many elements along M, N and K have one scale factor", blockwise_call, is_major_name},
  {"sm90_trivial_blockwise_scale_config", "sm90_trivial_blockwise_scale_config(tile_shape_mnk)", "CUTLASS: the configuration of one scale factor a tile", trivial_blockwise_call},
  {"sm100_trivial_blockwise_scale_config", "sm100_trivial_blockwise_scale_config(tile_shape_mnk)", "CUTLASS: the configuration of one scale factor a tile", trivial_blockwise_call},
  {"sm120_trivial_blockwise_scale_config", "sm120_trivial_blockwise_scale_config(tile_shape_mnk)", "CUTLASS: the configuration of one scale factor a tile", trivial_blockwise_call},
  {"smem_atom_layoutSFA", "smem_atom_layoutSFA(config, tile_shape_mnk)", "CUTLASS: A's blockwise scale factors in shared memory, one stage",
   factors_of_tile<ScaledOperand::a>},
  {"smem_atom_layoutSFB", "smem_atom_layoutSFB(config, tile_shape_mnk)", "CUTLASS: B's blockwise scale factors in shared memory, one stage",
   factors_of_tile<ScaledOperand::b>},
};
// clang-format on

}  // namespace

std::span<const Builtin> cutlass_scale_builtins() { return kRows; }

}  // namespace tessera
