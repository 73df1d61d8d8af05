// SPDX-License-Identifier: BSD-3-Clause
// Operands of wgmma that lie along K, or along M or N: their stages, maps, boxes and descriptors, and what is refused of them.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/majors.hpp"

using namespace tessera;
using support::kMajors;
using support::Majors;

namespace {

GemmSpec small(Majors majors, Overlap overlap = Overlap::none) {
  return support::with_majors(support::hopper(overlap, 256, 512, 256, 128, 256, 2), majors);
}

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

bool mentions(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

std::string text_of(const GemmPlan& plan, Operand operand) { return to_string(plan.smem(operand).layout); }

const plan::TensorMap& map_of(const GemmPlan& plan, Operand operand) {
  return *std::find_if(plan.maps.begin(), plan.maps.end(),
                       [&](const plan::TensorMap& map) { return plan.tensors[map.tensor].operand == operand; });
}

}  // namespace

TEST_CASE("an atom knows which of its operands lie along M or N") {
  const auto majors = [](const char* name) {
    const auto atom = find_mma_atom(name);
    REQUIRE(atom);
    return std::pair(atom->mn_major_a, atom->mn_major_b);
  };
  CHECK(majors("SM90_64x128x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::K>") == std::pair(false, false));
  CHECK(majors("SM90_64x128x16_F32BF16BF16_SS<GMMA::Major::MN,GMMA::Major::K>") == std::pair(true, false));
  CHECK(majors("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>") == std::pair(false, true));
  CHECK(majors("SM90_64x128x16_F32BF16BF16_SS") == std::pair(false, false));
  CHECK(majors("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,128,UMMA::Major::MN,UMMA::Major::K>") == std::pair(true, false));
}

TEST_CASE("an operand along M or N lies in blocks of 64, row after row of K, with its 16-byte units swizzled") {
  for (const Majors majors : kMajors) {
    INFO(majors.name());
    const GemmPlan plan = lower(small(majors)).value();
    CHECK(text_of(plan, Operand::a) == (majors.a_mn ? "Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)" : "Sw<3,3,3> o 0 o (128,64):(64,1)"));
    CHECK(text_of(plan, Operand::b) == (majors.b_mn ? "Sw<3,3,3> o 0 o ((64,4),64):((1,4096),64)" : "Sw<3,3,3> o 0 o (256,64):(64,1)"));
    CHECK(to_string(plan.gmem(Operand::a).layout) == (majors.a_mn ? "(256,256):(1,256)" : "(256,256):(256,1)"));
    CHECK(to_string(plan.gmem(Operand::b).layout) == (majors.b_mn ? "(512,256):(1,512)" : "(512,256):(256,1)"));
    for (const plan::Descriptor& descriptor : plan.descriptors) {
      const bool mn = descriptor.name == "dA" ? majors.a_mn : majors.b_mn;
      CHECK(descriptor.mn_major == mn);
      CHECK(descriptor.stride_bytes == 1024);
      CHECK(descriptor.leading_bytes == (mn ? 64 * 128 : 0));
      CHECK(descriptor.swizzle_bytes == 128);
    }
  }
}

TEST_CASE("a descriptor says every element of its stage, by either major") {
  for (const Majors majors : kMajors) {
    const GemmPlan plan = lower(small(majors)).value();
    for (const plan::Descriptor& descriptor : plan.descriptors) {
      INFO(majors.name() << " " << descriptor.name);
      const plan::Tensor& tensor = plan.tensors[descriptor.tensor];
      const std::int64_t extent = tensor.operand == Operand::a ? 128 : 256;
      for (std::int64_t mn = 0; mn < extent; ++mn) {
        for (std::int64_t k = 0; k < 64; ++k) {
          // In bytes: rows of 128 of one m (or n) or of one k, units of 16 exchanged by the row within eight.
          const std::int64_t row = descriptor.mn_major ? mn / 64 * 64 + k : mn, byte = 2 * (descriptor.mn_major ? mn % 64 : k);
          REQUIRE(2 * evaluate(tensor.layout, mn, k) == row * 128 + ((byte / 16 ^ row % 8) * 16 + byte % 16));
          REQUIRE(plan::swizzled(128, plan::offset_of(descriptor, tensor.type, mn, k)) == 2 * evaluate(tensor.layout, mn, k));
        }
      }
    }
  }
}

TEST_CASE("a swizzle exchanges the units of eight rows, of four or of two, and leads back") {
  for (const int bytes : {32, 64, 128}) {
    const Swizzle swizzle = Swizzle::make(bytes == 128 ? 3 : bytes == 64 ? 2 : 1, 4, 3).value();
    for (std::int64_t address = 0; address < 4096; address += 2) {
      REQUIRE(plan::swizzled(bytes, address) == swizzle(address));
      REQUIRE(plan::swizzled(bytes, plan::swizzled(bytes, address)) == address);
    }
  }
  CHECK(plan::swizzled(0, 1234) == 1234);
}

TEST_CASE("TMA brings 64 elements along M or N by a tile of K at once, and the CTAs of a cluster share those boxes") {
  for (const Majors majors : kMajors) {
    GemmSpec spec = support::with_majors(support::hopper(Overlap::none, 512, 512, 192, 256, 256, 2), majors);
    spec.cluster = IntTuple::tuple({2, 2}), spec.ctas = 4, spec.stages = 2, spec.store_boxes = 1;
    INFO(majors.name());
    const GemmPlan plan = lower(spec).value();
    for (const Operand operand : {Operand::a, Operand::b}) {
      const bool mn = operand == Operand::a ? majors.a_mn : majors.b_mn;
      CHECK(map_of(plan, operand).box_rows == (mn ? 64 : 128));
      CHECK(map_of(plan, operand).box_columns == 64);
      const plan::Partition& boxes = plan.partitions[plan.path(operand).tXsX];
      CHECK(boxes.modes.size() == (mn ? 3U : 2U));
    }
    // Each of the two CTAs of a row loads half of A: two boxes of 64 along M, or one of 128 rows of K.
    int loads = 0;
    const auto producer =
        std::find_if(plan.roles.begin(), plan.roles.end(), [](const plan::Role& role) { return role.name == "producer"; });
    plan::Walk walk(plan, *producer, 0);
    while (const auto step = walk.next()) {
      const auto* copy = std::get_if<plan::Copy>(&step->op->op);
      loads += copy != nullptr && copy->by == plan::CopyBy::tma_load;
    }
    CHECK(loads == 3 * ((majors.a_mn ? 2 : 1) + (majors.b_mn ? 2 : 1)));
    CHECK(plan.barriers.front().bytes == (256 + 256) * 64 * 2);
  }
}

TEST_CASE("operands along K, M or N make the product of the definition, by every schedule") {
  struct Schedule {
    Overlap overlap;
    std::int64_t m, blk_m, warpgroups;
  };
  const Schedule schedules[] = {
      {Overlap::none, 256, 128, 2}, {Overlap::deferred, 256, 128, 2}, {Overlap::skewed, 512, 256, 2}, {Overlap::ping_pong, 256, 128, 1}};
  for (const Majors majors : kMajors) {
    for (const Schedule& each : schedules) {
      GemmSpec spec = support::with_majors(support::hopper(each.overlap, each.m, 256, 192, each.blk_m, 128, each.warpgroups), majors);
      spec.alpha = 0.5;
      INFO(majors.name() << ", overlap " << static_cast<int>(each.overlap));
      const GemmPlan plan = lower(spec).value();
      const SimulationInput input = integer_input(plan, 3);
      const std::vector<double> wanted = reference(plan, input);
      for (const std::uint32_t interleaving : {0U, 1U, 5U}) {
        const auto got = simulate(plan, input, {.interleaving = interleaving});
        INFO((got ? "" : describe(got.error())));
        REQUIRE(got);
        CHECK(got->c == wanted);
      }
    }
  }
}

TEST_CASE("a tile of K of any multiple of 16 feeds an atom both of whose operands lie along M or N") {
  for (const std::int64_t blk_k : {16, 32, 128}) {
    GemmSpec spec = support::with_majors(support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2), {true, true});
    spec.cta_tiler = IntTuple::tuple({128, 128, blk_k});
    INFO("BLK_K " << blk_k);
    const auto plan = lower(spec);
    INFO((plan ? "" : describe(plan.error())));
    REQUIRE(plan);
    CHECK(plan->descriptors.front().leading_bytes == blk_k * 128);
    const SimulationInput input = integer_input(*plan, 5);
    CHECK(simulate(*plan, input).value().c == reference(*plan, input));
  }
}

