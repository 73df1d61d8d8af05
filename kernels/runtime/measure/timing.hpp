// SPDX-License-Identifier: BSD-3-Clause
// Timing on a power-limited GPU: three ways, because one number hides something each time.
//
//   interleaved  launches alternate with the baseline's: both meet the same clock, so the ratio is fair, but energy is hidden
//   alone        each for a sustained block: what a long run of it gives
//   burst        after a rest, 8 launches: what is printed in blog posts
//   control      the baseline interleaved with itself: how far 1.000 can be trusted
//   best         each way of the baseline alone, briefly, and the fastest interleaved with the kernel
// Absolute figures of two runs never compare; ratios of the same run do.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/measure.hpp"
#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

// Many copies of A, B and C, used in turn, so that no launch finds its inputs in the L2.
class BufferSets {
 public:
  // At least 320 MB and twice the L2 together (less where the device has less), and at least two copies; filled with random numbers.
  static Result<BufferSets> make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                 std::uint64_t seed);

  int count() const { return count_; }
  DevicePointer a(int set) const { return a_.pointer() + offset(set, stride_a_); }
  DevicePointer b(int set) const { return b_.pointer() + offset(set, stride_b_); }
  DevicePointer c(int set) const { return c_.pointer() + offset(set, stride_c_); }

 private:
  BufferSets(DeviceBuffer a, DeviceBuffer b, DeviceBuffer c) : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)) {}
  static DevicePointer offset(int set, std::int64_t stride) { return static_cast<DevicePointer>(set * stride); }

  DeviceBuffer a_, b_, c_;
  std::int64_t stride_a_ = 0, stride_b_ = 0, stride_c_ = 0;  // bytes
  int count_ = 0;
};

// One launch of something that is timed, on the given copy of the buffers.
using TimedLaunch = std::function<Status(int set)>;

struct TimingPlan {
  TimedLaunch kernel;
  TimedLaunch baseline;                                  // empty: none
  std::vector<TimedLaunch> more_ways;                    // of the baseline, after the first
  std::function<Status(std::int64_t nanoseconds)> hold;  // a kernel that only waits (check_kernels.hpp)
  int sets = 1;
  double flops = 0;
  double baseline_flops = 0;  // 0: the same
  double mode_seconds = 0.5;
  std::chrono::milliseconds burst_rest{250};
  std::function<void(double fraction)> progress;
  std::stop_token stop;
};

// What the options say; launches and sizes are the caller's.
TimingPlan timing_plan(const MeasureOptions& options);

// `baseline_name` and `buffer_sets` of the result are the caller's.
Result<Timing> time_kernel(Device& device, const TimingPlan& plan);

// The rate that the device cannot exceed for inputs of this type, TFLOP/s: multiprocessors x highest clock x operations a clock.
double peak_tflops(const DeviceProperties& device, const std::string& input_type);

// measurement_fault where a time is not positive or a rate is above the peak: such a kernel did not do the work.
Status check_plausible(const Timing& timing, const DeviceProperties& device, const std::string& input_type);

}  // namespace tessera
