// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is, and the instructions that every CUDA kernel has. A thread goes on until it waits, comes to an instruction of its warp
// or warpgroup, or ends.
#include "tests/host/cluster.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::host {
namespace {

constexpr std::size_t kStackBytes = 128 << 10;  // the accumulators of a thread and what an unoptimised frame adds
constexpr int kMostMbarriers = 128;             // of a cluster

unsigned char* new_shared_memory() {
  void* const memory = std::aligned_alloc(1024, kHostSharedBytes);
  std::memset(memory, kNeverWritten, kHostSharedBytes);
  return static_cast<unsigned char*>(memory);
}

}  // namespace

Cluster::Cluster(const HostKernel& kernel, const Launch& launch, std::span<const std::span<std::byte>> memory, const Call& call,
                 unsigned first_block, unsigned product)
    : kernel_(kernel),
      launch_(launch),
      memory_(memory),
      call_(call),
      first_block_(first_block),
      product_(product),
      random_(launch.seed + first_block),
      threads_(launch.cluster * launch.block[0]),
      clocks_(static_cast<int>(threads_.size()), static_cast<int>(threads_.size() / kWarpgroupLanes) + kMostMbarriers),
      stacks_(kStackBytes) {
  const std::size_t of_cta = launch.block[0];
  ctas_.reserve(launch.cluster);
  for (std::size_t i = 0; i < launch.cluster; ++i) {
    ctas_.push_back({{new_shared_memory(), std::free},
                     SharedMemory(static_cast<std::size_t>(launch.smem_bytes), clocks_, [this](int who) { return name(who); }),
                     {},
                     {},
                     std::vector<int>((of_cta + 31) / 32),
                     std::vector<int>(of_cta / kWarpgroupLanes),
                     std::vector<Warpgroup>(of_cta / kWarpgroupLanes),
                     0});
    for (std::size_t w = 0; w < ctas_[i].warpgroups.size(); ++w) {
      ctas_[i].warpgroups[w].engine = clocks_.threads() + static_cast<int>(engines_.size());
      engines_.push_back(fmt::format("wgmma of warpgroup {}{}", w, launch.cluster > 1 ? fmt::format(" of CTA {}", i) : ""));
    }
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i].cta = i / of_cta;
}

Cluster::~Cluster() = default;

std::string Cluster::name(int who) const {
  if (who >= clocks_.threads()) return engines_[static_cast<std::size_t>(who - clocks_.threads())];
  const std::string thread = fmt::format("thread {}", lane_of_cta(who));
  return ctas_.size() > 1 ? fmt::format("{} of CTA {}", thread, threads_[static_cast<std::size_t>(who)].cta) : thread;
}

void Cluster::start(std::size_t thread) {
  threads_[thread].resume = fiber(std::allocator_arg, stacks_, [this, thread](fiber&& back) {
    scheduler_ = std::move(back);
    call_(kernel_.entry);
    threads_[thread].state = State::done;
    thread_ended();
    return std::move(scheduler_);
  });
}

void Cluster::pause(State state) {
  thread().state = state;
  scheduler_ = std::move(scheduler_).resume();
}

void Cluster::wait_for(std::string words) {
  thread().waits_for = std::move(words);
  pause(State::waiting);
}

void Cluster::fail(Status status) {
  error_ = std::move(status).error();
  pause(State::done);
}

// -1: nobody can go on.
int Cluster::next() {
  const auto count = static_cast<int>(threads_.size());
  const auto is_ready = [&](int i) { return threads_[static_cast<std::size_t>(i)].state == State::ready; };
  const int first = launch_.order == Order::in_turn    ? current_ + 1
                    : launch_.order == Order::shuffled ? static_cast<int>(random_() % static_cast<unsigned>(count))
                                                       : 0;
  for (int i = 0; i < count; ++i) {
    const int each = launch_.order == Order::last ? count - 1 - i : first + i < count ? first + i : first + i - count;
    if (is_ready(each)) return each;
  }
  return -1;
}

