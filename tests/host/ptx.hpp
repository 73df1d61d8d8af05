// SPDX-License-Identifier: BSD-3-Clause
// A reader of PTX as asm statements hold it: statements, their operands, and registers that live in braces.
//
//   "{ .reg .b32 r; mapa.shared::cluster.u32 r, %0, %1; mbarrier.arrive.shared::cluster.b64 _, [r]; }"
//   -> mapa.shared::cluster.u32 (r, %0, %1)   mbarrier.arrive.shared::cluster.b64 (_, [r])
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera::host {

struct PtxOperand {
  enum class Is { number, name, value, list } is = Is::value;
  std::int64_t number = 0;       // %3: of the asm statement's operands; or the value of 128
  std::string name;              // r, _, %cluster_ctarank
  std::vector<PtxOperand> list;  // {%0, %1} and [%2, {%3, %4}]
};
struct PtxStatement {
  std::string opcode;
  std::vector<PtxOperand> operands;
};

// `text`: of an asm statement, so that a special register begins with %%.
Result<std::vector<PtxStatement>> parse_ptx(std::string_view text);

}  // namespace tessera::host
