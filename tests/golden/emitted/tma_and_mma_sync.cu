// Build and run: nvcc -std=c++17 -arch=sm_90 FILE.cu -lcuda && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cstring>
#include <cuda.h>
#include <cuda_fp16.h>

// tma_and_mma_sync: C = alpha * A B^T + beta * C with 128 x 192 x 192 elements (M x N x K). Made from the
// plan that stands here.
//
// Preconditions
//   launch        6 CTAs of 160 threads, 49200 bytes of dynamic shared memory each
//   architecture  sm_90 or later
//   mA            24576 elements of f16 in rows of 384 bytes, at a multiple of 16 bytes; boxes of 64 x 64,
//     swizzled by 128 bytes
//   mB            36864 elements of f16 in rows of 384 bytes, at a multiple of 16 bytes; boxes of 64 x 64,
//     swizzled by 128 bytes
//   C             24576 elements of f32, 98304 bytes, at a multiple of 8 bytes
//   alpha, beta   0.5 and 2
//
constexpr int M = 128, N = 192, K = 192;                          // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64, THREADS = 160;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 3;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 4;  // atoms of a thread in that tile
constexpr int LDC = N;                          // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
constexpr int STAGE_BYTES = (SA_STAGE + SB_STAGE) * 2;             // bytes of a stage of A and one of B
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
__device__ void mbarrier_init(unsigned barrier, int arrivals);
__device__ void fence_mbarrier_init();
__device__ void mbarrier_expect(unsigned barrier, int bytes);
__device__ void mbarrier_arrive(unsigned barrier);
__device__ void mbarrier_wait(unsigned barrier, int phase);
__device__ void tma_load(unsigned to, const TensorMap* map, int column, int row, unsigned barrier);
__device__ void ldmatrix_x4(unsigned* r, unsigned row);
template <int B, int M, int S> __device__ int swizzle(int offset);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS, 1)
gemm_tma_and_mma_sync(const __grid_constant__ TensorMap mA, const __grid_constant__ TensorMap mB,
    float* __restrict__ C, float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)
  // an mbarrier a stage: a phase ends with 1 arrival and STAGE_BYTES
  const unsigned full = smem_address(smem) + STAGES * STAGE_BYTES;
  // an mbarrier a stage: a phase ends with 128 arrivals
  const unsigned empty = smem_address(smem) + STAGES * STAGE_BYTES + 8 * STAGES;

  const int thr = threadIdx.x;
  // Tiles of M in groups of 2, each with all tiles of N: CTAs that run together share operands in L2.
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (2,3,1):(1@0,1@1,2@0)
  const int m_tile = block % 2;
  const int n_tile = block / 2;

  if (thr == 0) {
    #pragma unroll
    for (int stage = 0; stage < STAGES; ++stage) {
      mbarrier_init(full + 8 * stage, 1);
      mbarrier_init(empty + 8 * stage, 128);
    }
    fence_mbarrier_init();  // barriers are initialised before anybody arrives
  }
  __syncthreads();  // the barriers are initialised

  const int warp = __shfl_sync(0xffffffff, thr / 32, 0);  // which all threads of the warp know
  if (warp < 4) {                                         // consumer
    // Partitions: where this thread begins, and the extents that its loops walk.
    // (vec, store): (2,16)
    float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr % 4 * 2 + thr / 4 % 8 * LDC
        + thr / 32 % 2 * (16 * LDC) + thr / 64 * 8;
    int tXsA[MMA_K];  // (val, copy, MMA_K): (8,2,4); one for each k, which the swizzle mixes in
    #pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
      tXsA[k] = swizzle<3,3,3>(thr % 16 * 64 + thr / 16 % 2 * 8 + thr / 32 % 2 * 1024 + k * 16);
    }
    int tXsB[MMA_K];  // (val, copy, MMA_K): (8,2,4); one for each k, which the swizzle mixes in
    #pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
      tXsB[k] =
          swizzle<3,3,3>(thr % 8 * 64 + thr / 8 % 2 * 8 + thr / 16 % 2 * 1024 + thr / 64 * 512 + k * 16);
    }

    // Fragments: registers of this thread.
    unsigned tCrA[8];     // (val, MMA_M, MMA_K): (8,2,4), 2 elements each
    unsigned tCrB[8];     // (val, MMA_N, MMA_K): (4,4,4), 2 elements each
    float tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

    int read = 0, read_phase = 0;  // a stage, and which of its two phases

    // This thread's fragments of the k-block k from shared memory to registers.
    const auto load_fragments = [&](int k) {
      const unsigned sA_read = smem_address(sA) + read * (SA_STAGE * 2);
      #pragma unroll
      for (int copy = 0; copy < 2; ++copy) {
        ldmatrix_x4(&tCrA[copy * 4], sA_read + (tXsA[k] + copy * 2048) * 2);
      }
      const unsigned sB_read = smem_address(sB) + read * (SB_STAGE * 2);
      #pragma unroll
      for (int copy = 0; copy < 2; ++copy) {
        ldmatrix_x4(&tCrB[copy * 4], sB_read + (tXsB[k] + copy * 2048) * 2);
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

    // Pipeline: the tiles of K, one after the other.
    for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
      mbarrier_wait(full + 8 * read, read_phase);  // the tile is there
      for (int k = 0; k < MMA_K; ++k) {
        load_fragments(k);
        multiply();
      }
      mbarrier_arrive(empty + 8 * read);  // the tile is no longer needed
      read_phase ^= read == STAGES - 1 ? 1 : 0;
      read = read == STAGES - 1 ? 0 : read + 1;
    }

    // Epilogue: from the accumulators to C.
    #pragma unroll
    for (int store = 0; store < 16; ++store) {
      float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 2 * (32 * LDC) + store / 4 * 16;
      float tDrD[2];
      #pragma unroll
      for (int j = 0; j < 2; ++j) {
        tDrD[j] = alpha * tCrC[j + store * 2] + beta * c[j];
      }
      *reinterpret_cast<float2*>(c) = make_float2(tDrD[0], tDrD[1]);
    }
  } else {  // producer
    int write = 0, write_phase = 0;  // a stage, and which of its two phases

    // The tile k_tile of A and B from global to shared memory.
    const auto copy_tile = [&](int k_tile) {
      tma_load(smem_address(sA) + write * (SA_STAGE * 2), &mA, k_tile * BLK_K, m_tile * BLK_M, full
          + 8 * write);
      tma_load(smem_address(sB) + write * (SB_STAGE * 2), &mB, k_tile * BLK_K, n_tile * BLK_N, full
          + 8 * write);
    };

    if (thr == 128) {
      for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
        mbarrier_wait(empty + 8 * write, write_phase ^ 1);  // everybody has released the stage
        mbarrier_expect(full + 8 * write, STAGE_BYTES);     // the stage's bytes are announced
        copy_tile(k_tile);
        write_phase ^= write == STAGES - 1 ? 1 : 0;
        write = write == STAGES - 1 ? 0 : write + 1;
      }
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

// tma_and_mma_sync: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_tma_and_mma_sync(const half_t* A, const half_t* B, float* C, float alpha,
    float beta, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 24576LL) return;
  const long long m = i / 192, n = i % 192;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 192; ++k) {
    const double product = (double)f16_to_float(A[m * 192 + k]) * (double)f16_to_float(B[n * 192 + k]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 192 + n;
  const double out = alpha * sum + (double)beta * *c;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_tma_and_mma_sync;
  const auto reference = definition::reference_tma_and_mma_sync;
  const float alpha = 2, beta = -1;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<unsigned short> a(24576LL);
  std::vector<unsigned short> b(36864LL);
  std::vector<float> c(24576LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  unsigned short* const A = to_device(a);
  unsigned short* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 49200), "shared memory");
  kernel<<<6, 160, 49200>>>(
      tensor_map(A, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 128, 192, 384, 64, 64),
      tensor_map(B, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 192, 192, 384, 64, 64), C, alpha, beta);
  check(cudaGetLastError()

launch: 6 x 1 x 1 of 160 x 1 x 1, 49200 bytes; the definition: 96 of 256
buffers: 24576 f16 of 2 bytes, 36864 f16 of 2 bytes, 24576 f32 of 4 bytes; sums of f32; 9437184 operations; sm_90
mA: operand 0 of f16, 128 x 192, a row each 384 bytes, boxes of 64 x 64 under a swizzle of 128 bytes
mB: operand 1 of f16, 192 x 192, a row each 384 bytes, boxes of 64 x 64 under a swizzle of 128 bytes
blas: 128 x 192 x 192, A by rows of 192, B by rows of 192, C by rows of 192
