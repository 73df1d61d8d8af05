// SPDX-License-Identifier: BSD-3-Clause
// Parser: terms, and what may follow one: a call, an index, a member.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/atom_text.hpp"
#include "core/base/literal.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/expr_parser.hpp"
#include "core/lang/syntax/number_types.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostBasisModes = BasisPath::kDeepest;

// cute::make_layout, ::cute::C, cute.nvgpu.warp.MmaF16BF16Op and cutlass.Float16 without the name of the library.
std::string_view without_library(std::string_view name) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view prefix : {"cutlass::detail::", "cute::", "cutlass::", "cute.", "cutlass.", "nvgpu.", "tessera::", "std::"}) {
      if (name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
        again = true;
      }
    }
  }
  return name;
}

// cute::_8 is _8, and _m8 is -8.
std::optional<std::int64_t> static_integer(std::string_view name) {
  std::int64_t value = 0;
  if (name.size() < 2 || name[0] != '_') return std::nullopt;
  if (name.size() > 2 && name[1] == 'm') {
    const auto [end, status] = std::from_chars(name.data() + 2, name.data() + name.size(), value);
    if (status != std::errc() || end != name.data() + name.size() || name[2] == '-') return std::nullopt;
    return -value;
  }
  const auto [end, status] = std::from_chars(name.data() + 1, name.data() + name.size(), value);
  if (status != std::errc() || end != name.data() + name.size() || name[1] == '-') return std::nullopt;
  return value;
}

// Parentheses without a comma group, and change nothing. In our notation, which is that of CuTe's prints, they make the tuple of one
// around what is written out: (8), ((4,8)), the tiler (4:1). What a name stands for is known only when it is evaluated.
bool may_be_tuple_of_one(const Expr& expr) {
  if (std::holds_alternative<SplatExpr>(expr.node)) return true;
  if (current_dialect() != Dialect::ours) return false;
  return std::holds_alternative<LeafExpr>(expr.node) || std::holds_alternative<NameExpr>(expr.node) ||
         std::holds_alternative<TupleExpr>(expr.node) || std::holds_alternative<PairExpr>(expr.node);
}

// Does a type's name begin here? C++ writes those with a capital: GridShape(4, 8) makes one, size<0>(x) calls.
bool names_type(std::string_view name) {
  const std::size_t last = name.rfind("::");
  const char first = last == std::string_view::npos ? name.front() : name[last + 2];
  return first >= 'A' && first <= 'Z';
}

}  // namespace

Result<Expr> Parser::postfix() {
  const int outer_depth = depth_;
  const std::size_t begin = now().span.begin;
  Result<Expr> made = term();
  for (bool more = true; made && more;) {
    made = one_postfix(std::move(*made), begin, more);
    if (!made || !more) break;
    ++depth_;  // each postfix is one level of the tree
    if (Status fits = check_depth(); !fits) made = std::move(fits).error();
  }
  depth_ = outer_depth;
  return made;
}

Result<Expr> Parser::one_postfix(Expr object, std::size_t begin, bool& more) {
  const bool is_type = std::holds_alternative<NameExpr>(object.node) || std::holds_alternative<TemplateExpr>(object.node);
  if (is('(')) return apply(std::move(object), begin, ')');
  if (is('[')) return index(std::move(object), begin);
  if (is('.') && next().kind == Token::Kind::name) return member(std::move(object), begin);
  const bool path = is(':') && next_is(':') && now().span.end == next().span.begin && next(2).kind == Token::Kind::name;
  if (path && !std::holds_alternative<LeafExpr>(object.node)) {
    skip();
    return member(std::move(object), begin);
  }
  if (is('{') && next_is('}')) {
    skip(2);
    return object;
  }
  if (is('{') && is_type) {
    TESSERA_TRY(made, apply(std::move(object), begin, '}'));
    std::get<ApplyExpr>(made.node).constructs = true;
    return made;
  }
  more = false;
  return object;
}

// At the '.' or the second ':' in front of a name, which may be a path of members itself.
Result<Expr> Parser::member(Expr object, std::size_t begin) {
  skip();
  if (is_word("template") && next().kind == Token::Kind::name) skip();
  const Token& name = take();
  MemberExpr made{one_expr(std::move(object)), text_of(name.span), name.span};
  Expr expr{since(begin), std::move(made)};
  if (!opens_list()) return expr;
  // x.shape<0>() is x.shape(0)
  ApplyExpr call{one_expr(std::move(expr)), {}, {}};
  std::vector<Expr> modes;
  skip();
  TESSERA_CHECK(template_arguments(modes));
  if (!is('(')) return unexpected("'(' behind the arguments of a method");
  skip();
  TESSERA_CHECK(arguments(')', call.arguments, call.values));
  for (Expr& each : modes) {
    call.arguments.push_back({{}, {}, call.values.size()});
    call.values.push_back(std::move(each));
  }
  return Expr{since(begin), std::move(call)};
}

