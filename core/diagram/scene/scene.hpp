// SPDX-License-Identifier: BSD-3-Clause
// Scene: a picture as a retained list of a few marks. Figures make scenes, renderers draw them, and neither knows the other.
//
//   scene   = panels, a palette, and subjects
//   panel   = a named group of marks with its own place ("C", "A", "B", "sA", ...)
//   mark    = Grid | Cell | Outline | Line | Label | Arrow
//
// The one rule: **a renderer never looks at a layout, and a mark never knows a renderer.** Units are cells: a unit cell at
// (x, y) covers [x, x+1) x [y, y+1), x to the right, y down; a layout's coordinate (m, n) is drawn at x = n, y = m.
//
// What a scene can answer: what is drawn where (`pick`), and what it stands for (`Subject`): a cell has the thread, value,
// coordinate, address and bank that it shows, so hovering a cell in one panel can light up every cell of the same thread, or of the
// same address, in all the others.
//
// A scene may be told in steps: a sentence each, and what is lit (core/diagram/parts/steps.hpp).
//
// A grid is one mark over columns of plain arrays, about 20 bytes a cell, shared by all copies of the scene; a cell alone (a bar, a
// swatch) is a mark of its own. `each_cell` walks both alike.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/scene/selector.hpp"
#include "core/diagram/scene/source.hpp"

