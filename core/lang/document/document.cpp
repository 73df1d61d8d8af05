// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/document/document.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/programs/known_values.hpp"
#include "core/lang/programs/symbol_table.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/parser.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

using statement_text::first_word;

constexpr std::size_t kLongestDocument = std::size_t{16} << 20;  // bytes
constexpr std::size_t kMostBindings = std::size_t{1} << 18;      // each takes more than a kilobyte, whatever its value

bool parses(std::string_view text) {
  if (parse_expression(text)) return true;
  const std::vector<std::size_t> divisions = possible_divisions(text);
  return !divisions.empty() && parse_expression(text, divisions).has_value();
}

// Turns statements into bindings; everything between them is kept.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Document> run() {
    Document made;
    std::size_t leading = 0;  // where what precedes the next binding begins
    for (Statement& statement : read_statements(text_)) {
      if (statement.kind == Statement::Kind::passed_over) {
        if (!statement.assigns.empty() || !statement.names.empty())
          made.passed_over.push_back({made.bindings.size(), std::move(statement)});
        continue;
      }
      Status read = check(statement);
      if (read) read = take_names(statement);
      if (!read) {
        if (made.bad_lines.size() == kMostBadLines) return no_document(made.bad_lines.front());
        made.bad_lines.push_back({made.bindings.size(), statement.line, statement.span, std::move(read).error()});
        const bool takes_no_name = is_own_line(text_, statement) && first_lines_.contains(statement.names[0]);
        if (!takes_no_name && !statement.names.empty()) {
          statement.kind = Statement::Kind::passed_over;
          made.passed_over.push_back({made.bindings.size(), std::move(statement)});
        }
        continue;
      }
      if (made.bindings.size() == kMostBindings)
        return Error{ErrorCode::limit, fmt::format("a document has at most {} bindings", kMostBindings), statement.span, {}};
      made.bindings.push_back(binding_of(std::move(statement), leading));
      leading = made.bindings.back().statement.span.end;
    }
    made.trailing = text_.substr(leading);
    return made;
  }

 private:
  std::string_view part(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }

  // An own line is what it says, whatever its expression is; any other line has to be a statement.
  Status check(const Statement& statement) const {
    if (!statement.unread.empty()) return Error{ErrorCode::parse, statement.unread, statement.expression, {}};
    TESSERA_CHECK(check_form(text_, statement));
    const bool written = first_word(part(statement.span)) == "assert" || is_own_line(text_, statement) || !statement.update.empty();
    if (written || !statement.type.empty() || parses(part(statement.expression))) return Done{};
    return Error{ErrorCode::parse,
                 fmt::format("this line is neither a binding nor a comment: {}", shown(statement.span)),
                 statement.span,
                 {"a line of a document reads: let name = expression"}};
  }

  // A name that an own line takes means one expression: the first that it is given to.
  Status take_names(const Statement& statement) {
    if (!statement.names.empty() && is_own_line(text_, statement)) {
      const auto first = first_lines_.find(statement.names[0]);
      if (first != first_lines_.end()) return bound_twice(text_, statement, first->second);
    }
    for (const std::string& name : statement.names) first_lines_.emplace(name, statement.line);
    return Done{};
  }

  Binding binding_of(Statement statement, std::size_t leading) const {
    Binding made;
    const std::size_t begin = statement.span.begin;
    made.leading = text_.substr(leading, begin - leading);
    made.text = part(statement.span);
    made.span = statement.expression;
    const bool is_range = statement.kind == Statement::Kind::parameter && statement.lower == statement.expression;
    if (is_range) made.span.end = statement.upper.end;
    made.span.end = std::min(made.span.end, statement.span.end);
    made.span.begin = std::min(made.span.begin, made.span.end);
    made.expression = part(made.span);
    made.expression_at = {made.span.begin - begin, made.span.end - begin};
    made.name = fmt::format("{}", fmt::join(statement.names, ", "));
    if (statement.names.size() == 1) made.name_at = name_in(made);
    made.statement = std::move(statement);
    return made;
  }

  // Where the name stands: in front of the expression, and behind it in C++'s typedef.
  static SourceSpan name_in(const Binding& binding) {
    const std::string_view text = binding.text, word = first_word(text);
    const auto is_here = [&](std::size_t at) {
      const std::size_t end = at + binding.name.size();
      return (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    };
    const std::size_t from = word == "typedef" ? binding.expression_at.end : 0;
    const std::size_t to = word == "typedef" ? text.size() : binding.expression_at.begin;
    for (std::size_t at = text.find(binding.name, word == "let" || word == "param" ? word.size() : from);
         at != std::string_view::npos && at + binding.name.size() <= to; at = text.find(binding.name, at + 1)) {
      if (is_here(at)) return {at, at + binding.name.size()};
    }
    return {};
  }

  Error no_document(const BadLine& first) const {
    Error error = first.error;
    error.message = fmt::format("more than {} lines are neither a binding nor a comment, so this is no document; line {}: {}",
                                kMostBadLines, first.line, first.error.message);
    return error;
  }

  std::string shown(SourceSpan span) const {
    constexpr std::size_t kLongest = 60;
    std::string_view line = part(span);
    line = line.substr(0, line.find('\n'));
    return std::string(line.substr(0, kLongest)) + (line.size() > kLongest ? "..." : "");
  }

  std::string_view text_;
  std::unordered_map<std::string, std::size_t> first_lines_;  // of names
};

