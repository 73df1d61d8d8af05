// SPDX-License-Identifier: BSD-3-Clause
// The check that comes before any speed: the kernel's C against the reference kernel's C, every element.
#pragma once

#include <array>
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

// How far a right answer may be from the reference: |got - expected| <= absolute + relative |expected|.
//   relative: one unit in the last place of C's type: the two may round to neighbours;
//   absolute: the rounding of the sums and of alpha and beta. Inputs are uniform in [-1, 1], so a sum is of size sqrt(k)/3. Rounding
//             to nearest, its error would be a random walk of k steps, of size k; but tensor cores truncate every few products, so the
//             steps have one sign and the error grows as k sqrt(k): 0.0007 for k = 4096 and f32 on an H200, where 0.0039 is allowed.
// In f16 such an error would hide a missing k-tile: at k = 4096 it is as large as C itself. So the check of f16 sums has other inputs,
// whose sums f16 holds exactly (sign_density), and one missing product shows. So has that of fp8: Hopper's tensor cores add products of
// fp8 with about 14 bits of mantissa, whatever the type of the sums (measured on an H200 against fp64, random inputs: 0.0021 of C's size
// at k = 8192, and nothing left where sums are taken over to fp32 every 256 of K; DeepSeek-V3 technical report, 3.3.2, says the same), and
// an error that grows so would hide a missing k-tile, too. 14 bits hold the integers of sign_density, and each partial sum of them.
struct Tolerance {
  double absolute = 0, relative = 0;
  double typical = 0;  // size of an element of C, the denominator of max_rel_error
};
Tolerance tolerance_of(const KernelSource& source);

// The inputs of the check: nothing: uniform in [-1, 1]; a number: that part of the elements is 1 or -1, the rest 0.
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
    DeviceBuffer a, b, c_before, c_expected, c_fenced, report;
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
