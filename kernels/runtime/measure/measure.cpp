// SPDX-License-Identifier: BSD-3-Clause
// The order of a measurement: architecture, cubin, result, time, and the result once more.
#include "kernels/runtime/measure/measure.hpp"

#include <fmt/format.h>

#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/result_check.hpp"
#include "kernels/runtime/measure/timing.hpp"

namespace tessera {
namespace {

void report(const MeasureOptions& options, std::string_view stage, double fraction) {
  if (options.progress) options.progress(stage, fraction);
}

Status stopped(const MeasureOptions& options) {
  if (options.stop.stop_requested()) return Error{ErrorCode::timed_out, "the measurement was stopped", {}, {}};
  return Done{};
}

Measurement describe_run(const Device& device, const KernelSource& source, const MeasureOptions& options, const CachedCubin& cached) {
  Measurement m;
  m.name = source.name;
  m.m = source.blas.m, m.n = source.blas.n, m.k = source.blas.k;
  m.type_a = source.a.type, m.type_b = source.b.type, m.type_c = source.c.type;
  m.alpha = source.alpha, m.beta = source.beta, m.flops = source.flops;
  m.device = device.properties();
  m.date = options.date;
  m.arch = cached.cubin.arch;
  m.compiler = cached.cubin.compiler;
  m.resources = cached.cubin.resources;
  m.grid = source.grid, m.block = source.block, m.smem_bytes = source.smem_bytes;
  m.cache = cached.cache;
  m.compile_ms = cached.cubin.compile_ms;
  m.notes = cached.cache.notes;
  if (m.resources.spills()) m.notes.push_back("the kernel spills registers: see resources");
  return m;
}

// The baseline, if it computes the same product; otherwise nothing, and a note that says why.
Result<std::unique_ptr<Baseline>> checked_baseline(const MakeBaseline& make, Device& device, const KernelSource& source, ResultCheck& check,
                                                   std::vector<std::string>& notes) {
  auto made = make(device, source);
  if (!made) {
    notes.push_back("no baseline: " + made.error().message);
    return std::unique_ptr<Baseline>();
  }
  std::unique_ptr<Baseline> baseline = std::move(made).value();
  TESSERA_TRY(correctness, check.run([&](DevicePointer a, DevicePointer b, DevicePointer c) {
    return baseline->launch(a, b, c, source.alpha, source.beta);
  }));
  if (correctness.passed) return baseline;
  notes.push_back(fmt::format("no baseline: {} was given another product than this kernel's: {}", baseline->name(), correctness.reason));
  return std::unique_ptr<Baseline>();
}

Result<Timing> time_it(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source, const DeviceKernel& kernel,
                       Baseline* baseline, const MeasureOptions& options, std::vector<std::string>& notes) {
  TESSERA_TRY(sets, BufferSets::make(device, compiler, cache, source, options.seed));
  TESSERA_TRY(hold, load_small(device, compiler, cache, hold_kernel()));
  TimingPlan plan;
  plan.kernel = [&](int set) { return kernel.launch(gemm_arguments(source, sets.a(set), sets.b(set), sets.c(set))); };
  if (baseline != nullptr) {
    plan.baseline = [&](int set) { return baseline->launch(sets.a(set), sets.b(set), sets.c(set), source.alpha, source.beta); };
  }
  plan.hold = [&](std::int64_t ns) { return hold.launch(std::array<KernelArgument, 1>{ns}); };
  plan.sets = sets.count();
  plan.flops = source.flops;
  plan.mode_seconds = options.mode_seconds;
  plan.burst_rest = options.burst_rest;
  plan.progress = [&](double fraction) { report(options, "time", fraction); };
  plan.stop = options.stop;
  TESSERA_TRY(timing, time_kernel(device, plan));
  TESSERA_CHECK(check_plausible(timing, device.properties(), source.a.type));
  if (baseline != nullptr) timing.baseline_name = baseline->name();
  timing.buffer_sets = sets.count();
  if (timing.ratio_control && (*timing.ratio_control < 0.97 || *timing.ratio_control > 1.03)) {
    notes.push_back(
        fmt::format("the baseline against itself gave {:.3f}: this run's ratios are not better than that", *timing.ratio_control));
  }
  return timing;
}

}  // namespace

Result<Measurement> measure(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                            const MeasureOptions& options) {
  device.set_time_limit(options.time_limit);
  TESSERA_TRY(arch, decide_arch(source, device.properties()));
  report(options, "compile", 0);
  TESSERA_TRY(cached, cache.get(source, arch, compiler));
  Measurement measurement = describe_run(device, source, options, cached);
  TESSERA_CHECK(stopped(options));
  report(options, "check", 0);
  TESSERA_TRY(kernel, DeviceKernel::load(device, cached.cubin, LaunchShape{source.grid, source.block, source.smem_bytes}));
  TESSERA_TRY(check, ResultCheck::make(device, compiler, cache, source, options.seed));
  report(options, "check", 0.5);
  const ResultCheck::Launch launch = [&](DevicePointer a, DevicePointer b, DevicePointer c) {
    return kernel.launch(gemm_arguments(source, a, b, c));
  };
  TESSERA_TRY(first, check.run(launch));
  measurement.correctness = std::move(first);
  if (!measurement.correctness.passed || !options.timing) return measurement;
  TESSERA_CHECK(stopped(options));

  report(options, "time", 0);
  std::unique_ptr<Baseline> baseline;
  if (options.make_baseline) {
    TESSERA_TRY(checked, checked_baseline(options.make_baseline, device, source, check, measurement.notes));
    baseline = std::move(checked);
  }
  TESSERA_TRY(timing, time_it(device, compiler, cache, source, kernel, baseline.get(), options, measurement.notes));
  TESSERA_TRY(again, check.run(launch));  // on a hot chip: a race shows itself here if anywhere
  if (again.passed) {
    measurement.timing = std::move(timing);
  } else {
    again.reason = "right at first, wrong after the timing, so threads race: " + again.reason;
    measurement.correctness = std::move(again);
  }
  return measurement;
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
