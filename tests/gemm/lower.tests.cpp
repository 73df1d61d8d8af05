// SPDX-License-Identifier: BSD-3-Clause
// What `lower` refuses, and what the plan of the article says.
#include "core/gemm/plan/gemm_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/spec_fields.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("each thread of the article finds its part of sA and sB at CuTe's partitions, whatever its offset") {
  const GemmPlan plan = lower(support::article()).value();
  for (const std::int64_t thread : {0, 1, 5, 17, 31}) {
    CHECK(to_string(thread_partition(plan, Operand::a, thread)->layout) == "(4,4,4):(17,272,4)");
    CHECK(to_string(thread_partition(plan, Operand::b, thread)->layout) == "(4,(2,3),4):(1,(16,512),128)");
  }
  CHECK(plan.mma_m * plan.mma_n * plan.mma_k == 96);
  CHECK(plan.threads == 32);
}

TEST_CASE("a thread's partition and the plan's (thr, val) layouts name the same elements") {
  const GemmPlan plan = lower(support::article()).value();
  for (std::int64_t thread = 0; thread < plan.threads; ++thread) {
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      const SliceAndOffset part = thread_partition(plan, operand, thread).value();
      const AnyLayout& tv = plan.partition(operand).layout;
      for (std::int64_t v = 0; v < size(part.layout); ++v)
        REQUIRE(evaluate(part.layout, v) + part.offset.value() == evaluate(tv, thread, v));
    }
  }
}

namespace {

// The operations of a role with the variables' values, as a reader would say them: "Copy(k_tile=1)".
std::string walked(const GemmPlan& plan) {
  static constexpr const char* kNames[] = {"copy",    "mma",   "convert",   "commit", "wait_group", "expect", "arrive", "wait",
                                           "advance", "fence", "registers", "tile",   "loop",       "when",   "call"};
  std::string text;
  plan::Walk walk(plan, plan.roles.front(), 0);
  while (const auto step = walk.next()) {
    const std::size_t kind = step->op->op.index();
    if (std::holds_alternative<plan::Advance>(step->op->op) || std::holds_alternative<plan::NextTile>(step->op->op)) continue;
    text += std::string(text.empty() ? "" : " ") + kNames[kind];
    if (const auto* copy = std::get_if<plan::Copy>(&step->op->op)) {
      text += ":" + plan.partitions[copy->to.partition].name;
      for (const plan::Pick& pick : copy->from.picks) text += std::to_string(walk.value(pick.at));
      if (copy->to.stage.cursor != plan::kNone) text += "@" + std::to_string(walk.stage(copy->to.stage));
    }
    if (const auto* mma = std::get_if<plan::Mma>(&step->op->op)) text += std::to_string(walk.value(mma->a.picks.front().at));
  }
  return text.substr(0, text.find(" convert"));
}

// Two k-tiles of one or two k-blocks, plain loads, one warp.
GemmSpec two_tiles(std::int64_t k_blocks, std::int64_t stages, Copies copies, Fragments fragments) {
  GemmSpec spec;
  spec.mma = TiledMma::make(find_mma_atom("SM80_16x8x8_F32F16F16F32_TN").value(), Layout(), Underscore{}).value();
  spec.m = 16, spec.n = 8, spec.k = 16 * k_blocks;
  spec.cta_tiler = IntTuple::tuple({16, 8, 8 * k_blocks});
  spec.stages = stages, spec.copies = copies, spec.fragments = fragments;
  return spec;
}

}  // namespace

