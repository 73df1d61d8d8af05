// SPDX-License-Identifier: BSD-3-Clause
// Extents as arguments: the plan of a size does what the plan of every size does, and says so; what no kernel can be told is refused.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "core/gemm/text/text.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"

using namespace tessera;

namespace {

GemmSpec with_arguments(GemmSpec spec) {
  spec.extents = Extents::arguments;
  return spec;
}

GemmSpec of_rung(std::int64_t number, std::int64_t m, std::int64_t n, std::int64_t k) {
  return with_arguments(find_rung(number)->spec(m, n, k).value());
}

std::string refusal(const GemmSpec& spec) {
  const auto plan = lower(spec);
  return plan ? "" : describe(plan.error());
}

}  // namespace

TEST_CASE("with extents as arguments neither the text nor what a cache knows of it has a number of the size") {
  for (const Rung& rung : ladder()) {
    if (rung.is_of_size) continue;  // another tile at another size
    const auto small = emit_gemm(lower(of_rung(rung.number, 1, 8, 1)).value()).value();
    const auto large = emit_gemm(lower(of_rung(rung.number, 2049, 4096, 8191)).value()).value();
    INFO(rung.name);
    CHECK(small.text == large.text);
    CHECK(small.plan_text == large.plan_text);
    CHECK(small.reference_text == large.reference_text);
    CHECK(large.extents.size() == 9);
    CHECK(large.extents[2].value == 8191);
    CHECK(large.grid != small.grid);
  }
}

TEST_CASE("with extents as arguments rows that nobody laid out begin at multiples of 16 bytes") {
  GemmSpec spec = of_rung(9, 61, 60, 59);
  spec.gA = spec.gB = spec.gC = std::nullopt;
  const GemmPlan plan = lower(spec).value();
  CHECK(to_string(plan.gmem(Operand::a).layout) == "(61,59):(64,1)");
  CHECK(to_string(plan.gmem(Operand::b).layout) == "(60,59):(64,1)");
  CHECK(to_string(plan.gmem(Operand::c).layout) == "(61,60):(60,1)");  // of f32: 240 bytes
}

TEST_CASE("a kernel whose extents are arguments is not of one tile, nor of matrices that have no leading dimension") {
  GemmSpec spec = with_arguments(support::tensor(64, 64, 64, 64, 64, 32, 1));
  CHECK(refusal(spec).empty());
  GemmSpec whole = spec;
  whole.cta_tiler = 0;
  CHECK(refusal(whole).find("cta_tiler=(128,128,32)") != std::string::npos);
  GemmSpec nested = spec;
  nested.gA = support::layout(IntTuple::tuple({IntTuple::tuple({32, 2}), 64}), IntTuple::tuple({IntTuple::tuple({64, 4096}), 1}));
  CHECK(refusal(nested).find("gA is ((32,2),64):((64,4096),1); with extents=arguments a kernel knows a matrix by its leading dimension") !=
        std::string::npos);
  GemmSpec overlapping = spec;
  overlapping.gB = support::layout(IntTuple::tuple({64, 64}), IntTuple::tuple({63, 1}));
  CHECK(refusal(overlapping).find("gB is") != std::string::npos);
  GemmSpec apart = spec;
  apart.gC = support::layout(IntTuple::tuple({64, 64}), IntTuple::tuple({128, 2}));
  CHECK(refusal(apart).find("gC is") != std::string::npos);
}

TEST_CASE("with extents as arguments the raster of a size is the one that its literals have") {
  for (const std::int64_t m : {1, 65, 64 * 6, 64 * 7, 64 * 12 - 1}) {
    GemmSpec spec = support::tensor(m, 200, 64, 64, 64, 32, 1);
    spec.raster_group = 4;
    const GemmPlan literals = lower(spec).value(), arguments = lower(with_arguments(spec)).value();
    CHECK(to_string(arguments.cta_raster) == to_string(literals.cta_raster));
    CHECK(arguments.grid == literals.grid);
  }
}

TEST_CASE("with extents as arguments a program is the same at every size, to the last name") {
  std::vector<GemmSpec> specs;
  for (const Rung& rung : ladder()) specs.push_back(rung.spec(64, 64, 64).value());
  for (const auto& [name, spec] : support::travels()) specs.push_back(spec);
  for (const GemmSpec& spec : support::ragged_hoppers()) specs.push_back(spec);
  std::size_t programs = 0;
  for (const GemmSpec& spec : specs) {
    if (spec.cta_tiler.is_int()) continue;  // one tile
    INFO(to_string(spec.cta_tiler) << " " << spec.stages << " " << spec.name);
    std::optional<std::string> first;
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{8, 8, 128}, {200, 136, 72}, {1024, 2048, 4096}}) {
      GemmSpec sized = with_arguments(support::with_extents(spec, m, n, k));
      if (spec.mma->atom().kind != MmaKind::wgmma) sized.store_boxes = GemmSpec().store_boxes;
      const auto plan = lower(sized);
      if (!plan) continue;  // of a padding, or a copy, that another matrix does not have
      ++programs;
      const std::string text = plan::to_text(*plan), program = text.substr(std::min(text.find("\n  function"), text.find("\n  role")));
      CHECK(first.value_or(program) == program);
      first = program;
    }
  }
  CHECK(programs > 2 * specs.size());
}

