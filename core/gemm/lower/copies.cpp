// SPDX-License-Identifier: BSD-3-Clause
// Steps 1 and 2 of a GEMM: which thread copies what, with which instruction, from where to where.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/layout/value_table.hpp"

namespace tessera::lowering {

namespace {

constexpr std::int64_t kWidestAccess = 128;  // bits of one thread's copy instruction

// Is value v of every (thr, copy) at offset(v = 0) + v, and is offset(v = 0) a multiple of `vector`?
bool is_vector(const AnyLayout& layout, std::int64_t threads, std::int64_t vector, std::int64_t copies) {
  const ValueTable place(layout);
  for (std::int64_t thr = 0; thr < threads && !late(); ++thr) {  // `lower` looks at the clock afterwards
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      const std::int64_t first = place(thr, copy * vector);
      if (first % vector != 0) return false;
      for (std::int64_t v = 1; v < vector; ++v) {
        if (place(thr, copy * vector + v) != first + v) return false;
      }
    }
  }
  return true;
}

// The greatest number up to `most` that divides `whole`.
std::int64_t greatest_divisor(std::int64_t whole, std::int64_t most) {
  std::int64_t part = std::min(whole, most);
  while (whole % part != 0) --part;
  return part;
}

// How many threads share `vectors` along a mode and `across` rows of them, evenly: as many along as divide the threads, too. Where that
// leaves threads idle, as many in all as there can be.
std::pair<std::int64_t, std::int64_t> shared_out(std::int64_t threads, std::int64_t vectors, std::int64_t across) {
  std::int64_t along = std::min(threads, vectors);
  while (vectors % along != 0 || threads % along != 0) --along;
  std::pair<std::int64_t, std::int64_t> best{along, greatest_divisor(across, threads / along)};
  if (best.first * best.second == std::min(threads, vectors * across)) return best;
  for (along = std::min(threads, vectors); along >= 1; --along) {
    if (vectors % along != 0) continue;
    const std::int64_t rows = greatest_divisor(across, threads / along);
    if (along * rows > best.first * best.second) best = {along, rows};
  }
  return best;
}

// make_tiled_copy for the default: `vector` elements along mode `fast`, threads along it first.
// Nothing where the vectors do not fill the mode.
std::optional<TiledCopy> default_copy(std::int64_t threads, std::int64_t blk_mn, std::int64_t blk_k, int fast, std::int64_t vector,
                                      ValueType type, bool asynchronous) {
  const std::int64_t extent[2] = {blk_mn, blk_k};
  const std::int64_t along = extent[fast], across = extent[1 - fast];
  if (along % vector != 0) return std::nullopt;
  const auto [thr_along, thr_across] = shared_out(threads, along / vector, across);
  const std::int64_t thr_m = fast == 0 ? thr_along : thr_across, thr_k = fast == 0 ? thr_across : thr_along;
  const auto thr = Layout::make(IntTuple::tuple({thr_m, thr_k}), fast == 0 ? IntTuple::tuple({1, thr_m}) : IntTuple::tuple({thr_k, 1}));
  const auto val = Layout::make_compact(fast == 0 ? IntTuple::tuple({vector, 1}) : IntTuple::tuple({1, vector}));
  const std::int64_t width = vector * bits(type);
  const std::string unit = width == 128 ? "uint128_t" : fmt::format("uint{}_t", width);
  const auto traits = find_copy_atom(fmt::format(
      "{}<{}>", asynchronous ? (width == 128 ? "SM80_CP_ASYNC_CACHEGLOBAL" : "SM80_CP_ASYNC_CACHEALWAYS") : "UniversalCopy", unit));
  if (!thr || !val || !traits) return std::nullopt;
  const auto atom = CopyAtom::make(*traits, type);
  if (!atom) return std::nullopt;
  auto copy = make_tiled_copy(*atom, *thr, *val);
  if (!copy) return std::nullopt;
  return *std::move(copy);
}

// (Thr,(FrgV,FrgX),(RestM,..)) -> (thr, (vec, (FrgX, Rest)))
Layout as_vectors(const Layout& tidfrg) {
  const Layout values = tidfrg[1];
  return make_layout({tidfrg[0], make_layout({values[0], make_layout({values[1], tidfrg[2]})})});
}

Result<GmemToSmemStep> step_of(const TiledCopy& copy, const Draft& plan, Operand operand, const GmemTensor& gmem, const SmemTensor& smem,
                               std::int64_t blk_mn, const char* field) {
  const CopyTraits& traits = copy.atom().traits;
  GmemToSmemStep step;
  step.atom_name = traits.name;
  if (traits.kind == CopyKind::cp_async) {
    step.instruction = GmemToSmem::cp_async;
  } else if (traits.kind != CopyKind::universal) {
    return refuse(ErrorCode::bad_spec, fmt::format("{} is no copy from global to shared memory that this schedule knows", traits.name),
                  fmt::format("{} with UniversalCopy<uint128_t> or SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", field));
  }
  step.threads = copy.num_threads();
  if (step.threads > plan.threads) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} shares the tile among {} threads; the tiled MMA has {}", field, step.threads, plan.threads),
                  fmt::format("a thread layout of {} in {}", plan.threads, field));
  }
  TESSERA_TRY(coordinates, Layout::make_compact(IntTuple::tuple({blk_mn, plan.blk_k})));
  TESSERA_TRY(tile_tv, copy.tidfrg_s(coordinates));
  TESSERA_TRY(source, copy.tidfrg_s(gmem.tiles[0]));
  TESSERA_TRY(destination, copy.tidfrg_d(plain_part(smem.layout)));
  step.tile_tv = as_vectors(tile_tv);
  step.gmem = as_vectors(source);
  step.smem = with_plain_part(smem.layout, as_vectors(destination));
  step.vector = step.gmem[1][0].size();
  step.copies = step.gmem[1][1].size();
  if (step.threads * step.vector * step.copies != blk_mn * plan.blk_k) {
    return refuse(
        ErrorCode::not_divisible,
        fmt::format("{}'s tile {} does not divide the {}x{} tile of {}", field, to_string(copy.tiler_mn()), blk_mn, plan.blk_k, smem.name),
        fmt::format("thread and value layouts in {} whose product divides {}x{}", field, blk_mn, plan.blk_k));
  }
  TESSERA_CHECK(check_partition(step.tile_tv, step.gmem, gmem.tiles[0], gmem.name.c_str()));
  if (plan::has_edge(plan, operand)) {
    TESSERA_TRY(identity, tile_coordinates(plan, operand));
    TESSERA_TRY(of_threads, copy.tidfrg_s(identity));
    step.coordinates = as_vectors(of_threads);
    TESSERA_CHECK(check_coordinates(step.coordinates, step.tile_tv, blk_mn, gmem.name.c_str()));
  }
  TESSERA_CHECK(check_partition(step.tile_tv, as_vectors(destination), plain_part(smem.layout), smem.name.c_str()));
  return step;
}

