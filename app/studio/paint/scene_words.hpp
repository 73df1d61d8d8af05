// SPDX-License-Identifier: BSD-3-Clause
// Where a picture's words stand on the screen: its title, headings, numbers of rows and columns, and what is written between its cells.
// Their sizes are in pixels, however large cells are. The camera that shows a figure whole asks for the room that they take, and the
// painter paints them. No word lies over another: of two that have no room beside each other the less important one is left out.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/paint/camera.hpp"
#include "app/studio/paint/scene_index.hpp"
#include "app/studio/widgets/theme.hpp"

namespace tessera::studio {

struct PlacedText {
  ImVec2 at;  // its upper left corner
  const Face* face;
  std::string_view words;  // in the scene, or in PlacedWords::numbers
  enum class Ink : unsigned char { strong, dim } ink = Ink::dim;
};

struct PlacedWords {
  std::vector<PlacedText> texts;
  std::vector<ScreenRect> bands;    // under numbers that stay at the canvas's edge while their cells pass below it
  ScreenRect taken;                 // by all words that have their own place; b.x < a.x: there are none
  std::deque<std::string> numbers;  // of rows and columns that the scene does not number, since there are too many

  PlacedWords() = default;
  PlacedWords(PlacedWords&&) = default;
  PlacedWords(const PlacedWords&) = delete;  // its texts point to its numbers
};

struct WordsInput {
  const Fonts& fonts;
  const Scene& scene;
  const SceneIndex& index;
  const Camera& camera;
  const ScreenRect& area;  // the canvas
  float ui_scale = 1;
  bool whole = false;  // the camera is still to be chosen: nothing is left out at the canvas's edges, and nothing stays at them
  bool title = true;   // else it is said elsewhere
  const std::vector<ScreenRect>* taken = nullptr;  // by other words; null: nothing is
};
PlacedWords place_words(const WordsInput& input);

// What stands over everything; empty where a figure has no title, or one that says no more than its name.
std::string_view title_of(const Scene& scene, const SceneIndex& index);
// The title; of a figure of one grid without one, its heading.
std::string_view over_cells(const Scene& scene, const SceneIndex& index);

// Words in lines of a width; a word that is longer is broken.
std::vector<std::string_view> wrapped(const Face& face, std::string_view words, float width);

}  // namespace tessera::studio
