// SPDX-License-Identifier: BSD-3-Clause
// A source's variables as a document, so that they can be worked on: what the program takes from outside in lines of its own, then the
// statements as they stand in the source. Where a statement says something else there, its line has the value instead.
//
//   let M = 128  # guessed
//   auto mA = make_layout(make_shape(M, 64));
//   let tAsA = make_tensor(...)  # line 12: its value
#pragma once

#include <string>
#include <string_view>

#include "app/session/source/source_reading.hpp"

namespace tessera {

// `text`: that the reading is of; `title`: what it is called.
std::string document_of(const SourceReading& reading, std::string_view text, std::string_view title);

}  // namespace tessera
