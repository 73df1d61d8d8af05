// SPDX-License-Identifier: BSD-3-Clause
// Builtins: what CUTLASS's kernels call around CuTe: the DSL's sm90_utils, sm100_utils, and C++'s helpers of the collectives. paste.cpp
// knows how their modules are spelled.
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
#include "core/atom/smem/operand_tiles.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/cutlass_words.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/values/pipeline_state.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

Result<OperandSource> a_source_of(const Call& call, std::size_t i) {
  TESSERA_TRY(word, argument<std::optional<std::string>>(call, i));
  Result<OperandSource> source = operand_source(word.value_or("SMEM"));
  if (!source) return argument_error(call, call.names[i], call[i], std::move(source).error());
  return *source;
}

Result<Value> tiled_mma_value(const Call& call, Result<MmaAtom> atom, const Layout& atom_layout) {
  if (!atom) return std::move(std::move(atom).error()).at(call.span());
  Result<TiledMma> mma = TiledMma::make(*std::move(atom), atom_layout, Underscore{});
  if (!mma) return std::move(std::move(mma).error()).at(call.span());
  return Value{std::make_shared<const TiledMma>(*std::move(mma))};
}

IntTuple with_k(const IntTuple& tile_mn, std::int64_t k) {
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < tile_mn.rank(); ++i) modes.push_back(tile_mn[i]);
  modes.emplace_back(k);
  return IntTuple::tuple(std::move(modes));
}

Error no_such_types(const Call& call, ValueType a, ValueType b) {
  return Error{
      ErrorCode::unknown_atom, fmt::format("{} has no MMA of {} and {}", call.function(), cute_name(a), cute_name(b)), call.span(), {}};
}

bool is_byte_float(ValueType type) { return type == ValueType::e4m3 || type == ValueType::e5m2; }
bool is_byte_integer(ValueType type) { return type == ValueType::i8 || type == ValueType::u8; }

// sm90_utils.make_trivial_tiled_mma: the wgmma of these types, whose M is 64 and whose N the tile says.
Result<Value> trivial_mma_sm90(const Call& call) {
  DslMmaOp op;
  TESSERA_TRY(a, argument<ValueType>(call, 0));
  TESSERA_TRY(b, argument<ValueType>(call, 1));
  TESSERA_TRY(a_mn, is_mn_major(call, 2));
  TESSERA_TRY(b_mn, is_mn_major(call, 3));
  TESSERA_TRY(acc, argument<ValueType>(call, 4));
  TESSERA_TRY(atom_layout, argument<Layout>(call, 5));
  TESSERA_TRY(tile, argument<IntTuple>(call, 6));
  TESSERA_TRY(source, a_source_of(call, 7));
  op.a = a, op.b = b, op.acc = acc, op.a_mn = a_mn, op.b_mn = b_mn, op.a_source = source;
  if (a == b && (a == ValueType::f16 || a == ValueType::bf16))
    op.name = "warpgroup.MmaF16BF16Op", op.shape_mnk = with_k(tile, 16);
  else if (is_byte_float(a) && is_byte_float(b))
    op.name = "warpgroup.MmaF8Op", op.shape_mnk = with_k(tile, 32);
  else if (is_byte_integer(a) && is_byte_integer(b))
    op.name = "warpgroup.MmaI8Op", op.shape_mnk = with_k(tile, 32);
  else
    return no_such_types(call, a, b);
  return tiled_mma_value(call, find_dsl_mma(op), atom_layout);
}

// tcgen05.mma's helpers were called with one type of A and B before, and are with two now: what stands behind them moves.
struct TypesOfCall {
  ValueType a = ValueType::none, b = ValueType::none;
  std::size_t moved = 0;  // by how many places
};
Result<TypesOfCall> types_of(const Call& call) {
  TESSERA_TRY(a, argument<ValueType>(call, 0));
  if (const Result<ValueType> b = as_value_type(*call[1].value)) return TypesOfCall{a, *b, 0};
  return TypesOfCall{a, a, 1};
}

bool is_narrow_float(ValueType type) {  // that tcgen05.mma takes in any pair
  return is_byte_float(type) || type == ValueType::e2m3 || type == ValueType::e3m2 || type == ValueType::e2m1;
}

