// SPDX-License-Identifier: BSD-3-Clause
// Copies that find their width when they meet their tensors: CuTe's AutoVectorizingCopyWithAssumedAlignment<N>, DefaultCopy, which is the
// one of 8 bits, and the DSL's CopyUniversalOp where no num_bits_per_copy is given ("the compiler will do a best effort").
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/atom/copy/cute_vector.hpp"

namespace tessera {

bool is_automatic(const CopyTraits& instruction);

// How CuTe's copy() takes the values of a thread between these sides; a side without a layout is registers. Of other copies: one by one.
CuteVector cute_vector(const TiledCopy& copy, const AnyLayout* source, const AnyLayout* destination, std::int64_t bits);
// The same of local_partition(tensor, threads, t) and registers, by DefaultCopy.
CuteVector cute_vector(const Layout& threads, CopySide side, const AnyLayout& tensor, std::int64_t bits);

// The order in which the threads take their values, the same in all of them, since one instruction takes a value of each: by the places
// in the tensor without its swizzle, so that neighbours follow each other. Empty: the order of the values is as good as any.
//
// element: [value * threads + thread], -1 where a place lies beyond the tensor.
std::vector<std::int64_t> common_order(const std::vector<std::int64_t>& element, std::int64_t threads, const AnyLayout& layout);
// The same elements with value i of each thread taken from order[i].
std::vector<std::int64_t> in_order(const std::vector<std::int64_t>& element, std::int64_t threads, const std::vector<std::int64_t>& order);

// Values in the order in which they are taken, and how many at once:
//
//   CuTe's vectors      in any memory. One that is misaligned there faults when it runs, which `measure` refuses
//   what nvcc joins     in shared memory that is aligned to 16 bytes: neighbours, up to 16 bytes, where strides are static. Two bytes are
//                       joined of runs shorter than 16 alone, and pairs on their way to registers up to four elements. Of global
//                       memory it knows no alignment. It leaves some apart where a swizzle or blocks make addresses that it does not
//                       see through
//
// Measured with nvcc 13.0 for sm_90a: DefaultCopy of halves becomes ld.global.u16, and ld.shared.v4.u32 or st.shared.v4.u32.
// offset: of the tensor's elements. Copies that are not automatic stay as they are.
void choose_width(AccessPattern& pattern, const CopyTraits& instruction, const CuteVector& vector, const AnyLayout& layout,
                  const std::vector<std::int64_t>& offset, std::int64_t bits, AccessSpace space);

}  // namespace tessera
