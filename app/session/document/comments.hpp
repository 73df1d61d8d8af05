// SPDX-License-Identifier: BSD-3-Clause
// Comments of a document as prose: headings of the list, captions of a presentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// The comment that stands directly above a binding, as one line, without its notes; empty where a blank or a bad line is between them. What
// stands behind the line above is that line's.
std::string comment_above(const Document& document, std::size_t binding);
// What a binding stands under: the comment above it, or above the lines that stand directly above it. A blank line ends a heading.
std::string heading_of(const Document& document, std::size_t binding);
// What whoever presents it wants to say: of the comment that it stands under, the lines from the one that begins with "note:" on.
std::string notes_of(const Document& document, std::size_t binding);
// Is there a blank line between a binding and the one above it?
bool has_blank_line_above(const Document& document, std::size_t binding);
// The one behind it, in its own line.
std::string_view comment_behind(const Document& document, std::size_t binding);

// What a layout maps to what, as its comment has it: "thr,val->offset" of `# (thr, val) -> offset`, behind the binding, above it, or above
// the lines that stand directly above it; of `(thr, val) -> (m, n)`, whose numbers count the elements of (m, n), "thr,val->coordinate".
// Where there are several such maps with as many names as the value has modes, only what they agree on: "thr,val", or nothing. Empty where
// there is none, and where the binding's value is no layout or knows its modes itself. `bindings` are the document's, evaluated.
std::string modes_said(const Document& document, const std::vector<EvaluatedBinding>& bindings, const EvaluatedBinding& binding);

}  // namespace tessera
