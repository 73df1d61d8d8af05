// SPDX-License-Identifier: BSD-3-Clause
// A measurement on a fake device: right kernels are timed, wrong ones are not, and what cannot be true is refused.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/runtime/measure/measure.hpp"

#include "kernels/runtime/measure/result_check.hpp"
#include "kernels/runtime/measure/timing.hpp"
#include "kernels/runtime/worker/injected_kernels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;
using test::FakeCompiler;
using test::FakeDevice;
using test::naive_gemm;

namespace {

struct Bench {
  FakeDevice device;
  FakeCompiler compiler;
  CubinCache cache{""};
  MeasureOptions options;
  KernelSource source;

  explicit Bench(double beta = 0, int sm = 90) : device(sm), source(naive_gemm(8, 12, 16, "f32", beta)) {
    device.problem = source;
    options.date = "2026-11-21";
    options.make_baseline = test::fake_baseline;
    options.mode_seconds = 0.02;
    options.burst_rest = std::chrono::milliseconds(1);
  }
  Result<Measurement> run() { return measure(device, compiler, cache, source, options); }
};

}  // namespace

// A compiler whose ptxas has something to say.
class RemarkingCompiler final : public KernelCompiler {
 public:
  explicit RemarkingCompiler(std::string remark) : remark_(std::move(remark)) {}
  Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
    Result<Cubin> cubin = fake_.compile(source, arch);
    if (cubin) cubin->log = remark_ + cubin->log, cubin->resources = parse_ptxas_log(cubin->log, source.entry);
    return cubin;
  }
  std::string version() const override { return fake_.version(); }
  std::vector<std::string> options() const override { return fake_.options(); }
  std::vector<int> supported_sms() const override { return fake_.supported_sms(); }

 private:
  FakeCompiler fake_;
  std::string remark_;
};

TEST_CASE("what ptxas remarks of a kernel is in its measurement, and a note tells what is not allowed") {
  const auto measured = [](const std::string& remark) {
    Bench bench;
    bench.options.timing = false;
    RemarkingCompiler compiler(remark);
    return measure(bench.device, compiler, bench.cache, bench.source, bench.options).value();
  };
  const Measurement none = measured("");
  REQUIRE(none.resources.remarks);
  CHECK(none.resources.remarks->empty());
  const Measurement allowed = measured("ptxas info    : (C7517) warpgroup.wait is injected in around line 9\n");
  CHECK(remarks_in_short(allowed.resources) == "C7517 (allowed)");
  CHECK(allowed.notes == none.notes);
  const Measurement serialised = measured("ptxas info    : (C7518) wgmma are serialized\n");
  CHECK(remarks_in_short(serialised.resources) == "C7518");
  REQUIRE(serialised.notes.size() == none.notes.size() + 1);
  CHECK(serialised.notes.back() == "ptxas remarks C7518 of the kernel, and the times are of that");
}

TEST_CASE("a right kernel is checked in every element and timed against the baseline") {
  Bench bench;
  std::vector<std::string> stages;
  bench.options.progress = [&](std::string_view stage, double) {
    if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
  };
  const auto m = bench.run();
  INFO((m ? "" : describe(m.error())));
  REQUIRE(m.has_value());
  CHECK(m->correctness.passed);
  CHECK(m->correctness.compared == 96);
  CHECK(m->correctness.max_abs_error == 0);
  CHECK(m->arch.name() == "sm_90");
  CHECK(m->resources.registers == 40);
  CHECK(m->date == "2026-11-21");
  REQUIRE(m->timing.has_value());
  for (const TimedMode* mode : {&m->timing->interleaved, &m->timing->alone, &m->timing->burst}) {
    CHECK(mode->kernel.median == Approx(100));
    CHECK(mode->baseline->median == Approx(80));
    CHECK(*mode->ratio == Approx(0.8));  // slower than the baseline: below 1
    CHECK(mode->kernel_tflops == Approx(2.0 * 8 * 12 * 16 / 100e-6 * 1e-12));
  }
  CHECK(*m->timing->ratio_control == Approx(1.0));
  CHECK(m->timing->baseline_name == "fake baseline");
  CHECK(m->timing->burst.kernel.samples.size() == 32);
  CHECK(stages == std::vector<std::string>{"compile", "check", "time"});
  CHECK(m->code == code_hash(bench.source));
  CHECK(bench.device.live_allocations() == 0);
}

