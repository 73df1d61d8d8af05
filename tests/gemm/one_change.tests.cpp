// SPDX-License-Identifier: BSD-3-Clause
// Every small change to a whole program, one at a time: what `verify` answers to each is kept, by the names and numbers of its sentence.
#include <cctype>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/plan/verify.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::support;

namespace {

struct Change {
  std::string how;
  Block becomes;
};

template <class T>
void with(std::vector<Change>& changes, const Op& op, const char* how, const std::function<void(T&)>& change) {
  Op other = op;
  change(std::get<T>(other.op));
  changes.push_back({how, {other}});
}

std::string kind(const GemmPlan& plan, const Op& op) {
  static const char* const kNames[] = {"Copy",    "Mma",   "Convert",      "Commit",   "WaitGroup", "Expect", "Arrive", "Wait",
                                       "Advance", "Fence", "SetRegisters", "NextTile", "Opaque",    "Loop",   "When",   "Named"};
  std::string name = kNames[op.op.index()];
  if (const auto* copy = std::get_if<Copy>(&op.op)) name += " to " + plan.partitions[copy->to.partition].name;
  if (const auto* of = std::get_if<Wait>(&op.op)) name += " " + plan.barriers[of->barrier].name;
  if (const auto* of = std::get_if<Arrive>(&op.op)) name += " " + plan.barriers[of->barrier].name;
  if (const auto* of = std::get_if<Advance>(&op.op)) name += " " + plan.cursors[of->cursor].name;
  if (const auto* of = std::get_if<Loop>(&op.op)) name += " " + of->variable;
  return name;
}

void of_copy(std::vector<Change>& to, const Op& op) {
  const Copy& copy = std::get<Copy>(op.op);
  if (!copy.from.picks.empty()) {
    with<Copy>(to, op, "from the next", [](Copy& c) { ++c.from.picks.back().at.add; });
    with<Copy>(to, op, "from the one before", [](Copy& c) { --c.from.picks.back().at.add; });
  }
  if (!copy.to.picks.empty()) {
    with<Copy>(to, op, "to the next", [](Copy& c) { ++c.to.picks.front().at.add; });
    with<Copy>(to, op, "to the one before", [](Copy& c) { --c.to.picks.front().at.add; });
    with<Copy>(to, op, "to another mode", [](Copy& c) { c.to.picks.front().mode = "moon"; });
  }
  if (copy.from.stage.cursor != kNone) with<Copy>(to, op, "from the stage before", [](Copy& c) { ++c.from.stage.back; });
  if (copy.to.stage.cursor != kNone) with<Copy>(to, op, "to the stage before", [](Copy& c) { ++c.to.stage.back; });
  if (copy.by != CopyBy::tma_load) return;
  with<Copy>(to, op, "multicast or not", [](Copy& c) { c.multicast = !c.multicast; });
  with<Copy>(to, op, "by no barrier", [](Copy& c) { c.barrier = kNone; });
}

// What may be wrong with an operation.
std::vector<Change> changes_of(const Op& op) {
  const auto one = std::make_shared<const Block>(Block{op});
  std::vector<Change> to{{"left out", {}}, {"twice", {op, op}}, {"by one thread", {Op{When{Only::first_thread, {}, 0, one}}}}};
  if (std::holds_alternative<Copy>(op.op)) of_copy(to, op);
  if (const auto* when = std::get_if<When>(&op.op)) {
    to.push_back({"always", *when->body});
    with<When>(to, op, "one more", [](When& w) { ++w.bound; });
    with<When>(to, op, "without operations", [](When& w) { w.body = {}; });
    with<When>(to, op, "of a strange variable", [](When& w) { w.index.plus = "moon"; });
  }
  if (std::holds_alternative<Loop>(op.op)) {
    with<Loop>(to, op, "one less", [](Loop& l) { --l.count; });
    with<Loop>(to, op, "from the second", [](Loop& l) { ++l.first; });
    with<Loop>(to, op, "every second", [](Loop& l) { l.step = l.step * 2; });
    with<Loop>(to, op, "without steps", [](Loop& l) { l.step = 0; });
    with<Loop>(to, op, "of another variable", [](Loop& l) { l.variable = "moon"; });
    with<Loop>(to, op, "without operations", [](Loop& l) { l.body = {}; });
  }
  if (const auto* mma = std::get_if<Mma>(&op.op)) {
    if (mma->a.stage.cursor != kNone) with<Mma>(to, op, "of the stage before", [](Mma& m) { ++m.a.stage.back; });
    with<Mma>(to, op, "of no tensor", [](Mma& m) { m.b.partition = 500; });
    with<Mma>(to, op, "into no tensor", [](Mma& m) { m.c.partition = 500; });
    with<Mma>(to, op, "by no descriptor", [](Mma& m) { m.descriptor_b = 500; });
  }
  if (std::holds_alternative<WaitGroup>(op.op)) {
    with<WaitGroup>(to, op, "one more", [](WaitGroup& w) { ++w.pending; });
    with<WaitGroup>(to, op, "of another kind", [](WaitGroup& w) { w.of = w.of == GroupOf::bulk ? GroupOf::wgmma : GroupOf::bulk; });
  }
  if (std::holds_alternative<Arrive>(op.op)) {
    with<Arrive>(to, op, "by one more", [](Arrive& a) { ++a.threads; });
    with<Arrive>(to, op, "in the cluster or not", [](Arrive& a) { a.in_whole_cluster = !a.in_whole_cluster; });
    with<Arrive>(to, op, "on the stage before", [](Arrive& a) { ++a.stage.back; });
    with<Arrive>(to, op, "without a stage", [](Arrive& a) { a.stage = {}; });
  }
  if (std::holds_alternative<Wait>(op.op)) with<Wait>(to, op, "for the fill after", [](Wait& w) { --w.stage.back; });
  if (std::holds_alternative<Expect>(op.op)) with<Expect>(to, op, "of the fill after", [](Expect& e) { --e.stage.back; });
  if (std::holds_alternative<Advance>(op.op)) with<Advance>(to, op, "by one more", [](Advance& a) { ++a.by; });
  if (std::holds_alternative<NextTile>(op.op)) with<NextTile>(to, op, "the one after", [](NextTile& n) { ++n.tile.add; });
  if (std::holds_alternative<SetRegisters>(op.op)) with<SetRegisters>(to, op, "eight more", [](SetRegisters& s) { s.count += 8; });
  if (std::holds_alternative<Convert>(op.op)) {
    with<Convert>(to, op, "of no tensor", [](Convert& c) { c.from.partition = 500; });
    with<Convert>(to, op, "into no tensor", [](Convert& c) { c.to.partition = 500; });
    with<Convert>(to, op, "with no tensor", [](Convert& c) { c.c.partition = 500; });
  }
  return to;
}

// Calls `visit` with each operation of a block, and with what makes the whole block of a block that stands for the operation.
using Rebuild = std::function<Block(const Block&)>;
void each_op(const Block& block, const Rebuild& around, const std::function<void(const Op&, const Rebuild&)>& visit) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Rebuild here = [&, i](const Block& becomes) {
      Block other(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(i));
      other.insert(other.end(), becomes.begin(), becomes.end());
      other.insert(other.end(), block.begin() + static_cast<std::ptrdiff_t>(i) + 1, block.end());
      return around(other);
    };
    visit(block[i], here);
    const Op& op = block[i];
    const auto inside = [&](const auto& outer) {
      each_op(
          *outer.body,
          [&](const Block& body) {
            auto copy = outer;
            copy.body = std::make_shared<const Block>(body);
            return here({Op{copy, op.why}});
          },
          visit);
    };
    if (const auto* loop = std::get_if<Loop>(&op.op)) inside(*loop);
    if (const auto* when = std::get_if<When>(&op.op)) inside(*when);
  }
}

