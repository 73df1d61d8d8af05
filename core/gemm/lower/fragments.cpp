// SPDX-License-Identifier: BSD-3-Clause
// What each thread holds of A, B and C in registers, and the order in which it stores its part of C.
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/value_table.hpp"

namespace tessera::lowering {

bool stores_fit(const Draft& plan, const Layout& order, const Layout& places, std::int64_t vector) {
  if (!tiles_are_aligned(plan.global[kC].tiles, vector)) return false;
  const auto ordered = composition(places[1], order);  // (vec, store) -> place in the tile
  if (!ordered || !vectors_end_well(plan, Operand::c, make_layout({places[0], *ordered}), vector, true)) return false;
  const std::vector<std::int64_t> stored = image(order);
  const ValueTable place(plan.tCgC);
  const std::int64_t values = order.size();
  const auto at = [&](std::int64_t thr, std::int64_t i) { return place(thr, stored[static_cast<std::size_t>(i)]); };
  for (std::int64_t thr = 0; thr < place.size(0) && !late(); ++thr) {  // `lower` looks at the clock afterwards
    for (std::int64_t store = 0; store < values; store += vector) {
      const std::int64_t first = at(thr, store);
      if (first % vector != 0) return false;
      for (std::int64_t i = 1; i < vector; ++i) {
        if (at(thr, store + i) != first + i) return false;
      }
    }
  }
  return true;
}

namespace {

// The order in which a thread stores its values: as many neighbours in C at once as 16 bytes hold, wherever they are among its
// accumulators. right_inverse(values) walks the values in the order of C; its first `vector` are one store, the complement the stores.
Status lower_stores(Draft& plan, const Layout& coordinates) {
  const Layout values = plan.tCgC[1];  // (val, MMA_M, MMA_N) -> offset
  const auto neighbours = right_inverse(values);
  for (std::int64_t vector = 128 / bits(plan.global[kC].type); vector > 1 && neighbours; vector /= 2) {
    if (neighbours->size() % vector != 0) continue;
    const auto one_store = composition(*neighbours, Layout::trusted(vector, 1));
    if (!one_store) continue;
    const auto stores = complement(*one_store, values.size());
    if (!stores || stores->size() * vector != values.size()) continue;
    const Layout order = make_layout({*one_store, *stores});
    if (!stores_fit(plan, order, coordinates, vector)) continue;
    plan.store_order = order;
    plan.epilogue_vector = vector;
    return Done{};
  }
  TESSERA_TRY(one_by_one, Layout::make(IntTuple::tuple({1, values.size()}), IntTuple::tuple({0, 1})));
  plan.store_order = std::move(one_by_one);
  plan.epilogue_vector = 1;
  return Done{};
}

// A k-block that is multiplied before the next is loaded leaves it its registers: a stride of 0. Otherwise each has its own.
Result<Layout> fragment(const Draft& plan, const Layout& values) {
  const Layout one_block = Layout::make_compact(make_layout({values[0], values[1]}).shape()).value();
  if (plan.fragments != Fragments::one_k_block) return Layout::make_compact(values.shape());
  TESSERA_TRY(k_blocks, Layout::make(values[2].size(), 0));
  return make_layout({one_block[0], one_block[1], k_blocks});
}

// Every element of the tile belongs to a thread: of C to one value of one thread, of A and B to one at least.
Status check_cover(const Draft& plan, Operand operand, const Layout& coordinates, std::int64_t elements, const char* name) {
  std::vector<std::uint8_t> owned(static_cast<std::size_t>(elements), 0);
  const auto refuse_cover = [&](std::int64_t i, std::string_view what) {
    const std::int64_t rows = operand == Operand::b ? plan.blk_n : plan.blk_m;
    return refuse(ErrorCode::bad_spec,
                  fmt::format("element ({},{}) of {}'s tile {} under the permutation {}", i % rows, i / rows, name, what,
                              to_string(plan.mma->permutation_mnk())),
                  "a permutation that reaches every row and column of the tile once");
  };
  const std::vector<std::int64_t> firsts = image(coordinates[0]), further = image(coordinates[1]);  // of a thread, of its values
  for (const std::int64_t thr : plan.mma->thread_ids()) {
    if (late()) return past_deadline("lowering: who owns each element");
    const std::int64_t first = firsts[static_cast<std::size_t>(thr)];
    for (const std::int64_t more : further) {
      const std::int64_t i = first + more;
      if (i < 0 || i >= elements) return refuse_cover(i, "lies outside it");
      std::uint8_t& count = owned[static_cast<std::size_t>(i)];
      if (operand == Operand::c && count > 0) return refuse_cover(i, "has two owners");
      count = 1;
    }
  }
  for (std::int64_t i = 0; i < elements; ++i) {
    if (!owned[static_cast<std::size_t>(i)]) return refuse_cover(i, "has no owner");
  }
  return Done{};
}

// Where threads find their fragments: in the stage of sA, or in the tile of gA.
AnyLayout consumed_tile(const Draft& plan, std::size_t operand) {
  return plan.copies_tiles ? plan.shared[operand].layout : AnyLayout(plan.global[operand].tiles[0]);
}

}  // namespace

Result<Layout> check_mma_partition(Draft& plan, Operand operand, const Layout& partition, const Layout& tensor, const char* name) {
  const std::int64_t rows = operand == Operand::b ? plan.blk_n : plan.blk_m, cols = operand == Operand::c ? plan.blk_n : plan.blk_k;
  TESSERA_TRY(tile, Layout::make_compact(IntTuple::tuple({rows, cols})));
  TESSERA_TRY(coordinates, thread_values(*plan.mma, operand, tile));  // (thr, (val, rest, rest)) -> place in the tile
  TESSERA_CHECK(check_cover(plan, operand, coordinates, rows * cols, name));
  TESSERA_CHECK(check_partition(coordinates, partition, tensor, name));
  if ((operand == Operand::c || !plan.copies_tiles) && plan::has_edge(plan, operand)) {
    TESSERA_TRY(identity, tile_coordinates(plan, operand));
    TESSERA_TRY(of_threads, thread_values(*plan.mma, operand, identity));
    TESSERA_CHECK(check_coordinates(of_threads, coordinates, rows, name));
    plan.coordinates[static_cast<std::size_t>(operand)] = std::move(of_threads);
  }
  return coordinates;
}

Status lower_fragments(Draft& plan) {
  const TiledMma& mma = *plan.mma;
  const AnyLayout a = consumed_tile(plan, kA), b = consumed_tile(plan, kB);  // (m, k), (n, k) -> element offset in the stage or tile
  TESSERA_TRY(tCxA, thread_values(mma, Operand::a, plain_part(a)));
  TESSERA_TRY(tCxB, thread_values(mma, Operand::b, plain_part(b)));
  TESSERA_TRY(tCgC, thread_values(mma, Operand::c, plan.global[kC].tiles[0]));
  if (tCxA[0].size() < plan.threads) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("the tiled MMA has {} threads, which neither fill {} threads of whole warps nor divide them",
                              mma.num_threads(), plan.threads),
                  "an atom layout whose threads are a multiple or a divisor of 32");
  }
  TESSERA_CHECK(check_mma_partition(plan, Operand::a, tCxA, plain_part(a), plan.copies_tiles ? "sA" : "gA"));
  TESSERA_CHECK(check_mma_partition(plan, Operand::b, tCxB, plain_part(b), plan.copies_tiles ? "sB" : "gB"));
  TESSERA_TRY(places, check_mma_partition(plan, Operand::c, tCgC, plan.global[kC].tiles[0], "gC"));
  TESSERA_TRY(tCrA, fragment(plan, tCxA[1]));
  TESSERA_TRY(tCrB, fragment(plan, tCxB[1]));
  plan.fragment[kA] = std::move(tCrA), plan.fragment[kB] = std::move(tCrB);
  plan.fragment[kC] = Layout::make_compact(tCgC[1].shape()).value();
  plan.mma_m = tCgC[1][1].size(), plan.mma_n = tCgC[1][2].size(), plan.mma_k = tCxA[1][2].size();
  plan.consumed[kA] = with_plain_part(a, std::move(tCxA));
  plan.consumed[kB] = with_plain_part(b, std::move(tCxB));
  plan.tCgC = std::move(tCgC);
  return lower_stores(plan, places);
}

}  // namespace tessera::lowering
