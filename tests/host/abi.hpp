// SPDX-License-Identifier: BSD-3-Clause
// What a compiled kernel and the machine that runs it agree on.
#pragma once

constexpr int kHostSharedBytes = 256 << 10;  // of one CTA: more than any device has

// One operand of an instruction: "=f", "+f" and "=r" name a variable, the others a value.
struct HostOperand {
  const char* constraint;
  void* variable;  // null for a value
  unsigned long long bits;
  int bytes;
};

struct HostMachine {
  void (*instruction)(const char* text, HostOperand* operands, int count);
  void (*access)(const void* at, int bytes, bool is_write);
  void (*barrier)();
};

// Of 16 x 16 elements of a fragment of nvcuda::wmma, the one that a lane holds in its slot of 8. CUDA does not say which: so it is none
// that any hardware has, and a kernel that relied on one would be wrong here.
constexpr int host_fragment_element(int lane, int slot) { return (slot * 32 + lane + 243) * 133 % 256; }

struct HostIndex {
  unsigned x, y, z;
};

// In place of what the driver writes into the 128 bytes of a kernel's TensorMap.
struct alignas(64) HostTensorMap {
  unsigned long long magic;
  unsigned char* base;
  long long rows, columns;  // of the tensor, elements
  long long pitch_bytes;    // from row to row
  int element_bytes, box_rows, box_columns, swizzle_bytes;
  int rounds_to_tf32;  // floats, on their way to shared memory
  int dimensions;      // 3: of a batch
  long long matrices, batch_bytes;
  unsigned char unused[48];
};
static_assert(sizeof(HostTensorMap) == 128);
