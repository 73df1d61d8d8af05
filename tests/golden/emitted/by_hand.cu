constexpr int M = 64, N = 64, K = 64;                             // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32, THREADS = 128;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 3;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 2, MMA_N = 4, MMA_K = 2;  // atoms of a thread in that tile
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
             float, float) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + thr % 4 * 8 + thr / 4 * LDA;  // (vec, copy): (8,2)
  const half_t* tBgB = B + thr % 4 * 8 + thr / 4 * LDB;  // (vec, copy): (8,2)
  // (vec, store): (2,16)
  float* tDgC = C + thr % 4 * 2 + thr / 4 % 8 * LDC + thr / 32 % 2 * (16 * LDC) + thr / 64 * 8;
  const int tAsA = swizzle<2,3,3>(thr * 8);  // (vec, copy): (8,2)
  int tCsA[4][MMA_K];                        // (val, MMA_M, MMA_K): (8,2,2)
  #pragma unroll
  for (int load = 0; load < 4; ++load) {
    #pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
      tCsA[load][k] = swizzle<2,3,3>(thr % 4 * 2 + thr / 4 % 8 * 32 + thr / 32 % 2 * 512 + load % 2 * 256
          + load / 2 * 8 + k * 16);
    }
  }
  const int tBsB = swizzle<2,3,3>(thr * 8);  // (vec, copy): (8,2)
  int tCsB[2][MMA_K];                        // (val, MMA_N, MMA_K): (4,4,2)
  #pragma unroll
  for (int load = 0; load < 2; ++load) {
    #pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
      tCsB[load][k] = swizzle<2,3,3>(thr % 4 * 2 + thr / 4 % 8 * 32 + thr / 64 * 256 + load * 8 + k * 16);
    }
  }

  // Fragments: registers of this thread.
  unsigned tCrA[16];    // (val, MMA_M, MMA_K): (8,2,2), 2 elements each
  unsigned tCrB[16];    // (val, MMA_N, MMA_K): (4,4,2), 2 elements each
  float tCrC[32] = {};  // (val, MMA_M, MMA_N): (4,2,4)

  int read = 0, write = 0;  // stages

  // Tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 1024) * 2, tAgA + k_tile * BLK_K + copy * (32 * LDA));
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 2; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 1024) * 2, tBgB + k_tile * BLK_K + copy * (32 * LDB));
    }
  };

  // This thread's fragments of k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int load = 0; load < 4; ++load) {
        tCrA[m * 4 + k * 8 + load] =
            *reinterpret_cast<const unsigned*>(sA + read * SA_STAGE + tCsA[load][k] + m * 1024);
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      #pragma unroll
      for (int load = 0; load < 2; ++load) {
        tCrB[n * 2 + k * 8 + load] =
            *reinterpret_cast<const unsigned*>(sB + read * SB_STAGE + tCsB[load][k] + n * 512);
      }
    }
  };

  // C += A B^T for k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 8], &tCrA[m * 4 + k * 8], &tCrB[n * 2 + k * 8]);
      }
    }
  };

  // Pipeline: the tiles of K, one after the other.
  #pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    copy_tile(stage);
    cp_async_commit();
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
        load_fragments(0);
      }
      if (k == 0) {
        cp_async_commit();
        write = write == STAGES - 1 ? 0 : write + 1;
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

// by_hand: the definition of C = alpha * A B^T + beta * C.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_by_hand(const half_t* A, const half_t* B, float* C, float alpha, float) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 4096LL) return;
  const long long m = i / 64, n = i % 64;
  double sum = 0;
  for (long long k = 0; k < 64; ++k) {
    sum += (double)f16_to_float(A[m * 64 + k]) * (double)f16_to_float(B[n * 72 + k]);
  }
  float* c = C + m * 64 + n;
  const double out = alpha * sum;
  *c = (float)out;
}
