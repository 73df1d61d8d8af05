// SPDX-License-Identifier: BSD-3-Clause
// Numbers as the bytes of a kernel's buffer, and back.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/gemm/run/numerics.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera::support {

template <class T>
std::vector<std::byte> bytes_as(const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

inline std::vector<std::byte> bf16_bytes(const std::vector<double>& values) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    const float single = static_cast<float>(value);
    const auto* upper = reinterpret_cast<const std::byte*>(&single) + 2;
    bytes.insert(bytes.end(), upper, upper + 2);
  }
  return bytes;
}

inline std::vector<double> bf16_values(const std::vector<std::byte>& bytes) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    float single = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&single) + 2, bytes.data() + i, 2);
    values.push_back(static_cast<double>(single));
  }
  return values;
}

template <class T>
std::vector<double> values_of(const std::vector<std::byte>& bytes) {
  std::vector<double> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

inline std::vector<std::byte> bytes_of(std::vector<double> values, const BufferSpec& buffer) {
  for (double& value : values) value = round_to(value_type(buffer.type).value(), value);
  if (buffer.type == "f16") return bytes_as<_Float16>(values);
  if (buffer.type == "bf16") return bf16_bytes(values);
  if (buffer.type == "f64") return bytes_as<double>(values);
  if (buffer.type == "s32") return bytes_as<std::int32_t>(values);
  if (buffer.type == "s8") return bytes_as<std::int8_t>(values);
  if (buffer.type == "u8") return bytes_as<std::uint8_t>(values);
  if (buffer.type == "e4m3" || buffer.type == "e5m2") {
    std::vector<std::byte> bytes;
    for (const double value : values) bytes.push_back(std::byte{float8_bits(value_type(buffer.type).value(), value)});
    return bytes;
  }
  assert(buffer.type == "f32" || buffer.type == "tf32");
  return bytes_as<float>(values);
}

inline std::vector<double> values_in(const std::vector<std::byte>& bytes, const BufferSpec& buffer) {
  if (buffer.type == "f16") return values_of<_Float16>(bytes);
  if (buffer.type == "bf16") return bf16_values(bytes);
  if (buffer.type == "f64") return values_of<double>(bytes);
  if (buffer.type == "s32") return values_of<std::int32_t>(bytes);
  if (buffer.type == "s8") return values_of<std::int8_t>(bytes);
  if (buffer.type == "u8") return values_of<std::uint8_t>(bytes);
  return values_of<float>(bytes);
}

}  // namespace tessera::support
