// SPDX-License-Identifier: BSD-3-Clause
// The pixels of a PNG against a second definition of the picture: which cell covers a point, how far a point is from a line, and where the
// ink of a text stands. And what PNG and PDF refuse.
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/render/shared/render.hpp"

#include "core/render/shared/look.hpp"
#include "tests/support/catch.hpp"

#if TESSERA_HAVE_CAIRO

#include <cairo.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <random>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/layout/layout.hpp"
#include "core/render/raster/pixels.hpp"
#include "core/render/shared/typography.hpp"

#include "tests/support/every_mark.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

bool surfaces_are_refused = false;

// While one lives, Cairo gives no surface of pixels, as where memory has run out.
struct NoSurfaces {
  NoSurfaces() { surfaces_are_refused = true; }
  ~NoSurfaces() { surfaces_are_refused = false; }
  NoSurfaces(const NoSurfaces&) = delete;
  NoSurfaces& operator=(const NoSurfaces&) = delete;
};

}  // namespace

// Stands before Cairo's own in this program. Cairo answers a size beyond its limit with a surface whose status is an error.
extern "C" cairo_surface_t* cairo_image_surface_create(cairo_format_t format, int width, int height) {
  static const auto real = reinterpret_cast<decltype(&cairo_image_surface_create)>(::dlsym(RTLD_NEXT, "cairo_image_surface_create"));
  constexpr int kBeyondTheLimit = 1 << 20;
  return surfaces_are_refused ? real(format, kBeyondTheLimit, kBeyondTheLimit) : real(format, width, height);
}

namespace {

struct Pixels {
  int width = 0, height = 0;
  std::vector<Rgb> at;
  Rgb operator()(int x, int y) const { return at[static_cast<std::size_t>(y * width + x)]; }
};

Pixels decoded(const std::string& png) {
  struct Source {
    const std::string& bytes;
    std::size_t at;
  } source{png, 0};
  const auto read = [](void* closure, unsigned char* data, unsigned length) {
    Source& from = *static_cast<Source*>(closure);
    if (from.at + length > from.bytes.size()) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, from.bytes.data() + from.at, length);
    from.at += length;
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read, &source);
  REQUIRE(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS);
  Pixels out{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      std::uint32_t argb = 0;
      std::memcpy(&argb, data + y * cairo_image_surface_get_stride(surface) + 4 * x, 4);
      out.at.push_back({static_cast<std::uint8_t>(argb >> 16), static_cast<std::uint8_t>(argb >> 8), static_cast<std::uint8_t>(argb)});
    }
  }
  cairo_surface_destroy(surface);
  return out;
}

// A picture with the way from its pixels to the scene's cells.
struct Picture {
  Pixels pixels;
  double cell, x0, y0;
  double x(double pixel) const { return pixel / cell + x0; }
  double y(double pixel) const { return pixel / cell + y0; }
};

Picture drawn(const Scene& scene, double cell) {
  RenderOptions options;
  options.cell_points = cell;
  const Result<std::string> png = render_png(scene, options);
  REQUIRE(png);
  const Bounds box = bounds(scene);
  const double margin = std::max(1.0, std::max(box.width(), box.height()) / 40.0) / 2;
  Picture out{decoded(*png), cell, box.x0 - margin, box.y0 - margin};
  CHECK(out.pixels.width == std::ceil((box.width() + 2 * margin) * cell));
  CHECK(out.pixels.height == std::ceil((box.height() + 2 * margin) * cell));
  return out;
}

Scene scene_of(std::vector<Mark> marks, FigureStyle style = FigureStyle::tessera) {
  Scene scene;
  scene.style = style;
  scene.color({10, 20, 30}), scene.color({200, 100, 50}), scene.color({250, 240, 200});
  scene.panels.push_back({"p", std::move(marks)});
  // Something that is not seen holds the place of the picture, whatever is drawn.
  scene.panels.push_back({"frame", {Cell{-2, -2, 1, 1}, Cell{9, 9, 1, 1}}});
  return scene;
}

bool is_color(Rgb a, Rgb b) { return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) <= 3; }

// ---- strokes ---------------------------------------------------------------------------------------------------------------

struct Segment {
  double x0, y0, x1, y1;
};

