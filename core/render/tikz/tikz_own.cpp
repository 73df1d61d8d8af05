// SPDX-License-Identifier: BSD-3-Clause
// Our own style of TikZ: a figure that stands in a paper or on a slide as it is, and that a person can read and change there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/render/shared/progress.hpp"
#include "core/render/shared/tikz_text.hpp"
#include "core/render/shared/typography.hpp"
#include "core/render/tikz/tikz_cells.hpp"
#include "core/render/tikz/tikz_head.hpp"
#include "core/render/tikz/tikz_macros.hpp"
#include "core/render/tikz/tikz_names.hpp"
#include "core/render/tikz/tikz_room.hpp"
#include "core/render/tikz/tikz_styles.hpp"

namespace tessera {

namespace {

// What is copied or searched in the PDF are the labels' characters: LuaTeX and pdfTeX write /ToUnicode maps of Type 1 fonts when asked.
constexpr std::string_view kCopiedText =
    "\\ifdefined\\directlua\\input{glyphtounicode}\\pdfvariable gentounicode 1\\fi\n"
    "\\ifdefined\\pdfgentounicode\\input{glyphtounicode}\\pdfgentounicode 1\\fi\n";

class OwnPainter {
 public:
  OwnPainter(const Scene& scene, std::string& out, RenderProgress& progress, double cell)
      : scene_(scene), out_(out), progress_(progress), cell_(cell) {}

  void paint(std::size_t index, const CellNames& names) {
    const Panel& panel = scene_.panels[index];
    append_tikz_comment(out_, panel.name);
    append_names(out_, names);
    type_size_ = cell_type_size(scene_, index);
    for (std::size_t i = 0; i < panel.marks.size() && !progress_.stop(out_.size());) {
      const std::size_t end = end_of_cells(panel, i);
      if (end == i) {
        std::visit(*this, panel.marks[i++]);
        continue;
      }
      end_path();
      rows(reading_order(scene_, panel, i, end));
      if (const auto* grid = std::get_if<Grid>(&panel.marks[i])) shared_corners(*grid);
      for (std::size_t k = i; k < end; ++k) {
        const auto* cell = std::get_if<Cell>(&panel.marks[k]);
        if (cell && is_sample(*cell)) sample_corner(*cell);
      }
      i = end;
    }
    end_path();
  }

  void operator()(const Cell&) {}  // drawn in rows
  void operator()(const Grid&) {}
  void operator()(const Outline& o) {
    const std::string style = fmt::format("tessera {}", name_of(o.role));
    if (o.grid) {
      // Not TikZ's own grid, whose steps are rounded on the way; and filled, as viewers make strokes a whole pixel wide.
      const bool seams = o.role == StrokeRole::grid;
      for (int i = 1; i < std::lround(o.w / o.step_x) && !progress_.stop(out_.size()); ++i)
        segment(style, o.x + o.step_x * static_cast<float>(i), o.y, o.x + o.step_x * static_cast<float>(i), o.y + o.h, seams);
      for (int i = 1; i < std::lround(o.h / o.step_y) && !progress_.stop(out_.size()); ++i)
        segment(style, o.x, o.y + o.step_y * static_cast<float>(i), o.x + o.w, o.y + o.step_y * static_cast<float>(i), seams);
    } else {
      end_path();
      out_ += "\\draw[" + style + "] ";
      point(o.x, o.y);
      out_ += " rectangle ";
      point(o.x + o.w, o.y + o.h);
      out_ += ";\n";
    }
  }
  void operator()(const Line& l) { segment(stroke(l.role, l.color), l.x0, l.y0, l.x1, l.y1); }
  void operator()(const Arrow& a) {
    end_path();  // of several segments in one path only the last would have a head
    segment(stroke(StrokeRole::boundary, a.color) + ",->", a.x0, a.y0, a.x1, a.y1);
    end_path();
  }
  void operator()(const Label& l) {
    end_path();
    const double size = type_size(l);
    const std::string type = fmt::format("\\tesseraType{{tessera{}}}{{{}bp}}{{{}}}\n", tikz_name(l.role), tikz_number(size * cell_),
                                         is_mono(l.role)   ? 't'
                                         : is_bold(l.role) ? 'b'
                                                           : 'm');
    if (type != type_) out_ += type_ = type;
    const char* anchor = l.anchor == Anchor::left ? "left" : l.anchor == Anchor::right ? "right" : "center";
    fmt::format_to(std::back_inserter(out_), "\\tesseraText{{{}}}{{{}}}{{{}}}{{", anchor, tikz_number(l.x),
                   tikz_number(l.y + kCapMiddle * size));
    append_tikz_text(out_, scene_.text_of(l.text), is_mono(l.role));
    out_ += "}\n";
  }