// A step of an asynchronous copy; false: none is under way.
bool Cluster::deliver_next() {
  if (under_way_.empty()) return false;
  const std::size_t i = launch_.order == Order::last       ? under_way_.size() - 1
                        : launch_.order == Order::shuffled ? random_() % under_way_.size()
                                                           : 0;
  if (Status status = deliver(under_way_[i]); !status) error_ = std::move(status).error();
  return true;
}

// Nobody can go on, and not all have ended: a barrier or an instruction that somebody never reaches.
Status Cluster::check_stuck() {
  std::vector<std::string> waits;
  for (std::size_t i = 0; i < threads_.size() && waits.size() < 4; ++i) {
    if (threads_[i].state != State::waiting && threads_[i].state != State::at_instruction) continue;
    std::string words = threads_[i].waits_for;
    if (const auto& at = threads_[i].mbarrier) {
      const Mbarrier& mbarrier = ctas_[at->first.cta].mbarriers.at(at->first.byte);
      words += fmt::format(", whose phase misses {} of {} arrivals and {} bytes", mbarrier.pending, mbarrier.count, mbarrier.bytes);
    }
    if (!waits.empty() && waits.back().ends_with(words)) continue;
    waits.push_back(fmt::format("{} waits {}", name(static_cast<int>(i)), words));
  }
  if (waits.empty()) return Done{};
  return fault(fmt::format("nobody can go on: {}", fmt::join(waits, "; ")));
}

Status Cluster::check_ended() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& each = threads_[i];
    if (!each.uncommitted.empty() || std::any_of(each.groups.begin(), each.groups.end(), [](const auto& group) { return !group.empty(); }))
      return fault(fmt::format("{} ends with copies that it never waited for", name(static_cast<int>(i))));
  }
  for (const Cta& cta : ctas_) {
    for (const Warpgroup& warpgroup : cta.warpgroups) {
      if (!warpgroup.held.empty()) return fault(fmt::format("{} was never waited for", name(warpgroup.engine)));
    }
  }
  return Done{};
}

Status Cluster::run() {
  for (std::size_t i = 0; i < threads_.size(); ++i) start(i);
  while (!error_) {
    const bool at_once = launch_.order == Order::in_turn || (launch_.order == Order::shuffled && random_() % 4 == 0);
    if (at_once && deliver_next()) continue;
    const int next = this->next();
    if (next < 0) {
      if (deliver_next()) continue;
      TESSERA_CHECK(check_stuck());
      break;
    }
    current_ = next;
    *kernel_.thread = {static_cast<unsigned>(lane_of_cta(next)), 0, 0};
    *kernel_.block = {first_block_ + static_cast<unsigned>(thread().cta), 0, product_};
    *kernel_.smem = cta().smem.get();
    thread().resume = std::move(thread().resume).resume();
  }
  if (error_) return *error_;
  return check_ended();
}

std::optional<std::int64_t> Cluster::shared_byte(const void* at) {
  const std::ptrdiff_t byte = static_cast<const unsigned char*>(at) - cta().smem.get();
  if (byte < 0 || byte >= kHostSharedBytes) return std::nullopt;
  return byte;
}

// Of an address of shared memory: this CTA's, or one that mapa gave.
Result<Place> Cluster::place(std::uint64_t address, std::int64_t bytes) {
  Place at{thread().cta, static_cast<std::int64_t>(address) - kWindow};
  if (address >= static_cast<std::uint64_t>(kOfCluster))
    at = {static_cast<std::size_t>(address / kOfCluster) - 1, static_cast<std::int64_t>(address % kOfCluster) - kWindow};
  if (at.cta >= ctas_.size() || at.byte < 0 || at.byte + bytes > launch_.smem_bytes)
    return fault(fmt::format("{} uses {} bytes at the address {} of shared memory, whose {} bytes begin at {}", name(current_), bytes,
                             address, launch_.smem_bytes, kWindow));
  return at;
}

