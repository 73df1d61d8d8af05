// SPDX-License-Identifier: BSD-3-Clause
// Builtins: tiled MMAs and tiled copies, and what a thread finds of a tensor.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/gmma_selector.hpp"
#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/remarks.hpp"
#include "core/lang/builtins/tensors.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/layout/composed_algebra.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

using SharedMma = std::shared_ptr<const TiledMma>;
using SharedCopy = std::shared_ptr<const TiledCopy>;

Result<TiledMma> make_tiled_mma_of(const MmaAtom& atom, const std::optional<Layout>& atom_layout, const std::optional<Tiler>& permutation) {
  // (M,N,K) -> atom
  Layout layout = atom_layout ? *atom_layout : Layout::trusted(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0}));
  return TiledMma::make(atom, std::move(layout), permutation ? *permutation : Tiler(Underscore{}));
}

// CuTe's partitions, with a warning where they break their law, or tiles reach beyond the tensor.
template <Operand X>
Result<Value> thrfrg_call(const Call& call) {
  return call_with(
      call, [&](const SharedMma& mma, const Layout& tensor) { return lawful(call, [&](Law law) { return mma->thrfrg(X, tensor, law); }); });
}
// The part of the thread that a partition was asked for, which knows so.
Result<Value> part_of_thread(Result<SliceAndOffset> made, std::int64_t thread, std::string verb, std::vector<std::string> modes) {
  if (!made) return std::move(made).error();
  Tensor tensor{std::move(made->layout), std::move(made->offset)};
  tensor.part = std::make_shared<const ThreadPart>(ThreadPart{thread, std::move(verb), std::move(modes)});
  return Value{std::move(tensor)};
}

// What a thread does with its part of an operand; nothing where the instruction finds the operand by itself.
std::string verb_of(const TiledMma& mma, Operand operand) {
  const MmaAtom& atom = mma.atom();
  const OperandSource source = operand == Operand::a ? atom.source_a : operand == Operand::b ? atom.source_b : OperandSource::registers;
  if (atom.kind == MmaKind::umma || source != OperandSource::registers) return {};
  return operand == Operand::c ? "owns" : "reads";
}

// The argument with its mark: a thread may be one that only the running program knows.
IntTuple marked_thread(const Call& call, std::size_t place, std::int64_t thread) {
  const auto* given = std::get_if<IntTuple>(&call[place].value->any);
  const bool dynamic = given && given->is_dynamic();
  return IntTuple::marked(thread, dynamic ? marks::kDynamic : marks::kStatic);
}

