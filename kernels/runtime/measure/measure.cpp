// SPDX-License-Identifier: BSD-3-Clause
// The order of a measurement: what PreparedKernel does, the time, and the result once more.
#include "kernels/runtime/measure/measure.hpp"

#include <fmt/format.h>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/prepared_kernel.hpp"
#include "kernels/runtime/measure/timing.hpp"

namespace tessera {
namespace {

// The baseline, if it computes the same product; otherwise nothing, and a note that says why.
Result<std::unique_ptr<Baseline>> checked_baseline(const MakeBaseline& make, Device& device, PreparedKernel& kernel) {
  const KernelSource& source = kernel.source();
  std::vector<std::string>& notes = kernel.measurement.notes;
  auto made = make(device, source);
  if (!made) {
    notes.push_back("no baseline: " + made.error().message);
    return std::unique_ptr<Baseline>();
  }
  std::unique_ptr<Baseline> baseline = std::move(made).value();
  TESSERA_TRY(correctness, kernel.check([&](DevicePointer a, DevicePointer b, DevicePointer c) {
    return baseline->launch(a, b, c, source.alpha, source.beta);
  }));
  if (correctness.passed) return baseline;
  notes.push_back(fmt::format("no baseline: {} was given another product than this kernel's: {}", baseline->name(), correctness.reason));
  return std::unique_ptr<Baseline>();
}

Result<Timing> time_it(Device& device, KernelCompiler& compiler, CubinCache& cache, PreparedKernel& kernel, Baseline* baseline,
                       const MeasureOptions& options) {
  const KernelSource& source = kernel.source();
  TESSERA_TRY(sets, BufferSets::make(device, compiler, cache, source, options.seed));
  TESSERA_TRY(hold, load_small(device, compiler, cache, hold_kernel()));
  TimingPlan plan = timing_plan(options);
  plan.kernel = [&](int set) { return kernel.launch(sets.a(set), sets.b(set), sets.c(set)); };
  if (baseline != nullptr) {
    plan.baseline = [&](int set) { return baseline->launch(sets.a(set), sets.b(set), sets.c(set), source.alpha, source.beta); };
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
  std::unique_ptr<Baseline> baseline;
  if (options.make_baseline) {
    TESSERA_TRY(checked, checked_baseline(options.make_baseline, device, kernel));
    baseline = std::move(checked);
  }
  TESSERA_TRY(timing, time_it(device, compiler, cache, kernel, baseline.get(), options));
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
