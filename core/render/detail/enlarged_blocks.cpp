// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/detail/enlarged_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/diagram/scene/caption_lines.hpp"
#include "core/diagram/scene/panel_part.hpp"

namespace tessera {
namespace {

constexpr double kLeastType = 4.7;                              // points of labels
constexpr double kTypes[] = {8, 7, 6.2, 5.4, 4.8, kLeastType};  // as they are wanted, and so that more has room
constexpr double kLargeType = 7;                                // at which more is shown
constexpr double kHeading = 7, kNumber = 5.4, kGap = 10;        // points
constexpr std::int32_t kLeastSide = 8, kMostRows = 16, kMostColumns = 64;
constexpr int kMostLines = 2;
constexpr std::size_t kWarp = 32;
constexpr std::string_view kOpened = "-opened";  // behind the id of the panel that a block is of
constexpr float kFrameOff = 0.08F;               // of a cell: how far the frame stands off what is enlarged

// The block's rows and columns as they are wanted: whole, in powers of two of the least.
CellBlock wanted_block(const GridColumns& grid, std::int32_t least_rows) {
  const auto side = [](std::int32_t whole, std::int32_t extent, std::int32_t least, std::int32_t most) {
    std::int32_t wanted = std::max(whole, 1);
    while (wanted < least) wanted *= 2;
    while (wanted > most) wanted = (wanted + 1) / 2;
    return std::min(wanted, extent);
  };
  return {side(grid.whole_rows, grid.rows, least_rows, kMostRows), side(grid.whole_cols, grid.cols, kLeastSide, kMostColumns)};
}

// Where the block begins.
void aim(ToOpen& opened) {
  const GridColumns& grid = *opened.grid.of;
  const auto lit = std::find(grid.faint.begin(), grid.faint.end(), 0);
  opened.row = opened.col = 0;
  if (lit == grid.faint.end()) return;
  const auto at = static_cast<std::int32_t>(lit - grid.faint.begin());
  opened.row = std::min(at / grid.cols / opened.block.rows * opened.block.rows, grid.rows - opened.block.rows);
  opened.col = std::min(at % grid.cols / opened.block.cols * opened.block.cols, grid.cols - opened.block.cols);
}

GridColumns part_of(const ToOpen& opened) {
  return part_of(*opened.grid.of, {opened.row, opened.row + opened.block.rows - 1}, {opened.col, opened.col + opened.block.cols - 1});
}

// Of all panels but the words below.
float right_of_picture(const Scene& scene) {
  float right = 0;
  for (const Panel& panel : scene.panels) {
    if (panel.name != kCaptionPanel) right = std::max(right, bounds(panel).x1);
  }
  return right;
}

bool has_one_color(const GridColumns& grid) {
  return std::adjacent_find(grid.fills.begin(), grid.fills.end(), std::not_equal_to<>()) == grid.fills.end();
}

// Writes who reads an element under its offset, where colours say it too; of one warp they will say something else (color_apart).
void name_threads(ToOpen& opened) {
  const GridColumns& grid = *opened.grid.of;
  if (grid.thread.empty() || grid.address.empty() || has_one_color(part_of(opened))) return;
  GridColumns named = without_labels(grid);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const std::string_view label = grid.label(i);
    const bool offset = !label.empty() && label == std::to_string(grid.address[i]) && grid.thread[i] >= 0;
    named.add_label(offset ? fmt::format("{}\nT{}", label, grid.thread[i]) : std::string(label));
  }
  opened.grid.of = std::make_shared<const GridColumns>(std::move(named));
}

// The height of cells whose labels are so large.
float edge_for(const ToOpen& opened, double type, double cell_points) {
  Scene alone;
  alone.panels.emplace_back();
  Grid grid{0, 0, opened.grid.w / opened.grid.h, 1, std::make_shared<const GridColumns>(part_of(opened))};
  alone.panels.front().marks.emplace_back(std::move(grid));
  return static_cast<float>(type / (panel_type_size(alone, 0) * cell_points));
}

// Of the numbers at the left.
float numbers_width(const ToOpen& opened, double cell_points) {
  constexpr double kDigit = 0.62, kBeside = 0.6;  // in type sizes
  const std::string last = std::to_string(opened.row + opened.block.rows - 1);
  return static_cast<float>((static_cast<double>(last.size()) * kDigit + kBeside) * kNumber / cell_points) + kFrameOff * opened.edge;
}

float width_of(const ToOpen& opened, double cell_points) {
  return opened.edge * opened.grid.w / opened.grid.h * static_cast<float>(opened.block.cols) + numbers_width(opened, cell_points) +
         2 * kFrameOff * opened.edge;
}

// Where the first block of a line begins: its grid where the picture's do, its numbers beside the picture's own, and no name of an axis
// further out than the picture.
float first_x(const ToOpen& opened, const Bounds& box, float left, double cell_points) {
  constexpr double kNames = 4.1;  // "m↓ k→", in type sizes
  const float numbers = numbers_width(opened, cell_points), names = static_cast<float>(kNames * kNumber / cell_points);
  return std::max(box.x0 + std::max(0.0F, names - numbers), left - numbers);
}

// Sets the cells' sizes for labels of one size, with `alike` the cells' own too; how wide all are side by side.
float set_edges(std::vector<ToOpen>& to_open, double type, bool alike, double cell_points) {
  float largest = 0, taken = 0;
  for (ToOpen& each : to_open) largest = std::max(largest, each.edge = edge_for(each, type, cell_points));
  for (ToOpen& each : to_open) {
    if (alike) each.edge = largest;
    taken += width_of(each, cell_points) + (taken > 0 ? static_cast<float>(2 * kGap / cell_points) : 0);
  }
  return taken;
}

// In one line where that has room, with the largest type that does, which is returned; else 0, with the last that was tried.
double fit_in_a_line(std::vector<ToOpen>& to_open, float width, double cell_points) {
  const auto fits = [&](double type, bool alike) { return set_edges(to_open, type, alike, cell_points) <= width; };
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    if (fits(kTypes[i], true)) return kTypes[i];
    // Cells of one size are worth a little less type.
    if (i + 1 < std::size(kTypes) && fits(kTypes[i + 1], true)) return kTypes[i + 1];
    if (fits(kTypes[i], false)) return kTypes[i];
  }
  return 0;
}

