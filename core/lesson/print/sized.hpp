// SPDX-License-Identifier: BSD-3-Clause
// A lesson's figure at the size of its place on paper or on a slide, and how small the smallest of its type is there.
#pragma once

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/lesson.hpp"
#include "core/render/export/page.hpp"

namespace tessera::lesson {

struct FigurePlace {
  PictureRoom room;         // points
  double largest_cell = 0;  // points: cells are no larger, whatever room there is
  bool margins = true;      // around the picture; a fragment of TikZ has none
  bool words = true;        // below the picture
};

// Largest that fits its place. A refusal has the piece's place in the lesson.
Result<SizedFigure> sized_figure(const Value& value, const Written& piece, const FigurePlace& place);

// Points of the smallest type that is drawn: of labels in cells, and of all other words. 0: there is none.
double least_type(const SizedFigure& figure);

}  // namespace tessera::lesson
