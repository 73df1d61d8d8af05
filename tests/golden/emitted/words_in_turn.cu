// Build and run: nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a FILE.cu -lcuda && ./a.out
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cstring>
#include <cuda.h>

// words_in_turn: C = A B^T with 128 x 128 x 384 elements (M x N x K). Made from the plan that stands here.
//
// Preconditions
//   launch        2 CTAs of 384 threads in clusters of 2, 65568 bytes of dynamic shared memory each
//   architecture  sm_90a
//   mA            49152 elements of s8 in rows of 384 bytes, at a multiple of 16 bytes; boxes of 64 x 128,
//     swizzled by 128 bytes
//   mB            49152 elements of u8 in rows of 384 bytes, at a multiple of 16 bytes; boxes of 32 x 128,
//     swizzled by 128 bytes
//   mC            16384 elements of s32 in rows of 512 bytes, at a multiple of 16 bytes; boxes of 64 x 32,
//     swizzled by 128 bytes
//   alpha, beta   1 and 0
//
constexpr int M = 128, N = 128, K = 384;                           // elements
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 128, THREADS = 384;  // of a CTA
constexpr int K_TILES = K / BLK_K, STAGES = 2;  // tiles of K; tiles in shared memory at once
constexpr int MMA_K = 4;
// elements from a stage to the next
constexpr int SA_STAGE = BLK_M * BLK_K, SB_STAGE = BLK_N * BLK_K, SC_STAGE = 64 * 32 * 2;
constexpr int STAGE_BYTES = SA_STAGE + SB_STAGE;  // bytes of a stage of A and one of B
// CTAs of a cluster along M and N; clusters of the grid
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTERS = 1;
constexpr int CLUSTER_TILES = (M / BLK_M) * (N / BLK_N) / (CLUSTER_M * CLUSTER_N);
static_assert(M % BLK_M == 0 && N % BLK_N == 0 && K % BLK_K == 0, "the tiles cover the problem");

// Defined below the kernel.
__device__ unsigned smem_address(const void* pointer);
__device__ void mbarrier_init(unsigned barrier, int arrivals);
__device__ void fence_mbarrier_init();
__device__ void mbarrier_expect(unsigned barrier, int bytes);
__device__ void mbarrier_arrive_at(unsigned barrier, unsigned cta);
__device__ void mbarrier_wait(unsigned barrier, int phase);
__device__ unsigned cluster_rank();
__device__ void cluster_sync();
__device__ void tma_load(unsigned to, const TensorMap* map, int column, int row, unsigned barrier);
__device__ void tma_load_multicast(unsigned to, const TensorMap* map, int column, int row, unsigned barrier,
    unsigned short ctas);
__device__ void tma_store(const TensorMap* map, int column, int row, unsigned from);
__device__ void tma_store_commit();
template <int PENDING> __device__ void tma_store_wait_read();
template <int PENDING> __device__ void tma_store_wait();
__device__ void fence_async_proxy();
__device__ void wgmma_fence();
__device__ void wgmma_commit();
template <int PENDING> __device__ void wgmma_wait();
template <int STRIDE_BYTES,
    int SWIZZLE_BYTES> __device__ unsigned long long smem_descriptor(unsigned address);
__device__ void keep_word_in_order(unsigned& value);
template <int COUNT> __device__ void raise_registers();
template <int COUNT> __device__ void lower_registers();
__device__ void named_barrier_sync(int id, int threads);
__device__ void named_barrier_arrive(int id, int threads);
template <int B, int M, int S> __device__ int swizzle(int offset);
__device__ void wgmma(unsigned* d, unsigned long long a, unsigned long long b, int accumulate);

