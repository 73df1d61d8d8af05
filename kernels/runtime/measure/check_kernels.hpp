// SPDX-License-Identifier: BSD-3-Clause
// The small kernels that a measurement needs beside the one that it measures: fill, compare, hold. Compiled and cached like any other.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

// Arguments (T* out, i64 elements, i64 seed): element i is a function of (seed, i) alone, uniform in [-1, 1]; integers in [-3, 3].
Result<KernelSource> fill_kernel(const std::string& type);

// The same arguments: an element is 1 or -1 with probability `density`, else 0.
Result<KernelSource> sign_kernel(const std::string& type, double density);

// Arguments (const T* got, const T* expected, const f32* spreads, i64 elements, f64 absolute, f64 relative, f64 of_rounded, f64 of_exact,
// f64 exact_below, f64 typical, u64* report): Tolerance's fields, and each element's spread. An element that the reference left poisoned
// must be poisoned in `got`, bit for bit.
Result<KernelSource> compare_kernel(const std::string& type);

// What compare_kernel adds to; errors are the bits of a double, which order as the doubles do because none is negative.
struct CompareReport {
  std::uint64_t compared = 0, untouched = 0, mismatches = 0;
  std::uint64_t first_bad = ~std::uint64_t{0};
  std::uint64_t max_abs_error_bits = 0, max_rel_error_bits = 0;
  std::uint64_t max_bound_bits = 0;  // the largest of the elements' bounds, less what is relative
};

// Arguments (i64 nanoseconds): one thread waits, so that launches queue up behind it and then run without gaps.
KernelSource hold_kernel();

// The byte that poisons a buffer: NaN for floating types, a number out of reach for integers.
std::uint8_t poison_byte(const std::string& type);

// One unit in the last place relative to the value; 0 for integers. unit_in_last_place("f16") -> 2^-10
double unit_in_last_place(const std::string& type);
// The distance of the smallest numbers of types that are near enough to 0 for a C to meet it, and 0 for the others.
double least_step(const std::string& type);

}  // namespace tessera
