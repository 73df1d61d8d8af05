// SPDX-License-Identifier: BSD-3-Clause
// TMA of the machine: boxes that go between global and shared memory on their own, and say so by an mbarrier or a group.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/host/cluster.hpp"
#include "tests/host/tensor_map.hpp"

namespace tessera::host {
namespace {

constexpr std::int64_t kBoxAlignment = 128;  // bytes of shared memory

// To nearest, of two the even one: 13 bits of the mantissa go.
void round_to_tf32(unsigned char* place) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, place, sizeof bits);
  if ((bits & 0x7fffffff) <= 0x7f800000) bits = (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
  std::memcpy(place, &bits, sizeof bits);
}

}  // namespace

Result<HostTensorMap> Cluster::map_at(std::uint64_t pointer) {
  HostTensorMap map;
  if (pointer % alignof(HostTensorMap) != 0 || pointer == 0)
    return fault(fmt::format("{} gives TMA a pointer that is to no tensor map", name(current_)));
  std::memcpy(&map, reinterpret_cast<const void*>(pointer), sizeof map);
  TESSERA_CHECK(check_tensor_map(map));
  return map;
}

Status Cluster::prefetch_map(const PtxStatement& is, Locals& locals) {
  TESSERA_TRY(map, map_at(address(is.operands[0], locals)));
  return (void)map, Done{};
}

// {column, row} of a map of two dimensions, {column, row, matrix} of one of three.
Result<BoxPlace> Cluster::box_place(const PtxStatement& is, const HostTensorMap& map, const std::vector<PtxOperand>& list, Locals& locals) {
  const std::size_t dimensions = is.opcode.find(".tensor.3d.") != std::string::npos ? 3 : 2;
  if (list.size() != dimensions || static_cast<int>(dimensions) != std::max(2, map.dimensions))
    return fault(fmt::format("{} has {} coordinates, and its map {} dimensions", is.opcode, list.size(), map.dimensions));
  const auto coordinate = [&](std::size_t i) { return static_cast<std::int32_t>(value(list[i], locals)); };
  return BoxPlace{coordinate(1), coordinate(0), dimensions == 3 ? coordinate(2) : 0};
}

// [to], [map, {column, row}], [barrier], ctas
Status Cluster::load_box(const PtxStatement& is, Locals& locals) {
  const std::vector<PtxOperand>& source = is.operands[1].list;
  const bool multicast = is.opcode.ends_with(".multicast::cluster");
  if (source.size() != 2 || is.operands.size() != (multicast ? 4U : 3U) ||
      is.opcode.find(".mbarrier::complete_tx::bytes") == std::string::npos)
    return fault(fmt::format("{} has other operands than a copy of a box", is.opcode));
  BulkCopy copy;
  TESSERA_TRY(map, map_at(value(source[0], locals)));
  copy.map = map;
  TESSERA_TRY(at, box_place(is, map, source[1].list, locals));
  copy.at = at;
  TESSERA_TRY(to, place(address(is.operands[0], locals), box_bytes(map)));
  TESSERA_TRY(barrier, place(address(is.operands[2], locals), 8));
  if (barrier.cta != to.cta) return fault(fmt::format("{} loads into a CTA and counts on a barrier of another", name(current_)));
  copy.shared = to;
  copy.barrier = barrier.byte;
  if (!multicast) return begin_load(copy);
  const std::uint64_t ctas = value(is.operands[3], locals) & 0xffff;
  if (ctas == 0 || ctas >> ctas_.size() != 0)
    return fault(fmt::format("{} loads for the CTAs {:#x} of a cluster of {}", name(current_), ctas, ctas_.size()));
  for (std::size_t cta = 0; cta < ctas_.size(); ++cta) {
    if ((ctas >> cta & 1) == 0) continue;
    copy.shared.cta = cta;
    TESSERA_CHECK(begin_load(copy));
  }
  return Done{};
}

Status Cluster::begin_load(BulkCopy copy) {
  Cta& to = ctas_[copy.shared.cta];
  if (to.done == static_cast<int>(launch_.block[0]))
    return fault(fmt::format("{} loads into CTA {}, which has ended", name(current_), copy.shared.cta));
  TESSERA_TRY(mbarrier, mbarrier_at({copy.shared.cta, copy.barrier}));
  if (!mbarrier->is_fenced)
    return fault(fmt::format("{} begins a TMA load on the mbarrier at byte {}, whose initialisation no fence has shown to TMA",
                             name(current_), copy.barrier));
  if (copy.shared.byte % kBoxAlignment != 0)
    return fault(fmt::format("{} loads a box to byte {} of shared memory; boxes begin at multiples of {}", name(current_), copy.shared.byte,
                             kBoxAlignment));
  TESSERA_CHECK(to.shared.begin_copy(copy.shared.byte, box_bytes(copy.map), current_, true));
  under_way_.push_back(bulk_.size());
  return bulk_.push_back(std::move(copy)), Done{};
}

