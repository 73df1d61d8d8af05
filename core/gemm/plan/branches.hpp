// SPDX-License-Identifier: BSD-3-Clause
// What a program's roles do together at its beginning and at its end, found from their blocks.
#pragma once

#include <set>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::plan {

// Of a role's block: operations 0 to `initialised` initialise mbarriers, those from there to `first` wait on barriers at which every role
// begins, and those from `last` on wait on barriers at which every role ends. The rest is the role's own.
struct OwnPart {
  std::size_t initialised = 0, first = 0, last = 0;
};

std::vector<OwnPart> own_parts(const GemmPlan& plan);  // by role

std::set<Id> called(const GemmPlan& plan, const Block& block);  // the functions that a block calls, and those that they call
bool multiplies(const GemmPlan& plan, const Block& block);      // by itself, or by what it calls

}  // namespace tessera::plan
