// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// one_k_block: C = alpha * A B^T with 256 x 128 x 160 elements (M x N x K). Made from the plan that stands
// here.
//
// Preconditions
//   launch        2 CTAs of 128 threads, 40960 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             40960 elements of f16, 81920 bytes, at a multiple of 16 bytes
//   B             20480 elements of f16, 40960 bytes, at a multiple of 16 bytes
//   C             32768 elements of f32, 131072 bytes, at a multiple of 8 bytes
//   alpha, beta   2 and 0
//
constexpr int M = 256, N = 128, K = 160;                            // elements
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 16, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 5;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 4, MMA_N = 8;             // atoms of a thread in that tile
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
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_one_k_block(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
                 float alpha, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (2,1,1):(1@0,1@1,2@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + m_tile * (BLK_M * LDA) + thr % 2 * 8 + thr / 2 * LDA;  // (vec, copy): (8,2)
  const half_t* tBgB = B + thr % 2 * 8 + thr / 2 * LDB;                           // (vec, copy): (8,2)
  // (vec, store): (2,64)
  float* tDgC = C + m_tile * (BLK_M * LDC) + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC)
      + thr / 64 * 8;
  const int tAsA = swizzle<1,3,3>(thr * 8);  // (vec, copy): (8,2)
  // (val, copy, MMA_K): (8,4,1)
  const int tXsA = swizzle<1,3,3>(thr % 16 * 16 + thr / 16 % 2 * 8 + thr / 32 % 2 * 256);
  const int tBsB = swizzle<1,3,3>(thr * 8);  // (vec, copy): (8,2)
  // (val, copy, MMA_K): (8,4,1)
  const int tXsB = swizzle<1,3,3>(thr % 8 * 16 + thr / 8 % 2 * 8 + thr / 16 % 2 * 256 + thr / 64 * 128);

  // Fragments: registers of this thread.
  unsigned tCrA[16];     // (val, MMA_M, MMA_K): (8,4,1), 2 elements each
  unsigned tCrB[16];     // (val, MMA_N, MMA_K): (4,8,1), 2 elements each
  float tCrC[128] = {};  // (val, MMA_M, MMA_N): (4,4,8)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 1024) * 2, tAgA + k_tile * BLK_K + copy * (64 * LDA));
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 1024) * 2, tBgB + k_tile * BLK_K + copy * (64 * LDB));
    }
  };

  // This thread's fragments of the k-block from shared memory to registers.
  const auto load_fragments = [&]() {
    const unsigned sA_read = smem_address(sA) + read * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrA[copy * 4], sA_read + (tXsA + copy * 512) * 2);
    }
    const unsigned sB_read = smem_address(sB) + read * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrB[copy * 4], sB_read + (tXsB + copy * 512) * 2);
    }
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 16], &tCrA[m * 4], &tCrB[n * 2]);
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
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    cp_async_wait<STAGES - 2>();  // of this thread's copies, those of this tile have arrived
    __syncthreads();  // the tile is there, and nobody reads the last one, whose stage is written next
    load_fragments();
    if (k_tile + STAGES - 1 < K_TILES) copy_tile(k_tile + STAGES - 1);
    cp_async_commit();  // a group a tile, also an empty one, so that waits count tiles
    write = write == STAGES - 1 ? 0 : write + 1;
    multiply();
    read = read == STAGES - 1 ? 0 : read + 1;
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 64; ++store) {
    float tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = alpha * tCrC[j + store * 2];
    }
    float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 4 * (32 * LDC) + store / 8 * 16;
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

// one_k_block: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_one_k_block(const half_t* A, const half_t* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 32768LL) return;
  const long long m = i / 128, n = i % 128;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 160; ++k) {
    const double product = (double)f16_to_float(A[m * 160 + k]) * (double)f16_to_float(B[n * 160 + k]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 128 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_one_k_block;
  const auto reference = definition::reference_one_k_block;
  const float alpha = 2, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(40960LL);
  std::vector<half_t> b(20480LL);
  std::vector<float> c(32768LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 40960), "shared memory");
  kernel<<<2, 128, 40960>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 128 x 1 x 1, 40960 bytes; the definition: 128 of 256
buffers: 40960 f16 of 2 bytes, 20480 f16 of 2 bytes, 32768 f32 of 4 bytes; sums of f32; 10485760 operations; sm_80
blas: 256 x 128 x 160, A by rows of 160, B by rows of 160, C by rows of 128
