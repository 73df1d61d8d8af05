// SPDX-License-Identifier: BSD-3-Clause
// The camera that shows a figure whole, with its words.
#include "app/studio/paint/scene_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/studio/paint/caption_text.hpp"
#include "app/studio/paint/scene_painter.hpp"
#include "app/studio/paint/scene_words.hpp"

namespace tessera::studio {
namespace {

constexpr float kLeastShare = 0.87f;                    // of the canvas's width or height, before captions are folded
constexpr float kSmallestFit = 0.01f, kLargest = 4000;  // pixels a cell
constexpr float kEdge = 3, kGap = 18;                   // units: around everything; between cells and captions beside them

ImVec2 size_of(const ScreenRect& r) { return {r.b.x - r.a.x, r.b.y - r.a.y}; }

struct Margins {
  float left = 0, top = 0, right = 0, bottom = 0;
};

// Where the picture's corners lie at this scale.
ScreenRect picture_at(const FittedScene& shown, const Camera& camera) {
  const Bounds& all = shown.index.all_drawn();
  return {camera.to_screen(all.x0, all.y0), camera.to_screen(all.x1, all.y1)};
}

// How far words reach beyond the picture at this scale.
Margins margins_of(const Fonts& fonts, const FittedScene& shown, const Camera& camera, const ScreenRect& area, float ui_scale, bool title) {
  const PlacedWords words = place_words({fonts, shown.scene, shown.index, camera, area, ui_scale, true, title});
  const ScreenRect picture = picture_at(shown, camera);
  const float edge = kEdge * ui_scale;
  const auto beyond = [&](float by) { return std::max(by, 0.0f) + edge; };
  return {beyond(picture.a.x - words.taken.a.x), beyond(picture.a.y - words.taken.a.y), beyond(words.taken.b.x - picture.b.x),
          beyond(words.taken.b.y - picture.b.y)};
}

// The largest scale at which pictures of these sizes have room.
float largest_scale(const FittedScene& shown, Camera camera, ImVec2 room) {
  float small = kSmallestFit, large = kLargest;
  for (int i = 0; i < 40; ++i) {
    camera.scale = std::sqrt(small * large);
    const ImVec2 size = size_of(picture_at(shown, camera));
    (size.x <= room.x && size.y <= room.y ? small : large) = camera.scale;
  }
  return small;
}

// Equal tiles, where that costs little; and a grid of few cells does not fill the canvas to its edge.
float settled(const FittedScene& shown, Camera camera, ImVec2 whole, float ui_scale) {
  const auto share = [&](float scale) {
    camera.scale = scale;
    const ImVec2 size = size_of(picture_at(shown, camera));
    return std::max(size.x / whole.x, size.y / whole.y);
  };
  float scale = camera.scale;
  constexpr float kLargestCell = 72;  // units
  const float largest = kLargestCell * ui_scale;
  if (scale > largest && share(largest) < kLeastShare) {
    float small = largest, large = scale;
    for (int i = 0; i < 20; ++i) {
      const float middle = (small + large) / 2;
      (share(middle) < kLeastShare ? small : large) = middle;
    }
    scale = large;
  } else {
    scale = std::min(scale, std::max(largest, kSmallestFit));
  }
  const float floored = std::floor(scale);
  if (floored < 8 || share(floored) < kLeastShare) return scale;
  return floored / scale < 0.94f ? scale : floored;
}

struct Whole {
  Camera camera;  // without an origin
  Margins margins;
};

Whole fitted(const Fonts& fonts, const FittedScene& shown, const ScreenRect& area, ImVec2 room, float ui_scale, bool title = true) {
  Whole made;
  made.camera.map = shown.index.map(shown.scene, ui_scale);
  constexpr float kTypical = 40;  // units: margins before any are known
  made.margins = {kTypical * ui_scale, kTypical * ui_scale, kEdge * ui_scale, kEdge * ui_scale};
  for (int i = 0; i < 3; ++i) {
    const Margins& m = made.margins;
    made.camera.scale =
        largest_scale(shown, made.camera, {std::max(room.x - m.left - m.right, 24.0f), std::max(room.y - m.top - m.bottom, 24.0f)});
    if (i == 2) break;
    made.margins = margins_of(fonts, shown, made.camera, {area.a, {area.a.x + room.x, area.a.y + room.y}}, ui_scale, title);
    // Words leave the half of the room to the picture, and are left out where that is too little for them.
    Margins& now = made.margins;
    const float most_x = room.x * 0.5f, most_y = room.y * 0.5f;
    if (const float sum = now.left + now.right; sum > most_x) now.left *= most_x / sum, now.right *= most_x / sum;
    if (const float sum = now.top + now.bottom; sum > most_y) now.top *= most_y / sum, now.bottom *= most_y / sum;
  }
  return made;
}

// Puts the picture with its margins in the middle of a room.
void put_in_middle(Whole& whole, const FittedScene& shown, const ScreenRect& room) {
  const ImVec2 size = size_of(picture_at(shown, whole.camera));
  const Margins& m = whole.margins;
  const Bounds& all = shown.index.all_drawn();
  const ImVec2 left(room.b.x - room.a.x - m.left - m.right - size.x, room.b.y - room.a.y - m.top - m.bottom - size.y);
  whole.camera.put({all.x0, all.y0},
                   {std::round(room.a.x + m.left + std::max(left.x, 0.0f) / 2), std::round(room.a.y + m.top + std::max(left.y, 0.0f) / 2)});
}

}  // namespace

float share_of(const FittedScene& shown, const Camera& camera, const ScreenRect& area) {
  const ImVec2 size = size_of(picture_at(shown, camera)), whole = size_of(area);
  return std::max(size.x / whole.x, size.y / whole.y);
}

Fit fit(const Fonts& fonts, const FittedScene& shown, const ScreenRect& area, float ui_scale) {
  const std::vector<Caption>& captions = shown.index.captions();
  const ImVec2 whole = size_of(area);
  const auto share = [&](const Camera& camera) { return share_of(shown, camera, area); };
  const auto settle = [&](Whole& made) { made.camera.scale = settled(shown, made.camera, whole, ui_scale); };
  if (captions.empty()) {
    Whole alone = fitted(fonts, shown, area, whole, ui_scale);
    settle(alone);
    put_in_middle(alone, shown, area);
    if (share(alone.camera) >= kLeastShare || over_cells(shown.scene, shown.index).empty()) return {alone.camera, CaptionsAt::nowhere, {}};
  }
  const float gap = kGap * ui_scale, edge = 2 * kEdge * ui_scale;
  Whole line = fitted(fonts, shown, area, {whole.x, whole.y - kCaptionLine * ui_scale}, ui_scale);
  settle(line);
  const float wanted = std::min(share(line.camera), kLeastShare);
  // Beside the cells: as wide as there is room, in one of a few widths.
  for (const float units : {340.0f, 280.0f, 220.0f}) {
    const float width = units * ui_scale;
    if (width > 0.45f * whole.x) continue;
    Whole beside = fitted(fonts, shown, area, {whole.x - width - gap - edge, whole.y}, ui_scale);
    settle(beside);
    const float height = captions_height(fonts, captions, width);
    if (height > whole.y - 2 * edge || share(beside.camera) < wanted || beside.camera.scale < 0.97f * line.camera.scale) continue;
    const Margins& m = beside.margins;
    const ImVec2 size = size_of(picture_at(shown, beside.camera));
    const float taken = m.left + size.x + m.right, begin = area.a.x + std::max((whole.x - taken - gap - width - edge) / 2, 0.0f);
    put_in_middle(beside, shown, {{begin, area.a.y}, {begin + taken, area.b.y}});
    const float top = beside.camera.to_screen(0, shown.index.all_drawn().y0).y;
    const float y = std::max(std::min(top, area.b.y - height - edge), area.a.y + edge), x = std::round(begin + taken + gap);
    return {beside.camera, CaptionsAt::beside, {{x, std::round(y)}, {x + width, std::round(y) + height}}};
  }
  const float wide = std::min(whole.x - 2 * edge, 720 * ui_scale), height = captions_height(fonts, captions, wide);
  if (height < 0.4f * whole.y) {
    Whole below = fitted(fonts, shown, area, {whole.x, whole.y - height - edge}, ui_scale);
    settle(below);
    if (share(below.camera) >= wanted && below.camera.scale >= 0.97f * line.camera.scale) {
      const ImVec2 size = size_of(picture_at(shown, below.camera));
      const float taken = below.margins.top + size.y + below.margins.bottom;
      const float begin = area.a.y + std::max((whole.y - taken - height - edge) / 2, 0.0f);
      put_in_middle(below, shown, {{area.a.x, begin}, {area.b.x, begin + taken}});
      const float left =
          std::max(std::min(below.camera.to_screen(shown.index.all_drawn().x0, 0).x, area.b.x - wide - edge), area.a.x + edge);
      const ImVec2 at(std::round(left), std::round(begin + taken + edge / 2));
      return {below.camera, CaptionsAt::below, {at, {at.x + wide, at.y + height}}};
    }
  }
  const ScreenRect over_line{area.a, {area.b.x, area.b.y - kCaptionLine * ui_scale}};
  put_in_middle(line, shown, over_line);
  const bool titled = !over_cells(shown.scene, shown.index).empty();
  if (share(line.camera) >= kLeastShare) return {line.camera, CaptionsAt::line, {}};
  Whole untitled = fitted(fonts, shown, area, {whole.x, whole.y - kCaptionLine * ui_scale}, ui_scale, false);
  settle(untitled);
  if (titled && share(untitled.camera) >= kLeastShare) {
    put_in_middle(untitled, shown, over_line);
    return {untitled.camera, CaptionsAt::line, {}, false};
  }
  Whole bare = fitted(fonts, shown, area, whole, ui_scale, false);
  settle(bare);
  constexpr float kMuch = 1.02f;  // larger than with the line
  if (bare.camera.scale < kMuch * line.camera.scale) return {line.camera, CaptionsAt::line, {}};
  put_in_middle(bare, shown, area);
  return {bare.camera, CaptionsAt::sign, {}, false};
}

Fit fit_both(const Fonts& fonts, const FittedScene& one, const FittedScene& other, const ScreenRect& area, float ui_scale) {
  const ImVec2 room(area.b.x - area.a.x, area.b.y - area.a.y - kCaptionLine * ui_scale);
  Whole made = fitted(fonts, one, area, room, ui_scale);
  const Whole more = fitted(fonts, other, area, room, ui_scale);
  Margins& m = made.margins;
  m = {std::max(m.left, more.margins.left), std::max(m.top, more.margins.top), std::max(m.right, more.margins.right),
       std::max(m.bottom, more.margins.bottom)};
  const ImVec2 left(std::max(room.x - m.left - m.right, 24.0f), std::max(room.y - m.top - m.bottom, 24.0f));
  made.camera.scale = std::min(largest_scale(one, made.camera, left), largest_scale(other, more.camera, left));
  if (made.camera.scale >= 8) made.camera.scale = std::floor(made.camera.scale);
  Camera second = more.camera;
  second.scale = made.camera.scale;
  const ImVec2 a = size_of(picture_at(one, made.camera)), b = size_of(picture_at(other, second));
  const ImVec2 spare(left.x - std::max(a.x, b.x), left.y - std::max(a.y, b.y));
  const Bounds &first = one.index.all_drawn(), &second_of = other.index.all_drawn();
  // Of both, so that either asked first gives the same.
  made.camera.put(
      {std::min(first.x0, second_of.x0), std::min(first.y0, second_of.y0)},
      {std::round(area.a.x + m.left + std::max(spare.x, 0.0f) / 2), std::round(area.a.y + m.top + std::max(spare.y, 0.0f) / 2)});
  return {made.camera, CaptionsAt::line, {}};
}

}  // namespace tessera::studio
