// SPDX-License-Identifier: BSD-3-Clause
// Emitted CUDA C++ -> C++ that a host compiler takes: the same text, but for asm statements, casts of pointers and shared memory.
//
//   asm volatile("mma.sync... {%0}, ..." : "+f"(d[0]) : "r"(a[0]));
//   -> { HostOperand host_operands[] = {host_operand("+f", d[0]), host_operand("r", a[0])};
//        host_machine.instruction("mma.sync... {%0}, ...", host_operands, 2); }
//   *reinterpret_cast<uint4*>(p)   ->  *host_pointer<uint4*>(p)
//   const half_t* tAgA = A + thr;  ->  HostPointer<const half_t> tAgA = A + thr;
#pragma once

#include <string>
#include <string_view>

namespace tessera::host {

std::string rewrite(std::string_view cuda);

}  // namespace tessera::host
