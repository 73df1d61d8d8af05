// SPDX-License-Identifier: BSD-3-Clause
// Selector: one of two numbers without a branch, for short loops whose decisions are as random as their data.
#pragma once

#include <cstdint>

namespace tessera {

// Selector(c)(a, b) is c ? a : b, with masks: compilers turn `c ? a : b` back into the branch that was to be avoided.
class Selector {
 public:
  explicit Selector(bool condition) : mask_(std::uint64_t{0} - static_cast<std::uint64_t>(condition)) {}

  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return b ^ ((a ^ b) & mask_); }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return static_cast<std::int64_t>((*this)(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
  // Exchanges a and b if the condition holds.
  void exchange(std::int64_t& a, std::int64_t& b) const {
    const std::int64_t first = (*this)(b, a);
    b = (*this)(a, b);
    a = first;
  }

 private:
  std::uint64_t mask_;
};

}  // namespace tessera
