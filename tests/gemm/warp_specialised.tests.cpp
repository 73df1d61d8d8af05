// SPDX-License-Identifier: BSD-3-Clause
// The programs of a producer and its consumers, and what `lower` refuses of them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/walk.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

// 2 x 2 tiles of C by one cluster of two CTAs: each computes two, one below the other in the grid.
GemmSpec small(Overlap overlap, std::int64_t k = 256) {
  switch (overlap) {
    case Overlap::none:
    case Overlap::deferred: return support::hopper(overlap, 256, 256, k, 128, 128, 2);
    case Overlap::skewed: return support::hopper(overlap, 512, 256, k, 256, 128, 2);
    case Overlap::ping_pong: return support::hopper(overlap, 256, 256, k, 128, 128, 1);
  }
  return {};
}

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

plan::Walk walk_of(const GemmPlan& plan, std::string_view name, std::int64_t cta = 0) {
  const std::vector<plan::Member> all = plan.members();
  const auto found = std::find_if(all.begin(), all.end(), [&](const plan::Member& each) { return each.name == name; });
  REQUIRE(found != all.end());
  return {plan, *found->role, cta, found->index};
}

// How often a role executes each kind of operation, by the first word of its explanation.
std::map<std::string, int> counts(const GemmPlan& plan, std::string_view name) {
  std::map<std::string, int> found;
  plan::Walk walk = walk_of(plan, name);
  while (const auto step = walk.next()) {
    const std::string text = explain(plan, *step->op);
    ++found[text.substr(0, text.find(' '))];
  }
  return found;
}

}  // namespace

TEST_CASE("a producer fills a stage for every k-tile, and each consumer multiplies and releases each of its own once") {
  for (const Overlap overlap : {Overlap::none, Overlap::deferred, Overlap::skewed, Overlap::ping_pong}) {
    for (const std::int64_t k : {128, 192, 448}) {
      INFO("overlap " << static_cast<int>(overlap) << ", k " << k);
      const GemmPlan plan = lower(small(overlap, k)).value();
      const int fills = 2 * static_cast<int>(k / 64), shared = overlap == Overlap::ping_pong ? fills / 2 : fills;
      auto produced = counts(plan, "producer");
      CHECK(produced["TMA"] == 2 * fills);
      CHECK(produced["expect"] == fills);
      for (const char* name : {"consumer 0", "consumer 1"}) {
        INFO(name);
        std::map<std::int64_t, int> released;
        int stored = 0;
        plan::Walk walk = walk_of(plan, name);
        while (const auto step = walk.next()) {
          const auto* arrive = std::get_if<plan::Arrive>(&step->op->op);
          if (arrive != nullptr && plan.barriers[arrive->barrier].name == "empty") ++released[walk.fill(arrive->stage)];
          const auto* copy = std::get_if<plan::Copy>(&step->op->op);
          stored += copy != nullptr && copy->by == plan::CopyBy::tma_store;
        }
        CHECK(released.size() == static_cast<std::size_t>(shared));
        for (const auto& [fill, times] : released) CHECK(times == 1);
        CHECK(stored * 64 * 64 == plan.blk_m * plan.blk_n);  // half of two tiles, or one tile
      }
    }
  }
}

TEST_CASE("without a producer the first warpgroup begins the copies of each k-tile once, as many tiles ahead as there is room for") {
  for (const std::int64_t k : {64, 128, 192, 448}) {
    INFO("k " << k);
    GemmSpec spec = small(Overlap::none, k);
    CHECK(lower(spec)->copies == Copies::producer);
    spec.copies = Copies::ahead;
    const GemmPlan plan = lower(spec).value();
    REQUIRE(plan.roles.size() == 1);
    CHECK(plan.roles.front().members == 2);
    CHECK(plan.threads == 256);
    for (const plan::Role& each : plan.roles) CHECK(each.registers == 0);  // nobody is there to take them from
    const int fills = 2 * static_cast<int>(k / 64);
    CHECK(counts(plan, "warpgroup 0")["TMA"] == counts(plan, "warpgroup 1")["TMA"] + 2 * fills);
    std::int64_t begun = 0, multiplied = 0, most = 0;
    plan::Walk walk = walk_of(plan, "warpgroup 0");
    while (const auto step = walk.next()) {
      begun += std::get_if<plan::Expect>(&step->op->op) != nullptr;
      if (std::get_if<plan::Mma>(&step->op->op) == nullptr) continue;
      CHECK(begun > multiplied);
      most = std::max(most, begun - multiplied++);
    }
    CHECK(begun == fills);
    CHECK(multiplied == fills);
    CHECK(most == std::min(plan.stages() - 1, k / 64));
  }
}

