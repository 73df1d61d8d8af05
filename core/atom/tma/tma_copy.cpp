// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/tma/tma_copy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/checked.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostModes = 5;      // of a descriptor
constexpr std::int64_t kMostBox = 256;     // elements of a box in one mode
constexpr std::int64_t kStrideBytes = 16;  // strides are multiples of it

// What CuTe decides when it compiles it decides of static integers alone.
bool is_static_value(const IntTuple& leaf, std::int64_t value) { return leaf.is_int() && leaf.value() == value && !leaf.is_dynamic(); }

const IntTuple& at_path(const IntTuple& tuple, const BasisPath& path) {
  const IntTuple* part = &tuple;
  for (std::size_t i = 0; i < path.length; ++i) part = &(*part)[path.modes[i]];
  return *part;
}

std::vector<IntTuple> leaves_of(const IntTuple& tuple) {
  std::vector<IntTuple> leaves;
  append_leaves(tuple, leaves);
  return leaves;
}

IntTuple tuple_of(std::span<const IntTuple> leaves) { return IntTuple::tuple(std::vector<IntTuple>(leaves.begin(), leaves.end())); }

// place in shared memory -> mode of the tensor, as far as shared memory walks whole elements of modes one after the other
Result<Layout> walk_of_smem(const TmaRequest& request) {
  const Layout& smem = plain_part(request.smem);
  if (smem.size() != request.cta_values.size()) {
    return Error{ErrorCode::not_congruent,
                 "the tile and the layout of shared memory have different sizes",
                 {},
                 {fmt::format("the tile has {} elements, and {} has {}", request.cta_values.size(), to_string(smem), smem.size())}};
  }
  TESSERA_TRY(inverse, right_inverse(smem));
  TESSERA_TRY(composed, composition_unchecked(request.cta_values, inverse));
  const Layout full = coalesce(composed);
  std::vector<IntTuple> extents, strides;
  for (const IntTuple& stride : full.stride().modes()) {
    if (!stride.is_basis() || stride.value() != 1 || stride.is_dynamic()) break;
    extents.push_back(full.shape()[strides.size()]);
    strides.push_back(stride);
  }
  if (strides.empty()) {
    return Error{ErrorCode::breaks_law,
                 fmt::format("shared memory {} does not begin along a mode of the tile: it walks {}", to_string(smem), to_string(full)),
                 {},
                 {"the tile and the shared memory have to be contiguous in the same mode"}};
  }
  return Layout::make(tuple_of(extents), tuple_of(strides));
}

// CuTe's coalesce_256: neighbours in global memory become one mode of at most 256 elements, where all of this is static.
std::vector<IntTuple> merged_extents(const std::vector<IntTuple>& extents, const std::vector<IntTuple>& strides) {
  std::vector<IntTuple> merged = {extents[0]};
  IntTuple stride = strides[0];
  for (std::size_t i = 1; i < extents.size(); ++i) {
    IntTuple& last = merged.back();
    if (is_static_value(extents[i], 1)) continue;
    if (merged.size() == 1 && is_static_value(last, 1)) {
      last = extents[i], stride = strides[i];
      continue;
    }
    const auto reach = checked_mul(last.value(), stride.value());
    const bool known = ((last.mark() | stride.mark() | extents[i].mark() | strides[i].mark()) & marks::kDynamic) == 0;
    if (known && reach == strides[i].value() && last.value() * extents[i].value() <= kMostBox) {
      last = IntTuple(last.value() * extents[i].value());
    } else {
      merged.push_back(extents[i]), stride = strides[i];
    }
  }
  return merged;
}

