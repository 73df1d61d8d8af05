// SPDX-License-Identifier: BSD-3-Clause
// Comments of a document as prose: headings of the list, captions of a presentation.
#pragma once

#include <string>

#include "core/lang/document.hpp"
#include "core/lang/value.hpp"

namespace tessera {

// The comment that stands directly above a binding, as one line; empty where a blank or a bad line is between them. What stands behind the
// line above is that line's.
std::string comment_above(const Document& document, std::size_t binding);
// The one behind it, in its own line.
std::string_view comment_behind(const Document& document, std::size_t binding);

// The names of a layout's modes as its comment has them: "thr,val" of `# (thr, val) -> (m, n)`, behind the binding, above it, or above the
// lines that stand directly above it. Empty where there is no such map with as many names as the value has modes, or several that differ,
// and where the value is no layout or knows its modes itself.
std::string modes_said(const Document& document, std::size_t binding, const Value& value);

}  // namespace tessera
