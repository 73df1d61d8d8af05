// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/figure_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/items.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

std::string_view object_name(const FigureObject& object) {
  struct Name {
    std::string_view operator()(const Layout&) const { return "a layout"; }
    std::string_view operator()(const ComposedLayout&) const { return "a composed layout"; }
    std::string_view operator()(const MmaAtom&) const { return "an MMA atom"; }
    std::string_view operator()(const TiledMma&) const { return "a tiled MMA"; }
    std::string_view operator()(const CopyAtom&) const { return "a copy atom"; }
    std::string_view operator()(const TiledCopy&) const { return "a tiled copy"; }
    std::string_view operator()(const GemmPlan& plan) const {
      return plan.mma ? "a GEMM" : "a schedule without a tiled MMA, which timeline_figure draws";
    }
    std::string_view operator()(const NumberTable&) const { return "a table of numbers"; }
    std::string_view operator()(const Tiler&) const { return "a tiler"; }
    std::string_view operator()(const AccessBits&) const { return "a width in bits"; }
    std::string_view operator()(const Roofline&) const { return "a roofline"; }
    std::string_view operator()(const PipelineModel&) const { return "a pipeline"; }
    std::string_view operator()(const TmaBoxes&) const { return "a TMA copy"; }
    std::string_view operator()(const std::shared_ptr<const FigureSpec>&) const { return "a figure"; }
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

Result<std::vector<std::string>> named_modes(const FigureSpec& spec, const Shape& shape) {
  const std::string_view written = parameter(spec, "modes");
  if (written.empty()) return spec.modes.size() == shape.rank() ? spec.modes : std::vector<std::string>();
  std::vector<std::string> names = items_of(written);
  const bool unnamed = std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
  if (names.size() == shape.rank() && !unnamed) return names;
  return Error{ErrorCode::rank_mismatch,
               fmt::format("modes={} names {} mode{}, and the shape {} has {}", written, names.size(), names.size() == 1 ? "" : "s",
                           to_string(shape), shape.rank()),
               {},
               {"give each mode a name, with commas between them: modes=\"thread,value\""}};
}

std::string_view letter_of_mode(std::string_view mode) {
  if (mode == "thread" || mode == "thr") return "T";
  if (mode == "value" || mode == "val") return "V";
  return {};
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
  scene.name = spec.name;
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
