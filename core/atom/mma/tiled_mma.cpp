// SPDX-License-Identifier: BSD-3-Clause
// TiledMma: CuTe's formulas (mma_atom.hpp of CUTLASS 4.7), each in one function.
#include "core/atom/mma/tiled_mma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/mma/tmem_fragment.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

std::string_view letter(Operand operand) {
  switch (operand) {
    case Operand::a: return "A";
    case Operand::b: return "B";
    case Operand::c: return "C";
  }
  return "";
}

// Which modes of (M,N,K) an operand has: A is M x K, B is N x K, C is M x N.
std::array<std::size_t, 2> modes_of(Operand operand) {
  switch (operand) {
    case Operand::a: return {0, 2};
    case Operand::b: return {1, 2};
    case Operand::c: return {0, 1};
  }
  return {};
}

const Layout& atom_layout(const MmaAtom& atom, Operand operand) {
  switch (operand) {
    case Operand::a: return atom.layout_a;
    case Operand::b: return atom.layout_b;
    case Operand::c: return atom.layout_c;
  }
  return atom.layout_c;
}

// n:1, and 1:0 for n = 1.
Layout first(std::int64_t n) { return Layout::trusted(n, n == 1 ? 0 : 1); }

Tiler tile(std::vector<Tiler> modes) { return Tiler(std::move(modes)); }

IntTuple pair(IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); }

// The layout that a tiler of one mode is: it is a layout or an extent.
Result<Layout> tile_layout(const Tiler& tiler) {
  if (const auto* layout = std::get_if<Layout>(&tiler.value)) return *layout;
  return Layout::make_compact(std::get<TileSize>(tiler.value).number());
}

std::int64_t tiler_size(const Tiler& tiler) {
  if (const auto* layout = std::get_if<Layout>(&tiler.value)) return layout->size();
  return std::get<TileSize>(tiler.value);
}

// CuTe's idx2crd(i, shape, stride) with the colexicographic number of the result.
Result<std::int64_t> coordinate_of(std::int64_t i, const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_tuple()) {
    std::int64_t number = 0, step = 1;
    for (std::size_t m = 0; m < shape.rank(); ++m) {
      TESSERA_TRY(c, coordinate_of(i, shape[m], stride[m]));
      number += c * step;
      step *= size(shape[m]);
    }
    return number;
  }
  if (shape.value() == 1) return std::int64_t{0};
  if (stride.value() == 0) {
    return Error{ErrorCode::not_injective,
                 fmt::format("the thread layout has a mode {}:0, so that a thread's coordinate cannot be found by division", shape.value()),
                 {},
                 {"an atom layout with stride 0 gives several atoms to one thread; partition by coordinate instead"}};
  }
  return (i / stride.value()) % shape.value();
}

std::vector<Tiler> normal_permutation(const Tiler& permutation) {
  std::vector<Tiler> modes;
  if (const auto* tuple = std::get_if<std::vector<Tiler>>(&permutation.value)) {
    modes = *tuple;
  } else if (!std::holds_alternative<Underscore>(permutation.value)) {
    modes.push_back(permutation);
  }
  while (modes.size() < 3) modes.emplace_back(Underscore{});
  return modes;
}

// tiled_product(thr_id, atoms): (V,M,N,K) -> thread.
// Where the atoms do not fit the gaps between the atom's threads, no layout is the product. CuTe then takes its formula's layout as
// the definition, in which atoms share threads; its TV layouts are refused later, for want of a complement.
Result<Layout> thread_layout(const Layout& thr_id, const Layout& atoms) {
  auto product = tiled_product(thr_id, Tiler(atoms));
  if (product || product.error().code != ErrorCode::breaks_law) return product;
  TESSERA_TRY(gaps, complement(thr_id, thr_id.size() * atoms.cosize()));
  TESSERA_TRY(placed, composition_unchecked(gaps, atoms));
  return make_layout({thr_id, placed[0], placed[1], placed[2]});
}

}  // namespace

OperandSource source_of(const MmaAtom& atom, Operand operand) {
  switch (operand) {
    case Operand::a: return atom.source_a;
    case Operand::b: return atom.source_b;
    case Operand::c: break;
  }
  return atom.kind == MmaKind::umma ? OperandSource::tensor_memory : OperandSource::registers;
}

