// SPDX-License-Identifier: BSD-3-Clause
// Scene -> SVG. Text is text, cells carry ids and titles, and nothing depends on a style sheet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/sha256.hpp"
#include "core/render/fill_runs.hpp"
#include "core/render/progress.hpp"
#include "core/render/render.hpp"
#include "core/render/source_embed.hpp"
#include "core/render/typography.hpp"

namespace tessera {

namespace {

constexpr std::string_view kSans = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
constexpr std::string_view kMono = "'JetBrains Mono', Menlo, 'DejaVu Sans Mono', monospace";
constexpr std::int64_t kBytesOfACell = 60;  // of text, about
constexpr std::int64_t kBytesOfATitledCell = 220;
constexpr std::size_t kMostTitledCells = 1024;  // of a grid: each has an id and says what it stands for; of larger ones each row does
constexpr double kFallbackFonts = 0.93;         // a page without Inter has wider digits
constexpr double kMargin = 0.5;                 // in cells, around the picture

void append_xml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    switch (const char32_t code = drawable(character)) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default: append_utf8(out, code);
    }
    text.remove_prefix(character.length);
  }
}

// A comment ends at its first "-->", and "--" may not be in it.
void append_comment(std::string& out, std::string_view text) {
  out += "<!-- ";
  for (const char c : drawable(text)) {
    if (c == '-' && out.back() == '-') out += ' ';
    out += c;
  }
  out += " -->\n";
}

void append_color(std::string& out, Rgb c) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '#';
  for (std::uint8_t v : {c.r, c.g, c.b}) {
    out += kHex[v >> 4];
    out += kHex[v & 15];
  }
}

class SvgPainter {
 public:
  // Units change here: the scene is in cells, the document in pixels.
  SvgPainter(const Scene& scene, std::string& out, RenderProgress& progress, double cell, Bounds box)
      : scene_(scene),
        out_(out),
        prefix_("t" + sha256_hex(scene.title + scene.expression + scene.text).substr(0, 7)),
        progress_(progress),
        text_colors_(scene),
        cell_(cell),
        x0_(box.x0 - kMargin * page_unit(box)),
        y0_(box.y0 - kMargin * page_unit(box)) {}

