// SPDX-License-Identifier: BSD-3-Clause
// GemmSpec -> GemmPlan: the ring of tiles (lower_stages, in program.cpp), sizes and tensors, then the four steps, then the lists and the
// program. Rules are checked in the order in which a reader would ask.
#include "core/gemm/lower/lower.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {

namespace {

using lowering::Draft;
using lowering::GmemToSmem;
using lowering::kA;
using lowering::kB;
using lowering::kC;
using lowering::round_up;

constexpr std::int64_t kMostThreads = 1024;          // of a CTA, on every architecture so far
constexpr std::int64_t kMostExtent = 1 << 24;        // elements of M, N or K
constexpr std::int64_t kMostTileElements = 1 << 22;  // of A, B or C in a CTA: beyond every device's shared memory and registers
constexpr std::int64_t kFarthestInSmem = 1 << 26;    // elements

Status check_name(const std::string& name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) continue;
    return refuse(ErrorCode::bad_spec, "the name of a GEMM stands in its kernel, and has no line ends or control characters", "name");
  }
  return Done{};
}

Status check_sizes(const GemmSpec& spec) {
  const std::pair<const char*, std::int64_t> extents[] = {{"m", spec.m}, {"n", spec.n}, {"k", spec.k}};
  for (const auto& [name, extent] : extents) {
    if (extent < 1)
      return refuse(ErrorCode::bad_spec, fmt::format("{} is {}; it must be at least 1", name, extent), fmt::format("set {}", name));
    if (extent > kMostExtent) {
      return refuse(ErrorCode::limit, fmt::format("{} is {}; the limit is {}", name, extent, kMostExtent),
                    fmt::format("a smaller {}", name));
    }
  }
  if (!spec.mma) return refuse(ErrorCode::bad_spec, "the GEMM names no tiled MMA", "mma=make_tiled_mma(ATOM, atom_layout, permutation)");
  if (!spec.mma->atom().arch.gfx.empty()) {
    return refuse(ErrorCode::wrong_arch,
                  fmt::format("{} is an instruction of {}; kernels are emitted for NVIDIA's architectures", spec.mma->atom().name,
                              to_string(spec.mma->atom().arch)),
                  "mma=make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)");
  }
  for (const double factor : {spec.alpha, spec.beta}) {
    if (std::abs(factor) <= std::numeric_limits<float>::max()) continue;
    return refuse(ErrorCode::bad_spec, fmt::format("alpha is {} and beta is {}; both must be finite in fp32", spec.alpha, spec.beta),
                  "alpha, beta");
  }
  if (spec.raster_group < 0)
    return refuse(ErrorCode::bad_spec, fmt::format("raster_group is {}; it counts tiles, 0 for one", spec.raster_group), "raster_group=8");
  return Done{};
}

Status check_divides(const char* what, std::int64_t whole, const char* part_name, std::int64_t part, const char* field) {
  if (part >= 1 && whole % part == 0) return Done{};
  return refuse(ErrorCode::not_divisible, fmt::format("{} {} is not a multiple of {} {}", what, whole, part_name, part),
                fmt::format("change {} so that it divides {}", field, whole));
}

