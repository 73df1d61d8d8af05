// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/ladder_steps.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/runtime/cache/cubin_cache.hpp"
#include "kernels/runtime/compile/compiler.hpp"
#include "kernels/runtime/device/device_json.hpp"

namespace tessera {
namespace {

std::vector<std::string> changes_of(const GemmSpec& from, const GemmSpec& to) {
  std::vector<std::string> words;
  for (const SpecField* field : difference(from, to)) words.push_back(difference_text(*field, from, to));
  return words;
}

struct Texts {
  GemmSpec spec;
  std::string plan, source;
};
// Behind the comments at its head, which say the plan again.
std::string without_head(const std::string& source) {
  std::size_t begin = 0;
  while (source.compare(begin, 2, "//") == 0 && source.find('\n', begin) != std::string::npos) begin = source.find('\n', begin) + 1;
  return source.substr(begin);
}

// One space in the place of those that align what follows in neighbouring lines: a wider line would make all of them differ. The
// indentation stays.
std::string unaligned(std::string_view source) {
  std::string text;
  bool indenting = true;
  for (const char c : source) {
    indenting = c == '\n' || (indenting && c == ' ');
    const bool repeated = !indenting && c == ' ' && !text.empty() && text.back() == ' ';
    if (!repeated) text += c;
  }
  return text;
}

// The plan as `tessera gemm show` prints it, without columns: a column as wide as its widest line would make every line differ.
// `name`: of the kernel; empty: its own.
Result<Texts> texts_of(const GemmRequest& request, std::string_view name) {
  const Budget budget(request.limits);
  Texts texts;
  TESSERA_TRY(spec, spec_of(request));
  TESSERA_TRY(plan, lower(spec));
  if (!name.empty()) plan.name = name;
  TESSERA_TRY(source, emit_gemm(plan));
  for (const PlanLine& line : describe(plan))
    texts.plan += fmt::format("{}  {}{}{}\n", line.name, line.value, line.map.empty() ? "" : "  ", line.map);
  texts.spec = std::move(spec), texts.source = unaligned(without_head(source.text));
  return texts;
}

}  // namespace

Result<std::vector<LadderStep>> climb(const ProblemSize& extents) {
  std::vector<LadderStep> steps;
  for (const Rung& rung : ladder()) {
    TESSERA_TRY(spec, rung.spec(extents.m, extents.n, extents.k));
    spec.name = rung.name;
    const Result<GemmPlan> plan = lower(spec);
    LadderStep step{&rung, std::move(spec), {}, {}, !plan, plan ? "nothing was measured" : plan.error().message};
    if (!steps.empty()) step.changes = changes_of(steps.back().spec, step.spec);
    steps.push_back(std::move(step));
  }
  return steps;
}

void compile(std::vector<LadderStep>& steps, KernelCompiler& compiler, CubinCache& cache) {
  const auto cubin_of = [&](const GemmSpec& spec) -> Result<Cubin> {
    TESSERA_TRY(plan, lower(spec));
    TESSERA_TRY(source, emit_gemm(plan));
    TESSERA_TRY(arch, least_arch(source, compiler.toolkit()));
    TESSERA_TRY(found, cache.get(source, arch, compiler));
    return std::move(found.cubin);
  };
  for (LadderStep& step : steps) {
    if (step.is_refused) continue;
    Result<Cubin> cubin = cubin_of(step.spec);
    if (!cubin) {
      step.not_compiled = cubin.error().message;
      continue;
    }
    cubin->bytes.clear(), cubin->ptx.clear();
    step.compiled = *std::move(cubin);
  }
}

GemmRequest request_of(const Rung& rung, const ProblemSize& extents) {
  GemmRequest request;
  request.document = fmt::format("let {} = rung({}, {}, {}, {})\n", rung.name, rung.number, extents.m, extents.n, extents.k);
  request.binding = rung.name;
  return request;
}

std::string to_json(const std::vector<LadderStep>& steps, const ProblemSize& extents, const std::vector<Json>& recordings) {
  Json::List rungs;
  for (const LadderStep& step : steps) {
    Json::Members members{{"rung", step.rung->number},   {"name", step.rung->name},         {"ladder", to_string(step.rung->of)},
                          {"idea", step.rung->idea},     {"question", step.rung->question}, {"changes", step.changes},
                          {"spec", to_string(step.spec)}};
    const auto measured = step.report ? parse_json(step.report->json, kRequestJson, ErrorCode::bad_message) : Error{};
    if (measured)
      members.push_back({"measurement", *measured});
    else
      members.push_back({"not_measured", step.not_measured});
    if (step.compiled)
      members.push_back({"compiled", Json::object({{"arch", step.compiled->arch.name()},
                                                   {"compiler", step.compiled->compiler},
                                                   {"registers", step.compiled->resources.registers},
                                                   {"ptxas", to_json(step.compiled->resources.remarks)}})});
    else if (!step.not_compiled.empty())
      members.push_back({"not_compiled", step.not_compiled});
    rungs.push_back(Json::object(std::move(members)));
  }
  Json::Members ladder{{"m", extents.m}, {"n", extents.n}, {"k", extents.k}, {"rungs", std::move(rungs)}};
  if (!recordings.empty()) ladder.push_back({"recordings", recordings});
  return Json::object(std::move(ladder)).dump(2);
}

namespace {

// At whatever place in global memory its matrices lie: other extents may have cut them from larger ones.
const Rung* rung_that_is(const GemmSpec& spec) {
  for (const Rung& rung : ladder()) {
    Result<GemmSpec> made = rung.spec(spec.m, spec.n, spec.k);
    if (!made) continue;
    made->gA = spec.gA, made->gB = spec.gB, made->gC = spec.gC;
    if (difference(*made, spec).empty()) return &rung;
  }
  return nullptr;
}

}  // namespace

Result<GemmDiff> diff(const GemmRequest& a, const GemmRequest& b) {
  TESSERA_TRY(to, texts_of(b, {}));
  TESSERA_TRY(from, texts_of(a, to.spec.name));  // one name: that is no difference of kernels
  return GemmDiff{
      from.spec.name,       to.spec.name, changes_of(from.spec, to.spec), line_diff(from.plan, to.plan), line_diff(from.source, to.source),
      rung_that_is(to.spec)};
}

}  // namespace tessera
