// SPDX-License-Identifier: BSD-3-Clause
// What `verify` refuses of a program, beyond the broken pipelines: names, threads, registers and memory; and how long it takes.
#include "core/gemm/plan/verify.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::support;

namespace {

GemmPlan pipeline() { return lower(support::tensor(64, 64, 160, 64, 64, 32, 3)).value(); }
GemmPlan ring() { return lower(support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2)).value(); }

bool says(const GemmPlan& plan, std::string_view words) {
  const auto verdict = verify(plan);
  const std::string said = verdict ? "nothing" : verdict.error().message;
  INFO(said);
  CHECK(said.find(words) != std::string::npos);
  return said.find(words) != std::string::npos;
}

// How many blocks are inside each other below this one.
int depth_of(const GemmPlan& plan, const Block& block) {
  int deepest = 0;
  each_op_of(plan, block, [&](const Op& op, int depth) { deepest = std::max(deepest, depth + (inside(op, &plan) != nullptr)); });
  return deepest;
}

template <class T>
void change(GemmPlan& plan, const std::function<void(T&)>& how, std::string_view role = {}) {
  REQUIRE(edit(
              plan, [](const Op& op) { return as<T>(op) != nullptr; }, changed<T>(how), role) > 0);
}

}  // namespace

TEST_CASE("a program that names what is not there is refused") {
  GemmPlan plan = pipeline();
  SECTION("a partition") {
    change<Copy>(plan, [](Copy& copy) { copy.from.partition = 99; });
    says(plan, "cta names partition 99, and the plan has");
  }
  SECTION("a cursor") {
    change<Advance>(plan, [](Advance& advance) { advance.cursor = 7; });
    says(plan, "cta names cursor 7, and the plan has 2");
  }
  SECTION("a cursor of another ring") {
    plan.rings.push_back({"other", 2});
    plan.cursors[0].ring = 1;
    says(plan, "at cursor read, which is of another ring");
  }
  SECTION("a barrier") {
    change<Wait>(plan, [](Wait& wait) { wait.barrier = 3; });
    says(plan, "cta names barrier 3, and the plan has 1");
  }
  SECTION("a function") {
    change<Named>(plan, [](Named& named) { named.function = 9; });
    says(plan, "cta names function 9");
  }
  SECTION("a function with another argument") {
    change<Named>(plan, [](Named& named) { named.arguments.emplace_back(); });
    says(plan, "arguments; it has");
  }
  SECTION("a function that calls itself") {
    plan.functions[0].body.push_back(Op{Named{0, {Index{}}}});
    says(plan, "cta calls itself");
  }
  SECTION("a variable") {
    change<Mma>(plan, [](Mma& mma) { mma.clears = {Index{"moon"}}; });
    says(plan, "cta reads the variable moon, which nothing around it sets");
  }
  SECTION("a mode") {
    change<Mma>(plan, [](Mma& mma) { mma.a.picks = {{"MMA_X", Index{}}}; });
    says(plan, "picks MMA_X of tCrA, which has no such mode");
  }
  SECTION("a stage without a cursor") {
    change<Copy>(plan, [](Copy& copy) { copy.from.stage = {}; });
    says(plan, "without saying which stage");
  }
  SECTION("a tensor") {
    plan.partitions[0].tensor = 99;
    says(plan, "names tensor 99");
  }
}

TEST_CASE("threads that store as many elements as a tile has, but the same ones, are told") {
  GemmPlan plan = pipeline();
  for (Partition& partition : plan.partitions) {
    const Tensor& tensor = plan.tensors[partition.tensor];
    if (tensor.space != Space::global || tensor.operand != Operand::c) continue;
    const Layout plain = plain_part(partition.layout);
    partition.layout = make_layout({Layout::trusted(plain[0].size(), 0), plain[1]});  // thr -> what thread 0 stores
  }
  says(plan, "element 0 of gC's tile is stored twice");
}

TEST_CASE("a program may be 64 blocks deep, and no deeper") {
  GemmPlan plan = pipeline();
  const int own = depth_of(plan, plan.roles[0].block);
  for (int depth = 1; depth <= 65; ++depth) {
    Block& block = plan.roles[0].block;
    block = Block{Op{When{Only::at_least, Index{}, 0, std::make_shared<const Block>(block)}}};
    const auto verdict = verify(plan);
    if (depth + own > 64)
      says(plan, "cta calls itself");
    else
      CHECK(verdict.has_value());
  }
}

