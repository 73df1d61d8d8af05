// SPDX-License-Identifier: BSD-3-Clause
// What the GEMM panel and the live page both show of a GEMM: its result, under a band that says where it comes from, and its plan.
#pragma once

#include <vector>

#include "app/session/gemm/jobs.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

struct GemmResult {
  const GemmJob* job = nullptr;  // that runs; null: none does
  bool emulating = false;
  const Result<GemmReport>* report = nullptr;  // of the GEMM as it is now; null: there is none
  bool earlier_report = false;                 // there is one of an earlier version
  const Recordings& recorded;
};
// LIVE, SIMULATED, RECORDED, NO RESULT or NOT RUN. A simulation has no time, so that a recording of the same plan stays below it.
void draw_result(Ui& ui, const GemmResult& of);
// What was refused, and its notes.
void draw_refused(Ui& ui, const Error& error);
void draw_plan_lines(Ui& ui, const std::vector<PlanLine>& lines);

}  // namespace tessera::studio
