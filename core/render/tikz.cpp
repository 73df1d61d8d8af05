// SPDX-License-Identifier: BSD-3-Clause
// Scene -> TikZ. print_latex's style repeats CuTe's text; our own is compact, so that large figures stay within TeX's memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "core/render/progress.hpp"
#include "core/render/render.hpp"
#include "core/render/source_embed.hpp"
#include "core/render/typography.hpp"

namespace tessera {

namespace {

// ---- escaping and numbers ----------------------------------------------------------------------------------------------

struct Sign {
  std::string_view text, tex;
};

// Replaces the signs of a table; other text beyond the Latin letters becomes '?', which every TeX can set, and so do controls.
std::string replaced(std::string_view text, std::span<const Sign> signs) {
  constexpr char32_t kLastLetter = 0x17f;  // the end of Latin Extended-A
  std::string out;
  while (!text.empty()) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](const Sign& s) { return text.starts_with(s.text); });
    if (sign != signs.end()) {
      out += sign->tex;
      text.remove_prefix(sign->text.size());
      continue;
    }
    const Utf8Character character = first_character(text);
    if (character.code == '\n' || character.code == '\t')
      out += ' ';
    else if (is_unprintable(character.code) || character.code > kLastLetter)
      out += '?';
    else
      out += text.substr(0, character.length);
    text.remove_prefix(character.length);
  }
  return out;
}

// TeX's specials in LaTeX's own fonts.
std::string tex(std::string_view text) {
  static constexpr Sign kSigns[] = {{"×", "\\ensuremath{\\times}"},
                                    {"→", "\\ensuremath{\\to}"},
                                    {"…", "\\ldots{}"},
                                    {"\\", "\\textbackslash{}"},
                                    {"{", "\\{"},
                                    {"}", "\\}"},
                                    {"$", "\\$"},
                                    {"&", "\\&"},
                                    {"#", "\\#"},
                                    {"%", "\\%"},
                                    {"_", "\\_"},
                                    {"^", "\\textasciicircum{}"},
                                    {"~", "\\textasciitilde{}"},
                                    {"<", "\\ensuremath{<}"},
                                    {">", "\\ensuremath{>}"}};
  return replaced(text, kSigns);
}

// The same where the type is Computer Modern at a free size: \tsY takes a sign of cmsy10, \tsM one of cmmi10.
std::string own_tex(std::string_view text, bool mono) {
  static constexpr Sign kSans[] = {{"×", "\\tsY{2}"},   {"→", "\\tsY{33}"}, {"…", "..."},        {"\\", "\\tsY{110}"}, {"{", "\\tsY{102}"},
                                   {"}", "\\tsY{103}"}, {"$", "\\char36 "}, {"&", "\\char38 "},  {"#", "\\char35 "},   {"%", "\\char37 "},
                                   {"_", "\\_"},        {"^", "\\char94 "}, {"~", "\\char126 "}, {"<", "\\tsM{60}"},   {">", "\\tsM{62}"},
                                   {"|", "\\tsY{106}"}, {"\"", "''"},       {"   ", "\\quad{}"}, {"  ", "\\enspace{}"}};
  static constexpr Sign kMono[] = {// cmtt10 has all of ASCII
                                   {"×", "x"},          {"→", "->"},        {"…", "..."},        {"\\", "\\char92 "}, {"{", "\\char123 "},
                                   {"}", "\\char125 "}, {"$", "\\char36 "}, {"&", "\\char38 "},  {"#", "\\char35 "},  {"%", "\\char37 "},
                                   {"_", "\\char95 "},  {"^", "\\char94 "}, {"~", "\\char126 "}, {"`", "\\char96 "},  {"'", "\\char39 "}};
  return replaced(text, mono ? std::span<const Sign>(kMono) : std::span<const Sign>(kSans));
}

// A comment is one line of text; what could end it early is replaced.
void append_comment(std::string& out, std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  out += "% " + printable(line) + '\n';
}

// What the picture was made of, before all else.
void append_source(std::string& out, const Scene& scene) {
  out += tex_source(scene.source);
  for (const std::string& comment : scene.comments) append_comment(out, comment);
  if (scene.source.empty() && !scene.expression.empty()) append_comment(out, "tessera: " + scene.expression);
}

std::string number(double value) {
  std::string out;
  append_number(out, value, 3);
  return out;
}

