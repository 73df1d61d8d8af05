// SPDX-License-Identifier: BSD-3-Clause
// Which stretches of a scene are cells, and which are words.
#pragma once

#include <memory>
#include <vector>

#include "app/studio/paint/camera.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

// What each panel draws besides words: its cells where it has a grid, else all its marks; x1 < x0 where it draws nothing.
// `cells`: of each panel.
std::vector<Bounds> drawn_bounds(const Scene& scene, const std::vector<Bounds>& cells);

// "m↓ n→", what numbers count: said where there happens to be room.
bool is_corner(const Label& label, const Bounds& cells);

// For an interface of this scale. `cells` and `drawn`: of each panel. A panel of arrows alone leads from one grid to another, and stretches
// no more than what lies between them.
std::shared_ptr<const PictureMap> map_of(const Scene& scene, const std::vector<Bounds>& cells, const std::vector<Bounds>& drawn,
                                         float ui_scale);

}  // namespace tessera::studio
