// SPDX-License-Identifier: BSD-3-Clause
// Values that a program's comments state, held against those of its statements.
//
//   auto l = make_layout(make_shape(8, 4));   // (8,4):(4,1)     the value is (8,4):(1,8): that is a remark
//   auto m = make_layout(make_shape(8, 4));   // (BLK_M,BLK_K)   names no value
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// A comment that is a layout or a shape of numbers and nothing else, but for a name or an arrow in front and words behind.
struct CommentClaim {
  std::size_t line = 1;
  bool alone = false;  // on its line
  std::string text;    // as it is written
  Value value;         // a layout, or the tuple of a shape
};
std::vector<CommentClaim> claims_in(std::string_view source, Dialect dialect);

// One each of the answer's statements: what a comment beside it says otherwise. A comment on the last line of a statement is about it; one
// alone on its line is about the statement below where such a comment begins the lines that follow each other, and else about the one
// above. A shape is only held against a layout of as many modes.
std::vector<std::optional<Error>> contradicted_comments(std::string_view source, const SnippetAnswer& answer);

}  // namespace tessera
