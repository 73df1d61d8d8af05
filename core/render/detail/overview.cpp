// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/detail/overview.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr double kNameType = 5.5, kLargestName = 9;  // points
constexpr double kLine = 1.25;                       // distance of two lines, in type sizes
constexpr double kSign = 0.62;                       // width of a sign, in type sizes
constexpr double kInset = 1.5;                       // points from a tile's edge to the ground of its name
constexpr std::int32_t kWarp = 32;
constexpr std::size_t kMostTiles = 1024;
constexpr double kAround = 1.25;      // height of a tile against that of its name, at least
constexpr double kMostCovered = 0.3;  // of a tile of several colours by the ground of its name

std::size_t place(const GridColumns& grid, std::int32_t row, std::int32_t col) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.cols) + static_cast<std::size_t>(col);
}

std::vector<std::int32_t> divisors(std::int32_t n) {
  std::vector<std::int32_t> found;
  for (std::int32_t i = 1; i <= n; ++i) {
    if (n % i == 0) found.push_back(i);
  }
  return found;
}

// Is every tile in one warp?
bool one_warp_each(const GridColumns& grid, const CellBlock& size) {
  if (grid.thread.empty()) return true;
  for (std::int32_t r = 0; r < grid.rows; ++r) {
    for (std::int32_t c = 0; c < grid.cols; ++c) {
      const std::int32_t first = grid.thread[place(grid, r / size.rows * size.rows, c / size.cols * size.cols)];
      const std::int32_t here = grid.thread[place(grid, r, c)];
      if (first >= 0 && here >= 0 && first / kWarp != here / kWarp) return false;
    }
  }
  return true;
}

// Can text be read on the tile from (row, col), whose colours are one or steps of a ramp?
bool calm(const Scene& scene, const GridColumns& grid, std::int32_t row, std::int32_t col, const CellBlock& size) {
  constexpr int kStep = 30;  // of red, green and blue together
  const auto color = [&](std::int32_t r, std::int32_t c) {
    const ColorIndex fill = grid.fills[place(grid, r, c)];
    return fill == kNoColor ? scene.page.paper : scene.palette[fill];
  };
  for (std::int32_t r = row; r < row + size.rows && !grid.fills.empty(); ++r) {
    for (std::int32_t c = col; c < col + size.cols; ++c) {
      const Rgb here = color(r, c), first = color(row, col);
      if (std::abs(here.r - first.r) + std::abs(here.g - first.g) + std::abs(here.b - first.b) > kStep) return false;
    }
  }
  return true;
}

// Do all threads of the tile's warp that the grid has lie in the tile from (row, col)?
bool holds_a_warp(const GridColumns& grid, std::int32_t row, std::int32_t col, const CellBlock& size) {
  std::set<std::int32_t> here, all;
  const std::int32_t warp = grid.thread[place(grid, row, col)] / kWarp;
  for (std::int32_t r = 0; r < grid.rows; ++r) {
    for (std::int32_t c = 0; c < grid.cols; ++c) {
      const std::int32_t thread = grid.thread[place(grid, r, c)];
      if (thread < 0 || thread / kWarp != warp) continue;
      all.insert(thread);
      if (r >= row && r < row + size.rows && c >= col && c < col + size.cols) here.insert(thread);
    }
  }
  return here.size() == all.size();
}

bool has_several_warps(const GridColumns& grid) {
  return std::any_of(grid.thread.begin(), grid.thread.end(), [](std::int32_t thread) { return thread >= kWarp; });
}

// Of a tile's name, what is written: all its lines or the first, and no warp where there is only one.
std::vector<std::string> written(std::vector<std::string> name, bool several_warps, bool whole) {
  if (!several_warps && name.size() > 1) {
    if (name.front().ends_with(" +")) name[1] += " +";
    name.erase(name.begin());
  }
  if (!whole && name.size() > 1) name.resize(1);
  return name;
}

std::size_t longest_line(const std::vector<std::string>& name) {
  std::size_t longest = 0;
  for (const std::string& line : name) longest = std::max(longest, line.size());
  return longest;
}

// {"W0 +", "T0-7"} -> "W0 T0-7 +"
std::string in_one_line(const std::vector<std::string>& name) {
  std::string line;
  bool shared = false;
  for (std::string_view part : name) {
    if (part.ends_with(" +")) shared = true, part.remove_suffix(2);
    line += fmt::format("{}{}", line.empty() ? "" : " ", part);
  }
  return line + (shared ? " +" : "");
}

