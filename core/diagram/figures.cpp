// SPDX-License-Identifier: BSD-3-Clause
// The table of figure kinds, and the checks that every figure shares.
#include "core/diagram/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/atom/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/aids.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"
#include "core/diagram/patterns.hpp"

namespace tessera {

namespace {

constexpr FigureParameter kThread{"thread", "highlight these threads: 3, 0-3 or 0,4,8-11"};
constexpr FigureParameter kHighlight{"highlight",
                                     "what stands out: T3, T0-3, W1, Q2, V0, (2,5), rows=0-3, cols=4, m=, n=, k=, offsets=0-31, bank=3"};
constexpr FigureParameter kCrop{"crop", "the part that is drawn: rows=0-15, cols=0-31, m=, n=, k=, or W1: the box around what it owns"};
constexpr FigureParameter kOwnerColor{"color", "what cells are coloured by, or a layout of colours", kOwnerColorChoices};
constexpr FigureParameter kMmaColor{"color", "what cells are coloured by, or a layout of colours; warp on large tiles of several warps",
                                    kMmaColorChoices};
constexpr FigureParameter kDataColor{
    "color", "what cells are coloured by, or a layout of colours; offset, bank, chunk (16 bytes): of the data layout", kDataColorChoices};
constexpr FigureParameter kBits{"bits", "width of an element, for banks and chunks; default what the tensor says, else 32"};
constexpr FigureParameter kBytes{"bytes", "the same in bytes"};
constexpr FigureParameter kType{"type", "the same as an element type: half_t"};
constexpr std::array kCommonParameters = {
    FigureParameter{"caption", "the words below", kYesNo},
    FigureParameter{"legend", "what colours mean", kYesNo},
    FigureParameter{"title", "the title above", kYesNo},
    FigureParameter{"axes", "numbers and names of rows and columns", kYesNo},
    FigureParameter{"heading", "what stands above each grid", kYesNo},
    FigureParameter{"patterns", "lines over the colours, so that they print apart in grey", kNoYes},
};
constexpr FigureParameter kOwnerLabels{"labels", "what stands in a cell", kOwnerLabelChoices};

constexpr std::array kLayoutParameters = {
    FigureParameter{"labels", "what stands in a cell; hier_coordinate: the mode's own modes too", kLayoutLabelChoices},
    FigureParameter{"color", "what cells are coloured by, or a layout of colours; chunk: 16 bytes", kLayoutColorChoices},
    kHighlight,
    kCrop,
    kBits,
    kBytes,
    kType,
};
constexpr std::array kTvParameters = {kThread,
                                      kHighlight,
                                      kCrop,
                                      kDataColor,
                                      FigureParameter{"labels", "what stands in a cell; offset: of the data layout", kDataLabelChoices},
                                      FigureParameter{"tile", "shape of the tile without a data layout: 4x8"},
                                      kBits,
                                      kBytes,
                                      kType};
constexpr std::array kOwnerParameters = {kThread, kHighlight, kCrop, kMmaColor, kOwnerLabels};
constexpr std::array kCopyParameters = {kThread, kHighlight, kCrop, kOwnerColor, kOwnerLabels};
constexpr std::array kInverseParameters = {
    kThread, kHighlight, kCrop, kDataColor, FigureParameter{"tile", "shape of the tile without a data layout: 4x8"}, kBits, kBytes, kType};
constexpr std::array kGemmParameters = {
    kThread,
    kHighlight,
    kCrop,
    FigureParameter{"color", "what cells are coloured by, or a layout of colours; warp on large tiles", kGemmColorChoices},
    FigureParameter{"labels", "what stands in a cell of A and B", kGemmLabelChoices},
    FigureParameter{"tensor", "one tile alone; gA, gB where threads load from global memory", kGemmTensorChoices},
};

constexpr std::array kTimelineParameters = {
    FigureParameter{"k_tiles", "which tiles of K are drawn: 0-2,7; default the first and the last ones"},
};

constexpr std::array kChartParameters = {
    FigureParameter{"column", "which numbers of the table; default the first that are not the same everywhere"},
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

std::string_view own_kind(const FigureObject& object) {
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

Status check_parameters(const FigureKind& kind, const FigureSpec& spec) {
  for (const auto& [name, value] : spec.parameters) {
    const bool found =
        std::any_of(kind.parameters.begin(), kind.parameters.end(), [&name = name](const FigureParameter& p) { return p.name == name; });
    if (found) continue;
    if (std::any_of(kCommonParameters.begin(), kCommonParameters.end(),
                    [&name = name](const FigureParameter& p) { return p.name == name; })) {
      TESSERA_TRY(word, choice(spec, name, kYesNo));
      static_cast<void>(word);
      continue;
    }
    std::vector<std::string> known = names_of(kind.parameters);
    for (const FigureParameter& each : kCommonParameters) known.emplace_back(each.name);
    return Error{ErrorCode::unknown_name,
                 fmt::format("the figure '{}' has no parameter '{}'", kind.name, name),
                 {},
                 {known.empty() ? std::string("it has none") : fmt::format("it has {}", names_and_nearest(name, known))}};
  }
  return Done{};
}

// CuTe's own pictures have no reading aids, and kinds without grids no colours to choose.
Status check_aids(const FigureKind& kind, const FigureSpec& spec) {
  const bool has = std::any_of(kind.parameters.begin(), kind.parameters.end(), [](const FigureParameter& p) { return p.name == "color"; });
  if (spec.color_layout && !has)
    return Error{ErrorCode::unknown_name, fmt::format("the figure '{}' has no parameter 'color'", kind.name), {}, {}};
  for (const std::string_view name : {"highlight", "crop", "patterns"}) {
    if (!parameter(spec, name).empty() && parameter(spec, name) != "no") TESSERA_CHECK(only_own_style(spec));
  }
  return Done{};
}

}  // namespace

std::span<const FigureKind> figure_kinds() { return kKinds; }
std::span<const FigureParameter> common_parameters() { return kCommonParameters; }

Result<Scene> make_figure(const FigureSpec& spec) {
  if (spec.objects.empty()) return Error{ErrorCode::wrong_arity, "a figure needs an object to draw", {}, {"write draw((4,8):(8,1))"}};
  const std::string_view name = spec.kind.empty() ? own_kind(spec.objects.front()) : std::string_view(spec.kind);
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
  const DefaultBudget budget;
  Result<Scene> made = kind->make(spec);
  if (made && parameter(spec, "patterns") == "yes") TESSERA_CHECK(add_patterns(*made));
  if (made) switch_off(*made, spec);
  if (made) TESSERA_CHECK(check_time("drawing the figure"));  // the loops over its cells end early when the time is over
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
  if (const auto palette = Palette::find(spec.palette); palette && spec.style == FigureStyle::tessera)
    scene.page = {palette->paper(), palette->ink()};
  scene.title = spec.title;
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
