// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>

// unsigned_bytes: C = A B^T with 128 x 64 x 256 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 128 threads, 16384 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             32768 elements of u8, 32768 bytes, at a multiple of 16 bytes
//   B             16384 elements of u8, 16384 bytes, at a multiple of 16 bytes
//   C             8192 elements of s32, 32768 bytes, at a multiple of 8 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 64, K = 256;                           // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 4;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 4, MMA_N = 4, MMA_K = 2;  // atoms of a thread in that tile
constexpr int LDA = K, LDB = K, LDC = N;        // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
template <int BYTES> __device__ void cp_async(unsigned to, const void* from);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
__device__ void mma(unsigned* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_unsigned_bytes(const unsigned char* __restrict__ A, const unsigned char* __restrict__ B,
    int* __restrict__ C,
                    float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  unsigned char* sA = smem;                      // (BLK_M,BLK_K,STAGES)
  unsigned char* sB = smem + STAGES * SA_STAGE;  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (1,1,2):(1@0,1@1,1@0)
  const int m_tile = block;

  // Partitions: where this thread begins, and the extents that its loops walk.
  // (vec, copy): (16,1)
  const unsigned char* tAgA = A + m_tile * (BLK_M * LDA) + thr % 2 * 16 + thr / 2 * LDA;
  const unsigned char* tBgB = B + thr % 2 * 16 + thr / 2 * LDB;  // (vec, copy): (16,1)
  // (vec, store): (2,16)
  int* tDgC = C + m_tile * (BLK_M * LDC) + thr % 4 * 2 + thr / 4 % 16 * LDC + thr / 64 * 8;
  const int tAsA = thr * 16;                                         // (vec, copy): (16,1)
  const int tCsA = thr % 4 * 4 + thr / 4 % 16 * 32;                  // (val, MMA_M, MMA_K): (4,4,2)
  const int tBsB = thr * 16;                                         // (vec, copy): (16,1)
  const int tCsB = thr % 4 * 4 + thr / 4 % 8 * 32 + thr / 64 * 256;  // (val, MMA_N, MMA_K): (4,4,2)

  // Fragments: registers of this thread.
  unsigned tCrA[8];        // (val, MMA_M, MMA_K): (4,4,2), 4 elements each
  unsigned tCrB[8];        // (val, MMA_N, MMA_K): (4,4,2), 4 elements each
  unsigned tCrC[32] = {};  // (val, MMA_M, MMA_N): (2,4,4)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * SA_STAGE;
    cp_async<16>(sA_write + tAsA, tAgA + k_tile * BLK_K);
    const unsigned sB_write = smem_address(sB) + write * SB_STAGE;
    cp_async<16>(sB_write + tBsB, tBgB + k_tile * BLK_K);
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      tCrA[m + k * 4] = *reinterpret_cast<const unsigned*>(sA + read * SA_STAGE + tCsA + m * 512 + k * 16);
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      tCrB[n + k * 4] = *reinterpret_cast<const unsigned*>(sB + read * SB_STAGE + tCsB + n * 512 + k * 16);
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 2 + n * 8], &tCrA[m + k * 4], &tCrB[n + k * 4]);
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
  for (int store = 0; store < 16; ++store) {
    int tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = (int)tCrC[j + store * 2];
    }
    int* c = tDgC + store % 4 * (16 * LDC) + store / 4 * 16;
    *reinterpret_cast<int2*>(c) = make_int2(tDrD[0], tDrD[1]);
  }
}

// d += a * b: SM80_8x8x16_S32U8U8S32_TN
__device__ __forceinline__ void mma(unsigned* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 "
               "{%0, %1}, {%2}, {%3}, "
               "{%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(b[0]));
}

// unsigned_bytes: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_unsigned_bytes(const unsigned char* A, const unsigned char* B, int* C,
    float alpha, float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 8192LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 256; ++k) {
    const double product = (double)(float)A[m * 256 + k] * (double)(float)B[n * 256 + k];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  int* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = __double2int_rn(out);
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_unsigned_bytes;
  const auto reference = definition::reference_unsigned_bytes;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<unsigned char> a(32768LL);
  std::vector<unsigned char> b(16384LL);
  std::vector<int> c(8192LL);
  for (auto& x : a) x = (unsigned char)next();
  for (auto& x : b) x = (unsigned char)next();
  for (auto& x : c) x = next();
  unsigned char* const A = to_device(a);
  unsigned char* const B = to_device(b);
  int* const C = to_device(c);
  int* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 16384), "shared memory");
  kernel<<<2, 128, 16384>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 128 x 1 x 1, 16384 bytes; the definition: 32 of 256
buffers: 32768 u8 of 1 bytes, 16384 u8 of 1 bytes, 8192 s32 of 4 bytes; sums of s32; 4194304 operations; sm_80
blas: 128 x 64 x 256, A by rows of 256, B by rows of 256, C by rows of 64
