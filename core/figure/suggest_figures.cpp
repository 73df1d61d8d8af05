// SPDX-License-Identifier: BSD-3-Clause
#include "core/figure/suggest_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/suggest/suggest.hpp"

namespace tessera {
namespace {

// The name of what is called and is no function; empty where the error is another.
std::string called_in_vain(const Error& error, std::string_view text) {
  if (error.code != ErrorCode::unknown_name || !error.span || error.span->end >= text.size() || text[error.span->end] != '(') return {};
  return std::string(text.substr(error.span->begin, error.span->end - error.span->begin));
}

// Takes the first of the functions with which the text has a value.
void take(Error& error, std::string_view text, const Scope& scope, const std::vector<std::string>& functions) {
  for (const std::string& meant : functions) {
    Fix fix{*error.span, meant};
    if (!evaluate_expression(mended(text, fix), scope, nullptr)) continue;
    error.notes.push_back(fmt::format("perhaps {} is meant", meant));
    error.fix = std::move(fix);
    return;
  }
}

}  // namespace

void suggest_with_figures(Error& error, std::string_view text, const Scope& scope) {
  const std::string name = called_in_vain(error, text);
  if (name.empty()) return suggest(error, text, scope);
  constexpr std::string_view kToDraw[] = {"figure", "draw", "plot", "show", "picture", "render"};
  if (std::find(std::begin(kToDraw), std::end(kToDraw), name) != std::end(kToDraw)) {
    error.notes = {"a value has a figure of its own; others are called by their kind: layout_figure, tv_figure, swizzle_figure, ..."};
    return;
  }
  const std::vector<std::string> figures = figure_functions();
  const std::string kind = name + "_figure";  // banks(...)
  if (std::find(figures.begin(), figures.end(), kind) != figures.end()) {
    error.notes.clear();
    take(error, text, scope, {kind});
  }
  if (!error.fix) suggest(error, text, scope);
  if (!error.fix) take(error, text, scope, nearest_names(name, figures, 2));
}

}  // namespace tessera