TEST_CASE("the choices of time order the copies, loads and multiplications of a program") {
  const auto program = [](std::int64_t stages, Copies copies, Fragments fragments) {
    return walked(lower(two_tiles(2, stages, copies, fragments)).value());
  };
  const std::string a_tile = "copy:tAsA0@0 copy:tBsB0@0 ", block_0 = "copy:tCrA0 copy:tCrB0 mma0 ", block_1 = "copy:tCrA1 copy:tCrB1 mma1";
  CHECK(program(1, Copies::waited_for, Fragments::one_k_block) ==
        a_tile + "wait " + block_0 + block_1 + " wait copy:tAsA1@0 copy:tBsB1@0 wait " + block_0 + block_1 + " wait");
  CHECK(program(1, Copies::waited_for, Fragments::all_k_blocks) ==
        a_tile + "wait copy:tCrA0 copy:tCrB0 copy:tCrA1 copy:tCrB1 mma0 mma1 wait copy:tAsA1@0 copy:tBsB1@0 wait copy:tCrA0 copy:tCrB0 " +
            "copy:tCrA1 copy:tCrB1 mma0 mma1 wait");
  CHECK(program(1, Copies::waited_for, Fragments::next_k_block) ==
        a_tile + "wait copy:tCrA0 copy:tCrB0 copy:tCrA1 copy:tCrB1 mma0 mma1 wait copy:tAsA1@0 copy:tBsB1@0 wait copy:tCrA0 copy:tCrB0 " +
            "copy:tCrA1 copy:tCrB1 mma0 mma1 wait");
  CHECK(program(2, Copies::waited_for, Fragments::one_k_block) ==
        "copy:tAsA0@0 copy:tBsB0@0 copy:tAsA1@1 copy:tBsB1@1 commit wait_group wait " + block_0 + block_1 + " " + block_0 + block_1);
  CHECK(program(1, Copies::ahead, Fragments::one_k_block) == "copy:tArA0 copy:tBrB0 copy:tAsA@0 copy:tBsB@0 wait copy:tArA1 copy:tBrB1 " +
                                                                 block_0 + block_1 + " wait copy:tAsA@0 copy:tBsB@0 wait " + block_0 +
                                                                 block_1 + " wait");
  CHECK(program(2, Copies::ahead, Fragments::one_k_block) == a_tile + "commit wait_group wait copy:tAsA1@1 copy:tBsB1@1 commit " + block_0 +
                                                                 block_1 + " wait_group wait commit " + block_0 + block_1);
  CHECK(program(2, Copies::ahead, Fragments::automatic) ==
        a_tile +
            "commit wait_group wait copy:tCrA0 copy:tCrB0 copy:tCrA1 copy:tCrB1 copy:tAsA1@1 copy:tBsB1@1 commit mma0 wait_group wait " +
            "copy:tCrA0 copy:tCrB0 mma1 copy:tCrA1 copy:tCrB1 commit mma0 wait_group wait copy:tCrA0 copy:tCrB0 mma1");
}

TEST_CASE("with operands from global memory a program only loads, multiplies and stores, and has nothing of shared memory") {
  const auto plan_of = [](std::int64_t k_blocks, Fragments fragments) {
    GemmSpec spec = two_tiles(k_blocks, 1, Copies::automatic, fragments);
    spec.operands = Operands::gmem;
    return lower(spec).value();
  };
  const auto block = [](int k_tile, int k) {  // picks of the source: the tile of K, then the k-block
    const std::string at = std::to_string(k_tile) + std::to_string(k);
    return std::pair{"copy:tCrA" + at + " copy:tCrB" + at + " ", "mma" + std::to_string(k) + " "};
  };
  std::string one_by_one, all;
  for (const int k_tile : {0, 1}) {
    const auto [load_0, mma_0] = block(k_tile, 0);
    const auto [load_1, mma_1] = block(k_tile, 1);
    one_by_one += load_0 + mma_0 + load_1 + mma_1, all += load_0 + load_1 + mma_0 + mma_1;
  }
  CHECK(walked(plan_of(2, Fragments::automatic)) + " " == one_by_one);
  CHECK(walked(plan_of(2, Fragments::one_k_block)) + " " == one_by_one);
  CHECK(walked(plan_of(2, Fragments::next_k_block)) + " " == all);  // two k-blocks: the next is the last
  CHECK(walked(plan_of(2, Fragments::all_k_blocks)) + " " == all);
  CHECK(walked(plan_of(1, Fragments::next_k_block)) == "copy:tCrA00 copy:tCrB00 mma0 copy:tCrA10 copy:tCrB10 mma0");
  const GemmPlan plan = plan_of(2, Fragments::automatic);
  CHECK(plan.smem_bytes == 0);
  CHECK_FALSE(plan.has_smem());
  CHECK(plan.stages() == 0);
  CHECK((plan.rings.empty() && plan.cursors.empty() && plan.barriers.empty()));
  for (const plan::Tensor& tensor : plan.tensors) CHECK(tensor.space != plan::Space::shared);
  for (const Operand operand : {Operand::a, Operand::b}) {
    CHECK(plan.partition(operand).name == (operand == Operand::a ? "tCgA" : "tCgB"));
    CHECK(plan.partitioned(operand).name == plan.gmem(operand).name);
    for (const std::int64_t thread : {0, 5, 31}) {
      const SliceAndOffset part = thread_partition(plan, operand, thread).value();
      for (std::int64_t v = 0; v < size(part.layout); ++v)
        REQUIRE(evaluate(part.layout, v) + part.offset.value() == evaluate(plan.partition(operand).layout, thread, v));
    }
  }
  CHECK(plan.arch.sm == 80);
  CHECK(check_device(plan, 90, 0));
}