  void paint(std::size_t index) {
    const Panel& panel = scene_.panels[index];
    size_ = kFallbackFonts * cell_type_size(scene_, index);
    panel_ = index;
    out_ += "<g id=\"";
    id();
    out_ += "\" text-anchor=\"middle\" font-size=\"";
    num(size_ * cell_);
    out_ += "\">\n<title>";
    append_xml(out_, panel.name);
    out_ += "</title>\n";
    for (mark_ = 0; mark_ < panel.marks.size() && !progress_.stop(out_.size()); ++mark_) std::visit(*this, panel.marks[mark_]);
    // Labels last: grids and borders go under them.
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) labels(*grid);
    }
    out_ += "</g>\n";
  }

  void operator()(const Cell& cell) {
    const CellView seen = view(scene_, cell);
    out_ += "<g id=\"";
    id();
    out_ += "-c";
    whole(mark_);
    out_ += "\">";
    if (cell.subject != kNoSubject) title(subject_title(scene_, at(0)));
    out_ += "<rect";
    place(seen);
    out_ += " fill=\"";
    append_color(out_, cell.fill == kNoColor ? scene_.page.paper : scene_.palette[cell.fill].rgb);
    out_ += "\"/>";
    const LabelLines lines = label_lines(seen.label);
    for (int i = 0; i < lines.count; ++i) {
      begin_line(seen, lines, i);
      out_ += " x=\"";
      x(seen.x + seen.w / 2);
      out_ += "\">";
      append_xml(out_, lines.line[i]);
      out_ += "</text>";
    }
    out_ += "</g>\n";
  }

  // Colours: of each a path over all its cells, in cells, without smoothed edges, which would be seams.
  void operator()(const Grid& grid) {
    std::vector<std::string> paths(scene_.palette.size());
    for (const FillRun& run : fill_runs(*grid.of)) {
      std::string& path = paths[run.fill];
      const auto put = [&](char command, std::int64_t n) { path += command, path += std::to_string(n); };
      put('M', run.col), put(' ', run.row), put('h', run.cols), put('v', run.rows), put('H', run.col), path += 'z';
      if (progress_.stop(out_.size() + path.size())) return;
    }
    out_ += "<g shape-rendering=\"crispEdges\" transform=\"matrix(";
    num(grid.w * cell_);
    out_ += " 0 0 ";
    num(grid.h * cell_);
    out_ += ' ';
    x(grid.x);
    out_ += ' ';
    y(grid.y);
    out_ += ")\">\n";
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (paths[i].empty()) continue;
      out_ += "<path fill=\"";
      append_color(out_, scene_.palette[i].rgb);
      out_ += "\" d=\"" + paths[i] + "\"/>\n";
    }
    if (const std::string corners = shared_corners(*grid.of); !corners.empty()) {
      out_ += "<path fill=\"";
      append_color(out_, scene_.page.ink);
      out_ += "\" shape-rendering=\"auto\" d=\"" + corners + "\"/>\n";
    }
    out_ += "</g>\n";
    titles(grid);
  }

  void operator()(const Outline& o) {
    const int edge = scene_.style == FigureStyle::tessera ? 1 : 0;  // CuTe's grid draws its own border
    out_ += "<path d=\"";
    if (o.grid) {
      for (int i = edge; i <= std::lround(o.w / o.step_x) - edge && !progress_.stop(out_.size()); ++i)
        segment(o.x + o.step_x * static_cast<float>(i), o.y, o.x + o.step_x * static_cast<float>(i), o.y + o.h);
      for (int i = edge; i <= std::lround(o.h / o.step_y) - edge && !progress_.stop(out_.size()); ++i)
        segment(o.x, o.y + o.step_y * static_cast<float>(i), o.x + o.w, o.y + o.step_y * static_cast<float>(i));
    } else {
      out_ += 'M';
      x(o.x);
      out_ += ' ';
      y(o.y);
      out_ += 'h';
      num(o.w * cell_);
      out_ += 'v';
      num(o.h * cell_);
      out_ += 'h';
      num(-o.w * cell_);
      out_ += 'z';
    }
    end_stroke(o.role, kNoColor);
  }
  void operator()(const Line& l) {
    out_ += "<path d=\"";
    segment(l.x0, l.y0, l.x1, l.y1);
    end_stroke(l.role, l.color);
  }
  void operator()(const Arrow& a) {
    const double angle = std::atan2(a.y1 - a.y0, a.x1 - a.x0), head = 0.22;
    out_ += "<path d=\"";
    segment(a.x0, a.y0, a.x1, a.y1);
    for (const double turn : {0.45, -0.45}) segment(a.x1 - head * std::cos(angle + turn), a.y1 - head * std::sin(angle + turn), a.x1, a.y1);
    end_stroke(StrokeRole::boundary, a.color);
  }
  void operator()(const Label& l) {
    const double size = type_size(l);
    out_ += "<text x=\"";
    x(l.x);
    out_ += "\" y=\"";
    y(l.y);
    out_ += "\" dy=\".36em\" font-size=\"";
    num(size * cell_);
    out_ += "\" fill=\"";
    append_color(out_, label_color(l.role, scene_.page));
    out_ += '"';
    if (l.anchor != Anchor::center) out_ += l.anchor == Anchor::left ? " text-anchor=\"start\"" : " text-anchor=\"end\"";
    if (is_bold(l.role)) out_ += " font-weight=\"600\"";
    if (is_mono(l.role)) fmt::format_to(std::back_inserter(out_), " font-family=\"{}\"", kMono);
    out_ += " xml:space=\"preserve\">";
    append_xml(out_, scene_.text_of(l.text));
    out_ += "</text>\n";
  }

 private:
  void num(double v) { append_number(out_, v); }
  void x(double v) { num((v - x0_) * cell_); }
  void y(double v) { num((v - y0_) * cell_); }
  void segment(double x0, double y0, double x1, double y1) {
    out_ += 'M';
    x(x0);
    out_ += ' ';
    y(y0);
    out_ += 'L';
    x(x1);
    out_ += ' ';
    y(y1);
  }
  void end_stroke(StrokeRole role, ColorIndex color) {
    const StrokeLook look = stroke_look(role, scene_);
    out_ += "\" fill=\"none\" stroke=\"";
    append_color(out_, color == kNoColor ? look.color : scene_.palette[color].rgb);
    out_ += "\" stroke-width=\"";
    num(look.width * cell_);
    out_ += "\" stroke-linecap=\"square\"/>\n";
  }
  // A triangle in the corner of each cell that has more owners than the one that is named.
  static std::string shared_corners(const GridColumns& of) {
    std::string path;
    for (std::size_t i = 0; !of.label_ends.empty() && i < of.other_ends.size(); ++i) {
      if (of.others_of(i).empty()) continue;
      append_number(path += 'M', static_cast<double>(i % static_cast<std::size_t>(of.cols)) + 1 - kSharedCorner);
      append_number(path += ' ', static_cast<double>(i / static_cast<std::size_t>(of.cols)));
      append_number(path += 'h', kSharedCorner);
      append_number(path += 'v', kSharedCorner);
      path += 'z';
    }
    return path;
  }
  void whole(std::size_t n) { append_number(out_, static_cast<double>(n), 0); }
  // Of the panel; another file's begins with other signs, so that pages may hold several pictures.
  void id() {
    out_ += prefix_ + "-p";
    whole(panel_);
  }
  void title(std::string_view text) {
    out_ += "<title>";
    append_xml(out_, text);
    out_ += "</title>";
  }
  void place(const CellView& cell) {
    out_ += " x=\"";
    x(cell.x);
    out_ += "\" y=\"";
    y(cell.y);
    out_ += "\" width=\"";
    num(cell.w * cell_);
    out_ += "\" height=\"";
    num(cell.h * cell_);
    out_ += '"';
  }
  ElementId at(std::size_t cell) const {
    return {static_cast<std::uint32_t>(panel_), static_cast<std::uint32_t>(mark_), static_cast<std::uint32_t>(cell)};
  }
  // What the mouse finds: of a small grid each cell, of a large one each row.
  void titles(const Grid& grid) {
    if (!grid.of->has_subjects()) return;
    const bool each = grid.of->size() <= kMostTitledCells;
    const auto cols = static_cast<std::size_t>(grid.of->cols), rows = static_cast<std::size_t>(grid.of->rows);
    out_ += "<g fill=\"none\" pointer-events=\"all\">\n";
    for (std::size_t i = 0; i < (each ? grid.of->size() : rows) && !progress_.stop(out_.size()); ++i) {
      const std::size_t first = each ? i : i * cols;
      CellView cell = view(grid, first);
      if (!each) cell.w *= static_cast<float>(cols);
      out_ += "<rect id=\"";
      id();
      out_ += '-';
      whole(first / cols);
      if (each) out_ += '-', whole(i % cols);
      out_ += '"';
      place(cell);
      out_ += '>';
      title(each ? subject_title(scene_, at(i))
                 : fmt::format("row {}, from {} to {}", i, subject_title(scene_, at(first)), subject_title(scene_, at(first + cols - 1))));
      out_ += "</rect>\n";
    }
    out_ += "</g>\n";
  }
  // <text y dy [weight] [size] [fill], for line i of a label, without its end.
  void begin_line(const CellView& cell, const LabelLines& lines, int i) {
    out_ += "<text y=\"";
    y(cell.y + cell.h / 2 + size_ * lines.offset[i]);
    out_ += "\" dy=\".36em\"";
    if (lines.count == 2 && i == 0) out_ += " font-weight=\"600\"";
    if (lines.size[i] != 1) {
      out_ += " font-size=\"";
      num(size_ * lines.size[i] * cell_);
      out_ += '"';
    }
    if (const Rgb color = text_colors_.of(cell); !(color == scene_.page.ink)) {
      out_ += " fill=\"";
      append_color(out_, color);
      out_ += '"';
    }
  }
  // Labels of one row, line and colour are one text.
  void labels(const Grid& grid) {
    const GridColumns& of = *grid.of;
    if (of.label_ends.empty()) return;
    const auto cols = static_cast<std::size_t>(of.cols);
    for (std::size_t row = 0; row < of.size() && !progress_.stop(out_.size()); row += cols) {
      for (int line = 0; line < 2; ++line) {
        std::optional<std::pair<int, Rgb>> open;  // lines and colour of the text that is being written
        for (std::size_t i = row; i < row + cols; ++i) {
          const CellView cell = view(grid, i);
          const LabelLines lines = label_lines(cell.label);
          if (line >= lines.count) continue;
          const std::pair<int, Rgb> wanted{lines.count, text_colors_.of(cell)};
          if (open != wanted) {
            if (open) out_ += "</text>\n";
            begin_line(cell, lines, line);
            out_ += '>';
            open = wanted;
          }
          out_ += "<tspan x=\"";
          x(cell.x + cell.w / 2);
          out_ += "\">";
          append_xml(out_, lines.line[line]);
          out_ += "</tspan>";
        }
        if (open) out_ += "</text>\n";
      }
    }
  }

  const Scene& scene_;
  std::string& out_;
  std::string prefix_;
  RenderProgress& progress_;
  TextColors text_colors_;
  double cell_, x0_, y0_, size_ = 0.4;
  std::size_t panel_ = 0, mark_ = 0;
};

