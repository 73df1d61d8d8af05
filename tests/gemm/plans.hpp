// SPDX-License-Identifier: BSD-3-Clause
// Plans that differ in how their tiles travel: by which instructions, through what, how far ahead, and by whom.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "tests/support/gemm_specs.hpp"
#include "tests/support/typed_specs.hpp"

namespace tessera::support {

// `threads` threads, each of which copies 8 neighbours along K.
inline TiledCopy rows_of_8(const char* atom, std::int64_t threads, std::int64_t blk_k) {
  const std::int64_t along = blk_k / 8;
  return make_tiled_copy(CopyAtom::make(find_copy_atom(atom).value(), ValueType::f16).value(),
                         layout(IntTuple::tuple({threads / along, along}), IntTuple::tuple({along, 1})),
                         layout(IntTuple::tuple({1, 8}), IntTuple::tuple({8, 1})))
      .value();
}

// The article's atom on three tiles of K.
inline GemmSpec quad_pairs() {
  GemmSpec spec = article();
  spec.k = 48, spec.cta_tiler = IntTuple::tuple({64, 96, 16});
  spec.gA = layout(IntTuple::tuple({64, 48}), IntTuple::tuple({1, 64}));
  spec.gB = layout(IntTuple::tuple({96, 48}), IntTuple::tuple({1, 96}));
  return spec;
}

inline std::vector<std::pair<std::string, GemmSpec>> travels() {
  std::vector<std::pair<std::string, GemmSpec>> specs;
  specs.emplace_back("article", article());
  specs.emplace_back("next_tile_in_registers", quad_pairs());
  specs.back().second.copies = Copies::ahead;
  specs.emplace_back("pipeline", tensor(256, 128, 96));
  specs.emplace_back("waited_for", tensor(64, 128, 96, 64, 64, 32, 2));
  specs.back().second.copies = Copies::waited_for, specs.back().second.fragments = Fragments::all_k_blocks;
  specs.emplace_back("a_through_registers", tensor(64, 128, 128, 64, 64, 32, 3));
  specs.back().second.copy_a = rows_of_8("UniversalCopy<uint128_t>", 128, 32);
  specs.back().second.fragments = Fragments::one_k_block;
  specs.emplace_back("both_through_registers", specs.back().second);
  specs.back().second.copy_b = rows_of_8("UniversalCopy<uint128_t>", 128, 32);
  specs.back().second.fragments = Fragments::next_k_block;
  specs.emplace_back("copied_by_half", tensor(64, 64, 96, 64, 64, 32, 2));
  specs.back().second.copy_a = rows_of_8("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 64, 32);
  specs.emplace_back("transposed", tensor(128, 64, 64, 64, 64, 32, 2));
  specs.back().second.gB = layout(IntTuple::tuple({64, 64}), IntTuple::tuple({1, 64}));
  specs.back().second.sB = ComposedLayout{Swizzle::make(3, 3, 3).value(), 0, layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 64}))};
  specs.back().second.smem_copy_b = find_copy_atom("SM75_U16x8_LDSM_T").value();
  specs.emplace_back("wide_stores", wide_stores(tensor(64, 256, 64, 64, 128, 32, 3, 2, 2), 4));
  specs.back().second.alpha = 0.5, specs.back().second.beta = -2.0;
  specs.emplace_back("half_a_warp", GemmSpec());
  GemmSpec& half = specs.back().second;
  half.name = "half", half.m = 16, half.n = 16, half.k = 8;
  half.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(),
                            layout(IntTuple::tuple({4, 4}), IntTuple::tuple({1, 4})), Underscore{})
                 .value();
  specs.emplace_back("vectors_of_atoms", register_tile());
  specs.emplace_back("eight_of_two_atoms", wide_quad_pairs());
  specs.emplace_back("threads_along_m", element_a_thread(true));
  specs.emplace_back("fragments_from_gmem", from_gmem(tensor(128, 64, 96, 64, 64, 32, 1)));
  specs.back().second.fragments = Fragments::next_k_block;
  specs.emplace_back("bytes", typed("SM80_16x8x32_S32S8S8S32_TN", ValueType::i8, 3));
  specs.emplace_back("one_after_the_other", hopper(Overlap::none, 256, 128, 192, 128, 64, 2));
  specs.back().second.k_order = KOrder::zigzag, specs.back().second.store_boxes = 1;
  specs.emplace_back("a_cta_a_tile", hopper(Overlap::none, 256, 128, 128, 128, 64, 1));
  specs.back().second.cluster = 1, specs.back().second.ctas = 0, specs.back().second.store_boxes = 1;
  specs.emplace_back("filled_by_who_multiplies", hopper(Overlap::none, 256, 128, 256, 128, 64, 2));
  specs.back().second.copies = Copies::ahead, specs.back().second.store_boxes = 1;
  specs.emplace_back("deferred", hopper(Overlap::deferred, 128, 256, 128, 64, 128, 1));
  specs.emplace_back("skewed", hopper(Overlap::skewed, 256, 128, 128, 128, 64, 1));
  specs.back().second.store_boxes = 1;
  specs.emplace_back("ping_pong", hopper(Overlap::ping_pong, 128, 256, 128, 64, 64, 1));
  specs.back().second.cluster = IntTuple::tuple({1, 2}), specs.back().second.store_boxes = 1;
  specs.emplace_back("stored_by_threads", hopper(Overlap::skewed, 256, 128, 128, 128, 64, 1));
  specs.back().second.store = Stores::direct, specs.back().second.registers = IntTuple::tuple({48, 208});
  return specs;
}

}  // namespace tessera::support
