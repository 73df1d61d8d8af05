// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/explain_op.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/walk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {

namespace {

using namespace plan;

std::string join(const std::vector<std::string>& words, std::string_view between) { return fmt::format("{}", fmt::join(words, between)); }

struct Explain {
  const GemmPlan& plan;

  std::string cursor(const Stage& stage) const {
    if (stage.cursor == kNone) return {};
    const std::string& name = plan.cursors[stage.cursor].name;
    return stage.back == 0 ? fmt::format("[{}]", name) : fmt::format("[{} - {}]", name, stage.back);
  }
  std::string at(const At& at) const {
    std::string text = plan.partitions[at.partition].name + to_string(at.picks);
    text += cursor(at.stage);
    return at.tiles_back > 0 ? text + " of the tile before" : text;
  }
  std::string barrier(Id id, const Stage& stage, const Index& member) const {
    const std::string which = plan.barriers[id].members == 1 ? "" : "(" + to_string(member) + ")";
    return plan.barriers[id].name + which + cursor(stage);
  }

  // "where tDcC is inside (65,33)"; of what is read, "0 where tAcA is outside (65,33)".
  std::string predicate(Id id, bool reads) const {
    const TwoModes of = extents(plan, plan.tensors[plan.partitions[id].tensor].operand);
    return fmt::format(", {}where {} is {} ({},{})", reads ? "0 " : "", plan.partitions[id].name, reads ? "outside" : "inside", of[0],
                       of[1]);
  }

  static std::string_view name(CopyBy by) {
    switch (by) {
      case CopyBy::load_store: return "copy";
      case CopyBy::cp_async: return "cp.async";
      case CopyBy::ldmatrix: return "ldmatrix";
      case CopyBy::ldmatrix_trans: return "ldmatrix.trans";
      case CopyBy::stmatrix: return "stmatrix";
      case CopyBy::tma_load: return "TMA load";
      case CopyBy::tma_store: return "TMA store";
      case CopyBy::wmma_load: return "wmma load";
      case CopyBy::wmma_store: return "wmma store";
    }
    return {};
  }
  static std::string_view name(GroupOf of) {
    switch (of) {
      case GroupOf::cp_async: return "cp.async";
      case GroupOf::wgmma: return "wgmma";
      case GroupOf::bulk: return "bulk stores";
    }
    return {};
  }

