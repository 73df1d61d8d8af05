// SPDX-License-Identifier: BSD-3-Clause
// GEMMs whose tiles do not divide them, and inputs with guards where no element of a matrix is.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "tests/support/gemm_specs.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/wgmma_specs.hpp"

namespace tessera::support {

// NaN in the place of what is no element: between the rows and behind the last.
inline void guard(std::vector<double>& values, const plan::Tensor& tensor, std::int64_t batch) {
  std::vector<double> kept(values.size(), std::numeric_limits<double>::quiet_NaN());
  const Layout& layout = plain_part(tensor.layout);
  for (std::int64_t i = 0; i < layout.size() * batch; ++i) {
    const auto at = static_cast<std::size_t>(layout(i % layout.size()) + i / layout.size() * tensor.batch_elements);
    kept[at] = values[at];
  }
  if (tensor.type != ValueType::i8 && tensor.type != ValueType::u8 && tensor.type != ValueType::i32) values = kept;
}

inline SimulationInput guarded_input(const GemmPlan& plan, std::uint32_t seed) {
  SimulationInput input = integer_input(plan, seed);
  guard(input.a, plan.gmem(Operand::a), plan.batch), guard(input.b, plan.gmem(Operand::b), plan.batch);
  guard(input.c, plan.gmem(Operand::c), plan.batch);
  return input;
}

inline std::string first_difference(const std::vector<double>& got, const std::vector<double>& want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] != want[i] && !(std::isnan(got[i]) && std::isnan(want[i])))
      return fmt::format("element {} is {} instead of {}", i, got[i], want[i]);
  }
  return "";
}

// One element, primes, one short of a tile of 32, 64 or 128 and one beyond.
inline std::vector<std::array<std::int64_t, 3>> ragged_shapes() {
  return {{1, 1, 1}, {1, 129, 3}, {31, 33, 65}, {127, 17, 7}, {129, 257, 63}, {13, 1, 131}};
}

inline GemmSpec of_rung(const Rung& rung, std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmSpec spec = rung.spec(m, n, k).value();
  spec.name = fmt::format("rung {} {}x{}x{}", rung.number, m, n, k);
  return spec;
}

// The rung with every other atom of its instruction that `lower` takes: other types, of A, B and the sums; and C of the type of the sums.
inline std::vector<GemmSpec> of_each_type(const Rung& rung, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<GemmSpec> specs;
  std::set<std::string> seen;
  const GemmSpec own = of_rung(rung, m, n, k);
  const MmaAtom& atom = own.mma->atom();
  for (const std::string& name : mma_atom_names()) {
    const MmaAtom other = find_mma_atom(name).value();
    const bool alike = other.kind == atom.kind && other.shape_mnk == atom.shape_mnk && other.mn_major_a == atom.mn_major_a &&
                       other.mn_major_b == atom.mn_major_b && other.source_a == atom.source_a && !other.sparse && other.arch.gfx.empty() &&
                       to_string(other.layout_a) == to_string(atom.layout_a) && to_string(other.layout_b) == to_string(atom.layout_b);
    GemmSpec spec = own;
    auto mma = TiledMma::make(other, own.mma->atom_layout_mnk(), own.mma->permutation_mnk());
    if (!alike || !mma || !seen.insert(fmt::format("{} {} {}", other.type_a, other.type_b, other.type_c)).second) continue;
    spec.mma = *std::move(mma);
    if (other.kind != MmaKind::wgmma) spec.type_c = other.val_c;
    spec.name = fmt::format("{} {}", rung.name, other.name);
    if (lower(spec)) specs.push_back(std::move(spec));
  }
  return specs;
}

// Tiles of one row or column, of operands that lie along it.
inline std::vector<GemmSpec> thin_specs() {
  std::vector<GemmSpec> specs;
  for (const bool row : {true, false}) {
    for (const Operands operands : {Operands::smem, Operands::gmem}) {
      GemmSpec spec;
      const std::int64_t m = row ? 1 : 32, n = row ? 32 : 1;
      spec.mma = TiledMma::make(find_mma_atom("UniversalFMA<float,float,float,float>").value(),
                                layout(IntTuple::tuple({m, n, 1}), IntTuple::tuple({row ? 0 : 1, row ? 1 : 0, 0})), Underscore{})
                     .value();
      spec.cta_tiler = IntTuple::tuple({m, n, 8});
      spec.m = row ? 3 : 45, spec.n = row ? 45 : 3, spec.k = 13;
      spec.gA = layout(IntTuple::tuple({spec.m, 13}), IntTuple::tuple({1, 48}));
      spec.gB = layout(IntTuple::tuple({spec.n, 13}), IntTuple::tuple({1, 48}));
      spec.operands = operands, spec.beta = 1.0;
      spec.name = fmt::format("one {}, from {}", row ? "row" : "column", operands == Operands::smem ? "smem" : "gmem");
      specs.push_back(std::move(spec));
    }
  }
  return specs;
}

