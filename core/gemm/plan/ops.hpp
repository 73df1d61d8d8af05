// SPDX-License-Identifier: BSD-3-Clause
// The operations of a plan. A role executes its block from first to last; a figure, the machine, the emitter and `explain` visit them.
//
// What holds for all of them:
// - Every thread of a role executes an operation, unless a field or a `When` says who. Between two roles there is no order but what
//   barriers make.
// - Copies by cp_async, tma_load and tma_store, and multiplications by wgmma, are asynchronous: they begin here, and read and write at any
//   time until a barrier (tma_load) or a group that is waited for says that they are done. Everything else is done when the next begins.
// - What a thread writes to shared memory, another may read after both have passed a barrier; instructions of the asynchronous proxy
//   (TMA, wgmma) may read it after a Fence{proxy_async} of the writer before that barrier.
// - A partition's thr is the thread's id in the CTA, modulo the extent of the mode thr. One thread begins a box of TMA, and it is that
//   thread's part.
// - Roles that do the same are the members of one family, and share its block. A variable with the family's name is the member's number,
//   0, 1, ..: what differs between members is said with it. Of a barrier with members, an operation names one: {"consumer"} is the
//   role's own, {"consumer", 1, 2} that of the other of two.
// - A ring has `stages` places. A cursor counts the fills of a ring: fill p is in stage p mod stages, in its lap p / stages. Each role has
//   its own cursor, and so its own stage and phase; so has each member of a family.
//
// - The last tiles may reach beyond the problem. What a tensor map describes is clipped: a box brings zeros from outside, and leaves
//   nothing there; a store clips whole units of 16 bytes, of which the map's rows must be made. Threads need a predicate, the coordinates
//   of what they read or write: a value outside is not read, and 0 comes in its place, or it is not written.
//
// A small example, one stage, cp.async (asked for by copy_a and copy_b) and an atom of registers:
//   Loop k_tile < 64
//     Copy cp_async tAgA(k_tile) -> tAsA[write]    Copy cp_async tBgB(k_tile) -> tBsB[write]    Commit    WaitGroup 0
//     Wait cta  "the tile is there"
//     Loop k < 4
//       Copy ldmatrix tXsA(k)[read] -> tXrA(k)    Copy ldmatrix tXsB(k)[read] -> tXrB(k)    Mma tCrA(k), tCrB(k) -> tCrC
//     Wait cta  "the tile is no longer needed"    Advance write    Advance read
//   Loop store < 32
//     Convert tDrC(store) -> tDrD    Copy load_store tDrD -> tDgC(store)
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/gemm/plan/num.hpp"
#include "core/layout/layout.hpp"

