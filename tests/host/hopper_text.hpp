// SPDX-License-Identifier: BSD-3-Clause
// Kernels of Hopper's instructions as text: their code with the device functions that it uses, and the tensor maps of their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/codegen/device_functions.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "kernels/codegen/lines.hpp"
#include "tests/host/abi.hpp"
#include "tests/host/kernel_library.hpp"
#include "tests/host/tensor_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_names.hpp"

namespace tessera::support {

// d (64,n) of f32 += a (64,16) b (n,16)^T of bf16, or = where `adds` is 0; a and b K-major or, where they are transposed, MN-major.
inline std::string wgmma_text(int n, bool transposes_a = false, bool transposes_b = false) {
  std::string registers, bound;
  for (int i = 0; i < n / 2; ++i) {
    registers += fmt::format("{}%{}", i ? ", " : "", i);
    bound += fmt::format("{}\"+f\"(d[{}])", i ? ", " : "", i);
  }
  return fmt::format(
      "__device__ __forceinline__ void wgmma(float* d, unsigned long long a, unsigned long long b, int adds) {{\n"
      "  asm volatile(\"{{ .reg .pred p; setp.ne.b32 p, %{2}, 0; wgmma.mma_async.sync.aligned.m64n{0}k16.f32.bf16.bf16 \"\n"
      "               \"{{{3}}}, %{1}, %{5}, p, 1, 1, {6}, {7}; }}\"\n               : {4}\n               : \"l\"(a), \"l\"(b), "
      "\"r\"(adds));\n}}\n",
      n, n / 2, n / 2 + 2, registers, bound, n / 2 + 1, int{transposes_a}, int{transposes_b});
}

// `n`: of the wgmma that it has; 0: none
inline KernelSource hopper_text(const std::string& entry, const std::string& code, int n = 0, bool transposes_a = false,
                                bool transposes_b = false) {
  emitting::Needs needs;
  std::set<std::string> names = all_device_names();
  names.insert("TensorMap");
  for (const std::string& name : names) {
    if (emitting::has_word(code, name)) needs(name);
  }
  const emitting::DeviceFunctions functions = emitting::device_functions(needs, nullptr);
  KernelSource source;
  source.entry = entry, source.reference_entry = "none";
  source.text = "typedef unsigned short bf16_t;\n" + functions.types + functions.declarations +
                (n > 0 ? wgmma_text(n, transposes_a, transposes_b) : "") + code + "\n" + functions.definitions;
  source.reference_text = "extern \"C\" __global__ void none(const int*, const int*, int*, float, float) {\n}\n";
  return source;
}

// A text with one thing exchanged, the n-th time it stands there; it was there.
inline std::string exchanged(std::string text, const std::string& from, const std::string& to, int n = 1) {
  std::size_t at = text.find(from);
  for (int i = 1; i < n && at != std::string::npos; ++i) at = text.find(from, at + 1);
  if (at == std::string::npos) FAIL(from << " does not stand there " << n << " times");
  return text.replace(at, from.size(), to);
}

inline HostTensorMap bf16_map(std::span<std::byte> memory, std::int64_t rows, std::int64_t columns, std::int64_t pitch,
                              std::int64_t box_rows, std::int64_t box_columns, int swizzle_bytes) {
  plan::Tensor tensor;
  tensor.name = "g", tensor.type = ValueType::bf16, tensor.elements = (rows - 1) * pitch + columns;
  tensor.layout = Layout::make(IntTuple::tuple({rows, columns}), IntTuple::tuple({pitch, 1})).value();
  const auto map = host::tensor_map({"m", 0, box_rows, box_columns, swizzle_bytes}, tensor, memory);
  if (!map) FAIL(describe(map.error()));
  return *map;
}

}  // namespace tessera::support
