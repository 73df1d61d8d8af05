// SPDX-License-Identifier: BSD-3-Clause
// Shared memory that knows who wrote and read each element, and whether that lies before what comes now; private to core/gemm/run.
//
// Order is kept by vector clocks. A role (an actor) counts its operations; a clock says, of each actor, up to which of its operations
// everything is over. An actor has two entries: of all its threads, and of its first thread, which alone may arrive on a barrier. Each
// phase of an mbarrier has an entry too: the bytes of TMA are there for those who have waited for it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::machine {

using Clock = std::vector<std::uint32_t>;
void join(Clock& clock, const Clock& other);

constexpr std::uint32_t kNoAction = 0;                                            // nobody yet
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();       // not over
constexpr std::uint16_t kAllThreads = std::numeric_limits<std::uint16_t>::max();  // or several of them

enum class By : std::uint8_t { threads, cp_async, tma, wgmma, bulk };

// One execution of an operation that reads or writes shared memory.
struct Action {
  By by = By::threads;
  std::uint16_t actor = 0, entry = 0;  // entry: of the clock, for tma
  std::uint32_t over = kNever;         // the actor's count (tma: the barrier's) when its effects are done
  const plan::Op* op = nullptr;
  std::int64_t k_tile = -1, tile = -1, fill = -1, event = -1;
  std::int64_t ready = 0;  // of an opaque operation: when its units are over
};

// Who comes now: an actor's thread, with what lies before it.
struct Viewer {
  std::uint16_t actor = 0, thread = kAllThreads;
  const Clock* before = nullptr;   // through threads
  const Clock* visible = nullptr;  // through fences to the asynchronous proxy; null: the viewer is no such
};

struct Mark {
  std::uint32_t action = kNoAction;
  std::uint16_t thread = kAllThreads;
};

struct SharedTensor {
  const plan::Tensor* tensor = nullptr;
  std::int64_t elements = 0;  // of all stages
  std::vector<double> values;
  std::vector<Mark> written;
  std::vector<Mark> read;        // element * roles + role: by threads
  std::vector<Mark> read_async;  // the same: by wgmma and TMA
  std::vector<std::int64_t> fill;
};

// What is wrong with an access, if anything.
enum class Clash : std::uint8_t {
  none,
  outside,        // no such element
  unwritten,      // read before anything was written
  under_way,      // read before the copy has arrived
  no_barrier,     // read before its writer is known to have written
  no_fence,       // read by the asynchronous proxy, written by threads that have not fenced
  older_fill,     // what is read is from an earlier lap
  newer_fill,     // what is read is from a later lap
  still_read,     // overwritten while somebody may read
  still_written,  // overwritten while somebody may write
};
struct Verdict {
  Clash clash = Clash::none;
  Mark other;
};

class SharedMemory {
 public:
  SharedMemory(const GemmPlan& plan, const std::vector<Action>& actions);
  SharedTensor& tensor(plan::Id id) { return tensors_[id]; }
  bool before(const Mark& mark, const Viewer& viewer) const;

  // Checks an access and notes it. fill: which one of the ring, or -1.
  Verdict read(SharedTensor& tensor, std::int64_t element, std::int64_t fill, const Viewer& viewer, std::int64_t role,
               std::uint32_t action);
  Verdict write(SharedTensor& tensor, std::int64_t element, std::int64_t fill, const Viewer& viewer, std::uint32_t action, double value);

 private:
  const std::vector<Action>& actions_;
  std::int64_t roles_ = 0;
  std::vector<SharedTensor> tensors_;  // by the plan's id; empty where it is elsewhere
};

}  // namespace tessera::machine