Status lower_sizes(const GemmSpec& spec, Draft& plan) {
  const auto [tile_m, tile_n, tile_k] = spec.mma->tile_mnk();
  std::vector<std::int64_t> blk{round_up(spec.m, tile_m), round_up(spec.n, tile_n), round_up(spec.k, tile_k)};
  if (spec.cta_tiler.is_tuple()) {
    if (spec.cta_tiler.rank() != 3 || depth(spec.cta_tiler) != 1) {
      return refuse(ErrorCode::bad_spec, fmt::format("cta_tiler is {}; it must be (BLK_M,BLK_N,BLK_K)", to_string(spec.cta_tiler)),
                    "cta_tiler=(128,128,32)");
    }
    blk = leaf_values(spec.cta_tiler);
    for (const std::int64_t extent : blk) {
      if (extent < 1 || extent > kMostExtent)
        return refuse(ErrorCode::bad_spec, fmt::format("cta_tiler is {}; its extents are 1 to {}", to_string(spec.cta_tiler), kMostExtent),
                      "cta_tiler=(128,128,32)");
    }
  } else if (spec.cta_tiler.value() != 0) {
    return refuse(ErrorCode::bad_spec, fmt::format("cta_tiler is {}; it must be (BLK_M,BLK_N,BLK_K)", to_string(spec.cta_tiler)),
                  "cta_tiler=(128,128,32)");
  }
  const std::pair<const char*, std::int64_t> tiles[] = {
      {"BLK_M x BLK_K", blk[0] * blk[2]}, {"BLK_N x BLK_K", blk[1] * blk[2]}, {"BLK_M x BLK_N", blk[0] * blk[1]}};
  for (const auto& [name, elements] : tiles) {
    if (elements <= kMostTileElements) continue;
    return refuse(ErrorCode::limit, fmt::format("{} is {} elements of one CTA; the limit is {}", name, elements, kMostTileElements),
                  "a smaller cta_tiler, such as (128,128,32)");
  }
  const Layout& thr = spec.mma->thr_layout_vmnk();  // (V,M,N,K) -> thread
  for (std::size_t mode = 0; mode < 3; ++mode) {
    // The permutation may make the tile larger than its atoms, by whole atoms, but never cut one.
    const std::int64_t atoms = shape_extent(spec.mma->atom(), mode) * thr[mode + 1].size(), tile = spec.mma->tile_mnk()[mode];
    if (tile % atoms == 0) continue;
    return refuse(ErrorCode::not_divisible,
                  fmt::format("the permutation {} makes the tile {} elements in {}, which is no multiple of the {} that its atoms cover",
                              to_string(spec.mma->permutation_mnk()), tile, "MNK"[mode], atoms),
                  "the permutation of make_tiled_mma");
  }
  TESSERA_CHECK(check_divides("BLK_M", blk[0], "the tiled MMA's M", tile_m, "cta_tiler or the MMA's permutation"));
  TESSERA_CHECK(check_divides("BLK_N", blk[1], "the tiled MMA's N", tile_n, "cta_tiler or the MMA's permutation"));
  TESSERA_CHECK(check_divides("BLK_K", blk[2], "the tiled MMA's K", tile_k, "cta_tiler or the MMA's permutation"));
  plan.name = spec.name;
  plan.mma = spec.mma;
  plan.m = spec.m, plan.n = spec.n, plan.k = spec.k, plan.batch = spec.batch;
  plan.blk_m = blk[0], plan.blk_n = blk[1], plan.blk_k = blk[2];
  plan.m_tiles = ceil_div(spec.m, blk[0]), plan.n_tiles = ceil_div(spec.n, blk[1]), plan.k_tiles = ceil_div(spec.k, blk[2]);
  plan.alpha = spec.alpha, plan.beta = spec.beta;
  plan.extents = spec.extents;
  return Done{};
}

bool is_wgmma(const Draft& plan) { return plan.mma->atom().kind == MmaKind::wgmma; }

Status lower_threads(const GemmSpec& spec, Draft& plan) {
  const TiledMma& mma = *spec.mma;
  const MmaAtom& atom = mma.atom();
  if (atom.kind == MmaKind::umma)
    return refuse(ErrorCode::bad_spec,
                  fmt::format("there is no kernel for {} yet: {} is drawn and calculated with, and GEMMs are for sm_70 to sm_90",
                              to_string(atom.arch), atom.name),
                  "an atom such as SM90_64x128x16_F32BF16BF16_SS or SM80_16x8x16_F32F16F16F32_TN");
  const auto both = [&](OperandSource source) { return atom.source_a == source && atom.source_b == source; };
  const bool fits = is_wgmma(plan) ? both(OperandSource::smem_descriptor) : both(OperandSource::registers);
  if (!fits || atom.sparse) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} reads an operand from {}; both are fed from registers, or by wgmma from shared memory", atom.name,
                              atom.sparse ? "a sparse fragment" : "elsewhere"),
                  "an atom such as SM80_16x8x16_F32F16F16F32_TN or SM90_64x128x16_F32BF16BF16_SS");
  }
  if (atom.layout_sfa) {
    return refuse(ErrorCode::bad_spec, fmt::format("{} multiplies blocks by scale factors; this GEMM has A, B and C alone", atom.name),
                  "an atom such as SM89_16x8x32_F32E4M3E4M3F32_TN");
  }
  const Layout& thr = mma.thr_layout_vmnk();
  if (thr[3].size() != 1) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("the atom layout {} has {} atoms along K, whose partial sums would have to be added",
                              to_string(mma.atom_layout_mnk()), thr[3].size()),
                  "an atom layout of extent 1 in K");
  }
  if (mma.num_threads() > kMostThreads || thr.cosize() > kMostThreads) {
    return refuse(ErrorCode::limit,
                  fmt::format("the tiled MMA has {} threads, with ids up to {}; a CTA has at most {}", mma.num_threads(), thr.cosize() - 1,
                              kMostThreads),
                  "a smaller atom layout");
  }
  const std::vector<std::int64_t> ids = mma.thread_ids();
  if (static_cast<std::int64_t>(ids.size()) != mma.num_threads()) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("two atoms share threads: {} logical threads on {} hardware threads ({})", mma.num_threads(), ids.size(),
                              to_string(thr)),
                  "an atom layout without stride 0");
  }
  plan.threads = lowering::warps_of(thr) * 32;
  plan.arch = atom.arch;
  return Done{};
}

