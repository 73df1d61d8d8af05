// SPDX-License-Identifier: BSD-3-Clause
// A GPU made of ordinary memory and a clock that moves only when something is launched, and a compiler that keeps the text. They know the
// runtime's small kernels and the GEMM of naive_gemm.hpp in f32; what a "kernel" does wrong is chosen by the name of its entry.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/baseline.hpp"
#include "kernels/runtime/measure/check_kernels.hpp"

namespace tessera::test {

class FakeCompiler final : public KernelCompiler {
 public:
  Result<Cubin> compile(const KernelSource& source, ArchTarget arch) override {
    ++compiled;
    std::this_thread::sleep_for(takes);
    if (refuses || source.text.find("does not compile") != std::string::npos)
      return Error{ErrorCode::compile_failed, "the fake compiler refused", {}, {}};
    const std::string log = fmt::format(
        "ptxas info    : Compiling entry function '{}' for '{}'\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 "
        "bytes spill loads\nptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem\n",
        source.entry, arch.name());
    return Cubin{"cubin of " + source.text,
                 arch,
                 source.entry,
                 log,
                 parse_ptxas_log(log, source.entry),
                 version_text,
                 1.5 + static_cast<double>(takes.count()),
                 gives_ptx ? "// PTX of " + source.entry + "\n" : ""};
  }
  std::string version() const override { return version_text; }
  std::vector<std::string> options() const override { return option_words; }
  std::vector<int> supported_sms() const override { return sms; }

  int compiled = 0;
  std::vector<int> sms{75, 80, 90, 100};
  bool gives_ptx = false;
  std::vector<std::string> option_words{"-std=c++17"};
  std::chrono::milliseconds takes{0};
  bool refuses = false;
  std::string version_text = "NVRTC 13.0";
};

// Entries and what they do: naive_gemm, naive_reference: the product; naive_gemm_wrong: its last element is off by one;
// naive_gemm_lazy: leaves its last row unwritten; naive_gemm_short: loses the last half of k; naive_gemm_fence: writes behind C;
// tessera_injected_fault: an illegal address; tessera_injected_hang: never ends (found out by the time limit, or, with `deaf`, not at all).
class FakeDevice final : public Device {
 public:
  explicit FakeDevice(int sm = 90) {
    properties_.name = "Fake GPU";
    properties_.sm = sm;
    properties_.sm_count = 132;
    properties_.smem_per_block_optin = 232448;
    properties_.l2_bytes = 1 << 20;
    properties_.memory_bytes = 1 << 20;  // small: only the least number of buffer copies is made
    properties_.clock_mhz = 1980;
    properties_.driver_version = "1.2.3";
  }

  // What the device was asked for, in order; `at_us` is its clock when it began.
  struct Launched {
    std::string entry;  // "baseline" for one of the baseline's way 0, "baseline, way 3"
    LaunchShape shape;
    std::vector<KernelArgument> arguments;
    double at_us = 0;
    int records_before = 0;  // how many times an event had been recorded
  };
  struct Rested {
    std::chrono::milliseconds duration{};
    std::size_t launches_before = 0;
  };
  std::vector<Launched> launched;
  std::vector<Rested> rested;
  std::vector<std::int64_t> allocated;               // bytes
  std::function<void(const Launched&)> told_launch;  // for tests that outlive the device
  std::function<void(std::chrono::milliseconds)> told_time_limit;

  double kernel_us = 100, baseline_us = 80;  // what one launch takes
  std::map<std::string, double> entry_us;    // of other entries than kernel_us is for
  double cold_us = 0, cold_until_us = 0;     // what it takes more while the clock has not come so far
  bool deaf = false;                         // a hang is not noticed
  std::string spoiled;                       // an entry whose last element is off by one from now on
  bool has_baseline = true;
  std::vector<double> way_us;            // what a launch of the baseline's further ways takes
  std::map<int, std::string> way_entry;  // of ways that compute something else; "refuses": not at all
  KernelSource problem;                  // sizes of the product that the gemm entries compute