// From the document's text into the expression.
void move_into(Error& error, const Binding& binding) {
  if (!error.span) return;
  const std::size_t size = binding.expression.size();
  const auto inside = [&](std::size_t at) { return at < binding.span.begin ? 0 : std::min(at - binding.span.begin, size); };
  const bool within = error.span->begin >= binding.span.begin && error.span->end <= binding.span.end + 1;
  if (error.fix) {
    const bool fits = error.fix->span.begin >= binding.span.begin && error.fix->span.end <= binding.span.end;
    if (fits)
      error.fix->span = {inside(error.fix->span.begin), inside(error.fix->span.end)};
    else
      error.fix.reset();
  }
  error.span =
      within ? SourceSpan{inside(error.span->begin), std::max(inside(error.span->end), inside(error.span->begin))} : SourceSpan{0, size};
}

Result<Value> value_of(StatementAnswer& answer) {
  if (answer.refused) return std::move(*answer.refused);
  if (answer.statement.kind == Statement::Kind::passed_over)
    return Error{ErrorCode::unknown_name, fmt::format("this line gives no value: it is {}", answer.statement.reason), {}, {}};
  if (answer.values.empty()) return Value{true};  // an assertion that holds, or a call whose value nobody takes
  if (answer.statement.names.size() < 2) return std::move(answer.values[0].second);
  std::vector<Value> parts;
  for (const auto& [name, value] : answer.values) parts.push_back(value);
  return make_tuple(std::move(parts));
}

}  // namespace

Result<Document> parse_document(std::string_view text) {
  if (text.size() > kLongestDocument) {
    return Error{ErrorCode::limit, fmt::format("the document has {} bytes; the limit is {}", text.size(), kLongestDocument), {}, {}};
  }
  return Reader(text).run();
}

std::string to_text(const Document& document) {
  std::string text;
  for (const Binding& binding : document.bindings) text += binding.leading + binding.text;
  return text + document.trailing;
}

namespace {

template <class Evaluate>
std::vector<EvaluatedBinding> evaluate_by(const Document& document, const Evaluate& evaluate_all) {
  const DefaultBudget budget;  // of the whole document: what is used up by one binding is missing to the next
  std::vector<Statement> statements;
  statements.reserve(document.bindings.size() + document.passed_over.size());
  std::vector<std::size_t> of_binding;  // where its statement is
  of_binding.reserve(document.bindings.size());
  auto passed = document.passed_over.begin();
  for (std::size_t i = 0; i <= document.bindings.size(); ++i) {
    for (; passed != document.passed_over.end() && passed->before == i; ++passed) statements.push_back(passed->statement);
    if (i == document.bindings.size()) break;
    of_binding.push_back(statements.size());
    statements.push_back(document.bindings[i].statement);
  }
  SnippetAnswer answer = evaluate_all(to_text(document), std::move(statements));
  std::vector<EvaluatedBinding> done;
  done.reserve(document.bindings.size());
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {
    const Binding& binding = document.bindings[i];
    StatementAnswer& each = answer.statements[of_binding[i]];
    if (!each.remark.empty()) each.warnings.push_back({ErrorCode::unknown_name, std::move(each.remark), {}, {}});
    Result<Value> value = value_of(each);
    EvaluatedBinding made{binding.name, std::move(value), std::move(each.warnings), {}, std::move(each.needs), each.range};
    if (!made.value) move_into(made.value.error(), binding);
    for (Error& warning : made.warnings) move_into(warning, binding);
    if (made.value && each.statement.names.size() > 1) made.parts = std::move(each.values);
    done.push_back(std::move(made));
  }
  // Where a symbol is met first, its likely value is said.
  const SymbolTable symbols(answer.symbols);
  std::unordered_set<const Symbol*> said;
  for (EvaluatedBinding& each : done) {
    for (const Symbol* symbol : symbols.among(each.needs)) {
      if (!said.insert(symbol).second) continue;
      each.warnings.push_back({ErrorCode::unknown_name,
                               fmt::format("{} is not given, and taken as {}, which is likely", symbol->name, symbol->likely),
                               {},
                               {fmt::format("write what it is above this line: let {} = {}", symbol->name, symbol->likely)}});
    }
  }
  return done;
}

}  // namespace

