// SPDX-License-Identifier: BSD-3-Clause
// GemmPlan: the lowered form of a GemmSpec, in which every step is an explicit layout, integer, enum or atom.
//
// **The picture is the kernel.** The figure, the CPU simulation and the emitted source read only the plan. If code generation
// needs something else, the plan gains it, and the figure can show it.
//
// One CTA computes one (BLK_M,BLK_N) tile of C. Its threads (with operands=gmem they leave out step 1, and find tCgA, tCgB in step 2)
//   1. copy tiles of A and B from global to shared memory        tAgA, tAsA, tBgB, tBsB   (thr, (vec, copy)) -> element
//   2. copy fragments from shared memory to registers            tXsA, tXrA, tXsB, tXrB   (thr, (val, copy, MMA_K)) -> element
//   3. multiply fragments with the atom                          tCrA, tCrB, tCrC         (val, MMA_M, MMA_K) -> register
//   4. write alpha * accumulator + beta * C                      tCgC                     (thr, (val, MMA_M, MMA_N)) -> element
// for k_tiles tiles of K, of which the ring of sA and sB has as many in shared memory at once as it has stages.
//
// A small example: object 4 of the tour has gA (64,16), one CTA of 32 threads, sA (64,16):(17,1); thread 0 finds its part of sA at
// tCsA (4,4,4):(17,272,4): 4 values of the atom, 4 atoms along M, 4 along K.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/gemm_spec.hpp"
#include "core/gemm/plan/resources.hpp"

namespace tessera {

struct GemmPlan {
  // Long, and used by many sources: compiled once.
  GemmPlan();
  GemmPlan(const GemmPlan& other);
  GemmPlan(GemmPlan&& other) noexcept;
  GemmPlan& operator=(const GemmPlan& other);
  GemmPlan& operator=(GemmPlan&& other) noexcept;
  ~GemmPlan();
  friend bool operator==(const GemmPlan&, const GemmPlan&);

  std::string name;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;  // products, each by a grid of its own: blockIdx.z
  std::int64_t blk_m = 0, blk_n = 0, blk_k = 0;
  std::int64_t m_tiles = 0, n_tiles = 0, k_tiles = 0;  // that cover m, n and k: see edges.hpp where the last ones reach beyond
  std::optional<TiledMma> mma;                         // none: a schedule that is no GEMM, of opaque operations, without a problem
  std::int64_t threads = 0;                            // of a CTA: as many as the tiled MMA has hardware thread ids
  std::int64_t smem_bytes = 0;                         // of a CTA
  Fragments fragments = Fragments::one_k_block;        // never automatic
  Copies copies = Copies::waited_for;                  // never automatic
  Overlap overlap = Overlap::none;
  Extents extents = Extents::literals;
  double alpha = 1.0, beta = 0.0;
  ArchRequirement arch;  // the least that every atom needs

  std::int64_t raster_group = 1;                 // M-tiles (of clusters) walked together, or the most below that divide them
  Layout cta_raster;                             // block -> (m_tile, n_tile), with basis strides; of clusters where there are any
  std::int64_t mma_m = 0, mma_n = 0, mma_k = 0;  // extents of the MMA_* modes above

  // The program. Figures, the machine and the emitter visit its operations, and decide nothing again.
  std::int64_t cluster_m = 1, cluster_n = 1;  // CTAs that share operands
  std::int64_t grid = 0;                      // CTAs; fewer than tiles: each computes several
  bool persistent = false;                    // do CTAs take tiles until none is left, also where there is one for each?
  std::vector<std::string> notes;             // to the person: what was asked for in vain, what was not looked at
  std::vector<plan::Tensor> tensors;
  std::vector<plan::TensorMap> maps;
  std::vector<plan::Descriptor> descriptors;
  std::vector<plan::Partition> partitions;
  std::vector<plan::Barrier> barriers;
  std::vector<plan::Ring> rings;
  std::vector<plan::Cursor> cursors;
  std::vector<plan::Function> functions;
  std::vector<plan::Role> roles;              // families of them
  std::array<plan::OperandPath, 3> operands;  // by Operand

  std::int64_t value_of(plan::Symbol symbol) const;  // 0: it has none, such as STAGES where nothing is staged
  plan::Num named(plan::Symbol symbol) const { return {symbol, value_of(symbol)}; }
  // Is the number the same at every size for which the kernel's text is written?
  bool is_fixed(const plan::Num& number) const { return extents == Extents::literals || !plan::is_of_size(number.of); }
  std::vector<plan::Member> members() const;  // of all families, in their order
  const plan::OperandPath& path(Operand operand) const { return operands[static_cast<std::size_t>(operand)]; }
  const plan::Tensor& gmem(Operand operand) const { return tensors[path(operand).gmem]; }  // gA, gB, gC
  bool is_batched() const { return batch > 1 || extents == Extents::arguments; }           // does the kernel ask which product it is of?
  // Of all the matrices of a batch.
  std::int64_t buffer_elements(Operand operand) const { return gmem(operand).batch_elements * (batch - 1) + gmem(operand).elements; }
  // Are tiles of A and B copied to shared memory? Else there is no sA, no sB and no stage.
  bool has_smem() const { return path(Operand::a).smem != plan::kNone; }
  const plan::Tensor& smem(Operand operand) const { return tensors[path(operand).smem]; }  // sA, sB
  std::int64_t cluster_size() const { return cluster_m * cluster_n; }                      // CTAs
  plan::Id ring() const { return has_smem() ? smem(Operand::a).ring : plan::kNone; }       // of sA and sB
  // k-tiles in shared memory at once, once the lists are written
  std::int64_t stages() const { return has_smem() ? plan::stages_of(rings, ring()) : 0; }
  std::int64_t stage_bytes() const;  // of a stage of sA and one of sB together; 0: there are none
  // tCsA, tCsB, tCgC, or tCgA and tCgB: (thr, (val, MMA_M, MMA_K)) -> element of the stage or tile
  const plan::Partition& partition(Operand operand) const { return partitions[path(operand).partition]; }
  // Are these the registers that the atom multiplies, and not those in which a tile waits?
  bool is_fragment(const plan::At& at) const {
    const plan::Id tensor = partitions[at.partition].tensor;
    return tensor == path(tensors[tensor].operand).rmem;
  }
  // What that partition is of: sA, sB, gC, or gA and gB
  const plan::Tensor& partitioned(Operand operand) const { return tensors[partition(operand).tensor]; }
};

// What a device must offer; `lower` is for any device, this is for one. sm = 90 for an H200, smem_bytes = 232448.
Status check_device(const GemmPlan& plan, int sm, std::int64_t smem_bytes_per_block);
// Where a block of the architecture that the kernel is for may not have so much shared memory: its devices, the bytes that are needed and
// those that are allowed, and the devices on which the kernel fits. Empty where it fits.
std::string beyond_smem(const GemmPlan& plan);
inline constexpr std::string_view kBeyondSmem = "smem beyond";  // the plan's line that says so

// One thread's part, with its layout as CuTe prints it: tCsA of thread 0 is (4,4,4):(17,272,4) at offset 0.
Result<SliceAndOffset> thread_partition(const GemmPlan& plan, Operand operand, std::int64_t thread);

// The plan as readable lines: name, layout, map; one line each, by step ("global -> shared"). What `tessera gemm show` prints.
// With extents=arguments, describe_any_size writes an argument's name, M or LDA, where describe writes its value at this size.
struct PlanLine {
  std::string name, value, map, step{};
};
std::vector<PlanLine> describe(const GemmPlan& plan);
std::vector<PlanLine> describe_any_size(const GemmPlan& plan);

}  // namespace tessera
