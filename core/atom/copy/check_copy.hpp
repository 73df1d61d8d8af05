// SPDX-License-Identifier: BSD-3-Clause
// What a tiled copy does to one tile: which elements it takes, how its accesses lie in memory on both sides, and what would be wider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/copy/copy_places.hpp"

namespace tessera {

// One side of a copy. Without a space it is registers: no layout in memory, and nothing to access.
struct CopyTile {
  AnyLayout layout;
  std::optional<AccessSpace> space;
  std::int64_t offset = 0;  // elements between the tensor's begin and the layout's
};

struct CopySideCheck {
  std::optional<AccessReport> access;  // nothing of registers, and where the instruction cannot do it
  std::string refused;                 // then why
  std::int64_t alignment = 0;          // bits: the largest power of two, at most 128, that every access begins at a multiple of
  std::int64_t neighbours = 1;         // a thread's values that are neighbours here, in whatever order, at multiples of their width
  bool narrowed = false;               // the elements are taken in smaller pieces than the instruction says
  std::string why_narrowed;
  std::int64_t joined = 0;  // values of an automatic copy's vector that the compiler joins to wider accesses; 0: it joins none
};

struct CopyCheck {
  CopyCoverage coverage;
  CopySideCheck source, destination;
  std::int64_t vector = 1;  // values of a thread that are neighbours on both sides, at multiples of their width; 16 bytes at most
  std::string limit;        // why no more, and on which side; empty: 16 bytes
  std::optional<std::int64_t> common;  // CuTe's max_common_vector of thread 0's parts, which knows no alignment
  std::string no_partition;            // where a side cannot be partitioned for thread 0: why
  std::string collision;               // two elements of the destination at one place; empty: there are none
  std::int64_t units = 0, least = 0;   // sectors and wavefronts of both sides
  std::int64_t instructions = 0;       // of all warps; one instruction of cp.async is on both sides
  bool to_registers = false;
  // Every element once, and as wide as the instruction says. Registers of several threads may want one element: operands do.
  bool is_sound() const {
    return coverage.missed == 0 && coverage.outside == 0 && (coverage.repeated == 0 || to_registers) && source.refused.empty() &&
           destination.refused.empty() && !source.narrowed && !destination.narrowed;
  }
};

// bits: of an element. Both tensors begin at multiples of 128 bytes, where alignment is looked at up to 16.
// Refused: shapes of different extents, instructions that are no access of a warp's lanes (TMA, tensor memory), layouts without places in
// memory. Tiles that do not divide the tensor are no refusal: what lies beyond is left out, as by a predicate, and said by the coverage.
Result<CopyCheck> check_copy(const TiledCopy& copy, const CopyTile& source, const CopyTile& destination, std::int64_t bits);

}  // namespace tessera