  const DeviceProperties& properties() const override { return properties_; }
  Result<DevicePointer> allocate(std::int64_t bytes) override {
    if (fault_) return *fault_;
    auto* memory = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t(1024)));
    live_[reinterpret_cast<DevicePointer>(memory)] = bytes;
    allocated.push_back(bytes);
    return reinterpret_cast<DevicePointer>(memory);
  }
  void free(DevicePointer p) override {
    live_.erase(p);
    ::operator delete(reinterpret_cast<void*>(p), std::align_val_t(1024));
  }
  Status upload(DevicePointer to, std::span<const std::byte> from) override {
    std::memcpy(at<std::byte>(to), from.data(), from.size());
    return state();
  }
  Status download(std::span<std::byte> to, DevicePointer from) override {
    if (auto waited = synchronize(); !waited) return waited;
    std::memcpy(to.data(), at<std::byte>(from), to.size());
    return Done{};
  }
  Status copy(DevicePointer to, DevicePointer from, std::int64_t bytes) override {
    std::memcpy(at<std::byte>(to), at<std::byte>(from), static_cast<std::size_t>(bytes));
    return state();
  }
  Status fill_bytes(DevicePointer to, std::uint8_t value, std::int64_t bytes) override {
    std::memset(at<std::byte>(to), value, static_cast<std::size_t>(bytes));
    return state();
  }
  Result<LoadedKernel> load(const Cubin& cubin, std::int64_t smem_bytes) override {
    if (fault_) return *fault_;
    if (smem_bytes > properties_.smem_per_block_optin) return Error{ErrorCode::too_much_smem, "too much shared memory", {}, {}};
    kernels_[++last_] = cubin.entry;
    return last_;
  }
  void unload(LoadedKernel kernel) override { kernels_.erase(kernel); }

  Status launch(LoadedKernel kernel, const LaunchShape& shape, std::span<const KernelArgument> args) override {
    if (fault_) return *fault_;
    const std::string entry = kernels_.at(kernel);
    note_launch(entry, shape, {args.begin(), args.end()});
    if (entry == "tessera_fill")
      fill(args);
    else if (entry == "tessera_compare")
      compare(args);
    else if (entry == "tessera_hold")
      now_us_ += static_cast<double>(std::get<std::int64_t>(args[0])) / 1000;
    else if (entry == "tessera_injected_fault")
      pending_ = "fault";
    else if (entry == "tessera_injected_hang")
      pending_ = "hang";
    else if (entry.starts_with("naive_"))
      gemm(entry, args);
    return Done{};
  }

  Result<EventId> make_event() override {
    events_.push_back(0);
    return static_cast<EventId>(events_.size());
  }
  void free_event(EventId) override {}
  Status record(EventId event) override {
    events_[event - 1] = now_us_;
    ++records_;
    return state();
  }
  Result<double> elapsed_us(EventId from, EventId to) override { return events_[to - 1] - events_[from - 1]; }

  Status synchronize() override {
    if (pending_ == "fault") {
      fault_ = Error{ErrorCode::launch_failed, "CUDA_ERROR_ILLEGAL_ADDRESS: the kernel read or wrote outside its memory (fake)", {}, {}};
    }
    while (pending_ == "hang" && deaf) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (pending_ == "hang") fault_ = Error{ErrorCode::timed_out, "the kernel did not end within its limit (fake)", {}, {}};
    return state();
  }
  void rest(std::chrono::milliseconds duration) override {
    rested.push_back({duration, launched.size()});
    now_us_ += std::chrono::duration<double, std::micro>(duration).count();
  }
  void set_time_limit(std::chrono::milliseconds limit) override {
    if (told_time_limit) told_time_limit(limit);
  }
  bool lost() const override { return fault_.has_value(); }
  std::size_t live_allocations() const { return live_.size(); }

  void* stream() const override { return nullptr; }

  void gemm(const std::string& entry, std::span<const KernelArgument> args) {
    if (args.size() > 5) spread(std::get<DevicePointer>(args[0]), std::get<DevicePointer>(args[1]), std::get<DevicePointer>(args[5]));
    run_gemm(entry, std::get<DevicePointer>(args[0]), std::get<DevicePointer>(args[1]), std::get<DevicePointer>(args[2]),
             std::get<float>(args[3]), std::get<float>(args[4]));
    advance(entry_us.contains(entry) ? entry_us.at(entry) : kernel_us);
  }
  void run_gemm(const std::string& entry, DevicePointer a, DevicePointer b, DevicePointer c, double alpha, double beta) {
    const auto [m, n, k] = std::tuple{problem.blas.m, problem.blas.n, problem.blas.k};
    for (std::int64_t i = 0; i < m; ++i) {
      if (entry == "naive_gemm_lazy" && i == m - 1) break;
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        const std::int64_t end = entry == "naive_gemm_short" ? k - k / 2 : k;
        for (std::int64_t l = 0; l < end; ++l) sum += static_cast<double>(at<float>(a)[i * k + l]) * at<float>(b)[j * k + l];
        float& out = at<float>(c)[i * n + j];
        out = static_cast<float>(alpha * sum + (beta != 0 ? beta * out : 0));
      }
    }
    if (entry == "naive_gemm_wrong" || entry == spoiled) at<float>(c)[m * n - 1] += 1;
    if (entry == "naive_gemm_fence") at<float>(c)[m * n] = 0;
  }
  void advance(double us) { now_us_ += us + (now_us_ < cold_until_us ? cold_us : 0); }
  void set_memory(std::int64_t memory_bytes, std::int64_t l2_bytes) {
    properties_.memory_bytes = memory_bytes, properties_.l2_bytes = l2_bytes;
  }
  double now_us() const { return now_us_; }
  void note_launch(std::string entry, const LaunchShape& shape, std::vector<KernelArgument> arguments) {
    launched.push_back({std::move(entry), shape, std::move(arguments), now_us_, records_});
    if (told_launch) told_launch(launched.back());
  }

 private:
  template <class T>
  static T* at(DevicePointer p) {
    return reinterpret_cast<T*>(p);
  }
  Status state() const { return fault_ ? Status(*fault_) : Status(Done{}); }

  void fill(std::span<const KernelArgument> args) {
    float* out = at<float>(std::get<DevicePointer>(args[0]));
    std::uint64_t x = static_cast<std::uint64_t>(std::get<std::int64_t>(args[2])) * 977 + 1;
    for (std::int64_t i = 0; i < std::get<std::int64_t>(args[1]); ++i) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      out[i] = static_cast<float>(static_cast<double>(x >> 33) / (1u << 30) - 1);
    }
  }
  void spread(DevicePointer a, DevicePointer b, DevicePointer out) {
    const auto [m, n, k] = std::tuple{problem.blas.m, problem.blas.n, problem.blas.k};
    for (std::int64_t i = 0; i < m * n; ++i) {
      double sum = 0, least = 0, most = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += static_cast<double>(at<float>(a)[i / n * k + l]) * at<float>(b)[i % n * k + l];
        least = std::min(least, sum), most = std::max(most, sum);
      }
      at<float>(out)[i] = static_cast<float>(most - least);
    }
  }
  void compare(std::span<const KernelArgument> args) {
    const float* got = at<float>(std::get<DevicePointer>(args[0]));
    const float* expected = at<float>(std::get<DevicePointer>(args[1]));
    const float* spreads = at<float>(std::get<DevicePointer>(args[2]));
    auto* report = at<CompareReport>(std::get<DevicePointer>(args[10]));
    const auto number = [&](std::size_t i) { return std::get<double>(args[i]); };
    for (std::int64_t i = 0; i < std::get<std::int64_t>(args[3]); ++i) {
      const bool poison = std::bit_cast<std::uint32_t>(expected[i]) == 0xffffffffu;
      ++(poison ? report->untouched : report->compared);
      const double error = std::abs(static_cast<double>(got[i]) - expected[i]);
      const double bound = number(4) + (spreads[i] <= number(8) ? number(7) : number(6)) * spreads[i];
      report->max_bound_bits = std::max(report->max_bound_bits, std::bit_cast<std::uint64_t>(bound));
      const bool good = poison ? std::bit_cast<std::uint32_t>(got[i]) == 0xffffffffu : error <= bound + number(5) * std::abs(expected[i]);
      if (good) continue;
      ++report->mismatches;
      report->first_bad = std::min(report->first_bad, static_cast<std::uint64_t>(i));
      if (error > std::bit_cast<double>(report->max_abs_error_bits)) report->max_abs_error_bits = std::bit_cast<std::uint64_t>(error);
    }
  }

  DeviceProperties properties_;
  std::map<DevicePointer, std::int64_t> live_;
  std::map<LoadedKernel, std::string> kernels_;
  LoadedKernel last_ = 0;
  std::vector<double> events_;
  double now_us_ = 0;
  int records_ = 0;
  std::string pending_;
  std::optional<Error> fault_;
};

