// Build and run: nvcc -std=c++17 -arch=sm_70 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

// article_gemm: C = alpha * A B^T + beta * C, 64 x 96 x 16. Made from this plan:
//   problem    64 x 96 x 16   M x N x K elements
//   mma        SM70_8x8x4_F32F16F16F32_NT   (2,2,1):(2,1,0) as (_,_,_); needs sm_70
//   cta_tiler  (64,96,16)   1 x 1 CTAs, 1 k-tiles, 1 stages
//   threads    32   ((4,2),2,2,1):((1,16),8,4,0)  (V,M,N,K) -> thread
//   cta_raster (1,1,1):(1@0,1@1,1@0)   block -> (m_tile, n_tile)
//   gA         (64,16):(1,64)   (m,k) -> element; f16
//   gB         (96,16):(1,96)   (n,k) -> element; f16
//   gC         (64,96):(1,64)   (m,n) -> element; f32
//   sA         (64,16):(17,1)   (m,k) -> element; 2176 bytes a stage, at byte 0
//   sB         ((32,3),16):((1,512),32)   (n,k) -> element; 3072 bytes a stage, at byte 3072
//   tAgA       (32,(1,(1,(2,16)))):(1,(0,(0,(32,64))))   (thr, (vec, copy)) -> element of the tile; UniversalCopy<uint16_t>, 32 x 1 elements by 32 threads
//   tAsA       (32,(1,(1,(2,16)))):(17,(0,(0,(544,1))))   (thr, (vec, copy)) -> element of the stage
//   tBgB       ((4,8),(8,(1,(3,2)))):((8,96),(1,(0,(32,768))))   (thr, (vec, copy)) -> element of the tile; UniversalCopy<uint128_t>, 6 x 8 elements by 32 threads
//   tBsB       (32,(8,(1,(3,2)))):(8,(1,(0,(512,256))))   (thr, (vec, copy)) -> element of the stage
//   tCsA       (4,4,4):(17,272,4)   (val, MMA_M, MMA_K) -> element of the stage; thread 0
//   tCsB       (4,(2,3),4):(1,(16,512),128)   (val, MMA_N, MMA_K) -> element of the stage; thread 0
//   tCgC       ((2,2,2),4,6):((64,2,256),16,1024)   (val, MMA_M, MMA_N) -> element of the tile; thread 0
//   tCrA       (4,4,4):(1,4,0)   (val, MMA_M, MMA_K) -> register element; by DefaultCopy
//   tCrB       (4,(2,3),4):(1,(4,8),0)   (val, MMA_N, MMA_K) -> register element; by DefaultCopy
//   tCrC       ((2,2,2),4,6):((1,2,4),8,32)   (val, MMA_M, MMA_N) -> accumulator; 96 mma a k-tile
//   smem       6144   bytes a CTA
//   epilogue   alpha 2 beta -1   gC = alpha * tCrC + beta * gC, 1 at a time
//   store_order (1,192):(0,1)   (vec, store) -> value of tCrC

