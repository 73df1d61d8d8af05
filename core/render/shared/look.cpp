// SPDX-License-Identifier: BSD-3-Clause
// The looks of the styles.
#include "core/render/shared/look.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/diagram/scene/palette.hpp"

namespace tessera {

namespace {

// Of lines that mean something, in points: on small cells a share of a cell is too thin to be told from the others.
constexpr double kLeastBoundary = 0.4, kLeastStrong = 0.8, kLeastHighlight = 1.6;

Look own(const Page& page, double cell_points) {
  Look look;
  look.strokes = {{{0.012, on_page({200, 205, 214}, page)},  // hairline
                   {0.022, page.paper},                      // grid
                   {0.036, on_page({92, 99, 112}, page)},    // boundary
                   {0.062, page.ink},                        // strong
                   {0.100, page.ink}}};                      // highlight
  if (cell_points <= 0) return look;
  for (const auto& [role, least] : {std::pair{StrokeRole::boundary, kLeastBoundary}, std::pair{StrokeRole::strong, kLeastStrong},
                                    std::pair{StrokeRole::highlight, kLeastHighlight}}) {
    double& width = look.strokes[static_cast<std::size_t>(role)].width;
    width = std::max(width, least / cell_points);
  }
  return look;
}

// CuTe draws its grids in black, and a grid's outline is its border.
Look cutes(bool svg) {
  Look look;
  look.strokes.fill({0.028, {0, 0, 0}});
  look.first_grid_line = 0;
  look.gives_way = false;
  look.cute_tikz = true;
  look.cute_svg = svg;
  return look;
}

}  // namespace

Look look_of(const Scene& scene) {
  switch (scene.style) {
    case FigureStyle::tessera: return own(scene.page, scene.cell_points);
    case FigureStyle::print_latex: return cutes(false);
    case FigureStyle::print_svg: return cutes(true);
  }
  return own(scene.page, scene.cell_points);
}

}  // namespace tessera