class FakeBaseline final : public Baseline {
 public:
  explicit FakeBaseline(FakeDevice& device) : device_(device) {}
  std::string name() const override { return "fake baseline"; }
  int ways() const override { return 1 + static_cast<int>(device_.way_us.size()); }
  Status launch(int way, DevicePointer a, DevicePointer b, DevicePointer c, double alpha, double beta) override {
    const std::string entry = device_.way_entry.contains(way) ? device_.way_entry.at(way) : "naive_gemm";
    if (entry == "refuses") return Error{ErrorCode::launch_failed, "the fake baseline refused", {}, {}};
    device_.note_launch(way == 0 ? "baseline" : fmt::format("baseline, way {}", way), {},
                        {a, b, c, static_cast<float>(alpha), static_cast<float>(beta)});
    device_.run_gemm(entry, a, b, c, alpha, beta);
    device_.advance(way == 0 ? device_.baseline_us : device_.way_us.at(static_cast<std::size_t>(way) - 1));
    return Done{};
  }

 private:
  FakeDevice& device_;
};

// The MakeBaseline of fake devices.
inline Result<std::unique_ptr<Baseline>> fake_baseline(Device& device, const KernelSource&) {
  auto& fake = dynamic_cast<FakeDevice&>(device);
  if (!fake.has_baseline) return Error{ErrorCode::no_compiler, "no cuBLASLt here", {}, {}};
  return std::unique_ptr<Baseline>(std::make_unique<FakeBaseline>(fake));
}

}  // namespace tessera::test
