// SPDX-License-Identifier: BSD-3-Clause
// What every figure is made of: grids with axes, headings and captions, owners of cells, and borders between groups of cells.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/diagram/scene/selection.hpp"

namespace tessera {

// A grid of cells, each one high and w wide, with its top left corner at (x, y).
struct Frame {
  float x = 0, y = 0;
  std::int64_t rows = 0, cols = 0;
  float w = 1;
  float width() const { return w * static_cast<float>(cols); }
  float right() const { return x + width(); }
  float bottom() const { return y + static_cast<float>(rows); }
  float column(std::int64_t c) const { return x + w * static_cast<float>(c); }  // its left edge
};

// Begins the columns of a grid of so many cells.
GridColumns begin_grid(std::int64_t rows, std::int64_t cols);
// The width of cells, in cells' heights, in which labels of so many characters stand in type of a readable size; at least 1.
float cell_width(std::size_t longest_label);

// The coordinate with this 1-D number in the modes beyond the second, "2" or "2,(0,1)"; empty where there are none.
std::string rest_of_coordinate(const Shape& shape, std::int64_t k);

// Of an arrow that follows what is tinted so, dark enough for a thin line; kNoColor: the ink's own.
ColorIndex arrow_color(Scene& scene, ColorIndex tint);

// Puts a grid at its frame; what is drawn of it later lies on top.
void add_grid(Panel& panel, const Frame& frame, GridColumns columns);

// How large free text is drawn, in cells: what was asked for, else 1 for small grids and more for those that will be looked at from further
// away.
float type_scale(const FigureSpec& spec, std::int64_t rows, std::int64_t cols);

// ---- parameters ------------------------------------------------------------------------------------------------------

std::string_view parameter(const FigureSpec& spec, std::string_view name);  // empty when not given
Result<std::optional<std::int64_t>> integer(const FigureSpec& spec, const FigureParameter& row);
struct TileShape {
  std::int64_t rows = 1, cols = 1;
};
Result<std::optional<TileShape>> tile_shape(const FigureSpec& spec, std::string_view name);  // "4x8"
// One of `choices` (the first when not given); refuses others, naming the nearest.
Result<std::string_view> choice(const FigureSpec& spec, std::string_view name, std::span<const std::string_view> choices);
// The bits of an element as bits=, bytes= or type= give them, else as the tensor itself knows them; 0: not known.
Result<std::int64_t> element_bits(const FigureSpec& spec);
// "3", "0-3" or "0,4,8-11".
Result<std::set<std::int64_t>> number_set(const FigureSpec& spec, std::string_view name);
// Where `value` lies between `least` and `most`, from 0 to 1; beyond them (a swizzled image may pass the cosize) 0 or 1.
double ramp_place(std::int64_t value, std::int64_t least, std::int64_t most);

// ---- budget ----------------------------------------------------------------------------------------------------------

// Refuses more than kMostCells cells, and what the request's budget has no room for; counts nothing.
Status check_cells(std::int64_t cells, std::string_view what);
// The same before so many cells are made with `links` links: cells and bytes are counted.
Status take_cells(std::int64_t cells, std::int64_t links, std::string_view what);

// ---- our own style ---------------------------------------------------------------------------------------------------

struct Captions;
struct Axes {
  bool left = true, top = true;
  std::string_view before_left{}, before_top{};  // what stands before each number: T, V
};

// The panel's names of its axes, in the corner between their numbers: "m↓ k→".
void add_axis_names(Scene& scene, Panel& panel, const Frame& frame, float unit);

// The type of numbers along an axis, in text units: a little smaller than words, as the cells' own labels should be read first.
inline constexpr float kAxisType = 0.33f;
// Numbers of rows and columns: every one, or where those would touch every second, fourth, ...
void add_axes(Scene& scene, Panel& panel, const Frame& frame, Axes sides, float unit);
void add_heading(Scene& scene, Panel& panel, float x, float y, std::string_view text, float unit);
void add_note(Scene& scene, Panel& panel, float x, float y, std::string_view text, float unit);
void add_frame(Panel& panel, const Frame& frame);
// Stronger lines where a mode's leaves begin anew: shape ((2,4),...) has one every 2 rows, the outer levels stronger.
void add_divisions(Panel& panel, const Frame& frame, const Shape& row_mode, const Shape& col_mode);
void say_divisions(Captions& captions);  // what these lines mean
// Lines between neighbours whose group differs; `outer` also where a group >= 0 meets the frame. No lines at all when they
// would separate almost everything.
void add_borders(Panel& panel, const Frame& frame, std::span<const std::int32_t> groups, StrokeRole role, bool outer);

// What colours mean, with the hues in their order; more than eight are not shown.
struct Legend {
  std::vector<ColorIndex> hues;
  std::string words;                    // "hue: the quad"; empty: no legend
  bool corner = false;                  // instead of hues, a cell with the mark of one that has several owners
  bool numbered = false;                // with the hues' places, from 0 on, in their swatches
  std::vector<std::int64_t> numbers{};  // instead of their places
  bool is_of_owners = false;            // not of colours: which elements have several owners, and who these are
};

struct Captions {
  std::string sentence;  // what the picture shows, to be said aloud
  std::vector<std::string> notes{};
  std::vector<Legend> legends{};
  std::string heading{};  // of the picture, which need not be said again
  std::string title{};    // above it, where the person gives none: what the document calls it
  // What lines inside grids separate, each said where such a line is drawn: "an inner mode ends", "atom boundary".
  std::string boundary{}, strong{};
};

// "1 cell", "2 cells"
std::string counted(std::int64_t n, std::string_view what);
// With a capital and a full stop.
std::string sentence(std::string words);
// Which width of elements bank and chunk colours are for; not `known`: what is assumed.
std::string bits_note(std::int64_t bits, bool known);
// Is this switch (caption=, legend=, title=, axes=, heading=) off?
bool is_off(const FigureSpec& spec, std::string_view part);
// Title above; sentence, legends, notes and expression below, in the scene's last panel "caption". The expression is left out where the
// heading, the sentence or a note says it already.
void add_captions(Scene& scene, const FigureSpec& spec, const Captions& captions, float unit);

// ---- print_latex's style ---------------------------------------------------------------------------------------------

void add_latex_grid(Panel& panel, const Frame& frame);
// Row labels in the column `label_col`, column labels in the row `label_row`, as cell numbers of the picture.
void add_latex_axes(Scene& scene, Panel& panel, const Frame& frame, float label_col, float label_row);

// ---- threads and values ----------------------------------------------------------------------------------------------

// Who owns each cell of a rows x cols tile. The first owner is the first in the order thread, then value, which is the one
// that print_latex draws.
class OwnerMap {
 public:
  // layout_tv: (thr, val) -> colexicographic index of (row, col). `threads`: only these count; empty: all.
  static Result<OwnerMap> make(const Layout& layout_tv, std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> threads = {});
  // Keeps who lies outside of the tile, which `make` refuses.
  static Result<OwnerMap> make_with_outside(const Layout& layout_tv, std::int64_t rows, std::int64_t cols);
  // The same from any function of (thread, value); `what` names it in a refusal.
  using Index = std::function<std::int64_t(std::int64_t, std::int64_t)>;
  static Result<OwnerMap> make(std::int64_t thread_count, std::int64_t value_count, const Index& index, std::int64_t rows,
                               std::int64_t cols, std::span<const std::int64_t> threads, std::string_view what);

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::span<const Owner> owners(std::int64_t row, std::int64_t col) const;
  std::vector<std::int64_t> threads() const;  // ascending, without repetition
  std::int64_t values() const { return values_; }
  // "each of 8 threads owns 4 of the 32 elements of the 4 × 8 tile", whatever `verb` and `of` are; `of` may be empty.
  std::string sentence(std::string_view verb, std::string_view of) const;
  struct Outside {
    Owner owner;
    std::int64_t index = 0;  // as layout_tv gives it, below 0 or beyond the tile's last element
  };
  std::span<const Outside> outside() const { return outside_; }  // in the order of threads and values
  struct Share {
    std::int64_t threads = 0, least = 0, most = 0;  // how many elements a thread owns, each counted once
    friend bool operator==(const Share&, const Share&) = default;
  };
  Share share() const;

