// SPDX-License-Identifier: BSD-3-Clause
// The figure of a layout: its offset (or coordinate, or index) in each cell, a panel for each coordinate beyond the second mode.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <algorithm>

#include "core/base/budget.hpp"
#include "core/base/items.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/layout_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/nested_axes.hpp"
#include "core/diagram/parts/padding.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/whole_blocks.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/print.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kStrip = 32;  // a layout of one mode is a strip of at most so many cells a row

// Colours of cells, made once each.
class LayoutFills {
 public:
  LayoutFills(Scene& scene, const Palette& palette, const LayoutPicture& picture)
      : scene_(scene), palette_(palette), p_(picture), by_offset_(picture.color == "offset" && !picture.offsets.empty()) {}

  // Of 1-D coordinate i.
  ColorIndex fill(std::int64_t i) {
    if (!by_offset_) return kNoColor;  // the others are painted later
    const double place = ramp_place(p_.offsets[static_cast<std::size_t>(i)], p_.ramp.first, p_.ramp.second);
    return cached(std::lround(place * 63), [&] { return palette_.ramp(std::round(place * 63) / 63); });
  }

 private:
  template <class Make>
  ColorIndex cached(std::int64_t slot, Make make) {
    const std::size_t at = static_cast<std::size_t>(slot);
    if (at >= made_.size()) made_.resize(at + 1, kNoColor);
    if (made_[at] == kNoColor) made_[at] = scene_.color(make());
    return made_[at];
  }
  Scene& scene_;
  const Palette& palette_;
  const LayoutPicture& p_;
  const bool by_offset_;
  std::vector<ColorIndex> made_;
};

// Columns of what every picture of a layout says: addresses, and the labels.
GridColumns begin_columns(const LayoutPicture& p, std::int64_t rows, std::int64_t cols) {
  GridColumns columns = begin_grid(rows, cols);
  columns.place = GridColumns::Place::drawn;
  columns.tensor = 0;
  columns.bits = p.bank_bits();
  columns.fills.reserve(columns.size());
  if (!p.offsets.empty()) columns.address.reserve(columns.size());
  if (p.labels != "none") columns.label_ends.reserve(columns.size());
  return columns;
}

void add_cell(GridColumns& columns, const LayoutPicture& p, std::int64_t i, ColorIndex fill, const std::string& label) {
  columns.fills.push_back(fill);
  if (!p.offsets.empty()) columns.address.push_back(std::max<std::int64_t>(p.offsets[static_cast<std::size_t>(i)], -1));
  if (p.labels != "none") columns.add_label(label);
}

// The same where the label is the offset: of a million cells no string is made.
void add_offset_cell(GridColumns& columns, const LayoutPicture& p, std::int64_t i, ColorIndex fill) {
  const std::int64_t offset = p.offsets[static_cast<std::size_t>(i)];
  columns.fills.push_back(fill);
  columns.address.push_back(std::max<std::int64_t>(offset, -1));
  const fmt::format_int digits(offset);
  columns.add_label({digits.data(), digits.size()});
}

// Where the time ended early the columns are short; the picture is refused then.
GridColumns filled(GridColumns columns) {
  columns.fills.resize(columns.size(), kNoColor);
  if (!columns.address.empty()) columns.address.resize(columns.size(), -1);
  return columns;
}

// A layout of one mode with a second one of one element, as print_latex appends it.
AnyLayout with_two_modes(const AnyLayout& layout) {
  if (shape(layout).rank() != 1) return layout;
  const auto padded = [](const Layout& one) -> std::optional<Layout> {
    const bool is_tuple = one.shape().is_tuple();
    Result<Layout> made = Layout::make(IntTuple::tuple({is_tuple ? one.shape()[0] : one.shape(), IntTuple(1)}),
                                       IntTuple::tuple({is_tuple ? one.stride()[0] : one.stride(), IntTuple(0)}));
    return made ? std::optional(*std::move(made)) : std::nullopt;
  };
  if (const auto* plain = std::get_if<Layout>(&layout)) return padded(*plain).value_or(*plain);
  ComposedLayout composed = std::get<ComposedLayout>(layout);
  if (const auto* inner = std::get_if<Layout>(&composed.inner)) composed.inner = padded(*inner).value_or(*inner);
  return composed;
}

