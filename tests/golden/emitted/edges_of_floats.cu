// Build and run: nvcc -std=c++17 -arch=native FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// edges_of_floats: C = A B^T with 1000 x 1001 x 1003 elements (M x N x K). Made from the plan that stands
// here.
//
// Preconditions
//   launch        64 CTAs of 256 threads, 9216 bytes of dynamic shared memory each
//   architecture  any
//   A             1007995 elements of f32, 4031980 bytes, at a multiple of 4 bytes
//   B             1011020 elements of f32, 4044080 bytes, at a multiple of 16 bytes
//   C             1007993 elements of f32, 4031972 bytes, at a multiple of 4 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 1000, N = 1001, K = 1003;                        // elements
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 8, THREADS = 256;  // of a CTA
constexpr int K_TILES = (K + BLK_K - 1) / BLK_K;                   // tiles of K
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 8;                     // atoms of a thread in that tile
constexpr int LDA = 1008, LDB = 1008, LDC = 1008;  // elements from a row (or column) to the next

// Defined below the kernel.
template <class T> __device__ T first_bytes(T x, int bytes);
__device__ void mma(float* d, const float* a, const float* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_edges_of_floats(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                     float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  float* sA = reinterpret_cast<float*>(smem);         // (BLK_M,BLK_K)
  float* sB = reinterpret_cast<float*>(smem + 5120);  // (BLK_N,BLK_K), at the next multiple of 1024 bytes

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,8,8):(1@0,1@1,1@0)
  const int m_tile = block / 8;
  const int n_tile = block % 8;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const float* tAgA = A + m_tile * (BLK_M * LDA) + thr / 8 * LDA + thr % 8;  // (vec, copy): (1,4)
  const int tAcA_m = m_tile * BLK_M + thr / 8;                               // tAcA -> m
  const int tAcA_k = thr % 8;                                                // tAcA -> k in the tile
  unsigned tApA = 0;                                                         // bit copy: is its m inside?
  #pragma unroll
  for (int copy = 0; copy < 4; ++copy) tApA |= (tAcA_m + copy * 32 < M ? 1U : 0U) << copy;
  const float* tBgB = B + n_tile * BLK_N + thr / 32 * LDB + thr % 32 * 4;  // (vec, copy): (4,1)
  const int tBcB_n = n_tile * BLK_N + thr % 32 * 4;                        // tBcB -> n
  const int tBcB_k = thr / 32;                                             // tBcB -> k in the tile
  const bool tBpB = tBcB_n < N;
  // (vec, store): (1,64)
  float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr / 16 * (4 * LDC) + thr % 16 * 4;
  const int tDcC_m = m_tile * BLK_M + thr / 16 * 4;  // tDcC -> m
  const int tDcC_n = n_tile * BLK_N + thr % 16 * 4;  // tDcC -> n
  const int tAsA = thr % 8 * 132 + thr / 8;          // (vec, copy): (1,4)
  const int tXsA = thr / 16 * 4;                     // (vec, copy, MMA_K): (4,2,8)
  const int tBsB = thr * 4;                          // (vec, copy): (4,1)
  const int tXsB = thr % 16 * 4;                     // (vec, copy, MMA_K): (4,2,8)

  // Fragments: registers of this thread.
  float tCrA[8];        // (val, MMA_M, MMA_K): (1,8,8)
  float tCrB[8];        // (val, MMA_N, MMA_K): (1,8,8)
  float tCrC[64] = {};  // (val, MMA_M, MMA_N): (1,8,8)

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const int kA = k_tile * BLK_K + tAcA_k;
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      sA[tAsA + copy * 32] = (tApA >> copy & 1) && kA < K ? tAgA[k_tile * BLK_K + copy * (32 * LDA)] : 0.0f;
    }
    const int kB = k_tile * BLK_K + tBcB_k;
    *reinterpret_cast<uint4*>(sB + tBsB) = tBpB && kB < K ? first_bytes(*reinterpret_cast<const uint4*>(tBgB
        + k_tile * (BLK_K * LDB)), (N - tBcB_n) * 4) : uint4{};
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      const float4 wordsA = *reinterpret_cast<const float4*>(sA + tXsA + copy * 64 + k * 132);
      tCrA[copy * 4] = wordsA.x;
      tCrA[copy * 4 + 1] = wordsA.y;
      tCrA[copy * 4 + 2] = wordsA.z;
      tCrA[copy * 4 + 3] = wordsA.w;
    }
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      const float4 wordsB = *reinterpret_cast<const float4*>(sB + tXsB + copy * 64 + k * 128);
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
  for (int store = 0; store < 64; ++store) {
    if (tDcC_m + store % 4 + store / 4 % 2 * 64 < M && tDcC_n + store / 8 % 4 + store / 32 * 64 < N) {
      const float tDrD = tCrC[store];
      tDgC[store % 4 * LDC + store / 4 % 2 * (64 * LDC) + store / 8 % 4 + store / 32 * 64] = tDrD;
    }
  }
}

// d += a * b: UniversalFMA<float,float,float,float>
__device__ __forceinline__ void mma(float* d, const float* a, const float* b) {
  d[0] += a[0] * b[0];
}

// edges_of_floats: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_edges_of_floats(const float* A, const float* B, float* C, float alpha,
    float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 1001000LL) return;
  const long long m = i / 1001, n = i % 1001;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 1003; ++k) {
    const double product = (double)A[m * 1008 + k] * (double)B[n + k * 1008];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 1008 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_edges_of_floats;
  const auto reference = definition::reference_edges_of_floats;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<float> a(1007995LL);
  std::vector<float> b(1011020LL);
  std::vector<float> c(1007993LL);
  for (auto& x : a) x = (float)next();
  for (auto& x : b) x = (float)next();
  for (auto& x : c) x = (float)next();
  float* const A = to_device(a);
  float* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 9216), "shared memory");
  kernel<<<64, 256, 9216>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 64 x 1 x 1 of 256 x 1 x 1, 9216 bytes; the definition: 3911 of 256
buffers: 1007995 f32 of 4 bytes, 1011020 f32 of 4 bytes, 1007993 f32 of 4 bytes; sums of f32; 2008006000 operations; sm_0
blas: 1000 x 1001 x 1003, A by rows of 1008, B by columns of 1008, C by rows of 1008
