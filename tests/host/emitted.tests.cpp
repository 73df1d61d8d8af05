// SPDX-License-Identifier: BSD-3-Clause
// The emitted text, executed: what it computes equals what the simulation of its plan computes, in every order of its threads; and a text
// with one thing wrong is told.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/numerics.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/host/kernel_library.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;
using host::Order;

namespace {

struct Case {
  GemmPlan plan;
  KernelSource source;
};

Case made(const GemmSpec& spec) {
  const auto plan = lower(spec);
  if (!plan) FAIL(spec.name << ": " << describe(plan.error()));
  const auto source = emit_gemm(*plan);
  if (!source) FAIL(spec.name << ": " << describe(source.error()));
  return {*plan, *source};
}

// gC after the kernel, or why it has none.
Result<std::vector<double>> run(const host::HostKernel& kernel, const KernelSource& source, const SimulationInput& input,
                                const host::Launch& launch) {
  std::vector<std::byte> a = support::bytes_of(input.a, source.a), b = support::bytes_of(input.b, source.b),
                         c = support::bytes_of(input.c, source.c);
  const host::Buffers buffers{a, b, c, static_cast<float>(source.alpha), static_cast<float>(source.beta), source.extents};
  TESSERA_CHECK(host::run(kernel, launch, buffers));
  return support::values_in(c, source.c);
}

// Each element's largest partial sum less its smallest, by the definition; -1 where C has no element.
std::vector<double> spreads_of(const GemmPlan& plan, const SimulationInput& input) {
  const plan::Tensor &gA = plan.gmem(Operand::a), &gB = plan.gmem(Operand::b), &gC = plan.gmem(Operand::c);
  std::vector<double> spreads(static_cast<std::size_t>(plan.buffer_elements(Operand::c)), -1);
  for (std::int64_t product = 0; product < plan.batch; ++product) {
    for (std::int64_t i = 0; i < plan.m * plan.n; ++i) {
      double sum = 0, least = 0, most = 0;
      for (std::int64_t k = 0; k < plan.k; ++k) {
        const std::int64_t a = product * gA.batch_elements + evaluate(gA.layout, i / plan.n, k),
                           b = product * gB.batch_elements + evaluate(gB.layout, i % plan.n, k);
        sum += round_to(gA.type, input.a[static_cast<std::size_t>(a)]) * round_to(gB.type, input.b[static_cast<std::size_t>(b)]);
        least = std::min(least, sum), most = std::max(most, sum);
      }
      spreads[static_cast<std::size_t>(product * gC.batch_elements + evaluate(gC.layout, i / plan.n, i % plan.n))] = most - least;
    }
  }
  return spreads;
}

// What the reference says of spreads, or why it says nothing.
Result<std::vector<double>> spreads_by(const host::HostKernel& reference, const KernelSource& source, const SimulationInput& input) {
  std::vector<std::byte> a = support::bytes_of(input.a, source.a), b = support::bytes_of(input.b, source.b),
                         c = support::bytes_of(input.c, source.c);
  std::vector<float> spread(input.c.size(), -1.0f);
  host::Buffers buffers{a, b, c, static_cast<float>(source.alpha), static_cast<float>(source.beta), source.extents};
  buffers.spread = std::as_writable_bytes(std::span(spread));
  TESSERA_CHECK(host::run(reference, {source.reference_grid, source.reference_block, 0, Order::first, 0}, buffers));
  return std::vector<double>(spread.begin(), spread.end());
}

host::Launch launch_of(const KernelSource& source, Order order, std::uint32_t seed = 1) {
  return {source.grid, source.block, source.smem_bytes, order, seed};
}

std::string first_difference(const std::vector<double>& got, const std::vector<double>& want) {
  std::size_t differ = 0, first = 0;
  for (std::size_t i = want.size(); i-- > 0;) {
    if (got[i] != want[i] && !(std::isnan(got[i]) && std::isnan(want[i]))) ++differ, first = i;
  }
  return differ == 0
             ? ""
             : fmt::format("{} of {} elements differ; element {} is {} instead of {}", differ, want.size(), first, got[first], want[first]);
}

// What is wrong with a kernel, or "".
std::string fault_of(const host::HostKernel& kernel, const Case& each, const std::vector<double>& want, const SimulationInput& input,
                     Order order) {
  const auto got = run(kernel, each.source, input, launch_of(each.source, order));
  return got ? first_difference(*got, want) : describe(got.error());
}

void expect_simulated(const std::vector<Case>& cases) {
  std::vector<KernelSource> sources;
  for (const Case& each : cases) sources.push_back(each.source);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const SimulationInput input = integer_input(cases[i].plan, 7);
    const std::vector<double> want = simulate(cases[i].plan, input)->c;
    for (const Order order : {Order::first, i % 2 == 0 ? Order::last : Order::shuffled}) {  // the others by turns
      INFO(sources[i].name << ", order " << static_cast<int>(order) << "\n" << sources[i].plan_text);
      CHECK(fault_of(library->kernel(i), cases[i], want, input, order) == "");
    }
    const host::Launch by_definition{sources[i].reference_grid, sources[i].reference_block, 0, Order::first, 0};
    const auto defined = run(library->reference(i), sources[i], input, by_definition);
    REQUIRE(defined.has_value());
    CHECK(first_difference(*defined, reference(cases[i].plan, input)) == "");
    const auto spreads = spreads_by(library->reference(i), sources[i], input);
    if (!spreads) FAIL(describe(spreads.error()));
    const std::vector<double> right = spreads_of(cases[i].plan, input);
    REQUIRE(spreads->size() == right.size());
    for (std::size_t at = 0; at < right.size(); ++at) {  // rounded up to a float
      if ((*spreads)[at] >= right[at] && (*spreads)[at] <= right[at] + 1e-6 * std::abs(right[at])) continue;
      FAIL_CHECK("element " << at << " has the spread " << (*spreads)[at] << " instead of " << right[at]);
      break;
    }
  }
}

