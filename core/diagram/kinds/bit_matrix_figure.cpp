// SPDX-License-Identifier: BSD-3-Clause
// The figure of a layout over powers of two as a matrix over F2: bits of the coordinate across, bits of the offset down, and a 1 where the
// one flips the other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/bit_matrix.hpp"

namespace tessera {

namespace {

// A mode's bits: "m" of the first, "n" of the second, "k0", "k1" of further ones; "t" of threads and "v" of values.
struct ModeBits {
  std::string name;
  int first = 0, count = 0;
};

std::string mode_name(const std::vector<std::string>& said, std::size_t mode, std::size_t rank) {
  if (said.size() == rank) {
    const std::string_view letter = letter_of_mode(said[mode]);
    return letter == "T" ? "t" : letter == "V" ? "v" : said[mode];
  }
  if (rank == 1) return "i";
  return mode == 0 ? "m" : mode == 1 ? "n" : rank == 3 ? "k" : fmt::format("k{}", mode - 2);
}

std::vector<ModeBits> modes_of(const std::vector<std::string>& said, const Shape& shape) {
  std::vector<ModeBits> modes;
  int first = 0;
  for (std::size_t mode = 0; mode < shape.rank(); ++mode) {
    const int count = std::countr_zero(static_cast<std::uint64_t>(size(shape[mode])));
    modes.push_back({mode_name(said, mode, shape.rank()), first, count});
    first += count;
  }
  return modes;
}

// "o4 = m1 ⊕ n2", of each bit that is a sum; at most so many.
std::string sums(const std::vector<std::string>& inputs, const BitMatrix& matrix, int rows) {
  constexpr int kMost = 6;
  std::string text;
  int said = 0;
  for (int row = rows - 1; row >= 0; --row) {
    std::vector<std::string> taps;
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      if ((matrix.columns[column] >> row & 1) != 0) taps.push_back(inputs[column]);
    }
    if (taps.size() < 2 || said++ >= kMost) continue;
    text += fmt::format("{}o{} = {}", text.empty() ? "" : ", ", row, fmt::join(taps, " ⊕ "));
  }
  return said > kMost ? text + ", ..." : text;
}

}  // namespace