TEST_CASE("what the device or the compiler cannot do is refused before anything is compiled") {
  Bench bench;
  std::string said;
  SECTION("an architecture that the kernel needs") {
    bench.source.least_sm = 100, bench.source.arch_suffix = 'a', bench.source.asks_for_arch = "atom X";
    said = "atom X needs sm_100a; the device (Fake GPU) is sm_90";
  }
  SECTION("an architecture that the compiler does not know") {
    bench.compiler.sms = {75, 80};
    said = "the device (Fake GPU) is sm_90, and NVRTC 13.0 does not compile for sm_90; it does for sm_75 to sm_80";
  }
  SECTION("shared memory") {
    bench.source.smem_bytes = 232449;
    said = "needs 232449 bytes of shared memory a block; Fake GPU has 232448";
  }
  const auto refused = bench.run();
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find(said) != std::string::npos);
  CHECK(bench.compiler.compiled == 0);
  CHECK(bench.device.launched.empty());
}

TEST_CASE("where the compiler knows only an older architecture of the device's generation, that is compiled for, and a note says why") {
  Bench bench(0, 89);
  const auto m = bench.run();
  INFO((m ? "" : describe(m.error())));
  REQUIRE(m.has_value());
  CHECK(m->arch.name() == "sm_80");
  REQUIRE_FALSE(m->notes.empty());
  CHECK(m->notes.back() == "compiled for sm_80, whose machine code sm_89 runs: NVRTC 13.0 does not know sm_89");
}

TEST_CASE("a measurement says where its own time went") {
  Bench bench;
  bench.compiler.takes = std::chrono::milliseconds(20);
  const auto m = bench.run().value();
  REQUIRE(m.spent.has_value());
  CHECK(m.spent->find < 20);  // compiling is told apart
  CHECK(m.spent->launch > 0);
  CHECK(m.spent->check >= 3 * 20);  // it compiles a fill, a reference and a comparison
  CHECK(m.spent->time >= 20);       // and this the kernel that holds the queue
  bench.options.timing = false;
  CHECK(bench.run()->spent->time == 0);
}

TEST_CASE("a wrong result has no speed") {
  Bench bench;
  SECTION("one element is off") {
    bench.source.entry = "naive_gemm_wrong";
    const auto m = bench.run().value();
    CHECK(m.correctness.mismatches == 1);
    CHECK(m.correctness.first_bad_index == 95);
    CHECK(m.correctness.first_bad_got == Approx(m.correctness.first_bad_expected + 1));
    CHECK(m.correctness.reason.find("1 of 96 elements are wrong") != std::string::npos);
    CHECK_FALSE(m.timing.has_value());
  }
  SECTION("a row was never written: the poison shows") {
    bench.source.entry = "naive_gemm_lazy";
    const auto m = bench.run().value();
    CHECK(m.correctness.mismatches == 12);
    CHECK(m.correctness.reason.find("was not written, or is NaN") != std::string::npos);
    CHECK_FALSE(m.timing.has_value());
  }
  SECTION("an element behind the end of C was written") {
    bench.source.entry = "naive_gemm_fence";
    const auto m = bench.run().value();
    CHECK(m.correctness.mismatches == 0);
    CHECK_FALSE(m.correctness.passed);
    CHECK(m.correctness.reason.find("before or after C's buffer") != std::string::npos);
    CHECK_FALSE(m.timing.has_value());
  }
}

TEST_CASE("with beta the initial C takes part, and untouched elements show as well") {
  Bench bench(0.5);
  REQUIRE(bench.run().has_value());
  CHECK(bench.run()->correctness.passed);
  bench.source.entry = "naive_gemm_lazy";
  CHECK(bench.run()->correctness.mismatches == 12);
}

