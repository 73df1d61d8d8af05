// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose extents are arguments, executed: one text for every size, and at each it computes the definition, as the plan of that size
// does.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
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

// One GEMM at several sizes, the first of which is compiled and launched at all of them.
using Sizes = std::vector<GemmSpec>;

struct Case {
  GemmPlan plan;
  KernelSource source;
};

Case made(GemmSpec spec, const std::string& name) {
  spec.extents = Extents::arguments, spec.name = name;
  const auto plan = lower(spec);
  if (!plan) FAIL(name << ": " << spec.m << " x " << spec.n << " x " << spec.k << ": " << describe(plan.error()));
  const auto source = emit_gemm(*plan);
  if (!source) FAIL(name << ": " << describe(source.error()));
  return {*plan, *source};
}

std::string first_line_of_difference(const std::string& a, const std::string& b) {
  const std::size_t at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (at == a.size() && a.size() == b.size()) return "";
  const std::size_t begin = a.rfind('\n', at) + 1;
  return a.substr(begin, a.find('\n', at) - begin) + " | " + b.substr(std::min(begin, b.size()), 100);
}

void expect_defined(const Case& each, const host::HostKernel& kernel, Order order) {
  const auto& [plan, source] = each;
  const SimulationInput input = support::guarded_input(plan, 7);
  const std::vector<double> want = reference(plan, input);
  INFO(fmt::format("{} x {} x {}\n", plan.m, plan.n, plan.k) << source.text.substr(source.text.find("extern \"C\"")));
  const auto simulated = simulate(plan, input);
  if (!simulated) FAIL(describe(simulated.error()));
  CHECK(support::first_difference(simulated->c, want) == "");
  std::vector<std::byte> a = support::bytes_of(input.a, source.a), b = support::bytes_of(input.b, source.b),
                         c = support::bytes_of(input.c, source.c);
  const auto maps = host::tensor_maps(plan, a, b, c);
  if (!maps) FAIL(describe(maps.error()));
  const host::Buffers buffers{
      a, b, c, static_cast<float>(source.alpha), static_cast<float>(source.beta), source.extents, *maps, source.takes_c};
  const Status ran = host::run(kernel, {source.grid, source.block, source.smem_bytes, order, 1, source.cluster}, buffers);
  if (!ran) FAIL(describe(ran.error()));
  CHECK(support::first_difference(support::values_in(c, source.c), want) == "");
}

void expect_one_text(const std::vector<Sizes>& gemms) {
  std::vector<std::vector<Case>> cases;
  std::vector<KernelSource> sources;
  for (std::size_t i = 0; i < gemms.size(); ++i) {
    cases.emplace_back();
    for (const GemmSpec& spec : gemms[i]) cases.back().push_back(made(spec, gemms[i].front().name));
    sources.push_back(cases.back().front().source);
  }
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::size_t turn = 0;
    for (const Case& each : cases[i]) {
      INFO(sources[i].name);
      CHECK(first_line_of_difference(sources[i].text, each.source.text) == "");
      CHECK(first_line_of_difference(sources[i].reference_text, each.source.reference_text) == "");
      CHECK(first_line_of_difference(sources[i].plan_text, each.source.plan_text) == "");
      expect_defined(each, library->kernel(i), ++turn % 2 == 0 ? Order::first : Order::shuffled);
    }
  }
}

std::int64_t tiles_along(std::int64_t extent, const GemmSpec& spec, std::size_t mode) {
  const std::int64_t blk = spec.cta_tiler[mode].value();
  return (extent + blk - 1) / blk;
}

// The same schedule at another size, each matrix along the same mode in rows that begin at multiples of 16 bytes, with a gap behind some.
GemmSpec sized(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto matrix = [](const std::optional<Layout>& like, std::int64_t rows, std::int64_t columns) {
    const bool along_second = !like || like->stride()[1].value() == 1;
    const std::int64_t pitch = ((along_second ? columns : rows) + 15) / 16 * 16 + 16 * (rows % 2);
    return support::layout(IntTuple::tuple({rows, columns}), along_second ? IntTuple::tuple({pitch, 1}) : IntTuple::tuple({1, pitch}));
  };
  spec.m = m, spec.n = n, spec.k = k;
  spec.gA = matrix(spec.gA, m, k), spec.gB = matrix(spec.gB, n, k), spec.gC = matrix(spec.gC, m, n);
  return spec;
}

}  // namespace

