// SPDX-License-Identifier: BSD-3-Clause
// The figure kinds: one table row each, with name, help line, parameters and the function that makes the scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Which leaf of a layout's own diagram (kind `diagram`, of one layout) a mark is, as layout_diagram counts them; nothing where it is none.
std::optional<std::size_t> leaf_of_diagram(const Scene& scene, const ElementId& id);

struct FigureKind {
  std::string_view name;
  std::string_view help;
  std::span<const FigureParameter> parameters;
  std::size_t most_objects;  // that it draws
  Result<Scene> (*make)(const FigureSpec&);
  // What the arguments of NAME_figure(...) stand for, where that is not each value's own object.
  enum class Takes : std::uint8_t {
    objects,
    layout_and_tiler,  // a shape as the second is a tiler by modes
    access,            // a first integer is the bits that a lane takes; what is accessed lies in shared memory
    access_of_gmem,    // the same in global memory
    figures,           // each is a picture of its own, also a call of another kind
    boxes,             // a TMA copy is the boxes that it takes, not its threads
  };
  Takes takes = Takes::objects;
  std::string_view also{};  // another name of it, which says what a reader sees: owners of tv
};

std::span<const FigureKind> figure_kinds();
// The kind that draws a spec which names none: that of its first object. A layout that its swizzle moves is drawn as "swizzle"; as "layout"
// if it is a part, if the style is CuTe's, or if a parameter asks for colours, labels or a part.
std::string_view default_kind(const FigureSpec& spec);
// The row of a kind, by its name or its other name; nothing where there is none.
const FigureKind* figure_kind(std::string_view name);
// The name of its row: tv of owners. What no kind is called stays.
std::string_view kind_called(std::string_view name);
// What calls them: "tv_figure", "owners_figure", ...
std::vector<std::string> figure_functions();
// That every kind has besides its own.
std::span<const FigureParameter> common_parameters();

// Refuses unknown kinds (naming the nearest), unknown parameters, figures beyond the request's budget (core/base/budget.hpp), and those
// of more than kMostCells cells, whatever the budget.
Result<Scene> make_figure(const FigureSpec& spec);

}  // namespace tessera
