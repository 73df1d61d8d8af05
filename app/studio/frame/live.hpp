// SPDX-License-Identifier: BSD-3-Clause
// The live page's runs: which are asked about first, what becomes of them, and the file that keeps them.
#pragma once

#include <string>

#include "app/session/gemm/run_history.hpp"
#include "app/studio/frame/app.hpp"

namespace tessera::studio {

// What is known of a binding's runs.
RunOfGemm run_of(const App& app, const std::string& binding);
// Draws the page with what the app knows of runs.
CanvasOutput draw_live(App& app, Ui& ui, const ScreenRect& area);
// Whether the person is asked what they expect before this binding runs; then nothing runs yet.
bool asks_before_run(App& app, const std::string& binding);
// A run that begins, and what came of it, as a row of the history.
RunRow begun_run(App& app, const std::string& binding, bool emulate);
void end_run(App& app, RunRow row, const Result<GemmReport>& report);
// A, as text, and this binding in one run; and what came of it, once it has ended.
void start_in_turn(App& app, const std::string& binding, const std::string& a);
void collect_in_turn(App& app);
// Reads what earlier sessions kept, once, and writes what is new, on a thread of its own. Only where the app keeps settings.
void keep_runs(App& app);
// The same before the program ends: waits until what is new is written.
void keep_last_runs(App& app);

}  // namespace tessera::studio