TEST_CASE("a given stage along M or N is accepted where the descriptor says it, however it is written") {
  GemmSpec spec = small({true, true});
  const auto given = [&](IntTuple shape, IntTuple stride) {
    spec.sB = ComposedLayout{Swizzle::make(3, 3, 3).value(), 0, support::layout(std::move(shape), std::move(stride))};
    return refusal(spec);
  };
  const auto pair = [](std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); };
  CHECK(given(IntTuple::tuple({pair(64, 4), 64}), IntTuple::tuple({pair(1, 4096), 64})) == "accepted");
  CHECK(given(IntTuple::tuple({pair(64, 4), pair(8, 8)}), IntTuple::tuple({pair(1, 4096), pair(64, 512)})) == "accepted");
  // M first: CuTe's tile_to_shape without Step<_2,_1>
  std::string told = given(IntTuple::tuple({pair(64, 4), pair(8, 8)}), IntTuple::tuple({pair(1, 512), pair(64, 2048)}));
  CHECK(mentions(told, "is no 256x64 tile of blocks of 64 rows of 128 bytes along N"));
  CHECK(mentions(told, "sB left out, or sB=tile_to_shape(GMMA::Layout_MN_SW128_Atom<bfloat16_t>, (256,64), Step<_2,_1>)"));
  spec.sB = support::layout(IntTuple::tuple({pair(64, 4), 64}), IntTuple::tuple({pair(1, 4096), 64}));
  CHECK(mentions(refusal(spec), "whose 16-byte units are swizzled by row"));
  spec = small({false, false});
  spec.sA = ComposedLayout{Swizzle::make(3, 3, 3).value(), 0,
                           support::layout(IntTuple::tuple({pair(64, 2), 64}), IntTuple::tuple({pair(1, 4096), 64}))};
  CHECK(mentions(refusal(spec), "sA=tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>, (128,64)) with BLK_K 64"));
}