TEST_CASE("a rate above the device's peak is a fault of the measurement") {
  Bench bench;
  bench.source.flops = 1e15;
  const auto refused = bench.run();
  CHECK(refused.error().code == ErrorCode::measurement_fault);
  CHECK(refused.error().message.find("Fake GPU cannot do more than") != std::string::npos);
}

TEST_CASE("the peak follows the multiprocessors, the clock and the inputs' type") {
  DeviceProperties h200;
  h200.sm = 90, h200.sm_count = 132, h200.clock_mhz = 1980;
  CHECK(peak_tflops(h200, "bf16") == Approx(1070.5).epsilon(0.001));
  CHECK(peak_tflops(h200, "s8") == Approx(2 * 1070.5).epsilon(0.001));
  CHECK(peak_tflops(h200, "tf32") == Approx(0.5 * 1070.5).epsilon(0.001));
}

TEST_CASE("without a baseline the times stand alone, and a note says why") {
  Bench bench;
  bench.device.has_baseline = false;
  const auto m = bench.run().value();
  REQUIRE(m.timing.has_value());
  CHECK_FALSE(m.timing->interleaved.ratio.has_value());
  CHECK(m.timing->interleaved.kernel.median == Approx(100));
  CHECK(m.notes == std::vector<std::string>{"no baseline: no cuBLASLt here"});
}

TEST_CASE("of the ways that a baseline's library knows the fastest is timed beside the kernel too") {
  Bench bench;
  bench.device.way_us = {90, 60, 70};
  const auto m = bench.run().value();
  REQUIRE(m.timing->best.has_value());
  const BestOfWays& best = *m.timing->best;
  CHECK(best.alone_us == std::vector<double>{80, 90, 60, 70});
  CHECK(best.way == 2);
  CHECK(best.interleaved->kernel.median == Approx(100));
  CHECK(best.interleaved->baseline->median == Approx(60));
  CHECK(*best.interleaved->ratio == Approx(0.6));
  CHECK(*m.timing->interleaved.ratio == Approx(0.8));  // of way 0, as it was
  CHECK(*m.timing->alone.ratio == Approx(0.8));
  CHECK(m.notes.empty());
  std::string order;
  for (const auto& launch : bench.device.launched) {
    if (launch.entry == "naive_gemm") order += 'k';
    if (launch.entry.starts_with("baseline")) order += launch.entry == "baseline" ? '0' : launch.entry.back();
  }
  CHECK(order.find("k2k2k2k2k2k2k2k2") != std::string::npos);
  CHECK(order.find("k3k3") == std::string::npos);
}

TEST_CASE("where the library's first way is the fastest, or its only one, nothing more is timed beside the kernel") {
  Bench bench;
  CHECK_FALSE(bench.run()->timing->best);
  bench.device.way_us = {80, 81};  // of equal ones the first
  const auto m = bench.run().value();
  CHECK(m.timing->best->way == 0);
  CHECK(m.timing->best->alone_us == std::vector<double>{80, 80, 81});
  CHECK_FALSE(m.timing->best->interleaved);
  CHECK(&beside_best(*m.timing) == &m.timing->interleaved);
}

TEST_CASE("a way that computes another product, or is refused, is never the fastest, and it is said") {
  Bench bench;
  bench.device.way_us = {10, 70, 20};
  bench.device.way_entry = {{1, "naive_gemm_wrong"}, {3, "refuses"}};
  const auto m = bench.run().value();
  CHECK(m.timing->best->alone_us == std::vector<double>{80, 70});
  CHECK(m.timing->best->way == 1);
  CHECK(*m.timing->best->interleaved->ratio == Approx(0.7));
  REQUIRE(m.notes.size() == 2);
  CHECK(m.notes[0].starts_with("number 2 of the baseline's 4 ways is left out: 1 of 96 elements are wrong"));
  CHECK(m.notes[1] == "number 4 of the baseline's 4 ways is left out: the fake baseline refused");
  bench.device.way_entry = {{0, "naive_gemm_wrong"}};
  const auto without = bench.run().value();
  CHECK_FALSE(without.timing->interleaved.ratio);
  CHECK_FALSE(without.timing->best);
  REQUIRE(without.notes.size() == 1);
  CHECK(without.notes[0].starts_with("no baseline: fake baseline was given another product"));
  bench.device.way_entry = {{0, "refuses"}};
  CHECK(bench.run().error().message == "the fake baseline refused");
}

