// SPDX-License-Identifier: BSD-3-Clause
// A plan in the making: what the passes of `lower` hand to each other before the plan's lists are written; private to core/gemm/lower.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/gemm/plan/edges.hpp"

namespace tessera::lowering {

enum class GmemToSmem : std::uint8_t { load_store, cp_async };                  // through registers, or asynchronously past them
enum class SmemToRmem : std::uint8_t { load, ldmatrix, ldmatrix_trans, warp };  // warp: fragments of nvcuda::wmma

// A tensor in global memory and how the CTAs cut it.
struct GmemTensor {
  std::string name;  // "gA"
  ValueType type = ValueType::f32;
  Layout layout;                    // (M,K) -> element offset
  Layout tiles;                     // ((BLK_M,BLK_K),(m_tile,k_tile)) -> element offset, as if the last tiles were whole
  std::int64_t batch_elements = 0;  // from a matrix of a batch to the next
  std::int64_t elements = 0;        // how many elements the buffer holds: cosize, and what vectors read beyond the last row's end
};

// A tile in shared memory, once a stage.
struct SmemTensor {
  std::string name;  // "sA"
  ValueType type = ValueType::f32;
  AnyLayout layout;                 // (BLK_M,BLK_K) -> element offset in one stage
  std::int64_t stage_elements = 0;  // distance of two stages in elements
  std::int64_t byte_offset = 0;     // of stage 0 in the CTA's shared memory
};

// Step 1 for one operand. All layouts have modes (thr, (vec, rest)).
struct GmemToSmemStep {
  GmemToSmem instruction = GmemToSmem::load_store;
  std::string atom_name;     // CuTe's name of the copy atom
  std::int64_t vector = 1;   // elements that one instruction moves: contiguous on both sides
  std::int64_t copies = 1;   // instructions of a thread for one tile
  std::int64_t threads = 1;  // how many of the CTA's threads take part
  Layout tile_tv;            // (thr, (vec, copy)) -> (m, k) colexicographic in the tile
  Layout coordinates;        // (thr, (vec, copy)) -> (m, k) in the tile, where the tensor has an edge
  Layout gmem;               // (thr, (vec, copy)) -> element offset in the tile of gA
  AnyLayout smem;            // (thr, (vec, copy)) -> element offset in the stage of sA
};

// Step 2 for one operand.
struct SmemToRmemStep {
  SmemToRmem instruction = SmemToRmem::load;
  std::string atom_name;
  std::int64_t vector = 1;         // load: elements an instruction moves a thread; ldmatrix: elements of a row, 8
  std::int64_t matrices = 0;       // ldmatrix: 1, 2 or 4
  std::int64_t values = 1;         // elements a thread receives from one instruction
  AnyLayout smem;                  // (thr, (val, MMA_M, MMA_K)) -> element offset a thread reads (load) or addresses (ldmatrix: val = 0)
  Layout rmem;                     // (val, MMA_M, MMA_K) -> element of the fragment
  bool has_own_partition = false;  // (val, copy, MMA_K) of both: what an instruction moves is not what an atom consumes
};

// How C lies in shared memory on its way out: in boxes of 64 rows, several of which beside each other are as wide as the tile.
struct BoxOfC {
  std::int64_t columns = 0;
  int swizzle_bytes = 0;    // of a row, whose units of 16 bytes are swizzled; 0: rows lie as they are
  std::int64_t places = 0;  // in shared memory, of each consumer
};

// By Operand: a, b, c; what only operands that are copied have, by a and b.
struct Draft : GemmPlan {
  bool copies_tiles = true;  // of A and B to shared memory; else threads load from global memory: no `shared`, no `to_smem`, no ring
  std::array<GmemTensor, 3> global;
  std::array<SmemTensor, 2> shared;
  std::array<GmemToSmemStep, 2> to_smem;
  std::array<SmemToRmemStep, 2> to_rmem;
  // tCsA, tCsB: (thr, (val, MMA_M, MMA_K)) -> element offset in the stage: what the atom consumes; else tCgA, tCgB, in the tile of gA
  std::array<AnyLayout, 2> consumed;
  Layout tCgC;  // (thr, (val, MMA_M, MMA_N)) -> element offset in the tile of gC
  // tCcA, tCcB, tCcC: (thr, (val, MMA_M, MMA_K)) -> (m, k) in the tile; of those in global memory that have an edge
  std::array<Layout, 3> coordinates;
  std::array<Layout, 3> fragment;    // tCrA, tCrB: (val, MMA_M, MMA_K) -> register element, stride 0 in MMA_K: one k-block at a time; tCrC
  Layout store_order;                // (vec, store) -> value of (val, MMA_M, MMA_N): the vec values of a store are neighbours in gC
  std::int64_t epilogue_vector = 1;  // elements of one store: size of store_order's first mode
  // Boxes of C, where there are any. written: tDsC, which threads fill. leaving: tDsD, a box as TMA stores it. box: the cursor of their
  // ring. The maps load and store them. left_over: tLgC, the elements that no store of TMA can end with.
  BoxOfC box_of_c;
  plan::Id written = plan::kNone, leaving = plan::kNone, box = plan::kNone;
  plan::Id load_map = plan::kNone, store_map = plan::kNone, left_over = plan::kNone;
  plan::Id box_barrier = plan::kNone, turn = plan::kNone;  // named barriers, one a consumer: around a box, and whose turn it is to multiply
  std::array<plan::Id, 3> coordinate_tensors{plan::kNone, plan::kNone, plan::kNone};  // cA, cB, cC, once there are any
  // Of nvcuda::wmma, whose sums are stored to a patch of the warp's and read back by threads that know what they hold.
  plan::Id patch = plan::kNone, own_sums = plan::kNone, settled = plan::kNone;  // tXsC (thr, (element)), tDsC (thr, (vec)), tXrC
};

constexpr std::size_t kA = 0, kB = 1, kC = 2;
constexpr plan::Id kTileRing = 0;  // the ring of sA and sB, where there is one

}  // namespace tessera::lowering
