// SPDX-License-Identifier: BSD-3-Clause
// The camera that shows a figure whole, with its words.
#include "app/studio/paint/scene_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr float kSign = 5.4f;  // units: how wide a sign of a caption is where cells are small

}  // namespace

bool is_caption(const Label& label, const SceneIndex& index) {
  return label.anchor == Anchor::left && label.role != LabelRole::axis && label.role != LabelRole::panel_name &&
         label.y >= index.all_cells().y1;
}

bool says_expression(const Scene& scene, const Label& label) { return label.role == LabelRole::caption && !scene.expression.empty(); }

bool says_name(const Scene& scene, const Panel& panel, const Label& label) {
  return label.role == LabelRole::panel_name && panel.name == kCaptionPanel && scene.title.empty() && !scene.name.empty() &&
         scene.text_of(label.text) == scene.name;
}

bool is_title(const Scene& scene, const Panel& panel, const Label& label) {
  return label.role == LabelRole::panel_name && panel.name == kCaptionPanel && !scene.title.empty();
}

float caption_width(const ScreenRect& area, float ui_scale) {
  constexpr float kBeside = 52 + 8, kLeast = 120;  // in units: left and right of it
  return std::max(area.b.x - area.a.x - kBeside * ui_scale, kLeast * ui_scale);
}

Extent extent_of(const Scene& scene, const SceneIndex& index) {
  Extent extent{index.all_cells(), {}};
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    const Panel& panel = scene.panels[i];
    const Bounds& own = index.cell_bounds()[i];
    for (const Layer& layer : index.panels()[i]) {
      if (layer.grid == kNoMark || layer.columns == 0) continue;
      const Grid& grid = std::get<Grid>(panel.marks[layer.grid]);
      const auto columns = static_cast<float>(layer.columns), lines = static_cast<float>(layer.lines);
      extent.readable =
          std::max({extent.readable, (kLeastFace * kGlyphAspect * columns + 2) / grid.w, (kLeastFace * kLineStep * lines + 2) / grid.h});
    }
    const bool is_left = own.x1 > own.x0 && own.x0 == extent.cells.x0 && own.x1 < extent.cells.x1;
    // Captions stand in panels of few marks; a panel of a million cells need not be searched.
    if (panel.marks.size() > 64) continue;
    for (const Mark& mark : panel.marks) {
      const Label* label = std::get_if<Label>(&mark);
      if (label && is_left && label->role == LabelRole::panel_name) {
        extent.heading = count_characters(scene.text_of(label->text));
        extent.under_heading = own.width();
      }
      if (label && is_title(scene, panel, *label)) extent.title += count_characters(scene.text_of(label->text));
      if (!label || !is_caption(*label, index) || says_expression(scene, *label)) continue;
      // Swatches stand before a legend's words.
      constexpr std::size_t kSwatches = 20;
      extent.captions.push_back(count_characters(scene.text_of(label->text)) + (label->role == LabelRole::legend ? kSwatches : 0));
    }
  }
  return extent;
}

float caption_type(const Extent& extent, const ScreenRect& area, float ui_scale, float scale) {
  std::size_t longest = 1;
  for (const std::size_t signs : extent.captions) longest = std::max(longest, signs);
  const float room = caption_width(area, ui_scale) / (static_cast<float>(longest) * kSign * ui_scale);
  return std::clamp(std::min(scale / (28 * ui_scale), room), 1.0f, 1.5f);
}

