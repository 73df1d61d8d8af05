// SPDX-License-Identifier: BSD-3-Clause
// Problems that their tiles do not divide: what the plan says of its edges, and that the machine computes the definition up to them.
#include "core/gemm/plan/edges.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"

using namespace tessera;
using support::layout;

namespace {

void expect_defined(const GemmSpec& spec) {
  INFO(spec.name);
  const auto plan = lower(spec);
  if (!plan) FAIL(describe(plan.error()));
  const SimulationInput input = support::guarded_input(*plan, 3);
  const std::vector<double> want = reference(*plan, input);
  for (const std::uint32_t order : {0U, 1U, 2U}) {
    SimulationOptions options;
    options.interleaving = order;
    const auto result = simulate(*plan, input, options);
    if (!result) FAIL(describe(result.error()));
    CHECK(support::first_difference(result->c, want) == "");
  }
}

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

bool mentions(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

// 65 x 33 x 13 in tiles of 64 x 32 x 8: one row and one column too many, and five of the eight k.
GemmSpec ragged() {
  GemmSpec spec = support::register_tile();
  spec.name = "ragged";
  spec.m = 65, spec.n = 33, spec.k = 13;
  spec.mma = TiledMma::make(spec.mma->atom(), layout(IntTuple::tuple({8, 8, 1}), IntTuple::tuple({8, 1, 0})), Underscore{}).value();
  spec.cta_tiler = IntTuple::tuple({64, 32, 8});
  spec.gB = layout(IntTuple::tuple({33, 13}), IntTuple::tuple({1, 40}));
  spec.sA.reset(), spec.smem_copy_a.reset(), spec.smem_copy_b.reset();
  return spec;
}

}  // namespace

TEST_CASE("the tiles of a problem are rounded up, and the plan says what is inside of the last ones") {
  const GemmPlan plan = lower(ragged()).value();
  CHECK((plan.m == 65 && plan.n == 33 && plan.k == 13));
  CHECK((plan.m_tiles == 2 && plan.n_tiles == 2 && plan.k_tiles == 2));
  CHECK(plan.grid == 4);
  const auto lines = describe(plan);
  const auto line = [&](std::string_view name) {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const PlanLine& each) { return each.name == name; });
    return found == lines.end() ? "" : found->value + " " + found->map;
  };
  CHECK(mentions(line("last tile"), "(1,1,5) of cta_tiler inside the problem"));
  CHECK(mentions(line("cA"), "(65,13):(1@0,1@1)"));
  CHECK(mentions(line("tAcA"), "-> (m,k) in the tile of gA; beyond (65,13) 0 is loaded"));
  CHECK(mentions(line("tDcC"), "-> (m,n) in the tile of gC; beyond (65,33) nothing is stored"));
  std::string program;
  for (const ProgramLine& each : tessera::program(plan)) program += each.text + "\n";
  CHECK(mentions(program, "copy tAgA(k_tile) -> tAsA[write], 0 where tAcA is outside (65,13)"));
  CHECK(mentions(program, "copy tDrD -> tDgC(store), where tDcC is inside (65,33)"));
}

TEST_CASE("where the tiles divide the problem no tensor has coordinates, and nothing is asked") {
  for (const Rung& rung : ladder()) {
    const GemmPlan plan = lower(rung.spec(256, 512, 128).value()).value();
    for (const plan::Tensor& tensor : plan.tensors) CHECK(tensor.space != plan::Space::coordinates);
    for (const plan::Partition& partition : plan.partitions) CHECK(partition.coordinates == plan::kNone);
    for (const PlanLine& line : describe(plan)) CHECK(line.name != "last tile");
  }
}

TEST_CASE("only the tensors that end inside a tile have coordinates") {
  const auto names = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    std::set<std::string> found;
    const GemmPlan plan = lower(support::tensor(m, n, k)).value();
    for (const plan::Tensor& tensor : plan.tensors) {
      if (tensor.space == plan::Space::coordinates) found.insert(tensor.name);
    }
    return found;
  };
  CHECK((names(250, 256, 256) == std::set<std::string>{"cA", "cC"}));
  CHECK((names(256, 250, 256) == std::set<std::string>{"cB", "cC"}));
  CHECK((names(256, 256, 250) == std::set<std::string>{"cA", "cB"}));
}

TEST_CASE("every rung computes the definition at the edges: of one element, of primes, one short of a tile and one beyond") {
  for (const Rung& rung : ladder()) {
    for (const auto& [m, n, k] : support::ragged_shapes()) expect_defined(support::of_rung(rung, m, n, k));
  }
}

TEST_CASE("random GEMMs of ragged shapes compute the definition, NN, NT, TN and TT, with C and without") {
  const auto specs = support::ragged_specs(120, 2027);
  CHECK(specs.size() == 120);
  for (const GemmSpec& spec : specs) expect_defined(spec);
}