 private:
  void rows(const std::vector<CellView>& cells) {
    for (std::size_t i = 0; i < cells.size() && !progress_.stop(out_.size());) {
      const CellView& first = cells[i];
      float right = first.x + first.w;
      std::size_t end = i + 1;
      for (; end < cells.size(); ++end, right += first.w) {
        const CellView& cell = cells[end];
        const bool beside = std::abs(cell.x - right) < 1e-4f * std::max(1.0f, std::abs(right));  // columns of 1.05 are added up
        if (cell.y != first.y || cell.h != first.h || cell.w != first.w || !beside) break;
      }
      if (end == i + 1 && first.label.empty())
        area(first);
      else
        row(cells, i, end);
      i = end;
    }
  }
  void area(const CellView& cell) {
    if (cell.fill == kNoColor) return;
    fmt::format_to(std::back_inserter(out_), "\\tesseraFill{{{}}}{{{}}}{{{}}}{{{}}}{{{}}}\n", cell.fill, tikz_number(cell.x),
                   tikz_number(cell.y), tikz_number(cell.w), tikz_number(cell.h));
  }
  void row(const std::vector<CellView>& cells, std::size_t begin, std::size_t end) {
    const CellView& first = cells[begin];
    const std::string size = fmt::format("\\tesseraCells{{{}}}{{{}}}{{{}}}\n", tikz_number(first.w * cell_), tikz_number(first.h * cell_),
                                         tikz_number(type_size_ * cell_));
    if (size != size_) out_ += size_ = size;
    fmt::format_to(std::back_inserter(out_), "\\tesseraRow{{{}}}{{{}}}{{", tikz_number(first.x), tikz_number(first.y));
    for (std::size_t i = begin; i < end && !progress_.stop(out_.size()); ++i) {
      if (i > begin) out_ += ',';
      item(cells[i]);
    }
    out_ += "}\n";
  }
  // 8/T0/V0: what is between the bars and commas is in braces where it has such.
  void item(const CellView& cell) {
    if (cell.fill == kNoColor)
      out_ += '-';
    else
      append_tikz_number(out_, cell.fill);
    if (cell.faint) out_ += 'f';
    const LabelLines lines = label_lines(cell.label);
    for (int i = 0; i < lines.count; ++i) {
      const bool parted = lines.line[i].find_first_of("/,") != std::string_view::npos;
      out_ += parted ? "/{" : "/";
      append_tikz_text(out_, lines.line[i]);
      if (parted) out_ += '}';
    }
  }

  void corner(const CellView& cell, double inset_x, double inset_y, double w, double h) {
    const double right = cell.x + cell.w - inset_x, top = cell.y + inset_y;
    point(right - w, top);
    out_ += " -- ";
    point(right, top);
    out_ += " -- ";
    point(right, top + h);
    out_ += " -- cycle";
  }
  void sample_corner(const Cell& cell) {
    out_ += "\\fill[tesseraink] ";
    corner(view(scene_, cell), kCornerInset * cell.h, kCornerInset * cell.h, kSampleCorner * cell.h, kSampleCorner * cell.h);
    out_ += ";\n";
  }
  // A triangle in the corner of each cell that has more owners than the one that is named.
  void shared_corners(const Grid& grid) {
    const GridColumns& of = *grid.of;
    bool open = false;
    for (std::size_t i = 0; of.marks_shared() && i < of.other_ends.size() && !progress_.stop(out_.size()); ++i) {
      if (of.others_of(i).empty()) continue;
      const CellView cell = view(grid, i);
      out_ += open ? "\n  " : "\\fill[tesseraink] ";
      open = true;
      corner(cell, cell.w * kCornerInset, cell.h * kCornerInset, cell.w * kSharedCorner, cell.h * kSharedCorner);
    }
    if (open) out_ += ";\n";
  }

