// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: a scene's marks through Cairo, all of a page or some rows of pixels.
#pragma once

#include <cairo.h>

#include <functional>
#include <unordered_map>
#include <vector>

#include "core/diagram/scene/scene.hpp"
#include "core/render/raster/glyph_image.hpp"
#include "core/render/shared/fill_runs.hpp"
#include "core/render/shared/look.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

constexpr double kSmallestType = 2.6;  // pixels: smaller text is grey noise

// What all bands of a picture have in common; nobody changes it while they are drawn.
struct Prepared {
  Prepared(const Scene& of, Bounds bounds_of_it, double cell_size, bool is_page, bool has_paper);

  const Scene& scene;
  Bounds box;
  double cell;  // pixels or points
  bool vector, paper;
  TextColors text_colors;
  Look look;
  std::vector<double> types;  // of the panels' labels, in cells
  std::unordered_map<const GridColumns*, std::vector<FillRun>> runs;
};

// Asked between marks: is the work to be left?
using Stop = std::function<bool()>;

void paint_page(const Prepared& prepared, cairo_t* cr, const Stop& stop);

// Draws what is seen of the picture from the pixel row `begin` on, `rows` of them; what lies elsewhere is left out.
void paint_rows(const Prepared& prepared, cairo_t* cr, const Stop& stop, GlyphImages& images, double begin, double rows);

}  // namespace tessera
