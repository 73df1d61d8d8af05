// SPDX-License-Identifier: BSD-3-Clause
// Fragments of nvcuda::wmma: what they are loaded from, which shared memory is refused, and that they compute.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;
using support::layout;

namespace {

GemmSpec spec_of(const char* majors) { return support::warp_fragments("F32F16F16F32", majors, 1); }

Error refused(const GemmSpec& spec) {
  const auto plan = lower(spec);
  REQUIRE_FALSE(plan.has_value());
  return plan.error();
}

const plan::Partition& partition(const GemmPlan& plan, std::string_view name) {
  return *std::find_if(plan.partitions.begin(), plan.partitions.end(), [&](const auto& each) { return each.name == name; });
}

}  // namespace

TEST_CASE("fragments of a warp compute the definition, in every order of A and B") {
  for (const GemmSpec& spec : support::warp_fragment_specs()) {
    INFO(spec.name);
    const GemmPlan plan = lower(spec).value();
    const SimulationInput input = integer_input(plan, 7);
    CHECK((simulate(plan, input)->c == reference(plan, input)));
  }
}

TEST_CASE("a warp's fragment is a patch of 16 x 16 elements, the same for all of its threads") {
  const GemmPlan plan = lower(spec_of("TN")).value();
  const AnyLayout& patches = partition(plan, "tXsA").layout;  // (thr, (element, MMA_M, MMA_K)) -> element of the stage of sA
  const AnyLayout& sA = plan.smem(Operand::a).layout;
  const std::int64_t atoms_m = 2;
  for (std::int64_t thr = 0; thr < plan.threads; ++thr) {
    for (std::int64_t m = 0; m < plan.mma_m; ++m) {
      for (std::int64_t k = 0; k < plan.mma_k; ++k) {
        for (std::int64_t i = 0; i < 256; ++i) {
          const std::int64_t row = (m * atoms_m + thr / 32 % atoms_m) * 16 + i % 16, column = k * 16 + i / 16;
          if (evaluate(patches, thr, i + 256 * (m + plan.mma_m * k)) != evaluate(sA, row + 64 * column))
            FAIL(thr << " " << m << " " << k << " " << i);
        }
      }
    }
  }
}

TEST_CASE("the sums of a warp go through a patch of its own, from which each thread takes what it stores") {
  const GemmPlan plan = lower(spec_of("NT")).value();
  const AnyLayout &whole = partition(plan, "tXsC").layout, &own = partition(plan, "tDsC").layout;
  const Layout held = plan.mma->atom().layout_c;  // (thr, val) -> (m, n)
  std::set<std::int64_t> taken;
  for (std::int64_t thr = 0; thr < plan.threads; ++thr) {
    for (std::int64_t v = 0; v < 8; ++v) {
      const std::int64_t place = evaluate(own, thr, v);
      CHECK(place == evaluate(whole, thr, held(thr % 32, v)));
      CHECK(taken.insert(place).second);
    }
  }
  const std::int64_t end = plan.smem_bytes, begin = plan.tensors[plan.path(Operand::c).smem].byte_offset;
  CHECK(begin % 32 == 0);
  CHECK(begin + 4 * (*taken.rbegin() + 1) <= end);
}

TEST_CASE("shared memory that load_matrix_sync cannot read is refused with what would do") {
  struct Row {
    const char* what;
    AnyLayout sA;
    const char* says;
  };
  const Layout rows = layout(IntTuple::tuple({64, 32}), IntTuple::tuple({40, 1}));
  for (const Row& row :
       {Row{"a swizzle", ComposedLayout{Swizzle::make(2, 3, 3).value(), 0, layout(IntTuple::tuple({64, 32}), IntTuple::tuple({32, 1}))},
            "whose rows a swizzle tears apart"},
        Row{"columns", layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 72})), "whose rows do not lie so"},
        Row{"an odd distance", layout(IntTuple::tuple({64, 32}), IntTuple::tuple({41, 1})), "whose rows do not lie so"},
        Row{"half a fragment farther",
            layout(IntTuple::tuple({64, IntTuple::tuple({16, 2})}), IntTuple::tuple({48, IntTuple::tuple({1, 24})})),
            "begins at no multiple of 32 bytes"},
        Row{"rows in two halves", layout(IntTuple::tuple({IntTuple::tuple({8, 8}), 32}), IntTuple::tuple({IntTuple::tuple({40, 336}), 1})),
            "whose rows are not all one distance apart"}}) {
    INFO(row.what);
    GemmSpec spec = spec_of("TN");
    spec.sA = rows;
    REQUIRE(lower(spec).has_value());
    spec.sA = row.sA;
    const Error error = refused(spec);
    CHECK(error.message.find(row.says) != std::string::npos);
    CHECK(describe(error).find("WMMA_16x16x16_F32F16F16F32_NN") != std::string::npos);  // for an A of columns
  }
}

TEST_CASE("stages of fragments begin where a pointer of load_matrix_sync may") {
  // 63 rows of 40 elements and one of 32 are 5104 bytes, no multiple of 32.
  const GemmPlan plan = lower(support::warp_fragments("F32F16F16F32", "TN", 2)).value();
  CHECK(plan.smem(Operand::a).stage_elements * 2 == 5120);
  CHECK(plan.smem(Operand::b).byte_offset % 32 == 0);
}

TEST_CASE("a copy that hands threads their elements is not for fragments of a warp") {
  GemmSpec spec = spec_of("TN");
  spec.smem_copy_a = find_copy_atom("SM75_U32x4_LDSM_N").value();
  CHECK(refused(spec).message.find("loads its fragments itself") != std::string::npos);
  spec = spec_of("TN");
  spec.sA.reset(), spec.sB.reset();
  spec.operands = Operands::gmem;
  CHECK(refused(spec).message.find("loads its fragments from shared memory") != std::string::npos);
}

TEST_CASE("a wait that the patch of sums needs is missed by the machine") {
  const GemmPlan right = lower(spec_of("TN")).value();
  for (const char* why : {"the sums are there", "the patch is free"}) {
    INFO(why);
    GemmPlan plan = right;
    const auto is_it = [&](const plan::Op& op) { return op.why == why; };
    CHECK(support::edit(plan, is_it, support::nothing) == 1);
    const auto result = simulate(plan, integer_input(plan, 7));
    CHECK_FALSE(result.has_value());
  }
}
