// SPDX-License-Identifier: BSD-3-Clause
// Device on CUDA's driver API: one primary context, one stream, and a wait that ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>  // std::this_thread::sleep_for
#include <utility>
#include <variant>
#include <vector>

#include "kernels/runtime/device/cuda_driver.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/device/tensor_map.hpp"

namespace tessera {

#ifndef TESSERA_HAVE_DRIVER

namespace {
Error built_without_cuda() {
  return Error{ErrorCode::no_device,
               "this build of Tessera cannot use a GPU: the CUDA toolkit's header cuda.h was not there when it was built",
               {},
               {"install the CUDA toolkit, then build again", "or name a machine with a GPU: --worker \"ssh HOST tessera worker\""}};
}
}  // namespace

Result<std::vector<DeviceSummary>> devices() { return built_without_cuda(); }
Result<std::unique_ptr<Device>> open_device(int) { return built_without_cuda(); }

#else

namespace {

std::int64_t attribute(const CudaDriver& cuda, CUdevice device, CUdevice_attribute what) {
  int value = 0;
  cuda.cuDeviceGetAttribute_(&value, what, device);
  return value;
}

DeviceProperties read_properties(const CudaDriver& cuda, int index, CUdevice device, const std::string& driver_version) {
  DeviceProperties properties;
  std::array<char, 256> name{};
  std::size_t memory = 0;
  cuda.cuDeviceGetName_(name.data(), static_cast<int>(name.size() - 1), device);
  cuda.cuDeviceTotalMem_(&memory, device);
  properties.index = index;
  properties.name = name.data();
  properties.sm = static_cast<int>(10 * attribute(cuda, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                                   attribute(cuda, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  properties.sm_count = static_cast<int>(attribute(cuda, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  properties.smem_per_block_optin = attribute(cuda, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  properties.l2_bytes = attribute(cuda, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  properties.memory_bytes = static_cast<std::int64_t>(memory);
  properties.clock_mhz = static_cast<double>(attribute(cuda, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE)) / 1000.0;
  properties.driver_version = driver_version;
  return properties;
}

class CudaDevice final : public Device {
 public:
  CudaDevice(const CudaDriver& cuda, CUdevice device, CUcontext context, CUstream stream, DeviceProperties properties)
      : cuda_(cuda), device_(device), context_(context), stream_(stream), properties_(std::move(properties)) {}

  ~CudaDevice() override {
    if (lost()) return;  // every call that would tidy up waits for the kernel that hangs
    for (const auto& [id, loaded] : kernels_) cuda_.cuModuleUnload_(loaded.module);
    cuda_.cuStreamDestroy_(stream_);
    cuda_.cuDevicePrimaryCtxRelease_(device_);
  }

  const DeviceProperties& properties() const override { return properties_; }
  void* stream() const override { return stream_; }
  bool lost() const override { return fault_.has_value(); }
  void set_time_limit(std::chrono::milliseconds limit) override { time_limit_ = limit; }
  void rest(std::chrono::milliseconds duration) override { std::this_thread::sleep_for(duration); }

  Result<DevicePointer> allocate(std::int64_t bytes) override {
    TESSERA_CHECK(ready());
    CUdeviceptr pointer = 0;
    const CUresult result = cuda_.cuMemAlloc_(&pointer, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)));
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      return cuda_error(cuda_, result, fmt::format("allocating {} bytes of {} on {}", bytes, properties_.memory_bytes, properties_.name))
          .note("try smaller extents");
    }
    TESSERA_CHECK(check(result, "allocating memory"));
    return static_cast<DevicePointer>(pointer);
  }

  void free(DevicePointer pointer) override {
    if (!lost()) cuda_.cuMemFree_(pointer);
  }

  Status upload(DevicePointer to, std::span<const std::byte> from) override {
    TESSERA_CHECK(ready());
    TESSERA_CHECK(check(cuda_.cuMemcpyHtoDAsync_(to, from.data(), from.size(), stream_), "copying to the device"));
    return synchronize();  // `from` may go away when this returns
  }

  Status download(std::span<std::byte> to, DevicePointer from) override {
    TESSERA_CHECK(synchronize());  // a hanging kernel ends the wait here, not inside the copy
    TESSERA_CHECK(check(cuda_.cuMemcpyDtoHAsync_(to.data(), from, to.size(), stream_), "copying from the device"));
    return synchronize();
  }

  Status copy(DevicePointer to, DevicePointer from, std::int64_t bytes) override {
    TESSERA_CHECK(ready());
    return check(cuda_.cuMemcpyDtoDAsync_(to, from, static_cast<std::size_t>(bytes), stream_), "copying on the device");
  }

  Status fill_bytes(DevicePointer to, std::uint8_t value, std::int64_t bytes) override {
    TESSERA_CHECK(ready());
    return check(cuda_.cuMemsetD8Async_(to, value, static_cast<std::size_t>(bytes), stream_), "filling memory");
  }

  Result<LoadedKernel> load(const Cubin& cubin, std::int64_t smem_bytes) override {
    TESSERA_CHECK(ready());
    if (!runs_on(cubin.arch, properties_.sm)) {
      return Error{
          ErrorCode::wrong_arch,
          fmt::format("the cubin of '{}' is for {}; {} is sm_{}", cubin.entry, cubin.arch.name(), properties_.name, properties_.sm),
          {},
          {"compile it for this device"}};
    }
    TESSERA_CHECK(check_smem(cubin.entry, smem_bytes, properties_));
    Loaded loaded{};
    TESSERA_CHECK(check(cuda_.cuModuleLoadData_(&loaded.module, cubin.bytes.data()), "loading the cubin"));
    Status found = check(cuda_.cuModuleGetFunction_(&loaded.function, loaded.module, cubin.entry.c_str()),
                         fmt::format("looking for the entry '{}'", cubin.entry));
    if (found && smem_bytes > 0) {
      found =
          check(cuda_.cuFuncSetAttribute_(loaded.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(smem_bytes)),
                fmt::format("reserving {} bytes of shared memory", smem_bytes));
    }
    if (!found) {
      cuda_.cuModuleUnload_(loaded.module);
      return std::move(found).error();
    }
    kernels_[++last_kernel_] = loaded;
    return last_kernel_;
  }

  void unload(LoadedKernel kernel) override {
    const auto found = kernels_.find(kernel);
    if (found == kernels_.end() || lost()) return;
    cuda_.cuModuleUnload_(found->second.module);
    kernels_.erase(found);
  }

  Status launch(LoadedKernel kernel, const LaunchShape& shape, std::span<const KernelArgument> arguments) override {
    TESSERA_CHECK(ready());
    const auto found = kernels_.find(kernel);
    if (found == kernels_.end()) return Error{ErrorCode::launch_failed, "the kernel to launch is not loaded", {}, {}};
    std::array<void*, 16> addresses{};
    if (arguments.size() > addresses.size()) return Error{ErrorCode::launch_failed, "more than 16 kernel arguments", {}, {}};
    std::array<TensorMapBytes, 4> maps{};
    std::size_t map = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (const auto* tensor = std::get_if<TensorMapArgument>(&arguments[i])) {
        if (map == maps.size()) return Error{ErrorCode::launch_failed, "more than 4 tensor maps", {}, {}};
        TESSERA_CHECK(encode_tensor_map(cuda_, *tensor, maps[map]));
        addresses[i] = &maps[map++];
        continue;
      }
      addresses[i] = std::visit([](const auto& value) { return const_cast<void*>(static_cast<const void*>(&value)); }, arguments[i]);
    }
    const auto [gx, gy, gz] = shape.grid;
    const auto [bx, by, bz] = shape.block;
    const CUresult result = cuda_.cuLaunchKernel_(found->second.function, gx, gy, gz, bx, by, bz, static_cast<unsigned>(shape.smem_bytes),
                                                  stream_, addresses.data(), nullptr);
    if (result == CUDA_SUCCESS) return Done{};  // the words below cost more than a launch
    return check(result, fmt::format("launching grid ({}, {}, {}) of ({}, {}, {}) threads with {} bytes of shared memory", gx, gy, gz, bx,
                                     by, bz, shape.smem_bytes));
  }

  Result<EventId> make_event() override {
    TESSERA_CHECK(ready());
    CUevent event = nullptr;
    TESSERA_CHECK(check(cuda_.cuEventCreate_(&event, CU_EVENT_DEFAULT), "making an event"));
    return reinterpret_cast<EventId>(event);
  }

  void free_event(EventId event) override {
    if (!lost()) cuda_.cuEventDestroy_(reinterpret_cast<CUevent>(event));
  }

  Status record(EventId event) override {
    TESSERA_CHECK(ready());
    return check(cuda_.cuEventRecord_(reinterpret_cast<CUevent>(event), stream_), "recording an event");
  }

  Result<double> elapsed_us(EventId from, EventId to) override {
    TESSERA_CHECK(ready());
    float milliseconds = 0;
    TESSERA_CHECK(check(cuda_.cuEventElapsedTime_(&milliseconds, reinterpret_cast<CUevent>(from), reinterpret_cast<CUevent>(to)),
                        "reading the time between two events"));
    return 1000.0 * static_cast<double>(milliseconds);
  }

  // Asks instead of blocking, so that a hanging kernel ends in an Error and not in silence. The pause grows with the waiting: short
  // kernels are noticed at once, long ones cost no processor.
  Status synchronize() override {
    TESSERA_CHECK(ready());
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      const CUresult result = cuda_.cuStreamQuery_(stream_);
      if (result != CUDA_ERROR_NOT_READY) return check(result, "waiting for the device");
      const auto waited = std::chrono::steady_clock::now() - begin;
      if (waited > time_limit_) {
        fault_ = Error{ErrorCode::timed_out,
                       fmt::format("the kernel did not end within {:.1f} s on {}", std::chrono::duration<double>(time_limit_).count(),
                                   properties_.name),
                       {},
                       {"a loop without end, or threads that wait for each other: a barrier that not all of them reach"}};
        return *fault_;
      }
      if (waited > std::chrono::milliseconds(2))
        std::this_thread::sleep_for(std::min(waited / 20, decltype(waited)(std::chrono::milliseconds(5))));
    }
  }

 private:
  struct Loaded {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
  };

  Status ready() {
    if (fault_) return *fault_;
    return check(cuda_.cuCtxSetCurrent_(context_), "choosing the device");  // the caller's thread may be new to CUDA
  }

  Status check(CUresult result, const std::string& doing) {
    if (result == CUDA_SUCCESS) return Done{};
    Error error = cuda_error(cuda_, result, doing);
    if (is_sticky(result)) fault_ = error;
    return error;
  }

  // After these the context is dead: each later call would repeat the error under another heading.
  static bool is_sticky(CUresult result) {
    switch (result) {
      case CUDA_ERROR_ILLEGAL_ADDRESS:
      case CUDA_ERROR_MISALIGNED_ADDRESS:
      case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      case CUDA_ERROR_INVALID_PC:
      case CUDA_ERROR_HARDWARE_STACK_ERROR:
      case CUDA_ERROR_ILLEGAL_INSTRUCTION:
      case CUDA_ERROR_LAUNCH_FAILED:
      case CUDA_ERROR_LAUNCH_TIMEOUT:
      case CUDA_ERROR_ASSERT:
      case CUDA_ERROR_ECC_UNCORRECTABLE: return true;
      default: return false;
    }
  }

  const CudaDriver& cuda_;
  CUdevice device_;
  CUcontext context_;
  CUstream stream_;
  DeviceProperties properties_;
  std::map<LoadedKernel, Loaded> kernels_;
  LoadedKernel last_kernel_ = 0;
  std::chrono::milliseconds time_limit_{30000};
  std::optional<Error> fault_;
};

}  // namespace

Result<std::vector<DeviceSummary>> devices() {
  if (!cuda_driver()) return cuda_driver().error();
  const CudaDriver& cuda = *cuda_driver();
  int count = 0;
  if (const CUresult result = cuda.cuDeviceGetCount_(&count); result != CUDA_SUCCESS) return cuda_error(cuda, result, "counting devices");
  const std::string driver_version = driver_version_text(cuda);
  std::vector<DeviceSummary> found;
  for (int index = 0; index < count; ++index) {
    CUdevice device = 0;
    if (cuda.cuDeviceGet_(&device, index) == CUDA_SUCCESS) found.push_back(read_properties(cuda, index, device, driver_version));
  }
  return found;
}

Result<std::unique_ptr<Device>> open_device(int index) {
  if (!cuda_driver()) return cuda_driver().error();
  const CudaDriver& cuda = *cuda_driver();
  int count = 0;
  if (const CUresult result = cuda.cuDeviceGetCount_(&count); result != CUDA_SUCCESS) return cuda_error(cuda, result, "counting devices");
  if (index < 0 || index >= count) {
    return Error{ErrorCode::no_device,
                 count == 0 ? "the NVIDIA driver is here, but it sees no GPU"
                            : fmt::format("there is no device {}: this machine has {}, counted from 0", index, count),
                 {},
                 {"`tessera devices` lists them"}};
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUresult result = cuda.cuDeviceGet_(&device, index);
  if (result == CUDA_SUCCESS) result = cuda.cuDevicePrimaryCtxRetain_(&context, device);
  if (result == CUDA_SUCCESS) result = cuda.cuCtxSetCurrent_(context);
  if (result == CUDA_SUCCESS) result = cuda.cuStreamCreate_(&stream, CU_STREAM_NON_BLOCKING);
  if (result != CUDA_SUCCESS) return cuda_error(cuda, result, fmt::format("opening device {}", index));
  return std::unique_ptr<Device>(
      std::make_unique<CudaDevice>(cuda, device, context, stream, read_properties(cuda, index, device, driver_version_text(cuda))));
}

#endif

}  // namespace tessera
