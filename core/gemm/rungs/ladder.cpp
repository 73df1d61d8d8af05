// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/rungs/ladder.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/rungs/fastest.hpp"

namespace tessera {
namespace {

IntTuple ints(std::initializer_list<IntTuple> values) { return IntTuple::tuple(std::vector<IntTuple>(values)); }
Layout layout(IntTuple shape, IntTuple stride) { return Layout::trusted(std::move(shape), std::move(stride)); }

Status set_mma(GemmSpec& spec, const char* atom, IntTuple atoms, IntTuple strides, Tiler permutation = Underscore{}) {
  TESSERA_TRY(found, find_mma_atom(atom));
  TESSERA_TRY(mma, TiledMma::make(found, layout(std::move(atoms), std::move(strides)), std::move(permutation)));
  spec.mma = std::move(mma);
  return Done{};
}
Status set_smem_copies(GemmSpec& spec, const char* a, const char* b) {
  TESSERA_TRY(copy_a, find_copy_atom(a));
  TESSERA_TRY(copy_b, find_copy_atom(b));
  spec.smem_copy_a = std::move(copy_a), spec.smem_copy_b = std::move(copy_b);
  return Done{};
}

constexpr const char* kFma = "UniversalFMA<float,float,float,float>";

// Rows begin at multiples of 16 bytes, whatever their length.
std::int64_t pitch(std::int64_t elements) { return elements < 1 ? elements : ceil_div(elements, 8) * 8; }

// 32 x 32 threads, each with one element of C; the 32 of a warp lie below each other along M.
Result<GemmSpec> naive(std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmSpec spec;
  spec.m = m, spec.n = n, spec.k = k;
  // Where that is no padding, gA and gC are left out.
  TESSERA_TRY(gA, Layout::make(ints({m, k}), ints({pitch(k), 1})));  // (M,K) -> element
  TESSERA_TRY(gB, Layout::make(ints({n, k}), ints({1, pitch(n)})));  // (N,K) -> element
  TESSERA_TRY(gC, Layout::make(ints({m, n}), ints({pitch(n), 1})));  // (M,N) -> element
  if (pitch(k) != k) spec.gA = std::move(gA);
  spec.gB = std::move(gB);
  if (pitch(n) != n) spec.gC = std::move(gC);
  TESSERA_CHECK(set_mma(spec, kFma, ints({32, 32, 1}), ints({1, 32, 0})));
  spec.cta_tiler = ints({32, 32, 1});
  spec.operands = Operands::gmem;
  return spec;
}

// The 32 threads of a warp lie beside each other along N.
Result<GemmSpec> coalesced(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, naive(m, n, k));
  TESSERA_CHECK(set_mma(spec, kFma, ints({32, 32, 1}), ints({32, 1, 0})));
  return spec;
}

Result<GemmSpec> smem_tile(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, coalesced(m, n, k));
  spec.cta_tiler = ints({32, 32, 32});
  spec.operands = Operands::smem;
  return spec;
}

Result<GemmSpec> register_tile(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, smem_tile(m, n, k));
  TESSERA_CHECK(set_mma(spec, kFma, ints({16, 16, 1}), ints({16, 1, 0})));
  spec.cta_tiler = ints({128, 128, 8});
  return spec;
}

Result<GemmSpec> vectorised(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, register_tile(m, n, k));
  const Layout fours = layout(ints({16, 4, 2}), ints({4, 1, 64}));  // (thr, val, half) -> m or n: four neighbours, twice
  TESSERA_CHECK(set_mma(spec, kFma, ints({16, 16, 1}), ints({16, 1, 0}), Tiler(std::vector<Tiler>{fours, fours, 1})));
  spec.sA = layout(ints({128, 8}), ints({1, 132}));
  TESSERA_CHECK(set_smem_copies(spec, "AutoVectorizingCopy", "AutoVectorizingCopy"));
  return spec;
}

Result<GemmSpec> wmma(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, vectorised(m, n, k));
  TESSERA_CHECK(set_mma(spec, "WMMA_16x16x16_F32F16F16F32_TT", ints({2, 4, 1}), ints({4, 1, 0})));
  spec.cta_tiler = ints({128, 256, 64});
  spec.sA = layout(ints({128, 64}), ints({72, 1}));
  spec.sB = layout(ints({256, 64}), ints({1, 264}));
  return spec;
}

