// SPDX-License-Identifier: BSD-3-Clause
// Plans that a person writes: schedules that are no GEMM of ours, and texts that are wrong.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/lower/emittable.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/text/text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

constexpr std::uint32_t kOrders = 8;

// The plan of a document of assets/schedules, whose only binding it is.
std::string schedule(std::string_view name) {
  std::ifstream file(test::source_dir() + "/assets/schedules/" + std::string(name) + ".tess");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begins = text.find("plan \"");
  REQUIRE(begins != std::string::npos);
  return text.substr(begins);
}

std::string with(std::string text, std::string_view part, std::string_view instead) {
  const std::size_t at = text.find(part);
  INFO(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}

// What is said of a text by the first who says something: reader, verify, the machine in several orders.
std::string said_of(const std::string& text) {
  const auto plan = plan::parse_plan(text);
  if (!plan) return plan.error().message;
  if (const auto verdict = verify(*plan); !verdict) return verdict.error().message;
  for (std::uint32_t order = 0; order < kOrders; ++order) {
    if (const auto run = simulate(*plan, {}, {.interleaving = order, .trace = false}); !run) return run.error().message;
  }
  return "nothing";
}

void says(const std::string& text, std::string_view words) {
  const std::string said = said_of(text);
  INFO(said);
  CHECK(said.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("plans that differ in one operation are not equal, however deep it lies", "[written_plans]") {
  const std::string text = schedule("ping_pong_attention");
  const auto plan = plan::parse_plan(text), again = plan::parse_plan(text);
  REQUIRE(plan);
  REQUIRE(again);
  CHECK(*plan == *again);
  // Outside of all loops, in a loop of a role, and under a condition in another role's loop.
  for (const auto& [part, instead] :
       {std::pair("opaque \"load Q\" writes tQ[q] units 6", "opaque \"load Q\" writes tQ[q] units 5"),
        std::pair("opaque \"softmax\" reads tSrS writes tOrP units 8", "opaque \"softmax\" reads tSrS writes tOrP units 9"),
        std::pair("opaque \"load V\" writes tV[v] units 6", "opaque \"load V\" writes tV[v] units 7")}) {
    const auto other = plan::parse_plan(with(text, part, instead));
    REQUIRE(other);
    INFO(instead);
    CHECK_FALSE(*other == *plan);
  }
}

TEST_CASE("schedules that are no GEMM of ours are verified and raced", "[written_plans]") {
  for (const std::string_view name : {"ping_pong_attention", "stream_k"}) {
    INFO(name);
    const std::string text = schedule(name);
    CHECK(said_of(text) == "nothing");
    const GemmPlan plan = plan::parse_plan(text).value();
    CHECK(plan::parse_plan(plan::to_text(plan)).value() == plan);
    CHECK_FALSE(check_emittable(plan));
  }
}

TEST_CASE("softmax hides under the other warpgroup's products", "[written_plans]") {
  const GemmPlan plan = plan::parse_plan(schedule("ping_pong_attention")).value();
  const Simulation run = simulate(plan, {}, {.trace = false, .timeline = true}).value();
  const auto is = [](const Event& event, std::string_view name) {
    const auto* opaque = std::get_if<plan::Opaque>(&event.op->op);
    return opaque != nullptr && opaque->name == name;
  };
  std::int64_t hidden = 0;
  for (const Event& softmax : run.timeline) {
    if (!is(softmax, "softmax")) continue;
    CHECK(softmax.end - softmax.start == 8);  // its units
    for (const Event& product : run.timeline)
      hidden += is(product, "S = Q K") && product.role != softmax.role && product.start < softmax.end && product.end > softmax.start;
  }
  CHECK(hidden > 6);
}

TEST_CASE("ping-pong that is broken is caught", "[written_plans]") {
  const std::string text = schedule("ping_pong_attention");
  says(with(text, "wait k_full[k] \"a tile of K is there\"\n", ""), "stage 0 of sK is read by consumer 0 before its copy has arrived");
  says(with(text, "arrive k_empty[k] \"nobody here reads this tile of K any more\"\n      advance k\n", "advance k\n"),
       "k_empty gets 1 arrivals in the phase of fill 0; it counts 2");
  says(with(text, "arrive \"turn of 0\" threads 128 \"the other one begins\"\n", ""), "the roles wait for ever");
  says(with(text, "wait_group wgmma 0\n      arrive k_empty", "arrive k_empty"), "while its wgmma may still read it");
  says(with(text, "reads tSrS writes tOrP", "reads tOrP writes tSrS"),
       "of rP in thread 0 of consumer 0 is read before anything was written");
}

TEST_CASE("stream-K that is broken is caught", "[written_plans]") {
  const std::string text = schedule("stream_k");
  says(with(text, "wait ready[tile_1] \"worker 2 has done the rest of tile 1\"\n", ""), "stage 1 of workspace is read by worker 1");
  says(with(text, "cursor tile_2 of tiles first 2", "cursor tile_2 of tiles first 1"), "ready gets 256 arrivals in the phase of fill 1");
  says(with(text, "arrive ready[tile_2] threads 128\n", ""), "waits for ready of fill 2, which nobody ends");
  says(with(text, "opaque \"keep partial sums\" reads tWrC writes tWsC[tile_1] units 2\n    arrive ready[tile_1] threads 128",
            "arrive ready[tile_1] threads 128\n    opaque \"keep partial sums\" reads tWrC writes tWsC[tile_1] units 2"),
       "stage 1 of workspace is read by worker 1");
}

namespace {

// Two roles and a ring of one stage.
const std::string kRing = R"(plan "ring" {
  cta threads 256 smem_bytes 8208
  tensor sK shared a f16 (64,64):(64,1) elements 4096 ring K stage_elements 4096
  partition tK of sK modes (val) (1,4096):(0,1)
  partition tKr of sK modes (val, half) (128,(16,2)):(16,(1,2048))
  ring K full full empty empty
  ring L
  barrier full mbarrier arrivals 1 bytes 8192 ring K byte_offset 8192
  barrier empty mbarrier arrivals 128 ring K byte_offset 8200
  cursor k of K
  cursor l of L
  role producer threads 128 {
    loop t = 0 .. 3 {
      wait empty[k]
      when first_thread { expect full[k]; opaque "load" writes tK[k] units 3 barrier full }
      advance k
    }
  }
  role consumer first_thread 128 threads 128 {
    loop t = 0 .. 3 {
      wait full[k]
      opaque "use" reads tKr[k] units 2
      arrive empty[k] threads 128
      advance k
    }
  }
}
)";

}  // namespace

TEST_CASE("a plan that is wrong is refused with its line, its rule and its numbers", "[written_plans]") {
  CHECK(said_of(kRing) == "nothing");
  struct Wrong {
    std::string_view part, instead, words;
  };
  const Wrong wrongs[] = {
      {"wait full[k]", "wait fool[k]", "line 21, column 12 of the plan: the plan has no barrier fool"},
      {"reads tKr[k]", "reads tKr[n]", "line 22, column 30 of the plan: the plan has no cursor n"},
      {"reads tKr[k]", "reads tKr[l]", "line 22 of the plan: consumer takes tKr at cursor l, which is of another ring"},
      {"reads tKr[k]", "reads tKr(half = 2)[k]", "line 22 of the plan: consumer takes tKr at half 2, which has 2"},
      {"reads tKr[k]", "reads tKr(half = t)[k]", "line 22 of the plan: consumer takes tKr at half 2, which has 2"},
      {"reads tKr[k]", "reads tKr(part = 0)[k]", "line 22 of the plan: consumer picks part of tKr, which has no such mode"},
      {"reads tKr[k]", "reads tKr(half = u)[k]", "line 22 of the plan: consumer reads the variable u, which nothing around it sets"},
      {"reads tKr[k]", "reads tKr", "line 22 of the plan: consumer names tKr without saying which stage"},
      {"      arrive empty[k] threads 128\n", "", "producer waits for empty of fill 0, which nobody ends"},
      {"bytes 8192", "bytes 4096", "full gets 8192 bytes in the phase of fill 0; it counts 4096"},
      {"wait full[k]\n", "\n", "line 22 of the plan: stage 0 of sK is read by consumer before its copy has arrived"},
      {"0 .. 3", "0 ..", "where a whole number is wanted"},
      {"0 .. 3", "0 .. 3 step 0", "line 13 of the plan: producer's loop over t steps by 0"},
      {"0 .. 3", "0 .. 99999999999999999999", "where a whole number of at most 63 bits is wanted"},
      {"advance k\n    }\n  }\n}", "advance k\n", "line 20, column 21 of the plan: this { has no }"},
      {"opaque \"use\"", "opaque use", "line 22, column 14 of the plan: \"use\" stands here, where a text in quotes is wanted"},
      {"opaque \"use\"", "opague \"use\"", "line 22, column 7 of the plan: \"opague\" is no operation"},
      {"units 2", "units 2 units 3", "line 22, column 41 of the plan: units stands here a second time"},
      {"units 2", "unit 2", "line 22, column 33 of the plan: \"unit\" is no part of this line"},
      {"units 2", "units 1e9", "takes 1000000000 units; they are 0 to 10000"},
      {"ring L\n", "ring L\n  ring L\n", "several of the plan's rings are L"},
      {"modes (val) (1,4096):(0,1)", "modes (val) (1,4096):(0,1,2)",
       "line 4, column 34 of the plan: shape (1,4096) and stride (0,1,2) are not congruent"},
      {"modes (val) (1,4096):(0,1)", "modes (val) 4096:1", "a partition of sK has the modes (thr, values)"},
      {"modes (val, half) (128,(16,2))", "modes (val, half, part) (128,(16,2))", "its values have 2 modes, and 3 names"},
      {"threads 256", "threads 4096", "the CTA has threads 4096; it is 1 to 1024"},
      {"first_thread 128 threads 128", "first_thread 64 threads 128", "a thread has one role"},
      {"first_thread 128 threads 128", "first_thread 128 threads 128 members 0", "consumer has 0 members of 128 threads from 128 on"},
      {"arrivals 128", "arrivals 128 members 0", "empty has 0 members"},
      {"smem_bytes 8208", "smem_bytes 100", "sK is at bytes 0 to 8191; the CTA has 100 of shared memory"},
      {"cursor l of L", "cursor l of L\n  problem 1 x 1 x 1", "the plan has a line problem and none that begins with mma"},
      {"cursor l of L", "cursor l of M", "line 11, column 15 of the plan: the plan has no ring M"},
      {"cursor l of L", "cursed l of L", "line 11, column 3 of the plan: \"cursed\" begins no line of a plan"},
      {"barrier full mbarrier", "barrier full mbarier", "one of cta, named, mbarrier, cluster is wanted"},
      {"opaque \"use\" reads tKr[k] units 2", "next_tile t",
       "line 22 of the plan: consumer takes a tile of C, and the plan has no tiled MMA"},
      {"opaque \"use\" reads tKr[k] units 2", "copy load_store tKr[k] -> tKr[k] $", "\"$\" does not occur in a plan"},
      {"opaque \"use\"", "opaque \"use", "these quotes have no end on their line"},
  };
  for (const Wrong& wrong : wrongs) {
    INFO(wrong.instead);
    says(with(kRing, wrong.part, wrong.instead), wrong.words);
  }
}

TEST_CASE("a wait that stands too late is told from one that is not there, and from one for other fills", "[written_plans]") {
  const std::string no_full = with(kRing, "      wait full[k]\n", ""), no_empty = with(kRing, "      wait empty[k]\n", "");
  says(no_full, "before its copy has arrived: nobody here waits for full");
  says(with(no_full, "reads tKr[k] units 2\n", "reads tKr[k] units 2\n      wait full[k]\n"),
       "line 21 of the plan: stage 0 of sK is read by consumer before its copy has arrived: consumer waits for full too late");
  says(with(no_full, "      opaque \"use\"", "      wait full[k - 1]\n      opaque \"use\""), "consumer waits for full too late");
  says(with(no_empty, "barrier full }\n", "barrier full }\n      wait empty[k]\n"),
       "overwritten too early by producer: producer waits for empty too late");
  says(no_empty, "overwritten too early by producer: nobody here waits for empty");
  const std::string once =
      with(no_full, "role consumer first_thread 128 threads 128 {\n", "role consumer first_thread 128 threads 128 {\n    wait full[k]\n");
  says(once, "before its copy has arrived: consumer waits for full, but never for this fill of the stage");
}

TEST_CASE("nobody waits for ever while an operation is at work, however long it takes", "[written_plans]") {
  for (int units = 1; units < 40; ++units) {
    INFO(units);
    CHECK(said_of(with(kRing, "reads tKr[k] units 2", "reads tKr[k] units " + std::to_string(units))) == "nothing");
    CHECK(said_of(with(kRing, "units 3 barrier full", "units " + std::to_string(units) + " barrier full")) == "nothing");
  }
}

TEST_CASE("what an opaque operation of threads takes is over before its role goes on", "[written_plans]") {
  const GemmPlan plan =
      plan::parse_plan(with(kRing, "opaque \"use\" reads tKr[k] units 2", "opaque \"use\" reads tKr[k] units 30")).value();
  const Result<Simulation> made = simulate(plan, {}, {.trace = false, .timeline = true});
  INFO((made ? "" : describe(made.error())));
  REQUIRE(made);
  const Simulation& run = *made;
  std::int64_t end = -1, seen = 0;
  for (const Event& event : run.timeline) {
    const auto* opaque = std::get_if<plan::Opaque>(&event.op->op);
    if (opaque == nullptr || opaque->name != "use") continue;
    CHECK(event.end - event.start == 30);
    CHECK(event.start >= end);
    end = event.end;
    ++seen;
  }
  CHECK(seen > 2);
}

TEST_CASE("registers that nobody wrote are not read by an opaque operation", "[written_plans]") {
  std::string text = with(kRing, "  ring K", "  tensor rS registers c f32 4:1 elements 4\n  partition tS of rS modes (val) 4:1\n  ring K");
  says(with(text, "reads tKr[k]", "reads tKr[k], tS"), "line 24 of the plan: register 0 of rS in thread 0 of consumer is read");
  text = with(text, "opaque \"use\"", "opaque \"begin\" writes tS; opaque \"use\"");
  CHECK(said_of(with(text, "reads tKr[k]", "reads tKr[k], tS")) == "nothing");
}

TEST_CASE("a text of 100,000 operations is refused soon, and so is one with many brackets", "[written_plans]") {
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "      advance k\n";
  says(with(kRing, "      wait full[k]\n", many), "the plan has more than 20000 operations");
  std::string deep, end;
  for (int i = 0; i < 1000; ++i) deep += "when 0 < 1 {", end += "}";
  says(with(kRing, "      wait full[k]\n", deep + end), "blocks are inside each other more than 64 deep");
  says(with(kRing, "(64,64):(64,1)", std::string(100000, '(')), "parentheses inside each other");
  for (const std::string_view text :
       {"", "plan", "plan {", "plan { } }", "plan { role x { } ", "{", "plan { cta cta }", "\"", "plan \"x\" { mma }"})
    CHECK(said_of(std::string(text)) != "nothing");
}

TEST_CASE("a text that is cut anywhere is refused or read, and never more", "[written_plans]") {
  for (const std::string_view name : {"ping_pong_attention", "stream_k"}) {
    const std::string text = schedule(name);
    for (std::size_t end = 0; end + 2 < text.size(); end += 37) CHECK_FALSE(plan::parse_plan(text.substr(0, end)));
  }
}
