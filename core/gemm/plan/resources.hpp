// SPDX-License-Identifier: BSD-3-Clause
// What the operations of a plan act on: tensors and their partitions, barriers, rings with their cursors, functions, roles.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/atom/mma/tiled_mma.hpp"
#include "core/gemm/plan/ops.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera::plan {

enum class Space : std::uint8_t { global, shared, registers, coordinates };

struct Tensor {
  std::string name;  // gA, sA, rA, sC: of a CTA's program, as CuTe names them
  Space space = Space::global;
  Operand operand = Operand::a;
  ValueType type = ValueType::f32;
  // global: (M,K), (N,K), (M,N); shared: (BLK_M,BLK_K) ... of one stage; registers: of one thread -> element
  AnyLayout layout;                 // coordinates: the same modes as global, cA (M,K) -> (m, k): each coordinate as itself
  Layout tiles{};                   // global: ((BLK_0,BLK_1),(tile_0,tile_1)) -> element offset, as if the last tiles were whole
  std::int64_t elements = 0;        // global: cosize, and what a vector reads beyond the last row's end; registers: of one thread
  std::int64_t batch_elements = 0;  // global: from a matrix of a batch to the next, whole 16 bytes
  Id ring = kNone;                  // shared: one copy a stage
  std::int64_t stage_elements = 0;  // shared: distance of two stages
  std::int64_t byte_offset = 0;     // shared: of stage 0 in the CTA's shared memory
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

// What TMA knows of a tensor: one box goes to `box` elements of shared memory, whose 16-byte units it swizzles.
struct TensorMap {
  std::string name;  // "mA"
  Id tensor = kNone;
  std::int64_t box_rows = 0, box_columns = 0;  // elements: columns along the contiguous mode, rows along the other
  int swizzle_bytes = 0;                       // 128, 64, 32; 0: none
  // Elements at the end of each row that the map does not have. A store of TMA clips whole units of 16 bytes, so that a row that ends
  // inside one leaves by a map of its units, and by threads.
  std::int64_t left_over = 0;
  friend bool operator==(const TensorMap&, const TensorMap&) = default;
};
constexpr std::int64_t kStoredUnit = 16;  // bytes that a store of TMA writes at once (seen on an H200)

// What wgmma knows of an operand in shared memory: rows of `swizzle_bytes`, eight of them together, `stride_bytes` from eight to eight.
// A row lies along K, and the next row is that of the next m or n; of an MN-major operand it lies along M or N, the next row is that of the
// next k, and `leading_bytes` lie between the rows of one k that follow each other along M or N. See descriptors.hpp.
struct Descriptor {
  std::string name;  // "dA"
  Id tensor = kNone;
  std::int64_t stride_bytes = 0;
  int swizzle_bytes = 0;
  bool mn_major = false;
  std::int64_t leading_bytes = 0;  // MN-major
  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

struct Partition {
  std::string name;  // tAgA, tAsA, tXsA, tCrA, tCgC ...
  Id tensor = kNone;
  AnyLayout layout;                // global, shared: (thr, modes) -> element of the tile or stage; registers: modes -> element
  std::vector<std::string> modes;  // {"vec", "copy"}, {"val", "MMA_M", "MMA_K"}
  // global, where a last tile of the tensor is not whole: the partition of cA, cB or cC with the same modes, (thr, modes) -> (m, k) in the
  // tile
  Id coordinates = kNone;
  friend bool operator==(const Partition&, const Partition&) = default;
};

enum class BarrierKind : std::uint8_t { cta, named, mbarrier, cluster };
struct Barrier {
  std::string name;  // "full", "empty", "cta"
  BarrierKind kind = BarrierKind::cta;
  std::int64_t arrivals = 0;     // of a phase: threads (cta, named: all who arrive or wait)
  Num bytes = 0;                 // mbarrier: of a phase, by TMA
  Id ring = kNone;               // mbarrier: one a stage
  std::int64_t byte_offset = 0;  // mbarrier: of stage 0's in the CTA's shared memory; 8 bytes a stage, those of a member together
  std::int64_t members = 1;      // barriers of this kind, of which an operation names one: "turn" of two consumers has two

  friend bool operator==(const Barrier&, const Barrier&) = default;
  std::string name_of(std::int64_t member) const { return members == 1 ? name : name + " " + std::to_string(member); }  // "turn 1"
};

struct Ring {
  std::string name;  // "stage"
  std::int64_t stages = 1;
  Id full = kNone, empty = kNone;  // mbarriers; none: groups and the CTA's barrier order the stages
  friend bool operator==(const Ring&, const Ring&) = default;
};
// 1 for what is there once and belongs to no ring.
inline std::int64_t stages_of(const std::vector<Ring>& rings, Id ring) { return ring == kNone ? 1 : rings[ring].stages; }
struct Cursor {
  std::string name;  // "read", "write"
  Id ring = kNone;
  Num first = 0;  // the fill at which it begins; in member i of a family first + i * each
  Num each = 0;
  friend bool operator==(const Cursor&, const Cursor&) = default;
};

struct Function {
  std::string name, says;               // "copy_tile", "tile k_tile of A and B from global to shared memory"
  std::vector<std::string> parameters;  // variables that its body reads
  Block body;
  friend bool operator==(const Function&, const Function&) = default;
};

// A family of roles that do the same, side by side: member i has `threads` threads from first_thread + i * threads on, and in its block
// the variable `name` is i.
struct Role {
  std::string name;                            // "cta", "producer", "consumer", "warpgroup"
  std::int64_t first_thread = 0, threads = 0;  // of the first member, and of each
  std::int64_t registers = 0;                  // of a thread, by setmaxnreg; 0: as the compiler has it
  Block block;
  std::int64_t members = 1;

  friend bool operator==(const Role&, const Role&) = default;
  std::int64_t last_thread() const { return first_thread + members * threads - 1; }
};

// One of a family: who executes its block.
struct Member {
  const Role* role = nullptr;
  std::int64_t index = 0;
  std::string name;  // "producer", "consumer 1"
  std::int64_t first_thread = 0, threads = 0;
};

// Where an operand is on its way, as ids into the plan's lists.
struct OperandPath {
  Id gmem = kNone, smem = kNone, rmem = kNone;  // tensors: gA, sA, rA; without sA, fragments are loaded from gA
  Id tXgX = kNone, tXsX = kNone;                // partitions of the copy to shared memory: tAgA, tAsA  (thr, (vec, copy))
  Id tXrX = kNone;                              // of that copy's registers, where the tile waits in them: tArA (vec, copy)
  Id read = kNone, received = kNone;            // of the copy to registers: tXsA (thr, (val, copy, MMA_K)), tXrA (val, copy, MMA_K)
  Id partition = kNone;                         // what the atom consumes: tCsA (thr, (val, MMA_M, MMA_K)), or tCgA; of C: tCgC
  Id fragment = kNone;                          // tCrA (val, MMA_M, MMA_K); of C: tCrC
  // Of C, a store at a time: tXgX is tDgC (thr, (vec, store)), read is tDrC (vec, store) of the accumulators, received is tDrD (vec).
  friend bool operator==(const OperandPath&, const OperandPath&) = default;
};

}  // namespace tessera::plan
