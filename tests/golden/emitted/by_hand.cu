// Build and run: nvcc -std=c++17 -arch=sm_80 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// by_hand: C = A B^T with 64 x 64 x 64 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        1 CTA of 128 threads, 24576 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             4096 elements of f16, 8192 bytes, at a multiple of 2 bytes
//   B             4600 elements of f16, 9200 bytes, at a multiple of 16 bytes
//   C             4096 elements of f32, 16384 bytes, at a multiple of 8 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 64, N = 64, K = 64;                             // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 3;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 4;  // atoms of a thread in that tile
constexpr int LDA = K, LDB = 72, LDC = N;       // elements from a row (or column) to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K;  // elements from a stage to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
template <int BYTES> __device__ void cp_async(unsigned to, const void* from);
__device__ void cp_async_commit();
template <int PENDING> __device__ void cp_async_wait();
template <int B, int M, int S> __device__ int swizzle(int offset);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_by_hand(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
             float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + thr % 32 + thr / 32 * LDA;    // (vec, copy): (1,16)
  const half_t* tBgB = B + thr % 8 * 8 + thr / 8 * LDB;  // (vec, copy): (8,2)
  // (vec, store): (2,16)
  float* tDgC = C + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC) + thr / 64 * 8;
  int tAsA[16];  // (vec, copy): (1,16); one for each copy, which the swizzle mixes in
  #pragma unroll
  for (int copy = 0; copy < 16; ++copy) {
    tAsA[copy] = swizzle<3,3,3>(thr % 32 * 64 + thr / 32 + copy * 4);
  }
  int tCsA[4][MMA_M];  // (val, MMA_M, MMA_K): (4,2,4); one for each load and m, which the swizzle mixes in
  #pragma unroll
  for (int load = 0; load < 4; ++load) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      tCsA[load][m] = swizzle<3,3,3>(thr % 4 * 128 + thr / 4 % 8 + thr / 32 % 2 * 16 + load % 2 * 64
          + load / 2 * 8 + m * 32);
    }
  }
  const int tBsB = swizzle<3,3,3>(thr * 8);  // (vec, copy): (8,2)
  int tCsB[2][MMA_N];  // (val, MMA_N, MMA_K): (2,4,4); one for each load and n, which the swizzle mixes in
  #pragma unroll
  for (int load = 0; load < 2; ++load) {
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      tCsB[load][n] = swizzle<3,3,3>(thr % 4 * 128 + thr / 4 % 8 + thr / 64 * 8 + load * 64 + n * 16);
    }
  }

  // Fragments: registers of this thread.
  unsigned tCrA[16];    // (val, MMA_M, MMA_K): (4,2,4), 2 elements each
  half_t tArA[16];      // (vec, copy): (1,16), 1 element each, of the tile on its way
  unsigned tCrB[16];    // (val, MMA_N, MMA_K): (2,4,4), 2 elements each
  float tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    #pragma unroll
    for (int copy = 0; copy < 16; ++copy) {
      sA[write * SA_STAGE + tAsA[copy]] = tAgA[k_tile * BLK_K + copy * (4 * LDA)];
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 1024) * 2, tBgB + k_tile * (BLK_K * LDB) + copy * (16 * LDB));
    }
  };

  // The tile k_tile of A and B leaves global memory.
  const auto fetch_tile = [&](int k_tile) {
    #pragma unroll
    for (int copy = 0; copy < 16; ++copy) {
      tArA[copy] = tAgA[k_tile * BLK_K + copy * (4 * LDA)];
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 1024) * 2, tBgB + k_tile * (BLK_K * LDB) + copy * (16 * LDB));
    }
  };

  // What fetch_tile holds in registers goes to shared memory.
  const auto put_tile = [&]() {
    #pragma unroll
    for (int copy = 0; copy < 16; ++copy) {
      sA[write * SA_STAGE + tAsA[copy]] = tArA[copy];
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int word = 0; word < 2; ++word) {
        unsigned packedA = 0;  // 2 elements of f16
        #pragma unroll
        for (int part = 0; part < 2; ++part) {
          packedA |= (unsigned)sA[read * SA_STAGE + tCsA[word * 2 + part][m] + k * 512] << (part * 16);
        }
        tCrA[m * 2 + k * 4 + word] = packedA;
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      unsigned packedB = 0;  // 2 elements of f16
      #pragma unroll
      for (int part = 0; part < 2; ++part) {
        packedB |= (unsigned)sB[read * SB_STAGE + tCsB[part][n] + k * 512] << (part * 16);
      }
      tCrB[n + k * 4] = packedB;
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 8], &tCrA[m * 2 + k * 4], &tCrB[n + k * 4]);
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
        write = write == STAGES - 1 ? 0 : write + 1;
        cp_async_wait<STAGES - 2>();  // of this thread's copies, those of the next tile have arrived
        __syncthreads();              // the next tile is there, and nobody reads this one
        if (k_tile + 1 < K_TILES) read = read == STAGES - 1 ? 0 : read + 1;
        load_fragments(0);  // of the next tile; in the last turn of this one again, and unused
      }
      if (k == 0) {
        cp_async_commit();  // a group a tile, also an empty one, so that waits count tiles
      }
      multiply(k);
    }
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 16; ++store) {
    float tDrD[2];
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
      tDrD[j] = tCrC[j + store * 2];
    }
    float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 2 * (32 * LDC) + store / 4 * 16;
    *reinterpret_cast<float2*>(c) = make_float2(tDrD[0], tDrD[1]);
  }
}

// d += a * b: SM80_16x8x8_F32F16F16F32_TN
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5}, {%6}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// by_hand: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_by_hand(const half_t* A, const half_t* B, float* C, float alpha, float,
    float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 4096LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 64; ++k) {
    const double product = (double)f16_to_float(A[m * 64 + k]) * (double)f16_to_float(B[n + k * 72]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_by_hand;
  const auto reference = definition::reference_by_hand;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(4096LL);
  std::vector<half_t> b(4600LL);
  std::vector<float> c(4096LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 24576), "shared memory");
  kernel<<<1, 128, 24576>>>(A, B, C, alpha, beta);
  check(cudaGetLastError()

launch: 1 x 1 x 1 of 128 x 1 x 1, 24576 bytes; the definition: 16 of 256
buffers: 4096 f16 of 2 bytes, 4600 f16 of 2 bytes, 4096 f32 of 4 bytes; sums of f32; 524288 operations; sm_80
blas: 64 x 64 x 64, A by rows of 64, B by columns of 72, C by rows of 64