// Is (x, y) within half a width of the segment, with square ends?
bool covered(const Segment& s, double half, double x, double y) {
  const double length = std::hypot(s.x1 - s.x0, s.y1 - s.y0), dx = (s.x1 - s.x0) / length, dy = (s.y1 - s.y0) / length;
  const double along = (x - s.x0) * dx + (y - s.y0) * dy, across = (y - s.y0) * dx - (x - s.x0) * dy;
  return std::abs(across) <= half && along >= -half && along <= length + half;
}

// Every pixel has as much of the colour as the segments cover of it.
void check_strokes(const Scene& scene, const std::vector<Segment>& segments, double width, Rgb color, double cell = 40) {
  const Picture picture = drawn(scene, cell);
  constexpr int kSamples = 6;  // a pixel's edge
  int wrong = 0;
  for (int y = 0; y < picture.pixels.height; ++y) {
    for (int x = 0; x < picture.pixels.width; ++x) {
      const auto any_covers = [&](double half, double px, double py) {
        return std::any_of(segments.begin(), segments.end(),
                           [&](const Segment& s) { return covered(s, half, picture.x(px), picture.y(py)); });
      };
      int inside = 0;
      const bool near_one = any_covers(width / 2 + 1 / cell, x + 0.5, y + 0.5);
      for (int i = 0; near_one && i < kSamples * kSamples; ++i)
        inside += any_covers(width / 2, x + (i % kSamples + 0.5) / kSamples, y + (i / kSamples + 0.5) / kSamples);
      const double share = static_cast<double>(inside) / (kSamples * kSamples);
      const Rgb got = picture.pixels(x, y);
      const auto as_much = [&](int is, int full) { return std::abs(is - (255 + share * (full - 255))) <= 0.3 * (255 - full) + 3; };
      wrong += !(as_much(got.r, color.r) && as_much(got.g, color.g) && as_much(got.b, color.b));
    }
  }
  CHECK(wrong == 0);
}

std::vector<Segment> grid_lines(const Outline& o, bool border) {
  std::vector<Segment> lines;
  for (int i = border ? 0 : 1; i <= static_cast<int>(o.w) - (border ? 0 : 1); ++i) lines.push_back({o.x + i, o.y, o.x + i, o.y + o.h});
  for (int i = border ? 0 : 1; i <= static_cast<int>(o.h) - (border ? 0 : 1); ++i) lines.push_back({o.x, o.y + i, o.x + o.w, o.y + i});
  return lines;
}

constexpr std::array kRoles{StrokeRole::hairline, StrokeRole::boundary, StrokeRole::strong, StrokeRole::highlight};  // the grid is white

// ---- ink -------------------------------------------------------------------------------------------------------------------

// Where a picture is not `paper`, in cells.
struct Ink {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9, amount = 0;
  bool full = false;  // somewhere, it has all of the colour
  double x() const { return (x0 + x1) / 2; }
  double y() const { return (y0 + y1) / 2; }
};

Ink ink_of(const Scene& scene, double cell, Rgb color, Rgb paper = kPaper) {
  const Picture picture = drawn(scene, cell);
  Ink ink;
  for (int y = 0; y < picture.pixels.height; ++y) {
    for (int x = 0; x < picture.pixels.width; ++x) {
      const Rgb got = picture.pixels(x, y);
      const double share = static_cast<double>(got.g - paper.g) / (color.g - paper.g);
      ink.full = ink.full || is_color(got, color);
      if (is_color(got, kPaper) || share < 0.4) continue;
      ink.amount += share / (cell * cell);
      ink.x0 = std::min(ink.x0, picture.x(x)), ink.x1 = std::max(ink.x1, picture.x(x + 1));
      ink.y0 = std::min(ink.y0, picture.y(y)), ink.y1 = std::max(ink.y1, picture.y(y + 1));
    }
  }
  return ink;
}

Scene label_scene(const std::string& text, LabelRole role, Anchor anchor, float size) {
  Scene scene = scene_of({});
  scene.panels[0].marks.push_back(Label{4, 3, scene.intern(text), role, anchor, size});
  return scene;
}

