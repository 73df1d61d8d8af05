// SPDX-License-Identifier: BSD-3-Clause
// The recipes of a figure's panels (explain_cell.hpp), from what the figure is made of.
#pragma once

#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// A recipe for each panel of the figure that the spec asks for; none where its cells are not computed, as those of a chart. Walks a
// tile only where no layout says who holds what: several elements of one offset, or threads that CuTe's layout lacks.
Result<std::vector<CellRecipe>> recipes_of(const FigureSpec& spec);
// Gives the panels of a scene that was made of this spec their recipes, those that have none yet.
void add_recipes(Scene& scene, const FigureSpec& spec);

}  // namespace tessera
