// SPDX-License-Identifier: BSD-3-Clause
// Finds the driver's functions, and says in words what its error numbers mean for someone who runs a kernel.
#include "kernels/runtime/device/cuda_driver.hpp"

#include <string>
#include <string_view>

#ifdef TESSERA_HAVE_DRIVER

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/base/file.hpp"
#include "kernels/runtime/device/shared_library.hpp"

namespace tessera {
namespace {

#define TESSERA_TEXT(name) #name
#define TESSERA_EXPANDED_TEXT(name) TESSERA_TEXT(name)

Result<CudaDriver> open_driver() {
  TESSERA_TRY(library, SharedLibrary::open({"libcuda.so.1"}, ErrorCode::no_device, "no GPU can be used: there is no NVIDIA driver here"));
  CudaDriver driver;
  const char* missing = nullptr;
#define TESSERA_FIND(name) \
  if (!library.find(driver.name##_, TESSERA_EXPANDED_TEXT(name))) missing = missing == nullptr ? TESSERA_EXPANDED_TEXT(name) : missing;
  TESSERA_CUDA_FUNCTIONS(TESSERA_FIND)
#undef TESSERA_FIND
  // Drivers before CUDA 13 have this one under its first name only, with the same arguments.
  if (driver.cuEventElapsedTime_ == nullptr && library.find(driver.cuEventElapsedTime_, "cuEventElapsedTime") && missing != nullptr &&
      std::string_view(missing).starts_with("cuEventElapsedTime")) {
    missing = nullptr;
  }
#if CUDA_VERSION >= 12000
  library.find(driver.cuTensorMapEncodeTiled_, "cuTensorMapEncodeTiled");  // from CUDA 12 on; only kernels with TMA ask for it
#endif
  if (missing != nullptr) {
    return Error{
        ErrorCode::no_device, fmt::format("{} is too old: it has no {}", library.path(), missing), {}, {"update the NVIDIA driver"}};
  }
  if (const CUresult result = driver.cuInit_(0); result != CUDA_SUCCESS) {
    const char* name = nullptr;
    driver.cuGetErrorName_(result, &name);
    return Error{ErrorCode::no_device,
                 fmt::format("no GPU can be used: the NVIDIA driver did not start ({})", name != nullptr ? name : "unknown error"),
                 {},
                 {"`nvidia-smi` shows whether the driver sees a GPU"}};
  }
  return driver;
}

// What the number means for the author of a kernel; CUDA's own sentence serves for the others.
constexpr std::array<std::pair<CUresult, const char*>, 9> meanings{{
    {CUDA_ERROR_ILLEGAL_ADDRESS, "the kernel read or wrote outside its memory"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "the kernel used an address that is not a multiple of the access' size"},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, "the kernel met an instruction that this GPU does not have, or used one wrongly"},
    {CUDA_ERROR_LAUNCH_FAILED, "the kernel stopped with a fault"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "the kernel ran longer than the driver allows on a GPU with a display"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "the launch asks for more registers or shared memory than a multiprocessor has"},
    {CUDA_ERROR_OUT_OF_MEMORY, "the GPU's memory is full"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "the cubin is for another architecture"},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, "the kernel's stack is damaged or used up"},
}};

}  // namespace

const Result<CudaDriver>& cuda_driver() {
  static const Result<CudaDriver> driver = open_driver();
  return driver;
}

std::string driver_version_text(const CudaDriver& driver) {
  // The kernel's module says it at once; asking the management library takes longer than opening a device.
  if (const auto text = read_file("/sys/module/nvidia/version", 1 << 16)) {
    const std::string version = text->substr(0, text->find_first_of(" \n"));
    if (!version.empty() && version.find_first_not_of("0123456789.") == std::string::npos) return version;
  }
  auto nvml = SharedLibrary::open({"libnvidia-ml.so.1"}, ErrorCode::no_device, "no NVML");
  int (*init)() = nullptr;
  int (*version)(char*, unsigned) = nullptr;
  int (*shutdown)() = nullptr;
  if (nvml && nvml->find(init, "nvmlInit_v2") && nvml->find(version, "nvmlSystemGetDriverVersion") &&
      nvml->find(shutdown, "nvmlShutdown") && init() == 0) {
    std::array<char, 96> text{};
    const int result = version(text.data(), static_cast<unsigned>(text.size() - 1));
    shutdown();
    if (result == 0) return text.data();
  }
  int number = 0;
  driver.cuDriverGetVersion_(&number);
  return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10);
}

Error cuda_error(const CudaDriver& driver, CUresult result, const std::string& doing) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver.cuGetErrorName_(result, &name);
  driver.cuGetErrorString_(result, &text);
  std::string meaning = text != nullptr ? text : "an error that the driver does not name";
  for (const auto& [code, words] : meanings) {
    if (code == result) meaning = words;
  }
  return Error{
      ErrorCode::launch_failed,
      fmt::format("{}: {} (while {})", name != nullptr ? name : fmt::format("CUDA error {}", static_cast<int>(result)), meaning, doing),
      {},
      {}};
}

}  // namespace tessera

#endif
