// SPDX-License-Identifier: BSD-3-Clause
// A .tess document: lines of `let name = expression` and comments. Figures and GEMMs are bindings like any other.
//
//   # The 4x8 example
//   let data = (4,8):(8,1)
//   let tv = ((2,4),(2,2)):((8,1),(4,16))
//   let picture = tv_figure(tv, data)
//
// A document keeps its text: parsing and writing give the same bytes. A line that cannot be read spoils itself only: it stays in the
// text as it is, marked as a BadLine, and the bindings around it have their values.
#pragma once

#include <string>
#include <vector>

#include "core/lang/evaluate.hpp"

namespace tessera {

// One binding with the text around it. The document is the concatenation of all `leading + "let " + name + between + expression`
// pieces and `trailing`.
struct Binding {
  std::string leading;  // blank lines, comments and bad lines before it, verbatim
  std::string name;
  std::string between;  // what stands between the name and the expression: " = "
  std::string expression;
  SourceSpan span;  // of the expression, in the document's text
};

// A line that is neither a binding nor a comment; with the lines below it, where its brackets stay open.
struct BadLine {
  std::size_t before = 0;  // bindings that stand above it
  std::size_t line = 0;    // its number, from 1
  SourceSpan span;         // of it, in the document's text
  Error error;             // what is wrong with it; its span is in the document's text
};

struct Document {
  std::vector<Binding> bindings;
  std::string trailing;  // after the last expression, verbatim
  std::vector<BadLine> bad_lines;
};

// More bad lines than these make a text something else than a document.
constexpr std::size_t kMostBadLines = 100;

// Refuses what is too large, and what is no document at all.
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
