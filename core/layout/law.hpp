// SPDX-License-Identifier: BSD-3-Clause
// Law: what an operation does where the layout that CuTe gives is not the one that the operation promises.
//
// CuTe's divisibility conditions let some wrong answers pass. Every operation that can give one computes CuTe's answer, and then has
// its law (the postcondition in algebra.hpp) held by the one path below. A check that the computation itself has proven is not made;
// others compare the answer with its definition, coordinate by coordinate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

class Law {
 public:
  static const Law as_cute;  // gives CuTe's answer and does not look
  static const Law checked;  // refuses with the first coordinate where the law breaks
  // Gives CuTe's answer, since that is the one in a kernel, and notes what `checked` would have said, and where tiles reach beyond.
  static constexpr Law noted(std::vector<Error>& notes) { return Law(true, &notes, nullptr); }
  // For a step of a larger operation, which holds its own law unless every step has proven its.
  static constexpr Law proving(bool& proven) { return Law(false, nullptr, &proven); }
  // The same; what concerns all elements together is said at once, since no larger law would find it.
  constexpr Law step(bool& proven) const { return Law(looks_, notes_, &proven); }

  bool looks() const { return looks_; }

  // The law of each element of an answer; check() gives the error that says where it breaks.
  template <class Check>
  Status hold(bool proven, const Check& check) const {
    if (proven) return Done{};
    if (proven_) {
      *proven_ = false;
      return Done{};
    }
    return hold_whole(false, check);
  }
  // The law of all elements together: that none is lost.
  template <class Check>
  Status hold_whole(bool proven, const Check& check) const {
    if (proven || !looks_) return Done{};
    return settle(check());
  }
  // What is no wrong answer and yet worth a word: find() gives an Error, or nothing.
  template <class Find>
  void remark(const Find& find) const {
    if (!notes_ || proven_) return;
    if (std::optional<Error> found = find()) notes_->push_back(std::move(*found));
  }

 private:
  constexpr Law(bool looks, std::vector<Error>* notes, bool* proven) : looks_(looks), notes_(notes), proven_(proven) {}

  // A domain too large to compare is no broken law.
  Status settle(Status status) const {
    if (status || !notes_) return status;
    if (status.error().code == ErrorCode::breaks_law) notes_->push_back(std::move(status).error());
    return Done{};
  }

  bool looks_;
  std::vector<Error>* notes_;
  bool* proven_;
};

inline constexpr Law Law::as_cute{false, nullptr, nullptr};
inline constexpr Law Law::checked{true, nullptr, nullptr};

// Domains up to this size are compared at every coordinate, larger ones at samples.
inline constexpr std::int64_t kPointwise = 65536;

// The first 1-D coordinate below n where holds(i) is false. Beyond kPointwise: both ends, and all sums of one or two powers of two,
// which set and clear each bit beside each other.
template <class Holds>
std::optional<std::int64_t> first_broken(std::int64_t n, const Holds& holds) {
  for (std::int64_t i = 0; i < std::min(n, kPointwise); ++i) {
    if (!holds(i)) return i;
  }
  for (std::int64_t p = kPointwise; p > 0 && p < n; p *= 2) {
    for (std::int64_t q = 1; q <= p; q *= 2) {
      for (const std::int64_t i : {p + q, p - q}) {
        if (i < n && !holds(i)) return i;
      }
    }
  }
  for (std::int64_t i = std::max(n - 1024, kPointwise); i < n; ++i) {
    if (!holds(i)) return i;
  }
  return std::nullopt;
}

}  // namespace tessera
