// SPDX-License-Identifier: BSD-3-Clause
// Builtins: copies by a tensor descriptor (TMA), in CuTe's C++ and in the DSL. The algebra is core/atom/tma/tma_copy.hpp's.
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

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/tma/tma_order.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/remarks.hpp"
#include "core/lang/builtins/tensors.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

using SharedMma = std::shared_ptr<const TiledMma>;

// What every form names first: the operation, the tensor and the layout of shared memory.
Result<TmaRequest> request_of(const Call& call) {
  TESSERA_TRY(operation, argument<CopyTraits>(call, 0));
  TESSERA_TRY(gmem, argument<Layout>(call, 1));
  TESSERA_TRY(smem, argument<AnyLayout>(call, 2));
  // A descriptor converts nothing: shared memory has the tensor's elements.
  const Element& element = call[1].value->element.bits > 0 ? call[1].value->element : call[2].value->element;
  std::optional<ValueType> type = element.type;
  if (!type && element.bits > 0) type = value_type(fmt::format("uint{}_t", element.bits));
  if (!type) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("{}: nothing says of what type the elements of {} are", call.function(), described(*call[1].value)),
                 call[1].span,
                 {"make it with a type: make_tensor(make_gmem_ptr(half_t), layout)"}};
  }
  const Layout* inner = std::holds_alternative<Layout>(smem) ? &std::get<Layout>(smem) : inner_layout(std::get<ComposedLayout>(smem));
  const auto* swizzled = std::get_if<ComposedLayout>(&smem);
  if (!inner || (swizzled && !std::holds_alternative<Swizzle>(swizzled->outer)))
    return Error{
        ErrorCode::wrong_type, fmt::format("{}: shared memory is a layout, perhaps behind a swizzle", call.function()), call[2].span, {}};
  remark_phase(Remarks(call), *call[2].value, smem, bits(*type));
  return TmaRequest{std::move(operation), std::move(gmem), *type, std::move(smem), Layout(), 1};
}

// A descriptor's own type, as make_tma_copy<T>(...) has it behind the arguments: it may be another of the same width.
Status check_internal_type(const Call& call, ValueType type) {
  for (std::size_t i = 3; i < call.parameters.size(); ++i) {
    if (!call.has(i)) continue;
    const auto internal = as_value_type(*call[i].value);
    if (!internal || bits(*internal) == bits(type)) continue;
    return Error{ErrorCode::not_representable,
                 fmt::format("{}: a descriptor of {} for elements of {}: widths that differ are not known here", call.function(),
                             cute_name(*internal), cute_name(type)),
                 call[i].span,
                 {}};
  }
  return Done{};
}

// The arguments in front of such a type.
std::size_t count_of(const Call& call) {
  std::size_t count = 0;
  while (count < call.parameters.size() && call.has(count) && !as_value_type(*call[count].value)) ++count;
  return count;
}

std::string expression_of(const Call& call, const TmaRequest& request) {
  std::string text = fmt::format("{}({}, make_tensor(make_gmem_ptr({}), {})", call.function(), request.operation.name,
                                 cute_name(request.type), to_string(request.gmem));
  for (std::size_t i = 2; i < call.parameters.size(); ++i) {
    if (call.has(i)) text += ", " + to_string(*call[i].value);
  }
  return text + ")";
}

// One instruction moves a box: another order of the atom in shared memory may take far fewer.
void remark_order(const Call& call, const TmaRequest& request, const TmaCopy& copy) {
  const Remarks remarks(call);
  if (!remarks.warnings) return;
  const std::optional<TmaOrder> fewer = order_of_fewer(request, copy);
  if (!fewer) return;
  remarks.add(
      ErrorCode::limit,
      fmt::format("a tile is {} boxes of {} elements, an instruction each, where another order of the atom in shared memory takes {}",
                  instructions_a_tile(request, copy), copy.box.size(), fewer->instructions),
      {fewer->smem + ", and with stages as a further mode the same order before it"});
}

