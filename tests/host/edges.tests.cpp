// SPDX-License-Identifier: BSD-3-Clause
// Emitted kernels whose tiles do not divide the problem, executed: they compute the definition, read nothing outside their buffers, and
// neither use nor change what lies between the rows.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/host/kernel_library.hpp"
#include "tests/host/tensor_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using host::Order;

namespace {

struct Case {
  GemmPlan plan;
  KernelSource source;
};

Case made(const GemmSpec& spec) {
  const auto plan = lower(spec);
  if (!plan) FAIL(spec.name << ": " << describe(plan.error()));
  const auto source = emit_gemm(*plan);
  if (!source) FAIL(spec.name << ": " << describe(source.error()));
  return {*plan, *source};
}

void expect_defined(const std::vector<GemmSpec>& specs) {
  std::vector<Case> cases;
  std::vector<KernelSource> sources;
  for (const GemmSpec& spec : specs) cases.push_back(made(spec)), sources.push_back(cases.back().source);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [plan, source] = cases[i];
    const SimulationInput input = support::guarded_input(plan, 7);
    const std::vector<double> want = reference(plan, input);
    INFO(source.name << "\n" << source.plan_text << source.text.substr(source.text.find("extern \"C\"")));
    const auto simulated = simulate(plan, input);
    if (!simulated) FAIL(describe(simulated.error()));
    CHECK(support::first_difference(simulated->c, want) == "");
    CHECK(source.takes_c == (!source.maps.empty() && source.text.find("* __restrict__ C,") != std::string::npos));
    for (const Order order : {Order::first, i % 2 == 0 ? Order::last : Order::shuffled}) {  // the others by turns
      std::vector<std::byte> a = support::bytes_of(input.a, source.a), b = support::bytes_of(input.b, source.b),
                             c = support::bytes_of(input.c, source.c);
      const auto maps = host::tensor_maps(plan, a, b, c);  // none without TMA
      if (!maps) FAIL(describe(maps.error()));
      const host::Buffers buffers{
          a, b, c, static_cast<float>(source.alpha), static_cast<float>(source.beta), source.extents, *maps, source.takes_c};
      const Status ran = host::run(library->kernel(i), {source.grid, source.block, source.smem_bytes, order, 1, source.cluster}, buffers);
      if (!ran) FAIL(describe(ran.error()));
      CHECK(support::first_difference(support::values_in(c, source.c), want) == "");
    }
  }
}

}  // namespace

TEST_CASE("at the edges of a problem an emitted kernel computes the definition: every rung, of few elements and of ragged tiles") {
  std::vector<std::array<std::int64_t, 3>> shapes = support::ragged_shapes();
  const char* const more = std::getenv("TESSERA_HOST_CASES");
  std::mt19937 random(50);
  for (int i = 0; i < (more ? std::atoi(more) : 0); ++i) {
    const auto up_to = [&](std::uint32_t most) { return static_cast<std::int64_t>(1 + random() % most); };
    const std::int64_t m = up_to(200), n = up_to(300), k = up_to(200);
    shapes.push_back({m, n, k});
  }
  std::vector<GemmSpec> specs;
  for (const Rung& rung : ladder()) {
    for (const auto& [m, n, k] : shapes) specs.push_back(support::of_rung(rung, m, n, k));
  }
  expect_defined(specs);
}

TEST_CASE("at the edges of a problem an emitted kernel computes the definition: NN, NT, TN and TT, with C, in small tiles") {
  expect_defined(support::ragged_specs(24, 1789));
}

TEST_CASE("at the edges of a problem an emitted kernel computes the definition: TMA and wgmma") {
  expect_defined(support::ragged_hoppers());
}

TEST_CASE("at the edges of a problem an emitted kernel computes the definition: threads store what TMA leaves over of C's rows") {
  expect_defined(support::left_over_specs());
}

namespace {

// gA = (M,K,L): matrices side by side in rows of all of them.
Layout side_by_side(std::int64_t rows, std::int64_t columns, std::int64_t batch) {
  const std::int64_t apart = (columns + 7) / 8 * 8;
  return support::layout(IntTuple::tuple({rows, columns, batch}), IntTuple::tuple({apart * batch, 1, apart}));
}

}  // namespace

TEST_CASE("every product of a batch is computed from its own matrices, wherever they lie") {
  std::vector<GemmSpec> specs;
  for (const std::int64_t rung : {1, 5, 6, 9, 10, 13, 14, 16}) {
    GemmSpec spec = support::of_rung(*find_rung(rung), 70, 133, 67);
    spec.batch = 3, spec.name += " in a batch", spec.beta = rung == 9 || rung == 13 || rung == 14 ? 1 : 0;
    specs.push_back(spec);
    spec.gA = side_by_side(70, 67, 3), spec.gC = side_by_side(70, 133, 3), spec.name += ", side by side";
    specs.push_back(spec);
  }
  GemmSpec shared = support::of_rung(*find_rung(9), 70, 133, 67);
  shared.gA = support::layout(IntTuple::tuple({70, 67, 2}), IntTuple::tuple({72, 1, 0}));
  shared.batch = 2, shared.name += ", one A for both";
  specs.push_back(shared);
  expect_defined(specs);
}
