// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM as a cube: every multiplication stands at (m, n, k). C is its front, B its top, A its side; the tile of C that a CTA
// computes is a bar through the cube, cut into k-tiles, and each of these needs one tile of A and one of B.
//
//          B (N,K) on top
//         ______
//        /_/_/_/|   depth: K
//   C   |_|_|_|/|   A (M,K) at the side
//       |_|_|_|/
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kMostTiles = 24;           // along a mode
constexpr float kSide = 1.6F;                     // of a tile of C, in cells
constexpr float kDeepX = 0.62F, kDeepY = -0.42F;  // one k-tile further back, in cells

struct Point {
  float x = 0, y = 0;
};

// Where corners of tiles stand on paper: m down, n to the right, k to the back.
struct Cube {
  std::int64_t m = 1, n = 1, k = 1;  // tiles
  float w = kSide, h = kSide;        // of a tile of C
  Point at(std::int64_t m_tile, std::int64_t n_tile, std::int64_t k_tile) const {
    return {w * static_cast<float>(n_tile) + kDeepX * static_cast<float>(k_tile),
            h * static_cast<float>(m_tile) + kDeepY * static_cast<float>(k_tile)};
  }
};

class Drawn {
 public:
  Drawn(Scene& scene, Panel& panel, const Cube& cube) : scene_(scene), panel_(panel), cube_(cube) {}

  void line(Point a, Point b, StrokeRole role, ColorIndex color = kNoColor) {
    panel_.marks.push_back(Line{a.x, a.y, b.x, b.y, role, color});
  }
  void name(Point at, const std::string& words, Anchor anchor, LabelRole role = LabelRole::axis, float size = 0.5F) {
    panel_.marks.push_back(Label{at.x, at.y, scene_.intern(words), role, anchor, size});
  }

  // B's face, on top, and A's, at the right: lines where tiles end.
  void faces() {
    for (const StrokeRole role : {StrokeRole::hairline, StrokeRole::boundary}) {  // edges over what is inside
      const auto edge = [&](Point from, Point to, std::int64_t i, std::int64_t last) {
        if ((role == StrokeRole::boundary) == (i == 0 || i == last)) line(from, to, role);
      };
      for (std::int64_t i = 0; i <= cube_.n; ++i) edge(cube_.at(0, i, 0), cube_.at(0, i, cube_.k), i, cube_.n);
      for (std::int64_t i = 0; i <= cube_.m; ++i) edge(cube_.at(i, cube_.n, 0), cube_.at(i, cube_.n, cube_.k), i, cube_.m);
      for (std::int64_t i = 1; i <= cube_.k; ++i) {
        edge(cube_.at(0, 0, i), cube_.at(0, cube_.n, i), i, cube_.k);
        edge(cube_.at(0, cube_.n, i), cube_.at(cube_.m, cube_.n, i), i, cube_.k);
      }
    }
  }

  // Of the CTA's tile (m,n): its strips of B's and A's faces, each k-tile with its number.
  void strips(std::int64_t m, std::int64_t n, ColorIndex color, bool numbers) {
    for (const std::int64_t side : {n, n + 1}) line(cube_.at(0, side, 0), cube_.at(0, side, cube_.k), StrokeRole::strong, color);
    for (const std::int64_t side : {m, m + 1})
      line(cube_.at(side, cube_.n, 0), cube_.at(side, cube_.n, cube_.k), StrokeRole::strong, color);
    for (std::int64_t k = 0; k <= cube_.k; ++k) {
      line(cube_.at(0, n, k), cube_.at(0, n + 1, k), StrokeRole::boundary, color);
      line(cube_.at(m, cube_.n, k), cube_.at(m + 1, cube_.n, k), StrokeRole::boundary, color);
      if (k == cube_.k || !numbers) continue;
      const Point b = middle(cube_.at(0, n, k), cube_.at(0, n + 1, k + 1)),
                  a = middle(cube_.at(m, cube_.n, k), cube_.at(m + 1, cube_.n, k + 1));
      name(b, std::to_string(k), Anchor::center, LabelRole::axis, 0.34F);
      name(a, std::to_string(k), Anchor::center, LabelRole::axis, 0.34F);
    }
  }