TEST_CASE("a tiler that the tiled MMA does not divide is refused with the numbers and the field to change") {
  GemmSpec spec = support::tensor(1000, 1024, 1024);
  spec.cta_tiler = IntTuple::tuple({120, 128, 32});
  const std::string text = refusal(spec);
  CHECK(mentions(text, "BLK_M 120 is not a multiple of the tiled MMA's M 32"));
  CHECK(mentions(text, "cta_tiler"));
}

TEST_CASE("a GEMM that needs more shared memory than the device has is refused for that device only") {
  const GemmPlan plan = lower(support::tensor(256, 256, 256, 128, 256, 64, 5)).value();
  const auto status = check_device(plan, 90, 232448);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == ErrorCode::too_much_smem);
  CHECK(mentions(status.error().message, "245760"));
  CHECK(check_device(plan, 90, 1 << 20));
  CHECK(smem_bytes_per_block(90) == 232448);
  CHECK_FALSE(smem_bytes_per_block(91));
}

TEST_CASE("an atom runs on its architecture and later ones, and the refusal names both") {
  const GemmPlan plan = lower(support::tensor(128, 128, 64)).value();
  CHECK(check_device(plan, 80, 1 << 20));
  CHECK(check_device(plan, 90, 1 << 20));
  const auto status = check_device(plan, 75, 1 << 20);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == ErrorCode::wrong_arch);
  CHECK(mentions(status.error().message, "sm_80"));
  CHECK(mentions(status.error().message, "sm_75"));
}

TEST_CASE("an instruction of one architecture alone runs on no other, and any other on all later ones") {
  GemmPlan plan = lower(support::tensor(128, 128, 64)).value();
  plan.arch.sm = 90, plan.arch.suffix = 'a';
  CHECK(check_device(plan, 90, 1 << 20));
  for (const int sm : {80, 89, 100, 103, 120}) {
    const Status refused = check_device(plan, sm, 1 << 20);
    INFO(sm);
    REQUIRE_FALSE(refused);
    CHECK(mentions(refused.error().message, "needs sm_90a; the device is sm_" + std::to_string(sm)));
  }
  plan.arch.suffix = 0;
  for (const int sm : {90, 100, 120}) CHECK(check_device(plan, sm, 1 << 20));
  CHECK_FALSE(check_device(plan, 89, 1 << 20));
}

TEST_CASE("a tile that is given no layout in shared memory is compact, as its tensor is") {
  GemmSpec spec = support::tensor(256, 256, 256);
  spec.sA.reset(), spec.sB.reset();
  spec.smem_copy_a.reset(), spec.smem_copy_b.reset();
  spec.gB = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({1, 256}));
  const GemmPlan plan = lower(spec).value();
  const auto blk = [](std::int64_t n) { return std::to_string(n); };
  CHECK(to_string(plan.smem(Operand::a).layout) == "(" + blk(plan.blk_m) + "," + blk(plan.blk_k) + "):(" + blk(plan.blk_k) + ",1)");
  CHECK(to_string(plan.smem(Operand::b).layout) == "(" + blk(plan.blk_n) + "," + blk(plan.blk_k) + "):(1," + blk(plan.blk_n) + ")");
}

