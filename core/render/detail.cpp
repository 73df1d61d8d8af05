// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/detail.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/render/overview.hpp"
#include "core/render/typography.hpp"

namespace tessera {
namespace {

constexpr double kPointsOfAnInch = 72, kMillimetresOfAnInch = 25.4, kWidestInches = 200;
constexpr double kNoteType = 6;           // points
constexpr float kCharacterWidth = 0.57F;  // in type sizes; bounds() counts a hundredth less

bool has_label(const Cell& cell) { return cell.label.length > 0; }

// Cells of one colour in a row become one, then rows of one place and width; in the order in which they were drawn.
void merge(Panel& panel) {
  std::vector<Mark> made;
  made.reserve(panel.marks.size());
  std::map<std::tuple<float, float, ColorIndex, bool>, std::size_t> above;  // x, width, colour, faint -> the shape that ends there
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const auto* first = std::get_if<Cell>(&panel.marks[i]);
    if (!first || has_label(*first)) {
      made.push_back(std::move(panel.marks[i]));
      continue;
    }
    Cell run = *first;
    for (; i + 1 < panel.marks.size(); ++i) {
      const auto* next = std::get_if<Cell>(&panel.marks[i + 1]);
      const bool joins = next && !has_label(*next) && next->fill == run.fill && next->faint == run.faint && next->y == run.y &&
                         next->h == run.h && next->x == run.x + run.w;
      if (!joins) break;
      run.w += next->w;
      run.subject_count = 0;  // it stands for many
    }
    const auto key = std::tuple(run.x, run.w, run.fill, run.faint);
    if (const auto found = above.find(key); found != above.end()) {
      Cell& upper = std::get<Cell>(made[found->second]);
      if (upper.y + upper.h == run.y) {
        upper.h += run.h;
        upper.subject_count = 0;
        continue;
      }
    }
    above[key] = made.size();
    made.push_back(run);
  }
  panel.marks = std::move(made);
}

// Words of a text in lines of at most so many characters; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (lines.empty() || lines.back().size() + 1 + word.size() > most)
      lines.emplace_back(word);
    else
      (lines.back() += ' ') += word;
  }
  return lines;
}

}  // namespace

std::size_t take_labels(Mark& mark) {
  if (auto* cell = std::get_if<Cell>(&mark); cell && has_label(*cell)) {
    cell->label = {};
    cell->lines = 0;
    return 1;
  }
  auto* grid = std::get_if<Grid>(&mark);
  if (!grid || grid->of->label_ends.empty()) return 0;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < grid->of->size(); ++i) taken += !grid->of->label(i).empty();
  GridColumns without = *grid->of;
  without.text.clear();
  without.label_ends.clear();
  grid->of = std::make_shared<const GridColumns>(std::move(without));
  return taken;
}

void add_note(Scene& scene, double cell_points, std::string_view text) {
  const Bounds box = bounds(scene);
  const auto size = static_cast<float>(kNoteType / cell_points);
  Panel panel{"", {}};
  float y = box.y1;
  for (const std::string& line : wrapped(text, static_cast<std::size_t>(box.width() / (kCharacterWidth * size)))) {
    y += 1.2F * size;
    panel.marks.push_back(Label{box.x0, y, scene.intern(line), LabelRole::note, Anchor::left, size});
  }
  scene.panels.push_back(std::move(panel));
}

Result<double> width_in_points(std::string_view text) {
  struct Known {
    std::string_view name;
    double points;
  };
  constexpr Known kWidths[] = {{"columnwidth", 3.33 * kPointsOfAnInch},
                               {"textwidth", 6.5 * kPointsOfAnInch},
                               {"slide", 128 / kMillimetresOfAnInch * kPointsOfAnInch}};
  constexpr Known kUnits[] = {{"in", kPointsOfAnInch},
                              {"mm", kPointsOfAnInch / kMillimetresOfAnInch},
                              {"cm", 10 * kPointsOfAnInch / kMillimetresOfAnInch},
                              {"pt", 1}};
  for (const Known& each : kWidths) {
    if (each.name == text) return each.points;
  }
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Known& each : kUnits) {
    const double points = number * each.points;
    if (bad == std::errc() && each.name == unit && points > 0 && points <= kWidestInches * kPointsOfAnInch) return points;
  }
  return Error{ErrorCode::parse,
               fmt::format("\"{}\" is no width", text),
               {},
               {fmt::format("write 3.33in, 84mm, 8cm or 240pt, at most {} in, or columnwidth, textwidth or slide", kWidestInches)}};
}

double cell_for_width(const Scene& scene, double points, bool margins) {
  const Bounds box = bounds(scene);
  return points / (box.width() + (margins ? page_unit(box) : 0));
}

