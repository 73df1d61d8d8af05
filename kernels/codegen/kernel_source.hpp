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
  std::int64_t lda = 0, ldb = 0, ldc = 0;                         // elements
  std::int64_t batch = 1, batch_a = 0, batch_b = 0, batch_c = 0;  // products, and elements from a matrix to the next
  int sign = 1;                                                   // -1: C = -alpha A B^T + beta C, by an atom that negates an operand
};

struct BufferSpec {
  std::string type;  // "f16", "bf16", "tf32", "f32", "f64", "s32"
  std::int64_t elements = 0;
  std::int64_t element_bytes = 0;
  std::int64_t bytes() const { return elements * element_bytes; }
};

// What TMA is told of a matrix in global memory (cuTensorMapEncodeTiled): rows that are contiguous, and the box that one copy moves.
struct TensorMapSpec {
  std::string name;                                                   // "mA"
  int buffer = 0;                                                     // 0, 1, 2: of A, B, C
  std::string type;                                                   // "bf16"
  std::int64_t rows = 0, columns = 0, box_rows = 0, box_columns = 0;  // elements
  std::int64_t pitch_bytes = 0;                                       // from a row to the next
  int swizzle_bytes = 0;                                              // 128, 64, 32; 0: none
  int dimensions = 2;                                                 // 3: of a batch, whose matrices are `batch_bytes` apart
  std::int64_t matrices = 1, batch_bytes = 0;
};

// A number that the entry takes, behind alpha and beta: an int, or where it is wide a long long.
struct ExtentArgument {
  std::string name;  // "M", "LDA"
  std::int64_t value = 0;
  bool is_wide = false;
};

// An atom of which the same GEMM could be made where the kernel's own is not there.
struct OtherAtom {
  int least_sm = 0;
  std::string name, type;  // of A and B: "f16"
};

struct KernelSource {
  // Long, and used by many sources: compiled once.
  KernelSource();
  KernelSource(const KernelSource& other);
  KernelSource(KernelSource&& other) noexcept;
  KernelSource& operator=(const KernelSource& other);
  KernelSource& operator=(KernelSource&& other) noexcept;
  ~KernelSource();

  std::string name;                      // of the GEMM, for people
  std::string entry;                     // extern "C" function: (const A*, const B*, C*, float alpha, float beta, extents ..)
  std::string text;                      // CUDA C++, no includes
  int least_sm = 0;                      // 70, 80, 90 ...
  char arch_suffix = 0;                  // 'a': compile for exactly this architecture
  std::string asks_for_arch;             // who needs them: "atom SM90_64x128x16_F32F16F16_SS<...>"; empty: nobody in particular
  std::vector<OtherAtom> other_atoms{};  // ascending by architecture, for who has another one
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::int64_t smem_bytes = 0;  // dynamic shared memory
  BufferSpec a, b, c;
  std::vector<TensorMapSpec> maps{};  // of A, B, C, where the entry takes them in the place of the pointers
  bool takes_c = false;               // C's pointer, behind the maps: threads store what TMA leaves over
  unsigned cluster = 1;               // CTAs; the text says it too (__cluster_dims__), and the grid is a multiple
  std::string accumulator = "f32";    // type of the sums: the bound of the check follows from it
  double alpha = 1.0, beta = 0.0;
  std::vector<ExtentArgument> extents{};  // with extents=arguments, of both entries; where they stand in the text, none
  double flops = 0;                       // 2 m n k of every product
  std::string plan_text;                  // the plan's lines: what the picture shows, part of the cache key
  // A slow kernel with the same signature that computes the product by its definition in fp64; launched for the check. Behind the arguments
  // of the entry it has one more, float* SPREAD (codegen/emit_reference.hpp).
  std::string reference_entry;
  std::string reference_text;
  std::array<unsigned, 3> reference_grid{1, 1, 1};
  std::array<unsigned, 3> reference_block{1, 1, 1};
  BlasProblem blas;
};

// Of the text without its comments and line ends, as 64 hexadecimal digits: what is compiled, whatever is said beside it.
std::string code_hash(const KernelSource& source);

}  // namespace tessera