TEST_CASE("contradictions in a spec are refused, each by its own rule") {
  GemmSpec spec = support::tensor(256, 256, 256);
  SECTION("no extent") {
    spec.k = 0;
    CHECK(mentions(refusal(spec), "k is 0"));
  }
  SECTION("a permutation that cuts an atom") {
    spec.mma = TiledMma::make(spec.mma->atom(), spec.mma->atom_layout_mnk(), Tiler(std::vector<Tiler>{30, 32, 16})).value();
    spec.m = 240, spec.cta_tiler = IntTuple::tuple({60, 128, 32});
    CHECK(mentions(refusal(spec), "30 elements in M, which is no multiple of the 32"));
  }
  SECTION("a permutation that names rows twice or leaves the tile") {
    for (const std::int64_t stride : {0, 2}) {
      spec.mma =
          TiledMma::make(spec.mma->atom(), spec.mma->atom_layout_mnk(), Tiler(std::vector<Tiler>{support::layout(32, stride), 32, 16}))
              .value();
      CHECK(refusal(spec) != "accepted");
    }
  }
  SECTION("another vendor's atom") {
    spec.mma = TiledMma::make(find_mma_atom("CDNA3_32x32x8_F32F16F16F32").value(), spec.mma->atom_layout_mnk(), Underscore{}).value();
    CHECK(mentions(refusal(spec), "gfx942"));
  }
  SECTION("a factor beyond fp32") {
    spec.alpha = 1e40;
    CHECK(mentions(refusal(spec), "finite"));
  }
  SECTION("a C that two threads would write") {
    spec.gC = support::layout(IntTuple::tuple({256, 256}), IntTuple::tuple({0, 1}));
    CHECK(mentions(refusal(spec), "at one offset"));
  }
  SECTION("a tensor whose tiles are no layout") {
    spec.gA = support::layout(IntTuple::tuple({IntTuple::tuple({192, 2}), 256}), IntTuple::tuple({IntTuple::tuple({1, 193}), 1000}));
    spec.m = 384, spec.cta_tiler = IntTuple::tuple({128, 128, 32});
    CHECK(mentions(refusal(spec), "gA cannot be cut into tiles of 128 x 32"));
  }
  SECTION("a name that would end its comment in the kernel") {
    spec.name = "gemm\n__device__ int x;";
    CHECK(mentions(refusal(spec), "line ends"));
  }
  SECTION("a tile that nothing holds, found without walking it") {
    spec.m = spec.n = spec.k = 1 << 24;
    spec.cta_tiler = 0;
    CHECK(mentions(refusal(spec), "elements of one CTA"));
  }
  SECTION("more tiles than can be walked") {
    spec.m = spec.n = spec.k = 1 << 24;
    CHECK(refusal(spec) == "accepted");
  }
  SECTION("an offset in shared memory that overflows in bits") {
    spec.sA = support::layout(IntTuple::tuple({128, 32}), IntTuple::tuple({1, std::int64_t{1} << 57}));
    CHECK(mentions(refusal(spec), "no shared memory is that large"));
  }
  SECTION("more threads than a CTA has, found without listing them") {
    const Layout atoms = support::layout(IntTuple::tuple({1000000, 1000000}), IntTuple::tuple({1, 1000000}));
    spec.mma = TiledMma::make(spec.mma->atom(), atoms, Underscore{}).value();
    spec.m = 16000000, spec.n = 8000000, spec.k = 16, spec.cta_tiler = IntTuple::tuple({16, 8, 16});
    CHECK(refusal(spec) != "accepted");
  }
  SECTION("threads that neither fill warps nor divide them") {
    const Layout atoms = support::layout(IntTuple::tuple({3, 4}), IntTuple::tuple({1, 3}));
    GemmSpec simt;
    simt.m = 24, simt.n = 16, simt.k = 8;
    simt.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), atoms, Underscore{}).value();
    CHECK(mentions(refusal(simt), "12 threads"));
  }
  SECTION("an extent beyond the limit") {
    spec.m = std::int64_t{1} << 40;
    CHECK(mentions(refusal(spec), "limit is 16777216"));
  }
  SECTION("two elements of a tile at one place") {
    spec.sA = support::layout(IntTuple::tuple({128, 32}), IntTuple::tuple({1, 1}));
    CHECK(mentions(refusal(spec), "puts two elements at offset 1"));
  }
  SECTION("a shared-memory tile of another size") {
    spec.sA = support::layout(IntTuple::tuple({128, 16}), IntTuple::tuple({16, 1}));
    CHECK(mentions(refusal(spec), "128 and 32 elements"));
  }
  SECTION("rows that ldmatrix cannot read") {
    spec.sA = support::layout(IntTuple::tuple({128, 32}), IntTuple::tuple({33, 1}));
    CHECK(mentions(refusal(spec), "16"));
  }
  SECTION("asynchronous copies into the one stage that is multiplied") {
    spec.stages = 1, spec.copies = Copies::ahead;
    const TiledMma mma = *spec.mma;
    const Layout thr = support::layout(IntTuple::tuple({mma.num_threads() / 4, 4}), IntTuple::tuple({4, 1}));
    const CopyAtom atom = CopyAtom::make(find_copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>").value(), ValueType::f16).value();
    spec.copy_a = make_tiled_copy(atom, thr, support::layout(IntTuple::tuple({1, 8}), IntTuple::tuple({8, 1}))).value();
    CHECK(mentions(refusal(spec), "waits in registers"));
    CHECK(mentions(refusal(spec), "stages=2, copies=waited_for"));
  }
  SECTION("too many stages") {
    spec.stages = 99;
    CHECK(mentions(refusal(spec), "stages is 99"));
  }
  SECTION("a tensor of another shape") {
    spec.gA = support::layout(IntTuple::tuple({256, 128}), IntTuple::tuple({128, 1}));
    CHECK(mentions(refusal(spec), "256 and 256 elements"));
  }
  SECTION("an atom whose operands are not registers") {
    spec.mma =
        TiledMma::make(find_mma_atom("SM90_64x128x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::K>").value(), Layout(), Underscore{}).value();
    CHECK(mentions(refusal(spec), "both are fed from registers, or by wgmma from shared memory"));
  }
}

