// SPDX-License-Identifier: BSD-3-Clause
// SceneIndex: a scene arranged for the screen. A grid is drawn as one texture from far away and cell by cell from near; the other
// marks stay as they are. What cells stand for is indexed when the mouse first asks for it, so that "all cells of thread 7" is a lookup.
//
//   panel  =  layer, layer, ...        in drawing order
//   layer  =  a grid | a stretch of other marks
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/paint/link_index.hpp"
#include "app/studio/paint/picture_map.hpp"
#include "app/studio/paint/scene_captions.hpp"
#include "app/studio/widgets/textures.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

constexpr std::uint32_t kNoMark = 0xffffffff;

struct Layer {
  std::uint32_t grid = kNoMark;         // this mark of the panel is a grid
  std::size_t columns = 0, lines = 0;   // of its largest label, in signs
  std::vector<std::uint64_t> textures;  // of it; level 0: a texel a cell; each next level halves
  std::vector<std::uint32_t> marks;     // where it is none: these marks
};

// How far apart a panel's lines between cells stand, on average and in units of the scene; infinite where there are none.
struct LineSpacing {
  float upright = INFINITY, level = INFINITY;
};

class SceneIndex {
 public:
  explicit SceneIndex(const Scene& scene);
  const std::vector<std::vector<Layer>>& panels() const { return panels_; }
  std::vector<std::vector<Layer>>& panels() { return panels_; }
  const std::vector<Bounds>& cell_bounds() const { return cell_bounds_; }  // of each panel's cells
  Bounds all_cells() const { return all_cells_; }
  // What a panel draws besides words, and all of them do.
  const std::vector<Bounds>& drawn() const { return drawn_; }
  const Bounds& all_drawn() const { return all_drawn_; }
  const std::vector<std::vector<std::uint32_t>>& labels() const { return labels_; }  // of each panel: marks that are labels
  const std::vector<Caption>& captions() const { return captions_; }
  // For an interface of this scale; `scene` is the one that is indexed.
  const std::shared_ptr<const PictureMap>& map(const Scene& scene, float ui_scale) const;
  const LineSpacing& spacing(std::size_t panel, StrokeRole role) const { return spacings_[panel][role == StrokeRole::strong]; }

  // Calls use(entry) for the cells of one thread, or of one address. `scene` is the one that is indexed.
  template <class Use>
  void each_of_thread(const Scene& scene, std::int64_t thread, Use use) const {
    if (!by_thread_) by_thread_.emplace(scene, LinkIndex::By::thread);
    by_thread_->each(scene, thread, use);
  }
  template <class Use>
  void each_of_address(const Scene& scene, std::int64_t address, Use use) const {
    if (!by_address_) by_address_.emplace(scene, LinkIndex::By::address);
    by_address_->each(scene, address, use);
  }

 private:
  void arrange(const Scene& scene, std::size_t panel);
  void space_lines(const Panel& panel, const Bounds& cells);

  std::vector<std::vector<Layer>> panels_;
  std::vector<Bounds> cell_bounds_;
  std::vector<std::array<LineSpacing, 2>> spacings_;  // of each panel's boundaries and strong lines
  Bounds all_cells_, all_drawn_;
  std::vector<Bounds> drawn_;
  std::vector<std::vector<std::uint32_t>> labels_;
  std::vector<Caption> captions_;
  mutable std::shared_ptr<const PictureMap> map_;  // of the scale that was asked for last
  mutable float map_scale_ = 0;
  mutable std::optional<LinkIndex> by_thread_, by_address_;  // made at the first question
};

// The pictures of a grid from far away: one texel a cell, then each level half of the one before, averaged.
std::vector<Image> grid_images(const Scene& scene, const GridColumns& grid, std::uint32_t unfilled_rgba);

}  // namespace tessera::studio