namespace tessera::plan {

using Id = std::uint16_t;  // index into the plan's list of tensors, partitions, barriers, rings, cursors or functions
constexpr Id kNone = 0xffff;

// (variable + plus + add) mod modulo; a variable without a name is 0, with modulo 0 there is no remainder. {"k", 1, 4} is (k + 1) % 4.
struct Index {
  std::string variable;
  Num add = 0, modulo = 0;
  std::string plus{};
  friend bool operator==(const Index&, const Index&) = default;
};

// A stage of a ring: the one of the fill that lies `back` before the cursor's.
struct Stage {
  Id cursor = kNone;
  std::int64_t back = 0;
  friend bool operator==(const Stage&, const Stage&) = default;
};

// A partition with some of its modes picked: {"MMA_K", k}. A picked mode has one coordinate; the others are walked. In global memory
// "k_tile" picks the tile along K, and the tile of M and N is the one of the last NextTile, or the one before it.
struct Pick {
  std::string mode;
  Index at;
  friend bool operator==(const Pick&, const Pick&) = default;
};
struct At {
  Id partition = kNone;
  std::vector<Pick> picks{};
  Stage stage{};                // of a tensor in a ring
  std::int64_t tiles_back = 0;  // 1: the tile before the last NextTile (a deferred store)
  friend bool operator==(const At&, const At&) = default;
};

enum class CopyBy : std::uint8_t { load_store, cp_async, ldmatrix, ldmatrix_trans, stmatrix, tma_load, tma_store, wmma_load, wmma_store };
// Values of `from` to the places of `to` that have the same coordinate; of ldmatrix, `from` names the row of 8 elements that a lane gives.
// Of wmma_load and wmma_store, `from` or `to` in shared memory is the patch of a warp, whose 32 threads hold the fragment together.
// An instruction moves `vector` neighbours of each thread (ldmatrix and stmatrix: `matrices` of 8 rows of 8 elements of each warp, a last
// stmatrix one or two where that many are left over; TMA: a box, whole).
struct Copy {
  CopyBy by = CopyBy::load_store;
  At from, to;
  std::string atom;           // CuTe's name of the copy atom
  std::int64_t vector = 1;    // elements
  std::int64_t matrices = 0;  // 1, 2 or 4
  std::int64_t threads = 0;   // of the role, the first ones: who takes part; 0: all
  Id map = kNone;             // TMA
  Id barrier = kNone;         // tma_load: on whose phase of this stage the bytes arrive
  Index member{};             // of that barrier, where it has several
  bool multicast = false;     // tma_load: into the same place of every CTA of the cluster that shares the operand
  // The partition of coordinates by which values outside the tensor are told: tAcA. Of a vector that is read, the first elements may be
  // inside and the others not; one that is written is inside or outside. Without: nothing reaches beyond.
  Id predicate = kNone;
  Id beyond = kNone;  // a tensor map whose rows end before the tensor's, and only what lies behind them is stored, by threads
  friend bool operator==(const Copy&, const Copy&) = default;
};

// The registers that an Mma adds to are 0 when a role begins. wgmma needs a Fence{wgmma} before the first, and whenever another instruction
// has touched its registers; nobody touches them until its group is waited for.
enum class MmaBy : std::uint8_t { fma, mma_sync, wgmma, wmma };
// c += a * b (-= where the atom negates one) for every atom of the partitions: MMA_K slowest unless picked, then MMA_M, then MMA_N;
// `serpentine` walks MMA_N backwards in every second MMA_M, so that neighbours share a fragment. wgmma reads a and b in shared memory,
// through descriptors.
struct Mma {
  MmaBy by = MmaBy::mma_sync;
  At a, b, c;
  bool serpentine = false;
  Id descriptor_a = kNone, descriptor_b = kNone;  // wgmma
  std::vector<Index> clears{};                    // the first MMA_K overwrites c where all of these are 0; empty: never
  friend bool operator==(const Mma&, const Mma&) = default;
};

// to = alpha * from + beta * c, rounded to the type of `to`; c is read only where beta is not 0. Without a c: alpha * from.
struct Convert {
  At from, to;
  At c{};
  Id predicate = kNone;  // of c, as a Copy's
  friend bool operator==(const Convert&, const Convert&) = default;
};

enum class GroupOf : std::uint8_t { cp_async, wgmma, bulk };
struct Commit {  // what a thread began since its last Commit of this kind is one group
  GroupOf of = GroupOf::cp_async;
  friend bool operator==(const Commit&, const Commit&) = default;
};
struct WaitGroup {  // until at most `pending` groups of the thread are under way; of bulk stores: until they have read their source
  GroupOf of = GroupOf::cp_async;
  Num pending = 0;
  bool only_read = false;
  friend bool operator==(const WaitGroup&, const WaitGroup&) = default;
};

// mbarriers. Barriers of a ring have one phase a fill, so that the stage says which.
struct Expect {  // one arrival that also announces the barrier's bytes
  Id barrier = kNone;
  Stage stage{};
  Index member{};  // of a barrier that has several
  friend bool operator==(const Expect&, const Expect&) = default;
};
struct Arrive {
  Id barrier = kNone;
  Stage stage{};
  std::int64_t threads = 1;       // of the role: how many arrive
  bool in_whole_cluster = false;  // on the barrier of every CTA of the cluster
  Index member{};
  friend bool operator==(const Arrive&, const Arrive&) = default;
};
// mbarrier: until the phase of this fill is over; on a ring's `empty`, until the fill before it in the same stage was released, which is at
// once in the first lap. cta, named and cluster barriers: arrive and wait (bar.sync).
struct Wait {
  Id barrier = kNone;
  Stage stage{};
  Index member{};
  friend bool operator==(const Wait&, const Wait&) = default;
};
struct Advance {
  Id cursor = kNone;
  Num by = 1;
  friend bool operator==(const Advance&, const Advance&) = default;
};
enum class FenceKind : std::uint8_t { wgmma, proxy_async, mbarrier_init };
struct Fence {
  FenceKind kind = FenceKind::wgmma;
  friend bool operator==(const Fence&, const Fence&) = default;
};
struct SetRegisters {  // setmaxnreg
  std::int64_t count = 0;
  friend bool operator==(const SetRegisters&, const SetRegisters&) = default;
};
// The tile that follows: number `tile` of this CTA (cluster), whose place in the grid is the plan's cta_raster.
struct NextTile {
  Index tile{};
  friend bool operator==(const NextTile&, const NextTile&) = default;
};

// Anything with a name for which there is no operation: softmax, dequantise, a student's step. The machine orders and races what it reads
// and writes, timelines draw it, and no kernel has it. It has no values: what it writes is there, and may be read.
struct Opaque {
  std::string name;
  std::vector<At> reads{}, writes{};
  double units = 1;                // how long it takes in units that a person declares: never a time
  std::optional<GroupOf> group{};  // asynchronous, until this group is waited for
  Id barrier = kNone;              // asynchronous, by TMA: what it writes arrives on this mbarrier, in the phase of the stage written
  Index member{};                  // of that barrier
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

struct Op;
using Block = std::vector<Op>;
// What copies share, and what is compared whole.
template <class T>
class Shared {
 public:
  Shared() = default;
  template <class Q>
  requires std::convertible_to<std::shared_ptr<Q>, std::shared_ptr<const T>> Shared(std::shared_ptr<Q> of) : of_(std::move(of)) {}
  const T& operator*() const { return *of_; }
  const T* operator->() const { return get(); }
  const T* get() const { return of_.get(); }
  explicit operator bool() const { return of_ != nullptr; }
  operator const std::shared_ptr<const T>&() const { return of_; }
  friend bool operator==(const Shared& shared, std::nullptr_t) { return shared.of_ == nullptr; }
  friend bool operator==(const Shared& a, const Shared& b) { return a.of_ == b.of_ || (a.of_ && b.of_ && *a.of_ == *b.of_); }