Result<Expr> Parser::index(Expr object, std::size_t begin) {
  const Token& open = take();
  IndexExpr made{one_expr(std::move(object)), {}};
  while (!is(']')) {
    TESSERA_TRY(each, index_element());
    made.at.push_back(std::move(each));
    if (!is(',')) break;
    skip();
  }
  TESSERA_CHECK(close(']', open, "',' or "));
  if (made.at.empty()) return Error{ErrorCode::parse, "an index is missing between '[' and ']'", since(open.span.begin), {}};
  return Expr{since(begin), std::move(made)};
}

// 2, (None, 2), 1:, :2, 0:2; between these brackets a ':' makes no layout.
Result<Expr> Parser::index_element() {
  const std::size_t begin = now().span.begin;
  const bool outer = std::exchange(colon_ends_, true);
  RangeExpr range;
  Status read = Done{};
  const auto part = [&](std::vector<Expr>& into) {
    Result<Expr> made = element();
    if (made)
      into.push_back(std::move(*made));
    else
      read = std::move(made).error();
  };
  if (!is(':')) part(range.from);
  const bool is_range = read && is(':');
  if (is_range) {
    skip();
    if (!is(']') && !is(',')) part(range.to);
  }
  colon_ends_ = outer;
  if (!read) return std::move(read).error();
  if (!is_range) return std::move(range.from.front());
  return Expr{since(begin), std::move(range)};
}

Result<Expr> Parser::apply(Expr callee, std::size_t begin, char closing) {
  skip();
  ApplyExpr made{one_expr(std::move(callee)), {}, {}};
  TESSERA_CHECK(arguments(closing, made.arguments, made.values));
  return Expr{since(begin), std::move(made)};
}

Result<Expr> Parser::term() {
  switch (now().kind) {
    case Token::Kind::integer: return integer();
    case Token::Kind::real: {
      const Token& real = take();
      return Expr{real.span, RealExpr{real.real}};
    }
    case Token::Kind::underscore: return Expr{take().span, LeafExpr{IntTuple::underscore()}};
    case Token::Kind::text: return quoted();
    case Token::Kind::name: return qualified();
    case Token::Kind::symbol:
      if (is(':') && next_is(':') && next(2).kind == Token::Kind::name) {  // ::cutlass::half_t
        skip(2);
        return qualified();
      }
      if (is('(')) return tuple_or_cast();
      if (is('[')) return tuple(']');  // Python's lists
      if (is('{') && is_python()) return braces();
      if (opens_list()) return tuple('>');  // <3:4, 8:2>: CuTe's documentation writes tilers so
      return unexpected("a layout, a tuple, a number or a name");
    case Token::Kind::end: return unexpected("a layout, a tuple, a number or a name");
  }
  return unexpected("an expression");
}

// 8, and 8@1@0: CuTe prints the innermost mode first, a BasisPath begins with the outermost.
Result<Expr> Parser::integer() {
  const std::size_t begin = now().span.begin;
  const Token& token = take();
  const std::int64_t value = token.integer;
  const bool known = open_lists_ > 0 || is_static_integer(token);  // what stands between < and > is C++'s template argument
  const unsigned mark = known ? marks::kStatic : marks::kDynamic;
  skip_braces();
  if (!is('@')) return Expr{since(begin), LeafExpr{IntTuple::marked(value, mark)}};
  std::vector<std::uint8_t> modes;
  while (is('@')) {
    skip();
    if (now().kind != Token::Kind::integer) return unexpected("the number of a mode");
    if (now().integer < 0 || now().integer > 255)
      return Error{ErrorCode::limit, "modes of a basis stride are numbered 0 to 255", now().span, {}};
    if (modes.size() == kMostBasisModes) {
      return Error{ErrorCode::limit, fmt::format("a basis stride names at most {} modes", kMostBasisModes), now().span, {}};
    }
    modes.push_back(static_cast<std::uint8_t>(take().integer));
  }
  BasisPath path;
  path.length = static_cast<std::uint8_t>(modes.size());
  std::reverse_copy(modes.begin(), modes.end(), path.modes.begin());
  return Expr{since(begin), LeafExpr{IntTuple::basis(value, path.marked(mark))}};
}

