// SPDX-License-Identifier: BSD-3-Clause
// Random GEMMs, and the tiles of one CTA as their plan and the partitions of its MMA have them.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/gemm/plan/gemm_plan.hpp"
#include "tests/pictures/owners.hpp"

namespace tessera::pictures::owned {

struct GemmTile {
  Operand operand = Operand::a;
  std::string name;  // "sA", "gC"
  Tile owners;
  AnyLayout layout;                      // (row, col) -> element offset
  Int shared_bits = 0, byte_offset = 0;  // shared_bits: of an element; 0: not in shared memory
  Int offset_of(Int row, Int col) const { return evaluate(layout, row + owners.rows * col); }
};

struct SomeGemm {
  std::string text;
  SomeMma mma;
  std::shared_ptr<const GemmPlan> plan;
  std::array<Int, 3> extent{}, blk{};  // M, N, K, of the problem and of a CTA
  std::array<GemmTile, 3> tiles;       // A, B, C
};
inline const GemmPlan& plan_of(const SomeGemm& gemm) { return *gemm.plan; }

// Of any instruction that GEMMs are made of; tiles of at most so many cells each.
SomeGemm some_gemm(attack::Dice& dice, Int most_cells);

}  // namespace tessera::pictures::owned