template <Operand X>
Result<Value> partition_call(const Call& call) {
  return call_with(call, [&](const SharedMma& mma, const AnyLayout& tensor, std::int64_t thread) {
    remark_thread(Remarks(call), *mma, thread);
    remark_unreadable(Remarks(call), *mma, X, *call[1].value);
    const IntTuple of = marked_thread(call, 2, thread);
    return part_of_thread(lawful(call, [&](Law law) { return mma->partition(X, tensor, of, law); }), thread, verb_of(*mma, X),
                          {"val", X == Operand::b ? "MMA_N" : "MMA_M", X == Operand::c ? "MMA_N" : "MMA_K"});
  });
}
using TidFrg = Result<Layout> (TiledCopy::*)(const Layout&, Law) const;
using CopyPart = Result<SliceAndOffset> (TiledCopy::*)(const AnyLayout&, const IntTuple&, Law) const;
template <TidFrg F>
Result<Value> tidfrg_call(const Call& call) {
  return call_with(
      call, [&](const SharedCopy& copy, const Layout& tensor) { return lawful(call, [&](Law law) { return (*copy.*F)(tensor, law); }); });
}
template <CopyPart P>
Result<Value> copy_partition_call(const Call& call) {
  return call_with(call, [&](const SharedCopy& copy, const AnyLayout& tensor, std::int64_t thread) -> Result<Value> {
    const auto part = [&](Result<SliceAndOffset> made) {
      return part_of_thread(std::move(made), thread, P == &TiledCopy::partition_d ? "writes" : "reads", {"val", "CPY_M", "CPY_N"});
    };
    remark_thread(Remarks(call), *copy, thread);
    // The CTAs that share a TMA copy each name the whole box from where their part begins: what lies behind it is cut by the instruction.
    if (copy->atom().traits.kind == CopyKind::tma) return part((*copy.*P)(tensor, thread, Law::as_cute));
    const IntTuple of = marked_thread(call, 2, thread);
    return part(lawful(call, [&](Law law) { return (*copy.*P)(tensor, of, law); }));
  });
}
// (V,RestM,RestN,...) as the DSL has it: how often the tile is repeated in each of its two modes is one number there, and the
// accumulator of a wgmma of 8 columns has two modes of values, where C++ has a third of extent 1.
template <Operand X>
IntTuple dsl_partition_shape(const MmaAtom& atom, const IntTuple& part) {
  if (!part.is_tuple()) return part;
  std::vector<IntTuple> modes(part.modes().begin(), part.modes().end());
  const bool has_eight_columns = X == Operand::c && atom.kind == MmaKind::wgmma && shape_extent(atom, 1) == 8;
  if (has_eight_columns && modes[0].rank() == 3) modes[0] = IntTuple::tuple({modes[0][0], modes[0][1]});
  for (std::size_t i = 1; i < std::min<std::size_t>(modes.size(), 3); ++i) modes[i] = IntTuple(size(modes[i]));
  return IntTuple::tuple(std::move(modes));
}
template <Operand X>
Result<Value> partition_shape_call(const Call& call) {
  return call_with(call, [&](const SharedMma& mma, const IntTuple& shape) -> Result<IntTuple> {
    TESSERA_TRY(part, lawful(call, [&](Law law) { return mma->partition_shape(X, shape, law); }));
    return current_dialect() == Dialect::python ? dsl_partition_shape<X>(mma->atom(), part) : part;
  });
}
// The registers for a part of a swizzled tensor of a thread that is known only at run time: their order follows the strides that its
// slice then has. Nothing where the slice stays swizzled, whose order is that of the layout under the swizzle.
std::optional<Layout> fragment_of_unknown_thread(const TiledMma& mma, Operand operand, const AnyLayout& tensor, const IntTuple& thread) {
  if (!std::holds_alternative<ComposedLayout>(tensor) || operand == Operand::c || SwizzleInPointer::here()) return std::nullopt;
  const Result<SliceAndOffset> part = mma.partition(operand, tensor, thread, Law::as_cute);
  const auto* strides = part ? std::get_if<Layout>(&part->layout) : nullptr;
  if (!strides) return std::nullopt;
  const Result<Layout> fragment = make_fragment_like(*strides);
  return fragment ? std::optional(*fragment) : std::nullopt;
}

