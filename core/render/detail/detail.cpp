// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/detail/detail.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/diagram/scene/caption_lines.hpp"
#include "core/diagram/scene/panel_part.hpp"
#include "core/render/detail/enlarged_blocks.hpp"
#include "core/render/detail/overview.hpp"
#include "core/render/shared/look.hpp"

namespace tessera {
namespace {

constexpr double kPointsOfAnInch = 72, kMillimetresOfAnInch = 25.4, kWidestInches = 200;
constexpr double kNoteType = 6;           // points, where the picture has no words of its own
constexpr float kCharacterWidth = 0.57F;  // in type sizes; bounds() counts a hundredth less

// The type of the words below a picture.
std::optional<float> note_size(const Scene& scene) {
  if (scene.panels.empty() || scene.panels.back().name != kCaptionPanel) return std::nullopt;
  for (const Mark& mark : scene.panels.back().marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (label && label->role == LabelRole::note) return type_size(*label);
  }
  return std::nullopt;
}

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
  grid->of = std::make_shared<const GridColumns>(without_labels(*grid->of));
  return taken;
}

void add_note(Scene& scene, double cell_points, std::string_view text) {
  const Bounds box = bounds(scene);
  const auto size = note_size(scene).value_or(static_cast<float>(kNoteType / cell_points));
  Panel panel{"", {}};
  float y = box.y1;
  const float left = left_edge(scene);  // as the caption
  const auto signs = static_cast<std::size_t>((box.x1 - left) / (kCharacterWidth * size));
  for (const std::string& line : wrap(text, signs, std::string_view::npos)) {
    y += 1.2F * size;
    panel.marks.push_back(Label{left, y, scene.intern(line), LabelRole::note, Anchor::left, size});
  }
  scene.panels.push_back(std::move(panel));
}

namespace {

struct KnownLength {
  std::string_view name;
  double points;
};

constexpr KnownLength kWidths[] = {
    {"columnwidth", 3.33 * kPointsOfAnInch}, {"textwidth", 6.5 * kPointsOfAnInch}, {"slide", 128 / kMillimetresOfAnInch* kPointsOfAnInch}};
constexpr KnownLength kHeights[] = {{"textheight", 9 * kPointsOfAnInch}, {"slide", 90 / kMillimetresOfAnInch* kPointsOfAnInch}};

Result<double> length_in_points(std::string_view text, std::span<const KnownLength> known, std::string_view what, std::string_view names) {
  constexpr KnownLength kUnits[] = {{"in", kPointsOfAnInch},
                                    {"mm", kPointsOfAnInch / kMillimetresOfAnInch},
                                    {"cm", 10 * kPointsOfAnInch / kMillimetresOfAnInch},
                                    {"pt", 1}};
  for (const KnownLength& each : known) {
    if (each.name == text) return each.points;
  }
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const KnownLength& each : kUnits) {
    const double points = number * each.points;
    if (bad == std::errc() && each.name == unit && points > 0 && points <= kWidestInches * kPointsOfAnInch) return points;
  }
  return Error{ErrorCode::parse,
               fmt::format("\"{}\" is no {}", text, what),
               {},
               {fmt::format("write 3.33in, 84mm, 8cm or 240pt, at most {} in, or {}", kWidestInches, names)}};
}

}  // namespace

Result<double> width_in_points(std::string_view text) {
  return length_in_points(text, kWidths, "width", "columnwidth, textwidth or slide");
}

Result<double> height_in_points(std::string_view text) { return length_in_points(text, kHeights, "height", "textheight or slide"); }

double cell_for_width(const Scene& scene, double points, bool margins) {
  const Bounds box = bounds(scene);
  return points / (margins ? with_margins(box).width : box.width());
}