// Random specs of every kind that kernels are emitted for. What `lower` refuses is no case.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  GemmSpec spec() {
    GemmSpec spec;
    const std::string atom = pick<std::string>(
        {"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN", "SM80_16x8x16_F16F16F16F16_TN",
         "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_16x8x4_F32TF32TF32F32_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_8x8x4_F64F64F64F64_TN",
         "SM75_16x8x8_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_NN",
         "UniversalFMA<float,float,float,float>"});
    const MmaAtom found = find_mma_atom(atom).value();
    const bool fma = found.kind == MmaKind::fma;
    const std::int64_t atoms_m = fma ? pick<std::int64_t>({4, 8, 16}) : pick<std::int64_t>({1, 2}),
                       atoms_n = fma ? 8 : pick<std::int64_t>({1, 2, 3});
    const Stride order = chance(2) ? IntTuple::tuple({1, atoms_m, 0}) : IntTuple::tuple({atoms_n, 1, 0});
    const std::int64_t wide_n = atoms_n * shape_extent(found, 1) * pick<std::int64_t>({1, 1, 2});
    const auto tiled = TiledMma::make(found, support::layout(IntTuple::tuple({atoms_m, atoms_n, 1}), order),
                                      chance(2) ? Tiler(Underscore{}) : Tiler(std::vector<Tiler>{Underscore{}, wide_n, Underscore{}}));
    if (!tiled) return spec;
    spec.mma = *tiled;
    const std::int64_t blk_m = atoms_m * shape_extent(found, 0) * pick<std::int64_t>({1, 2}), blk_n = wide_n * pick<std::int64_t>({1, 2});
    const std::int64_t blk_k = shape_extent(found, 2) * (fma ? 8 : 1) * pick<std::int64_t>({1, 2, 4});
    spec.cta_tiler = IntTuple::tuple({blk_m, blk_n, blk_k});
    spec.m = blk_m * pick<std::int64_t>({1, 2}), spec.n = blk_n * pick<std::int64_t>({1, 2, 3}),
    spec.k = blk_k * pick<std::int64_t>({1, 2, 5});
    spec.stages = pick<std::int64_t>({1, 1, 2, 3, 4});
    spec.raster_group = pick<std::int64_t>({0, 2});
    spec.gA = matrix(spec.m, spec.k), spec.gB = matrix(spec.n, spec.k), spec.gC = matrix(spec.m, spec.n);
    spec.sA = shared(blk_m, blk_k), spec.sB = shared(blk_n, blk_k);
    if (bits(found.val_a) == 16 && chance(2)) spec.smem_copy_a = matrix_load();
    if (bits(found.val_b) == 16 && chance(2)) spec.smem_copy_b = matrix_load();
    spec.type_c = pick<ValueType>({found.val_c, ValueType::f32, ValueType::f16, ValueType::bf16});
    spec.alpha = pick<double>({1, 2, 0.5}), spec.beta = pick<double>({0, -1});
    spec.name = fmt::format("{} {}x{}x{} in {}x{}x{}, {} stages", atom, spec.m, spec.n, spec.k, blk_m, blk_n, blk_k, spec.stages);
    return spec;
  }

 private:
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }
  bool chance(unsigned of) { return random_() % of == 0; }

  // (row, column) -> element: by rows or by columns, now and then with a gap
  Layout matrix(std::int64_t rows, std::int64_t columns) {
    const std::int64_t gap = pick<std::int64_t>({0, 0, 8});
    return support::layout(IntTuple::tuple({rows, columns}),
                           chance(2) ? IntTuple::tuple({columns + gap, 1}) : IntTuple::tuple({1, rows + gap}));
  }
  // (row, column) -> element of the stage: left to `lower`, plain, padded or swizzled
  std::optional<AnyLayout> shared(std::int64_t rows, std::int64_t columns) {
    switch (random_() % 4) {
      case 0: return std::nullopt;
      case 1: return support::layout(IntTuple::tuple({rows, columns}), IntTuple::tuple({columns + pick<std::int64_t>({0, 8}), 1}));
      case 2: return support::layout(IntTuple::tuple({rows, columns}), IntTuple::tuple({1, rows + pick<std::int64_t>({0, 8})}));
      default: return support::swizzled_rows(rows, columns);
    }
  }
  CopyTraits matrix_load() {
    return find_copy_atom(pick<std::string>({"SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x2_LDSM_T",
                                             "SM75_U16x4_LDSM_T", "SM75_U16x8_LDSM_T"}))
        .value();
  }

  std::mt19937 random_;
};

