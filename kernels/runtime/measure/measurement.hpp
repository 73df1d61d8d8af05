// SPDX-License-Identifier: BSD-3-Clause
// Measurement: what was run where, whether its result is right, and only then how fast it was. Written as JSON and read back.
//
// A kernel whose result is wrong has no `timing`: there is no speed of a wrong answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/device/device.hpp"
#include "kernels/runtime/measure/time_spent.hpp"

namespace tessera {

class Json;

struct Correctness {
  bool passed = false;
  std::string reason;          // when it did not: the first wrong element, or what else was wrong
  std::int64_t compared = 0;   // elements that the reference wrote, every one compared
  std::int64_t untouched = 0;  // elements between the columns of a padded C, written by neither
  std::int64_t mismatches = 0;
  std::int64_t first_bad_index = -1;  // in elements of C's buffer
  double first_bad_got = 0, first_bad_expected = 0;
  double max_abs_error = 0;
  double max_rel_error = 0;  // |got - expected| / (|expected| + typical), typical = |alpha| sqrt(k)/3 + |beta|
  double abs_tolerance = 0;  // |got - expected| <= bound of the element + rel_tolerance |expected|; this is the largest of those bounds
  double rel_tolerance = 0;  // one unit in the last place of C's type
};

// Of samples in microseconds a launch. What is shown as a median's spread is the tenth to the ninetieth percentile of all samples.
struct Spread {
  double median = 0, p10 = 0, p90 = 0;
  std::vector<double> samples;
};
Spread spread_of(std::vector<double> samples);

// One way of timing; `baseline` and `ratio` are there when cuBLASLt took part. ratio > 1: this kernel is the faster.
struct TimedMode {
  Spread kernel;
  std::optional<Spread> baseline;
  std::optional<double> ratio;
  double kernel_tflops = 0;
  std::optional<double> baseline_tflops;
};

// The fastest of the ways that the baseline's library knows (baseline.hpp): beside the kernel by each way of timing where it leaves a
// smaller ratio than way 0 does, and nothing where it does not.
struct BestOfWays {
  std::vector<double> alone_us;  // each way by itself, briefly, in the library's order, less those that compute another product
  int way = 0;                   // an index into alone_us: the least of them, or 0 where it never leaves a smaller ratio
  std::optional<TimedMode> interleaved, alone, burst;  // recordings of before have the first alone
};

struct Timing {
  // Long, and used by many sources: compiled once.
  Timing();
  Timing(const Timing& other);
  Timing(Timing&& other) noexcept;
  Timing& operator=(const Timing& other);
  Timing& operator=(Timing&& other) noexcept;
  ~Timing();

  TimedMode interleaved;                // launches alternate one by one under sustained load
  TimedMode alone;                      // sustained blocks of one kernel, baseline likewise
  TimedMode burst;                      // 0.25 s of idleness, then 8 launches
  std::optional<double> ratio_control;  // the baseline against itself, interleaved: how far a ratio can be trusted
  std::optional<BestOfWays> best;       // empty: none took part, or its library knows one way
  std::string baseline_name;            // of way 0; empty: none took part, see Measurement::notes
  int launches_per_sample = 1;          // small kernels are timed in groups of more than 50 us
  int buffer_sets = 1;                  // A, B, C rotated over at least 320 MB and twice the L2
};

// The three ways of timing, by name.
struct TimingMode {
  std::string_view name;
  TimedMode Timing::*mode;
  std::optional<TimedMode> BestOfWays::*best;
};
inline constexpr TimingMode kTimingModes[] = {{"interleaved", &Timing::interleaved, &BestOfWays::interleaved},
                                              {"alone", &Timing::alone, &BestOfWays::alone},
                                              {"burst", &Timing::burst, &BestOfWays::burst}};
// Beside the fastest way of the baseline: the mode itself where that is way 0, or the only one.
const TimedMode& beside_best(const Timing& timing, const TimingMode& of = kTimingModes[0]);

struct Measurement {
  // Long, and used by many sources: compiled once.
  Measurement();
  Measurement(const Measurement& other);
  Measurement(Measurement&& other) noexcept;
  Measurement& operator=(const Measurement& other);
  Measurement& operator=(Measurement&& other) noexcept;
  ~Measurement();

  static constexpr int current_version = 1;

  std::string name;  // of the GEMM
  std::int64_t m = 0, n = 0, k = 0;
  std::string type_a, type_b, type_c;
  double alpha = 1, beta = 0, flops = 0;
  DeviceProperties device;
  std::string date;  // ISO 8601, given by the caller
  ArchTarget arch;
  std::string compiler;
  std::string code;  // code_hash of the kernel's source; empty: not known
  ResourceUse resources;
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t smem_bytes = 0;  // dynamic shared memory, a block
  CacheOutcome cache;
  double compile_ms = 0;
  Correctness correctness;
  std::optional<Timing> timing;
  std::optional<TimeSpent> spent;  // of a run that says so
  std::vector<std::string> notes;  // e.g. why there is no baseline
};

// One object, two-space indent unless `compact`; from_json(to_json(m)) has the same text. Reading refuses what no run can have, such as
// a negative time, and times of a result that was not found right.
std::string to_json(const Measurement& measurement, bool compact = false);
Result<Measurement> measurement_from_json(std::string_view text);
// The same as a part of something larger.
Json measurement_json(const Measurement& measurement);
Result<Measurement> read_measurement(const Json& json);

}  // namespace tessera