TEST_CASE("a vector may be cut by the end of a row where the rows are far enough apart, and the buffer has what it reads") {
  GemmSpec spec = support::tensor(64, 64, 29, 64, 64, 32, 1);
  spec.gA = layout(IntTuple::tuple({64, 29}), IntTuple::tuple({32, 1})),
  spec.gB = layout(IntTuple::tuple({64, 29}), IntTuple::tuple({29, 1}));
  const GemmPlan plan = lower(spec).value();
  std::vector<std::int64_t> vectors;
  for (const plan::Function& function : plan.functions) {
    if (function.name != "copy_tile") continue;
    for (const plan::Op& op : function.body) vectors.push_back(std::get<plan::Copy>(op.op).vector);
  }
  CHECK((vectors == std::vector<std::int64_t>{8, 1}));  // rows of gB begin anywhere
  CHECK(plan.gmem(Operand::a).elements == 63 * 32 + 32);
  CHECK(plan.gmem(Operand::b).elements == 63 * 29 + 29);
  expect_defined(spec);
}

TEST_CASE("cp.async reads no more than what is inside, and its buffer needs no more") {
  GemmSpec spec = support::tensor(64, 64, 61, 64, 64, 32, 3);
  spec.gA = spec.gB = layout(IntTuple::tuple({64, 61}), IntTuple::tuple({64, 1}));
  const GemmPlan plan = lower(spec).value();
  CHECK(plan.gmem(Operand::a).elements == 63 * 64 + 61);
  CHECK(plan.arch.sm == 80);
  expect_defined(spec);
}

TEST_CASE("a copy that is asked for and does not fit odd rows is refused with what would") {
  GemmSpec spec = support::tensor(64, 64, 61, 64, 64, 32, 3);
  const MmaAtom atom = spec.mma->atom();
  spec.copy_a =
      make_tiled_copy(CopyAtom::make(find_copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>").value(), atom.val_a).value(),
                      layout(IntTuple::tuple({32, 4}), IntTuple::tuple({4, 1})), layout(IntTuple::tuple({1, 8}), IntTuple::tuple({8, 1})))
          .value();
  const std::string text = refusal(spec);
  CHECK(mentions(text, "copy_a reads 8 elements at once, which are not neighbours at an aligned place in gA = (64,61):(61,1)"));
  CHECK(mentions(text, "gA=(64,61):(64,1)"));
  spec.gA = layout(IntTuple::tuple({64, 61}), IntTuple::tuple({64, 1}));
  CHECK(refusal(spec) == "accepted");
}

TEST_CASE("a mode of several strides cannot end inside a tile, and the refusal says what to write") {
  GemmSpec spec = support::tensor(60, 64, 64, 64, 64, 32, 1);
  spec.gA = layout(IntTuple::tuple({IntTuple::tuple({30, 2}), 64}), IntTuple::tuple({IntTuple::tuple({64, 4096}), 1}));
  const std::string text = refusal(spec);
  CHECK(mentions(text, "tiles of 64 do not divide M 60, and the last one cannot reach beyond a mode of several strides, (30,2):(64,4096)"));
  CHECK(mentions(text, "gA=(60,64):(64,1)"));
  spec.gA =
      layout(IntTuple::tuple({IntTuple::tuple({30, 2}), 64}), IntTuple::tuple({IntTuple::tuple({64, 1920}), 1}));  // one stride after all
  expect_defined(spec);
}

TEST_CASE("a kernel reads C at an edge only where it stores it at once") {
  GemmSpec spec = ragged();
  spec.beta = 1.0;
  GemmPlan plan = lower(spec).value();
  CHECK(emit_gemm(plan).has_value());
  CHECK(support::edit(
            plan, [](const plan::Op& op) { return support::as<plan::Convert>(op) != nullptr; }, support::twice) == 1);
  const auto source = emit_gemm(plan);
  REQUIRE_FALSE(source.has_value());
  CHECK(mentions(source.error().message, "a sum with C at an edge, apart from its store"));
}

TEST_CASE("TMA clips its boxes: every schedule of wgmma computes the definition at the edges") {
  for (const GemmSpec& spec : support::ragged_hoppers()) expect_defined(spec);
}

TEST_CASE("what TMA leaves over of C's rows is stored by threads: every type, every schedule, with C and without") {
  const auto specs = support::left_over_specs();
  for (const GemmSpec& spec : specs) {
    expect_defined(spec);
    const GemmPlan plan = lower(spec).value();
    const std::int64_t unit = 128 / bits(plan.gmem(Operand::c).type), left_over = plan.n % unit;
    INFO(spec.name);
    REQUIRE(left_over > 0);
    std::int64_t stores = 0, by_threads = 0;
    for (const ProgramLine& line : tessera::program(plan)) {
      const auto* copy = line.op == nullptr ? nullptr : std::get_if<plan::Copy>(&line.op->op);
      if (copy == nullptr || plan.partitions[copy->to.partition].tensor != plan.path(Operand::c).gmem) continue;
      stores += copy->by == plan::CopyBy::tma_store, by_threads += copy->by == plan::CopyBy::load_store;
      if (copy->by == plan::CopyBy::tma_store) {
        CHECK(plan.maps[copy->map].left_over == left_over);
      } else {
        CHECK((copy->beyond == plan::kNone) == (plan.n < unit));
      }
    }
    CHECK(by_threads > 0);
    CHECK((stores > 0) == (plan.n > unit));
  }
}

TEST_CASE("a plan that stores elements of C by TMA and by threads, by neither, or TMA's 16 bytes beyond a row is refused") {
  const GemmPlan right = lower(support::with_extents(support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2), 129, 131, 65)).value();
  const auto is_left_over = [](const plan::Op& op) {
    const auto* copy = support::as<plan::Copy>(op);
    return copy != nullptr && copy->beyond != plan::kNone;
  };
  const auto said = [&](const std::function<void(GemmPlan&)>& change) {
    GemmPlan plan = right;
    change(plan);
    const Status checked = verify(plan);
    return checked ? "accepted" : describe(checked.error());
  };
  CHECK(said([](GemmPlan&) {}) == "accepted");
  CHECK(right.maps.back().left_over == 3);
  CHECK(mentions(said([](GemmPlan& plan) { plan.maps.back().left_over = 2; }),
                 "stores rows of 129 elements of bf16 by mC: TMA stores 8 at once, and writes 7 behind the last"));
  CHECK(mentions(said([](GemmPlan& plan) { plan.maps.back().left_over = 131; }), "mC leaves over 131 of the 131 elements of a row"));
  CHECK(mentions(said([&](GemmPlan& plan) { support::edit(plan, is_left_over, support::nothing); }),
                 "of the 16384 elements of gC's last tile are never stored"));
  CHECK(mentions(said([&](GemmPlan& plan) { support::edit(plan, is_left_over, support::twice); }), "of gC's last tile is stored twice"));
  CHECK(mentions(said([&](GemmPlan& plan) {
                   support::edit(plan, is_left_over, support::changed<plan::Copy>([](plan::Copy& copy) { copy.beyond = plan::kNone; }));
                 }),
                 "of gC's tile is stored twice"));
  CHECK(mentions(said([&](GemmPlan& plan) {
                   support::edit(plan, is_left_over, support::changed<plan::Copy>([](plan::Copy& copy) { copy.beyond = 0; }));
                 }),
                 "what mA leaves over of gA, 0 elements of a row, is stored by threads"));
  GemmPlan loaded =
      lower(support::with_extents(support::wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::none, 1, 1), 129, 131, 65)).value();
  CHECK(verify(loaded).has_value());
  loaded.maps[2].left_over = 3;
  CHECK(mentions(describe(verify(loaded).error()), "which brings zeros for the last 3 of 131 elements of a row"));
}