TEST_CASE("the roles of a cluster wait for each other at the end too, and those of a CTA without one may leave") {
  for (const bool clustered : {false, true}) {
    GemmSpec spec = small(Overlap::none);
    if (!clustered) spec.cluster = 1;
    const GemmPlan plan = lower(spec).value();
    const plan::Barrier& all = plan.barriers[2];
    CHECK(all.kind == (clustered ? plan::BarrierKind::cluster : plan::BarrierKind::cta));
    CHECK(all.arrivals == plan.threads * plan.cluster_size());
    for (const plan::Role& each : plan.roles) {
      INFO(each.name << (clustered ? " in a cluster" : ""));
      const auto waits = [&](const plan::Op& op) {
        return std::holds_alternative<plan::Wait>(op.op) && std::get<plan::Wait>(op.op).barrier == 2;
      };
      CHECK(std::count_if(each.block.begin(), each.block.end(), waits) == (clustered ? 2 : 1));
      CHECK(waits(each.block.back()) == clustered);
    }
  }
}

TEST_CASE("a tile of a persistent grid is the raster's, for each CTA of its cluster") {
  const GemmPlan plan = lower(small(Overlap::none)).value();
  std::vector<std::array<std::int64_t, 3>> places;
  for (const std::int64_t cta : {0, 1}) {
    plan::Walk walk = walk_of(plan, "producer", cta);
    while (const auto step = walk.next()) {
      if (std::holds_alternative<plan::NextTile>(step->op->op)) places.push_back({cta, walk.tile().m_tile, walk.tile().n_tile});
    }
  }
  CHECK(places == std::vector<std::array<std::int64_t, 3>>{{0, 0, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}});
}

TEST_CASE("a zigzag walks the k-tiles backwards in every second tile") {
  GemmSpec spec = small(Overlap::none);
  spec.k_order = KOrder::zigzag;
  const GemmPlan plan = lower(spec).value();
  std::vector<std::int64_t> k_tiles;
  plan::Walk walk = walk_of(plan, "producer");
  while (const auto step = walk.next()) {
    const auto* copy = std::get_if<plan::Copy>(&step->op->op);
    if (copy != nullptr && copy->map == 0) k_tiles.push_back(walk.k_tile(copy->from.picks.front().at));
  }
  CHECK(k_tiles == std::vector<std::int64_t>{0, 1, 2, 3, 3, 2, 1, 0});
}

TEST_CASE("a descriptor says the stage that is drawn, element by element") {
  const GemmPlan plan = lower(small(Overlap::skewed)).value();
  for (const plan::Descriptor& descriptor : plan.descriptors) {
    const plan::Tensor& tensor = plan.tensors[descriptor.tensor];
    const std::int64_t bytes = bits(tensor.type) / 8, rows = shape(tensor.layout)[0].value(), columns = shape(tensor.layout)[1].value();
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) {
        const std::int64_t address = r / 8 * descriptor.stride_bytes + r % 8 * descriptor.swizzle_bytes + c * bytes;
        REQUIRE((address ^ (address >> 7 & 7) << 4) == evaluate(tensor.layout, r, c) * bytes);
      }
    }
  }
}

TEST_CASE("a cluster of eight CTAs is the largest, along either mode") {
  for (const bool rows : {true, false}) {
    GemmSpec spec = support::hopper(Overlap::none, rows ? 1024 : 128, rows ? 128 : 1024, 128, 128, 128, 2);
    spec.ctas = 8;
    spec.cluster = rows ? IntTuple::tuple({8, 1}) : IntTuple::tuple({1, 8});
    CHECK(refusal(spec) == "accepted");
    spec.cluster = rows ? IntTuple::tuple({9, 1}) : IntTuple::tuple({1, 9});
    CHECK(mentions(refusal(spec), "each 1 to 8"));
  }
}

