// SPDX-License-Identifier: BSD-3-Clause
// What each thread finds of a tensor, and that it is what the tensor has there.
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/lower/steps.hpp"

namespace tessera {

namespace lowering {

namespace {
constexpr std::int64_t kWarp = 32;  // threads
}

std::int64_t warps_of(const Layout& thr_layout_vmnk) { return ceil_div(thr_layout_vmnk.cosize(), kWarp); }

Result<Layout> thread_values(const TiledMma& mma, Operand operand, const Layout& tensor) {
  const Layout& thr = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  TESSERA_TRY(fragments, mma.thrfrg(operand, tensor));
  const std::int64_t thr_m = thr[1].size(), thr_n = thr[2].size();
  Layout tensor_of_threads = fragments;  // ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK)))
  if (operand != Operand::c) {
    // Threads along the other operand's mode read the same elements: a stride of 0.
    const Stride reads = operand == Operand::a ? IntTuple::tuple({1, 0}) : IntTuple::tuple({0, 1});
    TESSERA_TRY(replicate, Layout::make(IntTuple::tuple({thr_m, thr_n}), reads));
    const Tiler by_mode(
        std::vector<Tiler>{Tiler(std::vector<Tiler>{Underscore{}, Tiler(std::vector<Tiler>{replicate, Underscore{}})}), Underscore{}});
    TESSERA_TRY(replicated, composition(tensor_of_threads, by_mode));
    tensor_of_threads = std::move(replicated);
  }
  // Hardware thread id -> (V,M,N,K), also where the ids have gaps.
  TESSERA_TRY(gaps, complement(thr));
  TESSERA_TRY(inverse, right_inverse(make_layout({thr, gaps})));
  TESSERA_TRY(fold, Layout::make(IntTuple::tuple({thr.size(), 1}), IntTuple::tuple({1, 0})));
  TESSERA_TRY(thread_to_vmnk, composition(fold, inverse));
  const Tiler by_thread(std::vector<Tiler>{thread_to_vmnk, Underscore{}});
  TESSERA_TRY(by_id, composition(tensor_of_threads, by_thread));
  const Layout values = by_id[1];  // (FrgV,(RestM,RestK))
  Layout threads = by_id[0];
  // A last warp that is not full: its idle lanes repeat the others' reads, and store nothing.
  const std::int64_t idle = warps_of(thr) * kWarp / threads.size();
  if (idle > 1) threads = make_layout({threads, Layout::trusted(idle, 0)});
  return make_layout({threads, make_layout({values[0], values[1][0], values[1][1]})});
}

Status check_partition(const Layout& coordinates, const Layout& partition, const Layout& tensor, const char* name) {
  const std::vector<std::int64_t> elements = image(tensor);
  const auto offset = [&](std::int64_t i) {
    return i >= 0 && i < static_cast<std::int64_t>(elements.size()) ? elements[static_cast<std::size_t>(i)] : tensor(i);
  };
  // Of a thread's first value, and how far the others lie from it.
  const std::vector<std::int64_t> places = image(coordinates[0]), further = image(coordinates[1]);
  const std::vector<std::int64_t> offsets = image(partition[0]), further_offsets = image(partition[1]);
  for (std::size_t thr = 0; thr < places.size(); ++thr) {
    if (late()) return past_deadline("lowering: each thread's values");
    const std::int64_t first = places[thr], first_offset = offsets[thr];
    for (std::size_t v = 0; v < further.size(); ++v) {
      const std::int64_t i = first + further[v], found = first_offset + further_offsets[v];
      if (found == offset(i)) continue;
      return refuse(ErrorCode::breaks_law,
                    fmt::format("thread {}'s value {} of {} is element {} of the tile, at offset {} of {}; its partition says {}", thr, v,
                                name, i, offset(i), to_string(tensor), found),
                    fmt::format("a layout of {} whose modes the tile and the atom divide", name));
    }
  }
  return Done{};
}

bool tiles_are_aligned(const Layout& tiles, std::int64_t vector) {
  const Layout starts = coalesce(tiles[1]);
  for (const std::int64_t stride : leaf_values(starts.stride())) {
    if (stride % vector != 0) return false;
  }
  return true;
}

}  // namespace lowering

}  // namespace tessera