Result<TiledMma> TiledMma::make(MmaAtom atom, Layout atom_layout_mnk, Tiler permutation_mnk) {
  if (atom_layout_mnk.rank() > 3) {
    return Error{
        ErrorCode::rank_mismatch,
        fmt::format("the atom layout {} has rank {}; it may have modes M, N and K", to_string(atom_layout_mnk), atom_layout_mnk.rank()),
        {},
        {}};
  }
  if (atom_layout_mnk.has_basis()) {
    return Error{ErrorCode::wrong_type, fmt::format("the atom layout {} must give atoms as integers", to_string(atom_layout_mnk)), {}, {}};
  }
  std::vector<Tiler> permutation = normal_permutation(permutation_mnk);
  if (permutation.size() > 3) {
    return Error{
        ErrorCode::rank_mismatch, fmt::format("the permutation {} has more than the modes M, N and K", to_string(permutation_mnk)), {}, {}};
  }
  for (const Tiler& mode : permutation) {
    if (mode.is_tuple() || std::holds_alternative<ComposedLayout>(mode.value)) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("the permutation {} may hold integers, layouts and _", to_string(permutation_mnk)),
                   {},
                   {"a permutation of one mode is a layout such as (4,2,2):(1,8,4)"}};
    }
    if (const auto* n = std::get_if<TileSize>(&mode.value); n != nullptr && *n < 1) {
      return Error{ErrorCode::bad_extent, fmt::format("the permutation {} has an extent below 1", to_string(permutation_mnk)), {}, {}};
    }
  }
  TiledMma mma;
  TESSERA_TRY(padded, append(atom_layout_mnk, 3));
  TESSERA_TRY(thr, thread_layout(atom.thr_id, padded));
  mma.atom_ = std::move(atom);
  mma.atom_layout_mnk_ = std::move(padded);
  mma.permutation_mnk_ = Tiler(std::move(permutation));
  mma.thr_layout_vmnk_ = std::move(thr);
  return mma;
}

std::int64_t TiledMma::num_threads() const { return thr_layout_vmnk_.size(); }

namespace {

// The permutation of a mode; `_` stands for as many elements as the atoms along the mode have.
Tiler permutation_of(const TiledMma& mma, std::size_t mode) {
  const auto& modes = std::get<std::vector<Tiler>>(mma.permutation_mnk().value);
  if (!std::holds_alternative<Underscore>(modes[mode].value)) return modes[mode];
  return shape_extent(mma.atom(), mode) * size(mma.thr_layout_vmnk().shape()[mode + 1]);
}

}  // namespace

std::array<std::int64_t, 3> TiledMma::tile_mnk() const {
  return {tiler_size(permutation_of(*this, 0)), tiler_size(permutation_of(*this, 1)), tiler_size(permutation_of(*this, 2))};
}

// What thrfrg makes on its way.
struct TiledMma::Steps {
  Layout permuted;   // ((tile,rest),(tile,rest))
  Layout tiled;      // ((AtomM,AtomN),(RestM,RestN))
  Layout fragments;  // ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN)))
};

Result<TiledMma::Steps> TiledMma::thrfrg_steps(Operand operand, const Layout& tensor, Law law, bool& proven) const {
  if (operand == Operand::a && !atom_.refusal_a.empty()) return Error{ErrorCode::not_congruent, atom_.refusal_a, {}, {atom_.note}};
  const auto [i, j] = modes_of(operand);
  if (tensor.rank() < 2) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{} has rank {}; operand {} needs a matrix", to_string(tensor), tensor.rank(), letter(operand)),
                 {},
                 {}};
  }
  const Law step = tensor.has_basis() ? law : law.step(proven);  // a tensor of coordinates has no definition by index
  TESSERA_TRY(permuted, logical_divide(tensor, tile({permutation_of(*this, i), permutation_of(*this, j)}), step));
  TESSERA_TRY(tiled, zipped_divide(permuted, tile({first(shape_extent(atom_, i)), first(shape_extent(atom_, j))}), step));
  // ((ThrV,FrgV),(RestM,RestN))
  TESSERA_TRY(values, composition(tiled, tile({atom_layout(atom_, operand), Underscore{}}), step));
  const Tiler threads = tile({first(size(thr_layout_vmnk_.shape()[i + 1])), first(size(thr_layout_vmnk_.shape()[j + 1]))});
  TESSERA_TRY(fragments, zipped_divide(values, tile({Underscore{}, threads}), step));
  return Steps{std::move(permuted), std::move(tiled), std::move(fragments)};
}

