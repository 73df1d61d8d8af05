// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// tf32_to_tf32: C = A B^T + C with 128 x 64 x 128 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 128 threads, 16384 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             16384 elements of tf32, 65536 bytes, at a multiple of 16 bytes
//   B             8192 elements of tf32, 32768 bytes, at a multiple of 16 bytes
//   C             8192 elements of tf32, 32768 bytes, at a multiple of 8 bytes
//   alpha, beta   1 and 1
//
constexpr int M = 128, N = 64, K = 128;                           // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 16, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 2;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 2;  // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;        // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
template <int BYTES> __device__ void cp_async(unsigned to, const void* from);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
__device__ float float_to_tf32(float x);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_tf32_to_tf32(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                  float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float* sA = reinterpret_cast<float*>(smem);                          // (BLK_M,BLK_K,STAGES)
  float* sB = reinterpret_cast<float*>(smem + STAGES * SA_STAGE * 4);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,1,2):(1@0,1@1,1@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tAgA = A + m_tile * (BLK_M * LDA) + thr % 4 * 4 + thr / 4 * LDA;  // (vec, copy): (4,2)
  const float* tBgB = B + thr % 4 * 4 + thr / 4 * LDB;                           // (vec, copy): (4,2)
  // (vec, store): (2,16)
  float* tDgC = C + m_tile * (BLK_M * LDC) + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC)
      + thr / 64 * 8;
  const int tAsA = thr * 4;                                          // (vec, copy): (4,2)
  const int tCsA = thr % 4 + thr / 4 % 8 * 16 + thr / 32 % 2 * 256;  // (val, MMA_M, MMA_K): (4,2,2)
  const int tBsB = thr * 4;                                          // (vec, copy): (4,2)
  const int tCsB = thr % 4 + thr / 4 % 8 * 16 + thr / 64 * 128;      // (val, MMA_N, MMA_K): (2,4,2)

  // Fragments: registers of this thread.
  unsigned tCrA[16];    // (val, MMA_M, MMA_K): (4,2,2)
  unsigned tCrB[16];    // (val, MMA_N, MMA_K): (2,4,2)
  float tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 4);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 512) * 4, tAgA + k_tile * BLK_K + copy * (32 * LDA));
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 4);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 512) * 4, tBgB + k_tile * BLK_K + copy * (32 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int load = 0; load < 4; ++load) {
        tCrA[m * 4 + k * 8 + load] =
            __float_as_uint(sA[read * SA_STAGE + tCsA + load % 2 * 128 + load / 2 * 4 + m * 512 + k * 8]);
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      #pragma unroll
      for (int load = 0; load < 2; ++load) {
        tCrB[n * 2 + k * 8 + load] = __float_as_uint(sB[read * SB_STAGE + tCsB + load * 4 + n * 256 + k * 8]);
      }
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 8], &tCrA[m * 4 + k * 8], &tCrB[n * 2 + k * 8]);
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
  for (int store = 0; store < 16; ++store) {
    float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 2 * (32 * LDC) + store / 4 * 16;
    float tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = float_to_tf32(tCrC[j + store * 2] + c[j]);
    }
    *reinterpret_cast<float2*>(c) = make_float2(tDrD[0], tDrD[1]);
  }
}

// d += a * b: SM80_16x8x8_F32TF32TF32F32_TN
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// tf32_to_tf32: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
__device__ float float_to_tf32(float x);
__device__ float double_to_float_odd(double x);

extern "C" __global__ void reference_tf32_to_tf32(const float* A, const float* B, float* C, float alpha,
    float beta, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 128; ++k) {
    const double product = (double)A[m * 128 + k] * (double)B[n * 128 + k];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum + (double)beta * *c;
  *c = float_to_tf32(double_to_float_odd(out));
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_tf32_to_tf32;
  const auto reference = definition::reference_tf32_to_tf32;
  const float alpha = 1, beta = 1;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(16384LL);
  std::vector<float> b(8192LL);
  std::vector<float> c(8192LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 16384), "shared memory");
  kernel<<<2, 128, 16384>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 128 x 1 x 1, 16384 bytes; the definition: 32 of 256
buffers: 16384 tf32 of 4 bytes, 8192 tf32 of 4 bytes, 8192 tf32 of 4 bytes; sums of f32; 2097152 operations; sm_80
blas: 128 x 64 x 128, A by rows of 128, B by rows of 128, C by rows of 64
