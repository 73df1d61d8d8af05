// SPDX-License-Identifier: BSD-3-Clause
// The checks of a program that need no values: names first, then threads and memory, then what a walk through each role counts.
#include "core/gemm/plan/verify.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/overloaded.hpp"
#include "core/gemm/plan/explain.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {

namespace {

using namespace plan;

constexpr std::int64_t kRegisterFile = 65536, kNamedBarriers = 15, kWarp = 32, kWarpgroup = 128;
constexpr std::int64_t kMostSteps = 20000;     // of a walk; beyond it a program's end is not looked at
constexpr std::int64_t kMostStored = 1 << 20;  // elements of a tile of C that are counted

Error wrong(std::string message, std::string what_to_try = {}) {
  return refuse(ErrorCode::bad_spec, std::move(message), std::move(what_to_try));
}

// ---- names ---------------------------------------------------------------------------------------------------------------------------

// Looks at every operation with the variables that are set around it.
class Names {
 public:
  explicit Names(const GemmPlan& plan) : plan_(plan) {}

  Status check() {
    for (const Partition& partition : plan_.partitions) TESSERA_CHECK(there("tensor", partition.tensor, plan_.tensors.size()));
    for (const Tensor& tensor : plan_.tensors) TESSERA_CHECK(may_be("ring", tensor.ring, plan_.rings.size()));
    for (const Cursor& cursor : plan_.cursors) TESSERA_CHECK(there("ring", cursor.ring, plan_.rings.size()));
    for (const Barrier& barrier : plan_.barriers) TESSERA_CHECK(may_be("ring", barrier.ring, plan_.rings.size()));
    for (const Ring& ring : plan_.rings) {
      TESSERA_CHECK(may_be("barrier", ring.full, plan_.barriers.size()));
      TESSERA_CHECK(may_be("barrier", ring.empty, plan_.barriers.size()));
      if (ring.stages < 1) return wrong(fmt::format("ring {} has {} stages", ring.name, ring.stages));
    }
    for (const Role& role : plan_.roles) {
      where_ = role.name;
      variables_ = {"rank_m", "rank_n"};
      TESSERA_CHECK(check(role.block, 0));
    }
    return Done{};
  }

 private:
  Status there(std::string_view what, Id id, std::size_t count) const {
    if (id < count) return Done{};
    return wrong(fmt::format("{}names {} {}, and the plan has {}", where_.empty() ? "it " : where_ + " ", what, id, count));
  }
  Status may_be(std::string_view what, Id id, std::size_t count) const { return id == kNone ? Status(Done{}) : there(what, id, count); }

  Status check(const Index& index) const {
    for (const std::string* name : {&index.variable, &index.plus}) {
      if (name->empty() || std::find(variables_.begin(), variables_.end(), *name) != variables_.end()) continue;
      return wrong(fmt::format("{} reads the variable {}, which nothing around it sets", where_, *name));
    }
    return Done{};
  }
  Status check(const Stage& stage) const { return may_be("cursor", stage.cursor, plan_.cursors.size()); }
  Status check(const At& at) const {
    TESSERA_CHECK(there("partition", at.partition, plan_.partitions.size()));
    TESSERA_CHECK(check(at.stage));
    const Partition& partition = plan_.partitions[at.partition];
    const Tensor& tensor = plan_.tensors[partition.tensor];
    for (const Pick& pick : at.picks) {
      TESSERA_CHECK(check(pick.at));
      const bool is_mode = std::find(partition.modes.begin(), partition.modes.end(), pick.mode) != partition.modes.end();
      if (is_mode || (tensor.space == Space::global && pick.mode == "k_tile")) continue;
      return wrong(fmt::format("{} picks {} of {}, which has no such mode", where_, pick.mode, partition.name));
    }
    if (tensor.space == Space::shared && tensor.ring != kNone) {
      if (at.stage.cursor == kNone) return wrong(fmt::format("{} names {} without saying which stage", where_, partition.name));
      if (plan_.cursors[at.stage.cursor].ring != tensor.ring)
        return wrong(
            fmt::format("{} takes {} at cursor {}, which is of another ring", where_, partition.name, plan_.cursors[at.stage.cursor].name));
    }
    return Done{};
  }
  Status check(Id barrier, const Stage& stage) const {
    TESSERA_CHECK(there("barrier", barrier, plan_.barriers.size()));
    TESSERA_CHECK(check(stage));
    const Barrier& is = plan_.barriers[barrier];
    if (is.kind != BarrierKind::mbarrier) return Done{};
    if (is.ring == kNone || stage.cursor == kNone || plan_.cursors[stage.cursor].ring != is.ring)
      return wrong(fmt::format("{} uses the mbarrier {} without a stage of its ring", where_, is.name));
    return Done{};
  }

