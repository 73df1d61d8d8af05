// SPDX-License-Identifier: BSD-3-Clause
// The owners of device memory and loaded kernels, and the architecture that a device asks for.
#include "kernels/runtime/device/device.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tessera {

Result<ArchTarget> decide_arch(const KernelSource& source, const DeviceProperties& device, const Toolkit& toolkit) {
  return decide_arch(source, device.sm, fmt::format("the device ({})", device.name), toolkit);
}

Status check_smem(std::string_view kernel, std::int64_t smem_bytes, const DeviceProperties& device) {
  if (smem_bytes <= device.smem_per_block_optin) return Done{};
  return Error{ErrorCode::too_much_smem,
               fmt::format("kernel '{}' needs {} bytes of shared memory a block; {} has {}", kernel, smem_bytes, device.name,
                           device.smem_per_block_optin),
               {},
               {"try fewer stages or a smaller cta_tiler"}};
}

Result<DeviceBuffer> DeviceBuffer::make(Device& device, std::int64_t bytes) {
  TESSERA_TRY(pointer, device.allocate(bytes));
  return DeviceBuffer(device, pointer, bytes);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_), pointer_(std::exchange(other.pointer_, 0)), bytes_(other.bytes_) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(pointer_, other.pointer_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (pointer_ != 0) device_->free(pointer_);
}

Result<DeviceKernel> DeviceKernel::load(Device& device, const Cubin& cubin, LaunchShape shape) {
  TESSERA_TRY(kernel, device.load(cubin, shape.smem_bytes));
  return DeviceKernel(device, kernel, shape);
}

DeviceKernel::DeviceKernel(DeviceKernel&& other) noexcept
    : device_(other.device_), kernel_(std::exchange(other.kernel_, 0)), shape_(other.shape_) {}

DeviceKernel::~DeviceKernel() {
  if (kernel_ != 0) device_->unload(kernel_);
}

}  // namespace tessera