// Whether this machine sets a letter at all, asked of Cairo itself.
bool has_fonts() {
  static const bool has = [] {
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 64, 64);
    cairo_t* cr = cairo_create(surface);
    cairo_select_font_face(cr, "Inter", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, 40);
    cairo_move_to(cr, 5, 50);
    cairo_show_text(cr, "H");
    cairo_surface_flush(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const bool ink = std::any_of(data, data + 64 * cairo_image_surface_get_stride(surface), [](unsigned char c) { return c != 0; });
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return ink;
  }();
  return has;
}

bool differ(const Scene& a, const Scene& b, double cell) { return drawn(a, cell).pixels.at != drawn(b, cell).pixels.at; }

}  // namespace

TEST_CASE("a PNG's cells have their own fills, whatever stands beside them", "[png]") {
  std::mt19937 random(4);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 60; ++round) {
    std::vector<Mark> marks;
    for (unsigned n = 2 + below(14), i = 0; i < n; ++i) {
      Cell cell;
      cell.x = static_cast<float>(below(6)), cell.y = static_cast<float>(below(4)), cell.w = 1, cell.h = below(4) == 0 ? 2 : 1;
      if (const Cell* last = marks.empty() ? nullptr : std::get_if<Cell>(&marks.back()); last != nullptr && below(3) != 0)
        cell.x = last->x + last->w, cell.y = last->y, cell.h = below(5) == 0 ? 2 : last->h;  // a neighbour
      cell.fill = below(6) == 0 ? kNoColor : static_cast<ColorIndex>(below(3));
      if (below(6) == 0) marks.push_back(Outline{2, 2, 1, 1, StrokeRole::hairline, true});  // draws nothing, and ends a run
      marks.push_back(cell);
    }
    const Scene scene = scene_of(marks);
    const Picture picture = drawn(scene, 12);
    int wrong = 0;
    for (int py = 0; py < picture.pixels.height; ++py) {
      for (int px = 0; px < picture.pixels.width; ++px) {
        const double x = picture.x(px + 0.5), y = picture.y(py + 0.5);
        Rgb expected = kPaper;
        for (const Mark& mark : marks) {
          const Cell* cell = std::get_if<Cell>(&mark);
          if (cell == nullptr || cell->fill == kNoColor) continue;
          if (x > cell->x && x < cell->x + cell->w && y > cell->y && y < cell->y + cell->h) expected = scene.palette[cell->fill];
        }
        wrong += !is_color(picture.pixels(px, py), expected);
      }
    }
    INFO(render_json(scene).value());
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("a PNG's outlines, lines and arrows stand where they are and have their width and colour", "[png]") {
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex}) {
    for (const StrokeRole role : kRoles) {
      INFO(static_cast<int>(style) << ' ' << static_cast<int>(role));
      const StrokeLook look = look_of(scene_of({}, style)).stroke(role);
      const Outline grid{1, 2, 3, 4, role, true}, plain{1, 2, 3, 4, role, false};
      check_strokes(scene_of({grid}, style), grid_lines(grid, style != FigureStyle::tessera), look.width, look.color);
      check_strokes(scene_of({plain}, style), {{1, 2, 4, 2}, {4, 2, 4, 6}, {4, 6, 1, 6}, {1, 6, 1, 2}}, look.width, look.color);
      check_strokes(scene_of({Line{1, 2, 4, 7, role}}, style), {{1, 2, 4, 7}}, look.width, look.color);
      check_strokes(scene_of({Line{5, 1, 2, 1, role, 1}}, style), {{5, 1, 2, 1}}, look.width, {200, 100, 50});
    }
  }
  const StrokeLook look = look_of(Scene{}).stroke(StrokeRole::boundary);
  for (int i = 0; i < 8; ++i) {
    const double angle = i * std::numbers::pi / 4 + 0.2, x1 = 4 + 3 * std::cos(angle), y1 = 4 + 3 * std::sin(angle);
    std::vector<Segment> lines{{4, 4, x1, y1}};
    for (const double turn : {0.45, -0.45})
      lines.push_back({x1 - 0.22 * std::cos(angle + turn), y1 - 0.22 * std::sin(angle + turn), x1, y1});
    const Arrow plain{4, 4, static_cast<float>(x1), static_cast<float>(y1)};
    check_strokes(scene_of({plain}), lines, look.width, look.color);
    if (i != 0) continue;
    Arrow colored = plain;
    colored.color = 1;
    check_strokes(scene_of({colored}), lines, look.width, {200, 100, 50});
  }
}

