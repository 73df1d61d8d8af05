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
                 float alpha, float) {
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

  int read = 0, write = 0;  // stages

  // Tile k_tile of A and B from global to shared memory.
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

  // This thread's fragments of k-block k from shared memory to registers.
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

  // C += A B^T for k-block k.
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

  // Pipeline: the tiles of K, one after the other.
  #pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    copy_tile(stage);
    cp_async_commit();
    write = write == STAGES - 1 ? 0 : write + 1;
  }
  for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
    cp_async_wait<STAGES - 2>();  // of this thread's copies, those of this tile have arrived
    __syncthreads();  // the tile is there, and nobody reads the last one, whose stage is written next
    load_fragments();
    if (k_tile + STAGES - 1 < K_TILES) copy_tile(k_tile + STAGES - 1);
    cp_async_commit();
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

// one_k_block: the definition of C = alpha * A B^T + beta * C.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_one_k_block(const half_t* A, const half_t* B, float* C, float alpha,
    float) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 32768LL) return;
  const long long m = i / 128, n = i % 128;
  double sum = 0;
  for (long long k = 0; k < 160; ++k) {
    sum += (double)f16_to_float(A[m * 160 + k]) * (double)f16_to_float(B[n * 160 + k]);
  }
  float* c = C + m * 128 + n;
  const double out = alpha * sum;
  *c = (float)out;
}
