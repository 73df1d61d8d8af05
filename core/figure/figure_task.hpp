// SPDX-License-Identifier: BSD-3-Clause
// FigureTask: all that a figure is made of, as values that nobody changes, so that any thread may make it; and which step of it is chosen.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/figure/figure.hpp"

namespace tessera {

// The step that was chosen on the screen, from 1; 0: none, and all of the figure is shown at once.
std::size_t chosen_step(const FigureOptions& options);
FigureOptions with_step(FigureOptions options, std::size_t step);

using SharedFigure = std::shared_ptr<const Result<Scene>>;

struct FigureTask {
  std::string name;     // of the binding
  std::string made_of;  // its value as text: the same text gives the same figure
  std::string expression;
  Value value;
  FigureOptions options;
  SharedFigure whole{};  // the figure without the chosen step, where that is there already
};

struct MadeFigure {
  SharedFigure scene;
  SharedFigure whole{};  // where a step was chosen: the figure that has all of them
};

// A step is taken from the whole figure, which is kept for the next one.
MadeFigure make(const FigureTask& task);

}  // namespace tessera
