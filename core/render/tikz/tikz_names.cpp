// SPDX-License-Identifier: BSD-3-Clause
// Names of cells.
#include "core/render/tikz/tikz_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/render/shared/tikz_text.hpp"

namespace tessera {

namespace {

bool is_word(std::string_view text) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !text.empty() && std::all_of(text.begin(), text.end(), plain);
}

// A panel's own short name, or the first word of its name, where TikZ can have it: "C  M16 x N8" -> "C".
std::string short_name(const Panel& panel) {
  if (is_word(panel.id)) return panel.id;
  const std::string_view word = std::string_view(panel.name).substr(0, panel.name.find(' '));
  return is_word(word) ? std::string(word) : "cell";
}

bool is_whole(double cells) { return std::abs(cells - std::round(cells)) < 1e-3; }

// The lattice that the panel's cells are on. Cells of several units are neighbours that were joined.
CellNames lattice(const Panel& panel) {
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark); grid && grid->h == 1)
      return {short_name(panel), grid->x, grid->y, grid->of->rows, grid->of->cols, grid->w};
  }
  constexpr double kFar = std::numeric_limits<double>::max();
  double x0 = kFar, y0 = kFar, x1 = -kFar, y1 = -kFar;
  for (const Mark& mark : panel.marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (cell == nullptr) continue;
    x0 = std::min<double>(x0, cell->x), y0 = std::min<double>(y0, cell->y);
    x1 = std::max<double>(x1, cell->x + cell->w), y1 = std::max<double>(y1, cell->y + cell->h);
  }
  if (x0 > x1) return {};
  for (const Mark& mark : panel.marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (cell != nullptr && !(is_whole(cell->x - x0) && is_whole(cell->y - y0) && is_whole(cell->w) && is_whole(cell->h))) return {};
  }
  return {short_name(panel), x0, y0, std::lround(y1 - y0), std::lround(x1 - x0)};
}

}  // namespace

std::vector<CellNames> cell_names(const Scene& scene) {
  std::vector<CellNames> names;
  std::map<std::string, int> times;
  for (const Panel& panel : scene.panels) {
    CellNames found = lattice(panel);
    if (!found.name.empty()) {
      const int before = times[found.name]++;
      if (before > 0) found.name += fmt::format("n{}", before + 1);
    }
    names.push_back(std::move(found));
  }
  return names;
}

void append_names(std::string& out, const CellNames& names) {
  if (names.name.empty()) return;
  if (names.w != 1) out += "\\def\\tesserazero{0}\\def\\tesserastep{+" + tikz_number(names.w) + "*}%\n";
  fmt::format_to(std::back_inserter(out), "\\tessera{}{{{}}}{{{}}}{{{}}}{{{}}}{{{}}}\n", names.all() ? "Names" : "Corners", names.name,
                 tikz_number(names.x + names.w / 2), tikz_number(names.y + 0.5), names.rows, names.cols);
  if (names.w != 1) out += "\\def\\tesserazero{}\\def\\tesserastep{+}%\n";
}

void append_names_comment(std::string& out, const std::vector<CellNames>& names) {
  const CellNames *first = nullptr, *last = nullptr;
  for (const CellNames& each : names) {
    if (each.name.empty()) continue;
    if (first == nullptr) out += "% Cells by panel, row and column, counted from 0 as drawn:\n";
    if (first == nullptr) first = &each;
    last = &each;
    fmt::format_to(std::back_inserter(out), "%   {0}-0-0 to {0}-{1}-{2}{3}\n", each.name, each.rows - 1, each.cols - 1,
                   each.all() ? "" : fmt::format(" the four corners, and any cell as \\tesseraAt{{{}}}{{1}}{{0}}", each.name));
  }
  if (first == nullptr) return;
  fmt::format_to(
      std::back_inserter(out),
      "% An arrow between two: \\draw[->] ({0}-0-0) -- ({1}-{2}-{3}); before the end of the picture, or without a change here\n"
      "% \\tikzset{{tessera figure/.style={{execute at end picture={{\\draw[->] ({0}-0-0) -- ({1}-{2}-{3});}}}}}} before it. From "
      "other\n"
      "% pictures: \\tikzset{{tessera figure/.style={{remember picture}}}}, and there [remember picture,overlay].\n",
      first->name, last->name, last->rows - 1, last->cols - 1);
}

}  // namespace tessera
