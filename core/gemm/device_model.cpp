// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/device_model.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/characters.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kKilo = 1024;
constexpr std::int64_t kWarp = 32;
constexpr std::int64_t kRegisterUnit = 256;  // of a warp, that are given at once
constexpr std::int64_t kWarpUnit = 4;        // a multiprocessor's four parts each have a quarter of the registers
constexpr std::int64_t kSmemUnit = 128;      // bytes

// clang-format off
constexpr std::array kLimits = {
    //       sm  threads CTAs  shared memory   reserved a CTA
    SmLimits{70,  2048,  32,   96 * kKilo,     0},
    SmLimits{75,  1024,  16,   64 * kKilo,     0},
    SmLimits{80,  2048,  32,   164 * kKilo,    kKilo},
    SmLimits{86,  1536,  16,   100 * kKilo,    kKilo},
    SmLimits{87,  1536,  16,   164 * kKilo,    kKilo},
    SmLimits{89,  1536,  24,   100 * kKilo,    kKilo},
    SmLimits{90,  2048,  32,   228 * kKilo,    kKilo},
    SmLimits{100, 2048,  32,   228 * kKilo,    kKilo},
    SmLimits{103, 2048,  32,   228 * kKilo,    kKilo},
    SmLimits{120, 1536,  24,   100 * kKilo,    kKilo},
};
// One GPU of each: of GB200 half a superchip, whose multiprocessors are those that the driver counts.
constexpr std::array kDevices = {
    //          name         sm   SMs   GB/s   f16    tf32   f8     i8     f64    f32
    DeviceModel{"V100",      70,   80,   900,  125,   0,     0,     0,     0,    15.7},
    DeviceModel{"T4",        75,   40,   320,  65,    0,     0,     130,   0,    8.1},
    DeviceModel{"A100-40GB", 80,  108,  1555,  312,   156,   0,     624,   19.5, 19.5},
    DeviceModel{"A100",      80,  108,  2039,  312,   156,   0,     624,   19.5, 19.5},
    DeviceModel{"A30",       80,   56,   933,  165,   82,    0,     330,   10.3, 10.3},
    DeviceModel{"A10",       86,   72,   600,  125,   62.5,  0,     250,   0,    31.2},
    DeviceModel{"RTX3090",   86,   82,   936,  71,    35.6,  0,     284,   0,    35.6},
    DeviceModel{"L4",        89,   58,   300,  121,   60,    242.5, 242.5, 0,    30.3},
    DeviceModel{"L40S",      89,  142,   864,  362,   183,   733,   733,   0,    91.6},
    DeviceModel{"RTX4090",   89,  128,  1008,  165.2, 82.6,  330.3, 660.6, 0,    82.6},
    DeviceModel{"RTX5090",   120, 170, 1792,  209.5, 104.8, 419,   838,   0,    104.8},
    DeviceModel{"H100-PCIe", 90,  114,  2039,  756,   378,   1513,  1513,  51,   51},
    DeviceModel{"H100",      90,  132,  3350,  989.4, 494.7, 1979,  1979,  67,   67},
    DeviceModel{"H200",      90,  132,  4800,  989.4, 494.7, 1979,  1979,  67,   67},
    DeviceModel{"GH200",     90,  132,  4000,  989.4, 494.7, 1979,  1979,  67,   67},
    DeviceModel{"B200",      100, 148,  8000,  2250,  1100,  4500,  4500,  37,   75},
    DeviceModel{"GB200",     100, 152,  8000,  2500,  1250,  5000,  5000,  40,   80},
};
// clang-format on

std::string folded(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != ' ') made += lower(c);
  }
  return made;
}

std::int64_t rounded_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

// Registers that a warp is given for so many of each thread.
std::int64_t of_a_warp(std::int64_t registers) { return rounded_up(registers * kWarp, kRegisterUnit); }

std::int64_t ctas_by_registers(const SmLimits& limits, std::int64_t registers, std::int64_t warps) {
  return limits.registers / of_a_warp(registers) / kWarpUnit * kWarpUnit / warps;
}

}  // namespace

