// SPDX-License-Identifier: BSD-3-Clause
// What is said below a picture, whole: figures break these words into lines of their own width, a canvas into lines of another.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

struct Caption {
  std::vector<ColorIndex> swatches{};  // of a legend, which stand before its words
  std::vector<std::string> numbers{};  // that stand in them; empty: none do
  bool corner = false;                 // the swatch has the mark of a cell with several owners
  std::string words{};
};

// In order. Without the title and the figure's expression, which stand elsewhere on the screen.
std::vector<Caption> captions_of(const Scene& scene);

}  // namespace tessera::studio
