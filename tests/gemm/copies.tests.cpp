// SPDX-License-Identifier: BSD-3-Clause
// How wide copies are, and what they are refused for.
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <variant>

#include "core/gemm/plan/walk.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using support::layout;

namespace {

// One warp, tiles of 16 x 8 x 64, rows of A in global and in shared memory at these pitches.
GemmSpec pitched(std::int64_t gmem, std::int64_t smem, std::int64_t stages) {
  GemmSpec spec;
  spec.mma = TiledMma::make(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(), Layout(), Underscore{}).value();
  spec.m = 32, spec.n = 8, spec.k = 128;
  spec.cta_tiler = IntTuple::tuple({16, 8, 64});
  spec.gA = layout(IntTuple::tuple({32, 128}), IntTuple::tuple({gmem, 1}));
  spec.sA = layout(IntTuple::tuple({16, 64}), IntTuple::tuple({smem, 1}));
  spec.stages = stages;
  return spec;
}

// The copy whose destination is this partition.
const plan::Copy* find_copy(const GemmPlan& plan, const plan::Block& block, std::string_view to) {
  const plan::Copy* found = nullptr;
  plan::each_op(block, [&](const plan::Op& op) {
    const auto* copy = std::get_if<plan::Copy>(&op.op);
    if (copy != nullptr && plan.partitions[copy->to.partition].name == to) found = copy;
    return found == nullptr;
  });
  return found;
}

plan::Copy copy_to(const GemmPlan& plan, std::string_view to) {
  for (const plan::Function& function : plan.functions) {
    if (const plan::Copy* found = find_copy(plan, function.body, to)) return *found;
  }
  const plan::Copy* found = find_copy(plan, plan.roles.front().block, to);
  REQUIRE(found != nullptr);
  return *found;
}

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "accepted" : describe(plan.error());
}

bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr const char* kAsync = "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>";

}  // namespace

TEST_CASE("a copy that nobody chose is as wide as both pitches allow, and asynchronous from 4 bytes on where there are stages") {
  for (const std::int64_t stages : {1, 2}) {
    for (std::int64_t gmem = 128; gmem <= 136; ++gmem) {
      for (std::int64_t smem = 64; smem <= 72; ++smem) {
        CAPTURE(stages, gmem, smem);
        const GemmPlan plan = lower(pitched(gmem, smem, stages)).value();
        const plan::Copy copy = copy_to(plan, "tAsA");
        const std::int64_t vector = std::gcd(std::gcd(gmem, smem), std::int64_t{8});
        CHECK(copy.vector == vector);
        CHECK((copy.by == plan::CopyBy::cp_async) == (stages == 2 && vector >= 2));
        CHECK(copy.threads == 0);
        CHECK(mentions(copy.atom, std::to_string(16 * vector)));
        CHECK(mentions(copy.atom, "CACHEGLOBAL") == (stages == 2 && vector == 8));
        CHECK(plan.arch.sm == 80);
      }
    }
  }
}

TEST_CASE("a thread's registers are filled as wide as its values are neighbours") {
  for (std::int64_t smem = 64; smem <= 67; ++smem) {
    CAPTURE(smem);
    CHECK(copy_to(lower(pitched(128, smem, 1)).value(), "tCrA").vector == (smem % 2 == 0 ? 2 : 1));
  }
  GemmSpec spec = pitched(128, 64, 1);
  spec.sA = layout(IntTuple::tuple({16, 64}), IntTuple::tuple({1, 16}));
  CHECK(copy_to(lower(spec).value(), "tCrA").vector == 1);
  CHECK(copy_to(lower(support::article()).value(), "tCrA").vector == 1);  // a pitch of 17
  CHECK(copy_to(lower(support::article()).value(), "tCrB").vector == 4);
  CHECK(copy_to(lower(support::typed("SM80_16x8x32_S32S8S8S32_TN", ValueType::i32, 1)).value(), "tCrA").vector == 4);
  CHECK(copy_to(lower(support::typed("UniversalFMA<double,double,double,double>", ValueType::f64, 1, 8)).value(), "tCrA").vector == 1);
  // sixteen bytes at most: an atom whose threads hold 32 of them side by side
  spec = support::typed("SM80_8x8x4_F64F64F64F64_TN", ValueType::f64, 1);
  CHECK(copy_to(lower(spec).value(), "tCrA").vector == 1);
}

