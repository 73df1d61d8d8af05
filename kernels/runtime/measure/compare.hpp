// SPDX-License-Identifier: BSD-3-Clause
// Two kernels in one measurement: each is checked by itself, and then their launches alternate, so that both meet the same clock. Absolute
// figures of two runs never compare; the ratio of one run does (timing.hpp).
#pragma once

#include <string>

#include "kernels/runtime/measure/measure.hpp"

namespace tessera {

// In a's timing b is the baseline, and in b's a: `a.timing->interleaved.ratio` is time of b / time of a. Where one of them is wrong
// neither has a timing.
struct Comparison {
  Measurement a, b;
};

// options.make_baseline is not asked. Kernels of different problems are compared too: rates are of their own operations.
Result<Comparison> compare(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& a, const KernelSource& b,
                           const MeasureOptions& options);

// The same timing, with kernel and baseline in each other's place. Its control and its best way are left out: they were of the former
// baseline.
Timing mirrored(const Timing& timing, std::string baseline_name);

}  // namespace tessera
