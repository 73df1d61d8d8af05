// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/comment_values.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/programs/symbol_table.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {

using namespace statement_text;

namespace {

constexpr std::size_t kLongestClaim = 400;  // bytes of a comment
constexpr std::size_t kMostClaims = 2000;   // of a text

// The words of a comment without its signs.
std::string_view inside(std::string_view comment) {
  for (const std::string_view sign : {"///", "//", "/*", "#"}) {
    if (!comment.starts_with(sign)) continue;
    comment.remove_prefix(sign.size());
    break;
  }
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  return trimmed(comment);
}

// Without what may stand in front of a value: sA: and sA = and -> and prints
std::string_view behind_name(std::string_view text) {
  const std::string_view word = first_word(text);
  if (word == "prints" || word == "printed") text = trimmed(text.substr(word.size()));
  if (const std::string_view rest = trimmed(text.substr(first_word(text).size()));
      !first_word(text).empty() && is_letter(text[0]) && (rest.starts_with(':') || rest.starts_with('=') || rest.starts_with("->")))
    text = rest;
  for (const std::string_view sign : {"=>", "->", "==", "=", ":"}) {
    if (!text.starts_with(sign)) continue;
    text = trimmed(text.substr(sign.size()));
    break;
  }
  return text;
}

// How long the tuple or number is that the text begins with; 0 where none does: 8, _8, (8,(4,2)), 1@0.
std::size_t length_of_tuple(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != '(') {
    const std::size_t end = std::min(text.find_first_not_of("_0123456789@"), text.size());
    return text.substr(0, end).find_first_of("0123456789") == std::string_view::npos ? 0 : end;
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return text.substr(0, i).find_first_of("0123456789") == std::string_view::npos ? 0 : i + 1;
    if (std::string_view("()_0123456789@, ").find(c) == std::string_view::npos) return 0;
  }
  return 0;
}

// The value that begins the text, as it is written: (8,4):(4,1), (8,4), Sw<3,4,3> o 0 o (8,64):(64,1). Words may stand behind it.
std::string_view value_text(std::string_view text) {
  if (text.starts_with("Sw<") || text.starts_with("S<")) return text;
  std::size_t end = length_of_tuple(text);
  if (end == 0) return {};
  const bool is_tuple = text[0] == '(';
  const std::string_view rest = trimmed(text.substr(end));
  if (rest.starts_with(':')) {
    const std::string_view stride = trimmed(rest.substr(1));
    const std::size_t length = length_of_tuple(stride);
    if (length == 0) return {};
    end = static_cast<std::size_t>(stride.data() - text.data()) + length;
  } else if (!is_tuple) {
    return {};
  }
  const std::string_view behind = text.substr(end), words = trimmed(behind);
  const bool ends = words.empty() || words == "." || words == ";";
  const bool described = !words.empty() && is_space(behind.front()) && is_letter(words.front()) && first_word(words) != "o";
  return ends || described ? text.substr(0, end) : std::string_view();
}

