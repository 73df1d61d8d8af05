// Build and run: nvcc -std=c++17 -arch=sm_70 FILE.cu && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_fp16.h>

// article_gemm: C = alpha * A B^T + beta * C with 64 x 96 x 16 elements (M x N x K). Made from the plan that
// stands here.
//
// Preconditions
//   launch        1 CTA of 32 threads, 6144 bytes of dynamic shared memory each
//   architecture  sm_70 or later
//   A             1024 elements of f16, 2048 bytes, at a multiple of 2 bytes
//   B             1536 elements of f16, 3072 bytes, at a multiple of 16 bytes
//   C             6144 elements of f32, 24576 bytes, at a multiple of 4 bytes
//   alpha, beta   2 and -1
//
// Problem
//   problem    64 x 96 x 16   M x N x K elements
//   mma        SM70_8x8x4_F32F16F16F32_NT   (2,2,1):(2,1,0) as (_,_,_); needs sm_70
//   cta_tiler  (64,96,16)   1 x 1 CTAs, 1 k-tile, 1 stage
//   threads    32   ((4,2),2,2,1):((1,16),8,4,0)  (V,M,N,K) -> thread
//   cta_raster (1,1,1):(1@0,1@1,1@0)   block -> (m_tile, n_tile)
//   smem       6144   bytes a CTA
//
// Tensors
//   gA         (64,16):(1,64)   (m,k) -> element of f16; 2048 bytes
//   sA         (64,16):(17,1)   (m,k) -> element of f16; 2176 bytes a stage, at byte 0
//   gB         (96,16):(1,96)   (n,k) -> element of f16; 3072 bytes
//   sB         ((32,3),16):((1,512),32)   (n,k) -> element of f16; 3072 bytes a stage, at byte 3072
//   gC         (64,96):(1,64)   (m,n) -> element of f32; 24576 bytes
//
// Global -> shared
//   tAgA       (32,(1,(1,(2,16)))):(1,(0,(0,(32,64))))
//              (thr, (vec, copy)) -> element of the tile of gA; UniversalCopy<uint16_t>, 1 element = 2 bytes
//              at once
//   tAsA       (32,(1,(1,(2,16)))):(17,(0,(0,(544,1))))   (thr, (vec, copy)) -> element of the stage of sA
//   tBgB       ((4,8),(8,(1,(3,2)))):((8,96),(1,(0,(32,768))))
//              (thr, (vec, copy)) -> element of the tile of gB; UniversalCopy<uint128_t>, 8 elements = 16
//              bytes at once
//   tBsB       (32,(8,(1,(3,2)))):(8,(1,(0,(512,256))))   (thr, (vec, copy)) -> element of the stage of sB
//
// Shared -> registers
//   tCsA       ((4,2,2,2),(4,4,4)):((1,0,136,68),(17,272,4))
//              (thr, (val, MMA_M, MMA_K)) -> element of the stage of sA; DefaultCopy, 1 element = 2 bytes at
//              once
//   tCrA       (4,4,4):(1,4,0)   (val, MMA_M, MMA_K) -> register element of f16
//   tCsB       ((4,2,2,2),(4,(2,3),4)):((32,8,0,4),(1,(16,512),128))
//              (thr, (val, MMA_N, MMA_K)) -> element of the stage of sB; DefaultCopy, 4 elements = 8 bytes at
//              once
//   tCrB       (4,(2,3),4):(1,(4,8),0)   (val, MMA_N, MMA_K) -> register element of f16
//
// Multiply
//   tCsA       (4,4,4):(17,272,4)   (val, MMA_M, MMA_K) -> element of the stage of sA; thread 0's slice
//   tCsB       (4,(2,3),4):(1,(16,512),128)
//              (val, MMA_N, MMA_K) -> element of the stage of sB; thread 0's slice
//   tCrC       ((2,2,2),4,6):((1,2,4),8,32)   (val, MMA_M, MMA_N) -> register element of f32; 96 mma a k-tile
//
// Store
//   tCgC       ((2,2,2),4,6):((64,2,256),16,1024)
//              (val, MMA_M, MMA_N) -> element of the tile of gC; thread 0's slice
//   tDrC       (1,192):(0,1)   (vec, store) -> register element of f32; alpha 2, beta -1
//   tDrD       1:1   (vec) -> register element of f32
//   tDgC       (((2,2),2,2,2),(1,(2,2,2,4,6))):(((1,128),512,8,4),(0,(64,2,256,16,1024)))
//              (thr, (vec, store)) -> element of the tile of gC