  std::string operator()(const Copy& op) const {
    std::string text = fmt::format("{} {} -> {}", name(op.by), at(op.from), at(op.to));
    if (op.threads > 0) text += fmt::format(" by threads 0 to {}", op.threads - 1);
    if (op.multicast) text += ", for every CTA that shares it";
    if (op.predicate != kNone)
      text += predicate(op.predicate, plan.tensors[plan.partitions[op.to.partition].tensor].space != Space::global);
    if (op.beyond != kNone) text += fmt::format(" and beyond the rows of {}", plan.maps[op.beyond].name);
    if (op.barrier != kNone) text += fmt::format(", counted on {}", barrier(op.barrier, op.to.stage, op.member));
    return text;
  }
  std::string operator()(const Mma& op) const {
    const std::string_view by = op.by == MmaBy::fma ? "fma" : op.by == MmaBy::mma_sync ? "mma" : op.by == MmaBy::wmma ? "wmma" : "wgmma";
    std::vector<std::string> clears;
    for (const Index& index : op.clears) clears.push_back(to_string(index) + " is 0");
    const bool always = clears.size() == 1 && clears.front() == "0 is 0";
    return fmt::format("{} {}{} * {} -> {}{}", by, product_sign(plan.mma->atom()) < 0 ? "-" : "", at(op.a), at(op.b), at(op.c),
                       clears.empty() ? ""
                       : always       ? ", overwriting it"
                                      : ", overwriting it where " + join(clears, " and "));
  }
  std::string operator()(const Convert& op) const {
    const std::string old = op.c.partition == kNone ? "" : fmt::format(" + beta * {}", at(op.c));
    return fmt::format("{} = alpha * {}{}{}", at(op.to), at(op.from), old, op.predicate == kNone ? "" : predicate(op.predicate, true));
  }
  std::string operator()(const Commit& op) const { return fmt::format("commit a group of {}", name(op.of)); }
  std::string operator()(const WaitGroup& op) const {
    const std::string_view done = op.only_read ? " have read their source" : " are done";
    return op.pending == 0 ? fmt::format("wait until all groups of {}{}", name(op.of), done)
                           : fmt::format("wait until all but {} groups of {}{}", op.pending.value, name(op.of), done);
  }
  std::string operator()(const Expect& op) const {
    return fmt::format("expect {} bytes on {}", plan.barriers[op.barrier].bytes, barrier(op.barrier, op.stage, op.member));
  }
  std::string operator()(const Arrive& op) const {
    return fmt::format("arrive on {}{}{}", barrier(op.barrier, op.stage, op.member),
                       op.threads > 1 ? fmt::format(" with {} threads", op.threads) : "",
                       op.in_whole_cluster ? " of every CTA of the cluster" : "");
  }
  std::string operator()(const Wait& op) const { return fmt::format("wait on {}", barrier(op.barrier, op.stage, op.member)); }
  std::string operator()(const Advance& op) const {
    return op.by == 1 ? fmt::format("advance {}", plan.cursors[op.cursor].name)
                      : fmt::format("advance {} by {}", plan.cursors[op.cursor].name, op.by.value);
  }
  std::string operator()(const Fence& op) const {
    switch (op.kind) {
      case FenceKind::wgmma: return "fence of wgmma's registers";
      case FenceKind::proxy_async: return "fence between threads and the asynchronous proxy";
      case FenceKind::mbarrier_init: return "fence of the mbarriers' initialisation";
    }
    return {};
  }
  std::string operator()(const SetRegisters& op) const { return fmt::format("set the registers of a thread to {}", op.count); }
  std::string operator()(const NextTile& op) const { return fmt::format("tile {} of this CTA", to_string(op.tile)); }
  std::string operator()(const Opaque& op) const {
    std::string text = op.name;
    for (const auto& [word, list] : {std::pair{" reads ", &op.reads}, {" writes ", &op.writes}}) {
      std::vector<std::string> ats;
      for (const At& at : *list) ats.push_back(this->at(at));
      if (!ats.empty()) text += word + join(ats, ", ");
    }
    return text;
  }
  std::string operator()(const Loop& op) const {
    const std::string first = to_string(Index{op.plus, op.first});
    const std::string steps = op.step == 1 ? "" : fmt::format(" in steps of {}", op.step.value);
    const std::string backwards = op.backwards_every_second_tile ? ", backwards in every second tile" : "";
    if (op.tiles) return fmt::format("for {} from {}{}, while this CTA has a tile of that number{}", op.variable, first, steps, backwards);
    return fmt::format("for {} from {} to {}{}{}", op.variable, first, op.count.value - 1, steps, backwards);
  }
  std::string operator()(const When& op) const {
    switch (op.only) {
      case Only::first_thread: return "by the first thread";
      case Only::owners: return "by threads that own a part of C";
      case Only::below: return fmt::format("where {} < {}", to_string(op.index), op.bound.value);
      case Only::equal: return fmt::format("where {} is {}", to_string(op.index), op.bound.value);
      case Only::at_least: return fmt::format("where {} >= {}", to_string(op.index), op.bound.value);
      case Only::tile_exists: return fmt::format("where this CTA has a tile {}", to_string(op.index));
      case Only::tile_missing: return fmt::format("where this CTA has no tile {}", to_string(op.index));
    }
    return {};
  }
  std::string operator()(const Named& op) const {
    std::vector<std::string> arguments;
    for (const Index& argument : op.arguments) arguments.push_back(to_string(argument));
    return fmt::format("{}({})", plan.functions[op.function].name, join(arguments, ", "));
  }
};

void list(const GemmPlan& plan, const Block& block, std::vector<ProgramLine>& lines) {
  each_op(block, [&](const Op& op, int depth) { lines.push_back({1 + depth, explain(plan, op), op.why, &op}); });
}

}  // namespace

std::string to_string(const std::vector<plan::Pick>& picks, Numbers numbers) {
  std::vector<std::string> words;
  for (const plan::Pick& pick : picks) {
    const std::string index = to_string(pick.at, numbers);
    words.push_back(index == pick.mode ? index : fmt::format("{} = {}", pick.mode, index));
  }
  return words.empty() ? std::string() : "(" + join(words, ", ") + ")";
}

std::string to_string(const plan::Index& index, Numbers numbers) {
  const auto said = [&](const Num& n) { return numbers == Numbers::names ? to_string(n) : std::to_string(n.value); };
  std::vector<std::string> terms;
  for (const std::string* name : {&index.variable, &index.plus}) {
    if (!name->empty()) terms.push_back(*name);
  }
  if (index.add != 0 || index.add.is_named() || terms.empty()) terms.push_back(said(index.add));
  const std::string sum = join(terms, " + ");
  if (index.modulo == 0) return sum;
  const auto factor = [](const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; };
  return fmt::format("{} % {}", factor(sum), factor(said(index.modulo)));
}

std::string explain(const GemmPlan& plan, const plan::Op& op) { return std::visit(Explain{plan}, op.op); }

std::vector<ProgramLine> program(const GemmPlan& plan) {
  std::vector<ProgramLine> lines;
  for (const Function& function : plan.functions) {
    lines.push_back({0, fmt::format("{}({})", function.name, join(function.parameters, ", ")), function.says, nullptr});
    list(plan, function.body, lines);
  }
  for (const Role& role : plan.roles) {
    const std::string threads = fmt::format("threads {} to {}", role.first_thread, role.last_thread());
    lines.push_back({0, role.name, role.members == 1 ? threads : fmt::format("{} of them, {}", role.members, threads), nullptr});
    list(plan, role.block, lines);
  }
  return lines;
}

std::vector<const plan::Op*> operations_of(const GemmPlan& plan) {
  std::vector<const Op*> operations;
  each_op(plan, [&](const Op& op) { operations.push_back(&op); });
  return operations;
}

}  // namespace tessera
