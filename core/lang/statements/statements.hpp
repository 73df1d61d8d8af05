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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/statements/preprocessor.hpp"
#include "core/lang/syntax/dialect.hpp"

namespace tessera {

// The reason of a pointer that points nowhere: int* p = nullptr.
constexpr std::string_view kNullPointer = "a null pointer";
// The reasons of code that the preprocessor leaves out. Such code binds nothing.
constexpr std::string_view kCodeOfZero = "code of an #if 0", kCodeLeftOut = "code of an #if that does not hold";

// A name that a statement assigns without being evaluated.
struct Assigned {
  enum class How {
    whole,    // x = 5 in a loop that is passed over: x has no value from there on
    element,  // x[0] = 5, get<0>(x) = 5: neither has a tuple; of a tensor it changes no layout
    changed,  // x.append(3), x.advance(): the object of x, and of its other names, is not what it was
    hidden,   // import x: a value that x had is gone, and no value was meant
    other,    // in the branch of an #if that is not read: only what has no value otherwise
  };
  std::string name;
  How how = How::whole;
  bool in_place = false;  // Python's x += [1]: what else names the object sees the change, and of x = 5 it does not
};

// Names that a statement binds which is not read: another branch of an #if.
struct UnreadNames {
  std::size_t line = 1;
  std::vector<std::string> names;
};

// A parameter of a template, a class or a function that is walked into, as its head states it.
struct StatedParameter {
  std::string name;
  std::string type;    // "int", "class", "cutlass.Constexpr[int]"; empty: the head says none
  SourceSpan initial;  // of its default; empty: it has none
};

struct Statement {
  enum class Kind {
    bind,         // names = expression
    function,     // names[0](parameters) = expression; a template alias, or `let tile(m, n) = ...`
    parameter,    // param name = lower..upper, or = expression in lower..upper: a number with a range
    show,         // print(expression), or an expression alone
    check,        // static_assert, assert: the expression must hold
    effect,       // copy(a, b): evaluated for its refusals, and shows nothing
    passed_over,  // `reason` says what it is
    enters,       // a block is walked into; `reason` says what it is, `parameters` hide the names outside
    leaves,       // the end of the last one that was entered
  };
  // What the value of `names` is made of.
  enum class Taking {
    whole,    // x = value; x, y = value takes the elements
    element,  // x, = value: the only element
    each,     // x = y = value: all have the whole value
  };
  Kind kind = Kind::show;
  std::vector<std::string> names;       // several where a tuple is unpacked; "" or "_" takes nothing
  std::vector<std::string> parameters;  // of a function
  std::vector<StatedParameter> stated;  // of what is walked into
  std::size_t templates = 0;            // the first of these, which stand in template <...>
  std::string called;                   // of a function that is walked into: its name
  SourceSpan expression;                // into the text
  SourceSpan lower, upper;              // of a parameter's range; empty where it is not written
  bool is_list = false;                 // x = a, b: the expression is a tuple without its parentheses
  Taking taking = Taking::whole;
  bool declares = false;               // C++'s declaration, which hides a name of an outer block; x = 5 assigns it
  bool is_scope = true;                // of a block: what is declared in it ends with it
  bool is_macro = false;               // #define x value: nothing in it is guessed
  std::string made;                    // the expression, where it is not written: B of enum {A = 1, B} is A + 1
  std::string update;                  // "+" of x += 5; "++" and "--" have no expression
  std::vector<std::string> shares;     // names that what is bound may be another name of: int& x = y; in Python x = y
  std::vector<std::string> addressed;  // names whose address is taken: a store through any pointer may be one to them
  std::vector<SourceSpan> erased;      // signs inside of the expression that are statements of their own: the ++ of ++a * 2
  std::vector<Assigned> assigns;       // besides `names`
  std::vector<UnreadNames> inside;     // of a branch that is passed over: what its statements bind
  std::vector<std::string> macros;     // that were given values, by which an #if around it holds
  std::string unread;                  // why nothing of it can be read: a comment that does not end
  std::string reason;                  // "a loop", "a kernel", "an #include"
  std::string type;                    // C++'s `T name{...}` and `T name(...)`: what stands in front of the name
  Dialect dialect = Dialect::ours;     // what its text is written in
  std::size_t line = 1;
  SourceSpan span;  // all of it, without the blanks around it
};

struct StatementOptions {
  bool into_blocks = false;           // also what stands inside of functions, loops and classes
  std::optional<Dialect> language{};  // of all of it, as a file's ending says; nothing: what its code says (language.hpp)
  int branches = 0;                   // branches of an #if that this text is inside of
  Macros macros{};                    // with values by which conditions of #if are decided
};

// Never fails: what is no statement of any language is an expression that will be refused.
std::vector<Statement> read_statements(std::string_view text, const StatementOptions& options = {});

// Is it one of our own lines, `let` or `param`? Those are written by hand, so that nothing in them is guessed.
bool is_own_line(std::string_view text, const Statement& statement);
// Refuses an own line that is not written as one is: without '=', without a range, with a name that cannot be one.
Status check_form(std::string_view text, const Statement& statement);
// The refusal of an own line whose name stands in that line already.
Error bound_twice(std::string_view text, const Statement& statement, std::size_t first_line);

// "let sA", "param pad", "auto x", "assert": how a person finds a statement in its line. `written` is the statement's text.
std::string heading(std::string_view written, const Statement& statement);

// Does the text look like more than one expression: does any statement end before its last one, or bind a name?
bool has_statements(std::string_view text);

// The names that a text assigns which is not evaluated: of a block those that it does not declare itself.
std::vector<Assigned> assigned_in(std::string_view text, Dialect dialect, bool declared_too = false);

}  // namespace tessera