 private:
  std::int64_t rows_ = 0, cols_ = 0, values_ = 0;
  std::vector<std::uint32_t> begin_;  // of each cell, column-major, and one past the end
  std::vector<Owner> owners_;
  std::vector<Outside> outside_;

  static Result<OwnerMap> make(std::int64_t thread_count, std::int64_t value_count, const Index& index, std::int64_t rows,
                               std::int64_t cols, std::span<const std::int64_t> threads, std::string_view what, bool keeps_outside);
};

// Colours of threads (or values, warps, quads), numbered by their place among those that take part, so that a quad pair of threads
// 0-3 and 16-19 gets eight hues.
class OwnerColors {
 public:
  OwnerColors(Scene& scene, const Palette& palette, std::vector<std::int64_t> threads, std::int64_t values, std::string_view by);
  ColorIndex fill(const Owner& owner) const;
  // What hue and shade mean, in a line: "hue: T / 4, the quad; shade: T mod 4". Empty where all cells are alike.
  Legend legend() const;

 private:
  std::int64_t shades() const;  // of each hue

  std::vector<ColorIndex> by_id_, hues_;
  enum class By : std::uint8_t { thread, value, warp, quad } by_ = By::thread;
  std::vector<std::int64_t> ids_;  // that have colours, ascending
  bool cutes_own_ = false;         // print_latex's pastels
};

// The eight quads of a warp whose 32 threads have the palette's hues and shades.
Legend quad_legend(Scene& scene, const Palette& palette, std::int64_t warp);

// What the mark of a cell with several owners means, and who the others are where that is the same at all of them: "black triangle: held
// twice, in A also by T + 4, in B also by T + 8". Where all elements of a panel are shared none is marked: "each element of A and B is held
// twice, ...". Empty where no panel of the scene has one.
Legend shared_legend(const Scene& scene, std::string_view verb = "held");

// How an operand's tile is drawn.
struct OwnerStyle {
  std::string_view labels = "tv";                                  // tv, thread, value, offset, coordinate, none
  std::string_view color = "thread";                               // thread, value, warp, quad, or by no owner
  Selection selected;                                              // its owners are drawn before others of a cell
  std::int32_t tensor = -1;                                        // index into Scene::tensors, when offsets are known
  std::function<std::int64_t(std::int64_t, std::int64_t)> offset;  // (row, col) -> element offset, or empty
  std::int32_t bits = 0;                                           // of an element, to name its bank; 0: the tensor is not in shared memory
  std::int64_t byte_offset = 0;                                    // of the tensor in the CTA's shared memory
  bool swap = false;                                               // draw (row, col) at x = row, y = col: operand B, whose rows are N
};

// The columns of one operand's tile, as it is drawn at a frame of its size.
GridColumns owner_columns(const OwnerMap& map, const OwnerColors& colors, const OwnerStyle& style);
// The grid of these columns at `at`, and its frame.
void add_owner_grid(Panel& panel, const Frame& at, GridColumns columns);
// The same as print_latex draws it: the cells in the order of threads and values, the first owner alone.
void add_latex_owner_cells(Scene& scene, Panel& panel, const Frame& at, const Layout& layout_tv, std::int64_t rows, std::int64_t cols,
                           const Palette& palette, bool swap);

// layout_tv: (thr, val) -> colexicographic index of (row, col), as CuTe prints the tensor of its coordinates; as a layout where it has
// none.
std::string print_of_coordinates(const Layout& layout_tv, std::int64_t rows, std::int64_t cols);

}  // namespace tessera
