// SPDX-License-Identifier: BSD-3-Clause
// KernelSources that need no emitter: the plainest GEMM, right or wrong on request, for tests of the runtime alone.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "kernels/codegen/kernel_source.hpp"

namespace tessera::test {

// C = alpha A B^T + beta C with A (m, k), B (n, k) and C (m, n), all row-major; one thread an element.
// `summand` is the body of the k-loop's sum: another one makes a wrong kernel.
inline KernelSource naive_gemm(std::int64_t m, std::int64_t n, std::int64_t k, const std::string& type = "f32", double beta = 0,
                               const std::string& last_k = "K") {
  const bool half = type == "f16";
  const std::string conversions =
      half ? "typedef unsigned short T;\n"
             "static __device__ float load(T x) { float f; asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"(x)); return f; }\n"
             "static __device__ T store(float f) { T h; asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(f)); return h; }\n"
           : "typedef float T;\nstatic __device__ float load(T x) { return x; }\nstatic __device__ T store(float f) { return f; }\n";
  const auto text = [&](const std::string& entry, const std::string& sum_type, const std::string& end, bool spread) {
    return conversions + fmt::format(
                             "extern \"C\" __global__ void {}(const T* A, const T* B, T* C, float alpha, float beta{}) {{\n"
                             "  const int M = {}, N = {}, K = {};\n"
                             "  const int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y;\n"
                             "  if (m >= M || n >= N) return;\n"
                             "  {} sum = 0, least = 0, most = 0;\n"
                             "  for (int k = 0; k < {}; ++k) {{\n"
                             "    sum += ({})load(A[(long long)m * K + k]) * load(B[(long long)n * K + k]);\n"
                             "    least = sum < least ? sum : least, most = sum > most ? sum : most;\n"
                             "  }}\n"
                             "  T* c = C + (long long)m * N + n;\n"
                             "  *c = store((float)(alpha * sum + (beta != 0 ? beta * load(*c) : 0)));\n"
                             "{}}}\n",
                             entry, spread ? ", float* SPREAD" : "", m, n, k, sum_type, end, sum_type,
                             spread ? "  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);\n" : "");
  };
  KernelSource source;
  source.name = fmt::format("naive {} {}x{}x{}", type, m, n, k);
  source.entry = "naive_gemm";
  source.text = text(source.entry, "float", last_k, false);
  source.reference_entry = "naive_reference";
  source.reference_text = text(source.reference_entry, "double", "K", true);
  source.least_sm = 70;
  source.block = source.reference_block = {32, 8, 1};
  source.grid = source.reference_grid = {static_cast<unsigned>((n + 31) / 32), static_cast<unsigned>((m + 7) / 8), 1};
  const std::int64_t bytes = half ? 2 : 4;
  source.a = {type, m * k, bytes};
  source.b = {type, n * k, bytes};
  source.c = {type, m * n, bytes};
  source.beta = beta;
  source.flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  source.blas = {true, "", m, n, k, true, true, true, k, k, n};
  return source;
}

}  // namespace tessera::test
