// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: how a scene's style is drawn. The one place where renderers ask for the style; all else is a field of the look.
#pragma once

#include <array>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

struct StrokeLook {
  double width = 0;  // in cells
  Rgb color;
};

struct Look {
  std::array<StrokeLook, 5> strokes;  // by StrokeRole
  int first_grid_line = 1;            // of an outline with lines inside: 0 where nothing else draws its border
  bool gives_way = true;  // labels and lines are left out where they cannot be read; false: all is drawn, as its own program does
  bool cute_tikz = false, cute_svg = false;  // the text of these formats is CuTe's own

  const StrokeLook& stroke(StrokeRole role) const { return strokes[static_cast<std::size_t>(role)]; }
};

Look look_of(const Scene& scene);

}  // namespace tessera