typedef unsigned short half_t;  // 16 bits of fp16
constexpr int M = 64, N = 96, K = 16;                            // elements
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 16, THREADS = 32;  // of a CTA
constexpr int MMA_M = 4, MMA_N = 6, MMA_K = 4;                   // atoms of a thread in that tile
constexpr int LDB = N, LDC = M;  // elements from a row (or column) to the next
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned pack16(unsigned short low, unsigned short high);
__device__ void mma(float* d, const unsigned* a, const unsigned* b);

extern "C" __global__ void __launch_bounds__(THREADS)
gemm_article_gemm(const half_t* __restrict__ A, const half_t* __restrict__ B, float* __restrict__ C,
                  float alpha, float beta) {
  extern __shared__ __align__(1024) unsigned char smem[];
  half_t* sA = reinterpret_cast<half_t*>(smem);         // (BLK_M,BLK_K)
  half_t* sB = reinterpret_cast<half_t*>(smem + 3072);  // (BLK_N,BLK_K), at the next multiple of 1024 bytes

  const int thr = threadIdx.x;

  // Partitions: where this thread begins, and the extents that its loops walk.
  const half_t* tAgA = A + thr;                          // (vec, copy): (1,32)
  const half_t* tBgB = B + thr % 4 * 8 + thr / 4 * LDB;  // (vec, copy): (8,6)
  // (vec, store): (1,192)
  float* tDgC =
      C + thr % 2 + thr / 2 % 2 * (2 * LDC) + thr / 4 % 2 * (8 * LDC) + thr / 8 % 2 * 8 + thr / 16 * 4;
  const int tAsA = thr * 17;                                       // (vec, copy): (1,32)
  const int tCsA = thr % 4 + thr / 8 % 2 * 136 + thr / 16 * 68;    // (val, MMA_M, MMA_K): (4,4,4)
  const int tBsB = thr * 8;                                        // (vec, copy): (8,6)
  const int tCsB = thr % 4 * 32 + thr / 4 % 2 * 8 + thr / 16 * 4;  // (val, MMA_N, MMA_K): (4,6,4)

  // Fragments: registers of this thread.
  unsigned tCrA[8];      // (val, MMA_M, MMA_K): (4,4,4), 2 elements each
  unsigned tCrB[12];     // (val, MMA_N, MMA_K): (4,6,4), 2 elements each
  float tCrC[192] = {};  // (val, MMA_M, MMA_N): (8,4,6)

  // The tile of A and B from global to shared memory.
  const auto copy_tile = [&]() {
    #pragma unroll
    for (int copy = 0; copy < 32; ++copy) {
      sA[tAsA + copy % 2 * 544 + copy / 2] = tAgA[copy * 32];
    }
    #pragma unroll
    for (int copy = 0; copy < 6; ++copy) {
      *reinterpret_cast<uint4*>(sB + tBsB + copy % 3 * 512 + copy / 3 * 256) =
          *reinterpret_cast<const uint4*>(tBgB + copy % 3 * 32 + copy / 3 * (8 * LDB));
    }
  };

  // This thread's fragments of the k-block k from shared memory to registers.
  const auto load_fragments = [&](int k) {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int word = 0; word < 2; ++word) {
        tCrA[m * 2 + word] =
            pack16(sA[tCsA + m * 272 + k * 4 + word * 34], sA[tCsA + m * 272 + k * 4 + word * 34 + 17]);
      }
    }
    #pragma unroll
    for (int n = 0; n < MMA_N; ++n) {
      const uint2 wordsB = *reinterpret_cast<const uint2*>(sB + tCsB + n % 2 * 16 + n / 2 * 512 + k * 128);
      tCrB[n * 2] = wordsB.x;
      tCrB[n * 2 + 1] = wordsB.y;
    }
  };

  // C += A B^T for the k-block.
  const auto multiply = [&]() {
    #pragma unroll
    for (int m = 0; m < MMA_M; ++m) {
      #pragma unroll
      for (int i = 0; i < MMA_N; ++i) {
        const int n = m % 2 == 0 ? i : MMA_N - 1 - i;  // back and forth: neighbours share a fragment
        mma(&tCrC[m * 8 + n * 32], &tCrA[m * 2], &tCrB[n * 2]);
      }
    }
  };

  // The tile of K.
  copy_tile();
  __syncthreads();  // the tile is there
  for (int k = 0; k < MMA_K; ++k) {
    load_fragments(k);
    multiply();
  }

  // Epilogue: from the accumulators to C.
  #pragma unroll
  for (int store = 0; store < 192; ++store) {
    float* c = tDgC + store % 2 * LDC + store / 2 % 2 * 2 + store / 4 % 2 * (4 * LDC) + store / 8 % 4 * 16
        + store / 32 * (16 * LDC);
    const float tDrD = alpha * tCrC[store] + beta * *c;
    *c = tDrD;
  }
}

