// SPDX-License-Identifier: BSD-3-Clause
// A text of many statements, in C++, in Python or in our own notation, taken apart. What a statement says is not looked at beyond its first
// words: expressions are parsed when they are evaluated.
//
//   auto sA = make_layout(make_shape(bM, bK));   // binds sA
//   sA = cute.make_layout((128, 8))              # binds sA
//   let sA = (128,8):(8,1)                       # binds sA
//   print(sA)                                    # shows a value
//   for k in range(4): ...                       # passed over: a loop
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace tessera {

struct Statement {
  enum class Kind {
    bind,         // names = expression
    function,     // names[0](parameters) = expression; a template alias, or `let tile(m, n) = ...`
    parameter,    // param name = expression .. upper: a number with a range
    show,         // print(expression), or an expression alone
    check,        // static_assert, assert: the expression must hold
    effect,       // copy(a, b), x += y: evaluated for its refusals, and shows nothing
    passed_over,  // `reason` says what it is
  };
  Kind kind = Kind::show;
  std::vector<std::string> names;       // several where a tuple is unpacked; "" or "_" takes nothing
  std::vector<std::string> parameters;  // of a function
  SourceSpan expression;                // into the text
  SourceSpan upper;                     // of a parameter's range
  bool is_list = false;                 // x = a, b: the expression is a tuple without its parentheses
  std::string reason;                   // "a loop", "a kernel", "an #include"
  std::string type;                     // C++'s `T name{...}` and `T name(...)`: what stands in front of the name
  std::size_t line = 1;
  SourceSpan span;  // all of it, without the blanks around it
};

struct StatementOptions {
  bool into_blocks = false;  // also what stands inside of functions, loops and classes
};

// Never fails: what is no statement of any language is an expression that will be refused.
std::vector<Statement> read_statements(std::string_view text, const StatementOptions& options = {});

// Does the text look like more than one expression: does any statement end before its last one, or bind a name?
bool has_statements(std::string_view text);

}  // namespace tessera