// A text with one thing exchanged, the n-th time it stands there.
KernelSource with(KernelSource source, const std::string& from, const std::string& to, int n = 1) {
  std::size_t at = source.text.find("extern \"C\"");
  for (int i = 0; i < n && at != std::string::npos; ++i) at = source.text.find(from, at + (i > 0));
  if (at == std::string::npos)
    FAIL(from << " does not stand there " << n << " times:\n" << source.text.substr(source.text.find("extern \"C\"")));
  source.text.replace(at, from.size(), to);
  return source;
}

}  // namespace

TEST_CASE("an emitted kernel computes what its simulation computes: the tour's, small") {
  expect_simulated({made(support::article()), made(support::tensor(128, 128, 64, 64, 64, 32, 4)), made(support::tensor(256, 128, 96)),
                    made(support::wide_stores(support::tensor(128, 256, 192, 128, 256, 64, 3, 2, 4), 4))});
}

TEST_CASE("an emitted kernel computes what its simulation computes: tiles of one k-block") {
  std::vector<Case> cases;
  for (const GemmSpec& spec : support::single_block_specs()) cases.push_back(made(spec));
  expect_simulated(cases);
}

TEST_CASE("an emitted kernel computes what its simulation computes: every type") {
  std::vector<Case> cases;
  for (const GemmSpec& spec : support::typed_specs()) cases.push_back(made(spec));
  expect_simulated(cases);
}

// Those of TMA and wgmma: tests/host/warp_specialised.tests.cpp.
TEST_CASE("an emitted kernel computes what its simulation computes: every rung of one role") {
  std::vector<Case> cases;
  for (const Rung& rung : ladder()) {
    if (rung.spec(256, 256, 128)->mma->atom().kind == MmaKind::wgmma) continue;
    cases.push_back(made(rung.spec(128, 256, 128).value()));
    cases.back().source.name = rung.name;
  }
  expect_simulated(cases);
}

