// SPDX-License-Identifier: BSD-3-Clause
// Reading aids that every figure of grids shares: colours by what cells stand for, a part alone, and cells that stand out. They work on
// grids and subjects, so that no kind of figure has its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// color= of a kind: one of its choices, or "layout" where FigureSpec has a layout of colours.
Result<std::string_view> color_choice(const FigureSpec& spec, std::span<const std::string_view> choices);
// Is something said of colours?
bool has_color(const FigureSpec& spec);

// Paints all grids by row, col, column, offset, bank, chunk or layout, and says what that means; other words leave them as they are.
// `tile`: rows and columns of what is drawn, where the cells are not at their coordinates. Refuses colours that need what is not known, and
// a layout of colours of another size.
Result<Legend> paint(Scene& scene, const FigureSpec& spec, const Palette& palette, std::string_view by,
                     std::optional<std::pair<std::int64_t, std::int64_t>> tile);
// "hue: the row", or with shades.
Legend category_legend(Scene& scene, const Palette& palette, std::string_view name, std::int64_t count);

// Are its cells coloured by offset, from the least to the greatest?
bool has_ramp(const FigureSpec& spec);
// Of offsets on the palette's ramp. `range`: at its ends, where all tensors of the picture have the same one.
struct OffsetRange {
  std::int64_t least = 0, most = 0;
  friend bool operator==(const OffsetRange&, const OffsetRange&) = default;
};
// The least and the largest offset that a picture's grids show; nothing where they show none.
std::optional<std::pair<std::int64_t, std::int64_t>> offsets_of(const Scene& scene);
Legend ramp_legend(Scene& scene, const Palette& palette, const std::optional<OffsetRange>& range, std::string_view what = "offset");

// Leaves the cells that crop= names, moves what is left together, and says in words which they are: "rows 0-15 of 64". `extent`: rows and
// columns of cells that are left, all panels side by side.
struct Crop {
  std::string words;
  std::int64_t rows = 0, cols = 0;
};
Result<std::optional<Crop>> crop(Scene& scene, const FigureSpec& spec);

// thread= and highlight= together.
Result<Selection> highlighted(const FigureSpec& spec);
// "thread 5", "threads 0-3, row 2"
std::string words_of(const Selection& selection);
// "Outlined: what thread 5 holds; all else is pale." Empty: nothing is lit.
std::string highlight_words(const Scene& scene, const Selection& selection);
// What is selected keeps its colour and is outlined, all else is faint. Panels whose cells have no such number stay as they are. Refuses
// selectors that match nothing.
Status highlight(Scene& scene, const Selection& selection);

// Puts the sentence of a step under the picture, above its other captions, which move down by the room of the longest of all steps.
void add_step_caption(Scene& scene, std::size_t step);

// What make_figure makes before its steps, patterns and switches: for a figure that is made again of another spec.
Result<Scene> make_unfinished(const FigureSpec& spec);

// The end of every figure of grids: crops, highlights, and adds captions.
Result<Scene> close_figure(Scene scene, const FigureSpec& spec, Captions captions, float unit);

// Takes out what caption=, legend=, title=, axes= and heading= say no to, of any kind of figure.
void switch_off(Scene& scene, const FigureSpec& spec);

}  // namespace tessera