Result<Scene> latex_layout(const FigureSpec& spec, const LayoutPicture& p, const Palette& palette) {
  if (shape(p.layout).rank() > 2) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("print_latex draws layouts of one or two modes, and {} has {}", to_string(p.layout), shape(p.layout).rank()),
                 {},
                 {"leave the style out for a picture of several panels, or slice((_,_,0), layout)"}};
  }
  if (p.offsets.empty()) return Error{ErrorCode::wrong_type, "print_latex draws layouts with integer strides", {}, {"leave the style out"}};
  Scene scene = begin_scene(spec);
  scene.tensors = {"layout"};
  scene.comments = {"Layout: " + print(with_two_modes(p.layout), Spelling::cute_print)};
  Panel panel{"layout", {}, "layout"};
  GridColumns columns = begin_columns(p, p.rows, p.cols);
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols && !late(); ++c) {
      const std::int64_t i = r + c * p.rows;
      add_cell(columns, p, i, scene.color(palette.latex_index(p.offsets[static_cast<std::size_t>(i)])), cell_label(p, i, r, c, {}));
    }
  }
  const Frame frame{0, 0, p.rows, p.cols};
  add_grid(panel, frame, filled(std::move(columns)));
  add_latex_grid(panel, frame);
  add_latex_axes(scene, panel, frame, -1, -1);
  scene.panels.push_back(std::move(panel));
  return scene;
}

// A swizzle moves chunks of elements, 16 bytes of shared memory as it is meant: colours say where they went where nothing else is asked
// for.
FigureSpec with_chunks(FigureSpec spec) {
  constexpr std::int64_t kChunkBits = 128;
  const auto* composed = std::get_if<ComposedLayout>(&spec.objects.front());
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  if (!swizzle || swizzle->bits() == 0 || has_color(spec) || spec.style != FigureStyle::tessera) return spec;
  const std::int64_t element_bits = kChunkBits >> swizzle->base();
  const bool is_known =
      spec.element_bits > 0 || !parameter(spec, "bits").empty() || !parameter(spec, "bytes").empty() || !parameter(spec, "type").empty();
  if (!is_known && element_bits == 0) return spec;
  spec.parameters["color"] = "chunk";
  if (!is_known) spec.parameters["bits"] = std::to_string(element_bits);
  return spec;
}

// Padding as it is drawn beside the grid: grey, each cell with its offset, and none behind the last element.
void add_padding(Scene& scene, Panel& panel, const LayoutPicture& p, const Frame& frame) {
  const Padding padding = padding_of(p.layout);
  if (padding.count == 0) return;
  const std::int64_t extent = padding.columns ? p.cols : p.rows, lines = padding.columns ? p.rows : p.cols;
  const ColorIndex grey = padding_fill(scene);
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t first = p.offsets[static_cast<std::size_t>(padding.columns ? line : line * p.rows)];
    for (std::int64_t k = 0; k < padding.count; ++k) {
      const std::int64_t offset = first + extent + k;
      if (offset > p.most) continue;
      Cell cell{padding.columns ? frame.column(extent + k) : frame.column(line),
                padding.columns ? frame.y + static_cast<float>(line) : frame.y + static_cast<float>(extent + k), frame.w, 1, grey};
      cell.faint = true;
      if (p.labels == "offset") {
        cell.label = scene.intern(std::to_string(offset));
        cell.lines = 1;
      }
      cell.subject = static_cast<std::uint32_t>(scene.subjects.size());
      Subject subject;
      subject.address = offset;
      subject.bank = bank_of(offset, p.bank_bits());
      subject.tensor = 0;
      scene.subjects.push_back(subject);
      panel.marks.push_back(cell);
    }
  }
  const float across = frame.w * static_cast<float>(padding.columns ? padding.count : p.cols);
  const auto down = static_cast<float>(padding.columns ? p.rows : padding.count);
  panel.marks.push_back(Outline{padding.columns ? frame.right() : frame.x, padding.columns ? frame.y : frame.bottom(), across, down,
                                StrokeRole::grid, true, frame.w, 1});
}