Result<Expr> Parser::quoted() {
  const SourceSpan span = take().span;
  return Expr{span, TextExpr{text_of_literal(text().substr(span.begin, span.end - span.begin))}};
}

Result<Expr> Parser::element() {
  if (!is('*')) return expression();
  const std::size_t begin = take().span.begin;
  TESSERA_TRY(tuple, expression());
  return Expr{since(begin), SplatExpr{one_expr(std::move(tuple))}};
}

Result<Expr> Parser::tuple(char closing) {
  const Token& open = take();
  const bool outer_colon = std::exchange(colon_ends_, false);
  const int outer_lists = std::exchange(open_lists_, closing == '>' ? 1 : 0);
  std::vector<Expr> elements;
  bool folds = true;  // only integers, `_` and tuples of them so far
  bool comma = false;
  while (!is(closing)) {
    TESSERA_TRY(each, element());
    if (elements.empty() && !comma && closing != '>' && is_python() && is_word("for")) {
      colon_ends_ = outer_colon;
      open_lists_ = outer_lists;
      TESSERA_TRY(made, comprehension(open.span.begin, ComprehensionExpr::Kind::list, one_expr(std::move(each))));
      TESSERA_CHECK(close(closing, open, ""));
      return made;
    }
    folds = folds && std::holds_alternative<LeafExpr>(each.node);
    elements.push_back(std::move(each));
    if (!is(',')) break;
    comma = true;
    skip();
  }
  colon_ends_ = outer_colon;
  open_lists_ = outer_lists;
  TESSERA_CHECK(close(closing, open, "',' or "));
  const bool groups = closing == ')' && elements.size() == 1 && !comma;
  if (groups && !may_be_tuple_of_one(elements[0])) return std::move(elements[0]);
  if (!folds) {
    const bool may_group = groups && !std::holds_alternative<SplatExpr>(elements[0].node);
    return Expr{since(open.span.begin), TupleExpr{std::move(elements), may_group}};
  }
  std::vector<IntTuple> modes;
  modes.reserve(elements.size());
  for (Expr& each : elements) modes.push_back(std::move(std::get<LeafExpr>(each.node).value));
  return Expr{since(open.span.begin), LeafExpr{IntTuple::tuple(std::move(modes))}};
}

Result<Expr> Parser::in_parentheses() {
  const Token& open = take();
  TESSERA_TRY(made, expression());
  TESSERA_CHECK(close(')', open, ""));
  return made;
}

// (cute::GMMA::Major)0 is how some compilers print an enumerator: the atom whose name it is in knows what it means. (float)x casts.
Result<Expr> Parser::tuple_or_cast() {
  const std::size_t begin = now().span.begin;
  if (const auto cast = pointer_cast()) {
    skip(*cast);
    return unary();
  }
  TESSERA_TRY(made, tuple(')'));
  const auto* elements = std::get_if<TupleExpr>(&made.node);
  const auto* type =
      elements && elements->elements.size() == 1 ? std::get_if<NameExpr>(&elements->elements[0].node) : std::get_if<NameExpr>(&made.node);
  if (!type) return made;
  const bool operand_follows =
      is('(') || now().kind == Token::Kind::name || now().kind == Token::Kind::integer || now().kind == Token::Kind::real;
  if (number_type(type->name) && operand_follows && !is_o()) {
    CallExpr cast{"static_cast", made.span, {{{}, {}, 0}, {{}, {}, 1}}, {}};
    TESSERA_TRY(operand, unary());
    cast.values.push_back(std::move(operand));
    cast.values.push_back(elements ? std::move(std::get<TupleExpr>(made.node).elements[0]) : std::move(made));
    return Expr{since(begin), std::move(cast)};
  }
  if (now().kind != Token::Kind::integer) return made;
  skip();
  return Expr{since(begin), NameExpr{text_of(since(begin))}};
}

// (float*)p, (T const*)0
std::optional<std::size_t> Parser::pointer_cast() const {
  std::size_t at = 1;
  while (next(at).kind == Token::Kind::name && text_of(next(at).span) == "const") ++at;
  if (next(at).kind != Token::Kind::name) return std::nullopt;
  ++at;
  while (next(at).kind == Token::Kind::name && text_of(next(at).span) == "const") ++at;
  const std::size_t first_star = at;
  while (next_is('*', at)) ++at;
  if (at == first_star || !next_is(')', at)) return std::nullopt;
  const Token& behind = next(at + 1);
  const bool casts =
      behind.kind == Token::Kind::name || behind.kind == Token::Kind::integer || next_is('(', at + 1) || next_is('&', at + 1);
  return casts ? std::optional(at + 1) : std::nullopt;
}

