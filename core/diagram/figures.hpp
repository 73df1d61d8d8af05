// SPDX-License-Identifier: BSD-3-Clause
// The figure kinds: one table row each, with name, help line, parameters and the function that makes the scene.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/atom/copy_atom.hpp"
#include "core/atom/tiled_copy.hpp"
#include "core/atom/tiled_mma.hpp"
#include "core/base/result.hpp"
#include "core/diagram/scene.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

// Numbers over points, as a chart shows them.
struct NumberTable {
  struct Column {
    std::string name;
    std::vector<std::optional<double>> values;  // one for each point; nothing: there is none
  };
  std::string of;                   // what was asked at each point
  std::vector<std::string> points;  // "p = 32"
  std::vector<Column> columns;
};

// What a figure can be made of.
using FigureObject = std::variant<Layout, ComposedLayout, MmaAtom, TiledMma, CopyAtom, TiledCopy, GemmPlan, NumberTable>;

// Everything a figure kind may read. Each kind takes the fields that its table row names and refuses the others by name.
struct FigureSpec {
  std::string kind;                               // "layout", "tv", "mma", "gemm", ...; empty: the object's own kind
  std::vector<FigureObject> objects;              // in order, e.g. tv(thread-value layout, data layout)
  std::map<std::string, std::string> parameters;  // "thread" -> "3"
  std::int64_t element_bits = 0;                  // of the first object's elements, where it is a tensor that says so; 0: not known
  std::optional<AnyLayout> color_layout;          // colours by its values, over the tile's coordinates; instead of the parameter color
  FigureStyle style = FigureStyle::tessera;
  std::string palette;  // empty: the style's own
  std::string title;
  std::string expression;
  float text_unit = 0;  // how large free text is, in cells: numbers of axes are 0.36 of it, headings 0.46; 0: by the figure's size
};

struct FigureParameter {
  std::string_view name;
  std::string_view help;
  std::span<const std::string_view> choices{};  // the words that it takes, the first where it is left out; none: see help
};

struct FigureKind {
  std::string_view name;
  std::string_view help;
  std::span<const FigureParameter> parameters;
  std::size_t most_objects;  // that it draws
  Result<Scene> (*make)(const FigureSpec&);
};

std::span<const FigureKind> figure_kinds();
// That every kind has besides its own.
std::span<const FigureParameter> common_parameters();

// Refuses unknown kinds (naming the nearest), unknown parameters, figures beyond the request's budget (core/base/budget.hpp), and those
// of more than kMostCells cells, whatever the budget.
Result<Scene> make_figure(const FigureSpec& spec);

constexpr std::int64_t kMostCells = 1 << 24;  // floats count cells exactly as far as this

}  // namespace tessera
