// SPDX-License-Identifier: BSD-3-Clause
// The picture is the kernel, on silicon: what the emitted kernel computes equals what the CPU simulates from the same plan, bit for bit
// on integers; and the tensor-core GEMM is measured.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/measure/cublaslt_baseline.hpp"
#include "kernels/runtime/measure/measure.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/edge_specs.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/role_plans.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/typed_specs.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;
using support::bytes_of, support::values_in;

namespace {

struct Gpu {
  std::unique_ptr<Device> device;
  std::unique_ptr<KernelCompiler> compiler;
  bool ready = false;
  Gpu() {
    auto opened = open_device(0);
    auto nvrtc = open_nvrtc();
    ready = opened.has_value() && nvrtc.has_value();
    if (!ready) {
      WARN("skipped: no GPU (" << (!opened ? opened.error().message : nvrtc.error().message) << ")");
      return;
    }
    device = std::move(opened).value();
    compiler = std::move(nvrtc).value();
  }
};

void expect_simulated(const Gpu& gpu, const GemmPlan& plan, const SimulationInput& input) {
  const auto emitted = emit_gemm(plan);
  INFO(plan.name << (emitted ? "" : ": " + describe(emitted.error())));
  REQUIRE(emitted.has_value());
  const KernelSource& source = *emitted;
  const ArchTarget arch = decide_arch(source, gpu.device->properties(), gpu.compiler->toolkit()).value();
  const Cubin cubin = gpu.compiler->compile(source, arch).value();
  const auto bytes =
      run_once(*gpu.device, cubin, source, bytes_of(input.a, source.a), bytes_of(input.b, source.b), bytes_of(input.c, source.c));
  INFO((bytes ? "" : describe(bytes.error())));
  REQUIRE(bytes.has_value());
  const std::vector<double> got = values_in(*bytes, source.c), want = simulate(plan, input)->c;
  CHECK(support::first_difference(got, want) == "");
}

}  // namespace

TEST_CASE("kernels of roles that multiply by mma.sync while another copies for them compute what the CPU simulates", "[gpu]") {
  const Gpu gpu;
  if (!gpu.ready) return;
  for (const support::Parted how : support::kParted) {
    const GemmPlan plan = support::parted_plan(how);
    expect_simulated(gpu, plan, integer_input(plan, 5));
  }
}

TEST_CASE("the emitted kernel equals the simulation of its plan on integers") {
  Gpu gpu;
  if (!gpu.ready) return;
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 128, 96)};
  specs.push_back(support::tensor(128, 128, 64, 64, 64, 32, 4));
  specs.push_back(support::wide_stores(support::tensor(256, 512, 256, 128, 256, 64, 3, 2, 4), 4));  // the tour's, small
  for (const GemmSpec& spec : support::single_block_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::typed_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::warp_fragment_specs()) specs.push_back(spec);
  for (const Rung& rung : ladder()) specs.push_back(rung.spec(256, 512, 256).value());
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    REQUIRE(plan.has_value());
    expect_simulated(gpu, *plan, integer_input(*plan, 7));
  }
}

namespace {

std::vector<std::array<std::int64_t, 3>> fifty_shapes() {
  std::vector<std::array<std::int64_t, 3>> shapes{{1, 1, 1},       {2, 3, 5},      {7, 11, 13},     {31, 1, 257},    {1, 511, 3},
                                                  {127, 129, 63},  {128, 256, 64}, {129, 257, 65},  {255, 255, 127}, {256, 512, 192},
                                                  {509, 521, 523}, {8, 8, 4096},   {1000, 1001, 1}, {1021, 13, 1031}};
  std::mt19937 random(11);
  const auto up_to = [&](std::uint32_t most) { return static_cast<std::int64_t>(1 + random() % most); };
  while (shapes.size() < 50) {
    const std::int64_t m = up_to(700), n = up_to(900), k = up_to(600);
    shapes.push_back({m, n, k});
  }
  return shapes;
}

// Of every rung, or of TESSERA_RUNG alone.
void expect_right(Gpu& gpu, CubinCache& cache, Extents extents) {
  const char* const only = std::getenv("TESSERA_RUNG");
  MeasureOptions options;
  options.timing = false;
  for (const Rung& rung : ladder()) {
    if (only != nullptr && std::atoi(only) != rung.number) continue;
    std::size_t right = 0, tried = 0;
    for (const auto& [m, n, k] : fifty_shapes()) {
      const bool by_tma = extents == Extents::arguments && rung.spec(64, 64, 64)->mma->atom().kind == MmaKind::wgmma;
      GemmSpec spec = support::of_rung(rung, m, by_tma ? std::max<std::int64_t>(n, 8) : n, k);
      spec.extents = extents, spec.name = extents == Extents::arguments ? std::string(rung.name) : spec.name;
      const KernelSource source = emit_gemm(lower(spec).value()).value();
      if (!decide_arch(source, gpu.device->properties(), gpu.compiler->toolkit())) continue;
      ++tried;
      const auto measured = measure(*gpu.device, *gpu.compiler, cache, source, options);
      INFO(rung.name << ", " << m << " x " << n << " x " << k << ": "
                     << (measured ? measured->correctness.reason : describe(measured.error())));
      CHECK((measured && measured->correctness.passed));
      if (measured && extents == Extents::arguments) CHECK(measured->cache.hit == (tried > 1));
      right += measured && measured->correctness.passed;
    }
    if (only != nullptr) WARN("rung " << rung.number << ": " << right << " of " << tried << " shapes are CORRECT");
  }
}

}  // namespace

