// tensor_gemm: C = alpha * A B^T + beta * C, 4096 x 4096 x 4096. Made from this plan:
//   problem    4096 x 4096 x 4096   M x N x K elements
//   mma        SM80_16x8x16_F32F16F16F32_TN   (2,4,1):(1,2,0) as (32,(2,4,4,2):(1,4,16,2),16); needs sm_80
//   cta_tiler  (128,256,64)   32 x 16 CTAs, 64 k-tiles, 3 stages
//   threads    256   (32,2,4,1):(1,32,64,0)  (V,M,N,K) -> thread
//   cta_raster (8,16,4):(1@0,1@1,8@0)   block -> (m_tile, n_tile)
//   gA         (4096,4096):(4096,1)   (m,k) -> element; f16
//   gB         (4096,4096):(4096,1)   (n,k) -> element; f16
//   gC         (4096,4096):(4096,1)   (m,n) -> element; f32
//   sA         Sw<3,3,3> o 0 o (128,64):(64,1)   (m,k) -> element; 16384 bytes a stage, at byte 0, 3 stages
//   sB         Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1)   (n,k) -> element; 32768 bytes a stage, at byte 49152, 3 stages
//   tAgA       ((8,32),(8,(1,(4,1)))):((8,4096),(1,(0,(131072,0))))   (thr, (vec, copy)) -> element of the tile; SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 4 x 8 elements by 256 threads
//   tAsA       Sw<3,3,3> o 0 o ((8,32),(8,(1,(4,1)))):((8,64),(1,(0,(2048,0))))   (thr, (vec, copy)) -> element of the stage
//   tBgB       ((8,32),(8,(1,(8,1)))):((8,4096),(1,(0,(131072,0))))   (thr, (vec, copy)) -> element of the tile; SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 8 x 8 elements by 256 threads
//   tBsB       Sw<3,3,3> o 0 o ((8,(2,2,4,2)),(8,(1,(8,1)))):((8,(64,512,128,1024)),(1,(0,(2048,0))))   (thr, (vec, copy)) -> element of the stage
//   tCsA       ((2,2,2),4,4):((1,512,8),2048,16)   (val, MMA_M, MMA_K) -> element of the stage; thread 0
//   tCsB       ((2,2),(2,4),4):((1,8),(512,4096),16)   (val, MMA_N, MMA_K) -> element of the stage; thread 0
//   tCgC       ((2,2),4,(2,4)):((1,32768),131072,(2,64))   (val, MMA_M, MMA_N) -> element of the tile; thread 0
//   tCrA       ((2,2,2),4,4):((1,2,4),8,32)   (val, MMA_M, MMA_K) -> register element; by SM75_U32x4_LDSM_N
//   tCrB       ((2,2),(2,4),4):((1,2),(4,8),32)   (val, MMA_N, MMA_K) -> register element; by SM75_U32x4_LDSM_N
//   tCrC       ((2,2),4,(2,4)):((1,2),4,(16,32))   (val, MMA_M, MMA_N) -> accumulator; 128 mma a k-tile
//   smem       147456   bytes a CTA
//   epilogue   alpha 1 beta 0   gC = alpha * tCrC + beta * gC, 4 at a time
//   store_order ((2,2),(8,4)):((1,16),(2,32))   (vec, store) -> value of tCrC

// Shared-memory addresses and asynchronous copies (PTX ISA: cp.async, sm_80).
__device__ __forceinline__ unsigned smem_address(const void* pointer) {
  unsigned long long address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(pointer));
  return (unsigned)address;
}

// Copies BYTES (4, 8 or 16) from global to shared memory; 16 bytes go past L1.
template <int BYTES>
__device__ __forceinline__ void cp_async(unsigned to, const void* from) {
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
  }
}

