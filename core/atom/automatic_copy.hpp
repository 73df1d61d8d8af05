// SPDX-License-Identifier: BSD-3-Clause
// Copies that find their width when they meet their tensors: CuTe's AutoVectorizingCopyWithAssumedAlignment<N>, DefaultCopy, which is the
// one of 8 bits, and the DSL's CopyUniversalOp where no num_bits_per_copy is given ("the compiler will do a best effort").
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/copy_access.hpp"

namespace tessera {

bool is_automatic(const CopyTraits& instruction);

// Bits that one thread takes at once of such a memory, at most. CuTe joins neighbours up to N bits. What it leaves apart in shared memory
// the compiler joins, since it knows the places there: of halves in a __shared__ array that is aligned to 16 bytes DefaultCopy becomes
// ld.shared.v4.u32 and st.shared.v4.u32 (nvcc 12, sm_90a). Of global memory it knows no alignment, and DefaultCopy takes each by itself.
std::int64_t most_bits_at_once(const CopyTraits& instruction, AccessSpace space);

// The order in which the threads take their values, the same in all of them, since one instruction takes a value of each: by the places
// in the tensor without its swizzle, so that neighbours follow each other. Empty: the order of the values is as good as any.
//
// element: [value * threads + thread], -1 where a place lies beyond the tensor.
std::vector<std::int64_t> common_order(const std::vector<std::int64_t>& element, std::int64_t threads, const AnyLayout& layout);
// The same elements with value i of each thread taken from order[i].
std::vector<std::int64_t> in_order(const std::vector<std::int64_t>& element, std::int64_t threads, const std::vector<std::int64_t>& order);

// Of a tiled copy whose other side is not known, or is as wide: values in the common order, as many at once as are neighbours here.
// Copies that are not automatic stay as they are. Refused where the layout has no places in memory.
Status choose_width(AccessPattern& pattern, const CopyTraits& instruction, const AnyLayout& layout, std::int64_t bits, AccessSpace space);

}  // namespace tessera