extern "C" __global__ void __cluster_dims__(CLUSTER_M * CLUSTER_N, 1, 1) __launch_bounds__(THREADS, 1)
gemm_words_in_turn(const __grid_constant__ TensorMap mA, const __grid_constant__ TensorMap mB,
    const __grid_constant__ TensorMap mC, float /*alpha*/, float /*beta*/) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const unsigned sA = smem_address(smem);                         // (BLK_M,BLK_K,STAGES)
  const unsigned sB = smem_address(smem) + STAGES * SA_STAGE;     // (BLK_N,BLK_K,STAGES)
  const unsigned sC = smem_address(smem) + STAGES * STAGE_BYTES;  // (64,(32,2)) of C on their way out
  // an mbarrier a stage: a phase ends with 1 arrival and STAGE_BYTES
  const unsigned full = smem_address(smem) + STAGES * STAGE_BYTES + 2 * (SC_STAGE * 4);
  // an mbarrier a stage: a phase ends with 2 arrivals
  const unsigned empty = smem_address(smem) + STAGES * STAGE_BYTES + 2 * (SC_STAGE * 4) + 8 * STAGES;

  const int thr = threadIdx.x;
  const int cluster = blockIdx.x / (CLUSTER_M * CLUSTER_N), rank = cluster_rank();
  const int rank_m = rank;

  if (thr == 0) {
    #pragma unroll
    for (int stage = 0; stage < STAGES; ++stage) {
      mbarrier_init(full + 8 * stage, 1);
      mbarrier_init(empty + 8 * stage, 2);
    }
    fence_mbarrier_init();  // barriers are initialised before anybody arrives
  }
  cluster_sync();  // the barriers are initialised, in every CTA of the cluster

  const int warp = __shfl_sync(0xffffffff, thr / 32, 0);  // which all threads of the warp know
  if (warp < 8) {                                         // 2 of them: consumer 0 and 1
    const int consumer = warp / 4;
    // Partitions: where this thread begins, and the extents that its loops walk.
    // where this thread's pairs of neighbours begin in a box; one for each column, which the swizzle mixes in
    int tDsC[4];
    #pragma unroll
    for (int column = 0; column < 4; ++column) {
      tDsC[column] = swizzle<3,2,3>(thr % 4 * 2 + thr / 4 % 8 * 32 + thr / 32 * 512 + column * 8);
    }

    // Fragments: registers of this thread.
    unsigned tCrC[32] = {};  // (val, MMA_M, MMA_N): (32,1,1)
    int tDrD[16];            // (val): (16)

    int read = consumer, read_phase = consumer;  // a stage, and which of its two phases
    int box_stage = 0;                           // the next box to fill
    int m_tile = 0, n_tile = 0;

    raise_registers<232>();
    if (consumer == 1) {
      named_barrier_arrive(3 + (consumer + 1) % 2, 256);  // consumer 0 goes first
    }
    for (int t = consumer; cluster + t * CLUSTERS < CLUSTER_TILES; t += 2) {
      const int tile = cluster + t * CLUSTERS;
      m_tile = rank_m;  // tile -> (m, n), in clusters: (1,2,1):(1@0,1@1,1@0)
      n_tile = tile;
      named_barrier_sync(3 + consumer, 256);  // this warpgroup's turn to multiply
      for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
        mbarrier_wait(full + 8 * read, read_phase);  // the stage's operands have arrived
        if (k_tile == K_TILES - 1) {
          if (cluster + (t + 1) * CLUSTERS < CLUSTER_TILES) {
            named_barrier_arrive(3 + (consumer + 1) % 2, 256);  // the other's turn to multiply
          }
        }
        wgmma_fence();  // registers of the sums are in order before wgmma takes them
        #pragma unroll
        for (int k = 0; k < MMA_K; ++k) {
          wgmma(&tCrC[0], smem_descriptor<1024, 128>(sA + read * SA_STAGE + k * 32), smem_descriptor<1024,
              128>(sB + read * SB_STAGE + k * 32), k_tile > 0 || k > 0);
        }
        wgmma_commit();
        wgmma_wait<1>();  // the k-tile before this one is multiplied
        if (k_tile >= 1) {
          if (thr % 128 < CLUSTER_M * CLUSTER_N) {  // nobody here reads the stage before this one any more
            const int before = read == 0 ? STAGES - 1 : read - 1;
            mbarrier_arrive_at(empty + 8 * before, thr % 128);
          }
        }
        read_phase ^= read == STAGES - 1 ? 1 : 0;
        read = read == STAGES - 1 ? 0 : read + 1;
      }
      wgmma_wait<0>();                          // the tile is multiplied
      if (thr % 128 < CLUSTER_M * CLUSTER_N) {  // nobody here reads the stage before this one any more
        const int before = read == 0 ? STAGES - 1 : read - 1;
        mbarrier_arrive_at(empty + 8 * before, thr % 128);
      }
      read_phase ^= (read + K_TILES) / STAGES % 2;  // the other's tile lies between
      read = (read + K_TILES) % STAGES;
      #pragma unroll
      for (int box = 0; box < 2; ++box) {
        #pragma unroll
        for (int pair = 0; pair < 8; ++pair) {
          keep_word_in_order(tCrC[pair * 2 + box * 16]), keep_word_in_order(tCrC[pair * 2 + box * 16 + 1]);
          tDrD[2 * pair] = (int)tCrC[pair * 2 + box * 16];
          tDrD[2 * pair + 1] = (int)tCrC[pair * 2 + box * 16 + 1];
        }
        if (thr % 128 == 0) {
          tma_store_wait_read<1>();  // the store that had this box has read it
        }
        named_barrier_sync(1 + consumer, 128);  // the box is free
        #pragma unroll
        for (int pair = 0; pair < 8; ++pair) {
          *reinterpret_cast<int2*>(smem + 32768 + box_stage * (SC_STAGE * 4) + (tDsC[pair / 2]
              + (pair % 2) * 256) * 4) = make_int2(tDrD[2 * pair], tDrD[2 * pair + 1]);
        }
        fence_async_proxy();                    // what is written is seen by TMA
        named_barrier_sync(1 + consumer, 128);  // the box is whole
        if (thr % 128 == 0) {
          tma_store(&mC, n_tile * BLK_N + box * 32, m_tile * BLK_M, sC + box_stage * (SC_STAGE * 4)
              + consumer * 8192);
          tma_store_commit();
        }
        box_stage = box_stage == 1 ? 0 : box_stage + 1;
      }
    }
    if (thr % 128 == 0) {
      tma_store_wait<0>();  // C is written before the CTA leaves
    }
  } else {  // producer
    int write = 0, write_phase = 0;  // a stage, and which of its two phases
    int m_tile = 0, n_tile = 0;

    lower_registers<40>();
    if (thr == 256) {
      for (int t = 0; cluster + t * CLUSTERS < CLUSTER_TILES; ++t) {
        const int tile = cluster + t * CLUSTERS;
        m_tile = rank_m;  // tile -> (m, n), in clusters: (1,2,1):(1@0,1@1,1@0)
        n_tile = tile;
        for (int k_tile = 0; k_tile < K_TILES; ++k_tile) {
          mbarrier_wait(empty + 8 * write, write_phase ^ 1);  // every consumer has released the stage
          mbarrier_expect(full + 8 * write, STAGE_BYTES);     // the stage's bytes are announced
          tma_load(sA + write * SA_STAGE, &mA, k_tile * BLK_K, m_tile * BLK_M, full + 8 * write);
          // for the 2 CTAs that share it
          tma_load_multicast(sB + write * SB_STAGE + rank_m * 4096, &mB, k_tile * BLK_K, n_tile * BLK_N
              + rank_m * 32, full + 8 * write, 0x3);
          write_phase ^= write == STAGES - 1 ? 1 : 0;
          write = write == STAGES - 1 ? 0 : write + 1;
        }
      }
    }
  }
  cluster_sync();  // no CTA leaves while another may still signal it
}