Result<lowering::GmemTensor> lower_gmem(const Draft& plan, Operand operand, const char* name, ValueType type,
                                        const std::optional<Layout>& given, bool k_major) {
  const auto [extent_0, extent_1] = plan::extents(plan, operand);
  const Shape shape = IntTuple::tuple({extent_0, extent_1});
  const std::int64_t row = k_major ? extent_1 : extent_0,
                     pitch = plan.extents == Extents::arguments ? lowering::padded_pitch(type, row) : row;
  TESSERA_TRY(fallback, Layout::make(shape, k_major ? IntTuple::tuple({pitch, 1}) : IntTuple::tuple({1, pitch})));
  TESSERA_TRY(tensor, lowering::gmem_tensor(plan, operand, name, type, given.value_or(fallback)));
  const Layout& layout = tensor.layout;
  if (layout.rank() != 2 || layout[0].size() != extent_0 || layout[1].size() != extent_1) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}; its modes must have {} and {} elements", name, to_string(layout), extent_0, extent_1),
                  fmt::format("{}={}", name, to_string(fallback)));
  }
  if (layout.has_basis())
    return refuse(ErrorCode::bad_spec, fmt::format("{} has basis strides; memory needs integers", name), fmt::format("change {}", name));
  for (const std::int64_t stride : leaf_values(layout.stride())) {
    if (stride < 0)
      return refuse(ErrorCode::bad_spec, fmt::format("{} has the negative stride {}", name, stride), fmt::format("change {}", name));
  }
  TESSERA_TRY(tiles, lowering::cut_into_tiles(tensor, plan::tile_extents(plan, operand), plan::tile_counts(plan, operand),
                                              plan::mode_names(operand)));
  tensor.tiles = std::move(tiles);
  tensor.elements = layout.cosize();
  if (tensor.batch_elements < 0) tensor.batch_elements = lowering::padded_pitch(type, tensor.elements);
  TESSERA_CHECK(lowering::check_extent_of_batch(tensor, plan.batch));
  return tensor;
}

// Sw<B,M,S> o offset o L
bool is_swizzled(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed != nullptr && std::holds_alternative<Swizzle>(composed->outer) && std::holds_alternative<Layout>(composed->inner) &&
         composed->offset.is_int();
}

