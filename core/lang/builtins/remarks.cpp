// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/remarks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/mma/owner_census.hpp"
#include "core/atom/smem/smem_descriptor.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr int kMostPatternBits = 40;  // a swizzle whose pattern never ends in shared memory

// "0 to 7", and of one element "0 alone".
std::string numbers_below(std::int64_t n) { return n == 1 ? "0 alone" : fmt::format("0 to {}", n - 1); }

// The first integer of a coordinate that its mode does not have, in words.
std::optional<std::string> stray(const Coord& coord, const Shape& shape, const std::string& mode) {
  if (coord.is_int()) {
    const std::int64_t n = size(shape);
    if (coord.value() >= 0 && coord.value() < n) return std::nullopt;
    if (mode.empty()) return fmt::format("its {} elements are numbered {}", n, numbers_below(n));
    return fmt::format("in mode {} there is no {}, but {}", mode, coord.value(), numbers_below(n));
  }
  if (!coord.is_tuple() || !shape.is_tuple() || coord.rank() != shape.rank()) return std::nullopt;
  for (std::size_t i = 0; i < coord.rank(); ++i) {
    if (auto found = stray(coord[i], shape[i], mode.empty() ? std::to_string(i) : fmt::format("{},{}", mode, i))) return found;
  }
  return std::nullopt;
}

// The extents of a tile's modes; 0 where a mode is left as it is.
std::vector<std::int64_t> mode_sizes(const Tiler& tiler) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  std::vector<std::int64_t> sizes;
  for (const Tiler& mode : modes ? *modes : std::vector<Tiler>{tiler}) {
    const auto* number = std::get_if<TileSize>(&mode.value);
    const auto* layout = std::get_if<Layout>(&mode.value);
    sizes.push_back(number ? *number : layout ? layout->size() : 0);
  }
  return sizes;
}

// The least and the largest value of a layout with integer strides.
std::array<std::int64_t, 2> range_of(const Layout& layout) {
  std::array<std::int64_t, 2> range{0, 0};
  const std::vector<std::int64_t> extents = leaf_values(layout.shape()), strides = leaf_values(layout.stride());
  for (std::size_t i = 0; i < extents.size(); ++i) range[strides[i] < 0 ? 0 : 1] += (extents[i] - 1) * strides[i];
  return range;
}

// A layout whose elements all have one value may be read anywhere: so CuTe broadcasts.
bool is_constant(const Layout& layout) {
  if (layout.has_basis()) return false;
  const std::vector<std::int64_t> strides = leaf_values(layout.stride());
  return std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 0; });
}

// The first part of a tiler that reaches an element that this part of the layout does not have, in words.
std::optional<std::string> reach_beyond(const Layout& layout, const Tiler& tiler, const std::string& mode) {
  const std::string of = mode.empty() ? to_string(layout) : fmt::format("mode {}", mode);
  const auto beyond = [&](std::int64_t element) -> std::optional<std::string> {
    if ((element >= 0 && element < layout.size()) || is_constant(layout)) return std::nullopt;
    return fmt::format("it reaches element {} of {}, which has the elements {}", element, of, numbers_below(layout.size()));
  };
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) return beyond(*n - 1);
  if (const auto* part = std::get_if<Layout>(&tiler.value)) {
    if (part->has_basis()) return std::nullopt;
    const auto [least, most] = range_of(*part);
    return beyond(least < 0 ? least : most);
  }
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  for (std::size_t i = 0; modes && i < std::min(modes->size(), layout.rank()); ++i) {
    if (auto found = reach_beyond(layout[i], (*modes)[i], mode.empty() ? std::to_string(i) : fmt::format("{},{}", mode, i))) return found;
  }
  return std::nullopt;
}

std::string threads_of(std::int64_t count, std::int64_t ids) {
  if (count == ids) return fmt::format("whose {} {} {}", count, count == 1 ? "thread is" : "threads are", numbers_below(count));
  return fmt::format("whose {} threads lie between 0 and {}, with gaps", count, ids - 1);
}

char letter(Operand operand) { return operand == Operand::a ? 'A' : operand == Operand::b ? 'B' : 'C'; }

