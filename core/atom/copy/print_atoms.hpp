// SPDX-License-Identifier: BSD-3-Clause
// Atoms and tiled objects in the spellings of other tools; core/layout/print.hpp has layouts.
//
//   tessera     make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (_,_,_))
//   cute_print  the lines of CuTe's print(): layouts, and no name
//   cute_cpp    TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>,Layout<Shape<_2,_2,_1>,Stride<_1,_2,_0>>,Tile<...>>
//   cute_dsl    cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)), ...)
//
// Refused: cute_dsl of an instruction for which no name in the DSL is known (dsl_ops.hpp).
#pragma once

#include <string>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/layout/print.hpp"

namespace tessera {

Result<std::string> print(const MmaAtom& atom, Spelling spelling);
Result<std::string> print(const CopyAtom& atom, Spelling spelling);
Result<std::string> print(const TiledMma& mma, Spelling spelling);
Result<std::string> print(const TiledCopy& copy, Spelling spelling);

}  // namespace tessera
