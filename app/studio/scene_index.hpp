// SPDX-License-Identifier: BSD-3-Clause
// SceneIndex: a scene arranged for the screen. A grid is drawn as one texture from far away and cell by cell from near; the other
// marks stay as they are. What cells stand for is sorted, so that "all cells of thread 7" is a lookup.
//
//   panel  =  layer, layer, ...        in drawing order
//   layer  =  a grid | a stretch of other marks
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/studio/textures.hpp"
#include "core/diagram/scene.hpp"

namespace tessera::studio {

constexpr std::uint32_t kNoMark = 0xffffffff;

struct Layer {
  std::uint32_t grid = kNoMark;         // this mark of the panel is a grid
  std::size_t columns = 0, lines = 0;   // of its largest label, in signs
  std::vector<std::uint64_t> textures;  // of it; level 0: a texel a cell; each next level halves
  std::vector<std::uint32_t> marks;     // where it is none: these marks
};

struct LinkEntry {
  std::int64_t key = 0;     // thread, or address
  std::int32_t second = 0;  // value, or tensor
  ElementId element;
};

class SceneIndex {
 public:
  explicit SceneIndex(const Scene& scene);
  const std::vector<std::vector<Layer>>& panels() const { return panels_; }
  std::vector<std::vector<Layer>>& panels() { return panels_; }
  const std::vector<Bounds>& cell_bounds() const { return cell_bounds_; }  // of each panel's cells
  Bounds all_cells() const { return all_cells_; }

  // Calls use(element) for the cells of one thread, or of one address.
  template <class Use>
  void each_of_thread(std::int64_t thread, Use use) const {
    each(by_thread_, thread, use);
  }
  template <class Use>
  void each_of_address(std::int64_t address, Use use) const {
    each(by_address_, address, use);
  }

 private:
  template <class Use>
  static void each(const std::vector<LinkEntry>& entries, std::int64_t key, Use use);
  void arrange(const Scene& scene, std::size_t panel);
  void sort_subjects(const Scene& scene);

  std::vector<std::vector<Layer>> panels_;
  std::vector<Bounds> cell_bounds_;
  Bounds all_cells_;
  std::vector<LinkEntry> by_thread_, by_address_;
};

template <class Use>
void SceneIndex::each(const std::vector<LinkEntry>& entries, std::int64_t key, Use use) {
  std::size_t low = 0, high = entries.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (entries[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < entries.size() && entries[low].key == key; ++low) use(entries[low]);
}

// The pictures of a grid from far away: one texel a cell, then each level half of the one before, averaged.
std::vector<Image> grid_images(const Scene& scene, const GridColumns& grid, std::uint32_t unfilled_rgba);

}  // namespace tessera::studio