// extents of the box : modes of the tensor, in the descriptor's order
Result<Layout> box_of(const TmaRequest& request) {
  TESSERA_TRY(walk, walk_of_smem(request));
  const std::vector<IntTuple> extents = leaves_of(walk.shape()), bases = leaves_of(walk.stride());
  std::vector<IntTuple> strides;
  for (const IntTuple& basis : bases) strides.push_back(at_path(request.gmem.stride(), basis.path()));
  const std::vector<IntTuple> merged = merged_extents(extents, strides);
  TESSERA_TRY(by_extents, Layout::make_compact(tuple_of(merged)));
  TESSERA_TRY(box, composition_unchecked(walk, by_extents));
  std::vector<IntTuple> box_extents(box.shape().modes().begin(), box.shape().modes().end());
  std::vector<IntTuple> box_modes(box.stride().modes().begin(), box.stride().modes().end());
  // Modes of the tensor that the box does not reach into: one element each.
  TESSERA_TRY(identity, make_identity_layout(request.gmem.shape()));
  const std::vector<IntTuple> all = leaves_of(identity.stride()), reached = leaves_of(box.stride());
  const std::vector<IntTuple> sizes = leaves_of(request.gmem.shape()), steps = leaves_of(request.gmem.stride());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool trivial = is_static_value(sizes[i], 1) || is_static_value(steps[i], 0);
    if (trivial || std::find(reached.begin(), reached.end(), all[i]) != reached.end()) continue;
    box_extents.emplace_back(1);
    box_modes.push_back(all[i]);
  }
  if (box_extents.size() >= kMostModes) {  // the last one takes the rest
    const auto grouped = [](std::vector<IntTuple>& modes) {
      const IntTuple rest = tuple_of(std::span(modes).subspan(kMostModes - 1));
      modes.resize(kMostModes - 1);
      modes.push_back(rest);
    };
    grouped(box_extents), grouped(box_modes);
  }
  return Layout::make(tuple_of(box_extents), tuple_of(box_modes));
}

struct Descriptor {
  std::vector<std::int64_t> extents, strides;  // of the tensor in elements, one a mode of the box
  IntTuple box;                                // of one CTA
};

// One mode of the descriptor: the mode of the tensor that it is, or several that it steps through by their common divisor.
Status read_mode(const TmaRequest& request, const IntTuple& modes, std::int64_t& extent, std::int64_t& stride) {
  extent = 1, stride = 0;
  for (const IntTuple& mode : modes.modes()) {
    if (!mode.is_basis())
      return Error{ErrorCode::not_representable, fmt::format("the mode {} of a descriptor is nested", to_string(modes)), {}, {}};
    const std::int64_t e = at_path(request.gmem.shape(), mode.path()).value(), d = at_path(request.gmem.stride(), mode.path()).value();
    if (modes.rank() == 1) {
      extent = e, stride = d;
      break;
    }
    const std::int64_t before = stride;
    stride = std::gcd(stride, d);
    extent = stride == 0 ? e : (extent - 1) * (before / stride) + (e - 1) * (d / stride) + 1;
  }
  return Done{};
}

Result<Descriptor> descriptor_of(const TmaRequest& request, const Layout& box) {
  Descriptor made;
  for (const IntTuple& modes : box.stride().modes()) {
    TESSERA_CHECK(read_mode(request, modes, made.extents.emplace_back(), made.strides.emplace_back()));
  }
  if (made.strides[0] != 1) {
    return Error{ErrorCode::breaks_law,
                 fmt::format("shared memory walks mode {} first, whose stride in the tensor is {}, not 1", to_string(box.stride()[0]),
                             made.strides[0]),
                 {},
                 {"the first mode of a descriptor is contiguous: give both the same major mode"}};
  }
  for (std::size_t i = 1; i < made.strides.size(); ++i) {
    const auto width = checked_mul(made.strides[i], bits(request.type));
    const std::int64_t bytes = width ? *width / 8 : -1;
    if (bytes >= 0 && bytes % kStrideBytes == 0 && bytes < std::int64_t{1} << 40) continue;
    return Error{ErrorCode::not_divisible,
                 fmt::format("a descriptor's strides are multiples of 16 bytes below 2^40, and the tensor's stride {} of {} is none",
                             made.strides[i], cute_name(request.type)),
                 {},
                 {}};
  }
  std::vector<IntTuple> extents;
  for (const IntTuple& extent : box.shape().modes()) extents.emplace_back(size(extent));
  std::int64_t share = request.multicast;
  for (std::size_t i = extents.size(); i-- > 0 && share > 1;) {
    const std::int64_t extent = extents[i].value();
    if (extent % share != 0 && share % extent != 0)
      return Error{ErrorCode::not_divisible, fmt::format("{} CTAs do not share a box of {} elements evenly", share, extent), {}, {}};
    extents[i] = IntTuple((extent + share - 1) / share);
    share = (share + extent - 1) / extent;
  }
  if (share > 1)
    return Error{
        ErrorCode::not_divisible, fmt::format("a box of {} elements is too small for {} CTAs", box.size(), request.multicast), {}, {}};
  for (const IntTuple& extent : extents) {
    if (extent.value() <= kMostBox) continue;
    return Error{
        ErrorCode::limit, fmt::format("a box has at most {} elements in a mode, and {} has more", kMostBox, to_string(box)), {}, {}};
  }
  made.box = tuple_of(extents);
  return made;
}