Value tma_value(const Call& call, const TmaRequest& request, TmaCopy copy) {
  remark_order(call, request, copy);
  return Value{std::make_shared<const TmaValue>(TmaValue{std::move(copy), expression_of(call, request), request})};
}

template <class T>
Result<T> of_call(const Call& call, Result<T> made) {
  if (made) return made;
  Error error = std::move(made).error();
  error.message = fmt::format("{}: {}", call.function(), error.message);
  return std::move(error).at(call.span());
}

// value of the tile -> mode of the tensor
Result<Layout> values_of_tile(const TmaRequest& request, const Tiler& tiler) {
  TESSERA_TRY(identity, make_identity_layout(request.gmem.shape()));
  return composition(identity, tiler, Law::as_cute);
}

Result<Tiler> product_tiler(const TmaRequest& request) { return to_tiler(product_each(shape(request.smem))); }

Result<Value> make_tma_atom_call(const Call& call) {
  TESSERA_TRY(request, request_of(call));
  TESSERA_CHECK(check_internal_type(call, request.type));
  TESSERA_TRY(tiler, argument<Tiler>(call, 3));
  if (count_of(call) > 4) {
    TESSERA_TRY(cluster, argument<IntTuple>(call, 4));
    TESSERA_TRY(ctas, checked_size(cluster));
    request.multicast = ctas;
  }
  TESSERA_TRY(values, of_call(call, values_of_tile(request, tiler)));
  request.cta_values = std::move(values);
  TESSERA_TRY(made, of_call(call, make_tma_atom(request)));
  return tma_value(call, request, std::move(made));
}

Result<Value> tiled(const Call& call, TmaRequest request, const Tiler& tiler, const IntTuple& cluster) {
  TESSERA_TRY(values, of_call(call, values_of_tile(request, tiler)));
  request.cta_values = std::move(values);
  TESSERA_TRY(threads, of_call(call, Layout::make_compact(cluster)));
  TESSERA_TRY(made, of_call(call, make_tma_copy(request, threads)));
  return tma_value(call, request, std::move(made));
}

// Of four arguments the last is the cluster's size, and the tile is what shared memory holds.
Result<Value> make_tma_copy_call(const Call& call) {
  TESSERA_TRY(request, request_of(call));
  TESSERA_CHECK(check_internal_type(call, request.type));
  const std::size_t count = count_of(call);
  IntTuple cluster = 1;
  if (count > 3) {
    TESSERA_TRY(given, argument<IntTuple>(call, count - 1));
    cluster = std::move(given);
  }
  TESSERA_TRY(tiler, count > 4 ? argument<Tiler>(call, 3) : product_tiler(request));
  return tiled(call, std::move(request), tiler, cluster);
}

// (BLK_M,BLK_N,BLK_K) without the mode that an operand does not have.
Result<Tiler> tiler_without(const Tiler& tiler, std::size_t mode) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!modes || modes->size() < 3)
    return Error{ErrorCode::rank_mismatch, fmt::format("a tile of M, N and K is wanted, but this is {}", to_string(tiler)), {}, {}};
  std::vector<Tiler> kept = *modes;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(mode));
  return Tiler(std::move(kept));
}

// Modes of M, N, K that operand X lacks, and the mode of the cluster whose CTAs share its tile.
constexpr std::size_t lacking(Operand x) { return x == Operand::a ? 1 : x == Operand::b ? 0 : 2; }

template <Operand X>
Result<Value> make_tma_copy_sm90_call(const Call& call) {
  TESSERA_TRY(request, request_of(call));
  TESSERA_CHECK(check_internal_type(call, request.type));
  TESSERA_TRY(tile, argument<Tiler>(call, 3));
  TESSERA_TRY(tiler, of_call(call, tiler_without(tile, lacking(X))));
  IntTuple cluster = 1;
  if (X != Operand::c) {
    const std::int64_t mode = lacking(X);
    TESSERA_TRY(part, of_call(call, mode_of(*call[4].value, std::span(&mode, 1))));
    TESSERA_TRY(ctas, as_int_tuple(part));
    TESSERA_TRY(count, checked_size(ctas));
    cluster = count;
  }
  return tiled(call, std::move(request), tiler, cluster);
}

