// SPDX-License-Identifier: BSD-3-Clause
// The GEMMs of the tour, built by hand, for tests of the layers below the language.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/gemm_spec.hpp"

namespace tessera::support {

inline Layout layout(IntTuple shape, IntTuple stride) { return Layout::make(std::move(shape), std::move(stride)).value(); }

// 2x2 quad-pair atoms, one warp; padded row-major sA, interleaved column-major sB; one CTA.
inline GemmSpec article() {
  GemmSpec spec;
  spec.name = "article";
  spec.m = 64, spec.n = 96, spec.k = 16;
  const Layout atoms = layout(IntTuple::tuple({2, 2}), IntTuple::tuple({2, 1}));
  spec.mma = TiledMma::make(find_mma_atom("SM70_8x8x4_F32F16F16F32_NT").value(), atoms, Underscore{}).value();
  spec.gA = layout(IntTuple::tuple({64, 16}), IntTuple::tuple({1, 64}));
  spec.gB = layout(IntTuple::tuple({96, 16}), IntTuple::tuple({1, 96}));
  spec.gC = layout(IntTuple::tuple({64, 96}), IntTuple::tuple({1, 64}));
  spec.sA = layout(IntTuple::tuple({64, 16}), IntTuple::tuple({17, 1}));
  spec.sB = layout(IntTuple::tuple({IntTuple::tuple({32, 3}), 16}), IntTuple::tuple({IntTuple::tuple({1, 512}), 32}));
  spec.alpha = 2.0, spec.beta = -1.0;
  return spec;
}

// FMAs of 64 threads, each of which has two rows and two columns of four neighbours, loaded four at a time.
inline GemmSpec register_tile() {
  GemmSpec spec;
  spec.name = "vectors of several atoms";
  spec.m = 128, spec.n = 64, spec.k = 24;
  const Layout threads = layout(IntTuple::tuple({8, 8, 1}), IntTuple::tuple({8, 1, 0}));
  const Layout neighbours = layout(IntTuple::tuple({8, 4, 2}), IntTuple::tuple({4, 1, 32}));  // (thr, val, half) -> m or n
  spec.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), threads,
                            Tiler(std::vector<Tiler>{neighbours, neighbours, 1}))
                 .value();
  spec.cta_tiler = IntTuple::tuple({64, 64, 8});
  spec.gB = layout(IntTuple::tuple({64, 24}), IntTuple::tuple({1, 64}));
  spec.sA = layout(IntTuple::tuple({64, 8}), IntTuple::tuple({1, 68}));
  spec.smem_copy_a = spec.smem_copy_b = find_copy_atom("UniversalCopy<uint128_t>").value();
  return spec;
}

// Quad pairs whose threads have eight neighbours of two atoms: 16 bytes.
inline GemmSpec wide_quad_pairs() {
  GemmSpec spec = article();
  spec.name = "quad pairs, eight neighbours";
  spec.n = 64, spec.k = 32, spec.cta_tiler = IntTuple::tuple({64, 64, 16});
  const Layout neighbours = layout(IntTuple::tuple({4, 2, 2, 2}), IntTuple::tuple({1, 8, 16, 4}));  // (val, half, atom, rest) -> m or n
  spec.mma = TiledMma::make(spec.mma->atom(), spec.mma->atom_layout_mnk(), Tiler(std::vector<Tiler>{neighbours, neighbours, 4})).value();
  spec.gA = spec.gB = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 64}));
  spec.gC.reset();
  spec.sA = layout(IntTuple::tuple({64, 16}), IntTuple::tuple({1, 72}));
  spec.sB.reset();
  spec.smem_copy_a = find_copy_atom("UniversalCopy<uint128_t>").value();
  spec.smem_copy_b = find_copy_atom("AutoVectorizingCopy").value();
  return spec;
}

// (rows, columns) of 16-bit elements in rows of `columns`, with the 16-byte units of a row exchanged: Sw<B,3,3>.
inline AnyLayout swizzled_rows(std::int64_t rows, std::int64_t columns) {
  const int b = columns >= 64 ? 3 : columns == 32 ? 2 : 1;
  return ComposedLayout{Swizzle::make(b, 3, 3).value(), 0, layout(IntTuple::tuple({rows, columns}), IntTuple::tuple({columns, 1}))};
}