TEST_CASE("every rung is right at fifty shapes, which mostly end inside a tile") {
  Gpu gpu;
  if (!gpu.ready) return;
  CubinCache cache("");
  expect_right(gpu, cache, Extents::literals);
}

TEST_CASE("with extents as arguments one cubin of every rung is right at fifty shapes") {
  Gpu gpu;
  if (!gpu.ready) return;
  const test::TemporaryFolder folder;
  CubinCache cache(folder.path().string());
  expect_right(gpu, cache, Extents::arguments);
}

TEST_CASE("with extents as arguments every rung is right in each of its types at fifty shapes") {
  Gpu gpu;
  if (!gpu.ready) return;
  const char* const only = std::getenv("TESSERA_RUNG");
  const test::TemporaryFolder folder;
  CubinCache cache(folder.path().string());
  MeasureOptions options;
  options.timing = false;
  for (const Rung& rung : ladder()) {
    if (only != nullptr && std::atoi(only) != rung.number) continue;
    std::map<std::string, std::size_t> right;
    for (const auto& [m, n, k] : fifty_shapes()) {
      for (GemmSpec& spec : support::of_each_type(rung, m, std::max<std::int64_t>(n, 8), k)) {
        spec.extents = Extents::arguments;
        const auto source = emit_gemm(lower(spec).value());  // no kernel is emitted for UniversalFMA of halves
        if (!source || !decide_arch(*source, gpu.device->properties(), gpu.compiler->toolkit())) continue;
        const auto measured = measure(*gpu.device, *gpu.compiler, cache, *source, options);
        INFO(spec.name << ", " << m << " x " << n << " x " << k << ": "
                       << (measured ? measured->correctness.reason : describe(measured.error())));
        CHECK((measured && measured->correctness.passed));
        right[spec.name] += measured && measured->correctness.passed;
      }
    }
    for (const auto& [name, count] : right) WARN(name << ": " << count << " of 50 shapes are CORRECT");
  }
}

// Between the rows are NaNs, and they stay there.
TEST_CASE("what TMA leaves over of C's rows is stored by threads, and nothing behind a row is read or written") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm != 90) return;
  std::vector<GemmSpec> specs = support::ragged_hoppers();
  for (GemmSpec& spec : support::left_over_specs()) specs.push_back(std::move(spec));
  for (const GemmSpec& spec : specs) {
    const GemmPlan plan = lower(spec).value();
    expect_simulated(gpu, plan, support::guarded_input(plan, 7));
  }
}