// mode of the tensor -> coordinate of the descriptor
IntTuple tensor_stride(const TmaRequest& request, const IntTuple& shape, const IntTuple& stride, const IntTuple& basis, const Layout& box,
                       const Descriptor& descriptor) {
  if (shape.is_tuple()) {
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < shape.rank(); ++i) modes.push_back(tensor_stride(request, shape[i], stride[i], basis[i], box, descriptor));
    return IntTuple::tuple(std::move(modes));
  }
  if (is_static_value(shape, 1) || is_static_value(stride, 0)) return 0;
  for (std::size_t j = 0; j < box.rank(); ++j) {
    const IntTuple& modes = box.stride()[j];
    if (std::find(modes.modes().begin(), modes.modes().end(), basis) == modes.modes().end()) continue;
    BasisPath path;
    path.length = 1;
    path.modes[0] = static_cast<std::uint8_t>(j);
    if (j == 0) return IntTuple::basis(stride.value(), path.marked(stride.mark() & marks::kDynamic));
    if (modes.rank() == 1) return IntTuple::basis(1, path);
    // Several modes in one: each in units of their common stride, which a descriptor has in 16 bytes at least.
    const std::int64_t unit = std::max(descriptor.strides[j] * bits(request.type) / 8, kStrideBytes);
    const std::int64_t scale = (stride.value() * bits(request.type) / unit + 7) / 8;
    return IntTuple::basis(scale, path.marked(marks::kDynamic));
  }
  return 0;
}

Status check_request(const TmaRequest& request) {
  static constexpr std::string_view kTiled[] = {"SM90_TMA_LOAD",       "SM90_TMA_LOAD_MULTICAST", "SM90_TMA_STORE",
                                                "SM90_TMA_REDUCE_ADD", "SM100_TMA_2SM_LOAD",      "SM100_TMA_2SM_LOAD_MULTICAST"};
  if (std::find(std::begin(kTiled), std::end(kTiled), request.operation.name) == std::end(kTiled)) {
    return Error{
        ErrorCode::unknown_atom,
        fmt::format("{} does not copy tiles by a descriptor, as SM90_TMA_LOAD, SM90_TMA_STORE and others do", request.operation.name),
        {},
        {}};
  }
  if (!request.gmem.shape().is_tuple() || request.gmem.has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("a tensor of one mode or more is copied, and not {}", to_string(request.gmem)), {}, {}};
  if (request.multicast < 1 || request.multicast > 16)
    return Error{ErrorCode::out_of_range, fmt::format("1 to 16 CTAs share a copy, not {}", request.multicast), {}, {}};
  const auto steps = leaf_values(request.gmem.stride());
  if (std::any_of(steps.begin(), steps.end(), [](std::int64_t d) { return d < 0; }))
    return Error{ErrorCode::breaks_law, fmt::format("a descriptor has no negative strides: {}", to_string(request.gmem)), {}, {}};
  return Done{};
}

// The elements that one CTA's instruction names: of the whole box where it is shared.
std::int64_t elements_of(const CopyAtom& atom) { return atom.val_layout_src[1].size(); }

}  // namespace

Result<TmaCopy> make_tma_atom(const TmaRequest& request) {
  TESSERA_CHECK(check_request(request));
  TESSERA_TRY(box, box_of(request));
  TESSERA_TRY(descriptor, descriptor_of(request, box));
  TESSERA_TRY(identity, make_identity_layout(request.gmem.shape()));
  const auto width = checked_mul(box.size(), bits(request.type));
  if (!width || *width > kLargestIndex) return Error{ErrorCode::overflow, "the bits of a box leave 62 bits", {}, {}};
  TESSERA_TRY(traits, find_copy_atom(fmt::format("Copy_Traits<{},Int<{}>>", request.operation.name, *width)));
  TmaCopy made;
  TESSERA_TRY(atom, CopyAtom::make(std::move(traits), request.type));
  made.atom = std::move(atom);
  made.tensor_stride = tensor_stride(request, request.gmem.shape(), request.gmem.stride(), identity.stride(), box, descriptor);
  made.box = std::move(box);
  made.box_of_cta = std::move(descriptor.box);
  made.swizzle = get_swizzle(request.smem);
  made.multicast = request.multicast;
  return made;
}