// Two elements of a tile must not share a place; a tile has few enough elements to look at each.
// Returns the farthest place.
Result<std::int64_t> check_smem_layout(const char* name, const AnyLayout& layout, std::int64_t blk_mn, std::int64_t blk_k) {
  if (std::holds_alternative<ComposedLayout>(layout) && !is_swizzled(layout)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} is {}; in shared memory a layout is L or Sw<B,M,S> o offset o L", name, to_string(layout)), {});
  }
  const Layout& plain = plain_part(layout);
  if (plain.rank() != 2 || plain[0].size() != blk_mn || plain[1].size() != blk_k) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("{} is {}; its modes must have {} and {} elements, as cta_tiler says", name, to_string(layout), blk_mn, blk_k),
        fmt::format("change {} or cta_tiler", name));
  }
  std::int64_t farthest = 0;
  std::vector<bool> taken;  // by place, as far as kFarthestInSmem; what lies farther is refused by lower_smem
  const ValueTable places(layout);
  for (std::int64_t k = 0; k < blk_k; ++k) {
    if (late()) return past_deadline("lowering: the place of each element in shared memory");
    for (std::int64_t mn = 0; mn < blk_mn; ++mn) {
      const std::int64_t place = places(mn, k);
      if (place < 0) return refuse(ErrorCode::bad_spec, fmt::format("{} maps ({},{}) to the negative offset {}", name, mn, k, place), {});
      farthest = std::max(farthest, place);
      if (place > kFarthestInSmem) continue;
      const auto at = static_cast<std::size_t>(place);
      if (at >= taken.size()) taken.resize(std::max(at + 1, 2 * taken.size()), false);
      if (taken[at]) {
        return refuse(ErrorCode::not_injective,
                      fmt::format("{} = {} puts two elements at offset {}; the second is ({},{})", name, to_string(layout), place, mn, k),
                      fmt::format("change {}", name));
      }
      taken[at] = true;
    }
  }
  return farthest;
}

Result<lowering::SmemTensor> lower_smem(const char* name, ValueType type, const std::optional<AnyLayout>& given,
                                        const lowering::GmemTensor& gmem, std::int64_t blk_mn, std::int64_t blk_k, bool of_warps) {
  const std::int64_t alignment = of_warps ? 32 : 16;  // bytes: of the widest access to the first element of a stage
  // Default: as compact as the tile is in global memory, with the same mode first.
  const bool k_first = gmem.tiles[0][1].shape().rank() >= 1 && gmem.tiles(blk_mn, 0) - gmem.tiles(0, 0) == 1 && blk_k > 1;
  const Shape shape = IntTuple::tuple({blk_mn, blk_k});
  TESSERA_TRY(compact, Layout::make(shape, k_first ? IntTuple::tuple({blk_k, 1}) : IntTuple::tuple({1, blk_mn})));
  lowering::SmemTensor tensor{name, type, given.value_or(AnyLayout(compact)), 0, 0};
  TESSERA_TRY(last, check_smem_layout(name, tensor.layout, blk_mn, blk_k));
  if (last > kFarthestInSmem)
    return refuse(ErrorCode::limit,
                  fmt::format("{} = {} reaches offset {}; no shared memory is that large", name, to_string(tensor.layout), last),
                  fmt::format("change {}", name));
  const std::int64_t bytes = ceil_div((last + 1) * bits(type), 8);
  tensor.stage_elements = round_up(bytes, alignment) * 8 / bits(type);
  return tensor;
}

// A swizzled layout of fewer rows or columns is repeated over the tile, rows first, as CuTe's layout atoms are by tile_to_shape. Any other
// is as it was given. (8,64):(64,1) under Sw<3,3,3> is (128,64):(64,1) under it in a tile of (128,64).
Result<AnyLayout> over_tile(const AnyLayout& given, std::int64_t blk_mn, std::int64_t blk_k) {
  if (!is_swizzled(given) || plain_part(given).rank() != 2) return given;
  const Layout& plain = plain_part(given);
  const std::int64_t rows = plain[0].size(), columns = plain[1].size();
  if (plain.size() == blk_mn * blk_k || blk_mn % rows != 0 || blk_k % columns != 0) return given;
  TESSERA_TRY(tile, tile_to_shape(given, IntTuple::tuple({blk_mn, blk_k})));
  return coalesce(tile, IntTuple::tuple({1, 1}));
}