// The first beside the picture, where there is so much room, and the others in a line below; all with the largest type for which there is.
bool fit_beside(std::vector<ToOpen>& to_open, float room, float width, double cell_points) {
  if (to_open.size() < 2) return false;
  for (const double type : kTypes) {
    const float all = set_edges(to_open, type, true, cell_points), first = width_of(to_open.front(), cell_points);
    if (first > room || all - first > width) continue;
    to_open.front().beside = true;
    return true;
  }
  return false;
}

std::size_t threads_in(const ToOpen& opened) {
  const GridColumns part = part_of(opened);
  const std::set<std::int32_t> threads(part.thread.begin(), part.thread.end());
  return threads.size();
}

// Halves the columns of the widest block that has more than two of the least sides; false: none has.
bool narrow(std::vector<ToOpen>& to_open) {
  const auto widest =
      std::max_element(to_open.begin(), to_open.end(), [](const ToOpen& a, const ToOpen& b) { return a.block.cols < b.block.cols; });
  if (widest->block.cols < 4 * kLeastSide) return false;
  widest->block.cols = (widest->block.cols + 1) / 2;
  aim(*widest);
  return true;
}

// Where there is no room for what is whole: halves a block's columns until the picture is as wide.
void cut_to(ToOpen& opened, float width, double cell_points) {
  while (opened.block.cols > 1 && width_of(opened, cell_points) > width) {
    opened.block.cols = (opened.block.cols + 1) / 2;
    aim(opened);
    opened.edge = edge_for(opened, kLeastType, cell_points);
  }
}