 private:
  static Point middle(Point a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
  Scene& scene_;
  Panel& panel_;
  const Cube& cube_;
};

Status check_tiles(const GemmPlan& plan) {
  for (const auto& [name, tiles] : {std::pair{"M", plan.m_tiles}, {"N", plan.n_tiles}, {"K", plan.k_tiles}}) {
    if (tiles <= kMostTiles) continue;
    return Error{
        ErrorCode::limit,
        fmt::format("{} has {} tiles, and a cube is drawn of up to {} along each mode", name, tiles, kMostTiles),
        {},
        {fmt::format("a smaller problem of the same tiles, such as m={} n={} k={}", 4 * plan.blk_m, 4 * plan.blk_n, 8 * plan.blk_k)}};
  }
  return Done{};
}

}  // namespace

Result<Scene> cube_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr || !plan->mma)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_CHECK(check_tiles(*plan));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  Scene scene = begin_scene(spec);
  const Cube cube{plan->m_tiles, plan->n_tiles, plan->k_tiles};
  const std::int64_t m = cube.m - 1, n = 0;  // whose strips on the two faces do not lie on one another
  const ColorIndex own = scene.color(palette.category(0, 3)), rest = scene.color(on_page({240, 242, 245}, scene.page));
  const ColorIndex ink = scene.color(mix(palette.category(0, 3), scene.page.ink, 0.45));
  Panel panel{"cube", {}, "cube", PanelOperand::none, {"n", "m"}};
  Drawn drawn(scene, panel, cube);
  drawn.faces();
  for (std::int64_t r = 0; r < cube.m; ++r) {
    for (std::int64_t c = 0; c < cube.n; ++c) {
      const Point at = cube.at(r, c, 0);
      Cell cell{at.x, at.y, cube.w, cube.h, r == m && c == n ? own : rest};
      cell.subject = scene.add_words(fmt::format("tile ({},{}) of C: {} x {} x {} multiplications of elements, in {}", r, c, plan->blk_m,
                                                 plan->blk_n, plan->k, counted(cube.k, "k-tile")));
      panel.marks.push_back(cell);
      panel.marks.push_back(Outline{at.x, at.y, cube.w, cube.h, StrokeRole::grid});
    }
  }
  panel.marks.push_back(Outline{0, 0, cube.w * static_cast<float>(cube.n), cube.h * static_cast<float>(cube.m), StrokeRole::boundary});
  drawn.strips(m, n, ink, cube.k <= 12);
  const Point left = cube.at(cube.m / 2, 0, 0), top = cube.at(0, 0, cube.k), right = cube.at(cube.m, cube.n, cube.k),
              below = cube.at(cube.m, 0, 0);
  const auto extent = [&](std::string_view mode, std::int64_t whole, std::int64_t tiles, std::int64_t each) {
    return fmt::format("{} = {}: {} of {}", mode, whole, counted(tiles, "tile"), each);
  };
  drawn.name({left.x - 0.4F, left.y}, extent("M", plan->m, cube.m, plan->blk_m), Anchor::right);
  drawn.name({below.x, below.y + 0.6F}, "C (M,N), in front: " + extent("N", plan->n, cube.n, plan->blk_n), Anchor::left);
  drawn.name({top.x, top.y - 0.6F}, "B (N,K), on top", Anchor::left);
  drawn.name({right.x + 0.4F, right.y - cube.h * static_cast<float>(cube.m) / 2}, "A (M,K), at the side", Anchor::left);
  drawn.name({right.x + 0.4F, right.y + 0.6F}, extent("K", plan->k, cube.k, plan->blk_k) + ", to the back", Anchor::left);
  TESSERA_CHECK(take_cells(cube.m * cube.n, cube.m * cube.n, "a GEMM as a cube"));
  scene.panels.push_back(std::move(panel));
  add_captions(scene, spec,
               {fmt::format("A point of the cube is one multiplication, at (m, n, k): {} x {} x {}.", plan->m, plan->n, plan->k),
                {fmt::format("in colour: the tile ({},{}) of C, which a CTA computes, and the {} of A and of B that it needs", m, n,
                             counted(cube.k, "tile")),
                 "a number: the k-tile; the sums along k stay in the CTA"},
                {},
                {}},
               1.2F);
  return scene;
}

}  // namespace tessera