// C++ makes a value of a type by {}; here it changes nothing.
void Parser::skip_braces() {
  if (is('{') && next_is('}')) skip(2);
}

// A name, and what C++ puts around a type: const cute::Layout<...>&, class cute::C<4>, cute::tuple<...> const &.
Result<Expr> Parser::qualified() {
  bool is_type = open_lists_ > 0;
  const auto follows = [&] {
    return next().kind == Token::Kind::integer || (next().kind == Token::Kind::name && text_of(next().span) != "o");
  };
  while (is_qualifier(text_of(now().span)) && follows()) {
    skip();
    is_type = true;
  }
  TESSERA_TRY(made, now().kind == Token::Kind::integer ? integer() : named());
  if (is_type || std::holds_alternative<TemplateExpr>(made.node)) {
    while (is_word("const") || ((is('&') || is('*') || is(op::kAnd)) && behind_type_sign())) skip();
  }
  return made;
}

bool Parser::begins_plan() const {
  const bool has_name = now().kind == Token::Kind::text;
  const Token& brace = has_name ? next() : now();
  return brace.kind == Token::Kind::symbol && brace.symbol == '{';
}

// A GEMM's plan is a text of its own, which plan(text) reads.
Result<Expr> Parser::plan(const Token& name_token) {
  if (!is('{')) skip();
  const Token& open = now();
  int depth = 0;
  do {
    if (at_end()) return Error{ErrorCode::parse, "this '{' of a plan is not closed", open.span, {"a '}' behind the last line of the plan"}};
    depth += is('{') ? 1 : is('}') ? -1 : 0;
    skip();
  } while (depth > 0);
  const SourceSpan span = since(name_token.span.begin);
  CallExpr made{"plan", name_token.span, {}, {}, 0};
  made.arguments.push_back({{}, {}, 0});
  made.values.push_back(Expr{span, TextExpr{std::string(text_of(span))}});
  return Expr{span, std::move(made)};
}

Result<Expr> Parser::named() {
  if (is_o()) return error("'o' stands between two layouts, as in A o B; it is not a name");
  const Token& token = take();
  const std::string_view name = without_library(text_of(token.span));
  if (name == "_") return Expr{token.span, LeafExpr{IntTuple::underscore()}};
  if (name == "plan" && begins_plan()) return plan(token);
  // Shape<_4,_8 is a list that was not closed; a < b compares.
  const bool unclosed =
      is('<') && !opens_list() && now().span.begin == token.span.end && names_type(name) && next().span.begin == now().span.end;
  if (opens_list() || unclosed) return templated(name, token);
  const bool is_width = is('[') && next().kind == Token::Kind::integer && next(2).kind == Token::Kind::name && text_of(next(2).span) == "b";
  if (is_width) return pointer(name, token);
  if (name.ends_with("DescriptorIterator")) return Expr{token.span, PointerExpr{name, 0}};  // as CuTe prints GMMA and UMMA fragments
  if (name == "decltype" && is('(')) {
    TESSERA_TRY(made, in_parentheses());
    skip_member_type();
    return made;
  }
  if (is('(')) return call(name, token);
  skip_braces();
  if (const auto constant = static_integer(name)) return Expr{token.span, LeafExpr{IntTuple(*constant)}};
  // C++ spells some types in two words.
  if ((name == "unsigned" || name == "signed") && now().kind == Token::Kind::name && !is_o()) {
    skip();
    return Expr{since(token.span.begin), NameExpr{text_of(since(token.span.begin))}};
  }
  return Expr{token.span, NameExpr{name}};
}

// Behind the '<'.
Status Parser::template_arguments(std::vector<Expr>& into) {
  const std::size_t begin = now().span.begin;
  const bool outer_colon = std::exchange(colon_ends_, false);
  ++open_lists_;
  while (!is('>')) {
    TESSERA_TRY(argument, expression());
    into.push_back(std::move(argument));
    if (is_word("...") || (is('.') && next_is('.'))) break;
    if (!is(',')) break;
    skip();
  }
  --open_lists_;
  colon_ends_ = outer_colon;
  Token open;
  open.kind = Token::Kind::symbol;
  open.symbol = '<';
  open.span = {begin - 1, begin};
  return close('>', open, "',' or ");
}