// value of a CTA's tile -> mode of the tensor, by the MMA that reads the tile: (MMA, MMA_M, MMA_K)
template <Operand X>
Result<Layout> values_of_mma(const TmaRequest& request, const Tiler& tile, const TiledMma& mma) {
  TESSERA_TRY(tiler, tiler_without(tile, lacking(X)));
  TESSERA_TRY(of_tile, values_of_tile(request, tiler));
  TESSERA_TRY(divided, mma.thrfrg(X, of_tile, Law::as_cute));
  std::vector<Layout> modes = {divided[1][0]};
  for (std::size_t i = 0; i < divided[1][1].rank(); ++i) modes.push_back(divided[1][1][i]);
  return checked_make_layout(std::move(modes));
}

// How many CTAs of the cluster (V,M,N,K) share an operand's tile.
template <Operand X>
Result<std::int64_t> sharing(const Call& call, const CopyTraits& operation) {
  if (operation.name.find("MULTICAST") == std::string::npos || !call.has(5)) return 1;
  const std::int64_t mode = static_cast<std::int64_t>(lacking(X)) + 1;
  TESSERA_TRY(part, mode_of(*call[5].value, std::span(&mode, 1)));
  TESSERA_TRY(layout, as_layout(part));
  return layout.size();
}

template <Operand X>
Result<TmaRequest> request_of_mma(const Call& call) {
  TESSERA_TRY(request, request_of(call));
  TESSERA_CHECK(check_internal_type(call, request.type));
  TESSERA_TRY(tile, argument<Tiler>(call, 3));
  TESSERA_TRY(mma, argument<SharedMma>(call, 4));
  TESSERA_TRY(values, of_call(call, values_of_mma<X>(request, tile, *mma)));
  TESSERA_TRY(ctas, of_call(call, sharing<X>(call, request.operation)));
  request.cta_values = std::move(values);
  request.multicast = ctas;
  return request;
}

template <Operand X>
Result<Value> make_tma_atom_sm100_call(const Call& call) {
  TESSERA_TRY(request, request_of_mma<X>(call));
  TESSERA_TRY(made, of_call(call, make_tma_atom(request)));
  return tma_value(call, request, std::move(made));
}

// The tensor of the descriptor's coordinates.
Result<Value> tensor_of(const TmaCopy& copy, const IntTuple& shape) {
  if (!congruent(shape, copy.tensor_stride)) {
    return Error{
        ErrorCode::not_congruent,
        fmt::format("the descriptor is of a tensor with the strides {}, and the shape is nested otherwise", to_string(copy.tensor_stride)),
        {},
        {fmt::format("the shape is {}", to_string(shape))}};
  }
  return result_value(Layout::make(shape, copy.tensor_stride));
}

const TmaValue* tma_of(const Value& value) {
  const auto* tma = std::get_if<std::shared_ptr<const TmaValue>>(&value.any);
  return tma ? tma->get() : nullptr;
}

Error no_tma(const Call& call) {
  return {ErrorCode::wrong_type,
          fmt::format("{}: a TMA copy is wanted, as make_tma_atom gives it, but this is {}", call.function(), described(*call[0].value)),
          call[0].span,
          {}};
}

Result<Value> get_tma_tensor_call(const Call& call) {
  const TmaValue* tma = tma_of(*call[0].value);
  if (!tma) return no_tma(call);
  TESSERA_TRY(shape, argument<IntTuple>(call, 1));
  return of_call(call, tensor_of(tma->copy, shape));
}

// A tensor of one mode more than the tile has a mode of stages, which the descriptor does not know.
Result<AnyLayout> without_stages(const AnyLayout& smem, std::size_t wanted) {
  return rank(smem) == wanted + 1 ? take(smem, 0, static_cast<std::int64_t>(wanted)) : Result<AnyLayout>(smem);
}

