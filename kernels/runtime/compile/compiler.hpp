// SPDX-License-Identifier: BSD-3-Clause
// KernelCompiler: text to machine code. An interface because the compiler is outside world; compiling needs no GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/device/arch.hpp"
#include "kernels/runtime/device/cubin.hpp"

namespace tessera {

class KernelCompiler {
 public:
  virtual ~KernelCompiler() = default;

  // The kernel of `source.text`, entry `source.entry`. An error holds the compiler's own lines as notes.
  virtual Result<Cubin> compile(const KernelSource& source, ArchTarget arch) = 0;

  // "NVRTC 13.0": part of the cache's key. Empty: there is none here, compile() says why, and a kept cubin of any version will do.
  virtual std::string version() const = 0;
  virtual std::vector<std::string> options() const = 0;  // besides the architecture: part of the cache's key
  virtual std::vector<int> supported_sms() const = 0;    // ascending; NVRTC 13.0 begins with 75
  virtual bool knows_suffix_a() const { return true; }   // sm_90a beside sm_90

  Toolkit toolkit() const { return {version(), supported_sms(), knows_suffix_a()}; }
};

// NVRTC, looked for at run time under LD_LIBRARY_PATH, CUDA_PATH, /usr/local/cuda and Python's nvidia packages.
// Without one: no_compiler, with the names that were tried.
Result<std::unique_ptr<KernelCompiler>> open_nvrtc();

// Besides the architecture; known also where there is no NVRTC.
std::vector<std::string> nvrtc_options();

// The compiler; or, where it could not be opened, one without a version that says so of every kernel: kept cubins run without it.
std::unique_ptr<KernelCompiler> or_absent(Result<std::unique_ptr<KernelCompiler>> opened);

// `reference_text` of a source as a source of its own: same buffers and signature, launched for the check.
KernelSource reference_of(const KernelSource& source);

}  // namespace tessera