// How wide an operand's elements are in registers, in bits; 0 where that is not one type's width.
int register_bits(const MmaAtom& atom, Operand operand) {
  if (atom.sparse) return 0;
  const std::string& spelled = operand == Operand::a ? atom.type_a : operand == Operand::b ? atom.type_b : atom.type_c;
  const ValueType named = operand == Operand::a ? atom.val_a : operand == Operand::b ? atom.val_b : atom.val_c;
  const std::optional<ValueType> stored = value_type(spelled);  // SM120's small floats lie in bytes
  return bits(stored ? *stored : named);
}

// Where an element of a copy's tile lies in the tensor that the tiler cuts.
std::array<std::int64_t, 2> place_in_tensor(const Tiler& tiler, std::int64_t element) {
  const std::int64_t rows = std::max<std::int64_t>(mode_sizes(tiler).front(), 1);
  std::array<std::int64_t, 2> place{element % rows, element / rows};
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  for (std::size_t i = 0; modes && i < std::min<std::size_t>(modes->size(), 2); ++i) {
    const auto* layout = std::get_if<Layout>(&(*modes)[i].value);
    if (layout && !layout->has_basis()) place[i] = (*layout)(place[i]);
  }
  return place;
}

// Does every row of memory that a matrix copy touches, 128 bits a thread, lie along M, N or K?
bool rows_are_rows(const TiledCopy& copy, const Layout& memory_tv, std::int64_t threads, std::int64_t values) {
  if (values < 2 || values > memory_tv[1].size()) return true;
  for (std::int64_t t = 0; t < std::min(threads, memory_tv[0].size()); ++t) {
    const auto first = place_in_tensor(copy.tiler_mn(), memory_tv(t, 0)), second = place_in_tensor(copy.tiler_mn(), memory_tv(t, 1));
    const std::size_t along = second[0] == first[0] ? 1 : 0;
    for (std::int64_t v = 1; v < values; ++v) {
      const auto place = place_in_tensor(copy.tiler_mn(), memory_tv(t, v));
      if (place[along] != first[along] + v || place[1 - along] != first[1 - along]) return false;
    }
  }
  return true;
}

// Without what a stride of 0 repeats.
std::int64_t size_without_repeats(const Layout& threads) { return filter_zeros(threads).size(); }

// Is every mode of a permutation one to one, from its elements to as many?
bool is_one_to_one(const Tiler& permutation) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&permutation.value);
  for (const Tiler& mode : modes ? *modes : std::vector<Tiler>{permutation}) {
    const auto* layout = std::get_if<Layout>(&mode.value);
    if (!layout) continue;
    const auto pair = aliasing_pair(AnyLayout(*layout));
    if (layout->cosize() != layout->size() || !pair || pair->has_value()) return false;
  }
  return true;
}

// C's elements that threads share or lose, by a permutation that is not one to one.
void remark_owners(const Remarks& remarks, const TiledMma& mma) {
  const Result<std::optional<OwnerCensus>> census = census_of_c(mma);
  if (census && (!*census || (*census)->one_owner_each())) return;
  if (!census && (census.error().code == ErrorCode::limit || is_one_to_one(mma.permutation_mnk()))) return;
  remarks.add(ErrorCode::not_injective,
              census ? describe(**census) : fmt::format("C cannot be shared out among the threads: {}", census.error().message),
              {fmt::format("each element of C has one owner where the atom layout {} and every mode of the permutation {} are one to one",
                           to_string(mma.atom_layout_mnk()), to_string(mma.permutation_mnk()))});
}

}  // namespace

void Remarks::add(ErrorCode code, std::string message, std::vector<std::string> notes) const {
  if (warnings) warnings->push_back({code, fmt::format("{}: {}", function, message), span, std::move(notes)});
}

namespace {

bool other_form(const AnyLayout& layout) {
  const Layout* part = std::get_if<Layout>(&layout);
  if (const auto* composed = std::get_if<ComposedLayout>(&layout)) part = inner_layout(*composed);
  return part && (has_other_form(part->shape()) || has_other_form(part->stride()));
}

bool other_form(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) return has_other_form(*tuple);
  if (const auto* layout = std::get_if<Layout>(&value.any)) return other_form(AnyLayout(*layout));
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return other_form(AnyLayout(*composed));
  const auto* tensor = std::get_if<Tensor>(&value.any);
  return tensor && other_form(tensor->layout);
}

}  // namespace

