// SPDX-License-Identifier: BSD-3-Clause
// What a figure's file says of how it was made (core/diagram/scene/source.hpp), and the value that it says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene/source.hpp"
#include "core/figure/figure.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

// The source of a document's binding. Where the document's statements are all our own, with its own line and those alone that it needs,
// themselves and through others; pasted lines may bind names again, so there with all of them.
Source source_of(const Document& document, std::size_t binding);
// Of an expression with the document's names in sight; or of one alone.
Source source_of(const Document& document, std::string_view expression);
Source source_of(std::string_view expression);
// Drawn with these options.
Source with_options(Source source, const FigureOptions& options);

// What a source draws. Its document is text that came with it: no file is read.
struct SourceValue {
  std::string expression;  // as the figure names it
  std::string name{};      // of the binding that is drawn; empty: it is none
  Value value{};
  std::vector<Error> warnings;
  std::vector<std::string> needs;               // symbols without a value
  std::vector<EvaluatedBinding> bindings = {};  // of its document
};
Result<SourceValue> evaluate(const Source& source);

// Of each source the others of its lineage, by their places: those that need a binding which it needs too, or is. Then a thread or an
// address of one means something in the other, as `related` (lineage.hpp) says of bindings.
std::vector<std::vector<std::size_t>> kin_of(const std::vector<Source>& sources);

}  // namespace tessera