TEST_CASE("an emitted kernel computes what its simulation computes: fragments whose threads nobody knows") {
  std::vector<Case> cases;
  for (const GemmSpec& spec : support::warp_fragment_specs()) cases.push_back(made(spec));
  expect_simulated(cases);
}

TEST_CASE("a kernel of warps' fragments with one thing wrong is told, whatever the order of the threads") {
  const Case right = made(support::warp_fragments("F32F16F16F32", "TT", 2));
  const std::vector<std::pair<std::string, KernelSource>> broken{
      {"the sums are read before they are stored", with(right.source, "__syncthreads();  // the sums are there", "")},
      {"the sums are stored before the last were read", with(right.source, "__syncthreads();  // the patch is free", "")},
      {"every warp has the first one's patch", with(right.source, "tXsC = thr / 32 * 384", "tXsC = 0")},
      {"rows are another distance apart", with(right.source, ", 40);", ", 48);")},
      {"rows are no multiple of 16 bytes apart", with(right.source, ", 40);", ", 41);")},
      {"the fragment begins between two", with(right.source, "SA_STAGE + tXsA", "SA_STAGE + 8 + tXsA")},
      {"two atoms of A are exchanged", with(right.source, "load_matrix_f16(tCrA[m", "load_matrix_f16(tCrA[1 - m")},
      {"the sums begin as they were", with(right.source, "nvcuda::wmma::fill_fragment(tCrC[i], 0.0f);", "")},
  };
  std::vector<KernelSource> sources;
  for (const auto& each : broken) sources.push_back(each.second);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  const SimulationInput input = integer_input(right.plan, 7);
  const std::vector<double> want = simulate(right.plan, input)->c;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    for (const Order order : {Order::first, Order::last, Order::in_turn, Order::shuffled}) {
      INFO(broken[i].first << ", order " << static_cast<int>(order));
      CHECK(fault_of(library->kernel(i), right, want, input, order) != "");
    }
  }
}

TEST_CASE("an emitted kernel computes what its simulation computes: fragments from global memory") {
  std::vector<Case> cases;
  for (const GemmSpec& spec : support::gmem_specs()) cases.push_back(made(spec));
  Generator generator(1961);
  for (int tried = 0; cases.size() < 40 && tried < 400; ++tried) {
    GemmSpec spec = generator.spec();
    if (!spec.mma || std::max({spec.m, spec.n, spec.k}) > 128) continue;
    spec = support::from_gmem(std::move(spec));
    spec.fragments = static_cast<Fragments>(tried % 4);
    const auto plan = lower(spec);
    if (!plan) continue;
    if (auto source = emit_gemm(*plan)) cases.push_back({*plan, *std::move(source)});
  }
  CHECK(cases.size() == 40);
  expect_simulated(cases);
}

TEST_CASE("an emitted kernel computes what its simulation computes: generated specs") {
  const char* more = std::getenv("TESSERA_HOST_CASES");
  const std::size_t wanted = more ? static_cast<std::size_t>(std::atoi(more)) : 20;
  Generator generator(2026);
  std::vector<Case> cases;
  std::size_t tried = 0;
  for (; cases.size() < wanted && tried < 40 * wanted; ++tried) {
    const GemmSpec spec = generator.spec();
    if (!spec.mma || std::max({spec.m, spec.n, spec.k}) > 256) continue;
    const auto plan = lower(spec);
    if (!plan) continue;
    if (auto source = emit_gemm(*plan)) cases.push_back({*plan, *std::move(source)});
  }
  INFO(tried << " specs tried");
  CHECK(cases.size() == wanted);
  expect_simulated(cases);
}

