// SPDX-License-Identifier: BSD-3-Clause
// Dumps in device code: dump.py compiles it, runs it on a GPU of sm_90 and compares its lines.
#define TESSERA_DUMP_BYTES 2048
#include <tessera/dump.hpp>

#include <cuda_runtime.h>
#include <cstdio>

using namespace cute;

struct Traits {
  static constexpr int stages = 5;  // no variable of device code
};

template <class Tma>
__global__ void kernel(half_t const* data, __grid_constant__ Tma const tma) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto sA_layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{});
  Tensor sA = make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(memory)), sA_layout);
  Tensor gA = make_tensor(make_gmem_ptr(data), make_shape(8, Int<8>{}));
  auto mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  TESSERA_DUMP(sA_layout);
  TESSERA_DUMP(sA);
  TESSERA_DUMP(mma);
  TESSERA_DUMP(Traits::stages);
  TESSERA_DUMP_VALUES(gA, 6);
  TESSERA_DUMP(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{});
  TESSERA_DUMP(tma);
  Tensor mA = tma.get_tma_tensor(make_shape(512, 256));
  TESSERA_DUMP(local_tile(mA, Shape<_64, _64>{}, make_coord(2, 1)));
  for (int i = 0; i < 3; ++i) TESSERA_DUMP(i);  // one line
  if (threadIdx.x >= 128) {                     // threads that the first one of the block is not among
    auto thr_mma = mma.get_slice(threadIdx.x - 128);
    TESSERA_DUMP(thr_mma);
    Tensor tCsA = thr_mma.partition_A(sA);
    TESSERA_DUMP(tCsA);
    Tensor accumulators = partition_fragment_C(mma, Shape<_64, _64>{});
    fill(accumulators, 0.1f);
    TESSERA_DUMP_VALUES(accumulators, 2);
  }
  Tensor many = make_tensor<float>(Shape<_512>{});
  fill(many, 1.25f);
  TESSERA_DUMP_VALUES(many, 512);  // too long for the line
}

int main() {
  half_t host[64];
  for (int i = 0; i < 64; ++i) host[i] = half_t(0.5f * static_cast<float>(i));
  host[4] = half_t(-INFINITY);
  half_t* data = nullptr;
  if (cudaMalloc(&data, 512 * 256 * sizeof(half_t)) != cudaSuccess) return std::puts("skipped: no GPU"), 77;
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  auto gmem = make_tensor(make_gmem_ptr(data), make_layout(make_shape(512, 256), LayoutRight{}));
  auto tma = make_tma_copy(SM90_TMA_LOAD{}, gmem, tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
  TESSERA_DUMP(tma);
  TESSERA_DUMP_VALUES(gmem, 4);  // the device's memory, from the host
  kernel<<<3, 256, 64 * 64 * sizeof(half_t)>>>(data, tma);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return std::printf("%s\n", cudaGetErrorString(error)), 1;
  return 0;
}
