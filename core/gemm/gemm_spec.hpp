// SPDX-License-Identifier: BSD-3-Clause
// GemmSpec: the GEMM a person asks for, C = alpha * A B^T + beta * C, with whatever of its layouts they care about.
//
// A is (M,K), B is (N,K), C is (M,N), as in CuTe. What is left out is chosen by `lower`, and shown in the plan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/gemm/schedule.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

struct GemmPlan;

struct GemmSpec {
  std::string name = "gemm";
  std::int64_t m = 0, n = 0, k = 0;  // extents in elements

  std::optional<TiledMma> mma;  // required
  Shape cta_tiler = 0;          // (BLK_M,BLK_N,BLK_K); 0: the whole problem is one tile, as large as whole tiles of the MMA

  std::optional<Layout> gA;     // (M,K) or (M,K,L) of a batch of L -> element offset; default K-major, or as a wgmma atom reads A
  std::optional<Layout> gB;     // (N,K) or (N,K,L) -> element offset; default K-major, or as a wgmma atom reads B
  std::optional<Layout> gC;     // (M,N) or (M,N,L) -> element offset; default row-major
  std::optional<AnyLayout> sA;  // (BLK_M,BLK_K) -> element offset in one stage
  std::optional<AnyLayout> sB;  // (BLK_N,BLK_K) -> element offset in one stage

  std::optional<TiledCopy> copy_a, copy_b;             // gmem -> smem; default: the widest vectors that fit both sides
  std::optional<CopyTraits> smem_copy_a, smem_copy_b;  // smem -> rmem atom; default: one element at a time

  ValueType type_c = ValueType::f32;  // of C in memory; A and B have the atom's types
  Operands operands = Operands::smem;
  std::int64_t stages = 1;  // k-tiles in shared memory at once
  Fragments fragments = Fragments::automatic;
  Copies copies = Copies::automatic;
  std::int64_t raster_group = 0;  // M-tiles walked together for L2 reuse; 0: one
  Shape cluster = 1;      // (CLUSTER_M,CLUSTER_N) CTAs that load shared operands for each other; 1: none. wgmma only, as all that follow
  std::int64_t ctas = 0;  // of a persistent grid, each of which computes several tiles of C; 0: one CTA a tile
  Overlap overlap = Overlap::none;
  KOrder k_order = KOrder::forward;
  // (PRODUCER,CONSUMER) registers of a thread, by setmaxnreg; 0: of a producer and several consumers (40,232), else as the compiler has it
  Shape registers = 0;
  Stores store = Stores::automatic;  // not for wgmma alone
  std::int64_t store_boxes = 2;      // boxes of C in shared memory, of 64 rows, of each consumer warpgroup
  Extents extents = Extents::literals;
  std::int64_t batch = 1;  // products of one launch, each of matrices of its own
  double alpha = 1.0, beta = 0.0;

  // A plan that a person wrote, and its text, `plan { ... }`: `lower` chooses nothing then, and of the fields above name, m, n, k and mma
  // say what the plan says.
  std::shared_ptr<const GemmPlan> plan;
  std::string plan_text;

  friend bool operator==(const GemmSpec& a, const GemmSpec& b) = delete;
};

}  // namespace tessera