// Makes blocks wider as long as all of them have room, up to what is whole and at least to two of the least sides: where their type stays
// large, or where more of a warp's threads are seen.
void widen(std::vector<ToOpen>& to_open, float width, double cell_points) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < to_open.size(); ++i) {
      const GridColumns& grid = *to_open[i].grid.of;
      const std::int32_t cols = to_open[i].block.cols, wider_cols = cols < 2 * kLeastSide ? 2 * cols : cols + kLeastSide;
      if (wider_cols > std::min(std::max(2 * kLeastSide, wanted_block(grid, kLeastSide).cols), grid.cols)) continue;
      std::vector<ToOpen> wider = to_open;
      wider[i].block.cols = wider_cols;
      aim(wider[i]);
      const double type = fit_in_a_line(wider, width, cell_points);
      const bool shows_more = !grid.thread.empty() && threads_in(to_open[i]) < threads_in(wider[i]) && threads_in(to_open[i]) < kWarp;
      if (type == 0 || (type < kLargeType && !shows_more)) continue;
      to_open = std::move(wider);
      again = true;
    }
  }
}

// Breaks the line where the picture ends; what has no place in kMostLines is taken out.
void break_lines(std::vector<ToOpen>& to_open, float width, double cell_points) {
  float x = 0;
  int line = 0;
  for (ToOpen& each : to_open) {
    const float w = width_of(each, cell_points);
    if (x > 0 && x + w > width) ++line, x = 0;
    each.line = line;
    x += w + static_cast<float>(2 * kGap / cell_points);
  }
  std::erase_if(to_open, [](const ToOpen& each) { return each.line >= kMostLines; });
}

// What the labels of a grid say.
std::string_view words_of_labels(const GridColumns& grid) {
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const std::string_view label = grid.label(i);
    if (label.empty()) continue;
    const std::size_t end = label.find('\n');
    if (!grid.address.empty() && label.substr(0, end) == std::to_string(grid.address[i])) {
      if (end != std::string_view::npos) return "smem offset, thread";
      return grid.bits > 0 && !grid.thread.empty() ? "smem offset" : "offset";
    }
    if (!grid.thread.empty() && label.starts_with('T')) return end == std::string_view::npos ? "thread" : "thread and value";
    if (!grid.value.empty() && label.starts_with('V')) return "value";
    if (label.find(',') != std::string_view::npos) return "coordinate";
    return {};
  }
  return {};
}

std::string name_of_panel(const Panel& panel) { return panel.operand == PanelOperand::none ? std::string() : panel.id; }

// "sA: smem offset, thread"
std::string heading_of(const Panel& panel, const ToOpen& opened) {
  const std::string name = name_of_panel(panel);
  const std::string words(words_of_labels(*opened.grid.of));
  if (!name.empty()) return words.empty() ? name : fmt::format("{}: {}", name, words);
  return words.empty() ? "enlarged" : words;
}

// What the block's own hues mean: numbered swatches and words, from (x, y) on.
void add_hues(Scene& scene, Panel& panel, const OwnHues& hues, float x, float y, float type) {
  constexpr float kStep = 1.35F, kWide = 1.2F, kHigh = 1.05F;  // in type sizes
  for (std::size_t i = 0; i < hues.fills.size(); ++i, x += kStep * type) {
    panel.marks.emplace_back(Cell{x, y - kHigh * type / 2, kWide * type, kHigh * type, hues.fills[i]});
    panel.marks.emplace_back(
        Label{x + kWide * type / 2, y, scene.intern(std::to_string(i)), LabelRole::legend, Anchor::center, 0.8F * type});
  }
  panel.marks.emplace_back(Label{x + 0.2F * type, y, scene.intern(hues.words), LabelRole::legend, Anchor::left, type});
}

// Headings in the type that lets the longest end with its block.
float heading_type(const std::string& heading, float width, double cell_points) {
  constexpr double kLeastHeading = 5, kSign = 0.56;  // points; of bold type, in type sizes
  const double fits = width * cell_points / (kSign * static_cast<double>(heading.size()));
  return static_cast<float>(std::clamp(fits, kLeastHeading, kHeading) / cell_points);
}

std::string range_of(const ToOpen& opened) {
  return fmt::format("rows {}-{}, columns {}-{}", opened.row, opened.row + opened.block.rows - 1, opened.col,
                     opened.col + opened.block.cols - 1);
}

