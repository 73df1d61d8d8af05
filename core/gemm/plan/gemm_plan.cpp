// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

GemmPlan::GemmPlan() = default;
GemmPlan::GemmPlan(const GemmPlan& other) = default;
GemmPlan::GemmPlan(GemmPlan&& other) noexcept = default;
GemmPlan& GemmPlan::operator=(const GemmPlan& other) = default;
GemmPlan& GemmPlan::operator=(GemmPlan&& other) noexcept = default;
GemmPlan::~GemmPlan() = default;

}  // namespace tessera