// CUDA does not promise it, and no kernel relies on it; but it is what the figures of these atoms show.
TEST_CASE("a thread of a warp's fragment holds what the atom's layouts say, from sm_80 to sm_90") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm < 80 || gpu.device->properties().sm > 90) return;
  const MmaAtom atom = find_mma_atom("WMMA_16x16x16_F32F16F16F32_TN").value();
  KernelSource source;
  source.name = source.entry = "held", source.least_sm = 80;
  source.block = {32, 1, 1};
  source.a = {"f16", 256, 2}, source.b = {"f32", 256, 4}, source.c = {"f32", 32 * 24, 4};
  source.text =
      "#include <mma.h>\n"
      "using namespace nvcuda::wmma;\n"
      "extern \"C\" __global__ void held(const __half* A, const float* B, float* C, float, float) {\n"
      "  fragment<matrix_a, 16, 16, 16, __half, col_major> a;\n"
      "  fragment<matrix_b, 16, 16, 16, __half, row_major> b;\n"
      "  fragment<accumulator, 16, 16, 16, float> c;\n"
      "  load_matrix_sync(a, A, 16);\n  load_matrix_sync(b, A, 16);\n  load_matrix_sync(c, B, 16, mem_col_major);\n"
      "  for (int i = 0; i < 8; ++i) {\n"
      "    C[threadIdx.x * 24 + i] = __half2float(a.x[i]);\n    C[threadIdx.x * 24 + 8 + i] = __half2float(b.x[i]);\n"
      "    C[threadIdx.x * 24 + 16 + i] = c.x[i];\n  }\n}\n";
  std::vector<double> numbers(256), none(32 * 24, 0.0);  // the element (i, j) is i + 16 j
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const Cubin cubin = gpu.compiler->compile(source, decide_arch(source, gpu.device->properties(), gpu.compiler->toolkit()).value()).value();
  const auto bytes =
      run_once(*gpu.device, cubin, source, bytes_of(numbers, source.a), bytes_of(numbers, source.b), bytes_of(none, source.c));
  REQUIRE(bytes.has_value());
  const std::vector<double> held = values_in(*bytes, source.c);
  const Layout* const layouts[] = {&atom.layout_a, &atom.layout_b, &atom.layout_c};
  for (std::int64_t thr = 0; thr < 32; ++thr) {
    for (std::int64_t operand = 0; operand < 3; ++operand) {
      for (std::int64_t v = 0; v < 8; ++v) {
        INFO("operand " << operand << ", thread " << thr << ", value " << v);
        CHECK(held[static_cast<std::size_t>(thr * 24 + operand * 8 + v)] == static_cast<double>((*layouts[operand])(thr, v)));
      }
    }
  }
}

TEST_CASE("sums of bytes are exact where a float would round them") {
  Gpu gpu;
  if (!gpu.ready) return;
  GemmSpec spec = support::typed("SM80_16x8x32_S32S8S8S32_TN", ValueType::i32, 3);
  spec.k = 2048;  // 127 * 127 * 2048 is about 2^25
  spec.alpha = 1, spec.beta = 0;
  const GemmPlan plan = lower(spec).value();
  SimulationInput input = integer_input(plan, 7);
  for (double& a : input.a) a += 123;
  for (double& b : input.b) b += 122;
  expect_simulated(gpu, plan, input);
}

TEST_CASE("producers and consumers of every schedule are right, for every tile that a CTA takes") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm != 90) return;
  CubinCache cache("");
  MeasureOptions options;
  options.timing = false;
  struct Tried {
    Overlap overlap;
    std::int64_t blk_m, blk_n, warpgroups;
  };
  for (const Tried& tried : {Tried{Overlap::none, 128, 128, 2}, Tried{Overlap::deferred, 128, 256, 2}, Tried{Overlap::skewed, 256, 128, 2},
                             Tried{Overlap::ping_pong, 64, 128, 1}}) {
    for (const auto& [cluster_m, cluster_n] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {2, 1}, {1, 2}}) {
      for (const std::int64_t k_tiles : {2, 3, 8}) {
        GemmSpec spec =
            support::hopper(tried.overlap, 6 * tried.blk_m, 4 * tried.blk_n, 64 * k_tiles, tried.blk_m, tried.blk_n, tried.warpgroups);
        spec.cluster = IntTuple::tuple({cluster_m, cluster_n});
        spec.ctas = k_tiles == 2 ? 0 : 4;
        spec.k_order = k_tiles == 3 ? KOrder::zigzag : KOrder::forward;
        const auto m = measure(*gpu.device, *gpu.compiler, cache, emit_gemm(lower(spec).value()).value(), options);
        INFO(static_cast<int>(tried.overlap) << ", cluster " << cluster_m << " x " << cluster_n << ", k = " << spec.k << ": "
                                             << (m ? m->correctness.reason : describe(m.error())));
        REQUIRE(m.has_value());
        CHECK(m->correctness.passed);
      }
    }
  }
}

TEST_CASE("producers and consumers are right on operands along K, M or N") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm != 90) return;
  CubinCache cache("");
  MeasureOptions options;
  options.timing = false;
  for (const support::Majors majors : support::kMajors) {
    for (const Overlap overlap : {Overlap::none, Overlap::deferred, Overlap::skewed, Overlap::ping_pong}) {
      for (const auto& [cluster_m, cluster_n] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {2, 1}}) {
        const std::int64_t blk_m = overlap == Overlap::skewed ? 256 : 128;
        GemmSpec spec = support::hopper(overlap, 4 * blk_m, 512, 320, blk_m, 128, overlap == Overlap::ping_pong ? 1 : 2);
        spec.cluster = IntTuple::tuple({cluster_m, cluster_n}), spec.ctas = 4;
        const GemmPlan plan = lower(support::with_majors(spec, majors)).value();
        const auto m = measure(*gpu.device, *gpu.compiler, cache, emit_gemm(plan).value(), options);
        INFO(majors.name() << ", " << static_cast<int>(overlap) << ", cluster " << cluster_m << " x " << cluster_n << ": "
                           << (m ? m->correctness.reason : describe(m.error())));
        REQUIRE(m.has_value());
        CHECK(m->correctness.passed);
      }
    }
  }
}

