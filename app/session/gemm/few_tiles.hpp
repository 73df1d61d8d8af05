// SPDX-License-Identifier: BSD-3-Clause
// A problem of the same tiles and the same threads that is small enough to follow.
#pragma once

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// The spec of `plan` with a few tiles of C and one k-tile more than it has stages. A layout without such a part is left to `lower`. Refuses
// what set_extents does.
Result<GemmSpec> at_few_tiles(GemmSpec spec, const GemmPlan& plan);

}  // namespace tessera
