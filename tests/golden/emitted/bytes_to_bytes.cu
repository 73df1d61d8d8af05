// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// bytes_to_bytes: C = alpha * A B^T with 128 x 64 x 512 elements (M x N x K). Made from the plan that stands
// here.
//
// Preconditions
//   launch        2 CTAs of 128 threads, 8192 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             65536 elements of s8, 65536 bytes, at a multiple of 16 bytes
//   B             32768 elements of s8, 32768 bytes, at a multiple of 16 bytes
//   C             8192 elements of s8, 8192 bytes, at a multiple of 2 bytes
//   alpha, beta   0.5 and 0
//
constexpr int M = 128, N = 64, K = 512;                           // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K;                                // tiles of K
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 2;                    // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;  // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K;   // elements of a tile in shared memory
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned pack8(unsigned char b0, unsigned char b1, unsigned char b2, unsigned char b3);
__device__ void mma(unsigned* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_bytes_to_bytes(const signed char* __restrict__ A, const signed char* __restrict__ B,
    signed char* __restrict__ C,
                    float alpha, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  signed char* sA = reinterpret_cast<signed char*>(smem);             // (BLK_M,BLK_K)
  signed char* sB = reinterpret_cast<signed char*>(smem + SA_STAGE);  // (BLK_N,BLK_K)

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,1,2):(1@0,1@1,1@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const signed char* tAgA = A + m_tile * (BLK_M * LDA) + thr % 4 * 16 + thr / 4 * LDA;  // (vec, copy): (16,2)
  const signed char* tBgB = B + thr % 4 * 16 + thr / 4 * LDB;                           // (vec, copy): (16,2)
  // (vec, store): (2,16)
  signed char* tDgC = C + m_tile * (BLK_M * LDC) + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC)
      + thr / 64 * 8;
  const int tAsA = thr * 16;                                              // (vec, copy): (16,2)
  const int tCsA = thr % 4 * 4 + thr / 4 % 8 * 64 + thr / 32 % 2 * 1024;  // (val, MMA_M, MMA_K): (16,2,2)
  const int tBsB = thr * 16;                                              // (vec, copy): (16,2)
  const int tCsB = thr % 4 * 4 + thr / 4 % 8 * 64 + thr / 64 * 512;       // (val, MMA_N, MMA_K): (8,4,2)

  // Fragments: registers of this thread.
  unsigned tCrA[8];        // (val, MMA_M, MMA_K): (16,2,2), 4 elements each
  unsigned tCrB[8];        // (val, MMA_N, MMA_K): (8,4,2), 4 elements each
  unsigned tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      *reinterpret_cast<uint4*>(sA + tAsA + copy * 2048) =
          *reinterpret_cast<const uint4*>(tAgA + k_tile * BLK_K + copy * (32 * LDA));
    }
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      *reinterpret_cast<uint4*>(sB + tBsB + copy * 2048) =
          *reinterpret_cast<const uint4*>(tBgB + k_tile * BLK_K + copy * (32 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int load = 0; load < 4; ++load) {
        tCrA[m * 4 + load] = *reinterpret_cast<const unsigned*>(sA + tCsA + load % 2 * 512 + load / 2 * 16
            + m * 2048 + k * 32);
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      #pragma unroll
      for (int load = 0; load < 2; ++load) {
        tCrB[n * 2 + load] = *reinterpret_cast<const unsigned*>(sB + tCsB + load * 16 + n * 1024 + k * 32);
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
    signed char tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = (signed char)max(-128, min(127, __double2int_rn(alpha * (double)(int)tCrC[j + store * 2])));
    }
    signed char* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 2 * (32 * LDC) + store / 4 * 16;
    *reinterpret_cast<unsigned short*>(c) = pack8(tDrD[0], tDrD[1], 0, 0);
  }
}

// d += a * b: SM80_16x8x32_S32S8S8S32_TN
__device__ __forceinline__ void mma(unsigned* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// bytes_to_bytes: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_bytes_to_bytes(const signed char* A, const signed char* B,
    signed char* C, float alpha, float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 512; ++k) {
    const double product = (double)(float)A[m * 512 + k] * (double)(float)B[n * 512 + k];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  signed char* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (signed char)max(-128, min(127, __double2int_rn(out)));
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_bytes_to_bytes;
  const auto reference = definition::reference_bytes_to_bytes;
  const float alpha = 2, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<signed char> a(65536LL);
  std::vector<signed char> b(32768LL);
  std::vector<signed char> c(8192LL);
  for (auto& x : a) x = (signed char)next();
  for (auto& x : b) x = (signed char)next();
  for (auto& x : c) x = (signed char)next();
  signed char* const A = to_device(a);
  signed char* const B = to_device(b);
  signed char* const C = to_device(c);
  signed char* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192), "shared memory");
  kernel<<<2, 128, 8192>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 128 x 1 x 1, 8192 bytes; the definition: 32 of 256
buffers: 65536 s8 of 1 bytes, 32768 s8 of 1 bytes, 8192 s8 of 1 bytes; sums of s32; 8388608 operations; sm_80
blas: 128 x 64 x 512, A by rows of 512, B by rows of 512, C by rows of 64
