// SPDX-License-Identifier: BSD-3-Clause
// PreparedKernel: compiled, loaded and compared with the definition, which is all that comes before a clock is looked at.
#pragma once

#include <utility>

#include "kernels/runtime/measure/measure.hpp"
#include "kernels/runtime/measure/result_check.hpp"

namespace tessera {

class PreparedKernel {
 public:
  // Reports the stages "compile" and "check". `source` must outlive this.
  static Result<PreparedKernel> make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                     const MeasureOptions& options);

  const KernelSource& source() const { return *source_; }
  Status launch(DevicePointer a, DevicePointer b, DevicePointer c) const { return kernel_.launch(gemm_arguments(*source_, a, b, c)); }
  // Another launch beside it, on the inputs of the check: does it compute the same product?
  Result<Correctness> check(const ResultCheck::Launch& launch) { return check_.run(launch); }
  // The check once more, on a chip that is hot from the timing: a race shows itself here if anywhere.
  Status check_again();

  Measurement measurement;  // without a timing

 private:
  PreparedKernel(const KernelSource& source, Measurement measured, DeviceKernel kernel, ResultCheck check)
      : measurement(std::move(measured)), source_(&source), kernel_(std::move(kernel)), check_(std::move(check)) {}

  const KernelSource* source_;
  DeviceKernel kernel_;
  ResultCheck check_;
};

// timed_out once a stop was asked for.
Status stopped(const MeasureOptions& options);

}  // namespace tessera
