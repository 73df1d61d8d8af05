// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/typed_line.hpp"
#include "core/figure/suggest_figures.hpp"
#include "core/lang/eval/evaluate_expression.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

// The line as one binding of ours; nothing of all else.
std::optional<TypedLine> as_own_line(std::string_view text) {
  std::optional<NamedExpression> line = split_line(text);
  if (!line || line->expression.ends_with(';')) return std::nullopt;
  const Result<Document> alone = parse_document("let " + line->name + " = " + line->expression);
  if (!alone || alone->bindings.size() != 1 || !alone->bad_lines.empty() || alone->bindings[0].expression != line->expression)
    return std::nullopt;  // several lines, or a comment behind it
  return TypedLine{"binding.add", {{"name", std::move(line->name)}, {"expression", std::move(line->expression)}}};
}

// What is neither a statement nor an expression with a value is refused for what is wrong with the expression.
Error not_a_line(const Session& session, std::string_view text, const BadLine& bad) {
  const Scope scope = [&](std::string_view name) { return find_value(session.bindings(), name); };
  Result<Value> value = evaluate_expression(text, scope, nullptr);
  if (value) return bad.error;
  Error error = std::move(value).error();
  suggest_with_figures(error, text, scope);
  return error;
}

}  // namespace

std::optional<NamedExpression> split_line(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("let") && text.size() > 3 && is_space(text[3])) text = trimmed(text.substr(4));
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view name = text.substr(0, end), behind = trimmed(text.substr(end));
  if (!is_binding_name(std::string(name)) || !behind.starts_with('=') || behind.starts_with("==")) return std::nullopt;
  const std::string_view expression = trimmed(behind.substr(1));
  if (expression.empty()) return std::nullopt;
  return NamedExpression{std::string(name), std::string(expression)};
}

Result<TypedLine> read_typed_line(const Session& session, std::string_view text) {
  text = trimmed(text);
  TypedLine line = as_own_line(text).value_or(TypedLine{"text.paste", {{"text", std::string(text)}}});
  const ActionRow& row = *find_action(line.action);
  TESSERA_TRY(changed, attempt(session, row, line.arguments));
  const std::vector<BadLine>&before = session.document().bad_lines, &after = changed.workspace.document->bad_lines;
  if (after.size() > before.size()) return not_a_line(session, text, after.back());
  return line;
}

}  // namespace tessera
