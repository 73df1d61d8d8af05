// SPDX-License-Identifier: BSD-3-Clause
// FigureWorker: makes figures on a thread of its own, in the order in which they were asked for; of one place on the screen only what was
// asked for last. What it is given and what it gives are values that nobody changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/paint/scene_index.hpp"
#include "core/figure/figure_task.hpp"

namespace tessera::studio {

class FigureWorker {
 public:
  struct Made {
    std::uint64_t order = 0;
    FigureTask task;
    MadeFigure figure;
    std::optional<SceneIndex> index;  // of the scene, where there is one
  };

  FigureWorker();
  ~FigureWorker();  // what has not been begun is forgotten, what has been is waited for
  FigureWorker(const FigureWorker&) = delete;
  FigureWorker& operator=(const FigureWorker&) = delete;

  // The order's number; an earlier one of the same place (0: there was none) is forgotten unless it has been begun.
  std::uint64_t ask(FigureTask task, std::uint64_t instead_of = 0);
  // What is ready, after so many seconds at most: sooner as soon as nothing is left to do.
  std::vector<Made> take(double seconds);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// What the thread does for each; also for those who wait.
FigureWorker::Made make_indexed(FigureTask task);

}  // namespace tessera::studio
