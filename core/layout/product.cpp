// SPDX-License-Identifier: BSD-3-Clause
// The products: a block, and an arrangement of copies of it.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"
#include "core/layout/composition.hpp"
#include "core/layout/tile_unzip.hpp"

namespace tessera {

namespace {

bool has_repeated(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

// Copies of a block that does not overlap itself, at places that differ, do not overlap.
Status check_apart(const Layout& a, const Layout& b, const Layout& made) {
  if (made.size() > kPointwise || has_repeated(image(a)) || has_repeated(image(b))) return Done{};
  const std::vector<std::int64_t> values = image(made);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return std::pair(values[x], x) < std::pair(values[y], y); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (values[order[k]] != values[order[k - 1]]) continue;
    const auto coordinate = [&](std::size_t i) { return to_string(idx2crd(static_cast<std::int64_t>(order[i]), made.shape())); };
    return Error{ErrorCode::breaks_law,
                 fmt::format("the copies of {} in {} overlap: coordinates {} and {} both have index {}", to_string(a), to_string(made),
                             coordinate(k - 1), coordinate(k), values[order[k]]),
                 {},
                 {fmt::format("the tiler {} reaches beyond the places that the block leaves free, and CuTe lets the last mode run on",
                              to_string(b))}};
  }
  return Done{};
}

Result<Layout> multiply_by_layout(const Layout& a, const Layout& b, Law law) {
  const auto reach = checked_mul(a.size(), b.cosize());
  if (!reach || *reach > kLargestIndex) {
    return Error{ErrorCode::overflow,
                 fmt::format("logical_product of {} and {}: size(A) * cosize(B) is beyond 2^62", to_string(a), to_string(b)),
                 {},
                 {}};
  }
  const bool known = is_static(a.shape()) && is_static(b.shape()) && is_static(b.stride());
  TESSERA_TRY(free, complement(a, IntTuple::marked(*reach, known ? marks::kStatic : marks::kDynamic)));
  TESSERA_TRY(copies, compose_by(law, free, b));
  TESSERA_TRY(made, checked_make_layout({a, std::move(copies)}));
  // Within its domain the complement keeps clear of the block; CuTe lets the tiler reach beyond it.
  TESSERA_CHECK(law.hold_whole(b.cosize() <= free.size(), [&] { return check_apart(a, b, made); }));
  return made;
}

struct MultiplyBy {
  const Layout& a;
  Law law;

  Result<Layout> operator()(const Layout& b) const { return multiply_by_layout(a, b, law); }
  Result<Layout> operator()(const ComposedLayout& b) const {
    return Error{ErrorCode::wrong_type,
                 fmt::format("logical_product: the copies of {} would lie as {}, which is a swizzled layout; use the product of any layout",
                             to_string(a), to_string(b)),
                 {},
                 {}};
  }
  Result<Layout> operator()(TileSize n) const {
    TESSERA_TRY(tile, Layout::make_compact(n.number()));
    return multiply_by_layout(a, tile, law);
  }
  Result<Layout> operator()(Underscore) const { return a; }
  Result<Layout> operator()(const std::vector<Tiler>& tilers) const {
    return by_mode("logical_product", a, tilers, tilers.size(), Rest::kept,
                   [this](const Layout& mode, const Tiler& tiler) { return logical_product(mode, tiler, law); });
  }
};

// The product of both, padded with 1:0 to one rank, so that mode i of the block meets mode i of the tiler.
Result<Layout> padded_product(const Layout& block, const Layout& tiler, Law law) {
  const auto rank = static_cast<std::int64_t>(std::max(block.rank(), tiler.rank()));
  TESSERA_TRY(a, append(block, rank));
  TESSERA_TRY(b, append(tiler, rank));
  return logical_product(a, b, law);
}

}  // namespace

Result<Layout> logical_product(const Layout& block, const Tiler& tiler, Law law) { return std::visit(MultiplyBy{block, law}, tiler.value); }

Result<Layout> zipped_product(const Layout& block, const Tiler& tiler, Law law) {
  TESSERA_TRY(product, logical_product(block, tiler, law));
  return tile_unzip("zipped_product", product, tiler);
}

Result<Layout> tiled_product(const Layout& block, const Tiler& tiler, Law law) {
  TESSERA_TRY(zipped, zipped_product(block, tiler, law));
  return unpack_modes(zipped, false);
}

Result<Layout> flat_product(const Layout& block, const Tiler& tiler, Law law) {
  TESSERA_TRY(zipped, zipped_product(block, tiler, law));
  return unpack_modes(zipped, true);
}

Result<Layout> blocked_product(const Layout& block, const Layout& tiler, Law law) {
  TESSERA_TRY(product, padded_product(block, tiler, law));
  return zip(product[0], product[1]);
}

Result<Layout> raked_product(const Layout& block, const Layout& tiler, Law law) {
  TESSERA_TRY(product, padded_product(block, tiler, law));
  return zip(product[1], product[0]);
}

Result<Layout> tile_to_shape(const Layout& block, const Shape& target, const IntTuple& order, Law law) {
  TESSERA_CHECK(checked_depth(target));
  TESSERA_CHECK(checked_size(target));
  if (block.rank() > target.rank()) {
    return Error{
        ErrorCode::rank_mismatch,
        fmt::format("tile_to_shape: the block {} has {} modes, more than the target {}", to_string(block), block.rank(), to_string(target)),
        {},
        {}};
  }
  if (order.is_tuple() && order.rank() != target.rank()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("tile_to_shape: the order {} has {} modes, and the target {} has {}", to_string(order), order.rank(),
                             to_string(target), target.rank()),
                 {},
                 {}};
  }
  TESSERA_TRY(padded, append(block, static_cast<std::int64_t>(target.rank())));
  std::vector<IntTuple> quotients;
  for (std::size_t i = 0; i < target.rank(); ++i) {
    const std::int64_t b = size(padded.shape()[i]), t = size(target[i]);
    if (t % b != 0) {
      return Error{
          ErrorCode::not_divisible,
          fmt::format("tile_to_shape: block shape does not divide the target shape: mode {} of {} has size {}, and that of {} has {}", i,
                      to_string(padded), b, to_string(target), t),
          {},
          {}};
    }
    const bool known = is_static(padded.shape()[i]) && is_static(target[i]);
    quotients.push_back(IntTuple::marked(t / b, known ? marks::kStatic : marks::kDynamic));
  }
  // An integer target is a tuple of one here, as in CuTe.
  TESSERA_TRY(tiler, make_ordered_layout(IntTuple::tuple(std::move(quotients)), order));
  return blocked_product(padded, tiler, law);
}

Result<Layout> tile_to_shape(const Layout& block, const Shape& target, Law law) {
  std::vector<IntTuple> order;
  for (std::size_t i = 0; i < target.rank(); ++i) order.emplace_back(static_cast<std::int64_t>(i));
  return tile_to_shape(block, target, IntTuple::tuple(std::move(order)), law);
}

}  // namespace tessera
