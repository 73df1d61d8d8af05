// SPDX-License-Identifier: BSD-3-Clause
// TiledCopy: CuTe's formulas (copy_atom.hpp of CUTLASS 4.7), each in one function.
#include "core/atom/copy/tiled_copy.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/layout/tiling.hpp"

namespace tessera {
namespace {

Tiler tile(std::vector<Tiler> modes) { return Tiler(std::move(modes)); }
IntTuple pair(IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); }

// The shape of the tile that a tiler cuts: ((8,2):(1,16),8) -> ((8,2),8)
Shape tiler_shape(const Tiler& tiler) {
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) return n->number();
  if (const auto* layout = std::get_if<Layout>(&tiler.value)) return layout->shape();
  if (const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value)) {
    std::vector<IntTuple> shape;
    for (const Tiler& mode : *modes) shape.push_back(tiler_shape(mode));
    return IntTuple::tuple(std::move(shape));
  }
  return 1;
}

std::size_t tiler_rank(const Tiler& tiler) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  return modes == nullptr ? 1 : modes->size();
}

std::int64_t mode_size(const Layout& layout, std::size_t mode) { return size(layout.shape()[mode]); }

// How the values of the source (or destination) lie in the reference: right_inverse(Ref) o Src.
Result<Layout> ref_to_target(const Layout& reference, const Layout& target) {
  TESSERA_TRY(inverse, right_inverse(reference));
  return composition(inverse, target);
}

// ((trg_thr,rest_thr),(trg_val,rest_val)) -> place in the tile
Result<Layout> target_thr_val(const TiledCopy& copy, const Layout& target) {
  const Layout& reference = copy.atom().val_layout_ref;
  TESSERA_TRY(ref2trg, ref_to_target(reference, target));
  // ((atom_thr,atom_val),(rest_thr,rest_val)) -> (m, n)
  TESSERA_TRY(atom_tv, zipped_divide(copy.layout_tv(), tile({mode_size(reference, 0), mode_size(reference, 1)}), Law::checked));
  // ((trg_thr,trg_val),(rest_thr,rest_val)) -> (m, n)
  TESSERA_TRY(target_tv, composition(atom_tv, tile({ref2trg, Underscore{}})));
  TESSERA_TRY(zipped, zip(target_tv[0], target_tv[1]));
  return coalesce(zipped, pair(1, pair(1, 1)));
}

// ((tile),(rest..)) -> (Thr,(FrgV,FrgX),(rest..))
Result<Layout> tile_to_thrfrg(const Layout& tiled, const Layout& thr_val, Law law) {
  TESSERA_TRY(composed, composition(tiled, tile({thr_val, Underscore{}}), law));
  return slice(pair(pair(IntTuple::underscore(), IntTuple::underscore()), IntTuple::underscore()), composed);
}

Status check_rank(const Layout& tensor, const Tiler& tiler) {
  if (tensor.rank() >= tiler_rank(tiler)) return Done{};
  return Error{ErrorCode::rank_mismatch,
               fmt::format("{} has rank {}, too small for the tile {}", to_string(tensor), tensor.rank(), to_string(tiler)),
               {},
               {}};
}

std::optional<Error> overhang(const Layout& tensor, const Tiler& tiler) {
  const Result<Tiling> tiling = Tiling::of(tensor, tiler);
  if (!tiling || !tiling->reaches_beyond()) return std::nullopt;
  return Error{
      ErrorCode::not_divisible,
      fmt::format("the tiles {} do not divide the shape {}: the last of them reach beyond it", to_string(tiler), to_string(tensor.shape())),
      {},
      {"CuTe rounds up without a word; who uses the result must leave out what lies beyond the layout"}};
}

// What tidfrg makes of a tensor, with the (thr, val) -> place in the tile that it used.
struct Fragments {
  Layout layout, thr_val;
};

Result<Fragments> fragments_of(const TiledCopy& copy, const Layout& tensor, const Layout& target, Law law, bool& proven) {
  TESSERA_CHECK(check_rank(tensor, copy.tiler_mn()));
  const Law step = tensor.has_basis() ? law : law.step(proven);  // a tensor of coordinates has no definition by index
  TESSERA_TRY(tiled, zipped_divide(tensor, copy.tiler_mn(), step));
  TESSERA_TRY(thr_val, target_thr_val(copy, target));
  TESSERA_TRY(made, tile_to_thrfrg(tiled, thr_val, step));
  return Fragments{std::move(made), std::move(thr_val)};
}