TEST_CASE("a store is as wide as a thread's neighbours in C, where every tile and row begins at a multiple of it") {
  const auto stored = [](GemmSpec spec, ValueType type, std::int64_t pitch) {
    spec.type_c = type;
    spec.gC = layout(IntTuple::tuple({spec.m, spec.n}), IntTuple::tuple({pitch, 1}));
    const GemmPlan plan = lower(spec).value();
    const plan::Copy copy = copy_to(plan, "tDgC");
    CHECK(copy.vector * bits(type) <= 128);
    return copy.vector;
  };
  const GemmSpec plain = support::tensor(128, 256, 64, 64, 64, 32, 2);
  CHECK(stored(plain, ValueType::f32, 256) == 2);
  CHECK(stored(plain, ValueType::f32, 257) == 1);
  CHECK(stored(plain, ValueType::f32, 258) == 2);
  CHECK(stored(plain, ValueType::f64, 256) == 2);
  const GemmSpec four = support::wide_stores(support::tensor(128, 512, 64, 128, 256, 64, 3, 2, 4), 4);
  CHECK(stored(four, ValueType::f32, 512) == 4);
  CHECK(stored(four, ValueType::f32, 514) == 2);
  CHECK(stored(four, ValueType::f32, 516) == 4);
  CHECK(stored(four, ValueType::f16, 512) == 4);
  CHECK(stored(four, ValueType::f64, 512) == 2);
  const GemmSpec eight = support::wide_stores(support::tensor(128, 512, 64, 128, 256, 64, 3, 2, 4), 8);
  CHECK(stored(eight, ValueType::f32, 512) == 4);
  CHECK(stored(eight, ValueType::f16, 512) == 8);
  CHECK(stored(eight, ValueType::f16, 516) == 4);
  CHECK(stored(eight, ValueType::bf16, 520) == 8);
  // Rows that begin at multiples, and tiles that do not.
  GemmSpec spec = plain;
  spec.gC = layout(IntTuple::tuple({IntTuple::tuple({64, 2}), 256}), IntTuple::tuple({IntTuple::tuple({256, 64 * 256 + 1}), 1}));
  CHECK(copy_to(lower(spec).value(), "tDgC").vector == 1);
}

TEST_CASE("a chosen copy that the tile, the tensors or the instruction contradict is refused by its rule") {
  GemmSpec spec = support::tensor(128, 128, 64, 64, 64, 32, 2);
  spec.copy_a = support::rows_of_8(kAsync, 128, 32);
  REQUIRE(refusal(spec) == "accepted");
  SECTION("rows of A in global memory that do not begin at a multiple") {
    spec.gA = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({68, 1}));
    CHECK(mentions(refusal(spec), "copy_a reads 8 elements at once, which are not neighbours at an aligned place in gA"));
    spec.gA = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({72, 1}));
    CHECK(refusal(spec) == "accepted");
  }
  SECTION("an A whose rows are not contiguous") {
    spec.gA = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({1, 128}));
    CHECK(mentions(refusal(spec), "which are not neighbours at an aligned place in gA"));
  }
  SECTION("a tile of A that does not begin at a multiple") {
    const auto second = [](std::int64_t offset) {
      return layout(IntTuple::tuple({IntTuple::tuple({64, 2}), 64}), IntTuple::tuple({IntTuple::tuple({64, 64 * 64 + offset}), 1}));
    };
    spec.gA = second(4);
    CHECK(mentions(refusal(spec), "which are not neighbours at an aligned place in gA"));
    spec.gA = second(8);
    CHECK(refusal(spec) == "accepted");
  }
  SECTION("places in shared memory that do not begin at a multiple") {
    spec.smem_copy_a.reset();
    spec.sA = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({36, 1}));
    CHECK(mentions(refusal(spec), "copy_a writes 8 elements at once, which are not neighbours at an aligned place in sA"));
    spec.sA = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({40, 1}));
    CHECK(refusal(spec) == "accepted");
    spec.sA = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 64}));
    CHECK(mentions(refusal(spec), "which are not neighbours at an aligned place in sA"));
  }
  SECTION("more threads than the tiled MMA has") {
    spec.copy_a = support::rows_of_8(kAsync, 256, 32);
    CHECK(mentions(refusal(spec), "copy_a shares the tile among 256 threads; the tiled MMA has 128"));
  }
  SECTION("a copy tile that does not divide the tile") {
    spec.copy_a = support::rows_of_8(kAsync, 192 / 2, 32);
    CHECK(refusal(spec) != "accepted");
    spec.copy_a = support::rows_of_8(kAsync, 128, 64);
    CHECK(refusal(spec) != "accepted");
  }
  SECTION("an instruction that does not read global memory") {
    spec.copy_a =
        make_tiled_copy(CopyAtom::make(find_copy_atom("SM75_U32x4_LDSM_N").value(), ValueType::f16).value(),
                        layout(IntTuple::tuple({32, 4}), IntTuple::tuple({4, 1})), layout(IntTuple::tuple({1, 8}), IntTuple::tuple({8, 1})))
            .value();
    CHECK(mentions(refusal(spec), "SM75_U32x4_LDSM_N is no copy from global to shared memory"));
  }
  SECTION("the same of B") {
    spec.copy_b = support::rows_of_8(kAsync, 128, 32);
    spec.gB = layout(IntTuple::tuple({128, 64}), IntTuple::tuple({68, 1}));
    CHECK(mentions(refusal(spec), "copy_b reads 8 elements at once"));
  }
  SECTION("asynchronous copies into the one stage, unless they are waited for") {
    spec.stages = 1, spec.copies = Copies::ahead;
    CHECK(mentions(refusal(spec), "waits in registers"));
    spec.copies = Copies::waited_for;
    CHECK(refusal(spec) == "accepted");
    spec.copy_a = support::rows_of_8("UniversalCopy<uint128_t>", 128, 32), spec.copies = Copies::ahead;
    CHECK(refusal(spec) == "accepted");
  }
}

