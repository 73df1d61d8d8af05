// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/overview.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr double kNameType = 5.5, kLine = 1.25;  // points; distance of two lines, in type sizes
constexpr double kSign = 0.62;                   // width of a sign, in type sizes
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
    return fill == kNoColor ? scene.page.paper : scene.palette[fill].rgb;
  };
  for (std::int32_t r = row; r < row + size.rows && !grid.fills.empty(); ++r) {
    for (std::int32_t c = col; c < col + size.cols; ++c) {
      const Rgb here = color(r, c), first = color(row, col);
      if (std::abs(here.r - first.r) + std::abs(here.g - first.g) + std::abs(here.b - first.b) > kStep) return false;
    }
  }
  return true;
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

void name_tiles(Scene& scene, Panel& panel, const Grid& grid, const TileNames& names, double cell_points) {
  const CellBlock& size = names.size;
  const GridColumns& of = *grid.of;
  const bool several_warps = has_several_warps(of);
  panel.marks.push_back(Outline{grid.x, grid.y, grid.w * static_cast<float>(of.cols), grid.h * static_cast<float>(of.rows),
                                StrokeRole::grid, true, grid.w * static_cast<float>(size.cols),
                                grid.h * static_cast<float>(size.rows)});  // what a name covers
  const ColorIndex paper = scene.color(PaletteColor{scene.page.paper, "white"});
  const auto type = static_cast<float>(kNameType / cell_points), line_height = static_cast<float>(kLine) * type;
  for (std::int32_t row = 0; row < of.rows; row += size.rows) {
    for (std::int32_t col = 0; col < of.cols; col += size.cols) {
      const std::vector<std::string> name = written(tile_name(of, row, col, size), several_warps, names.whole);
      if (name.empty()) continue;
      const float x = grid.x + grid.w * (static_cast<float>(col) + static_cast<float>(size.cols) / 2);
      const float y = grid.y + grid.h * (static_cast<float>(row) + static_cast<float>(size.rows) / 2);
      const float w = static_cast<float>(kSign) * type * static_cast<float>(longest_line(name) + 1),
                  h = line_height * static_cast<float>(name.size());
      if (!calm(scene, of, row, col, size))
        panel.marks.push_back(Cell{x - w / 2, y - h / 2, w, h, paper});  // on many colours nothing is read
      for (std::size_t i = 0; i < name.size(); ++i) {
        const LabelRole role = i == 0 && name.size() > 1 ? LabelRole::panel_name : LabelRole::legend;
        const float down = y + line_height * (static_cast<float>(i) - static_cast<float>(name.size() - 1) / 2);
        panel.marks.push_back(Label{x, down, scene.intern(name[i]), role, Anchor::center, type});
      }
    }
  }
}

GridColumns part_of(const GridColumns& grid, std::int32_t row, std::int32_t col, const CellBlock& size) {
  GridColumns part;
  part.rows = size.rows;
  part.cols = size.cols;
  part.tensor = grid.tensor, part.rest = grid.rest, part.bits = grid.bits, part.byte_offset = grid.byte_offset;
  part.place = grid.place == GridColumns::Place::none ? grid.place : GridColumns::Place::given;
  const auto copy = [](const auto& from, auto& to, std::size_t i) {
    if (!from.empty()) to.push_back(from[i]);
  };
  for (std::int32_t r = row; r < row + size.rows; ++r) {
    for (std::int32_t c = col; c < col + size.cols; ++c) {
      const std::size_t i = place(grid, r, c);
      copy(grid.fills, part.fills, i);
      copy(grid.faint, part.faint, i);
      copy(grid.thread, part.thread, i);
      copy(grid.value, part.value, i);
      copy(grid.address, part.address, i);
      if (part.place == GridColumns::Place::given) {
        part.row.push_back(grid.subject(i).row);
        part.col.push_back(grid.subject(i).col);
      }
      if (!grid.label_ends.empty()) part.add_label(grid.label(i));
      if (grid.other_ends.empty()) continue;
      for (const Owner& owner : grid.others_of(i)) part.others.push_back(owner);
      part.other_ends.push_back(static_cast<std::uint32_t>(part.others.size()));
    }
  }
  return part;
}

}  // namespace tessera
