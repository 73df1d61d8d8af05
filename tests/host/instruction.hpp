// SPDX-License-Identifier: BSD-3-Clause
// What the emitted kernels' PTX instructions compute, from their text: (PTX ISA; the fragments of mma.sync from the table of atoms).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/result.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

enum class Kind { warp, shared_address, convert, copy_async, commit, wait };  // of those that this file knows
std::optional<Kind> kind_of(std::string_view instruction);

// cvt.f32.f16, cvt.rn.f16.f32, cvt.rn.f16x2.f32, cvt.rn.bf16x2.f32
Status convert(std::string_view instruction, std::span<HostOperand> operands);

struct AsyncCopy {
  std::int64_t to = 0;  // byte of shared memory
  const void* from = nullptr;
  std::int64_t bytes = 0;
  std::int64_t read = 0;  // the first of them; zeros take the place of the others
};
Result<AsyncCopy> copy_of(std::string_view instruction, std::span<const HostOperand> operands);

// An element's bits as a number; the elements of the operands of these numbers, two f16 in 32 bits, and back.
double decoded(ValueType type, std::uint64_t bits);
std::vector<double> unpacked(ValueType type, std::span<const HostOperand> operands, const std::vector<std::size_t>& list);
void pack(ValueType type, std::span<HostOperand> operands, const std::vector<std::size_t>& list, std::span<const double> values);

using Lanes = std::array<std::span<HostOperand>, 32>;
// Reads 16 bytes of shared memory for a lane.
using ReadRow = std::function<Result<std::array<std::uint16_t, 8>>(int lane, std::int64_t at)>;

// Writes them.
using WriteRow = std::function<Status(int lane, std::int64_t at, const std::array<std::uint16_t, 8>& row)>;

// ldmatrix, stmatrix or mma.sync, once all lanes have come to it.
Status execute(std::string_view instruction, const Lanes& lanes, const ReadRow& read_row, const WriteRow& write_row);

}  // namespace tessera::host
