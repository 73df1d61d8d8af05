// SPDX-License-Identifier: BSD-3-Clause
// wgmma: what an instruction's text and its descriptors say, and the sums that a warpgroup's multiplications under way have.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/atom/instructions/mma_atom.hpp"
#include "core/base/result.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

// The atom of wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16, both operands in shared memory.
struct WgmmaAtom {
  MmaAtom atom;
  std::int64_t m = 0, n = 0, k = 0;
  std::vector<std::int64_t> c;  // thread * values + value -> m + M n
  std::int64_t values = 0;      // of C, a thread
};
const WgmmaAtom* wgmma_atom(std::string_view opcode);

// An operand of 16-byte units, as the PTX ISA's canonical layouts have them: eight rows of `swizzle_bytes` together, and the next eight
// `stride_bytes` further. K-major, a row is one of M or N; transposed, it is one of K, and goes on `leading_bytes` further.
struct OperandDescriptor {
  std::int64_t address = 0, stride_bytes = 0, leading_bytes = 0;
  int swizzle_bytes = 0;
  bool is_transposed = false;
  // The address of a 16-byte unit of a row.
  std::int64_t unit(std::int64_t row, std::int64_t of_row) const;
  // Of an operand of `extent` along M or N, of 32 bytes of K or of 16 elements of 16 bits.
  std::int64_t rows(std::int64_t extent) const { return is_transposed ? 16 : extent; }
  std::int64_t units(std::int64_t extent) const { return is_transposed ? extent / 8 : 2; }
};
Result<OperandDescriptor> operand_descriptor(std::uint64_t bits, bool is_transposed);

// The registers of a warpgroup to which multiplications under way add. The kernel's variables hold NaN meanwhile.
struct Sums {
  std::vector<std::vector<HostOperand>> lanes;  // the real values
  std::vector<std::vector<void*>> variables;
  int under_way = 0;
};

struct Multiplication {
  const WgmmaAtom* atom = nullptr;
  OperandDescriptor a, b;
  bool adds = false;  // or overwrites
  double sign = 1;    // of the products
  std::shared_ptr<Sums> sums;
  bool is_done = false;
};

struct Warpgroup {
  int engine = 0;                                    // who reads shared memory
  std::uint32_t time = 0;                            // of it
  std::uint32_t events = 0, fenced = 0, waited = 0;  // the last fence, and the last wait that gave sums back
  std::vector<std::shared_ptr<Sums>> held;
  std::vector<Multiplication> open;
  std::deque<std::vector<Multiplication>> groups;
};

// Reads 16 bytes of shared memory.
using ReadUnit = std::function<void(std::int64_t address, unsigned char* to)>;
// Computes what is not done, one after the other.
void compute(Multiplication& multiplication, const ReadUnit& read);

// Fills the kernel's variables with NaN, and gives them their values back; false if the kernel has touched them.
void take(Sums& sums);
bool give_back(Sums& sums);
bool is_taken(const HostOperand& operand);

}  // namespace tessera::host