TEST_CASE("with extents as arguments one text of every rung computes the definition at every size") {
  std::vector<Sizes> gemms;
  for (const Rung& rung : ladder()) {
    gemms.emplace_back();
    // A tensor map of C has a unit of 16 bytes at least.
    const std::int64_t least = rung.spec(64, 64, 64)->mma->atom().kind == MmaKind::wgmma ? 8 : 1;
    for (const auto& [m, n, k] : std::array<std::array<std::int64_t, 3>, 4>{{{1, 1, 1}, {129, 257, 63}, {13, 1, 131}, {127, 17, 7}}})
      gemms.back().push_back(support::of_rung(rung, m, std::max(n, least), k));
    gemms.back().push_back(support::of_rung(rung, 130, 136, 64));
    gemms.back().back().batch = 3;
  }
  expect_one_text(gemms);
}

TEST_CASE("with extents as arguments one text computes the definition at every size: NN, NT, TN and TT, with C, in small tiles") {
  std::vector<Sizes> gemms;
  for (const GemmSpec& spec : support::ragged_specs(12, 2026)) {
    const std::int64_t m = spec.cta_tiler[0].value(), n = spec.cta_tiler[1].value(), k = spec.cta_tiler[2].value();
    Sizes sizes;
    for (const auto& [at_m, at_n, at_k] :
         {std::array{m, n, k}, {std::int64_t{1}, n + 1, 3 * k}, {2 * m + 1, std::int64_t{1}, 2 * k - 1}, {m, 2 * n, 5 * k + 1}}) {
      sizes.push_back(sized(spec, at_m, at_n, at_k));
      sizes.back().raster_group = gemms.size() % 3;
      sizes.back().batch = sizes.size() == 3 ? 2 : 1;
    }
    gemms.push_back(std::move(sizes));
  }
  expect_one_text(gemms);
}

TEST_CASE("with extents as arguments numbers that are equal at one size are not at another") {
  std::vector<Sizes> gemms;
  for (const std::int64_t all : {2, 4}) {  // tiles of K, stages and k-blocks of a tile
    for (const Copies copies : {Copies::ahead, Copies::waited_for}) {
      Sizes sizes;
      for (const std::int64_t k_tiles : {all, std::int64_t{1}, all - 1, all + 1, 2 * all + 1}) {
        GemmSpec spec = support::tensor(64, 64, k_tiles * all * 16, 32, 32, all * 16, all);
        spec.copies = copies, spec.name = "equal";
        sizes.push_back(std::move(spec));
      }
      gemms.push_back(std::move(sizes));
    }
  }
  // Leading dimensions that are as long as a tile, and as a step in it.
  GemmSpec narrow = support::from_gmem(support::tensor(32, 32, 32, 32, 32, 32, 1));
  narrow.name = "narrow";
  gemms.push_back({narrow, sized(narrow, 64, 8, 8), sized(narrow, 33, 16, 16), sized(narrow, 8, 40, 100)});
  gemms.back()[1].gA = support::layout(IntTuple::tuple({64, 8}), IntTuple::tuple({8, 1}));
  gemms.back()[1].gB = support::layout(IntTuple::tuple({8, 8}), IntTuple::tuple({8, 1}));
  expect_one_text(gemms);
}

TEST_CASE("with extents as arguments one text computes the definition at every size: TMA and wgmma, in every schedule") {
  std::vector<Sizes> gemms;
  for (const GemmSpec& spec : support::ragged_hoppers()) {
    const bool two_tiles_of_k = spec.overlap == Overlap::skewed;
    Sizes sizes{spec.n < 8 ? support::with_extents(spec, spec.m, 9, spec.k) : spec};
    const std::int64_t ctas = spec.ctas;
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 9, 1}, {200, 137, 300}, {129, 300, 64}}) {
      GemmSpec other = support::with_extents(spec, m, n, two_tiles_of_k ? k + 64 : k);
      other.raster_group = sizes.front().raster_group;
      const std::int64_t tiles = tiles_along(other.m, spec, 0) * tiles_along(other.n, spec, 1);
      other.batch = m == 129 ? 2 : 1;
      if (ctas == 0 || ctas <= tiles) sizes.push_back(std::move(other));
    }
    gemms.push_back(std::move(sizes));
  }
  expect_one_text(gemms);
}