TEST_CASE("the blocks of a raster visit every tile of C once") {
  const GemmPlan plan = lower(support::tensor(128 * 12, 128 * 5, 32)).value();
  std::vector<int> visits(static_cast<std::size_t>(plan.m_tiles * plan.n_tiles));
  for (std::int64_t block = 0; block < plan.m_tiles * plan.n_tiles; ++block) {
    const IntTuple tile = evaluate(plan.cta_raster, block);
    ++visits[static_cast<std::size_t>(tile[0].value() + plan.m_tiles * tile[1].value())];
  }
  CHECK(visits == std::vector<int>(visits.size(), 1));
}

TEST_CASE("each limit of a spec lets its last value pass and refuses the next") {
  GemmSpec spec = support::tensor(256, 256, 256);
  const std::int64_t most = 1 << 24;
  SECTION("extents") {
    for (std::int64_t GemmSpec::*extent : {&GemmSpec::m, &GemmSpec::n, &GemmSpec::k}) {
      GemmSpec other = spec;
      other.*extent = most;
      CHECK(refusal(other) == "accepted");
      other.*extent = most + 256;
      CHECK(mentions(refusal(other), "is 16777472; the limit is 16777216"));
      other.*extent = 0;
      CHECK(mentions(refusal(other), " is 0; it must be at least 1"));
      other.*extent = 257;
      CHECK(refusal(other) == "accepted");
    }
  }
  SECTION("the smallest GEMM") {
    GemmSpec one;
    one.m = one.n = one.k = 1;
    one.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), Layout(), Underscore{}).value();
    CHECK(refusal(one) == "accepted");
  }
  SECTION("stages") {
    for (const std::int64_t stages : {1, 2, 15, 16}) {
      GemmSpec other = spec;
      other.stages = stages;
      CHECK(refusal(other) == "accepted");
    }
    for (const std::int64_t stages : {-1, 0, 17}) {
      spec.stages = stages;
      CHECK(mentions(refusal(spec), "it must be 1 to 16"));
    }
    CHECK(find_spec_field("stages")->help.find("1 to 16; wgmma needs at least 2") != std::string_view::npos);
  }
  SECTION("a raster of no tiles is one") {
    spec.raster_group = 0;
    CHECK(refusal(spec) == "accepted");
    spec.raster_group = -1;
    CHECK(mentions(refusal(spec), "raster_group is -1"));
  }
  SECTION("factors") {
    const double largest = std::numeric_limits<float>::max();
    for (double GemmSpec::*factor : {&GemmSpec::alpha, &GemmSpec::beta}) {
      for (const double x : {largest, -largest, 0.0}) {
        GemmSpec other = spec;
        other.*factor = x;
        CHECK(refusal(other) == "accepted");
      }
      for (const double x :
           {2 * largest, -2 * largest, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        GemmSpec other = spec;
        other.*factor = x;
        CHECK(mentions(refusal(other), "both must be finite in fp32"));
      }
    }
  }
  SECTION("a tiler is one triple") {
    for (const IntTuple& tiler : {IntTuple::tuple({128, 128}), IntTuple::tuple({128, 128, 32, 1}),
                                  IntTuple::tuple({128, IntTuple::tuple({64, 2}), 32}), IntTuple(7)}) {
      spec.cta_tiler = tiler;
      CHECK(mentions(refusal(spec), "it must be (BLK_M,BLK_N,BLK_K)"));
    }
    spec.cta_tiler = IntTuple::tuple({128, 0, 32});
    CHECK(mentions(refusal(spec), "its extents are 1 to"));
    spec.cta_tiler = IntTuple::tuple({128, 128, most + 1});
    CHECK(mentions(refusal(spec), "its extents are 1 to"));
  }
  SECTION("elements of a tile") {
    const auto words = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
      GemmSpec other = support::tensor(m, n, k);
      other.sA.reset(), other.sB.reset(), other.smem_copy_a.reset(), other.smem_copy_b.reset();
      other.cta_tiler = IntTuple::tuple({m, n, k});
      return refusal(other);
    };
    constexpr const char* kBeyond = " elements of one CTA; the limit is 4194304";
    CHECK(mentions(words(1 << 17, 32, 64), std::string("BLK_M x BLK_K is 8388608") + kBeyond));
    CHECK(mentions(words(32, 1 << 17, 64), std::string("BLK_N x BLK_K is 8388608") + kBeyond));
    CHECK(mentions(words(1 << 12, 1 << 11, 16), std::string("BLK_M x BLK_N is 8388608") + kBeyond));
    spec.m = (1 << 17) + 1, spec.cta_tiler = IntTuple::tuple({1 << 17, 32, 32});  // as many as the limit
    CHECK_FALSE(mentions(refusal(spec), kBeyond));
  }
  SECTION("tiles of the MMA") {
    spec.smem_copy_a.reset(), spec.smem_copy_b.reset(), spec.sA.reset(), spec.sB.reset();
    for (const auto& [tiler, words] : {std::pair{IntTuple::tuple({16, 128, 32}), "BLK_M 16 is not a multiple of the tiled MMA's M 32"},
                                       {IntTuple::tuple({128, 16, 32}), "BLK_N 16 is not a multiple of the tiled MMA's N 32"},
                                       {IntTuple::tuple({128, 128, 8}), "BLK_K 8 is not a multiple of the tiled MMA's K 16"}}) {
      spec.cta_tiler = tiler;
      CHECK(mentions(refusal(spec), words));
    }
    spec.cta_tiler = IntTuple::tuple({32, 32, 16});
    CHECK(refusal(spec) == "accepted");
  }
  SECTION("threads of a CTA") {
    const auto words = [&](std::int64_t warps_m, std::int64_t warps_n) {
      return refusal(support::tensor(16 * warps_m, 16 * warps_n, 32, 16 * warps_m, 16 * warps_n, 32, 2, warps_m, warps_n));
    };
    CHECK(words(8, 4) == "accepted");
    CHECK(mentions(words(8, 5), "a CTA has at most 1024"));
    CHECK(mentions(words(3, 11), "1056 threads, with ids up to 1055"));
  }
  SECTION("atoms along K, and atoms that share threads") {
    spec.mma =
        TiledMma::make(spec.mma->atom(), support::layout(IntTuple::tuple({2, 1, 2}), IntTuple::tuple({1, 0, 2})), Underscore{}).value();
    CHECK(mentions(refusal(spec), "atoms along K, whose partial sums would have to be added"));
    const auto shared =
        TiledMma::make(spec.mma->atom(), support::layout(IntTuple::tuple({2, 2, 1}), IntTuple::tuple({1, 0, 0})), Underscore{});
    if (shared) spec.mma = *shared;
    if (shared) CHECK(mentions(refusal(spec), "two atoms share threads"));
  }
  SECTION("operands with scale factors") {
    const char* const scaled = "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t,float_e4m3_t,float,float_ue8m0_t,32>";
    spec.mma = TiledMma::make(find_mma_atom(scaled).value(), Layout(), Underscore{}).value();
    CHECK(mentions(refusal(spec), "multiplies blocks by scale factors"));
  }
  SECTION("operands of two widths") {
    spec.mma = TiledMma::make(find_mma_atom("SM120_16x8x32_TN<float_e3m2_t,float_e4m3_t,float>").value(), Layout(), Underscore{}).value();
    CHECK(mentions(refusal(spec), "multiplies e3m2 by e4m3; A and B of one width are supported"));
  }
  SECTION("no atom") {
    spec.mma.reset();
    CHECK(mentions(refusal(spec), "names no tiled MMA"));
  }
  SECTION("names") {
    for (const char* name : {"\x01", "a\tb", "a\x7f", "\x1f"}) {
      spec.name = name;
      CHECK(mentions(refusal(spec), "control characters"));
    }
    for (const char* name : {"", " ", "~", "gemm of \xc3\xa4"}) {
      spec.name = name;
      CHECK(refusal(spec) == "accepted");
    }
  }
}