// Each element is the tensor at the place in its tile that thr_val names: those of one thread, or of all where thread < 0.
Status check_fragments(const TiledCopy& copy, const Layout& cut, const AnyLayout& tensor, const Fragments& fragments, std::int64_t thread,
                       const SliceAndOffset& made) {
  TESSERA_TRY(tiling, Tiling::of(cut, copy.tiler_mn()));
  const Layout all = fragments.thr_val, of_one = all[1];
  const std::int64_t start = thread < 0 ? 0 : all[0](thread);
  const Layout& places = thread < 0 ? all : of_one;
  const auto wanted = [&](std::int64_t i) { return finish(tensor, tiling(start + places(i % places.size()), i / places.size())); };
  const auto given = [&](std::int64_t i) { return made.offset.value() + evaluate(made.layout, i); };
  const auto i = first_broken(size(made.layout), [&](std::int64_t n) { return given(n) == wanted(n); });
  if (!i) return Done{};
  return Error{
      ErrorCode::breaks_law,
      fmt::format("the partition of {} is wrong: at coordinate {} of {} it gives {}, but the tensor has {} at that thread's coordinate",
                  to_string(tensor), to_string(idx2crd(*i, shape(made.layout))), to_string(made.layout), given(*i), wanted(*i)),
      {},
      {"CuTe's divisibility conditions accept this tensor, and a tile cuts one of its modes where the extents do not split"}};
}

Result<Layout> thrfrg_of(const TiledCopy& copy, const Layout& tensor, const Layout& target, Law law) {
  bool proven = true;
  TESSERA_TRY(made, fragments_of(copy, tensor, target, law, proven));
  TESSERA_CHECK(law.hold(proven, [&] { return check_fragments(copy, tensor, tensor, made, -1, {made.layout, 0}); }));
  law.remark([&] { return overhang(tensor, copy.tiler_mn()); });
  return std::move(made.layout);
}

// (thr, val) of the tile alone.
Result<Layout> tile_tv(const TiledCopy& copy, const Layout& target) {
  TESSERA_TRY(reference, Layout::make_compact(pair(tiler_shape(copy.tiler_mn()), 1)));
  TESSERA_TRY(thr_val, target_thr_val(copy, target));
  TESSERA_TRY(thrfrg, tile_to_thrfrg(reference, thr_val, Law::checked));
  return slice(IntTuple::tuple({IntTuple::underscore(), IntTuple::underscore(), IntTuple(0)}), thrfrg);
}

Result<SliceAndOffset> partition_of(const TiledCopy& copy, const AnyLayout& tensor, const IntTuple& thread, const Layout& target, Law law) {
  if (thread.value() < 0) return Error{ErrorCode::out_of_range, fmt::format("there is no thread {}", thread.value()), {}, {}};
  // A swizzle stays outside: only the layout under it is cut.
  const auto* composed = std::get_if<ComposedLayout>(&tensor);
  const Layout* cut = composed ? inner_layout(*composed) : std::get_if<Layout>(&tensor);
  if (cut == nullptr) return Error{ErrorCode::wrong_type, fmt::format("{} has no layout to partition", to_string(tensor)), {}, {}};
  bool proven = true;
  TESSERA_TRY(fragments, fragments_of(copy, *cut, target, law, proven));
  const std::vector<IntTuple> each(fragments.layout.shape()[2].rank(), IntTuple::underscore());
  const IntTuple rest = each.size() == 1 ? each[0] : IntTuple::tuple(each);  // CuTe's repeat<1>(_) is _, which keeps the tuple of one mode
  const Coord coordinate = IntTuple::tuple({thread, IntTuple::underscore(), rest});
  const AnyLayout divided = with_plain_part(tensor, fragments.layout);
  TESSERA_TRY(part, slice_and_offset(coordinate, divided));
  TESSERA_CHECK(law.hold(proven, [&] { return check_fragments(copy, *cut, tensor, fragments, thread.value(), part); }));
  law.remark([&] { return overhang(*cut, copy.tiler_mn()); });
  return part;
}