// Numbers of rows and columns, all of them or every second, fourth, ... column.
void add_numbers(Scene& scene, Panel& panel, const Grid& grid, const ToOpen& opened, double cell_points) {
  const auto size = static_cast<float>(kNumber / cell_points);
  const float off = kFrameOff * grid.h;
  for (std::int32_t r = 0; r < opened.block.rows; ++r) {
    panel.marks.push_back(Label{grid.x - 0.4F * size - off, grid.y + grid.h * (static_cast<float>(r) + 0.5F),
                                scene.intern(std::to_string(opened.row + r)), LabelRole::axis, Anchor::right, size});
  }
  const std::string last = std::to_string(opened.col + opened.block.cols - 1);
  std::int32_t step = 1;
  while (grid.w * static_cast<float>(step) < size * (0.62F * static_cast<float>(last.size()) + 0.3F)) step *= 2;
  for (std::int32_t c = 0; c < opened.block.cols; c += step) {
    panel.marks.push_back(Label{grid.x + grid.w * (static_cast<float>(c) + 0.5F), grid.y - 0.75F * size - off,
                                scene.intern(std::to_string(opened.col + c)), LabelRole::axis, Anchor::center, size});
  }
}

// The names of the axes, in the corner between their numbers.
void add_names_of_axes(Scene& scene, Panel& panel, const Grid& grid, double cell_points) {
  if (panel.axes.down.empty() || panel.axes.across.empty()) return;
  const auto size = static_cast<float>(kNumber / cell_points);
  const std::string names = panel.axes.down + "↓ " + panel.axes.across + "→";
  const float off = kFrameOff * grid.h;
  panel.marks.push_back(
      Label{grid.x - 0.4F * size - off, grid.y - 0.75F * size - off, scene.intern(names), LabelRole::legend, Anchor::right, size});
}

// Is the cell of the block lit that a line borders, upright or level, with its middle there, in cells?
bool is_lit_at(const ToOpen& opened, bool upright, float x, float y) {
  const GridColumns& of = *opened.grid.of;
  if (of.faint.empty()) return false;
  const auto within = [](float at, std::int32_t count) { return std::clamp(static_cast<std::int32_t>(at), 0, count - 1); };
  const std::int32_t row = opened.row + within(y, opened.block.rows), col = opened.col + within(x, opened.block.cols);
  // Where the line ends in the middle between two cells, the one before it is as good.
  const auto lit = [&](std::int32_t r, std::int32_t c) {
    return of.faint[static_cast<std::size_t>(r) * static_cast<std::size_t>(of.cols) + static_cast<std::size_t>(c)] == 0;
  };
  return lit(row, col) || (upright ? row > opened.row && lit(row - 1, col) : col > opened.col && lit(row, col - 1));
}

// The lines across the block; none where they would stand between all cells, but always those around what is lit.
void add_lines(Panel& panel, const Grid& grid, const ToOpen& opened) {
  constexpr float kNear = 1e-3F;
  std::vector<Line> within, lit;
  std::int64_t crossed = 0;  // edges of cells
  for (const Line& line : opened.lines) {
    const auto across = [&](float x, float end) {
      return std::clamp((x - opened.grid.x) / opened.grid.w - static_cast<float>(opened.col), 0.0F, end);
    };
    const auto down = [&](float y, float end) {
      return std::clamp((y - opened.grid.y) / opened.grid.h - static_cast<float>(opened.row), 0.0F, end);
    };
    const auto cols = static_cast<float>(opened.block.cols), rows = static_cast<float>(opened.block.rows);
    const float x0 = across(line.x0, cols), x1 = across(line.x1, cols), y0 = down(line.y0, rows), y1 = down(line.y1, rows);
    const bool vertical = std::abs(line.x1 - line.x0) < kNear;
    const float at = vertical ? x0 : y0, side = vertical ? cols : rows, length = std::abs(x1 - x0) + std::abs(y1 - y0);
    if (length < kNear) continue;
    const bool at_edge = at < kNear || at > side - kNear;
    // At an edge only what goes around cells of the block.
    if (at_edge && !(line.role == StrokeRole::highlight && is_lit_at(opened, vertical, (x0 + x1) / 2, (y0 + y1) / 2))) continue;
    const Line drawn{grid.x + grid.w * x0, grid.y + grid.h * y0, grid.x + grid.w * x1, grid.y + grid.h * y1, line.role, line.color};
    if (line.role == StrokeRole::highlight) {
      lit.push_back(drawn);
      continue;
    }
    crossed += std::lround(length);
    within.push_back(drawn);
  }
  if (crossed <= std::int64_t{opened.block.rows} * opened.block.cols) panel.marks.insert(panel.marks.end(), within.begin(), within.end());
  panel.marks.insert(panel.marks.end(), lit.begin(), lit.end());
}

