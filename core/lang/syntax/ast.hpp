// SPDX-License-Identifier: BSD-3-Clause
// Expr: one expression as it was written, before any name is looked up.
//
//   (4,8):(8,1)                 Pair of two Leafs: integers, `_` and tuples of them are folded while parsing
//   Sw<3,3,3> o 0 o (8,64)      Compose of a Template, a Leaf and a Leaf
//   composition(a, (2,x))       Call with a Name and a Tuple
//   Layout<Shape<_4,_8>>{}      Template with a Template inside
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/layout/int_tuple.hpp"

namespace tessera {

struct Expr;

// An IntTuple that was written out: 8, _8, 1@0, _, (4,(2,3)).
struct LeafExpr {
  IntTuple value;
};
struct RealExpr {
  double value = 0;
};
struct TextExpr {
  std::string value;
};
// A binding, an atom, a type or a constant such as LayoutRight. Paths keep their `::`; a leading cute:: is gone.
struct NameExpr {
  std::string_view name;
};
// A parenthesised list that holds something else than integers. `(name)` is one, too: with an integer it is the tuple of one, and of
// anything else the thing itself. `(4:1)` is the tiler of one, but as an operand the layout.
struct TupleExpr {
  std::vector<Expr> elements;
  bool may_group = false;  // one element and no comma
};
// shape:stride
struct PairExpr {
  std::vector<Expr> shape_and_stride;  // two
};
// Operators of one precedence, from left to right: a + b - c, a * b // c, a == b, a and b.
struct ArithmeticExpr {
  struct Operation {
    char symbol = '+';  // a character of the lexer's, or a name of namespace op
    SourceSpan span;
  };
  std::vector<Expr> operands;  // one more than operations
  std::vector<Operation> operations;
};
// -a, +a, !a, ~a
struct UnaryExpr {
  char symbol = '-';
  std::vector<Expr> operand;  // one
};
// C++'s a ? b : c and Python's b if a else c
struct ConditionalExpr {
  std::vector<Expr> parts;  // the condition, then the value where it holds, then the other
};
// A o B, A o offset o B, A o offset o B o offset o C
struct ComposeExpr {
  std::vector<Expr> parts;
};
// smem_ptr[16b](unset), as CuTe prints a pointer: only its element width matters.
struct PointerExpr {
  std::string_view name;
  std::int64_t bits = 0;
};
struct Argument {
  std::string_view name;  // empty: by position
  SourceSpan name_span;
  std::size_t value = 0;  // index into CallExpr::values
};
struct CallExpr {
  std::string_view name;
  SourceSpan name_span;
  std::vector<Argument> arguments;
  std::vector<Expr> values;
  std::size_t templates = 0;  // the last values, which stand between < and >
};
// What an expression is called with: make_layout(x)(2,3), mma.get_slice(5).partition_A(x); and Type{a, b} of C++.
struct ApplyExpr {
  std::vector<Expr> callee;  // one; a MemberExpr where a method is called
  std::vector<Argument> arguments;
  std::vector<Expr> values;
  bool constructs = false;  // with braces
};
// x[0], x[(None, 2)], x[None, 2], x[1:]
struct IndexExpr {
  std::vector<Expr> object;  // one
  std::vector<Expr> at;      // one or more; a RangeExpr stands alone
};
// 1: and :2 and 0:2 between brackets; 32..56 of a sweep, which ends with 56
struct RangeExpr {
  std::vector<Expr> from, to;  // one or none
};
// f(x).shape: a member of what is no name. A name with members, such as x.shape, is one NameExpr.
struct MemberExpr {
  std::vector<Expr> object;  // one
  std::string_view name;
  SourceSpan name_span;
};
// *x between the elements of a list: its modes, one by one.
struct SplatExpr {
  std::vector<Expr> tuple;  // one
};
// Python's {a, b} and {a: b}.
struct BracesExpr {
  std::vector<Expr> keys, values;  // of a set there are no values
  bool is_dictionary = false;
};
// [f(x) for x in xs if x > 1], and the same in other brackets.
struct ComprehensionExpr {
  enum class Kind { list, set, dictionary };
  struct Loop {
    std::vector<Expr> target, over;  // one each; a target is a name, or a TupleExpr of them
    std::vector<Expr> conditions;
  };
  Kind kind = Kind::list;
  std::vector<Expr> element;  // one; of a dictionary its key and its value
  std::vector<Loop> loops;    // from the outermost on
};
// Python's lambda x, y: x + y
struct LambdaExpr {
  std::vector<std::string_view> parameters;
  SourceSpan body;
};
// Name<argument, ...>: a C++ type, a swizzle or an atom.
struct TemplateExpr {
  std::string_view name;
  std::vector<Expr> arguments;
  std::string_view text;  // all of it, without a leading cute:: and a trailing {}
};

struct Expr {
  SourceSpan span;
  std::variant<LeafExpr, RealExpr, TextExpr, NameExpr, TupleExpr, PairExpr, ArithmeticExpr, UnaryExpr, ConditionalExpr, ComposeExpr,
               PointerExpr, CallExpr, TemplateExpr, ApplyExpr, IndexExpr, RangeExpr, MemberExpr, SplatExpr, BracesExpr, ComprehensionExpr,
               LambdaExpr>
      node;
};

}  // namespace tessera
