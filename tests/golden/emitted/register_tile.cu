// Build and run: nvcc -std=c++17 -arch=native FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// register_tile: C = A B^T with 128 x 64 x 24 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 64 threads, 5120 bytes of dynamic shared memory each
//   architecture  any
//   A             3072 elements of f32, 12288 bytes, at a multiple of 4 bytes
//   B             1536 elements of f32, 6144 bytes, at a multiple of 16 bytes
//   C             8192 elements of f32, 32768 bytes, at a multiple of 16 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 64, K = 24;                          // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 8, THREADS = 64;  // of a CTA
constexpr int K_TILES = K / BLK_K;                              // tiles of K
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 8;                  // atoms of a thread in that tile
constexpr int LDA = K, LDB = N, LDC = N;                        // elements from a row (or column) to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ void mma(float* d, const float* a, const float* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_register_tile(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                   float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float* sA = reinterpret_cast<float*>(smem);         // (BLK_M,BLK_K)
  float* sB = reinterpret_cast<float*>(smem + 3072);  // (BLK_N,BLK_K), at the next multiple of 1024 bytes

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,1,2):(1@0,1@1,1@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tAgA = A + m_tile * (BLK_M * LDA) + thr % 8 + thr / 8 * LDA;      // (vec, copy): (1,8)
  const float* tBgB = B + thr * 4;                                               // (vec, copy): (4,2)
  float* tDgC = C + m_tile * (BLK_M * LDC) + thr % 8 * 4 + thr / 8 * (4 * LDC);  // (vec, store): (4,16)
  const int tAsA = thr % 8 * 68 + thr / 8;                                       // (vec, copy): (1,8)
  const int tXsA = thr / 8 * 4;  // (vec, copy, MMA_K): (4,2,8)
  const int tBsB = thr * 4;      // (vec, copy): (4,2)
  const int tXsB = thr % 8 * 4;  // (vec, copy, MMA_K): (4,2,8)

  // Fragments: registers of this thread.
  float tCrA[8];        // (val, MMA_M, MMA_K): (1,8,8)
  float tCrB[8];        // (val, MMA_N, MMA_K): (1,8,8)
  float tCrC[64] = {};  // (val, MMA_M, MMA_N): (1,8,8)

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    #pragma unroll
    for (int copy = 0; copy < 8; ++copy) {
      sA[tAsA + copy * 8] = tAgA[k_tile * BLK_K + copy * (8 * LDA)];
    }
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      *reinterpret_cast<uint4*>(sB + tBsB + copy * 256) =
          *reinterpret_cast<const uint4*>(tBgB + k_tile * (BLK_K * LDB) + copy * (4 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      const float4 wordsA = *reinterpret_cast<const float4*>(sA + tXsA + copy * 32 + k * 68);
      tCrA[copy * 4] = wordsA.x;
      tCrA[copy * 4 + 1] = wordsA.y;
      tCrA[copy * 4 + 2] = wordsA.z;
      tCrA[copy * 4 + 3] = wordsA.w;
    }
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      const float4 wordsB = *reinterpret_cast<const float4*>(sB + tXsB + copy * 32 + k * 64);
      tCrB[copy * 4] = wordsB.x;
      tCrB[copy * 4 + 1] = wordsB.y;
      tCrB[copy * 4 + 2] = wordsB.z;
      tCrB[copy * 4 + 3] = wordsB.w;
    }
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m + n * 8], &tCrA[m], &tCrB[n]);
      }
    }
  };

  // Pipeline: the tiles of K, one after the other.
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    copy_tile(k_tile);
    __syncthreads();  // the tile is there
    for (int k = 0; k < MMA_K; ++k) {
      load_fragments(k);
      multiply();
    }
    __syncthreads();  // the tile is no longer needed
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 16; ++store) {
    float tDrD[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      tDrD[j] = tCrC[j * 8 + store % 8 + store / 8 * 32];
    }
    float* c = tDgC + store % 4 * LDC + store / 4 % 2 * (32 * LDC) + store / 8 * 32;
    *reinterpret_cast<float4*>(c) = make_float4(tDrD[0], tDrD[1], tDrD[2], tDrD[3]);
  }
}

// d += a * b: UniversalFMA<float,float,float,float>
__device__ __forceinline__ void mma(float* d, const float* a, const float* b) {
  d[0] += a[0] * b[0];
}

// register_tile: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_register_tile(const float* A, const float* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 24; ++k) {
    const double product = (double)A[m * 24 + k] * (double)B[n + k * 64];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_register_tile;
  const auto reference = definition::reference_register_tile;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(3072LL);
  std::vector<float> b(1536LL);
  std::vector<float> c(8192LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 5120), "shared memory");
  kernel<<<2, 64, 5120>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 64 x 1 x 1, 5120 bytes; the definition: 32 of 256
buffers: 3072 f32 of 4 bytes, 1536 f32 of 4 bytes, 8192 f32 of 4 bytes; sums of f32; 393216 operations; sm_0
blas: 128 x 64 x 24, A by rows of 24, B by columns of 64, C by rows of 64
