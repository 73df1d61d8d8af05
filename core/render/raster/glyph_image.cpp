// SPDX-License-Identifier: BSD-3-Clause
// Each edge of an outline adds to the pixels that it crosses what it covers of them to its right, and to the pixel behind the rest of its
// height; their sum along a row is how much of each pixel lies inside.
#include <cstdint>
#include <utility>
#include <vector>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/glyph_image.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tessera {

namespace {

using Piece = GlyphOutline::Piece;
constexpr int kStraights = 16;  // that a curve is made of

struct Point {
  double x = 0, y = 0;
};

class Coverage {
 public:
  Coverage(int cols, int rows) : cols_(cols + 2), change_(static_cast<std::size_t>(cols_) * static_cast<std::size_t>(rows)) {}

  void edge(Point from, Point to) {
    if (from.y == to.y) return;
    const double way = from.y < to.y ? 1 : -1;
    if (way < 0) std::swap(from, to);
    const double slope = (to.x - from.x) / (to.y - from.y);
    double x = from.x;
    for (int row = static_cast<int>(std::floor(from.y)); row < to.y; ++row) {
      const double height = std::min(row + 1.0, to.y) - std::max<double>(row, from.y);
      const double next = x + slope * height;
      within_row(row, std::min(x, next), std::max(x, next), way * height);
      x = next;
    }
  }

  // Of row after row, `cols` pixels of each.
  std::vector<std::uint8_t> of(int cols, int rows) const {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(cols) * static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
      double inside = 0;
      for (int col = 0; col < cols; ++col) {
        inside += change_[place(row, col)];
        pixels.push_back(static_cast<std::uint8_t>(std::lround(255 * std::min(std::abs(inside), 1.0))));
      }
    }
    return pixels;
  }

 private:
  std::size_t place(int row, int col) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_) + static_cast<std::size_t>(col);
  }

  // An edge of this height from x to `end` within one row. What it adds up to the right end of a column is the area there to its right.
  void within_row(int row, double x, double end, double height) {
    const int first = static_cast<int>(std::floor(x)), last = static_cast<int>(std::floor(end));
    const auto area = [&](double right) {  // to the right of the edge and left of this line, of a height of 1
      if (right <= x) return 0.0;
      if (right >= end) return right - (x + end) / 2;
      return (right - x) * (right - x) / (2 * (end - x));
    };
    double before = 0, covered = 0;  // up to the column's left end; of the column before
    for (int col = first; col <= last + 1; ++col) {
      const double upto = area(col + 1.0), here = col <= last ? upto - before : 1.0;
      change_[place(row, col)] += height * (here - covered);
      before = upto;
      covered = here;
    }
  }

  int cols_;
  std::vector<double> change_;
};

Point on_curve(Point a, Point b, Point c, Point d, double t) {
  const double s = 1 - t, wa = s * s * s, wb = 3 * s * s * t, wc = 3 * s * t * t, wd = t * t * t;
  return {wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y};
}

// Calls edge(from, to) for every straight that the outline is made of, closed contours all.
template <class Edge>
void each_edge(const GlyphOutline& outline, const std::function<Point(double, double)>& to_pixels, Edge edge) {
  Point begin, at;
  for (const auto& [kind, p] : outline.pieces) {
    const Point a = to_pixels(p[0], p[1]);
    switch (kind) {
      case Piece::Kind::move:
        edge(at, begin);
        begin = at = a;
        break;
      case Piece::Kind::line:
        edge(at, a);
        at = a;
        break;
      case Piece::Kind::curve: {
        const Point b = to_pixels(p[2], p[3]), end = to_pixels(p[4], p[5]), start = at;
        for (int i = 1; i <= kStraights; ++i) {
          const Point next = i == kStraights ? end : on_curve(start, a, b, end, static_cast<double>(i) / kStraights);
          edge(at, next);
          at = next;
        }
        break;
      }
    }
  }
  edge(at, begin);
}

// Two channels, in the bytes of 0x00ff00ff, times a share of 255, rounded.
constexpr std::uint32_t kTwo = 0x00ff00ff;
std::uint32_t scaled(std::uint32_t two, std::uint32_t share) {
  const std::uint32_t product = two * share + 0x00800080;
  return (product + (product >> 8 & kTwo)) >> 8 & kTwo;
}

// An opaque colour of which so much covers the pixel.
std::uint32_t over(std::uint32_t color, std::uint32_t covered, std::uint32_t pixel) {
  const std::uint32_t left = 255 - covered;
  const std::uint32_t high = scaled(color >> 8 & kTwo, covered) + scaled(pixel >> 8 & kTwo, left);
  return high << 8 | (scaled(color & kTwo, covered) + scaled(pixel & kTwo, left));
}

}  // namespace

GlyphImage::GlyphImage(const GlyphOutline& outline, double size, double shift) {
  if (outline.pieces.empty()) return;
  double right = 0, bottom = 0, least_x = 0, least_y = 0;
  for (const auto& [kind, p] : outline.pieces) {
    for (std::size_t i = 0; i < (kind == Piece::Kind::curve ? 6 : 2); i += 2) {
      least_x = std::min(least_x, p[i] * size + shift);
      least_y = std::min(least_y, p[i + 1] * size);
      right = std::max(right, p[i] * size + shift);
      bottom = std::max(bottom, p[i + 1] * size);
    }
  }
  left = static_cast<int>(std::floor(least_x));
  top = static_cast<int>(std::floor(least_y));
  cols = static_cast<int>(std::ceil(right)) - left + 1;
  rows = static_cast<int>(std::ceil(bottom)) - top + 1;
  Coverage areas(cols, rows);
  each_edge(
      outline,
      [&](double x, double y) {
        return Point{x * size + shift - left, y * size - top};
      },
      [&](Point from, Point to) { areas.edge(from, to); });
  coverage = areas.of(cols, rows);
}

void put(const GlyphImage& glyph, std::int64_t x, std::int64_t y, Rgb color, const PixelArea& area) {
  const std::uint32_t word = 0xff000000u | std::uint32_t{color.r} << 16 | std::uint32_t{color.g} << 8 | color.b;
  const std::int64_t first_col = std::max<std::int64_t>(0, -x), end_col = std::min<std::int64_t>(glyph.cols, area.width - x);
  const std::int64_t first_row = std::max<std::int64_t>(0, -y), end_row = std::min<std::int64_t>(glyph.rows, area.height - y);
  for (std::int64_t row = first_row; row < end_row; ++row) {
    const std::uint8_t* covered = glyph.coverage.data() + row * glyph.cols;
    auto* pixels = reinterpret_cast<std::uint32_t*>(area.data + (y + row) * area.stride) + x;
    for (std::int64_t col = first_col; col < end_col; ++col) {
      if (covered[col] != 0) pixels[col] = over(word, covered[col], pixels[col]);
    }
  }
}

const GlyphImage& GlyphImages::filled(OfSize& images, Typeface face, double size, std::uint64_t key) {
  if (const auto known = images.find(key); known != images.end()) return known->second;
  const GlyphOutline& outline = Typefaces::get().outline(face, key / kPlaces);
  const GlyphImage& made = images.try_emplace(key, outline, size, static_cast<double>(key % kPlaces) / kPlaces).first->second;
  bytes_ += made.coverage.size();
  return made;
}

void GlyphImages::forget_large() {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  if (bytes_ <= kMostBytes) return;
  sizes_.clear();
  bytes_ = 0;
}

}  // namespace tessera

#endif
