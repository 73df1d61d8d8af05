// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// halves_from_gmem: C = A B^T with 128 x 64 x 96 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 128 threads, no shared memory
//   architecture  sm_80 or later
//   A             12288 elements of f16, 24576 bytes, at a multiple of 2 bytes
//   B             6144 elements of f16, 12288 bytes, at a multiple of 2 bytes
//   C             8192 elements of f32, 32768 bytes, at a multiple of 8 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 64, K = 96;                            // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K;                                // tiles of K
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 2;                    // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;  // elements from a row (or column) to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned pack16(unsigned short low, unsigned short high);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_halves_from_gmem(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
                      float /*alpha*/, float /*beta*/) {
  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (2,1,1):(1@0,1@1,2@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  // (val, MMA_M, MMA_K): (8,2,2)
  const half_t* tCgA =
      A + m_tile * (BLK_M * LDA) + thr % 4 * 2 + thr / 4 % 8 * LDA + thr / 32 % 2 * (16 * LDA);
  // (val, MMA_N, MMA_K): (4,4,2)
  const half_t* tCgB = B + thr % 4 * 2 + thr / 4 % 8 * LDB + thr / 64 * (8 * LDB);
  // (vec, store): (2,16)
  float* tDgC = C + m_tile * (BLK_M * LDC) + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC)
      + thr / 64 * 8;

  // Fragments: registers of this thread.
  unsigned tCrA[8];     // (val, MMA_M, MMA_K): (8,2,2), 2 elements each
  unsigned tCrB[8];     // (val, MMA_N, MMA_K): (4,4,2), 2 elements each
  float tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

  // This thread's fragments of the k-block k of the tile k_tile from global memory to registers.
  const auto load_fragments = [&](int k_tile, int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int word = 0; word < 4; ++word) {
        const half_t* fromA =
            tCgA + k_tile * BLK_K + m * (32 * LDA) + k * 16 + word % 2 * (8 * LDA) + word / 2 * 8;
        tCrA[m * 4 + word] = pack16(fromA[0], fromA[1]);
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      #pragma unroll
      for (int word = 0; word < 2; ++word) {
        const half_t* fromB = tCgB + k_tile * BLK_K + n * (16 * LDB) + k * 16 + word * 8;
        tCrB[n * 2 + word] = pack16(fromB[0], fromB[1]);
      }
    }
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 8], &tCrA[m * 4], &tCrB[n * 2]);
      }
    }
  };

  // The tiles of K, one after the other.
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    for (int k = 0; k < MMA_K; ++k) {
      load_fragments(k_tile, k);
      multiply();
    }
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 16; ++store) {
    float tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = tCrC[j + store * 2];
    }
    float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 2 * (32 * LDC) + store / 4 * 16;
    *reinterpret_cast<float2*>(c) = make_float2(tDrD[0], tDrD[1]);
  }
}

// d += a * b: SM80_16x8x16_F32F16F16F32_TN
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// halves_from_gmem: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_halves_from_gmem(const half_t* A, const half_t* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 96; ++k) {
    const double product = (double)f16_to_float(A[m * 96 + k]) * (double)f16_to_float(B[n * 96 + k]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_halves_from_gmem;
  const auto reference = definition::reference_halves_from_gmem;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(12288LL);
  std::vector<half_t> b(6144LL);
  std::vector<float> c(8192LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0), "shared memory");
  kernel<<<2, 128, 0>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 128 x 1 x 1, 0 bytes; the definition: 32 of 256
buffers: 12288 f16 of 2 bytes, 6144 f16 of 2 bytes, 8192 f32 of 4 bytes; sums of f32; 1572864 operations; sm_80
blas: 128 x 64 x 96, A by rows of 96, B by rows of 96, C by rows of 64