// Two elements of 16 bits in a register.
__device__ __forceinline__ unsigned pack16(unsigned short low, unsigned short high) {
  return (unsigned)low | (unsigned)high << 16;
}

// d += a * b: SM70_8x8x4_F32F16F16F32_NT
__device__ __forceinline__ void mma(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "
               "{%0, %1, %2, %3, %4, %5, %6, %7};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
                 "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
}

namespace definition {

// article_gemm: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.
typedef unsigned short half_t;  // 16 bits of fp16
__device__ float f16_to_float(half_t x);

extern "C" __global__ void reference_article_gemm(const half_t* A, const half_t* B, float* C, float alpha,
    float beta, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 6144LL) return;
  const long long m = i / 96, n = i % 96;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 16; ++k) {
    const double product = (double)f16_to_float(A[m + k * 64]) * (double)f16_to_float(B[n + k * 96]);
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  float* c = C + m + n * 64;
  const double out = alpha * sum + (double)beta * *c;
  *c = (float)out;
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

__device__ __forceinline__ float f16_to_float(half_t x) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
  return r;
}

}  // namespace definition

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Whole units of 16 bytes: a copy that takes only the first bytes of its 16 may end behind the last row,
// which compute-sanitizer counts as a read.
template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  check(cudaMalloc(&device, (host.size() * sizeof(T) + 15) / 16 * 16), "allocating");
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copying");
  return device;
}

template <class T>
std::vector<T> to_host(const T* device, std::size_t size) {
  std::vector<T> host(size);
  check(cudaMemcpy(host.data(), device, size * sizeof(T), cudaMemcpyDeviceToHost), "copying back");
  return host;
}

// -1, 0 and 1, and factors that are powers of two: sums are exact in any order, so every element of C must
// equal the definition's.
int main() {
  const auto kernel = gemm_article_gemm;
  const auto reference = definition::reference_article_gemm;
  const float alpha = 2, beta = -1;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<half_t> a(1024LL);
  std::vector<half_t> b(1536LL);
  std::vector<float> c(6144LL);
  for (auto& x : a) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : b) x = __half_as_ushort(__int2half_rn(next()));
  for (auto& x : c) x = (float)next();
  half_t* const A = to_device(a);
  half_t* const B = to_device(b);
  float* const C = to_device(c);
  float* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 6144), "shared memory");
  kernel<<<1, 32, 6144>>>(A, B, C, alpha, beta);
  check(cudaGetLastError(), "launching");
  reference<<<24, 256>>>(A, B, R, alpha, beta, nullptr);
  check(cudaDeviceSynchronize(), "running");
  const std::vector<float> got = to_host(C, c.size()), want = to_host(R, c.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[i];
  std::printf("%zu of %zu elements differ from the definition\n", wrong, got.size());
  return wrong != 0;
}