// The DSL gives the atom, and the tensor of coordinates with it.
Result<Value> with_tensor(const Call& call, const TmaRequest& request) {
  TESSERA_TRY(made, of_call(call, make_tma_atom(request)));
  TESSERA_TRY(tensor, of_call(call, tensor_of(made, request.gmem.shape())));
  Value atom = tma_value(call, request, std::move(made));
  // As an expression it is the first of the two.
  auto shared = std::make_shared<TmaValue>(*tma_of(atom));
  shared->expression = fmt::format("{}[0]", shared->expression);
  std::vector<Value> both;
  both.emplace_back(std::shared_ptr<const TmaValue>(std::move(shared)));
  both.push_back(std::move(tensor));
  return Value{std::make_shared<const ValueList>(std::move(both))};
}

Result<Value> make_tiled_tma_atom_call(const Call& call) {
  TESSERA_TRY(request, request_of(call));
  TESSERA_CHECK(check_internal_type(call, request.type));
  TESSERA_TRY(tiler, argument<Tiler>(call, 3));
  TESSERA_TRY(ctas, argument<std::optional<std::int64_t>>(call, 4));
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  TESSERA_TRY(smem, of_call(call, without_stages(request.smem, modes ? modes->size() : 1)));
  TESSERA_TRY(values, of_call(call, values_of_tile(request, tiler)));
  request.smem = std::move(smem);
  request.cta_values = std::move(values);
  request.multicast = ctas.value_or(1);
  return with_tensor(call, request);
}

template <Operand X>
Result<Value> make_tiled_tma_atom_mma_call(const Call& call) {
  TESSERA_TRY(request, request_of_mma<X>(call));
  TESSERA_TRY(smem, of_call(call, without_stages(request.smem, request.cta_values.rank())));
  request.smem = std::move(smem);
  return with_tensor(call, request);
}

Result<Value> part_of(const Call& call, const CopyAtom& atom, std::int64_t cta, const Layout& cta_layout, const AnyLayout& smem,
                      const Value& tensor) {
  TESSERA_TRY(layout, of_call(call, as_any_layout(tensor)));
  TESSERA_TRY(part, of_call(call, tma_partition(atom, cta, cta_layout, smem, layout)));
  const auto* behind = std::get_if<Tensor>(&tensor.any);
  TESSERA_TRY(sum, add_offsets(behind ? behind->offset : IntTuple(0), part.offset));
  const std::vector<std::int64_t> parts = leaf_values(sum);
  const bool at_origin = std::all_of(parts.begin(), parts.end(), [](std::int64_t each) { return each == 0; });
  Value made = at_origin ? to_value(std::move(part.layout)) : Value{Tensor{std::move(part.layout), std::move(sum)}};
  made.element = tensor.element;
  return made;
}

// C++ gives global memory first and shared memory last, and takes no CTA where none is named; the DSL gives shared memory first.
template <bool Dsl>
Result<Value> tma_partition_call(const Call& call) {
  TESSERA_TRY(atom, argument<CopyAtom>(call, 0));
  const std::size_t given = static_cast<std::size_t>(
      std::count_if(call.parameters.begin(), call.parameters.end(), [](const CallArgument& each) { return each.value != nullptr; }));
  if (given != 3 && given != 5)
    return Error{ErrorCode::wrong_arity, fmt::format("{} takes a CTA together with its layout", call.function()), call.span(), {}};
  std::int64_t cta = 0;
  Layout cta_layout;
  if (given == 5) {
    TESSERA_TRY(layout, argument<Layout>(call, 2));
    TESSERA_TRY(coord, argument<IntTuple>(call, 1));
    TESSERA_TRY(number, of_call(call, crd2idx(coord, layout.shape())));
    cta = number;
    cta_layout = std::move(layout);
  }
  const Value& smem = *call[given - 2].value;
  const Value& gmem = *call[given - 1].value;
  TESSERA_TRY(stensor, of_call(call, as_any_layout(smem)));
  const auto* swizzled = std::get_if<ComposedLayout>(&stensor);
  if (swizzled && !inner_layout(*swizzled))
    return Error{ErrorCode::wrong_type, "tma_partition: shared memory is a layout", call.span(), {}};
  std::vector<Value> parts;
  for (const Value* tensor : {&gmem, &smem}) {
    TESSERA_TRY(part, part_of(call, atom, cta, cta_layout, stensor, *tensor));
    parts.push_back(std::move(part));
  }
  if (Dsl) std::swap(parts[0], parts[1]);
  const bool typed = std::any_of(parts.begin(), parts.end(), [](const Value& part) { return part.element.is_known(); });
  if (!typed) return make_tuple(std::move(parts));
  return Value{std::make_shared<const ValueList>(std::move(parts))};
}

