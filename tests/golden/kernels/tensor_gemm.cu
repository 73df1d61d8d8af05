// tensor_gemm: C = A B^T with 4096 x 4096 x 4096 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        512 CTAs of 256 threads, 147456 bytes of dynamic shared memory each
//   architecture  sm_80 or later
//   A             16777216 elements of f16, 33554432 bytes, at a multiple of 16 bytes
//   B             16777216 elements of f16, 33554432 bytes, at a multiple of 16 bytes
//   C             16777216 elements of f32, 67108864 bytes, at a multiple of 16 bytes
//   alpha, beta   1 and 0
//
// Problem
//   problem    4096 x 4096 x 4096   M x N x K elements
//   mma        SM80_16x8x16_F32F16F16F32_TN   (2,4,1):(1,2,0) as (32,(2,4,4,2):(1,4,16,2),16); needs sm_80
//   cta_tiler  (128,256,64)   32 x 16 CTAs, 64 k-tiles, 3 stages
//   threads    256   (32,2,4,1):(1,32,64,0)  (V,M,N,K) -> thread
//   cta_raster (8,16,4):(1@0,1@1,8@0)   block -> (m_tile, n_tile)
//   smem       147456   bytes a CTA
//
// Tensors
//   gA         (4096,4096):(4096,1)   (m,k) -> element of f16; 33554432 bytes
//   sA         Sw<3,3,3> o 0 o (128,64):(64,1)
//              (m,k) -> element of f16; 16384 bytes a stage, at byte 0, 3 stages
//   gB         (4096,4096):(4096,1)   (n,k) -> element of f16; 33554432 bytes
//   sB         Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1)
//              (n,k) -> element of f16; 32768 bytes a stage, at byte 49152, 3 stages
//   gC         (4096,4096):(4096,1)   (m,n) -> element of f32; 67108864 bytes
//
// Global -> shared
//   tAgA       ((8,32),(8,(1,(4,1)))):((8,4096),(1,(0,(131072,0))))
//              (thr, (vec, copy)) -> element of the tile of gA; SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 8
//              elements = 16 bytes at once
//   tAsA       Sw<3,3,3> o 0 o ((8,32),(8,(1,(4,1)))):((8,64),(1,(0,(2048,0))))
//              (thr, (vec, copy)) -> element of the stage of sA
//   tBgB       ((8,32),(8,(1,(8,1)))):((8,4096),(1,(0,(131072,0))))
//              (thr, (vec, copy)) -> element of the tile of gB; SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 8
//              elements = 16 bytes at once
//   tBsB       Sw<3,3,3> o 0 o ((8,(2,2,4,2)),(8,(1,(8,1)))):((8,(64,512,128,1024)),(1,(0,(2048,0))))
//              (thr, (vec, copy)) -> element of the stage of sB
//
// Shared -> registers
//   tXsA       Sw<3,3,3> o 0 o ((16,2,2,4),(8,(1,4),4)):((64,8,1024,0),(1,(0,2048),16))
//              (thr, (val, copy, MMA_K)) -> element of the stage of sA; SM75_U32x4_LDSM_N, 4 matrices of 8 x
//              8 elements a warp at once
//   tXrA       (8,(1,4),4):(1,(0,8),32)   (val, copy, MMA_K) -> register element of f16
//   tXsB       Sw<3,3,3> o 0 o ((2,4,2,2,2,4),(8,(1,4),4)):((64,128,8,512,0,1024),(1,(0,4096),16))
//              (thr, (val, copy, MMA_K)) -> element of the stage of sB; SM75_U32x4_LDSM_N, 4 matrices of 8 x
//              8 elements a warp at once
//   tXrB       (8,(1,4),4):(1,(0,8),32)   (val, copy, MMA_K) -> register element of f16
//
// Multiply
//   tCsA       ((2,2,2),4,4):((1,512,8),2048,16)
//              (val, MMA_M, MMA_K) -> element of the stage of sA; thread 0's slice, before Sw<3,3,3>
//   tCrA       ((2,2,2),4,4):((1,2,4),8,32)   (val, MMA_M, MMA_K) -> register element of f16
//   tCsB       ((2,2),(2,4),4):((1,8),(512,4096),16)
//              (val, MMA_N, MMA_K) -> element of the stage of sB; thread 0's slice, before Sw<3,3,3>
//   tCrB       ((2,2),(2,4),4):((1,2),(4,8),32)   (val, MMA_N, MMA_K) -> register element of f16
//   tCrC       ((2,2),4,(2,4)):((1,2),4,(16,32))
//              (val, MMA_M, MMA_N) -> register element of f32; 128 mma a k-tile
//
// Store
//   tCgC       ((2,2),4,(2,4)):((1,32768),131072,(2,64))
//              (val, MMA_M, MMA_N) -> element of the tile of gC; thread 0's slice
//   tDrC       ((2,2),(8,4)):((1,16),(2,32))   (vec, store) -> register element of f32; alpha 1, beta 0
//   tDrD       4:1   (vec) -> register element of f32
//   tDgC       ((4,8,2,4),((2,2),((2,4),4))):((4,4096,65536,16),((1,2),((32768,131072),64)))
//              (thr, (vec, store)) -> element of the tile of gC

