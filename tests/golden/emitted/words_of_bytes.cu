// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// words_of_bytes: C = A B^T with 128 x 256 x 64 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        1 CTA of 256 threads, 49152 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             8192 elements of f16, 16384 bytes, at a multiple of 16 bytes
//   B             16384 elements of f16, 32768 bytes, at a multiple of 16 bytes
//   C             32768 elements of s8, 32768 bytes, at a multiple of 4 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 256, K = 64;                             // elements
constexpr int BLK_M = 128, BLK_N = 256, BLK_K = 32, THREADS = 256;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 2;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 4, MMA_N = 8, MMA_K = 2;  // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;        // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
template <int BYTES> __device__ void cp_async(unsigned to, const void* from);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
__device__ void ldmatrix_x4(unsigned* r, unsigned row);
template <int B, int M, int S> __device__ int swizzle(int offset);
__device__ unsigned pack8(unsigned char b0, unsigned char b1, unsigned char b2, unsigned char b3);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_words_of_bytes(const half_t* __restrict__ A, const half_t* __restrict__ B, signed char* __restrict__ C,
                    float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + thr % 4 * 8 + thr / 4 * LDA;  // (vec, copy): (8,2)
  const half_t* tBgB = B + thr % 4 * 8 + thr / 4 * LDB;  // (vec, copy): (8,4)
  // (vec, store): (4,32)
  signed char* tDgC = C + thr % 4 * 4 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC) + thr / 64 * 16;
  const int tAsA = swizzle<2,3,3>(thr * 8);  // (vec, copy): (8,2)
  int tXsA[MMA_K];  // (val, copy, MMA_K): (8,4,2); one for each k, which the swizzle mixes in
  #pragma unroll
  for (int k = 0; k < MMA_K; ++k) {
    tXsA[k] = swizzle<2,3,3>(thr % 16 * 32 + thr / 16 % 2 * 8 + thr / 32 % 2 * 512 + k * 16);
  }
  // (vec, copy): (8,4)
  const int tBsB = swizzle<2,3,3>(thr % 8 * 8 + thr / 8 % 2 * 256 + thr / 16 % 4 * 64 + thr / 64 * 512);
  int tXsB[MMA_K];  // (val, copy, MMA_K): (8,4,2); one for each k, which the swizzle mixes in
  #pragma unroll
  for (int k = 0; k < MMA_K; ++k) {
    tXsB[k] = swizzle<2,3,3>(thr % 8 * 32 + thr / 8 % 2 * 8 + thr / 16 % 2 * 256 + thr / 64 * 512 + k * 16);
  }

  // Fragments: registers of this thread.
  unsigned tCrA[32];     // (val, MMA_M, MMA_K): (8,4,2), 2 elements each
  unsigned tCrB[32];     // (val, MMA_N, MMA_K): (4,8,2), 2 elements each
  float tCrC[128] = {};  // (val, MMA_M, MMA_N): (4,4,8)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 2048) * 2, tAgA + k_tile * BLK_K + copy * (64 * LDA));
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 2048) * 2, tBgB + k_tile * BLK_K + copy * (64 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    const unsigned sA_read = smem_address(sA) + read * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrA[copy * 4 + k * 16], sA_read + (tXsA[k] + copy * 1024) * 2);
    }
    const unsigned sB_read = smem_address(sB) + read * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrB[copy * 4 + k * 16], sB_read + (tXsB[k] + copy * 2048) * 2);
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 16], &tCrA[m * 4 + k * 16], &tCrB[n * 2 + k * 16]);
      }
    }
  };

  // Pipeline: a tile of K is multiplied while later ones are copied.
  copy_tile(0);
  cp_async_commit();  // a group a tile, also an empty one, so that waits count tiles
  write = write == STAGES - 1 ? 0 : write + 1;
  cp_async_wait<STAGES - 2>();  // of this thread's copies, those of the first tile have arrived
  __syncthreads();              // the first tile is there
  load_fragments(0);
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    #pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
      if (k + 1 < MMA_K) {
        load_fragments(k + 1);
      } else {
        cp_async_wait<STAGES - 2>();  // of this thread's copies, those of the next tile have arrived
        __syncthreads();              // the next tile is there, and nobody reads this one
        if (k_tile + 1 < K_TILES) read = read == STAGES - 1 ? 0 : read + 1;
        load_fragments(0);  // of the next tile; in the last turn of this one again, and unused
      }
      if (k == 0) {
        // into the stage of the tile before this one, which nobody reads any more
        if (k_tile + STAGES - 1 < K_TILES) copy_tile(k_tile + STAGES - 1);
        cp_async_commit();  // a group a tile, also an empty one, so that waits count tiles
        write = write == STAGES - 1 ? 0 : write + 1;
      }
      multiply(k);
    }
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 32; ++store) {
    signed char tDrD[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      tDrD[j] = (signed char)max(-128, min(127, __double2int_rn((double)tCrC[j % 2 + j / 2 * 16
          + store % 8 * 2 + store / 8 * 32])));
    }
    signed char* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 4 * (32 * LDC) + store / 8 * 64;
    *reinterpret_cast<unsigned*>(c) = pack8(tDrD[0], tDrD[1], tDrD[2], tDrD[3]);
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

// words_of_bytes: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_words_of_bytes(const half_t* A, const half_t* B, signed char* C,
    float alpha, float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 32768LL) return;
  const long long m = i / 256, n = i % 256;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 64; ++k) {
    const double product = (double)f16_to_float(A[m * 64 + k]) * (double)f16_to_float(B[n * 64 + k]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  signed char* c = C + m * 256 + n;
  const double out = alpha * sum;
  *c = (signed char)max(-128, min(127, __double2int_rn(out)));
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_words_of_bytes;
  const auto reference = definition::reference_words_of_bytes;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(8192LL);
  std::vector<half_t> b(16384LL);
  std::vector<signed char> c(32768LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (signed char)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  signed char* const C = to_device(c);
  signed char* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152), "shared memory");
  kernel<<<1, 256, 49152>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 1 x 1 x 1 of 256 x 1 x 1, 49152 bytes; the definition: 128 of 256
buffers: 8192 f16 of 2 bytes, 16384 f16 of 2 bytes, 32768 s8 of 1 bytes; sums of f32; 4194304 operations; sm_80
blas: 128 x 256 x 64, A by rows of 64, B by rows of 64, C by rows of 256
