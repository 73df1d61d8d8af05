// SPDX-License-Identifier: BSD-3-Clause
// What the emitted kernels' PTX instructions compute, from their text: (PTX ISA; the fragments of mma.sync from the table of atoms).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/base/result.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

enum class Kind { warp, shared_address, convert, copy_async, commit, wait };
Result<Kind> kind_of(std::string_view instruction);

// cvt.f32.f16, cvt.rn.f16.f32
Status convert(std::string_view instruction, std::span<HostOperand> operands);

struct AsyncCopy {
  std::int64_t to = 0;  // byte of shared memory
  const void* from = nullptr;
  std::int64_t bytes = 0;
};
Result<AsyncCopy> copy_of(std::string_view instruction, std::span<const HostOperand> operands);

using Lanes = std::array<std::span<HostOperand>, 32>;
// Reads 16 bytes of shared memory for a lane.
using ReadRow = std::function<Result<std::array<std::uint16_t, 8>>(int lane, std::int64_t at)>;

// ldmatrix or mma.sync, once all lanes have come to it.
Status execute(std::string_view instruction, const Lanes& lanes, const ReadRow& read_row);

}  // namespace tessera::host
