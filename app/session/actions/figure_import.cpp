// SPDX-License-Identifier: BSD-3-Clause
// The source is a document of its own first, in which names can be changed as in any other.
#include "app/session/actions/figure_import.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/actions.hpp"
#include "core/base/characters.hpp"

namespace tessera {
namespace {

// "tile 2.svg" has no name of the language for one: tile_2.
std::string name_of_words(std::string_view words) {
  std::string name;
  for (const char c : words) name += is_word(c) ? c : '_';
  if (name.empty() || is_digit(name.front())) name = "figure_" + name;
  return name;
}

std::string free_name(std::string_view wanted, const Session& one, const Session& other) {
  std::string name(wanted);
  for (int i = 2; one.find(name) || other.find(name); ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
}

Result<FigureOptions> options_of(const Source& source) {
  FigureOptions options;
  options.kind = source.kind;
  options.palette = source.palette;
  options.title = source.title;
  options.parameters = source.parameters;
  if (!source.style.empty() && !is_text_style(source.style)) {
    TESSERA_TRY(style, figure_style(source.style));
    options.style = style;
  }
  return options;
}

// The source's document with the figure as one of its bindings; that binding's name.
Result<std::string> open_source(Session& own, const Source& source, const std::string& name) {
  TESSERA_CHECK(own.open_text(source.document, "figure"));
  std::string figure;
  if (source.binding) {
    const auto at = static_cast<std::size_t>(*source.binding);
    if (at >= own.bindings().size())
      return Error{ErrorCode::corrupt, fmt::format("the source draws binding {} of {}", at, own.bindings().size()), {}, {}};
    figure = own.bindings()[at].name;
  } else if (own.find(source.expression)) {
    figure = source.expression;
  }
  const bool has_no_line = figure.empty();
  if (has_no_line) {
    figure = free_name(name, own, own);
    TESSERA_CHECK(own.run(AddBinding{figure, source.expression, {}}));
  }
  TESSERA_TRY(options, options_of(source));
  if (options == FigureOptions{}) return figure;
  TESSERA_TRY(call, kept_expression(own, View{figure, options}));
  if (call == own.expression(figure)) return figure;
  const EvaluatedBinding* bound = own.find(figure);
  if (has_no_line && bound->value && kind_name(*bound->value) == "figure") {  // another object needs a call around its name
    TESSERA_CHECK(own.run(SetBinding{figure, call}));
    return figure;
  }
  std::string drawn = free_name(name, own, own);
  TESSERA_CHECK(own.run(AddBinding{drawn, call, {}}));
  return drawn;
}

}  // namespace

Result<ImportedFigure> import_figure(const Session& session, const Source& source, std::string_view name) {
  Session own;
  ImportedFigure made;
  TESSERA_TRY(figure, open_source(own, source, name_of_words(name)));
  made.figure = std::move(figure);
  std::vector<std::string> names;
  for (const EvaluatedBinding& binding : own.bindings()) {
    if (!binding.name.empty()) names.push_back(binding.name);
  }
  // In their order: what a line uses is settled before it is compared.
  for (const std::string& each : names) {
    if (!session.find(each)) continue;
    if (session.expression(each) == own.expression(each)) {
      TESSERA_CHECK(own.run(RemoveBinding{each}));
      continue;
    }
    const std::string other = free_name(each, session, own);
    TESSERA_CHECK(own.run(RenameBinding{each, other}));
    if (made.figure == each) made.figure = other;
  }
  made.lines = own.text();
  return made;
}

}  // namespace tessera
