// SPDX-License-Identifier: BSD-3-Clause
// Small GEMMs of wgmma of every type, stored in every type, with alpha and beta: executed on the CPU, compiled where NVRTC is, run where a
// GPU is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/gemm_specs.hpp"

namespace tessera::support {

// `hopper` with another atom, "8_F32TF32TF32_SS_TN" without its 64 x BLK_N; its k-tiles have 128 bytes of K.
inline GemmSpec wgmma(const std::string& atom, ValueType type_c, Overlap overlap, double alpha = 1, double beta = 0) {
  const bool skewed = overlap == Overlap::skewed, ping_pong = overlap == Overlap::ping_pong;
  const std::int64_t warpgroups = ping_pong ? 1 : 2,
                     blk_m = skewed      ? 256
                             : ping_pong ? 64
                                         : 128,
                     blk_n = bits(type_c) == 16 || atom.find("MN") != std::string::npos ? 128 : 64;
  GemmSpec spec = hopper(overlap, 2 * blk_m, 2 * blk_n, 64, blk_m, blk_n, warpgroups);
  const MmaAtom found = find_mma_atom(fmt::format("SM90_64x{}x{}", blk_n, atom)).value();
  spec.mma = TiledMma::make(found, spec.mma->atom_layout_mnk(), Underscore{}).value();
  const std::int64_t blk_k = 128 * 8 / bits(found.val_a);
  spec.k = 3 * blk_k, spec.cta_tiler = IntTuple::tuple({blk_m, blk_n, blk_k});
  spec.type_c = type_c, spec.alpha = alpha, spec.beta = beta;
  spec.stages = 2, spec.store_boxes = 2;
  spec.name = fmt::format("{} to {}, overlap {}, alpha {}, beta {}", atom, short_name(type_c), static_cast<int>(overlap), alpha, beta);
  return spec;
}

struct WgmmaTypes {
  const char* atom;
  ValueType type_c;
};
// Every pair of operand types, every type of sums, every type of C.
inline const std::vector<WgmmaTypes>& wgmma_types() {
  using enum ValueType;
  static const std::vector<WgmmaTypes> all{
      {"8_F32TF32TF32_SS_TN", f32},    {"8_F32TF32TF32_SS_TN", bf16}, {"32_S32S8S8_SS_TN", i32},       {"32_S32S8U8_SS_TN", i32},
      {"32_S32U8S8_SS_TN", f32},       {"32_S32U8U8_SS_TN", f16},     {"32_F32E4M3E4M3_SS_TN", f32},   {"32_F32E4M3E4M3_SS_TN", bf16},
      {"32_F32E5M2E5M2_SS_TN", f16},   {"32_F32E4M3E5M2_SS_TN", f32}, {"32_F32E5M2E4M3_SS_TN", bf16},  {"32_F16E4M3E4M3_SS_TN", f16},
      {"32_F16E5M2E4M3_SS_TN", f32},   {"16_F16F16F16_SS<K,K>", f16}, {"16_F16F16F16_SS<K,MN>", bf16}, {"16_F32BF16BF16_SS<K,K>", f32},
      {"16_F32F16F16_SS<MN,MN>", f32}, {"16_F32F16F16_SS<K,K>", i32}};
  return all;
}

inline GemmSpec stored_by_threads(GemmSpec spec) {
  spec.store = Stores::direct, spec.store_boxes = GemmSpec().store_boxes;
  spec.name += ", stored by threads";
  return spec;
}

// The same in tiles of another width, of which the last is cut: its boxes of C are rows without a swizzle, or of another one.
inline GemmSpec of_width(GemmSpec spec, std::int64_t blk_n) {
  std::string atom = spec.mma->atom().name;
  const std::size_t from = atom.find('x') + 1;
  atom.replace(from, atom.find('x', from) - from, fmt::format("{}", blk_n));
  spec.mma = TiledMma::make(find_mma_atom(atom).value(), spec.mma->atom_layout_mnk(), Underscore{}).value();
  spec.n = 2 * blk_n - 8, spec.cta_tiler = IntTuple::tuple({spec.cta_tiler[0], blk_n, spec.cta_tiler[2]});
  spec.store_boxes = GemmSpec().store_boxes;
  spec.name += fmt::format(", {} wide", blk_n);
  return spec;
}

// The four schedules, and what each of them can store.
inline std::vector<GemmSpec> wgmma_specs() {
  std::vector<GemmSpec> specs;
  std::size_t turn = 0;
  constexpr Overlap kOverlaps[] = {Overlap::none, Overlap::skewed, Overlap::ping_pong};
  for (const WgmmaTypes& types : wgmma_types()) {
    specs.push_back(wgmma(types.atom, types.type_c, bits(types.type_c) == 16 ? Overlap::deferred : Overlap::none));
    specs.push_back(wgmma(types.atom, types.type_c, kOverlaps[turn++ % 3], 2, 0.5));
    specs.back().store_boxes = 1 + static_cast<std::int64_t>(turn % 2);
  }
  for (const Overlap overlap : kOverlaps) {
    specs.push_back(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, overlap, 2, 0.5));
    specs.push_back(wgmma("32_F32E4M3E4M3_SS_TN", ValueType::f32, overlap, 1, 1));
    specs.push_back(wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, overlap, -0.5, -2));
  }
  for (const Overlap overlap : kOverlaps) {  // each thread its own sums
    specs.push_back(stored_by_threads(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, overlap, 2, 0.5)));
    specs.push_back(stored_by_threads(wgmma("16_F16F16F16_SS<K,MN>", ValueType::f16, overlap)));
    specs.push_back(stored_by_threads(wgmma("32_S32S8U8_SS_TN", ValueType::i32, overlap, 1, 1)));
    specs.push_back(stored_by_threads(wgmma("32_F32E4M3E5M2_SS_TN", ValueType::f32, overlap)));
  }
  specs.push_back(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::none, 2, 0.5));
  specs.back().copies = Copies::ahead;
  specs.back().name += ", no producer";
  for (const char* atom : {"16_F32BF16BF16_SS<K,MN,ScaleIn::Neg,ScaleIn::One>", "32_F32E4M3E5M2_SS_TN<ScaleIn::One,ScaleIn::Neg>",
                           "8_F32TF32TF32_SS_TN<ScaleIn::Neg,ScaleIn::Neg>"}) {
    specs.push_back(wgmma(atom, ValueType::f32, Overlap::none, 1, 0.5));
    specs.push_back(wgmma(atom, ValueType::bf16, Overlap::deferred));
  }
  // One box of a width of its own, several of them, swizzled rows of 64 and 32 bytes; matrices that are left over, and no pair of them.
  specs.push_back(of_width(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::skewed), 40));
  specs.push_back(of_width(wgmma("16_F32F16F16_SS<K,K>", ValueType::f16, Overlap::deferred), 88));
  specs.push_back(of_width(wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::ping_pong, 2, 0.5), 48));
  specs.push_back(of_width(wgmma("16_F32BF16BF16_SS<MN,K>", ValueType::bf16, Overlap::none), 8));
  specs.push_back(of_width(wgmma("16_F32F16F16_SS<K,K>", ValueType::f16, Overlap::none, 1, 1), 32));
  specs.push_back(of_width(wgmma("16_F32F16F16_SS<K,K>", ValueType::f16, Overlap::ping_pong), 16));
  specs.push_back(of_width(wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, Overlap::skewed), 80));
  specs.push_back(of_width(wgmma("32_S32S8S8_SS_TN", ValueType::i32, Overlap::skewed), 48));
  specs.push_back(of_width(wgmma("32_F32E4M3E4M3_SS_TN", ValueType::bf16, Overlap::deferred), 72));
  return specs;
}

}  // namespace tessera::support
