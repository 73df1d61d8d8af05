// SPDX-License-Identifier: BSD-3-Clause
// The checks that every figure shares, and which kind draws what.
#include "core/diagram/kinds/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/charts/bar_chart.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/recipes.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/steps.hpp"
#include "core/diagram/scene/patterns.hpp"

namespace tessera {

namespace {

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.emplace_back(row.name);
  return out;
}

Result<const FigureKind*> find_kind(std::string_view name) {
  if (const FigureKind* kind = figure_kind(name)) return kind;
  const std::vector<std::string> known = names_of(figure_kinds());
  return Error{ErrorCode::unknown_name,
               fmt::format("there is no figure kind '{}'", name),
               {},
               {fmt::format("the kinds are {}", names_and_nearest(name, known))}};
}

const FigureParameter* find_parameter(std::span<const FigureParameter> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const FigureParameter& each) { return each.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Status check_parameters(const FigureKind& kind, const FigureSpec& spec) {
  for (const auto& [name, value] : spec.parameters) {
    const FigureParameter* row = find_parameter(kind.parameters, name);
    if (!row) row = find_parameter(common_parameters(), name);
    if (row) {
      TESSERA_CHECK(check_value(*row, value));
      continue;
    }
    std::vector<std::string> known = names_of(kind.parameters);
    for (const FigureParameter& each : common_parameters()) known.emplace_back(each.name);
    return Error{ErrorCode::unknown_name,
                 fmt::format("the figure '{}' has no parameter '{}'", kind.name, name),
                 {},
                 {fmt::format("it has {}", names_and_nearest(name, known))}};
  }
  return Done{};
}

// CuTe's own pictures have no reading aids, and kinds without grids no colours to choose.
Status check_aids(const FigureKind& kind, const FigureSpec& spec) {
  const FigureParameter* color = find_parameter(kind.parameters, "color");
  if (spec.color_layout && (!color || color->kind != FigureParameter::Kind::choice_or_layout))
    return Error{ErrorCode::unknown_name, fmt::format("the figure '{}' has no parameter 'color'", kind.name), {}, {}};
  for (const std::string_view name : {"highlight", "crop", "fold", "patterns", "steps", "step"}) {
    if (!parameter(spec, name).empty() && parameter(spec, name) != "no" && parameter(spec, name) != "none")
      TESSERA_CHECK(only_own_style(spec));
  }
  return Done{};
}

// The steps that are asked for; with caption=no they say nothing.
Status set_steps(Scene& scene, const FigureSpec& spec) {
  TESSERA_TRY(word, choice(spec, kSteps.name, kStepsChoices));
  if (const std::optional<Selects> what = selects_of(word)) {
    const bool lit = !parameter(spec, "highlight").empty() || !parameter(spec, "thread").empty();
    if (lit && !parameter(spec, kStep.name).empty())
      return Error{ErrorCode::wrong_arity, "a step says what stands out, and so does highlight or thread", {}, {"leave one of them out"}};
    TESSERA_CHECK(add_steps(scene, *what));
  }
  for (SceneStep& step : scene.steps) {
    if (is_off(spec, "caption")) step.caption.clear();
  }
  return Done{};
}

}  // namespace

namespace {

std::string_view own_kind(const FigureObject& object) {
  struct Name {
    std::string_view operator()(const Layout&) const { return "layout"; }
    std::string_view operator()(const ComposedLayout&) const { return "layout"; }
    std::string_view operator()(const MmaAtom&) const { return "mma"; }
    std::string_view operator()(const TiledMma&) const { return "mma"; }
    std::string_view operator()(const CopyAtom&) const { return "copy"; }
    std::string_view operator()(const TiledCopy&) const { return "copy"; }
    std::string_view operator()(const GemmPlan&) const { return "gemm"; }
    std::string_view operator()(const NumberTable& table) const {
      if (table.points.size() <= kMostBarRows) return "chart";
      return table.parameters.size() == 2 ? "heat_map" : "series";
    }
    std::string_view operator()(const Roofline&) const { return "roofline"; }
    std::string_view operator()(const PipelineModel&) const { return "pipeline"; }
    std::string_view operator()(const TmaBoxes&) const { return "tma"; }
    std::string_view operator()(const Tiler&) const { return "layout"; }
    std::string_view operator()(const AccessBits&) const { return "banks"; }
    std::string_view operator()(const std::shared_ptr<const FigureSpec>&) const { return "panels"; }
  };
  return std::visit(Name{}, object);
}

}  // namespace

std::string_view default_kind(const FigureSpec& spec) {
  if (spec.objects.empty()) return "layout";
  const std::string_view own = own_kind(spec.objects.front());
  if (own != "layout" || spec.is_part || spec.style != FigureStyle::tessera || spec.color_layout) return own;
  // What asks for colours, labels or a part asks it of the layout's own elements.
  constexpr std::string_view kOfBoth[] = {"bits", "bytes", "type", "cells", "at"};
  const bool knows_all = std::all_of(spec.parameters.begin(), spec.parameters.end(), [&](const auto& each) {
    return std::find(std::begin(kOfBoth), std::end(kOfBoth), each.first) != std::end(kOfBoth) ||
           find_parameter(common_parameters(), each.first);
  });
  return knows_all && is_moved_by_swizzle(spec.objects.front()) ? "swizzle" : own;
}

const FigureKind* figure_kind(std::string_view name) {
  const std::span<const FigureKind> rows = figure_kinds();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const FigureKind& each) { return each.name == name || (!each.also.empty() && each.also == name); });
  return found == rows.end() ? nullptr : &*found;
}

std::string_view kind_called(std::string_view name) {
  const FigureKind* kind = figure_kind(name);
  return kind ? kind->name : name;
}

std::vector<std::string> figure_functions() {
  std::vector<std::string> names;
  for (const FigureKind& kind : figure_kinds()) {
    names.push_back(fmt::format("{}_figure", kind.name));
    if (!kind.also.empty()) names.push_back(fmt::format("{}_figure", kind.also));
  }
  return names;
}

Result<Scene> make_unfinished(const FigureSpec& spec) {
  if (spec.objects.empty()) return Error{ErrorCode::wrong_arity, "a figure needs an object to draw", {}, {"write draw((4,8):(8,1))"}};
  const std::string_view name = spec.kind.empty() ? default_kind(spec) : std::string_view(spec.kind);
  TESSERA_TRY(kind, find_kind(name));
  TESSERA_CHECK(check_parameters(*kind, spec));
  if (spec.objects.size() > kind->most_objects) {
    return Error{ErrorCode::wrong_arity,
                 fmt::format("the figure '{}' draws {} object{}, and {} are given: the last is {}", kind->name, kind->most_objects,
                             kind->most_objects == 1 ? "" : "s", spec.objects.size(), object_name(spec.objects.back())),
                 {},
                 {}};
  }
  TESSERA_CHECK(check_aids(*kind, spec));
  return kind->make(spec);
}

Result<Scene> make_figure(const FigureSpec& spec) {
  const DefaultBudget budget;
  TESSERA_TRY(made, make_unfinished(spec));
  add_recipes(made, spec);
  TESSERA_CHECK(set_steps(made, spec));
  switch_off(made, spec);
  TESSERA_TRY(step, integer(spec, kStep));
  if (step) {
    TESSERA_TRY(one, at_step(std::move(made), static_cast<std::size_t>(*step - 1)));
    made = std::move(one);
  }
  if (parameter(spec, "patterns") == "yes") TESSERA_CHECK(add_patterns(made));
  TESSERA_CHECK(check_time("drawing the figure"));  // the loops over its cells end early when the time is over
  return made;
}

}  // namespace tessera
