// SPDX-License-Identifier: BSD-3-Clause
// The steps of `lower`, one function each; private to core/gemm/lower.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/checked.hpp"
#include "core/gemm/lower/draft.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera::lowering {

template <class T>
plan::Id append(std::vector<T>& list, T row) {
  list.push_back(std::move(row));
  return static_cast<plan::Id>(list.size() - 1);
}

inline std::int64_t round_up(std::int64_t extent, std::int64_t part) { return ceil_div(extent, part) * part; }

// grid.cpp. The tiles of C in whole clusters; the CTAs that compute them, of a producer and consumers; and the order in which a grid walks
// them.
void lower_cluster(const GemmSpec& spec, Draft& plan);
Status lower_grid(const GemmSpec& spec, Draft& plan);
Status lower_raster(const GemmSpec& spec, Draft& plan);

// Refuses a field that means nothing in the schedule that the others ask for.
Status check_fields(const GemmSpec& spec);

// Warps that hold every thread id of a tiled MMA, the last one perhaps not full.
std::int64_t warps_of(const Layout& thr_layout_vmnk);
// (thr, (val, MMA_M, MMA_K)) -> what `tensor` maps to; thr is the hardware thread id.
Result<Layout> thread_values(const TiledMma& mma, Operand operand, const Layout& tensor);

// Law of a partition: partition(thr, v) == tensor(coordinates(thr, v)) for every thread and value, where both were partitioned alike.
Status check_partition(const Layout& coordinates, const Layout& partition, const Layout& tensor, const char* name);
// Does every tile start at a multiple of `vector` elements? tiles: ((tile),(rest)) -> offset
bool tiles_are_aligned(const Layout& tiles, std::int64_t vector);
// edges.cpp. A tensor in tiles, as if it were as long as they are: ((BLK_0,BLK_1),(tile_0,tile_1)) -> offset. Refuses a mode of several
// strides that the tiles do not divide.
Result<Layout> cut_into_tiles(const GmemTensor& gmem, const plan::TwoModes& tile, const plan::TwoModes& tiles,
                              const std::array<const char*, 2>& modes);
// (m, k) of a tile -> itself
Result<Layout> tile_coordinates(const Draft& plan, Operand operand);
// Law of coordinates: they are the places in the tile that `places` counts colexicographically.
Status check_coordinates(const Layout& coordinates, const Layout& places, std::int64_t rows, const char* name);
// May `vector` elements be read at once, of which the last may lie beyond the end of a row? They are neighbours along one mode, and those
// that an end may cut are words; with `whole`, all of them are inside, or none.
bool vectors_end_well(const Draft& plan, Operand operand, const Layout& places, std::int64_t vector, bool whole);
// "gA=(60,61):(64,1)": the same matrix in rows that begin at multiples of 16 bytes, along its first mode or its second.
std::string with_padded_rows(const GmemTensor& gmem, bool along_first);
// Elements from row to row, so that each begins at a multiple of 16 bytes.
std::int64_t padded_pitch(ValueType type, std::int64_t elements);
// The elements that a buffer must have so that vectors may end beyond the last row.
std::int64_t elements_read(const Draft& plan, Operand operand, std::int64_t vector);
// The partition of a tensor's coordinates that goes with a partition of the tensor.
plan::Id add_coordinates(Draft& plan, Operand operand, std::string name, Layout coordinates, const std::vector<std::string>& modes);

// batch.cpp. What is known of the matrices of a batch: the layout of the first, (M,K) of gA = (M,K,L), and how far apart they are.
Result<GmemTensor> gmem_tensor(const Draft& plan, Operand operand, const char* name, ValueType type, const Layout& given);
// The first two modes of (M,K,L).
Layout first_matrix(const Layout& layout);
Status check_batch(const GemmSpec& spec);
Status check_extent_of_batch(const GmemTensor& gmem, std::int64_t batch);

// arguments.cpp. Refuses what a kernel whose extents are arguments cannot be told.
Status check_arguments(const GemmSpec& spec);

// program.cpp. The ring of tiles in shared memory, where they are copied there, with what the spec leaves open about copies and fragments;
// refuses a count out of range.
Status lower_stages(const GemmSpec& spec, Draft& plan);
// Where the stages of sA and those of sB begin, and how many bytes they are together.
void place_stages(Draft& plan);
// How many tiles may be copied to shared memory while another is multiplied there.
std::int64_t tiles_beside_one(const Draft& plan);

