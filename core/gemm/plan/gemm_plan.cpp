// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/gemm_plan.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
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

std::int64_t GemmPlan::value_of(plan::Symbol symbol) const {
  switch (symbol) {
    case plan::Symbol::none: return 0;
    case plan::Symbol::m: return m;
    case plan::Symbol::n: return n;
    case plan::Symbol::k: return k;
    case plan::Symbol::blk_m: return blk_m;
    case plan::Symbol::blk_n: return blk_n;
    case plan::Symbol::blk_k: return blk_k;
    case plan::Symbol::k_tiles: return k_tiles;
    case plan::Symbol::stages: return stages();
    case plan::Symbol::mma_m: return mma_m;
    case plan::Symbol::mma_n: return mma_n;
    case plan::Symbol::mma_k: return mma_k;
    case plan::Symbol::threads: return threads;
    case plan::Symbol::cluster_m: return cluster_m;
    case plan::Symbol::cluster_n: return cluster_n;
  }
  return 0;
}

std::string plan::to_string(const Num& number) {
  if (!number.is_named()) return fmt::format("{}", number.value);
  std::string text(name_of(number.of));
  if (number.times != 1) text += fmt::format(" * {}", number.times);
  if (number.plus != 0) text += fmt::format(" {} {}", number.plus < 0 ? '-' : '+', std::abs(number.plus));
  return text;
}

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
