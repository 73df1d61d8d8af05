// SPDX-License-Identifier: BSD-3-Clause
// A slow kernel with the same arguments that computes C by its definition in double precision.
#pragma once

#include <string>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::emitting {

std::string reference_kernel(const GemmPlan& plan, const std::string& entry);

}  // namespace tessera::emitting
