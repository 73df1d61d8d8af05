// SPDX-License-Identifier: BSD-3-Clause
// Grids, axes, headings, captions and borders, in our own style and in print_latex's.
#include "core/diagram/parts/figure_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/print.hpp"

namespace tessera {

namespace {

// Memory of a scene, measured: columns and labels, and owners with what sorts them, texts growing by doubling.
constexpr std::int64_t kBytesOfACell = 56;
constexpr std::int64_t kBytesOfAnOwner = 2 * sizeof(Owner) + 16;
constexpr double kReadableType = 0.26;         // of a cell's height
constexpr double kDigit = 0.62, kRoom = 0.86;  // width of a digit in type sizes; share of a cell that its label fills

}  // namespace

GridColumns begin_grid(std::int64_t rows, std::int64_t cols) {
  GridColumns columns;
  columns.rows = static_cast<std::int32_t>(rows);
  columns.cols = static_cast<std::int32_t>(cols);
  return columns;
}

float cell_width(std::size_t longest_label) {
  return std::max(1.0f, static_cast<float>(std::ceil(static_cast<double>(longest_label) * kDigit * kReadableType / kRoom * 20) / 20));
}

ColorIndex arrow_color(Scene& scene, ColorIndex tint) {
  constexpr double kInk = 0.5;  // of the ink
  return tint == kNoColor ? kNoColor : scene.color(mix(scene.palette[tint], scene.page.ink, kInk));
}

std::string rest_of_coordinate(const Shape& shape, std::int64_t k) {
  if (shape.rank() < 3) return {};
  std::vector<IntTuple> rest;
  for (std::size_t mode = 2; mode < shape.rank(); ++mode) rest.push_back(shape[mode]);
  const std::string at = to_string(idx2crd(k, IntTuple::tuple(std::move(rest))));
  return at.substr(1, at.size() - 2);
}

void add_grid(Panel& panel, const Frame& frame, GridColumns columns) {
  if (!columns.label_ends.empty())  // the time may have ended while they were written
    columns.label_ends.resize(columns.size(), static_cast<std::uint32_t>(columns.text.size()));
  if (!columns.other_ends.empty()) columns.other_ends.resize(columns.size(), static_cast<std::uint32_t>(columns.others.size()));
  if (!columns.place_ends.empty()) columns.place_ends.resize(columns.size(), static_cast<std::uint32_t>(columns.places.size()));
  columns.text.shrink_to_fit();
  panel.marks.push_back(Grid{frame.x, frame.y, frame.w, 1, std::make_shared<const GridColumns>(std::move(columns))});
}

float type_scale(const FigureSpec& spec, std::int64_t rows, std::int64_t cols) {
  return spec.text_unit > 0 ? spec.text_unit : std::max(1.0f, static_cast<float>(std::max(rows, cols)) / 28.0f);
}

double ramp_place(std::int64_t value, std::int64_t least, std::int64_t most) {
  if (most <= least) return 0;
  return std::clamp((static_cast<double>(value) - static_cast<double>(least)) / (static_cast<double>(most) - static_cast<double>(least)),
                    0.0, 1.0);
}

Status check_cells(std::int64_t cells, std::string_view what) {
  if (cells > kMostCells) {
    return Error{ErrorCode::limit,
                 fmt::format("a figure has at most {} cells, and {} has {}", kMostCells, what, cells),
                 {},
                 {"draw a tile of it: slice it, or take local_tile of it"}};
  }
  TESSERA_CHECK(fit_cells(cells, what));
  return fit_bytes(kBytesOfACell * cells, what);
}

Status take_cells(std::int64_t cells, std::int64_t links, std::string_view what) {
  TESSERA_CHECK(check_cells(cells, what));
  TESSERA_CHECK(check_cells(links, what));
  TESSERA_CHECK(spend_cells(cells, what));
  return spend_bytes(kBytesOfACell * cells + kBytesOfAnOwner * links, what);
}

// ---- our own style ---------------------------------------------------------------------------------------------------

namespace {

// The least power of two of cells that has room for a number; the more numbers there are, the more air between them.
std::int64_t axis_step(std::int64_t extent, float room, float air) {
  constexpr std::int64_t kFew = 8, kMany = 24;
  std::int64_t step = 1;
  while (static_cast<float>(step) < room) step *= 2;
  if (extent > kMany * step) air *= 1.5f;
  if (extent > kFew * step && static_cast<float>(step) < room + air) step *= 2;
  return step;
}

constexpr float kDigitHeight = 1.12f;  // of a type size, with room to the next line
constexpr float kDigitWidth = 0.6f;

void add_label(Scene& scene, Panel& panel, Label label, std::string_view text) {
  label.text = scene.intern(text);
  panel.marks.push_back(label);
}

}  // namespace

void add_axes(Scene& scene, Panel& panel, const Frame& frame, Axes sides, float unit) {
  const float size = kAxisType * unit;
  const std::int64_t down = axis_step(frame.rows, kDigitHeight * size, 0.4f * size);
  const std::size_t signs = sides.before_top.size() + std::to_string(frame.cols - 1).size();
  const std::int64_t across =
      axis_step(frame.cols, (kDigitWidth * static_cast<float>(signs) + 0.45f) * size / frame.w, 0.45f * size / frame.w);
  for (std::int64_t r = 0; sides.left && r < frame.rows; r += down) {
    add_label(scene, panel, {frame.x - 0.26f * unit, frame.y + static_cast<float>(r) + 0.5f, {}, LabelRole::axis, Anchor::right, size},
              fmt::format("{}{}", sides.before_left, r));
  }
  for (std::int64_t c = 0; sides.top && c < frame.cols; c += across) {
    add_label(scene, panel, {frame.column(c) + frame.w / 2, frame.y - 0.38f * unit, {}, LabelRole::axis, Anchor::center, size},
              fmt::format("{}{}", sides.before_top, c));
  }
}

void add_axis_names(Scene& scene, Panel& panel, const Frame& frame, float unit) {
  const std::string down = panel.axes.down.empty() ? std::string() : panel.axes.down + "↓", across = panel.axes.across;
  const std::string text = across.empty() ? down : down + (down.empty() ? "" : " ") + across + "→";
  if (text.empty()) return;
  add_label(scene, panel, {frame.x - 0.22f * unit, frame.y - 0.38f * unit, {}, LabelRole::legend, Anchor::right, 0.32f * unit}, text);
}

void add_heading(Scene& scene, Panel& panel, float x, float y, std::string_view text, float unit) {
  add_label(scene, panel, {x, y, {}, LabelRole::panel_name, Anchor::left, 0.46f * unit}, text);
}

void add_note(Scene& scene, Panel& panel, float x, float y, std::string_view text, float unit) {
  add_label(scene, panel, {x, y, {}, LabelRole::note, Anchor::left, 0.36f * unit}, text);
}

void add_frame(Panel& panel, const Frame& frame) {
  const float w = frame.width(), h = static_cast<float>(frame.rows);
  panel.marks.push_back(Outline{frame.x, frame.y, w, h, StrokeRole::grid, true, frame.w, 1});
  panel.marks.push_back(Outline{frame.x, frame.y, w, h, StrokeRole::strong, false});
}

void add_divisions(Panel& panel, const Frame& frame, const Shape& row_mode, const Shape& col_mode) {
  std::vector<Mark> lines;
  const auto divide = [&](const Shape& mode, std::int64_t extent, bool rows) {
    std::vector<IntTuple> leaves;
    append_leaves(mode, leaves);
    std::vector<std::int64_t> periods;  // of the levels that divide the extent, innermost first
    std::int64_t period = 1;
    for (const IntTuple& leaf : leaves) {
      period *= leaf.value();
      if (period > 1 && period < extent && (periods.empty() || periods.back() != period)) periods.push_back(period);
    }
    if (periods.empty()) return;
    for (std::int64_t i = periods.front(); i < extent; i += periods.front()) {
      const bool outermost = periods.size() > 1 && i % periods.back() == 0;
      const StrokeRole role = outermost ? StrokeRole::strong : StrokeRole::boundary;
      const float y = frame.y + static_cast<float>(i), x = frame.column(i);
      lines.push_back(rows ? Line{frame.x, y, frame.right(), y, role} : Line{x, frame.y, x, frame.bottom(), role});
    }
  };
  divide(row_mode, frame.rows, true);
  divide(col_mode, frame.cols, false);
  // Under the frame, which they would notch.
  const auto is_frame = [&](const Mark& mark) {
    const auto* outline = std::get_if<Outline>(&mark);
    return outline && !outline->grid && outline->role == StrokeRole::strong && outline->x == frame.x && outline->y == frame.y;
  };
  const auto at = std::find_if(panel.marks.begin(), panel.marks.end(), is_frame);
  panel.marks.insert(at, lines.begin(), lines.end());
}

void say_divisions(Captions& captions) {
  captions.boundary = "an inner mode ends";
  captions.strong = "all inner modes end";
}

void add_borders(Panel& panel, const Frame& frame, std::span<const std::int32_t> groups, StrokeRole role, bool outer) {
  const std::int64_t rows = frame.rows, cols = frame.cols;
  const auto group = [&](std::int64_t r, std::int64_t c) {
    return r < 0 || c < 0 || r >= rows || c >= cols ? -1 : groups[static_cast<std::size_t>(r * cols + c)];
  };
  std::vector<Line> lines;
  std::int64_t edges = 0;
  // Walks the edges across one direction and joins those in a row.
  const auto walk = [&](std::int64_t across, std::int64_t along, bool vertical) {
    for (std::int64_t i = outer ? 0 : 1; i < (outer ? across + 1 : across); ++i) {
      std::int64_t start = -1;
      for (std::int64_t j = 0; j <= along; ++j) {
        const bool differ = j < along && (vertical ? group(j, i - 1) != group(j, i) : group(i - 1, j) != group(i, j));
        edges += differ;
        if (differ && start < 0) start = j;
        if (differ || start < 0) continue;
        const auto y = [&](std::int64_t row) { return frame.y + static_cast<float>(row); };
        lines.push_back(vertical ? Line{frame.column(i), y(start), frame.column(i), y(j), role}
                                 : Line{frame.column(start), y(i), frame.column(j), y(i), role});
        start = -1;
      }
    }
  };
  walk(cols, rows, true);
  walk(rows, cols, false);
  if (!outer && edges > rows * cols * 4 / 5) return;
  panel.marks.insert(panel.marks.end(), lines.begin(), lines.end());
}

// ---- print_latex's style ---------------------------------------------------------------------------------------------

void add_latex_grid(Panel& panel, const Frame& frame) {
  panel.marks.push_back(Outline{frame.x, frame.y, static_cast<float>(frame.cols), static_cast<float>(frame.rows), StrokeRole::grid, true});
}

void add_latex_axes(Scene& scene, Panel& panel, const Frame& frame, float label_col, float label_row) {
  for (std::int64_t r = 0; r < frame.rows; ++r) {
    add_label(scene, panel, {label_col + 0.5f, frame.y + static_cast<float>(r) + 0.5f, {}, LabelRole::axis}, std::to_string(r));
  }
  for (std::int64_t c = 0; c < frame.cols; ++c) {
    add_label(scene, panel, {frame.x + static_cast<float>(c) + 0.5f, label_row + 0.5f, {}, LabelRole::axis}, std::to_string(c));
  }
}

std::string print_of_coordinates(const Layout& layout_tv, std::int64_t rows, std::int64_t cols) {
  const Result<Layout> tile = make_identity_layout(IntTuple::tuple({rows, cols}));
  const Result<Layout> coords = tile ? composition_unchecked(*tile, layout_tv) : tile;
  return coords ? "ArithTuple(_0,_0) o " + print(*coords, Spelling::cute_print) : print(layout_tv, Spelling::cute_print);
}

}  // namespace tessera
