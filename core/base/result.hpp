// SPDX-License-Identifier: BSD-3-Clause
// Result<T>: a value, or the Error that says why there is none. A function that returns one may refuse its input.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "core/base/error.hpp"

namespace tessera {

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  Error& error() & {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T value_or(T otherwise) const& { return has_value() ? value() : std::move(otherwise); }

 private:
  std::variant<T, Error> state_;
};

// For operations that only succeed or fail.
struct Done {};
using Status = Result<Done>;

// Unwraps `expression` into `name`, or returns its error from the enclosing function.
#define TESSERA_TRY(name, expression)                          \
  auto name##_result = (expression);                           \
  if (!name##_result) return std::move(name##_result).error(); \
  auto name = std::move(name##_result).value()

// The same where only success matters.
#define TESSERA_CHECK(expression) \
  if (auto status_ = (expression); !status_) return std::move(status_).error()

}  // namespace tessera