// ---- print_latex's style -------------------------------------------------------------------------------------------------

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
    if (cell.fill != kNoColor) fmt::format_to(std::back_inserter(out_), "[fill={}]", scene_.palette[cell.fill].tikz);
    fmt::format_to(std::back_inserter(out_), " at ({},{}) {{", number(cell.y), number(cell.x));
    const LabelLines lines = label_lines(cell.label);
    // After \\, TeX would take a bracket or a star for an argument.
    const bool like_argument = lines.count == 2 && (lines.line[1].starts_with('[') || lines.line[1].starts_with('*'));
    if (lines.count == 2) {
      fmt::format_to(std::back_inserter(out_), "\\shortstack{{{} \\\\ {}{}}}", tex(lines.line[0]), like_argument ? "{}" : "",
                     tex(lines.line[1]));
    }
    if (lines.count == 1) out_ += tex(lines.line[0]);
    out_ += "};\n";
  }
  void operator()(const Outline& o) {
    if (!o.grid) return;
    fmt::format_to(std::back_inserter(out_), "\\draw[color=black,thick,shift={{(-0.5,-0.5)}}] ({},{}) grid ({},{});\n\n", number(o.y),
                   number(o.x), number(o.y + o.h), number(o.x + o.w));
  }
  void operator()(const Line& l) {
    fmt::format_to(std::back_inserter(out_), "\\draw[color=black,thick,shift={{(-0.5,-0.5)}}] ({},{}) -- ({},{});\n", number(l.y0),
                   number(l.x0), number(l.y1), number(l.x1));
  }
  void operator()(const Label& l) {
    fmt::format_to(std::back_inserter(out_), "\\node at ({},{}) {{\\Large{{\\texttt{{{}}}}}}};\n", number(l.y - 0.5), number(l.x - 0.5),
                   tex(scene_.text_of(l.text)));
  }
  void operator()(const Arrow& a) {
    fmt::format_to(std::back_inserter(out_), "\\draw[->,thick,shift={{(-0.5,-0.5)}}] ({},{}) -- ({},{});\n", number(a.y0), number(a.x0),
                   number(a.y1), number(a.x1));
  }

 private:
  const Scene& scene_;
  std::string& out_;
};

