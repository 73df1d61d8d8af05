// SPDX-License-Identifier: BSD-3-Clause
// Baseline: the vendor's own kernel for the same product, which a measurement times beside ours.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/device/device.hpp"

namespace tessera {

// Its launches are queued on the device like any other work. The vendor's library may know several ways to compute the product; they are
// numbered in its own order, and way 0 is what a caller of the library gets who does not choose.
class Baseline {
 public:
  virtual ~Baseline() = default;
  virtual std::string name() const = 0;  // of way 0: "cuBLASLt 13.1, top-1 heuristic"
  virtual int ways() const { return 1; }
  virtual Status launch(int way, DevicePointer a, DevicePointer b, DevicePointer c, double alpha, double beta) = 0;
};

// no_compiler where the vendor's library is missing; bad_spec where the product is not one of its.
using MakeBaseline = std::function<Result<std::unique_ptr<Baseline>>(Device& device, const KernelSource& source)>;

}  // namespace tessera