Result<MmaPartition> TiledMma::definition(Operand operand, const Layout& tensor, const Steps& steps) const {
  const std::array<std::size_t, 2> of = modes_of(operand);
  std::vector<MmaPartition::Mode> modes;
  for (std::size_t k = 0; k < 2; ++k) {
    TESSERA_TRY(order, tile_layout(permutation_of(*this, of[k])));
    TESSERA_TRY(permutation, TileMap::of(tensor[k], order));
    TESSERA_TRY(atom, TileMap::of(steps.permuted[k], first(shape_extent(atom_, of[k]))));
    TESSERA_TRY(threads, TileMap::of(steps.tiled[1][k], first(size(thr_layout_vmnk_.shape()[of[k] + 1]))));
    modes.push_back({std::move(permutation), std::move(atom), std::move(threads)});
  }
  return MmaPartition(tensor, atom_layout(atom_, operand), std::move(modes));
}

Result<Layout> TiledMma::thrfrg(Operand operand, const Layout& tensor, Law law) const {
  bool proven = true;
  TESSERA_TRY(steps, thrfrg_steps(operand, tensor, law, proven));
  TESSERA_CHECK(law.hold(proven, [&]() -> Status {
    TESSERA_TRY(wanted, definition(operand, tensor, steps));
    return wanted.check(steps.fragments);
  }));
  law.remark([&] { return overhang(operand, tensor, steps); });
  return std::move(steps.fragments);
}

std::optional<Error> TiledMma::overhang(Operand operand, const Layout& tensor, const Steps& steps) const {
  const Result<MmaPartition> wanted = definition(operand, tensor, steps);
  return wanted ? wanted->overhang() : std::nullopt;
}

Result<Layout> TiledMma::thread_value(Operand operand, const Layout& reference, Law law) const {
  TESSERA_TRY(fragments, thrfrg(operand, reference, law));
  if (operand != Operand::c) {
    // Threads along the mode that the operand lacks read the same elements: (ThrM,ThrK) -> ((ThrM,ThrN),ThrK), stride 0 for N.
    const std::int64_t m = size(thr_layout_vmnk_.shape()[1]), n = size(thr_layout_vmnk_.shape()[2]);
    const IntTuple stride = operand == Operand::a ? pair(1, 0) : pair(0, 1);
    const Tiler broadcast = tile({Underscore{}, tile({Layout::trusted(pair(m, n), stride), Underscore{}})});
    TESSERA_TRY(wide, composition(fragments, tile({broadcast, Underscore{}})));
    fragments = std::move(wide);
  }
  // hardware thread -> logical thread (V,M,N,K); ids between the atom's threads alias.
  TESSERA_TRY(gaps, complement(thr_layout_vmnk_));
  TESSERA_TRY(inverse, right_inverse(make_layout({thr_layout_vmnk_, gaps})));
  TESSERA_TRY(logical, composition(Layout::trusted(pair(num_threads(), 1), pair(1, 0)), inverse));
  return composition(fragments, tile({logical, Underscore{}}));
}

Result<Layout> TiledMma::layout_tv(Operand operand, Law law) const {
  const auto [i, j] = modes_of(operand);
  TESSERA_TRY(reference, Layout::make_compact(pair(tile_mnk()[i], tile_mnk()[j])));
  return thread_value(operand, reference, law);
}

Result<Layout> TiledMma::layout_tv_coords(Operand operand) const {
  const auto [i, j] = modes_of(operand);
  TESSERA_TRY(reference, make_identity_layout(pair(tile_mnk()[i], tile_mnk()[j])));
  return thread_value(operand, reference, Law::checked);
}

Result<std::array<std::int64_t, 4>> TiledMma::thr_vmnk(std::int64_t thread) const {
  if (thread < 0) return Error{ErrorCode::out_of_range, fmt::format("there is no thread {}", thread), {}, {}};
  std::array<std::int64_t, 4> coordinate{};
  for (std::size_t m = 0; m < coordinate.size(); ++m) {
    TESSERA_TRY(c, coordinate_of(thread, thr_layout_vmnk_.shape()[m], thr_layout_vmnk_.stride()[m]));
    coordinate[m] = c;
  }
  return coordinate;
}

namespace {

// ((v,(m,n)),(_,(_,_))) with as many rest modes as the tensor has.
Coord slice_coordinate(IntTuple thread, const Layout& fragments) {
  std::vector<IntTuple> rest(fragments.shape()[1][1].rank(), IntTuple::underscore());
  return pair(std::move(thread), pair(IntTuple::underscore(), IntTuple::tuple(std::move(rest))));
}

}  // namespace

