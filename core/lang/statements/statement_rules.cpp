// SPDX-License-Identifier: BSD-3-Clause
// What our own lines have to be. Pasted lines have no rules: other languages made them.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

Error refused(SourceSpan span, std::string message, std::string note = "a line of a document reads: let name = expression") {
  return {ErrorCode::parse, std::move(message), SourceSpan{span.begin, std::max(span.end, span.begin + 1)}, {std::move(note)}};
}

}  // namespace

bool is_own_line(std::string_view text, const Statement& statement) {
  const std::string_view word = statement_text::first_word(text.substr(statement.span.begin, statement.span.end - statement.span.begin));
  const bool binds = statement.kind == Statement::Kind::bind || statement.kind == Statement::Kind::function;
  return (word == "let" && binds) || (word == "param" && statement.kind == Statement::Kind::parameter);
}

Status check_form(std::string_view text, const Statement& statement) {
  if (!is_own_line(text, statement)) return Done{};
  // Where the names stand: behind `let` or `param`, in front of what makes the value.
  const std::size_t word_end = statement.span.begin + (statement.kind == Statement::Kind::parameter ? 5 : 3);
  const std::size_t value = std::min({statement.expression.begin, statement.span.end, text.size()});
  const std::string_view head = text.substr(word_end, std::max(value, word_end) - word_end);
  const std::size_t equals = head.rfind('=');
  const std::string_view written = trimmed(head.substr(0, equals));
  const std::size_t at = written.empty() ? word_end : static_cast<std::size_t>(written.data() - text.data());
  const SourceSpan names{at, at + written.size()};
  const std::string_view first = statement_text::first_word(written);
  if (equals == std::string_view::npos && first.size() < written.size() && is_space(written[first.size()]) &&
      is_binding_name(first)) {  // let b 4:1
    return refused({at + first.size(), at + first.size()}, fmt::format("'=' is missing after the name {}", first));
  }
  for (const std::string& name : statement.names) {
    if (is_binding_name(name) || (name == "_" && statement.names.size() > 1)) continue;
    return refused(names, fmt::format("\"{}\" cannot be a name: names are letters, digits and _, and not `o`, `let`, true or false", name));
  }
  if (equals == std::string_view::npos)
    return refused({statement.span.end, statement.span.end}, fmt::format("'=' is missing after the name {}", written));
  if (statement.kind == Statement::Kind::function && statement.parameters.empty()) {
    const std::size_t open = written.find('(');
    const bool none = trimmed(written.substr(open + 1, written.size() - open - 2)).empty();
    if (!none)
      return refused(names, fmt::format("the parameters of {} are names", statement.names[0]), "as in let tile(m, n) = (m,n):(n,1)");
  }
  if (statement.kind == Statement::Kind::parameter &&
      (statement.upper.begin >= statement.upper.end || statement.lower.begin >= statement.lower.end))
    return refused(names, fmt::format("the parameter {} has no range", written), "as in param pad = 0..8, or param pad = 4 in 0..8");
  return Done{};
}

Error bound_twice(std::string_view text, const Statement& statement, std::size_t first_line) {
  const std::string& name = statement.names[0];
  const std::size_t word_end = statement.span.begin + (statement.kind == Statement::Kind::parameter ? 5 : 3);
  const std::size_t at = std::min(text.find(name, word_end), text.size());
  return refused({at, at + name.size()},
                 fmt::format("the name {} is bound twice: it means what line {} says, and this line is not used", name, first_line),
                 "give one of them another name");
}

std::string heading(std::string_view written, const Statement& statement) {
  constexpr std::size_t kLongest = 40;
  const std::string_view word = statement_text::first_word(written);
  const std::string names = fmt::format("{}", fmt::join(statement.names, ", "));
  if (statement.kind == Statement::Kind::check) return std::string(word);
  if (!names.empty()) return word.empty() || names.starts_with(word) ? names : fmt::format("{} {}", word, names);
  const std::string_view line = written.substr(0, written.find('\n'));
  return std::string(line.substr(0, kLongest)) + (line.size() > kLongest ? "..." : "");
}

}  // namespace tessera
