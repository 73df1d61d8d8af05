// SPDX-License-Identifier: BSD-3-Clause
// Boxes of C for every width of wgmma: which are chosen, that they are simulated as the product is defined, and that no bank is met twice.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/gemm/run/simulate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Asked {
  const char* types = "F32BF16BF16";
  const char* letters = "<GMMA::Major::K,GMMA::Major::K>";
  ValueType type_c = ValueType::bf16;
  std::int64_t depth = 16;  // K of the atom
};
constexpr Asked kBf16{}, kF32{"F32BF16BF16", "<GMMA::Major::K,GMMA::Major::K>", ValueType::f32, 16},
    kTf32{"F32TF32TF32", "", ValueType::f32, 8}, kS8{"S32S8S8", "", ValueType::i32, 32};

// Two consumers with `rows` rows of a tile of `columns` columns.
GemmSpec spec_of(const Asked& of, std::int64_t rows, std::int64_t columns, int stages, Overlap overlap = Overlap::none) {
  const std::string suffix = *of.letters == 0 ? "_TN" : of.letters;
  const MmaAtom atom = find_mma_atom(fmt::format("SM90_64x{}x{}_{}_SS{}", columns, of.depth, of.types, suffix)).value();
  GemmSpec spec;
  spec.m = rows, spec.n = columns + 8, spec.k = 8 * of.depth;
  spec.mma = TiledMma::make(atom, Layout::make(IntTuple::tuple({2, 1, 1}), IntTuple::tuple({1, 0, 0})).value(), Underscore{}).value();
  spec.cta_tiler = IntTuple::tuple({rows, columns, 4 * of.depth});
  spec.type_c = of.type_c, spec.stages = stages, spec.overlap = overlap;
  return spec;
}

const plan::TensorMap& map_of_c(const GemmPlan& plan) { return plan.maps.back(); }
std::int64_t places(const GemmPlan& plan) { return plan.rings.back().stages; }

}  // namespace

TEST_CASE("a box of C is as wide as fits beside the stages, in rows that meet every bank once") {
  struct Case {
    Asked of;
    std::int64_t rows, columns;
    int stages;
    std::int64_t box, places;
    int swizzle;
  };
  const Case cases[] = {
      {kBf16, 256, 200, 3, 200, 1, 0}, {kBf16, 256, 184, 3, 184, 1, 0}, {kBf16, 256, 176, 3, 88, 2, 0},   {kBf16, 128, 168, 3, 168, 1, 0},
      {kBf16, 128, 144, 3, 72, 2, 0},  {kBf16, 128, 208, 3, 104, 2, 0}, {kBf16, 256, 192, 3, 64, 2, 128}, {kBf16, 128, 64, 3, 64, 1, 128},
      {kBf16, 128, 32, 3, 32, 1, 64},  {kBf16, 128, 16, 3, 16, 1, 32},  {kBf16, 128, 8, 3, 8, 1, 0},      {kBf16, 128, 96, 3, 32, 2, 64},
      {kTf32, 256, 200, 3, 40, 2, 0},  {kS8, 256, 176, 3, 88, 1, 0},    {kF32, 128, 64, 3, 32, 2, 128},   {kF32, 128, 16, 3, 8, 2, 0},
      {kBf16, 256, 200, 4, 8, 2, 0},  // nothing fits: the narrowest, and the plan says what is beyond
  };
  for (const Case& each : cases) {
    const GemmPlan plan = lower(spec_of(each.of, each.rows, each.columns, each.stages)).value();
    INFO(each.rows << " x " << each.columns << " of " << each.of.types << " in " << each.stages << " stages");
    CHECK(map_of_c(plan).box_columns == each.box);
    CHECK(map_of_c(plan).box_rows == 64);
    CHECK(map_of_c(plan).swizzle_bytes == each.swizzle);
    CHECK(places(plan) == each.places);
    CHECK((plan.smem_bytes <= *smem_bytes_per_block(90)) == beyond_smem(plan).empty());
  }
  CHECK(lower(spec_of(kBf16, 256, 200, 3)).value().smem_bytes == 226352);
  CHECK_FALSE(beyond_smem(lower(spec_of(kBf16, 256, 200, 4)).value()).empty());
}

TEST_CASE("so many boxes as are asked for, of a width that a tile has as often") {
  GemmSpec spec = spec_of(kBf16, 256, 200, 3);
  for (const auto& [asked, columns] : {std::pair<std::int64_t, std::int64_t>{1, 200}, {3, 40}, {5, 40}}) {
    spec.store_boxes = asked;
    const GemmPlan plan = lower(spec).value();
    CHECK(map_of_c(plan).box_columns == columns);
    CHECK(places(plan) == asked);
  }
  spec.store_boxes = 26;
  const auto refused = lower(spec);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("a warpgroup has 1 to 25 boxes of 8 columns") != std::string::npos);
  CHECK(refused.error().notes == std::vector<std::string>{"store_boxes=25"});
}

TEST_CASE("tiles of every width of wgmma are simulated as the product is defined, and write no bank twice") {
  std::uint32_t seed = 0;
  for (const Asked& of : {kBf16, kF32}) {
    for (std::int64_t columns = 8; columns <= 256; columns += 8) {
      const auto plan = lower(spec_of(of, 128, columns, 2));
      INFO(columns << " columns of " << short_name(of.type_c) << (plan ? "" : ": " + describe(plan.error())));
      REQUIRE(plan.has_value());
      REQUIRE(verify(*plan).has_value());
      const SimulationInput input = integer_input(*plan, ++seed);
      const auto result = simulate(*plan, input, {.interleaving = seed % 6, .trace = true});
      INFO((result ? std::string() : describe(result.error())));
      REQUIRE(result.has_value());
      REQUIRE(result->c == reference(*plan, input));
      for (const AccessSummary& cost : summarize(result->trace)) {
        if (cost.step != Access::Step::stage_c) continue;
        // Pairs of 32 bits in swizzled rows of 128 bytes: a row and the next one have the same two units.
        const bool twice = of.type_c == ValueType::f32 && columns % 32 == 0;
        CHECK(cost.units == (twice ? 2 : 1) * cost.least_units);
      }
    }
  }
}

TEST_CASE("each CTA of a cluster brings whole rows of B, also where a part begins within eight of them") {
  for (const Overlap overlap : {Overlap::none, Overlap::skewed}) {
    for (const std::int64_t columns : {184, 200}) {
      GemmSpec spec = spec_of(kBf16, 256, columns, 3, overlap);
      spec.m = 512, spec.n = 2 * columns - 8, spec.k = 192, spec.cluster = IntTuple::tuple({2, 1}), spec.ctas = 2;
      const GemmPlan plan = lower(spec).value();
      CHECK(plan.maps[1].box_rows == columns / 2);
      CHECK(verify(plan).has_value());
      for (std::uint32_t order = 0; order < 6; ++order) {
        const SimulationInput input = integer_input(plan, order);
        const auto result = simulate(plan, input, {.interleaving = order, .trace = false});
        INFO((result ? std::string() : describe(result.error())));
        REQUIRE(result.has_value());
        CHECK(result->c == reference(plan, input));
      }
    }
  }
  GemmSpec spec = spec_of(kBf16, 128, 200, 3);
  spec.m = 128 * 3, spec.cluster = IntTuple::tuple({3, 1});
  const auto refused = lower(spec);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("200 rows of sB in 3 parts are no boxes of TMA") != std::string::npos);
}
