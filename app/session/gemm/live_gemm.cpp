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

#include "app/session/files/settings.hpp"
#include "app/session/gemm/few_tiles.hpp"
#include "core/base/literal.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/spec_fields.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/values/report.hpp"
#include "kernels/runtime/cache/cache_folder.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/cache/disassemble.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/arch.hpp"

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
  return {asked("occupancy", fmt::format("occupancy(({}, {}), device={})", plan.threads, plan.smem_bytes, on), nullptr),
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

bool has(std::string_view words, std::string_view part) { return words.find(part) != std::string_view::npos; }

const plan::Tensor& tensor_at(const GemmPlan& plan, const plan::At& at) { return plan.tensors[plan.partitions[at.partition].tensor]; }

// "A" in "copies A and B of k_tile 0 to stage 1".
bool names_operand(std::string_view words, Operand operand) {
  const std::string_view letter = operand == Operand::a ? "A" : operand == Operand::b ? "B" : "C";
  for (std::size_t at = words.find(letter); at != std::string_view::npos; at = words.find(letter, at + 1)) {
    const bool alone = at > 0 && words[at - 1] == ' ' && (at + 1 == words.size() || words[at + 1] == ' ' || words[at + 1] == ',');
    if (alone) return true;
  }
  return false;
}

bool is_copy_step(std::string_view words, const GemmPlan& plan, const plan::Copy& copy) {
  const plan::Tensor &from = tensor_at(plan, copy.from), &to = tensor_at(plan, copy.to);
  if (to.space == plan::Space::global || (to.operand == Operand::c && to.space == plan::Space::shared)) return has(words, " stores tile ");
  const bool from_shared = from.space == plan::Space::shared;
  return has(words, from_shared ? " loads fragments of " : " copies ") && names_operand(words, to.operand);
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
  made.models = models_of(made.spec, *made.plan, device);
  return made;
}

SettledGemm settled_gemm(const LiveGemm& of) {
  SettledGemm made;
  made.spec_text = of.spec_text;
  made.plan = of.plan;
  if (!of.plan) return made;
  made.source = emitting::emit_lines(*of.plan);
  made.accesses = accesses_of(*of.spec, *of.plan);
  made.recorded = recordings(*of.plan);
  return made;
}

KernelTexts kernel_texts(const LiveGemm& of) {
  KernelTexts made{of.spec_text};
  const auto both = [&](const Error& error) {
    made.ptx = made.sass = error;
    return made;
  };
  if (!of.plan) return both(of.refused.value_or(Error{ErrorCode::bad_spec, "there is no plan", {}, {}}));
  const Result<KernelSource> source = emit_gemm(*of.plan);
  if (!source) return both(source.error());
  const std::unique_ptr<KernelCompiler> compiler = or_absent(open_nvrtc());  // a kept cubin needs none
  const Result<ArchTarget> arch = least_arch(*source, compiler->toolkit());
  if (!arch) return both(arch.error());
  CacheSettings settings;
  settings.folder = CubinCache::default_folder();
  if (const Result<Settings> kept = load_settings()) settings.cap = kept->cache_bytes;
  CubinCache cache(settings);
  const Result<CachedCubin> found = cache.get(*source, *arch, *compiler);
  if (!found) return both(found.error());
  made.sass = disassemble(found->cubin.bytes);
  if (!found->cubin.ptx.empty()) {
    made.ptx = found->cubin.ptx;
    return made;
  }
  made.ptx = Error{ErrorCode::no_compiler, "the PTX was not kept with the machine code", {}, {}};
  const auto folder = CacheFolder::open(settings);
  if (!folder || !*folder) return made;
  EntryTexts texts;
  if (const auto record = (*folder)->check(found->cache.key, true, &texts); record && *record && !texts.ptx.empty()) made.ptx = texts.ptx;
  return made;
}

bool is_step_of(std::string_view words, const GemmPlan& plan, const plan::Op& op) {
  if (const auto* copy = std::get_if<plan::Copy>(&op.op)) return is_copy_step(words, plan, *copy);
  if (std::holds_alternative<plan::Mma>(op.op)) return has(words, " multiplies");
  if (std::holds_alternative<plan::Convert>(op.op)) return has(words, " stores tile ");
  if (const auto* wait = std::get_if<plan::Wait>(&op.op)) {
    const std::string& barrier = plan.barriers[wait->barrier].name;
    return has(words, " waits on the barrier " + barrier) && (op.why.empty() || has(words, "(" + op.why + ")"));
  }
  if (std::holds_alternative<plan::WaitGroup>(op.op)) return has(words, " waits") && !op.why.empty() && has(words, "(" + op.why + ")");
  if (const auto* opaque = std::get_if<plan::Opaque>(&op.op)) return has(words, " does " + opaque->name);
  return false;
}

std::vector<std::string> tensors_of(const GemmPlan& plan, const plan::Op& op) {
  std::vector<std::string> names;
  const auto add = [&](const plan::At& at, bool) {
    const std::string& name = plan.tensors[plan.partitions[at.partition].tensor].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  plan::each_at(op, add);
  if (const plan::Block* inner = plan::inside(op, &plan)) {
    plan::each_op_of(plan, *inner, [&](const plan::Op& each) { plan::each_at(each, add); });
  }
  return names;
}

}  // namespace tessera