Result<Expr> Parser::templated(std::string_view name, const Token& name_token) {
  skip();
  std::vector<Expr> given;
  TESSERA_CHECK(template_arguments(given));
  const std::size_t name_begin = name_token.span.end - name.size();
  const std::string_view whole = text().substr(name_begin, since(name_begin).end - name_begin);
  if (is('(') && !next_is(')') && !names_type(name)) return template_call(name, name_token, std::move(given));
  skip_member_type();
  skip_braces();
  if (is('(') && next_is(')')) skip(2);
  return Expr{since(name_token.span.begin), TemplateExpr{name, std::move(given), whole}};
}

// tuple_element<0, tuple<...>>::type
void Parser::skip_member_type() {
  const bool two = is(':') && next_is(':') && now().span.end == next().span.begin && next(2).kind == Token::Kind::name;
  if (!two) return;
  const std::string_view member = text_of(next(2).span);
  if (member == "type" || member == "value") skip(3);
}

// C++'s select<1,0>(layout) is select(layout, 1, 0).
Result<Expr> Parser::template_call(std::string_view name, const Token& name_token, std::vector<Expr> template_arguments) {
  TESSERA_TRY(made, call(name, name_token));
  auto& expr = std::get<CallExpr>(made.node);
  expr.name_span = {name_token.span.end - name.size(), name_token.span.end};
  expr.templates = template_arguments.size();
  for (Expr& each : template_arguments) {
    expr.arguments.push_back({{}, {}, expr.values.size()});
    expr.values.push_back(std::move(each));
  }
  return made;
}

// smem_ptr[16b](unset): what stands in the parentheses is an address.
Result<Expr> Parser::pointer(std::string_view name, const Token& name_token) {
  const Token& open = take();
  const std::int64_t bits = now().integer;
  if (now().kind != Token::Kind::integer || bits < 1 || bits > 1024)
    return unexpected("the width of an element in bits, as in smem_ptr[16b]");
  skip();
  if (now().kind == Token::Kind::name && text_of(now().span) == "b") skip();
  TESSERA_CHECK(close(']', open, ""));
  if (is('(')) {
    const Token& address = take();
    int depth = 1;  // ((nil))
    while (depth > 0 && !at_end()) {
      if (is('(')) ++depth;
      if (is(')')) --depth;
      if (depth > 0) skip();
    }
    TESSERA_CHECK(close(')', address, ""));
  }
  return Expr{since(name_token.span.begin), PointerExpr{name, bits}};
}

Result<Expr> Parser::call(std::string_view name, const Token& name_token) {
  skip();
  CallExpr made{name, {name_token.span.end - name.size(), name_token.span.end}, {}, {}};
  TESSERA_CHECK(arguments(')', made.arguments, made.values));
  return Expr{since(name_token.span.begin), std::move(made)};
}

// Behind the opening bracket, which is the token before.
Status Parser::arguments(char closing, std::vector<Argument>& arguments, std::vector<Expr>& values) {
  Token open;
  open.kind = Token::Kind::symbol;
  open.symbol = closing == ')' ? '(' : '{';
  open.span = {since(0).end - 1, since(0).end};
  const bool outer_colon = std::exchange(colon_ends_, false);
  const int outer_lists = std::exchange(open_lists_, 0);
  while (!is(closing)) {
    Argument argument;
    if (now().kind == Token::Kind::name && next_is('=')) {
      argument.name = text_of(now().span);
      argument.name_span = now().span;
      skip(2);
    } else if (!arguments.empty() && !arguments.back().name.empty()) {
      return error("an argument by position cannot follow a named one", "give it a name too, or move it to the front");
    }
    const std::size_t begin = now().span.begin;
    TESSERA_TRY(value, element());
    if (is_python() && is_word("for")) {  // tuple(x for x in xs)
      TESSERA_TRY(walked, comprehension(begin, ComprehensionExpr::Kind::list, one_expr(std::move(value))));
      value = std::move(walked);
    }
    if (is(op::kRange)) {
      skip();
      TESSERA_TRY(last, element());
      value = Expr{since(begin), RangeExpr{one_expr(std::move(value)), one_expr(std::move(last))}};
    }
    argument.value = values.size();
    values.push_back(std::move(value));
    arguments.push_back(argument);
    if (!is(',')) break;
    skip();
  }
  colon_ends_ = outer_colon;
  open_lists_ = outer_lists;
  return close(closing, open, "',' or ");
}

}  // namespace tessera
