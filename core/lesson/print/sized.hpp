// SPDX-License-Identifier: BSD-3-Clause
// A lesson's figure at the size of its place on paper or on a slide, and how small the smallest of its type is there.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/lesson.hpp"
#include "core/render/export/page.hpp"

namespace tessera::lesson {

struct FigurePlace {
  PictureRoom room;                    // points
  double largest_cell = 0;             // points: cells are no larger, whatever room there is
  bool margins = true;                 // around the picture; a fragment of TikZ has none
  bool words = true;                   // below the picture
  double words_cost = 0;               // they are left out where the cells become so many times as large by that; 0: never
  int fold = 0;                        // pieces of a long grid; 0: as the room decides
  std::optional<std::size_t> panel{};  // this one of several alone
};

// Largest that fits its place. A refusal has the piece's place in the lesson.
Result<SizedFigure> sized_figure(const Value& value, const Written& piece, const FigurePlace& place);

// The same so that it can be read: no label is left out, and no type is smaller than `least` points. Without the words below if that does
// it, or with a long grid in more or fewer pieces; a figure of several panels that cannot be read together is parted into them. What cannot
// be read at all comes as near to it as it can, and behind it the block of it that can be, enlarged.
Result<std::vector<SizedFigure>> readable_figures(const Value& value, const Written& piece, const FigurePlace& place, double least);

// The first step of it: the figure as a whole.
Result<SizedFigure> readable_whole(const Value& value, const Written& piece, const FigurePlace& place, double least);

// Points of the smallest type that is drawn: of labels in cells, and of all other words. 0: there is none.
double least_type(const SizedFigure& figure);
// Is no label left out, and no type smaller than `least` points?
bool is_readable(const SizedFigure& figure, double least);

}  // namespace tessera::lesson