Result<TmaCopy> make_tma_copy(TmaRequest request, const Layout& cta_threads) {
  request.multicast = cta_threads.cosize();
  TESSERA_TRY(made, make_tma_atom(request));
  const std::int64_t count = elements_of(made.atom), ctas = cta_threads.cosize();
  if (count % ctas != 0)
    return Error{ErrorCode::not_divisible, fmt::format("{} CTAs do not share {} elements evenly", ctas, count), {}, {}};
  TESSERA_TRY(inverse, right_inverse(plain_part(request.smem)));
  // value of one copy -> place in the tile, and repeated over all of it
  TESSERA_TRY(one, composition(inverse, Layout::trusted(count, count == 1 ? 0 : 1)));
  const Layout wrapped = Layout::trusted(IntTuple::tuple({one.shape()}), IntTuple::tuple({one.stride()}));
  TESSERA_TRY(values, tile_to_shape(wrapped, Shape(request.cta_values.size())));
  // CTA -> place in shared memory -> place in the tile
  TESSERA_TRY(places, composition(Layout::trusted(ctas, ctas == 1 ? 0 : count / ctas), cta_threads));
  TESSERA_TRY(threads, composition(inverse, places));
  TESSERA_TRY(layout_tv, checked_make_layout({std::move(threads), std::move(values)}));
  TESSERA_TRY(tiled, TiledCopy::make(made.atom, std::move(layout_tv), to_tiler(product_each(request.cta_values.shape()))));
  made.tiled = std::move(tiled);
  return made;
}

Result<SliceAndOffset> tma_partition(const CopyAtom& atom, std::int64_t cta, const Layout& cta_layout, const AnyLayout& smem_tile,
                                     const AnyLayout& tensor) {
  const Layout& smem = plain_part(smem_tile);
  const std::int64_t count = elements_of(atom), ctas = cta_layout.cosize(), tile = smem[0].size();
  const std::int64_t in_tensor = size(shape(tensor)[0]);
  if (in_tensor != tile) {
    return Error{ErrorCode::not_congruent,
                 "mode 0 of each tensor is one tile, and these have different sizes",
                 {},
                 {fmt::format("{} elements in shared memory, and {} in {}", tile, in_tensor, to_string(tensor)),
                  "group_modes<0,n> makes the tile's modes one"}};
  }
  if (tile % count != 0)
    return Error{ErrorCode::not_divisible, fmt::format("one copy moves {} elements, and the tile has {}", count, tile), {}, {}};
  if (count % ctas != 0)
    return Error{ErrorCode::not_divisible, fmt::format("{} CTAs do not share {} elements evenly", ctas, count), {}, {}};
  TESSERA_TRY(inverse, right_inverse(smem[0]));
  const Layout wrapped = Layout::trusted(IntTuple::tuple({inverse.shape()}), IntTuple::tuple({inverse.stride()}));
  TESSERA_TRY(walk, tile_to_shape(wrapped, Shape(tile)));
  // (value of one copy, copy) -> place in the tile
  TESSERA_TRY(by_copy, logical_divide(walk, Tiler(Layout::trusted(count, count == 1 ? 0 : 1))));
  const std::size_t modes = rank(tensor);
  std::vector<Tiler> tilers(modes, Tiler(Underscore{}));
  tilers[0] = Tiler(std::move(by_copy));
  TESSERA_TRY(divided, composition(tensor, Tiler(std::move(tilers))));
  TESSERA_TRY(by_mode, coalesce(divided, IntTuple::tuple({IntTuple::tuple({1, 1})})));
  std::vector<IntTuple> origin(modes, IntTuple(0));
  origin[0] = IntTuple::tuple({IntTuple(cta_layout(cta) * (count / ctas)), IntTuple(0)});
  return domain_offset(IntTuple::tuple(std::move(origin)), by_mode);
}

}  // namespace tessera
