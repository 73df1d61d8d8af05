// SPDX-License-Identifier: BSD-3-Clause
// The runtime on a real GPU: fill, reference, check, time, cache, fault and hang. Each test is skipped, in words, where there is none.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/runtime/cache/cubin_pack.hpp"
#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/cublaslt_baseline.hpp"
#include "kernels/runtime/measure/measure.hpp"
#include "kernels/runtime/measure/result_check.hpp"
#include "kernels/runtime/worker/injected_kernels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/naive_gemm.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::naive_gemm;

namespace {

// A device, a compiler and a new cache; `ready` is false where one is missing.
struct GpuBench {
  std::unique_ptr<Device> device;
  std::unique_ptr<KernelCompiler> compiler;
  test::TemporaryFolder folder;
  CubinCache cache{folder.path().string()};
  bool ready = false;

  GpuBench() {
    auto opened = open_device(0);
    auto nvrtc = open_nvrtc();
    if (!opened || !nvrtc) {
      WARN("skipped: no GPU (" << (!opened ? opened.error().message : nvrtc.error().message) << ")");
      return;
    }
    device = std::move(opened).value();
    compiler = std::move(nvrtc).value();
    ready = true;
  }
  Result<Measurement> run(const KernelSource& source, bool timing) {
    MeasureOptions options;
    options.date = "2026-11-21";
    options.timing = timing;
    options.make_baseline = make_cublaslt_baseline;
    options.mode_seconds = 0.2;
    options.time_limit = std::chrono::milliseconds(10000);
    return measure(*device, *compiler, cache, source, options);
  }
};

}  // namespace

TEST_CASE("random inputs are uniform in [-1, 1] and the same for the same seed") {
  GpuBench gpu;
  if (!gpu.ready) return;
  const std::int64_t count = 1 << 16;
  auto buffer = DeviceBuffer::make(*gpu.device, count * 4).value();
  auto fill = load_small(*gpu.device, *gpu.compiler, gpu.cache, fill_kernel("f32").value()).value();
  std::vector<std::vector<float>> runs;
  for (const std::int64_t seed : {1, 1, 2}) {
    REQUIRE(fill.launch(std::array<KernelArgument, 3>{buffer.pointer(), count, seed}).has_value());
    runs.emplace_back(count);
    REQUIRE(gpu.device->download(std::as_writable_bytes(std::span(runs.back())), buffer.pointer()).has_value());
  }
  CHECK(runs[0] == runs[1]);
  CHECK(runs[0] != runs[2]);
  double sum = 0, squares = 0, largest = 0;
  for (const float x : runs[0])
    sum += x, squares += static_cast<double>(x) * x, largest = std::max(largest, std::abs(static_cast<double>(x)));
  CHECK(std::abs(sum / count) < 0.01);
  CHECK(squares / count == Approx(1.0 / 3).epsilon(0.02));
  CHECK(largest <= 1.0);
}

TEST_CASE("a plain kernel is right, timed, and found in the cache the second time") {
  GpuBench gpu;
  if (!gpu.ready) return;
  for (const char* type : {"f32", "f16"}) {
    const auto m = gpu.run(naive_gemm(1024, 768, 512, type), true);
    REQUIRE(m.has_value());
    INFO(to_json(*m, true).substr(0, 3000));
    CHECK(m->correctness.passed);
    CHECK(m->correctness.compared == 1024 * 768);
    CHECK_FALSE(m->cache.hit);
    REQUIRE(m->timing.has_value());
    CHECK(m->timing->interleaved.kernel.median > 0);
    REQUIRE(m->timing->interleaved.ratio.has_value());  // cuBLASLt computed the same product
    CHECK(*m->timing->interleaved.ratio < 1.0);         // and is faster than one thread an element
    CHECK(*m->timing->ratio_control == Approx(1.0).epsilon(0.1));
    if (m->timing->best) {
      CHECK(m->timing->best->alone_us.size() <= 8);
      CHECK(*beside_best(*m->timing).ratio <= *m->timing->interleaved.ratio);
    }
    CHECK(gpu.run(naive_gemm(1024, 768, 512, type), false)->cache.hit);
  }
}

TEST_CASE("a machine without a compiler runs and times what a pack brought, and says of the rest that it cannot") {
  GpuBench gpu;
  if (!gpu.ready) return;
  const KernelSource source = naive_gemm(256, 128, 64, "f16");
  REQUIRE(gpu.run(source, true).has_value());
  const CacheFolder folder = CacheFolder::make({gpu.folder.path().string()}).value();
  std::vector<std::string> keys;
  for (const EntryUse& entry : folder.entries()) keys.push_back(entry.name);
  const std::string pack = pack_text(entries_to_pack(folder, keys)->entries);
  test::TemporaryFolder there;
  const CacheSettings settings{(there / "cubins").string()};
  REQUIRE(load_pack(settings, pack)->taken.size() == keys.size());
  gpu.cache = CubinCache(settings);
  gpu.compiler = or_absent(Error{ErrorCode::no_compiler, "no NVRTC here", {}, {}});
  const auto m = gpu.run(source, true);
  INFO((m ? "" : m.error().message));
  REQUIRE(m.has_value());
  CHECK(m->cache.hit);
  CHECK(m->correctness.passed);
  CHECK(m->timing.has_value());
  const auto other = gpu.run(naive_gemm(256, 128, 128, "f16"), false);
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().code == ErrorCode::no_compiler);
}

TEST_CASE("alpha, beta and tiny sizes agree with the reference and with cuBLASLt") {
  GpuBench gpu;
  if (!gpu.ready) return;
  KernelSource source = naive_gemm(64, 96, 16, "f32", 0.5);
  source.alpha = 2.0;
  const auto m = gpu.run(source, true);
  REQUIRE(m.has_value());
  CHECK(m->correctness.passed);
  CHECK(m->timing->launches_per_sample > 1);
  CHECK_FALSE(m->timing->baseline_name.empty());
}

TEST_CASE("a kernel that leaves out the last product is found wrong and has no speed") {
  GpuBench gpu;
  if (!gpu.ready) return;
  for (const char* type : {"f32", "f16"}) {
    const auto m = gpu.run(naive_gemm(256, 256, 256, type, 0, "K - 1"), true);
    REQUIRE(m.has_value());
    CHECK_FALSE(m->correctness.passed);
    CHECK(m->correctness.mismatches > 256 * 256 / 2);
    CHECK_FALSE(m->timing.has_value());
  }
}

TEST_CASE("run_once computes on given bytes") {
  GpuBench gpu;
  if (!gpu.ready) return;
  const KernelSource source = naive_gemm(8, 8, 4);
  const auto arch = decide_arch(source, gpu.device->properties(), gpu.compiler->toolkit()).value();
  const auto cubin = gpu.compiler->compile(source, arch).value();
  std::vector<float> a(32, 1.5f), b(32, 2.0f), c(64, 0.0f);
  const auto bytes =
      run_once(*gpu.device, cubin, source, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), std::as_bytes(std::span(c)));
  REQUIRE(bytes.has_value());
  std::vector<float> result(64);
  std::memcpy(result.data(), bytes->data(), bytes->size());
  CHECK(result == std::vector<float>(64, 12.0f));
}

TEST_CASE("more shared memory than the device has is refused before the launch") {
  GpuBench gpu;
  if (!gpu.ready) return;
  KernelSource source = naive_gemm(8, 8, 4);
  source.smem_bytes = 1 << 20;
  CHECK(gpu.run(source, false).error().code == ErrorCode::too_much_smem);
}