// What both of tcgen05.mma's helpers say of CTAs, tile, majors and source; `first`: the place of cta_group.
Status read_place(const Call& call, std::size_t first, std::size_t majors, std::int64_t k, DslMmaOp& op) {
  if (!call.has(first + 1))
    return Error{ErrorCode::wrong_arity, fmt::format("{} is called without mma_tiler_mn", call.function()), call.span(), {}};
  TESSERA_TRY(two, is_second_word(call, first, "ONE", "TWO"));
  TESSERA_TRY(tile, argument<IntTuple>(call, first + 1));
  TESSERA_TRY(a_mn, is_mn_major(call, majors));
  TESSERA_TRY(b_mn, is_mn_major(call, majors + 1));
  TESSERA_TRY(source, a_source_of(call, first + 2));
  op.two_ctas = two, op.shape_mnk = with_k(tile, k), op.a_mn = a_mn, op.b_mn = b_mn, op.a_source = source;
  return Done{};
}

const Layout& one_atom() {
  static const Layout layout = Layout::trusted(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0}));
  return layout;
}

Result<Value> trivial_mma_sm100(const Call& call) {
  TESSERA_TRY(types, types_of(call));
  const ValueType a = types.a, b = types.b;
  DslMmaOp op;
  op.a = a, op.b = b;
  std::int64_t k = 32;
  if (a == b && (a == ValueType::f16 || a == ValueType::bf16))
    op.name = "tcgen05.MmaF16BF16Op", k = 16;
  else if (a == b && (a == ValueType::tf32 || a == ValueType::f32))
    op.name = "tcgen05.MmaTF32Op", op.a = op.b = ValueType::tf32, k = 8;
  else if (a == b && is_byte_integer(a))
    op.name = "tcgen05.MmaI8Op";
  else if (is_narrow_float(a) && is_narrow_float(b))
    op.name = "tcgen05.MmaF8F6F4Op";
  else
    return no_such_types(call, a, b);
  TESSERA_TRY(acc, argument<ValueType>(call, 4 - types.moved));
  op.acc = acc;
  TESSERA_CHECK(read_place(call, 5 - types.moved, 2 - types.moved, k, op));
  return tiled_mma_value(call, find_dsl_mma(op), one_atom());
}

Result<Value> scaled_mma_sm100(const Call& call) {
  TESSERA_TRY(types, types_of(call));
  TESSERA_TRY(factors, argument<ValueType>(call, 4 - types.moved));
  TESSERA_TRY(vector, argument<std::int64_t>(call, 5 - types.moved));
  DslMmaOp op;
  op.a = types.a, op.b = types.b;
  std::int64_t k = 32;
  if (types.a == ValueType::e2m1 && types.b == ValueType::e2m1 && (vector == 32 || vector == 16)) {
    op.name = vector == 32 ? "tcgen05.MmaMXF4Op" : "tcgen05.MmaMXF4NVF4Op", k = 64;
    if (vector == 16) op.sf = factors == ValueType::e4m3 ? ValueType::ue4m3 : factors;  // one type in the DSL
  } else if (is_narrow_float(types.a) && is_narrow_float(types.b) && types.a != types.b) {
    op.name = "tcgen05.MmaMXF8F6F4Op";
  } else if (is_byte_float(types.a) && types.a == types.b) {
    op.name = "tcgen05.MmaMXF8F6F4Op";
  } else {
    return no_such_types(call, types.a, types.b);
  }
  TESSERA_CHECK(read_place(call, 6 - types.moved, 2 - types.moved, k, op));
  return tiled_mma_value(call, find_dsl_mma(op), one_atom());
}

// ---- operands in shared memory ------------------------------------------------------------------------------------------------------

// The block of the widest swizzle that fits. tcgen05's helpers take 32-byte units for words whose M or N is contiguous.
enum class Helpers { sm90, sm100 };
Result<AnyLayout> widest_block(Helpers helpers, bool mn_major, ValueType type, std::int64_t contiguous) {
  TESSERA_TRY(rows, widest_smem_rows(type, contiguous));
  const bool wide_units = helpers == Helpers::sm100 && mn_major && bits(type) == 32 && rows == "SW128";
  return dsl_smem_block(fmt::format("{}_{}{}", mn_major ? "MN" : "K", rows, wide_units ? "_32B" : ""), type);
}