std::size_t last_line(std::string_view source, const Statement& statement) {
  const std::string_view text = source.substr(statement.span.begin, statement.span.end - statement.span.begin);
  return statement.line + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// "(8,4):(1,8)" of a layout or a tensor, "(8,4)" of a tuple; empty: it is none.
std::string held_text(const Value& value) {
  if (std::holds_alternative<IntTuple>(value.any)) return to_string(value);
  const Result<AnyLayout> layout = as_any_layout(value);
  return layout ? to_string(*layout) : std::string();
}

// Does the comment say what the value is? Nothing: it speaks of something else.
std::optional<bool> agrees(const CommentClaim& claim, const Value& value) {
  const auto* shape_said = std::get_if<IntTuple>(&claim.value.any);
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (tuple) {
    if (!shape_said || !tuple->is_tuple()) return std::nullopt;
    return rank(*shape_said) == rank(*tuple) ? std::optional(to_string(*shape_said) == to_string(*tuple)) : std::nullopt;
  }
  const Result<AnyLayout> layout = as_any_layout(value);
  if (!layout) return std::nullopt;
  if (shape_said) {
    const IntTuple& made = shape(*layout);
    if (rank(made) != rank(*shape_said) || rank(made) < 2) return std::nullopt;
    return to_string(made) == to_string(*shape_said);
  }
  const Result<AnyLayout> said = as_any_layout(claim.value);
  return said ? std::optional(to_string(*said) == to_string(*layout)) : std::nullopt;
}

// The statements that have a value, by the line on which each ends.
class Placed {
 public:
  Placed(std::string_view source, const SnippetAnswer& answer) {
    for (std::size_t i = 0; i < answer.statements.size(); ++i) {
      const StatementAnswer& each = answer.statements[i];
      if (each.statement.kind == Statement::Kind::enters || each.statement.kind == Statement::Kind::leaves) continue;
      const std::size_t last = last_line(source, each.statement);
      for (std::size_t line = each.statement.line; line <= last; ++line) taken_[line] = line == last || taken_[line];
      const bool has_one = each.values.size() == 1 && !each.refused && !held_text(each.values[0].second).empty();
      if (!has_one) continue;
      ends_[last].push_back(i);
      begins_[each.statement.line].push_back(i);
    }
  }

  // The only statement that ends, or begins, on a line.
  std::optional<std::size_t> ending(std::size_t line) const { return only(ends_, line); }
  std::optional<std::size_t> beginning(std::size_t line) const { return only(begins_, line); }
  bool has_statement(std::size_t line) const { return taken_.contains(line); }

 private:
  static std::optional<std::size_t> only(const std::map<std::size_t, std::vector<std::size_t>>& lines, std::size_t line) {
    const auto found = lines.find(line);
    return found != lines.end() && found->second.size() == 1 ? std::optional(found->second[0]) : std::nullopt;
  }
  std::map<std::size_t, std::vector<std::size_t>> ends_, begins_;
  std::map<std::size_t, bool> taken_;
};

Error contradiction(const CommentClaim& claim, const StatementAnswer& of, const SnippetAnswer& answer) {
  const std::string value = held_text(of.values[0].second);
  Error made{ErrorCode::breaks_law, fmt::format("the comment in line {} says {}, the value is {}", claim.line, claim.text, value), {}, {}};
  std::string guesses;
  for (const Symbol* symbol : SymbolTable(answer.symbols).among(of.needs))
    guesses += fmt::format("{}{} = {}", guesses.empty() ? "" : ", ", symbol->name, symbol->likely);
  if (!guesses.empty()) {
    made.message = fmt::format("the comment in line {} says {}, with the likely values {} it is {}: the comment is the better evidence",
                               claim.line, claim.text, guesses, value);
  }
  return made;
}

}  // namespace

std::vector<CommentClaim> claims_in(std::string_view source, Dialect dialect) {
  std::vector<CommentClaim> made;
  const Walker walk(source, dialect);
  std::size_t line = 1, line_begin = 0;
  for (std::size_t i = 0; i < source.size() && made.size() < kMostClaims && !late();) {
    const std::size_t behind = walk.after_comment(i);
    if (behind == i) {
      const std::size_t next = std::max(walk.after(i), i + 1);
      for (; i < std::min(next, source.size()); ++i) {
        if (source[i] != '\n') continue;
        ++line;
        line_begin = i + 1;
      }
      continue;
    }
    const std::string_view comment = trimmed(source.substr(i, behind - i));
    const std::string_view written = comment.size() <= kLongestClaim ? value_text(behind_name(inside(comment))) : std::string_view();
    if (!written.empty() && comment.find('\n') == std::string_view::npos) {
      const DialectScope ours(Dialect::ours);
      if (Result<Value> value = evaluate_expression(written, {}, nullptr); value && !held_text(*value).empty())
        made.push_back({line, trimmed(source.substr(line_begin, i - line_begin)).empty(), std::string(written), *std::move(value)});
    }
    for (; i < behind; ++i) {
      if (source[i] != '\n') continue;
      ++line;
      line_begin = i + 1;
    }
  }
  return made;
}

std::vector<std::optional<Error>> contradicted_comments(std::string_view source, const SnippetAnswer& answer) {
  std::vector<std::optional<Error>> made(answer.statements.size());
  if (answer.statements.empty()) return made;
  const bool python = std::any_of(answer.statements.begin(), answer.statements.end(),
                                  [](const StatementAnswer& each) { return each.statement.dialect == Dialect::python; });
  const std::vector<CommentClaim> claims = claims_in(source, python ? Dialect::python : Dialect::cpp);
  if (claims.empty()) return made;
  const Placed placed(source, answer);
  std::map<std::size_t, const CommentClaim*> alone;  // by line
  for (const CommentClaim& claim : claims) {
    if (claim.alone) alone.emplace(claim.line, &claim);
  }
  // Is a line one of those that follow each other, and does a comment begin them?
  const auto begins_with_comment = [&](std::size_t line) {
    while (line > 1 && (alone.contains(line - 1) || placed.has_statement(line - 1))) --line;
    return alone.contains(line);
  };
  for (const CommentClaim& claim : claims) {
    const std::optional<std::size_t> of = !claim.alone                      ? placed.ending(claim.line)
                                          : begins_with_comment(claim.line) ? placed.beginning(claim.line + 1)
                                                                            : placed.ending(claim.line - 1);
    if (!of || made[*of]) continue;
    const StatementAnswer& about = answer.statements[*of];
    if (agrees(claim, about.values[0].second) == false) made[*of] = contradiction(claim, about, answer);
  }
  return made;
}

}  // namespace tessera
