// SPDX-License-Identifier: BSD-3-Clause
// A value, or an expression, becomes the bytes of a figure's file in one call: those that `tessera draw` writes.
//
//   draw("(4,8):(8,1)", FigureFormat::svg)
//   draw(*evaluate("(4,8):(8,1)"), FigureFormat::pdf, {.figure = {.palette = "viridis"}, .file = {.width = "columnwidth"}})
//
// Each call is a request with a budget of its own (core/base/budget.hpp) where its thread has none. No file is read or written.
#pragma once

#include <string_view>

#include "core/base/result.hpp"
#include "core/figure/options.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value.hpp"
#include "core/render/export/export.hpp"

namespace tessera {

struct DrawOptions {
  FigureOptions figure{};  // the kind of figure, its parameters, its colours
  ExportOptions file{};    // how large the file's picture is
};

// `expression` is evaluated, with the names of `scope` in sight, and drawn. The file says which expression it was made of, so that it can
// be drawn again; an expression that needs `scope` can be drawn again only where its names are known. Refused: what `evaluate` refuses; a
// value that no figure draws (an integer, a string); a kind or a parameter that the value does not have; sizes that contradict each other;
// a figure beyond the budget; PNG and PDF where the library was built without Cairo.
Result<Exported> draw(std::string_view expression, FigureFormat format, const DrawOptions& options = {}, const Scope& scope = {});
// The same of a value: its text in the language (`to_string`) is the expression that the file names.
Result<Exported> draw(const Value& value, FigureFormat format, const DrawOptions& options = {});

}  // namespace tessera
