// SPDX-License-Identifier: BSD-3-Clause
// Where a text calls what it defines.
//
//   kernel<<<grid, block>>>(make_layout(8), 4);   a call with two arguments
//   auto k = &kernel<Layout<_8>>;                 another name of it, with a template's argument
//   launch_on_cluster(params, k, l, 4);           who is handed a function hands it the arguments behind
//   gemm = Gemm(tile); gemm(a, b)                 a call of Gemm.__init__, and one of Gemm.__call__
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/programs/definitions.hpp"

namespace tessera {

struct CallSite {
  std::vector<const Definition*> callees;  // what it may call; several are overloads
  std::size_t at = 0;                      // where the called name begins
  std::size_t line = 1;
  std::vector<SourceSpan> templates;  // the arguments between < and >
  std::vector<SourceSpan> arguments;  // those between ( and )
};

// In the order in which they stand. `definitions` outlives them.
std::vector<CallSite> calls_in(const Definitions& definitions);

}  // namespace tessera
