// SPDX-License-Identifier: BSD-3-Clause
// The table of figure kinds, and the checks that every figure shares.
#include "core/diagram/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/atom/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/explain.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"
#include "core/diagram/patterns.hpp"
#include "core/diagram/steps.hpp"

namespace tessera {

namespace {

using Kind = FigureParameter::Kind;

constexpr FigureParameter kThread{"thread", "highlight these threads", Kind::numbers};
constexpr FigureParameter kHighlight{
    "highlight", "what stands out: T3, T0-3, W1, Q2, V0, (2,5), rows=0-3, cols=4, m=, n=, k=, offsets=0-31, bank=3", Kind::selection};
constexpr FigureParameter kCrop{"crop", "the part that is drawn: rows=0-15, cols=0-31, m=, n=, k=, or W1: the box around what it owns",
                                Kind::selection};
constexpr FigureParameter kOwnerColor{"color", "what cells are coloured by", Kind::choice_or_layout, kOwnerColorChoices};
constexpr FigureParameter kMmaColor{"color", "what cells are coloured by; warp on large tiles of several warps", Kind::choice_or_layout,
                                    kMmaColorChoices};
constexpr FigureParameter kDataColor{"color", "what cells are coloured by; offset, bank, chunk (16 bytes): of the data layout",
                                     Kind::choice_or_layout, kDataColorChoices};
constexpr FigureParameter kType{"type", "the same as an element type", Kind::type};
constexpr FigureParameter kSteps{"steps", "the picture is told in steps, one for each of these: draw one with step=, all with --all-steps",
                                 Kind::choice, kStepsChoices};
constexpr FigureParameter kStep{"step", "one step of a timeline, or of a picture with steps=", Kind::integer, {}, 1, kMostSteps};
constexpr FigureParameter kTile{"tile", "shape of the tile without a data layout", Kind::shape};
constexpr std::array kCommonParameters = {
    FigureParameter{"caption", "the words below", Kind::flag, kYesNo},
    FigureParameter{"legend", "what colours mean", Kind::flag, kYesNo},
    FigureParameter{"title", "the title above", Kind::flag, kYesNo},
    FigureParameter{"axes", "numbers and names of rows and columns", Kind::flag, kYesNo},
    FigureParameter{"heading", "what stands above each grid", Kind::flag, kYesNo},
    FigureParameter{"patterns", "lines over the colours, so that they print apart in grey", Kind::flag, kNoYes},
    kStep,
};
constexpr FigureParameter kOwnerLabels{"labels", "what stands in a cell", Kind::choice, kOwnerLabelChoices};

constexpr std::array kLayoutParameters = {
    FigureParameter{"modes", "names of the layout's modes, \"thread,value\"; threads and values are numbered T0 and V0", Kind::text},
    FigureParameter{"labels", "what stands in a cell; hier_coordinate: the mode's own modes too", Kind::choice, kLayoutLabelChoices},
    FigureParameter{"color", "what cells are coloured by; chunk: 16 bytes", Kind::choice_or_layout, kLayoutColorChoices},
    kHighlight,
    kCrop,
    kFold,
    kSteps,
    kBits,
    kBytes,
    kType,
};
constexpr FigureParameter kDataLabels{"labels", "what stands in a cell; offset: of the data layout", Kind::choice, kDataLabelChoices};
constexpr std::array kTvParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kDataColor, kDataLabels, kTile, kBits, kBytes, kType};
constexpr std::array kOwnerParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kMmaColor, kOwnerLabels};
constexpr std::array kCopyParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kOwnerColor, kOwnerLabels};
constexpr std::array kInverseParameters = {kThread, kHighlight, kCrop, kFold, kSteps, kDataColor, kTile, kBits, kBytes, kType};
constexpr std::array kGemmParameters = {
    kThread,
    kHighlight,
    kCrop,
    kFold,
    kSteps,
    FigureParameter{"color", "what cells are coloured by; warp on large tiles", Kind::choice_or_layout, kGemmColorChoices},
    FigureParameter{"labels", "what stands in a cell of A and B", Kind::choice, kGemmLabelChoices},
    FigureParameter{"tensor", "one tile alone; gA, gB where threads load from global memory", Kind::choice, kGemmTensorChoices},
};

constexpr std::array kTimelineParameters = {
    FigureParameter{"k_tiles", "which tiles of K are drawn; default the first and the last ones", Kind::numbers},
};

constexpr std::array kChartParameters = {
    FigureParameter{"column", "which numbers of the table; default the first that are not the same everywhere", Kind::text},
};