TEST_CASE("bytes that arrive after many turns in vain are no deadlock: C added by one consumer of two, of a tile a CTA") {
  GemmSpec spec = support::wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, Overlap::ping_pong, 2, 0.5);
  spec.ctas = 0, spec.cluster = 1;
  expect_defined(spec);
}

TEST_CASE("the machine stores whole units of 16 bytes, as TMA does, and says where they end") {
  GemmPlan plan = lower(support::with_extents(support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2), 129, 131, 65)).value();
  plan.maps.back().left_over = 2;
  const auto result = simulate(plan, support::guarded_input(plan, 3));
  REQUIRE_FALSE(result.has_value());
  CHECK(mentions(describe(result.error()), "stores 16 bytes with (64,129) of gC, which has 129 x 129 elements"));
}

TEST_CASE("tiles that do not fill a cluster are rounded up to whole clusters, whose last CTAs compute nothing") {
  GemmSpec spec = support::hopper(Overlap::none, 384, 128, 128, 128, 128, 2);
  spec.store_boxes = 1, spec.ctas = 0;
  const GemmPlan plan = lower(spec).value();
  CHECK((plan.m_tiles == 4 && plan.n_tiles == 1 && plan.grid == 4));
  std::string said;
  for (const PlanLine& line : describe(plan)) said += line.name + " " + line.value + " " + line.map + "\n";
  CHECK(mentions(said, "outside 1 of the 4 x 1 tiles, which fill clusters: their CTAs load for the others, and store nothing"));
  expect_defined(spec);
}

TEST_CASE("rows that TMA cannot address are refused with a pitch that it can") {
  GemmSpec spec = support::hopper(Overlap::none, 256, 256, 250, 128, 128, 2);
  spec.store_boxes = 1;
  CHECK(mentions(refusal(spec),
                 "gA = (256,250):(250,1): TMA needs rows that are contiguous along K and apart from each other, at a pitch of a "
                 "multiple of 16 bytes"));
  CHECK(mentions(refusal(spec), "gA=(256,250):(256,1)"));
  spec.k = 256, spec.n = 248;
  spec.gC = support::layout(IntTuple::tuple({256, 248}), IntTuple::tuple({250, 1}));
  CHECK(mentions(refusal(spec), "gC=(256,248):(248,1)"));
}