// SM70_8x8x4_F32F16F16F32_NT: d += a * b
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(32) gemm_article_gemm(const unsigned short* __restrict__ A, const unsigned short* __restrict__ B, float* __restrict__ C,
    float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thr = threadIdx.x;

  // A: (64,16):(1,64) in global memory, (64,16):(17,1) in shared memory
  unsigned short* sA = reinterpret_cast<unsigned short*>(smem + 0);  // (64,16):(17,1), 1088 elements a stage
  const unsigned short* tAgA = A + thr;  // (thr, (vec, copy)) -> (32,(1,(1,(2,16)))):(1,(0,(0,(32,64))))
  const int tAsA = thr * 17;  // (thr, (vec, copy)) -> (32,(1,(1,(2,16)))):(17,(0,(0,(544,1))))
  const int tCsA = thr % 4 + thr / 8 % 2 * 136 + thr / 16 * 68;  // (thr, (val, MMA_M, MMA_K)) -> ((4,2,2,2),(4,4,4)):((1,0,136,68),(17,272,4))
  // B: (96,16):(1,96) in global memory, ((32,3),16):((1,512),32) in shared memory
  unsigned short* sB = reinterpret_cast<unsigned short*>(smem + 3072);  // ((32,3),16):((1,512),32), 1536 elements a stage
  const unsigned short* tBgB = B + thr % 4 * 8 + thr / 4 * 96;  // (thr, (vec, copy)) -> ((4,8),(8,(1,(3,2)))):((8,96),(1,(0,(32,768))))
  const int tBsB = thr * 8;  // (thr, (vec, copy)) -> (32,(8,(1,(3,2)))):(8,(1,(0,(512,256))))
  const int tCsB = thr % 4 * 32 + thr / 4 % 2 * 8 + thr / 16 * 4;  // (thr, (val, MMA_N, MMA_K)) -> ((4,2,2,2),(4,(2,3),4)):((32,8,0,4),(1,(16,512),128))
  // C: (64,96):(1,64)
  float* tCgC = C + thr % 2 + thr / 2 % 2 * 128 + thr / 4 % 2 * 512 + thr / 8 % 2 * 8 + thr / 16 * 4;  // (thr, (val, MMA_M, MMA_N)) -> (((2,2),2,2,2),((2,2,2),4,6)):(((1,128),512,8,4),((64,2,256),16,1024))
  unsigned tCrA[8];  // (val, MMA_M, MMA_K): (4,4,4):(1,4,0), 2 a register
  unsigned tCrB[12];  // (val, MMA_N, MMA_K): (4,(2,3),4):(1,(4,8),0)
  float tCrC[192] = {};  // (val, MMA_M, MMA_N): ((2,2,2),4,6):((1,2,4),8,32)

  // Step 1: tile k_tile of A and B from global to shared memory.
  const auto copy_tile = [&](int k_tile, int stage) {
    unsigned short* sA_write = sA;
#pragma unroll
    for (int copy = 0; copy < 32; ++copy) {
      *reinterpret_cast<unsigned short*>(sA_write + tAsA + copy % 2 * 544 + copy / 2) = *reinterpret_cast<const unsigned short*>(tAgA + copy * 32);
    }
    unsigned short* sB_write = sB;
#pragma unroll
    for (int copy = 0; copy < 6; ++copy) {
      *reinterpret_cast<uint4*>(sB_write + tBsB + copy % 3 * 512 + copy / 3 * 256) = *reinterpret_cast<const uint4*>(tBgB + copy % 3 * 32 + copy / 3 * 768);
    }
  };

  // Step 2: this thread's fragments of k-block k from shared memory to registers.
  const auto load_fragments = [&](int stage, int k) {
    const unsigned short* sA_read = sA;
#pragma unroll
    for (int copy = 0; copy < 4; ++copy) {
#pragma unroll
      for (int word = 0; word < 2; ++word) {
        unsigned packed = 0;  // 2 elements of f16
#pragma unroll
        for (int part = 0; part < 2; ++part) {
          const int load = word * 2 + part;
          packed |= (unsigned)*reinterpret_cast<const unsigned short*>(sA_read + tCsA + load * 17 + copy * 272 + k * 4) << (part * 16);
        }
        tCrA[word + copy * 2] = packed;
      }
    }
    const unsigned short* sB_read = sB;
#pragma unroll
    for (int copy = 0; copy < 6; ++copy) {
#pragma unroll
      for (int load = 0; load < 1; ++load) {
        const uint2 words = *reinterpret_cast<const uint2*>(sB_read + tCsB + copy % 2 * 16 + copy / 2 * 512 + k * 128);
        tCrB[copy * 2] = words.x;
        tCrB[1 + copy * 2] = words.y;
      }
    }
  };

  // Step 3: C += A B^T for k-block k.
  const auto multiply = [&](int k) {
#pragma unroll
    for (int m = 0; m < 4; ++m) {
#pragma unroll
      for (int i = 0; i < 6; ++i) {
        const int n = m % 2 == 0 ? i : 5 - i;  // back and forth: neighbours share a fragment of A or B
        mma(&tCrC[m * 8 + n * 32], &tCrA[m * 2], &tCrB[n * 2]);
      }
    }
  };

  for (int k_tile = 0; k_tile < 1; ++k_tile) {
    copy_tile(k_tile, 0);
    __syncthreads();  // the tile is there
    for (int k = 0; k < 4; ++k) {
      load_fragments(0, k);
      multiply(k);
    }
    __syncthreads();  // the tile is no longer needed
  }

  // Step 4: C = alpha * accumulator + beta * C.
  // store_order: (1,192):(0,1), 1 elements at once
#pragma unroll
  for (int store = 0; store < 192; ++store) {
    float* c = tCgC + store % 2 * 64 + store / 2 % 2 * 2 + store / 4 % 2 * 256 + store / 8 % 4 * 16 + store / 32 * 1024;
    float out[1];
#pragma unroll
    for (int j = 0; j < 1; ++j) {
      out[j] = alpha * tCrC[store];
      if (beta != 0.0f) out[j] += beta * c[j];
    }
    *c = out[0];
  }
}