TEST_CASE("each rule of a producer and consumers is refused by its numbers and its field") {
  GemmSpec spec = small(Overlap::none);
  SECTION("one stage") {
    spec.stages = 1;
    CHECK(mentions(refusal(spec), "stages is 1"));
    CHECK(mentions(refusal(spec), "stages=4"));
  }
  SECTION("a cluster of another form") {
    spec.cluster = IntTuple::tuple({2, 1, 1});
    CHECK(mentions(refusal(spec), "cluster is (2,1,1)"));
  }
  SECTION("a cluster of no CTAs") {
    spec.cluster = IntTuple::tuple({0, 1});
    CHECK(mentions(refusal(spec), "cluster is (0,1)"));
  }
  SECTION("a cluster of sixteen") {
    spec.cluster = IntTuple::tuple({4, 4});
    CHECK(mentions(refusal(spec), "has 16 CTAs"));
  }
  SECTION("a grid that is no multiple of the cluster") {
    spec.ctas = 3;
    CHECK(mentions(refusal(spec), "ctas is 3"));
  }
  SECTION("more CTAs than tiles") {
    spec.ctas = 6;
    const GemmPlan plan = lower(spec).value();
    CHECK(plan.grid == plan.m_tiles * plan.n_tiles);
    REQUIRE(plan.notes.size() == 1);
    CHECK(plan.notes[0] == "ctas=6 is more than the 4 tiles of C: the grid has 4 CTAs, one for each");
  }
  SECTION("a grid that is no multiple of the cluster, which is told the nearest that is") {
    spec.m = 128 * 20, spec.ctas = 17;
    CHECK(lower(spec).error().notes == std::vector<std::string>{"ctas=18"});
    spec.ctas = 1;
    CHECK(lower(spec).error().notes == std::vector<std::string>{"ctas=2"});
  }
  SECTION("C of 64 bits") {
    spec.type_c = ValueType::f64;
    CHECK(mentions(refusal(spec), "type_c is f64"));
  }
  SECTION("a C that is read") {
    spec.beta = 1.0;
    CHECK(refusal(spec) == "accepted");
    spec.overlap = Overlap::deferred;
    CHECK(mentions(refusal(spec), "beta is 1"));
  }
  SECTION("boxes that are left out are as many as a tile has") {
    spec = support::hopper(Overlap::none, 256, 128, 256, 128, 64, 2);
    const GemmPlan plan = lower(spec).value();
    CHECK(plan.rings.back().stages == 1);
    spec.store_boxes = 9;
    CHECK(lower(spec).error().notes == std::vector<std::string>{"store_boxes=1"});
  }
  SECTION("more boxes than columns") {
    spec.store_boxes = 3;
    CHECK(mentions(refusal(spec), "store_boxes is 3"));
  }
  SECTION("a stage that no descriptor says") {
    spec.sA = support::layout(IntTuple::tuple({128, 64}), IntTuple::tuple({64, 1}));
    CHECK(mentions(refusal(spec), "descriptor"));
    CHECK(mentions(refusal(spec), "sA left out"));
  }
  SECTION("a tile of K that is no row of 128 bytes") {
    spec.cta_tiler = IntTuple::tuple({128, 128, 32});
    CHECK(mentions(refusal(spec), "128 bytes"));
  }
  SECTION("an A that TMA cannot read") {
    spec.gA = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({1, 256}));
    CHECK(mentions(refusal(spec), "TMA needs rows"));
  }
  SECTION("a pitch that is no multiple of 16 bytes") {
    spec.gA = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({257, 1}));
    CHECK(mentions(refusal(spec), "16 bytes"));
  }
  SECTION("an atom narrower than the tile") {
    spec.n = 512, spec.cta_tiler = IntTuple::tuple({128, 256, 64});
    CHECK(mentions(refusal(spec), "BLK_N is 256"));
  }
  SECTION("deferred with two halves") {
    spec = small(Overlap::skewed);
    spec.overlap = Overlap::deferred;
    CHECK(mentions(refusal(spec), "overlap=deferred"));
  }
  SECTION("skewed with one half") {
    spec.overlap = Overlap::skewed;
    CHECK(mentions(refusal(spec), "overlap=skewed needs two halves"));
  }
  SECTION("skewed with one tile of K") {
    spec = small(Overlap::skewed, 64);
    CHECK(mentions(refusal(spec), "there are 1 k-tiles"));
  }
  SECTION("ping-pong with two warpgroups a tile") {
    spec.overlap = Overlap::ping_pong;
    CHECK(mentions(refusal(spec), "overlap=ping_pong"));
  }
  SECTION("fields of threads that copy, with wgmma") {
    const GemmSpec threads = support::tensor(256, 256, 256);
    const auto told = [&](const char* name, auto set) {
      spec = small(Overlap::none);
      set(spec);
      CHECK(mentions(refusal(spec), std::string(name) + " is for threads that copy and load"));
    };
    told("copy_a", [&](GemmSpec& one) { one.copy_a = support::rows_of_8("UniversalCopy<uint128_t>", 128, 32); });
    told("copy_b", [&](GemmSpec& one) { one.copy_b = support::rows_of_8("UniversalCopy<uint128_t>", 128, 32); });
    told("smem_copy_a", [&](GemmSpec& one) { one.smem_copy_a = threads.smem_copy_a; });
    told("smem_copy_b", [&](GemmSpec& one) { one.smem_copy_b = threads.smem_copy_b; });
    told("fragments", [](GemmSpec& one) { one.fragments = Fragments::one_k_block; });
    told("copies=waited_for", [](GemmSpec& one) { one.copies = Copies::waited_for; });
  }
  SECTION("what only a producer makes room for") {
    const auto told = [&](const char* name, auto set) {
      spec = small(Overlap::none);
      spec.copies = Copies::ahead;
      set(spec);
      CHECK(mentions(refusal(spec), std::string(name) + " is for a producer and its consumers; with copies=ahead those who multiply"));
    };
    told("overlap", [](GemmSpec& one) { one.overlap = Overlap::deferred; });
    told("k_order", [](GemmSpec& one) { one.k_order = KOrder::zigzag; });
    told("registers", [](GemmSpec& one) { one.registers = IntTuple::tuple({40, 232}); });
  }
  SECTION("fields of wgmma without it") {
    spec = support::tensor(256, 256, 256);
    spec.overlap = Overlap::skewed;
    CHECK(mentions(refusal(spec), "overlap is for a producer and consumers of wgmma"));
    spec.overlap = Overlap::none, spec.ctas = 2;
    CHECK(mentions(refusal(spec), "ctas is for"));
    spec.ctas = 0, spec.k_order = KOrder::zigzag;
    CHECK(mentions(refusal(spec), "k_order is for"));
    spec.k_order = KOrder::forward, spec.cluster = IntTuple::tuple({2, 1});
    CHECK(mentions(refusal(spec), "cluster is for"));
    spec.cluster = 1, spec.store_boxes = 3;
    CHECK(mentions(refusal(spec), "store_boxes is for"));
    spec.store_boxes = GemmSpec().store_boxes, spec.copies = Copies::producer;
    CHECK(mentions(refusal(spec), "copies=producer is for"));
  }
}

