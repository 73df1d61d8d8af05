// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/rungs/fastest.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/layout/layout.hpp"

namespace tessera {
namespace {

constexpr double kFillBytes = 57;          // a clock, of a multiprocessor
constexpr double kMacsOfRow = 32;          // elements of a tile whose k-tile of 128 bytes takes a clock
constexpr std::int64_t kRowBytes = 128;    // of K, of a k-tile
constexpr std::int64_t kStoredBits = 128;  // of a row of C, which TMA stores at once
constexpr std::int64_t kBoxOfRows = 64;    // of a tile, of a warpgroup: those of one wgmma
constexpr double kAlike = 0.01;

// A tile and how it is computed. `warpgroups` share the rows of a tile; of ping_pong each of two has its own.
struct Schedule {
  std::string_view name;
  std::int64_t blk_m, blk_n, warpgroups, stages, cluster_m;
  Overlap overlap = Overlap::none;
  KOrder k_order = KOrder::forward;
};
// The larger tile first, of equal ones the one that hides its stores. A persistent grid of large tiles is faster without a cluster, whose
// CTAs wait for each other: measured on an H200 at 8192 and 4096, by up to 2 %, one run each.
constexpr Schedule kSchedules[] = {
    {"256x200 skewed", 256, 200, 2, 3, 1, Overlap::skewed},
    {"256x192 skewed", 256, 192, 2, 3, 1, Overlap::skewed},
    {"256x176 skewed", 256, 176, 2, 3, 1, Overlap::skewed},
    {"128x256 deferred, zigzag", 128, 256, 2, 4, 1, Overlap::deferred, KOrder::zigzag},
    {"128x256", 128, 256, 2, 4, 1},
    {"128x200 ping-pong", 128, 200, 1, 4, 2, Overlap::ping_pong},
    {"128x192 ping-pong", 128, 192, 1, 4, 2, Overlap::ping_pong},
    {"128x184 ping-pong", 128, 184, 1, 4, 2, Overlap::ping_pong},
    {"128x128", 128, 128, 2, 6, 2},
    {"64x128", 64, 128, 1, 8, 2},
    {"64x64", 64, 64, 1, 10, 1},
    {"64x32", 64, 32, 1, 12, 1},
};

// "F32BF16BF16" and "16", as the names of wgmma's atoms have them.
std::optional<std::string> types_of(const MmaAtom& atom) {
  const auto letters = [](ValueType type) -> std::string_view {
    switch (type) {
      case ValueType::f16: return "F16";
      case ValueType::bf16: return "BF16";
      case ValueType::tf32: return "TF32";
      case ValueType::e4m3: return "E4M3";
      case ValueType::e5m2: return "E5M2";
      case ValueType::i8: return "S8";
      case ValueType::u8: return "U8";
      case ValueType::f32: return "F32";
      case ValueType::i32: return "S32";
      default: return "";
    }
  };
  const std::string_view a = letters(atom.val_a), b = letters(atom.val_b), c = letters(atom.val_c);
  if (a.empty() || b.empty() || c.empty()) return std::nullopt;
  return fmt::format("{}{}{}", c, a, b);
}

// Is the operand contiguous along M or N?
bool lies_along_mn(const std::optional<Layout>& gmem, bool as_the_atom_reads) {
  const auto is_one = [&](std::size_t mode) { return gmem->stride()[mode].is_int() && gmem->stride()[mode].value() == 1; };
  return gmem ? gmem->rank() >= 2 && is_one(0) && !is_one(1) : as_the_atom_reads;
}

Result<MmaAtom> atom_of(const GemmSpec& spec, std::int64_t columns) {
  const MmaAtom& asked = spec.mma->atom();
  const std::optional<std::string> types = types_of(asked);
  const std::int64_t k = kRowBytes / 4 * 8 / bits(asked.val_a);
  if (!types) return Error{ErrorCode::bad_spec, fmt::format("wgmma does not have the types of {}", asked.name), {}, {}};
  const bool wgmma = asked.kind == MmaKind::wgmma;
  const auto major = [](bool mn) { return mn ? "MN" : "K"; };
  const std::string suffix =
      bits(asked.val_a) == 16 ? fmt::format("<GMMA::Major::{},GMMA::Major::{}>", major(lies_along_mn(spec.gA, wgmma && asked.mn_major_a)),
                                            major(lies_along_mn(spec.gB, wgmma && asked.mn_major_b)))
                              : "_TN";
  const std::string name = fmt::format("SM90_64x{}x{}_{}_SS{}", columns, k, *types, suffix);
  if (auto atom = find_mma_atom(name)) return atom;
  return Error{ErrorCode::bad_spec, fmt::format("there is no wgmma {}", name), {}, {}};
}

// The product of `spec`, computed as the schedule says.
Result<GemmSpec> made(const GemmSpec& spec, const Schedule& schedule, std::int64_t ctas) {
  GemmSpec to;
  to.name = spec.name, to.m = spec.m, to.n = spec.n, to.k = spec.k;
  to.gA = spec.gA, to.gB = spec.gB, to.gC = spec.gC, to.type_c = spec.type_c;
  to.alpha = spec.alpha, to.beta = spec.beta, to.batch = spec.batch, to.extents = spec.extents;
  TESSERA_TRY(atom, atom_of(spec, schedule.blk_n));
  const std::int64_t below = schedule.warpgroups > 1 ? 1 : 0;  // from a warpgroup's atom to the next one's
  TESSERA_TRY(mma, TiledMma::make(atom, Layout::trusted(IntTuple::tuple({schedule.warpgroups, 1, 1}), IntTuple::tuple({below, 0, 0})),
                                  Underscore{}));
  to.cta_tiler = IntTuple::tuple({schedule.blk_m, schedule.blk_n, kRowBytes * 8 / bits(atom.val_a)});
  to.mma = std::move(mma);
  to.stages = schedule.stages, to.overlap = schedule.overlap, to.k_order = schedule.k_order;
  to.raster_group = 8;
  if (schedule.cluster_m > 1) to.cluster = IntTuple::tuple({schedule.cluster_m, 1});
  to.ctas = ctas;
  return to;
}

FastestChoice choice_of(const GemmSpec& spec, const Schedule& schedule, std::int64_t multiprocessors) {
  FastestChoice choice{.name = schedule.name};
  const std::int64_t clusters = std::max<std::int64_t>(1, multiprocessors / schedule.cluster_m);
  const std::int64_t of_clusters = ceil_div(spec.m, schedule.blk_m * schedule.cluster_m) * ceil_div(spec.n, schedule.blk_n) * spec.batch;
  choice.tiles = of_clusters * schedule.cluster_m;
  choice.waves = ceil_div(of_clusters, clusters);
  choice.multiply = static_cast<double>(schedule.blk_m * schedule.blk_n) / kMacsOfRow;
  choice.fill = static_cast<double>((schedule.blk_m + schedule.blk_n) * kRowBytes) / kFillBytes;
  const std::int64_t k_tiles = ceil_div(spec.k, kRowBytes * 8 / bits(spec.mma->atom().val_a));
  choice.clocks = static_cast<double>(choice.waves * k_tiles) * std::max(choice.multiply, choice.fill);
  // As few clusters as take no more waves: each then has as many tiles, or one less.
  const Result<GemmSpec> to = made(spec, schedule, ceil_div(of_clusters / spec.batch, choice.waves) * schedule.cluster_m);
  const Result<GemmPlan> plan = to ? lower(*to) : Result<GemmPlan>(to.error());
  // What no store of TMA ends with threads store, each by coordinates that it has beside the sums of two halves.
  const bool leaves_over = spec.n * bits(spec.type_c) % kStoredBits != 0 || spec.extents == Extents::arguments;
  if (!plan)
    choice.refused = plan.error().message;
  else if (leaves_over && schedule.blk_m > kBoxOfRows * schedule.warpgroups)
    choice.refused = fmt::format("n is {}: what 16 bytes leave over of a row takes registers that two halves do not leave", spec.n);
  else
    choice.refused = beyond_smem(*plan);
  if (to) choice.spec = *to;
  return choice;
}

}  // namespace

Result<std::vector<FastestChoice>> fastest_choices(const GemmSpec& spec, std::int64_t multiprocessors) {
  if (!spec.mma || spec.m < 1 || spec.n < 1 || spec.k < 1)
    return Error{ErrorCode::bad_spec, "a product has m, n and k, at least 1 each, and an mma whose types it has", {}, {}};
  if (spec.plan)
    return Error{
        ErrorCode::bad_spec, "a plan that is written out has its tile and its schedule already", {}, {"gemm(...) of the same product"}};
  if (!atom_of(spec, 128)) {
    const MmaAtom& atom = spec.mma->atom();
    return Error{ErrorCode::bad_spec,
                 fmt::format("wgmma does not multiply {} by {} with sums of {}, as {} does", short_name(atom.val_a), short_name(atom.val_b),
                             short_name(atom.val_c), atom.name),
                 {},
                 {"it multiplies f16, bf16, tf32, fp8 and 8-bit integers"}};
  }
  std::vector<FastestChoice> choices;
  for (const Schedule& schedule : kSchedules) choices.push_back(choice_of(spec, schedule, multiprocessors));
  return choices;
}

int fastest_of(const std::vector<FastestChoice>& choices) {
  int best = -1;
  double least = 0;
  for (const FastestChoice& choice : choices) {
    if (choice.refused.empty() && (least == 0 || choice.clocks < least)) least = choice.clocks;
  }
  for (std::size_t i = 0; i < choices.size() && best < 0; ++i) {
    if (choices[i].refused.empty() && choices[i].clocks <= (1 + kAlike) * least) best = static_cast<int>(i);
  }
  return best;
}

Result<GemmSpec> fastest(const GemmSpec& spec, std::int64_t multiprocessors) {
  TESSERA_TRY(choices, fastest_choices(spec, multiprocessors));
  const int best = fastest_of(choices);
  if (best >= 0) return std::move(choices[static_cast<std::size_t>(best)].spec);
  return Error{ErrorCode::bad_spec, fmt::format("no schedule of wgmma computes this product: {}", choices.front().refused), {}, {}};
}

}  // namespace tessera
