// SPDX-License-Identifier: BSD-3-Clause
// A .tess document: lines of `let name = expression`, parameters, assertions, pasted lines of C++ and Python, and comments. Figures and
// GEMMs are bindings like any other.
//
//   # The 4x8 example
//   let data = (4,8):(8,1)
//   let tv = ((2,4),(2,2)):((8,1),(4,16))
//   let picture = tv_figure(tv, data)
//   param pad = 0..8
//   let padded(m, n) = (m,n):(n+pad,1)
//   auto sA = make_layout(make_shape(Int<64>{}, Int<8>{}));
//   assert size(sA) == 512
//
// A document keeps its text: parsing and writing give the same bytes. A line that cannot be read spoils itself only: it stays in the
// text as it is, marked as a BadLine, and the bindings around it have their values. What is passed over (a loop, an #include) stands
// between the bindings, as a comment does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/snippet.hpp"

namespace tessera {

// One statement with the text before it. The document is the concatenation of all `leading + text` pieces and `trailing`.
struct Binding {
  std::string leading;  // blank lines, comments, bad lines and what is passed over before it, verbatim
  std::string text;     // the statement, verbatim, without the `;` behind it
  // Parts of `text`:
  std::string name;        // "data"; "a, b" where a tuple is unpacked; empty where nothing is bound
  std::string expression;  // of a parameter without a value of its own its range: "0..8"
  SourceSpan name_at;      // in `text`; empty where the name is not one word of it
  SourceSpan expression_at;

  SourceSpan span;      // of the expression, in the document's text
  Statement statement;  // with places in the document's text
};

// A line that is neither a binding nor a comment; with the lines below it, where its brackets stay open.
struct BadLine {
  std::size_t before = 0;  // bindings that stand above it
  std::size_t line = 0;    // its number, from 1
  SourceSpan span;         // of it, in the document's text
  Error error;             // what is wrong with it; its span is in the document's text
};

// What is neither evaluated nor shown, and yet assigns names.
struct PassedOver {
  std::size_t before = 0;  // bindings that stand above it
  Statement statement;
};

struct Document {
  std::vector<Binding> bindings;
  std::string trailing;  // after the last expression, verbatim
  std::vector<BadLine> bad_lines;
  std::vector<PassedOver> passed_over;  // bad lines too, without a reason
};

// More bad lines than these make a text something else than a document.
constexpr std::size_t kMostBadLines = 100;

// Refuses what is too large, and what is no document at all.
Result<Document> parse_document(std::string_view text);
std::string to_text(const Document& document);

// A name, and the text of its value.
using GivenValues = std::vector<std::pair<std::string, std::string>>;
// The document with other values of its parameters, as if it said so: `param pad = 4 in 0..8`. Refuses a name that is no parameter of it.
Result<Document> with_parameters(Document document, const GivenValues& given);
bool has_parameter(const Document& document, std::string_view name);

// Every binding's value or error, in order. An error in one does not stop the others; a use of a failed name says so.
struct EvaluatedBinding {
  std::string name;
  Result<Value> value;                               // errors have spans into the expression; of an assertion that holds: true
  std::vector<Error> warnings;                       // see evaluate.hpp; the same
  std::vector<std::pair<std::string, Value>> parts;  // of `let a, b = ...`: each name's value
  std::vector<std::string> needs;                    // symbols whose likely values it was computed with
  std::optional<ParameterRange> range;               // of a parameter
};
// By the evaluator of snippets: the same text has the same values wherever it is read.
std::vector<EvaluatedBinding> evaluate(const Document& document);
// The same where other names stand above its first line; a line of its own that takes one of them takes it for itself.
std::vector<EvaluatedBinding> evaluate(const Document& document, const Scope& above);
// The same with what is known, to which is added what took long.
std::vector<EvaluatedBinding> evaluate(const Document& document, KnownValues& known);

// The names as the lines below the last one see them; null where one has no value. Of the same vector, unchanged.
Scope scope_of(const std::vector<EvaluatedBinding>& bindings);
// The value of one name.
const Value* find_value(const std::vector<EvaluatedBinding>& bindings, std::string_view name);
// The last binding of that name, also as a part; null when there is none.
const EvaluatedBinding* find_binding(const std::vector<EvaluatedBinding>& bindings, std::string_view name);
// Its place among them, which is that of its line among the document's.
std::size_t number_of(const std::vector<EvaluatedBinding>& bindings, const EvaluatedBinding& binding);

// "12: let sA": its line and its heading.
std::string place_of(const Binding& binding);

}  // namespace tessera
