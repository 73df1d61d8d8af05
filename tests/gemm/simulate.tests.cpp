// SPDX-License-Identifier: BSD-3-Clause
// The simulation computes the product that the definition gives, and its trace is what the layouts say.
#include "core/gemm/run/simulate.hpp"

#include "core/base/budget.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

void expect_exact(const GemmSpec& spec) {
  const auto plan = lower(spec);
  if (!plan) FAIL(describe(plan.error()));
  const SimulationInput input = integer_input(*plan, 7);
  const auto result = simulate(*plan, input);
  if (!result) FAIL(describe(result.error()));
  REQUIRE(result->c == reference(*plan, input));
}

}  // namespace

TEST_CASE("the article's GEMM, simulated thread by thread, equals the definition exactly") { expect_exact(support::article()); }

TEST_CASE("the tensor-core GEMM with ldmatrix, cp.async and swizzles equals the definition exactly") {
  SECTION("one CTA, one k-tile") { expect_exact(support::tensor(128, 128, 32)); }
  SECTION("several CTAs and k-tiles") { expect_exact(support::tensor(256, 256, 96)); }
  SECTION("64-wide rows with the 128-byte swizzle") { expect_exact(support::tensor(128, 256, 128, 128, 128, 64)); }
  SECTION("N permuted for 16-byte stores") {
    const GemmSpec spec = support::wide_stores(support::tensor(128, 512, 64, 128, 256, 64, 3, 2, 4), 4);
    const GemmPlan plan = lower(spec).value();
    CHECK(plain_part(plan.partitions[plan.path(Operand::c).tXgX].layout)[1][0].size() == 4);  // elements of a store
    expect_exact(spec);
  }
  SECTION("eight warps") { expect_exact(support::tensor(256, 256, 64, 128, 256, 32, 3, 2, 4)); }
}

TEST_CASE("a CTA whose threads fill half a warp equals the definition, its idle lanes storing nothing") {
  GemmSpec spec;
  spec.m = 16, spec.n = 16, spec.k = 8;
  const Layout atoms = support::layout(IntTuple::tuple({4, 4}), IntTuple::tuple({1, 4}));
  spec.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), atoms, Underscore{}).value();
  CHECK(lower(spec)->threads == 32);
  expect_exact(spec);
}

TEST_CASE("a tile with one block of k, kept in several stages, equals the definition") {
  expect_exact(support::tensor(128, 128, 64, 64, 64, 16, 3));
}

TEST_CASE("lowering and simulation end when the request's time or memory is over") {
  const GemmSpec spec = support::tensor(128, 128, 64);
  const GemmPlan plan = lower(spec).value();
  const SimulationInput input = integer_input(plan, 7);
  {
    const Budget budget({.seconds = 0});
    const auto lowered = lower(spec);
    REQUIRE_FALSE(lowered.has_value());
    CHECK(lowered.error().notes.at(0).starts_with("--limit-seconds "));
    const auto simulated = simulate(plan, input);
    REQUIRE_FALSE(simulated.has_value());
    CHECK(simulated.error().notes.at(0).starts_with("--limit-seconds "));
  }
  const Budget budget({.bytes = 100000});
  const auto simulated = simulate(plan, input);
  REQUIRE_FALSE(simulated.has_value());
  CHECK(simulated.error().notes.at(0).starts_with("--limit-bytes "));
}