// The CTAs that a copy reaches, one bit each: those whose coordinates differ from this one's in the modes at `_`.
Result<Value> multicast_mask_call(const Call& call) {
  TESSERA_TRY(layout, argument<AnyLayout>(call, 0));
  TESSERA_TRY(coord, argument<IntTuple>(call, 1));
  // create_tma_multicast_mask<2,3>(layout, coord): these modes are `_`.
  TESSERA_TRY(modes, mode_numbers(call));
  std::vector<IntTuple> parts(coord.modes().begin(), coord.modes().end());
  for (const std::int64_t mode : modes) {
    if (mode < 0 || mode >= static_cast<std::int64_t>(parts.size()))
      return Error{
          ErrorCode::out_of_range, fmt::format("{}: there is no mode {} in {}", call.function(), mode, to_string(coord)), call.span(), {}};
    parts[static_cast<std::size_t>(mode)] = IntTuple::underscore();
  }
  const IntTuple chosen = modes.empty() ? coord : IntTuple::tuple(std::move(parts));
  std::int64_t mask = 1, first = 0;
  if (has_underscore(chosen)) {
    TESSERA_TRY(slice, of_call(call, slice_and_offset(chosen, layout)));
    if (!slice.offset.is_int() || size(slice.layout) > 16)
      return Error{ErrorCode::out_of_range, fmt::format("{}: a cluster has at most 16 CTAs", call.function()), call.span(), {}};
    first = slice.offset.value();
    mask = 0;
    for (std::int64_t i = 0; i < size(slice.layout); ++i) {
      const std::int64_t cta = evaluate(slice.layout, i);
      if (cta < 0 || cta > 15)
        return Error{ErrorCode::out_of_range, fmt::format("{}: CTA {} has no bit", call.function(), cta), call.span(), {}};
      mask |= std::int64_t{1} << cta;
    }
  } else {
    TESSERA_TRY(index, of_call(call, evaluate(layout, chosen)));
    first = index.value();
  }
  if (first < 0 || first > 15)
    return Error{ErrorCode::out_of_range, fmt::format("{}: CTA {} has no bit", call.function(), first), call.span(), {}};
  return Value{IntTuple(mask << first & 0xffff)};
}

// CopyBulkTensorTileG2SOp(cta_group): a pair of CTAs, or one.
template <bool Multicast>
Result<Value> load_op(const Call& call) {
  TESSERA_TRY(group, argument<std::optional<std::string>>(call, 0));
  const std::string_view word = group ? std::string_view(*group) : "ONE";
  if (word != "ONE" && word != "TWO")
    return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is neither ONE nor TWO", word), call[0].span, {}};
  return result_value(
      find_copy_atom(fmt::format("{}{}", word == "TWO" ? "SM100_TMA_2SM_LOAD" : "SM90_TMA_LOAD", Multicast ? "_MULTICAST" : "")));
}