TEST_CASE("a line in a PNG is never thinner than can be seen, and a grid too fine to see is left out", "[png]") {
  const StrokeLook hairline = look_of(Scene{}).stroke(StrokeRole::hairline), boundary = look_of(Scene{}).stroke(StrokeRole::boundary);
  check_strokes(scene_of({Line{1, 2, 4, 2, StrokeRole::hairline}}), {{1, 2, 4, 2}}, 0.6 / 20, hairline.color, 20);
  const Outline grid{1, 2, 3, 4, StrokeRole::boundary, true}, plain{1, 2, 3, 4, StrokeRole::boundary, false};
  check_strokes(scene_of({grid}), grid_lines(grid, false), std::max(boundary.width, 0.6 / 5), boundary.color, 5);
  check_strokes(scene_of({grid}), {}, 1, boundary.color, 4.99);
  CHECK(differ(scene_of({plain}), scene_of({}), 2));
}

TEST_CASE("a free text stands at its anchor, in its role's colour and face", "[png]") {
  if (!has_fonts()) return;
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note}) {
    INFO(static_cast<int>(role));
    const Ink center = ink_of(label_scene("HH", role, Anchor::center, 1.5f), 40, label_color(role));
    const Ink left = ink_of(label_scene("HH", role, Anchor::left, 1.5f), 40, label_color(role));
    const Ink right = ink_of(label_scene("HH", role, Anchor::right, 1.5f), 40, label_color(role));
    CHECK(center.full);
    CHECK(std::abs(center.x() - 4) < 0.1);
    CHECK((left.x0 >= 4 && left.x0 < 4.4));
    CHECK((right.x1 <= 4 && right.x1 > 3.6));
    for (const Ink& ink : {center, left, right}) CHECK(std::abs(ink.y() - 3) < 0.1);
    CHECK(center.x1 - center.x0 > 1.2);
    const Ink twice = ink_of(label_scene("HH", role, Anchor::center, 3), 40, label_color(role));
    CHECK(std::abs((twice.x1 - twice.x0) / (center.x1 - center.x0) - 2) < 0.1);
    const Ink many = ink_of(label_scene("HHHH", role, Anchor::center, 1.5f), 40, label_color(role));
    CHECK(std::abs(many.x() - 4) < 0.1);
    CHECK(many.x1 - many.x0 > 1.9 * (center.x1 - center.x0));
  }
  const auto amount = [](LabelRole role) { return ink_of(label_scene("MiH", role, Anchor::center, 1.5f), 40, label_color(role)).amount; };
  CHECK(amount(LabelRole::panel_name) > 1.15 * amount(LabelRole::legend));
  const auto width = [](const char* text, LabelRole role) {
    const Ink ink = ink_of(label_scene(text, role, Anchor::left, 1), 40, label_color(role));
    return ink.x1 - ink.x0;
  };
  CHECK(std::abs(width("HiiiiH", LabelRole::caption) - width("HMMMMH", LabelRole::caption)) < 0.05);
  CHECK(width("HiiiiH", LabelRole::legend) < 0.8 * width("HMMMMH", LabelRole::legend));
}

