// SPDX-License-Identifier: BSD-3-Clause
// A .tess document: lines of `let name = expression` and comments. Figures and GEMMs are bindings like any other.
//
//   # The 4x8 example
//   let data = (4,8):(8,1)
//   let tv = ((2,4),(2,2)):((8,1),(4,16))
//   let picture = tv_figure(tv, data)
//
// A document keeps its text: parsing and writing give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "core/lang/evaluate.hpp"

namespace tessera {

// One binding with the text around it. The document is the concatenation of all `leading + "let " + name + between + expression`
// pieces and `trailing`.
struct Binding {
  std::string leading;  // blank lines and comments before it, verbatim
  std::string name;
  std::string between;  // what stands between the name and the expression: " = "
  std::string expression;
  SourceSpan span;  // of the expression, in the document's text
};

struct Document {
  std::vector<Binding> bindings;
  std::string trailing;  // after the last expression, verbatim
};

Result<Document> parse_document(std::string_view text);
std::string to_text(const Document& document);

// Every binding's value or error, in order. An error in one does not stop the others; a use of a failed name says so.
struct EvaluatedBinding {
  std::string name;
  Result<Value> value;          // errors have spans into the expression
  std::vector<Error> warnings;  // see evaluate.hpp
};
std::vector<EvaluatedBinding> evaluate(const Document& document);

}  // namespace tessera