void remark_other_form(const Call& call, const Value& made) {
  if (!call.warnings || !other_form(made)) return;
  const auto given = [](const CallArgument& argument) { return argument.value && other_form(*argument.value); };
  if (std::any_of(call.parameters.begin(), call.parameters.end(), given) || std::any_of(call.rest.begin(), call.rest.end(), given)) return;
  Remarks(call).add(
      ErrorCode::not_representable,
      "CuTe gives this in another form, since an integer in it is dynamic: shown is what it gives for static ones",
      {"CuTe merges modes, drops extents of 1 and follows strides only where it knows the integers when it compiles: Int<8>{}, "
       "_8; the values are the same"});
}

void remark_outside(const Remarks& remarks, const Coord& coord, const Shape& shape) {
  if (!remarks.warnings) return;
  if (const auto found = stray(coord, shape, {})) {
    remarks.add(ErrorCode::out_of_range,
                fmt::format("the coordinate {} lies outside the shape {}: {}", to_string(coord), to_string(shape), *found),
                {"CuTe does not look: it multiplies by the strides and adds, and may meet another element or none"});
  }
}

void remark_broken_slice(const Remarks& remarks, const AnyLayout& layout, const Coord& coord) {
  if (!remarks.warnings || current_dialect() == Dialect::ours) return;  // whose author asked for the layout's values, and has them
  const auto broken = broken_slice(coord, layout);
  if (!broken) return;
  remarks.add(ErrorCode::wrong_result,
              fmt::format("the rest carries into bits of the swizzle that the coordinate has set, and CuTe's slice is another function: {} "
                          "behind {}",
                          to_string(broken->layout), to_string(broken->offset)),
              {"shown is what the layout has at these coordinates"});
}

void remark_tile_outside(const Remarks& remarks, const Coord& coord, const Shape& rest) {
  if (!remarks.warnings) return;
  if (const auto found = stray(coord, rest, {})) {
    remarks.add(ErrorCode::out_of_range,
                fmt::format("there is no tile {}: the tiles are {}, and {}", to_string(coord), to_string(rest), *found),
                {"CuTe does not look: the tile that it gives begins outside the tensor"});
  }
}

void remark_not_there(const Remarks& remarks, const Layout& layout, std::int64_t index, const Coord& coord) {
  if (!remarks.warnings) return;
  const Result<IntTuple> there = evaluate(layout, coord);
  if (!there || *there == IntTuple(index)) return;
  remarks.add(
      ErrorCode::out_of_range,
      fmt::format("{} does not have the value {} at {}: there it has {}", to_string(layout), index, to_string(coord), to_string(*there)),
      {"CuTe divides by the strides, which finds the values of a compact layout and no others"});
}

void remark_thread(const Remarks& remarks, const Layout& threads, std::int64_t thread) {
  if (!remarks.warnings || threads.has_basis()) return;
  const Result<std::int64_t> number = get_1d_coord(threads, thread);  // the place of the thread that CuTe takes
  if (!number || threads(*number) == thread) return;
  remarks.add(ErrorCode::out_of_range,
              fmt::format("there is no thread {} in {}, {}", thread, to_string(threads), threads_of(threads.size(), threads.cosize())),
              {fmt::format("CuTe divides by the strides and gives it the part of thread {}", threads(*number))});
}

namespace {

constexpr std::int64_t kMostThreadsSearched = 4096;

bool holds_value(const Layout& layout, std::int64_t value) {
  for (std::int64_t i = 0; i < layout.size(); ++i) {
    if (layout(i) == value) return true;
  }
  return false;
}

}  // namespace