TEST_CASE("texts of several faces, sizes and colours beside each other are each drawn as they are alone", "[png]") {
  if (!has_fonts()) return;
  std::vector<Label> labels;
  Scene all = scene_of({});
  const auto add = [&](LabelRole role, float size) {
    labels.push_back(Label{4, static_cast<float>(labels.size()),
                           all.intern("H\xc3\xa9 \xe2\x86\x92"
                                      "2"),
                           role, Anchor::center, size});
  };
  for (const float size : {0.5f, 0.7f}) {
    for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend}) add(role, size);
  }
  for (const Label& label : labels) all.panels[0].marks.push_back(label);
  const Picture together = drawn(all, 40);
  for (const Label& label : labels) {
    Scene alone = all;
    alone.panels[0].marks = {label};
    const Picture one = drawn(alone, 40);
    int wrong = 0;
    for (int y = 0; y < one.pixels.height; ++y) {
      for (int x = 0; x < one.pixels.width && std::abs(one.y(y) - label.y) < 0.45; ++x)
        wrong += !is_color(one.pixels(x, y), together.pixels(x, y));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a cell's lines stand in its middle, the first bold and above, in a colour that its fill allows", "[png]") {
  if (!has_fonts()) return;
  const auto labelled = [](const std::string& text, int lines, ColorIndex fill, bool faint) {
    Scene scene = scene_of({});
    scene.panels[0].marks.push_back(Cell{2, 3, 2, 1, fill, static_cast<std::uint8_t>(lines), faint, scene.intern(text)});
    return scene;
  };
  const double size = 0.4, two = 0.35;  // of one line and of two, where they fit
  const Ink one = ink_of(labelled("HH", 1, kNoColor, false), 100, kInk);
  CHECK((one.full && std::abs(one.x() - 3) < 0.03 && std::abs(one.y() - 3.5) < 0.03));
  CHECK(std::abs((one.y1 - one.y0) / size - 0.72) < 0.08);
  const Ink first = ink_of(labelled("HH\n", 2, kNoColor, false), 100, kInk),
            second = ink_of(labelled("\nHH", 2, kNoColor, false), 100, kInk);
  CHECK(std::abs(first.y() - (3.5 - two * 1.16 / 2)) < 0.03);
  CHECK(std::abs(second.y() - (3.5 + two * 1.16 / 2)) < 0.03);
  CHECK((std::abs(first.x() - 3) < 0.03 && std::abs(second.x() - 3) < 0.03));
  CHECK(std::abs((second.y1 - second.y0) / (first.y1 - first.y0) - 0.94) < 0.08);
  CHECK(first.amount / (0.35 * 0.35) > 1.15 * one.amount / (0.4 * 0.4));  // bold
  CHECK(second.amount / (0.35 * 0.35 * 0.94 * 0.94) < 1.15 * one.amount / (0.4 * 0.4));
  CHECK(ink_of(labelled("HH", 1, kNoColor, true), 100, kFaintInk).full);
  CHECK_FALSE(ink_of(labelled("HH", 1, kNoColor, true), 100, kInk).full);
  CHECK(ink_of(labelled("HH", 1, 0, false), 100, text_color({10, 20, 30}), {10, 20, 30}).full);
  CHECK_FALSE(differ(labelled("HH", 0, kNoColor, false), labelled("", 0, kNoColor, false), 100));
}

// Cairo and FreeType of every version draw the same: what was looked at was drawn by one of them.
TEST_CASE("a PNG's pixels are within two levels of what was looked at, by whichever Cairo and FreeType", "[png][golden]") {
  for (const auto& [name, cell] : {std::pair<std::string, double>{"every_mark", 28}, {"every_mark_small", 17.3}}) {
    INFO(name);
    RenderOptions options;
    options.cell_points = cell;
    const std::string now = render_png(testing::every_mark(FigureStyle::tessera), options).value();
    const Pixels seen = decoded(now), wanted = decoded(testing::golden("figures/" + name + ".png", now));
    REQUIRE((seen.width == wanted.width && seen.height == wanted.height));
    int most = 0;
    for (std::size_t i = 0; i < seen.at.size(); ++i) {
      const Rgb a = seen.at[i], b = wanted.at[i];
      most = std::max({most, std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
    }
    CHECK(most <= 2);
  }
}

TEST_CASE("a cell's label lies on the lines that are drawn after it", "[png]") {
  if (!has_fonts()) return;
  Scene scene = scene_of({});
  scene.panels[0].marks.push_back(Cell{2, 3, 1, 1, 2, 1, false, scene.intern("H")});
  const Picture alone = drawn(scene, 60);
  scene.panels[0].marks.push_back(Line{2, 3.5f, 3, 3.5f, StrokeRole::highlight, 1});
  const Picture crossed = drawn(scene, 60);
  int ink = 0, lost = 0;
  for (std::size_t i = 0; i < alone.pixels.at.size(); ++i) {
    if (!is_color(alone.pixels.at[i], text_color({250, 240, 200}))) continue;
    ++ink, lost += !is_color(crossed.pixels.at[i], text_color({250, 240, 200}));
  }
  CHECK(ink > 20);
  CHECK(lost == 0);
}

TEST_CASE("text too small to read is left out of a PNG and kept in a PDF, as a fine grid is", "[png][pdf]") {
  if (!has_fonts()) return;
  Scene cell = scene_of({}), none = scene_of({});
  cell.panels[0].marks.push_back(Cell{2, 3, 1, 1, kNoColor, 1, false, cell.intern("H")});
  none.panels[0].marks.push_back(Cell{2, 3, 1, 1});
  const Scene label = label_scene("H", LabelRole::legend, Anchor::center, 0.2f), nothing = scene_of({});
  CHECK_FALSE(differ(cell, none, 6.4));  // 0.4 * 6.4 = 2.56 pixels
  CHECK(differ(cell, none, 6.5));        // 2.6 can be read
  CHECK_FALSE(differ(label, nothing, 12.9));
  CHECK(differ(label, nothing, 13.1));
  CHECK(differ(label_scene("H", LabelRole::legend, Anchor::center, 0.5f), nothing, 5.2));
  RenderOptions small;
  small.cell_points = 1;
  const auto pdf = [&](const Scene& scene) { return render_pdf(scene, small).value(); };
  CHECK(pdf(cell).size() > pdf(none).size() + 500);  // a font
  CHECK(pdf(label).size() > pdf(nothing).size() + 500);
  CHECK(pdf(scene_of({Outline{1, 2, 30, 40, StrokeRole::boundary, true}})).size() > pdf(scene_of({Outline{1, 2, 30, 40}})).size() + 50);
}

TEST_CASE("a PNG's edges end at their limits, and the limits are of what is asked for", "[png]") {
  const auto sized = [](float w, float h, double cell, double scale) {
    Scene scene;
    scene.panels.push_back({"p", {Cell{0, 0, w, h}}});
    const Budget nothing_is_drawn({.bytes = 10});
    RenderOptions options;
    options.cell_points = cell, options.scale = scale;
    const Result<std::string> refused = render_png(scene, options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::limit);
    return refused.error().message;
  };
  const std::string too_large = "a PNG of ";
  // 205 x 6 cells with the margin.
  CHECK_FALSE(sized(200, 1, 1, 29999.9 / 205).starts_with(too_large));
  CHECK(sized(200, 1, 1, 30000.1 / 205).starts_with("a PNG of 30001 x "));
  CHECK_FALSE(sized(1, 200, 1, 29999.9 / 205).starts_with(too_large));
  CHECK(sized(1, 200, 1, 30000.1 / 205).starts_with(too_large));
  // 2 x 2 cells: 2^28 pixels are 2^14 each way.
  CHECK_FALSE(sized(1, 1, 1, 8192).starts_with(too_large));
  CHECK(sized(1, 1, 1, 8192.1).starts_with("a PNG of 16385 x 16385 "));
  for (const double none : {0.0, -1.0, std::nan("")}) CHECK(sized(1, 1, 1, none).starts_with(too_large));
  CHECK_FALSE(sized(1, 1, 1, 1e-9).starts_with(too_large));
  CHECK_FALSE(sized(1, 1, 1, 1).starts_with(too_large));
}

TEST_CASE("a large figure's longest edge in a PNG is 3840 pixels at scale 1", "[png]") {
  const auto size = [](float w, float h, double scale) {
    Scene scene;
    scene.panels.push_back({"p", {Cell{0, 0, w, h}}});
    RenderOptions options;
    options.scale = scale;
    const Pixels pixels = decoded(render_png(scene, options).value());
    return std::pair(pixels.width, pixels.height);
  };
  CHECK(size(3, 1, 1) == std::pair(112, 56));
  CHECK(size(3, 1, 2) == std::pair(224, 112));
  const auto [w, h] = size(2000, 30, 1);  // 2050 x 80 with the margin
  CHECK((w >= 3840 && w <= 3841 && std::abs(h - 3840 * 80 / 2050) <= 1));
  const auto [tall_w, tall_h] = size(30, 2000, 0.5);
  CHECK((tall_h >= 1920 && tall_h <= 1921 && std::abs(tall_w - 1920 * 80 / 2050) <= 1));
}

TEST_CASE("a PNG of many bands is the picture that its pieces are", "[png]") {
  // Bands of 4 MiB: seven. A cell that is not seen moves the picture down, so that they begin elsewhere in it.
  const auto pixels = [](float shift) {
    FigureSpec spec;
    spec.objects = {Layout::make(IntTuple::tuple({20, 20}), IntTuple::tuple({7, 3})).value()};
    Scene scene = make_figure(spec).value();
    scene.panels.push_back({"frame", {Cell{-8, -8 - shift, 1, 1}, Cell{80, 60, 1, 1}}});
    RenderOptions options;
    options.cell_points = 32, options.fit = false;
    return decoded(render_png(scene, options).value());
  };
  const Pixels one = pixels(0), lower = pixels(1.0f / 32 * 17);  // 17 pixels
  const int more = lower.height - one.height;
  REQUIRE((one.width == lower.width && more >= 17));
  int wrong = 0;
  for (int y = 100; y < one.height - 20; ++y) {
    for (int x = 0; x < one.width; ++x) wrong += !(one(x, y) == lower(x, y + 17));
  }
  CHECK(wrong == 0);
}

TEST_CASE("memory for labels is asked for where labels are drawn", "[png]") {
  Scene scene;
  scene.panels.push_back({"p", {Cell{0, 0, 1, 1, kNoColor, 1, false, scene.intern(std::string(100000, 'x'))}}});
  const auto fits = [&](double cell, std::int64_t bytes) {
    RenderOptions options;
    options.cell_points = cell;
    const Budget budget({.bytes = bytes_of(scene) + bytes});
    return render_png(scene, options).has_value();
  };
  CHECK(fits(6, 8 * 12 * 12));  // labels of 2.4 pixels
  CHECK_FALSE(fits(6, 8 * 12 * 12 - 1));
  CHECK_FALSE(fits(7, 8 * 14 * 14));  // of 2.8
  CHECK_FALSE(fits(7, 8 * 14 * 14 + 48 * 100000 - 1));
  CHECK(fits(7, 8 * 14 * 14 + 48 * 100000));
}

TEST_CASE("what Cairo cannot draw is refused in its words, and no part of a file is given", "[png][pdf]") {
  const auto refused = [](const Result<std::string>& made) {
    REQUIRE_FALSE(made);
    CAPTURE(made.error().message);
    CHECK(made.error().code == ErrorCode::io);
    CHECK(made.error().message.starts_with("Cairo could not draw the figure: "));
    CHECK_FALSE(made.error().notes.empty());
  };
  const Scene scene = scene_of({Line{1, 2, 3, 4}});
  RenderOptions none;
  none.cell_points = 0;
  refused(render_pdf(scene, none));
  REQUIRE(render_png(scene));
  const NoSurfaces in_this_scope;
  refused(render_png(scene));
  refused(render_pixels(scene));
}

TEST_CASE("a PDF's page has the picture's size, and no more than a reader opens", "[pdf]") {
  const auto page = [](float w, float h, double cell) {
    Scene scene;
    scene.title = "a title", scene.expression = "an expression";
    scene.panels.push_back({"p", {Cell{0, 0, w, h}}});
    RenderOptions options;
    options.cell_points = cell;
    const std::string pdf = render_pdf(scene, options).value();
    std::pair<double, double> size{0, 0};
    if (const std::size_t at = pdf.find("/MediaBox"); at != std::string::npos)  // unless this Cairo packs it
      std::sscanf(pdf.c_str() + at, "/MediaBox [ 0 0 %lf %lf", &size.first, &size.second);
    return size;
  };
  if (page(3, 1, 28).first == 0) return;
  CHECK(page(3, 1, 28) == std::pair(112.0, 56.0));
  CHECK(page(3, 1, 10) == std::pair(40.0, 20.0));
  CHECK(page(2000, 30, 28).first == Approx(14000).margin(0.01));
  CHECK(page(2000, 30, 28).second == Approx(14000.0 * 80 / 2050).margin(0.01));
}

#endif
