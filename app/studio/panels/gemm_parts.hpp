// SPDX-License-Identifier: BSD-3-Clause
// What the GEMM panel and the live page both show of a GEMM: its result, under a band that says where it comes from, and its plan.
#pragma once

#include <string_view>
#include <vector>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {

// LIVE, SIMULATED, RECORDED, NO RESULT or NOT RUN. A simulation has no time, so that a recording of the same plan stays below it.
void draw_result(Ui& ui, const RunOfGemm& of, const Recordings& recorded);
// RUNNING, with how far it is.
void draw_progress(Ui& ui, const GemmJob::Progress& progress, std::string_view words);
// What was refused, and its notes.
void draw_refused(Ui& ui, const Error& error);
void draw_plan_lines(Ui& ui, const std::vector<PlanLine>& lines);

}  // namespace tessera::studio