constexpr std::array kKinds = {
    FigureKind{"layout", "offsets of a layout on its coordinates; more than two modes make several panels", kLayoutParameters, 1,
               layout_figure},
    FigureKind{"tv", "thread and value of each cell of a tile: tv(thread-value layout, data layout)", kTvParameters, 2, tv_figure},
    FigureKind{"tv_inverse", "coordinate and offset that each thread's values own: threads down, values across", kInverseParameters, 2,
               tv_inverse_figure},
    FigureKind{"tv_a", "thread and value of each cell of A of an MMA", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"tv_b", "thread and value of each cell of B of an MMA, N down", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"tv_c", "thread and value of each cell of C of an MMA", kOwnerParameters, 1, tv_operand_figure},
    FigureKind{"mma", "operands of an MMA in the shape of an L: A left, B above, C in the corner", kOwnerParameters, 1, mma_figure},
    FigureKind{"copy", "source and destination of a tiled copy, thread and value in each cell", kCopyParameters, 1, copy_figure},
    FigureKind{"gemm", "one CTA of a GEMM: the tiles that fragments are loaded from, sA and sB, with their readers, and who owns C",
               kGemmParameters, 1, gemm_figure},
    FigureKind{"timeline", "a GEMM in time: its roles as lanes, operations as bars in the order of a simulation, waits and what ends them",
               kTimelineParameters, 1, timeline_figure},
    FigureKind{"chart", "the numbers of a sweep, a bar for each of its points", kChartParameters, 1, chart_figure},
};

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.emplace_back(row.name);
  return out;
}

Result<const FigureKind*> find_kind(std::string_view name) {
  for (const FigureKind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  const std::vector<std::string> known = names_of(kKinds);
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
    if (!row) row = find_parameter(kCommonParameters, name);
    if (row) {
      TESSERA_CHECK(check_value(*row, value));
      continue;
    }
    std::vector<std::string> known = names_of(kind.parameters);
    for (const FigureParameter& each : kCommonParameters) known.emplace_back(each.name);
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
  if (spec.color_layout && (!color || color->kind != Kind::choice_or_layout))
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

std::string_view default_kind(const FigureObject& object) {
  struct Name {
    std::string_view operator()(const Layout&) const { return "layout"; }
    std::string_view operator()(const ComposedLayout&) const { return "layout"; }
    std::string_view operator()(const MmaAtom&) const { return "mma"; }
    std::string_view operator()(const TiledMma&) const { return "mma"; }
    std::string_view operator()(const CopyAtom&) const { return "copy"; }
    std::string_view operator()(const TiledCopy&) const { return "copy"; }
    std::string_view operator()(const GemmPlan&) const { return "gemm"; }
    std::string_view operator()(const NumberTable&) const { return "chart"; }
  };
  return std::visit(Name{}, object);
}

std::span<const FigureKind> figure_kinds() { return kKinds; }
std::span<const FigureParameter> common_parameters() { return kCommonParameters; }

Result<Scene> make_unfinished(const FigureSpec& spec) {
  if (spec.objects.empty()) return Error{ErrorCode::wrong_arity, "a figure needs an object to draw", {}, {"write draw((4,8):(8,1))"}};
  const std::string_view name = spec.kind.empty() ? default_kind(spec.objects.front()) : std::string_view(spec.kind);
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

std::string_view object_name(const FigureObject& object) {
  struct Name {
    std::string_view operator()(const Layout&) const { return "a layout"; }
    std::string_view operator()(const ComposedLayout&) const { return "a composed layout"; }
    std::string_view operator()(const MmaAtom&) const { return "an MMA atom"; }
    std::string_view operator()(const TiledMma&) const { return "a tiled MMA"; }
    std::string_view operator()(const CopyAtom&) const { return "a copy atom"; }
    std::string_view operator()(const TiledCopy&) const { return "a tiled copy"; }
    std::string_view operator()(const GemmPlan&) const { return "a GEMM"; }
    std::string_view operator()(const NumberTable&) const { return "a table of numbers"; }
  };
  return std::visit(Name{}, object);
}

Result<AnyLayout> layout_object(const FigureSpec& spec, std::size_t i, std::string_view what) {
  if (i >= spec.objects.size()) return Error{ErrorCode::wrong_arity, fmt::format("this figure needs {}", what), {}, {}};
  if (const auto* plain = std::get_if<Layout>(&spec.objects[i])) return AnyLayout(*plain);
  if (const auto* composed = std::get_if<ComposedLayout>(&spec.objects[i])) return AnyLayout(*composed);
  return Error{ErrorCode::wrong_type, fmt::format("this figure needs {}, and got {}", what, object_name(spec.objects[i])), {}, {}};
}

Result<TiledMma> mma_object(const FigureSpec& spec) {
  if (const auto* tiled = std::get_if<TiledMma>(&spec.objects.front())) return *tiled;
  if (const auto* atom = std::get_if<MmaAtom>(&spec.objects.front())) {
    TESSERA_TRY(one, Layout::make_compact(IntTuple::tuple({1, 1, 1})));
    return TiledMma::make(*atom, one, Underscore{});
  }
  return Error{ErrorCode::wrong_type,
               fmt::format("this figure needs an MMA atom or a tiled MMA, and got {}", object_name(spec.objects.front())),
               {},
               {}};
}

Status only_own_style(const FigureSpec& spec) {
  if (spec.style == FigureStyle::tessera) return Done{};
  return Error{ErrorCode::wrong_type,
               "CuTe draws no such picture, so there is only our own style of it",
               {},
               {"leave the style out, or say style=tessera"}};
}

Scene begin_scene(const FigureSpec& spec) {
  Scene scene;
  scene.style = spec.style;
  scene.palette_name = spec.palette;
  if (const auto palette = Palette::find(spec.palette); palette && spec.style == FigureStyle::tessera)
    scene.page = {palette->paper(), palette->ink()};
  scene.title = spec.title;
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
