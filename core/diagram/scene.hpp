// SPDX-License-Identifier: BSD-3-Clause
// Scene: a picture as a retained list of a few cell-level marks. Figures make scenes, renderers draw them, and neither knows the other.
//
//   scene   = panels, a palette, and links
//   panel   = a named group of marks with its own place ("C", "A", "B", "sA", ...)
//   mark    = Cell | Outline | Line | Label | Arrow
//
// The one rule: **a renderer never looks at a layout, and a mark never knows a renderer.** Units are cells: a unit cell at
// (x, y) covers [x, x+1) x [y, y+1), x to the right, y down; a layout's coordinate (m, n) is drawn at x = n, y = m.
//
// What a scene can answer: what is drawn where (`pick`), and what else shows the same thing (`Link`): a cell carries the thread,
// value, coordinate, address and bank that it stands for, so hovering a cell in one panel can light up every cell of the same
// thread, or of the same address, in all the others.
//
// Texts live in one arena and colours in one palette, so a mark is small and a scene of a million cells is a plain array.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagram/source.hpp"

namespace tessera {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

// A colour of the palette; `tikz` is its spelling in print_latex ("black!40", "{rgb,255:red,175;green,175;blue,255}").
struct PaletteColor {
  Rgb rgb;
  std::string tikz;
};

using ColorIndex = std::uint16_t;
constexpr ColorIndex kNoColor = 0xffff;  // no fill

// A piece of the scene's text arena. Lines of one label are separated by '\n'.
struct TextRef {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

// What a cell stands for; -1 where a field does not apply. Linked panels compare these fields.
struct Link {
  std::int32_t thread = -1;
  std::int32_t value = -1;
  std::int32_t row = -1, col = -1;  // logical coordinate in the operand's tile
  std::int64_t address = -1;        // element offset in its tensor
  std::int32_t bank = -1;           // shared-memory bank, 0..31
  std::int32_t tensor = -1;         // which tensor the address is of: index into Scene::tensors
  std::int32_t rest = -1;           // the coordinate's modes beyond the second: index into Scene::rests
};

constexpr std::uint32_t kNoLink = 0xffffffff;

struct Cell {
  float x = 0, y = 0, w = 1, h = 1;
  ColorIndex fill = kNoColor;
  std::uint8_t lines = 0;  // lines of the label
  bool faint = false;      // stands back behind highlighted cells: its label is drawn in grey
  TextRef label{};
  std::uint32_t link = kNoLink;  // index into Scene::links
  std::uint32_t link_count = 1;  // links[link, link + link_count): the owner that is drawn, then every other one
};

enum class StrokeRole : std::uint8_t { hairline, grid, boundary, strong, highlight };  // from weakest to strongest

// A rectangle's border; with `grid`, also the unit lines inside it.
struct Outline {
  float x = 0, y = 0, w = 1, h = 1;
  StrokeRole role = StrokeRole::boundary;
  bool grid = false;
};

struct Line {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  StrokeRole role = StrokeRole::boundary;
  ColorIndex color = kNoColor;  // kNoColor: the foreground colour
};

enum class LabelRole : std::uint8_t { axis, panel_name, caption, legend, note };
enum class Anchor : std::uint8_t { center, left, right };

// Free text; (x, y) is the anchor point at the text's vertical middle.
struct Label {
  float x = 0, y = 0;
  TextRef text{};
  LabelRole role = LabelRole::axis;
  Anchor anchor = Anchor::center;
  float size = 0;  // type size in cells; 0: the role's own
};

struct Arrow {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  ColorIndex color = kNoColor;
};

using Mark = std::variant<Cell, Outline, Line, Label, Arrow>;

struct Bounds {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
};

struct Panel {
  std::string name;         // "C  M16 x N8  f32"
  std::vector<Mark> marks;  // in drawing order
};

// `tessera` is our own look; the others repeat what CuTe's functions of that name draw, mark by mark.
enum class FigureStyle : std::uint8_t { tessera, print_latex, print_svg };

struct Scene {
  FigureStyle style = FigureStyle::tessera;
  std::string title;
  std::string expression;             // what made the figure, in the language
  Source source;                      // all that drawing it again takes; empty where nobody keeps it
  std::vector<std::string> comments;  // lines for the head of text formats (CuTe's print of the object)
  std::vector<std::string> tensors;   // names that Link::tensor points to
  std::vector<std::string> rests;     // "2" or "2,(0,1)": coordinates beyond the second mode, which Link::rest points to
  std::vector<Panel> panels;
  std::vector<PaletteColor> palette;
  std::vector<Link> links;
  std::string text;  // the arena

  TextRef intern(std::string_view s);  // appends to the arena
  // The cell's links; empty where it stands for nothing.
  std::span<const Link> links_of(const Cell& cell) const;
  // "(3,5)", with all modes: "(3,5,2)"; empty where the cell has no coordinate.
  std::string coordinate_of(const Link& link) const;
  std::string_view text_of(TextRef ref) const { return std::string_view(text).substr(ref.begin, ref.length); }
  ColorIndex color(const PaletteColor& color);  // finds or adds
};

float type_size(const Label& label);  // in cells: its own, or its role's
Bounds bounds(const Panel& panel);
Bounds bounds(const Scene& scene);
std::size_t cell_count(const Scene& scene);
std::int64_t bytes_of(const Scene& scene);  // memory that it takes

// A mark of a scene.
struct ElementId {
  std::uint32_t panel = 0;
  std::uint32_t mark = 0;
  friend bool operator==(const ElementId&, const ElementId&) = default;
};

// The topmost cell at a point in cell units.
std::optional<ElementId> pick(const Scene& scene, float x, float y);

}  // namespace tessera