// d += a * b, or d = a * b where accumulate is 0: SM90_64x64x32_S32S8U8_SS_TN
__device__ __forceinline__ void wgmma(unsigned* d, unsigned long long a, unsigned long long b,
    int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; "
               "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
               "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
               "%28, %29, %30, %31}, "
               "%32, %33, p; }"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
                 "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]),
                 "+r"(d[14]), "+r"(d[15]), "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]),
                 "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]), "+r"(d[25]), "+r"(d[26]), "+r"(d[27]),
                 "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
               : "l"(a), "l"(b), "r"(accumulate));
}

// words_in_turn: the definition of C = alpha * A B^T + beta * C.
// SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.

extern "C" __global__ void reference_words_in_turn(const signed char* A, const unsigned char* B, int* C,
    float alpha, float, float* SPREAD) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= 16384LL) return;
  const long long m = i / 128, n = i % 128;
  double sum = 0, least = 0, most = 0;
  for (long long k = 0; k < 384; ++k) {
    const double product = (double)(float)A[m * 384 + k] * (double)(float)B[n * 384 + k];
    sum += product;
    least = sum < least ? sum : least, most = sum > most ? sum : most;
  }
  int* c = C + m * 128 + n;
  const double out = alpha * sum;
  *c = __double2int_rn(out);
  if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);
}

int main() {
  const auto kernel = gemm_words_in_turn;
  const auto reference = definition::reference_words_in_turn;
  const float alpha = 1, beta = 0;
  unsigned state = 1;
  const auto next = [&] { return (int)((state = state * 1664525u + 1013904223u) >> 16) % 3 - 1; };
  std::vector<signed char> a(49152LL);
  std::vector<unsigned char> b(49152LL);
  std::vector<int> c(16384LL);
  for (auto& x : a) x = (signed char)next();
  for (auto& x : b) x = (unsigned char)next();
  for (auto& x : c) x = next();
  signed char* const A = to_device(a);
  unsigned char* const B = to_device(b);
  int* const C = to_device(c);
  int* const R = to_device(c);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65568), "shared memory");
  kernel<<<2, 384, 65568>>>(
      tensor_map(A, CU_TENSOR_MAP_DATA_TYPE_UINT8, 128, 384, 384, 64, 128),
      tensor_map(B, CU_TENSOR_MAP_DATA_TYPE_UINT8, 128, 384, 384, 32, 128),
      tensor_map(C, CU_TENSOR_MAP_DATA_TYPE_INT32, 128, 128, 512, 64, 32), alpha, beta);
  check(cudaGetLastError()

launch: 2 x 1 x 1 of 384 x 1 x 1, 65568 bytes; the definition: 64 of 256
buffers: 49152 s8 of 1 bytes, 49152 u8 of 1 bytes, 16384 s32 of 4 bytes; sums of s32; 12582912 operations; sm_90a
clusters of 2
mA: operand 0 of s8, 128 x 384, a row each 384 bytes, boxes of 64 x 128 under a swizzle of 128 bytes
mB: operand 1 of u8, 128 x 384, a row each 384 bytes, boxes of 32 x 128 under a swizzle of 128 bytes
mC: operand 2 of s32, 128 x 128, a row each 512 bytes, boxes of 64 x 32 under a swizzle of 128 bytes
blas: 128 x 128 x 384, A by rows of 384, B by rows of 384, C by rows of 128