Result<GemmSpec> quad_pairs(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, wmma(m, n, k));
  const Layout eights = layout(ints({4, 2, 8, 2}), ints({1, 8, 16, 4}));  // (val, half, atom, rest) -> n: eight neighbours
  TESSERA_CHECK(set_mma(spec, "SM70_8x8x4_F32F16F16F32_TT", ints({4, 8, 1}), ints({8, 1, 0}), Tiler(std::vector<Tiler>{32, eights, 4})));
  spec.store = Stores::direct;  // each element has its thread
  return spec;
}

Result<GemmSpec> ldmatrix(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, quad_pairs(m, n, k));
  TESSERA_CHECK(set_mma(spec, "SM80_16x8x16_F32F16F16F32_TN", ints({2, 4, 1}), ints({4, 1, 0}), Tiler(std::vector<Tiler>{32, 64, 16})));
  TESSERA_CHECK(set_smem_copies(spec, "SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T"));
  spec.copies = Copies::ahead;
  return spec;
}

Result<GemmSpec> cp_async(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, ldmatrix(m, n, k));
  TESSERA_TRY(swizzle, Swizzle::make(3, 3, 3));
  // Rows of 64 elements, 128 bytes: along K for A, eight of them until the swizzle repeats; for B along N, four of them beside each other.
  spec.sA = ComposedLayout{swizzle, 0, layout(ints({8, 64}), ints({64, 1}))};
  spec.sB = ComposedLayout{swizzle, 0, layout(ints({ints({64, 4}), 64}), ints({ints({1, 4096}), 64}))};
  spec.stages = 3;
  spec.raster_group = 8;
  return spec;
}

// wgmma and TMA take the swizzled rows of sA and sB as they are.
constexpr const char* kWgmmaAtom = "SM90_64x256x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>";

Result<GemmSpec> wgmma_tma(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, cp_async(m, n, k));
  TESSERA_CHECK(set_mma(spec, kWgmmaAtom, ints({1, 1, 1}), ints({0, 0, 0})));
  spec.cta_tiler = ints({64, 256, 64});
  spec.smem_copy_a = spec.smem_copy_b = std::nullopt;
  return spec;
}

Result<GemmSpec> mbarrier_ring(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, wgmma_tma(m, n, k));
  spec.stages = 4;
  spec.copies = Copies::producer;
  return spec;
}

// Two warpgroups with 64 rows of the tile each.
Result<GemmSpec> two_consumers(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, mbarrier_ring(m, n, k));
  TESSERA_CHECK(set_mma(spec, kWgmmaAtom, ints({2, 1, 1}), ints({1, 0, 0})));
  spec.cta_tiler = ints({128, 256, 64});
  spec.registers = ints({24, 240});
  return spec;
}

// stmatrix stores elements of 16 bits.
Result<GemmSpec> tma_store(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, two_consumers(m, n, k));
  spec.type_c = ValueType::f16;
  spec.store = Stores::staged;
  return spec;
}

// As many CTAs as an H100 or H200 has multiprocessors.
Result<GemmSpec> persistent(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, tma_store(m, n, k));
  spec.ctas = 132;
  return spec;
}

Result<GemmSpec> multicast(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, persistent(m, n, k));
  spec.cluster = ints({2, 1});
  return spec;
}

Result<GemmSpec> deferred_store(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, multicast(m, n, k));
  spec.overlap = Overlap::deferred;
  return spec;
}

// B along K: a tile may then have any width of wgmma, where rows of 64 elements along N allow multiples of 64. What fits the size best.
Result<GemmSpec> fastest_of_size(std::int64_t m, std::int64_t n, std::int64_t k) {
  TESSERA_TRY(spec, deferred_store(m, n, k));
  TESSERA_TRY(naive_b, Layout::make(ints({n, k}), ints({pitch(k), 1})));  // (N,K) -> element
  spec.gB.reset(), spec.sB.reset();
  if (pitch(k) != k) spec.gB = std::move(naive_b);
  TESSERA_TRY(product, naive(m, n, k));
  product.gB = spec.gB, product.mma = spec.mma, product.type_c = spec.type_c;
  TESSERA_CHECK(set_mma(product, "SM90_64x256x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>", ints({2, 1, 1}), ints({1, 0, 0})));
  spec.mma = product.mma;
  const Result<GemmSpec> found = fastest(product);
  if (!found) return spec;  // of no size that there is a kernel for: `lower` says why
  const GemmSpec& chosen = *found;
  spec.mma = chosen.mma, spec.cta_tiler = chosen.cta_tiler, spec.stages = chosen.stages, spec.cluster = chosen.cluster;
  spec.ctas = chosen.ctas, spec.overlap = chosen.overlap, spec.k_order = chosen.k_order;
  const bool two_consumers = chosen.mma->num_threads() > 128 || chosen.overlap == Overlap::ping_pong;
  if (!two_consumers) spec.registers = 0;
  return spec;
}