namespace {

// What was taken from a picture.
struct LeftOut {
  std::size_t labels = 0;
  double smallest = kLeastLabel;  // points: their type
  bool lines = false;
  std::vector<std::string> names;  // what is said of the names of tiles
  bool named_once = false;         // each on one tile of several
  std::string times;               // "4 × 6 times in gC, 4 times down in sA"
};

// The pieces of one grid have tiles of one size: the largest that one of them wants, where all can be cut into such.
void name_alike(std::vector<std::pair<Grid, TileNames>>& named) {
  const auto area = [](const TileNames& names) { return std::int64_t{names.size.rows} * names.size.cols; };
  TileNames one;
  for (const auto& [grid, names] : named) {
    if (area(names) > area(one) || !names.whole) one = {area(names) > area(one) ? names.size : one.size, one.whole && names.whole};
  }
  for (const auto& [grid, names] : named) {
    if (grid.of->rows % one.size.rows != 0 || grid.of->cols % one.size.cols != 0) return;
  }
  for (auto& [grid, names] : named) names = one;
}

bool is_thin(const Mark& mark) {
  const auto* line = std::get_if<Line>(&mark);
  return line && line->role == StrokeRole::boundary;
}

// Lines between cells, which would only be stubs around the names; so would be those within warps, and around one of their atoms, where
// names stand on their tiles' colour.
void take_lines_around_names(Panel& panel, bool on_paper) {
  for (Mark& mark : panel.marks) {
    if (auto* outline = std::get_if<Outline>(&mark)) outline->grid = false;
  }
  if (on_paper) return;
  std::erase_if(panel.marks, [](const Mark& mark) {
    const auto* line = std::get_if<Line>(&mark);
    return line && (line->role == StrokeRole::boundary || line->role == StrokeRole::highlight);
  });
}

// Thin lines that stand less than four cells apart, as they do where a mode's innermost extent is 2, are a haze on small cells.
void take_dense_lines(Panel& panel) {
  constexpr std::int64_t kApart = 4;
  std::int64_t cells = 0;  // along the sides of the grids
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) cells += grid->of->rows + grid->of->cols;
  }
  if (cells == 0) return;  // a tree's lines have no cells between them
  if (std::count_if(panel.marks.begin(), panel.marks.end(), is_thin) * kApart > cells) std::erase_if(panel.marks, is_thin);
}

// What the plus behind a name means; empty: no name of the grid has one.
std::string words_of_plus(const GridColumns& grid) {
  if (grid.thread.empty()) return grid.address.empty() ? std::string() : "Plus: the first offset of several";
  constexpr std::int32_t kWarp = 32;
  bool warps = false;
  if (grid.others.empty()) return {};
  for (std::size_t i = 0; i < grid.size() && !warps; ++i) {
    for (const Owner& other : grid.others_of(i)) warps = warps || other.thread / kWarp != grid.thread[i] / kWarp;
  }
  return fmt::format("Plus: other {} hold or read it too", warps ? "warps" : "threads");
}

