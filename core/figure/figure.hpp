// SPDX-License-Identifier: BSD-3-Clause
// Value -> Scene: the one place where what the language evaluated meets what the table of figure kinds can draw.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/figure/options.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// print_layout and print: not pictures, but what CuTe's functions of that name write.
bool is_text_style(std::string_view name);
Result<std::string> text_of(const Value& value, std::string_view style);
// A table of numbers is text where text is wanted: "csv", "md", or in columns.
std::string table_of(const Report& report, std::string_view form);
// A parameter that takes a layout may say it with names: they give way to the layout as it prints, so that the options mean the same
// where the names are not known. color=thread stays the figures' own word, whatever is bound to that name; a name that is none of theirs,
// and that `is_bound` knows although the scope has no value for it, is refused as one that is missing.
Status write_out_layouts(FigureOptions& options, const Scope& scope, const std::function<bool(std::string_view)>& is_bound = {});
// "tessera", "print_latex", "print_svg"
std::string_view name_of(FigureStyle style);
Result<FigureStyle> figure_style(std::string_view name);

// Has that kind of figure a parameter of this name, its own or one of all kinds?
bool has_parameter(std::string_view kind, std::string_view name);

// True when the value is one that some figure kind takes: a layout, an atom, a tiled object, a GEMM or a figure call.
bool is_drawable(const Value& value);
// What a named argument of a figure says: a word that its kind's row has means itself, whatever is bound to that name.
std::string named_text(const FigureCall& call, std::size_t i);

// The kind of figure that a value is drawn as: what its call names, or its object's own. Refuses what cannot be drawn.
Result<std::string> figure_kind_of(const Value& value);

// What is drawn, before it is.
Result<FigureSpec> figure_spec_of(const Value& value, std::string_view expression, const FigureOptions& options = {});
// A GEMM is lowered to its plan first, since only a plan can be drawn. Strings, truth values and the like are refused; integers are a
// shape.
Result<Scene> figure_of(const Value& value, std::string_view expression, const FigureOptions& options = {});

}  // namespace tessera
