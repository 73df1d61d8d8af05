// SPDX-License-Identifier: BSD-3-Clause
// What a plan does, without what orders it: to see whether two plans do the same work.
#pragma once

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan {

// The plan without its name, its waits, arrivals, expectations, groups, fences and barriers, and without reasons. It is no plan that
// anybody could run: it is there to be compared.
GemmPlan work_of(const GemmPlan& plan);

}  // namespace tessera::plan
