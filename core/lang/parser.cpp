// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/parser.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/atom/atom_text.hpp"
#include "core/lang/evaluate.hpp"
#include "core/lang/lexer.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostBasisModes = BasisPath::kDeepest;

// cute::make_layout, ::cute::C, cute.nvgpu.warp.MmaF16BF16Op and cutlass.Float16 without the name of the library.
std::string_view without_library(std::string_view name) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view prefix : {"cute::", "cutlass::", "cute.", "cutlass.", "nvgpu.", "tessera::", "std::"}) {
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

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Result<Expr> run() {
    if (now().kind == Token::Kind::end) return error("an expression is missing", "write a layout such as (4,8):(8,1)");
    skip_declaration();
    TESSERA_TRY(expr, expression());
    if (is(';')) ++at_;
    if (now().kind != Token::Kind::end) return unexpected("the end of the expression");
    return expr;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is(char symbol) const { return now().kind == Token::Kind::symbol && now().symbol == symbol; }
  bool next_is(char symbol) const { return next().kind == Token::Kind::symbol && next().symbol == symbol; }
  std::string_view text_of(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }
  bool is_word(std::string_view word) const { return now().kind == Token::Kind::name && text_of(now().span) == word; }

  // `auto layout = ...`, `TiledMMA mma = ...`, `using Atom = ...` and Python's `layout = ...`: what they declare is what stands behind
  // the '='. Any other '=' is in brackets, behind the name of an argument.
  void skip_declaration() {
    int open = 0;
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      const char symbol = tokens_[i].kind == Token::Kind::symbol ? tokens_[i].symbol : '\0';
      if (std::string_view("([{<").find(symbol) != std::string_view::npos && symbol != '\0') ++open;
      if (std::string_view(")]}>").find(symbol) != std::string_view::npos && symbol != '\0') --open;
      if (symbol != '=' || open != 0) continue;
      const bool declares = i > at_ && tokens_[i - 1].kind == Token::Kind::name && (tokens_[at_].kind == Token::Kind::name || is('['));
      if (declares) at_ = i + 1;
      return;
    }
  }

  bool is_o() const { return now().kind == Token::Kind::name && text_of(now().span) == "o"; }
  SourceSpan since(std::size_t begin) const { return {begin, at_ == 0 ? begin : tokens_[at_ - 1].span.end}; }

  Error error(std::string message, std::string note = {}) const {
    Error e{ErrorCode::parse, std::move(message), now().span, {}};
    if (!note.empty()) e.notes.push_back(std::move(note));
    return e;
  }

  Error unexpected(std::string_view wanted) const {
    if (now().kind == Token::Kind::end) return error(fmt::format("the text ends where {} is expected", wanted));
    if (now().kind == Token::Kind::symbol && std::string_view(")]}>").find(now().symbol) != std::string_view::npos) {
      return error(fmt::format("'{}' closes nothing that is open; {} is expected", now().symbol, wanted));
    }
    return error(fmt::format("{} is expected, but here stands '{}'", wanted, text_of(now().span).substr(0, 40)));
  }

  // The closing bracket of the one at `open`.
  Status close(char symbol, const Token& open, std::string_view also) {
    if (is(symbol)) {
      ++at_;
      return Done{};
    }
    if (now().kind == Token::Kind::end) {
      return Error{ErrorCode::parse, fmt::format("this '{}' is never closed: '{}' is missing", open.symbol, symbol), open.span, {}};
    }
    if (now().kind == Token::Kind::symbol && std::string_view(")]}>").find(now().symbol) != std::string_view::npos) {
      return error(fmt::format("'{}' cannot close the '{}' at character {}: '{}' is expected", now().symbol, open.symbol,
                               open.span.begin + 1, symbol));
    }
    return error(fmt::format("{}'{}' is expected, but here stands '{}'", also, symbol, text_of(now().span).substr(0, 40)));
  }

  Result<Expr> expression() {
    if (++depth_ > kDeepestNesting) {
      return Error{
          ErrorCode::limit, fmt::format("brackets are nested deeper than {}, the limit of this language", kDeepestNesting), now().span, {}};
    }
    const std::size_t begin = now().span.begin;
    TESSERA_TRY(first, pair());
    // Sw<3,4,3>_smem_ptr[16b](0x..) o L is how CuTe prints a swizzled tensor: the pointer swizzles the layout's addresses.
    const bool swizzled_pointer = std::holds_alternative<TemplateExpr>(first.node) && now().kind == Token::Kind::name &&
                                  text_of(now().span).starts_with("_") && next_is('[');
    if (is_o() || swizzled_pointer) {
      std::vector<Expr> parts;
      parts.push_back(std::move(first));
      if (swizzled_pointer) {
        const Token& name = now();
        ++at_;
        TESSERA_TRY(part, pointer(text_of(name.span), name));
        parts.push_back(std::move(part));
        if (!is_o()) return unexpected("'o' and the layout behind the pointer");
      }
      while (is_o()) {
        ++at_;
        TESSERA_TRY(part, pair());
        parts.push_back(std::move(part));
      }
      --depth_;
      return Expr{since(begin), ComposeExpr{std::move(parts)}};
    }
    --depth_;
    return first;
  }

  Result<Expr> pair() {
    const std::size_t begin = now().span.begin;
    TESSERA_TRY(shape, product());
    if (!is(':')) return shape;
    ++at_;
    TESSERA_TRY(stride, product());
    if (is(':')) return error("a layout has one ':' between shape and stride");
    PairExpr both;
    both.shape_and_stride.reserve(2);
    both.shape_and_stride.push_back(std::move(shape));
    both.shape_and_stride.push_back(std::move(stride));
    return Expr{since(begin), std::move(both)};
  }

  Result<Expr> product() {
    const std::size_t begin = now().span.begin;
    TESSERA_TRY(first, term());
    if (!is('/') && !is('*')) return first;
    ArithmeticExpr made;
    made.operands.push_back(std::move(first));
    while (is('/') || is('*')) {
      made.operations.push_back({now().symbol, now().span});
      ++at_;
      TESSERA_TRY(operand, term());
      made.operands.push_back(std::move(operand));
    }
    return Expr{since(begin), std::move(made)};
  }

  Result<Expr> term() {
    switch (now().kind) {
      case Token::Kind::integer: return integer();
      case Token::Kind::real: ++at_; return Expr{tokens_[at_ - 1].span, RealExpr{tokens_[at_ - 1].real}};
      case Token::Kind::underscore: ++at_; return Expr{tokens_[at_ - 1].span, LeafExpr{IntTuple::underscore()}};
      case Token::Kind::text: return text();
      case Token::Kind::name: return qualified();
      case Token::Kind::symbol:
        if (is('(')) return tuple_or_cast();
        if (is('[')) return tuple(']');  // Python's lists
        return unexpected("a layout, a tuple, a number or a name");
      case Token::Kind::end: return unexpected("a layout, a tuple, a number or a name");
    }
    return unexpected("an expression");
  }

  // 8, and 8@1@0: CuTe prints the innermost mode first, a BasisPath begins with the outermost.
  Result<Expr> integer() {
    const std::size_t begin = now().span.begin;
    const std::int64_t value = now().integer;
    ++at_;
    skip_braces();
    if (!is('@')) return Expr{since(begin), LeafExpr{IntTuple(value)}};
    std::vector<std::uint8_t> modes;
    while (is('@')) {
      ++at_;
      if (now().kind != Token::Kind::integer) return unexpected("the number of a mode");
      if (now().integer < 0 || now().integer > 255)
        return Error{ErrorCode::limit, "modes of a basis stride are numbered 0 to 255", now().span, {}};
      if (modes.size() == kMostBasisModes) {
        return Error{ErrorCode::limit, fmt::format("a basis stride names at most {} modes", kMostBasisModes), now().span, {}};
      }
      modes.push_back(static_cast<std::uint8_t>(now().integer));
      ++at_;
    }
    BasisPath path;
    path.length = static_cast<std::uint8_t>(modes.size());
    std::reverse_copy(modes.begin(), modes.end(), path.modes.begin());
    return Expr{since(begin), LeafExpr{IntTuple::basis(value, path)}};
  }

  Result<Expr> text() {
    const SourceSpan span = now().span;
    std::string value;
    for (std::size_t i = span.begin + 1; i + 1 < span.end; ++i) {
      const bool escaped = text_[i] == '\\' && i + 2 < span.end;
      if (escaped) ++i;
      value += escaped && text_[i] == 'n' ? '\n' : text_[i];
    }
    ++at_;
    return Expr{span, TextExpr{std::move(value)}};
  }

  Result<Expr> tuple(char closing) {
    const Token& open = now();
    ++at_;
    std::vector<Expr> elements;
    bool folds = true;  // only integers, `_` and tuples of them so far
    while (!is(closing)) {
      TESSERA_TRY(element, expression());
      folds = folds && std::holds_alternative<LeafExpr>(element.node);
      elements.push_back(std::move(element));
      if (!is(',')) break;
      ++at_;
    }
    TESSERA_CHECK(close(closing, open, "',' or "));
    if (elements.empty()) return Error{ErrorCode::bad_extent, "a tuple needs at least one element", since(open.span.begin), {}};
    if (!folds) return Expr{since(open.span.begin), TupleExpr{std::move(elements)}};
    std::vector<IntTuple> modes;
    modes.reserve(elements.size());
    for (Expr& element : elements) modes.push_back(std::move(std::get<LeafExpr>(element.node).value));
    return Expr{since(open.span.begin), LeafExpr{IntTuple::tuple(std::move(modes))}};
  }

  Result<Expr> in_parentheses() {
    const Token& open = now();
    ++at_;
    TESSERA_TRY(made, expression());
    TESSERA_CHECK(close(')', open, ""));
    return made;
  }

  // (cute::GMMA::Major)0 is how some compilers print an enumerator. The atom whose name it is in knows what it means.
  Result<Expr> tuple_or_cast() {
    const std::size_t begin = now().span.begin;
    TESSERA_TRY(made, tuple(')'));
    const auto* elements = std::get_if<TupleExpr>(&made.node);
    const bool casts = elements && elements->elements.size() == 1 && std::holds_alternative<NameExpr>(elements->elements[0].node) &&
                       now().kind == Token::Kind::integer;
    if (!casts) return made;
    ++at_;
    return Expr{since(begin), NameExpr{text_of(since(begin))}};
  }

  // C++ makes a value of a type by {}; here it changes nothing.
  void skip_braces() {
    if (is('{') && next_is('}')) at_ += 2;
  }

  // A name, and what C++ puts around a type: const cute::Layout<...>&, class cute::C<4>, cute::tuple<...> const &.
  Result<Expr> qualified() {
    const std::size_t first = at_;
    const auto follows = [&] {
      return next().kind == Token::Kind::integer || (next().kind == Token::Kind::name && text_of(next().span) != "o");
    };
    while (is_qualifier(text_of(now().span)) && follows()) ++at_;
    const bool is_type = at_ > first || open_templates_ > 0;
    TESSERA_TRY(made, now().kind == Token::Kind::integer ? integer() : named());
    if (is_type || std::holds_alternative<TemplateExpr>(made.node)) {
      while (is('&') || is('*') || is_word("const")) ++at_;
    }
    return made;
  }

  Result<Expr> named() {
    const Token& token = now();
    const std::string_view name = without_library(text_of(token.span));
    if (is_o()) return error("'o' stands between two layouts, as in A o B; it is not a name");
    ++at_;
    if (name == "_") return Expr{token.span, LeafExpr{IntTuple::underscore()}};
    if (is('<')) return templated(name, token);
    if (is('[')) return pointer(name, token);
    if (name.ends_with("DescriptorIterator")) return Expr{token.span, PointerExpr{name, 0}};  // as CuTe prints GMMA and UMMA fragments
    if (name == "decltype" && is('(')) return in_parentheses();
    if (is('(')) return call(name, token);
    skip_braces();
    if (const auto constant = static_integer(name)) return Expr{token.span, LeafExpr{IntTuple(*constant)}};
    // C++ spells some types in two words.
    if ((name == "unsigned" || name == "signed") && now().kind == Token::Kind::name && !is_o()) {
      ++at_;
      return Expr{since(token.span.begin), NameExpr{text_of(since(token.span.begin))}};
    }
    return Expr{token.span, NameExpr{name}};
  }

  Result<Expr> templated(std::string_view name, const Token& name_token) {
    const Token& open = now();
    ++at_;
    std::vector<Expr> arguments;
    ++open_templates_;
    while (!is('>')) {
      TESSERA_TRY(argument, expression());
      arguments.push_back(std::move(argument));
      if (!is(',')) break;
      ++at_;
    }
    --open_templates_;
    TESSERA_CHECK(close('>', open, "',' or "));
    const std::size_t name_begin = name_token.span.end - name.size();
    const std::string_view whole = text_.substr(name_begin, since(name_begin).end - name_begin);
    skip_member_type();
    skip_braces();
    if (is('(') && !next_is(')')) return template_call(name, name_token, std::move(arguments));
    if (is('(')) at_ += 2;
    return Expr{since(name_token.span.begin), TemplateExpr{name, std::move(arguments), whole}};
  }

  // tuple_element<0, tuple<...>>::type
  void skip_member_type() {
    const bool two = is(':') && next_is(':') && now().span.end == next().span.begin;
    if (!two || at_ + 2 >= tokens_.size() || tokens_[at_ + 2].kind != Token::Kind::name) return;
    const std::string_view member = text_of(tokens_[at_ + 2].span);
    if (member == "type" || member == "value") at_ += 3;
  }

  // C++'s select<1,0>(layout) is select(layout, 1, 0).
  Result<Expr> template_call(std::string_view name, const Token& name_token, std::vector<Expr> template_arguments) {
    TESSERA_TRY(made, call(name, name_token));
    auto& expr = std::get<CallExpr>(made.node);
    expr.name_span = {name_token.span.end - name.size(), name_token.span.end};
    for (Expr& each : template_arguments) {
      expr.arguments.push_back({{}, {}, expr.values.size()});
      expr.values.push_back(std::move(each));
    }
    return made;
  }

  // smem_ptr[16b](unset): what stands in the parentheses is an address.
  Result<Expr> pointer(std::string_view name, const Token& name_token) {
    const Token& open = now();
    ++at_;
    const std::int64_t bits = now().integer;
    if (now().kind != Token::Kind::integer || bits < 1 || bits > 1024)
      return unexpected("the width of an element in bits, as in smem_ptr[16b]");
    ++at_;
    if (now().kind == Token::Kind::name && text_of(now().span) == "b") ++at_;
    TESSERA_CHECK(close(']', open, ""));
    if (is('(')) {
      const Token& address = now();
      while (!is(')') && now().kind != Token::Kind::end) ++at_;
      TESSERA_CHECK(close(')', address, ""));
    }
    return Expr{since(name_token.span.begin), PointerExpr{name, bits}};
  }

  Result<Expr> call(std::string_view name, const Token& name_token) {
    const Token& open = now();
    ++at_;
    CallExpr made{name, {name_token.span.end - name.size(), name_token.span.end}, {}, {}};
    while (!is(')')) {
      Argument argument;
      if (now().kind == Token::Kind::name && next_is('=')) {
        argument.name = text_of(now().span);
        argument.name_span = now().span;
        at_ += 2;
      } else if (!made.arguments.empty() && !made.arguments.back().name.empty()) {
        return error("an argument by position cannot follow a named one", "give it a name too, or move it to the front");
      }
      TESSERA_TRY(value, expression());
      argument.value = made.values.size();
      made.values.push_back(std::move(value));
      made.arguments.push_back(argument);
      if (!is(',')) break;
      ++at_;
    }
    TESSERA_CHECK(close(')', open, "',' or "));
    return Expr{since(name_token.span.begin), std::move(made)};
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int open_templates_ = 0;  // how many Name<...> the token is in
};

}  // namespace

Result<Expr> parse_expression(std::string_view text, std::span<const std::size_t> divisions) {
  if (text.size() > kLongestText) {
    return Error{
        ErrorCode::limit, fmt::format("the expression has {} bytes; the limit is {}", text.size(), kLongestText), SourceSpan{0, 1}, {}};
  }
  TESSERA_TRY(tokens, tokenize(text, divisions));
  return Parser(text, std::move(tokens)).run();
}

}  // namespace tessera