Result<Scene> bit_matrix_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  TESSERA_TRY(matrix, bit_matrix(layout));
  const Shape& s = shape(layout);
  for (std::size_t mode = 0; mode < s.rank(); ++mode) {
    if (std::has_single_bit(static_cast<std::uint64_t>(size(s[mode])))) continue;
    return Error{ErrorCode::not_representable,
                 fmt::format("mode {} of {} has {} elements, which is no power of two: its coordinates have no bits of their own", mode,
                             to_string(layout), size(s[mode])),
                 {},
                 {"draw the layout itself: layout_figure(...)"}};
  }
  if (matrix.columns.empty())
    return Error{ErrorCode::not_representable, fmt::format("{} has one element, and no bits", to_string(layout)), {}, {}};
  TESSERA_TRY(said, named_modes(spec, s));
  const std::vector<ModeBits> modes = modes_of(said, s);
  std::int64_t all = 0;
  for (const std::int64_t column : matrix.columns) all |= column;
  const int rows = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all))));
  const auto cols = static_cast<int>(matrix.columns.size());
  TESSERA_CHECK(take_cells(rows * cols, 0, "a bit matrix"));
  Scene scene = begin_scene(spec);
  const float unit = type_scale(spec, rows, cols);
  const Frame frame{0, 0, rows, cols};
  Panel panel{to_string(layout), {}, "matrix", PanelOperand::none, {"bit of the coordinate", "bit of the offset"}};
  std::vector<std::string> inputs;
  std::vector<ColorIndex> tints;
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    for (int bit = 0; bit < modes[mode].count; ++bit) {
      inputs.push_back(fmt::format("{}{}", modes[mode].name, bit));
      tints.push_back(scene.color(
          palette.category(static_cast<std::int64_t>(mode), std::max<std::int64_t>(2, static_cast<std::int64_t>(modes.size())))));
    }
  }
  // The highest bit of the offset is above, and the lowest of the coordinate at the left: a compact column-major layout is a diagonal from
  // the lower left to the upper right.
  GridColumns columns = begin_grid(rows, cols);
  columns.place = GridColumns::Place::given;
  for (int r = 0; r < rows; ++r) {
    const int out = rows - 1 - r;
    for (int c = 0; c < cols; ++c) {
      const bool one = (matrix.columns[static_cast<std::size_t>(c)] >> out & 1) != 0;
      columns.row.push_back(out);
      columns.col.push_back(c);
      columns.fills.push_back(one ? tints[static_cast<std::size_t>(c)] : kNoColor);
      columns.add_label(one ? "1" : "");
    }
  }
  add_grid(panel, frame, std::move(columns));
  panel.marks.push_back(Outline{0, 0, frame.width(), static_cast<float>(rows), StrokeRole::hairline, true, 1, 1});
  panel.marks.push_back(Outline{0, 0, frame.width(), static_cast<float>(rows), StrokeRole::strong, false});
  const auto label = [&](float x, float y, const std::string& text, Anchor anchor) {
    panel.marks.push_back(Label{x, y, scene.intern(text), LabelRole::axis, anchor, kAxisType * unit});
  };
  for (int c = 0; c < cols; ++c) label(static_cast<float>(c) + 0.5f, -0.38f * unit, inputs[static_cast<std::size_t>(c)], Anchor::center);
  int summed = 0;
  for (int r = 0; r < rows; ++r) {
    int taps = 0;
    for (const std::int64_t column : matrix.columns) taps += static_cast<int>(column >> (rows - 1 - r) & 1);
    summed += taps > 1;
    label(-0.26f * unit, static_cast<float>(r) + 0.5f, fmt::format("o{}", rows - 1 - r), Anchor::right);
    if (taps > 1) label(frame.right() + 0.2f * unit, static_cast<float>(r) + 0.5f, "⊕", Anchor::left);
  }
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    if (modes[mode].count == 0) continue;
    if (mode > 0 && modes[mode].first > 0) {
      const auto x = static_cast<float>(modes[mode].first);
      panel.marks.push_back(Line{x, 0, x, static_cast<float>(rows), StrokeRole::boundary});
    }
    add_bracket(scene, panel, BracketAt::below, static_cast<float>(modes[mode].first),
                static_cast<float>(modes[mode].first + modes[mode].count), frame.bottom(),
                fmt::format("{}: {}", modes[mode].name, to_string(s[mode])), unit);
  }
  add_heading(scene, panel, 0, -1.15f * unit, panel.name, unit);
  scene.panels.push_back(std::move(panel));
  const int rank = [&] {
    std::vector<std::int64_t> left = matrix.columns;
    int found = 0;
    for (int bit = rows - 1; bit >= 0; --bit) {
      const auto pivot = std::find_if(left.begin(), left.end(), [&](std::int64_t v) { return (v >> bit & 1) != 0; });
      if (pivot == left.end()) continue;
      const std::int64_t value = *pivot;
      left.erase(pivot);
      for (std::int64_t& v : left) {
        if ((v >> bit & 1) != 0) v ^= value;
      }
      ++found;
    }
    return found;
  }();
  Captions captions;
  captions.sentence = fmt::format(
      "Each bit of the offset is the xor of the bits of the coordinate that have a 1 in its row: {}.",
      rank == cols ? fmt::format("rank {}, no two coordinates share an offset", rank) : fmt::format("rank {} of {}", rank, cols));
  std::string lowest;  // of the first mode that has bits
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    const ModeBits& of = modes[mode];
    if (of.count == 0) continue;
    const ColorIndex tint = tints[static_cast<std::size_t>(of.first)];
    const std::string_view letter = said.size() == s.rank() ? letter_of_mode(said[mode]) : std::string_view();
    const std::string what = letter == "T" ? "thread" : letter == "V" ? "value" : fmt::format("coordinate in mode {}", mode);
    captions.legends.push_back(
        {{tint},
         fmt::format("{0}0{1}: bit{2} of the {3}", of.name, of.count > 1 ? fmt::format("-{}{}", of.name, of.count - 1) : "",
                     of.count > 1 ? "s" : "", what)});
    if (lowest.empty()) lowest = of.name + "0";
  }
  captions.notes.push_back(fmt::format("o: bit of the offset; {} and o0 are the least significant", lowest));
  if (summed > 0)
    captions.notes.push_back("⊕: " + sums(inputs, matrix, rows));
  else
    captions.notes.push_back(
        "no row has two: every bit of an offset comes from one bit of the coordinate, as in any layout without a swizzle");
  if (rank < cols)
    captions.notes.push_back(fmt::format("the rank is less than {}: {} coordinates have the same offset as coordinate 0", cols,
                                         (std::int64_t{1} << (cols - rank)) - 1));
  captions.heading = to_string(layout);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
