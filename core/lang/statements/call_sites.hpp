// SPDX-License-Identifier: BSD-3-Clause
// Where a text calls what it defines.
//
//   kernel<<<grid, block>>>(make_layout(8), 4);   a call with two arguments
//   auto k = &kernel<Layout<_8>>;                 another name of it, with a template's argument
//   launch_on_cluster(params, k, l, 4);           who is handed a function hands it the arguments behind
//   gemm = Gemm(tile); gemm(a, b)                 a call of Gemm.__init__, and one of Gemm.__call__
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/statements/definitions.hpp"

namespace tessera {

struct CallSite {
  std::vector<const Definition*> callees;  // what it may call; several are overloads
  std::size_t at = 0;                      // where the called name begins
  std::size_t line = 1;
  std::vector<SourceSpan> templates;  // the arguments between < and >
  std::vector<SourceSpan> arguments;  // those between ( and )
  std::vector<SourceSpan> launch;     // of a kernel: those between <<< and >>>, and those of Python's .launch(grid=..., block=...)
  bool on_self = false;               // self.f(...): the method sees its object as it is at the call
  std::string object;  // a parameter that is called, or whose method is: gemm_op of gemm_op(a, b); `callees` are then its class's
  std::string method;  // of that object; empty: it is called itself
};

// In the order in which they stand. `definitions` outlives them.
std::vector<CallSite> calls_in(const Definitions& definitions);

}  // namespace tessera