void remark_thread(const Remarks& remarks, const TiledMma& mma, std::int64_t thread) {
  if (!remarks.warnings) return;
  const auto vmnk = mma.thr_vmnk(thread);
  if (!vmnk) return;                              // which is refused
  const Layout& threads = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const std::int64_t taken = threads[0]((*vmnk)[0]) + threads[1]((*vmnk)[1]) + threads[2]((*vmnk)[2]) + threads[3]((*vmnk)[3]);
  if (taken == thread) return;
  const bool ctas = mma.atom().kind == MmaKind::umma;
  // Strides that divide one another badly hide threads from CuTe that do take part.
  const bool hidden = thread < threads.cosize() && threads.size() <= kMostThreadsSearched && holds_value(threads, thread);
  remarks.add(ErrorCode::out_of_range,
              hidden ? fmt::format("CuTe does not find thread {} in this MMA, {}", thread, threads_of(mma.num_threads(), threads.cosize()))
                     : fmt::format("thread {} takes no part in this MMA, {}", thread, threads_of(mma.num_threads(), threads.cosize())),
              {fmt::format("CuTe divides by the strides and gives it the part of thread {}", taken),
               ctas ? "tcgen05.mma is issued by one thread: what CuTe calls its threads are the CTAs that share the tile"
                    : "more warps need a larger atom layout: make_tiled_mma(atom, (2,2,1))"});
}

void remark_thread(const Remarks& remarks, const TiledCopy& copy, std::int64_t thread) {
  if (!remarks.warnings || thread < copy.num_threads()) return;
  remarks.add(ErrorCode::out_of_range,
              fmt::format("thread {} takes no part in this copy, {}", thread, threads_of(copy.num_threads(), copy.num_threads())),
              {"CuTe does not look: the part that it gives lies outside the tile"});
}

void remark_reach(const Remarks& remarks, const AnyLayout& a, const Tiler& b) {
  if (!remarks.warnings) return;
  const auto* composed = std::get_if<ComposedLayout>(&a);
  const Layout* layout = composed ? inner_layout(*composed) : std::get_if<Layout>(&a);
  const bool by_mode = b.is_tuple() || std::holds_alternative<TileSize>(b.value);
  if (!layout || !by_mode) return;
  if (const auto found = reach_beyond(*layout, b, {})) {
    remarks.add(ErrorCode::out_of_range, fmt::format("{} is beyond {}: {}", to_string(b), to_string(*layout), *found),
                {"CuTe does not look: the last mode runs on, so that the result has elements that the layout does not have"});
  }
}

void remark_phase(const Remarks& remarks, const Value& tile, const AnyLayout& layout, std::int64_t bits) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  if (!remarks.warnings || !swizzle || swizzle->is_identity() || bits < 1) return;
  const auto* tensor = std::get_if<Tensor>(&tile.any);
  const std::int64_t behind = tensor && tensor->offset.is_int() ? tensor->offset.value() : 0;
  const std::int64_t inside = composed->offset.is_int() ? composed->offset.value() : 0;
  const int repeats = swizzle->base() + swizzle->bits() + std::abs(swizzle->shift());
  if (repeats >= kMostPatternBits) return;
  const std::int64_t pattern = std::int64_t{1} << repeats;  // elements
  const std::int64_t off = ((behind + inside) % pattern + pattern) % pattern;
  if (off == 0) return;
  const auto bytes = [&](std::int64_t elements) { return fmt::format("{}", static_cast<double>(elements * bits) / 8); };
  remarks.add(
      ErrorCode::out_of_range,
      fmt::format("the tile begins {} bytes behind a multiple of {}, where the pattern of {} begins: TMA, wgmma and UMMA swizzle by "
                  "the address, and find other elements there than this layout says",
                  bytes(off), bytes(pattern), to_string(*swizzle)),
      {fmt::format("begin it at a multiple of {0} bytes: alignas({0}), or byte_alignment={0} in the DSL", bytes(pattern))});
}

