// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/gemm_plan.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace tessera {

GemmPlan::GemmPlan() = default;
GemmPlan::GemmPlan(const GemmPlan& other) = default;
GemmPlan::GemmPlan(GemmPlan&& other) noexcept = default;
GemmPlan& GemmPlan::operator=(const GemmPlan& other) = default;
GemmPlan& GemmPlan::operator=(GemmPlan&& other) noexcept = default;
GemmPlan::~GemmPlan() = default;
bool operator==(const GemmPlan&, const GemmPlan&) = default;

std::vector<plan::Member> GemmPlan::members() const {
  std::vector<plan::Member> all;
  for (const plan::Role& role : roles) {
    for (std::int64_t i = 0; i < role.members; ++i) {
      all.push_back({&role, i, role.members == 1 ? role.name : fmt::format("{} {}", role.name, i), role.first_thread + i * role.threads,
                     role.threads});
    }
  }
  return all;
}

}  // namespace tessera