Status check_vectors(const Draft& plan, Operand operand, const GmemToSmemStep& step, const GmemTensor& gmem, const SmemTensor& smem,
                     const char* field) {
  const std::int64_t width = step.vector * bits(gmem.type);
  if (width < 8 || width > kWidestAccess || (width & (width - 1)) != 0) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} moves {} bits with one instruction; a thread moves 8, 16, 32, 64 or {}", field, width, kWidestAccess),
                  field);
  }
  if (step.instruction == GmemToSmem::cp_async && width != 32 && width != 64 && width != 128) {
    return refuse(ErrorCode::bad_spec, fmt::format("cp.async moves 4, 8 or 16 bytes; {} asks for {} bits", field, width), field);
  }
  // Another size has more rows than this one may have: each begins at a multiple of the vector.
  const auto matrix = rows_of(gmem);
  const bool rows_are_aligned = plan.extents == Extents::literals || (matrix && matrix->pitch % step.vector == 0);
  if (!rows_are_aligned || !is_vector(step.gmem, step.threads, step.vector, step.copies) || !tiles_are_aligned(gmem.tiles, step.vector)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} reads {} elements at once, which are not neighbours at an aligned place in {} = {}", field, step.vector,
                              gmem.name, to_string(gmem.layout)),
                  fmt::format("a narrower copy in {}, or {}", field, with_padded_rows(gmem, plan::contiguous_mode(gmem.tiles[0]) == 0)));
  }
  if (!vectors_end_well(plan, operand, step.tile_tv, step.vector, false)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} reads {} elements at once, which are not neighbours in one mode of {} = {}, whose last tile ends before "
                              "they do",
                              field, step.vector, gmem.name, to_string(gmem.layout)),
                  fmt::format("a narrower copy in {}", field));
  }
  if (!is_vector(step.smem, step.threads, step.vector, step.copies)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} writes {} elements at once, which are not neighbours at an aligned place in {} = {}", field, step.vector,
                              smem.name, to_string(smem.layout)),
                  fmt::format("a narrower copy in {}, or another {}", field, smem.name));
  }
  return Done{};
}