  std::string stroke(StrokeRole role, ColorIndex color) const {
    return color == kNoColor ? fmt::format("tessera {}", name_of(role)) : fmt::format("tessera {},draw=tessera{}", name_of(role), color);
  }
  // Lines of one look are one path.
  void segment(const std::string& style, double x0, double y0, double x1, double y1, bool seam = false) {
    constexpr int kSegmentsOfAPath = 60, kSegmentsOfALine = 6;
    if (style != path_ || seam != seams_ || segments_ == kSegmentsOfAPath) {
      end_path();
      out_ += seam ? "\\tesseraSeams{" + style + "}{" : "\\draw[" + style + "]";
      path_ = style;
      seams_ = seam;
    }
    out_ += segments_++ % kSegmentsOfALine == 0 && segments_ > 1 ? "\n  " : " ";
    point(x0, y0);
    if (!seam) out_ += " -- ";
    point(x1, y1);
  }
  void end_path() {
    if (!path_.empty()) out_ += seams_ ? "}\n" : ";\n";
    path_.clear();
    segments_ = 0;
  }
  void point(double x, double y) {
    out_ += '(';
    append_tikz_number(out_, x);
    out_ += ',';
    append_tikz_number(out_, y);
    out_ += ')';
  }

  const Scene& scene_;
  std::string& out_;
  RenderProgress& progress_;
  double cell_;             // points
  double type_size_ = 0.4;  // of the panel's cells, in cells
  std::string type_, size_;
  std::string path_;    // the look of the path that is open; empty where none is
  int segments_ = 0;    // that it has
  bool seams_ = false;  // is it filled?
};

}  // namespace

Result<std::string> render_own_tikz(const Scene& whole, const RenderOptions& options) {
  constexpr double kLargestPage = 12000;                         // points; TeX's own limit is 16383
  constexpr std::int64_t kBytesOfACell = sizeof(CellView) + 32;  // its place in reading order, and its text
  RenderProgress progress(whole, "TikZ");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  TESSERA_TRY(thinned, within_tex(whole, options.cell_points));
  const Scene& scene = thinned ? *thinned : whole;
  const Bounds box = bounds(scene);
  const double margin = options.standalone ? 0.5 * page_unit(box) : 0;  // a page's own; in a document the text around it has one
  const double cell = std::min(options.cell_points, kLargestPage / std::max(1.0, std::max(box.width(), box.height()) + 2 * margin));
  const std::vector<CellNames> names = cell_names(scene);
  std::string drawn;
  OwnPainter painter(scene, drawn, progress, cell);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) painter.paint(i, names[i]);
  std::string out;
  append_tikz_head(out, scene, names, drawn.find("\\tesseraRow{") != std::string::npos);
  if (options.standalone) {
    out += "\\documentclass{standalone}\n\\usepackage{tikz}\n";
    out += kCopiedText;
    out += "\\begin{document}\n";
  }
  append_tikz_begin(out, scene, box, margin, cell);
  out += tikz_macros();
  append_tikz_colors(out, scene);
  if (!(scene.page == Page{}) && !options.transparent)
    out += "\\fill[tesserapaper] (current bounding box.south west) rectangle (current bounding box.north east);\n";
  TESSERA_CHECK(progress.end(out.size() + drawn.size()));
  out += drawn;
  // The line's end would be a space beside a picture of the column's width.
  out += options.standalone ? "\\end{tikzpicture}\n\\end{document}\n" : "\\end{tikzpicture}%\n";
  return out;
}

}  // namespace tessera
