// SPDX-License-Identifier: BSD-3-Clause
// What a question draws: the same numbers for the same seed, on every machine and in every version of a standard library.
//
//   M in (4,8,16)       one of a tuple's elements, each as likely as the others
//   t in 0..4*M - 1     an integer between two ends, which belong to it; they may use what is drawn before
//   N = 8               no draw, a name
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/names.hpp"

namespace tessera::lesson {

// Numbers that look random: SplitMix64 (Steele, Lea, Flood 2014) from a state that the name of a question, a seed and the number of the
// attempt make. Written out here since the distributions of the standard library are each one's own.
class Draws {
 public:
  Draws(std::string_view id, std::uint64_t seed, std::uint64_t attempt);
  std::uint64_t next();
  std::uint64_t below(std::uint64_t n);  // 0 to n - 1, each as likely; n is at least 1

 private:
  std::uint64_t state_;
};

// How many draws a question has: 0 means that every seed asks the same.
Result<std::size_t> draw_count(const Ask& ask);
// The names that a question draws and lets, in their order.
Result<Names> drawn(const Ask& ask, const Scope& above, std::uint64_t seed, std::uint64_t attempt);

}  // namespace tessera::lesson
