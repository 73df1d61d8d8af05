// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/scene/difference.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tessera {
namespace {

struct Meaning {
  std::string_view label;
  std::int32_t thread = -1, value = -1;
  std::int64_t address = -1;
  friend bool operator==(const Meaning&, const Meaning&) = default;
};

Meaning meaning_of(const GridColumns& grid, std::size_t i) {
  const Subject subject = grid.subject(i);
  return {grid.label(i), subject.thread, subject.value, subject.address};
}

// Where a cell is, for another figure: its coordinate, else where it is drawn.
struct PlaceOf {
  std::size_t panel;
  std::int32_t row, col, rest;
  friend bool operator==(const PlaceOf&, const PlaceOf&) = default;
};

struct Hash {
  std::size_t operator()(const PlaceOf& p) const {
    std::size_t h = p.panel;
    for (const std::int32_t n : {p.row, p.col, p.rest}) h = h * 1'000'003 + static_cast<std::size_t>(n + 1);
    return h;
  }
};

PlaceOf place_of(std::size_t panel, const GridColumns& grid, std::size_t i) {
  const Subject subject = grid.subject(i);
  const auto cols = static_cast<std::size_t>(grid.cols);
  if (subject.row < 0) return {panel, static_cast<std::int32_t>(i / cols), static_cast<std::int32_t>(i % cols), -2};
  return {panel, subject.row, subject.col, subject.rest};
}

// Panels of the same name come one after the other: the second A of one is the second A of the other.
std::vector<std::size_t> matching_panels(const Scene& was, const Scene& now) {
  std::map<std::string_view, std::vector<std::size_t>> by_id;
  for (std::size_t p = 0; p < was.panels.size(); ++p) by_id[was.panels[p].id].push_back(p);
  std::map<std::string_view, std::size_t> next;
  std::vector<std::size_t> match;
  for (const Panel& panel : now.panels) {
    const auto found = by_id.find(panel.id);
    const std::size_t nth = next[panel.id]++;
    match.push_back(found == by_id.end() || nth >= found->second.size() ? was.panels.size() : found->second[nth]);
  }
  return match;
}

template <class Use>
void each_grid(const Panel& panel, Use use) {
  for (std::size_t m = 0; m < panel.marks.size(); ++m) {
    if (const auto* grid = std::get_if<Grid>(&panel.marks[m])) use(m, *grid->of);
  }
}

}  // namespace

std::vector<ElementId> different_cells(const Scene& was, const Scene& now) {
  std::unordered_map<PlaceOf, Meaning, Hash> before;
  for (std::size_t p = 0; p < was.panels.size(); ++p) {
    each_grid(was.panels[p], [&](std::size_t, const GridColumns& grid) {
      for (std::size_t i = 0; i < grid.size(); ++i) before.emplace(place_of(p, grid, i), meaning_of(grid, i));
    });
  }
  const std::vector<std::size_t> match = matching_panels(was, now);
  std::vector<ElementId> found;
  for (std::size_t p = 0; p < now.panels.size(); ++p) {
    each_grid(now.panels[p], [&](std::size_t mark, const GridColumns& grid) {
      for (std::size_t i = 0; i < grid.size(); ++i) {
        const auto same = before.find(place_of(match[p], grid, i));
        if (same != before.end() && same->second == meaning_of(grid, i)) continue;
        found.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(mark), static_cast<std::uint32_t>(i)});
      }
    });
  }
  return found;
}

}  // namespace tessera
