// SPDX-License-Identifier: BSD-3-Clause
// Command: everything a person can do to a document, as values. The studio's panels and the command line both make these.
//
//   apply(document, SetBinding{"data", "(4,8):(1,4)"})  ->  the document with that line changed
//
// Law: to_text(result) parses to the same document, so nothing that is applied can make a file that does not open again. An
// expression that does not evaluate is allowed: people type, and the binding then shows its error.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/base/result.hpp"
#include "core/lang/document/document.hpp"

namespace tessera {

// Gives a binding another expression. Refuses names that are not bound.
struct SetBinding {
  std::string name, expression;
};

// Adds a line; at the end, or before the binding at `position`. Refuses names that are bound already.
struct AddBinding {
  std::string name, expression;
  std::optional<std::size_t> position;
  bool apart = false;  // a blank line stands above it: what heads the lines before is not its heading
};

struct RemoveBinding {
  std::string name;
};

// Renames a binding and its uses in the other expressions.
struct RenameBinding {
  std::string from, to;
};

// Moves a binding, with the comments above it, so that it is the one at `position` afterwards.
struct MoveBinding {
  std::string name;
  std::size_t position = 0;
};

// Replaces the whole text: what a text editor and a paste do.
struct OpenText {
  std::string text;
};

// Sets, or with an empty value removes, a named argument of a figure or GEMM call: {"picture", "thread", "3"} makes
// tv(tv4, data) into tv(tv4, data, thread=3). The binding's expression must be a call.
struct SetFigureParameter {
  std::string binding, parameter, value;
};

using Command = std::variant<SetBinding, AddBinding, RemoveBinding, RenameBinding, MoveBinding, OpenText, SetFigureParameter>;

// Call it as tessera::apply: for a variant the compiler also finds std::apply.
Result<Document> apply(const Document& document, const Command& command);

// "Set data": what an undo menu shows.
std::string describe(const Command& command);

}  // namespace tessera