// What a swizzle repeats: in how many rows, and columns.
WholeBlock swizzle_period(const LayoutPicture& p, const GridColumns& columns) {
  const auto* composed = std::get_if<ComposedLayout>(&p.layout);
  return composed && std::holds_alternative<Swizzle>(composed->outer) ? address_period(columns) : WholeBlock{};
}

// Lines where a swizzle's pattern begins anew, between its rows.
void add_period_lines(Panel& panel, const Frame& frame, const WholeBlock& period) {
  if (!has_period_lines(period)) return;
  for (std::int64_t r = period.rows; r < frame.rows; r += period.rows) {
    const float y = frame.y + static_cast<float>(r);
    panel.marks.push_back(Line{frame.x, y, frame.right(), y, StrokeRole::boundary});
  }
}

// How wide cells are: the longest label of any panel decides, which is one at a corner or near the largest offset.
float width_of_cells(const LayoutPicture& p) {
  if (p.labels == "none") return 1;
  std::size_t longest = 1;
  const auto look = [&](std::int64_t i) {
    const std::int64_t in_panel = i % (p.rows * p.cols);
    const std::string rest = rest_of_coordinate(shape(p.layout), i / (p.rows * p.cols));
    longest = std::max(longest, cell_label(p, i, in_panel % p.rows, in_panel / p.rows, rest).size());
  };
  const std::int64_t cells = size(p.layout);
  constexpr std::int64_t kLookedAt = 4096;  // of more cells, the last ones and those with the extreme offsets
  for (std::int64_t i = std::max<std::int64_t>(0, cells - kLookedAt); i < cells; ++i) look(i);
  if (!p.offsets.empty()) {
    const auto [least, most] = std::minmax_element(p.offsets.begin(), p.offsets.end());
    look(least - p.offsets.begin());
    look(most - p.offsets.begin());
  }
  return cell_width(longest);
}

GridColumns strip_columns(const LayoutPicture& p, LayoutFills& fills, std::int64_t first, std::int64_t rows, std::int64_t cols) {
  GridColumns columns = begin_columns(p, rows, cols);
  columns.place = GridColumns::Place::given;
  columns.col.resize(columns.size(), 0);
  for (std::int64_t i = first; i < first + rows * cols; ++i) columns.row.push_back(static_cast<std::int32_t>(i));
  for (std::int64_t i = first; i < first + rows * cols && !late(); ++i) add_cell(columns, p, i, fills.fill(i), cell_label(p, i, i, 0, {}));
  return filled(std::move(columns));
}

// A layout of one mode: a strip from left to right, broken every kStrip cells.
Panel strip_panel(Scene& scene, const LayoutPicture& p, LayoutFills& fills, float unit) {
  const std::int64_t cols = std::min(p.rows, kStrip), whole = p.rows / cols, left = p.rows % cols;
  const std::int64_t rows = whole + (left > 0 ? 1 : 0);
  const float w = width_of_cells(p);
  const Frame frame{0, 0, rows, cols, w}, full{0, 0, whole, cols, w}, last{0, static_cast<float>(whole), 1, left, w};
  Panel panel{to_string(p.layout), {}, "layout"};
  add_grid(panel, full, strip_columns(p, fills, 0, whole, cols));
  if (left > 0) add_grid(panel, last, strip_columns(p, fills, whole * cols, 1, left));  // the last row is shorter
  add_frame(panel, full);
  if (left > 0) add_frame(panel, last);
  if (rows == 1) add_divisions(panel, frame, 1, shape(p.layout)[0]);
  add_axes(scene, panel, frame, {false, true}, unit);
  for (std::int64_t r = 0; rows > 1 && r < rows; ++r) {
    panel.marks.push_back(Label{-0.26f * unit, static_cast<float>(r) + 0.5f, scene.intern(fmt::format("{} +", r * cols)), LabelRole::axis,
                                Anchor::right, kAxisType * unit});
  }
  return panel;
}

