// SPDX-License-Identifier: BSD-3-Clause
// Text -> Expr. The grammar, in which `o` is a word and brackets must match:
//
//   expression = pair { "o" pair } [ ";" ]
//   pair       = product [ ":" product ]                     shape:stride
//   product    = term { ( "//" | "*" ) term }                integers; which `//` divide is the caller's word
//   term       = integer [ "@" integer ]... | real | string | "_" | "(" [ expression { "," expression } [ "," ] ] ")"
//              | name [ "<" arguments ">" ] [ "{}" ] | name "(" [ argument { "," argument } ] ")" | name "[" integer "b" "]" "(" ... ")"
//   argument   = [ name "=" ] expression
//
// Parentheses always make a tuple: (8) is not 8, and the tiler ((4):(2)) has one mode.
#pragma once

#include <span>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lang/ast.hpp"

namespace tessera {

// The expression refers to `text`, which must outlive it.
Result<Expr> parse_expression(std::string_view text, std::span<const std::size_t> divisions = {});

}  // namespace tessera