TEST_CASE("a swizzled block is repeated over a larger tile, rows first; what does not divide the tile is refused as before") {
  GemmSpec spec = support::tensor(256, 256, 256);  // a tile of (128,128,32)
  const auto swizzled = [](std::int64_t rows, std::int64_t columns) {
    return ComposedLayout{Swizzle::make(2, 3, 3).value(), 0,
                          support::layout(IntTuple::tuple({rows, columns}), IntTuple::tuple({columns, 1}))};
  };
  spec.sA = swizzled(128, 32), spec.sB = swizzled(8, 32);
  const GemmPlan plan = lower(spec).value();
  CHECK(to_string(plan.smem(Operand::b).layout) == "Sw<2,3,3> o 0 o (128,32):(32,1)");
  CHECK(to_string(plan.smem(Operand::a).layout) == to_string(plan.smem(Operand::b).layout));
  spec.sA = swizzled(64, 16);  // beside each other, too
  const Layout tile = plain_part(lower(spec).value().smem(Operand::a).layout);
  for (std::int64_t m = 0; m < 128; ++m) {
    for (std::int64_t k = 0; k < 32; ++k) REQUIRE(tile(m, k) == m % 64 * 16 + k % 16 + 1024 * (m / 64 + 2 * (k / 16)));
  }
  for (const auto& [rows, columns] : {std::array<std::int64_t, 2>{48, 32}, {128, 24}, {256, 32}, {128, 64}}) {
    spec.sA = swizzled(rows, columns);
    CHECK(mentions(refusal(spec), "its modes must have 128 and 32 elements"));
  }
}

