// SPDX-License-Identifier: BSD-3-Clause
// Comments of a document as prose: headings of the list, captions of a presentation.
#pragma once

#include <string>

#include "core/lang/document.hpp"

namespace tessera {

// The comment that stands directly above a binding, as one line; empty where a blank or a bad line is between them.
std::string comment_above(const Binding& binding);

}  // namespace tessera
