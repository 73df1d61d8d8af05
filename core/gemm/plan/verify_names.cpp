// SPDX-License-Identifier: BSD-3-Clause
// verify: every operation names what is there, and reads variables that are set around it.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/base/overloaded.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

constexpr double kMostUnits = 10000;  // of an opaque operation

// Looks at every operation with the variables that are set around it.
class Names {
 public:
  explicit Names(const GemmPlan& plan) : plan_(plan) {}

  Status check() {
    for (const Partition& partition : plan_.partitions) {
      TESSERA_CHECK(there("tensor", partition.tensor, plan_.tensors.size()));
      TESSERA_CHECK(may_be("partition", partition.coordinates, plan_.partitions.size()));
    }
    for (const Tensor& tensor : plan_.tensors) TESSERA_CHECK(may_be("ring", tensor.ring, plan_.rings.size()));
    for (const Cursor& cursor : plan_.cursors) {
      TESSERA_CHECK(there("ring", cursor.ring, plan_.rings.size()));
      where_ = "the cursor " + cursor.name;
      TESSERA_CHECK(check(cursor.first));
      TESSERA_CHECK(check(cursor.each));
      where_.clear();
    }
    for (const Barrier& barrier : plan_.barriers) TESSERA_CHECK(may_be("ring", barrier.ring, plan_.rings.size()));
    for (const Ring& ring : plan_.rings) {
      TESSERA_CHECK(may_be("barrier", ring.full, plan_.barriers.size()));
      TESSERA_CHECK(may_be("barrier", ring.empty, plan_.barriers.size()));
      if (ring.stages < 1) return wrong(fmt::format("ring {} has {} stages", ring.name, ring.stages));
    }
    for (const Role& role : plan_.roles) {
      where_ = role.name;
      variables_ = {"rank_m", "rank_n", role.name};
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

  // The value is that of the name.
  Status check(const Num& number) const {
    if (!number.is_named()) return Done{};
    const std::int64_t of = plan_.value_of(number.of);
    const auto product = checked_mul(of, number.times), value = product ? checked_add(*product, number.plus) : std::nullopt;
    if (of == 0) return wrong(fmt::format("{} says {}, and the plan has no {}", where_, to_string(number), name_of(number.of)));
    if (std::find(variables_.begin(), variables_.end(), name_of(number.of)) != variables_.end())
      return wrong(fmt::format("{} says {} where {} is a variable", where_, to_string(number), name_of(number.of)), "another name for it");
    if (value == number.value) return Done{};
    return wrong(fmt::format("{} says {}, which is {}, and has the number {}", where_, to_string(number), value.value_or(0), number.value));
  }
  Status check(const Index& index) const {
    TESSERA_CHECK(check(index.add));
    TESSERA_CHECK(check(index.modulo));
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
  Status check(Id barrier, const Stage& stage, const Index& member) const {
    TESSERA_CHECK(there("barrier", barrier, plan_.barriers.size()));
    TESSERA_CHECK(check(stage));
    TESSERA_CHECK(check(member));
    const Barrier& is = plan_.barriers[barrier];
    if (is.kind != BarrierKind::mbarrier) return Done{};
    if (is.ring == kNone || stage.cursor == kNone || plan_.cursors[stage.cursor].ring != is.ring)
      return wrong(fmt::format("{} uses the mbarrier {} without a stage of its ring", where_, is.name));
    return Done{};
  }

  Status check(const Block& block, int depth) {
    if (depth > 64) return wrong(fmt::format("{} calls itself", where_));
    for (const Op& op : block) {
      if (Status status = check(op, depth); !status) return at_line(std::move(status).error(), op);
    }
    return Done{};
  }
  Status check_body(const SharedBlock& body, int depth) {
    if (body == nullptr) return wrong(fmt::format("a block of {} has no operations", where_));
    return check(*body, depth + 1);
  }

  // What needs a problem, its tiles and its tiled MMA.
  Status of_a_gemm(std::string_view does) const {
    if (plan_.mma) return Done{};
    return wrong(fmt::format("{} {}, and the plan has no tiled MMA and no problem", where_, does),
                 "an opaque operation, or a plan with mma");
  }

  // By TMA, its bytes arrive in the phase of the stage that it writes.
  Status check_opaque(const Opaque& of) const {
    for (const At& at : of.reads) TESSERA_CHECK(check(at));
    for (const At& at : of.writes) TESSERA_CHECK(check(at));
    if (!(of.units >= 0 && of.units <= kMostUnits))
      return wrong(fmt::format("{} says that {} takes {} units; they are 0 to {}", where_, of.name, of.units, kMostUnits));
    if (of.barrier == kNone) return Done{};
    if (of.group || of.writes.size() != 1)
      return wrong(fmt::format("{} lets {} arrive on an mbarrier: it writes one partition then, and belongs to no group", where_, of.name));
    TESSERA_CHECK(there("barrier", of.barrier, plan_.barriers.size()));
    if (plan_.barriers[of.barrier].kind != BarrierKind::mbarrier)
      return wrong(fmt::format("{} lets {} arrive on {}, which is no mbarrier", where_, of.name, plan_.barriers[of.barrier].name));
    return check(of.barrier, of.writes.front().stage, of.member);
  }

  Status check(const Op& op, int depth) {
    return std::visit(
        Overloaded{
            [&](const Copy& of) -> Status {
              TESSERA_CHECK(check(of.from));
              TESSERA_CHECK(check(of.to));
              for (const At* at : {&of.from, &of.to}) {
                if (plan_.tensors[plan_.partitions[at->partition].tensor].space == Space::global)
                  TESSERA_CHECK(of_a_gemm("copies global memory by its tiles"));
              }
              TESSERA_CHECK(may_be("tensor map", of.map, plan_.maps.size()));
              TESSERA_CHECK(may_be("tensor map", of.beyond, plan_.maps.size()));
              TESSERA_CHECK(may_be("partition", of.predicate, plan_.partitions.size()));
              if (of.by == CopyBy::tma_load) return check(of.barrier, of.to.stage, of.member);
              return may_be("barrier", of.barrier, plan_.barriers.size());
            },
            [&](const Mma& of) -> Status {
              TESSERA_CHECK(of_a_gemm("multiplies"));
              for (const At* at : {&of.a, &of.b, &of.c}) TESSERA_CHECK(check(*at));
              for (const Id id : {of.descriptor_a, of.descriptor_b}) TESSERA_CHECK(may_be("descriptor", id, plan_.descriptors.size()));
              for (const Index& index : of.clears) TESSERA_CHECK(check(index));
              return Done{};
            },
            [&](const Convert& of) -> Status {
              TESSERA_CHECK(check(of.from));
              TESSERA_CHECK(check(of.to));
              TESSERA_CHECK(may_be("partition", of.predicate, plan_.partitions.size()));
              return of.c.partition == kNone ? Status(Done{}) : check(of.c);
            },
            [&](const Commit&) -> Status { return Done{}; },
            [&](const WaitGroup& of) -> Status { return check(of.pending); },
            [&](const Expect& of) -> Status {
              TESSERA_CHECK(check(of.barrier, of.stage, of.member));
              if (plan_.barriers[of.barrier].kind == BarrierKind::mbarrier) return Done{};
              return wrong(fmt::format("{} expects bytes on {}, which is no mbarrier", where_, plan_.barriers[of.barrier].name));
            },
            [&](const Arrive& of) -> Status { return check(of.barrier, of.stage, of.member); },
            [&](const Wait& of) -> Status { return check(of.barrier, of.stage, of.member); },
            [&](const Advance& of) -> Status {
              TESSERA_CHECK(check(of.by));
              return there("cursor", of.cursor, plan_.cursors.size());
            },
            [&](const Fence&) -> Status { return Done{}; },
            [&](const SetRegisters&) -> Status { return Done{}; },
            [&](const NextTile& of) -> Status {
              TESSERA_CHECK(of_a_gemm("takes a tile of C"));
              return check(of.tile);
            },
            [&](const Opaque& of) -> Status { return check_opaque(of); },
            [&](const Loop& of) -> Status {
              for (const Num& number : {of.first, of.count, of.step}) TESSERA_CHECK(check(number));
              if (of.step < 1) return wrong(fmt::format("{}'s loop over {} steps by {}", where_, of.variable, of.step.value));
              if (of.tiles) TESSERA_CHECK(of_a_gemm("goes through tiles of C"));
              TESSERA_CHECK(check(Index{of.plus}));
              variables_.push_back(of.variable);
              TESSERA_CHECK(check_body(of.body, depth));
              variables_.pop_back();
              return Done{};
            },
            [&](const When& of) -> Status {
              TESSERA_CHECK(check(of.index));
              TESSERA_CHECK(check(of.bound));
              if (of.only == Only::owners || of.only == Only::tile_exists || of.only == Only::tile_missing)
                TESSERA_CHECK(of_a_gemm("asks for tiles of C or their owners"));
              return check_body(of.body, depth);
            },
            [&](const Named& of) -> Status {
              TESSERA_CHECK(there("function", of.function, plan_.functions.size()));
              const Function& function = plan_.functions[of.function];
              if (function.parameters.size() != of.arguments.size())
                return wrong(fmt::format("{} calls {} with {} arguments; it has {}", where_, function.name, of.arguments.size(),
                                         function.parameters.size()));
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

}  // namespace

Status check_names(const GemmPlan& plan) { return Names(plan).check(); }

}  // namespace tessera::plan
