// SPDX-License-Identifier: BSD-3-Clause
// How large a value is. Names let a short text mean a long value: with let b = (a,a), let c = (b,b), ... each line doubles it.
#pragma once

#include <cstdint>
#include <string>

#include "core/lang/values/value.hpp"

namespace tessera {

inline constexpr std::int64_t kMostLeaves = std::int64_t{1} << 18;  // of a value: integers of a tuple, modes of a layout

// Counts no further than one more than `at_most`: parts that are shared are counted each time, as they are printed each time.
std::int64_t leaf_count(const Value& value, std::int64_t at_most = kMostLeaves);

// Refuses a value of more than kMostLeaves leaves.
Status check_leaves(const Value& value);

// About the bytes that a copy of the value takes; what copies share is not among them.
std::int64_t bytes_of_copy(const Value& value);

// A text for a person without its middle where it is very long: what a refusal quotes of large values.
void shorten(std::string& text);
void shorten(Error& error);

}  // namespace tessera
