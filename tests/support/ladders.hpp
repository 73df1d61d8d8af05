// SPDX-License-Identifier: BSD-3-Clause
// A ladder that was never measured: its figures are made up, and no recording has them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/session/gemm/ladder_recording.hpp"
#include "core/gemm/lower/lower.hpp"
#include "kernels/codegen/emit_gemm.hpp"

namespace tessera::test {

// The rung's own plan and code, and a share of the baseline's speed: 0.25 is a quarter.
inline Measurement made_up(const Rung& rung, const ProblemSize& extents, double share, const std::string& device = "NVIDIA X9 12GB") {
  GemmSpec spec = rung.spec(extents.m, extents.n, extents.k).value();
  spec.name = rung.name;
  const GemmPlan plan = lower(spec).value();
  Measurement m;
  m.name = rung.name, m.date = "2020-02-03T04:05:06Z";
  m.m = plan.m, m.n = plan.n, m.k = plan.k;
  m.type_a = short_name(plan.gmem(Operand::a).type), m.type_b = short_name(plan.gmem(Operand::b).type);
  m.type_c = short_name(plan.gmem(Operand::c).type);
  m.alpha = plan.alpha, m.beta = plan.beta;
  m.device.name = device, m.device.sm = 90, m.device.driver_version = "1.2.3", m.device.index = 3;
  m.arch = {90, 'a'};
  m.compiler = "NVRTC 9.9";
  m.code = code_hash(emit_gemm(plan).value());
  m.block = {static_cast<unsigned>(plan.threads), 1, 1}, m.grid = {static_cast<unsigned>(plan.grid), 1, 1};
  m.smem_bytes = plan.smem_bytes;
  m.cache = {false, "a reason in /srv/somebody", "a-key", {"the cache in /srv/somebody is not used"}};
  m.notes = {"the cache in /srv/somebody is not used", "no library in /srv/lib", "the kernel spills registers: see resources"};
  m.correctness.passed = true, m.correctness.compared = plan.m * plan.n;
  m.spent = TimeSpent{.start = 41.25, .lower = 3.5};
  Timing timing;
  const std::vector<double> kernel{100, 110, 90, 105, 95},
      baseline{100 * share, 110 * share * 1.02, 90 * share, 105 * share * 0.98, 95 * share};
  timing.interleaved = {spread_of(kernel), spread_of(baseline), share, 40 * share, 40};
  timing.alone = {spread_of(kernel), spread_of(baseline), share * 1.1, 44 * share, 40};
  timing.burst = {spread_of(kernel), spread_of(baseline), share * 0.9, 36 * share, 40};
  timing.baseline_name = "cuBLASLt 8.7, top-1 heuristic";
  m.timing = timing;
  return m;
}

// The first four rungs of 256 x 256 x 256; the third was not measured.
inline MeasuredLadder made_up_ladder(const std::string& device = "NVIDIA X9 12GB", std::int64_t size = 256) {
  MeasuredLadder ladder;
  ladder.extents = {size, size, size};
  for (const Rung& rung : tessera::ladder().first(4)) {
    MeasuredRung measured;
    measured.number = rung.number, measured.name = rung.name;
    if (rung.number == 3)
      measured.not_measured = "the GPU sleeps";
    else
      measured.measurement = made_up(rung, ladder.extents, 0.2 * rung.number, device);
    ladder.rungs.push_back(std::move(measured));
  }
  return ladder;
}

}  // namespace tessera::test