// The sentence less its prose: numbers, names of the plan, and the words that tell one rule from another.
std::string answer(const GemmPlan& plan) {
  const auto verdict = verify(plan);
  if (verdict) return "accepted";
  static const std::set<std::string> kRules{
      "read", "overwritten", "released", "early",     "arrived",    "twice", "never",  "nobody", "arrivals", "bytes",    "threads",
      "sets", "waits",       "commits",  "committed", "fence",      "late",  "ends",   "names",  "picks",    "variable", "stages",
      "fill", "tile",        "k_tile",   "under",     "multiplies", "role",  "copies", "other",  "itself",   "mode",     "ring"};
  std::set<std::string> names{"CTA", "moon"};
  for (const Tensor& of : plan.tensors) names.insert(of.name);
  for (const Partition& of : plan.partitions) names.insert(of.name);
  for (const Barrier& of : plan.barriers) names.insert(of.name.substr(0, of.name.find(' ')));
  for (const Role& of : plan.roles) names.insert(of.name.substr(0, of.name.find(' ')));
  for (const Cursor& of : plan.cursors) names.insert(of.name.substr(0, of.name.find(' ')));
  std::string kept, word;
  for (const char c : verdict.error().message + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-') {
      word += c;
      continue;
    }
    const bool number = !word.empty() && word.find_first_not_of("-0123456789") == std::string::npos && word != "-";
    if (number || names.contains(word) || kRules.contains(word)) kept += (kept.empty() ? "" : " ") + word;
    word.clear();
  }
  return kept;
}

