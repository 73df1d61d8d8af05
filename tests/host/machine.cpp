// SPDX-License-Identifier: BSD-3-Clause
// CTAs run one after the other; the threads of one are fibers that go on until a barrier, an instruction of their warp, or their end.
#include "tests/host/machine.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include "tests/host/instruction.hpp"
#include "tests/host/shared_memory.hpp"

namespace tessera::host {
namespace {

using boost::context::fiber;

constexpr std::size_t kStackBytes = 128 << 10;  // the accumulators of a thread and what an unoptimised frame adds
constexpr unsigned char kNeverWritten = 0xff;   // a NaN in every float, -1 in every integer

Error fault(std::string message) { return Error{ErrorCode::wrong_result, std::move(message), {}, {}}; }

class Cta;
Cta* running = nullptr;  // whose thread runs: the kernel's calls come without a word about it

class Cta {
 public:
  Cta(const HostKernel& kernel, const Launch& launch, const Buffers& buffers, unsigned block)
      : kernel_(kernel),
        launch_(launch),
        buffers_(buffers),
        block_(block),
        random_(launch.seed + block),
        shared_(static_cast<std::size_t>(launch.smem_bytes)),
        threads_(launch.block[0]),
        warps_((launch.block[0] + 31) / 32) {}

  Status run();

  void barrier() { pause(State::at_barrier); }
  void access(const void* at, int bytes, bool is_write);
  void instruction(const char* text, HostOperand* operands, int count);

 private:
  enum class State { ready, at_barrier, at_instruction, done };
  struct Thread {
    fiber resume;
    State state = State::ready;
    std::string_view instruction;
    std::span<HostOperand> operands;
    std::vector<AsyncCopy> uncommitted;
    std::deque<std::vector<AsyncCopy>> groups;
  };
  struct Warp {
    int waiting = 0;
  };

  void start(int thread);
  void pause(State state);
  int next();
  Status let_go_on();  // nobody is ready: a barrier that all reached, or a deadlock
  Status complete_warp(int warp);
  void fail(Status status);  // ends the run: the thread stops where it is
  std::optional<std::int64_t> shared_byte(const void* at) const;
  Status touch(const void* at, int bytes, bool is_write);
  void wait(std::size_t pending);

  HostKernel kernel_;
  const Launch& launch_;
  const Buffers& buffers_;
  unsigned block_;
  std::mt19937 random_;
  SharedMemory shared_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  boost::context::pooled_fixedsize_stack stacks_{kStackBytes};
  fiber scheduler_;
  int current_ = -1, epoch_ = 0;
  std::optional<Error> error_;
};

void Cta::start(int thread) {
  threads_[static_cast<std::size_t>(thread)].resume = fiber(std::allocator_arg, stacks_, [this, thread](fiber&& back) {
    scheduler_ = std::move(back);
    kernel_.entry(buffers_.a.data(), buffers_.b.data(), buffers_.c.data(), buffers_.alpha, buffers_.beta);
    threads_[static_cast<std::size_t>(thread)].state = State::done;
    return std::move(scheduler_);
  });
}

void Cta::pause(State state) {
  threads_[static_cast<std::size_t>(current_)].state = state;
  scheduler_ = std::move(scheduler_).resume();
}

void Cta::fail(Status status) {
  error_ = std::move(status).error();
  pause(State::done);
}

int Cta::next() {
  std::vector<int> ready;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) {
    if (threads_[static_cast<std::size_t>(i)].state == State::ready) ready.push_back(i);
  }
  if (ready.empty()) return -1;
  switch (launch_.order) {
    case Order::first: return ready.front();
    case Order::last: return ready.back();
    case Order::in_turn: {
      const auto after = std::upper_bound(ready.begin(), ready.end(), current_);
      return after == ready.end() ? ready.front() : *after;
    }
    case Order::shuffled: return ready[random_() % ready.size()];
  }
  return -1;
}

Status Cta::let_go_on() {
  std::string stuck;
  bool any = false;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    any = any || threads_[i].state == State::at_barrier;
    if (threads_[i].state == State::at_instruction && stuck.empty())
      stuck = fmt::format("thread {} waits at {}, which {} of its warp's lanes have reached", i, threads_[i].instruction,
                          warps_[i / 32].waiting);
  }
  if (!stuck.empty()) return fault(stuck);
  if (!any) return Done{};
  ++epoch_;
  for (Thread& thread : threads_) {
    if (thread.state == State::at_barrier) thread.state = State::ready;
  }
  return Done{};
}

Status Cta::run() {
  std::memset(kernel_.smem, kNeverWritten, kHostSharedBytes);
  running = this;
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) start(i);
  while (!error_) {
    const int thread = next();
    if (thread < 0) {
      if (const Status status = let_go_on(); !status) return status;
      if (std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.state == State::done; })) break;
      continue;
    }
    current_ = thread;
    *kernel_.thread = {static_cast<unsigned>(thread), 0, 0};
    *kernel_.block = {block_, 0, 0};
    fiber& resume = threads_[static_cast<std::size_t>(thread)].resume;
    resume = std::move(resume).resume();
  }
  if (error_) return *error_;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const auto& groups = threads_[i].groups;
    if (!threads_[i].uncommitted.empty() || std::any_of(groups.begin(), groups.end(), [](const auto& group) { return !group.empty(); }))
      return fault(fmt::format("thread {} ends with copies that it never waited for", i));
  }
  return Done{};
}

std::optional<std::int64_t> Cta::shared_byte(const void* at) const {
  const std::ptrdiff_t byte = static_cast<const unsigned char*>(at) - kernel_.smem;
  if (byte < 0 || byte >= kHostSharedBytes) return std::nullopt;
  return byte;
}