bool Cluster::in_memory(const void* at, int bytes) const {
  const auto* const begin = static_cast<const std::byte*>(at);
  return std::any_of(memory_.begin(), memory_.end(), [&](const std::span<std::byte>& buffer) {
    return begin >= buffer.data() && begin + bytes <= buffer.data() + buffer.size();
  });
}

Status Cluster::touch(const void* at, int bytes, bool is_write) {
  const char* const doing = is_write ? "writes" : "reads";
  if (reinterpret_cast<std::uintptr_t>(at) % static_cast<std::uintptr_t>(bytes) != 0)
    return fault(fmt::format("{} {} {} bytes at an address that is no multiple of them", name(current_), doing, bytes));
  if (const auto byte = shared_byte(at)) {
    if (*byte + bytes > launch_.smem_bytes)
      return fault(fmt::format("{} {} byte {} of {} of shared memory", name(current_), doing, *byte, launch_.smem_bytes));
    return is_write ? cta().shared.write(*byte, bytes, current_) : cta().shared.read(*byte, bytes, current_);
  }
  if (in_memory(at, bytes)) return Done{};
  return fault(fmt::format("{} {} {} bytes outside A, B, C and shared memory", name(current_), doing, bytes));
}

void Cluster::access(const void* at, int bytes, bool is_write) {
  if (Status status = touch(at, bytes, is_write); !status) fail(std::move(status));
}

void Cluster::wait_copies(std::size_t pending) {
  Thread& thread = this->thread();
  for (; thread.groups.size() > pending; thread.groups.pop_front()) {
    for (const AsyncCopy& copy : thread.groups.front()) {
      std::memcpy(cta().smem.get() + copy.to, copy.from, static_cast<std::size_t>(copy.read));
      std::memset(cta().smem.get() + copy.to + copy.read, 0, static_cast<std::size_t>(copy.bytes - copy.read));
      cta().shared.arrive(copy.to, copy.bytes, clocks_.now(current_));
    }
  }
}

Status Cluster::complete_warp(int first) {
  Lanes lanes;
  const auto all = std::span(threads_).subspan(static_cast<std::size_t>(first), 32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    lanes[lane] = all[lane].operands;
    if (all[lane].instruction != all[0].instruction)
      return fault(fmt::format("lanes of the warp of {} are at different instructions: {} and {}", name(first), all[0].instruction,
                               all[lane].instruction));
  }
  const ReadRow read_row = [&](int lane, std::int64_t address) -> Result<std::array<std::uint16_t, 8>> {
    std::array<std::uint16_t, 8> row{};
    TESSERA_TRY(from, place(static_cast<std::uint64_t>(address), 16));
    if (from.byte % 16 != 0) return fault(fmt::format("{} gives ldmatrix byte {} of shared memory", name(first + lane), from.byte));
    TESSERA_CHECK(cta().shared.read(from.byte, 16, first + lane));
    std::memcpy(row.data(), cta().smem.get() + from.byte, 16);
    return row;
  };
  const WriteRow write_row = [&](int lane, std::int64_t address, const std::array<std::uint16_t, 8>& row) -> Status {
    TESSERA_TRY(to, place(static_cast<std::uint64_t>(address), 16));
    if (to.byte % 16 != 0) return fault(fmt::format("{} gives stmatrix byte {} of shared memory", name(first + lane), to.byte));
    TESSERA_CHECK(cta().shared.write(to.byte, 16, first + lane));
    std::memcpy(cta().smem.get() + to.byte, row.data(), 16);
    return Done{};
  };
  TESSERA_CHECK(host::execute(all[0].instruction, lanes, read_row, write_row));
  for (Thread& thread : all) thread.state = State::ready;
  return Done{};
}