constexpr std::string_view kCoalesced[] = {"mma"};
constexpr std::string_view kSmemTile[] = {"cta_tiler", "operands"};
constexpr std::string_view kRegisterTile[] = {"mma", "cta_tiler"};
constexpr std::string_view kVectorised[] = {"mma", "sA", "smem_copy_a", "smem_copy_b"};
constexpr std::string_view kWmma[] = {"mma", "cta_tiler", "sA", "sB"};
constexpr std::string_view kQuadPairs[] = {"mma", "store"};
constexpr std::string_view kLdmatrix[] = {"mma", "smem_copy_a", "smem_copy_b", "copies"};
constexpr std::string_view kCpAsync[] = {"sA", "sB", "stages", "raster_group"};
constexpr std::string_view kWgmmaTma[] = {"mma", "cta_tiler", "smem_copy_a", "smem_copy_b"};
constexpr std::string_view kMbarrierRing[] = {"stages", "copies"};
constexpr std::string_view kTwoConsumers[] = {"mma", "cta_tiler", "registers"};
constexpr std::string_view kTmaStore[] = {"type_c", "store"};
constexpr std::string_view kPersistent[] = {"ctas"};
constexpr std::string_view kMulticast[] = {"cluster"};
constexpr std::string_view kDeferredStore[] = {"overlap"};
constexpr std::string_view kFastest[] = {"mma", "cta_tiler", "gB", "sB", "stages", "cluster", "ctas", "overlap", "k_order", "registers"};