// ---- print_svg's style -----------------------------------------------------------------------------------------------------

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
    const Rgb c = cell.fill == kNoColor ? kPaper : scene_.palette[cell.fill].rgb;
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

Result<std::string> render_cute_svg(const Scene& scene) {
  RenderProgress progress(scene, "SVG");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
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

}  // namespace

Result<std::string> render_svg(const Scene& scene, const RenderOptions& options) {
  if (scene.style == FigureStyle::print_svg) return render_cute_svg(scene);
  const Bounds box = bounds(scene);
  const double margin = 2 * kMargin * page_unit(box), cell = options.cell_points;
  RenderProgress progress(scene, "SVG");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  std::string out;
  out.reserve(static_cast<std::size_t>(progress.cells() * kBytesOfACell) + 4096);
  std::string width, height;
  append_number(width, (box.width() + margin) * cell);
  append_number(height, (box.height() + margin) * cell);
  fmt::format_to(
      std::back_inserter(out),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" fill=\"", width,
      height, kSans);
  append_color(out, scene.page.ink);
  out += "\">\n<title>";
  append_xml(out, scene.title.empty() ? scene.expression : scene.title);
  out += "</title>\n<desc>tessera: ";
  append_xml(out, scene.expression);
  out += "</desc>\n";
  out += svg_source(scene.source);
  if (!options.transparent) {
    fmt::format_to(std::back_inserter(out), "<rect width=\"{}\" height=\"{}\" fill=\"", width, height);
    append_color(out, scene.page.paper);
    out += "\"/>\n";
  }
  SvgPainter painter(scene, out, progress, cell, box);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) painter.paint(i);
  TESSERA_CHECK(progress.end(out.size()));
  out += "</svg>\n";
  return out;
}

}  // namespace tessera