// clang-format off
constexpr Builtin kRows[] = {
  {"make_tma_atom", "make_tma_atom(op, gtensor, smem_layout, cta_tiler, cluster_size=, internal_type=)",
   "a copy of tiles by a tensor descriptor, for tma_partition", make_tma_atom_call},
  {"make_tma_copy", "make_tma_copy(op, gtensor, smem_layout, cta_tiler=, cluster_size=, internal_type=)",
   "the same as a tiled copy whose threads are the cluster's CTAs", make_tma_copy_call},
  {"make_tma_copy_A_sm90", "make_tma_copy_A_sm90(op, gtensor, smem_layout, cta_tiler, cluster_size, internal_type=)",
   "make_tma_copy of A, from the tile and the cluster (M,N,K)", make_tma_copy_sm90_call<Operand::a>},
  {"make_tma_copy_B_sm90", "make_tma_copy_B_sm90(op, gtensor, smem_layout, cta_tiler, cluster_size, internal_type=)",
   "make_tma_copy of B, from the tile and the cluster (M,N,K)", make_tma_copy_sm90_call<Operand::b>},
  {"make_tma_copy_C_sm90", "make_tma_copy_C_sm90(op, gtensor, smem_layout, cta_tiler, internal_type=)",
   "make_tma_copy of C, from the tile (M,N,K)", make_tma_copy_sm90_call<Operand::c>},
  {"make_tma_atom_A_sm100", "make_tma_atom_A_sm100(op, gtensor, smem_layout, mma_tiler, mma, cluster_shape=, internal_type=)",
   "make_tma_atom of A, whose tile (MMA,MMA_M,MMA_K) the MMA divides; cluster (V,M,N,K)", make_tma_atom_sm100_call<Operand::a>},
  {"make_tma_atom_B_sm100", "make_tma_atom_B_sm100(op, gtensor, smem_layout, mma_tiler, mma, cluster_shape=, internal_type=)",
   "make_tma_atom of B, whose tile (MMA,MMA_N,MMA_K) the MMA divides; cluster (V,M,N,K)", make_tma_atom_sm100_call<Operand::b>},
  {"get_tma_tensor", "get_tma_tensor(tma, shape)", "the tensor as coordinates in the order of its descriptor", get_tma_tensor_call},
  {"tma_partition", "tma_partition(atom, cta_coord, cta_layout, stensor=, gtensor=)",
   "(gmem, smem) of ((box,boxes),rest...); without a CTA: tma_partition(atom, stensor, gtensor)", tma_partition_call<false>},
  {"create_tma_multicast_mask", "create_tma_multicast_mask(cta_layout_vmnk, cta_coord_vmnk, modes...)",
   "one bit for each CTA that a copy reaches; the modes are `_` of the coordinate", multicast_mask_call},
  {"cpasync.make_tiled_tma_atom", "cpasync.make_tiled_tma_atom(op, gmem_tensor, smem_layout, cta_tiler, num_multicast=, internal_type=)",
   "CuTe DSL: (make_tma_atom, its get_tma_tensor)", make_tiled_tma_atom_call},
  {"make_tiled_tma_atom_A",
   "make_tiled_tma_atom_A(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk=, internal_type=)",
   "CuTe DSL: (make_tma_atom_A_sm100, its get_tma_tensor)", make_tiled_tma_atom_mma_call<Operand::a>},
  {"make_tiled_tma_atom_B",
   "make_tiled_tma_atom_B(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk=, internal_type=)",
   "CuTe DSL: (make_tma_atom_B_sm100, its get_tma_tensor)", make_tiled_tma_atom_mma_call<Operand::b>},
  {"cpasync.tma_partition", "cpasync.tma_partition(atom, cta_coord, cta_layout, smem_tensor, gmem_tensor)",
   "CuTe DSL: (smem, gmem) of ((box,boxes),rest...)", tma_partition_call<true>},
  {"cpasync.CopyBulkTensorTileG2SOp", "cpasync.CopyBulkTensorTileG2SOp(cta_group=)", "CuTe DSL: a load by a tensor descriptor", load_op<false>},
  {"cpasync.CopyBulkTensorTileG2SMulticastOp", "cpasync.CopyBulkTensorTileG2SMulticastOp(cta_group=)",
   "CuTe DSL: a load by a tensor descriptor into several CTAs", load_op<true>},
  {"cpasync.CopyBulkTensorTileS2GOp", "cpasync.CopyBulkTensorTileS2GOp()", "CuTe DSL: a store by a tensor descriptor", [](const Call&) {
     return result_value(find_copy_atom("SM90_TMA_STORE")); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> tma_builtins() { return kRows; }

}  // namespace tessera
