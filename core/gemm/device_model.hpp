// SPDX-License-Identifier: BSD-3-Clause
// What a device can hold and how fast it can be, as its makers state it: for the questions that need no kernel to be run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/result.hpp"

namespace tessera {

// Of one multiprocessor. Source: CUDA C++ Programming Guide, technical specifications per compute capability.
struct SmLimits {
  int sm = 0;  // 90
  std::int64_t threads = 0, ctas = 0;
  std::int64_t smem_bytes = 0, smem_reserved = 0;  // for all of its CTAs; of each, beside what it asks for
  std::int64_t registers = 65536;                  // of 32 bits
};
constexpr std::int64_t kMostRegisters = 255;       // of a thread
constexpr std::int64_t kMostThreadsOfACta = 1024;  // on every architecture

// Nothing for an architecture that is not known.
std::optional<SmLimits> sm_limits(int sm);

// Shared memory that a block may have on an architecture, in bytes: 232448 for sm_90. Source: CUDA C++ Programming Guide, technical
// specifications per compute capability. Nothing for an architecture that is not known.
std::optional<std::int64_t> smem_bytes_per_block(int sm);

// Source: NVIDIA's data sheets, at the boost clock, without sparsity.
struct DeviceModel {
  std::string_view name;  // "H200"
  int sm = 0;
  std::int64_t sm_count = 0;
  double gigabytes_per_second = 0;                                 // of its memory
  double f16 = 0, tf32 = 0, f8 = 0, i8 = 0, f64_mma = 0, f32 = 0;  // TFLOP/s (i8: TOP/s); f32: of the CUDA cores; 0: has no such unit
};
std::span<const DeviceModel> device_models();
// By name, whatever the case: "h200". Refuses others, and says which are known.
Result<DeviceModel> find_device_model(std::string_view name);
// The rate of multiplying elements of this type, on tensor cores or by threads; nothing where the device has none.
std::optional<double> peak_tflops(const DeviceModel& device, ValueType type, bool tensor_cores);

// How many CTAs of a kernel a multiprocessor holds at once.
struct Occupancy {
  struct Limit {
    std::string_view what;            // "threads", "CTAs", "shared memory", "registers"
    std::int64_t has = 0, a_cta = 0;  // of the multiprocessor; what one CTA takes of it
    std::int64_t ctas = 0;
  };
  std::vector<Limit> limits;
  std::int64_t ctas = 0, warps = 0, most_warps = 0;
  std::int64_t registers_allowed = 0;  // of a thread, so that as many CTAs still fit
};
// threads and smem_bytes: of a CTA; registers: of a thread, 0 where the compiler has not said yet.
// Refuses what no multiprocessor of the architecture can hold.
Result<Occupancy> occupancy(const SmLimits& limits, std::int64_t threads, std::int64_t smem_bytes, std::int64_t registers);

}  // namespace tessera
