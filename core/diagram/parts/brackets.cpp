// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/brackets.hpp"

#include <string_view>

namespace tessera {

void add_bracket(Scene& scene, Panel& panel, BracketAt side, float from, float to, float edge, std::string_view words, float unit) {
  constexpr float kAway = 0.3f, kTick = 0.14f, kWords = 0.32f, kType = 0.34f, kInset = 0.06f;  // in text units
  const float out = side == BracketAt::below ? unit : -unit;
  const float line = edge + kAway * out, tick = line - kTick * out, text = line + kWords * out;
  const float begin = from + kInset * unit, end = to - kInset * unit;
  if (side == BracketAt::left) {
    panel.marks.push_back(Line{line, begin, line, end, StrokeRole::boundary});
    for (const float y : {begin, end}) panel.marks.push_back(Line{line, y, tick, y, StrokeRole::boundary});
    if (words.empty()) return;
    panel.marks.push_back(
        Label{line - 0.14f * unit, (begin + end) / 2, scene.intern(words), LabelRole::legend, Anchor::right, kType * unit});
    return;
  }
  panel.marks.push_back(Line{begin, line, end, line, StrokeRole::boundary});
  for (const float x : {begin, end}) panel.marks.push_back(Line{x, line, x, tick, StrokeRole::boundary});
  panel.marks.push_back(Label{(begin + end) / 2, text, scene.intern(words), LabelRole::legend, Anchor::center, kType * unit});
}

}  // namespace tessera
