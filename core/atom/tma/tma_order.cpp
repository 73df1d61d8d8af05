// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/tma/tma_order.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/copy/copy_access.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/base/checked.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 16;  // of a tile whose orders are compared
constexpr std::size_t kMostModes = 4;

struct Ordered {
  std::string text;
  AnyLayout layout;
};

// The atom in every order over the tile.
std::vector<Ordered> orders_of(const std::string& atom, const AnyLayout& layout, const Shape& tile) {
  std::vector<std::int64_t> order(tile.rank());
  std::iota(order.begin(), order.end(), 1);
  std::vector<Ordered> made;
  do {
    const IntTuple step = IntTuple::tuple(std::vector<IntTuple>(order.begin(), order.end()));
    Result<AnyLayout> tiled = tile_to_shape(layout, tile, step);
    if (tiled)
      made.push_back({fmt::format("tile_to_shape({}, {}, Step<_{}>)", atom, to_string(tile), fmt::join(order, ",_")), *std::move(tiled)});
  } while (std::next_permutation(order.begin(), order.end()));
  return made;
}

}  // namespace

std::int64_t instructions_a_tile(const TmaRequest& request, const TmaCopy& copy) {
  return ceil_div(request.cta_values.size(), std::max<std::int64_t>(1, copy.box.size()));
}

std::optional<TmaOrder> order_of_fewer(const TmaRequest& request, const TmaCopy& copy) {
  const std::int64_t now = instructions_a_tile(request, copy);
  const Shape& own = shape(request.smem);
  if (now == 1 || !own.is_tuple() || own.rank() > kMostModes || size(own) > kMostElements) return std::nullopt;
  const Shape tile = product_each(own);
  const Result<std::vector<std::int64_t>> places = element_offsets(request.smem);
  if (!places) return std::nullopt;
  for (const std::string& name : smem_atom_names()) {
    const std::string of_type = fmt::format("{}<{}>", name, cute_name(request.type));
    const Result<SmemAtom> atom = find_smem_atom(of_type);
    if (!atom || get_swizzle(atom->layout) != copy.swizzle) continue;
    const std::vector<Ordered> orders = orders_of(of_type, atom->layout, tile);
    const bool is_it = std::any_of(orders.begin(), orders.end(), [&](const Ordered& each) {
      const Result<std::vector<std::int64_t>> here = element_offsets(each.layout);
      return here && *here == *places;
    });
    if (!is_it) continue;
    std::optional<TmaOrder> best;
    for (const Ordered& each : orders) {
      TmaRequest other = request;
      other.smem = each.layout;
      const Result<TmaCopy> made = make_tma_atom(other);
      if (!made) continue;
      const std::int64_t count = instructions_a_tile(other, *made);
      if (count < (best ? best->instructions : now)) best = TmaOrder{each.text, count};
    }
    return best;
  }
  return std::nullopt;
}

}  // namespace tessera
