// SPDX-License-Identifier: BSD-3-Clause
// A driver of three GPUs that do nothing: it writes down what it is asked. Handles differ from each other and from indices.
#include "tests/kernels/fake_cuda.hpp"

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace {

FakeCuda state;

std::string text(const char* word) { return word; }
template <class T>
std::string text(T value) {
  if constexpr (std::is_pointer_v<T>)
    return std::to_string(reinterpret_cast<std::uintptr_t>(value));
  else
    return std::to_string(value);
}

template <class... T>
CUresult said(const char* name, T... values) {
  std::string call = name;
  ((call += " " + text(values)), ...);
  state.calls.push_back(call);
  const auto found = state.answers.find(name);
  return found == state.answers.end() ? CUDA_SUCCESS : static_cast<CUresult>(found->second);
}

template <class T>
T handle(std::uintptr_t number) {
  return reinterpret_cast<T>(number);
}

}  // namespace

extern "C" {

FakeCuda& fake_cuda_state() { return state; }

CUresult CUDAAPI cuInit(unsigned flags) { return said("cuInit", flags); }
CUresult CUDAAPI cuDriverGetVersion(int* version) { return *version = 12040, said("cuDriverGetVersion"); }
CUresult CUDAAPI cuDeviceGetCount(int* count) { return *count = state.devices, said("cuDeviceGetCount"); }
CUresult CUDAAPI cuDeviceGet(CUdevice* device, int index) { return *device = 10 + index, said("cuDeviceGet", index); }
CUresult CUDAAPI cuDeviceGetName(char* name, int length, CUdevice device) {
  std::strncpy(name, ("GPU " + std::to_string(device)).c_str(), static_cast<std::size_t>(length));
  return said("cuDeviceGetName", device);
}
CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute what, CUdevice device) {
  const int index = device - 10;
  *value = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? 9
           : what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR          ? index
           : what == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT              ? 100 + index
           : what == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 200000 + index
           : what == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE                     ? 300000 + index
           : what == CU_DEVICE_ATTRIBUTE_CLOCK_RATE                        ? 1500000 + 1000 * index
                                                                           : -1;
  return said("cuDeviceGetAttribute");
}
CUresult CUDAAPI cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return *bytes = std::size_t{1} << (20 + device), said("cuDeviceTotalMem", device);
}
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return *context = handle<CUcontext>(21), said("cuDevicePrimaryCtxRetain", device);
}
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device) { return said("cuDevicePrimaryCtxRelease", device); }
CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) { return said("cuCtxSetCurrent", context); }
CUresult CUDAAPI cuGetErrorName(CUresult result, const char** name) {
  return *name = result == 9999 ? nullptr : "CUDA_ERROR_OF_THE_TEST", CUDA_SUCCESS;
}
CUresult CUDAAPI cuGetErrorString(CUresult result, const char** words) {
  return *words = result == 9999 ? nullptr : "the driver's own words", CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) { return *pointer = 4096, said("cuMemAlloc", bytes); }
CUresult CUDAAPI cuMemFree(CUdeviceptr pointer) { return said("cuMemFree", pointer); }
CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return said("cuMemcpyHtoDAsync", to, from, bytes, stream);
}
CUresult CUDAAPI cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return said("cuMemcpyDtoHAsync", to, from, bytes, stream);
}
CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return said("cuMemcpyDtoDAsync", to, from, bytes, stream);
}
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  return said("cuMemsetD8Async", to, static_cast<int>(value), bytes, stream);
}
CUresult CUDAAPI cuModuleLoadData(CUmodule* module, const void* image) {
  return *module = handle<CUmodule>(41), said("cuModuleLoadData", image);
}
CUresult CUDAAPI cuModuleUnload(CUmodule module) { return said("cuModuleUnload", module); }
CUresult CUDAAPI cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return *function = handle<CUfunction>(51), said("cuModuleGetFunction", module, name);
}
CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute what, int value) {
  return said("cuFuncSetAttribute", function, static_cast<int>(what), value);
}
CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                unsigned smem, CUstream stream, void** arguments, void**) {
  state.arguments.clear();
  for (int i = 0; i < 16 && arguments[i] != nullptr; ++i) {
    unsigned long long value = 0;
    std::memcpy(&value, arguments[i], sizeof value);
    state.arguments.push_back(value);
  }
  return said("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, smem, stream);
}
CUresult CUDAAPI cuEventCreate(CUevent* event, unsigned flags) { return *event = handle<CUevent>(61), said("cuEventCreate", flags); }
CUresult CUDAAPI cuEventDestroy(CUevent event) { return said("cuEventDestroy", event); }
CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) { return said("cuEventRecord", event, stream); }
CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return *milliseconds = 0.25F, said("cuEventElapsedTime", from, to);
}
CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned flags) { return *stream = handle<CUstream>(31), said("cuStreamCreate", flags); }
CUresult CUDAAPI cuStreamDestroy(CUstream stream) { return said("cuStreamDestroy", stream); }
CUresult CUDAAPI cuStreamQuery(CUstream stream) {
  const CUresult answer = said("cuStreamQuery", stream);
  return state.busy-- > 0 ? CUDA_ERROR_NOT_READY : answer;
}

}  // extern "C"