typedef unsigned short half_t;  // 16 bits of fp16
constexpr int M = 4096, N = 4096, K = 4096;                         // elements
constexpr int BLK_M = 128, BLK_N = 256, BLK_K = 64, THREADS = 256;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 3;  // tiles of K; tiles in shared memory at once
constexpr int MMA_M = 4, MMA_N = 8, MMA_K = 4;  // atoms of a thread in that tile
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
gemm_tensor_gemm(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
                 float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);                          // (BLK_M,BLK_K,STAGES)
  half_t* sB = reinterpret_cast<half_t*>(smem + STAGES * SA_STAGE * 2);  // (BLK_N,BLK_K,STAGES)

  const int thr = threadIdx.x;
  // Tiles of M in groups of 8, each with all tiles of N: CTAs that run together share operands in L2.
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (8,16,4):(1@0,1@1,8@0)
  const int m_tile = block % 8 + block / 128 * 8;
  const int n_tile = block / 8 % 16;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + m_tile * (BLK_M * LDA) + thr % 8 * 8 + thr / 8 * LDA;  // (vec, copy): (8,4)
  const half_t* tBgB = B + n_tile * (BLK_N * LDB) + thr % 8 * 8 + thr / 8 * LDB;  // (vec, copy): (8,8)
  // (vec, store): (4,32)
  float* tDgC = C + m_tile * (BLK_M * LDC) + n_tile * BLK_N + thr % 4 * 4 + thr / 4 % 8 * LDC
      + thr / 32 % 2 * (16 * LDC) + thr / 64 * 16;
  const int tAsA = swizzle<3,3,3>(thr * 8);  // (vec, copy): (8,4)
  int tXsA[MMA_K];  // (val, copy, MMA_K): (8,4,4); one for each k, which the swizzle mixes in
  #pragma unroll
  for (int k = 0; k < MMA_K; ++k) {
    tXsA[k] = swizzle<3,3,3>(thr % 16 * 64 + thr / 16 % 2 * 8 + thr / 32 % 2 * 1024 + k * 16);
  }
  // (vec, copy): (8,8)
  const int tBsB = swizzle<3,3,3>(thr % 16 * 8 + thr / 16 % 2 * 512 + thr / 32 % 4 * 128 + thr / 128 * 1024);
  int tXsB[MMA_K];  // (val, copy, MMA_K): (8,4,4); one for each k, which the swizzle mixes in
  #pragma unroll
  for (int k = 0; k < MMA_K; ++k) {
    tXsB[k] = swizzle<3,3,3>(thr % 8 * 64 + thr / 8 % 2 * 8 + thr / 16 % 2 * 512 + thr / 64 * 1024 + k * 16);
  }

  // Fragments: registers of this thread.
  unsigned tCrA[64];     // (val, MMA_M, MMA_K): (8,4,4), 2 elements each
  unsigned tCrB[64];     // (val, MMA_N, MMA_K): (4,8,4), 2 elements each
  float tCrC[128] = {};  // (val, MMA_M, MMA_N): (4,4,8)

  int read = 0, write = 0;  // the stages that are read and written next

  // The tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile) {
    const unsigned sA_write = smem_address(sA) + write * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 2048) * 2, tAgA + k_tile * BLK_K + copy * (32 * LDA));
    }
    const unsigned sB_write = smem_address(sB) + write * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 8; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 2048) * 2, tBgB + k_tile * BLK_K + copy * (32 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    const unsigned sA_read = smem_address(sA) + read * (SA_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrA[copy * 4 + k * 16], sA_read + (tXsA[k] + copy * 2048) * 2);
    }
    const unsigned sB_read = smem_address(sB) + read * (SB_STAGE * 2);
    #pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(&tCrB[copy * 4 + k * 16], sB_read + (tXsB[k] + copy * 4096) * 2);
    }
  };

  // C += A B^T for the k-block k.
  const auto multiply = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 4 + n * 16], &tCrA[m * 4 + k * 16], &tCrB[n * 2 + k * 16]);
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
  for (int store = 0; store < 32; ++store) {
    float tDrD[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
      tDrD[j] = tCrC[j % 2 + j / 2 * 16 + store % 8 * 2 + store / 8 * 32];
    }
    float* c = tDgC + store % 2 * (8 * LDC) + store / 2 % 4 * (32 * LDC) + store / 8 * 64;
    *reinterpret_cast<float4*>(c) = make_float4(tDrD[0], tDrD[1], tDrD[2], tDrD[3]);
  }
}

// Where `pointer` lies in shared memory, as PTX wants it: in bytes, 32 bits.
__device__ __forceinline__ unsigned smem_address(const void* pointer) {
  unsigned long long address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
  return (unsigned)address;
}

// Copies BYTES (4, 8 or 16) from global to shared memory (PTX ISA: cp.async, sm_80); 16 bytes go past L1.
template <int BYTES>
__device__ void cp_async(unsigned to, const void* from) {
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
  }
}

// What this thread copied since the last commit is a group.
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most PENDING of this thread's groups are in flight.
template <int PENDING>
__device__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// Four matrices of 8x8 16-bit elements (PTX ISA: ldmatrix, sm_75).
// Lane 8 i + j gives the address of row j of matrix i.
__device__ __forceinline__ void ldmatrix_x4(unsigned* r, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}

// Swizzle<B,M,S>: flips bits M .. M+B-1 where bits M+S .. M+S+B-1 are set; for S < 0 the other way round.
template <int B, int M, int S>
__device__ int swizzle(int offset) {
  constexpr int y = ((1 << B) - 1) << (M + (S > 0 ? S : 0));
  return offset ^ (S >= 0 ? (offset & y) >> (S >= 0 ? S : 0) : (offset & y) << (S < 0 ? -S : 0));
}

// d += a * b: SM80_16x8x16_F32F16F16F32_TN
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