TEST_CASE("a sum becomes the nearest element of C, of two the even one, and is rounded once") {
  // A is a column, B is one: alpha times an element of A is an element of C.
  const auto column = [](const char* atom, ValueType type_c, double alpha, double beta) {
    GemmSpec spec;
    spec.mma =
        TiledMma::make(find_mma_atom(atom).value(), support::layout(IntTuple::tuple({32, 1, 1}), IntTuple::tuple({1, 0, 0})), Underscore{})
            .value();
    spec.m = 2048, spec.n = 1, spec.k = 1;
    spec.cta_tiler = IntTuple::tuple({256, 1, 1});
    spec.type_c = type_c, spec.alpha = alpha, spec.beta = beta;
    spec.name = fmt::format("{} to {}, alpha {}, beta {}", atom, short_name(type_c), alpha, beta);
    return made(spec);
  };
  std::vector<Case> cases;
  for (const ValueType type :
       {ValueType::f16, ValueType::bf16, ValueType::tf32, ValueType::f32, ValueType::i32, ValueType::i8, ValueType::u8}) {
    cases.push_back(column("UniversalFMA<double,double,double,double>", type, 1, 0));
    cases.push_back(column("UniversalFMA<double,double,double,double>", type, 0.3125, -0.6875));
    cases.push_back(column("UniversalFMA<float,float,float,float>", type, 1, 0));
    cases.push_back(column("UniversalFMA<int,int,int,int>", type, 0.37109375, 0));
  }
  std::vector<KernelSource> sources;
  for (const Case& each : cases) sources.push_back(each.source);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const KernelSource& source = sources[i];
    const ValueType type = cases[i].plan.gmem(Operand::c).type;
    const bool is_integer = type == ValueType::i32 || type == ValueType::i8 || type == ValueType::u8;
    // Elements of C, the middles between two, and what lies next to them by less than a float tells.
    SimulationInput input{{}, {1.0}, {}};
    while (input.a.size() < 2048) {
      const int high = is_integer ? (type == ValueType::i32 ? 34 : 10) : type == ValueType::f16 ? 18 : 40;
      const double about =
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 50) - 50 - 63 + high);
      const double lower = round_to(type, about), next = round_to(type, lower + (is_integer ? 1 : about / 200));
      const double middle = (lower + next) / 2;
      for (const double value : {about, lower, middle, middle * (1 + std::ldexp(1.0, -45)), middle * (1 - std::ldexp(1.0, -45))})
        input.a.push_back(std::isfinite(value) ? value : about);
    }
    input.a.resize(2048);
    for (const double special : {0.0, -0.0, 1e30, -1e30, 65519.0, 65520.0, 126.5, 127.5, -128.5, 254.5, 255.5, -0.5, 0.5, 1.5, 2.5})
      input.a[random() % 2048] = special;
    if (!is_integer && cases[i].plan.gmem(Operand::a).type != ValueType::i32) {
      for (const double special : {HUGE_VAL, -HUGE_VAL, std::nan("")}) input.a[random() % 2048] = special;
    }
    for (std::size_t at = 0; at < 2048; ++at)
      input.c.push_back(round_to(type, static_cast<double>(static_cast<int>(random() % 200) - 100)));
    const ValueType sums = value_type(source.accumulator).value();
    std::vector<double> want;
    for (std::size_t at = 0; at < 2048; ++at) {
      const double sum = round_to(cases[i].plan.gmem(Operand::a).type, input.a[at]);
      const double real = source.alpha * sum + (source.beta == 0 ? 0 : source.beta * input.c[at]);
      want.push_back(round_to(type, sums == ValueType::f32 && !is_integer ? round_to(ValueType::f32, real) : real));
    }
    INFO(source.name);
    const auto got = run(library->kernel(i), source, input, launch_of(source, Order::first));
    if (!got) FAIL(describe(got.error()));
    CHECK(first_difference(*got, want) == "");
    const auto defined = run(library->reference(i), source, input, {source.reference_grid, source.reference_block, 0, Order::first, 0});
    if (!defined) FAIL(describe(defined.error()));
    CHECK(first_difference(*defined, want) == "");
  }
}

