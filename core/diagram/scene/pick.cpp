// SPDX-License-Identifier: BSD-3-Clause
// Which mark lies under a point. Later panels and later marks lie on top.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

namespace {

constexpr float kReach = 0.1f;  // cells from a line at which it is meant

float distance(float x, float y, float x0, float y0, float x1, float y1) {
  const float dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const float along = length > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length, 0.0f, 1.0f) : 0.0f;
  return std::hypot(x - x0 - along * dx, y - y0 - along * dy);
}

// Which cell of a mark covers the point; -1: none.
struct Covering {
  float x, y;

  std::int64_t operator()(const Cell& c) const { return x >= c.x && x < c.x + c.w && y >= c.y && y < c.y + c.h ? 0 : -1; }
  std::int64_t operator()(const Grid& g) const {
    const float col = std::floor((x - g.x) / g.w), row = std::floor((y - g.y) / g.h);
    if (!(col >= 0 && row >= 0 && col < static_cast<float>(g.of->cols) && row < static_cast<float>(g.of->rows))) return -1;
    return static_cast<std::int64_t>(row) * g.of->cols + static_cast<std::int64_t>(col);
  }
  std::int64_t operator()(const Line& l) const {
    return l.subject != kNoSubject && distance(x, y, l.x0, l.y0, l.x1, l.y1) <= kReach ? 0 : -1;
  }
  std::int64_t operator()(const Arrow& a) const {
    return a.subject != kNoSubject && distance(x, y, a.x0, a.y0, a.x1, a.y1) <= kReach ? 0 : -1;
  }
  std::int64_t operator()(const Outline&) const { return -1; }
  std::int64_t operator()(const Label&) const { return -1; }
};

}  // namespace

std::optional<ElementId> pick(const Scene& scene, float x, float y) {
  for (std::size_t p = scene.panels.size(); p-- > 0;) {
    const std::vector<Mark>& marks = scene.panels[p].marks;
    for (std::size_t m = marks.size(); m-- > 0;) {
      if (const std::int64_t cell = std::visit(Covering{x, y}, marks[m]); cell >= 0)
        return ElementId{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(cell)};
    }
  }
  return std::nullopt;
}

}  // namespace tessera