TEST_CASE("a copy from shared memory that its instruction cannot do is refused by its rule") {
  GemmSpec spec = support::tensor(128, 128, 64, 64, 64, 32, 2);
  SECTION("ldmatrix of bytes") {
    spec = support::typed("SM80_16x8x32_S32S8S8S32_TN", ValueType::i32, 2);
    spec.smem_copy_a = find_copy_atom("SM75_U32x4_LDSM_N").value();
    CHECK(mentions(refusal(spec), "loads matrices of 16-bit elements; sA is s8"));
  }
  SECTION("rows that do not lie together") {
    for (const std::int64_t pitch : {36, 40, 33}) {
      CAPTURE(pitch);
      spec.sA = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({pitch, 1}));
      CHECK((refusal(spec) == "accepted") == (pitch == 40));
      if (pitch != 40) CHECK(mentions(refusal(spec), "SM75_U32x4_LDSM_N reads rows of 8 elements"));
    }
  }
  SECTION("an instruction that does not read shared memory") {
    spec.smem_copy_b = find_copy_atom(kAsync).value();
    CHECK(mentions(refusal(spec), "is no copy from shared memory to registers"));
    CHECK(mentions(refusal(spec), "smem_copy_b=SM75_U32x4_LDSM_N"));
  }
  SECTION("vectors that are aligned in every column, and for every thread") {
    spec = support::register_tile();
    for (const std::int64_t pitch : {64, 66, 68, 72}) {
      CAPTURE(pitch);
      spec.sA = layout(IntTuple::tuple({64, 8}), IntTuple::tuple({1, pitch}));
      CHECK((refusal(spec) == "accepted") == (pitch % 4 == 0));
      if (pitch % 4 != 0) CHECK(mentions(refusal(spec), "UniversalCopy<uint128_t> reads 128 bits of sA"));
    }
  }
  SECTION("a plain copy of the width that is asked for, where the values are neighbours") {
    spec.smem_copy_a = find_copy_atom("UniversalCopy<uint32_t>").value();  // the pairs of m16n8k16
    const plan::Copy copy = copy_to(lower(spec).value(), "tCrA");
    CHECK(copy.by == plan::CopyBy::load_store);
    CHECK(copy.atom == "UniversalCopy<uint32_t>");
    CHECK(copy.vector == 2);
    CHECK(copy.matrices == 0);
    spec.smem_copy_a = find_copy_atom("UniversalCopy<uint16_t>").value();
    CHECK(copy_to(lower(spec).value(), "tCrA").vector == 1);
    spec.smem_copy_a = find_copy_atom("AutoVectorizingCopy").value();
    CHECK(copy_to(lower(spec).value(), "tCrA").vector == 2);
    spec.smem_copy_a = find_copy_atom("DefaultCopy").value();  // of 8 bits, or an element
    CHECK(copy_to(lower(spec).value(), "tCrA").vector == 1);
    spec.smem_copy_a = find_copy_atom("UniversalCopy<uint128_t>").value();
    CHECK(mentions(refusal(spec), "UniversalCopy<uint128_t> reads 128 bits of sA"));
    CHECK(mentions(refusal(spec), "AutoVectorizingCopy in smem_copy_a"));
    spec.smem_copy_a = find_copy_atom("UniversalCopy<uint8_t>").value();
    CHECK(mentions(refusal(spec), "UniversalCopy<uint8_t> reads 8 bits of sA"));
  }
}