  Status check(const Block& block, int depth) {
    if (depth > 64) return wrong(fmt::format("{} calls itself", where_));
    for (const Op& op : block) TESSERA_CHECK(check(op, depth));
    return Done{};
  }
  Status check_body(const std::shared_ptr<const Block>& body, int depth) {
    if (body == nullptr) return wrong(fmt::format("a block of {} has no operations", where_));
    return check(*body, depth + 1);
  }

  Status check(const Op& op, int depth) {
    return std::visit(Overloaded{
                          [&](const Copy& of) -> Status {
                            TESSERA_CHECK(check(of.from));
                            TESSERA_CHECK(check(of.to));
                            if (of.by == CopyBy::tma_load) return check(of.barrier, of.to.stage);
                            return may_be("barrier", of.barrier, plan_.barriers.size());
                          },
                          [&](const Mma& of) -> Status {
                            for (const At* at : {&of.a, &of.b, &of.c}) TESSERA_CHECK(check(*at));
                            for (const Index& index : of.clears) TESSERA_CHECK(check(index));
                            return Done{};
                          },
                          [&](const Convert& of) -> Status {
                            TESSERA_CHECK(check(of.from));
                            TESSERA_CHECK(check(of.to));
                            return of.c.partition == kNone ? Status(Done{}) : check(of.c);
                          },
                          [&](const Commit&) -> Status { return Done{}; },
                          [&](const WaitGroup&) -> Status { return Done{}; },
                          [&](const Expect& of) -> Status { return check(of.barrier, of.stage); },
                          [&](const Arrive& of) -> Status { return check(of.barrier, of.stage); },
                          [&](const Wait& of) -> Status { return check(of.barrier, of.stage); },
                          [&](const Advance& of) -> Status { return there("cursor", of.cursor, plan_.cursors.size()); },
                          [&](const Fence&) -> Status { return Done{}; },
                          [&](const SetRegisters&) -> Status { return Done{}; },
                          [&](const NextTile& of) -> Status { return check(of.tile); },
                          [&](const Loop& of) -> Status {
                            if (of.step < 1) return wrong(fmt::format("{}'s loop over {} steps by {}", where_, of.variable, of.step));
                            variables_.push_back(of.variable);
                            TESSERA_CHECK(check_body(of.body, depth));
                            variables_.pop_back();
                            return Done{};
                          },
                          [&](const When& of) -> Status {
                            TESSERA_CHECK(check(of.index));
                            return check_body(of.body, depth);
                          },
                          [&](const Named& of) -> Status {
                            TESSERA_CHECK(there("function", of.function, plan_.functions.size()));
                            const Function& function = plan_.functions[of.function];
                            if (function.parameters.size() != of.arguments.size())
                              return wrong(fmt::format("{} calls {} with {} arguments; it has {}", where_, function.name,
                                                       of.arguments.size(), function.parameters.size()));
                            for (const Index& argument : of.arguments) TESSERA_CHECK(check(argument));
                            const std::size_t before = variables_.size();
                            variables_.insert(variables_.end(), function.parameters.begin(), function.parameters.end());
                            TESSERA_CHECK(check(function.body, depth + 1));
                            variables_.resize(before);
                            return Done{};
                          },
                      },
                      op.op);
  }

