# SPDX-License-Identifier: BSD-3-Clause
"""TMA and wgmma in the CuTe DSL, with a tile from the command line, helpers' layouts and sizes that are known at run time only."""
import argparse
from dataclasses import dataclass
from typing import Tuple

import cutlass
import cutlass.cute as cute
import cutlass.utils.hopper_helpers as sm90_utils
import torch
from cutlass.cute.nvgpu import cpasync, warpgroup
from cutlass.cute.runtime import from_dlpack


@dataclass
class Stages:
    a: int
    b: int


class HopperGemm:
    def __init__(self, tile: Tuple[int, int], stages: Stages) -> None:
        self.tile_shape_mnk = (*tile, 64)
        self.stages = stages

    @cute.jit
    def __call__(self, mA: cute.Tensor, mB: cute.Tensor):
        self.tiled_mma = sm90_utils.make_trivial_tiled_mma(
            cutlass.BFloat16,
            cutlass.BFloat16,
            warpgroup.OperandMajorMode.K,
            warpgroup.OperandMajorMode.K,
            cutlass.Float32,
            (2, 1, 1),
            tiler_mn=(64, self.tile_shape_mnk[1]),
        )
        layouts = [self.smem_layout(mode, count) for mode, count in ((0, self.stages.a), (1, self.stages.b))]
        a_smem_layout, b_smem_layout = layouts
        tma_atom_a, tma_tensor_a = cpasync.make_tiled_tma_atom(
            cpasync.CopyBulkTensorTileG2SOp(),
            mA,
            cute.slice_(a_smem_layout, (None, None, 0)),
            (self.tile_shape_mnk[0], self.tile_shape_mnk[2]),
        )
        self.kernel(tma_atom_a, tma_tensor_a, a_smem_layout, b_smem_layout, self.tiled_mma).launch(grid=(1, 1, 1), block=(256, 1, 1))

    def smem_layout(self, mode: int, stages: int) -> cute.ComposedLayout:
        kind = warpgroup.SmemLayoutAtomKind.K_SW128
        atom = warpgroup.make_smem_layout_atom(kind, cutlass.BFloat16)
        rows, columns = self.tile_shape_mnk[mode], self.tile_shape_mnk[2]
        return cute.tile_to_shape(atom, (rows, columns, stages), order=(0, 1, 2))

    @cute.kernel
    def kernel(
        self,
        tma_atom_a: cute.CopyAtom,
        mA: cute.Tensor,
        a_smem_layout: cute.ComposedLayout,
        b_smem_layout: cute.ComposedLayout,
        tiled_mma: cute.TiledMma,
    ):
        smem = cutlass.utils.SmemAllocator()
        sA = smem.allocate_tensor(cutlass.BFloat16, a_smem_layout.outer, byte_alignment=1024, swizzle=a_smem_layout.inner)
        gA = cute.local_tile(mA, (self.tile_shape_mnk[0], self.tile_shape_mnk[2]), (None, None))
        tAsA, tAgA = cpasync.tma_partition(tma_atom_a, 0, cute.make_layout(1), cute.group_modes(sA, 0, 2), cute.group_modes(gA, 0, 2))
        thr_mma = tiled_mma.get_slice(0)
        tCsA = thr_mma.partition_A(sA)
        tCrA = tiled_mma.make_fragment_A(tCsA)
        accumulators = cute.make_rmem_tensor(thr_mma.partition_shape_C(self.tile_shape_mnk[:2]), cutlass.Float32)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile", type=int, nargs=2, default=[128, 256])
    options = parser.parse_args()
    a, b = (torch.randn(512, 256, dtype=torch.bfloat16, device="cuda") for _ in range(2))
    gemm = HopperGemm(tuple(options.tile), Stages(4, 3))
    cute.compile(gemm, from_dlpack(a, assumed_align=16).mark_layout_dynamic(leading_dim=1), from_dlpack(b, assumed_align=16))


if __name__ == "__main__":
    main()