// The block with its numbers and heading, from (0, 0) on.
Panel opened_panel(Scene& scene, ToOpen& opened, double cell_points) {
  const Panel& panel = scene.panels[opened.panel];
  GridColumns columns = part_of(opened);
  opened.hues = color_apart(scene, columns);
  Panel made{fmt::format("{} opened", panel.name), {}, fmt::format("{}{}", panel.id, kOpened), panel.operand, panel.axes};
  const auto heading = static_cast<float>(kHeading / cell_points), number = static_cast<float>(kNumber / cell_points);
  const bool has_hues = !opened.hues.words.empty();
  const float hues_row = has_hues ? 1.35F * heading : 0;
  const float off = kFrameOff * opened.edge;  // of the frame: clear of the lines inside
  const Grid grid{numbers_width(opened, cell_points) + off, 1.3F * heading + hues_row + 1.5F * number + off,
                  opened.edge * opened.grid.w / opened.grid.h, opened.edge, std::make_shared<const GridColumns>(std::move(columns))};
  const float w = grid.w * static_cast<float>(opened.block.cols), h = grid.h * static_cast<float>(opened.block.rows);
  const std::string words = heading_of(panel, opened);
  made.marks.emplace_back(
      Label{grid.x, 0.6F * heading, scene.intern(words), LabelRole::panel_name, Anchor::left, heading_type(words, w, cell_points)});
  if (has_hues) add_hues(scene, made, opened.hues, grid.x, 0.6F * heading + hues_row, 0.85F * heading);
  made.marks.emplace_back(grid);
  made.marks.emplace_back(Outline{grid.x, grid.y, w, h, StrokeRole::grid, true, grid.w, grid.h});
  add_lines(made, grid, opened);
  add_opened_frame(scene, made, {grid.x - off, grid.y - off, w + 2 * off, h + 2 * off});
  add_numbers(scene, made, grid, opened, cell_points);
  add_names_of_axes(scene, made, grid, cell_points);
  made.recipe = panel.recipe;
  return made;
}

}  // namespace

const Grid* first_labelled_grid(const Panel& panel) {
  for (const Mark& mark : panel.marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    if (grid && !grid->of->text.empty()) return grid;
  }
  return nullptr;
}

std::optional<ToOpen> to_open_of(const Scene& scene, std::size_t panel) {
  const Grid* grid = first_labelled_grid(scene.panels[panel]);
  if (!grid) return std::nullopt;
  ToOpen opened;
  opened.panel = panel;
  opened.grid = *grid;
  for (const Mark& mark : scene.panels[panel].marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (line && line->role >= StrokeRole::boundary) opened.lines.push_back(*line);
  }
  return opened;
}

bool is_opened(const Panel& panel) { return panel.id.ends_with(kOpened); }

