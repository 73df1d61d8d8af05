// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/gemm_members.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

using Made = std::optional<Value>;  // nothing: this plan has no such thing

template <std::int64_t GemmPlan::*number>
Made number_of(const GemmPlan& plan) {
  return Value{IntTuple(plan.*number)};
}
Made tiler_of(const GemmPlan& plan) { return Value{IntTuple::tuple({plan.blk_m, plan.blk_n, plan.blk_k})}; }
Made cluster_of(const GemmPlan& plan) { return Value{IntTuple::tuple({plan.cluster_m, plan.cluster_n})}; }
Made stages_of(const GemmPlan& plan) { return Value{IntTuple(plan.stages())}; }
Made stage_bytes_of(const GemmPlan& plan) { return Value{IntTuple(plan.stage_bytes())}; }
Made mma_of(const GemmPlan& plan) {
  if (!plan.mma) return std::nullopt;
  return Value{std::make_shared<const TiledMma>(*plan.mma)};
}
// (M,K), (N,K) or (M,N) -> element offset
template <Operand operand>
Made gmem_of(const GemmPlan& plan) {
  if (!plan.mma) return std::nullopt;
  return to_value(AnyLayout(plan.gmem(operand).layout));
}
// (BLK_M,BLK_K) or (BLK_N,BLK_K) -> element offset in one stage
template <Operand operand>
Made smem_of(const GemmPlan& plan) {
  if (!plan.has_smem()) return std::nullopt;
  return to_value(AnyLayout(plan.smem(operand).layout));
}

struct Row {
  std::string_view name;
  Made (*get)(const GemmPlan& plan);
};

constexpr Row kRows[] = {
    {"m", number_of<&GemmPlan::m>},
    {"n", number_of<&GemmPlan::n>},
    {"k", number_of<&GemmPlan::k>},
    {"batch", number_of<&GemmPlan::batch>},
    {"mma", mma_of},
    {"cta_tiler", tiler_of},
    {"m_tiles", number_of<&GemmPlan::m_tiles>},
    {"n_tiles", number_of<&GemmPlan::n_tiles>},
    {"k_tiles", number_of<&GemmPlan::k_tiles>},
    {"ctas", number_of<&GemmPlan::grid>},
    {"cluster", cluster_of},
    {"threads", number_of<&GemmPlan::threads>},
    {"stages", stages_of},
    {"stage_bytes", stage_bytes_of},
    {"smem_bytes", number_of<&GemmPlan::smem_bytes>},
    {"gA", gmem_of<Operand::a>},
    {"gB", gmem_of<Operand::b>},
    {"gC", gmem_of<Operand::c>},
    {"sA", smem_of<Operand::a>},
    {"sB", smem_of<Operand::b>},
};

}  // namespace

std::vector<std::string_view> names_of_gemm_members() {
  std::vector<std::string_view> names;
  for (const Row& row : kRows) names.push_back(row.name);
  return names;
}

std::optional<Result<Value>> member_of_gemm(const GemmSpec& spec, std::string_view name) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& each) { return each.name == name; });
  if (row == std::end(kRows)) return std::nullopt;
  const Result<GemmPlan> plan = lower(spec);
  if (!plan) return Result<Value>(plan.error());
  if (const Made made = row->get(*plan)) return Result<Value>(*made);
  return Result<Value>(Error{ErrorCode::unknown_name, fmt::format("the plan of {} has no {}", plan->name, name), {}, {}});
}

}  // namespace tessera