  const GemmPlan& plan_;
  std::string where_;
  std::vector<std::string> variables_;
};

// ---- threads and memory --------------------------------------------------------------------------------------------------------------

Status check_threads(const GemmPlan& plan) {
  if (plan.roles.empty()) return wrong("the plan has no roles, so that nobody computes");
  std::int64_t registers = 0;
  for (const Role& a : plan.roles) {
    if (a.threads < 1 || a.first_thread < 0) return wrong(fmt::format("{} has {} threads from {} on", a.name, a.threads, a.first_thread));
    if (a.registers != 0 && (a.registers % 8 != 0 || a.registers < 24 || a.registers > 256))
      return wrong(fmt::format("{} sets {} registers; setmaxnreg takes multiples of 8 from 24 to 256", a.name, a.registers));
    registers += a.registers * a.threads;
    for (const Role& b : plan.roles) {
      if (&a >= &b || a.first_thread + a.threads <= b.first_thread || b.first_thread + b.threads <= a.first_thread) continue;
      return wrong(fmt::format("{} has threads {} to {}, {} threads {} to {}: a thread has one role", a.name, a.first_thread,
                               a.first_thread + a.threads - 1, b.name, b.first_thread, b.first_thread + b.threads - 1));
    }
  }
  if (registers > kRegisterFile)
    return wrong(fmt::format("the roles set {} registers in all; the register file has {}", registers, kRegisterFile),
                 "fewer registers a thread");
  return Done{};
}

Status check_barriers(const GemmPlan& plan) {
  std::int64_t named = 0;
  for (const Barrier& barrier : plan.barriers) {
    if (barrier.arrivals < 1) return wrong(fmt::format("{} counts {} arrivals", barrier.name, barrier.arrivals));
    if (barrier.kind != BarrierKind::named) continue;
    ++named;
    if (barrier.arrivals % kWarp != 0)
      return wrong(fmt::format("{} counts {} threads; a named barrier counts whole warps of {}", barrier.name, barrier.arrivals, kWarp));
  }
  if (named > kNamedBarriers)
    return wrong(fmt::format("the plan has {} named barriers; a CTA has {} beside its own", named, kNamedBarriers));
  return Done{};
}

std::int64_t bytes_of(const GemmPlan& plan, const Tensor& tensor) {
  const std::int64_t stages = tensor.ring == kNone ? 1 : plan.rings[tensor.ring].stages;
  return count_product(stages, tensor.stage_elements) * bits(tensor.type) / 8;
}

// Whether a device has as much is `check_device`'s question.
Status check_memory(const GemmPlan& plan) {
  for (const Tensor& a : plan.tensors) {
    if (a.space != Space::shared) continue;
    const std::int64_t end = a.byte_offset + bytes_of(plan, a);
    if (a.byte_offset < 0 || end > plan.smem_bytes)
      return wrong(
          fmt::format("{} is at bytes {} to {}; the CTA has {} of shared memory", a.name, a.byte_offset, end - 1, plan.smem_bytes));
    for (const Tensor& b : plan.tensors) {
      if (&a >= &b || b.space != Space::shared || end <= b.byte_offset || b.byte_offset + bytes_of(plan, b) <= a.byte_offset) continue;
      return wrong(
          fmt::format("{} at bytes {} to {} and {} from {} on lie over each other", a.name, a.byte_offset, end - 1, b.name, b.byte_offset));
    }
  }
  return Done{};
}

// ---- walks ---------------------------------------------------------------------------------------------------------------------------

// What the phases of barriers get and which elements of C are stored, counted along each role of the first cluster.
class Counts {
 public:
  explicit Counts(const GemmPlan& plan) : plan_(plan), cluster_(plan.cluster_m * plan.cluster_n) {}

  Status check() {
    for (std::int64_t cta = 0; cta < cluster_; ++cta) {
      for (const Role& role : plan_.roles) TESSERA_CHECK(walk(role, cta));
    }
    if (!whole_) return Done{};
    TESSERA_CHECK(check_phases());
    return check_stores();
  }

 private:
  struct Phase {
    std::int64_t arrivals = 0, bytes = 0;
  };

  Status walk(const Role& role, std::int64_t cta) {
    Walk walk(plan_, role, cta);
    std::int64_t open[3] = {0, 0, 0}, steps = 0;
    while (const auto step = walk.next()) {
      if (++steps > kMostSteps || late()) {
        whole_ = false;
        return Done{};
      }
      TESSERA_CHECK(count(role, cta, *step, walk, open));
    }
    return Done{};
  }

  Phase& phase(std::int64_t cta, Id barrier, std::int64_t fill) { return phases_[{cta, barrier, fill}]; }

