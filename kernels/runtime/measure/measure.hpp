// SPDX-License-Identifier: BSD-3-Clause
// From a KernelSource to a Measurement: decide the architecture, compile (or find in the cache), check every element, then time.
//
// The check: A and B (and C, where beta is not 0) are random in [-1, 1], made on the device; the output is poisoned with NaN and fenced;
// the reference kernel computes the definition in fp64; every element is compared on the device. It is repeated after the timing.
// The timing: interleaved with cuBLASLt, alone, burst, cuBLASLt against itself, and interleaved with the fastest of the ways that cuBLASLt
// proposes, each of which was checked like the kernel; inputs rotated so that the L2 is cold.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/baseline.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

struct MeasureOptions {
  std::string date;                                                       // ISO 8601; goes into the Measurement as it is
  std::uint64_t seed = 1;                                                 // of the random inputs
  bool timing = true;                                                     // false: compile and check only
  MakeBaseline make_baseline;                                             // what is timed beside it; empty: nothing
  double mode_seconds = 0.5;                                              // sustained time a mode may take
  std::chrono::milliseconds burst_rest{250};                              // idleness before a burst
  std::chrono::milliseconds time_limit{30000};                            // for one wait: a kernel that takes longer hangs
  std::function<void(std::string_view stage, double fraction)> progress;  // stage: "compile", "check", "time"
  std::stop_token stop;  // asked between launches; a stopped measurement is an Error timed_out
};

Result<Measurement> measure(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                            const MeasureOptions& options);

// One launch on given bytes: C's bytes afterwards, to compare with the simulation on the CPU.
// Sizes must equal those of source.a, source.b, source.c.
Result<std::vector<std::byte>> run_once(Device& device, const Cubin& cubin, const KernelSource& source, std::span<const std::byte> a,
                                        std::span<const std::byte> b, std::span<const std::byte> c);

}  // namespace tessera
