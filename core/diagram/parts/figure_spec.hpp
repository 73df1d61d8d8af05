// SPDX-License-Identifier: BSD-3-Clause
// FigureSpec: what a figure is made of and how it is to be drawn, whichever kind draws it; and the rows that say what a parameter takes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/atom/tma/tma_boxes.hpp"
#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/gemm/pipeline_model.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"

namespace tessera {

struct FigureSpec;

// Numbers over points, as a chart shows them.
struct NumberTable {
  struct Column {
    std::string name;
    std::vector<std::optional<double>> values;  // one for each point; nothing: there is none
  };
  std::string of;                   // what was asked at each point
  std::vector<std::string> points;  // "p = 32"
  std::vector<Column> columns;
  std::vector<std::string> parameters{};       // what the points are over: "p", "q"
  std::vector<std::vector<std::string>> at{};  // of each point, the text of each parameter
};

// A kernel under a device's roof, as roofline(...) answers it.
struct Roofline {
  std::string device;
  double peak_tflops = 0, gigabytes_per_second = 0;
  double intensity = 0;           // FLOP/byte
  std::string problem{}, type{};  // "4096 × 4096 × 4096"; of the elements that are multiplied, "f16"
  std::string moved{};            // "A, B f16, C f32, each moved once"; empty: not known
};

// Loads or stores of so many bits a lane, where no copy says who takes what: access(128, layout).
struct AccessBits {
  std::int64_t bits = 32;
};

// What a figure can be made of. A figure of several has each as a spec of its own.
using FigureObject = std::variant<Layout, ComposedLayout, MmaAtom, TiledMma, CopyAtom, TiledCopy, GemmPlan, NumberTable, Tiler, AccessBits,
                                  Roofline, PipelineModel, TmaBoxes, std::shared_ptr<const FigureSpec>>;

// Everything a figure kind may read. Each kind takes the fields that its table row names and refuses the others by name.
struct FigureSpec {
  std::string kind;                               // "layout", "tv", "mma", "gemm", ...; empty: the object's own kind
  std::vector<FigureObject> objects;              // in order, e.g. tv(thread-value layout, data layout)
  std::map<std::string, std::string> parameters;  // "thread" -> "3"
  std::int64_t element_bits = 0;                  // of the first object's elements, where it is a tensor that says so; 0: not known
  std::string memory{};                           // where they lie: "smem", "gmem", "rmem", "tmem"; empty: not known
  std::vector<std::string> memories{};            // the same of each object; empty: of none
  // What the first object is of, where it knows: names of its modes, and the thread whose part it is with what it does ("reads"). Of a
  // part of a tensor, `is_part`, what lies between its elements may be others'.
  std::string name{};  // what the document calls the first object; empty: nothing
  std::vector<std::string> modes{};
  std::string number{};  // what a layout maps them to, "coordinate"; empty: not said, offsets of a tensor
  std::optional<std::int64_t> thread{};
  std::string verb{};
  bool is_part = false;
  std::optional<AnyLayout> color_layout;  // colours by its values, over the tile's coordinates; instead of the parameter color
  std::optional<std::pair<std::int64_t, std::int64_t>> ramp;  // the least and the greatest offset of a ramp that pictures share
  FigureStyle style = FigureStyle::tessera;
  std::string palette;  // empty: the style's own
  std::string title;
  std::string expression;
  float text_unit = 0;    // how large free text is, in cells: words are 0.36 of it, headings 0.46; 0: by the figure's size
  float words_width = 0;  // how wide the words below may stand, in cells; as the picture where that is wider
  bool stacked = false;   // grids that could stand side by side stand one above the other, in a narrow place
};

// What room a picture has in its place.
struct FigureRoom {
  float text_unit = 0, words_width = 0;  // see FigureSpec
  int fold = 1;                          // pieces of a long grid where the expression does not say it
  bool stacked = false;                  // see FigureSpec
  friend bool operator==(const FigureRoom&, const FigureRoom&) = default;
  friend auto operator<=>(const FigureRoom&, const FigureRoom&) = default;
};

// A parameter of figures. What a form offers, the command line checks and docs/figures.md says of it comes from this row.
struct FigureParameter {
  enum class Kind : std::uint8_t {
    choice,            // one of `choices`, the first where it is left out
    choice_or_layout,  // the same, or a layout: FigureSpec::color_layout
    flag,              // yes or no, in `choices`, the first where it is left out
    integer,           // from `least` to `most`
    numbers,           // of threads or tiles: 3, 0-3 or 0,4,8-11
    selection,         // T0-3, rows=0-7
    shape,             // of a tile: 4x8
    type,              // of an element: half_t
    text,              // a name that the object has
  };
  std::string_view name;
  std::string_view help;
  Kind kind = Kind::text;
  std::span<const std::string_view> choices{};
  std::int64_t least = 0, most = 0;
};

// What a parameter takes, in words: "yes, no", "1 to 512", "3, 0-3 or 0,4,8-11"; empty where only the object knows.
std::string values_of(const FigureParameter& parameter);
// Refuses a text that is no value of the parameter, naming its range or the nearest of its words. An empty text says nothing.
Status check_value(const FigureParameter& parameter, std::string_view text);

constexpr std::int64_t kMostCells = 1 << 24;  // floats count cells exactly as far as this

}  // namespace tessera
