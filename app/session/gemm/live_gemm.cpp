// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/live_gemm.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/gemm/few_tiles.hpp"
#include "core/base/literal.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/values/report.hpp"

namespace tessera {
namespace {

// What the language's own function of that name answers.
ModelLine asked(std::string what, const std::string& expression, const Value* gemm) {
  const Scope scope = [&](std::string_view name) { return name == "it" ? gemm : nullptr; };
  const Result<Value> value = evaluate_expression(expression, scope, nullptr);
  if (!value) return {std::move(what), value.error().message, {}, true};
  const auto* report = std::get_if<std::shared_ptr<const Report>>(&value->any);
  if (!report) return {std::move(what), to_string(*value), {}};
  return {std::move(what), (*report)->sentence, (*report)->notes};
}

std::vector<ModelLine> models_of(const std::shared_ptr<const GemmSpec>& spec, const GemmPlan& plan, std::string_view device) {
  if (!plan.mma) return {};  // a schedule that is no GEMM
  const Value value{spec};
  const std::string on = quoted_literal(device);
  return {asked("occupancy", fmt::format("occupancy(it, device={})", on), &value),
          asked("waves", fmt::format("waves({}, {}, ({}, {}), {})", plan.m, plan.n, plan.blk_m, plan.blk_n, on), nullptr),
          asked("roofline", fmt::format("roofline(it, device={})", on), &value)};
}

// Of one CTA, its first k-tile and its epilogue; the matrices are no larger than that needs.
std::vector<ModelLine> accesses_of(const GemmSpec& spec, const GemmPlan& whole) {
  if (!whole.mma || spec.plan) return {};
  const auto plan = [&]() -> Result<GemmPlan> {
    TESSERA_TRY(few, at_few_tiles(spec, whole));
    return lower(few);
  }();
  const auto refused = [](const Error& error) { return std::vector<ModelLine>{{"accesses", error.message, {}, true}}; };
  if (!plan) return refused(plan.error());
  const Result<Simulation> made = simulate(*plan, {}, {.ctas = plan->cluster_size(), .values = false});
  if (!made) return refused(made.error());
  std::vector<ModelLine> lines;
  for (const AccessSummary& row : summarize(made->trace)) {
    ModelLine line{std::string(step_name(row.step)), access_text(row), {}};
    if (row.units > row.least_units && !row.conflict.empty()) line.rules.push_back(row.conflict);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

LiveGemm live_gemm(std::shared_ptr<const GemmSpec> spec, std::string_view device) {
  LiveGemm made;
  made.spec_text = to_string(*spec);
  made.spec = spec;
  Result<GemmPlan> plan = lower(*spec);
  if (!plan) {
    made.refused = std::move(plan).error();
    return made;
  }
  made.plan = std::make_shared<const GemmPlan>(std::move(*plan));
  made.lines = describe(*made.plan);
  made.limits = limits_of(*made.plan);
  made.program = program(*made.plan);
  made.operations = operations_of(*made.plan);
  made.models = models_of(made.spec, *made.plan, device);
  return made;
}

SettledGemm settled_gemm(const LiveGemm& of) {
  SettledGemm made;
  made.spec_text = of.spec_text;
  made.plan = of.plan;
  if (!of.plan) return made;
  made.source = emitting::emit_lines(*of.plan);
  made.touches = touches_of(*of.plan);
  made.accesses = accesses_of(*of.spec, *of.plan);
  made.recorded = recordings(*of.plan);
  return made;
}

}  // namespace tessera