// Numbers of rows and columns; T and V of threads and values, the names of other modes in the corner.
void name_axes(Scene& scene, Panel& panel, const LayoutPicture& p, const Frame& frame, float unit) {
  const std::string down = p.modes.empty() ? std::string() : p.modes[0], across = p.modes.size() < 2 ? std::string() : p.modes[1];
  panel.axes = {across, down};
  add_axes(scene, panel, frame, {true, true, letter_of_mode(down), letter_of_mode(across)}, unit);
  Panel named{"", {}, "", PanelOperand::none, {letter_of_mode(across).empty() ? across : "", letter_of_mode(down).empty() ? down : ""}};
  add_axis_names(scene, named, frame, unit);
  panel.marks.insert(panel.marks.end(), named.marks.begin(), named.marks.end());
}

// Threads and values, of a layout whose modes are.
void add_owners(GridColumns& columns, const LayoutPicture& p) {
  for (std::size_t mode = 0; mode < std::min<std::size_t>(p.modes.size(), 2); ++mode) {
    const std::string_view letter = letter_of_mode(p.modes[mode]);
    if (letter.empty() || (p.thread && letter == "T")) continue;
    std::vector<std::int32_t>& column = letter == "T" ? columns.thread : columns.value;
    column.resize(columns.size(), -1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto cols = static_cast<std::size_t>(columns.cols);
      column[i] = static_cast<std::int32_t>(mode == 0 ? i / cols : i % cols);
    }
  }
  if (p.thread && columns.value.size() == columns.size()) columns.thread.assign(columns.size(), static_cast<std::int32_t>(*p.thread));
}

Panel grid_panel(Scene& scene, const LayoutPicture& p, LayoutFills& fills, std::int64_t index, const Frame& frame, float unit) {
  Panel panel{to_string(p.layout), {}, p.panels > 1 ? fmt::format("layout{}", index) : "layout"};
  GridColumns columns = begin_columns(p, p.rows, p.cols);
  const std::string rest = rest_of_coordinate(shape(p.layout), index);
  if (!rest.empty()) {
    columns.rest = static_cast<std::int32_t>(scene.rests.size());
    scene.rests.push_back(rest);
  }
  const bool says_offsets = p.says_offsets();
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols && !late(); ++c) {
      const std::int64_t i = r + p.rows * (c + p.cols * index);
      if (says_offsets)
        add_offset_cell(columns, p, i, fills.fill(i));
      else
        add_cell(columns, p, i, fills.fill(i), cell_label(p, i, r, c, rest));
    }
  }
  columns = filled(std::move(columns));
  add_owners(columns, p);
  const WholeBlock period = swizzle_period(p, columns);
  widen_whole(columns, period);
  add_grid(panel, frame, std::move(columns));
  if (p.panels == 1 && p.color != "none") add_padding(scene, panel, p, frame);
  add_frame(panel, frame);
  add_period_lines(panel, frame, period);
  const Shape& s = shape(p.layout);
  add_divisions(panel, frame, s[0], s.rank() > 1 ? s[1] : IntTuple(1));
  if (p.nested)
    add_nested_axes(scene, panel, frame, nested_axis(s[0]), nested_axis(s.rank() > 1 ? s[1] : IntTuple(1)), unit);
  else
    name_axes(scene, panel, p, frame, unit);
  return panel;
}

// Between the grid and its heading, in text units, beyond what one row of numbers takes.
float room_above(const LayoutPicture& p) {
  const Shape& s = shape(p.layout);
  return p.nested && s.rank() > 1 ? nested_room_above(nested_axis(s[1])) : 0;
}