IntTuple order_of_tile(bool mn_major) { return mn_major ? IntTuple::tuple({1, 0, 2}) : IntTuple::tuple({0, 1, 2}); }

Result<Value> smem_value(const Call& call, Result<AnyLayout> layout, ValueType type) {
  if (!layout) return std::move(std::move(layout).error()).at(call.span());
  Value made = to_value(*std::move(layout));
  made.element = element_of(type, MemorySpace::unknown);
  return made;
}

Result<AnyLayout> staged_tile(Helpers helpers, bool mn_major, ValueType type, std::int64_t rows, std::int64_t columns,
                              std::int64_t stages) {
  TESSERA_TRY(block, widest_block(helpers, mn_major, type, mn_major ? rows : columns));
  return tile_to_shape(block, IntTuple::tuple({rows, columns, stages}), order_of_tile(mn_major));
}

// sm90_utils.make_smem_layout_a and _b: the tile's rows are those of M or N.
template <std::size_t Rows>
Result<Value> smem_layout_sm90(const Call& call) {
  TESSERA_TRY(mn_major, is_column_major(call, 0));
  TESSERA_TRY(tile, argument<IntTuple>(call, 1));
  TESSERA_CHECK(check_tile(call, 1, tile, 3));
  TESSERA_TRY(type, argument<ValueType>(call, 2));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 3));
  return smem_value(call, staged_tile(Helpers::sm90, mn_major, type, size(tile[Rows]), size(tile[2]), stages), type);
}

Result<Value> smem_layout_epi_sm90(const Call& call) {
  TESSERA_TRY(type, argument<ValueType>(call, 0));
  TESSERA_TRY(m_major, is_column_major(call, 1));
  TESSERA_TRY(tile, argument<IntTuple>(call, 2));
  TESSERA_CHECK(check_tile(call, 2, tile, 2));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 3));
  TESSERA_TRY(target, argument<std::optional<IntTuple>>(call, 4));
  TESSERA_TRY(order, argument<std::optional<IntTuple>>(call, 5));
  Result<AnyLayout> block = widest_block(Helpers::sm90, m_major, type, size(tile[m_major ? 0 : 1]));
  if (!block) return std::move(std::move(block).error()).at(call.span());
  const IntTuple staged = IntTuple::tuple({size(tile[0]), size(tile[1]), stages});
  return smem_value(call, tile_to_shape(*block, target.value_or(staged), order.value_or(order_of_tile(m_major))), type);
}

