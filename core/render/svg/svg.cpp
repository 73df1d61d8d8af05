// SPDX-License-Identifier: BSD-3-Clause
// Scene -> SVG. Text is text in the fonts that the file carries, and cells have ids and titles. A reader that knows no style sheet shows
// the same in fonts of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/shared/fill_runs.hpp"
#include "core/render/shared/font_faces.hpp"
#include "core/render/shared/look.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/said.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/svg_text.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kBytesOfATitledCell = 220;
constexpr std::size_t kMostTitledCells = 1024;  // of a grid: each has an id and says what it stands for; of larger ones each row does
constexpr double kMargin = 0.5;                 // in cells, around the picture

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
        look_(look_of(scene)),
        cell_(cell),
        x0_(box.x0 - kMargin * page_unit(box)),
        y0_(box.y0 - kMargin * page_unit(box)) {}

  void paint(std::size_t index) {
    const Panel& panel = scene_.panels[index];
    size_ = cell_type_size(scene_, index);
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
    append_color(out_, cell.fill == kNoColor ? scene_.page.paper : scene_.palette[cell.fill]);
    out_ += "\"/>";
    if (is_sample(cell)) corner(seen);
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
      append_color(out_, scene_.palette[i]);
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
    const int edge = look_.first_grid_line;
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
    if (is_bold(l.role)) bold();
    if (is_mono(l.role)) {
      faces_.mono = true;
      fmt::format_to(std::back_inserter(out_), " font-family=\"{}\"", kMono);
    }
    out_ += " xml:space=\"preserve\">";
    append_xml(out_, scene_.text_of(l.text));
    out_ += "</text>\n";
  }

  const FacesInUse& faces() const { return faces_; }

 private:
  void num(double v) { append_number(out_, v); }
  void bold() {
    faces_.bold = true;
    out_ += " font-weight=\"600\"";
  }
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
    const StrokeLook look = look_.stroke(role);
    out_ += "\" fill=\"none\" stroke=\"";
    append_color(out_, color == kNoColor ? look.color : scene_.palette[color]);
    out_ += "\" stroke-width=\"";
    num(look.width * cell_);
    out_ += "\" stroke-linecap=\"square\"/>\n";
  }
  // A triangle in the corner of each cell that has more owners than the one that is named.
  static std::string shared_corners(const GridColumns& of) {
    std::string path;
    for (std::size_t i = 0; of.marks_shared() && i < of.other_ends.size(); ++i) {
      if (of.others_of(i).empty()) continue;
      append_number(path += 'M', static_cast<double>(i % static_cast<std::size_t>(of.cols)) + 1 - kCornerInset - kSharedCorner);
      append_number(path += ' ', static_cast<double>(i / static_cast<std::size_t>(of.cols)) + kCornerInset);
      append_number(path += 'h', kSharedCorner);
      append_number(path += 'v', kSharedCorner);
      path += 'z';
    }
    return path;
  }
  // The same of one cell, which explains the others.
  void corner(const CellView& cell) {
    const double size = kSampleCorner * cell.h, inset = kCornerInset * cell.h;
    out_ += "<path fill=\"";
    append_color(out_, scene_.page.ink);
    out_ += "\" d=\"M";
    x(cell.x + cell.w - inset - size);
    out_ += ' ';
    y(cell.y + inset);
    out_ += 'h';
    num(size * cell_);
    out_ += 'v';
    num(size * cell_);
    out_ += "z\"/>";
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
    if (lines.count == 2 && i == 0) bold();
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
  // Labels of one row, line and colour are one text, with a blank between them for whoever copies or searches it. A blank on one side would
  // move a label off its middle, so every other label has one on both sides.
  void labels(const Grid& grid) {
    const GridColumns& of = *grid.of;
    if (of.label_ends.empty()) return;
    const auto cols = static_cast<std::size_t>(of.cols);
    for (std::size_t row = 0; row < of.size() && !progress_.stop(out_.size()); row += cols) {
      for (int line = 0; line < 2; ++line) {
        std::optional<std::pair<int, Rgb>> open;  // lines and colour of the text that is being written
        std::size_t count = 0;                    // of its labels
        std::string spans;
        const auto close = [&] {
          if (open) out_ += (count > 1 ? " xml:space=\"preserve\">" : ">") + spans + "</text>\n";
          count = 0;
          spans.clear();
        };
        for (std::size_t i = row; i < row + cols; ++i) {
          const CellView cell = view(grid, i);
          const LabelLines lines = label_lines(cell.label);
          if (line >= lines.count) continue;
          const std::pair<int, Rgb> wanted{lines.count, text_colors_.of(cell)};
          if (open != wanted) {
            close();
            begin_line(cell, lines, line);
            open = wanted;
          }
          const std::string_view blank = count++ % 2 == 1 ? " " : "";
          spans += "<tspan x=\"";
          append_number(spans, (cell.x + cell.w / 2 - x0_) * cell_);
          append_xml((spans += "\">") += blank, lines.line[line]);
          (spans += blank) += "</tspan>";
        }
        close();
      }
    }
  }

  const Scene& scene_;
  std::string& out_;
  std::string prefix_;
  RenderProgress& progress_;
  TextColors text_colors_;
  Look look_;
  double cell_, x0_, y0_, size_ = 0.4;
  std::size_t panel_ = 0, mark_ = 0;
  FacesInUse faces_;
};

}  // namespace

Result<std::string> render_svg(const Scene& scene, const RenderOptions& options) {
  if (look_of(scene).cute_svg) return render_cute_svg(scene);
  const Bounds box = bounds(scene);
  const double margin = 2 * kMargin * page_unit(box), cell = options.cell_points;
  RenderProgress progress(scene, "SVG");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfASvgCell)));
  std::string out;
  out.reserve(static_cast<std::size_t>(progress.cells() * kBytesOfASvgCell) + 4096);
  std::string width, height;
  append_number(width, (box.width() + margin) * cell);
  append_number(height, (box.height() + margin) * cell);
  out += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
  append_number(out, (box.width() + margin) * cell * options.zoom);
  append_number(out += "\" height=\"", (box.height() + margin) * cell * options.zoom);
  fmt::format_to(std::back_inserter(out), "\" viewBox=\"0 0 {} {}\" font-family=\"{}\" fill=\"", width, height, kSans);
  append_color(out, scene.page.ink);
  // Names of their own, as a page may have several pictures in it.
  const std::string title = scene.title.empty() ? scene.expression : scene.title, words = alternative_text(scene);
  const std::string id = "tessera-" + sha256_hex(title + '\n' + words + '\n' + scene.expression).substr(0, 12);
  out += fmt::format("\" role=\"img\" aria-labelledby=\"{0}-title {0}-desc\">\n<title id=\"{0}-title\">", id);
  append_xml(out, title);
  out += fmt::format("</title>\n<desc id=\"{}-desc\">", id);
  append_xml(out, words);
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
  out += "<style>\n" + font_faces(painter.faces()) + "</style>\n</svg>\n";  // last: whoever reads the file sees the picture first
  return out;
}

}  // namespace tessera