// Fragments of A, B and C, the partitions that the atom consumes, and the order of the stores.
Status lower_fragments(Draft& plan);
// Law: a partition by the MMA is the partition of the tile's own coordinates, seen through the tensor, and covers the tile. Returns that of
// the coordinates, (thr, (val, rest, rest)) -> place in the tile, counted colexicographically.
Result<Layout> check_mma_partition(Draft& plan, Operand operand, const Layout& partition, const Layout& tensor, const char* name);
// May threads store `vector` values at once, in the order (vec, store) -> value of tCgC? Each store's are neighbours at an aligned place in
// C, for every thread and tile, and all inside or outside. places: as check_mma_partition returns them.
bool stores_fit(const Draft& plan, const Layout& order, const Layout& places, std::int64_t vector);

// Step 1: global to shared memory.
Result<GmemToSmemStep> lower_gmem_to_smem(const Draft& plan, Operand operand, const std::optional<TiledCopy>& copy, const char* field);
// Step 2: shared memory to registers.
Result<SmemToRmemStep> lower_smem_to_rmem(const Draft& plan, Operand operand, const SmemTensor& smem, const std::optional<CopyTraits>& atom,
                                          const char* field);

// warp_fragments.cpp. The same for nvcuda::wmma: a fragment is a patch of shared memory, loaded by a whole warp.
Result<SmemToRmemStep> warp_loads(const Draft& plan, Operand operand, const SmemTensor& smem);
Status add_patches_of_sums(Draft& plan, plan::OperandPath& path);

// The plan's lists of tensors, partitions, cursors and barriers.
Status lower_resources(Draft& plan);
// Those of C, where each thread stores its own sums.
Status add_stored_result(Draft& plan);
// Those stores: gC = alpha * accumulators + beta * gC, the stores from `first` to before `end` of tDgC (thr, (vec, store)).
plan::Op stores_of_threads(const Draft& plan, std::int64_t first, std::int64_t end);
// The plan's functions and roles: what its threads do, one operation after the other.
Status lower_program(Draft& plan);

// smem_operands.cpp. A stage of an operand that wgmma reads through a descriptor: rows of 128 bytes along K, or along M or N, in swizzled
// units.
Result<Swizzle> swizzle_of_rows(ValueType type, std::int64_t row_bytes);  // of units of 16 bytes in rows of 128, 64 or 32
Result<AnyLayout> stage_of_rows(ValueType type, bool mn_major, const char* extent, std::int64_t blk_mn, std::int64_t blk_k);
// Global memory -> a stage, in boxes of TMA, and the descriptor by which wgmma reads it there.
Status lower_smem_operand(Draft& plan, Operand operand);
std::optional<plan::MatrixOfRows> rows_of(const GmemTensor& gmem);
// Rows that TMA can address: apart from each other, at a pitch of whole 16 bytes, less than 2^40 bytes.
bool may_be_mapped(const GmemTensor& gmem, const plan::MatrixOfRows& matrix);
// boxes_of_c.cpp. C of wgmma in boxes of shared memory, which TMA stores: the box that the spec asks for or that fits beside the stages of
// A and B; and its tensors, partitions, maps and ring, behind the `smem_bytes` that are in use.
constexpr std::int64_t kBoxRows = 64;
Result<BoxOfC> box_of_c(const GemmSpec& spec, const Draft& plan, std::int64_t consumers);
Status lower_boxes_of_c(const GemmSpec& spec, Draft& plan, std::int64_t warpgroups, std::int64_t consumers, std::int64_t& smem_bytes);

// The same for wgmma, whose operands stay in shared memory: resources, roles and refusals.
Status lower_warp_specialised(const GemmSpec& spec, Draft& plan);
struct RegisterSplit {
  std::int64_t producer = 0, consumer = 0;  // of a thread, by setmaxnreg; 0: as the compiler has it
};
// Their ring: its barriers, and the cursors that fill and read it.
void add_ring(Draft& plan);
void write_producer_and_consumers(const GemmSpec& spec, Draft& plan, std::int64_t consumers, const RegisterSplit& registers);

}  // namespace tessera::lowering
