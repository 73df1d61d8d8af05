// SPDX-License-Identifier: BSD-3-Clause
// Both are prepared, then timed as kernel and baseline on buffers of their own, then checked once more.
#include "kernels/runtime/measure/compare.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/prepared_kernel.hpp"
#include "kernels/runtime/measure/timing.hpp"

namespace tessera {
namespace {

// Launches on each copy of its buffers in turn: the timer's own count is shared with the other kernel.
TimedLaunch in_turn(const PreparedKernel& kernel, const BufferSets& sets) {
  return [&kernel, &sets, next = 0](int) mutable {
    const int set = next++ % sets.count();
    return kernel.launch(sets.a(set), sets.b(set), sets.c(set));
  };
}

TimedMode mirrored(const TimedMode& mode) {
  TimedMode other = mode;
  if (!mode.baseline) return other;
  other.kernel = *mode.baseline;
  other.baseline = mode.kernel;
  other.kernel_tflops = *mode.baseline_tflops;
  other.baseline_tflops = mode.kernel_tflops;
  other.ratio = 1 / *mode.ratio;
  return other;
}

Result<Timing> time_both(Device& device, KernelCompiler& compiler, CubinCache& cache, const PreparedKernel& a, const PreparedKernel& b,
                         const MeasureOptions& options) {
  TESSERA_TRY(sets_a, BufferSets::make(device, compiler, cache, a.source(), options.seed));
  TESSERA_TRY(sets_b, BufferSets::make(device, compiler, cache, b.source(), options.seed));
  TESSERA_TRY(hold, load_small(device, compiler, cache, hold_kernel()));
  TimingPlan plan = timing_plan(options);
  plan.kernel = in_turn(a, sets_a);
  plan.baseline = in_turn(b, sets_b);
  plan.hold = [&](std::int64_t ns) { return hold.launch(std::array<KernelArgument, 1>{ns}); };
  plan.flops = a.source().flops;
  plan.baseline_flops = b.source().flops;
  TESSERA_TRY(timing, time_kernel(device, plan));
  timing.baseline_name = b.source().name;
  timing.buffer_sets = sets_a.count();
  TESSERA_CHECK(check_plausible(timing, device.properties(), a.source().a.type));
  TESSERA_CHECK(check_plausible(mirrored(timing, ""), device.properties(), b.source().a.type));
  return timing;
}

}  // namespace

Timing mirrored(const Timing& timing, std::string baseline_name) {
  Timing other = timing;
  other.interleaved = mirrored(timing.interleaved);
  other.alone = mirrored(timing.alone);
  other.burst = mirrored(timing.burst);
  other.ratio_control.reset();
  other.best.reset();
  other.baseline_name = std::move(baseline_name);
  return other;
}

Result<Comparison> compare(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& a, const KernelSource& b,
                           const MeasureOptions& options) {
  TESSERA_TRY(first, PreparedKernel::make(device, compiler, cache, a, options));
  TESSERA_TRY(second, PreparedKernel::make(device, compiler, cache, b, options));
  const auto right = [&] { return first.measurement.correctness.passed && second.measurement.correctness.passed; };
  if (right() && options.timing) {
    TESSERA_CHECK(stopped(options));
    TESSERA_TRY(timing, time_both(device, compiler, cache, first, second, options));
    TESSERA_CHECK(first.check_again());
    TESSERA_CHECK(second.check_again());
    if (right()) {
      second.measurement.timing = mirrored(timing, a.name);
      if (timing.ratio_control && (*timing.ratio_control < 0.97 || *timing.ratio_control > 1.03)) {
        first.measurement.notes.push_back(
            fmt::format("{} against itself gave {:.3f}: this run's ratio is not better than that", b.name, *timing.ratio_control));
      }
      first.measurement.timing = std::move(timing);
    }
  }
  // What comes beside two kernels in one run is neither's.
  first.measurement.spent.reset();
  second.measurement.spent.reset();
  return Comparison{std::move(first.measurement), std::move(second.measurement)};
}

}  // namespace tessera