void remark_unreadable(const Remarks& remarks, const TiledMma& mma, Operand operand, const Value& tensor) {
  if (!remarks.warnings || operand == Operand::c) return;
  if (tensor.element.space != MemorySpace::unknown && tensor.element.space != MemorySpace::smem) return;
  const Result<SmemOperand> read = smem_operand(mma.atom(), operand);
  const Result<AnyLayout> layout = as_any_layout(tensor);
  if (!read || !layout || (tensor.element.bits != 0 && tensor.element.bits != read->bits)) return;
  remark_phase(remarks, tensor, *layout, read->bits);
  const Result<SmemDescription> found = smem_descriptor(*read, *layout);
  if (found || found.error().code != ErrorCode::not_representable) return;
  remarks.add(ErrorCode::not_representable,
              fmt::format("{} cannot read this {}: {}", mma.atom().name, letter(operand), found.error().message), found.error().notes);
}

void remark_repeated_work(const Remarks& remarks, const TiledMma& mma) {
  if (!remarks.warnings) return;
  const std::size_t said = remarks.warnings->size();
  const Layout& threads = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const auto shared = aliasing_pair(AnyLayout(filter_zeros(threads)));
  if (shared && shared->has_value()) {
    remarks.add(
        ErrorCode::not_injective,
        fmt::format("two places of this MMA have the same thread: (V,M,N,K) = {} and {} both have thread {} of {}",
                    to_string((*shared)->first_coord), to_string((*shared)->second_coord), to_string((*shared)->index), to_string(threads)),
        {"the atom layout does not fit between the atom's own threads, and CuTe takes its formula's layout all the same"});
  }
  const Layout& of_atom = mma.atom().thr_id;  // thread of the atom -> thread
  if (of_atom.cosize() == of_atom.size() && threads.cosize() > size_without_repeats(threads)) {
    remarks.add(ErrorCode::not_injective,
                fmt::format("{} threads do the work, and they are not 0 to {}: the last is {}, since the atom layout {} leaves gaps",
                            size_without_repeats(threads), size_without_repeats(threads) - 1, threads.cosize() - 1,
                            to_string(mma.atom_layout_mnk())),
                {fmt::format("a launch with size(mma) = {} threads leaves elements of C without an owner", mma.num_threads())});
  }
  for (std::size_t mode = 1; mode < 4; ++mode) {
    const Layout atoms = threads[mode];
    if (atoms.size() > 1 && is_constant(atoms)) {
      remarks.add(ErrorCode::not_injective,
                  fmt::format("the {} atoms along {} have the same threads: their stride in the atom layout {} is 0", atoms.size(),
                              "MNK"[mode - 1], to_string(mma.atom_layout_mnk())),
                  {"these threads do the work of one atom"});
    }
    const std::int64_t together = shape_extent(mma.atom(), mode - 1) * atoms.size(), tile = mma.tile_mnk()[mode - 1];
    if (tile % together == 0) continue;
    const std::string what = fmt::format("the permutation {} gives the tile {} elements of {}, and the {} of the MMA compute {}",
                                         to_string(mma.permutation_mnk()), tile, "MNK"[mode - 1],
                                         atoms.size() == 1 ? "one atom" : fmt::format("{} atoms", atoms.size()), together);
    remarks.add(ErrorCode::not_divisible,
                what + (tile < together ? ": warps repeat each other's work or compute what lies outside"
                                        : ": the last of them reach beyond the tile"),
                {fmt::format("give {} a multiple of {}, or write _ to leave it to the atoms", "MNK"[mode - 1], together)});
  }
  if (remarks.warnings->size() == said) remark_owners(remarks, mma);
}

void remark_copy_of(const Remarks& remarks, const TiledCopy& copy, const TiledMma& mma, Operand operand) {
  if (!remarks.warnings) return;
  const CopyAtom& atom = copy.atom();
  const CopyKind kind = atom.traits.kind;
  const bool loads = kind == CopyKind::ldmatrix || kind == CopyKind::ldmatrix_trans;
  if (!loads && kind != CopyKind::stmatrix && kind != CopyKind::stmatrix_trans) return;
  const int wanted = register_bits(mma.atom(), operand), given = bits(atom.value_type);
  if (operand != Operand::c && wanted > 0 && wanted != given) {
    remarks.add(
        ErrorCode::wrong_type,
        fmt::format("{} copies {} of {} bits, and {} of {} has elements of {} bits: each thread would get others than it multiplies",
                    atom.traits.name, cute_name(atom.value_type), given, letter(operand), mma.atom().name, wanted),
        {fmt::format("name the operand's type: Copy_Atom<{}, ...>", atom.traits.name)});
    return;
  }
  const Result<Layout> memory = loads ? copy.layout_s_tv() : copy.layout_d_tv();  // (thr, val) -> (m, n)
  const Layout& in_memory = loads ? atom.val_layout_src : atom.val_layout_dst;
  if (!memory || rows_are_rows(copy, *memory, in_memory[0].size(), in_memory[1].size())) return;
  remarks.add(ErrorCode::wrong_type,
              fmt::format("the rows that {} moves for {} are not rows of {}: the elements of one do not lie side by side in the tile",
                          atom.traits.name, cute_name(atom.value_type), letter(operand)),
              {"a matrix copy fits operands whose threads hold the pieces of rows that the instruction hands out"});
}

