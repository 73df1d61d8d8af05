// SPDX-License-Identifier: BSD-3-Clause
// Value -> FigureSpec -> Scene -> bytes, with what a figure's file says of its making.
#include "core/library/draw.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/budget.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/source_embed.hpp"

namespace tessera {
namespace {

bool is_table(FigureFormat format) { return format == FigureFormat::txt || format == FigureFormat::md || format == FigureFormat::csv; }

Result<Exported> draw_value(const Value& value, std::string_view expression, FigureFormat format, const DrawOptions& options) {
  if (const auto* report = std::get_if<std::shared_ptr<const Report>>(&value.any); report && is_table(format))
    return Exported{table_of(**report, extension(format)), {}};
  const MakeFigure make = [&](const FigureRoom& room) {
    FigureOptions placed = options.figure;
    placed.room = room;
    return figure_of(value, expression, placed);
  };
  TESSERA_TRY(scene, figure_of(value, expression, options.figure));
  scene.source = with_options(with_sizes(source_of(expression), options.file), options.figure);
  if (to_line(scene.source).size() > kLongestSource) scene.source = {};  // no reader would take it
  TESSERA_TRY(made, export_figure(scene, make, format, options.file));
  if (format == FigureFormat::html) {
    const std::string title = options.figure.title.empty() ? std::string(expression) : options.figure.title;
    made.bytes = html_page(title, {HtmlFigure{"figure", std::move(made.bytes), scene.source}});
  }
  return made;
}

}  // namespace

Result<Exported> draw(std::string_view expression, FigureFormat format, const DrawOptions& options, const Scope& scope) {
  const DefaultBudget budget;
  TESSERA_TRY(value, evaluate(expression, scope));
  return draw_value(value, expression, format, options);
}

Result<Exported> draw(const Value& value, FigureFormat format, const DrawOptions& options) {
  const DefaultBudget budget;
  return draw_value(value, to_string(value), format, options);
}

}  // namespace tessera