template <Operand X>
Result<Value> fragment_call(const Call& call) {
  TESSERA_TRY(mma, argument<SharedMma>(call, 0));
  TESSERA_TRY(tensor, argument<AnyLayout>(call, 1));
  const auto* thread = call.has(2) ? std::get_if<IntTuple>(&call[2].value->any) : nullptr;
  if (thread && !is_static(*thread)) {
    if (std::optional<Layout> made = fragment_of_unknown_thread(*mma, X, tensor, *thread)) return Value{std::move(*made)};
  }
  TESSERA_CHECK(check_described(call, mma->atom(), X));
  if (source_of(mma->atom(), X) == OperandSource::smem_descriptor) {
    return result_value(lawful(call, [&](Law law) -> Result<Layout> {
      TESSERA_TRY(part, mma->partition(X, layout_part(tensor), 0, law));
      return mma->fragment_of(X, part.layout, call[1].value->element.bits);
    }));
  }
  // Registers are not swizzled: as in CuTe, only the layout under a swizzle decides their order.
  Result<Layout> made = lawful(call, [&](Law law) { return mma->fragment(X, layout_part(tensor), law); });
  const bool in_registers = X == Operand::c ? mma->atom().kind != MmaKind::umma
                                            : (X == Operand::a ? mma->atom().source_a : mma->atom().source_b) == OperandSource::registers;
  return result_value(in_registers ? as_registers(call, std::move(made)) : std::move(made));
}
template <Operand X>
Result<Value> layout_tv_call(const Call& call) {
  return call_with(call, [&](const SharedMma& mma) { return lawful(call, [&](Law law) { return mma->layout_tv(X, law); }); });
}
// An operation moves elements of the type that the other arguments have.
Result<CopyAtom> atom_for(const Call& call, const Value& given, ValueType type) {
  if (const auto* operation = std::get_if<CopyTraits>(&given.any); operation && type != ValueType::none)
    return CopyAtom::make(*operation, type);
  Result<CopyAtom> atom = as_copy_atom(given);
  if (!atom) return argument_error(call, call.names[0], call[0], std::move(atom).error());
  return atom;
}
ValueType type_of(const MmaAtom& atom, Operand operand) {
  return operand == Operand::a ? atom.val_a : operand == Operand::b ? atom.val_b : atom.val_c;
}
template <Result<TiledCopy> (*F)(const CopyAtom&, const TiledMma&), Operand X>
Result<Value> copy_of_mma(const Call& call) {
  return call_with(call, [&](const Value& given, const SharedMma& mma) -> Result<TiledCopy> {
    TESSERA_TRY(atom, atom_for(call, given, type_of(mma->atom(), X)));
    Result<TiledCopy> copy = F(atom, *mma);
    if (copy) remark_copy_of(Remarks(call), *copy, *mma, X);
    return copy;
  });
}

template <Operand X>
Result<Value> layout_inverse_call(const Call& call) {
  return call_with(call, [&](const SharedMma& mma) { return lawful(call, [&](Law law) { return mma->layout_inverse(X, law); }); });
}
template <Operand X>
Result<Value> thr_id_call(const Call& call) {
  return call_with(call, [](const SharedMma& mma) { return mma->thr_id_of(X); });
}

// Every (thread, value) that holds an element of the operand's tile, in order of threads. Registers only.
Result<IntTuple> readers(const Call& call, const TiledMma& mma, Operand operand, std::int64_t row, std::int64_t col) {
  const auto [m, n, k] = mma.tile_mnk();
  const std::int64_t rows = operand == Operand::b ? n : m, cols = operand == Operand::c ? n : k;
  if (row < 0 || col < 0 || row >= rows || col >= cols)
    return Error{ErrorCode::out_of_range, fmt::format("({},{}) lies outside the tile of {} x {} elements", row, col, rows, cols), {}, {}};
  // (thr, val) -> place in the tile
  TESSERA_TRY(layout_tv, lawful(call, [&](Law law) { return mma.layout_tv(operand, law); }));
  const std::int64_t values = layout_tv[1].size();
  const auto what = [&] { return fmt::format("{} of {} threads with {} values each", call.function(), mma.num_threads(), values); };
  TESSERA_CHECK(spend_cells(count_product(mma.num_threads(), values), what));
  TESSERA_CHECK(fit_bytes(count_product(mma.num_threads(), 24), what));
  const std::vector<std::int64_t> threads = mma.thread_ids();
  std::vector<IntTuple> pairs;
  for (const std::int64_t thread : threads) {
    for (std::int64_t v = 0; v < values; ++v) {
      if (late()) return past_deadline(what());
      if (layout_tv(thread, v) == row + rows * col) pairs.push_back(IntTuple::tuple({thread, v}));
    }
  }
  if (pairs.empty()) return Error{ErrorCode::out_of_range, fmt::format("no thread holds ({},{})", row, col), {}, {}};
  remark_not_in_registers(Remarks(call), mma, operand);
  return IntTuple::tuple(std::move(pairs));
}
template <Operand X>
Result<Value> readers_call(const Call& call) {
  return call_with(call, [&](const SharedMma& mma, std::int64_t row, std::int64_t col) { return readers(call, *mma, X, row, col); });
}

