// Build and run: nvcc -std=c++17 -arch=native FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// rung_3_smem_tile: C = A B^T with 1024 x 1024 x 1024 elements (M x N x K). Made from the plan that stands
// here.
//
// Preconditions
//   launch        1024 CTAs of 1024 threads, 8192 bytes of dynamic shared memory each
//   architecture  any
//   A             1048576 elements of f32, 4194304 bytes, at a multiple of 16 bytes
//   B             1048576 elements of f32, 4194304 bytes, at a multiple of 16 bytes
//   C             1048576 elements of f32, 4194304 bytes, at a multiple of 4 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 1024, N = 1024, K = 1024;                        // elements
constexpr int BLK_M = 32, BLK_N = 32, BLK_K = 32, THREADS = 1024;  // of a CTA
constexpr int K_TILES = K / BLK_K;                                 // tiles of K
constexpr int MMA_K = 32;
constexpr int LDA = K, LDB = N, LDC = N;  // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K;   // elements of a tile in shared memory
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ void mma(float* d, const float* a, const float* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_rung_3_smem_tile(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                      float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float* sA = reinterpret_cast<float*>(smem);                 // (BLK_M,BLK_K)
  float* sB = reinterpret_cast<float*>(smem + SA_STAGE * 4);  // (BLK_N,BLK_K)

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,32,32):(1@0,1@1,1@0)
  const int m_tile = block / 32;
  const int n_tile = block % 32;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tAgA = A + m_tile * (BLK_M * LDA) + thr % 8 * 4 + thr / 8 * LDA;  // (vec, copy): (4,1)
  const float* tBgB = B + n_tile * BLK_N + thr % 8 * 4 + thr / 8 * LDB;          // (vec, copy): (4,1)
  // (vec, store): (1,1)
  float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr % 32 + thr / 32 * LDC;
  const int tAsA = thr * 4;        // (vec, copy): (4,1)
  const int tCsA = thr / 32 * 32;  // (val, MMA_M, MMA_K): (1,1,32)
  const int tBsB = thr * 4;        // (vec, copy): (4,1)
  const int tCsB = thr % 32;       // (val, MMA_N, MMA_K): (1,1,32)

  // Fragments: registers of this thread.
  float tCrA[1];       // (val, MMA_M, MMA_K): (1,1,32)
  float tCrB[1];       // (val, MMA_N, MMA_K): (1,1,32)
  float tCrC[1] = {};  // (val, MMA_M, MMA_N): (1,1,1)

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    if (thr < 256) {
      *reinterpret_cast<uint4*>(sA + tAsA) = *reinterpret_cast<const uint4*>(tAgA + k_tile * BLK_K);
    }
    if (thr < 256) {
      *reinterpret_cast<uint4*>(sB + tBsB) = *reinterpret_cast<const uint4*>(tBgB + k_tile * (BLK_K * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    tCrA[0] = sA[tCsA + k];
    tCrB[0] = sB[tCsB + k * 32];
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    mma(&tCrC[0], &tCrA[0], &tCrB[0]);
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
  const float tDrD = tCrC[0];
  tDgC[0] = tDrD;
}

// d += a * b: UniversalFMA<float,float,float,float>
__device__ __forceinline__ void mma(float* d, const float* a, const float* b) {
  d[0] += a[0] * b[0];
}

// rung_3_smem_tile: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_rung_3_smem_tile(const float* A, const float* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 1048576LL) return;
  const long long m = i / 1024, n = i % 1024;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 1024; ++k) {
    const double product = (double)A[m * 1024 + k] * (double)B[n + k * 1024];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 1024 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_rung_3_smem_tile;
  const auto reference = definition::reference_rung_3_smem_tile;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(1048576LL);
  std::vector<float> b(1048576LL);
  std::vector<float> c(1048576LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192), "shared memory");
  kernel<<<1024, 1024, 8192>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 1024 x 1 x 1 of 1024 x 1 x 1, 8192 bytes; the definition: 4096 of 256
buffers: 1048576 f32 of 4 bytes, 1048576 f32 of 4 bytes, 1048576 f32 of 4 bytes; sums of f32; 2147483648 operations; sm_0
blas: 1024 x 1024 x 1024, A by rows of 1024, B by columns of 1024, C by rows of 1024