// The word of SmemLayoutAtomKind: "K_SW128".
Result<Value> smem_layout_atom_sm90(const Call& call) {
  TESSERA_TRY(mn_major, is_column_major(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(contiguous, argument<std::int64_t>(call, 2));
  Result<std::string> rows = widest_smem_rows(type, contiguous);
  if (!rows) return std::move(std::move(rows).error()).at(call.span());
  return Value{fmt::format("{}_{}", mn_major ? "MN" : "K", *rows)};
}

Result<Value> epilogue_tile_sm90(const Call& call) {
  TESSERA_TRY(tile, argument<IntTuple>(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(cooperative, argument<std::optional<bool>>(call, 2));
  if (call.has(3)) {
    TESSERA_TRY(other, argument<IntTuple>(call, 3));
    if (other.is_tuple()) return Value{other};
  }
  TESSERA_CHECK(check_tile(call, 0, tile, 3));
  const std::int64_t rows = cooperative.value_or(false) ? 128 : 64;
  const std::int64_t columns = !cooperative.value_or(false) && bits(type) == 8 ? 64 : 32;
  return Value{IntTuple::tuple({std::min(rows, size(tile[0])), std::min(columns, size(tile[1]))})};
}

// sm90_utils.get_smem_store_op: stmatrix of four matrices for 16 bits, else a plain store.
Result<Value> smem_store_sm90(const Call& call) {
  TESSERA_TRY(m_major, is_column_major(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  if (bits(type) != 16) {
    Result<CopyAtom> plain = make_dsl_copy_atom("UniversalCopy", type, 0);
    if (!plain) return std::move(std::move(plain).error()).at(call.span());
    return Value{*std::move(plain)};
  }
  TESSERA_TRY(traits, find_copy_atom(cute_copy_name(DslMatrixCopy{"warp.StMatrix8x8x16bOp", m_major, 4, 0})));
  TESSERA_TRY(atom, CopyAtom::make(std::move(traits), type));
  return Value{std::move(atom)};
}

// sm100_utils.make_smem_layout_a, _b and _c: a stage in the shape in which the MMA takes or gives it.
template <Operand Of>
Result<Value> smem_layout_sm100(const Call& call) {
  TESSERA_TRY(mma, argument<std::shared_ptr<const TiledMma>>(call, 0));
  TESSERA_TRY(tile, argument<IntTuple>(call, 1));
  TESSERA_CHECK(check_tile(call, 1, tile, 3));
  TESSERA_TRY(type, argument<ValueType>(call, 2));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 3));
  TESSERA_TRY(said, argument<std::optional<bool>>(call, 4));  // of A and B is_k_major, of C is_m_major
  bool mn_major = Of == Operand::a ? mma->atom().mn_major_a : mma->atom().mn_major_b;
  if (said) mn_major = *said == (Of == Operand::c);
  const auto made = [&]() -> Result<AnyLayout> {
    TESSERA_TRY(part, mma->partition_shape(Of, IntTuple::tuple({tile[Of == Operand::b ? 1 : 0], tile[Of == Operand::c ? 1 : 2]})));
    const std::int64_t rows = size(part[0][0]) * size(part[1]), columns = size(part[0][1]) * size(part[2]);
    TESSERA_TRY(block, widest_block(Helpers::sm100, mn_major, type, mn_major ? rows : columns));
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < part.rank(); ++i) modes.push_back(part[i]);
    modes.emplace_back(stages);
    const IntTuple staged = IntTuple::tuple(std::move(modes));
    TESSERA_TRY(tiled, tile_to_mma_shape(block, staged, order_of_tile(mn_major)));
    return coalesce(tiled, staged);
  };
  return smem_value(call, made(), type);
}

Result<Value> plain_smem_layout_sm100(const Call& call) {
  TESSERA_TRY(mn_major, is_mn_major(call, 0));
  TESSERA_TRY(tile, argument<IntTuple>(call, 1));
  TESSERA_CHECK(check_tile(call, 1, tile, 2));
  TESSERA_TRY(type, argument<ValueType>(call, 2));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 3));
  Result<AnyLayout> staged = staged_tile(Helpers::sm100, mn_major, type, size(tile[0]), size(tile[1]), stages);
  if (!staged) return std::move(std::move(staged).error()).at(call.span());
  return smem_value(call, coalesce(*staged, IntTuple::tuple({1, 1, 1})), type);
}

// How many elements of a mode of an epilogue's tile lie side by side.
Result<std::int64_t> contiguous_of(const Tiler& mode) {
  const auto* layout = std::get_if<Layout>(&mode.value);
  if (layout == nullptr) return extent_of(mode);
  TESSERA_TRY(inverse, right_inverse(*layout));
  return inverse.size();
}

Result<Value> smem_kind_sm100(const Call& call, bool mn_major, ValueType type, std::int64_t contiguous) {
  Result<std::string> rows = widest_smem_rows(type, contiguous);
  if (!rows) return std::move(std::move(rows).error()).at(call.span());
  return Value{fmt::format("{}_{}{}", mn_major ? "MN" : "K", *rows, mn_major && bits(type) == 32 && *rows == "SW128" ? "_32B" : "")};
}

// get_smem_layout_atom_ab and _epi: the word of SmemLayoutAtomKind.
Result<Value> smem_kind_of_operand(const Call& call) {
  TESSERA_TRY(mn_major, is_mn_major(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(tile, argument<IntTuple>(call, 2));
  TESSERA_CHECK(check_tile(call, 2, tile, 2));
  TESSERA_TRY(sparsity, argument<std::optional<std::int64_t>>(call, 3));
  const std::int64_t contiguous = size(tile[mn_major ? 0 : 1]), sparse = std::max<std::int64_t>(sparsity.value_or(1), 1);
  return smem_kind_sm100(call, mn_major, type, mn_major ? contiguous : contiguous / sparse);
}
Result<Value> smem_kind_of_epilogue(const Call& call) {
  TESSERA_TRY(m_major, is_column_major(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(modes, epilogue_modes(call, 2));
  TESSERA_TRY(contiguous, contiguous_of(modes[m_major ? 0 : 1]));
  return smem_kind_sm100(call, m_major, type, contiguous);
}

Result<Value> smem_layout_epi_sm100(const Call& call) {
  TESSERA_TRY(type, argument<ValueType>(call, 0));
  TESSERA_TRY(m_major, is_column_major(call, 1));
  TESSERA_TRY(modes, epilogue_modes(call, 2));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 3));
  TESSERA_TRY(contiguous, contiguous_of(modes[m_major ? 0 : 1]));
  Result<AnyLayout> block = widest_block(Helpers::sm100, m_major, type, contiguous);
  if (!block) return std::move(std::move(block).error()).at(call.span());
  const IntTuple staged = IntTuple::tuple({extent_of(modes[0]), extent_of(modes[1]), stages});
  return smem_value(call, tile_to_shape(*block, staged, order_of_tile(m_major)), type);
}

// C++'s ss_smem_selector and rs_smem_selector of the collectives.
Result<Value> smem_selector_call(const Call& call) {
  TESSERA_TRY(mn_major, is_mn_major(call, 0));
  TESSERA_TRY(type, argument<ValueType>(call, 1));
  TESSERA_TRY(rows, argument<IntTuple>(call, 2));
  TESSERA_TRY(columns, argument<IntTuple>(call, 3));
  const auto first = [](const IntTuple& extents) { return size(extents.is_tuple() ? extents[0] : extents); };
  return smem_value(call, widest_block(Helpers::sm90, mn_major, type, first(mn_major ? rows : columns)), type);
}

bool is_major_name(std::string_view, std::string_view word) { return word.ends_with("Major::K") || word.ends_with("Major::MN"); }

Result<Value> tile_to_mma_shape_call(const Call& call) {
  TESSERA_TRY(block, argument<AnyLayout>(call, 0));
  TESSERA_TRY(shape, argument<IntTuple>(call, 1));
  TESSERA_TRY(order, argument<std::optional<IntTuple>>(call, 2));
  Result<AnyLayout> tiled = tile_to_mma_shape(block, shape, order);
  if (tiled && call.function() == "tcgen05.tile_to_mma_shape") tiled = coalesce(*tiled, shape);  // the DSL's is coalesced
  if (!tiled) return std::move(std::move(tiled).error()).at(call.span());
  Value made = to_value(*std::move(tiled));
  made.element = call[0].value->element;
  return made;
}

// ---- pipelines and architectures ----------------------------------------------------------------------------------------------------

// A producer begins in the other phase: nothing is to be waited for.
template <bool Producer>
Result<Value> first_state(const Call& call) {
  TESSERA_TRY(stages, argument<std::int64_t>(call, 0));
  return pipeline_state_value({stages, 0, Producer ? 1 : 0, 0});
}

Result<Value> make_state_call(const Call& call) {
  TESSERA_TRY(type, argument<std::string>(call, 0));
  TESSERA_TRY(stages, argument<std::int64_t>(call, 1));
  if (type != "Producer" && type != "Consumer" && type != "ProducerConsumer")
    return argument_error(call, call.names[0], call[0],
                          {ErrorCode::unknown_name, fmt::format("\"{}\" is neither Producer nor Consumer", type), {}, {}});
  return pipeline_state_value({stages, 0, type == "Consumer" ? 0 : 1, 0});
}

// Source: cutlass_dsl/cutlass.py, SMEM_CAPACITY_MAP of nvidia-cutlass-dsl 4.8: a kibibyte less than an SM has.
Result<Value> smem_capacity_call(const Call& call) {
  constexpr std::pair<std::string_view, std::int64_t> kKib[] = {{"sm_80", 164},  {"sm_86", 100},  {"sm_87", 164},  {"sm_89", 100},
                                                                {"sm_90", 228},  {"sm_100", 228}, {"sm_101", 228}, {"sm_103", 228},
                                                                {"sm_107", 328}, {"sm_110", 228}, {"sm_120", 100}, {"sm_121", 100}};
  TESSERA_TRY(name, argument<std::string>(call, 0));
  for (const auto& [arch, kib] : kKib) {
    if (name == arch) return Value{IntTuple((kib - 1) * 1024)};
  }
  return argument_error(call, call.names[0], call[0],
                        {ErrorCode::unknown_name, fmt::format("there is no architecture \"{}\"", name), {}, {}});
}

// clang-format off
constexpr Builtin kRows[] = {
  {"mma_major_mode", "mma_major_mode(layout_enum)", "CuTe DSL: K of row-major operands, MN of column-major ones", mma_major_mode},
  {"sm90_mma_major_mode", "sm90_mma_major_mode(layout_enum)", "CuTe DSL: the same", mma_major_mode},
  {"is_k_major_a", "is_k_major_a(layout_enum)", "CuTe DSL: is A row-major?", has_order<false>},
  {"is_m_major_a", "is_m_major_a(layout_enum)", "CuTe DSL: is A column-major?", has_order<true>},
  {"is_k_major_b", "is_k_major_b(layout_enum)", "CuTe DSL: is B (N,K) row-major?", has_order<false>},
  {"is_n_major_b", "is_n_major_b(layout_enum)", "CuTe DSL: is B (N,K) column-major?", has_order<true>},
  {"is_n_major_c", "is_n_major_c(layout_enum)", "CuTe DSL: is C row-major?", has_order<false>},
  {"is_m_major_c", "is_m_major_c(layout_enum)", "CuTe DSL: is C column-major?", has_order<true>},
  {"PipelineState", "PipelineState(stages)", "CUTLASS: the first state of a pipeline", first_state<false>},
  {"make_producer_start_state", "make_producer_start_state(stages)", "CUTLASS: the first state of a pipeline's producer", first_state<true>},
  {"pipeline.make_pipeline_state", "pipeline.make_pipeline_state(type, stages)", "CuTe DSL: the first state of a pipeline's producer or consumer",
   make_state_call},
  {"get_smem_capacity_in_bytes", "get_smem_capacity_in_bytes(compute_capability)", "CUTLASS: the shared memory of a block of sm_90, ...",
   smem_capacity_call},
  {"sm90_utils.make_trivial_tiled_mma",
   "sm90_utils.make_trivial_tiled_mma(a_dtype, b_dtype, a_leading_mode, b_leading_mode, acc_dtype, atom_layout_mnk, tiler_mn, a_source=)",
   "CuTe DSL: the wgmma of these types, repeated", trivial_mma_sm90},
  {"sm90_utils.make_smem_layout_a", "sm90_utils.make_smem_layout_a(a_layout, mma_tiler_mnk, a_dtype, num_stages)",
   "CuTe DSL: A's stages in shared memory, in the widest swizzle that fits", smem_layout_sm90<0>},
  {"sm90_utils.make_smem_layout_b", "sm90_utils.make_smem_layout_b(b_layout, mma_tiler_mnk, b_dtype, num_stages)",
   "CuTe DSL: B's stages in shared memory, in the widest swizzle that fits", smem_layout_sm90<1>},
  {"sm90_utils.make_smem_layout_epi", "sm90_utils.make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage, smem_trg_shape=, smem_order=)",
   "CuTe DSL: C's stages in shared memory, in the widest swizzle that fits", smem_layout_epi_sm90},
  {"sm90_utils.get_smem_layout_atom", "sm90_utils.get_smem_layout_atom(layout, element_type, major_mode_size)",
   "CuTe DSL: the kind of the widest swizzle, for make_smem_layout_atom", smem_layout_atom_sm90},
  {"sm90_utils.compute_tile_shape_or_override",
   "sm90_utils.compute_tile_shape_or_override(tile_shape_mnk, element_type, is_cooperative=, epi_tile_override=)",
   "CuTe DSL: the tile that an epilogue stores at once", epilogue_tile_sm90},
  {"sm90_utils.get_smem_store_op", "sm90_utils.get_smem_store_op(layout_d, elem_ty_d, elem_ty_acc)",
   "CuTe DSL: stmatrix for 16 bits, else a plain store", smem_store_sm90},
  {"sm100_utils.make_trivial_tiled_mma",
   "sm100_utils.make_trivial_tiled_mma(a_dtype, b_dtype, a_leading_mode, b_leading_mode, acc_dtype, cta_group, mma_tiler_mn=, a_source=)",
   "CuTe DSL: the tcgen05.mma of these types; b_dtype may be left out", trivial_mma_sm100},
  {"sm100_utils.make_blockscaled_trivial_tiled_mma",
   "sm100_utils.make_blockscaled_trivial_tiled_mma(a_dtype, b_dtype, a_leading_mode, b_leading_mode, sf_dtype, sf_vec_size, cta_group, "
   "mma_tiler_mn=, a_source=)",
   "CuTe DSL: the block-scaled tcgen05.mma of these types; b_dtype may be left out", scaled_mma_sm100},
  {"sm100_utils.make_smem_layout_a", "sm100_utils.make_smem_layout_a(tiled_mma, mma_tiler_mnk, a_dtype, num_stages, is_k_major=)",
   "CuTe DSL: A's stages in shared memory, in the shape in which the MMA takes them", smem_layout_sm100<Operand::a>},
  {"sm100_utils.make_smem_layout_b", "sm100_utils.make_smem_layout_b(tiled_mma, mma_tiler_mnk, b_dtype, num_stages, is_k_major=)",
   "CuTe DSL: B's stages in shared memory, in the shape in which the MMA takes them", smem_layout_sm100<Operand::b>},
  {"sm100_utils.make_smem_layout_c", "sm100_utils.make_smem_layout_c(tiled_mma, mma_tiler_mnk, c_dtype, num_stages, is_m_major)",
   "CuTe DSL: C's stages in shared memory, in the shape in which the MMA gives them", smem_layout_sm100<Operand::c>},
  {"sm100_utils.get_smem_layout_atom_ab", "sm100_utils.get_smem_layout_atom_ab(major_mode, element_type, smem_shape_mn_k, sparsity=)",
   "CuTe DSL: the kind of the widest swizzle, for make_smem_layout_atom", smem_kind_of_operand},
  {"sm100_utils.get_smem_layout_atom_epi", "sm100_utils.get_smem_layout_atom_epi(layout, element_type, epi_tile)",
   "CuTe DSL: the kind of the widest swizzle of an epilogue's tile", smem_kind_of_epilogue},
  {"sm100_utils.make_smem_layout", "sm100_utils.make_smem_layout(leading_mode, smem_tile_shape, a_dtype, num_stages)",
   "CuTe DSL: a tile's stages in shared memory, in the widest swizzle that fits", plain_smem_layout_sm100},
  {"sm100_utils.make_smem_layout_epi", "sm100_utils.make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage)",
   "CuTe DSL: C's stages in shared memory, in the widest swizzle that fits", smem_layout_epi_sm100},

  {"ss_smem_selector", "ss_smem_selector(major, element_type, blk_mn, blk_k)", "CUTLASS: GMMA's layout atom of the widest swizzle that fits",
   smem_selector_call, is_major_name},
  {"rs_smem_selector", "rs_smem_selector(major, element_type, blk_mn, blk_k)", "CUTLASS: the same where A is in registers",
   smem_selector_call, is_major_name},
  {"UMMA::tile_to_mma_shape", "UMMA::tile_to_mma_shape(layout_atom, mma_tile_shape, order=)",
   "a block repeated over a tile ((MMA_M,MMA_K),M,K,..), divided by the MMA", tile_to_mma_shape_call},
  {"tcgen05.tile_to_mma_shape", "tcgen05.tile_to_mma_shape(atom, mma_tile_shape, order=)", "CuTe DSL: the same, coalesced",
   tile_to_mma_shape_call},
};
// clang-format on

}  // namespace

std::span<const Builtin> cutlass_utils_builtins() { return kRows; }

}  // namespace tessera