TEST_CASE("wgmma of every type equals its simulation on integers, with alpha and beta, and passes the check on a deep K") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm != 90) return;
  CubinCache cache("");
  MeasureOptions options;
  options.timing = false;
  for (GemmSpec spec : support::wgmma_specs()) {
    const GemmPlan plan = lower(spec).value();
    expect_simulated(gpu, plan, integer_input(plan, 7));
    spec.k = 32 * spec.cta_tiler[2].value();
    const auto m = measure(*gpu.device, *gpu.compiler, cache, emit_gemm(lower(spec).value()).value(), options);
    INFO(spec.name << ": " << (m ? m->correctness.reason : describe(m.error())));
    REQUIRE(m.has_value());
    CHECK(m->correctness.passed);
  }
}

TEST_CASE("cuBLASLt's own product of every type that it has passes the check of ours") {
  Gpu gpu;
  if (!gpu.ready || gpu.device->properties().sm != 90) return;
  CubinCache cache("");
  MeasureOptions options;
  options.date = "2026-11-22";
  options.make_baseline = make_cublaslt_baseline;
  for (const auto& [atom, type_c, beta] : {std::tuple{"32_F32E4M3E4M3_SS_TN", ValueType::bf16, 0.0},
                                           {"32_F32E4M3E5M2_SS_TN", ValueType::f32, 1.0},
                                           {"32_S32S8S8_SS_TN", ValueType::i32, 0.0},
                                           {"8_F32TF32TF32_SS_TN", ValueType::f32, 0.5},
                                           {"16_F32F16F16_SS<K,MN>", ValueType::f16, 2.0}}) {
    GemmSpec spec = support::wgmma(atom, type_c, Overlap::none, 1, beta);
    spec.m = spec.n = 1024, spec.k = 1024;
    const auto m = measure(*gpu.device, *gpu.compiler, cache, emit_gemm(lower(spec).value()).value(), options);
    INFO(spec.name << ": " << (m ? m->correctness.reason : describe(m.error())));
    REQUIRE(m.has_value());
    CHECK(m->correctness.passed);
    CHECK(m->timing->interleaved.ratio.has_value());  // there is a baseline, and it passed
  }
}

TEST_CASE("the check passes right kernels of every type of sum") {
  Gpu gpu;
  if (!gpu.ready) return;
  CubinCache cache("");
  MeasureOptions options;
  options.timing = false;
  for (GemmSpec spec : support::typed_specs()) {
    if (gpu.device->properties().sm < spec.mma->atom().arch.sm) continue;
    const std::int64_t k = spec.k;
    const bool has_own_layouts = spec.gA || spec.gB;  // which are of this K
    for (const std::int64_t deep : {k, has_own_layouts ? k : 64 * k}) {
      spec.k = deep;
      const auto m = measure(*gpu.device, *gpu.compiler, cache, emit_gemm(lower(spec).value()).value(), options);
      INFO(spec.name << ", k = " << deep << ": " << (m ? m->correctness.reason : describe(m.error())));
      REQUIRE(m.has_value());
      CHECK(m->correctness.passed);
    }
  }
}

TEST_CASE("the tensor-core GEMM is right at full size, and timed") {
  Gpu gpu;
  if (!gpu.ready) return;
  CubinCache cache("");
  MeasureOptions options;
  options.date = "2026-11-21";
  options.make_baseline = make_cublaslt_baseline;
  for (const GemmSpec& spec : {support::article(), support::tensor(4096, 4096, 4096)}) {
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    const auto m = measure(*gpu.device, *gpu.compiler, cache, source, options);
    INFO((m ? m->correctness.reason : describe(m.error())));
    REQUIRE(m.has_value());
    REQUIRE(m->correctness.passed);
    CHECK(m->correctness.compared == spec.m * spec.n);
    const Timing& t = *m->timing;
    WARN(spec.name << ": " << t.interleaved.kernel_tflops << " TFLOP/s interleaved, ratio " << t.interleaved.ratio.value_or(0) << ", alone "
                   << t.alone.ratio.value_or(0) << ", burst " << t.burst.ratio.value_or(0) << ", control " << t.ratio_control.value_or(0)
                   << ", " << t.baseline_name << " " << t.interleaved.baseline_tflops.value_or(0) << " TFLOP/s, best of "
                   << (t.best ? t.best->alone_us.size() : 1) << " " << beside_best(t).ratio.value_or(0));
    for (const std::string& note : m->notes) WARN(note);
  }
}