__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most PENDING of this thread's groups are in flight.
template <int PENDING>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// 8x8 matrices of 16-bit elements from shared memory (PTX ISA: ldmatrix, sm_75). Lane 8 i + r gives the address of row r of matrix i.
__device__ __forceinline__ void ldmatrix_x1(unsigned& r0, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(row) : "memory");
}
__device__ __forceinline__ void ldmatrix_x2(unsigned& r0, unsigned& r1, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(row) : "memory");
}
__device__ __forceinline__ void ldmatrix_x4(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(row) : "memory");
}
__device__ __forceinline__ void ldmatrix_x1_trans(unsigned& r0, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r0) : "r"(row) : "memory");
}
__device__ __forceinline__ void ldmatrix_x2_trans(unsigned& r0, unsigned& r1, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(row) : "memory");
}
__device__ __forceinline__ void ldmatrix_x4_trans(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3, unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(row) : "memory");
}

// Swizzle<B,M,S>: flips bits M .. M+B-1 where bits M+S .. M+S+B-1 are set; for S < 0 the other way round.
template <int B, int M, int S>
__device__ __forceinline__ int swizzle(int offset) {
  constexpr int y = ((1 << B) - 1) << (M + (S > 0 ? S : 0));
  return offset ^ (S >= 0 ? (offset & y) >> (S >= 0 ? S : 0) : (offset & y) << (S < 0 ? -S : 0));
}

// SM80_16x8x16_F32F16F16F32_TN: d += a * b
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(256) gemm_tensor_gemm(const unsigned short* __restrict__ A, const unsigned short* __restrict__ B, float* __restrict__ C,
    float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thr = threadIdx.x;
  const int block = blockIdx.x;  // block -> (m_tile, n_tile): (8,16,4):(1@0,1@1,8@0)
  const int m_tile = block % 8 + block / 128 * 8;
  const int n_tile = block / 8 % 16;

  // A: (4096,4096):(4096,1) in global memory, Sw<3,3,3> o 0 o (128,64):(64,1) in shared memory
  unsigned short* sA = reinterpret_cast<unsigned short*>(smem + 0);  // Sw<3,3,3> o 0 o (128,64):(64,1), 8192 elements a stage
  const unsigned short* tAgA = A + m_tile * 524288 + thr % 8 * 8 + thr / 8 * 4096;  // (thr, (vec, copy)) -> ((8,32),(8,(1,(4,1)))):((8,4096),(1,(0,(131072,0))))
  const int tAsA = swizzle<3,3,3>(thr * 8);  // (thr, (vec, copy)) -> Sw<3,3,3> o 0 o ((8,32),(8,(1,(4,1)))):((8,64),(1,(0,(2048,0))))
  int tCsA[4];  // (thr, (val, MMA_M, MMA_K)) -> Sw<3,3,3> o 0 o ((16,2,2,4),(8,(1,4),4)):((64,8,1024,0),(1,(0,2048),16))
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    tCsA[k] = swizzle<3,3,3>(thr % 16 * 64 + thr / 16 % 2 * 8 + thr / 32 % 2 * 1024 + k * 16);
  }
  // B: (4096,4096):(4096,1) in global memory, Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1) in shared memory
  unsigned short* sB = reinterpret_cast<unsigned short*>(smem + 49152);  // Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1), 16384 elements a stage
  const unsigned short* tBgB = B + n_tile * 1048576 + thr % 8 * 8 + thr / 8 * 4096;  // (thr, (vec, copy)) -> ((8,32),(8,(1,(8,1)))):((8,4096),(1,(0,(131072,0))))
  const int tBsB = swizzle<3,3,3>(thr % 16 * 8 + thr / 16 % 2 * 512 + thr / 32 % 4 * 128 + thr / 128 * 1024);  // (thr, (vec, copy)) -> Sw<3,3,3> o 0 o ((8,(2,2,4,2)),(8,(1,(8,1)))):((8,(64,512,128,1024)),(1,(0,(2048,0))))
  int tCsB[4];  // (thr, (val, MMA_N, MMA_K)) -> Sw<3,3,3> o 0 o ((2,4,2,2,2,4),(8,(1,4),4)):((64,128,8,512,0,1024),(1,(0,4096),16))
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    tCsB[k] = swizzle<3,3,3>(thr % 8 * 64 + thr / 8 % 2 * 8 + thr / 16 % 2 * 512 + thr / 64 * 1024 + k * 16);
  }
  // C: (4096,4096):(4096,1)
  float* tCgC = C + m_tile * 524288 + n_tile * 256 + thr % 4 * 4 + thr / 4 % 8 * 4096 + thr / 32 % 2 * 65536 + thr / 64 * 16;  // (thr, (val, MMA_M, MMA_N)) -> ((4,8,2,4),((2,2),4,(2,4))):((4,4096,65536,16),((1,32768),131072,(2,64)))
  unsigned tCrA[64];  // (val, MMA_M, MMA_K): ((2,2,2),4,4):((1,2,4),8,32), 2 a register
  unsigned tCrB[64];  // (val, MMA_N, MMA_K): ((2,2),(2,4),4):((1,2),(4,8),32)
  float tCrC[128] = {};  // (val, MMA_M, MMA_N): ((2,2),4,(2,4)):((1,2),4,(16,32))

  // Step 1: tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile, int stage) {
    const unsigned sA_write = smem_address(sA) + stage * 16384;
#pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      cp_async<16>(sA_write + (tAsA + copy * 2048) * 2, tAgA + k_tile * 64 + copy * 131072);
    }
    const unsigned sB_write = smem_address(sB) + stage * 32768;
#pragma unroll
    for (int copy = 0; copy < 8; ++copy) {
      cp_async<16>(sB_write + (tBsB + copy * 2048) * 2, tBgB + k_tile * 64 + copy * 131072);
    }
  };

  // Step 2: this thread's fragments of k-block k from shared memory to registers.
  const auto load_fragments = [&](int stage, int k) {
    const unsigned sA_read = smem_address(sA) + stage * 16384;
#pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(tCrA[copy * 4 + k * 16], tCrA[1 + copy * 4 + k * 16], tCrA[2 + copy * 4 + k * 16], tCrA[3 + copy * 4 + k * 16], sA_read + (tCsA[k] + copy * 2048) * 2);
    }
    const unsigned sB_read = smem_address(sB) + stage * 32768;
#pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
      ldmatrix_x4(tCrB[copy * 4 + k * 16], tCrB[1 + copy * 4 + k * 16], tCrB[2 + copy * 4 + k * 16], tCrB[3 + copy * 4 + k * 16], sB_read + (tCsB[k] + copy * 4096) * 2);
    }
  };

  // Step 3: C += A B^T for k-block k.
  const auto multiply = [&](int k) {
#pragma unroll
    for (int m = 0; m < 4; ++m) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int n = m % 2 == 0 ? i : 7 - i;  // back and forth: neighbours share a fragment of A or B
        mma(&tCrC[m * 4 + n * 16], &tCrA[m * 4 + k * 16], &tCrB[n * 2 + k * 16]);
      }
    }
  };

  // 2 of 3 stages are filled before the loop; a group is committed a tile, so that the count of groups tells the tile.
#pragma unroll
  for (int stage = 0; stage < 2; ++stage) {
    if (stage < 64) copy_tile(stage, stage);
    cp_async_commit();
  }
  int read = 0;
  int write = 2;
  cp_async_wait<1>();
  __syncthreads();
  load_fragments(read, 0);
  for (int k_tile = 0; k_tile < 64; ++k_tile) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (k == 3) {
        cp_async_wait<1>();
        __syncthreads();  // the next tile is there, and nobody reads the last one
        read = read == 2 ? 0 : read + 1;
      }
      load_fragments(read, (k + 1) % 4);
      if (k == 0) {
        if (k_tile + 2 < 64) copy_tile(k_tile + 2, write);
        cp_async_commit();
        write = write == 2 ? 0 : write + 1;
      }
      multiply(k);
    }
  }

  // Step 4: C = alpha * accumulator + beta * C.
  // store_order: ((2,2),(8,4)):((1,16),(2,32)), 4 elements at once
#pragma unroll
  for (int store = 0; store < 32; ++store) {
    float* c = tCgC + store % 2 * 32768 + store / 2 % 4 * 131072 + store / 8 * 64;
    float out[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      out[j] = alpha * tCrC[j % 2 + j / 2 * 16 + store % 8 * 2 + store / 8 * 32];
      if (beta != 0.0f) out[j] += beta * c[j];
    }
    *reinterpret_cast<float4*>(c) = make_float4(out[0], out[1], out[2], out[3]);
  }
}