// [map, {column, row}], [from]
Status Cluster::store_box(const PtxStatement& is, Locals& locals) {
  const std::vector<PtxOperand>& target = is.operands[0].list;
  if (target.size() != 2) return fault(fmt::format("{} has other operands than a copy of a box", is.opcode));
  BulkCopy copy;
  TESSERA_TRY(map, map_at(value(target[0], locals)));
  copy.map = map;
  copy.is_store = true;
  TESSERA_TRY(at, box_place(is, map, target[1].list, locals));
  copy.at = at;
  TESSERA_TRY(from, place(address(is.operands[1], locals), box_bytes(map)));
  if (from.byte % kBoxAlignment != 0 || from.cta != thread().cta)
    return fault(fmt::format("{} stores a box from byte {} of shared memory; boxes begin at multiples of {}", name(current_), from.byte,
                             kBoxAlignment));
  copy.shared = from;
  TESSERA_CHECK(cta().shared.check_read(from.byte, box_bytes(map), current_));
  cta().shared.begin_read(from.byte, box_bytes(map));
  thread().stores.push_back(bulk_.size());
  under_way_.push_back(bulk_.size());
  return bulk_.push_back(std::move(copy)), Done{};
}

Status Cluster::commit_stores(const PtxStatement&, Locals&) {
  return thread().store_groups.push_back({std::exchange(thread().stores, {}), false}), Done{};
}

Status Cluster::wait_stores(const PtxStatement& is, Locals& locals) {
  const std::uint64_t pending = value(is.operands[0], locals);
  const bool only_read = is.opcode.ends_with(".read");
  std::deque<StoreGroup>& groups = thread().store_groups;
  for (std::size_t i = 0; i + pending < groups.size(); ++i) {
    for (const std::size_t each : groups[i].stores) {
      BulkCopy& copy = bulk_[each];
      if (!copy.is_read) TESSERA_CHECK(deliver(each));
      if (!groups[i].is_read) cta().shared.end_read(copy.shared.byte, box_bytes(copy.map), clocks_.now(current_));
      if (!only_read && !copy.is_over) TESSERA_CHECK(deliver(each));
    }
    groups[i].is_read = true;
  }
  while (!only_read && groups.size() > pending) groups.pop_front();
  return Done{};
}

// The next step of a copy: a load arrives; a store reads its box, or writes it.
Status Cluster::deliver(std::size_t index) {
  BulkCopy& copy = bulk_[index];
  if (copy.is_store && !copy.is_read) return read_box(copy), Done{};
  under_way_.erase(std::find(under_way_.begin(), under_way_.end(), index));
  copy.is_over = true;
  return copy.is_store ? write_box(copy) : deliver_load(copy);
}

Status Cluster::deliver_load(BulkCopy& copy) {
  Cta& to = ctas_[copy.shared.cta];
  Mbarrier& mbarrier = to.mbarriers.at(copy.barrier);
  Status status = Done{};
  for_each_element(copy.map, copy.at, copy.shared.byte + kWindow, false, [&](std::int64_t address, unsigned char* from, int bytes) {
    unsigned char* const place = to.smem.get() + address - kWindow;
    if (!from)
      std::memset(place, 0, static_cast<std::size_t>(bytes));
    else if (!in_memory(from, bytes))
      status = fault("a tensor map reaches outside its buffer");
    else
      std::memcpy(place, from, static_cast<std::size_t>(bytes));
    if (from && copy.map.rounds_to_tf32 != 0) round_to_tf32(place);
  });
  TESSERA_CHECK(status);
  const Stamp writer{mbarrier.engine, mbarrier.phase + 1};
  to.shared.arrive(copy.shared.byte, box_bytes(copy.map), writer);
  clocks_.note(mbarrier.gathered, writer);
  mbarrier.bytes -= box_bytes(copy.map);
  return end_phase({copy.shared.cta, copy.barrier}), Done{};
}

void Cluster::read_box(BulkCopy& copy) {
  const unsigned char* const from = ctas_[copy.shared.cta].smem.get() + copy.shared.byte;
  copy.held.assign(from, from + box_bytes(copy.map));
  copy.is_read = true;
}

Status Cluster::write_box(BulkCopy& copy) {
  Status status = Done{};
  const std::int64_t begin = copy.shared.byte + kWindow;
  for_each_element(copy.map, copy.at, begin, true, [&](std::int64_t address, unsigned char* to, int bytes) {
    if (!to) return;
    if (!in_memory(to, bytes))
      status = fault("a tensor map reaches outside its buffer");
    else
      std::memcpy(to, copy.held.data() + (address - begin), static_cast<std::size_t>(bytes));
  });
  return status;
}

}  // namespace tessera::host