Result<std::string> render_latex_style(const Scene& scene, const RenderOptions& options) {
  constexpr std::int64_t kBytesOfACell = 60;
  RenderProgress progress(scene, "TikZ");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out;
  append_source(out, scene);
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

// ---- our own style -------------------------------------------------------------------------------------------------------

// Rectangles and boxes instead of nodes, a row at a time: a cell costs TeX tens of words of memory, not thousands.
//   \tsF{c}{x}{y}{w}{h}       a row of cells of one colour
//   \tsR{x}{y}{w}{\tsL{..}..}  labels of neighbouring cells of width w on one baseline
//   \tsX{font}{size}          type: Computer Modern sans at any size, which LaTeX's own font selection would round
class TesseraPainter {
 public:
  TesseraPainter(const Scene& scene, std::string& out, RenderProgress& progress, double cell)
      : scene_(scene), out_(out), progress_(progress), cell_(cell) {}

  void paint(std::size_t index) {
    const Panel& panel = scene_.panels[index];
    append_comment(out_, panel.name);
    size_ = cell_type_size(scene_, index);
    for (std::size_t i = 0; i < panel.marks.size() && !progress_.stop(out_.size());) {
      std::size_t end = i;
      while (end < panel.marks.size() && std::holds_alternative<Cell>(panel.marks[end])) ++end;
      if (end == i) {
        std::visit(*this, panel.marks[i++]);
        continue;
      }
      draw(reading_order(panel, i, end));
      i = end;
    }
  }

  void operator()(const Cell&) {}  // drawn in runs, by fills and labels
  void operator()(const Grid& grid) {
    std::vector<CellView> cells;
    cells.reserve(grid.of->size());
    for (std::size_t i = 0; i < grid.of->size(); ++i) cells.push_back(view(grid, i));
    draw(cells);
  }
  void operator()(const Outline& o) {
    stroke(o.role);
    if (o.grid) {
      // Not TikZ's own grid, whose steps are rounded on the way.
      for (int i = 1; i < std::lround(o.w / o.step_x) && !progress_.stop(out_.size()); ++i)
        fmt::format_to(std::back_inserter(out_), "\\draw ({},{}) -- +(0,{});\n", number(o.x + o.step_x * static_cast<float>(i)),
                       number(o.y), number(o.h));
      for (int i = 1; i < std::lround(o.h / o.step_y) && !progress_.stop(out_.size()); ++i)
        fmt::format_to(std::back_inserter(out_), "\\draw ({},{}) -- +({},0);\n", number(o.x),
                       number(o.y + o.step_y * static_cast<float>(i)), number(o.w));
    } else {
      fmt::format_to(std::back_inserter(out_), "\\draw ({},{}) rectangle +({},{});\n", number(o.x), number(o.y), number(o.w), number(o.h));
    }
  }
  void operator()(const Line& l) {
    stroke(l.role, l.color);
    fmt::format_to(std::back_inserter(out_), "\\draw ({},{}) -- ({},{});\n", number(l.x0), number(l.y0), number(l.x1), number(l.y1));
  }
  void operator()(const Arrow& a) {
    stroke(StrokeRole::boundary, a.color);
    fmt::format_to(std::back_inserter(out_), "\\draw[->] ({},{}) -- ({},{});\n", number(a.x0), number(a.y0), number(a.x1), number(a.y1));
  }
  void operator()(const Label& l) {
    const double size = type_size(l);
    type(size, is_mono(l.role) ? "cmtt10" : is_bold(l.role) ? "cmssbx10" : "cmss10", label_color(l.role, scene_.page));
    const char* anchor = l.anchor == Anchor::left ? "left," : l.anchor == Anchor::right ? "right," : "";
    text(l.x, l.y + kCapMiddle * size, anchor, own_tex(scene_.text_of(l.text), is_mono(l.role)));
  }

 private:
  // Cells in reading order, whatever the order of their making: rows are what is joined.
  std::vector<CellView> reading_order(const Panel& panel, std::size_t begin, std::size_t end) const {
    std::vector<CellView> cells;
    for (std::size_t i = begin; i < end; ++i) cells.push_back(view(scene_, std::get<Cell>(panel.marks[i])));
    std::stable_sort(cells.begin(), cells.end(),
                     [](const CellView& a, const CellView& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); });
    return cells;
  }
  void draw(const std::vector<CellView>& cells) {
    fills(cells);
    labels(cells, size_);
  }
  void fills(const std::vector<CellView>& cells) {
    for (std::size_t i = 0; i < cells.size() && !progress_.stop(out_.size());) {
      const CellView& first = cells[i];
      float right = first.x + first.w;
      std::size_t next = i + 1;
      for (; next < cells.size(); ++next) {
        const CellView& cell = cells[next];
        if (cell.fill != first.fill || cell.y != first.y || cell.h != first.h || cell.x != right) break;
        right = cell.x + cell.w;
      }
      if (first.fill != kNoColor) {
        fmt::format_to(std::back_inserter(out_), "\\tsF{{{}}}{{{}}}{{{}}}{{{}}}{{{}}}\n", first.fill, number(first.x), number(first.y),
                       number(right - first.x), number(first.h));
      }
      i = next;
    }
  }
  void labels(const std::vector<CellView>& cells, double size) {
    for (int line = 0; line < 2; ++line) {
      for (std::size_t i = 0; i < cells.size() && !progress_.stop(out_.size());) {
        const CellView& first = cells[i];
        const LabelLines lines = label_lines(first.label);
        if (line >= lines.count) {
          ++i;
          continue;
        }
        const Rgb color = cell_text_color(scene_, first);
        type(size * lines.size[line], line == 0 && lines.count == 2 ? "cmssbx10" : "cmss10", color);
        const double baseline = first.y + first.h / 2 + size * (lines.offset[line] + kCapMiddle * lines.size[line]);
        fmt::format_to(std::back_inserter(out_), "\\tsR{{{}}}{{{}}}{{{}}}{{", number(first.x), number(baseline), number(first.w * cell_));
        float right = first.x;
        for (; i < cells.size() && !progress_.stop(out_.size()); ++i) {
          const CellView& cell = cells[i];
          const LabelLines its = label_lines(cell.label);
          if (cell.y != first.y || cell.h != first.h || cell.w != first.w || cell.x != right || its.count != lines.count ||
              !(cell_text_color(scene_, cell) == color))
            break;
          fmt::format_to(std::back_inserter(out_), "\\tsL{{{}}}", own_tex(its.line[line], false));
          right = cell.x + cell.w;
        }
        out_ += "}\n";
      }
    }
  }
  void text(double x, double y, std::string_view anchor, std::string_view s) {
    fmt::format_to(std::back_inserter(out_), "\\pgftext[{}base,at={{\\pgfpointxy{{{}}}{{{}}}}}]{{\\tsf {}}}\n", anchor, number(x),
                   number(y), s);
  }
  void type(double size, std::string_view font, Rgb color) {
    std::string wanted =
        fmt::format("\\tsX{{{}}}{{{}bp}}\\color[RGB]{{{},{},{}}}\n", font, number(size * cell_), color.r, color.g, color.b);
    if (wanted == type_) return;
    out_ += wanted;
    type_ = std::move(wanted);
  }
  void stroke(StrokeRole role, ColorIndex color = kNoColor) {
    const std::string name = color == kNoColor ? fmt::format("tsS{}", static_cast<int>(role)) : fmt::format("tsC{}", color);
    std::string wanted =
        fmt::format("\\pgfsetlinewidth{{{}bp}}\\pgfsetstrokecolor{{{}}}\n", number(stroke_look(role, scene_).width * cell_), name);
    if (wanted == stroke_) return;
    out_ += wanted;
    stroke_ = std::move(wanted);
  }

  const Scene& scene_;
  std::string& out_;
  RenderProgress& progress_;
  double cell_, size_ = 0.4;
  std::string type_;
  std::string stroke_;
};

