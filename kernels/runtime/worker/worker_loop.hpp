// SPDX-License-Identifier: BSD-3-Clause
// The worker's side of worker_protocol.hpp: reads requests until its input ends, answers each with events.
//
// The loop knows no expression language: whoever starts it says how a spec becomes a KernelSource. It knows no CUDA either: devices and
// compiler come from factories, which a test replaces. After a fault it reports, says `fatal`, and ends: the process must then leave
// without running CUDA's exit handlers, which would wait for a hanging kernel (std::_Exit).
#pragma once

#include <functional>
#include <iosfwd>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/baseline.hpp"

namespace tessera {

struct WorkerParts {
  std::string program;  // "tessera 0.1.0", for the hello
  std::function<Result<KernelSource>(const std::string& spec)> lower;
  std::function<Result<std::vector<DeviceSummary>>()> devices;             // tessera::devices
  std::function<Result<std::unique_ptr<Device>>(int index)> open_device;   // tessera::open_device
  std::function<Result<std::unique_ptr<KernelCompiler>>()> open_compiler;  // tessera::open_nvrtc
  MakeBaseline make_baseline;                                              // tessera::make_cublaslt_baseline; empty: none
  CacheSettings cache;                                                     // without a folder: none
};

enum class WorkerEnd {
  input_closed,   // the client is done
  output_closed,  // the client is gone
  device_lost,    // a kernel faulted or hung: leave with std::_Exit
};

WorkerEnd run_worker_loop(const WorkerParts& parts, std::istream& requests, std::ostream& events);

}  // namespace tessera
