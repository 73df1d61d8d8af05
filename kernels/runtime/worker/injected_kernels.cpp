// SPDX-License-Identifier: BSD-3-Clause
// Two small texts, with the signature of every GEMM kernel.
#include "kernels/runtime/worker/injected_kernels.hpp"

#include <string>
#include <utility>

namespace tessera {
namespace {

KernelSource one_thread(std::string name, std::string entry, std::string text) {
  KernelSource source;
  source.name = std::move(name);
  source.entry = std::move(entry);
  source.text = std::move(text);
  source.reference_entry = "tessera_zero_reference";
  source.reference_text =
      "extern \"C\" __global__ void tessera_zero_reference(const float* A, const float* B, float* C, float alpha, float beta) { C[0] = "
      "0.0f; }\n";
  source.a = source.b = source.c = BufferSpec{"f32", 1, 4};
  source.flops = 2;
  source.blas.reason = "this kernel computes nothing";
  return source;
}

}  // namespace

KernelSource faulting_kernel() {
  return one_thread(
      "injected fault", "tessera_injected_fault",
      "// Writes where no allocation is: the low addresses belong to nobody.\n"
      "extern \"C\" __global__ void tessera_injected_fault(const float* A, const float* B, float* C, float alpha, float beta) {\n"
      "  *reinterpret_cast<volatile float*>(16) = alpha;\n"
      "}\n");
}

KernelSource hanging_kernel() {
  return one_thread(
      "injected hang", "tessera_injected_hang",
      "// Waits for a change that nobody makes. The read is volatile, so the compiler may not see that it never ends.\n"
      "extern \"C\" __global__ void tessera_injected_hang(const float* A, const float* B, float* C, float alpha, float beta) {\n"
      "  volatile float* flag = C;\n"
      "  while (flag[0] != 12345.0f) { }\n"
      "}\n");
}

}  // namespace tessera
