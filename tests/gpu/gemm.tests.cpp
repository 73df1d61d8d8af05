// SPDX-License-Identifier: BSD-3-Clause
// The picture is the kernel, on silicon: what the emitted kernel computes equals what the CPU simulates from the same plan, bit for bit
// on integers; and the tensor-core GEMM is measured.
#include <cstring>

#include "core/gemm/numerics.hpp"
#include "core/gemm/simulate.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/measure.hpp"
#include "tests/gpu/typed_specs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

template <class T>
std::vector<std::byte> bytes_as(const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

std::vector<std::byte> bf16_bytes(const std::vector<double>& values) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    const float single = static_cast<float>(value);
    const auto* upper = reinterpret_cast<const std::byte*>(&single) + 2;
    bytes.insert(bytes.end(), upper, upper + 2);
  }
  return bytes;
}

std::vector<double> bf16_values(const std::vector<std::byte>& bytes) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    float single = 0;
    std::memcpy(reinterpret_cast<std::byte*>(&single) + 2, bytes.data() + i, 2);
    values.push_back(static_cast<double>(single));
  }
  return values;
}

template <class T>
std::vector<double> values_of(const std::vector<std::byte>& bytes) {
  std::vector<double> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::vector<std::byte> bytes_of(std::vector<double> values, const BufferSpec& buffer) {
  for (double& value : values) value = round_to(value_type(buffer.type).value(), value);
  if (buffer.type == "f16") return bytes_as<_Float16>(values);
  if (buffer.type == "bf16") return bf16_bytes(values);
  if (buffer.type == "f64") return bytes_as<double>(values);
  if (buffer.type == "s32") return bytes_as<std::int32_t>(values);
  if (buffer.type == "s8") return bytes_as<std::int8_t>(values);
  if (buffer.type == "u8") return bytes_as<std::uint8_t>(values);
  REQUIRE((buffer.type == "f32" || buffer.type == "tf32"));
  return bytes_as<float>(values);
}

std::vector<double> values_in(const std::vector<std::byte>& bytes, const BufferSpec& buffer) {
  if (buffer.type == "f16") return values_of<_Float16>(bytes);
  if (buffer.type == "bf16") return bf16_values(bytes);
  if (buffer.type == "f64") return values_of<double>(bytes);
  if (buffer.type == "s32") return values_of<std::int32_t>(bytes);
  if (buffer.type == "s8") return values_of<std::int8_t>(bytes);
  if (buffer.type == "u8") return values_of<std::uint8_t>(bytes);
  return values_of<float>(bytes);
}

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
  const ArchTarget arch = decide_arch(source, gpu.device->properties()).value();
  const Cubin cubin = gpu.compiler->compile(source, arch).value();
  const auto bytes =
      run_once(*gpu.device, cubin, source, bytes_of(input.a, source.a), bytes_of(input.b, source.b), bytes_of(input.c, source.c));
  INFO((bytes ? "" : describe(bytes.error())));
  REQUIRE(bytes.has_value());
  const std::vector<double> got = values_in(*bytes, source.c), want = simulate(plan, input)->c;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < want.size(); ++i) differ += got[i] != want[i];
  CHECK(differ == 0);
}

}  // namespace

TEST_CASE("the emitted kernel equals the simulation of its plan on integers") {
  Gpu gpu;
  if (!gpu.ready) return;
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 128, 96)};
  specs.push_back(support::tensor(128, 128, 64, 64, 64, 32, 4));
  specs.push_back(support::wide_stores(support::tensor(256, 512, 256, 128, 256, 64, 3, 2, 4), 4));  // the tour's, small
  for (const GemmSpec& spec : support::single_block_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::typed_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    REQUIRE(plan.has_value());
    expect_simulated(gpu, *plan, integer_input(*plan, 7));
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

TEST_CASE("the check passes right kernels of every type of sum") {
  Gpu gpu;
  if (!gpu.ready) return;
  CubinCache cache("");
  MeasureOptions options;
  options.timing = false;
  for (GemmSpec spec : support::typed_specs()) {
    const std::int64_t k = spec.k;
    for (const std::int64_t deep : {k, 64 * k}) {
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
                   << ", " << t.baseline_name << " " << t.interleaved.baseline_tflops.value_or(0) << " TFLOP/s");
    for (const std::string& note : m->notes) WARN(note);
  }
}
