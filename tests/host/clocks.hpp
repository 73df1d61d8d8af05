// SPDX-License-Identifier: BSD-3-Clause
// What lies before what: a vector clock a thread. A thread that releases (arrives on a barrier) gives what it knows and has done; one that
// acquires (waits) takes it. A second clock says what the asynchronous proxy sees: of a thread's own writes, those before its last fence.
//
//   thread 0: writes x at its time 1, releases           -> the barrier knows {thread 0: 1}
//   thread 1: acquires, reads x                           knows(1, {0, 1}): ordered
//             begins a TMA store of x                     shows(1, {0, 1}): only if thread 0 fenced before it released
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::host {

// An event: something that `who` did at its time `when`. Who is no thread is an engine: the copies that a barrier counts, a warpgroup's
// wgmma.
struct Stamp {
  int who = -1;
  std::uint32_t when = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

class Clocks {
 public:
  using Times = std::vector<std::uint32_t>;  // by who
  using Shared = std::shared_ptr<const Times>;

  // What a barrier gathers in a phase, and what it then gives.
  struct Knowledge {
    Times before, visible;
    Shared joined_before, joined_visible;  // the last ones that were joined: most threads bring the same
  };
  struct Released {
    Shared before, visible;
  };

  Clocks(int threads, int engines);

  int who() const { return static_cast<int>(entries_); }  // threads and engines
  int threads() const { return static_cast<int>(threads_.size()); }
  Stamp now(int thread) const { return {thread, threads_[static_cast<std::size_t>(thread)].own}; }
  bool knows(int thread, Stamp event) const {
    return event.who == thread || (*threads_[static_cast<std::size_t>(thread)].before)[static_cast<std::size_t>(event.who)] >= event.when;
  }
  bool shows(int thread, Stamp event) const;  // to the asynchronous proxy, for what `thread` begins
  // Do two threads know the same of everybody else?
  bool alike(int a, int b) const;

  void release(int thread, Knowledge& into);
  void note(Knowledge& into, Stamp event) const;  // of an engine
  Released end(Knowledge& gathered) const;        // of a phase; the next one begins
  void acquire(int thread, const Released& from);
  void learn(int thread, Stamp event);  // of an engine
  void fence(int thread);

 private:
  struct Thread {
    Shared before, visible;
    std::uint32_t own = 1, fenced = 0;
  };
  struct Join {
    Shared a, b, result;
  };
  Shared join(const Shared& a, const Shared& b);

  std::size_t entries_;
  std::vector<Thread> threads_;
  Join joins_[4];
  std::size_t next_join_ = 0;
  struct {
    Shared from, result;
    Stamp event;
  } learned_;
};

}  // namespace tessera::host