TEST_CASE("short kernels are timed in groups") {
  Bench bench;
  bench.device.kernel_us = bench.device.baseline_us = 3;
  const auto m = bench.run().value();
  CHECK(m.timing->launches_per_sample == 20);  // 60 us
  CHECK(m.timing->interleaved.kernel.median == Approx(3));
}

TEST_CASE("faults, hangs, refusals and stops end the measurement with their own words") {
  Bench bench;
  SECTION("an illegal address") {
    bench.source = faulting_kernel();
    CHECK(bench.run().error().message.starts_with("CUDA_ERROR_ILLEGAL_ADDRESS"));
    CHECK(bench.device.lost());
  }
  SECTION("a hang") {
    bench.source = hanging_kernel();
    CHECK(bench.run().error().code == ErrorCode::timed_out);
  }
  SECTION("another architecture: nothing is compiled") {
    bench.source.least_sm = 100;
    CHECK(bench.run().error().code == ErrorCode::wrong_arch);
    CHECK(bench.compiler.compiled == 0);
  }
  SECTION("more shared memory than there is") {
    bench.source.smem_bytes = 300000;
    CHECK(bench.run().error().code == ErrorCode::too_much_smem);
  }
  SECTION("a stop") {
    std::stop_source stop;
    bench.options.stop = stop.get_token();
    stop.request_stop();
    CHECK(bench.run().error().message == "the measurement was stopped");
  }
  CHECK(bench.device.live_allocations() == 0);
}

TEST_CASE("run_once gives back C's bytes") {
  Bench bench(2.0);
  std::vector<float> a(8 * 16, 1.0f), b(12 * 16, 2.0f), c(96, 3.0f);
  const auto cubin = bench.compiler.compile(bench.source, {90, 0}).value();
  const auto bytes =
      run_once(bench.device, cubin, bench.source, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), std::as_bytes(std::span(c)));
  REQUIRE(bytes.has_value());
  std::vector<float> result(96);
  std::memcpy(result.data(), bytes->data(), bytes->size());
  CHECK(result == std::vector<float>(96, 16 * 2.0f + 2 * 3.0f));
  const auto refused = run_once(bench.device, cubin, bench.source, std::as_bytes(std::span(a)).first(8), {}, {});
  CHECK(refused.error().message.find("A has 8 bytes") != std::string::npos);
}

namespace {

KernelSource sums_of(std::int64_t k, const std::string& accumulator) {
  KernelSource source = naive_gemm(4096, 4096, k, "f16");
  source.c.type = accumulator == "f16" ? "f16" : "f32";
  source.accumulator = accumulator;
  return source;
}

// Rows as the check fills A and B.
class Rows {
 public:
  explicit Rows(const KernelSource& source) : k_(source.blas.k), density_(sign_density(source)) {}
  std::vector<double> next() {
    std::vector<double> row(static_cast<std::size_t>(k_));
    for (double& x : row) {
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      x = static_cast<double>(state_ >> 33) / (1u << 30) - 1;
      if (density_) x = std::abs(x) < *density_ ? (x < 0 ? -1 : 1) : 0;
      x = static_cast<double>(static_cast<_Float16>(x));
    }
    return row;
  }

 private:
  std::int64_t k_;
  std::optional<double> density_;
  std::uint64_t state_ = 1;
};

// The sum of `count` products, which `round` sees after every `together` of them.
template <class Round>
double sum_of(const std::vector<double>& a, const std::vector<double>& b, std::size_t count, std::size_t together, Round round) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += a[i] * b[i];
    if ((i + 1) % together == 0) sum = round(sum);
  }
  return sum;
}