TEST_CASE("with extents as arguments a tile of one row is read in vectors only where every row begins at one") {
  GemmSpec spec;
  spec.m = 1, spec.n = 64, spec.k = 64, spec.cta_tiler = IntTuple::tuple({1, 32, 32});
  const Layout atoms = support::layout(IntTuple::tuple({1, 32, 1}), IntTuple::tuple({0, 1, 0}));
  spec.mma =
      TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(), atoms, Tiler(std::vector<Tiler>{1, 32, 1})).value();
  const auto vector_of_a = [&](std::int64_t pitch, Extents extents) {
    GemmSpec other = spec;
    other.extents = extents, other.gA = support::layout(IntTuple::tuple({1, 64}), IntTuple::tuple({pitch, 1}));
    const GemmPlan plan = lower(other).value();
    std::int64_t vector = 0;
    plan::each_op(plan, [&](const plan::Op& op) {
      const auto* copy = std::get_if<plan::Copy>(&op.op);
      if (copy != nullptr && copy->from.partition == plan.path(Operand::a).tXgX) vector = copy->vector;
    });
    return vector;
  };
  CHECK(vector_of_a(68, Extents::arguments) == 4);
  CHECK(vector_of_a(66, Extents::arguments) == 2);
  CHECK(vector_of_a(65, Extents::arguments) == 1);
  CHECK(vector_of_a(65, Extents::literals) == 4);  // there is no other row
}

TEST_CASE("with extents as arguments a persistent grid has as many CTAs as its launch") {
  std::optional<std::string> first;
  for (const std::int64_t ctas : {2, 4, 1000}) {  // 1000: more than there are tiles
    GemmSpec spec = with_arguments(support::hopper(Overlap::none, 512, 256, 128, 128, 128, 2));
    spec.cluster = 1, spec.ctas = ctas;
    const GemmPlan plan = lower(spec).value();
    const KernelSource source = emit_gemm(plan).value();
    CHECK(source.grid[0] == std::min<std::int64_t>(ctas, plan.m_tiles * plan.n_tiles));
    CHECK(source.text.find("CLUSTERS = gridDim.x;") != std::string::npos);
    CHECK(first.value_or(source.text) == source.text);
    first = source.text;
  }
}

TEST_CASE("with extents as arguments C leaves by TMA in whole units of 16 bytes, of which there is one at least") {
  CHECK(refusal(of_rung(13, 64, 7, 64))
            .find("n is 7: with extents=arguments C leaves by a tensor map in units of 16 bytes, 8 elements of f16") != std::string::npos);
  const GemmPlan whole = lower(of_rung(13, 64, 64, 64)).value(), ragged = lower(of_rung(13, 64, 67, 64)).value();
  CHECK(whole.maps.back().left_over == 0);
  CHECK(ragged.maps.back().left_over == 3);
}

TEST_CASE("a batch whose matrices lie nowhere, or where others are, is refused") {
  GemmSpec spec = support::tensor(64, 64, 64, 64, 64, 32, 1);
  spec.batch = 2;
  CHECK(refusal(spec).empty());
  const auto of = [](std::int64_t batch, std::int64_t apart) {
    return support::layout(IntTuple::tuple({64, 64, batch}), IntTuple::tuple({64, 1, apart}));
  };
  const auto with = [&](std::optional<Layout> GemmSpec::*tensor, const Layout& layout) {
    GemmSpec other = spec;
    other.*tensor = layout;
    return refusal(other);
  };
  CHECK(with(&GemmSpec::gA, of(2, 4096)).empty());
  CHECK(with(&GemmSpec::gA, of(2, 0)).empty());  // one A for all
  CHECK(with(&GemmSpec::gA, of(3, 4096)).find("whose third mode counts the matrices of a batch; batch is 2") != std::string::npos);
  CHECK(with(&GemmSpec::gB, of(2, 4097)).find("the matrices of gB = (64,64,2):(64,1,4097) are 4097 elements apart") != std::string::npos);
  CHECK(with(&GemmSpec::gC, of(2, 0)).find("of C and by TMA in a place of its own") != std::string::npos);
  CHECK(with(&GemmSpec::gC, of(2, 64)).find("which two threads would write") != std::string::npos);
  CHECK(with(&GemmSpec::gA, of(2, std::int64_t{1} << 55)).empty());
  CHECK(with(&GemmSpec::gA, of(2, (std::int64_t{1} << 55) + 8)).find("more than the limit of 72057594037927936 elements") !=
        std::string::npos);
  for (const std::int64_t batch : {0, 65536}) {
    GemmSpec other = spec;
    other.batch = batch;
    CHECK(refusal(other).find("a launch has 1 to 65535 products") != std::string::npos);
  }
}