TEST_CASE("a matrix along the other mode than its operand is refused with the atom that would read it") {
  for (const bool a : {true, false}) {
    for (const bool mn : {true, false}) {
      GemmSpec spec = small({a && mn, !a && mn});
      const std::int64_t extent = a ? 256 : 512;
      (a ? spec.gA : spec.gB) =
          support::layout(IntTuple::tuple({extent, 256}), mn ? IntTuple::tuple({256, 1}) : IntTuple::tuple({1, extent}));
      const std::string told = refusal(spec), mode = a ? "M" : "N", other = std::string("GMMA::Major::") + (mn ? "K" : "MN");
      INFO(told);
      CHECK(mentions(told, "is contiguous along " + (mn ? "K" : mode) + "; TMA needs rows that are contiguous along " + (mn ? mode : "K")));
      CHECK(mentions(told, (a ? "gA left out, or the atom SM90_64x256x16_F32BF16BF16_SS<" + other + ",GMMA::Major::K>"
                              : "gB left out, or the atom SM90_64x256x16_F32BF16BF16_SS<GMMA::Major::K," + other + ">")));
    }
  }
}

TEST_CASE("rows along M or N have a pitch of whole 16 bytes, and do not run into each other") {
  GemmSpec spec = small({true, false});
  spec.gA = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({1, 264}));
  CHECK(refusal(spec) == "accepted");
  for (const std::int64_t pitch : {std::int64_t{260}, std::int64_t{128}, std::int64_t{0}, std::int64_t{1} << 39}) {
    spec.gA = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({1, pitch}));
    const std::string told = refusal(spec);
    CHECK(mentions(told, "TMA needs rows that are contiguous along M and apart from each other, at a pitch of a multiple of 16 bytes"));
    CHECK(mentions(told, "gA=(256,256):(1,256)"));
  }
  spec = small({false, false});
  spec.gB = support::layout(IntTuple::tuple({512, 256}), IntTuple::tuple({0, 1}));
  CHECK(mentions(refusal(spec), "TMA needs rows that are contiguous along K"));
}

TEST_CASE("parts of an operand along M or N are whole boxes of 64") {
  GemmSpec spec = support::with_majors(support::hopper(Overlap::none, 256, 128, 256, 128, 64, 2), {false, true});
  std::string told = refusal(spec);  // BLK_N of 64 for two CTAs
  CHECK(mentions(told, "64 x 64 elements of sB in 2 parts are no boxes of TMA: along N, each part has a multiple of 64 elements"));
  spec.cluster = 1, spec.ctas = 1, spec.store_boxes = 1;
  CHECK(refusal(spec) == "accepted");
  spec = support::with_majors(support::hopper(Overlap::none, 256, 192, 256, 128, 96, 2), {false, true});
  told = refusal(spec);
  CHECK(mentions(told, "BLK_N is 96; an operand along N lies in rows of 64 elements"));
  CHECK(mentions(told, "BLK_N a multiple of 64"));
  spec = support::with_majors(support::hopper(Overlap::none, 128, 128, 1024, 64, 64, 1), {true, true});
  spec.cluster = 1, spec.ctas = 1, spec.stages = 2, spec.cta_tiler = IntTuple::tuple({64, 64, 512});
  CHECK(mentions(refusal(spec), "a box at most 256 of K"));
}
