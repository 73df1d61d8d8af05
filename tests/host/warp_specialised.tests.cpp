// SPDX-License-Identifier: BSD-3-Clause
// Emitted kernels of TMA and wgmma, executed: what they compute equals what the simulation of their plan computes, whatever arrives first;
// and a text with one thing wrong is told.
#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/host/hopper_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using host::Order;

namespace {

constexpr Order kOrders[] = {Order::first, Order::last, Order::in_turn, Order::shuffled};

struct Case {
  std::string name;
  GemmPlan plan;
  KernelSource source;
};

Case made(const std::string& name, const GemmSpec& spec) {
  const auto plan = lower(spec);
  if (!plan) FAIL(name << ": " << describe(plan.error()));
  const auto source = emit_gemm(*plan);
  if (!source) FAIL(name << ": " << describe(source.error()));
  return {name, *plan, *source};
}

GemmSpec hopper(Overlap overlap, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t blk_m, std::int64_t blk_n,
                std::int64_t warpgroups) {
  GemmSpec spec = support::hopper(overlap, m, n, k, blk_m, blk_n, warpgroups);
  spec.store_boxes = blk_n == 64 ? 1 : 2;
  return spec;
}

GemmSpec with_cluster(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t ctas) {
  spec.cluster = IntTuple::tuple({m, n}), spec.ctas = ctas;
  return spec;
}

GemmSpec with_stages(GemmSpec spec, std::int64_t stages, std::int64_t boxes) {
  spec.stages = stages, spec.store_boxes = boxes;
  return spec;
}

// Every schedule, in tiles that are small; k-tiles that fill the ring several times over, and that do not fill it once.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(made("none", hopper(Overlap::none, 256, 128, 320, 128, 64, 2)));
  all.push_back(made("none, 1 x 2", with_cluster(hopper(Overlap::none, 256, 128, 320, 128, 64, 2), 1, 2, 2)));
  all.push_back(made("none, 2 x 2", with_cluster(hopper(Overlap::none, 256, 128, 128, 128, 64, 2), 2, 2, 4)));
  all.push_back(made("none, no cluster", with_cluster(hopper(Overlap::none, 256, 64, 128, 128, 64, 2), 1, 1, 1)));
  all.push_back(made("none, a tile a CTA", with_cluster(hopper(Overlap::none, 128, 64, 128, 64, 64, 1), 2, 1, 0)));
  all.push_back(made("none, two boxes", with_stages(hopper(Overlap::none, 256, 256, 128, 128, 128, 2), 2, 2)));
  all.push_back(made("none, one k-tile", hopper(Overlap::none, 256, 128, 64, 128, 64, 2)));
  all.push_back(made("deferred", hopper(Overlap::deferred, 256, 256, 192, 128, 128, 2)));
  all.push_back(made("deferred, one k-tile", hopper(Overlap::deferred, 128, 256, 64, 64, 128, 1)));
  all.push_back(made("skewed", hopper(Overlap::skewed, 512, 128, 192, 256, 64, 2)));
  all.push_back(made("skewed, one warpgroup", hopper(Overlap::skewed, 256, 128, 128, 128, 64, 1)));
  all.push_back(made("ping-pong", hopper(Overlap::ping_pong, 128, 256, 192, 64, 64, 1)));
  all.push_back(made("ping-pong, an odd number of tiles", with_cluster(hopper(Overlap::ping_pong, 192, 64, 128, 64, 64, 1), 1, 1, 1)));
  GemmSpec spec = hopper(Overlap::none, 256, 128, 128, 128, 64, 2);
  spec.alpha = 0.5;
  all.push_back(made("none, alpha", spec));
  spec = hopper(Overlap::deferred, 128, 128, 128, 64, 64, 1);
  spec.alpha = -2;
  spec.mma = TiledMma::make(find_mma_atom("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>").value(),
                            Layout::make_compact(IntTuple::tuple({1, 1, 1})).value(), Underscore{})
                 .value();
  spec.type_c = ValueType::f16;
  all.push_back(made("deferred, f16", spec));
  return all;
}

// What is wrong with a kernel, or "".
std::string fault_of(const host::HostKernel& kernel, const Case& each, const SimulationInput& input, const std::vector<double>& want,
                     Order order, std::uint32_t seed = 1) {
  const KernelSource& source = each.source;
  std::vector<std::byte> a = support::bytes_of(input.a, source.a), b = support::bytes_of(input.b, source.b),
                         c = support::bytes_of(input.c, source.c);
  const auto maps = host::tensor_maps(each.plan, a, b, c);
  if (!maps) return describe(maps.error());
  const host::Buffers buffers{a, b, c, static_cast<float>(source.alpha), static_cast<float>(source.beta), *maps};
  const auto cluster = static_cast<unsigned>(each.plan.cluster_m * each.plan.cluster_n);
  const Status ran = host::run(kernel, {source.grid, source.block, source.smem_bytes, order, seed, cluster}, buffers);
  if (!ran) return describe(ran.error());
  const std::vector<double> got = support::values_in(c, source.c);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] != want[i]) return fmt::format("element {} of C is {} instead of {}", i, got[i], want[i]);
  }
  return "";
}

}  // namespace

TEST_CASE("an emitted kernel of TMA and wgmma computes what its simulation computes, whatever arrives first") {
  const std::vector<Case> all = cases();
  std::vector<KernelSource> sources;
  for (const Case& each : all) sources.push_back(each.source);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SimulationInput input = integer_input(all[i].plan, 7);
    const auto simulated = simulate(all[i].plan, input);
    if (!simulated) FAIL(all[i].name << ": " << describe(simulated.error()));
    for (const Order order : kOrders) {
      INFO(all[i].name << ", order " << static_cast<int>(order));
      CHECK(fault_of(library->kernel(i), all[i], input, simulated->c, order) == "");
    }
  }
}