TEST_CASE("tensors of another form are refused, each by its own rule") {
  GemmSpec spec = support::tensor(256, 256, 256);
  const auto pair = [](IntTuple a, IntTuple b) { return IntTuple::tuple({std::move(a), std::move(b)}); };
  SECTION("modes of another size") {
    for (std::optional<Layout> GemmSpec::*tensor : {&GemmSpec::gA, &GemmSpec::gB, &GemmSpec::gC}) {
      for (const Layout& wrong :
           {support::layout(pair(128, 256), pair(256, 1)), support::layout(pair(256, 128), pair(128, 1)),
            support::layout(IntTuple::tuple({256, 128, 1}), IntTuple::tuple({256, 1, 0})), support::layout(65536, 1)}) {
        GemmSpec other = spec;
        other.*tensor = wrong;
        CHECK(mentions(refusal(other), "its modes must have 256 and 256 elements"));
      }
    }
    for (std::optional<AnyLayout> GemmSpec::*tensor : {&GemmSpec::sA, &GemmSpec::sB}) {
      for (const Layout& wrong : {support::layout(pair(64, 32), pair(32, 1)), support::layout(pair(128, 16), pair(16, 1)),
                                  support::layout(IntTuple::tuple({128, 32, 1}), IntTuple::tuple({32, 1, 0}))}) {
        GemmSpec other = spec;
        other.*tensor = wrong;
        CHECK(mentions(refusal(other), "its modes must have 128 and 32 elements"));
      }
    }
  }
  SECTION("strides that memory does not have") {
    spec.gB = support::layout(pair(256, 256), pair(-256, 1));
    CHECK(mentions(refusal(spec), "gB has the negative stride -256"));
    spec.gB = Layout::make(pair(256, 256), pair(IntTuple::basis(1, BasisPath{1, {0}}), IntTuple::basis(1, BasisPath{1, {1}}))).value();
    CHECK(mentions(refusal(spec), "gB has basis strides"));
  }
  SECTION("an A whose elements are read twice is no contradiction") {
    spec.gA = support::layout(pair(256, 256), pair(0, 1));
    CHECK(refusal(spec) == "accepted");
  }
  SECTION("a place before the tile's first") {
    spec.smem_copy_a.reset();
    spec.sA = support::layout(pair(128, 32), pair(-32, 1));
    CHECK(mentions(refusal(spec), "sA maps (1,0) to the negative offset -32"));
  }
  SECTION("two elements at one place, the last ones too") {
    spec.smem_copy_a.reset();
    spec.sA = support::layout(pair(128, 32), pair(1, 127));
    CHECK(mentions(refusal(spec), "puts two elements at offset 127; the second is (0,1)"));
  }
  SECTION("a tile whose last element is far away") {
    spec.smem_copy_a.reset(), spec.stages = 1;
    const std::int64_t far = std::int64_t{1} << 26;
    spec.sA = support::layout(pair(128, IntTuple::tuple({16, 2})), pair(16, IntTuple::tuple({1, far})));
    CHECK(mentions(refusal(spec), "no shared memory is that large"));
  }
}