namespace {

// What was taken from a picture.
struct LeftOut {
  std::size_t labels = 0;
  double smallest = kLeastLabel;  // points: their type
  bool lines = false, named = false, named_offsets = false;
};

// A tile that is drawn once more, in larger cells.
struct Opened {
  Panel panel;
  Bounds box;
};

constexpr double kInsetType = 5.4, kInsetHeading = 7;  // points
constexpr std::int32_t kInsetCells = 8;                // along one side

// What is opened: the corner, or where something is lit the block that has the first such cell.
std::pair<std::int32_t, std::int32_t> corner_to_open(const GridColumns& grid, const CellBlock& size) {
  const auto lit = std::find(grid.faint.begin(), grid.faint.end(), 0);
  if (lit == grid.faint.end()) return {0, 0};
  const auto place = static_cast<std::int32_t>(lit - grid.faint.begin());
  return {std::min(place / grid.cols / size.rows * size.rows, grid.rows - size.rows),
          std::min(place % grid.cols / size.cols * size.cols, grid.cols - size.cols)};
}

// The corner of a grid with the labels that it had, from (0, 0) on; `type` of them in the picture, in cells.
Opened opened_tile(Scene& scene, const Panel& panel, const Grid& grid, double type, double cell_points) {
  const CellBlock size{std::min(grid.of->rows, kInsetCells), std::min(grid.of->cols, kInsetCells)};
  const auto [row, col] = corner_to_open(*grid.of, size);
  const auto times = static_cast<float>(kInsetType / (type * cell_points));
  Opened made{{fmt::format("{} opened", panel.name), {}, panel.id + "-opened", panel.operand, panel.axes}, {}};
  const float heading = static_cast<float>(kInsetHeading / cell_points);
  const std::string what = panel.id.empty() ? "rows" : panel.id + ", rows";
  made.panel.marks.push_back(Label{
      0, 0.6F * heading, scene.intern(fmt::format("{} {}-{}, columns {}-{}", what, row, row + size.rows - 1, col, col + size.cols - 1)),
      LabelRole::panel_name, Anchor::left, heading});
  const Grid opened{0, 1.5F * heading, times * grid.w, times * grid.h,
                    std::make_shared<const GridColumns>(part_of(*grid.of, row, col, size))};
  const float w = opened.w * static_cast<float>(size.cols), h = opened.h * static_cast<float>(size.rows);
  made.panel.marks.push_back(opened);
  made.panel.marks.push_back(Outline{0, opened.y, w, h, StrokeRole::grid, true, opened.w, opened.h});
  made.panel.marks.push_back(Outline{0, opened.y, w, h, StrokeRole::strong, false});
  Scene alone;
  alone.text = scene.text;
  alone.panels.push_back(made.panel);
  made.box = bounds(alone);
  return made;
}

struct Moved {
  float dx, dy;
  template <class Box>
  void move(Box& box) const {
    box.x += dx, box.y += dy;
  }
  void operator()(Cell& c) const { move(c); }
  void operator()(Grid& g) const { move(g); }
  void operator()(Outline& o) const { move(o); }
  void operator()(Label& l) const { move(l); }
  void operator()(Line& l) const { l.x0 += dx, l.x1 += dx, l.y0 += dy, l.y1 += dy; }
  void operator()(Arrow& a) const { a.x0 += dx, a.x1 += dx, a.y0 += dy, a.y1 += dy; }
};

void move(Panel& panel, float dx, float dy) {
  for (Mark& mark : panel.marks) std::visit(Moved{dx, dy}, mark);
}

// Where the leftmost grid begins: what stands below is flush with it.
float grids_left(const Scene& scene) {
  float left = bounds(scene).x1;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) left = std::min(left, grid->x);
    }
  }
  return left;
}

// Puts opened tiles below the picture, above its captions, as many as its width holds.
void place_opened(Scene& scene, std::vector<Opened> opened, double cell_points) {
  if (opened.empty()) return;
  std::optional<Panel> caption;
  if (!scene.panels.empty() && scene.panels.back().name == kCaptionPanel) {
    caption = std::move(scene.panels.back());
    scene.panels.pop_back();
  }
  const Bounds box = bounds(scene);
  const float gap = static_cast<float>(10 / cell_points);
  const float left = grids_left(scene);
  float x = left, below = 0;
  for (Opened& tile : opened) {
    if (x > left && x + tile.box.width() > box.x1) continue;
    move(tile.panel, x - tile.box.x0, box.y1 + gap);
    x += tile.box.width() + 2 * gap;
    below = std::max(below, tile.box.height() + gap);
    scene.panels.push_back(std::move(tile.panel));
  }
  if (!caption) return;
  for (Mark& mark : caption->marks) {
    if (const auto* label = std::get_if<Label>(&mark); label && label->y > box.y1) std::visit(Moved{0, below}, mark);
    if (const auto* swatch = std::get_if<Cell>(&mark); swatch && swatch->y > box.y1) std::visit(Moved{0, below}, mark);
  }
  scene.panels.push_back(std::move(*caption));
}

