// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/picked_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/scene/selection.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostListed = 64;  // coordinates that are named one by one where they fill no rectangle

const Grid* grid_of(const Scene& scene, const ElementId& id) {
  if (id.panel >= scene.panels.size() || id.mark >= scene.panels[id.panel].marks.size()) return nullptr;
  return std::get_if<Grid>(&scene.panels[id.panel].marks[id.mark]);
}

// The rectangle of cells as it is drawn; of marks that are no grid the cell itself.
std::vector<ElementId> cells_between(const Scene& scene, const ElementId& from, const ElementId& to) {
  const Grid* grid = grid_of(scene, to);
  if (!grid) return {to};
  const auto cols = static_cast<std::uint32_t>(grid->of->cols);
  const bool same = from.panel == to.panel && from.mark == to.mark;
  const std::uint32_t a = same ? from.cell : to.cell;
  const auto [top, bottom] = std::minmax({a / cols, to.cell / cols});
  const auto [left, right] = std::minmax({a % cols, to.cell % cols});
  std::vector<ElementId> found;
  for (std::uint32_t r = top; r <= bottom; ++r) {
    for (std::uint32_t c = left; c <= right; ++c) found.push_back({to.panel, to.mark, r * cols + c});
  }
  return found;
}

// "T0-3, T8": numbers as runs.
std::string runs(const std::set<std::int64_t>& numbers, std::string_view word) {
  std::string text;
  for (auto it = numbers.begin(); it != numbers.end();) {
    const std::int64_t first = *it;
    std::int64_t last = first;
    for (++it; it != numbers.end() && *it == last + 1; ++it) ++last;
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", word, first, last > first ? fmt::format("-{}", last) : std::string());
  }
  return text;
}

std::string range(std::int64_t first, std::int64_t last) {
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

std::string coordinates(const Scene& scene, const std::vector<ElementId>& cells) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  for (const ElementId& id : cells) {
    const auto subject = subject_of(scene, id);
    if (subject && subject->row >= 0) places.insert({subject->row, subject->col});
  }
  if (places.empty()) return {};
  const auto panels = std::count_if(scene.panels.begin(), scene.panels.end(), has_cells);
  const std::string panel = panels > 1 ? scene.panels[cells.front().panel].id : std::string();
  std::int64_t top = places.begin()->first, bottom = top, left = places.begin()->second, right = left;
  for (const auto& [row, col] : places) {
    top = std::min(top, row), bottom = std::max(bottom, row);
    left = std::min(left, col), right = std::max(right, col);
  }
  const bool fills = static_cast<std::int64_t>(places.size()) == (bottom - top + 1) * (right - left + 1);
  if (fills || places.size() > kMostListed) return fmt::format("{}({},{})", panel, range(top, bottom), range(left, right));
  std::string text;
  for (const auto& [row, col] : places) text += fmt::format("{}{}({},{})", text.empty() ? "" : ", ", panel, row, col);
  return text;
}

Selects selected_by(Picks picks) {
  switch (picks) {
    case Picks::cells: return Selects::coordinate;
    case Picks::threads: return Selects::thread;
    case Picks::values: return Selects::value;
    case Picks::warps: return Selects::warp;
    case Picks::banks: return Selects::bank;
  }
  return Selects::coordinate;
}

}  // namespace

bool has_cells(const Panel& panel) {
  return std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) {
    const auto* grid = std::get_if<Grid>(&mark);
    return grid && grid->of->has_subjects();
  });
}

std::string_view name_of(Picks picks) {
  switch (picks) {
    case Picks::cells: return "cells";
    case Picks::threads: return "threads";
    case Picks::values: return "values";
    case Picks::warps: return "warps";
    case Picks::banks: return "banks";
  }
  return "";
}

std::string picked(const Scene& scene, const ElementId& from, const ElementId& to, Picks picks) {
  const std::vector<ElementId> cells = cells_between(scene, from, to);
  if (picks == Picks::cells) return coordinates(scene, cells);
  const Selects what = selected_by(picks);
  std::set<std::int64_t> numbers;
  for (const ElementId& id : cells) {
    for (const Subject& subject : subjects_of(scene, id)) {
      if (const std::int64_t n = number_of({subject}, what); n >= 0) numbers.insert(n);
    }
  }
  return runs(numbers, spelling(what));
}

std::optional<ElementId> cell_beside(const Scene& scene, const ElementId& from, int right, int down) {
  const Grid* grid = grid_of(scene, from);
  if (!grid) return std::nullopt;
  const auto cols = grid->of->cols, rows = grid->of->rows;
  const auto row = static_cast<std::int32_t>(from.cell) / cols + down, col = static_cast<std::int32_t>(from.cell) % cols + right;
  if (row >= 0 && row < rows && col >= 0 && col < cols)
    return ElementId{from.panel, from.mark, static_cast<std::uint32_t>(row * cols + col)};
  // Beyond the edge: the cell of another grid that is nearest to where this one would have been.
  const CellView here = cell_of(scene, from);
  const float x = here.x + here.w / 2, y = here.y + here.h / 2;
  std::optional<ElementId> best;
  float nearest = std::numeric_limits<float>::max();
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (std::size_t m = 0; m < scene.panels[p].marks.size(); ++m) {
      const auto* other = std::get_if<Grid>(&scene.panels[p].marks[m]);
      if (!other || other == grid || !other->of->has_subjects()) continue;
      for (std::size_t i = 0; i < other->of->size(); ++i) {
        const CellView cell = view(*other, i);
        const float dx = cell.x + cell.w / 2 - x, dy = cell.y + cell.h / 2 - y;
        if (dx * static_cast<float>(right) + dy * static_cast<float>(down) <= 0) continue;
        const float along = right != 0 ? std::abs(dx) : std::abs(dy), aside = right != 0 ? std::abs(dy) : std::abs(dx);
        if (along + 4 * aside >= nearest) continue;
        nearest = along + 4 * aside;
        best = ElementId{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(i)};
      }
    }
  }
  return best;
}

ElementId opposite_corner(const Scene& scene, const std::vector<ElementId>& cells, const ElementId& from) {
  const Grid* grid = grid_of(scene, from);
  if (!grid) return from;
  const auto cols = static_cast<std::uint32_t>(grid->of->cols), row = from.cell / cols, col = from.cell % cols;
  std::uint32_t top = row, bottom = row, left = col, right = col;
  for (const ElementId& id : cells) {
    if (id.panel != from.panel || id.mark != from.mark) continue;
    top = std::min(top, id.cell / cols), bottom = std::max(bottom, id.cell / cols);
    left = std::min(left, id.cell % cols), right = std::max(right, id.cell % cols);
  }
  return {from.panel, from.mark, (row == top ? bottom : top) * cols + (col == left ? right : left)};
}

std::optional<ElementId> first_cell(const Scene& scene) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (std::size_t m = 0; m < scene.panels[p].marks.size(); ++m) {
      const auto* grid = std::get_if<Grid>(&scene.panels[p].marks[m]);
      if (grid && grid->of->has_subjects() && grid->of->size() > 0)
        return ElementId{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m), 0};
    }
  }
  return std::nullopt;
}

}  // namespace tessera