// Between panels, in text units: room for the names of axes.
float gap_of(const LayoutPicture& p) {
  constexpr float kLeast = 2, kSign = 0.2f, kBeside = 1.1f;
  std::size_t signs = 0;
  for (std::size_t mode = 0; mode < std::min<std::size_t>(p.modes.size(), 2); ++mode) {
    if (letter_of_mode(p.modes[mode]).empty()) signs += p.modes[mode].size() + 2;
  }
  const float room = std::max(kLeast, kBeside + kSign * static_cast<float>(signs));
  return p.nested ? room + nested_room_left(nested_axis(shape(p.layout)[0])) : room;
}

Result<Legend> paint_layout(Scene& scene, const FigureSpec& spec, const LayoutPicture& p, const Palette& palette) {
  if (p.color == "offset" || (p.offsets.empty() && p.by_bank())) return Legend{};
  return paint(scene, spec, palette, p.color, std::pair{p.rows, p.cols});
}

}  // namespace

Result<Scene> layout_figure(const FigureSpec& asked) {
  const FigureSpec spec = with_chunks(asked);
  TESSERA_TRY(p, read_layout(spec));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  if (spec.style == FigureStyle::print_latex) return latex_layout(spec, p, palette);
  TESSERA_CHECK(only_own_style(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  LayoutFills fills(scene, palette, p);
  if (shape(p.layout).rank() == 1) {
    const float unit = spec.text_unit > 0 ? spec.text_unit : 1.0f;
    Panel panel = strip_panel(scene, p, fills, unit);
    add_heading(scene, panel, 0, -1.15f * unit, heading_of(p), unit);
    scene.panels.push_back(std::move(panel));
    TESSERA_TRY(painted, paint_layout(scene, spec, p, palette));
    Captions captions = captions_of(scene, p, palette, std::move(painted));
    return close_figure(std::move(scene), spec, std::move(captions), unit);
  }
  // Panels from left to right, in as many rows as make the picture about as wide as high.
  const float above = room_above(p) * type_scale(spec, p.rows, p.cols);
  const float gap = gap_of(p) * type_scale(spec, p.rows, p.cols), w = width_of_cells(p);
  const auto wide = static_cast<std::int64_t>(std::ceil(w * static_cast<float>(p.cols)));  // in cells' heights
  std::int64_t across = 1;
  while (across * across * (wide + 2) < p.panels * (p.rows + 3)) ++across;
  constexpr std::int64_t kOneRow = 30;  // cells' heights that a page has room for
  if (p.panels * (wide + 2) <= kOneRow) across = p.panels;
  across = std::min(across, p.panels);
  for (std::int64_t even = across; 2 * even > across; --even) {  // rows of panels that are all as long, where that costs little
    if (p.panels % even != 0) continue;
    across = even;
    break;
  }
  const float unit = type_scale(spec, p.rows * ((p.panels + across - 1) / across), wide * across);
  for (std::int64_t k = 0; k < p.panels; ++k) {
    const Frame frame{static_cast<float>(k % across) * (w * static_cast<float>(p.cols) + gap),
                      static_cast<float>(k / across) * (static_cast<float>(p.rows) + above + 2.5f * type_scale(spec, p.rows, p.cols)),
                      p.rows, p.cols, w};
    Panel panel = grid_panel(scene, p, fills, k, frame, p.panels > 1 ? type_scale(spec, p.rows, p.cols) : unit);
    if (p.panels > 1) {
      panel.name = name_of_panel(p, k);
      add_heading(scene, panel, frame.x, frame.y - above - 1.05f * type_scale(spec, p.rows, p.cols), panel.name,
                  type_scale(spec, p.rows, p.cols) * 0.85f);
      if (k == 0)
        add_heading(scene, panel, 0, frame.y - above - 1.05f * type_scale(spec, p.rows, p.cols) - 0.85f * unit, heading_of(p), unit);
    } else {
      add_heading(scene, panel, 0, -1.15f * unit - room_above(p) * unit, heading_of(p), unit);
    }
    scene.panels.push_back(std::move(panel));
  }
  TESSERA_TRY(painted, paint_layout(scene, spec, p, palette));
  Captions captions = captions_of(scene, p, palette, std::move(painted));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