TEST_CASE("registers are shared out as the spec says, and left out as two consumers and a producer usually do") {
  const auto shared = [](const GemmSpec& spec) {
    const GemmPlan plan = lower(spec).value();
    std::vector<std::int64_t> counts;  // of the consumers, of the producer
    for (const plan::Role& role : plan.roles) {
      counts.push_back(role.registers);
      std::int64_t set = 0;
      for (const plan::Op& op : role.block) {
        if (const auto* registers = std::get_if<plan::SetRegisters>(&op.op)) set = registers->count;
      }
      CHECK(set == role.registers);
    }
    return counts;
  };
  GemmSpec two = small(Overlap::none), one = support::hopper(Overlap::none, 128, 64, 256, 64, 64, 1);
  CHECK(shared(two) == std::vector<std::int64_t>{232, 40});
  CHECK(shared(one) == std::vector<std::int64_t>{0, 0});
  for (const auto& [producer, consumer] : {std::array<std::int64_t, 2>{24, 240}, {40, 232}, {56, 224}, {168, 168}, {24, 72}}) {
    two.registers = IntTuple::tuple({producer, consumer});
    CHECK(shared(two) == std::vector<std::int64_t>{consumer, producer});
  }
  one.registers = IntTuple::tuple({24, 256});
  CHECK(shared(one) == std::vector<std::int64_t>{256, 24});
}