TEST_CASE("roles that the hardware cannot give are refused") {
  GemmPlan plan = ring();
  SECTION("threads of two roles") {
    plan.roles[1].first_thread = 64;
    says(plan, "consumer has threads 0 to 255, producer threads 64 to 191: a thread has one role");
  }
  SECTION("no roles") {
    plan.roles.clear();
    says(plan, "no roles");
  }
  SECTION("wgmma without a warpgroup") {
    plan.roles[0].threads = 64;
    says(plan, "consumer 0 of CTA 0 multiplies by wgmma with threads 0 to 63; a warpgroup is 128 threads");
  }
  SECTION("wgmma on half of two warpgroups") {
    for (Role& role : plan.roles) role.first_thread += 64;
    plan.threads += 64;
    says(plan, "with threads 64 to 191; a warpgroup is 128 threads from a multiple of 128 on");
  }
  SECTION("registers that are no multiple of 8") {
    plan.roles[0].registers = 100;
    says(plan, "consumer sets 100 registers; setmaxnreg takes multiples of 8 from 24 to 256");
  }
  SECTION("more registers than there are") {
    plan.roles[0].registers = 256;
    says(plan, "the roles set 70656 registers in all; the register file has 65536");
  }
  SECTION("more registers than the CTA begins with") {
    plan.roles[1].registers = 48;
    change<SetRegisters>(
        plan, [](SetRegisters& set) { set.count = 48; }, "producer");
    says(plan, "the roles want 65536 registers in all; 384 threads begin with 168 each, 64512, and wait for more forever");
    plan.roles[1].registers = 40;
    change<SetRegisters>(
        plan, [](SetRegisters& set) { set.count = 40; }, "producer");
    CHECK(verify(plan));
    plan.roles[1].registers = 0;
    std::erase_if(plan.roles[1].block, [](const Op& op) { return std::holds_alternative<SetRegisters>(op.op); });
    says(plan, "the roles want 80896 registers in all");
  }
  SECTION("other registers than its operation says") {
    change<SetRegisters>(
        plan, [](SetRegisters& set) { set.count = 24; }, "producer");
    says(plan, "sets 24 registers; its role says 40");
  }
  SECTION("a named barrier of half a warp") {
    plan.barriers[3].arrivals = 48;
    says(plan, "box counts 48 threads; a named barrier counts whole warps");
  }
  SECTION("more named barriers than there are") {
    for (int i = 0; i < 7; ++i) plan.barriers.push_back(plan.barriers[3]);
    says(plan, "the plan has 16 named barriers; a CTA has 15");
  }
}

TEST_CASE("tensors that do not fit in shared memory are refused") {
  GemmPlan plan = ring();
  SECTION("beyond the CTA's bytes") {
    plan.smem_bytes -= 65536;
    says(plan, "of shared memory");
  }
  SECTION("over each other") {
    plan.tensors[plan.operands[1].smem].byte_offset -= 1024;
    says(plan, "sB from");
  }
  SECTION("more than a device has, by the number of stages") {
    GemmSpec spec = support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2);
    spec.stages = 8;
    const auto refused = check_device(lower(spec).value(), 90, smem_bytes_per_block(90).value());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::too_much_smem);
    CHECK(refused.error().message.find("8 stages") != std::string::npos);
    CHECK(refused.error().message.find("232448") != std::string::npos);
  }
}

TEST_CASE("operations that are not committed are refused where they are waited for") {
  GemmPlan plan = pipeline();
  edit(
      plan, [](const Op& op) { return as<Commit>(op) != nullptr; }, nothing);
  says(plan, "not committed");
}

TEST_CASE("a stage that threads read is released by all of them, or after a barrier") {
  GemmPlan plan = ring();
  const auto reads_by_threads = [](const Op& op) {
    const Mma& mma = std::get<Mma>(op.op);
    Copy copy;
    copy.from = At{mma.a.partition, {}, mma.a.stage}, copy.to = At{mma.c.partition};
    return Block{op, Op{copy}};
  };
  REQUIRE(edit(
              plan, [](const Op& op) { return as<Mma>(op) != nullptr; }, reads_by_threads) > 0);
  SECTION("by one of them") { says(plan, "while other threads may still read it"); }
  SECTION("by all of them") {
    change<Arrive>(plan, [](Arrive& arrive) { arrive.threads = 128; });
    plan.barriers[1].arrivals *= 128;
    REQUIRE(plan.barriers[1].name == "empty");
    CHECK(verify(plan).has_value());
  }
}

TEST_CASE("a fence of what all threads wrote comes before their barrier, and not after it") {
  GemmPlan plan = ring();
  const auto is_fence = [](const Op& op) { return as<Fence>(op) != nullptr && as<Fence>(op)->kind == FenceKind::proxy_async; };
  REQUIRE(edit(plan, is_fence, nothing) > 0);
  REQUIRE(edit(
              plan,
              [&](const Op& op) { return as<Wait>(op) != nullptr && plan.barriers[as<Wait>(op)->barrier].kind == BarrierKind::named; },
              [](const Op& op) {
                return Block{op, Op{Fence{FenceKind::proxy_async}}};
              }) > 0);
  says(plan, "without a fence proxy_async before the barrier");
}

TEST_CASE("a program with many k-tiles is verified in milliseconds", "[.timing]") {
  const GemmPlan plan = lower(support::wide_stores(support::tensor(4096, 4096, 4096, 128, 256, 64, 3, 2, 4), 4)).value();
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 10; ++i) REQUIRE(verify(plan).has_value());
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / 10;
  INFO(seconds);
  CHECK(seconds < 0.05);
}