namespace {

constexpr float kLeft = 52;  // in units: beside the cells, for the numbers of rows

struct Fitting {
  float type = 1, before = 0;   // how large captions are, and the scale that this was found for
  float most_captions = 0.36f;  // share of the height; in a small place the last captions give way to the cells
  float largest = kLargestCell;
};

Camera fit(const Extent& extent, const ScreenRect& area, float ui_scale, const Fitting& how) {
  const Bounds& cells = extent.cells;
  // Names and numbers beside the cells need pixels, not cells.
  // A heading that is wider than its panel goes to the left of it, where the numbers of the next panel begin at its right.
  constexpr float kHeadingSign = 6.6f, kNumbers = 34;
  const float heading =
      (static_cast<float>(extent.heading) * kHeadingSign * how.type + kNumbers) * ui_scale - extent.under_heading * how.before;
  const float left = std::max(kLeft * ui_scale, extent.heading > 0 ? std::min(heading, 0.25f * (area.b.x - area.a.x)) : 0.0f),
              right = 36 * ui_scale, sign = kSign * how.type * ui_scale;
  const float line = caption_width(area, ui_scale);
  constexpr float kTitleSign = 9;
  const float titles = std::ceil(static_cast<float>(extent.title) * kTitleSign * ui_scale / line);
  const float top = (64 + kTitleLine * titles) * ui_scale;
  float lines = 0, longest = 0;  // of the captions as they are wrapped
  for (const std::size_t signs : extent.captions) {
    const float words = static_cast<float>(signs) * sign;
    longest = std::max(longest, words);
    lines += std::max(1.0f, std::ceil(words / line));
  }
  const float bottom = std::min((36 + 22 * lines) * ui_scale, std::max(36 * ui_scale, how.most_captions * (area.b.y - area.a.y)));
  const float width = std::max(area.b.x - area.a.x - left - right, 20.0f), height = std::max(area.b.y - area.a.y - top - bottom, 20.0f);
  Camera camera;
  camera.scale = std::min({width / std::max(cells.width(), 1.0f), height / std::max(cells.height(), 1.0f), how.largest * ui_scale});
  if (camera.scale >= 8) camera.scale = std::floor(camera.scale);  // equal tiles
  // Captions begin below the first column: it goes as far to the left as the longest needs.
  const float middle = left + (width - camera.scale * cells.width()) / 2;
  const float begin = std::max(std::min(middle, area.b.x - area.a.x - longest - 8 * ui_scale), std::min(middle, left));
  camera.origin = {std::round(area.a.x + begin - camera.scale * cells.x0),
                   std::round(area.a.y + top + (height - camera.scale * cells.height()) / 2 - camera.scale * cells.y0)};
  return camera;
}

// Captions are larger where cells are, and then need more lines; more of them give way where cells can have their words for it.
// Where figures are compared cells are what is looked at: their words give way in any case.
Camera fit(const Extent& extent, const ScreenRect& area, float ui_scale, float largest, bool compared = false) {
  constexpr float kFewCaptions = 0.2f;
  const auto fitted = [&](float most_captions) {
    const Camera first = fit(extent, area, ui_scale, {.most_captions = most_captions, .largest = largest});
    return fit(extent, area, ui_scale, {caption_type(extent, area, ui_scale, first.scale), first.scale, most_captions, largest});
  };
  const Camera usual = fitted(Fitting{}.most_captions);
  const float readable = std::max(extent.readable, compared ? kTilesFrom : 0.0f) * ui_scale;
  if (usual.scale >= readable) return usual;
  const Camera closer = fitted(kFewCaptions);
  return closer.scale >= readable || compared ? closer : usual;
}

}  // namespace

Camera fit(const Scene& scene, const SceneIndex& index, const ScreenRect& area, float ui_scale, float largest) {
  return fit(extent_of(scene, index), area, ui_scale, largest);
}

Camera fit_both(const FittedScene& one, const FittedScene& other, const ScreenRect& area, float ui_scale) {
  Extent both = extent_of(one.scene, one.index);
  const Extent more = extent_of(other.scene, other.index);
  both.cells = {std::min(both.cells.x0, more.cells.x0), std::min(both.cells.y0, more.cells.y0), std::max(both.cells.x1, more.cells.x1),
                std::max(both.cells.y1, more.cells.y1)};
  if (more.captions.size() > both.captions.size()) both.captions = more.captions;
  both.readable = std::max(both.readable, more.readable);
  return fit(both, area, ui_scale, kLargestCell, true);
}

}  // namespace tessera::studio