Status Cluster::execute_known(Kind kind, std::string_view text) {
  Thread& thread = this->thread();
  const std::span<HostOperand> operands = thread.operands;
  switch (kind) {
    case Kind::warp: {
      int& waiting = cta().waiting_lanes[static_cast<std::size_t>(lane_of_cta(current_) / 32)];
      thread.waits_for.assign("for the other lanes of its warp at ").append(text);
      if (++waiting < 32) return pause(State::at_instruction), Done{};
      waiting = 0;
      return complete_warp(current_ - lane_of_cta(current_) % 32);
    }
    case Kind::shared_address: {
      const void* at = nullptr;
      std::memcpy(&at, &operands[1].bits, sizeof at);
      const auto byte = shared_byte(at);
      if (!byte) return fault("cvta.to.shared of a pointer that is not into shared memory");
      const std::int64_t address = *byte + kWindow;
      std::memcpy(operands[0].variable, &address, static_cast<std::size_t>(operands[0].bytes));
      return Done{};
    }
    case Kind::convert: return convert(text, operands);
    case Kind::commit: return thread.groups.push_back(std::exchange(thread.uncommitted, {})), Done{};
    case Kind::wait: return wait_copies(static_cast<std::size_t>(operands[0].bits)), Done{};
    case Kind::copy_async: {
      TESSERA_TRY(copy, copy_of(text, operands));
      if (reinterpret_cast<std::uintptr_t>(copy.from) % static_cast<std::uintptr_t>(copy.bytes) != 0)
        return fault(fmt::format("{} copies {} bytes from an address that is no multiple of them", name(current_), copy.bytes));
      for (std::int64_t byte = 0; byte < copy.read; ++byte)
        TESSERA_CHECK(touch(static_cast<const unsigned char*>(copy.from) + byte, 1, false));
      TESSERA_TRY(to, place(static_cast<std::uint64_t>(copy.to), copy.bytes));
      if (to.byte % copy.bytes != 0)
        return fault(fmt::format("{} copies {} bytes to byte {} of shared memory", name(current_), copy.bytes, to.byte));
      TESSERA_CHECK(cta().shared.begin_copy(to.byte, copy.bytes, current_, false));
      return thread.uncommitted.push_back({to.byte, copy.from, copy.bytes, copy.read}), Done{};
    }
  }
  return Done{};
}

std::uint64_t Cluster::value(const PtxOperand& operand, const Locals& locals) const {
  if (operand.is == PtxOperand::Is::value) return static_cast<std::uint64_t>(operand.number);
  if (operand.is == PtxOperand::Is::number)
    return threads_[static_cast<std::size_t>(current_)].operands[static_cast<std::size_t>(operand.number)].bits;
  const auto local = locals.find(operand.name);
  return local == locals.end() ? 0 : local->second;
}

void Cluster::assign(const PtxOperand& operand, Locals& locals, std::uint64_t value) {
  if (operand.is != PtxOperand::Is::number) {
    locals[operand.name] = value;
    return;
  }
  HostOperand& to = thread().operands[static_cast<std::size_t>(operand.number)];
  if (to.variable) std::memcpy(to.variable, &value, static_cast<std::size_t>(to.bytes));
}

Status Cluster::select(const PtxStatement& is, Locals& locals) {
  return assign(is.operands[0], locals, value(is.operands[value(is.operands[3], locals) != 0 ? 1 : 2], locals)), Done{};
}

Status Cluster::set_predicate(const PtxStatement& is, Locals& locals) {
  return assign(is.operands[0], locals, value(is.operands[1], locals) != value(is.operands[2], locals)), Done{};
}

Status Cluster::move(const PtxStatement& is, Locals& locals) {
  if (is.operands[1].name != "%cluster_ctarank") return fault(fmt::format("the machine does not know {}", is.operands[1].name));
  return assign(is.operands[0], locals, thread().cta), Done{};
}

