// SPDX-License-Identifier: BSD-3-Clause
// Advisor: a GEMM as it is on screen.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "app/session/advice/advisor.hpp"
#include "core/atom/advice/find_smem_layout.hpp"
#include "core/atom/advice/permutation_advice.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

namespace advising {

namespace {

constexpr double kFullEnough = 0.8;          // of the SMs' time
constexpr std::int64_t kMostMacs = 1 << 24;  // multiply-adds of the tile that is run for its accesses

}  // namespace

void Advisor::look_at_gemm(const AdvisedBinding& binding, const GemmSpec& spec) {
  const Result<GemmPlan> plan = lower(spec);
  if (!plan) {
    add(Advice::Weight::wrong, 1, binding, plan.error().message, plan.error().notes.empty() ? "" : plan.error().notes.front());
    return;
  }
  if (!plan->mma) return;  // a schedule of opaque operations: lower has verified it
  look_at_waves(binding, *plan);
  if (const auto limits = sm_limits(device_.sm)) {
    const Result<Occupancy> held = occupancy(*limits, plan->threads, plan->smem_bytes, 0);
    if (!held) add(Advice::Weight::wrong, 1, binding, fmt::format("{} cannot hold it: {}", device_.name, held.error().message));
  }
  if (const Status runs = check_device(*plan, device_.sm, smem_bytes_per_block(device_.sm).value_or(0)); !runs)
    add(Advice::Weight::hint, 1, binding, fmt::format("not for {}: {}", device_.name, runs.error().message));
  look_at_accesses(binding, spec, *plan);
}

void Advisor::look_at_waves(const AdvisedBinding& binding, const GemmPlan& plan) {
  if (plan.grid < plan.m_tiles * plan.n_tiles * plan.batch && plan.grid > 0 && plan.grid <= device_.sm_count) return;  // persistent
  const std::int64_t tiles = plan.m_tiles * plan.n_tiles * plan.batch, waves = (tiles + device_.sm_count - 1) / device_.sm_count;
  const double busy = static_cast<double>(tiles) / static_cast<double>(waves * device_.sm_count);
  if (busy >= kFullEnough) return;
  add(Advice::Weight::hint, 1 / busy, binding,
      fmt::format("{} tile{} on {} SMs of {}: {} wave{}, {:.0f} % of the SMs' time is used", tiles, tiles == 1 ? "" : "s", device_.sm_count,
                  device_.name, waves, waves == 1 ? "" : "s", 100 * busy),
      "a smaller cta_tiler makes more tiles; waves(m, n, tile, sms) says how many");
}

// What to ask, with this GEMM's numbers.
Remedy Advisor::remedy_of(const AccessSummary& row, const GemmSpec& spec, const GemmPlan& plan) {
  using Step = Access::Step;
  if (!row.shared) return row.step == Step::store_c ? "permutation_for_store(mma, type=...) makes a thread's elements of C neighbours" : "";
  const bool of_a = row.step == Step::g2s_write_a || row.step == Step::s2r_a,
             of_b = row.step == Step::g2s_write_b || row.step == Step::s2r_b;
  if (!of_a && !of_b) return {};
  const bool writes = row.step == Step::g2s_write_a || row.step == Step::g2s_write_b;
  const std::optional<CopyTraits>& instruction = of_a ? spec.smem_copy_a : spec.smem_copy_b;
  const std::string by = writes || !instruction ? fmt::format("{}", 8 * row.bytes) : instruction->name;
  Remedy remedy;
  remedy.ask = fmt::format("find_smem_layout(({},{}), bits={}, {}={})", of_a ? plan.blk_m : plan.blk_n, plan.blk_k,
                           bits(of_a ? plan.mma->atom().val_a : plan.mma->atom().val_b), writes ? "write" : "read", by);
  remedy.words = remedy.ask;
  return remedy;
}

// One CTA's first k-tile and its epilogue say what every other one does.
void Advisor::look_at_accesses(const AdvisedBinding& binding, const GemmSpec& spec, const GemmPlan& plan) {
  GemmSpec tile = spec;
  if (!spec.gA && !spec.gB && !spec.gC) tile.m = plan.blk_m * plan.cluster_m, tile.n = plan.blk_n * plan.cluster_n, tile.k = plan.blk_k;
  tile.batch = 1, tile.ctas = 0;
  const double macs = static_cast<double>(tile.m) * static_cast<double>(tile.n) * static_cast<double>(tile.k);
  if (macs > static_cast<double>(kMostMacs)) return;
  const Result<GemmPlan> small = lower(tile);
  if (!small) return;
  SimulationOptions options;
  options.values = false;
  options.ctas = plan.cluster_size();
  const Result<Simulation> run = simulate(*small, {}, options);
  if (!run) {
    add(Advice::Weight::wrong, 1, binding, run.error().message);
    return;
  }
  for (const AccessSummary& row : summarize(run->trace)) {
    const std::string_view units = row.shared ? "wavefronts" : "sectors";
    const std::string what =
        fmt::format("{}: {} {} in {} instructions of {} bytes a lane", step_name(row.step), row.units, units, row.instructions, row.bytes);
    if (row.units <= row.least_units) {
      made_.fine.push_back({fmt::format("{}, {}, the least possible", binding.name, what), {}});
      continue;
    }
    add(Advice::Weight::slow, times_of(row.units, row.least_units), binding,
        fmt::format("{} where {} would do{}", what, row.least_units, row.conflict.empty() ? "" : "; " + row.conflict),
        remedy_of(row, spec, plan));
  }
}

}  // namespace advising

}  // namespace tessera