void each_step(const GemmPlan& plan, std::string& lines) {
  const auto ask = [&](const std::string& of, const Block& block, const std::function<void(GemmPlan&, Block)>& put) {
    int number = 0;
    each_op(
        block, [](const Block& all) { return all; },
        [&](const Op& op, const Rebuild& rebuild) {
          const std::string heading = "  " + of + " " + std::to_string(number++) + " " + kind(plan, op);
          for (const Change& change : changes_of(op)) {
            GemmPlan other = plan;
            put(other, rebuild(change.becomes));
            lines += heading + ", " + change.how + ": " + answer(other) + "\n";
          }
        });
  };
  for (std::size_t i = 0; i < plan.roles.size(); ++i) {
    ask(plan.roles[i].name, plan.roles[i].block, [i](GemmPlan& of, Block block) { of.roles[i].block = std::move(block); });
  }
  for (std::size_t i = 0; i < plan.functions.size(); ++i) {
    ask(plan.functions[i].name, plan.functions[i].body, [i](GemmPlan& of, Block block) { of.functions[i].body = std::move(block); });
  }
}

void each_number(const GemmPlan& plan, std::string& lines) {
  const auto ask = [&](const std::string& what, const std::function<std::int64_t&(GemmPlan&)>& number,
                       std::initializer_list<std::int64_t> differences) {
    for (const std::int64_t difference : differences) {
      GemmPlan other = plan;
      number(other) += difference;
      lines += "  " + what + (difference > 0 ? " +" : " ") + std::to_string(difference) + ": " + answer(other) + "\n";
    }
  };
  ask("shared memory", [](GemmPlan& of) -> std::int64_t& { return of.smem_bytes; }, {-1, 1});
  ask("threads", [](GemmPlan& of) -> std::int64_t& { return of.threads; }, {-1, 1});
  for (std::size_t i = 0; i < plan.barriers.size(); ++i) {
    const std::string& name = plan.barriers[i].name;
    ask(name + "'s arrivals", [i](GemmPlan& of) -> std::int64_t& { return of.barriers[i].arrivals; },
        {-plan.barriers[i].arrivals, -32, -1, 1, 32});
    ask(name + "'s bytes", [i](GemmPlan& of) -> std::int64_t& { return of.barriers[i].bytes.value; }, {-1, 1});
  }
  for (std::size_t i = 0; i < plan.rings.size(); ++i)
    ask(plan.rings[i].name + "'s stages", [i](GemmPlan& of) -> std::int64_t& { return of.rings[i].stages; },
        {-plan.rings[i].stages, -1, 1});
  for (std::size_t i = 0; i < plan.cursors.size(); ++i)
    ask(plan.cursors[i].name + "'s first", [i](GemmPlan& of) -> std::int64_t& { return of.cursors[i].first.value; }, {-1, 1});
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    if (plan.tensors[i].space != Space::shared) continue;
    ask(plan.tensors[i].name + "'s place", [i](GemmPlan& of) -> std::int64_t& { return of.tensors[i].byte_offset; }, {-1, 1});
    ask(plan.tensors[i].name + "'s distance", [i](GemmPlan& of) -> std::int64_t& { return of.tensors[i].stage_elements; }, {-8, 8});
  }
  for (std::size_t i = 0; i < plan.roles.size(); ++i) {
    const std::string& name = plan.roles[i].name;
    ask(name + "'s threads", [i](GemmPlan& of) -> std::int64_t& { return of.roles[i].threads; }, {-plan.roles[i].threads, -1, 1});
    ask(name + "'s first thread", [i](GemmPlan& of) -> std::int64_t& { return of.roles[i].first_thread; }, {-1, 1});
    ask(name + "'s registers", [i](GemmPlan& of) -> std::int64_t& { return of.roles[i].registers; }, {-1, 1, 16, 24, 264});
  }
}