// SM80 atoms fed by ldmatrix from swizzled shared memory, filled by cp.async.
inline GemmSpec tensor(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t blk_m = 128, std::int64_t blk_n = 128,
                       std::int64_t blk_k = 32, std::int64_t stages = 3, std::int64_t warps_m = 2, std::int64_t warps_n = 2) {
  GemmSpec spec;
  spec.name = "tensor";
  spec.m = m, spec.n = n, spec.k = k;
  const Layout atoms = layout(IntTuple::tuple({warps_m, warps_n, 1}), IntTuple::tuple({1, warps_m, 0}));
  spec.mma = TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(), atoms,
                            Tiler(std::vector<Tiler>{16 * warps_m, 16 * warps_n, 16}))
                 .value();
  spec.cta_tiler = IntTuple::tuple({blk_m, blk_n, blk_k});
  spec.sA = swizzled_rows(blk_m, blk_k);
  spec.sB = swizzled_rows(blk_n, blk_k);
  spec.smem_copy_a = find_copy_atom("SM75_U32x4_LDSM_N").value();
  spec.smem_copy_b = find_copy_atom("SM75_U32x4_LDSM_N").value();
  spec.stages = stages;
  spec.raster_group = 8;
  return spec;
}

// A thread computes one element of C and loads its row of A and column of B from global memory. The lanes of a warp are neighbours along M,
// whose elements lie far apart in A and C, or along N, where they lie together in B and C.
inline GemmSpec element_a_thread(bool along_m, std::int64_t blk_k = 8) {
  GemmSpec spec;
  spec.name = along_m ? "threads_along_m" : "threads_along_n";
  spec.m = 64, spec.n = 64, spec.k = 3 * blk_k;
  const IntTuple threads = along_m ? IntTuple::tuple({32, 8, 1}) : IntTuple::tuple({8, 32, 1});
  const IntTuple order = along_m ? IntTuple::tuple({1, 32, 0}) : IntTuple::tuple({32, 1, 0});
  spec.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), layout(threads, order), Underscore{}).value();
  spec.cta_tiler = along_m ? IntTuple::tuple({32, 8, blk_k}) : IntTuple::tuple({8, 32, blk_k});
  spec.gB = layout(IntTuple::tuple({64, 3 * blk_k}), IntTuple::tuple({1, 64}));
  spec.operands = Operands::gmem;
  return spec;
}

// Without shared memory: what speaks of it is left out.
inline GemmSpec from_gmem(GemmSpec spec) {
  spec.name = spec.name.substr(0, spec.name.find(',')) + " from gmem";  // without its stages
  spec.operands = Operands::gmem;
  spec.sA.reset(), spec.sB.reset(), spec.copy_a.reset(), spec.copy_b.reset(), spec.smem_copy_a.reset(), spec.smem_copy_b.reset();
  spec.stages = 1, spec.copies = Copies::automatic;
  return spec;
}

// The same with N permuted so that a thread owns `run` neighbours of a row of C (4 of fp32 or 8 of fp16 are 16 bytes), and with the rows
// of sB in the order in which ldmatrix reads them, so that there are no bank conflicts.
inline GemmSpec wide_stores(GemmSpec spec, std::int64_t run) {
  const std::int64_t warps_m = spec.mma->thr_layout_vmnk()[1].size(), warps_n = spec.mma->thr_layout_vmnk()[2].size(), atoms = run / 2;
  // (pair, lane, warp, atom) -> n
  const Layout n = layout(IntTuple::tuple({2, 4, warps_n, atoms}), IntTuple::tuple({1, run, 4 * run, 2}));
  spec.mma = TiledMma::make(spec.mma->atom(), spec.mma->atom_layout_mnk(), Tiler(std::vector<Tiler>{16 * warps_m, n, 16})).value();
  const std::int64_t blk_n = spec.cta_tiler[1].value(), blk_k = spec.cta_tiler[2].value();
  const Layout rows = layout(IntTuple::tuple({IntTuple::tuple({2, atoms, 4, blk_n / (4 * run)}), blk_k}),
                             IntTuple::tuple({IntTuple::tuple({blk_k, 8 * blk_k, 2 * blk_k, 4 * run * blk_k}), 1}));
  spec.sB = ComposedLayout{std::get<ComposedLayout>(*spec.sB).outer, 0, rows};
  return spec;
}

// wgmma on 64-row parts, a producer warpgroup and `warpgroups` below each other (ping-pong: one, twice); 2 x 1 clusters of CTAs that
// compute several tiles each. The tiles of K have 64 elements.
inline GemmSpec hopper(Overlap overlap, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t blk_m, std::int64_t blk_n,
                       std::int64_t warpgroups) {
  GemmSpec spec;
  spec.name = "hopper";
  spec.m = m, spec.n = n, spec.k = k;
  const std::string atom = "SM90_64x" + std::to_string(blk_n) + "x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>";
  spec.mma =
      TiledMma::make(find_mma_atom(atom).value(), Layout::make_compact(IntTuple::tuple({warpgroups, 1, 1})).value(), Underscore{}).value();
  spec.cta_tiler = IntTuple::tuple({blk_m, blk_n, 64});
  spec.stages = 3;
  spec.cluster = IntTuple::tuple({2, 1});
  spec.ctas = 2;
  spec.overlap = overlap;
  spec.type_c = ValueType::bf16;
  return spec;
}

}  // namespace tessera::support
