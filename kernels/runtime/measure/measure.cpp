// SPDX-License-Identifier: BSD-3-Clause
// The order of a measurement: what PreparedKernel does, the time, and the result once more.
#include "kernels/runtime/measure/measure.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/prepared_kernel.hpp"
#include "kernels/runtime/measure/timing.hpp"

namespace tessera {
namespace {

// The ways of a baseline that compute this product, way 0 first. Without a baseline there are none.
struct CheckedBaseline {
  std::unique_ptr<Baseline> baseline;
  std::vector<int> ways;
};

// Without a baseline where way 0 computes another product; what is left out has a note that says why.
Result<CheckedBaseline> checked_baseline(const MakeBaseline& make, Device& device, PreparedKernel& kernel) {
  const KernelSource& source = kernel.source();
  std::vector<std::string>& notes = kernel.measurement.notes;
  auto made = make(device, source);
  if (!made) {
    notes.push_back("no baseline: " + made.error().message);
    return CheckedBaseline();
  }
  CheckedBaseline checked{std::move(made).value(), {}};
  Baseline& baseline = *checked.baseline;
  for (int way = 0; way < baseline.ways(); ++way) {
    const Result<Correctness> correctness = kernel.check(
        [&](DevicePointer a, DevicePointer b, DevicePointer c) { return baseline.launch(way, a, b, c, source.alpha, source.beta); });
    if (!correctness && (way == 0 || device.lost())) return correctness.error();
    if (correctness && correctness->passed) {
      checked.ways.push_back(way);
      continue;
    }
    const std::string reason = correctness ? correctness->reason : correctness.error().message;
    if (way > 0) {
      notes.push_back(fmt::format("number {} of the baseline's {} ways is left out: {}", way + 1, baseline.ways(), reason));
      continue;
    }
    notes.push_back(fmt::format("no baseline: {} was given another product than this kernel's: {}", baseline.name(), reason));
    return CheckedBaseline();
  }
  return checked;
}

Result<Timing> time_it(Device& device, KernelCompiler& compiler, CubinCache& cache, PreparedKernel& kernel, const CheckedBaseline& checked,
                       const MeasureOptions& options) {
  const KernelSource& source = kernel.source();
  TESSERA_TRY(sets, BufferSets::make(device, compiler, cache, source, options.seed));
  TESSERA_TRY(hold, load_small(device, compiler, cache, hold_kernel()));
  TimingPlan plan = timing_plan(options);
  plan.kernel = [&](int set) { return kernel.launch(sets.a(set), sets.b(set), sets.c(set)); };
  Baseline* const baseline = checked.baseline.get();
  for (const int way : checked.ways) {
    TimedLaunch launch = [&sets, &source, baseline, way](int set) {
      return baseline->launch(way, sets.a(set), sets.b(set), sets.c(set), source.alpha, source.beta);
    };
    if (!plan.baseline)
      plan.baseline = std::move(launch);
    else
      plan.more_ways.push_back(std::move(launch));
  }
  plan.hold = [&](std::int64_t ns) { return hold.launch(std::array<KernelArgument, 1>{ns}); };
  plan.sets = sets.count();
  plan.flops = source.flops;
  TESSERA_TRY(timing, time_kernel(device, plan));
  TESSERA_CHECK(check_plausible(timing, device.properties(), source.a.type));
  if (baseline != nullptr) timing.baseline_name = baseline->name();
  timing.buffer_sets = sets.count();
  if (timing.ratio_control && (*timing.ratio_control < 0.97 || *timing.ratio_control > 1.03)) {
    kernel.measurement.notes.push_back(
        fmt::format("the baseline against itself gave {:.3f}: this run's ratios are not better than that", *timing.ratio_control));
  }
  return timing;
}

}  // namespace

Result<Measurement> measure(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                            const MeasureOptions& options) {
  TESSERA_TRY(kernel, PreparedKernel::make(device, compiler, cache, source, options));
  if (!kernel.measurement.correctness.passed || !options.timing) return std::move(kernel.measurement);
  TESSERA_CHECK(stopped(options));

  Stopwatch watch;
  if (options.progress) options.progress("time", 0);
  CheckedBaseline baseline;
  if (options.make_baseline) {
    TESSERA_TRY(checked, checked_baseline(options.make_baseline, device, kernel));
    baseline = std::move(checked);
  }
  TESSERA_TRY(timing, time_it(device, compiler, cache, kernel, baseline, options));
  kernel.measurement.spent->time = watch.lap();
  TESSERA_CHECK(kernel.check_again());
  kernel.measurement.spent->check += watch.lap();
  if (kernel.measurement.correctness.passed) kernel.measurement.timing = std::move(timing);
  return std::move(kernel.measurement);
}

Result<std::vector<std::byte>> run_once(Device& device, const Cubin& cubin, const KernelSource& source, std::span<const std::byte> a,
                                        std::span<const std::byte> b, std::span<const std::byte> c) {
  for (const auto& [name, buffer, given] : {std::tuple{'A', &source.a, a.size()}, {'B', &source.b, b.size()}, {'C', &source.c, c.size()}}) {
    if (static_cast<std::int64_t>(given) != buffer->bytes()) {
      return Error{
          ErrorCode::bad_spec, fmt::format("{} has {} bytes; kernel '{}' wants {}", name, given, source.name, buffer->bytes()), {}, {}};
    }
  }
  TESSERA_TRY(kernel, DeviceKernel::load(device, cubin, LaunchShape{source.grid, source.block, source.smem_bytes}));
  TESSERA_TRY(on_device_a, DeviceBuffer::make(device, source.a.bytes()));
  TESSERA_TRY(on_device_b, DeviceBuffer::make(device, source.b.bytes()));
  TESSERA_TRY(on_device_c, DeviceBuffer::make(device, source.c.bytes()));
  TESSERA_CHECK(device.upload(on_device_a.pointer(), a));
  TESSERA_CHECK(device.upload(on_device_b.pointer(), b));
  TESSERA_CHECK(device.upload(on_device_c.pointer(), c));
  TESSERA_CHECK(kernel.launch(gemm_arguments(source, on_device_a.pointer(), on_device_b.pointer(), on_device_c.pointer())));
  std::vector<std::byte> result(c.size());
  TESSERA_CHECK(device.download(result, on_device_c.pointer()));
  return result;
}

}  // namespace tessera
