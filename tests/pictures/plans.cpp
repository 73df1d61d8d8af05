// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/plans.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"

namespace tessera::pictures::owned {

namespace {

constexpr std::array<std::array<std::size_t, 2>, 3> kModes = {{{0, 2}, {1, 2}, {0, 1}}};  // of M, N, K
constexpr std::array<Operand, 3> kOperands = {Operand::a, Operand::b, Operand::c};

// Where a tile of shared memory lies: plain, padded, by columns, in blocks, or swizzled.
std::string some_smem(attack::Dice& dice, Int rows, Int cols) {
  switch (dice.up_to(5)) {
    case 0: return fmt::format("({},{}):({},1)", rows, cols, cols + dice.of({0, 1, 8}));
    case 1: return fmt::format("({},{}):(1,{})", rows, cols, rows + dice.of({0, 1, 8}));
    case 2: return fmt::format("Sw<{},3,3> o 0 o ({},{}):({},1)", cols % 64 == 0 ? 3 : cols % 32 == 0 ? 2 : 1, rows, cols, cols);
    case 3:
      if (cols % 8 == 0) return fmt::format("({},(8,{})):(8,(1,{}))", rows, cols / 8, 8 * rows);
      [[fallthrough]];
    default: return "";
  }
}

std::string some_gmem(attack::Dice& dice, Int rows, Int cols) {
  switch (dice.up_to(4)) {
    case 0: return fmt::format("({},{}):(1,{})", rows, cols, rows);
    case 1: return fmt::format("({},{}):({},1)", rows, cols, cols + dice.of({8, 16}));
    default: return "";
  }
}

GemmTile tile_in(const SomeGemm& gemm, std::size_t which) {
  const GemmPlan& plan = *gemm.plan;
  GemmTile tile;
  tile.operand = kOperands[which];
  const bool is_c = tile.operand == Operand::c;
  const plan::Tensor& tensor = is_c ? plan.gmem(Operand::c) : plan.partitioned(tile.operand);
  const bool shared = !is_c && tensor.space == plan::Space::shared;
  tile.name = tensor.name;
  tile.layout = shared ? tensor.layout : AnyLayout(tensor.tiles[0]);
  if (shared) tile.shared_bits = bits(tensor.type), tile.byte_offset = tensor.byte_offset;
  return tile;
}

}  // namespace

SomeGemm some_gemm(attack::Dice& dice, Int most_cells) {
  static const std::vector<std::string> of_four_bits = {"SM80_8x8x32_S32S4S4S32_TN", "SM80_16x8x64_S32U4S4S32_TN"},
                                        wgmma = {"SM90_64x32x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>",
                                                 "SM90_64x64x16_F16F16F16_SS<GMMA::Major::K,GMMA::Major::MN>",
                                                 "SM90_64x32x8_F32TF32TF32_SS_TN"};
  for (;;) {
    SomeGemm some;
    const bool by_descriptor = dice.one_in(6);
    if (by_descriptor || dice.one_in(8)) {
      some.mma.atom = dice.of(by_descriptor ? wgmma : of_four_bits);
      some.mma.text = fmt::format("make_tiled_mma({}, (1,1,1))", some.mma.atom);
      some.mma.mma = value_of<TiledMma>(some.mma.text);
      if (!some.mma.mma) continue;
      const auto tile = some.mma.mma->tile_mnk();
      std::copy(tile.begin(), tile.end(), some.mma.extent);
    } else {
      some.mma = some_mma(dice, most_cells);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      some.blk[k] = some.mma.extent[k] * (by_descriptor ? 1 : dice.of({1, 1, 2}));
      some.extent[k] = some.blk[k] * dice.of({1, 2, 3, 20});
      if (dice.one_in(8)) some.extent[k] = std::max<Int>(1, some.extent[k] - dice.between(1, std::max<Int>(1, some.blk[k] - 1)));
    }
    if (by_descriptor) some.blk[2] = 128 * 8 / tessera::bits(some.mma.mma->atom().val_a), some.extent[2] = some.blk[2] * dice.of({1, 2, 3});
    if (dice.one_in(6)) some.extent[1] = dice.between(1, 3);
    const bool fits = std::all_of(kModes.begin(), kModes.end(),
                                  [&](const auto& modes) { return some.blk[modes[0]] * some.blk[modes[1]] <= 2 * most_cells; });
    if (!fits) continue;
    const auto [m, n, k] = some.extent;
    some.text =
        fmt::format("gemm(m={}, n={}, k={}, mma={}, cta_tiler=({},{},{})", m, n, k, some.mma.text, some.blk[0], some.blk[1], some.blk[2]);
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) some.text += fmt::format(", {}={}", name, value);
    };
    // Neighbours in other directions here and there: single elements go through registers.
    const bool across = !by_descriptor && dice.one_in(6);
    const bool same_rows = !across && !by_descriptor && dice.one_in(8);  // of B, in one place
    if (across) {
      add("gA", fmt::format("({},{}):(1,{})", m, k, m)), add("gB", fmt::format("({},{}):(1,{})", n, k, n));
      add("sA", fmt::format("({},{}):({},1)", some.blk[0], some.blk[2], some.blk[2]));
      add("sB", fmt::format("({},{}):({},1)", some.blk[1], some.blk[2], some.blk[2]));
      add("stages", std::to_string(dice.of({2, 3})));
    } else if (!by_descriptor) {
      add("gA", some_gmem(dice, m, k)), add("gB", same_rows ? fmt::format("({},{}):(0,1)", n, k) : some_gmem(dice, n, k));
      add("gC", some_gmem(dice, m, n));
    }
    if (dice.one_in(10)) add("batch", "2");
    if (across) {
    } else if (by_descriptor) {
      add("stages", std::to_string(dice.of({2, 3})));
    } else if (dice.one_in(6) || (same_rows && dice.one_in(2))) {
      add("operands", "\"gmem\"");
    } else {
      add("sA", some_smem(dice, some.blk[0], some.blk[2])), add("sB", some_smem(dice, some.blk[1], some.blk[2]));
      add("stages", std::to_string(dice.of({1, 1, 2, 3})));
      if (dice.one_in(3)) add("smem_copy_a", "SM75_U32x4_LDSM_N");
    }
    some.text += ")";
    const auto spec = value_of<GemmSpec>(some.text);
    if (!spec) continue;
    Result<GemmPlan> plan = lower(*spec);
    if (!plan) continue;
    some.plan = std::make_shared<const GemmPlan>(std::move(*plan));
    bool defined = true;
    for (std::size_t which = 0; which < 3 && defined; ++which) {
      some.tiles[which] = tile_in(some, which);
      auto owners = tile_of(*some.mma.mma, kOperands[which], some.blk[kModes[which][0]], some.blk[kModes[which][1]]);
      defined = owners.has_value();
      if (defined) some.tiles[which].owners = std::move(*owners);
    }
    if (defined) return some;
  }
}

}  // namespace tessera::pictures::owned
