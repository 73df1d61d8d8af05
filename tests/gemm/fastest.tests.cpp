// SPDX-License-Identifier: BSD-3-Clause
// The fastest choice of a product: by the rule's own arithmetic, of any types and layouts, and always a kernel that computes the product.
#include "core/gemm/rungs/fastest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

GemmSpec product(std::int64_t m, std::int64_t n, std::int64_t k, const char* atom, ValueType type_c) {
  GemmSpec spec;
  spec.m = m, spec.n = n, spec.k = k, spec.type_c = type_c;
  const auto one = Layout::make(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0})).value();
  spec.mma = TiledMma::make(find_mma_atom(atom).value(), one, Underscore{}).value();
  return spec;
}
constexpr const char* kBf16 = "SM80_16x8x16_F32BF16BF16F32_TN";

std::string chosen(const GemmSpec& spec, std::int64_t multiprocessors = kHopperMultiprocessors) {
  const auto choices = fastest_choices(spec, multiprocessors);
  if (!choices) return choices.error().message;
  const int best = fastest_of(*choices);
  return best < 0 ? "none" : std::string((*choices)[static_cast<std::size_t>(best)].name);
}

}  // namespace

TEST_CASE("a choice's clocks are waves by k-tiles by the longer of multiplying one and filling one") {
  const std::vector<FastestChoice> choices = fastest_choices(product(8192, 8192, 8192, kBf16, ValueType::bf16)).value();
  const FastestChoice& first = choices.front();
  CHECK(first.name == "256x200 skewed");
  CHECK(first.tiles == 32 * 41);  // 32 by 40.96 tiles
  CHECK(first.waves == 10);       // of 132 at once
  CHECK(first.multiply == 1600);
  CHECK(first.fill == Approx((256 + 200) * 128 / 57.0));
  CHECK(first.clocks == 10 * 128 * 1600.0);
  const FastestChoice& last = choices.back();
  CHECK(last.name == "64x32");
  CHECK(last.tiles == 128 * 256);
  CHECK(last.waves == 249);
  CHECK(last.clocks == Approx(249 * 128 * (64 + 32) * 128 / 57.0));  // a small tile waits for its bytes
  for (std::size_t i = 0; i < choices.size(); ++i) CHECK(choices[i].refused.empty());
}

TEST_CASE("the fastest choice follows the size, the types and how the operands lie") {
  const auto square = [](std::int64_t size, const char* atom = kBf16, ValueType type_c = ValueType::bf16) {
    return product(size, size, size, atom, type_c);
  };
  CHECK(chosen(square(16384)) == "256x200 skewed");
  CHECK(chosen(square(8192)) == "256x200 skewed");
  CHECK(chosen(square(4096)) == "128x256 deferred, zigzag");
  CHECK(chosen(square(1024)) == "64x128");
  CHECK(chosen(square(512)) == "64x32");
  CHECK(chosen(square(4096, kBf16, ValueType::f32)) == "128x256");  // a tile of 32 bits does not wait in registers
  CHECK(chosen(square(8192, "SM80_16x8x8_F32TF32TF32F32_TN", ValueType::f32)) == "256x200 skewed");
  CHECK(chosen(square(8192, "SM80_16x8x32_S32S8S8S32_TN", ValueType::i32)) == "128x192 ping-pong");  // N in steps of 16
  GemmSpec n_major = square(8192);
  n_major.gB = Layout::make(IntTuple::tuple({8192, 8192}), IntTuple::tuple({1, 8192})).value();
  CHECK(chosen(n_major) == "128x256 deferred, zigzag");              // rows of 64 elements along N
  GemmSpec odd = product(8192, 8191, 8192, kBf16, ValueType::bf16);  // threads store the last column: 256 x 200 would spill
  odd.gC = Layout::make(IntTuple::tuple({8192, 8191}), IntTuple::tuple({8192, 1})).value();
  CHECK(chosen(odd) == "128x256 deferred, zigzag");
  CHECK(chosen(square(8192), 128) == "128x256 deferred, zigzag");  // 16 waves of 64 clusters, and none of them is cut
  // A last wave that is not full counts as a whole one, and a cluster of two needs two multiprocessors at once.
  CHECK(fastest_choices(square(8192), 131)->front().waves == 11);
  CHECK(fastest_choices(square(8192), 1)->front().waves == 1312);
  const FastestChoice of_two = fastest_choices(square(1024), 131)->at(9);
  CHECK(of_two.name == "64x128");
  CHECK((of_two.tiles == 128 && of_two.waves == 1));
  CHECK(fastest_choices(square(1024), 127)->at(9).waves == 2);
}

