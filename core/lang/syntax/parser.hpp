// SPDX-License-Identifier: BSD-3-Clause
// Text -> Expr. The grammar, in which `o` is a word and brackets must match; later lines bind more tightly:
//
//   expression = either [ "?" expression ":" expression | "if" either "else" expression ] [ ";" ]
//   either     = both { ("or" | "||") both };  both = negated { ("and" | "&&") negated };  negated = [ "not" ] compared
//   compared   = composed { ("==" | "!=" | "<" | "<=" | ">" | ">=") composed }; Python's is, is not, in, not in beside them
//   composed   = pair { ("o" | "\u2218" | "\u2298" | "\u2297") pair }
//   pair       = bits [ ":" bits ]                           shape:stride
//   bits       = shift { ("&" | "^" | "|") shift };  shift = sum { ("<<" | ">>") sum }
//   sum        = product { ("+" | "-") product };  product = unary { ("*" | "/" | "//" | "%") unary }; which `//` divide is the caller's
//   word unary      = { "-" | "+" | "!" | "~" | "&" } postfix postfix    = term { "(" arguments ")" | "[" index "]" | "." name | "{"
//   arguments "}" } term       = integer [ "@" integer ]... | real | string | "_" | "(" [ element { "," element } [ "," ] ] ")" | "<"
//   elements ">"
//              | name [ "<" arguments ">" ] | name "[" integer "b" "]" "(" ... ")"
//   element    = [ "*" ] expression;  argument = [ name "=" ] element [ ".." element ]
//
// Parentheses always make a tuple: (8) is not 8, and the tiler ((4):(2)) has one mode. Where an operator takes an integer, (8) is one.
#pragma once

#include <span>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lang/syntax/ast.hpp"

namespace tessera {

// The expression refers to `text`, which must outlive it.
Result<Expr> parse_expression(std::string_view text, std::span<const std::size_t> divisions = {});

}  // namespace tessera
