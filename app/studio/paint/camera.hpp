// SPDX-License-Identifier: BSD-3-Clause
// Camera: where a scene's places land on the screen.
//
// Grids grow with the zoom; words have one size in pixels. So the two directions of a picture are divided into stretches:
//
//   |  numbers  | grid grid grid | numbers | grid grid |  names  |
//       words         cells         words      cells      words
//
// Stretches of cells take `scale` pixels a cell. Stretches of words take what their type takes, whatever the zoom, so that words keep the
// distances that the figure gave them and lie neither over each other nor over cells. What is empty between both takes the smaller of the
// two.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/studio/widgets/imgui_compat.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

// One direction of a picture.
class AxisMap {
 public:
  struct Stretch {
    enum class Of : unsigned char { cells, words, nothing } of = Of::cells;
    float begin = 0, end = 0;  // in the scene
  };

  AxisMap() = default;  // cells everywhere
  // Stretches follow one another without a gap; before the first and behind the last there are words. `type`: pixels of a unit of words.
  AxisMap(std::vector<Stretch> stretches, float type) : stretches_(std::move(stretches)), type_(type) {}

  // Distance in pixels from the scene's place 0, where that lies in the first stretch.
  float to_pixels(float at, float scale) const;
  float to_scene(float pixels, float scale) const;
  // Is the place in a stretch of cells?
  bool grows_at(float at) const;

 private:
  float rate(const Stretch& stretch, float scale) const;  // pixels a unit

  std::vector<Stretch> stretches_;
  float type_ = 1;
};

struct PictureMap {
  AxisMap across, down;
  float type = 1;  // pixels of a unit where words stand
};

struct Camera {
  ImVec2 origin{0, 0};
  float scale = 28;                            // pixels a cell
  std::shared_ptr<const PictureMap> map = {};  // null: cells everywhere

  ImVec2 to_screen(float x, float y) const {
    const ImVec2 off = offset(x, y);
    return {origin.x + off.x, origin.y + off.y};
  }
  ImVec2 to_scene(ImVec2 p) const {
    if (!map) return {(p.x - origin.x) / scale, (p.y - origin.y) / scale};
    return {map->across.to_scene(p.x - origin.x, scale), map->down.to_scene(p.y - origin.y, scale)};
  }
  // Shows this place of the scene at that place of the screen.
  void put(ImVec2 place, ImVec2 at) {
    const ImVec2 off = offset(place.x, place.y);
    origin = {at.x - off.x, at.y - off.y};
  }
  // Pixels of a unit at a place of the scene: of a cell where cells are, else of the type.
  float rate_at(float x, float y) const { return !map || (map->across.grows_at(x) && map->down.grows_at(y)) ? scale : map->type; }

 private:
  ImVec2 offset(float x, float y) const {
    if (!map) return {scale * x, scale * y};
    return {map->across.to_pixels(x, scale), map->down.to_pixels(y, scale)};
  }
};

struct ScreenRect {
  ImVec2 a, b;
};

}  // namespace tessera::studio