// "0-31", "0-3,16-19"; of more stretches how many numbers there are.
std::string stretches(const std::set<std::int32_t>& numbers) {
  constexpr int kMost = 2;
  std::string out;
  int count = 0;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first, next = std::next(first);
    while (next != numbers.end() && *next == *last + 1) last = next++;
    if (++count > kMost) return {};
    out += fmt::format("{}{}", out.empty() ? "" : ",", *first);
    if (last != first) out += fmt::format("-{}", *last);
    first = next;
  }
  return out;
}

}  // namespace

std::vector<std::string> tile_name(const GridColumns& grid, std::int32_t row, std::int32_t col, const CellBlock& size) {
  if (grid.thread.empty()) {
    if (grid.address.empty() || grid.address[place(grid, row, col)] < 0) return {};
    return {fmt::format("{} +", grid.address[place(grid, row, col)])};
  }
  std::set<std::int32_t> threads, warps;
  bool shared = false;
  for (std::int32_t r = row; r < row + size.rows; ++r) {
    for (std::int32_t c = col; c < col + size.cols; ++c) {
      const std::int32_t thread = grid.thread[place(grid, r, c)];
      if (thread < 0) continue;
      threads.insert(thread);
      warps.insert(thread / kWarp);
      shared = shared || !grid.others_of(place(grid, r, c)).empty();
    }
  }
  if (threads.empty()) return {};
  const std::string who = stretches(threads), others = shared ? " +" : "";
  if (threads.size() == 1) return {fmt::format("T{}{}", who, others)};
  if (warps.size() > 1) return {fmt::format("W{}{}", stretches(warps), others)};
  return {fmt::format("W{}{}", *warps.begin(), others), who.empty() ? fmt::format("{} threads", threads.size()) : "T" + who};
}

namespace {

// The tiles joined as long as all that are joined have one name.
template <class NameAt>
CellBlock grown(const GridColumns& grid, CellBlock size, const NameAt& name_at) {
  const auto joins = [&](const CellBlock& larger) {
    if (larger.rows > grid.rows || larger.cols > grid.cols || grid.rows % larger.rows != 0 || grid.cols % larger.cols != 0) return false;
    for (std::int32_t r = 0; r < grid.rows; r += size.rows) {
      for (std::int32_t c = 0; c < grid.cols; c += size.cols) {
        if (name_at(r, c) != name_at(r / larger.rows * larger.rows, c / larger.cols * larger.cols)) return false;
      }
    }
    return true;
  };
  for (bool again = true; again;) {
    again = false;
    for (const CellBlock& larger : {CellBlock{size.rows * 2, size.cols}, CellBlock{size.rows, size.cols * 2}}) {
      if (!joins(larger)) continue;
      size = larger;
      again = true;
      break;
    }
  }
  return size;
}

std::optional<CellBlock> smallest_tiles(const Scene& scene, const Grid& grid, double cell_points, bool whole) {
  const GridColumns& of = *grid.of;
  if (of.size() == 0) return std::nullopt;
  const bool several_warps = has_several_warps(of);
  std::vector<CellBlock> sizes;
  for (const std::int32_t rows : divisors(of.rows)) {
    for (const std::int32_t cols : divisors(of.cols)) sizes.push_back({rows, cols});
  }
  // The smallest first; of equal ones that which is nearest to a square on the page.
  const auto rank = [&](const CellBlock& size) {
    const double w = grid.w * size.cols, h = grid.h * size.rows;
    return std::pair(static_cast<std::int64_t>(size.rows) * size.cols, std::max(w / h, h / w));
  };
  std::sort(sizes.begin(), sizes.end(), [&](const CellBlock& a, const CellBlock& b) { return rank(a) < rank(b); });
  for (const CellBlock& size : sizes) {
    const double w = grid.w * size.cols * cell_points, h = grid.h * size.rows * cell_points;
    if (h < kNameType * kLine || w < 2 * kSign * kNameType) continue;
    const auto name_at = [&](std::int32_t row, std::int32_t col) { return written(tile_name(of, row, col, size), several_warps, whole); };
    const std::int32_t last_row = of.rows - size.rows, last_col = of.cols - size.cols;
    const std::vector<std::string> name = name_at(last_row, last_col);  // the last has the most digits
    const double name_w = static_cast<double>(longest_line(name) + 1) * kSign * kNameType;
    const double name_h = static_cast<double>(name.size()) * kLine * kNameType;
    if (name.empty() || w < name_w || h < kAround * name_h) continue;
    const bool on_calm = calm(scene, of, last_row, last_col, size) && calm(scene, of, 0, 0, size);
    if (!on_calm && (of.thread.empty() || name_w * name_h > kMostCovered * w * h)) continue;  // colours say more than an offset
    // Tiles that are all called the same need no name.
    if (name_at(0, 0) == name && name_at(last_row, 0) == name && name_at(0, last_col) == name) continue;
    if (of.size() / (static_cast<std::size_t>(size.rows) * static_cast<std::size_t>(size.cols)) > kMostTiles) continue;
    // Where the colour says the warp, a name that says less of it than all is one too many.
    if (on_calm && several_warps && !holds_a_warp(of, last_row, last_col, size)) continue;
    if (one_warp_each(of, size)) return grown(of, size, name_at);
  }
  return std::nullopt;
}

}  // namespace

