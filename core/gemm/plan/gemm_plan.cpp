// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/gemm_plan.hpp"

#include <cstddef>
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
  if (symbol == plan::Symbol::stages) return stages();
  if (symbol == plan::Symbol::stage_bytes) return stage_bytes();
  using Is = GemmPlan;
  constexpr std::int64_t Is::*kNumbers[] = {// by Symbol
                                            nullptr,      &Is::m,         &Is::n,         &Is::k,     &Is::blk_m, &Is::blk_n,
                                            &Is::blk_k,   &Is::k_tiles,   nullptr,        &Is::mma_m, &Is::mma_n, &Is::mma_k,
                                            &Is::threads, &Is::cluster_m, &Is::cluster_n, nullptr};
  const auto number = kNumbers[static_cast<std::size_t>(symbol)];
  return number == nullptr ? 0 : this->*number;
}

std::int64_t GemmPlan::stage_bytes() const {
  if (!has_smem()) return 0;
  const auto bytes = [&](Operand operand) { return smem(operand).stage_elements * bits(smem(operand).type) / 8; };
  return bytes(Operand::a) + bytes(Operand::b);
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
