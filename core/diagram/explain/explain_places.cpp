// SPDX-License-Identifier: BSD-3-Clause
// Which cell is meant, and who holds it: by a place in words, and by a cell of a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/explain/cell_coordinates.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

struct Extents {
  std::int64_t threads = 0, values = 0;
};

Extents extents_of(const AnyLayout& layout_tv) {
  const std::int64_t threads = size(shape(layout_tv)[0]);
  return {threads, size(layout_tv) / threads};
}

// Threads, and each one's values, in ascending order.
Result<std::vector<Owner>> find_owners(const CellRecipe& recipe, std::int64_t number, std::optional<std::int64_t> offset) {
  std::vector<Owner> found;
  if (!recipe.holders || !recipe.holders->nobody.empty()) return found;
  if (recipe.holders->map) {
    const OwnerMap& map = *recipe.holders->map;
    const std::span<const Owner> owners = map.owners(number % map.rows(), number / map.rows());
    return std::vector<Owner>(owners.begin(), owners.end());
  }
  if (!recipe.holders->layout_tv) return found;
  const CellRecipe::Holders& holders = *recipe.holders;
  const Extents extents = extents_of(*holders.layout_tv);
  if (extents.threads > kMostCells / std::max<std::int64_t>(1, extents.values)) {
    return Error{ErrorCode::limit,
                 fmt::format("{} has {} threads of {} values, too many to look for one", to_string(*holders.layout_tv), extents.threads,
                             extents.values),
                 {},
                 {"ask for a thread and value: --at \"T0 V0\""}};
  }
  const std::int64_t wanted = holders.gives_offset ? offset.value_or(-1) : number;
  const auto look = [&](std::int64_t thread) {
    for (std::int64_t value = 0; value < extents.values; ++value) {
      if (evaluate(*holders.layout_tv, thread, value) == wanted)
        found.push_back({static_cast<std::int32_t>(thread), static_cast<std::int32_t>(value)});
    }
  };
  for (const std::int64_t thread : holders.threads) look(thread);
  for (std::int64_t thread = 0; holders.threads.empty() && thread < extents.threads; ++thread) look(thread);
  return found;
}

// The same where a map of the picture says who holds what.
Result<Coord> coordinate_in(const OwnerMap& map, const CellRecipe& recipe, const Owner& owner) {
  for (std::int64_t col = 0; col < map.cols(); ++col) {
    for (std::int64_t row = 0; row < map.rows(); ++row) {
      for (const Owner& each : map.owners(row, col)) {
        if (each.thread == owner.thread && each.value == owner.value) return IntTuple::tuple({row, col});
      }
    }
  }
  const std::vector<std::int64_t> threads = map.threads();
  return Error{
      ErrorCode::out_of_range,
      fmt::format("T{} V{} is none of {}: threads are {} to {}{}, values 0 to {}", owner.thread, owner.value, recipe.of,
                  threads.empty() ? 0 : threads.front(), threads.empty() ? 0 : threads.back(),
                  threads.empty() || threads.back() - threads.front() + 1 == static_cast<std::int64_t>(threads.size()) ? "" : " with gaps",
                  map.values() - 1),
      {},
      {}};
}

// The coordinate that a thread's value is at.
Result<Coord> coordinate_of(const CellRecipe& recipe, const Owner& owner) {
  if (recipe.holders && recipe.holders->map) return coordinate_in(*recipe.holders->map, recipe, owner);
  if (!recipe.holders || !recipe.holders->layout_tv) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("no threads and values are known of {}", recipe.of),
                 {},
                 {fmt::format("ask for a coordinate: {}", example_of(recipe.shape))}};
  }
  const AnyLayout& layout_tv = *recipe.holders->layout_tv;
  const Extents extents = extents_of(layout_tv);
  if (owner.thread >= extents.threads || owner.value >= extents.values || owner.thread < 0 || owner.value < 0) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("T{} V{} is outside of {}: threads are 0 to {}, values 0 to {}", owner.thread, owner.value,
                             to_string(layout_tv), extents.threads - 1, extents.values - 1),
                 {},
                 {fmt::format("the nearest is T{} V{}", std::clamp<std::int64_t>(owner.thread, 0, extents.threads - 1),
                              std::clamp<std::int64_t>(owner.value, 0, extents.values - 1))}};
  }
  const std::int64_t place = evaluate(layout_tv, owner.thread, owner.value);
  if (recipe.holders->gives_offset) {
    return Error{
        ErrorCode::wrong_type,
        fmt::format("T{} V{} of {} is element {}, whose coordinate is not looked for", owner.thread, owner.value, recipe.of, place),
        {},
        {fmt::format("ask for a coordinate: {}", example_of(recipe.shape))}};
  }
  if (place < 0 || place >= size(recipe.shape)) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("T{} V{} is number {}, outside of the tile {}", owner.thread, owner.value, place, to_string(recipe.shape)),
                 {},
                 {}};
  }
  // Flat, as the picture has it: (row, col).
  if (!recipe.shape.is_tuple()) return Coord(place);
  std::vector<IntTuple> flat;
  std::int64_t left = place;
  for (const IntTuple& mode : recipe.shape.modes()) {
    flat.emplace_back(left % size(mode));
    left /= size(mode);
  }
  return IntTuple::tuple(std::move(flat));
}