namespace tessera {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

using ColorIndex = std::uint16_t;        // into Scene::palette
constexpr ColorIndex kNoColor = 0xffff;  // no fill

// A piece of the scene's text arena. Lines of one label are separated by '\n'.
struct TextRef {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

// What a mark stands for; -1 where a field does not apply. Linked panels compare these fields.
struct Subject {
  std::int32_t thread = -1;
  std::int32_t value = -1;
  std::int32_t row = -1, col = -1;  // logical coordinate in the operand's tile
  std::int64_t address = -1;        // element offset in its tensor
  std::int32_t bank = -1;           // shared-memory bank, 0..31
  std::int32_t tensor = -1;         // which tensor the address is of: index into Scene::tensors
  std::int32_t rest = -1;           // the coordinate's modes beyond the second: index into Scene::rests
  std::int32_t words = -1;          // of what has no such numbers, a bar of a chart: index into Scene::words
};

constexpr std::uint32_t kNoSubject = 0xffffffff;

// Which of the 32 banks of 4 bytes holds the first bit of an element, `byte_offset` bytes into shared memory; -1: it is at no address.
std::int32_t bank_of(std::int64_t offset, std::int64_t bits, std::int64_t byte_offset = 0);

// Who holds or reads an element.
struct Owner {
  std::int32_t thread = 0, value = 0;
};

// A coordinate of a cell that stands for several: of elements at one address.
struct OtherPlace {
  std::int32_t row = -1, col = -1, rest = -1;  // see Subject
};

// The columns of a grid: an entry for each cell, row by row as drawn. An empty column says the same of every cell.
struct GridColumns {
  std::int32_t rows = 0, cols = 0;
  std::vector<ColorIndex> fills;          // empty: none is filled
  std::vector<std::uint8_t> faint;        // 1: stands back behind highlighted cells, its label in grey; empty: none does
  std::string text;                       // the labels, one after the other
  std::vector<std::uint32_t> label_ends;  // label i is text[label_ends[i-1], label_ends[i]); empty: no labels
  // The coordinate that a cell stands for: none, (row, col) as drawn, (col, row), or what the columns `row` and `col` say.
  enum class Place : std::uint8_t { none, drawn, transposed, given } place = Place::none;
  std::vector<std::int32_t> row, col;
  std::vector<std::int32_t> thread, value;  // -1: nobody holds it
  std::vector<std::int64_t> address;
  std::vector<std::int32_t> rests;         // of each cell; empty: `rest` of all
  std::vector<std::int32_t> banks;         // of each cell; empty: that of its address
  std::int32_t tensor = -1, rest = -1;     // of all cells; see Subject
  std::int64_t bits = 0, byte_offset = 0;  // of an element, and of the tensor in shared memory, which give the bank; 0: no banks
  std::vector<std::uint32_t> other_ends;   // owners beyond the one that is drawn: others[other_ends[i-1], other_ends[i])
  std::vector<Owner> others;
  std::vector<std::uint32_t> place_ends;  // coordinates beyond the one that is drawn: places[place_ends[i-1], place_ends[i]); labels say so
  std::vector<OtherPlace> places;
  bool shared_in_words = false;      // labels, or words below the picture, say which cells others hold too: none is marked
  std::vector<std::uint32_t> order;  // which cell is drawn when, for formats that repeat another program's; empty: in order
  // The least block at the corner that shows something whole: an instruction's part, what a swizzle repeats; 0: nothing is known of it.
  std::int32_t whole_rows = 0, whole_cols = 0;

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
  std::string_view label(std::size_t i) const;
  void add_label(std::string_view label);  // of the next cell
  Subject subject(std::size_t i) const;    // with the owner that is drawn
  std::span<const Owner> others_of(std::size_t i) const;
  std::span<const OtherPlace> places_of(std::size_t i) const;
  bool marks_shared() const { return !label_ends.empty() && !other_ends.empty() && !shared_in_words; }
  bool has_banks() const { return !banks.empty() || (!address.empty() && bits > 0); }
  bool has_subjects() const { return place != Place::none || !thread.empty() || !address.empty(); }
};

// rows x cols cells of w x h, the first with its top left corner at (x, y).
struct Grid {
  float x = 0, y = 0, w = 1, h = 1;
  std::shared_ptr<const GridColumns> of;
};

struct Cell {
  float x = 0, y = 0, w = 1, h = 1;
  ColorIndex fill = kNoColor;
  std::uint8_t lines = 0;  // lines of the label
  bool faint = false;      // stands back behind highlighted cells: its label is drawn in grey
  TextRef label{};
  std::uint32_t subject = kNoSubject;  // index into Scene::subjects
  std::uint32_t subject_count = 1;     // subjects[subject, subject + subject_count): the owner that is drawn, then every other one
};

enum class StrokeRole : std::uint8_t { hairline, grid, boundary, strong, highlight };  // from weakest to strongest

// A rectangle's border; with `grid`, the lines inside it, one every step.
struct Outline {
  float x = 0, y = 0, w = 1, h = 1;
  StrokeRole role = StrokeRole::boundary;
  bool grid = false;
  float step_x = 1, step_y = 1;
};

struct Line {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  StrokeRole role = StrokeRole::boundary;
  ColorIndex color = kNoColor;         // kNoColor: the foreground colour
  std::uint32_t subject = kNoSubject;  // index into Scene::subjects
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
  std::uint32_t subject = kNoSubject;  // index into Scene::subjects
};

using Mark = std::variant<Cell, Outline, Line, Label, Arrow, Grid>;

struct Bounds {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
};

// Which operand of C = A * B a panel shows.
enum class PanelOperand : std::uint8_t { none, a, b, c };

// What a panel's axes count, in a word: "m", "k", "thread"; empty: nothing in particular.
struct AxisNames {
  std::string across, down;
};

inline constexpr std::string_view kCaptionPanel = "caption";  // name of the last panel, of the words below a picture and its title

struct CellRecipe;  // core/diagram/explain/explain_cell.hpp

// In which steps of a picture a mark is there (Scene::steps), the first and the last included, and after which it stands back.
struct ShownIn {
  std::uint16_t first = 0, last = 0xffff, lit = 0xffff;
};

struct Panel {
  std::string name;         // in words: "C  M16 x N8  f32"
  std::vector<Mark> marks;  // in drawing order
  std::string id{};         // stable and short, so that others can point to it: "C", "sA", "tile"
  PanelOperand operand = PanelOperand::none;
  AxisNames axes{};
  std::vector<ShownIn> shown{};                // one a mark; those without one are there in every step
  std::shared_ptr<const CellRecipe> recipe{};  // how what its cells say is computed from their coordinates; empty: nobody can say
};

// Takes out marks, and when they are shown with them.
template <class Wanted>
void erase_marks(Panel& panel, Wanted wanted) {
  std::size_t kept = 0;
  std::vector<ShownIn> shown;
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    if (wanted(panel.marks[i])) continue;
    if (i < panel.shown.size()) shown.push_back(panel.shown[i]);
    if (kept != i) panel.marks[kept] = std::move(panel.marks[i]);
    ++kept;
  }
  panel.marks.erase(panel.marks.begin() + static_cast<std::ptrdiff_t>(kept), panel.marks.end());
  panel.shown = std::move(shown);
}

// One step of a picture that is told in several; core/diagram/parts/steps.hpp gives the scene at a step.
struct SceneStep {
  std::string caption;  // a sentence
  Selection lit{};      // cells of grids that stand out; empty: none does
};

// What a picture is drawn on, and with.
struct Page {
  Rgb paper{255, 255, 255}, ink{27, 31, 39};
  friend bool operator==(const Page&, const Page&) = default;
};

// `tessera` is our own look; the others repeat what CuTe's functions of that name draw, mark by mark.
enum class FigureStyle : std::uint8_t { tessera, print_latex, print_svg };

// A clause of what stands below a picture, as it was before it was broken into lines.
struct SaidWords {
  // Elements: facts that hold without the picture. Owners: which elements have several. Lines, colors: what these mean in it.
  enum class Of : std::uint8_t { elements, owners, lines, colors } of = Of::elements;
  std::string words;
};

struct Scene {
  FigureStyle style = FigureStyle::tessera;
  Page page;
  std::string title;
  std::string name;                   // what the document calls it; empty where nothing does
  std::string expression;             // what made the figure, in the language
  Source source;                      // all that drawing it again takes; empty where nobody keeps it
  std::vector<std::string> comments;  // lines for the head of text formats (CuTe's print of the object)
  std::vector<std::string> tensors;   // names that Subject::tensor points to
  std::vector<std::string> rests;     // "2", "2,(0,1)": modes beyond the second, which Subject::rest points to; "=2,0,8": all modes
  std::vector<std::string> words;     // "p = 32: sectors 64": what Subject::words points to
  std::vector<Panel> panels;
  std::vector<SceneStep> steps;  // empty: the picture is told at once
  double cell_points = 0;        // of a cell, where the size of the picture is known; 0: it is not
  std::string thin_lines;        // what thin lines between cells mean, where the caption says it
  std::vector<SaidWords> said;   // in order, drawn or not: the sentence first; without the expression
  bool is_said_below = false;    // are they drawn? caption=no leaves them to others
  std::string left_out;          // what cannot be read at its size and is not drawn, in words; empty: all is drawn
  std::optional<Bounds> room;    // that it takes at least, drawn on or not: one step of several
  std::vector<Rgb> palette;
  std::string palette_name;       // as it was asked for: "greys", or colours of one's own; empty: the style's own
  float largest_type = 0;         // of cells' labels, in cells; 0: as large as fits
  std::vector<Subject> subjects;  // of marks that are no grids
  std::string text;               // the arena

