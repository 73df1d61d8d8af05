// Build and run: nvcc -std=c++17 -arch=native FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// threads_along_n: C = alpha * A B^T + C with 64 x 64 x 3 elements (M x N x K). Made from the plan that
// stands here.
//
// Preconditions
//   launch        16 CTAs of 256 threads, no shared memory
//   architecture  any
//   A             192 elements of f32, 768 bytes, at a multiple of 4 bytes
//   B             192 elements of f32, 768 bytes, at a multiple of 4 bytes
//   C             4096 elements of f32, 16384 bytes, at a multiple of 4 bytes
//   alpha, beta   2 and 1
//
constexpr int M = 64, N = 64, K = 3;                            // elements
constexpr int BLK_M = 8, BLK_N = 32, BLK_K = 1, THREADS = 256;  // of a CTA
constexpr int K_TILES = K / BLK_K;                              // tiles of K
constexpr int LDA = K, LDB = N, LDC = N;                        // elements from a row (or column) to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ void mma(float* d, const float* a, const float* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_threads_along_n(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                     float alpha, float /*beta*/) {
  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,2,8):(1@0,1@1,1@0)
  const int m_tile = block / 2;
  const int n_tile = block % 2;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tCgA = A + m_tile * (BLK_M * LDA) + thr / 32 * LDA;  // (val, MMA_M, MMA_K): (1,1,1)
  const float* tCgB = B + n_tile * BLK_N + thr % 32;                // (val, MMA_N, MMA_K): (1,1,1)
  // (vec, store): (1,1)
  float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr % 32 + thr / 32 * LDC;

  // Fragments: registers of this thread.
  float tCrA[1];       // (val, MMA_M, MMA_K): (1,1,1)
  float tCrB[1];       // (val, MMA_N, MMA_K): (1,1,1)
  float tCrC[1] = {};  // (val, MMA_M, MMA_N): (1,1,1)

  // This thread's fragments of the k-block of the tile k_tile from global memory to registers.
  const auto load_fragments = [&](int k_tile) {
    tCrA[0] = tCgA[k_tile];
    tCrB[0] = tCgB[k_tile * LDB];
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    mma(&tCrC[0], &tCrA[0], &tCrB[0]);
  };

  // The tiles of K, one after the other.
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    load_fragments(k_tile);
    multiply();
  }

  // Epilogue: from the accumulators to C.
  float* c = tDgC;
  const float tDrD = alpha * tCrC[0] + *c;
  *c = tDrD;
}

// d += a * b: UniversalFMA<float,float,float,float>
__device__ __forceinline__ void mma(float* d, const float* a, const float* b) {
  d[0] += a[0] * b[0];
}

// threads_along_n: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_threads_along_n(const float* A, const float* B, float* C, float alpha,
    float beta, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 4096LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 3; ++k) {
    const double product = (double)A[m * 3 + k] * (double)B[n + k * 64];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum + (double)beta * *c;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_threads_along_n;
  const auto reference = definition::reference_threads_along_n;
  const float alpha = 2, beta = 1;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(192LL);
  std::vector<float> b(192LL);
  std::vector<float> c(4096LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0), "shared memory");
  kernel<<<16, 256, 0>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 16 x 1 x 1 of 256 x 1 x 1, 0 bytes; the definition: 16 of 256
buffers: 192 f32 of 4 bytes, 192 f32 of 4 bytes, 4096 f32 of 4 bytes; sums of f32; 24576 operations; sm_0
blas: 64 x 64 x 3, A by rows of 3, B by columns of 64, C by rows of 64