Result<SmemToRmemStep> plain_loads(const Draft& plan, Operand operand, const SmemTensor& smem) {
  SmemToRmemStep step;
  step.atom_name = "DefaultCopy";
  const AnyLayout& source = plan.consumed[static_cast<std::size_t>(operand)];  // (thr, (val, MMA_M, MMA_K))
  step.smem = source;
  step.rmem = plan.fragment[static_cast<std::size_t>(operand)];
  step.values = step.rmem[0].size();
  const std::int64_t copies = step.rmem.size() / step.values;
  const std::int64_t threads = plain_part(source)[0].size();
  for (step.vector = step.values; step.vector > 1; --step.vector) {
    const bool power_of_two = (step.vector & (step.vector - 1)) == 0;
    if (!power_of_two || step.values % step.vector != 0 || step.vector * bits(smem.type) > kWidestAccess) continue;
    if (is_vector(source, threads, step.vector, copies * step.values / step.vector)) break;
  }
  return step;
}

// Bits of one load: those of the atom, or for one that chooses its width when it meets its tensors the most that it may.
std::int64_t bits_of_load(const CopyTraits& atom) {
  if (const std::int64_t own = atom.layout_src[1].size(); own > 1) return own;
  return atom.assumed_bits;
}

// Loads of `vector` elements: values of an atom, or of several atoms along M (N) where their elements are neighbours. Nothing where they
// are not.
std::optional<SmemToRmemStep> loads_of(const Draft& plan, Operand operand, std::int64_t vector) {
  const AnyLayout& source = plan.consumed[static_cast<std::size_t>(operand)];  // (thr, (val, MMA_M, MMA_K))
  const Layout& fragment = plan.fragment[static_cast<std::size_t>(operand)];   // (val, MMA_M, MMA_K)
  const Layout plain = plain_part(source), from = make_layout({plain[1][0], plain[1][1]}), to = make_layout({fragment[0], fragment[1]});
  const std::int64_t threads = plain[0].size(), values = from.size();
  SmemToRmemStep step;
  step.vector = vector, step.values = fragment[0].size();
  step.smem = source, step.rmem = fragment;
  if (step.values % vector != 0) {
    if (values % vector != 0 || vector % step.values != 0) return std::nullopt;
    const Layout one = Layout::trusted(vector, 1), all = Layout::trusted(values / vector, vector);  // of a k-block's values
    const auto from_one = composition(from, one), from_all = composition(from, all), to_one = composition(to, one),
               to_all = composition(to, all);
    if (!from_one || !from_all || !to_one || !to_all) return std::nullopt;
    step.smem = with_plain_part(source, make_layout({plain[0], make_layout({*from_one, *from_all, plain[1][2]})}));
    step.rmem = make_layout({*to_one, *to_all, fragment[2]});
    step.values = vector, step.has_own_partition = true;
  }
  if (!is_vector(step.smem, threads, vector, values * plan.mma_k / vector)) return std::nullopt;
  return step;
}

Result<SmemToRmemStep> vector_loads(const Draft& plan, Operand operand, const SmemTensor& smem, const CopyTraits& atom, const char* field) {
  const std::int64_t most = bits_of_load(atom), element = bits(smem.type);
  const bool chooses = atom.layout_src[1].size() == 1;
  for (std::int64_t width = std::max(most, chooses ? element : most); width >= (chooses ? element : most); width /= 2) {
    auto step = width % element == 0 && width <= kWidestAccess ? loads_of(plan, operand, width / element) : std::nullopt;
    if (!step) continue;
    step->atom_name = atom.name;
    return *std::move(step);
  }
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} reads {} bits of {} = {} at once, which are no neighbours at an aligned place among the values of a thread",
                            atom.name, most, smem.name, to_string(smem.layout)),
                fmt::format("AutoVectorizingCopy in {}, another {}, or a permutation whose values are neighbours", field, smem.name));
}