TEST_CASE("a raster walks as many tiles of M together as were asked for and divide them, then those of N") {
  for (const std::int64_t asked : {0, 1, 2, 3, 4, 5, 8, 12, 99}) {
    GemmSpec spec = support::tensor(128 * 12, 128 * 5, 32);
    spec.raster_group = asked;
    const GemmPlan plan = lower(spec).value();
    std::int64_t group = std::min<std::int64_t>(std::max<std::int64_t>(asked, 1), 12);
    while (12 % group != 0) --group;
    for (std::int64_t block = 0; block < 60; ++block) {
      CAPTURE(asked, block);
      const IntTuple tile = evaluate(plan.cta_raster, block);
      CHECK(tile[0].value() == block % group + block / (5 * group) * group);
      CHECK(tile[1].value() == block / group % 5);
    }
  }
}

TEST_CASE("what a spec leaves out follows from its stages") {
  GemmSpec spec = support::tensor(256, 256, 256);
  CHECK(lower(spec)->copies == Copies::ahead);
  CHECK(lower(spec)->fragments == Fragments::next_k_block);
  spec.stages = 1;
  CHECK(lower(spec)->copies == Copies::waited_for);
  CHECK(lower(spec)->fragments == Fragments::one_k_block);
  spec.copies = Copies::ahead, spec.fragments = Fragments::all_k_blocks;
  CHECK(lower(spec)->copies == Copies::ahead);
  CHECK(lower(spec)->fragments == Fragments::all_k_blocks);
  spec = support::tensor(32, 32, 64);
  spec.sA.reset(), spec.sB.reset(), spec.cta_tiler = 0;
  const GemmPlan plan = lower(spec).value();
  CHECK(plan.blk_m == 32);
  CHECK(plan.blk_k == 64);
  CHECK(plan.k_tiles == 1);
}

TEST_CASE("each matrix of a batch begins at a multiple of 16 bytes") {
  GemmSpec spec = support::tensor(128, 128, 64);
  spec.batch = 3;
  spec.gA = support::layout(IntTuple::tuple({128, 64}), IntTuple::tuple({72, 1}));  // its last row ends at 9208 of (m, k) -> offset
  spec.gB = support::layout(IntTuple::tuple({128, 64}), IntTuple::tuple({64, 1}));
  spec.gC = support::layout(IntTuple::tuple({128, 128}), IntTuple::tuple({129, 1}));  // 16511 floats
  const GemmPlan plan = lower(spec).value();
  CHECK(plan.gmem(Operand::a).batch_elements == 9208);
  CHECK(plan.gmem(Operand::b).batch_elements == 8192);
  CHECK(plan.gmem(Operand::c).elements == 16511);
  CHECK(plan.gmem(Operand::c).batch_elements == 16512);
}