 private:
  std::shared_ptr<const T> of_;
};
using SharedBlock = Shared<Block>;  // the operations inside another
// variable = first, first + step, ... below `count`; with `tiles`, as long as the CTA has a tile of that number. `plus` names a variable
// that is added to `first`.
struct Loop {
  std::string variable;
  Num first = 0, count = 0, step = 1;
  bool tiles = false;
  bool unrolled = false;
  bool backwards_every_second_tile = false;  // K zigzag: the operands' k_tile counts down in every second tile
  SharedBlock body;
  std::string plus{};
  friend bool operator==(const Loop&, const Loop&) = default;
};
enum class Only : std::uint8_t { first_thread, owners, below, equal, at_least, tile_exists, tile_missing };
struct When {
  Only only = Only::below;
  Index index{};  // below, equal, at_least, tile_exists, tile_missing
  Num bound = 0;  // below, equal, at_least
  SharedBlock body;
  friend bool operator==(const When&, const When&) = default;
};
// A block with a name, printed as a function: the plan's functions have it, with the variables that a call sets.
struct Named {
  Id function = kNone;
  std::vector<Index> arguments{};
  friend bool operator==(const Named&, const Named&) = default;
};

using AnyOp = std::variant<Copy, Mma, Convert, Commit, WaitGroup, Expect, Arrive, Wait, Advance, Fence, SetRegisters, NextTile, Opaque,
                           Loop, When, Named>;
struct Op {
  AnyOp op;
  std::string why{};  // what a reader must know here: "the tile is there"; mostly of waits
  int line = 0;       // of the text that it was read from; 0: it was not
  friend bool operator==(const Op& a, const Op& b) { return a.op == b.op && a.why == b.why; }
};

}  // namespace tessera::plan