// For each mode i of `shape`, the elements along i that the (thr,val) layout touches: the tiler of a copy that moves only those.
Result<std::vector<Tiler>> touched_modes(const Shape& shape, const Layout& layout_tv) {
  std::vector<Tiler> modes;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    std::vector<IntTuple> stride(shape.rank(), IntTuple(0));
    stride[i] = 1;
    TESSERA_TRY(projection, Layout::make(shape, IntTuple::tuple(std::move(stride))));
    TESSERA_TRY(along, composition(projection, layout_tv));
    modes.emplace_back(filter(along));
  }
  return modes;
}

// The (thr,val) layout expressed in the tile that `tiler` cuts from a column-major `shape`.
Result<TiledCopy> retiled(const CopyAtom& atom, const Shape& shape, const Layout& layout_tv, std::optional<Operand> operand = {}) {
  TESSERA_TRY(modes, touched_modes(shape, layout_tv));
  const Tiler tiler = tile(std::move(modes));
  TESSERA_TRY(whole, Layout::make_compact(shape));
  TESSERA_TRY(tile_to_whole, composition(whole, tiler));
  TESSERA_TRY(inverse, left_inverse(tile_to_whole));
  TESSERA_TRY(in_tile, composition(inverse, layout_tv));
  return TiledCopy::make(atom, in_tile, tiler, operand);
}

Result<TiledCopy> copy_of_operand(const CopyAtom& atom, const TiledMma& mma, Operand operand, std::size_t i, std::size_t j) {
  TESSERA_TRY(layout_tv, mma.layout_tv(operand));
  return TiledCopy::make(atom, layout_tv, tile({mma.tile_mnk()[i], mma.tile_mnk()[j]}), operand);
}

}  // namespace

Result<TiledCopy> TiledCopy::make(CopyAtom atom, Layout layout_tv, Tiler tiler_mn, std::optional<Operand> operand) {
  if (layout_tv.rank() != 2) {
    return Error{ErrorCode::rank_mismatch, fmt::format("{} must have the modes thread and value", to_string(layout_tv)), {}, {}};
  }
  const Layout& reference = atom.val_layout_ref;
  // A copy must move whole values. (An automatic copy's trait has one bit of stride 0: its width is chosen later.)
  const std::int64_t moved = mode_size(atom.traits.layout_src, 1);
  if (moved > 1 && moved % bits(atom.value_type) != 0) {
    return Error{
        ErrorCode::not_divisible,
        fmt::format("{} moves {} bits a thread, and {} has {}", atom.traits.name, moved, cute_name(atom.value_type), bits(atom.value_type)),
        {},
        {"choose an instruction at least as wide as the value"}};
  }
  for (const auto& [mode, what] : {std::pair{std::size_t{0}, "threads"}, std::pair{std::size_t{1}, "values"}}) {
    if (mode_size(layout_tv, mode) % mode_size(reference, mode) != 0) {
      return Error{ErrorCode::not_divisible,
                   fmt::format("{} has {} {}, and {} needs a multiple of {}", to_string(layout_tv), mode_size(layout_tv, mode), what,
                               atom.traits.name, mode_size(reference, mode)),
                   {},
                   {fmt::format("give the tile more {} or choose a smaller instruction", what)}};
    }
  }
  TiledCopy copy;
  copy.atom_ = std::move(atom);
  copy.layout_tv_ = std::move(layout_tv);
  copy.tiler_mn_ = std::move(tiler_mn);
  copy.operand_ = operand;
  return copy;
}

std::int64_t TiledCopy::num_threads() const { return mode_size(layout_tv_, 0); }

Result<Layout> TiledCopy::layout_s_tv() const { return tile_tv(*this, atom_.val_layout_src); }
Result<Layout> TiledCopy::layout_d_tv() const { return tile_tv(*this, atom_.val_layout_dst); }
Result<Layout> TiledCopy::tidfrg_s(const Layout& tensor, Law law) const { return thrfrg_of(*this, tensor, atom_.val_layout_src, law); }
Result<Layout> TiledCopy::tidfrg_d(const Layout& tensor, Law law) const { return thrfrg_of(*this, tensor, atom_.val_layout_dst, law); }
Result<SliceAndOffset> TiledCopy::partition_s(const AnyLayout& tensor, const IntTuple& thread, Law law) const {
  return partition_of(*this, tensor, thread, atom_.val_layout_src, law);
}
Result<SliceAndOffset> TiledCopy::partition_d(const AnyLayout& tensor, const IntTuple& thread, Law law) const {
  return partition_of(*this, tensor, thread, atom_.val_layout_dst, law);
}