// Every 8-element row that ldmatrix reads must lie together, 16 bytes aligned.
Result<SmemToRmemStep> matrix_loads(const Draft& plan, Operand operand, const SmemTensor& smem, const CopyTraits& traits,
                                    const char* field) {
  if (bits(smem.type) != 16 || smem.byte_offset % 16 != 0) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} loads matrices of 16-bit elements; {} is {}", traits.name, smem.name, short_name(smem.type)), field);
  }
  TESSERA_TRY(atom, CopyAtom::make(traits, smem.type));
  const TiledMma& mma = *plan.mma;
  TESSERA_TRY(copy, operand == Operand::a ? make_tiled_copy_a(atom, mma) : make_tiled_copy_b(atom, mma));
  TESSERA_TRY(source, copy.tidfrg_s(plain_part(smem.layout)));                         // (Thr,(FrgV,FrgX),(RestM,RestK))
  TESSERA_TRY(target, copy.retile(plan.fragment[static_cast<std::size_t>(operand)]));  // ((FrgV,FrgX),MMA_M,MMA_K)
  SmemToRmemStep step;
  step.instruction = traits.kind == CopyKind::ldmatrix ? SmemToRmem::ldmatrix : SmemToRmem::ldmatrix_trans;
  step.has_own_partition = true;
  step.atom_name = traits.name;
  step.vector = 8;
  const Layout rest = source[2];
  const Layout values = source[1];
  if (rest.rank() != 2 || rest[1].size() != plan.mma_k || values[0].size() != step.vector) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("{} does not load one k-block of {} at a time: its partition is {}", traits.name, smem.name, to_string(source)),
        fmt::format("an MMA tile whose values fill {}, or another {}", traits.name, field));
  }
  step.smem = with_plain_part(smem.layout, make_layout({source[0], make_layout({values[0], make_layout({values[1], rest[0]}), rest[1]})}));
  const Layout received = target[0];  // (FrgV, FrgX)
  step.values = received[0].size();
  step.matrices = step.values / 2;  // a matrix gives each thread 2 of its 64 elements
  step.rmem = make_layout({received[0], make_layout({received.rank() > 1 ? received[1] : Layout(), target[1]}), target[2]});
  const std::int64_t copies = values[1].size() * rest[0].size() * plan.mma_k;
  if (step.rmem[1].size() * step.rmem[2].size() != copies || !is_vector(step.smem, source[0].size(), step.vector, copies)) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} reads rows of 8 elements, which are not neighbours at a 16-byte boundary in {} = {}", traits.name,
                              smem.name, to_string(smem.layout)),
                  fmt::format("another {}, or {} left out", smem.name, field));
  }
  return step;
}

}  // namespace

Result<GmemToSmemStep> lower_gmem_to_smem(const Draft& plan, Operand operand, const std::optional<TiledCopy>& copy, const char* field) {
  const GmemTensor& gmem = plan.global[static_cast<std::size_t>(operand)];
  const SmemTensor& smem = plan.shared[static_cast<std::size_t>(operand)];
  const std::int64_t blk_mn = plan::tile_extents(plan, operand)[0];
  if (copy) {
    TESSERA_TRY(step, step_of(*copy, plan, operand, gmem, smem, blk_mn, field));
    TESSERA_CHECK(check_vectors(plan, operand, step, gmem, smem, field));
    return step;
  }
  // The widest vectors that fit both sides, along the mode that is contiguous in global memory; asynchronous where more than one
  // tile has room, and there is an atom of that width: 4, 8 or 16 bytes.
  const int fast = static_cast<int>(plan::contiguous_mode(gmem.tiles[0]));
  for (const bool asynchronous : {true, false}) {
    if (asynchronous && tiles_beside_one(plan) == 0) continue;
    for (std::int64_t width = kWidestAccess; width >= bits(gmem.type); width /= 2) {
      const auto tiled = default_copy(plan.threads, blk_mn, plan.blk_k, fast, width / bits(gmem.type), gmem.type, asynchronous);
      if (!tiled) continue;
      auto step = step_of(*tiled, plan, operand, gmem, smem, blk_mn, field);
      if (step && check_vectors(plan, operand, *step, gmem, smem, field)) return step;
    }
  }
  return refuse(ErrorCode::bad_spec,
                fmt::format("no copy shares the {}x{} tile of {} = {} evenly among {} threads", blk_mn, plan.blk_k, smem.name,
                            to_string(smem.layout), plan.threads),
                field);
}

Result<SmemToRmemStep> lower_smem_to_rmem(const Draft& plan, Operand operand, const SmemTensor& smem, const std::optional<CopyTraits>& atom,
                                          const char* field) {
  if (plan.mma->atom().kind == MmaKind::wmma) {
    // load_matrix_sync takes what it likes, as an AutoVectorizingCopy does.
    if (!atom || atom->name.starts_with("AutoVectorizingCopy")) return warp_loads(plan, operand, smem);
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("{} loads its fragments itself; {} brings each thread what mma.sync wants", plan.mma->atom().name, atom->name),
        fmt::format("{} left out, or an atom such as SM80_16x8x16_F32F16F16F32_TN", field));
  }
  if (!atom) return plain_loads(plan, operand, smem);
  if (atom->kind == CopyKind::universal) return vector_loads(plan, operand, smem, *atom, field);
  if (atom->kind == CopyKind::ldmatrix || atom->kind == CopyKind::ldmatrix_trans) return matrix_loads(plan, operand, smem, *atom, field);
  return refuse(ErrorCode::bad_spec, fmt::format("{} is no copy from shared memory to registers that this schedule knows", atom->name),
                fmt::format("{}=SM75_U32x4_LDSM_N, or left out", field));
}

}  // namespace tessera::lowering
