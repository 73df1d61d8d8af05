// SPDX-License-Identifier: BSD-3-Clause
// A cluster while it runs: its CTAs, the fibers of their threads, and what is under way.
//
// How it is read: cluster.cpp takes turns and knows what every CUDA kernel does, barriers.cpp arrivals and phases, bulk_copies.cpp TMA,
// warpgroup.cpp wgmma. Private to the machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include "tests/host/clocks.hpp"
#include "tests/host/instruction.hpp"
#include "tests/host/machine.hpp"
#include "tests/host/ptx.hpp"
#include "tests/host/shared_memory.hpp"
#include "tests/host/tensor_map.hpp"
#include "tests/host/wgmma.hpp"

namespace tessera::host {

constexpr std::int64_t kWindow = 1024;         // where a CTA's shared memory begins among shared addresses: 0 is nobody's
constexpr std::int64_t kOfCluster = 1 << 24;   // shared::cluster addresses of CTA r begin at (r + 1) of them
constexpr std::size_t kWarpgroupLanes = 128;   // threads
constexpr unsigned char kNeverWritten = 0xff;  // a NaN in every float, -1 in every integer

inline Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

// A byte of the shared memory of a CTA of the cluster.
struct Place {
  std::size_t cta = 0;
  std::int64_t byte = 0;
};

struct Mbarrier {
  int count = 0, pending = 0;  // arrivals of a phase, and those that are missing
  std::int64_t bytes = 0;      // announced and not there, or there and not announced
  std::uint32_t phase = 0;     // phases that are over
  int engine = 0;              // who writes what it counts
  Stamp initialised{};
  bool is_fenced = false;  // seen by TMA
  Clocks::Knowledge gathered;
  Clocks::Released released;
};

// bar.sync, bar.arrive and __syncthreads
struct CtaBarrier {
  int expected = 0, arrived = 0;
  std::vector<int> waiting;
  Clocks::Knowledge gathered;
};

// Bytes of a TMA load for one CTA, or a TMA store.
struct BulkCopy {
  HostTensorMap map{};
  BoxPlace at{};
  Place shared{};
  std::int64_t barrier = 0;  // of a load: byte in the same CTA
  bool is_store = false, is_read = false, is_over = false;
  std::vector<unsigned char> held;  // of a store that has read its box
};

class Cluster {
 public:
  Cluster(const HostKernel& kernel, const Launch& launch, std::span<const std::span<std::byte>> memory, const Call& call,
          unsigned first_block, unsigned product);
  ~Cluster();

  Status run();

  void barrier();
  void access(const void* at, int bytes, bool is_write);
  void instruction(const char* text, HostOperand* operands, int count);

 private:
  using fiber = boost::context::fiber;
  enum class State { ready, waiting, at_instruction, done };
  struct StoreGroup {
    std::vector<std::size_t> stores;
    bool is_read = false;  // and was waited for
  };
  struct Thread {
    fiber resume;
    State state = State::ready;
    std::string_view instruction;
    std::span<HostOperand> operands;
    const PtxStatement* statement = nullptr;
    std::string waits_for;                      // in words
    std::vector<AsyncCopy> uncommitted;         // cp.async
    std::deque<std::vector<AsyncCopy>> groups;  //
    std::vector<std::size_t> stores;            // TMA: into bulk_
    std::deque<StoreGroup> store_groups;        //
    std::array<std::uint64_t, 7> multiplies{};  // wgmma: descriptors, whether it adds, and transposes and negates each operand
    std::optional<std::pair<Place, std::uint32_t>> mbarrier;      // at which it waits, and the parity
    std::optional<std::pair<std::int64_t, std::uint32_t>> tried;  // in vain, the last time
    std::optional<std::uint32_t> cluster_phase;                   // in which it arrived on the cluster's barrier
    std::size_t cta = 0;
  };
  struct Cta {
    std::unique_ptr<unsigned char[], void (*)(void*)> smem;
    SharedMemory shared;
    std::map<std::int64_t, Mbarrier> mbarriers;
    std::map<int, CtaBarrier> barriers;                    // by number; 0 is __syncthreads'
    std::vector<int> waiting_lanes, waiting_in_warpgroup;  // by warp, by warpgroup
    std::vector<Warpgroup> warpgroups;
    int done = 0;
  };
  // What a text says, read once.
  struct Program {
    std::string_view text;
    std::optional<Kind> kind;  // of an instruction that every kernel has; the others are read
    std::vector<PtxStatement> statements{};
  };
  using Locals = std::map<std::string, std::uint64_t, std::less<>>;
  using Handler = Status (Cluster::*)(const PtxStatement& statement, Locals& locals);