// Around what is opened.
Outline frame_of_opened(const Grid& grid) {
  const CellBlock block{std::min(grid.of->rows, kInsetCells), std::min(grid.of->cols, kInsetCells)};
  const auto [row, col] = corner_to_open(*grid.of, block);
  return {grid.x + grid.w * static_cast<float>(col), grid.y + grid.h * static_cast<float>(row), grid.w * static_cast<float>(block.cols),
          grid.h * static_cast<float>(block.rows), StrokeRole::highlight};
}

bool is_thin(const Mark& mark) {
  const auto* line = std::get_if<Line>(&mark);
  return line && line->role == StrokeRole::boundary;
}

// Lines between cells and within warps, which would only be stubs around the names.
void take_thin_lines(Panel& panel) {
  for (Mark& mark : panel.marks) {
    if (auto* outline = std::get_if<Outline>(&mark)) outline->grid = false;
  }
  std::erase_if(panel.marks, is_thin);
}

// Thin lines that stand less than four cells apart, as they do where a mode's innermost extent is 2, are a haze on small cells.
void take_dense_lines(Panel& panel) {
  constexpr std::int64_t kApart = 4;
  std::int64_t cells = 0;  // along the sides of the grids
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) cells += grid->of->rows + grid->of->cols;
  }
  if (std::count_if(panel.marks.begin(), panel.marks.end(), is_thin) * kApart > cells) std::erase_if(panel.marks, is_thin);
}

// Takes the labels of a panel; its grids' tiles are named where that can be read, and the first tile of the first grid is opened.
void take_panel_labels(Scene& scene, std::size_t index, double type, double cell_points, LeftOut& left_out, std::vector<Opened>& opened) {
  Panel& panel = scene.panels[index];
  const std::size_t before = left_out.labels;
  const std::size_t marks = panel.marks.size();
  bool first = true;
  std::vector<std::pair<Grid, TileNames>> named;
  std::optional<Outline> frame;
  for (std::size_t i = 0; i < marks; ++i) {
    const auto* found = std::get_if<Grid>(&panel.marks[i]);
    const std::optional<Grid> grid = found ? std::optional(*found) : std::nullopt;  // with its labels
    const std::size_t taken = take_labels(panel.marks[i]);
    left_out.labels += taken;
    if (!grid || taken == 0) continue;
    if (first) {
      opened.push_back(opened_tile(scene, panel, *grid, type, cell_points));
      frame = frame_of_opened(*grid);
    }
    first = false;
    if (!grid->of->faint.empty()) continue;  // names would lie over what is lit
    if (const auto size = readable_tiles(scene, *grid, cell_points)) {
      named.emplace_back(*grid, *size);
      (grid->of->thread.empty() ? left_out.named_offsets : left_out.named) = true;
    }
  }
  if (!named.empty()) take_thin_lines(panel);
  for (const auto& [grid, names] : named) name_tiles(scene, panel, grid, names, cell_points);
  if (frame) panel.marks.push_back(*frame);  // last: whole, over the names
  if (left_out.labels > before) left_out.smallest = std::min(left_out.smallest, type * cell_points);
}

std::string words(const LeftOut& left_out, double cell_points) {
  if (left_out.labels > 0) {
    return fmt::format("{} labels would be {:.1f} pt high at this size and are left out{}; --labels all draws them", left_out.labels,
                       left_out.smallest,
                       left_out.named           ? ": tiles are named (+: others too), and a corner is opened"
                       : left_out.named_offsets ? ": tiles have their first offset (0 +), and a corner is opened"
                                                : "; a corner is opened");
  }
  return left_out.lines ? fmt::format("the lines between cells of {:.1f} pt are left out", cell_points) : std::string();
}

}  // namespace

Scene at_size(Scene scene, double cell_points, bool all_labels) {
  if (scene.style != FigureStyle::tessera) return scene;
  LeftOut left_out;
  std::vector<Opened> opened;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    const double type = panel_type_size(scene, i);
    if (type * cell_points < kLeastLabel && !all_labels) take_panel_labels(scene, i, type, cell_points, left_out, opened);
    if (cell_points >= kLeastCell) continue;
    for (Mark& mark : scene.panels[i].marks) {
      auto* outline = std::get_if<Outline>(&mark);
      if (!outline || !outline->grid || std::min(outline->step_x, outline->step_y) * cell_points >= kLeastCell) continue;
      outline->grid = false;
      left_out.lines = true;
    }
    take_dense_lines(scene.panels[i]);
    merge(scene.panels[i]);
  }
  place_opened(scene, std::move(opened), cell_points);
  if (const std::string note = words(left_out, cell_points); !note.empty()) add_note(scene, cell_points, note);
  return scene;
}

}  // namespace tessera
