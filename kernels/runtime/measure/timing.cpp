// SPDX-License-Identifier: BSD-3-Clause
// Samples are intervals between events; launches are queued in chunks short enough to be stopped between, long enough to keep the GPU busy.
#include "kernels/runtime/measure/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.hpp"
#include "kernels/runtime/measure/check_kernels.hpp"
#include "kernels/runtime/measure/result_check.hpp"

namespace tessera {
namespace {

constexpr double least_sample_us = 60;           // of an interval: an event costs about 1 us
constexpr double short_launch_us = 40;           // below this the queue is held until it is full
constexpr int most_queued = 400;                 // launches between two waits; the driver's queue holds about 1000
constexpr double chunk_us = 100e3;               // and at most this long, so that stopping is prompt
constexpr std::int64_t hold_ns_a_launch = 8000;  // what queueing one launch may take the processor

class Timer {
 public:
  Timer(Device& device, const TimingPlan& plan) : device_(device), plan_(plan) {}
  ~Timer() {
    for (const EventId event : events_) device_.free_event(event);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Microseconds a launch of each interval; interval i makes `group` launches of launches[i % launches.size()].
  Result<std::vector<double>> intervals(const std::vector<const TimedLaunch*>& launches, int count, int group, bool held) {
    while (events_.size() < static_cast<std::size_t>(count) + 1) {
      TESSERA_TRY(event, device_.make_event());
      events_.push_back(event);
    }
    if (held) TESSERA_CHECK(plan_.hold(std::max<std::int64_t>(50000, hold_ns_a_launch * count * group)));
    TESSERA_CHECK(device_.record(events_[0]));
    for (int i = 0; i < count; ++i) {
      const TimedLaunch& launch = *launches[static_cast<std::size_t>(i) % launches.size()];
      for (int j = 0; j < group; ++j) TESSERA_CHECK(launch(next_set_++ % plan_.sets));
      TESSERA_CHECK(device_.record(events_[static_cast<std::size_t>(i) + 1]));
    }
    TESSERA_CHECK(device_.synchronize());
    std::vector<double> samples;
    for (int i = 0; i < count; ++i) {
      TESSERA_TRY(us, device_.elapsed_us(events_[static_cast<std::size_t>(i)], events_[static_cast<std::size_t>(i) + 1]));
      samples.push_back(us / group);
    }
    return samples;
  }

  Status stopped() const {
    if (plan_.stop.stop_requested()) return Error{ErrorCode::timed_out, "the measurement was stopped", {}, {}};
    return Done{};
  }

 private:
  Device& device_;
  const TimingPlan& plan_;
  std::vector<EventId> events_;
  int next_set_ = 0;
};

// What a first look says about one launch.
struct Scale {
  double kernel_us = 0, baseline_us = 0;
  int group = 1;      // launches in one interval
  bool held = false;  // short launches: the processor must be ahead
  double slower_us() const { return std::max(kernel_us, baseline_us); }
  double faster_us() const { return baseline_us > 0 ? std::min(kernel_us, baseline_us) : kernel_us; }
};

Result<double> first_look(Timer& timer, const TimedLaunch& launch) {
  TESSERA_TRY(warm_up, timer.intervals({&launch}, 1, 1, false));  // loads code, fills tables
  TESSERA_TRY(samples, timer.intervals({&launch}, warm_up[0] > chunk_us ? 1 : 5, 1, true));
  return std::max(0.5, spread_of(samples).median);
}

Result<Scale> scale_of(Timer& timer, const TimingPlan& plan) {
  Scale scale;
  TESSERA_TRY(kernel_us, first_look(timer, plan.kernel));
  scale.kernel_us = kernel_us;
  if (plan.baseline) {
    TESSERA_TRY(baseline_us, first_look(timer, plan.baseline));
    scale.baseline_us = baseline_us;
  }
  scale.held = scale.faster_us() < short_launch_us;
  scale.group = std::clamp(static_cast<int>(std::ceil(least_sample_us / scale.faster_us())), 1, 128);
  return scale;
}

// Interleaves the given launches until each has its samples; the first part only heats the chip.
// samples[i] are those of launches[i].
Result<std::vector<std::vector<double>>> interleave(Timer& timer, const TimingPlan& plan, const Scale& scale,
                                                    const std::vector<const TimedLaunch*>& launches) {
  const int ways = static_cast<int>(launches.size());
  const double round_us = scale.slower_us() * ways * scale.group;
  const int rounds = std::clamp(static_cast<int>(0.5e6 * plan.mode_seconds / round_us), 5, 300);
  const int chunk = std::max(1, std::min(most_queued / (ways * scale.group), static_cast<int>(chunk_us / round_us)));
  const int warm_up = std::min(static_cast<int>(0.5e6 * plan.mode_seconds / round_us), 100000);
  std::vector<std::vector<double>> samples(launches.size());
  for (int heated = 0; heated < warm_up; heated += chunk) {
    TESSERA_CHECK(timer.stopped());
    TESSERA_CHECK(timer.intervals(launches, chunk * ways, scale.group, scale.held));
  }
  for (int done = 0; done < rounds; done += chunk) {
    TESSERA_CHECK(timer.stopped());
    TESSERA_TRY(all, timer.intervals(launches, std::min(chunk, rounds - done) * ways, scale.group, scale.held));
    for (std::size_t i = 0; i < all.size(); ++i) samples[i % launches.size()].push_back(all[i]);
  }
  return samples;
}

void rate(TimedMode& mode, const TimingPlan& plan) {
  mode.kernel_tflops = plan.flops / mode.kernel.median * 1e-6;
  if (!mode.baseline) return;
  mode.baseline_tflops = (plan.baseline_flops > 0 ? plan.baseline_flops : plan.flops) / mode.baseline->median * 1e-6;
  mode.ratio = mode.baseline->median / mode.kernel.median;
}

// Beside nothing where `baseline` is empty.
Result<TimedMode> time_interleaved(Timer& timer, const TimingPlan& plan, const Scale& scale, const TimedLaunch& baseline) {
  std::vector<const TimedLaunch*> launches{&plan.kernel};
  if (baseline) launches.push_back(&baseline);
  TESSERA_TRY(samples, interleave(timer, plan, scale, launches));
  TimedMode mode;
  mode.kernel = spread_of(std::move(samples[0]));
  if (baseline) mode.baseline = spread_of(std::move(samples[1]));
  rate(mode, plan);
  return mode;
}

// Three short blocks of each way, in turn, so that a clock that falls meets them alike; each way's median.
Result<std::vector<double>> look_at_ways(Timer& timer, const TimingPlan& plan, const std::vector<const TimedLaunch*>& ways) {
  std::vector<double> launch_us;
  for (const TimedLaunch* way : ways) {
    TESSERA_TRY(us, first_look(timer, *way));
    launch_us.push_back(us);
  }
  std::vector<std::vector<double>> samples(ways.size());
  for (int block = 0; block < 3; ++block) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      TESSERA_CHECK(timer.stopped());
      const int launches = std::clamp(static_cast<int>(0.02e6 * plan.mode_seconds / launch_us[i]), 1, most_queued);
      TESSERA_TRY(us, timer.intervals({ways[i]}, 1, launches, launch_us[i] < short_launch_us));
      samples[i].push_back(us[0]);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& of_way : samples) medians.push_back(spread_of(std::move(of_way)).median);
  return medians;
}

// The ways of a baseline, each timed briefly, and the fastest; of equal ones the library's first. Nothing where there are no two.
Result<std::optional<BestOfWays>> find_best(Timer& timer, const TimingPlan& plan) {
  if (!plan.baseline || plan.more_ways.empty()) return std::optional<BestOfWays>();
  std::vector<const TimedLaunch*> ways{&plan.baseline};
  for (const TimedLaunch& way : plan.more_ways) ways.push_back(&way);
  BestOfWays best;
  TESSERA_TRY(alone_us, look_at_ways(timer, plan, ways));
  best.alone_us = std::move(alone_us);
  best.way = static_cast<int>(std::min_element(best.alone_us.begin(), best.alone_us.end()) - best.alone_us.begin());
  return std::optional(std::move(best));
}

// What is timed one after the other: the kernel, the baseline, and its best way where that is another.
struct Turn {
  const TimedLaunch* launch;
  double us = 0;  // of a launch, about
};

TimedMode mode_of(const TimingPlan& plan, Spread kernel, std::optional<Spread> baseline) {
  TimedMode mode;
  mode.kernel = std::move(kernel), mode.baseline = std::move(baseline);
  rate(mode, plan);
  return mode;
}

// samples: by turn. `beside` keeps what is beside the best way, where the ratio is smaller than beside the first.
TimedMode modes_of(const TimingPlan& plan, std::vector<std::vector<double>> samples, std::optional<TimedMode>* beside) {
  const Spread kernel = spread_of(std::move(samples[0]));
  TimedMode first = mode_of(plan, kernel, samples.size() > 1 ? std::optional(spread_of(std::move(samples[1]))) : std::nullopt);
  if (samples.size() > 2 && beside != nullptr) {
    TimedMode other = mode_of(plan, kernel, spread_of(std::move(samples[2])));
    if (*other.ratio < *first.ratio) *beside = std::move(other);
  }
  return first;
}

// Three blocks of each, in turn; a sample is the mean over one block.
Result<TimedMode> time_alone(Timer& timer, const TimingPlan& plan, const Scale& scale, const std::vector<Turn>& turns,
                             std::optional<TimedMode>* beside) {
  std::vector<std::vector<double>> samples(turns.size());
  for (int block = 0; block < 3; ++block) {
    for (std::size_t which = 0; which < turns.size(); ++which) {
      const int chunk = std::clamp(static_cast<int>(chunk_us / turns[which].us), 1, most_queued);
      const int chunks = std::clamp(static_cast<int>(std::ceil(0.6e6 * plan.mode_seconds / (turns[which].us * chunk))), 1, 200);
      double sum = 0;
      for (int i = 0; i < chunks; ++i) {
        TESSERA_CHECK(timer.stopped());
        TESSERA_TRY(us, timer.intervals({turns[which].launch}, 1, chunk, scale.held));
        sum += us[0];
      }
      samples[which].push_back(sum / chunks);
    }
  }
  return modes_of(plan, std::move(samples), beside);
}

Result<TimedMode> time_burst(Device& device, Timer& timer, const TimingPlan& plan, const Scale& scale, const std::vector<Turn>& turns,
                             std::optional<TimedMode>* beside) {
  std::vector<std::vector<double>> samples(turns.size());
  for (int round = 0; round < 4; ++round) {
    for (std::size_t which = 0; which < turns.size(); ++which) {
      TESSERA_CHECK(timer.stopped());
      device.rest(plan.burst_rest);
      TESSERA_TRY(eight, timer.intervals({turns[which].launch}, 8, scale.group, true));
      samples[which].insert(samples[which].end(), eight.begin(), eight.end());
    }
  }
  return modes_of(plan, std::move(samples), beside);
}

}  // namespace

Result<BufferSets> BufferSets::make(Device& device, KernelCompiler& compiler, CubinCache& cache, const KernelSource& source,
                                    std::uint64_t seed) {
  constexpr std::int64_t alignment = 1024;  // bytes: of every copy's start, more than any copy instruction asks for
  const auto stride = [](const BufferSpec& buffer) { return (buffer.bytes() + alignment - 1) / alignment * alignment; };
  const std::int64_t one = stride(source.a) + stride(source.b) + stride(source.c);
  const std::int64_t wanted = std::max<std::int64_t>(320'000'000, 2 * device.properties().l2_bytes);
  const std::int64_t affordable = std::max<std::int64_t>(2, device.properties().memory_bytes / 4 / one);
  const std::int64_t count = std::clamp<std::int64_t>((wanted + one - 1) / one, 2, affordable);
  TESSERA_TRY(a, DeviceBuffer::make(device, count * stride(source.a)));
  TESSERA_TRY(b, DeviceBuffer::make(device, count * stride(source.b)));
  TESSERA_TRY(c, DeviceBuffer::make(device, count * stride(source.c)));
  BufferSets sets(std::move(a), std::move(b), std::move(c));
  sets.count_ = static_cast<int>(count);
  sets.stride_a_ = stride(source.a), sets.stride_b_ = stride(source.b), sets.stride_c_ = stride(source.c);
  int operand = 4;  // seeds apart from those of the check
  for (const auto& [buffer, memory] : {std::pair{&source.a, &sets.a_}, {&source.b, &sets.b_}, {&source.c, &sets.c_}}) {
    TESSERA_TRY(fill_source, fill_kernel(buffer->type));
    TESSERA_TRY(fill, load_small(device, compiler, cache, fill_source));
    TESSERA_CHECK(fill.launch(
        std::array<KernelArgument, 3>{memory->pointer(), memory->bytes() / buffer->element_bytes, operand_seed(seed, operand++)}));
    TESSERA_CHECK(device.synchronize());
  }
  return sets;
}

TimingPlan timing_plan(const MeasureOptions& options) {
  TimingPlan plan;
  plan.mode_seconds = options.mode_seconds;
  plan.burst_rest = options.burst_rest;
  plan.stop = options.stop;
  if (options.progress) plan.progress = [&options](double fraction) { options.progress("time", fraction); };
  return plan;
}

Result<Timing> time_kernel(Device& device, const TimingPlan& plan) {
  const auto report = [&](double fraction) {
    if (plan.progress) plan.progress(fraction);
  };
  Timer timer(device, plan);
  Timing timing;
  TESSERA_TRY(scale, scale_of(timer, plan));
  timing.launches_per_sample = scale.group;
  report(0.1);
  TESSERA_TRY(interleaved, time_interleaved(timer, plan, scale, plan.baseline));
  timing.interleaved = std::move(interleaved);
  report(0.3);
  if (plan.baseline) {
    Scale alike = scale;  // beside a slow kernel there would be few rounds, and a cold chip
    alike.kernel_us = scale.baseline_us;
    TESSERA_TRY(samples, interleave(timer, plan, alike, {&plan.baseline, &plan.baseline}));
    timing.ratio_control = spread_of(samples[1]).median / spread_of(samples[0]).median;
  }
  TESSERA_TRY(best, find_best(timer, plan));
  timing.best = std::move(best);
  std::vector<Turn> turns{{&plan.kernel, scale.kernel_us}};
  if (plan.baseline) turns.push_back({&plan.baseline, scale.baseline_us});
  if (timing.best && timing.best->way > 0) {
    const auto way = static_cast<std::size_t>(timing.best->way);
    Scale beside = scale;
    beside.baseline_us = std::max(0.5, timing.best->alone_us[way]);
    beside.held = scale.held || beside.faster_us() < short_launch_us;
    turns.push_back({&plan.more_ways[way - 1], beside.baseline_us});
    TESSERA_TRY(mode, time_interleaved(timer, plan, beside, *turns.back().launch));
    if (*mode.ratio < *timing.interleaved.ratio) timing.best->interleaved = std::move(mode);  // a brief look may be wrong
  }
  report(0.45);
  TESSERA_TRY(alone, time_alone(timer, plan, scale, turns, timing.best ? &timing.best->alone : nullptr));
  timing.alone = std::move(alone);
  report(0.75);
  TESSERA_TRY(burst, time_burst(device, timer, plan, scale, turns, timing.best ? &timing.best->burst : nullptr));
  timing.burst = std::move(burst);
  if (timing.best && !timing.best->interleaved && !timing.best->alone && !timing.best->burst) timing.best->way = 0;
  report(1.0);
  return timing;
}

double peak_tflops(const DeviceProperties& device, const std::string& input_type) {
  // Dense multiply-adds a clock of one multiprocessor, times two: f16 and bf16 on tensor cores. Where an architecture is not listed, the
  // largest known bounds it.
  double f16 = 16384;
  switch (device.sm) {
    case 70: f16 = 1024; break;
    case 75: f16 = 1024; break;
    case 80: f16 = 2048; break;
    case 86:
    case 89:
    case 120:
    case 121: f16 = 1024; break;
    case 90: f16 = 4096; break;
    case 100:
    case 103: f16 = 8192; break;
    default: break;
  }
  double scale = 2;  // 8-bit types
  if (input_type == "f16" || input_type == "bf16") scale = 1;
  if (input_type == "tf32" || input_type == "f32") scale = 0.5;
  if (input_type == "f64") scale = 0.125;
  return device.sm_count * device.clock_mhz * 1e6 * std::max(256.0, f16 * scale) * 1e-12;  // 256: 128 lanes without tensor cores
}

Status check_plausible(const Timing& timing, const DeviceProperties& device, const std::string& input_type) {
  const double peak = peak_tflops(device, input_type);
  for (const TimedMode* mode : {&timing.interleaved, &timing.alone, &timing.burst, &beside_best(timing)}) {
    if (!(mode->kernel.median > 0)) {
      return Error{ErrorCode::measurement_fault, fmt::format("a launch took {} us, which cannot be", mode->kernel.median), {}, {}};
    }
    if (mode->kernel_tflops > 1.02 * peak) {
      return Error{ErrorCode::measurement_fault,
                   fmt::format("{} were measured; {} cannot do more than {} with {} inputs", rate_text(1e12 * mode->kernel_tflops),
                               device.name, rate_text(1e12 * peak), input_type),
                   {},
                   {"the kernel did not do the work, or the clock was not read around it"}};
    }
  }
  return Done{};
}

}  // namespace tessera