std::optional<TileNames> readable_tiles(const Scene& scene, const Grid& grid, double cell_points) {
  for (const bool whole : {true, false}) {
    if (const auto size = smallest_tiles(scene, grid, cell_points, whole)) return TileNames{*size, whole};
  }
  return std::nullopt;
}

namespace {

// A grid's tiles and what they are called, row by row.
struct NamedTiles {
  CellBlock size;
  std::int32_t rows = 0, cols = 0;  // of tiles
  std::vector<std::vector<std::string>> names;
  const std::vector<std::string>& at(std::int32_t row, std::int32_t col) const {
    return names[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(col)];
  }
};

NamedTiles named_tiles(const GridColumns& of, const TileNames& names) {
  const bool several_warps = has_several_warps(of);
  NamedTiles tiles{names.size, of.rows / names.size.rows, of.cols / names.size.cols, {}};
  for (std::int32_t row = 0; row < of.rows; row += names.size.rows) {
    for (std::int32_t col = 0; col < of.cols; col += names.size.cols)
      tiles.names.push_back(written(tile_name(of, row, col, names.size), several_warps, names.whole));
  }
  return tiles;
}

// The largest type, in points, in which every name has room in its tile of so many points.
double largest_type(const NamedTiles& tiles, double w, double h) {
  constexpr double kFilled = 0.7;  // of a tile
  double type = kLargestName;
  for (const std::vector<std::string>& name : tiles.names) {
    if (name.empty()) continue;
    type = std::min({type, kFilled * w / (kSign * static_cast<double>(longest_line(name) + 1)),
                     h / (kAround * kLine * static_cast<double>(name.size()))});
  }
  return std::max(type, kNameType);
}

// After how many tiles, down and across, all names come again.
CellBlock period_of_names(const NamedTiles& tiles) {
  const auto repeats = [&](const CellBlock& period) {
    for (std::int32_t r = 0; r < tiles.rows; ++r) {
      for (std::int32_t c = 0; c < tiles.cols; ++c) {
        if (tiles.at(r, c) != tiles.at(r % period.rows, c % period.cols)) return false;
      }
    }
    return true;
  };
  CellBlock period{tiles.rows, tiles.cols};
  for (const std::int32_t rows : divisors(tiles.rows)) {
    if (!repeats({rows, tiles.cols})) continue;
    period.rows = rows;
    break;
  }
  for (const std::int32_t cols : divisors(tiles.cols)) {
    if (!repeats({tiles.rows, cols})) continue;
    period.cols = cols;
    break;
  }
  return period;
}

std::string times_of(const NamedTiles& tiles, const CellBlock& period) {
  const std::int32_t down = tiles.rows / period.rows, across = tiles.cols / period.cols;
  if (down * across == 1) return {};
  return down == 1     ? fmt::format("{} times across", across)
         : across == 1 ? fmt::format("{} times down", down)
                       : fmt::format("{} × {} times", down, across);
}

struct Box {
  float x = 0, y = 0, w = 0, h = 0;  // its middle and its size
};

// Does the frame's line go through the box?
bool is_crossed(const Box& box, const Outline& frame) {
  const float x0 = box.x - box.w / 2, x1 = box.x + box.w / 2, y0 = box.y - box.h / 2, y1 = box.y + box.h / 2;
  const bool apart = x1 < frame.x || x0 > frame.x + frame.w || y1 < frame.y || y0 > frame.y + frame.h;
  const bool inside = x0 > frame.x && x1 < frame.x + frame.w && y0 > frame.y && y1 < frame.y + frame.h;
  return !apart && !inside;
}

// Moves a name that the frame crosses to where it does not, within its tile: to the middle of what the frame leaves at one of its sides or
// holds, whichever is nearest; else towards a corner.
Box moved_apart(Box name, const Box& tile, float inset, const Outline& frame) {
  if (!is_crossed(name, frame)) return name;
  std::optional<Box> nearest;
  const auto distance = [&](const Box& box) { return std::abs(box.x - name.x) + std::abs(box.y - name.y); };
  const float left = tile.x - tile.w / 2, right = tile.x + tile.w / 2, top = tile.y - tile.h / 2, bottom = tile.y + tile.h / 2;
  const float frame_right = frame.x + frame.w, frame_bottom = frame.y + frame.h;
  const auto try_within = [&](float x0, float y0, float x1, float y1) {
    const Box at{(x0 + x1) / 2, (y0 + y1) / 2, name.w, name.h};
    if (x1 - x0 < name.w + 2 * inset || y1 - y0 < name.h || is_crossed(at, frame)) return;
    if (!nearest || distance(at) < distance(*nearest)) nearest = at;
  };
  try_within(std::max(left, frame_right), top, right, bottom);
  try_within(left, std::max(top, frame_bottom), right, bottom);
  try_within(left, top, std::min(right, frame.x), bottom);
  try_within(left, top, right, std::min(bottom, frame.y));
  try_within(std::max(left, frame.x), std::max(top, frame.y), std::min(right, frame_right), std::min(bottom, frame_bottom));
  if (nearest) return *nearest;
  const float dx = std::max(0.0F, (tile.w - name.w) / 2 - inset), dy = std::max(0.0F, (tile.h - name.h) / 2 - inset);
  for (const auto& [across, down] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}) {
    const Box moved{tile.x + static_cast<float>(across) * dx, tile.y + static_cast<float>(down) * dy, name.w, name.h};
    if (!is_crossed(moved, frame)) return moved;
  }
  return name;
}

