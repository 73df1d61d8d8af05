// SPDX-License-Identifier: BSD-3-Clause
// The check that comes before any speed: the kernel's C against the reference kernel's C, every element.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

// How far a right answer may be from the reference: a bound for each element that follows from its own sum, and no guess.
//
//   |got - expected| <= absolute + relative |expected| + (spread <= exact_below ? of_exact : of_rounded) spread
//
//   spread:     of the element, from the reference kernel: no sum of neighbouring products is larger in magnitude, so no partial sum is
//               that a kernel holds, however it cuts k and in whichever direction it walks. It is never more than sum |a| |b|, which bounds
//               from the data alone have in its place, and of random inputs it is sqrt(k) instead of k.
//   of_rounded: 3/2 k u, with u a unit in the last place of the sums. An addition loses at most u of what is held, since tensor cores
//               truncate; an instruction that adds k' products has k' + 1 addends and a last rounding, and k' is at least 4. Products
//               themselves are exact, in an fma and in a tensor core. And what alpha and beta round.
//   of_exact:   the part of alpha and beta alone: where inputs are integers (sign_density), and the spread is below what the sums hold
//               exactly, a right kernel rounds nothing, and one missing product shows.
//   relative:   one unit in the last place of C's type: the two may round to neighbours.
//   absolute:   that of C's smallest numbers, and what beta times C rounds.
struct Tolerance {
  double absolute = 0, relative = 0;
  double of_rounded = 0, of_exact = 0, exact_below = 0;
  double typical = 0;  // size of an element of C, the denominator of max_rel_error

  // The bound of an element; the kernel of check_kernels.hpp says the same.
  double of(double expected, double spread) const {
    return absolute + relative * std::abs(expected) + (spread <= exact_below ? of_exact : of_rounded) * spread;
  }
};
Tolerance tolerance_of(const KernelSource& source);

// The inputs of the check: nothing: uniform in [-1, 1]; a number: that part of the elements is 1 or -1, the rest 0. Uniform ones see a
// kernel that rounds more than it says; but where what a right kernel may round is more than a product, a missing k-tile could hide in it.
// So it would in f16 sums (at k = 4096 as much as C itself), in those of fp8 (Hopper's tensor cores add products of fp8 with about 14 bits
// of mantissa, whatever the type of the sums: measured on an H200 against fp64; DeepSeek-V3 technical report, 3.3.2, says the same), and in
// f32 beyond k = 16384. Their sums are of integers that the sums hold exactly.
std::optional<double> sign_density(const KernelSource& source);

// k of the product, from blas or from the operation count; at least 1.
std::int64_t depth_of(const KernelSource& source);

// Inputs, initial C, reference result and fenced output of one problem, on the device. The reference runs once, when it is made.
class ResultCheck {
 public:
  static Result<ResultCheck> make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                  std::uint64_t seed);

  // Launches on the inputs with a fresh output and compares. The baseline is checked the same way: it must be the same product.
  using Launch = std::function<Status(DevicePointer a, DevicePointer b, DevicePointer c)>;
  Result<Correctness> run(const Launch& launch);

 private:
  struct Parts {
    DeviceBuffer a, b, c_before, c_expected, c_fenced, spreads, report;
    DeviceKernel compare;
  };
  ResultCheck(Device& device, KernelSource source, Parts parts) : device_(&device), source_(std::move(source)), parts_(std::move(parts)) {}
  DevicePointer output() const;
  Status explain(Correctness& correctness) const;
  Result<bool> fences_hold() const;

  Device* device_;
  KernelSource source_;
  Parts parts_;
};

// The seed of each operand, so that none equals another: operand 0 is A.
std::int64_t operand_seed(std::uint64_t seed, int operand);

// The kernel's arguments, in the order of every emitted entry.
std::vector<KernelArgument> gemm_arguments(const KernelSource& source, DevicePointer a, DevicePointer b, DevicePointer c);

// The kernels that a measurement of `source` needs beside it, each once: for a machine that cannot compile them itself.
Result<std::vector<KernelSource>> check_sources(const KernelSource& source);

// A small kernel of check_kernels.hpp, through the cache, ready to launch.
Result<DeviceKernel> load_small(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source);

}  // namespace tessera