// Takes the labels of a panel, and names its grids' tiles where that can be read. `frame`: of what is opened.
void take_panel_labels(Scene& scene, std::size_t index, double type, double cell_points, const std::optional<Outline>& frame,
                       LeftOut& left_out) {
  Panel& panel = scene.panels[index];
  const std::size_t before = left_out.labels;
  const std::size_t marks = panel.marks.size();
  std::vector<std::pair<Grid, TileNames>> named;
  for (std::size_t i = 0; i < marks; ++i) {
    const auto* found = std::get_if<Grid>(&panel.marks[i]);
    const std::optional<Grid> grid = found ? std::optional(*found) : std::nullopt;  // with its labels
    const std::size_t taken = take_labels(panel.marks[i]);
    left_out.labels += taken;
    if (!grid || taken == 0 || !grid->of->faint.empty()) continue;  // names would lie over what is lit
    if (const auto size = readable_tiles(scene, *grid, cell_points)) named.emplace_back(*grid, *size);
  }
  name_alike(named);
  const bool on_paper =
      std::all_of(named.begin(), named.end(), [&](const auto& each) { return stand_on_paper(scene, *each.first.of, each.second.size); });
  if (!named.empty()) take_lines_around_names(panel, on_paper);
  const auto say = [&](const std::string& words) {
    if (!words.empty() && std::find(left_out.names.begin(), left_out.names.end(), words) == left_out.names.end())
      left_out.names.push_back(words);
  };
  for (const auto& [grid, names] : named) {
    const NamedOnce named_once = name_tiles(scene, panel, grid, names, cell_points, frame);
    left_out.named_once = left_out.named_once || named_once.once;
    if (!named_once.times.empty()) {
      const std::string where = panel.operand == PanelOperand::none ? std::string() : " in " + panel.id;
      left_out.times += fmt::format("{}{}{}", left_out.times.empty() ? "" : ", ", named_once.times, where);
    }
    say(words_of_plus(*grid.of));
  }
  if (frame) {  // whole, over the names, and below the outlines of what is lit
    add_opened_frame(scene, panel, *frame);
    if (panel.shown.empty())
      std::stable_partition(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) {
        const auto* line = std::get_if<Line>(&mark);
        return !line || line->role != StrokeRole::highlight || line->color != kNoColor;
      });
  }
  if (left_out.labels > before) left_out.smallest = std::min(left_out.smallest, type * cell_points);
}

// Numbers of an axis are no larger than what stands in the cells: they would be read first.
void fit_numbers(Panel& panel, double type) {
  for (Mark& mark : panel.marks) {
    auto* label = std::get_if<Label>(&mark);
    if (label && label->role == LabelRole::axis && type_size(*label) > type) label->size = static_cast<float>(type);
  }
}

// Is there a line of this role, in what is enlarged or in the picture itself?
bool has_line(const Scene& scene, StrokeRole role, bool opened) {
  const auto is_one = [&](const Mark& mark) {
    const auto* line = std::get_if<Line>(&mark);
    return line && line->role == role;
  };
  return std::any_of(scene.panels.begin(), scene.panels.end(), [&](const Panel& panel) {
    return is_opened(panel) == opened && std::any_of(panel.marks.begin(), panel.marks.end(), is_one);
  });
}

// What the caption says of thin lines goes where all of them are gone, and is said of what is enlarged where they are there alone.
void take_line_words(Scene& scene) {
  if (scene.thin_lines.empty() || has_line(scene, StrokeRole::boundary, false) || scene.panels.back().name != kCaptionPanel) return;
  const bool enlarged = has_line(scene, StrokeRole::boundary, true);
  Panel& caption = scene.panels.back();
  const std::string grey = std::string(kGreyLine) + scene.thin_lines;
  for (std::size_t i = 0; i < caption.marks.size(); ++i) {
    auto* label = std::get_if<Label>(&caption.marks[i]);
    if (!label || !scene.text_of(label->text).starts_with(grey)) continue;
    const std::string rest(scene.text_of(label->text).substr(grey.size()));
    if (enlarged) {
      label->text = scene.intern(fmt::format("{}{} (in what is enlarged){}", kGreyLine, scene.thin_lines, rest));
      return;
    }
    if (rest.starts_with("; ")) {
      label->text = scene.intern(rest.substr(2));
      return;
    }
    if (!rest.empty()) return;
    const float y = label->y;
    caption.marks.erase(caption.marks.begin() + static_cast<std::ptrdiff_t>(i));
    float next = y;  // of the line below
    for (const Mark& mark : caption.marks) {
      const auto* below = std::get_if<Label>(&mark);
      if (below && below->y > y && (next == y || below->y < next)) next = below->y;
    }
    for (Mark& mark : caption.marks) {
      if (const auto* below = std::get_if<Label>(&mark); below && below->y > y) shift(mark, 0, y - next);
      if (const auto* swatch = std::get_if<Cell>(&mark); swatch && swatch->y > y) shift(mark, 0, y - next);
    }
    return;
  }
}

