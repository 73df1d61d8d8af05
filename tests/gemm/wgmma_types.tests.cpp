// SPDX-License-Identifier: BSD-3-Clause
// wgmma of every type: simulated as it is defined, with C's elements added in the boxes that they leave by; and what `lower` refuses.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/lower/emittable.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;
using namespace tessera::plan;
using support::as, support::edit, support::nothing, support::wgmma;

namespace {

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

std::string said_by_verify(const GemmPlan& plan) {
  const auto verdict = verify(plan);
  return verdict ? "nothing" : describe(verdict.error());
}

std::string said_by_machine(const GemmPlan& plan) {
  for (std::uint32_t interleaving = 0; interleaving < 4; ++interleaving) {
    const auto result = simulate(plan, integer_input(plan, 5), {.interleaving = interleaving, .trace = false});
    if (!result) return describe(result.error());
  }
  return "nothing";
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

support::Matches waits_on(const GemmPlan& plan, std::string_view barrier) {
  return
      [&plan, barrier](const Op& op) { return as<Wait>(op) != nullptr && plan.barriers[as<Wait>(op)->barrier].name.starts_with(barrier); };
}
// The TMA copies of C's elements to shared memory.
support::Matches loads_of_c(const GemmPlan& plan) {
  return [&plan](const Op& op) {
    const auto* copy = as<Copy>(op);
    return copy != nullptr && copy->by == CopyBy::tma_load &&
           plan.tensors[plan.partitions[copy->to.partition].tensor].operand == Operand::c;
  };
}

}  // namespace

TEST_CASE("wgmma of every type is simulated as the product is defined, bit by bit") {
  std::uint32_t seed = 0;
  for (const GemmSpec& spec : support::wgmma_specs()) {
    const auto plan = lower(spec);
    INFO(spec.name << (plan ? "" : ": " + describe(plan.error())));
    REQUIRE(plan.has_value());
    CHECK(check_emittable(*plan).has_value());
    const SimulationInput input = integer_input(*plan, ++seed);
    const std::vector<double> want = reference(*plan, input);
    const auto result = simulate(*plan, input, {.interleaving = seed % 6, .trace = false});
    INFO("interleaving " << seed % 6 << (result ? "" : ": " + describe(result.error())));
    REQUIRE(result.has_value());
    CHECK(result->c == want);
  }
}

TEST_CASE("an operand of ScaleIn::Neg is multiplied by -1, and two of them are not") {
  const auto product = [](const char* args) {
    const GemmPlan plan = lower(wgmma(std::string("32_F32E4M3E4M3_SS_TN") + args, ValueType::f32, Overlap::none)).value();
    return simulate(plan, integer_input(plan, 3), {.trace = false})->c;
  };
  const std::vector<double> plain = product("");
  std::vector<double> negative = plain;
  for (double& each : negative) each = -each;
  CHECK(product("<ScaleIn::Neg>") == negative);
  CHECK(product("<ScaleIn::One,ScaleIn::Neg>") == negative);
  CHECK(product("<ScaleIn::Neg,ScaleIn::Neg>") == plain);
  CHECK(plain != negative);
}

TEST_CASE("a k-tile of wgmma has 128 bytes of K, whatever its type") {
  for (const support::WgmmaTypes& types : support::wgmma_types()) {
    const GemmPlan plan = lower(wgmma(types.atom, types.type_c, Overlap::none)).value();
    INFO(types.atom);
    for (const Operand operand : {Operand::a, Operand::b}) CHECK(plan.blk_k * bits(plan.smem(operand).type) / 8 == 128);
    CHECK(plan.maps[2].box_columns * bits(types.type_c) / 8 == 128);
    GemmSpec other = wgmma(types.atom, types.type_c, Overlap::none);
    const bool k_major = !plan.mma->atom().mn_major_a;
    other.cta_tiler = IntTuple::tuple({plan.blk_m, plan.blk_n, plan.blk_k / 2});
    if (k_major) CHECK(mentions(refusal(other), "rows of 128 bytes along K"));
  }
}

TEST_CASE("C's elements are added in the box that they leave by, and its mbarrier, its barriers and its stores keep them apart") {
  for (const ValueType type : {ValueType::f32, ValueType::bf16}) {
    INFO(short_name(type));
    const GemmPlan whole = lower(wgmma("16_F32BF16BF16_SS<K,K>", type, Overlap::none, 2, 0.5)).value();
    CHECK(said_by_verify(whole) == "nothing");
    CHECK(said_by_machine(whole) == "nothing");
    GemmPlan plan = whole;
    REQUIRE(edit(plan, waits_on(whole, "c_full"), nothing) == 1);
    CHECK(mentions(said_by_verify(plan), "nobody here waits for c_full"));
    CHECK(mentions(said_by_machine(plan), "before its copy has arrived"));
    plan = whole;
    int count = 0;
    const auto first_of_two = [&](const Op& op) { return waits_on(whole, "box")(op) && count++ % 2 == 0; };
    REQUIRE(edit(plan, first_of_two, nothing) == 1);
    CHECK(mentions(said_by_verify(plan), "other threads may still read it"));
    plan = whole;
    REQUIRE(edit(
                plan, [](const Op& op) { return as<WaitGroup>(op) != nullptr && as<WaitGroup>(op)->only_read; }, nothing) == 1);
    CHECK(mentions(said_by_verify(plan), "its tma_store may still read it"));
    CHECK(mentions(said_by_machine(plan), "overwritten too early"));
    plan = whole;
    REQUIRE(edit(plan, loads_of_c(whole), nothing) == 1);
    CHECK(said_by_verify(plan) != "nothing");
    CHECK(said_by_machine(plan) != "nothing");
    plan = whole;
    plan.barriers.back().bytes = plan::Num(plan.barriers.back().bytes / 2);
    CHECK(mentions(said_by_verify(plan), "c_full 0"));
  }
}

TEST_CASE("C's elements that are added are no stores of C, and no writes of its boxes") {
  const auto accesses = [](double beta) {
    const GemmPlan plan = lower(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::f32, Overlap::none, 1, beta)).value();
    const Simulation result = simulate(plan, integer_input(plan, 3)).value();
    std::map<Access::Step, int> counts;
    for (const Access& access : result.trace) ++counts[access.step];
    return counts;
  };
  CHECK(accesses(1) == accesses(0));
  CHECK(accesses(0)[Access::Step::store_c] > 0);
  CHECK(accesses(0)[Access::Step::stage_c] > 0);
}

