# SPDX-License-Identifier: BSD-3-Clause
"""A small GEMM in the CuTe DSL: what a trace of it holds is known by heart."""
import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack


class Gemm:
    def __init__(self, tile_m: int, tile_n: int, tile_k: int) -> None:
        self.cta_tiler = (tile_m, tile_n, tile_k)
        self.threads = 128

    @cute.jit
    def __call__(self, mA: cute.Tensor, mB: cute.Tensor, mC: cute.Tensor):
        tile_m, tile_n, tile_k = self.cta_tiler
        swizzle = cute.make_swizzle(3, 3, 3)
        sA_atom = cute.make_composed_layout(swizzle, 0, cute.make_layout((8, 64), stride=(64, 1)))
        sA_layout = cute.tile_to_shape(sA_atom, (tile_m, tile_k), order=(0, 1))
        sB_layout = cute.tile_to_shape(sA_atom, (tile_n, tile_k), order=(0, 1))
        operation = cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
        tiled_mma = cute.make_tiled_mma(operation, cute.make_layout((2, 2, 1)), permutation_mnk=(32, 32, 16))
        load = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), cutlass.Float16, num_bits_per_copy=128)
        tv_thr, tv_val = cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 8))
        gmem_copy = cute.make_tiled_copy_tv(load, tv_thr, tv_val)
        grid = (cute.ceil_div(cute.size(mC, mode=[0]), tile_m), cute.ceil_div(cute.size(mC, mode=[1]), tile_n), 1)
        self.kernel(mA, mB, mC, sA_layout, sB_layout, tiled_mma, gmem_copy).launch(grid=grid, block=(self.threads, 1, 1))

    @cute.kernel
    def kernel(
        self,
        mA: cute.Tensor,
        mB: cute.Tensor,
        mC: cute.Tensor,
        sA_layout: cute.ComposedLayout,
        sB_layout: cute.ComposedLayout,
        tiled_mma: cute.TiledMma,
        gmem_copy: cute.TiledCopy,
    ):
        thr_idx, _, _ = cute.arch.thread_idx()
        m_block, n_block, _ = cute.arch.block_idx()
        gA = cute.local_tile(mA, self.cta_tiler, (m_block, n_block, None), proj=(1, None, 1))
        gC = cute.local_tile(mC, self.cta_tiler, (m_block, n_block, None), proj=(1, 1, None))
        cC = cute.local_tile(cute.make_identity_tensor(mC.shape), (128, 128), (m_block, n_block))
        smem = cutlass.utils.SmemAllocator()
        sA = smem.allocate_tensor(cutlass.Float16, sA_layout, 16)
        sB = smem.allocate_tensor(cutlass.Float16, sB_layout, 16)
        thr_copy = gmem_copy.get_slice(thr_idx)
        tAgA, tAsA = thr_copy.partition_S(gA), thr_copy.partition_D(sA)
        thr_mma = tiled_mma.get_slice(thr_idx)
        tCrA = tiled_mma.make_fragment_A(thr_mma.partition_A(sA))
        tCrB = tiled_mma.make_fragment_B(thr_mma.partition_B(sB))
        tCgC = thr_mma.partition_C(gC)
        tCrC = tiled_mma.make_fragment_C(tCgC)
        matrix = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(False, 4), cutlass.Float16)
        copy_A = cute.make_tiled_copy_A(matrix, tiled_mma)
        tCrC.fill(0.0)
        for k_tile in range(cute.size(gA, mode=[2])):
            cute.copy(gmem_copy, tAgA[None, None, None, k_tile], tAsA)
            for k in cutlass.range_constexpr(cute.size(tCrA, mode=[2])):
                cute.gemm(tiled_mma, tCrC, tCrA[None, None, k], tCrB[None, None, k], tCrC)


def main() -> None:
    a, b, c = (torch.zeros(256, 256, dtype=torch.float16, device="cuda") for _ in range(3))
    gemm = Gemm(128, 128, 64)
    cute.compile(gemm, *(from_dlpack(each, assumed_align=16) for each in (a, b, c)))


if __name__ == "__main__":
    main()