TEST_CASE("a pipeline with one thing wrong is told, whatever the order of the threads") {
  GemmSpec spec = support::tensor(128, 128, 160, 64, 64, 32, 3);
  spec.alpha = 2, spec.beta = -1;
  const Case right = made(spec);
  const std::vector<std::pair<std::string, KernelSource>> broken{
      {"the barrier before the loop is gone", with(right.source, "__syncthreads();", ";", 1)},
      {"the barrier in the loop is gone", with(right.source, "__syncthreads();", ";", 2)},
      {"the wait before the loop is too short", with(right.source, "cp_async_wait<STAGES - 2>", "cp_async_wait<STAGES - 1>", 1)},
      {"the wait in the loop is too short", with(right.source, "cp_async_wait<STAGES - 2>", "cp_async_wait<STAGES - 1>", 2)},
      {"a group is not committed before the loop", with(right.source, "cp_async_commit();", ";", 1)},
      {"a group is not committed in the loop", with(right.source, "cp_async_commit();", ";", 2)},
      {"the stage that is read does not advance", with(right.source, "read = read == STAGES - 1 ? 0 : read + 1;", ";")},
      {"the stage that is written does not advance before the loop",
       with(right.source, "write = write == STAGES - 1 ? 0 : write + 1;", ";", 1)},
      {"the stage that is written does not advance in the loop",
       with(right.source, "write = write == STAGES - 1 ? 0 : write + 1;", ";", 2)},
      {"the stage that is written is the one that is read", with(right.source, "write = 0;", "write = 1;")},
      {"the next k-block is not loaded", with(right.source, "load_fragments(k + 1);", "")},
      {"the first k-block of the first tile is not loaded", with(right.source, "load_fragments(0);", "", 1)},
      {"the first k-block of the next tile is not loaded", with(right.source, "load_fragments(0);", "", 2)},
      {"the last tile's fragments are those of the one before", with(right.source, "k_tile + 1 < K_TILES", "k_tile + 2 < K_TILES")},
      {"the k-offset of A is gone", with(right.source, "k_tile * BLK_K", "0", 1)},
      {"the k-offset of B is gone", with(right.source, "k_tile * BLK_K", "0", 2)},
      {"tiles are copied one too early", with(right.source, "copy_tile(k_tile + STAGES - 1)", "copy_tile(k_tile + STAGES - 2)")},
      {"the last tile is not copied", with(right.source, "if (k_tile + STAGES - 1 < K_TILES)", "if (k_tile + STAGES < K_TILES)")},
      {"the swizzle is another one", with(right.source, "swizzle<2,3,3>", "swizzle<1,3,3>", 1)},
      {"two fragments of A are exchanged",
       with(right.source, "ldmatrix_x4(&tCrA[copy * 4 + k * 8]", "ldmatrix_x4(&tCrA[(1 - copy) * 4 + k * 8]")},
      {"the scale is another one", with(right.source, "= alpha * tCrC", "= beta * tCrC")},
  };
  std::vector<KernelSource> sources;
  for (const auto& each : broken) sources.push_back(each.second);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  const SimulationInput input = integer_input(right.plan, 7);
  const std::vector<double> want = simulate(right.plan, input)->c;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    for (const Order order : {Order::first, Order::last, Order::in_turn, Order::shuffled}) {
      const std::string fault = fault_of(library->kernel(i), right, want, input, order);
      INFO(broken[i].first << ", order " << static_cast<int>(order));
      CHECK(fault != "");
      if (order == Order::first) UNSCOPED_INFO(fault);
    }
  }
}

TEST_CASE("a plain loop without its barriers is told") {
  const Case right = made(support::article());
  GemmSpec two_tiles = support::article();
  two_tiles.k = 32, two_tiles.cta_tiler = IntTuple::tuple({64, 96, 16});
  two_tiles.gA = support::layout(IntTuple::tuple({64, 32}), IntTuple::tuple({1, 64}));
  two_tiles.gB = support::layout(IntTuple::tuple({96, 32}), IntTuple::tuple({1, 96}));
  const Case looped = made(two_tiles);
  const std::vector<KernelSource> sources{with(looped.source, "__syncthreads();", ";", 1), with(looped.source, "__syncthreads();", ";", 2),
                                          with(looped.source, "tCsA + ", "")};
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  const SimulationInput input = integer_input(looped.plan, 7);
  const std::vector<double> want = simulate(looped.plan, input)->c;
  for (std::size_t i = 0; i < sources.size(); ++i) CHECK(fault_of(library->kernel(i), looped, want, input, Order::first) != "");
}
