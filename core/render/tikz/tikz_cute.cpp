// SPDX-License-Identifier: BSD-3-Clause
// print_latex's style of TikZ: CuTe's text, mark by mark.
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "core/diagram/scene/palette.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/tikz_text.hpp"
#include "core/render/shared/typography.hpp"
#include "core/render/tikz/tikz_styles.hpp"

namespace tessera {

namespace {

// A colour as print_latex spells it: "white" of TikzColor_White, "black!40" of TikzColor_BWx8, "{rgb,255:red,175;green,175;blue,255}".
std::string spelling(const Scene& scene, ColorIndex fill) {
  const Rgb color = scene.palette[fill];
  if (scene.palette_name == "white" && color == kPaper) return "white";
  for (int percent = 0; percent <= 70; percent += 10) {
    if (color == mix(kPaper, {0, 0, 0}, percent / 100.0)) return fmt::format("black!{:02d}", percent);
  }
  return fmt::format("{{rgb,255:red,{};green,{};blue,{}}}", color.r, color.g, color.b);
}

// Its picture has x down and y to the right, and a cell's node stands at the cell's number, not at its corner.
class LatexPainter {
 public:
  LatexPainter(const Scene& scene, std::string& out) : scene_(scene), out_(out) {}

  void operator()(const Cell& cell) { node(view(scene_, cell)); }
  void operator()(const Grid& grid) {
    each_drawn(*grid.of, [&](std::size_t i) { node(view(grid, i)); });
  }
  void node(const CellView& cell) {
    out_ += "\\node";
    if (cell.fill != kNoColor) fmt::format_to(std::back_inserter(out_), "[fill={}]", spelling(scene_, cell.fill));
    fmt::format_to(std::back_inserter(out_), " at ({},{}) {{", tikz_number(cell.y), tikz_number(cell.x));
    const LabelLines lines = label_lines(cell.label);
    // After \\, TeX would take a bracket or a star for an argument.
    const bool like_argument = lines.count == 2 && (lines.line[1].starts_with('[') || lines.line[1].starts_with('*'));
    if (lines.count == 2) {
      fmt::format_to(std::back_inserter(out_), "\\shortstack{{{} \\\\ {}{}}}", latex_text(lines.line[0]), like_argument ? "{}" : "",
                     latex_text(lines.line[1]));
    }
    if (lines.count == 1) out_ += latex_text(lines.line[0]);
    out_ += "};\n";
  }
  void operator()(const Outline& o) {
    if (!o.grid) return;
    fmt::format_to(std::back_inserter(out_), "\\draw[color=black,thick,shift={{(-0.5,-0.5)}}] ({},{}) grid ({},{});\n\n", tikz_number(o.y),
                   tikz_number(o.x), tikz_number(o.y + o.h), tikz_number(o.x + o.w));
  }
  void operator()(const Line& l) {
    fmt::format_to(std::back_inserter(out_), "\\draw[color=black,thick,shift={{(-0.5,-0.5)}}] ({},{}) -- ({},{});\n", tikz_number(l.y0),
                   tikz_number(l.x0), tikz_number(l.y1), tikz_number(l.x1));
  }
  void operator()(const Label& l) {
    fmt::format_to(std::back_inserter(out_), "\\node at ({},{}) {{\\Large{{\\texttt{{{}}}}}}};\n", tikz_number(l.y - 0.5),
                   tikz_number(l.x - 0.5), latex_text(scene_.text_of(l.text)));
  }
  void operator()(const Arrow& a) {
    fmt::format_to(std::back_inserter(out_), "\\draw[->,thick,shift={{(-0.5,-0.5)}}] ({},{}) -- ({},{});\n", tikz_number(a.y0),
                   tikz_number(a.x0), tikz_number(a.y1), tikz_number(a.x1));
  }

 private:
  const Scene& scene_;
  std::string& out_;
};

}  // namespace

Result<std::string> render_cute_tikz(const Scene& scene, const RenderOptions& options) {
  constexpr std::int64_t kBytesOfACell = 60;
  RenderProgress progress(scene, "TikZ");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out;
  append_tikz_source(out, scene);
  if (options.standalone) out += "\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\n\\begin{document}\n";
  out += "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, outer sep=0pt}]\n\n";
  LatexPainter painter(scene, out);
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (progress.stop(out.size())) break;
      std::visit(painter, mark);
    }
  }
  TESSERA_CHECK(progress.end(out.size()));
  out += "\\end{tikzpicture}\n";
  if (options.standalone) out += "\\end{document}\n";
  return out;
}

}  // namespace tessera