TEST_CASE("what is within a hundredth of the least gives way to the larger tile") {
  std::vector<FastestChoice> choices(3);
  choices[0].clocks = 1009, choices[1].clocks = 1000, choices[2].clocks = 1001;
  CHECK(fastest_of(choices) == 0);
  choices[0].clocks = 1011;
  CHECK(fastest_of(choices) == 1);
  choices[1].refused = "no";
  CHECK(fastest_of(choices) == 0);
  choices[0].refused = choices[2].refused = "no";
  CHECK(fastest_of(choices) == -1);
  CHECK(fastest_of({}) == -1);
}

TEST_CASE("the fastest choice computes the same product, factors and layouts included, and has a kernel without notes") {
  for (const auto& [m, n, k] : {std::tuple{256, 200, 128}, {300, 408, 192}, {64, 32, 64}, {512, 400, 192}}) {
    for (const auto& [atom, type_c] : {std::pair{kBf16, ValueType::bf16}, {"SM90_64x8x32_S32S8S8_SS_TN", ValueType::i32}}) {
      GemmSpec spec = product(m, n, 2 * k, atom, type_c);
      spec.alpha = 2, spec.name = "mine";
      const GemmSpec to = fastest(spec, 4).value();
      INFO(m << " x " << n << " x " << k << " of " << atom);
      CHECK(to.name == "mine");
      CHECK(to.alpha == 2);
      CHECK(to.type_c == type_c);
      const GemmPlan plan = lower(to).value();
      CHECK(plan.notes.empty());
      CHECK(emit_gemm(plan).has_value());
      const SimulationInput input = integer_input(plan, 3);
      CHECK(simulate(plan, input, {.trace = false})->c == reference(plan, input));
    }
  }
}

TEST_CASE("what wgmma does not multiply, and what is no product, is refused in words") {
  const auto words = [](const GemmSpec& spec) { return fastest(spec).error().message; };
  CHECK(words(product(64, 64, 64, "UniversalFMA<float,float,float,float>", ValueType::f32)).find("does not multiply f32 by f32") !=
        std::string::npos);
  CHECK(words(product(0, 64, 64, kBf16, ValueType::bf16)).find("at least 1") != std::string::npos);
  CHECK(words(GemmSpec()).find("a product has m, n and k") != std::string::npos);
  GemmSpec odd = product(100, 100, 100, kBf16, ValueType::bf16);  // rows of 200 bytes
  CHECK(words(odd).find("no schedule of wgmma computes this product") != std::string::npos);
}

TEST_CASE("the last rung is the fastest choice of its size, with B along K") {
  for (const std::int64_t size : {512, 4096, 8192}) {
    const GemmSpec rung = ladder().back().spec(size, size, size).value();
    GemmSpec same = product(size, size, size, "SM80_16x8x16_F32F16F16F32_TN", ValueType::f16);
    const GemmSpec choice = fastest(same).value();
    INFO(size);
    CHECK(rung.overlap == choice.overlap);
    CHECK(rung.ctas == choice.ctas);
    CHECK(rung.stages == choice.stages);
    CHECK(to_string(rung.cta_tiler) == to_string(choice.cta_tiler));
    CHECK_FALSE(rung.gB.has_value());
    CHECK(lower(rung).value().smem_bytes == lower(choice).value().smem_bytes);
  }
}
