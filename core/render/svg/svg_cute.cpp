// SPDX-License-Identifier: BSD-3-Clause
// Scene -> SVG in the words of CuTe's print_svg.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>

#include "core/render/shared/progress.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/svg_text.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

// A comment ends at its first "-->", and "--" may not be in it.
void append_comment(std::string& out, std::string_view text) {
  out += "<!-- ";
  for (const char c : drawable(text)) {
    if (c == '-' && out.back() == '-') out += ' ';
    out += c;
  }
  out += " -->\n";
}

// CuTe's print_svg: cells of 20 pixels, the T above the V, and the grid as each rectangle's own stroke.
class CutePainter {
 public:
  CutePainter(const Scene& scene, std::string& out, Bounds box)
      : scene_(scene), out_(out), x0_(std::floor(box.x0)), y0_(std::floor(box.y0)) {}

  void operator()(const Cell& cell) { draw(view(scene_, cell)); }
  void operator()(const Grid& grid) {
    each_drawn(*grid.of, [&](std::size_t i) { draw(view(grid, i)); });
  }
  void draw(const CellView& cell) {
    const Rgb c = cell.fill == kNoColor ? kPaper : scene_.palette[cell.fill];
    fmt::format_to(std::back_inserter(out_),
                   "<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"20\" fill=\"rgb({},{},{})\" stroke=\"black\"/>\n", at(cell.x - x0_),
                   at(cell.y - y0_), c.r, c.g, c.b);
    const LabelLines lines = label_lines(cell.label);
    for (int i = 0; i < lines.count; ++i)
      text(at(cell.x - x0_) + 10, at(cell.y - y0_) + (lines.count == 1 ? 10 : 5 + 10 * i), 8, lines.line[i]);
  }
  void operator()(const Label& l) { text(at(l.x - x0_), at(l.y - y0_), 12, scene_.text_of(l.text)); }
  void operator()(const Outline&) {}
  void operator()(const Line&) {}
  void operator()(const Arrow&) {}

 private:
  static long at(double cells) { return std::lround(cells * 20); }
  void text(long x, long y, int size, std::string_view s) {
    fmt::format_to(std::back_inserter(out_),
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" alignment-baseline=\"central\" font-size=\"{}\">", x, y, size);
    append_xml(out_, s);
    out_ += "</text>\n";
  }
  const Scene& scene_;
  std::string& out_;
  double x0_, y0_;
};

// What print_svg covers: the cells and one row and one column of numbers.
Bounds cute_bounds(const Scene& scene) {
  Bounds box;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const Outline* grid = std::get_if<Outline>(&mark);
      if (grid == nullptr) continue;
      box = {std::min(box.x0, grid->x - 1), std::min(box.y0, grid->y - 1), std::max(box.x1, grid->x + grid->w),
             std::max(box.y1, grid->y + grid->h)};
    }
  }
  return box;
}

}  // namespace

Result<std::string> render_cute_svg(const Scene& scene) {
  RenderProgress progress(scene, "SVG");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfASvgCell)));
  std::string out;
  for (const std::string& comment : scene.comments) append_comment(out, comment);
  out += svg_comment_source(scene.source);
  const Bounds box = cute_bounds(scene);
  fmt::format_to(std::back_inserter(out),
                 "<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"xMidYMid meet\" "
                 "xmlns=\"http://www.w3.org/2000/svg\">\n",
                 std::lround(box.width() * 20), std::lround(box.height() * 20));
  CutePainter painter(scene, out, box);
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (progress.stop(out.size())) break;
      std::visit(painter, mark);
    }
  }
  TESSERA_CHECK(progress.end(out.size()));
  out += "</svg>\n";
  return out;
}

}  // namespace tessera