Status lower_tensors(const GemmSpec& spec, Draft& plan) {
  const MmaAtom& atom = spec.mma->atom();
  if (bits(atom.val_a) != bits(atom.val_b)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} multiplies {} by {}; A and B of one width are supported", atom.name, short_name(atom.val_a),
                              short_name(atom.val_b)),
                  "another atom");
  }
  TESSERA_TRY(gA, lower_gmem(plan, Operand::a, "gA", atom.val_a, spec.gA, !atom.mn_major_a));
  TESSERA_TRY(gB, lower_gmem(plan, Operand::b, "gB", atom.val_b, spec.gB, !atom.mn_major_b));
  TESSERA_TRY(gC, lower_gmem(plan, Operand::c, "gC", spec.type_c, spec.gC, true));
  const Layout& places = spec.gC ? *spec.gC : gC.layout;  // of a batch, of all its matrices
  TESSERA_TRY(meets, aliasing_pair(places));
  if (meets) {
    return refuse(ErrorCode::not_injective,
                  fmt::format("gC = {} puts elements {} and {} of C at one offset, {}, which two threads would write", to_string(places),
                              to_string(meets->first_coord), to_string(meets->second_coord), to_string(meets->index)),
                  "change gC");
  }
  plan.global[kA] = std::move(gA), plan.global[kB] = std::move(gB), plan.global[kC] = std::move(gC);
  if (!plan.copies_tiles) return Done{};
  // As the spec gives it, or for wgmma as its descriptors want it.
  const auto stage = [&](const std::optional<AnyLayout>& given, ValueType type, bool mn_major, const char* extent,
                         std::int64_t blk_mn) -> Result<std::optional<AnyLayout>> {
    if (given) {
      TESSERA_TRY(whole, over_tile(*given, blk_mn, plan.blk_k));
      return std::optional<AnyLayout>(std::move(whole));
    }
    if (!is_wgmma(plan)) return given;
    TESSERA_TRY(rows, lowering::stage_of_rows(type, mn_major, extent, blk_mn, plan.blk_k));
    return std::optional<AnyLayout>(std::move(rows));
  };
  TESSERA_TRY(given_a, stage(spec.sA, atom.val_a, atom.mn_major_a, "BLK_M", plan.blk_m));
  TESSERA_TRY(given_b, stage(spec.sB, atom.val_b, atom.mn_major_b, "BLK_N", plan.blk_n));
  const bool of_warps = atom.kind == MmaKind::wmma;
  TESSERA_TRY(sA, lower_smem("sA", atom.val_a, given_a, plan.global[kA], plan.blk_m, plan.blk_k, of_warps));
  TESSERA_TRY(sB, lower_smem("sB", atom.val_b, given_b, plan.global[kB], plan.blk_n, plan.blk_k, of_warps));
  plan.shared[kA] = std::move(sA), plan.shared[kB] = std::move(sB);
  return Done{};
}

// How tiles travel to shared memory and from there to registers, and the architecture that this asks for.
Status lower_copies(const GemmSpec& spec, Draft& plan) {
  TESSERA_TRY(g2s_a, lowering::lower_gmem_to_smem(plan, Operand::a, spec.copy_a, "copy_a"));
  TESSERA_TRY(g2s_b, lowering::lower_gmem_to_smem(plan, Operand::b, spec.copy_b, "copy_b"));
  TESSERA_TRY(s2r_a, lowering::lower_smem_to_rmem(plan, Operand::a, plan.shared[kA], spec.smem_copy_a, "smem_copy_a"));
  TESSERA_TRY(s2r_b, lowering::lower_smem_to_rmem(plan, Operand::b, plan.shared[kB], spec.smem_copy_b, "smem_copy_b"));
  plan.to_smem[kA] = std::move(g2s_a), plan.to_smem[kB] = std::move(g2s_b);
  plan.to_rmem[kA] = std::move(s2r_a), plan.to_rmem[kB] = std::move(s2r_b);
  for (const Operand operand : {Operand::a, Operand::b}) {
    const auto i = static_cast<std::size_t>(operand);
    // cp.async reads no more than what is inside.
    if (plan.to_smem[i].instruction == GmemToSmem::load_store)
      plan.global[i].elements = lowering::elements_read(plan, operand, plan.to_smem[i].vector);
  }
  if (plan.to_smem[kA].instruction == GmemToSmem::cp_async || plan.to_smem[kB].instruction == GmemToSmem::cp_async)
    plan.arch.sm = std::max(plan.arch.sm, 80);
  for (const std::optional<CopyTraits>& atom : {spec.smem_copy_a, spec.smem_copy_b}) {
    if (atom) plan.arch.sm = std::max(plan.arch.sm, atom->arch.sm);
  }
  return Done{};
}

void place_batch(Draft& plan) {
  for (const Operand operand : {Operand::a, Operand::b, Operand::c})
    plan.tensors[plan.path(operand).gmem].batch_elements = plan.global[static_cast<std::size_t>(operand)].batch_elements;
}

