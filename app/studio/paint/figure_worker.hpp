// SPDX-License-Identifier: BSD-3-Clause
// FigureWorker: makes figures on a thread of its own, in the order in which they were asked for; of one place on the screen only what was
// asked for last. What it is given and what it gives are values that nobody changes.
#pragma once

#include <cstdint>
#include <optional>

#include "app/studio/paint/scene_index.hpp"
#include "core/base/jobs.hpp"
#include "core/figure/figure_task.hpp"

namespace tessera::studio {

struct IndexedFigure {
  FigureTask task;
  MadeFigure figure;
  std::optional<SceneIndex> index;  // of the scene, where there is one
};
// What the thread does for each; also for those who wait.
IndexedFigure make_indexed(const FigureTask& task);

using FigureWorker = Jobs<IndexedFigure>;
// The order's number; an earlier one of the same place (0: there was none) is forgotten unless it has been begun.
std::uint64_t ask(FigureWorker& worker, FigureTask task, std::uint64_t instead_of = 0);

}  // namespace tessera::studio