  TextRef intern(std::string_view s);  // appends to the arena
  // "(3,5)", with all modes: "(3,5,2)"; empty where the cell has no coordinate.
  std::string coordinate_of(const Subject& subject) const;
  // In words, of a subject that no numbers describe; empty: there are none.
  std::string_view words_of(const Subject& subject) const;
  std::uint32_t add_words(std::string said);  // a subject of these words: an index into `subjects`
  std::string_view text_of(TextRef ref) const { return std::string_view(text).substr(ref.begin, ref.length); }
  ColorIndex color(Rgb color);  // finds or adds
};

float type_size(const Label& label);  // in cells: its own, or its role's
Bounds bounds(const Panel& panel);
Bounds bounds(const Scene& scene);
std::size_t cell_count(const Scene& scene);
std::int64_t bytes_of(const Scene& scene);  // memory that it takes

// A mark of a scene, and of a grid a cell.
struct ElementId {
  std::uint32_t panel = 0;
  std::uint32_t mark = 0;
  std::uint32_t cell = 0;  // row by row; 0 where the mark is no grid
  friend bool operator==(const ElementId&, const ElementId&) = default;
};

// A cell as it is drawn, be it a mark of its own or one of a grid.
struct CellView {
  float x = 0, y = 0, w = 1, h = 1;
  ColorIndex fill = kNoColor;
  bool faint = false;
  std::string_view label{};  // lines are separated by '\n'
  ElementId id{};
};

CellView view(const Grid& grid, std::size_t i);
CellView view(const Scene& scene, const Cell& cell);
// The cell with this id; a mark that is neither a grid nor a cell gives an empty view.
CellView cell_of(const Scene& scene, const ElementId& id);

// Calls use(i) for the cells of a grid in the order in which they are drawn.
template <class Use>
void each_drawn(const GridColumns& grid, Use use) {
  for (const std::uint32_t i : grid.order) use(std::size_t{i});
  for (std::size_t i = 0; grid.order.empty() && i < grid.size(); ++i) use(i);
}

// Calls use(CellView) for every cell of a panel, grids row by row.
template <class Use>
void each_cell(const Scene& scene, std::size_t panel, Use use) {
  const std::vector<Mark>& marks = scene.panels[panel].marks;
  const auto with_id = [&](CellView cell, std::size_t mark, std::size_t i) {
    cell.id = {static_cast<std::uint32_t>(panel), static_cast<std::uint32_t>(mark), static_cast<std::uint32_t>(i)};
    use(cell);
  };
  for (std::size_t m = 0; m < marks.size(); ++m) {
    if (const auto* cell = std::get_if<Cell>(&marks[m])) with_id(view(scene, *cell), m, 0);
    const auto* grid = std::get_if<Grid>(&marks[m]);
    for (std::size_t i = 0; grid && i < grid->of->size(); ++i) with_id(view(*grid, i), m, i);
  }
}

// What a mark stands for: the owner that is drawn, then every other one; nothing where it stands for nothing.
std::vector<Subject> subjects_of(const Scene& scene, const ElementId& id);
std::optional<Subject> subject_of(const Scene& scene, const ElementId& id);  // the first of them

// The topmost mark that covers a point in cell units: a cell, or a line or arrow that stands for something, within a tenth of a cell.
std::optional<ElementId> pick(const Scene& scene, float x, float y);

}  // namespace tessera
