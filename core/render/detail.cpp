// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/detail.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include <fmt/format.h>

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
      run.link_count = 0;  // it stands for many
    }
    const auto key = std::tuple(run.x, run.w, run.fill, run.faint);
    if (const auto found = above.find(key); found != above.end()) {
      Cell& upper = std::get<Cell>(made[found->second]);
      if (upper.y + upper.h == run.y) {
        upper.h += run.h;
        upper.link_count = 0;
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

Scene at_size(Scene scene, double cell_points, bool all_labels) {
  if (scene.style != FigureStyle::tessera) return scene;
  std::size_t without_labels = 0;
  double smallest = kLeastLabel;
  bool without_lines = false;
  for (Panel& panel : scene.panels) {
    const double type = cell_type_size(scene, panel) * cell_points;
    if (type < kLeastLabel && !all_labels) {
      for (Mark& mark : panel.marks) {
        auto* cell = std::get_if<Cell>(&mark);
        if (!cell || !has_label(*cell)) continue;
        cell->label = {};
        cell->lines = 0;
        ++without_labels;
        smallest = std::min(smallest, type);
      }
    }
    if (cell_points >= kLeastCell) continue;
    for (Mark& mark : panel.marks) {
      auto* outline = std::get_if<Outline>(&mark);
      if (!outline || !outline->grid) continue;
      outline->grid = false;
      without_lines = true;
    }
    merge(panel);
  }
  if (without_labels > 0) {
    add_note(scene, cell_points,
             fmt::format("{} labels are left out, which would be {:.1f} pt high at this size; --labels all draws them", without_labels,
                         smallest));
  } else if (without_lines) {
    add_note(scene, cell_points, fmt::format("the lines between cells of {:.1f} pt are left out", cell_points));
  }
  return scene;
}

}  // namespace tessera