// Random ones of every way in which a tile travels: what `lower` refuses is left out.
inline std::vector<GemmSpec> ragged_specs(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::initializer_list<std::int64_t> from) { return *(from.begin() + random() % from.size()); };
  const auto chance = [&](unsigned of) { return random() % of == 0; };
  std::vector<GemmSpec> specs = thin_specs();
  for (std::size_t tried = 0; specs.size() < count && tried < 20 * count; ++tried) {
    constexpr const char* kAtoms[] = {"SM80_16x8x16_F32F16F16F32_TN",         "SM80_16x8x8_F32TF32TF32F32_TN",
                                      "SM80_16x8x32_S32S8S8S32_TN",           "SM80_8x8x4_F64F64F64F64_TN",
                                      "SM70_8x8x4_F32F16F16F32_NT",           "SM80_16x8x16_F32BF16BF16F32_TN",
                                      "UniversalFMA<float,float,float,float>"};
    GemmSpec spec;
    const MmaAtom atom = find_mma_atom(kAtoms[random() % std::size(kAtoms)]).value();
    const bool fma = atom.kind == MmaKind::fma;
    const std::int64_t atoms_m = fma ? 8 : pick({1, 2}), atoms_n = fma ? 8 : pick({1, 2});
    spec.mma = TiledMma::make(atom, layout(IntTuple::tuple({atoms_m, atoms_n, 1}), IntTuple::tuple({1, atoms_m, 0})), Underscore{}).value();
    const std::int64_t blk_m = atoms_m * shape_extent(atom, 0) * pick({1, 2}), blk_n = atoms_n * shape_extent(atom, 1) * pick({1, 2, 3}),
                       blk_k = shape_extent(atom, 2) * (fma ? 8 : 1) * pick({1, 2, 3});
    spec.cta_tiler = IntTuple::tuple({blk_m, blk_n, blk_k});
    const auto extent = [&](std::int64_t blk) {
      return std::max<std::int64_t>(1, pick({1, 2, 3}) * blk + pick({0, 1, -1, -blk / 2, -blk + 1, 3}));
    };
    spec.m = extent(blk_m), spec.n = extent(blk_n), spec.k = extent(blk_k);
    const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
      const bool along_second = chance(2);
      const std::int64_t inner = along_second ? columns : rows, pitch = chance(2) ? inner : (inner + 7) / 8 * 8 + 8 * pick({0, 1});
      return layout(IntTuple::tuple({rows, columns}), along_second ? IntTuple::tuple({pitch, 1}) : IntTuple::tuple({1, pitch}));
    };
    spec.gA = matrix(spec.m, spec.k), spec.gB = matrix(spec.n, spec.k), spec.gC = matrix(spec.m, spec.n);
    spec.alpha = static_cast<double>(pick({1, 2})), spec.beta = static_cast<double>(pick({0, 0, -1, 1}));
    spec.type_c = atom.val_c;
    spec.stages = pick({1, 1, 2, 3});
    spec.copies = chance(2) ? Copies::automatic : spec.stages == 1 ? Copies::ahead : Copies::waited_for;
    spec.fragments = static_cast<Fragments>(random() % 4);
    if (chance(4)) spec = from_gmem(std::move(spec));
    spec.name = fmt::format("{} {}x{}x{} in {}x{}x{}, {}, {}", atom.name, spec.m, spec.n, spec.k, blk_m, blk_n, blk_k, to_string(*spec.gA),
                            to_string(*spec.gB));
    if (lower(spec)) specs.push_back(std::move(spec));
  }
  return specs;
}

