// SPDX-License-Identifier: BSD-3-Clause
// What makes a layout a tensor: where its elements lie, and of what type they are. Also what belongs to one thread of a tiled object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/value_type.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/atom/tma/tma_copy.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

enum class MemorySpace : std::uint8_t { unknown, generic, gmem, smem, rmem, tmem };
// "gmem_ptr", "smem_ptr", "tmem_ptr" and "ptr" of registers and of a pointer that names no memory, as CuTe prints them; "" of unknown.
std::string_view pointer_name(MemorySpace space);
// "gmem", "smem", "rmem", "tmem", "generic"; "" of unknown
std::string_view memory_name(MemorySpace space);
// The space that a printed pointer's name says: gmem_ptr, smem_ptr, tmem_ptr, ptr, counting_iter, ...
MemorySpace space_of_pointer(std::string_view name);

// Of a tensor's elements, as far as it was said.
struct Element {
  std::int64_t bits = 0;          // 0: not known
  std::optional<ValueType> type;  // where it is known, so are its bits
  MemorySpace space = MemorySpace::unknown;
  bool swizzled_pointer = false;  // of a tensor whose swizzle stands in its pointer, as the DSL's get_tensor(layout, swizzle) makes it
  bool is_known() const { return bits != 0 || space != MemorySpace::unknown; }
  friend bool operator==(const Element&, const Element&) = default;
};
Element element_of(ValueType type, MemorySpace space);

// The swizzle of a pointer acts on byte addresses; this is what it does to offsets of elements: Sw<3,4,3> of bytes is Sw<3,3,3> of 16-bit
// elements. Refused where it would move parts of an element. Source: cute/pointer_swizzle.hpp, as_position_independent_swizzle_layout.
Result<Swizzle> swizzle_in_elements(const Swizzle& of_bytes, std::int64_t bits);
// The other way. bits 0: it is one of bytes already.
Result<Swizzle> swizzle_in_bytes(const Swizzle& of_elements, std::int64_t bits);

// What a tensor that a partition gave is of: whose part, what the thread does with it, and what its modes count.
struct ThreadPart {
  std::int64_t thread = 0;
  std::string verb;                // "reads", "owns", "writes"; empty: no thread touches it
  std::vector<std::string> modes;  // "val", "MMA_M", "MMA_K"
};

// A layout behind an offset, as slices and partitions give it; a layout alone is a tensor at offset 0.
struct Tensor {
  AnyLayout layout;
  IntTuple offset = 0;                          // in elements; a coordinate where the layout has basis strides
  std::shared_ptr<const ThreadPart> part = {};  // of partition_A, partition_S, ...; empty of other tensors
};

// make_gmem_ptr(A), smem_ptr[16b](unset): the address itself is not known here, only how far behind it a tensor begins.
struct Pointer {
  Element element;
  std::int64_t offset = 0;  // in elements
  std::int64_t extent = 0;  // elements of the array that it points into, as it was declared; 0: not known
  Swizzle swizzle = {};     // of byte addresses
};

// What get_slice(thread) gives.
struct ThrMma {
  std::shared_ptr<const TiledMma> mma;
  std::int64_t thread = 0;
  bool known_at_run_time = false;  // threadIdx.x, an int: what CuTe makes of the slice does not depend on its value
};
struct ThrCopy {
  std::shared_ptr<const TiledCopy> copy;
  std::int64_t thread = 0;
  bool known_at_run_time = false;  // the same
};

// What make_tma_atom and make_tma_copy give.
struct TmaValue {
  TmaCopy copy;
  std::string expression;  // of the language, which makes it again
  TmaRequest request;      // what it was made of
};

}  // namespace tessera