TEST_CASE("what a schedule of wgmma cannot store is refused, with what can") {
  const auto refused = [](const char* atom, ValueType type_c, Overlap overlap, double beta, std::string_view words,
                          std::string_view instead) {
    const std::string said = refusal(wgmma(atom, type_c, overlap, 1, beta));
    INFO(said);
    CHECK(mentions(said, words));
    CHECK(mentions(said, instead));
  };
  refused("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::deferred, 1, "rounds a tile before", "overlap=none");
  refused("16_F32BF16BF16_SS<K,K>", ValueType::f32, Overlap::deferred, 0, "in 16 bits; f32 has 32", "overlap=none");
  refused("32_S32S8S8_SS_TN", ValueType::i8, Overlap::none, 0, "boxes of C hold f16, bf16, f32 or s32; type_c is s8", "type_c=");
  refused("32_F32E4M3E4M3_SS_TN", ValueType::e4m3, Overlap::none, 0, "type_c is e4m3", "type_c=bf16");
  GemmSpec spec = wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, Overlap::none);
  spec.gA = Layout::make(IntTuple::tuple({spec.m, spec.k}), IntTuple::tuple({1, spec.m})).value();
  CHECK(mentions(refusal(spec), "wgmma reads tf32 along K only"));
  CHECK(mentions(refusal(spec), "mma.sync"));
  spec = wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, Overlap::none);
  spec.store_boxes = 2;
  CHECK(refusal(spec) == "accepted");
  spec.store_boxes = 3;
  CHECK(mentions(refusal(spec), "1 to 2 boxes of 32 columns"));
}