double to_f16(double x) { return static_cast<double>(static_cast<_Float16>(x)); }
double to_f32(double x) { return static_cast<double>(static_cast<float>(x)); }
double truncated_to_f32(double x) {
  const float nearest = static_cast<float>(x);
  return static_cast<double>(std::abs(static_cast<double>(nearest)) > std::abs(x) ? std::nextafter(nearest, 0.0f) : nearest);
}

// As an H200 adds products of fp8.
double truncated_to_14_bits(double x) {
  const double unit = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 13);
  return std::trunc(x / unit) * unit;
}

}  // namespace

namespace {

// How the sums of one kind of kernel come about: of which types, and what the sums lose.
struct Sums {
  std::string a, accumulator, c;
  std::size_t together;  // products that one instruction adds
  double (*round)(double);
};

double exactly(double x) { return x; }

const Sums kSums[] = {{"f16", "f32", "f32", 16, truncated_to_f32},
                      {"f16", "f32", "f16", 16, truncated_to_f32},
                      {"bf16", "f32", "bf16", 16, truncated_to_f32},
                      {"tf32", "f32", "f32", 4, truncated_to_f32},
                      {"f32", "f32", "f32", 1, to_f32},
                      {"f16", "f16", "f16", 1, to_f16},
                      {"e4m3", "f32", "f32", 32, truncated_to_14_bits},
                      {"e5m2", "f32", "bf16", 32, truncated_to_14_bits},
                      {"f64", "f64", "f64", 1, exactly},
                      {"s8", "s32", "s32", 32, exactly}};

// A number as C's type holds it.
double stored(const std::string& type, double x) {
  if (type == "f16") return to_f16(x);
  if (type == "f32") return to_f32(x);
  if (type != "bf16") return x;
  const double unit = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 7);
  return std::nearbyint(x / unit) * unit;
}

// The element of the reference, and its spread.
struct Element {
  double expected = 0, spread = 0;
};
Element reference_element(const std::vector<double>& a, const std::vector<double>& b, const std::string& c) {
  double sum = 0, least = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
    least = std::min(least, sum), most = std::max(most, sum);
  }
  return {stored(c, sum), most - least};
}

// The products from `first` on are left out, as many as a k-tile has.
double without_tile(const std::vector<double>& a, const std::vector<double>& b, std::size_t first, std::size_t tile) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += i >= first && i < first + tile ? 0 : a[i] * b[i];
  return sum;
}

KernelSource kernel_of(const Sums& sums, std::int64_t k) {
  KernelSource source = sums_of(k, sums.accumulator);
  source.a.type = source.b.type = sums.a;
  source.c.type = sums.c;
  return source;
}

}  // namespace

TEST_CASE("what a right kernel rounds lies within each element's bound, and a lost k-tile, whichever it is, in few of them") {
  for (const Sums& sums : kSums) {
    for (const std::int64_t k : {64, 1024, 4096, 16384, 65536}) {
      const KernelSource source = kernel_of(sums, k);
      INFO(sums.a << " in " << sums.accumulator << " to " << sums.c << ", k = " << k);
      const Tolerance tolerance = tolerance_of(source);
      Rows rows(source);
      const int count = k > 4096 ? 48 : 256;  // elements; the smallest tile of a kernel has more
      const auto all = static_cast<std::size_t>(k);
      int rounded_wrong = 0, zero_wrong = 0, first_lost = 0, last_lost = 0, middle_lost = 0;
      for (int i = 0; i < count; ++i) {
        std::vector<double> a = rows.next(), b = rows.next();
        if (sums.a == "s8") {
          for (std::vector<double>* row : {&a, &b}) {
            for (double& x : *row) x = std::nearbyint(3.49 * x);
          }
        }
        const Element element = reference_element(a, b, sums.c);
        const auto is_wrong = [&](double sum) {
          return !(std::abs(stored(sums.c, sum) - element.expected) <= tolerance.of(element.expected, element.spread));
        };
        rounded_wrong += is_wrong(sum_of(a, b, all, sums.together, sums.round));
        zero_wrong += is_wrong(0);
        first_lost += is_wrong(without_tile(a, b, 0, 8));
        middle_lost += is_wrong(without_tile(a, b, all / 2, 16));
        last_lost += is_wrong(without_tile(a, b, all - 32, 32));
      }
      CHECK(rounded_wrong == 0);
      CHECK(zero_wrong > count / 2);
      CHECK(first_lost > count / 8);
      CHECK(middle_lost > count / 4);
      CHECK(last_lost > count / 4);
    }
  }
}