// Ids of what the plan has not, in every list that the program names.
void each_name(const GemmPlan& plan, std::string& lines) {
  const auto ask = [&](const char* what, const std::function<void(GemmPlan&)>& change) {
    GemmPlan other = plan;
    change(other);
    lines += std::string("  ") + what + ": " + answer(other) + "\n";
  };
  ask("no tensor of the last partition", [](GemmPlan& of) { of.partitions.back().tensor = static_cast<Id>(of.tensors.size()); });
  ask("no ring of the last tensor", [](GemmPlan& of) { of.tensors.back().ring = static_cast<Id>(of.rings.size()); });
  if (!plan.barriers.empty())
    ask("no ring of the first barrier", [](GemmPlan& of) { of.barriers.front().ring = static_cast<Id>(of.rings.size()); });
  if (!plan.cursors.empty())
    ask("no ring of the last cursor", [](GemmPlan& of) { of.cursors.back().ring = static_cast<Id>(of.rings.size()); });
  if (plan.rings.empty()) return;
  ask("no full", [](GemmPlan& of) { of.rings.front().full = static_cast<Id>(of.barriers.size()); });
  ask("no empty", [](GemmPlan& of) { of.rings.front().empty = static_cast<Id>(of.barriers.size()); });
}

std::vector<std::pair<std::string, GemmPlan>> programs() {
  std::vector<std::pair<std::string, GemmPlan>> result;
  result.emplace_back("one warp, the next tile in registers", lower(quad_pairs()).value());
  result.emplace_back("from global memory", lower(element_a_thread(true)).value());
  result.emplace_back("cp.async", lower(tensor(64, 64, 160, 64, 64, 32, 3)).value());
  GemmSpec spec = hopper(Overlap::none, 256, 256, 192, 128, 128, 2);
  spec.stages = 2;
  result.emplace_back("one after the other", lower(spec).value());
  result.emplace_back("deferred", lower(hopper(Overlap::deferred, 256, 256, 128, 128, 128, 2)).value());
  result.emplace_back("ping-pong", lower(hopper(Overlap::ping_pong, 256, 256, 128, 128, 128, 1)).value());
  // Three tiles for two clusters, so that the last has one tile less; each operand is shared by the CTAs of a row or column.
  spec = hopper(Overlap::none, 256, 768, 128, 128, 128, 2);
  spec.stages = 2, spec.cluster = IntTuple::tuple({2, 2}), spec.ctas = 8;
  result.emplace_back("clusters of 2 x 2", lower(spec).value());
  return result;
}

}  // namespace

TEST_CASE("every program with one thing changed is answered as a person last read") {
  std::string lines;
  for (const auto& [name, plan] : programs()) {
    REQUIRE(answer(plan) == "accepted");
    lines += name + "\n";
    each_step(plan, lines);
    each_number(plan, lines);
    each_name(plan, lines);
  }
  CHECK(lines == testing::golden("plans/one_change.txt", lines));
}

TEST_CASE("a wait for groups of a kind that nobody begins changes nothing") {
  for (const auto& [name, plan] : programs()) {
    if (plan.barriers.empty()) continue;  // nobody waits
    for (const GroupOf kind : {GroupOf::cp_async, GroupOf::wgmma, GroupOf::bulk}) {
      const auto begins = [&](const Op& op) { return as<Commit>(op) != nullptr && as<Commit>(op)->of == kind; };
      GemmPlan other = plan;
      if (edit(other, begins, nothing) > 0) continue;
      REQUIRE(edit(
                  other, [](const Op& op) { return as<Wait>(op) != nullptr; },
                  [&](const Op& op) {
                    return Block{op, Op{WaitGroup{kind, 0}}};
                  }) > 0);
      INFO(name << ", kind " << static_cast<int>(kind));
      CHECK(answer(other) == "accepted");
    }
  }
}

TEST_CASE("what only the last cluster does wrong, which has a tile less, is refused with its CTA") {
  GemmPlan plan = programs().back().second;
  REQUIRE(plan.m_tiles * plan.n_tiles % plan.grid != 0);
  REQUIRE(edit(
              plan, [](const Op& op) { return as<Expect>(op) != nullptr; },
              [](const Op& op) {
                const When last{Only::tile_missing, Index{"", 1}, 0, std::make_shared<const Block>(Block{op})};
                return Block{op, Op{last}};
              }) == 1);
  CHECK(answer(plan) == "full CTA 4 2 arrivals fill 0 1");
}