  Status count(const Role& role, std::int64_t cta, const Step& step, const Walk& walk, std::int64_t* open) {
    const auto who = [&] { return cluster_ > 1 ? fmt::format("{} of CTA {}", role.name, cta) : role.name; };
    if (const auto* mma = std::get_if<Mma>(&step.op->op)) {
      if (mma->by == MmaBy::wgmma) ++open[1];
      if (mma->by == MmaBy::wgmma && (role.threads % kWarpgroup != 0 || role.first_thread % kWarpgroup != 0))
        return wrong(fmt::format("{} multiplies by wgmma with threads {} to {}; a warpgroup is {} threads from a multiple of {} on", who(),
                                 role.first_thread, role.first_thread + role.threads - 1, kWarpgroup, kWarpgroup));
    }
    if (const auto* registers = std::get_if<SetRegisters>(&step.op->op); registers != nullptr && registers->count != role.registers)
      return wrong(fmt::format("{} sets {} registers; its role says {}", who(), registers->count, role.registers));
    if (const auto* commit = std::get_if<Commit>(&step.op->op)) open[static_cast<std::size_t>(commit->of)] = 0;
    if (const auto* wait = std::get_if<WaitGroup>(&step.op->op)) {
      if (wait->pending < 0) return wrong(fmt::format("{} waits until {} groups are under way", who(), wait->pending));
      if (open[static_cast<std::size_t>(wait->of)] > 0)
        return wrong(fmt::format("{} waits for groups while {} operations of this kind are not committed: {}", who(),
                                 open[static_cast<std::size_t>(wait->of)], explain(plan_, *step.op)),
                     "a Commit before the WaitGroup");
    }
    if (const auto* arrive = std::get_if<Arrive>(&step.op->op)) {
      const bool of_ring = plan_.barriers[arrive->barrier].kind == BarrierKind::mbarrier;
      for (std::int64_t to = 0; of_ring && to < cluster_; ++to) {
        if (to == cta || arrive->in_whole_cluster) phase(to, arrive->barrier, walk.fill(arrive->stage)).arrivals += arrive->threads;
      }
    }
    if (const auto* expect = std::get_if<Expect>(&step.op->op)) ++phase(cta, expect->barrier, walk.fill(expect->stage)).arrivals;
    if (const auto* wait = std::get_if<Wait>(&step.op->op)) {
      const std::int64_t comes = step.first_thread_only ? 1 : role.threads;
      if (plan_.barriers[wait->barrier].kind == BarrierKind::cta) waits_[{cta, wait->barrier}][role.name] += comes;
    }
    const auto* copy = std::get_if<Copy>(&step.op->op);
    if (copy == nullptr) return Done{};
    if (copy->by == CopyBy::cp_async) ++open[0];
    if (copy->by == CopyBy::tma_store) ++open[2];
    if (copy->by == CopyBy::tma_load) count_bytes(*copy, cta, walk);
    const Tensor& to = plan_.tensors[plan_.partitions[copy->to.partition].tensor];
    if (to.space == Space::global && walk.tile(copy->to.tiles_back).number == 0) return count_stores(role, cta, step, *copy, walk);
    return Done{};
  }

  // Values of a partition that are not picked.
  std::int64_t walked(const At& at) const {
    const Partition& partition = plan_.partitions[at.partition];
    const Layout& plain = plain_part(partition.layout);
    const Layout values = plan_.tensors[partition.tensor].space == Space::registers ? plain : plain[1];
    std::int64_t count = 1;
    for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
      const bool picked = std::any_of(at.picks.begin(), at.picks.end(), [&](const Pick& p) { return p.mode == partition.modes[mode]; });
      if (!picked) count *= partition.modes.size() == 1 ? values.size() : values[mode].size();
    }
    return count;
  }

  void count_bytes(const Copy& copy, std::int64_t cta, const Walk& walk) {
    const Tensor& to = plan_.tensors[plan_.partitions[copy.to.partition].tensor];
    const std::int64_t bytes = walked(copy.to) * bits(to.type) / 8;
    for (std::int64_t other = 0; other < cluster_; ++other) {
      const bool shares = to.operand == Operand::a ? other / plan_.cluster_n == walk.rank_m() : other % plan_.cluster_n == walk.rank_n();
      if (other == cta || (copy.multicast && shares)) phase(other, copy.barrier, walk.fill(copy.to.stage)).bytes += bytes;
    }
  }

