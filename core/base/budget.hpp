// SPDX-License-Identifier: BSD-3-Clause
// Budget: the seconds, bytes and cells that one request may use, counted before anything is allocated.
//
//   Budget budget(limits);                                          // this thread's current one until the end of the scope
//   TESSERA_CHECK(spend_cells(size(layout), [&] { return "walking " + to_string(layout); }));
//   TESSERA_CHECK(fit_bytes(16 * size(layout), "sorting the values"));
//   for (...) if (late()) return past_deadline("comparing the values");
//
// A request is an expression, a line of a batch, a request to a worker, a document, or a figure in one format; it runs on one thread
// from its text to its answer. So the budget is the thread's, and no signature of the algebra has to carry it (docs/decisions/0004).
// Where none is current, each question is asked of the default limits alone.
//
// The seconds are those of the request from its first byte on, whoever works for it: a budget within another ends no later than that one,
// and one on another thread is told when the request began. The refusal then names the limit that was really met.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

struct Limits {
  double seconds = 10;
  std::int64_t bytes = std::int64_t{1} << 30;
  std::int64_t cells = std::int64_t{1} << 24;  // coordinates that are walked, values of an image, cells of a figure, leaves of a tuple
};

class Budget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `begin`: of the request, where it began before.
  explicit Budget(const Limits& limits = {}, Time begin = std::chrono::steady_clock::now());
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  static Budget* current() { return current_; }
  const Limits& limits() const { return limits_; }

  // True when there was room; counted then.
  bool take_cells(std::int64_t n);
  bool take_bytes(std::int64_t n);
  bool has_cells(std::int64_t n) const { return n <= limits_.cells - cells_; }
  bool has_bytes(std::int64_t n) const { return n <= limits_.bytes - bytes_; }
  void give_back_bytes(std::int64_t n) { bytes_ -= n; }

  // True when the time is over. Looks at the clock now and then only, so that an inner loop may ask.
  bool late() { return late_ || (--until_look_ <= 0 && look()); }
  bool look();  // looks at the clock now

  std::int64_t cells() const { return cells_; }  // used so far
  std::int64_t bytes() const { return bytes_; }
  double seconds() const;  // since the request began
  Time begin() const { return begin_; }

 private:
  static thread_local constinit Budget* current_;

  Limits limits_;
  Time begin_;
  Budget* outer_;
  std::int64_t cells_ = 0, bytes_ = 0;
  int until_look_ = 1;
  bool late_ = false;
};

// A budget of default limits where none is current: for functions that are a request when they are called from outside, and a part of
// one when they are called by another.
class DefaultBudget {
 public:
  DefaultBudget() {
    if (!Budget::current()) own_.emplace();
  }

 private:
  std::optional<Budget> own_;
};

// The flags of the command line that raise the limits; a refusal names its own.
inline constexpr std::string_view kLimitSecondsFlag = "--limit-seconds";
inline constexpr std::string_view kLimitBytesFlag = "--limit-bytes";
inline constexpr std::string_view kLimitCellsFlag = "--limit-cells";

// a * b and a + b of counts that are not negative; what leaves 64 bits is the largest of them, beyond every limit.
std::int64_t count_product(std::int64_t a, std::int64_t b);
std::int64_t count_sum(std::int64_t a, std::int64_t b);

// "1.5 GiB", "900 bytes"
std::string bytes_text(std::int64_t bytes);

namespace budget_detail {
bool cells_fit(std::int64_t n, bool count);
bool bytes_fit(std::int64_t n, bool keep);
Error too_many_cells(std::int64_t n, std::string what);
Error too_many_bytes(std::int64_t n, std::string what);
template <class What>
std::string spell(const What& what) {
  if constexpr (std::invocable<const What&>)
    return std::string(what());
  else
    return std::string(what);
}
}  // namespace budget_detail

// Before n cells are walked or made; they are counted. `what` says what for, as text or as a function that spells it when it is needed.
template <class What>
Status spend_cells(std::int64_t n, const What& what) {
  if (budget_detail::cells_fit(n, true)) return Done{};
  return budget_detail::too_many_cells(n, budget_detail::spell(what));
}

// The same without counting them: early, where another step counts.
template <class What>
Status fit_cells(std::int64_t n, const What& what) {
  if (budget_detail::cells_fit(n, false)) return Done{};
  return budget_detail::too_many_cells(n, budget_detail::spell(what));
}

// Before n bytes are allocated that the request keeps to its end; they are counted.
template <class What>
Status spend_bytes(std::int64_t n, const What& what) {
  if (budget_detail::bytes_fit(n, true)) return Done{};
  return budget_detail::too_many_bytes(n, budget_detail::spell(what));
}

// Before n bytes are allocated that are free again when the step is done.
template <class What>
Status fit_bytes(std::int64_t n, const What& what) {
  if (budget_detail::bytes_fit(n, false)) return Done{};
  return budget_detail::too_many_bytes(n, budget_detail::spell(what));
}

// Bytes that are counted until the end of a scope, then given back.
class HeldBytes {
 public:
  HeldBytes() = default;
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() {
    if (Budget* const budget = Budget::current(); budget && held_ > 0) budget->give_back_bytes(held_);
  }
  template <class What>
  Status hold(std::int64_t n, const What& what) {
    TESSERA_CHECK(spend_bytes(n, what));
    held_ += n;
    return Done{};
  }

 private:
  std::int64_t held_ = 0;
};

// In loops: true when the request's time is over, and the refusal that says so.
inline bool late() {
  Budget* const budget = Budget::current();
  return budget && budget->late();
}
Error past_deadline(std::string_view what);

// Between steps: refused when the time is over.
template <class What>
Status check_time(const What& what) {
  Budget* const budget = Budget::current();
  if (!budget || !budget->look()) return Done{};
  return past_deadline(budget_detail::spell(what));
}

}  // namespace tessera