Result<Layout> TiledCopy::retile(const Layout& fragment) const {
  const std::int64_t values = mode_size(fragment, 0);
  // (m, n) -> which of a thread's fragments
  TESSERA_TRY(inverse, right_inverse(layout_tv_));
  TESSERA_TRY(tile_shape, Layout::make_compact(tiler_shape(tiler_mn_)));
  TESSERA_TRY(owner, composition(inverse, tile_shape));
  TESSERA_TRY(fragment_mn, upcast(owner, num_threads() * values));
  // ((atom_val),(rest)) -> value of the tile
  TESSERA_TRY(order, right_inverse(fragment_mn));
  TESSERA_TRY(all_values, logical_product(Layout::trusted(values, values == 1 ? 0 : 1), order));
  const std::int64_t atom_values = mode_size(atom_.val_layout_ref, 1);
  TESSERA_TRY(by_atom, zipped_divide(all_values, Tiler(Layout::trusted(atom_values, atom_values == 1 ? 0 : 1))));
  std::vector<Tiler> cut = {values};
  const Shape extents = product_each(fragment_mn.shape());
  if (fragment.rank() < 1 + extents.rank()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("retile: {} has rank {}; what is partitioned already has rank {}, a thread's values and the rest of each mode",
                             to_string(fragment), fragment.rank(), 1 + extents.rank()),
                 {},
                 {"partition_S and partition_D take a thread's part of a whole tile: docs/confusions.md#13-retile_s-and-retile_d"}};
  }
  for (std::size_t i = 0; i < extents.rank(); ++i) cut.emplace_back(size(extents[i]));
  TESSERA_TRY(tiled, zipped_divide(fragment, tile(std::move(cut))));
  TESSERA_TRY(ordered, composition(tiled, tile({by_atom, Underscore{}})));
  std::vector<IntTuple> rest(fragment.rank(), IntTuple::underscore());
  rest[0] = 0;
  return slice(pair(IntTuple::underscore(), IntTuple::tuple(std::move(rest))), ordered);
}

Result<TiledCopy> make_tiled_copy(const CopyAtom& atom, const Layout& thr, const Layout& val) {
  TESSERA_TRY(tile, make_layout_tv(thr, val));
  return TiledCopy::make(atom, std::move(tile.layout_tv), to_tiler(tile.tiler_mn));
}

Result<TiledCopy> make_tiled_copy_a(const CopyAtom& atom, const TiledMma& mma) { return copy_of_operand(atom, mma, Operand::a, 0, 2); }
Result<TiledCopy> make_tiled_copy_b(const CopyAtom& atom, const TiledMma& mma) { return copy_of_operand(atom, mma, Operand::b, 1, 2); }
Result<TiledCopy> make_tiled_copy_c(const CopyAtom& atom, const TiledMma& mma) { return copy_of_operand(atom, mma, Operand::c, 0, 1); }

Result<TiledCopy> make_tiled_copy_c_atom(const CopyAtom& atom, const TiledMma& mma) {
  TESSERA_TRY(layout_c, mma.layout_tv(Operand::c));
  const std::int64_t values = mode_size(atom.val_layout_src, 1);
  if (values > mode_size(layout_c, 1)) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("{} moves {} values a thread, and the tiled MMA gives a thread {} values of C", atom.traits.name, values,
                             mode_size(layout_c, 1)),
                 {},
                 {}};
  }
  TESSERA_TRY(kept, Layout::make_compact(pair(mode_size(layout_c, 0), values)));
  TESSERA_TRY(layout_tv, composition(layout_c, kept));
  return retiled(atom, pair(mma.tile_mnk()[0], mma.tile_mnk()[1]), layout_tv, Operand::c);
}

Result<TiledCopy> make_cotiled_copy(const CopyAtom& atom, const Layout& atom_tv, const Layout& data) {
  TESSERA_TRY(inverse, left_inverse(data));
  // (thr, val) -> coordinate of the data
  TESSERA_TRY(in_data, composition(make_layout({inverse, Layout()}), atom_tv));
  TESSERA_TRY(values, composition(make_layout({data, Layout()}), in_data[1]));
  if (coalesce(values) != coalesce(atom_tv[1])) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("the addresses of {} do not all exist in {}", to_string(atom_tv), to_string(data)),
                 {},
                 {"the value mode of the copy must walk addresses of the data layout"}};
  }
  return retiled(atom, product_each(data.shape()), in_data);
}

}  // namespace tessera
