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

struct HostIndex {
  unsigned x, y, z;
};
