// SPDX-License-Identifier: BSD-3-Clause
// A kernel as one that learns CuTe writes it: most of it can be read, some of it rests on what is not said, some is refused.
#pragma once

namespace tessera::test {

inline constexpr const char* kSourceKernel = R"(#include <cute/tensor.hpp>
using namespace cute;

// C = A * B^T, one block a tile of 128x128.
__global__ void __launch_bounds__(128)
gemm_device(half_t const* A, half_t const* B, float* C, int M, int N, int K)
{
  auto bM = Int<128>{};
  auto bN = Int<128>{};
  auto bK = Int<32>{};
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(K, Int<1>{}));   // (M,K)
  Tensor mB = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(K, Int<1>{}));   // (N,K)
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(N, Int<1>{}));   // (M,N)

  auto cta_tiler = make_shape(bM, bN, bK);
  auto cta_coord = make_coord(blockIdx.x, blockIdx.y, _);                // (m,n,k)
  Tensor gA = local_tile(mA, cta_tiler, cta_coord, Step<_1, X, _1>{});   // (BLK_M,BLK_K,k)
  Tensor gB = local_tile(mB, cta_tiler, cta_coord, Step<X, _1, _1>{});   // (BLK_N,BLK_K,k)
  Tensor gC = local_tile(mC, cta_tiler, cta_coord, Step<_1, _1, X>{});   // (BLK_M,BLK_N)

  auto sA_layout = make_layout(make_shape(bM, bK), make_stride(bK, Int<1>{}));
  auto sB_layout = make_layout(make_shape(bN, bK), make_stride(bK, Int<1>{}));
  __shared__ half_t smemA[cosize_v<decltype(sA_layout)>];
  __shared__ half_t smemB[cosize_v<decltype(sB_layout)>];
  Tensor sA = make_tensor(make_smem_ptr(smemA), sA_layout);              // (BLK_M,BLK_K)
  Tensor sB = make_tensor(make_smem_ptr(smemB), sB_layout);              // (BLK_N,BLK_K)

  TiledCopy copyA = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                                    Layout<Shape<_64, _4>, Stride<_4, _1>>{},
                                    Layout<Shape<_1, _8>>{});
  auto thr_copy = copyA.get_slice(threadIdx.x);
  Tensor tAgA = thr_copy.partition_S(gA);                                // (CPY,CPY_M,CPY_K,k)
  Tensor tAsA = thr_copy.partition_D(sA);                                // (CPY,CPY_M,CPY_K)

  TiledMMA mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto thr_mma = mma.get_slice(threadIdx.x);
  Tensor tCsA = thr_mma.partition_A(sA);                                 // (MMA,MMA_M,MMA_K)
  Tensor tCsB = thr_mma.partition_B(sB);                                 // (MMA,MMA_N,MMA_K)
  Tensor tCgC = thr_mma.partition_C(gC);                                 // (MMA,MMA_M,MMA_N)
  Tensor tCrC = thr_mma.make_fragment_C(tCgC);
  clear(tCrC);

  auto odd = my_epilogue(tCrC);
  auto k_tiles = size<3>(tAgA);
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    copy(copyA, tAgA(_, _, _, k_tile), tAsA);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    gemm(mma, tCsA, tCsB, tCrC);
    __syncthreads();
  }
  copy(tCrC, tCgC);
}
)";

}  // namespace tessera::test