template <Result<Layout> (TiledCopy::*Layout_TV)() const>
Result<Value> copy_of_copy(const Call& call) {
  return call_with(call, [&](const Value& given, const SharedCopy& copy) -> Result<TiledCopy> {
    TESSERA_TRY(atom, atom_for(call, given, copy->atom().value_type));
    TESSERA_TRY(layout_tv, ((*copy).*Layout_TV)());
    return TiledCopy::make(atom, std::move(layout_tv), copy->tiler_mn(), copy->operand());
  });
}

// "K" and "MN", also as C++ writes them.
Result<bool> is_mn(const Call& call, std::size_t i) {
  TESSERA_TRY(word, argument<std::optional<std::string>>(call, i));
  const std::string_view major = word ? std::string_view(*word) : "K";
  if (major.ends_with("Major::MN") || major == "MN") return true;
  if (major.ends_with("Major::K") || major == "K") return false;
  return argument_error(call, call.names[i], call[i],
                        {ErrorCode::wrong_type, fmt::format("\"{}\" is neither GMMA::Major::K nor GMMA::Major::MN", major), {}, {}});
}
bool is_major_word(std::string_view, std::string_view word) {
  return word.ends_with("GMMA::Major::K") || word.ends_with("GMMA::Major::MN");
}

// GMMA::ss_op_selector<A, B, C, Tile, MajorA, MajorB>()
template <bool InRegisters, bool Sparse>
Result<Value> op_selector_call(const Call& call) {
  TESSERA_TRY(a, argument<ValueType>(call, 0));
  TESSERA_TRY(b, argument<ValueType>(call, 1));
  TESSERA_TRY(c, argument<ValueType>(call, 2));
  TESSERA_TRY(tile, argument<IntTuple>(call, 3));
  TESSERA_TRY(a_mn, is_mn(call, 4));
  TESSERA_TRY(b_mn, is_mn(call, 5));
  Result<MmaAtom> made = select_gmma({a, b, c, std::move(tile), a_mn, b_mn, InRegisters, Sparse});
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return Value{std::move(*made)};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"make_tiled_mma", "make_tiled_mma(atom, atom_layout_mnk=, permutation_mnk=)", "an MMA atom repeated over threads, its tile reordered",
     [](const Call& c) {
     return call_with(c, [&](const MmaAtom& atom, const std::optional<Layout>& layout, const std::optional<Tiler>& tiler) {
       Result<TiledMma> mma = make_tiled_mma_of(atom, layout, tiler);
       if (mma) remark_repeated_work(Remarks(c), *mma);
       return mma; }); }},
  {"thr_layout_vmnk", "thr_layout_vmnk(mma)", "(V,M,N,K) -> thread", [](const Call& c) {
     return call_with(c, [](const SharedMma& mma) { return Layout(mma->thr_layout_vmnk()); }); }},
  {"tile_size", "tile_size(mma, mode)", "the extent of the tile in mode 0 (M), 1 (N) or 2 (K)", [](const Call& c) {
     return call_with(c, [](const SharedMma& mma, std::int64_t mode) -> Result<std::int64_t> {
       if (mode < 0 || mode > 2) return Error{ErrorCode::out_of_range, fmt::format("mode {} is not 0 (M), 1 (N) or 2 (K)", mode), {}, {}};
       return mma->tile_mnk()[static_cast<std::size_t>(mode)]; }); }},
  {"tile_shape", "tile_shape(mma)", "the extents of the tile, (M,N,K)", [](const Call& c) {
     return call_with(c, [](const SharedMma& mma) {
       const auto& tile = mma->tile_mnk();
       return IntTuple::tuple({IntTuple(tile[0]), IntTuple(tile[1]), IntTuple(tile[2])}); }); }},
  {"get_layoutA_TV", "get_layoutA_TV(mma)", "(thr, val) -> (m, k), colexicographic in the tile", layout_tv_call<Operand::a>},
  {"get_layoutB_TV", "get_layoutB_TV(mma)", "(thr, val) -> (n, k), colexicographic in the tile", layout_tv_call<Operand::b>},
  {"get_layoutC_TV", "get_layoutC_TV(mma)", "(thr, val) -> (m, n), colexicographic in the tile", layout_tv_call<Operand::c>},
  {"get_layoutA_MK", "get_layoutA_MK(mma)", "(m, k) -> (thr, val) as one number, logical threads (V,M,K) fastest", layout_inverse_call<Operand::a>},
  {"get_layoutB_NK", "get_layoutB_NK(mma)", "(n, k) -> (thr, val) as one number, logical threads (V,N,K) fastest", layout_inverse_call<Operand::b>},
  {"get_layoutC_MN", "get_layoutC_MN(mma)", "(m, n) -> (thr, val) as one number, logical threads (V,M,N) fastest", layout_inverse_call<Operand::c>},
  {"thrID_A", "thrID_A(mma)", "logical thread (V,M,K) of get_layoutA_MK -> hardware thread", thr_id_call<Operand::a>},
  {"thrID_B", "thrID_B(mma)", "logical thread (V,N,K) of get_layoutB_NK -> hardware thread", thr_id_call<Operand::b>},
  {"thrID_C", "thrID_C(mma)", "logical thread (V,M,N) of get_layoutC_MN -> hardware thread", thr_id_call<Operand::c>},
  {"readers_A", "readers_A(mma, m, k)", "every (thread, value) that holds element (m,k) of A's tile", readers_call<Operand::a>},
  {"readers_B", "readers_B(mma, n, k)", "every (thread, value) that holds element (n,k) of B's tile", readers_call<Operand::b>},
  {"readers_C", "readers_C(mma, m, n)", "every (thread, value) that holds element (m,n) of C's tile", readers_call<Operand::c>},
  {"thrfrg_A", "thrfrg_A(mma, layout)", "((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK))) of a tensor (M,K)", thrfrg_call<Operand::a>},
  {"thrfrg_B", "thrfrg_B(mma, layout)", "((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK))) of a tensor (N,K)", thrfrg_call<Operand::b>},
  {"thrfrg_C", "thrfrg_C(mma, layout)", "((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN))) of a tensor (M,N)", thrfrg_call<Operand::c>},
  {"partition_A", "partition_A(mma, layout, thread)", "one thread's part of a tensor (M,K), and where it begins",
   partition_call<Operand::a>},
  {"partition_B", "partition_B(mma, layout, thread)", "one thread's part of a tensor (N,K), and where it begins",
   partition_call<Operand::b>},
  {"partition_C", "partition_C(mma, layout, thread)", "one thread's part of a tensor (M,N), and where it begins",
   partition_call<Operand::c>},
  {"partition_shape_A", "partition_shape_A(mma, shape)", "the shape of a thread's part of (M,K)", partition_shape_call<Operand::a>},
  {"partition_shape_B", "partition_shape_B(mma, shape)", "the shape of a thread's part of (N,K)", partition_shape_call<Operand::b>},
  {"partition_shape_C", "partition_shape_C(mma, shape)", "the shape of a thread's part of (M,N)", partition_shape_call<Operand::c>},
  {"partition_fragment_A", "partition_fragment_A(mma, layout, thread=)", "the registers of a thread's part of (M,K)", fragment_call<Operand::a>},
  {"partition_fragment_B", "partition_fragment_B(mma, layout, thread=)", "the registers of a thread's part of (N,K)", fragment_call<Operand::b>},
  {"partition_fragment_C", "partition_fragment_C(mma, layout, thread=)", "the registers of a thread's part of (M,N)", fragment_call<Operand::c>},

  {"GMMA::ss_op_selector", "GMMA::ss_op_selector(a, b, c, tile_mnk, major_a=, major_b=)",
   "the wgmma atom for these types and this tile, A in shared memory", op_selector_call<false, false>, is_major_word},
  {"GMMA::rs_op_selector", "GMMA::rs_op_selector(a, b, c, tile_mnk, major_a=, major_b=)",
   "the wgmma atom for these types and this tile, A in registers", op_selector_call<true, false>, is_major_word},
  {"GMMA::ss_op_selector_sparse", "GMMA::ss_op_selector_sparse(a, b, c, tile_mnk, major_a=, major_b=)",
   "the same where A is sparse", op_selector_call<false, true>, is_major_word},
  {"GMMA::rs_op_selector_sparse", "GMMA::rs_op_selector_sparse(a, b, c, tile_mnk, major_a=, major_b=)",
   "the same where A is sparse, and in registers", op_selector_call<true, true>, is_major_word},

  {"make_tiled_copy", "make_tiled_copy(atom, thr_layout, val_layout=1)", "a copy atom repeated over a tile; both layouts map (m,n) to ids",
     [](const Call& c) {
     return call_with(c, [](const CopyAtom& atom, const Layout& thr, const std::optional<Layout>& val) {
       return make_tiled_copy(atom, thr, val ? *val : Layout()); }); }},
  {"make_tiled_copy_impl", "make_tiled_copy_impl(atom, layout_tv, tiler_mn)", "a copy atom repeated over a tile by (thr, val) -> (m, n)",
     [](const Call& c) {
     return call_with(c, [&](const CopyAtom& atom, const Layout& tv, const Tiler& tiler) {
       remark_leaves_tile(Remarks(c), tv, tiler);
       return TiledCopy::make(atom, tv, tiler); }); }},
  {"make_tiled_copy_A", "make_tiled_copy_A(atom, mma)", "the copy that feeds operand A", copy_of_mma<make_tiled_copy_a, Operand::a>},
  {"make_tiled_copy_B", "make_tiled_copy_B(atom, mma)", "the copy that feeds operand B", copy_of_mma<make_tiled_copy_b, Operand::b>},
  {"make_tiled_copy_C", "make_tiled_copy_C(atom, mma)", "the copy that takes operand C", copy_of_mma<make_tiled_copy_c, Operand::c>},
  {"make_tiled_copy_C_atom", "make_tiled_copy_C_atom(atom, mma)", "the smallest copy that takes operand C",
   copy_of_mma<make_tiled_copy_c_atom, Operand::c>},
  {"make_tiled_copy_S", "make_tiled_copy_S(atom, copy)", "another atom's copy of what this one's source layout walks",
     copy_of_copy<&TiledCopy::layout_s_tv>},
  {"make_tiled_copy_D", "make_tiled_copy_D(atom, copy)", "another atom's copy of what this one's destination layout walks",
     copy_of_copy<&TiledCopy::layout_d_tv>},
  {"make_cotiled_copy", "make_cotiled_copy(atom, atom_layout_tv, data_layout)", "a copy given by the addresses that threads touch",
     [](const Call& c) {
     return call_with(c, [](const CopyAtom& atom, const Layout& tv, const Layout& data) { return make_cotiled_copy(atom, tv, data); }); }},
  {"tidfrg_S", "tidfrg_S(copy, layout)", "(Thr,(FrgV,FrgX),(RestM,...)) of the source", tidfrg_call<&TiledCopy::tidfrg_s>},
  {"tidfrg_D", "tidfrg_D(copy, layout)", "(Thr,(FrgV,FrgX),(RestM,...)) of the destination", tidfrg_call<&TiledCopy::tidfrg_d>},
  {"partition_S", "partition_S(copy, layout, thread)", "one thread's part of the source, and where it begins",
   copy_partition_call<&TiledCopy::partition_s>},
  {"partition_D", "partition_D(copy, layout, thread)", "one thread's part of the destination, and where it begins",
   copy_partition_call<&TiledCopy::partition_d>},
  {"retile", "retile(copy, layout)", "a fragment regrouped for this copy", [](const Call& c) {
     return call_with(c, [](const SharedCopy& copy, const Layout& fragment) { return copy->retile(fragment); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> atom_builtins() { return kRows; }

}  // namespace tessera
