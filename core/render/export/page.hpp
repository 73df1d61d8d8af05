// SPDX-License-Identifier: BSD-3-Clause
// A figure for a place of a known width, such as a column of a paper: it is laid out again for that width, with type of one size.
#pragma once

#include <functional>
#include <string>

#include "core/base/result.hpp"
#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

// Makes the figure for its place.
using MakeFigure = std::function<Result<Scene>(const FigureRoom& room)>;

struct SizedFigure {
  Scene scene;
  double cell_points = 0;  // edge of a unit cell
};

// How much room a place has, in points; 0: as much as is wanted.
struct PictureRoom {
  double width = 0, height = 0;
};

// The largest that has its place there: with a width alone exactly so wide, with a height alone so high. Otherwise as for_width says; words
// stand as wide as the place is where its height decides, and a part that is enlarged stands beside the picture.
Result<SizedFigure> for_room(const MakeFigure& make, const PictureRoom& room, bool margins, bool all_labels);

// `points` wide, with the margins around it or without (a fragment of TikZ has none). Free text is 7 points high (less where a narrow place
// has no room for it) and labels at most 8, whatever the cells are; what cannot be read is left out as at_size says. Pictures in CuTe's
// styles are scaled as they are.
Result<SizedFigure> for_width(const MakeFigure& make, double points, bool margins, bool all_labels);

// The figure for a page: as `scene`, which `make` made, has it where that is no larger than a page (11 by 14 inches), else laid out for one
// with what can be read there. `render` is one of the renderers of pictures. `left_out` takes what cannot be read and is not drawn, in
// words.
using RenderPage = Result<std::string> (*)(const Scene&, const RenderOptions&);
Result<std::string> render_for_page(const Scene& scene, const MakeFigure& make, RenderPage render, RenderOptions options,
                                    std::string* left_out = nullptr);

}  // namespace tessera
