// SPDX-License-Identifier: BSD-3-Clause
// KernelSource: the text of a kernel and everything a launch of it needs, as plain values. Made by emit_gemm, compiled and
// launched by the runtime, which knows nothing else about a GEMM.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

// How cuBLAS would be told about the same product. `expressible` is false where a layout is not a plain row- or column-major
// matrix; `reason` then says which.
struct BlasProblem {
  bool expressible = false;
  std::string reason;
  std::int64_t m = 0, n = 0, k = 0;
  bool a_k_major = true, b_k_major = true, c_row_major = true;
  std::int64_t lda = 0, ldb = 0, ldc = 0;  // elements
};

struct BufferSpec {
  std::string type;  // "f16", "bf16", "tf32", "f32", "f64", "s32"
  std::int64_t elements = 0;
  std::int64_t element_bytes = 0;
  std::int64_t bytes() const { return elements * element_bytes; }
};

struct KernelSource {
  std::string name;      // of the GEMM, for people
  std::string entry;     // extern "C" function: (const A*, const B*, C*, float alpha, float beta)
  std::string text;      // CUDA C++, no includes
  int least_sm = 0;      // 70, 80, 90 ...
  char arch_suffix = 0;  // 'a': compile for exactly this architecture
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::int64_t smem_bytes = 0;  // dynamic shared memory
  BufferSpec a, b, c;
  std::string accumulator = "f32";  // type of the sums: the check's tolerance follows from it
  double alpha = 1.0, beta = 0.0;
  double flops = 0;       // 2 m n k
  std::string plan_text;  // the plan's lines: what the picture shows, part of the cache key
  // A slow kernel with the same signature that computes the product by its definition in fp64; launched for the check.
  std::string reference_entry;
  std::string reference_text;
  std::array<unsigned, 3> reference_grid{1, 1, 1};
  std::array<unsigned, 3> reference_block{1, 1, 1};
  BlasProblem blas;
};

}  // namespace tessera
