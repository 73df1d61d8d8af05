// SPDX-License-Identifier: BSD-3-Clause
// The ladder: GEMMs in the order in which a class meets their ideas, each with the one before and a few fields that differ. A rung is a
// spec like any other; nothing below knows that there are rungs.
//
//   4  register_tile  a thread computes 8 x 8 elements of C        changes mma, cta_tiler
//
// Law: difference(a rung, the one before it) is what the rung says it changes; at most four fields, the types of elements aside, which come
// with the atom. The last rung is chosen for the size (fastest.hpp): what differs is among what it says.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/result.hpp"
#include "core/gemm/gemm_spec.hpp"

namespace tessera {

// What multiplies: every thread for itself, or a tensor core. The museum has what no GPU of today is made for.
enum class RungOf : std::uint8_t { cuda_cores, tensor_cores, museum };
std::string_view to_string(RungOf of);
// The ladder that a rung stands on, for a person: "CUDA cores"; the museum piece stands on the one whose types it has.
std::string_view name_of_ladder(RungOf of);

struct Rung {
  int number = 0;  // numbers are kept for ideas: one without a rung yet is left out
  RungOf of = RungOf::tensor_cores;
  std::string_view name;      // an identifier: "register_tile"
  std::string_view in_short;  // the idea in a few words, for a chart: "8 x 8 elements of C a thread"
  std::string_view idea, question;
  std::span<const std::string_view> fields;  // that differ from the rung before, in the order of gemm(...); of the first: none
  // C (m,n) of A (m,k), K-major, and B (n,k), N-major; extents in elements, each at least 1. Rows begin at multiples of 8 elements.
  Result<GemmSpec> (*spec)(std::int64_t m, std::int64_t n, std::int64_t k);
  bool is_of_size = false;  // chosen for m, n and k: of the fields those that may differ; B is K-major then
};

// From the lowest to the highest.
std::span<const Rung> ladder();
// Null where no rung has that number.
const Rung* find_rung(std::int64_t number);

}  // namespace tessera