void remark_not_in_registers(const Remarks& remarks, const TiledMma& mma, Operand operand) {
  const MmaAtom& atom = mma.atom();
  const OperandSource source = operand == Operand::a        ? atom.source_a
                               : operand == Operand::b      ? atom.source_b
                               : atom.kind == MmaKind::umma ? OperandSource::tensor_memory
                                                            : OperandSource::registers;
  if (source == OperandSource::registers) return;
  remarks.add(
      ErrorCode::wrong_type,
      fmt::format("no thread holds {} of {}: it lies in {}", letter(operand), atom.name,
                  source == OperandSource::tensor_memory ? "tensor memory" : "shared memory, which the instruction reads by a descriptor"),
      {"the pairs are those of CuTe's table, where \"thread\" is not one that has the element in a register"});
}

void remark_leaves_tile(const Remarks& remarks, const Layout& layout_tv, const Tiler& tiler) {
  if (!remarks.warnings || layout_tv.has_basis()) return;
  std::int64_t elements = 1;
  for (const std::int64_t n : mode_sizes(tiler)) {
    if (n < 1 || __builtin_mul_overflow(elements, n, &elements)) return;
  }
  const auto [least, most] = range_of(layout_tv);
  if (least >= 0 && most < elements) return;
  remarks.add(ErrorCode::out_of_range,
              fmt::format("{} numbers element {} of the tile {}, which has the elements {}", to_string(layout_tv), least < 0 ? least : most,
                          to_string(tiler), numbers_below(elements)),
              {"(thr, val) -> (m, n) counts colexicographically in the tile"});
}

void remark_refused_by_dsl(const Call& call) {
  if (!call.warnings || current_dialect() != Dialect::python) return;
  const std::string_view name = call.function();
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto refuses = [&](std::string_view what, std::string note) {
    Remarks(call).add(ErrorCode::wrong_type, fmt::format("{}: the CuTe DSL refuses {}; this is what C++ gives", name, what),
                      {std::move(note)});
  };
  if (!call.has(0)) return;
  const Value& first = *call[0].value;
  const auto* number = call.has(1) ? std::get_if<IntTuple>(&call[1].value->any) : nullptr;
  if (is_one_of({"zipped_divide", "tiled_divide", "flat_divide"}) && number && number->is_int())
    return refuses("a number as the tiler", fmt::format("write cute.make_layout({}), or a tuple that tiles mode by mode", number->value()));
  const auto* shape = std::get_if<IntTuple>(&first.any);
  if (name == "shape_div" && shape && number && shape->is_tuple() && number->is_tuple()) {
    for (std::size_t i = 0; i < std::min(shape->rank(), number->rank()); ++i) {
      if ((*shape)[i].is_tuple() && (*number)[i].is_int())
        return refuses("a number for a nested mode", fmt::format("write a tuple in place of the number {}", to_string((*number)[i])));
    }
  }
  const bool is_tensor = std::holds_alternative<Tensor>(first.any) || first.element.space != MemorySpace::unknown;
  if (is_one_of({"get", "select"}) && is_tensor) return refuses("a tensor", fmt::format("write cute.{}(x.layout, ...)", name));
  if (name == "make_layout_like" && std::holds_alternative<ComposedLayout>(first.any))
    return refuses("a layout with a swizzle", "write cute.make_layout_like(x.outer)");
}

}  // namespace tessera