Result<const CellRecipe*> find_recipe(const std::vector<CellRecipe>& recipes, const std::string& panel) {
  std::string known;
  for (const CellRecipe& each : recipes) known += fmt::format("{}{}", known.empty() ? "" : ", ", each.id);
  if (recipes.empty())
    return Error{ErrorCode::wrong_type, "its cells are not computed from coordinates, so that there is nothing to explain", {}, {}};
  if (panel.empty() && recipes.size() == 1) return &recipes.front();
  if (panel.empty()) {
    return Error{ErrorCode::wrong_arity,
                 fmt::format("it has several tiles: {}", known),
                 {},
                 {fmt::format("say which one: --at \"{}(0,0)\"", recipes.front().id)}};
  }
  for (const CellRecipe& each : recipes) {
    if (each.id == panel) return &each;
  }
  for (const CellRecipe& each : recipes) {  // s and S for source, a for A
    const auto same = [](char x, char y) { return (x | 0x20) == (y | 0x20); };
    if (panel.size() <= each.id.size() && std::equal(panel.begin(), panel.end(), each.id.begin(), same)) return &each;
  }
  for (const CellRecipe& each : recipes) {  // C for gC
    if (each.id.ends_with(panel)) return &each;
  }
  return Error{ErrorCode::unknown_name, fmt::format("there is no {} in it", panel), {}, {fmt::format("it has {}", known)}};
}

// Numbers of "2,(0,1)", a coordinate's modes beyond the second.
std::vector<IntTuple> rest_of(const std::string& text) {
  const Result<CellPlace> place = read_place(fmt::format("(0,0,{})", text));
  std::vector<IntTuple> modes;
  for (std::size_t i = 2; place && place->coord && i < place->coord->rank(); ++i) modes.push_back((*place->coord)[i]);
  return modes;
}

}  // namespace

Result<ExplainedCell> explain(const std::vector<CellRecipe>& recipes, const CellPlace& place) {
  TESSERA_TRY(recipe, find_recipe(recipes, place.panel));
  if (place.owner) {
    TESSERA_TRY(coord, coordinate_of(*recipe, *place.owner));
    return explain(*recipe, coord, {*place.owner});
  }
  TESSERA_TRY(cell, explain(*recipe, *place.coord));
  if (!recipe->holders) return cell;
  TESSERA_TRY(number, crd2idx(congruent_to(*place.coord, recipe->shape), recipe->shape));
  TESSERA_TRY(owners, find_owners(*recipe, number, cell.offset));
  return explain(*recipe, *place.coord, owners);
}

std::optional<ExplainedCell> explain(const Scene& scene, const ElementId& id) {
  if (id.panel >= scene.panels.size() || !scene.panels[id.panel].recipe) return std::nullopt;
  const CellRecipe& recipe = *scene.panels[id.panel].recipe;
  const std::vector<Subject> subjects = subjects_of(scene, id);
  if (subjects.empty() || subjects.front().row < 0) return std::nullopt;
  const Subject& first = subjects.front();
  Coord coord = first.row;
  if (recipe.shape.is_tuple() && recipe.shape.rank() == 1) coord = IntTuple::tuple({first.row});
  if (recipe.shape.rank() > 1) {
    std::vector<IntTuple> modes = {first.row, first.col};
    if (first.rest >= 0 && static_cast<std::size_t>(first.rest) < scene.rests.size()) {
      for (IntTuple& mode : rest_of(scene.rests[static_cast<std::size_t>(first.rest)])) modes.push_back(std::move(mode));
    }
    coord = IntTuple::tuple(std::move(modes));
  }
  std::vector<Owner> owners;
  for (const Subject& each : subjects) {
    if (each.thread >= 0) owners.push_back({each.thread, std::max(0, each.value)});
  }
  // A picture that shows banks knows how wide an element is.
  CellRecipe known = recipe;
  const auto* grid = std::get_if<Grid>(&scene.panels[id.panel].marks[id.mark]);  // there, since it has a subject
  if (known.bits == 0 && grid && grid->of->bits > 0) known.bits = grid->of->bits, known.byte_offset = grid->of->byte_offset;
  Result<ExplainedCell> cell = explain(known, coord, owners);
  if (!cell) return std::nullopt;
  return std::move(*cell);
}

}  // namespace tessera
