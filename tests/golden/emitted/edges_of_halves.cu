// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// edges_of_halves: C = A B^T with 1000 x 1001 x 1003 elements (M x N x K). Made from the plan that stands
// here.
//
// Preconditions
//   launch        32 CTAs of 256 threads, 147456 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             1007995 elements of f16, 2015990 bytes, at a multiple of 16 bytes
//   B             1011017 elements of f16, 2022034 bytes, at a multiple of 16 bytes
//   C             1007993 elements of f32, 4031972 bytes, at a multiple of 4 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 1000, N = 1001, K = 1003;                         // elements
constexpr int BLK_M = 128, BLK_N = 256, BLK_K = 64, THREADS = 256;  // of a CTA
constexpr int K_TILES = (K + BLK_K - 1) / BLK_K, STAGES = 3;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 4, MMA_N = 8, MMA_K = 4;                // atoms of a thread in that tile
constexpr int LDA = 1008, LDB = 1008, LDC = 1008;             // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
template <int BYTES> __device__ void cp_async_first(unsigned to, const void* from, int bytes);
__device__ void ldmatrix_x4(unsigned* r, unsigned row);
__device__ void ldmatrix_x4_trans(unsigned* r, unsigned row);
template <int B, int M, int S> __device__ int swizzle(int offset);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_edges_of_halves(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
                     float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;
  // Tiles of M in groups of 8, each with all tiles of N: CTAs that run together share operands in L2.
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (8,4,1):(1@0,1@1,8@0)
  const int m_tile = block % 8;
  const int n_tile = block / 8;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + m_tile * (BLK_M * LDA) + thr / 8 * LDA + thr % 8 * 8;  // (vec, copy): (8,4)
  const int tAcA_m = m_tile * BLK_M + thr / 8;                                    // tAcA -> m
  const int tAcA_k = thr % 8 * 8;                                                 // tAcA -> k in the tile
  unsigned tApA = 0;  // bit copy: is its m inside?
  #pragma unroll
  for (int copy = 0; copy < 4; ++copy) tApA |= (tAcA_m + copy * 32 < M ? 1U : 0U) << copy;
  const half_t* tBgB = B + n_tile * BLK_N + thr / 32 * LDB + thr % 32 * 8;  // (vec, copy): (8,8)
  const int tBcB_n = n_tile * BLK_N + thr % 32 * 8;                         // tBcB -> n
  const int tBcB_k = thr / 32;                                              // tBcB -> k in the tile
  const bool tBpB = tBcB_n < N;
  // (vec, store): (1,128)
  float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr / 4 % 8 * LDC + thr / 128 * (16 * LDC)
      + thr % 4 * 2 + thr / 32 % 4 * 8;
  const int tDcC_m = m_tile * BLK_M + thr / 4 % 8 + thr / 128 * 16;    // tDcC -> m
  const int tDcC_n = n_tile * BLK_N + thr % 4 * 2 + thr / 32 % 4 * 8;  // tDcC -> n
  const int tAsA = swizzle<3,3,3>(thr * 8);                            // (vec, copy): (8,4)
  int tXsA[MMA_K];  // (val, copy, MMA_K): (8,4,4); one for each k, which the swizzle mixes in
  #pragma unroll
  for (int k = 0; k < MMA_K; ++k) {
    tXsA[k] = swizzle<3,3,3>(thr % 16 * 64 + thr / 16 % 2 * 8 + thr / 128 * 1024 + k * 16);
  }
  const int tBsB = swizzle<3,3,3>(thr % 8 * 8 + thr / 8 % 4 * 4096 + thr / 32 * 64);  // (vec, copy): (8,8)
  // (val, copy, MMA_K): (8,4,4)
  const int tXsB = swizzle<3,3,3>(thr % 16 * 64 + thr / 16 % 2 * 32 + thr / 32 % 4 * 8);

  // Fragments: registers of this thread.
  unsigned tCrA[64];     // (val, MMA_M, MMA_K): (8,4,4), 2 elements each
  unsigned tCrB[64];     // (val, MMA_N, MMA_K): (4,8,4), 2 elements each
  float tCrC[128] = {};  // (val, MMA_M, MMA_N): (4,4,8)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const int kA = k_tile * BLK_K + tAcA_k;
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      cp_async_first<16>(sA_write + (tAsA + copy * 2048) * 2, tAgA + k_tile * BLK_K + copy * (32 * LDA),
          (tApA >> copy & 1) && kA < K ? min(K - kA, 8) * 2 : 0);
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 8; ++copy) {
      const int kB = k_tile * BLK_K + tBcB_k + copy * 8;
      cp_async_first<16>(sB_write + (tBsB + copy * 512) * 2, tBgB + k_tile * (BLK_K * LDB) + copy * (8 * LDB),
          tBpB && kB < K ? min(N - tBcB_n, 8) * 2 : 0);
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    const unsigned sA_read = smem_address(sA) + read * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrA[copy * 4 + k * 16], sA_read + (tXsA[k] + copy * 2048) * 2);
    }
    const unsigned sB_read = smem_address(sB) + read * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4_trans(&tCrB[copy * 4 + k * 16], sB_read + (tXsB + copy * 4096 + k * 1024) * 2);
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
  #pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    copy_tile(stage);
    cp_async_commit();  // a group a tile, also an empty one, so that waits count tiles
    write = write == STAGES - 1 ? 0 : write + 1;
  }
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
  for (int store = 0; store < 128; ++store) {
    if (tDcC_m + store / 2 % 2 * 8 + store / 4 % 4 * 32 < M && tDcC_n + store % 2 + store / 16 * 32 < N) {
      const float tDrD = tCrC[store];
      tDgC[store / 2 % 2 * (8 * LDC) + store / 4 % 4 * (32 * LDC) + store % 2 + store / 16 * 32] = tDrD;
    }
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

// edges_of_halves: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_edges_of_halves(const half_t* A, const half_t* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 1001000LL) return;
  const long long m = i / 1001, n = i % 1001;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 1003; ++k) {
    const double product = (double)f16_to_float(A[m * 1008 + k]) * (double)f16_to_float(B[n + k * 1008]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 1008 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_edges_of_halves;
  const auto reference = definition::reference_edges_of_halves;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(1007995LL);
  std::vector<half_t> b(1011017LL);
  std::vector<float> c(1007993LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 147456), "shared memory");
  kernel<<<32, 256, 147456>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 32 x 1 x 1 of 256 x 1 x 1, 147456 bytes; the definition: 3911 of 256
buffers: 1007995 f16 of 2 bytes, 1011017 f16 of 2 bytes, 1007993 f32 of 4 bytes; sums of f32; 2008006000 operations; sm_80
blas: 1000 x 1001 x 1003, A by rows of 1008, B by columns of 1008, C by rows of 1008
