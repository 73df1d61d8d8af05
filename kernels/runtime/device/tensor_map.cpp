// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/runtime/device/tensor_map.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace tessera {

namespace {

// 0: a type that no map is written for.
std::int64_t element_bytes(const std::string& type) {
  if (type == "bf16" || type == "f16") return 2;
  if (type == "tf32" || type == "f32" || type == "s32") return 4;
  return type == "e4m3" || type == "e5m2" || type == "s8" || type == "u8" ? 1 : 0;
}

Error refused(const TensorMapSpec& spec, std::string what, const char* hint) {
  return Error{ErrorCode::launch_failed, fmt::format("no tensor map for {}: {}", spec.name, what), {}, {hint}};
}

}  // namespace

Status check_tensor_map(const TensorMapArgument& argument) {
  constexpr std::int64_t kUnit = 16, kMostBox = 256, kMostExtent = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kPitches = std::int64_t{1} << 40;
  const TensorMapSpec& spec = argument.spec;
  const std::int64_t bytes = element_bytes(spec.type);
  if (bytes == 0)
    return refused(spec, fmt::format("elements of type {}; it has those of 8, 16 or 32 bits that wgmma multiplies or stores", spec.type),
                   "another atom");
  if (argument.base % kUnit != 0)
    return refused(spec, fmt::format("its memory begins at 0x{:x}, which is no multiple of {} bytes", argument.base, kUnit),
                   "an aligned buffer");
  if (spec.rows < 1 || spec.columns < 1 || spec.rows > kMostExtent || spec.columns > kMostExtent)
    return refused(spec, fmt::format("{} x {} elements; each extent is 1 to {}", spec.rows, spec.columns, kMostExtent), "other extents");
  if (spec.pitch_bytes % kUnit != 0 || spec.pitch_bytes < spec.columns * bytes || spec.pitch_bytes >= kPitches)
    return refused(spec,
                   fmt::format("rows of {} bytes are {} bytes apart; TMA needs a multiple of {}, at least a row and less than 2^40",
                               spec.columns * bytes, spec.pitch_bytes, kUnit),
                   "a padded row");
  if (spec.dimensions == 3 && (spec.batch_bytes % kUnit != 0 || spec.batch_bytes < 1 || spec.batch_bytes >= kPitches))
    return refused(spec,
                   fmt::format("matrices of a batch are {} bytes apart; TMA needs a multiple of {}, more than 0 and less than 2^40",
                               spec.batch_bytes, kUnit),
                   "matrices that follow each other");
  if (spec.box_rows < 1 || spec.box_columns < 1 || spec.box_rows > kMostBox || spec.box_columns > kMostBox)
    return refused(spec, fmt::format("a box of {} x {} elements; each side is 1 to {}", spec.box_rows, spec.box_columns, kMostBox),
                   "another cta_tiler");
  const std::int64_t row = spec.box_columns * bytes;
  if (row % kUnit != 0 || (spec.swizzle_bytes > 0 && row > spec.swizzle_bytes))
    return refused(spec,
                   fmt::format("a box's rows of {} bytes under a swizzle of {} bytes; a row is a multiple of {}, at most the swizzle", row,
                               spec.swizzle_bytes, kUnit),
                   "another cta_tiler or shared-memory layout");
  return Done{};
}

#ifdef TESSERA_HAVE_DRIVER
#if CUDA_VERSION >= 12000
namespace {

// Copies by a map of tf32 round the floats that they bring.
CUtensorMapDataType data_type(const std::string& type) {
  if (type == "f16") return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if (type == "bf16") return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if (type == "tf32") return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  if (type == "f32") return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  return type == "s32" ? CU_TENSOR_MAP_DATA_TYPE_INT32 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

}  // namespace

Status encode_tensor_map(const CudaDriver& driver, const TensorMapArgument& argument, TensorMapBytes& map) {
  static_assert(sizeof(CUtensorMap) == sizeof(TensorMapBytes) && alignof(CUtensorMap) <= alignof(TensorMapBytes));
  TESSERA_CHECK(check_tensor_map(argument));
  const TensorMapSpec& spec = argument.spec;
  if (driver.cuTensorMapEncodeTiled_ == nullptr) return refused(spec, "the NVIDIA driver is older than CUDA 12", "a newer driver");
  const std::array<cuuint64_t, 3> extents{static_cast<cuuint64_t>(spec.columns), static_cast<cuuint64_t>(spec.rows),
                                          static_cast<cuuint64_t>(spec.matrices)};
  const std::array<cuuint64_t, 2> pitch{static_cast<cuuint64_t>(spec.pitch_bytes), static_cast<cuuint64_t>(spec.batch_bytes)};
  const std::array<cuuint32_t, 3> box{static_cast<cuuint32_t>(spec.box_columns), static_cast<cuuint32_t>(spec.box_rows), 1}, steps{1, 1, 1};
  const CUtensorMapSwizzle swizzle = spec.swizzle_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                     : spec.swizzle_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                     : spec.swizzle_bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                                : CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMap written;
  const CUresult result = driver.cuTensorMapEncodeTiled_(&written, data_type(spec.type), static_cast<cuuint32_t>(spec.dimensions),
                                                         reinterpret_cast<void*>(argument.base), extents.data(), pitch.data(), box.data(),
                                                         steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                                         CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) return cuda_error(driver, result, fmt::format("writing the tensor map {}", spec.name));
  std::memcpy(map.bytes.data(), &written, sizeof written);
  return Done{};
}
#else
Status encode_tensor_map(const CudaDriver&, const TensorMapArgument& argument, TensorMapBytes&) {
  return refused(argument.spec, "this build of Tessera was made with CUDA before 12, which has no TMA", "build with a newer CUDA toolkit");
}
#endif
#endif

}  // namespace tessera