// article_gemm: the definition of C = alpha * A B^T + beta * C.
// Conversions between memory types and float (PTX ISA: cvt).
__device__ __forceinline__ float f16_to_float(unsigned short x) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
  return r;
}
__device__ __forceinline__ unsigned short float_to_f16(float x) {
  unsigned short r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  return r;
}
__device__ __forceinline__ float bf16_to_float(unsigned short x) { return __uint_as_float((unsigned)x << 16); }
__device__ __forceinline__ unsigned short float_to_bf16(float x) {
  unsigned r = __float_as_uint(x);
  if ((r & 0x7fffffffU) > 0x7f800000U) return 0x7fff;             // NaN stays NaN
  return (unsigned short)((r + 0x7fffU + (r >> 16 & 1U)) >> 16);  // to nearest, ties to even
}
__device__ __forceinline__ float float_to_tf32(float x) {
  const unsigned r = __float_as_uint(x);
  if ((r & 0x7fffffffU) > 0x7f800000U) return x;
  return __uint_as_float((r + 0xfffU + (r >> 13 & 1U)) & 0xffffe000U);  // to nearest, ties to even
}
// Rounds to odd: a second rounding to fewer bits then gives what one rounding would have given.
__device__ __forceinline__ float double_to_float_odd(double x) {
  const float r = __double2float_rz(x);
  return (double)r == x ? r : __uint_as_float(__float_as_uint(r) | 1U);
}

extern "C" __global__ void reference_article_gemm(const unsigned short* A, const unsigned short* B, float* C, float alpha, float beta) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 6144LL) return;
  const long long m = i / 96, n = i % 96;
  double sum = 0;
  for (long long k = 0; k < 16; ++k) {
    sum += (double)(f16_to_float(A[m + k * 64])) * (double)(f16_to_float(B[n + k * 96]));
  }
  float* c = C + m + n * 64;
  const double out = alpha * sum + (beta != 0.0f ? (double)beta * *c : 0.0);
  *c = (float)out;
}

#define CHECK(call)                                                                          \
  if (const cudaError_t e = (call)) {                                                        \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                          \
    std::exit(1);                                                                            \
  }

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main() {
  std::vector<unsigned short> a(1024LL);
  std::vector<unsigned short> b(1536LL);
  std::vector<float> c(6144LL);
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 9 - 4; };
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)(next());
  unsigned short* A = to_device(a);
  unsigned short* B = to_device(b);
  float* C = to_device(c);
  float* R = to_device(c);
  CHECK(cudaFuncSetAttribute(gemm_article_gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 6144));
  gemm_article_gemm<<<1, 32, 6144>>>(A, B, C, (float)2, (float)-1);
  CHECK(cudaGetLastError());
  reference_article_gemm<<<24, 256>>>(A, B, R, (float)2, (float)-1);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> got(c.size()), want(c.size());
  CHECK(cudaMemcpy(got.data(), C, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(want.data(), R, want.size() * sizeof(float), cudaMemcpyDeviceToHost));
  long long wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
  std::printf("%lld of %zu elements differ from the definition\n", wrong, got.size());
  return wrong != 0;
}