// wgmma with other extents: rows at multiples of 16 bytes, those of A and B of whatever length, those of C with a gap behind them.
inline GemmSpec with_extents(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto up = [](std::int64_t extent) { return (extent + 15) / 16 * 16; };  // 16 bytes of any type
  const bool a_mn = spec.mma->atom().mn_major_a, b_mn = spec.mma->atom().mn_major_b;
  spec.m = m, spec.n = n, spec.k = k;
  spec.gA = layout(IntTuple::tuple({m, k}), a_mn ? IntTuple::tuple({1, up(m)}) : IntTuple::tuple({up(k), 1}));
  spec.gB = layout(IntTuple::tuple({n, k}), b_mn ? IntTuple::tuple({1, up(n)}) : IntTuple::tuple({up(k), 1}));
  const bool staged = spec.store != Stores::direct;  // else rows of whatever pitch
  spec.gC = layout(IntTuple::tuple({m, n}), IntTuple::tuple({up(n) + (staged ? 8 : 2), 1}));
  spec.store_boxes = staged ? 1 : GemmSpec().store_boxes;
  spec.name += fmt::format(" {}x{}x{}", m, n, k);
  return spec;
}

// Every schedule of wgmma, and every way in which its operands lie.
inline std::vector<GemmSpec> ragged_hoppers() {
  std::vector<GemmSpec> specs;
  for (const Majors majors : kMajors) {
    const GemmSpec none = with_majors(hopper(Overlap::none, 256, 256, 256, 128, 128, 2), majors);
    specs.push_back(with_extents(none, 129, 127, 65));
    GemmSpec alone = none;
    alone.cluster = 1, alone.ctas = 0;
    specs.push_back(with_extents(alone, 131, 257, 193));
    specs.push_back(with_extents(alone, 1, 1, 1));
  }
  GemmSpec in_pairs = hopper(Overlap::none, 256, 256, 256, 128, 64, 2);
  in_pairs.ctas = 0;
  specs.push_back(with_extents(in_pairs, 300, 65, 70));  // 3 x 2 tiles in clusters of 2 x 1
  GemmSpec ahead = hopper(Overlap::none, 256, 256, 256, 128, 64, 2);
  ahead.copies = Copies::ahead;
  specs.push_back(with_extents(ahead, 200, 65, 200));
  specs.push_back(with_extents(hopper(Overlap::deferred, 256, 256, 256, 64, 128, 1), 127, 129, 129));
  specs.push_back(with_extents(hopper(Overlap::skewed, 512, 128, 256, 128, 64, 1), 255, 63, 127));
  GemmSpec ping_pong = hopper(Overlap::ping_pong, 128, 256, 128, 64, 64, 1);
  ping_pong.cluster = IntTuple::tuple({1, 2});
  specs.push_back(with_extents(ping_pong, 100, 200, 100));
  for (const GemmSpec& staged : std::vector<GemmSpec>(specs.begin(), specs.end())) {
    if (staged.overlap == Overlap::deferred || staged.mma->atom().mn_major_a) continue;
    specs.push_back(with_extents(stored_by_threads(staged), staged.m, staged.n, staged.k));
    specs.back().name = staged.name + ", stored by threads";
  }
  return specs;
}

// wgmma of every type, whose rows of C end inside 16 bytes: before the first unit, behind the last, one short of a tile and one beyond;
// in every schedule, with C added and without.
inline std::vector<GemmSpec> left_over_specs() {
  std::vector<GemmSpec> specs;
  constexpr std::int64_t kColumns[] = {1, 3, 7, 9, 63, 66, 127, 129, 133, 191};
  std::size_t turn = 0;
  for (const WgmmaTypes& types : wgmma_types()) {
    for (const double beta : {0.0, 0.5}) {
      const bool may_hold = bits(types.type_c) == 16 && beta == 0.0;
      constexpr Overlap kOverlaps[] = {Overlap::none, Overlap::ping_pong, Overlap::skewed, Overlap::deferred};
      Overlap overlap = kOverlaps[turn % 4];
      if (overlap == Overlap::deferred && !may_hold) overlap = Overlap::none;
      GemmSpec spec = wgmma(types.atom, types.type_c, overlap, 2, beta);
      const std::int64_t m = shape_extent(spec.mma->atom(), 0) + static_cast<std::int64_t>(turn * 13 % 70),
                         n = kColumns[turn % std::size(kColumns)];
      spec.copies = overlap == Overlap::none && turn % 3 == 0 ? Copies::ahead : spec.copies;
      const std::int64_t boxes = 1 + static_cast<std::int64_t>(turn % 2);
      spec = with_extents(std::move(spec), m, n, spec.k - static_cast<std::int64_t>(turn % 5));
      spec.store_boxes = boxes, spec.ctas = overlap == Overlap::ping_pong ? 1 : 0, spec.cluster = 1;
      specs.push_back(std::move(spec));
      ++turn;
    }
  }
  return specs;
}

}  // namespace tessera::support
