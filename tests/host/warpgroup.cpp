// SPDX-License-Identifier: BSD-3-Clause
// wgmma of the machine: all 128 threads of a warpgroup come to its instructions; what a multiplication reads and adds to is its own until
// its group has been waited for.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/host/cluster.hpp"

namespace tessera::host {
namespace {

// The 16-byte units of an operand's rows.
template <class Visit>
void for_each_unit(const OperandDescriptor& operand, std::int64_t extent, const Visit& visit) {
  for (std::int64_t row = 0; row < operand.rows(extent); ++row) {
    for (std::int64_t unit = 0; unit < operand.units(extent); ++unit) visit(operand.unit(row, unit));
  }
}

// PTX ISA, wgmma.mma_async: sums, two descriptors and a predicate; of floating point two signs; of f16 and bf16 two transpositions.
std::size_t operands_of_wgmma(std::string_view opcode) {
  if (opcode.find(".s32.") != std::string_view::npos) return 4;
  return opcode.ends_with(".f16.f16") || opcode.ends_with(".bf16.bf16") ? 8 : 6;
}

}  // namespace

Status Cluster::of_warpgroup(const PtxStatement& is, Locals& locals) {
  Thread& each = thread();
  const auto index = static_cast<std::size_t>(lane_of_cta(current_)) / kWarpgroupLanes;
  if (index >= cta().warpgroups.size()) return fault(fmt::format("{} is in no warpgroup of 128, and at {}", name(current_), is.opcode));
  each.statement = &is;
  if (is.opcode.starts_with("wgmma.mma_async")) {
    if (is.operands.size() != operands_of_wgmma(is.opcode))
      return fault(fmt::format("{} has {} operands instead of {}", is.opcode, is.operands.size(), operands_of_wgmma(is.opcode)));
    each.multiplies = {value(is.operands[1], locals), value(is.operands[2], locals), value(is.operands[3], locals) != 0};
    for (std::size_t i = 4; i < is.operands.size(); ++i) {
      const auto number = static_cast<std::int64_t>(value(is.operands[i], locals));
      if (i < 6 ? number != 1 && number != -1 : number != 0 && number != 1)
        return fault(fmt::format("{} has the number {} as operand {}: signs are 1 or -1, transpositions 0 or 1", is.opcode, number, i));
      each.multiplies[i < 6 ? i + 1 : i - 3] = i < 6 ? number < 0 : number;
    }
  } else if (is.opcode.starts_with("wgmma.wait_group")) {
    each.multiplies = {value(is.operands.at(0), locals)};
  } else {
    each.multiplies = {};
  }
  each.waits_for.assign("for the others of its warpgroup at ").append(is.opcode);
  int& waiting = cta().waiting_in_warpgroup[index];
  if (++waiting < static_cast<int>(kWarpgroupLanes)) return pause(State::at_instruction), Done{};
  waiting = 0;
  return complete_warpgroup(cta(), index);
}

Status Cluster::complete_warpgroup(Cta& cta, std::size_t index) {
  const std::size_t first = thread().cta * launch_.block[0] + index * kWarpgroupLanes;
  const auto all = std::span(threads_).subspan(first, kWarpgroupLanes);
  for (Thread& each : all) {
    if (each.instruction != all[0].instruction || each.multiplies != all[0].multiplies)
      return fault(fmt::format("threads of the warpgroup of {} are at {} and {}, or with other operands", name(static_cast<int>(first)),
                               all[0].instruction, each.instruction));
    each.state = State::ready;
  }
  Warpgroup& warpgroup = cta.warpgroups[index];
  const std::string_view opcode = all[0].statement->opcode;
  if (opcode == "wgmma.fence.sync.aligned") return warpgroup.fenced = ++warpgroup.events, Done{};
  if (opcode == "wgmma.commit_group.sync.aligned") return warpgroup.groups.push_back(std::exchange(warpgroup.open, {})), Done{};
  if (opcode == "wgmma.wait_group.sync.aligned") return wait_wgmma(cta, warpgroup, first, all[0].multiplies[0]);
  return begin_wgmma(cta, warpgroup, first);
}

// Every thread of the warpgroup must know that the operand is there; those that know the same are asked once.
Status Cluster::begin_operand(Cta& cta, const OperandDescriptor& operand, std::int64_t rows, std::size_t first) {
  Status status = Done{};
  for (std::size_t i = first; i < first + kWarpgroupLanes && status; ++i) {
    if (i > first && clocks_.alike(static_cast<int>(i), static_cast<int>(i - 1))) continue;
    for_each_unit(operand, rows, [&](std::int64_t address) {
      if (!status) return;
      const std::int64_t byte = address - kWindow;
      if (byte < 0 || byte + 16 > launch_.smem_bytes)
        status =
            fault(fmt::format("wgmma of {} reads byte {} of {} of shared memory", name(static_cast<int>(first)), byte, launch_.smem_bytes));
      else
        status = cta.shared.check_read(byte, 16, static_cast<int>(i));
    });
  }
  TESSERA_CHECK(status);
  for_each_unit(operand, rows, [&](std::int64_t address) { cta.shared.begin_read(address - kWindow, 16); });
  return Done{};
}

Status Cluster::begin_wgmma(Cta& cta, Warpgroup& warpgroup, std::size_t first) {
  const auto all = std::span(threads_).subspan(first, kWarpgroupLanes);
  const PtxStatement& is = *all[0].statement;
  Multiplication made;
  made.atom = wgmma_atom(is.opcode);
  if (!made.atom) return fault(fmt::format("no atom is {}", is.opcode));
  const auto& given = all[0].multiplies;
  if ((given[3] != 0 || given[4] != 0) && bits(made.atom->atom.val_a) != 16)
    return fault(fmt::format("{} transposes an operand, which only those of 16 bits can be", is.opcode));
  TESSERA_TRY(a, operand_descriptor(given[0], given[3] != 0));
  TESSERA_TRY(b, operand_descriptor(given[1], given[4] != 0));
  made.a = a, made.b = b, made.adds = given[2] != 0, made.sign = given[5] != given[6] ? -1 : 1;
  Sums sums;
  for (const Thread& each : all) {
    sums.lanes.emplace_back(), sums.variables.emplace_back();
    for (const PtxOperand& operand : is.operands[0].list) {
      sums.lanes.back().push_back(each.operands[static_cast<std::size_t>(operand.number)]);
      sums.variables.back().push_back(std::exchange(sums.lanes.back().back().variable, nullptr));
    }
  }
  if (static_cast<int>(sums.lanes[0].size()) != made.atom->atom.registers_c.count)
    return fault(fmt::format("{} has {} registers instead of {}", is.opcode, sums.lanes[0].size(), made.atom->atom.registers_c.count));
  const auto held = std::find_if(warpgroup.held.begin(), warpgroup.held.end(),
                                 [&](const std::shared_ptr<Sums>& each) { return each->variables == sums.variables; });
  if (held != warpgroup.held.end()) {
    made.sums = *held;
  } else {
    if (warpgroup.fenced <= warpgroup.waited || warpgroup.fenced == 0)
      return fault(
          fmt::format("the warpgroup of {} begins to multiply into registers that other instructions may have touched, with no "
                      "wgmma.fence before",
                      name(static_cast<int>(first))));
    made.sums = std::make_shared<Sums>(std::move(sums));
    warpgroup.held.push_back(made.sums);
  }
  TESSERA_CHECK(begin_operand(cta, a, made.atom->m, first));
  TESSERA_CHECK(begin_operand(cta, b, made.atom->n, first));
  if (made.sums->under_way++ == 0) take(*made.sums);
  warpgroup.open.push_back(std::move(made));
  if (launch_.order == Order::in_turn || (launch_.order == Order::shuffled && random_() % 2 == 0)) compute_all(cta, warpgroup);
  return Done{};
}

void Cluster::compute_all(Cta& cta, Warpgroup& warpgroup) {
  const ReadUnit read = [&](std::int64_t address, unsigned char* to) { std::memcpy(to, cta.smem.get() + address - kWindow, 16); };
  for (auto& group : warpgroup.groups) {
    for (Multiplication& each : group) compute(each, read);
  }
  for (Multiplication& each : warpgroup.open) compute(each, read);
}

Status Cluster::wait_wgmma(Cta& cta, Warpgroup& warpgroup, std::size_t first, std::size_t pending) {
  const ReadUnit read = [&](std::int64_t address, unsigned char* to) { std::memcpy(to, cta.smem.get() + address - kWindow, 16); };
  const Stamp reader{warpgroup.engine, ++warpgroup.time};
  for (; warpgroup.groups.size() > pending; warpgroup.groups.pop_front()) {
    for (Multiplication& each : warpgroup.groups.front()) {
      compute(each, read);
      const auto end = [&](std::int64_t address) { cta.shared.end_read(address - kWindow, 16, reader); };
      for_each_unit(each.a, each.atom->m, end);
      for_each_unit(each.b, each.atom->n, end);
      if (--each.sums->under_way > 0) continue;
      std::erase(warpgroup.held, each.sums);
      warpgroup.waited = ++warpgroup.events;
      if (!give_back(*each.sums))
        return fault(fmt::format("the warpgroup of {} has written registers that wgmma had: its group was not waited for",
                                 name(static_cast<int>(first))));
    }
  }
  for (std::size_t i = first; i < first + kWarpgroupLanes; ++i) clocks_.learn(static_cast<int>(i), reader);
  return Done{};
}

// A statement without an instruction says that the kernel uses its operands from here.
Status Cluster::check_sums() {
  const auto index = static_cast<std::size_t>(lane_of_cta(current_)) / kWarpgroupLanes;
  if (index >= cta().warpgroups.size() || cta().warpgroups[index].held.empty()) return Done{};
  const std::size_t lane = static_cast<std::size_t>(lane_of_cta(current_)) % kWarpgroupLanes;
  const auto is_held = [&](const HostOperand& operand) {
    return std::any_of(cta().warpgroups[index].held.begin(), cta().warpgroups[index].held.end(), [&](const std::shared_ptr<Sums>& sums) {
      const std::vector<void*>& variables = sums->variables[lane];
      return operand.variable && std::find(variables.begin(), variables.end(), operand.variable) != variables.end();
    });
  };
  for (const HostOperand& operand : thread().operands) {
    if (is_taken(operand) && is_held(operand))
      return fault(fmt::format("{} uses a sum that wgmma has: its group was not waited for", name(current_)));
  }
  return Done{};
}

}  // namespace tessera::host
