// SPDX-License-Identifier: BSD-3-Clause
// Private to the swizzle's figure: which cells are drawn, and the row of bits under them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

// The tile that is drawn, in cells of as many elements as the swizzle keeps together, or of one.
struct SwizzlePicture {
  AnyLayout layout;
  Swizzle swizzle;
  std::int64_t tile_rows = 1, tile_cols = 1;      // elements of modes 0 and 1; of one mode lines of as many as the swizzle repeats
  std::int64_t per = 1;                           // elements of a cell
  bool across = true;                             // they follow each other along columns
  std::int64_t rows = 1, cols = 1;                // cells that are drawn
  std::int64_t all_rows = 1, all_cols = 1;        // cells of the tile
  std::int64_t period_rows = 0, period_cols = 0;  // the pattern repeats after so many cells; 0: not looked at
  std::vector<std::int64_t> plain, moved;         // offsets of the cells' first elements, row by row, of what is drawn
  std::int64_t bits = 0;                          // of an element, for banks and chunks
  bool knows_bits = false;
  bool one_mode = false;
  AxisNames axes{};

  std::int64_t row(std::int64_t r) const { return across ? r : r * per; }  // the first element's coordinate
  std::int64_t col(std::int64_t c) const { return across ? c * per : c; }
  std::size_t at(std::int64_t r, std::int64_t c) const { return static_cast<std::size_t>(r * cols + c); }
  std::int64_t index(std::int64_t row, std::int64_t col) const;  // 1-D coordinate of an element
};

// One element in bits: "(3,8)", where the layout without its swizzle puts it, and where the swizzle moves it.
struct FollowedElement {
  std::string name;
  std::int64_t row = 0, col = 0, plain = 0, moved = 0;
};

// Two rows of bits, the offset's and the address', with an arrow from each bit that is read to the bit that it is xored into, and B, M and
// S on brackets. (x, y): its top left corner; `chunk`: the colour of a 16-byte chunk of that offset.
struct BitRows {
  float x = 0, y = 0, unit = 1;
  ColorIndex plain_chunk = kNoColor, moved_chunk = kNoColor;
};
Panel bit_rows(Scene& scene, const SwizzlePicture& picture, const FollowedElement& element, const BitRows& place);
// Their width, in text units: names and boxes.
float bit_rows_width(const SwizzlePicture& picture);
float bit_rows_names(const SwizzlePicture& picture);  // of the names alone

// "bits 6-8", "bit 6"
std::string bits_words(std::int64_t mask);

}  // namespace tessera