TEST_CASE("registers that setmaxnreg does not take, that a CTA does not begin with or that hold no sums are refused with the nearest") {
  GemmSpec spec = support::hopper(Overlap::none, 256, 512, 256, 128, 256, 2);
  spec.stages = 3;
  const auto told = [&](Shape registers, std::string_view why, const char* nearest) {
    spec.registers = std::move(registers);
    INFO(to_string(spec.registers));
    const auto plan = lower(spec);
    REQUIRE_FALSE(plan);
    CHECK(mentions(plan.error().message, "registers is " + to_string(spec.registers)));
    CHECK(mentions(plan.error().message, why));
    REQUIRE(plan.error().notes == std::vector<std::string>{nearest});
    spec.registers = to_string(spec.registers) == nearest ? Shape(0) : spec.registers;
  };
  const auto pair = [](std::int64_t producer, std::int64_t consumer) { return IntTuple::tuple({producer, consumer}); };
  told(40, "it must be (PRODUCER,CONSUMER)", "registers=(40,232)");
  told(IntTuple::tuple({40, 232, 232}), "it must be (PRODUCER,CONSUMER)", "registers=(40,232)");
  told(IntTuple::tuple({40, IntTuple::tuple({232})}), "it must be (PRODUCER,CONSUMER)", "registers=(40,232)");
  told(pair(40, 230), "multiples of 8 from 24 to 256, and 230 is none", "registers=(40,232)");
  told(pair(16, 240), "and 16 is none", "registers=(24,240)");
  told(pair(-8, 240), "and -8 is none", "registers=(24,240)");
  told(pair(24, 264), "and 264 is none", "registers=(24,240)");
  told(pair(32, 240), "384 threads begin with 168 registers each, 64512 of a multiprocessor's 65536", "registers=(32,232)");
  told(pair(256, 256), "a producer of 128 x 256 and 2 consumers of 128 x 256 want 98304", "registers=(232,136)");
  told(pair(40, 128), "a consumer's sums alone take 128 registers", "registers=(40,136)");
  for (const auto& [producer, consumer] : {std::array<std::int64_t, 2>{24, 240}, {32, 232}, {40, 232}, {232, 136}, {40, 136}}) {
    spec.registers = pair(producer, consumer);
    CHECK(refusal(spec) == "accepted");  // the nearest ones are
  }
}

TEST_CASE("a tile that threads store themselves passes no shared memory, no barrier and no tensor map, and may lie anywhere") {
  for (const Overlap overlap : {Overlap::none, Overlap::skewed, Overlap::ping_pong}) {
    for (const bool rows : {true, false}) {
      INFO("overlap " << static_cast<int>(overlap) << (rows ? ", rows" : ", columns"));
      GemmSpec spec = small(overlap);
      const GemmPlan staged = lower(spec).value();
      spec.store = Stores::staged;
      CHECK(lower(spec).value() == staged);
      spec.store = Stores::direct;
      const GemmPlan without = lower(spec).value();
      CHECK(without.smem_bytes < staged.smem_bytes);
      CHECK(without.barriers.size() == staged.barriers.size() - 1);
      CHECK(without.maps.size() == 2);
      if (!rows) spec.gC = Layout::make(IntTuple::tuple({spec.m, spec.n}), IntTuple::tuple({1, spec.m + 1})).value();
      const GemmPlan plan = lower(spec).value();
      for (const plan::Tensor& tensor : plan.tensors) CHECK_FALSE((tensor.operand == Operand::c && tensor.space == plan::Space::shared));
      std::int64_t stored = 0;
      for (const plan::Member& member : plan.members()) {
        if (member.role->name != "consumer") continue;
        plan::Walk walk = walk_of(plan, member.name);
        while (const auto step = walk.next()) {
          const auto* copy = std::get_if<plan::Copy>(&step->op->op);
          if (copy == nullptr || plan.tensors[plan.partitions[copy->to.partition].tensor].space != plan::Space::global) continue;
          CHECK(copy->by == plan::CopyBy::load_store);
          CHECK(copy->vector == (rows ? 2 : 1));  // neighbours along N
          stored += copy->vector * member.threads;
        }
      }
      CHECK(stored == spec.m * spec.n / 2);  // by each CTA of a cluster of two
    }
  }
  GemmSpec spec = small(Overlap::none);
  spec.gC = Layout::make(IntTuple::tuple({spec.m, spec.n}), IntTuple::tuple({1, spec.m})).value();
  CHECK(mentions(refusal(spec), "or store=\"direct\""));
}

TEST_CASE("the listing of a program stands what a loop or a condition holds one step to its right") {
  for (const Overlap overlap : {Overlap::none, Overlap::skewed}) {
    const GemmPlan plan = lower(small(overlap)).value();  // the lines point into it
    const std::vector<ProgramLine> lines = program(plan);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].op == nullptr) continue;
      const auto* loop = std::get_if<plan::Loop>(&lines[i].op->op);
      const auto* when = std::get_if<plan::When>(&lines[i].op->op);
      const plan::Block* body = loop ? loop->body.get() : when ? when->body.get() : nullptr;
      if (body == nullptr) continue;
      INFO(lines[i].text);
      REQUIRE(i + 1 < lines.size());
      CHECK(lines[i + 1].op == &body->front());
      CHECK(lines[i + 1].depth == lines[i].depth + 1);
      ++inside;
    }
    CHECK(inside > 2);
  }
}