  Status count_stores(const Role& role, std::int64_t cta, const Step& step, const Copy& copy, const Walk& walk) {
    if (cta > 0 || plan_.blk_m * plan_.blk_n > kMostStored) return Done{};
    const Partition& partition = plan_.partitions[copy.to.partition];
    const Layout& plain = plain_part(partition.layout);
    const Layout values = plain[1];
    std::int64_t base = 0, weight = 1;
    std::vector<std::int64_t> walked{0};
    for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
      const std::int64_t extent = partition.modes.size() == 1 ? values.size() : values[mode].size();
      const auto pick =
          std::find_if(copy.to.picks.begin(), copy.to.picks.end(), [&](const Pick& p) { return p.mode == partition.modes[mode]; });
      if (pick != copy.to.picks.end()) {
        const std::int64_t at = walk.value(pick->at);
        if (at < 0 || at >= extent)
          return wrong(fmt::format("{} stores {} {} of {}, which has {}", role.name, pick->mode, at, partition.name, extent));
        base += at * weight;
      } else {
        const std::size_t before = walked.size();
        for (std::int64_t i = 1; i < extent; ++i) {
          for (std::size_t v = 0; v < before; ++v) walked.push_back(walked[v] + i * weight);
        }
      }
      weight *= extent;
    }
    const bool one = copy.by == CopyBy::tma_store || step.first_thread_only;
    for (std::int64_t t = 0; t < (one ? 1 : role.threads); ++t) {
      const std::int64_t thr = role.first_thread + t - role.thr_base;
      if (step.owners_only && !std::binary_search(owners().begin(), owners().end(), thr)) continue;
      for (const std::int64_t value : walked) {
        stored_.emplace_back(evaluate(partition.layout, thr % plain[0].size(), base + value), step.op);
      }
    }
    return Done{};
  }
  const std::vector<std::int64_t>& owners() {
    if (owners_.empty()) owners_ = plan_.mma->thread_ids();
    return owners_;
  }

  Status check_phases() const {
    for (const auto& [key, phase] : phases_) {
      const auto& [cta, id, fill] = key;
      const Barrier& barrier = plan_.barriers[id];
      if (phase.arrivals == barrier.arrivals && phase.bytes == barrier.bytes) continue;
      const std::string of_cta = cluster_ > 1 ? fmt::format(" of CTA {}", cta) : std::string();
      if (phase.arrivals != barrier.arrivals)
        return wrong(fmt::format("{}{} gets {} arrivals in the phase of fill {}; it counts {}", barrier.name, of_cta, phase.arrivals, fill,
                                 barrier.arrivals));
      return wrong(
          fmt::format("{}{} gets {} bytes in the phase of fill {}; it counts {}", barrier.name, of_cta, phase.bytes, fill, barrier.bytes));
    }
    for (const auto& [key, roles] : waits_) {
      const Barrier& barrier = plan_.barriers[key.second];
      std::int64_t threads = 0;
      for (const Role& role : plan_.roles) threads += roles.contains(role.name) ? role.threads : 0;
      if (threads != barrier.arrivals)
        return wrong(fmt::format("{} is waited on by {} threads; it counts {}", barrier.name, threads, barrier.arrivals));
    }
    return Done{};
  }

  Status check_stores() {
    const std::int64_t elements = plan_.blk_m * plan_.blk_n;
    if (elements > kMostStored) return Done{};
    std::sort(stored_.begin(), stored_.end());
    for (std::size_t i = 1; i < stored_.size(); ++i) {
      if (stored_[i].first != stored_[i - 1].first) continue;
      return wrong(
          fmt::format("element {} of gC's tile is stored twice: again by {}", stored_[i].first, explain(plan_, *stored_[i].second)));
    }
    if (static_cast<std::int64_t>(stored_.size()) == elements) return Done{};
    return wrong(
        fmt::format("{} of the {} elements of gC's tile are never stored", elements - static_cast<std::int64_t>(stored_.size()), elements));
  }

  const GemmPlan& plan_;
  std::int64_t cluster_ = 1;
  bool whole_ = true;                                                   // every walk came to its end
  std::map<std::tuple<std::int64_t, Id, std::int64_t>, Phase> phases_;  // CTA, mbarrier, fill
  std::map<std::pair<std::int64_t, Id>, std::map<std::string, std::int64_t>> waits_;
  std::vector<std::pair<std::int64_t, const Op*>> stored_;  // elements of the tile
  std::vector<std::int64_t> owners_;
};

}  // namespace

Status verify(const GemmPlan& plan) {
  TESSERA_CHECK(Names(plan).check());
  TESSERA_CHECK(check_threads(plan));
  TESSERA_CHECK(check_barriers(plan));
  TESSERA_CHECK(check_memory(plan));
  return Counts(plan).check();
}

}  // namespace tessera