const Rung kRungs[] = {
    {1,
     RungOf::cuda_cores,
     "naive",
     "one element of C a thread",
     "Each thread computes one element of C from a row of A and a column of B in global memory; the threads of a warp lie along M.",
     "How many sectors of 32 bytes does one load of A by a warp touch, and how many of their bytes does it use?",
     {},
     naive},
    {2, RungOf::cuda_cores, "coalesced", "neighbours of a warp along N",
     "The same threads, arranged along N: those of a warp read neighbours of B and write neighbours of C.",
     "Nothing but the arrangement of the threads has changed. What does one load of A by a warp touch now, and what one of B?", kCoalesced,
     coalesced},
    {3, RungOf::cuda_cores, "smem_tile", "tiles in shared memory",
     "The CTA copies a tile of A and one of B to shared memory, and all of its threads read them there: each element 32 times.",
     "How often does an element of A leave global memory now, and how often did it before?", kSmemTile, smem_tile},
    {4, RungOf::cuda_cores, "register_tile", "8 x 8 elements of C a thread",
     "A thread computes 8 x 8 elements of C: 16 loads from shared memory feed 64 multiplications.",
     "How many loads from shared memory stand beside each multiplication, here and one rung below?", kRegisterTile, register_tile},
    {5, RungOf::cuda_cores, "vectorised", "loads of four, padding",
     "A thread's elements become neighbours, and one load brings four of them; sA is padded, so that it can be written across its rows.",
     "sA has columns of 132 elements where 128 would hold the tile. How many wavefronts does a store to sA need with either?", kVectorised,
     vectorised},
    {6, RungOf::tensor_cores, "warp_fragments", "tensor cores, nvcuda::wmma",
     "Tensor cores multiply 16 x 16 x 16 elements of fp16 for a whole warp. nvcuda::wmma loads, multiplies and stores fragments, and says "
     "to nobody which thread holds what.",
     "Why do the sums go through shared memory before C = alpha A B^T + beta C is computed element by element?", kWmma, wmma},
    {7, RungOf::museum, "quad_pairs", "SM70's mma, its layouts",
     "The tensor core's first instruction, by its layouts: a quad pair of eight threads multiplies 8 x 8 x 4, and each element has its "
     "thread. It is made for sm_70, and slow on every GPU since: a step for the eye and not for the clock.",
     "Which threads hold element (0,0) of C's tile, and which the elements of A and B that it needs?", kQuadPairs, quad_pairs},
    {8, RungOf::tensor_cores, "ldmatrix", "a warp's mma.sync, ldmatrix",
     "A warp multiplies 16 x 8 x 16 with mma.sync, ldmatrix hands each lane what the atom wants, and the next tile waits in registers.",
     "How many plain loads would bring what one ldmatrix.x4 brings?", kLdmatrix, ldmatrix},
    {9, RungOf::tensor_cores, "cp_async", "a ring of stages, swizzle",
     "Tiles go past the registers into a ring of three stages; a swizzle spreads rows over the banks without padding, and CTAs that run "
     "together share operands in L2.",
     "Which of the waits could go if there were as many stages as tiles of K, and what is read too early if the other goes?", kCpAsync,
     cp_async},
    {10, RungOf::tensor_cores, "wgmma_tma", "wgmma and TMA, a warpgroup",
     "One warpgroup multiplies 64 x 256 x 16 with each wgmma, which reads shared memory itself, and one of its threads asks TMA for whole "
     "boxes of the next tiles.",
     "Which registers of the rung below are gone, and what may not be touched while a wgmma is under way?", kWgmmaTma, wgmma_tma},
    {11, RungOf::tensor_cores, "mbarrier_ring", "a producer, mbarriers",
     "A warpgroup that only copies fills the ring as soon as a stage is free, and full and empty mbarriers say who may go on.",
     "Who arrives at an empty barrier, how often, and what would be overwritten if the producer did not wait for it?", kMbarrierRing,
     mbarrier_ring},
    {12, RungOf::tensor_cores, "two_consumers", "two consumers, 128 x 256",
     "Two warpgroups multiply 64 rows each of a tile of 128 x 256 and read the same tile of B, and setmaxnreg gives them registers of the "
     "producer's.",
     "How many bytes of A and B come from global memory for a multiplication now, and how many came for one consumer?", kTwoConsumers,
     two_consumers},
    {13, RungOf::tensor_cores, "tma_store", "stmatrix, TMA stores",
     "stmatrix writes the sums of a warp, rounded to 16 bits, as rows into a box of shared memory, from which TMA stores rows of 128 "
     "bytes.",
     "Into how many rows of C does a store of the rung below write for a warp, how many bytes into each, and how many writes TMA?",
     kTmaStore, tma_store},
    {14, RungOf::tensor_cores, "persistent", "a CTA a multiprocessor",
     "As many CTAs as the GPU has multiprocessors take one tile of C after the other, in groups that share operands in L2.",
     "What does the producer do while the consumers store a tile, and what did it do with a CTA for each tile?", kPersistent, persistent},
    {15, RungOf::tensor_cores, "multicast", "clusters, multicast",
     "The two CTAs of a cluster need the same tile of B, so each of them loads half of it, and TMA writes that half into the shared memory "
     "of both.",
     "Why does an empty barrier now count the consumers of both CTAs?", kMulticast, multicast},
    {16, RungOf::tensor_cores, "deferred_store", "stores under the next tile",
     "A finished tile waits in half of the registers that its sums had, and leaves a box at a time while the next tile is multiplied.",
     "Which registers does a waiting tile take, and why could the tile not wait as f32?", kDeferredStore, deferred_store},
    {17, RungOf::tensor_cores, "fastest", "the tile that fits the size",
     "With B along K a tile may have any width of wgmma, and of a dozen tiles and schedules the one is taken that needs the fewest clocks "
     "for this size: waves times k-tiles times the longer of multiplying one and bringing it.",
     "How many waves of tiles does this size make on 132 multiprocessors, and how full is the last one, with this tile and with that of "
     "the "
     "rung below?",
     kFastest, fastest_of_size, true},
};

}  // namespace

std::string_view name_of_ladder(RungOf of) { return of == RungOf::cuda_cores ? "CUDA cores" : "tensor cores"; }

std::string_view to_string(RungOf of) {
  switch (of) {
    case RungOf::cuda_cores: return "cuda_cores";
    case RungOf::tensor_cores: return "tensor_cores";
    case RungOf::museum: return "museum";
  }
  return "";
}

std::span<const Rung> ladder() { return kRungs; }

const Rung* find_rung(std::int64_t number) {
  const auto found = std::find_if(std::begin(kRungs), std::end(kRungs), [&](const Rung& rung) { return rung.number == number; });
  return found == std::end(kRungs) ? nullptr : found;
}

}  // namespace tessera