void append_color(std::string& out, std::string_view name, Rgb c) {
  fmt::format_to(std::back_inserter(out), "\\definecolor{{{}}}{{RGB}}{{{},{},{}}}\n", name, c.r, c.g, c.b);
}

Result<std::string> render_own_style(const Scene& scene, const RenderOptions& options) {
  constexpr double kLargestPage = 12000;  // points; TeX's own limit is 16383
  const Bounds box = bounds(scene);
  const double cell = std::min(options.cell_points, kLargestPage / std::max(1.0f, std::max(box.width(), box.height())));
  constexpr std::int64_t kBytesOfACell = sizeof(CellView) + 32;  // its place in reading order, and its text
  RenderProgress progress(scene, "TikZ");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out;
  append_source(out, scene);
  if (options.standalone) out += "\\documentclass[border=6bp]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n";
  fmt::format_to(std::back_inserter(out), "\\begin{{tikzpicture}}[x={0}bp,y=-{0}bp]\n", number(cell));
  for (std::size_t i = 0; i < scene.palette.size(); ++i) append_color(out, fmt::format("tsC{}", i), scene.palette[i].rgb);
  for (const StrokeRole role : {StrokeRole::hairline, StrokeRole::grid, StrokeRole::boundary, StrokeRole::strong, StrokeRole::highlight}) {
    append_color(out, fmt::format("tsS{}", static_cast<int>(role)), stroke_look(role, scene).color);
  }
  out +=
      "\\def\\tsF#1#2#3#4#5{\\pgfsetfillcolor{tsC#1}\\pgfpathrectangle{\\pgfpointxy{#2}{#3}}{\\pgfpointxy{#4}{#5}}\\pgfusepath{fill}}\n"
      "\\def\\tsR#1#2#3#4{\\pgftext[left,base,at={\\pgfpointxy{#1}{#2}}]{\\tsf\\def\\tsw{#3bp}#4}}\\def\\tsL#1{\\hbox "
      "to\\tsw{\\hss#1\\hss}}\n"
      "\\def\\tsX#1#2{\\font\\tsf=#1 at #2\\relax\\font\\tsy=cmsy10 at #2\\relax\\font\\tsm=cmmi10 at #2\\relax}\n"
      "\\def\\tsY#1{{\\tsy\\char#1}}\\def\\tsM#1{{\\tsm\\char#1}}\n";
  TesseraPainter painter(scene, out, progress, cell);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) painter.paint(i);
  TESSERA_CHECK(progress.end(out.size()));
  out += "\\end{tikzpicture}\n";
  if (options.standalone) out += "\\end{document}\n";
  return out;
}

}  // namespace

Result<std::string> render_tikz(const Scene& scene, const RenderOptions& options) {
  return scene.style != FigureStyle::tessera ? render_latex_style(scene, options) : render_own_style(scene, options);
}

}  // namespace tessera