bool is_line(const Mark& mark) { return std::holds_alternative<Line>(mark); }

}  // namespace

bool stand_on_paper(const Scene& scene, const GridColumns& of, const CellBlock& size) {
  for (std::int32_t row = 0; row < of.rows; row += size.rows) {
    for (std::int32_t col = 0; col < of.cols; col += size.cols) {
      if (!calm(scene, of, row, col, size)) return true;
    }
  }
  return false;
}

NamedOnce name_tiles(Scene& scene, Panel& panel, const Grid& grid, const TileNames& names, double cell_points,
                     const std::optional<Outline>& frame) {
  const CellBlock& size = names.size;
  const GridColumns& of = *grid.of;
  const float tile_w = grid.w * static_cast<float>(size.cols), tile_h = grid.h * static_cast<float>(size.rows);
  const Outline tiles_lines{
      grid.x, grid.y, grid.w * static_cast<float>(of.cols), grid.h * static_cast<float>(of.rows), StrokeRole::grid, true, tile_w, tile_h};
  panel.marks.insert(std::find_if(panel.marks.begin(), panel.marks.end(), is_line),
                     tiles_lines);  // under the lines between atoms and warps
  const ColorIndex paper = scene.color(scene.page.paper);
  const auto inset = static_cast<float>(kInset / cell_points);
  const bool on_paper = stand_on_paper(scene, of, size);
  const NamedTiles tiles = named_tiles(of, names);
  const auto type =
      static_cast<float>((on_paper ? kNameType : largest_type(tiles, tile_w * cell_points, tile_h * cell_points)) / cell_points);
  const float line_height = static_cast<float>(kLine) * type;
  const auto width = [&](std::size_t signs) { return static_cast<float>(kSign) * type * static_cast<float>(signs + 1); };
  std::set<std::vector<std::string>> said;
  std::size_t left_out = 0;
  for (std::int32_t row = 0; row < tiles.rows; ++row) {
    for (std::int32_t col = 0; col < tiles.cols; ++col) {
      std::vector<std::string> name = tiles.at(row, col);
      if (name.empty()) continue;
      if (on_paper && !said.insert(name).second) {
        ++left_out;
        continue;
      }
      const Box tile{grid.x + tile_w * (static_cast<float>(col) + 0.5F), grid.y + tile_h * (static_cast<float>(row) + 0.5F), tile_w,
                     tile_h};
      if (const std::string line = in_one_line(name); on_paper && width(line.size()) + 2 * inset <= tile_w) name = {line};
      Box box{tile.x, tile.y, width(longest_line(name)), line_height * static_cast<float>(name.size())};
      if (frame) box = moved_apart(box, tile, inset, *frame);
      if (on_paper) panel.marks.push_back(Cell{box.x - box.w / 2, box.y - box.h / 2, box.w, box.h, paper});
      for (std::size_t i = 0; i < name.size(); ++i) {
        const LabelRole role = i == 0 && name.size() > 1 ? LabelRole::panel_name : LabelRole::legend;
        const float down = box.y + line_height * (static_cast<float>(i) - static_cast<float>(name.size() - 1) / 2);
        panel.marks.push_back(Label{box.x, down, scene.intern(name[i]), role, Anchor::center, type});
      }
    }
  }
  if (left_out == 0) return {};
  return {true, times_of(tiles, period_of_names(tiles))};
}

}  // namespace tessera
