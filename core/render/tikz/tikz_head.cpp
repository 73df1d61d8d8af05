// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/tikz/tikz_head.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/render/shared/look.hpp"
#include "core/render/shared/tikz_text.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

constexpr StrokeRole kStrokes[] = {StrokeRole::hairline, StrokeRole::grid, StrokeRole::boundary, StrokeRole::strong, StrokeRole::highlight};

constexpr LabelRole kLabels[] = {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note};

void append_color(std::string& out, std::string_view name, Rgb c) {
  fmt::format_to(std::back_inserter(out), "\\providecolor{{tessera{}}}{{RGB}}{{{},{},{}}}\n", name, c.r, c.g, c.b);
}

// Which colours a scene has: those of cells, faint ones among them, and those of lines.
struct UsedColors {
  std::set<ColorIndex> all, faint;
  void operator()(const Cell& cell) {
    all.insert(cell.fill);
    if (cell.faint) faint.insert(cell.fill);
  }
  void operator()(const Grid& grid) {
    all.insert(grid.of->fills.begin(), grid.of->fills.end());
    for (std::size_t i = 0; i < grid.of->faint.size() && i < grid.of->fills.size(); ++i) {
      if (grid.of->faint[i] != 0) faint.insert(grid.of->fills[i]);
    }
  }
  void operator()(const Line& line) { all.insert(line.color); }
  void operator()(const Arrow& arrow) { all.insert(arrow.color); }
  void operator()(const Outline&) {}
  void operator()(const Label&) {}
};

// In points. Lines between small cells are as wide as in a PDF, where thinner ones are not seen.
double line_width(StrokeRole role, const Look& look, double cell) {
  const double width = look.stroke(role).width * cell;
  return role == StrokeRole::grid ? std::max(width, std::min(kLeastLine, kMostOfAStep * cell)) : width;
}

}  // namespace

std::string_view tikz_name(LabelRole role) {
  switch (role) {
    case LabelRole::axis: return "axis";
    case LabelRole::panel_name: return "heading";
    case LabelRole::caption: return "caption";
    case LabelRole::legend: return "legend";
    case LabelRole::note: return "note";
  }
  return "note";
}

void append_tikz_head(std::string& out, const Scene& scene, const std::vector<CellNames>& names, bool has_rows) {
  append_tikz_source(out, scene);
  out +=
      "%\n"
      "% Needs \\usepackage{tikz}. What follows ends with the picture: figures of one document do not meet.\n";
  if (has_rows)
    out +=
        "%   \\tesseraRow{x}{y}{8/T0/V0,9/T1/V0}  cells from left to right: colour/label, or colour/first line/second line\n"
        "%   \\tesseraCell{8}{T0}                  sets one line of a label: \\newcommand\\tesseraCell[2]{$#2$} in the preamble changes "
        "it\n";
  out +=
      "%   \\tesserafont{9bp}{m}                 its type, m, b or t (medium, bold, typewriter), likewise:\n"
      "%                                        \\newcommand\\tesserafont[2]{\\usefont{T1}{phv}{#2}{n}\\fontsize{#1}{#1}\\selectfont}\n"
      "% Colours: change the lines \\tesseraColor, or \\definecolor{tessera8}{RGB}{230,230,230} in the preamble. Lines, size and all else\n"
      "% that TikZ can do: \\tikzset{tessera figure/.style={tessera grid/.append style={draw=gray},scale=0.8,name prefix=left-}}.\n";
  append_names_comment(out, names);
}

void append_tikz_colors(std::string& out, const Scene& scene) {
  const Look look = look_of(scene);
  append_color(out, "ink", scene.page.ink);
  append_color(out, "paper", scene.page.paper);
  append_color(out, "faint", faint_text_color(scene.page.paper));
  for (const StrokeRole role : kStrokes) append_color(out, name_of(role), look.stroke(role).color);
  for (const LabelRole role : kLabels) append_color(out, tikz_name(role), label_color(role, scene.page));
  UsedColors used;
  bool dark = false;  // is there a text of the usual ink on another page?
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) std::visit(used, mark);
  }
  used.all.erase(kNoColor), used.faint.erase(kNoColor);
  for (const ColorIndex color : used.all) {
    const Rgb c = scene.palette[color];
    const Rgb text = text_color(c);
    const std::string_view name = text == scene.page.ink     ? "tesseraink"
                                  : text == scene.page.paper ? "tesserapaper"
                                  : text == kPaper           ? "white"
                                  : text == kInk             ? "tesseradark"
                                                             : "black";
    if (name == "tesseradark" && !dark) append_color(out, "dark", kInk), dark = true;
    fmt::format_to(std::back_inserter(out), "\\tesseraColor{{{}}}{{{},{},{}}}{{{}}}\n", color, c.r, c.g, c.b, name);
  }
  for (const ColorIndex color : used.faint) {
    fmt::format_to(std::back_inserter(out), "\\tesseraFaint{{{}}}\n", color);
    const Rgb text = faint_text_color(scene.palette[color]);
    if (text == faint_text_color(scene.page.paper)) continue;
    append_color(out, fmt::format("dim{}", color), text);
    fmt::format_to(std::back_inserter(out), "\\expandafter\\def\\csname tesseraink{0}f\\endcsname{{tesseradim{0}}}\n", color);
  }
}

void append_tikz_begin(std::string& out, const Scene& scene, Bounds box, double margin, double cell) {
  const Look look = look_of(scene);
  fmt::format_to(std::back_inserter(out), "\\begin{{tikzpicture}}[x={0}bp,y=-{0}bp,line cap=rect,\n", tikz_number(cell));
  for (const StrokeRole role : kStrokes) {
    fmt::format_to(std::back_inserter(out), "  tessera {0}/.style={{draw=tessera{0},line width={1}bp}},\n", name_of(role),
                   tikz_number(line_width(role, look, cell)));
  }
  out += "  tessera figure/.try]\n";
  fmt::format_to(std::back_inserter(out), "\\path[use as bounding box] ({},{}) rectangle ({},{});\n", tikz_number(box.x0 - margin),
                 tikz_number(box.y0 - margin), tikz_number(box.x1 + margin), tikz_number(box.y1 + margin));
}

}  // namespace tessera
