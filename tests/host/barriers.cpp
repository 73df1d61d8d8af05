// SPDX-License-Identifier: BSD-3-Clause
// Barriers of the machine: of a CTA, by number, of the cluster, and mbarriers with their arrivals, bytes and phases.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tests/host/cluster.hpp"

namespace tessera::host {
namespace {

constexpr std::int64_t kMbarrierBytes = 8;

}  // namespace

void Cluster::complete(CtaBarrier& barrier) {
  const Clocks::Released released = clocks_.end(barrier.gathered);
  for (const int each : barrier.waiting) {
    clocks_.acquire(each, released);
    threads_[static_cast<std::size_t>(each)].state = State::ready;
  }
  barrier = {};
}

Status Cluster::arrive(CtaBarrier& barrier, bool waits, std::string words) {
  clocks_.release(current_, barrier.gathered);
  if (waits) barrier.waiting.push_back(current_);
  if (++barrier.arrived >= barrier.expected) return complete(barrier), Done{};
  if (waits) wait_for(std::move(words));
  return Done{};
}

void Cluster::barrier() {
  CtaBarrier& barrier = cta().barriers[0];
  barrier.expected = static_cast<int>(launch_.block[0]) - cta().done;
  (void)arrive(barrier, true, "at __syncthreads, which others never reach");
}

Status Cluster::named_barrier(const PtxStatement& is, Locals& locals) {
  const int number = static_cast<int>(value(is.operands[0], locals)), threads = static_cast<int>(value(is.operands[1], locals));
  if (number < 0 || number > 15 || threads <= 0 || threads % 32 != 0)
    return fault(
        fmt::format("{} is at {} {}, {}: barriers are 0 to 15, and count whole warps", name(current_), is.opcode, number, threads));
  CtaBarrier& barrier = cta().barriers[number];
  if (barrier.arrived > 0 && barrier.expected != threads)
    return fault(
        fmt::format("{} comes to barrier {} for {} threads; others came for {}", name(current_), number, threads, barrier.expected));
  barrier.expected = threads;
  return arrive(barrier, is.opcode == "bar.sync", fmt::format("at barrier {} for {} threads", number, threads));
}

// Who has ended counts as arrived where all are waited for.
void Cluster::thread_ended() {
  Cta& cta = this->cta();
  ++cta.done;
  const auto wrong = [&](std::string message) {
    if (!error_) error_ = fault(std::move(message));
  };
  if (thread().cluster_phase) wrong(fmt::format("{} ends between arriving on the cluster's barrier and waiting", name(current_)));
  const auto& groups = thread().store_groups;
  if (!thread().stores.empty() || std::any_of(groups.begin(), groups.end(), [](const StoreGroup& group) { return !group.is_read; }))
    wrong(fmt::format("{} ends while a TMA store of it may still read shared memory: it was not {}", name(current_),
                      thread().stores.empty() ? "waited for" : "committed"));
  if (cta.done == static_cast<int>(launch_.block[0])) {
    for (const std::size_t each : under_way_) {
      if (!bulk_[each].is_store && bulk_[each].shared.cta == thread().cta)
        wrong(fmt::format("CTA {} ends before a TMA load into its shared memory has arrived", thread().cta));
    }
  }
  if (const auto all = cta.barriers.find(0); all != cta.barriers.end() && !all->second.waiting.empty()) {
    all->second.expected = static_cast<int>(launch_.block[0]) - cta.done;
    if (all->second.arrived >= all->second.expected) complete(all->second);
  }
  end_cluster_phase();
}

void Cluster::end_cluster_phase() {
  int done = 0;
  for (const Cta& cta : ctas_) done += cta.done;
  if (of_cluster_.arrived == 0 || of_cluster_.arrived + done < clocks_.threads()) return;
  cluster_released_ = clocks_.end(of_cluster_.gathered);
  ++cluster_phase_;
  for (const int each : of_cluster_.waiting) threads_[static_cast<std::size_t>(each)].state = State::ready;
  of_cluster_ = {};
}

Status Cluster::cluster_arrive(const PtxStatement&, Locals&) {
  if (thread().cluster_phase) return fault(fmt::format("{} arrives on the cluster's barrier twice", name(current_)));
  thread().cluster_phase = cluster_phase_;
  clocks_.release(current_, of_cluster_.gathered);
  ++of_cluster_.arrived;
  end_cluster_phase();
  return Done{};
}

Status Cluster::cluster_wait(const PtxStatement&, Locals&) {
  if (!thread().cluster_phase) return fault(fmt::format("{} waits at the cluster's barrier, where it has not arrived", name(current_)));
  if (*thread().cluster_phase == cluster_phase_) {
    of_cluster_.waiting.push_back(current_);
    wait_for("at the cluster's barrier");
  }
  thread().cluster_phase.reset();
  clocks_.acquire(current_, cluster_released_);
  return Done{};
}

Status Cluster::map_address(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(at, place(value(is.operands[1], locals), 1));
  const std::uint64_t rank = value(is.operands[2], locals);
  if (rank >= ctas_.size())
    return fault(fmt::format("{} maps an address to CTA {} of a cluster of {}", name(current_), rank, ctas_.size()));
  return assign(is.operands[0], locals, (rank + 1) * kOfCluster + static_cast<std::uint64_t>(at.byte + kWindow)), Done{};
}

Result<Mbarrier*> Cluster::mbarrier_at(const Place& place) {
  auto& mbarriers = ctas_[place.cta].mbarriers;
  const auto found = mbarriers.find(place.byte);
  if (found == mbarriers.end())
    return fault(fmt::format("{} uses an mbarrier at byte {} of shared memory, where none was initialised", name(current_), place.byte));
  if (!clocks_.knows(current_, found->second.initialised))
    return fault(fmt::format("{} uses the mbarrier at byte {}, which {} initialised, with no barrier between them", name(current_),
                             place.byte, name(found->second.initialised.who)));
  return &found->second;
}

Status Cluster::mbarrier_init(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(at, place(address(is.operands[0], locals), kMbarrierBytes));
  const int count = static_cast<int>(value(is.operands[1], locals));
  if (at.byte % kMbarrierBytes != 0 || count < 1 || count >= 1 << 20)
    return fault(fmt::format("{} initialises an mbarrier of {} arrivals at byte {}", name(current_), count, at.byte));
  auto& mbarriers = cta().mbarriers;
  if (mbarriers.contains(at.byte))
    return fault(fmt::format("{} initialises the mbarrier at byte {}, which is one already", name(current_), at.byte));
  TESSERA_CHECK(cta().shared.write(at.byte, kMbarrierBytes, current_));
  cta().shared.keep_for_barrier(at.byte, kMbarrierBytes);
  Mbarrier made;
  made.count = made.pending = count;
  made.engine = clocks_.threads() + static_cast<int>(engines_.size());
  if (made.engine >= clocks_.who()) return fault("the machine has no place for so many mbarriers");
  engines_.push_back(fmt::format("TMA by the mbarrier at byte {}", at.byte));
  made.initialised = clocks_.now(current_);
  return mbarriers.emplace(at.byte, std::move(made)), Done{};
}

Status Cluster::fence_mbarriers(const PtxStatement&, Locals&) {
  for (auto& [at, mbarrier] : cta().mbarriers) mbarrier.is_fenced = mbarrier.is_fenced || mbarrier.initialised.who == current_;
  return Done{};
}

Status Cluster::fence_proxy(const PtxStatement& is, Locals& locals) {
  clocks_.fence(current_);
  return fence_mbarriers(is, locals);
}

// Ends the phase if nothing is missing.
void Cluster::end_phase(const Place& place) {
  Mbarrier& mbarrier = ctas_[place.cta].mbarriers.at(place.byte);
  if (mbarrier.pending > 0 || mbarrier.bytes != 0) return;
  mbarrier.released = clocks_.end(mbarrier.gathered);
  mbarrier.pending = mbarrier.count;
  ++mbarrier.phase;
  for (Thread& each : threads_) {
    if (each.state == State::waiting && each.mbarrier && each.mbarrier->first.cta == place.cta && each.mbarrier->first.byte == place.byte)
      each.state = State::ready;
  }
}

Status Cluster::count_arrival(Mbarrier& mbarrier, const Place& place) {
  if (mbarrier.pending == 0)
    return fault(fmt::format("{} arrives on the mbarrier at byte {} once too often: its phase counts {} arrivals, and misses only bytes",
                             name(current_), place.byte, mbarrier.count));
  --mbarrier.pending;
  clocks_.release(current_, mbarrier.gathered);
  return end_phase(place), Done{};
}

Status Cluster::mbarrier_arrive(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(at, place(address(is.operands[1], locals), kMbarrierBytes));
  if (at.cta != thread().cta && is.opcode.find("::cluster") == std::string::npos)
    return fault(fmt::format("{} arrives in another CTA by {}", name(current_), is.opcode));
  if (ctas_[at.cta].done == static_cast<int>(launch_.block[0]))
    return fault(fmt::format("{} arrives on an mbarrier of CTA {}, which has ended", name(current_), at.cta));
  TESSERA_TRY(mbarrier, mbarrier_at(at));
  return count_arrival(*mbarrier, at);
}

Status Cluster::mbarrier_expect(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(at, place(address(is.operands[1], locals), kMbarrierBytes));
  TESSERA_TRY(mbarrier, mbarrier_at(at));
  const auto bytes = static_cast<std::int32_t>(value(is.operands[2], locals));
  if (bytes < 0 || bytes >= 1 << 20) return fault(fmt::format("{} expects {} bytes", name(current_), bytes));
  mbarrier->bytes += bytes;
  return count_arrival(*mbarrier, at);
}

// The first try is in vain unless the phase is over; the next one waits.
Status Cluster::mbarrier_try_wait(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(at, place(address(is.operands[1], locals), kMbarrierBytes));
  TESSERA_TRY(mbarrier, mbarrier_at(at));
  const auto parity = static_cast<std::uint32_t>(value(is.operands[2], locals));
  if (parity > 1) return fault(fmt::format("{} waits for the parity {} of an mbarrier", name(current_), parity));
  const auto is_over = [&, mbarrier = mbarrier] { return (mbarrier->phase & 1) != parity; };
  if (!is_over() && thread().tried != std::pair(at.byte, parity)) {
    thread().tried = std::pair(at.byte, parity);
    return assign(is.operands[0], locals, 0), Done{};
  }
  while (!is_over()) {
    thread().mbarrier = std::pair(at, parity);
    wait_for(fmt::format("for the parity {} of the mbarrier at byte {}", parity, at.byte));
  }
  thread().mbarrier.reset(), thread().tried.reset();
  clocks_.acquire(current_, mbarrier->released);
  return assign(is.operands[0], locals, 1), Done{};
}

}  // namespace tessera::host
