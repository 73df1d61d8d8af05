// SPDX-License-Identifier: BSD-3-Clause
// What follows from a GEMM's fields while they are moved, before anything runs: its plan, the program, what it takes of a device, and what
// models say of it. In two parts: the first takes milliseconds and follows the hand, the second comes when the hand rests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/gemm/jobs.hpp"
#include "app/session/gemm/op_links.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/limits.hpp"
#include "kernels/codegen/emit_gemm.hpp"

namespace tessera {

// A number that nobody measured: "waves", in a sentence, and by which rule.
struct ModelLine {
  std::string what, sentence;
  std::vector<std::string> rules;
  bool refused = false;  // the sentence says why there is none
};

struct LiveGemm {
  std::string spec_text;  // to_string of the spec that it is of
  std::shared_ptr<const GemmSpec> spec;
  std::shared_ptr<const GemmPlan> plan;  // null: refused
  std::optional<Error> refused;
  std::vector<PlanLine> lines;
  std::vector<PlanLimit> limits;
  std::vector<ProgramLine> program;         // operations are those of `plan`
  std::vector<const plan::Op*> operations;  // by their numbers, which figures of the same GEMM say
  std::vector<ModelLine> models;            // occupancy, waves, roofline, on the device that was asked for
};
// `device`: as find_device_model knows it. Within the caller's budget.
LiveGemm live_gemm(std::shared_ptr<const GemmSpec> spec, std::string_view device);

struct SettledGemm {
  std::string spec_text;
  std::shared_ptr<const GemmPlan> plan;                               // that the lines' operations are of
  std::optional<Result<std::vector<emitting::SourceLine>>> source{};  // nothing where there is no plan
  std::vector<OpTouches> touches;                                     // of the plan's operations
  std::vector<ModelLine> accesses;                                    // wavefronts and sectors of a step each, by the bank and sector rules
  Recordings recorded;
};
SettledGemm settled_gemm(const LiveGemm& of);

}  // namespace tessera
