// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/widgets/figure_file.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/figure/figure_source.hpp"
#include "core/render/html/html.hpp"

namespace tessera::studio {
namespace {

// The figure again, with another size of type. What is tried out for one size is not kept.
MakeFigure maker(const Session& session, const FigureFile& file) {
  return [&session, &file](const FigureRoom& room) -> Result<Scene> {
    FigureOptions options = file.figure;
    options.room = room;
    TESSERA_TRY(task, session.figure_task(file.binding, options));
    return figure_of(task.value, task.expression, task.options);
  };
}

}  // namespace

Result<Exported> exported(const Session& session, const FigureFile& file) {
  const EvaluatedBinding* found = session.find(file.binding);
  const std::string_view ending = extension(file.format);
  if (found && found->value && (ending == "csv" || ending == "md" || ending == "txt")) {
    if (const auto* report = std::get_if<std::shared_ptr<const Report>>(&found->value->any))
      return Exported{table_of(**report, ending), {}};
  }
  const Result<Scene>& made = session.figure(file.binding, file.figure);
  if (!made) return made.error();
  Scene scene = *made;
  const auto binding = number_of(session.bindings(), *found);
  scene.source = with_options(with_sizes(source_of(session.document(), binding), file.sizes), session.as_said(file.binding, file.figure));
  TESSERA_TRY(made_of, export_figure(scene, maker(session, file), file.format, file.sizes));
  if (file.format == FigureFormat::html)
    made_of.bytes = html_page(file.binding, {HtmlFigure{file.binding, std::move(made_of.bytes), scene.source}});
  return made_of;
}

Result<Preview> previewed(const Session& session, const FigureFile& file, double scale, double longest) {
  const Result<Scene>& made = session.figure(file.binding, file.figure);
  if (!made) return made.error();
  return preview_figure(*made, maker(session, file), file.format, file.sizes, scale, longest);
}

Result<FigureFormat> format_of(std::string_view path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  std::string known;
  for (const FigureFormat each : figure_formats()) {
    if (!ending.empty() && extension(each) == ending.substr(1)) return each;
    known += fmt::format("{}.{}", known.empty() ? "" : ", ", extension(each));
  }
  return Error{ErrorCode::wrong_type, fmt::format("the ending \"{}\" names no format; {} do", ending, known), {}, {}};
}

}  // namespace tessera::studio