std::optional<SmLimits> sm_limits(int sm) {
  const auto found = std::find_if(kLimits.begin(), kLimits.end(), [&](const SmLimits& each) { return each.sm == sm; });
  return found == kLimits.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::int64_t> smem_bytes_per_block(int sm) {
  constexpr std::int64_t kKiB = 1024;
  switch (sm) {
    case 70:
    case 72: return 96 * kKiB;
    case 75: return 64 * kKiB;
    case 80:
    case 87: return 163 * kKiB;
    case 86:
    case 89:
    case 120:
    case 121: return 99 * kKiB;
    case 90:
    case 100:
    case 101:
    case 103:
    case 110: return 227 * kKiB;
    default: return std::nullopt;
  }
}

std::span<const DeviceModel> device_models() { return kDevices; }

Result<DeviceModel> find_device_model(std::string_view name) {
  std::string known;
  for (const DeviceModel& device : kDevices) {
    if (folded(device.name) == folded(name)) return device;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", device.name);
  }
  return Error{ErrorCode::unknown_name, fmt::format("there are no figures of a device \"{}\"", name), {}, {"known are " + known}};
}

std::optional<double> peak_tflops(const DeviceModel& device, ValueType type, bool tensor_cores) {
  double rate = 0;
  if (!tensor_cores) {
    rate = type == ValueType::f64 ? 0 : device.f32;
  } else if (type == ValueType::f64) {
    rate = device.f64_mma;
  } else if (type == ValueType::f32) {
    rate = device.f32;  // tensor cores multiply tf32
  } else if (type == ValueType::tf32) {
    rate = device.tf32;
  } else if (type == ValueType::i8 || type == ValueType::u8) {
    rate = device.i8;
  } else if (bits(type) == 16) {
    rate = device.f16;
  } else if (bits(type) == 8) {
    rate = device.f8;
  }
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

Result<Occupancy> occupancy(const SmLimits& limits, std::int64_t threads, std::int64_t smem_bytes, std::int64_t registers) {
  const auto refuse = [](std::string what) { return Error{ErrorCode::limit, std::move(what), {}, {}}; };
  if (threads < 1 || threads > kMostThreadsOfACta)
    return refuse(fmt::format("a CTA has 1 to {} threads, not {}", kMostThreadsOfACta, threads));
  if (registers < 0 || registers > kMostRegisters)
    return refuse(fmt::format("a thread has at most {} registers, not {}", kMostRegisters, registers));
  const std::int64_t most_smem = smem_bytes_per_block(limits.sm).value_or(limits.smem_bytes);
  if (smem_bytes < 0 || smem_bytes > most_smem)
    return refuse(fmt::format("a CTA of sm_{} has 0 to {} bytes of shared memory, not {}", limits.sm, most_smem, smem_bytes));
  const std::int64_t warps = (threads + kWarp - 1) / kWarp, smem = rounded_up(smem_bytes, kSmemUnit) + limits.smem_reserved;
  if (registers > 0 && ctas_by_registers(limits, registers, warps) == 0) {
    return refuse(fmt::format("{} threads of {} registers want {}, and a multiprocessor has {}", threads, registers,
                              warps * of_a_warp(registers), limits.registers));
  }
  Occupancy made;
  made.most_warps = limits.threads / kWarp;
  made.limits = {{"threads", limits.threads, warps * kWarp, limits.threads / (warps * kWarp)}, {"CTAs", limits.ctas, 1, limits.ctas}};
  if (smem > 0) made.limits.push_back({"shared memory", limits.smem_bytes, smem, limits.smem_bytes / smem});
  if (registers > 0) {
    made.limits.push_back({"registers", limits.registers, warps * of_a_warp(registers), ctas_by_registers(limits, registers, warps)});
  }
  made.ctas = std::min_element(made.limits.begin(), made.limits.end(), [](const auto& a, const auto& b) { return a.ctas < b.ctas; })->ctas;
  made.warps = made.ctas * warps;
  for (std::int64_t r = kMostRegisters; r > 0 && made.registers_allowed == 0; --r) {
    if (made.ctas > 0 && ctas_by_registers(limits, r, warps) >= made.ctas) made.registers_allowed = r;
  }
  return made;
}

}  // namespace tessera
