// SPDX-License-Identifier: BSD-3-Clause
// Architecture, cubin, result.
#include "kernels/runtime/measure/prepared_kernel.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tessera {
namespace {

void report(const MeasureOptions& options, std::string_view stage, double fraction) {
  if (options.progress) options.progress(stage, fraction);
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
  m.code = code_hash(source);
  m.resources = cached.cubin.resources;
  m.grid = source.grid, m.block = source.block, m.smem_bytes = source.smem_bytes;
  m.cache = cached.cache;
  m.compile_ms = cached.cubin.compile_ms;
  m.notes = cached.cache.notes;
  if (m.resources.spills()) m.notes.push_back("the kernel spills registers: see resources");
  for (const PtxasRemark& remark : forbidden_remarks(m.resources)) {
    if (remark.code != "spills") m.notes.push_back(fmt::format("ptxas remarks {} of the kernel, and the times are of that", remark.code));
  }
  return m;
}

}  // namespace

Status stopped(const MeasureOptions& options) {
  if (options.stop.stop_requested()) return Error{ErrorCode::timed_out, "the measurement was stopped", {}, {}};
  return Done{};
}

Result<PreparedKernel> PreparedKernel::make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                            const MeasureOptions& options) {
  device.set_time_limit(options.time_limit);
  TESSERA_TRY(arch, decide_arch(source, device.properties(), compiler.toolkit()));
  TESSERA_CHECK(check_smem(source.entry, source.smem_bytes, device.properties()));  // before it is compiled for nothing
  report(options, "compile", 0);
  Stopwatch watch;
  TESSERA_TRY(cached, cache.get(source, arch, compiler));
  Measurement measurement = describe_run(device, source, options, cached);
  if (const std::string why = arch_note(cached.cubin.arch, device.properties().sm, compiler.toolkit()); !why.empty())
    measurement.notes.push_back(why);
  TimeSpent spent;
  spent.find = std::max(0.0, watch.lap() - measurement.compile_ms);
  TESSERA_CHECK(stopped(options));
  report(options, "check", 0);
  watch.lap();
  TESSERA_TRY(kernel, DeviceKernel::load(device, cached.cubin, LaunchShape{source.grid, source.block, source.smem_bytes}));
  spent.load = watch.lap();
  TESSERA_TRY(check, ResultCheck::make(device, compiler, cache, source, options.seed));
  report(options, "check", 0.5);
  PreparedKernel prepared(source, std::move(measurement), std::move(kernel), std::move(check));
  TESSERA_TRY(first, prepared.check_.run([&](DevicePointer a, DevicePointer b, DevicePointer c) {
    Stopwatch queued;
    Status launched = prepared.launch(a, b, c);
    spent.launch = queued.lap();
    return launched;
  }));
  spent.check = std::max(0.0, watch.lap() - spent.launch);
  prepared.measurement.spent = spent;
  prepared.measurement.correctness = std::move(first);
  return prepared;
}

Status PreparedKernel::check_again() {
  TESSERA_TRY(again, check_.run([&](DevicePointer a, DevicePointer b, DevicePointer c) { return launch(a, b, c); }));
  if (again.passed) return Done{};
  again.reason = "right at first, wrong after the timing, so threads race: " + again.reason;
  measurement.correctness = std::move(again);
  return Done{};
}

}  // namespace tessera
