// SPDX-License-Identifier: BSD-3-Clause
// A scene with every kind of mark and every field of it, for tests of what a writer leaves out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/diagram/scene/scene.hpp"

namespace tessera::testing {

inline Scene every_mark(FigureStyle style = FigureStyle::tessera) {
  Scene scene;
  scene.style = style;
  scene.title = "a title";
  scene.expression = "an expression";
  scene.comments = {"one comment", "two"};
  scene.tensors = {"sA"};
  scene.rests = {"2"};
  const ColorIndex dark = scene.color({10, 20, 30});
  const ColorIndex warm = scene.color({200, 100, 50});
  scene.subjects.push_back({5, 6, 7, 8, 9, 10, 0, 0});
  scene.subjects.push_back({11, -1, 7, 8});
  const std::uint32_t said = scene.add_words("what no number says");
  Panel panel{"first", {}};
  panel.marks.push_back(Cell{1, 2, 3, 4, dark, 2, true, scene.intern("T5\nV6"), 0, 2});
  panel.marks.push_back(Cell{0.5f, 0, 1, 1, kNoColor, 0, false, {}, said});
  panel.marks.push_back(Outline{1, 2, 3, 4, StrokeRole::grid, true});
  panel.marks.push_back(Outline{1, 2, 6, 4, StrokeRole::grid, true, 2, 1});
  panel.marks.push_back(Outline{5, 6, 7, 8, StrokeRole::strong, false});
  panel.marks.push_back(Line{1, 2, 3, 4, StrokeRole::highlight, warm});
  panel.marks.push_back(Line{5, 6, 7, 8, StrokeRole::hairline});
  panel.marks.push_back(Arrow{1, 2, 3, 5, dark});
  panel.marks.push_back(Label{1, 2, scene.intern("a legend"), LabelRole::legend, Anchor::right, 0.7f});
  GridColumns columns;
  columns.rows = 2, columns.cols = 3;
  columns.fills = {dark, warm, kNoColor, dark, warm, warm};
  columns.faint = {0, 0, 1, 0, 0, 0};
  columns.place = GridColumns::Place::transposed;
  columns.thread = {0, 1, 2, 3, -1, 5};
  columns.value = {0, 0, 0, 1, -1, 1};
  columns.address = {0, 2, 4, 6, 8, 10};
  columns.tensor = 0, columns.rest = 0, columns.bits = 32;
  columns.other_ends = {0, 2, 2, 2, 2, 2};
  columns.others = {{31, 4}, {32, 4}};
  for (const char* label : {"T0\nV0", "T1\nV0", "T2\nV0", "T3\nV1", "", "one line"}) columns.add_label(label);
  panel.marks.push_back(Grid{10, 1, 2, 1, std::make_shared<const GridColumns>(std::move(columns))});
  panel.id = "A", panel.operand = PanelOperand::a, panel.axes = {"k", "m"};
  scene.panels.push_back(std::move(panel));
  return scene;
}

// Every printable sign of ASCII, and some that are more than that, wherever a scene has text.
inline Scene every_sign(FigureStyle style = FigureStyle::tessera) {
  std::string signs = "two  and   three spaces, \xc3\xa9 \xc3\x97 \xe2\x86\x92 \xe2\x80\xa6 \xe6\xbc\xa2 \x1b[2J \x07 -- --> ";
  for (char c = '!'; c <= '~'; ++c) signs += c;
  Scene scene;
  scene.style = style;
  scene.title = signs;
  scene.expression = signs + "\nsecond line";
  scene.comments = {signs + "\nsecond line", "---"};
  Panel panel{signs + "\nsecond line", {}};
  panel.marks.push_back(Cell{0, 0, 1, 1, kNoColor, 1, false, scene.intern(signs), scene.add_words(signs)});
  panel.marks.push_back(Cell{1, 0, 1, 1, kNoColor, 2, false, scene.intern("[2cm]\n[*]"), kNoSubject});
  panel.marks.push_back(Cell{2, 0, 1, 1, kNoColor, 2, false, scene.intern("a\n*b"), kNoSubject});
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note})
    panel.marks.push_back(Label{0, 1, scene.intern(signs), role});
  scene.panels.push_back(std::move(panel));
  return scene;
}

}  // namespace tessera::testing