TEST_CASE("a lost k-tile is refused where the check itself runs") {
  Bench bench;
  bench.source.entry = "naive_gemm_short";
  const auto m = bench.run().value();
  CHECK_FALSE(m.correctness.passed);
  CHECK(m.correctness.mismatches > 90);
  CHECK(m.correctness.abs_tolerance > 0);
  CHECK(m.correctness.abs_tolerance < 1e-4);  // 24 units in the last place of a spread of about 3
}

TEST_CASE("the bound is a unit in the last place for each addition of a partial sum, wider than what was seen on an H200") {
  const auto at_4096 = [](double spread) { return tolerance_of(sums_of(4096, "f32")).of(0, spread); };
  CHECK(at_4096(34) == Approx(1.5 * 4096 * 0x1p-23 * 34));
  CHECK(at_4096(34) > 2 * 0.00071);  // the largest error of 4096^3, whose spreads are about 34
  CHECK(at_4096(34) < 0.03);         // a missing product is about 1/4
  CHECK(at_4096(68) == Approx(2 * at_4096(34)));
  KernelSource source = sums_of(4096, "s32");
  source.c.type = "s32";
  CHECK(tolerance_of(source).of(1000, 1000) == 0);
  source.accumulator = "f32";
  CHECK(tolerance_of(source).of(0, 0) > 1 - 1e-9);  // the two may round to neighbours
}

TEST_CASE("alpha and beta round, and nothing is allowed for them where they are 1 and 0") {
  KernelSource source = sums_of(64, "f16");
  CHECK(tolerance_of(source).of_exact == 0);
  source.alpha = 0.3, source.beta = 0.7;
  const Tolerance tolerance = tolerance_of(source);
  CHECK(tolerance.of_exact == Approx(0.3 * 2 * 0x1p-10));
  CHECK(tolerance.absolute > 0.7 * 0x1p-10);
  // 0.3 sum + 0.7 c in f16, rounded after each step, as far from the truth as it gets.
  double worst = 0;
  for (int sum = -200; sum <= 200; ++sum) {
    for (const double c : {-1.0, 0.0, 1.0}) {
      const double got = to_f16(to_f16(to_f16(0.3) * sum) + to_f16(to_f16(0.7) * c)),
                   expected = to_f16(to_f16(0.3) * sum + to_f16(0.7) * c);
      worst = std::max(worst, std::abs(got - expected) / tolerance.of(expected, std::abs(sum)));
    }
  }
  CHECK(worst <= 1);
  CHECK(worst > 0.1);
}

TEST_CASE("inputs are integers where what may be rounded would hide a product, and uniform elsewhere") {
  for (const Sums& sums : kSums) {
    for (const std::int64_t k : {64, 16384, 65536, 1 << 22}) {
      INFO(sums.a << " in " << sums.accumulator << ", k = " << k);
      const KernelSource source = kernel_of(sums, k);
      const bool narrow = sums.accumulator == "f16" || sums.a == "e4m3" || sums.a == "e5m2";
      const bool whole = narrow || (sums.accumulator == "f32" && k > 16384);
      CHECK(sign_density(source).has_value() == whole);
      const double spread = sign_density(source).value_or(1.0 / 3) * 2 * std::sqrt(static_cast<double>(k));
      CHECK(tolerance_of(source).of(0, spread) < 0.3);
    }
  }
}

TEST_CASE("the inputs of f16 sums keep every partial sum below 2048, whatever k is") {
  CHECK_FALSE(sign_density(sums_of(4096, "f32")).has_value());
  for (const std::int64_t k : {16, 4096, 1 << 18, 1 << 24}) {
    const double density = sign_density(sums_of(k, "f16")).value();
    CHECK(density > 0);
    CHECK(12 * density * std::sqrt(static_cast<double>(k)) < 2048);
  }
}
