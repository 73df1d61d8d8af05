// SPDX-License-Identifier: BSD-3-Clause
// What `lower` refuses, and what the plan of the article says.
#include "core/gemm/plan/gemm_plan.hpp"

#include "core/gemm/lower/lower.hpp"
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
      const AnyLayout tv = operand == Operand::a ? plan.tCsA : operand == Operand::b ? plan.tCsB : AnyLayout(plan.tCgC);
      for (std::int64_t v = 0; v < size(part.layout); ++v)
        REQUIRE(evaluate(part.layout, v) + part.offset.value() == evaluate(tv, thread, v));
    }
  }
}

TEST_CASE("a tiler that does not divide is refused with the numbers and the field to change") {
  const std::string text = refusal(support::tensor(1000, 1024, 1024));
  CHECK(mentions(text, "m 1000 is not a multiple of BLK_M 128"));
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
  SECTION("several stages without asynchronous copies") {
    spec.sA = support::layout(IntTuple::tuple({128, 32}), IntTuple::tuple({1, 128}));
    spec.smem_copy_a.reset();
    CHECK(mentions(refusal(spec), "cp.async"));
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
        TiledMma::make(find_mma_atom("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>").value(), Layout(), Underscore{}).value();
    CHECK(mentions(refusal(spec), "feeds both operands from registers"));
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
