// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/chain_route.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace tessera {

namespace {

constexpr float kOff = 0.08f;                           // of words, in cells
constexpr float kAboveNumbers = 0.74f, kBelow = 0.45f;  // of the way across, in text units: above the lower grid, below the upper one

class Finder {
 public:
  explicit Finder(std::span<const Bounds> labels) : labels_(labels) {}

  bool is_free(float x0, float y0, float x1, float y1, float off = kOff) const {
    const auto [left, right] = std::minmax(x0, x1);
    const auto [top, bottom] = std::minmax(y0, y1);
    return std::none_of(labels_.begin(), labels_.end(), [&, l = left, r = right, t = top, b = bottom](const Bounds& box) {
      return r > box.x0 - off && l < box.x1 + off && b > box.y0 && t < box.y1;
    });
  }

  // Where a line may stand between a cell and `y`, a place above or below its grid.
  float column(const RouteEnd& end, float y) const {
    const float left = end.frame.column(end.cell.second), right = end.frame.column(end.cell.second + 1);
    const float middle = end.frame.y + static_cast<float>(end.cell.first) + 0.5f, edge = y > middle ? middle + 0.5f : middle - 0.5f;
    std::vector<float> places;  // as near to the cell's middle as words leave room, else at an end of its run
    for (const float part : {0.5f, 0.4f, 0.6f, 0.3f, 0.7f, 0.2f, 0.8f, 0.1f, 0.9f}) places.push_back(left + part * (right - left));
    places.push_back(end.frame.column(end.run.first)), places.push_back(end.frame.column(end.run.second));
    for (const float off : {kOff, 0.0f}) {
      for (const float x : places) {
        const float side = std::clamp(x, left, right), meets = x == side ? edge : middle;
        if (is_free(x, meets, x, y, off) && is_free(x, meets, side, meets, off)) return x;
      }
    }
    return places.front();
  }

 private:
  std::span<const Bounds> labels_;
};

// From a cell's edge to the line at `x`, in the order from the cell.
void leave(std::vector<std::pair<float, float>>& points, const RouteEnd& end, float x, bool down) {
  const float left = end.frame.column(end.cell.second), right = end.frame.column(end.cell.second + 1);
  const float top = end.frame.y + static_cast<float>(end.cell.first);
  if (x >= left && x <= right) {
    points.emplace_back(x, down ? top + 1 : top);
    return;
  }
  points.emplace_back(std::clamp(x, left, right), top + 0.5f);
  points.emplace_back(x, top + 0.5f);
}

}  // namespace

ChainRoute route_of(const RouteEnd& from, const RouteEnd& to, std::span<const Bounds> labels, float unit) {
  const Finder finder(labels);
  const float below = from.frame.bottom() + kBelow * unit, across = to.frame.y - kAboveNumbers * unit;
  const float x0 = finder.column(from, from.frame.bottom()), x1 = finder.column(to, across);
  float down = x0;  // right of the heading, where that is in the way
  while (!finder.is_free(down, below, down, across) && down < from.frame.x + 4 * (from.frame.width() + to.frame.width()))
    down += 0.5f * unit;
  ChainRoute route;
  leave(route.points, from, x0, true);
  if (down != x0) route.points.emplace_back(x0, below), route.points.emplace_back(down, below);
  const bool straight = x0 == x1 && down == x0;
  if (!straight) route.points.emplace_back(down, across), route.points.emplace_back(x1, across);
  std::vector<std::pair<float, float>> last;
  leave(last, to, x1, false);
  route.points.insert(route.points.end(), last.rbegin(), last.rend());
  route.left = std::min(x0, down), route.right = std::max(x0, down);
  return route;
}

}  // namespace tessera
