// SPDX-License-Identifier: BSD-3-Clause
// Device: one GPU, as the few things that a measurement does with it. An interface because a GPU is outside world: tests use a
// fake (tests/support/fake_device.hpp), programs use the driver API (cuda_device.cpp).
//
// Work is queued and runs in order. A kernel's fault is reported by the call that waits for it, in words:
//   launch_failed "CUDA_ERROR_ILLEGAL_ADDRESS: the kernel read or wrote outside its memory"
// After a fault or a kernel that did not end in time the device is *lost*: each later call repeats the first error, and only a new
// process gets a working one. That is why kernels run in a worker (../worker/worker_loop.hpp).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/runtime/device/cubin.hpp"

namespace tessera {

struct DeviceProperties {
  int index = 0;
  std::string name;                       // "NVIDIA H200"
  int sm = 0;                             // 90 for compute capability 9.0
  int sm_count = 0;                       // multiprocessors
  std::int64_t smem_per_block_optin = 0;  // bytes of shared memory a block may ask for
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  double clock_mhz = 0;        // the highest clock of the multiprocessors
  std::string driver_version;  // "580.159.04", or "CUDA 13.0" where the driver does not tell
};

using DeviceSummary = DeviceProperties;

using DevicePointer = std::uint64_t;  // an address in the GPU's memory
using LoadedKernel = std::uint64_t;   // a kernel that can be launched; 0 is none
using EventId = std::uint64_t;        // a moment in the queue; 0 is none

// A matrix as TMA is told of it: the driver makes 128 bytes of it, which are passed by value.
struct TensorMapArgument {
  TensorMapSpec spec;
  DevicePointer base = 0;
};
using KernelArgument = std::variant<DevicePointer, std::int32_t, std::int64_t, float, double, TensorMapArgument>;

struct LaunchShape {
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::int64_t smem_bytes = 0;  // dynamic shared memory, a block
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceProperties& properties() const = 0;

  virtual Result<DevicePointer> allocate(std::int64_t bytes) = 0;
  virtual void free(DevicePointer pointer) = 0;  // silent: a lost device has nothing to free
  virtual Status upload(DevicePointer to, std::span<const std::byte> from) = 0;
  virtual Status download(std::span<std::byte> to, DevicePointer from) = 0;  // waits; see synchronize
  virtual Status copy(DevicePointer to, DevicePointer from, std::int64_t bytes) = 0;
  virtual Status fill_bytes(DevicePointer to, std::uint8_t value, std::int64_t bytes) = 0;

  // Refuses a cubin of another architecture, and more dynamic shared memory than the device has.
  virtual Result<LoadedKernel> load(const Cubin& cubin, std::int64_t smem_bytes) = 0;
  virtual void unload(LoadedKernel kernel) = 0;
  virtual Status launch(LoadedKernel kernel, const LaunchShape& shape, std::span<const KernelArgument> arguments) = 0;

  virtual Result<EventId> make_event() = 0;
  virtual void free_event(EventId event) = 0;
  virtual Status record(EventId event) = 0;
  virtual Result<double> elapsed_us(EventId from, EventId to) = 0;

  // Waits for all queued work, at most the limit: timed_out when a kernel hangs.
  virtual Status synchronize() = 0;
  // Leaves the chip idle for so long, so that it cools; all queued work has been waited for.
  virtual void rest(std::chrono::milliseconds duration) = 0;
  virtual void set_time_limit(std::chrono::milliseconds limit) = 0;
  virtual bool lost() const = 0;

  // The queue as the vendor's libraries name it (a CUstream), so that their work runs in order with ours; null where there is none.
  virtual void* stream() const = 0;
};

// What is there; an empty list is an answer, not an error. no_device when there is no driver, saying so.
Result<std::vector<DeviceSummary>> devices();

// `index` counts as `tessera devices` does.
Result<std::unique_ptr<Device>> open_device(int index);

// For this device, by this toolkit.
Result<ArchTarget> decide_arch(const KernelSource& source, const DeviceProperties& device, const Toolkit& toolkit);

// Has a block of that device as much shared memory?
Status check_smem(std::string_view kernel, std::int64_t smem_bytes, const DeviceProperties& device);

// Owns memory of a device, which must outlive it.
class DeviceBuffer {
 public:
  static Result<DeviceBuffer> make(Device& device, std::int64_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  DevicePointer pointer() const { return pointer_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  DeviceBuffer(Device& device, DevicePointer pointer, std::int64_t bytes) : device_(&device), pointer_(pointer), bytes_(bytes) {}
  Device* device_;
  DevicePointer pointer_ = 0;
  std::int64_t bytes_ = 0;
};

// Owns a loaded kernel of a device, which must outlive it.
class DeviceKernel {
 public:
  static Result<DeviceKernel> load(Device& device, const Cubin& cubin, LaunchShape shape);
  DeviceKernel(DeviceKernel&& other) noexcept;
  DeviceKernel& operator=(DeviceKernel&&) = delete;
  ~DeviceKernel();

  Status launch(std::span<const KernelArgument> arguments) const { return device_->launch(kernel_, shape_, arguments); }
  Status launch(const LaunchShape& shape, std::span<const KernelArgument> arguments) const {
    return device_->launch(kernel_, shape, arguments);
  }

 private:
  DeviceKernel(Device& device, LoadedKernel kernel, LaunchShape shape) : device_(&device), kernel_(kernel), shape_(shape) {}
  Device* device_;
  LoadedKernel kernel_ = 0;
  LaunchShape shape_;
};

}  // namespace tessera