std::vector<EvaluatedBinding> evaluate(const Document& document) { return evaluate(document, Scope()); }

std::vector<EvaluatedBinding> evaluate(const Document& document, const Scope& above) {
  return evaluate_by(document, [&](const std::string& text, std::vector<Statement> statements) {
    return evaluate_statements(text, std::move(statements), {}, above);
  });
}

std::vector<EvaluatedBinding> evaluate(const Document& document, KnownValues& known) {
  return evaluate_by(document, [&](const std::string& text, std::vector<Statement> statements) {
    return evaluate_statements(text, std::move(statements), known);
  });
}

const EvaluatedBinding* find_binding(const std::vector<EvaluatedBinding>& bindings, std::string_view name) {
  if (name.empty()) return nullptr;
  const auto at = std::find_if(bindings.rbegin(), bindings.rend(), [&](const EvaluatedBinding& binding) {
    return binding.name == name ||
           std::any_of(binding.parts.begin(), binding.parts.end(), [&](const auto& part) { return part.first == name; });
  });
  return at == bindings.rend() ? nullptr : &*at;
}

std::size_t number_of(const std::vector<EvaluatedBinding>& bindings, const EvaluatedBinding& binding) {
  return static_cast<std::size_t>(&binding - bindings.data());
}

Scope scope_of(const std::vector<EvaluatedBinding>& bindings) {
  auto values = std::make_shared<std::unordered_map<std::string_view, const Value*>>();
  for (const EvaluatedBinding& binding : bindings) {  // the last of a name is what it means
    const Value* const value = binding.value ? &*binding.value : nullptr;
    if (!binding.name.empty()) values->insert_or_assign(binding.name, value);
    for (const auto& [name, part] : binding.parts) values->insert_or_assign(name, value ? &part : nullptr);
  }
  return [values](std::string_view name) {
    const auto found = values->find(name);
    return found == values->end() ? nullptr : found->second;
  };
}

const Value* find_value(const std::vector<EvaluatedBinding>& bindings, std::string_view name) {
  const EvaluatedBinding* const binding = find_binding(bindings, name);
  if (!binding || !binding->value) return nullptr;
  for (const auto& [part, value] : binding->parts) {
    if (part == name) return &value;
  }
  return &*binding->value;
}

std::string place_of(const Binding& binding) {
  return fmt::format("{}: {}", binding.statement.line, heading(binding.text, binding.statement));
}

namespace {

const Binding* parameter_of(const Document& document, std::string_view name) {
  const auto found = std::find_if(document.bindings.begin(), document.bindings.end(), [&](const Binding& each) {
    return each.statement.kind == Statement::Kind::parameter && each.name == name;
  });
  return found == document.bindings.end() ? nullptr : &*found;
}

}  // namespace

bool has_parameter(const Document& document, std::string_view name) { return parameter_of(document, name) != nullptr; }

Result<Document> with_parameters(Document document, const GivenValues& given) {
  if (given.empty()) return document;
  std::string text = to_text(document);
  std::vector<std::pair<SourceSpan, std::string>> edits;
  for (const auto& [name, value] : given) {
    const Binding* parameter = parameter_of(document, name);
    if (!parameter) {
      std::vector<std::string> names;
      for (const Binding& each : document.bindings) {
        if (each.statement.kind == Statement::Kind::parameter) names.push_back(each.name);
      }
      return Error{ErrorCode::unknown_name,
                   fmt::format("the document has no parameter {}", name),
                   {},
                   {names.empty() ? "a value from outside is one of a line such as `param pad = 4 in 0..8`; this document has none"
                                  : fmt::format("its parameters: {}", fmt::join(names, ", "))}};
    }
    const Statement& statement = parameter->statement;
    const std::string range = text.substr(statement.lower.begin, statement.upper.end - statement.lower.begin);
    edits.emplace_back(statement.span, fmt::format("param {} = {} in {}", name, value, range));
  }
  std::sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  for (const auto& [span, line] : edits) text.replace(span.begin, span.end - span.begin, line);
  return parse_document(text);
}

}  // namespace tessera
