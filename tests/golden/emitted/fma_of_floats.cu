// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// fma_of_floats: C = A B^T with 128 x 64 x 16 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 64 threads, 3584 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             2048 elements of f32, 8192 bytes, at a multiple of 8 bytes
//   B             1024 elements of f32, 4096 bytes, at a multiple of 8 bytes
//   C             8192 elements of f32, 32768 bytes, at a multiple of 4 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 64, K = 16;                          // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 2, THREADS = 64;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 3;                  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 2;                  // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;                        // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
template <int BYTES> __device__ void cp_async(unsigned to, const void* from);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
__device__ void mma(float* d, const float* a, const float* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_fma_of_floats(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                   float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float* sA = reinterpret_cast<float*>(smem);  // (BLK_M,BLK_K,STAGES)
  // (BLK_N,BLK_K,STAGES), at the next multiple of 1024 bytes
  float* sB = reinterpret_cast<float*>(smem + 2048);

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,1,2):(1@0,1@1,1@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tAgA = A + m_tile * (BLK_M * LDA) + thr * LDA;          // (vec, copy): (2,1)
  const float* tBgB = B + thr * LDB;                                   // (vec, copy): (2,1)
  float* tDgC = C + m_tile * (BLK_M * LDC) + thr % 8 * LDC + thr / 8;  // (vec, store): (1,64)
  const int tAsA = thr * 2;                                            // (vec, copy): (2,1)
  const int tCsA = thr % 8 * 2;                                        // (val, MMA_M, MMA_K): (1,8,2)
  const int tBsB = thr * 2;                                            // (vec, copy): (2,1)
  const int tCsB = thr / 8 * 2;                                        // (val, MMA_N, MMA_K): (1,8,2)

  // Fragments: registers of this thread.
  float tCrA[16];       // (val, MMA_M, MMA_K): (1,8,2)
  float tCrB[16];       // (val, MMA_N, MMA_K): (1,8,2)
  float tCrC[64] = {};  // (val, MMA_M, MMA_N): (1,8,8)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 4);
    cp_async<8>(sA_write + tAsA * 4, tAgA + k_tile * BLK_K);
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 4);
    cp_async<8>(sB_write + tBsB * 4, tBgB + k_tile * BLK_K);
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      tCrA[m + k * 8] = sA[read * SA_STAGE + tCsA + m * 16 + k];
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      tCrB[n + k * 8] = sB[read * SB_STAGE + tCsB + n * 16 + k];
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m + n * 8], &tCrA[m + k * 8], &tCrB[n + k * 8]);
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
  for (int store = 0; store < 64; ++store) {
    const float tDrD = tCrC[store];
    tDgC[store % 8 * (8 * LDC) + store / 8 * 8] = tDrD;
  }
}

// d += a * b: UniversalFMA<float,float,float,float>
__device__ __forceinline__ void mma(float* d, const float* a, const float* b) {
  d[0] += a[0] * b[0];
}

// fma_of_floats: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_fma_of_floats(const float* A, const float* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 16; ++k) {
    const double product = (double)A[m * 16 + k] * (double)B[n * 16 + k];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_fma_of_floats;
  const auto reference = definition::reference_fma_of_floats;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(2048LL);
  std::vector<float> b(1024LL);
  std::vector<float> c(8192LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 3584), "shared memory");
  kernel<<<2, 64, 3584>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 64 x 1 x 1, 3584 bytes; the definition: 32 of 256
buffers: 2048 f32 of 4 bytes, 1024 f32 of 4 bytes, 8192 f32 of 4 bytes; sums of f32; 262144 operations; sm_80
blas: 128 x 64 x 16, A by rows of 16, B by rows of 16, C by rows of 64
