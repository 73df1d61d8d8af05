// SPDX-License-Identifier: BSD-3-Clause
// The parser's own class: one method a level of the grammar in parser.hpp. Operators are in parser.cpp, terms in parse_terms.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/syntax/limits.hpp"
#include "core/lang/syntax/parse_tokens.hpp"

namespace tessera {

inline std::vector<Expr> one_expr(Expr expr) {
  std::vector<Expr> made;
  made.push_back(std::move(expr));
  return made;
}

class Parser : ParseTokens {
 public:
  using ParseTokens::ParseTokens;
  Result<Expr> run();

 private:
  // Counts brackets, signs and postfixes around the token, so that recursion over the tree is bounded.
  class Deeper {
   public:
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    int& depth_;
  };
  Status check_depth() const;

  // Operators, the loosest first.
  Result<Expr> expression();
  Result<Expr> logical(int lowest);  // or, and, not, comparisons
  Result<Expr> composed();
  Result<Expr> pair();
  Result<Expr> arithmetic(int lowest);
  Result<Expr> unary();
  Result<Expr> power();
  bool is_struct_in_memory() const;
  struct Infix {
    char symbol = 0;
    int level = 0;  // 0: no operator; a higher one binds more tightly
  };
  Infix logical_here() const;
  Infix arithmetic_here() const;
  Expr as_operand(Expr expr) const;
  template <class InfixHere, class Operand>
  Result<Expr> operators(int lowest, Expr first, std::size_t begin, InfixHere infix_here, Operand operand);
  char one_of(std::string_view symbols) const {
    return now().kind == Token::Kind::symbol && symbols.find(now().symbol) != std::string_view::npos ? now().symbol : '\0';
  }
  bool behind_type_sign() const;  // a reference or pointer sign here ends a type

  // Terms and what may follow them.
  Result<Expr> postfix();
  Result<Expr> one_postfix(Expr object, std::size_t begin, bool& more);
  Result<Expr> member(Expr object, std::size_t begin);
  Result<Expr> index(Expr object, std::size_t begin);
  Result<Expr> index_element();
  Result<Expr> apply(Expr callee, std::size_t begin, char closing);
  Result<Expr> term();
  Result<Expr> integer();
  Result<Expr> quoted();
  Result<Expr> element();  // of a list: an expression, or *expression
  Result<Expr> tuple(char closing);
  bool is_python() const;
  Result<Expr> braces();
  Result<Expr> comprehension(std::size_t begin, ComprehensionExpr::Kind kind, std::vector<Expr> element);
  Result<Expr> target();  // of a loop: a name, or several
  Result<Expr> lambda();
  Result<Expr> tuple_or_cast();
  std::optional<std::size_t> pointer_cast() const;  // how many tokens (T*) has, in front of what it casts
  Result<Expr> in_parentheses();
  Result<Expr> qualified();
  Result<Expr> named();
  Result<Expr> templated(std::string_view name, const Token& name_token);
  Status template_arguments(std::vector<Expr>& into);
  Result<Expr> template_call(std::string_view name, const Token& name_token, std::vector<Expr> template_arguments);
  Result<Expr> pointer(std::string_view name, const Token& name_token);
  Result<Expr> call(std::string_view name, const Token& name_token);
  Status arguments(char closing, std::vector<Argument>& arguments, std::vector<Expr>& values);
  bool begins_plan() const;  // plan { ... }, plan "name" { ... }
  Result<Expr> plan(const Token& name_token);
  void skip_braces();
  void skip_member_type();

  int depth_ = 0;
  int open_lists_ = 0;       // how many Name<...> the token is in
  bool colon_ends_ = false;  // a ':' belongs to what the expression stands in
};

}  // namespace tessera