void choose_blocks(const Scene& scene, std::vector<ToOpen>& to_open, double cell_points, float beside) {
  if (to_open.empty()) return;
  const auto want = [&](std::int32_t least_rows) {
    for (ToOpen& each : to_open) {
      each.block = wanted_block(*each.grid.of, least_rows);
      aim(each);
      name_threads(each);
    }
  };
  want(kMostRows);
  if (beside > 0) {
    const float left = left_edge(scene), right = left + beside, gap = static_cast<float>(2 * kGap / cell_points);
    if (fit_beside(to_open, right - right_of_picture(scene) - gap, beside, cell_points)) return;
  }
  const Bounds box = bounds(scene);
  const float width = box.x1 - first_x(to_open.front(), box, left_edge(scene), cell_points);
  bool fits = fit_in_a_line(to_open, width, cell_points) > 0;
  while (!fits && narrow(to_open)) fits = fit_in_a_line(to_open, width, cell_points) > 0;
  if (fits) widen(to_open, width, cell_points);
  if (fits) fit_in_a_line(to_open, width, cell_points);
  if (!fits) {
    want(kLeastSide);  // they stand below each other
    set_edges(to_open, kLeastType, false, cell_points);
    for (ToOpen& each : to_open) cut_to(each, width, cell_points);
  }
  break_lines(to_open, width, cell_points);
}

Outline frame_of(const ToOpen& opened) {
  const Grid& grid = opened.grid;
  return {grid.x + grid.w * static_cast<float>(opened.col), grid.y + grid.h * static_cast<float>(opened.row),
          grid.w * static_cast<float>(opened.block.cols), grid.h * static_cast<float>(opened.block.rows), StrokeRole::highlight};
}

void add_opened_frame(Scene& scene, Panel& panel, const Outline& frame) {
  constexpr Rgb kFrame{200, 24, 88};
  const ColorIndex color = scene.palette_name == "greys" ? kNoColor : scene.color(kFrame);
  add_rectangle(panel, {frame.x, frame.y, frame.x + frame.w, frame.y + frame.h}, StrokeRole::highlight, color);
}

std::string words_of_opened(const Scene& scene, const std::vector<ToOpen>& to_open) {
  std::vector<std::pair<std::string, std::string>> ranges;  // and of which panels
  for (const ToOpen& each : to_open) {
    const std::string name = name_of_panel(scene.panels[each.panel]);
    const auto same = std::find_if(ranges.begin(), ranges.end(), [&](const auto& known) { return known.first == range_of(each); });
    if (same == ranges.end())
      ranges.emplace_back(range_of(each), name);
    else if (!name.empty())
      same->second += ", " + name;
  }
  std::string out;
  for (const auto& [range, names] : ranges)
    out += fmt::format("{}{}{}", out.empty() ? "Framed, and enlarged: " : "; ", range, names.empty() ? "" : " of " + names);
  return out;
}

void place_opened(Scene& scene, std::vector<ToOpen>& to_open, double cell_points, float beside) {
  if (to_open.empty()) return;
  const float left = left_edge(scene);
  const Bounds box = bounds(scene);
  std::optional<Panel> caption;
  if (!scene.panels.empty() && scene.panels.back().name == kCaptionPanel) {
    caption = std::move(scene.panels.back());
    scene.panels.pop_back();
  }
  const Bounds picture = bounds(scene);
  const float gap = static_cast<float>(kGap / cell_points);
  float bottom = picture.y1, x = left, below = 0, top = 0;
  int line = -1;
  for (ToOpen& each : to_open) {
    Panel panel = opened_panel(scene, each, cell_points);
    Scene alone;
    alone.text = scene.text;
    alone.panels.push_back(panel);
    if (each.beside) {
      shift(panel, left + beside - width_of(each, cell_points), picture.y0);
      bottom = std::max(bottom, picture.y0 + bounds(alone).y1);
      scene.panels.push_back(std::move(panel));
      continue;
    }
    if (each.line != line) line = each.line, top = below, x = first_x(each, box, left, cell_points);
    shift(panel, x, bottom + top + gap);
    x += width_of(each, cell_points) + 2 * gap;
    below = std::max(below, top + gap + bounds(alone).y1);
    scene.panels.push_back(std::move(panel));
  }
  if (!caption) return;
  const float down = bottom + below - picture.y1;
  for (Mark& mark : caption->marks) {
    if (const auto* label = std::get_if<Label>(&mark); label && label->y > picture.y1) shift(mark, 0, down);
    if (const auto* swatch = std::get_if<Cell>(&mark); swatch && swatch->y > picture.y1) shift(mark, 0, down);
  }
  scene.panels.push_back(std::move(*caption));
}

}  // namespace tessera
