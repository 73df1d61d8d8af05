// SPDX-License-Identifier: BSD-3-Clause
// A slow kernel with the same arguments that computes C by its definition in double precision. Its last argument is its own: null, or
// floats like C's buffer that get each element's spread, the largest partial sum less the smallest, where the empty one is 0. Whatever run
// of neighbouring products somebody adds up, its sum is no larger in magnitude.
#pragma once

#include <string>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::emitting {

std::string reference_kernel(const GemmPlan& plan, const std::string& entry);

}  // namespace tessera::emitting