Status Cluster::set_registers(const PtxStatement& is, Locals& locals) {
  const std::uint64_t count = value(is.operands[0], locals);
  if (count < 24 || count > 256 || count % 8 != 0) return fault(fmt::format("setmaxnreg of {} registers", count));
  return Done{};
}

Status Cluster::execute(const PtxStatement& statement, Locals& locals) {
  struct Row {
    std::string_view opcode;  // or how it begins
    Handler handler;
    std::size_t operands;
  };
  static constexpr Row kRows[] = {
      {"mapa.shared::cluster.u32", &Cluster::map_address, 3},
      {"selp.u32", &Cluster::select, 4},
      {"setp.ne.b32", &Cluster::set_predicate, 3},
      {"mov.u32", &Cluster::move, 2},
      {"mbarrier.init.shared::cta.b64", &Cluster::mbarrier_init, 2},
      {"mbarrier.arrive.expect_tx.shared::cta.b64", &Cluster::mbarrier_expect, 3},
      {"mbarrier.arrive.shared::cta.b64", &Cluster::mbarrier_arrive, 2},
      {"mbarrier.arrive.shared::cluster.b64", &Cluster::mbarrier_arrive, 2},
      {"mbarrier.try_wait.parity.shared::cta.b64", &Cluster::mbarrier_try_wait, 3},
      {"fence.mbarrier_init.release.cluster", &Cluster::fence_mbarriers, 0},
      {"fence.proxy.async.shared::cta", &Cluster::fence_proxy, 0},
      {"barrier.cluster.arrive.release", &Cluster::cluster_arrive, 0},
      {"barrier.cluster.wait.acquire", &Cluster::cluster_wait, 0},
      {"bar.sync", &Cluster::named_barrier, 2},
      {"bar.arrive", &Cluster::named_barrier, 2},
      {"prefetch.tensormap", &Cluster::prefetch_map, 1},
      {"cp.async.bulk.tensor.2d.shared::cluster.global", &Cluster::load_box, 3},
      {"cp.async.bulk.tensor.3d.shared::cluster.global", &Cluster::load_box, 3},
      {"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", &Cluster::store_box, 2},
      {"cp.async.bulk.tensor.3d.global.shared::cta.bulk_group", &Cluster::store_box, 2},
      {"cp.async.bulk.commit_group", &Cluster::commit_stores, 0},
      {"cp.async.bulk.wait_group", &Cluster::wait_stores, 1},
      {"wgmma.", &Cluster::of_warpgroup, 0},
      {"setmaxnreg.", &Cluster::set_registers, 1},
  };
  for (const Row& row : kRows) {
    if (!statement.opcode.starts_with(row.opcode)) continue;
    if (statement.operands.size() < row.operands)
      return fault(fmt::format("{} has {} operands instead of {}", statement.opcode, statement.operands.size(), row.operands));
    return (this->*row.handler)(statement, locals);
  }
  return fault(fmt::format("the machine does not know {}", statement.opcode));
}

void Cluster::instruction(const char* text, HostOperand* operands, int count) {
  auto known = programs_.find(text);
  if (known == programs_.end()) {
    Program made{text, kind_of(text)};
    if (!made.kind) {
      auto parsed = parse_ptx(text);
      if (!parsed) return fail(parsed.error());
      made.statements = *std::move(parsed);
    }
    known = programs_.emplace(text, std::move(made)).first;
  }
  const Program& program = known->second;
  Thread& thread = this->thread();
  thread.instruction = program.text;
  thread.operands = {operands, static_cast<std::size_t>(count)};
  if (program.kind) {
    if (Status status = execute_known(*program.kind, program.text); !status) fail(std::move(status));
    return;
  }
  if (program.statements.empty()) {  // an instruction of the compiler alone
    if (Status status = check_sums(); !status) fail(std::move(status));
    return;
  }
  Locals locals;
  for (const PtxStatement& statement : program.statements) {
    if (Status status = execute(statement, locals); !status) return fail(std::move(status));
  }
}

}  // namespace tessera::host
