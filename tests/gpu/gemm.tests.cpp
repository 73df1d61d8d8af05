// SPDX-License-Identifier: BSD-3-Clause
// The picture is the kernel, on silicon: what the emitted kernel computes equals what the CPU simulates from the same plan, bit for bit
// on integers; and the tensor-core GEMM is measured.
#include <cstring>

#include "core/gemm/simulate.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/measure.hpp"
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

std::vector<std::byte> bytes_of(const std::vector<double>& values, const BufferSpec& buffer) {
  REQUIRE((buffer.type == "f16" || buffer.type == "f32"));
  return buffer.type == "f16" ? bytes_as<_Float16>(values) : bytes_as<float>(values);
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

}  // namespace

TEST_CASE("the emitted kernel equals the simulation of its plan on integers") {
  Gpu gpu;
  if (!gpu.ready) return;
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 128, 96)};
  specs.push_back(support::tensor(128, 128, 64, 64, 64, 32, 4));
  specs.push_back(support::wide_stores(support::tensor(256, 512, 256, 128, 256, 64, 3, 2, 4), 4));  // the tour's, small
  for (const GemmSpec& spec : specs) {
    const auto plan = lower(spec);
    REQUIRE(plan.has_value());
    const KernelSource source = emit_gemm(*plan).value();
    const ArchTarget arch = decide_arch(source, gpu.device->properties()).value();
    const Cubin cubin = gpu.compiler->compile(source, arch).value();
    const SimulationInput input = integer_input(*plan, 7);
    const auto bytes =
        run_once(*gpu.device, cubin, source, bytes_of(input.a, source.a), bytes_of(input.b, source.b), bytes_of(input.c, source.c));
    INFO(spec.name << (bytes ? "" : ": " + describe(bytes.error())));
    REQUIRE(bytes.has_value());
    const std::vector<double> got = source.c.type == "f16" ? values_of<_Float16>(*bytes) : values_of<float>(*bytes);
    CHECK(got == simulate(*plan, input)->c);
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
