// SPDX-License-Identifier: BSD-3-Clause
// What tensor maps and descriptors say, as addresses: how TMA and wgmma count rows, columns and swizzled units of 16 bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/gemm/plan/resources.hpp"

namespace tessera::plan {

constexpr std::int64_t kSwizzledRows = 8;  // that are swizzled together: the units of row r are exchanged by r modulo 8 or less

// A tensor in global memory as TMA sees it: rows whose elements are neighbours, `pitch` elements from one to the next.
struct MatrixOfRows {
  std::int64_t rows = 0, columns = 0, pitch = 0;
  bool along_first = false;  // columns are the tensor's first mode (M or N of A and B), otherwise its second
};
// Nothing where no mode has a stride of 1, or a mode is nested.
std::optional<MatrixOfRows> matrix_of_rows(const Tensor& gmem);

// Bytes from where a descriptor's matrix begins to its element (mn, k), before the swizzle. Source: PTX ISA, wgmma's matrix descriptor and
// the canonical layouts of K-major and MN-major operands.
std::int64_t offset_of(const Descriptor& descriptor, ValueType type, std::int64_t mn, std::int64_t k);

// Where a byte of shared memory lies by its own address. The same function leads back.
std::int64_t swizzled(int swizzle_bytes, std::int64_t address);

}  // namespace tessera::plan
