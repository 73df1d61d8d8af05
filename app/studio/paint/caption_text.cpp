// SPDX-License-Identifier: BSD-3-Clause
// A caption is its swatches and the words behind them.
#include "app/studio/paint/caption_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/paint/scene_marks.hpp"
#include "app/studio/paint/scene_words.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {
namespace {

constexpr float kSwatchWidth = 1.25f, kSwatchHeight = 0.86f, kSwatchStep = 1.4f;  // in sizes of the type
constexpr float kLine = 1.28f, kBetween = 0.4f;                                   // from line to line; between captions

ImVec2 size_of(const Face& face, std::string_view words) {
  return text_size(face.font, face.size, words.data(), words.data() + words.size());
}

struct Swatches {
  float step;  // pixels from one to the next
  std::size_t in_row, rows;
  float indent;    // of the words behind them, or 0: they stand below
  bool is_beside;  // the words begin in the swatches' line
};

Swatches swatches_of(const Face& face, const Caption& caption, float width) {
  Swatches made{std::round(kSwatchStep * face.size), 0, 0, 0, false};
  if (caption.swatches.empty()) return made;
  made.in_row = std::max<std::size_t>(static_cast<std::size_t>(width / made.step), 1);
  made.rows = (caption.swatches.size() + made.in_row - 1) / made.in_row;
  const float taken = made.step * static_cast<float>(caption.swatches.size()) + 0.4f * face.size;
  constexpr float kRoom = 9;  // in sizes of the type: for words beside them
  made.is_beside = made.rows == 1 && (width - taken >= kRoom * face.size || size_of(face, caption.words).x <= width - taken);
  if (made.is_beside) made.indent = taken;
  return made;
}

float height_of(const Face& face, const Caption& caption, float width) {
  const Swatches swatches = swatches_of(face, caption, width);
  const float step = std::round(kLine * face.size);
  const auto lines = static_cast<float>(wrapped(face, caption.words, width - swatches.indent).size());
  return step * (lines + (swatches.is_beside ? 0.0f : static_cast<float>(swatches.rows)));
}

// One line of swatches, from `at` on.
void paint_swatches(const PaintContext& context, const Scene& scene, const Caption& caption, std::size_t begin, std::size_t end, ImVec2 at,
                    const Face& face) {
  const float w = std::round(kSwatchWidth * face.size), h = std::round(kSwatchHeight * face.size),
              step = std::round(kSwatchStep * face.size);
  const float y = std::round(at.y + (kLine * face.size - h) / 2);
  const Face& small = Fonts::at_most(context.fonts.cell, h);
  for (std::size_t i = begin; i < end; ++i, at.x += step) {
    const ImU32 ground = color_of(scene, caption.swatches[i], context.theme.cell);
    context.list->AddRectFilled({at.x, y}, {at.x + w, y + h}, ground);
    if (caption.corner) context.list->AddTriangleFilled({at.x + w - 4, y}, {at.x + w, y}, {at.x + w, y + 4}, ink_on(ground));
    if (i >= caption.numbers.size()) continue;
    const std::string& number = caption.numbers[i];
    const ImVec2 size = size_of(small, number);
    if (size.x <= w)
      context.list->AddText(small.font, small.size, {std::round(at.x + (w - size.x) / 2), std::round(y + (h - size.y) / 2)}, ink_on(ground),
                            number.c_str());
  }
}

}  // namespace

float captions_height(const Fonts& fonts, const std::vector<Caption>& captions, float width) {
  float height = 0;
  for (const Caption& each : captions) height += height_of(fonts.small, each, width) + std::round(kBetween * fonts.small.size);
  return height;
}

void paint_captions(const PaintContext& context, const Scene& scene, const std::vector<Caption>& captions, ImVec2 at, float width) {
  const Face& face = context.fonts.small;
  const float step = std::round(kLine * face.size);
  for (const Caption& each : captions) {
    const Swatches swatches = swatches_of(face, each, width);
    for (std::size_t row = 0; row < swatches.rows; ++row) {
      const std::size_t begin = row * swatches.in_row, end = std::min(begin + swatches.in_row, each.swatches.size());
      paint_swatches(context, scene, each, begin, end, at, face);
      if (!swatches.is_beside) at.y += step;
    }
    const ImU32 ink = &each == captions.data() ? context.theme.text : context.theme.dim;
    for (const std::string_view line : wrapped(face, each.words, width - swatches.indent)) {
      context.list->AddText(face.font, face.size, {at.x + swatches.indent, at.y}, ink, line.data(), line.data() + line.size());
      at.y += step;
    }
    at.y += std::round(kBetween * face.size);
  }
}

bool paint_captions_in_line(const PaintContext& context, const Scene& scene, const std::vector<Caption>& captions, const ScreenRect& line) {
  const Face& face = context.fonts.small;
  const float y = std::round((line.a.y + line.b.y - kLine * face.size) / 2), between = 1.6f * face.size;
  std::vector<const Caption*> order;
  for (const Caption& each : captions) order.push_back(&each);
  std::stable_sort(order.begin(), order.end(), [&](const Caption* a, const Caption* b) {
    const auto rank = [&](const Caption* each) { return each == captions.data() ? 0 : each->swatches.empty() ? 2 : 1; };
    return rank(a) < rank(b);
  });
  float x = line.a.x;
  for (const Caption* each : order) {
    const float swatches =
        each->swatches.empty() ? 0 : std::round(kSwatchStep * face.size) * static_cast<float>(each->swatches.size()) + 0.4f * face.size;
    const float room = line.b.x - x - swatches;
    constexpr float kLeast = 7;  // in sizes of the type: of words that are cut
    const float wanted = size_of(face, each->words).x;
    if (room < std::min(wanted, kLeast * face.size)) return false;
    paint_swatches(context, scene, *each, 0, each->swatches.size(), {x, y}, face);
    const ImU32 ink = each == order.front() ? context.theme.text : context.theme.dim;
    const std::string words = wanted > room ? elided(face, each->words, room) : each->words;
    context.list->AddText(face.font, face.size, {x + swatches, y}, ink, words.c_str());
    if (wanted > room) return false;
    x += swatches + wanted + between;
  }
  return true;
}

}  // namespace tessera::studio