Result<SliceAndOffset> TiledMma::partition(Operand operand, const AnyLayout& tensor, const IntTuple& thread, Law law) const {
  const auto [i, j] = modes_of(operand);
  TESSERA_TRY(vmnk, thr_vmnk(thread.value()));
  // A swizzle stays outside: only the layout under it is cut.
  const auto* composed = std::get_if<ComposedLayout>(&tensor);
  const Layout* cut = composed ? inner_layout(*composed) : std::get_if<Layout>(&tensor);
  if (cut == nullptr) return Error{ErrorCode::wrong_type, fmt::format("{} has no layout to partition", to_string(tensor)), {}, {}};
  bool proven = true;
  TESSERA_TRY(steps, thrfrg_steps(operand, *cut, law, proven));
  const auto at = [&](std::size_t mode) { return IntTuple::marked(vmnk[mode], thread.mark()); };
  const Coord coordinate = slice_coordinate(pair(at(0), pair(at(i + 1), at(j + 1))), steps.fragments);
  const AnyLayout fragments = with_plain_part(tensor, steps.fragments);
  TESSERA_TRY(part, slice_and_offset(coordinate, fragments));
  TESSERA_CHECK(law.hold(proven, [&, i = i, j = j]() -> Status {
    TESSERA_TRY(wanted, definition(operand, *cut, steps));
    return wanted.check(part, FragmentPlace{vmnk[0], 0, {vmnk[i + 1], vmnk[j + 1]}, 0}, tensor);
  }));
  law.remark([&] { return overhang(operand, *cut, steps); });
  return part;
}

Result<Shape> TiledMma::partition_shape(Operand operand, const Shape& shape, Law law) const {
  TESSERA_TRY(tensor, Layout::make_compact(shape));
  TESSERA_TRY(fragments, thrfrg(operand, tensor, law));
  TESSERA_TRY(slice0, slice(slice_coordinate(0, fragments), fragments));
  return slice0.shape();
}

Result<Layout> TiledMma::fragment(Operand operand, const Layout& tensor, Law law) const {
  if (source_of(atom_, operand) == OperandSource::smem_descriptor) {
    return Error{
        ErrorCode::wrong_type,
        fmt::format("{} reads {} through a descriptor of shared memory, so it has no fragment layout", atom_.name, letter(operand)),
        {},
        {"give the tensor in shared memory: the fragment is a view of it"}};
  }
  TESSERA_TRY(part, partition(operand, AnyLayout(tensor), 0, law));
  return fragment_of(operand, part.layout, 0);
}

Result<Layout> TiledMma::fragment_of(Operand operand, const AnyLayout& part, std::int64_t element_bits) const {
  const Shape& extents = shape(part);
  const std::int64_t values = atom_layout(atom_, operand)[1].size();
  if (extents.rank() < 3 || extents.is_int() || size(extents[0]) != values) {
    return Error{
        ErrorCode::bad_extent,
        fmt::format("make_fragment_{}: {} has the shape {}; a part of {} has three modes or more, and {} values of an atom in the first",
                    letter(operand), to_string(part), to_string(extents), letter(operand), values),
        {},
        {fmt::format("partition_{} of the tensor gives such a part", letter(operand))}};
  }
  switch (source_of(atom_, operand)) {
    case OperandSource::registers: return operand == Operand::c ? Layout::make_compact(extents) : make_fragment_like(part);
    case OperandSource::tensor_memory:
      return tmem_fragment(atom_, operand == Operand::c ? atom_.val_c : atom_.val_a, operand == Operand::c, extents);
    case OperandSource::smem_descriptor: break;
  }
  const std::int64_t own_bits = bits(operand == Operand::a ? atom_.val_a : atom_.val_b);
  TESSERA_TRY(units, recast_layout(layout_part(part), element_bits > 0 ? element_bits : own_bits, 8 * kDescriptorUnit));
  std::vector<Layout> modes{Layout::trusted(1, 0)};
  for (std::size_t i = 1; i < units.rank(); ++i) modes.push_back(units[i]);
  return make_layout(std::move(modes));
}

Result<Layout> TiledMma::layout_inverse(Operand operand, Law law) const {
  const auto [i, j] = modes_of(operand);
  TESSERA_TRY(reference, Layout::make_compact(pair(tile_mnk()[i], tile_mnk()[j])));
  TESSERA_TRY(fragments, thrfrg(operand, reference, law));
  TESSERA_TRY(inverse, right_inverse(fragments));
  return composition(inverse, reference);
}

Result<Layout> TiledMma::thr_id_of(Operand operand) const {
  const auto [i, j] = modes_of(operand);
  std::vector<IntTuple> coordinate(4, IntTuple(0));
  coordinate[0] = coordinate[i + 1] = coordinate[j + 1] = IntTuple::underscore();
  return slice(IntTuple::tuple(std::move(coordinate)), thr_layout_vmnk_);
}

std::vector<std::int64_t> TiledMma::thread_ids() const {
  std::vector<std::int64_t> ids = image(thr_layout_vmnk_);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace tessera