  // cluster.cpp
  void start(std::size_t thread);
  void pause(State state);
  void wait_for(std::string words);
  int next();
  bool deliver_next();
  Status check_stuck();
  Status check_ended();
  void fail(Status status);  // ends the run: the thread stops where it is
  Thread& thread() { return threads_[static_cast<std::size_t>(current_)]; }
  Cta& cta() { return ctas_[thread().cta]; }
  int lane_of_cta(int thread) const { return thread % static_cast<int>(launch_.block[0]); }
  std::string name(int who) const;
  std::optional<std::int64_t> shared_byte(const void* at);
  Result<Place> place(std::uint64_t address, std::int64_t bytes);
  bool in_memory(const void* at, int bytes) const;
  Status touch(const void* at, int bytes, bool is_write);
  void wait_copies(std::size_t pending);
  Status complete_warp(int first);
  Status execute_known(Kind kind, std::string_view text);
  Status execute(const PtxStatement& statement, Locals& locals);
  std::uint64_t value(const PtxOperand& operand, const Locals& locals) const;
  void assign(const PtxOperand& operand, Locals& locals, std::uint64_t value);
  std::uint64_t address(const PtxOperand& operand, const Locals& locals) const { return value(operand.list.at(0), locals); }
  Status select(const PtxStatement& statement, Locals& locals);
  Status set_predicate(const PtxStatement& statement, Locals& locals);
  Status move(const PtxStatement& statement, Locals& locals);
  Status set_registers(const PtxStatement& statement, Locals& locals);

  // barriers.cpp
  Status arrive(CtaBarrier& barrier, bool waits, std::string words);
  void complete(CtaBarrier& barrier);
  void thread_ended();
  Status map_address(const PtxStatement& statement, Locals& locals);
  Result<Mbarrier*> mbarrier_at(const Place& place);
  Status count_arrival(Mbarrier& barrier, const Place& place);
  void end_phase(const Place& place);
  Status mbarrier_init(const PtxStatement& statement, Locals& locals);
  Status mbarrier_arrive(const PtxStatement& statement, Locals& locals);
  Status mbarrier_expect(const PtxStatement& statement, Locals& locals);
  Status mbarrier_try_wait(const PtxStatement& statement, Locals& locals);
  Status fence_mbarriers(const PtxStatement& statement, Locals& locals);
  Status fence_proxy(const PtxStatement& statement, Locals& locals);
  Status named_barrier(const PtxStatement& statement, Locals& locals);
  Status cluster_arrive(const PtxStatement& statement, Locals& locals);
  Status cluster_wait(const PtxStatement& statement, Locals& locals);
  void end_cluster_phase();

  // bulk_copies.cpp
  Result<HostTensorMap> map_at(std::uint64_t pointer);
  Status prefetch_map(const PtxStatement& statement, Locals& locals);
  Result<BoxPlace> box_place(const PtxStatement& is, const HostTensorMap& map, const std::vector<PtxOperand>& list, Locals& locals);
  Status load_box(const PtxStatement& statement, Locals& locals);
  Status begin_load(BulkCopy copy);
  Status store_box(const PtxStatement& statement, Locals& locals);
  Status commit_stores(const PtxStatement& statement, Locals& locals);
  Status wait_stores(const PtxStatement& statement, Locals& locals);
  Status deliver(std::size_t copy);
  Status deliver_load(BulkCopy& copy);
  void read_box(BulkCopy& copy);
  Status write_box(BulkCopy& copy);

  // warpgroup.cpp
  Status of_warpgroup(const PtxStatement& statement, Locals& locals);
  Status complete_warpgroup(Cta& cta, std::size_t index);
  Status begin_wgmma(Cta& cta, Warpgroup& warpgroup, std::size_t first);
  Status begin_operand(Cta& cta, const OperandDescriptor& operand, std::int64_t rows, std::size_t first);
  void compute_all(Cta& cta, Warpgroup& warpgroup);
  Status wait_wgmma(Cta& cta, Warpgroup& warpgroup, std::size_t first, std::size_t pending);
  Status check_sums();

  HostKernel kernel_;
  const Launch& launch_;
  std::span<const std::span<std::byte>> memory_;
  const Call& call_;
  unsigned first_block_, product_;
  std::mt19937 random_;
  std::vector<Thread> threads_;  // of all CTAs
  Clocks clocks_;
  std::vector<Cta> ctas_;
  std::vector<std::string> engines_;  // who is no thread, in words
  CtaBarrier of_cluster_;
  std::uint32_t cluster_phase_ = 0;
  Clocks::Released cluster_released_;
  std::vector<BulkCopy> bulk_;
  std::vector<std::size_t> under_way_;  // of bulk_, with something left to do
  std::unordered_map<const char*, Program> programs_;
  boost::context::pooled_fixedsize_stack stacks_;
  fiber scheduler_;
  int current_ = -1;
  std::optional<Error> error_;
};

}  // namespace tessera::host