// What the caption says of strong lines is said of the maps where none is in what is enlarged.
void say_strong_lines_of_maps(Scene& scene) {
  if (!has_line(scene, StrokeRole::strong, false) || has_line(scene, StrokeRole::strong, true) ||
      std::none_of(scene.panels.begin(), scene.panels.end(), is_opened))
    return;
  for (Mark& mark : scene.panels.back().marks) {
    auto* label = std::get_if<Label>(&mark);
    if (!label) continue;
    std::string words(scene.text_of(label->text));
    const std::size_t at = words.find(kStrongLine);
    if (at == std::string::npos) continue;
    words.replace(at, kStrongLine.size(), "strong line in the maps: ");
    label->text = scene.intern(words);
  }
}

// What hues mean in the picture, where they mean something else in what is opened below it.
void say_hues_above(Scene& scene, const std::vector<ToOpen>& to_open) {
  if (std::none_of(to_open.begin(), to_open.end(), [](const ToOpen& each) { return !each.hues.words.empty(); })) return;
  for (Mark& mark : scene.panels.back().marks) {
    auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::legend) continue;
    std::string words(scene.text_of(label->text));
    if (words.starts_with("hue: ")) words = "hue in the maps: " + words.substr(5);
    if (const std::size_t at = words.find(kFirstReader); at != std::string::npos) words.insert(at, "in the maps ");
    label->text = scene.intern(words);
  }
}

// What the picture says of itself, in sentences.
std::string words(const LeftOut& left_out, const std::string& opened) {
  std::string out;
  const auto say = [&](const std::string& sentence) {
    if (!sentence.empty()) out += fmt::format("{}{}.", out.empty() ? "" : " ", sentence);
  };
  say(opened);
  if (!left_out.times.empty())
    say("Each name is written once: the pattern comes " + left_out.times);
  else if (left_out.named_once)
    say("Each name is written once, where it comes first");
  for (const std::string& each : left_out.names) say(each);
  return out;
}

}  // namespace

Scene at_size(Scene scene, double cell_points, const Detail& detail) {
  if (!look_of(scene).gives_way) return scene;
  scene.cell_points = cell_points;
  LeftOut left_out;
  std::vector<double> types;
  std::vector<ToOpen> to_open;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    types.push_back(panel_type_size(scene, i));
    if (types[i] * cell_points >= kLeastLabel || detail.all_labels || !detail.opens) continue;
    if (std::optional<ToOpen> opened = to_open_of(scene, i)) to_open.push_back(std::move(*opened));
  }
  choose_blocks(scene, to_open, cell_points, detail.beside);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    if (types[i] * cell_points < kLeastLabel && !detail.all_labels) {
      const auto opened = std::find_if(to_open.begin(), to_open.end(), [&](const ToOpen& each) { return each.panel == i; });
      take_panel_labels(scene, i, types[i], cell_points, opened == to_open.end() ? std::nullopt : std::optional(frame_of(*opened)),
                        left_out);
    } else if (first_labelled_grid(scene.panels[i])) {
      fit_numbers(scene.panels[i], cell_type_size(scene, i));
    }
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
  place_opened(scene, to_open, cell_points, detail.beside);
  take_line_words(scene);
  say_strong_lines_of_maps(scene);
  say_hues_above(scene, to_open);
  if (const std::string note = words(left_out, words_of_opened(scene, to_open)); !note.empty()) add_note(scene, cell_points, note);
  if (left_out.labels > 0)
    scene.left_out = fmt::format("{} labels would be {:.1f} pt high at this size and are left out; --labels all draws them",
                                 left_out.labels, left_out.smallest);
  else if (left_out.lines)
    scene.left_out = fmt::format("the lines between cells of {:.1f} pt are left out", cell_points);
  return scene;
}

}  // namespace tessera