struct Pass {
  std::string_view name;
  Status (*run)(const GemmSpec& spec, Draft& plan);
  enum class Of : std::uint8_t { all, registers, wgmma } of = Of::all;  // where the atom's operands are
};
constexpr Pass kPasses[] = {
    {"stages", [](const GemmSpec& spec, Draft& plan) { return lowering::lower_stages(spec, plan); }},
    {"sizes",
     [](const GemmSpec& spec, Draft& plan) -> Status {
       TESSERA_CHECK(lower_sizes(spec, plan));
       TESSERA_CHECK(lowering::check_arguments(spec));
       TESSERA_CHECK(lowering::check_batch(spec));
       lowering::lower_cluster(spec, plan);
       return Done{};
     }},
    {"threads",
     [](const GemmSpec& spec, Draft& plan) -> Status {
       TESSERA_CHECK(lower_threads(spec, plan));
       return lowering::check_fields(spec);
     }},
    {"tensors",
     [](const GemmSpec& spec, Draft& plan) -> Status {
       TESSERA_CHECK(lower_tensors(spec, plan));
       if (plan.copies_tiles) lowering::place_stages(plan);
       return Done{};
     }},
    {"fragments", [](const GemmSpec&, Draft& plan) { return lowering::lower_fragments(plan); }, Pass::Of::registers},
    {"roles", [](const GemmSpec& spec, Draft& plan) { return lowering::lower_warp_specialised(spec, plan); }, Pass::Of::wgmma},
    {"raster", lowering::lower_raster},
    {"copies", [](const GemmSpec& spec, Draft& plan) { return plan.copies_tiles ? lower_copies(spec, plan) : Status(Done{}); },
     Pass::Of::registers},
    {"resources", [](const GemmSpec&, Draft& plan) { return lowering::lower_resources(plan); }, Pass::Of::registers},
    {"program", [](const GemmSpec&, Draft& plan) { return lowering::lower_program(plan); }, Pass::Of::registers},
    {"batch",
     [](const GemmSpec&, Draft& plan) -> Status {
       place_batch(plan);
       return Done{};
     }},
};

// One size, to the end of a pass, without the proof that its program is right.
Result<GemmPlan> lower_size(const GemmSpec& spec, std::string_view last = std::end(kPasses)[-1].name) {
  TESSERA_CHECK(check_name(spec.name));
  TESSERA_CHECK(check_sizes(spec));
  const Pass::Of of = spec.mma->atom().kind == MmaKind::wgmma ? Pass::Of::wgmma : Pass::Of::registers;
  Draft plan;
  std::string known;
  for (const Pass& pass : kPasses) {
    if (pass.of != Pass::Of::all && pass.of != of) continue;
    TESSERA_CHECK(pass.run(spec, plan));
    if (pass.name == last) return GemmPlan(std::move(plan));
    known += fmt::format("{}{}", known.empty() ? "" : ", ", pass.name);
  }
  return refuse(ErrorCode::unknown_name, fmt::format("{} is none of the passes by which this GEMM is lowered", last), known);
}

}  // namespace

std::span<const std::string_view> passes() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Pass& pass : kPasses) all.push_back(pass.name);
    return all;
  }();
  return names;
}

Result<GemmPlan> lower_until(const GemmSpec& spec, std::string_view pass) {
  if (spec.plan != nullptr)
    return refuse(ErrorCode::bad_spec, fmt::format("{} is a plan that is written out: no pass makes it", spec.name), {});
  const DefaultBudget budget;
  return lower_size(spec, pass);
}

Result<GemmPlan> lower(const GemmSpec& spec) {
  const DefaultBudget budget;
  if (spec.plan != nullptr) {
    GemmPlan plan = *spec.plan;
    TESSERA_CHECK(verify(*spec.plan, &plan.notes));
    plan.name = spec.name;
    return plan;
  }
  TESSERA_TRY(plan, lower_size(spec));
  std::vector<std::string> notes;
  TESSERA_CHECK(verify(plan, &notes));
  plan.notes.insert(plan.notes.end(), notes.begin(), notes.end());
  TESSERA_CHECK(check_time("lowering the GEMM"));
  return plan;
}

}  // namespace tessera
