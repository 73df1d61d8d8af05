// SPDX-License-Identifier: BSD-3-Clause
// TimeSpent: where the time of one run went, part by part, so that what comes beside the kernels has a number and a place.
#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace tessera {

// In milliseconds. What compiling took is the measurement's own figure, and in no part.
struct TimeSpent {
  double start = 0;   // of a worker, from its command to its greeting; 0: one was kept from an earlier run
  double lower = 0;   // text to plan to kernel text
  double open = 0;    // the device and the compiler; 0: they were open
  double find = 0;    // the cubin, in the cache or not
  double load = 0;    // it, onto the device
  double launch = 0;  // the first launch, until it is queued
  double check = 0;   // every element against the reference kernel, with the small kernels that this needs
  double time = 0;    // the timing, and the baseline that it is timed beside
  double answer = 0;  // all else between request and answer: JSON, pipes, waking up

  // What a run costs beside compiling, checking and timing.
  double overhead() const { return start + lower + open + find + load + launch + answer; }
  // From the question for a kept cubin to its kernel in the device's queue.
  double found_to_launched() const { return find + load + launch; }
  double all() const { return overhead() + check + time; }
};

// Each part by its name.
inline constexpr std::array<std::pair<std::string_view, double TimeSpent::*>, 9> kPartsOfTime{{{"start", &TimeSpent::start},
                                                                                               {"lower", &TimeSpent::lower},
                                                                                               {"open", &TimeSpent::open},
                                                                                               {"find", &TimeSpent::find},
                                                                                               {"load", &TimeSpent::load},
                                                                                               {"launch", &TimeSpent::launch},
                                                                                               {"check", &TimeSpent::check},
                                                                                               {"time", &TimeSpent::time},
                                                                                               {"answer", &TimeSpent::answer}}};

class Stopwatch {
 public:
  // Milliseconds since the last lap, or since it was made.
  double lap() {
    const Clock::time_point now = Clock::now(), before = std::exchange(last_, now);
    return std::chrono::duration<double, std::milli>(now - before).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tessera
