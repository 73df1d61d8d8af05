// SPDX-License-Identifier: BSD-3-Clause
// The driver API's functions that cuda_device.cpp uses, found in libcuda.so.1 at run time, and its errors in words.
#pragma once

#if defined(TESSERA_HAVE_CUDA) && __has_include(<cuda.h>)
#define TESSERA_HAVE_DRIVER 1
#include <cuda.h>

#include <string>

#include "core/base/result.hpp"

namespace tessera {

// cuda.h renames functions by macro (cuMemAlloc -> cuMemAlloc_v2): the list is expanded, so types and names follow the header.
// clang-format off
#define TESSERA_CUDA_FUNCTIONS(F)                                                                                                        \
  F(cuInit)                                                                                                                              \
  F(cuDriverGetVersion)                                                                                                                  \
  F(cuDeviceGetCount)                                                                                                                    \
  F(cuDeviceGet) F(cuDeviceGetName) F(cuDeviceGetAttribute) F(cuDeviceTotalMem) F(cuDevicePrimaryCtxRetain) F(cuDevicePrimaryCtxRelease) \
      F(cuCtxSetCurrent) F(cuGetErrorName) F(cuGetErrorString) F(cuMemAlloc) F(cuMemFree) F(cuMemcpyHtoDAsync) F(cuMemcpyDtoHAsync)      \
          F(cuMemcpyDtoDAsync) F(cuMemsetD8Async) F(cuModuleLoadData) F(cuModuleUnload) F(cuModuleGetFunction) F(cuFuncSetAttribute)     \
              F(cuLaunchKernel) F(cuEventCreate) F(cuEventDestroy) F(cuEventRecord) F(cuEventElapsedTime) F(cuStreamCreate)              \
                  F(cuStreamDestroy) F(cuStreamQuery)
// clang-format on

struct CudaDriver {
#define TESSERA_DECLARE(name) decltype(&::name) name##_ = nullptr;
  TESSERA_CUDA_FUNCTIONS(TESSERA_DECLARE)
#undef TESSERA_DECLARE
#if CUDA_VERSION >= 12000
  decltype(&::cuTensorMapEncodeTiled) cuTensorMapEncodeTiled_ = nullptr;  // null: the driver is older than CUDA 12
#endif
};

// Opened and initialised once; the answer is the same for the life of the process.
const Result<CudaDriver>& cuda_driver();

// "580.159.04", as the driver's management library tells it; else "CUDA 13.0"
std::string driver_version_text(const CudaDriver& driver);

// launch_failed "CUDA_ERROR_ILLEGAL_ADDRESS: the kernel read or wrote outside its memory (while waiting for the device)"
Error cuda_error(const CudaDriver& driver, CUresult result, const std::string& doing);

}  // namespace tessera
#endif