Status Cta::touch(const void* at, int bytes, bool is_write) {
  const char* const doing = is_write ? "writes" : "reads";
  if (reinterpret_cast<std::uintptr_t>(at) % static_cast<std::uintptr_t>(bytes) != 0)
    return fault(fmt::format("thread {} {} {} bytes at an address that is no multiple of them", current_, doing, bytes));
  if (const auto byte = shared_byte(at)) {
    if (*byte + bytes > launch_.smem_bytes)
      return fault(fmt::format("thread {} {} byte {} of {} of shared memory", current_, doing, *byte, launch_.smem_bytes));
    return is_write ? shared_.write(*byte, bytes, current_, epoch_) : shared_.read(*byte, bytes, current_, epoch_);
  }
  for (const auto& buffer : {buffers_.a, buffers_.b, buffers_.c}) {
    const auto* const begin = static_cast<const std::byte*>(at);
    if (begin >= buffer.data() && begin + bytes <= buffer.data() + buffer.size()) return Done{};
  }
  return fault(fmt::format("thread {} {} {} bytes outside A, B, C and shared memory", current_, doing, bytes));
}

void Cta::access(const void* at, int bytes, bool is_write) {
  if (Status status = touch(at, bytes, is_write); !status) fail(std::move(status));
}

void Cta::wait(std::size_t pending) {
  Thread& thread = threads_[static_cast<std::size_t>(current_)];
  for (; thread.groups.size() > pending; thread.groups.pop_front()) {
    for (const AsyncCopy& copy : thread.groups.front()) {
      std::memcpy(kernel_.smem + copy.to, copy.from, static_cast<std::size_t>(copy.bytes));
      shared_.arrive(copy.to, copy.bytes, current_, epoch_);
    }
  }
}

Status Cta::complete_warp(int warp) {
  Lanes lanes;
  const auto first = static_cast<std::size_t>(warp * 32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    lanes[lane] = threads_[first + lane].operands;
    if (threads_[first + lane].instruction != threads_[first].instruction)
      return fault(fmt::format("lanes of warp {} are at different instructions: {} and {}", warp, threads_[first].instruction,
                               threads_[first + lane].instruction));
  }
  const ReadRow read_row = [&](int lane, std::int64_t at) -> Result<std::array<std::uint16_t, 8>> {
    std::array<std::uint16_t, 8> row{};
    if (at < 0 || at % 16 != 0 || at + 16 > launch_.smem_bytes)
      return fault(fmt::format("thread {} gives ldmatrix byte {} of {} of shared memory", warp * 32 + lane, at, launch_.smem_bytes));
    TESSERA_CHECK(shared_.read(at, 16, warp * 32 + lane, epoch_));
    std::memcpy(row.data(), kernel_.smem + at, 16);
    return row;
  };
  TESSERA_CHECK(execute(threads_[first].instruction, lanes, read_row));
  for (std::size_t lane = 0; lane < 32; ++lane) threads_[first + lane].state = State::ready;
  warps_[static_cast<std::size_t>(warp)].waiting = 0;
  return Done{};
}

void Cta::instruction(const char* text, HostOperand* operands, int count) {
  Thread& thread = threads_[static_cast<std::size_t>(current_)];
  thread.instruction = text;
  thread.operands = {operands, static_cast<std::size_t>(count)};
  const Result<Kind> kind = kind_of(text);
  if (!kind) return fail(kind.error());
  switch (*kind) {
    case Kind::warp: {
      const int warp = current_ / 32;
      thread.state = State::at_instruction;
      if (++warps_[static_cast<std::size_t>(warp)].waiting == 32) {
        if (Status status = complete_warp(warp); !status) return fail(std::move(status));
      } else {
        pause(State::at_instruction);
      }
      return;
    }
    case Kind::shared_address: {
      const void* at = nullptr;
      std::memcpy(&at, &operands[1].bits, sizeof at);
      const auto byte = shared_byte(at);
      if (!byte) return fail(fault("cvta.to.shared of a pointer that is not into shared memory"));
      std::memcpy(operands[0].variable, &*byte, static_cast<std::size_t>(operands[0].bytes));
      return;
    }
    case Kind::convert: (void)convert(text, thread.operands); return;
    case Kind::commit: thread.groups.push_back(std::exchange(thread.uncommitted, {})); return;
    case Kind::wait: wait(static_cast<std::size_t>(operands[0].bits)); return;
    case Kind::copy_async: {
      const Result<AsyncCopy> copy = copy_of(text, thread.operands);
      if (!copy) return fail(copy.error());
      if (Status status = touch(copy->from, static_cast<int>(copy->bytes), false); !status) return fail(std::move(status));
      if (copy->to % copy->bytes != 0 || copy->to + copy->bytes > launch_.smem_bytes)
        return fail(fault(fmt::format("thread {} copies {} bytes to byte {} of {} of shared memory", current_, copy->bytes, copy->to,
                                      launch_.smem_bytes)));
      if (Status status = shared_.begin_copy(copy->to, copy->bytes, current_, epoch_); !status) return fail(std::move(status));
      thread.uncommitted.push_back(*copy);
      return;
    }
  }
}

}  // namespace

Status run(const HostKernel& kernel, const Launch& launch, const Buffers& buffers) {
  *kernel.machine = {[](const char* text, HostOperand* operands, int count) { running->instruction(text, operands, count); },
                     [](const void* at, int bytes, bool is_write) { running->access(at, bytes, is_write); }, [] { running->barrier(); }};
  for (unsigned block = 0; block < launch.grid[0]; ++block) {
    Cta cta(kernel, launch, buffers, block);
    if (Status status = cta.run(); !status)
      return std::move(std::move(status).error()).note(fmt::format("in CTA {} of {}", block, launch.grid[0]));
  }
  return Done{};
}

}  // namespace tessera::host
