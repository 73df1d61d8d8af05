// SPDX-License-Identifier: BSD-3-Clause
// Hover: the cell under the mouse, and which cells of every visible figure show the same thing.
//
// Two cells are *same* when they stand for the same thread and value of the same operand, or for the same address of the same tensor
// (a figure that names no operand or tensor matches any). They are *mates* when only the thread is the same: T7 V2 of A is another
// register than T7 V2 of C. What words describe is the same within its figure: a leaf of a layout's diagram, its arrow and its factor; the
// addresses that the leaf walks are the same in every figure of the tensor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/studio/paint/scene_index.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

struct Hovered {
  std::string figure;  // the binding whose figure the mouse is on
  ElementId element;
  std::vector<Subject> links;  // what it stands for: the owner that is drawn, then the others
  std::string tensor;          // empty: none
  PanelOperand operand = PanelOperand::none;
  std::string coordinate;  // "(3,5)", with all modes; empty: none
  std::string words;       // "C (3,5)  T7 V2  offset 29"
  friend bool operator==(const Hovered& a, const Hovered& b) { return a.figure == b.figure && a.element == b.element; }
};

struct Highlights {
  std::vector<ElementId> same;
  std::vector<ElementId> mates;
};

// The cell at a point of a figure; empty where there is none.
std::optional<Hovered> hover_at(const std::string& figure, const Scene& scene, float x, float y);
Highlights highlights_of(const Hovered& hovered, const std::string& figure, const Scene& scene, const SceneIndex& index);

}  // namespace tessera::studio
