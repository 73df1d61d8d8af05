// SPDX-License-Identifier: BSD-3-Clause
// The count of what a request uses, and the refusals that name estimate, limit and flag.
#include "core/base/budget.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/stopping.hpp"

namespace tessera {

namespace {

constexpr int kAsksPerLook = 256;  // at the clock, whose reading costs as much as a few coordinates
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Limits current_limits() { return Budget::current() ? Budget::current()->limits() : Limits{}; }

// ", of which 12 are used"
std::string used(const std::string& amount, bool any) { return any ? fmt::format(", of which {} are used", amount) : std::string(); }

// Room for as much again as is known to be wanted.
std::int64_t suggestion(std::int64_t used, std::int64_t wanted) {
  const std::int64_t sum = count_sum(used, wanted);
  return sum <= kMost / 2 ? 2 * sum : kMost;
}

}  // namespace

thread_local constinit Budget* Budget::current_ = nullptr;

Budget::Budget(const Limits& limits, Time begin) : limits_(limits), begin_(begin), outer_(current_) {
  if (outer_) {
    const double own = std::chrono::duration<double>(begin_ - outer_->begin_).count() + limits_.seconds;
    if (outer_->limits_.seconds < own) begin_ = outer_->begin_, limits_.seconds = outer_->limits_.seconds;
  }
  current_ = this;
}

Budget::~Budget() { current_ = outer_; }

bool Budget::take_cells(std::int64_t n) {
  if (!has_cells(n)) return false;
  cells_ += n;
  return true;
}

bool Budget::take_bytes(std::int64_t n) {
  if (!has_bytes(n)) return false;
  bytes_ += n;
  return true;
}

bool Budget::look() {
  until_look_ = kAsksPerLook;
  late_ = late_ || seconds() > limits_.seconds || is_stopped();
  return late_;
}

double Budget::seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

namespace {
thread_local constinit const std::stop_token* stop = nullptr;
}

StoppedBy::StoppedBy(std::stop_token token) : token_(std::move(token)), outer_(stop) { stop = &token_; }

StoppedBy::~StoppedBy() { stop = outer_; }

bool is_stopped() { return stop && stop->stop_requested(); }

std::int64_t count_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

std::int64_t count_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (amount /= 1024; amount >= 1023.95 && unit + 1 < std::size(kUnits); ++unit) amount /= 1024;
  const std::string text = fmt::format("{:.1f}", amount);
  return fmt::format("{} {}", text.ends_with(".0") ? text.substr(0, text.size() - 2) : text, kUnits[unit]);
}

namespace budget_detail {

bool cells_fit(std::int64_t n, bool count) {
  Budget* const budget = Budget::current();
  if (!budget) return n <= Limits{}.cells;
  return count ? budget->take_cells(n) : budget->has_cells(n);
}

bool bytes_fit(std::int64_t n, bool keep) {
  Budget* const budget = Budget::current();
  if (!budget) return n <= Limits{}.bytes;
  return keep ? budget->take_bytes(n) : budget->has_bytes(n);
}

Error too_many_cells(std::int64_t n, std::string what) {
  const std::int64_t spent = Budget::current() ? Budget::current()->cells() : 0;
  return Error{ErrorCode::limit,
               fmt::format("{} takes {} cells; the limit of one request is {}{}", what, n, current_limits().cells,
                           used(std::to_string(spent), spent > 0)),
               {},
               {fmt::format("{} {} would raise the limit", kLimitCellsFlag, suggestion(spent, n))}};
}

Error too_many_bytes(std::int64_t n, std::string what) {
  const std::int64_t spent = Budget::current() ? Budget::current()->bytes() : 0;
  return Error{ErrorCode::limit,
               fmt::format("{} takes about {} of memory; the limit of one request is {}{}", what, bytes_text(n),
                           bytes_text(current_limits().bytes), used(bytes_text(spent), spent > 0)),
               {},
               {fmt::format("{} {} would raise the limit", kLimitBytesFlag, suggestion(spent, n))}};
}

}  // namespace budget_detail

Error past_deadline(std::string_view what) {
  const double seconds = current_limits().seconds;
  return Error{ErrorCode::limit,
               fmt::format("{} was stopped after {:.3g} s, the limit of one request", what, seconds),
               {},
               {fmt::format("{} {:.3g} would raise the limit", kLimitSecondsFlag, 10 * std::max(seconds, 1.0))}};
}

}  // namespace tessera
