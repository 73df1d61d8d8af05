// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/document/changes.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/dialect.hpp"

namespace tessera {
namespace {

using statement_text::first_word;

SourceSpan moved(SourceSpan span, std::size_t back, std::size_t forth) { return {span.begin - back + forth, span.end - back + forth}; }

void move_statement(Statement& statement, std::size_t back, std::size_t forth) {
  // Places that are not written are zero in every text.
  for (SourceSpan* span : {&statement.expression, &statement.lower, &statement.upper, &statement.span}) {
    if (span->begin != 0 || span->end != 0) *span = moved(*span, back, forth);
  }
}

// ---- reading ---------------------------------------------------------------------------------------------------------------------------

// An expression that ends where it ends, whatever stands around it, and that makes no other language of the text.
bool stands_alone(std::string_view expression) {
  std::string open;
  for (const char c : expression) {
    if (c < ' ' || c == '"' || c == '\'' || c == '#' || c == ';' || c == '\\' || c == '`') return false;
    if (statement_text::opens(c)) open += c == '(' ? ')' : c == '[' ? ']' : '}';
    if (!statement_text::closes(c)) continue;
    if (open.empty() || open.back() != c) return false;
    open.pop_back();
  }
  const auto has = [&](std::string_view words) { return expression.find(words) != std::string_view::npos; };
  return open.empty() && !expression.empty() && !has("//") && !has("/*") && !has("*/") && dialect_of(expression) == Dialect::ours;
}

// What stands behind an expression in its line: nothing, or a comment that is one in every language.
bool is_plain_line_end(std::string_view behind) {
  const std::string_view line = behind.substr(0, behind.find('\n'));
  const std::string_view rest = trimmed(line);
  return rest.empty() || (is_space(line.front()) && rest.front() == '#');
}

}  // namespace

std::optional<Document> with_expression(const Document& document, std::size_t number, std::string_view expression) {
  const Binding& binding = document.bindings[number];
  const bool is_let =
      binding.text.starts_with("let ") && binding.statement.kind == Statement::Kind::bind && binding.statement.names.size() == 1;
  if (!is_let || !document.bad_lines.empty() || !document.passed_over.empty()) return std::nullopt;
  if (binding.expression_at.end != binding.text.size() || !is_space(binding.text[binding.expression_at.begin - 1])) return std::nullopt;
  const bool last = number + 1 == document.bindings.size();
  const std::string_view behind = last ? document.trailing : document.bindings[number + 1].leading;
  if (!is_plain_line_end(behind) || !stands_alone(binding.expression) || !stands_alone(expression)) return std::nullopt;
  const std::string all = to_text(document);
  if (dialect_of(all) != Dialect::ours) return std::nullopt;
  const std::string line = binding.text.substr(0, binding.expression_at.begin) + std::string(expression);
  const Result<Document> read = parse_document(line);
  if (!read || read->bindings.size() != 1 || !read->bad_lines.empty() || !read->passed_over.empty()) return std::nullopt;
  if (read->bindings[0].name != binding.name || read->bindings[0].text != line || dialect_of(line) != Dialect::ours) return std::nullopt;
  Document made = document;
  Binding& changed = made.bindings[number];
  const std::size_t begin = binding.statement.span.begin, at_line = binding.statement.line;
  std::string leading = std::move(changed.leading);
  changed = read->bindings[0];
  changed.leading = std::move(leading);
  changed.statement.line = at_line;
  changed.span = moved(changed.span, 0, begin);
  move_statement(changed.statement, 0, begin);
  for (std::size_t i = number + 1; i < made.bindings.size(); ++i) {
    made.bindings[i].span = moved(made.bindings[i].span, binding.text.size(), line.size());
    move_statement(made.bindings[i].statement, binding.text.size(), line.size());
  }
  return made;
}

// ---- evaluating ------------------------------------------------------------------------------------------------------------------------

namespace {

// The part of a text in which names are used: behind the name that it binds.
std::string_view uses_of(const Binding& binding) {
  return std::string_view(binding.text).substr(binding.statement.names.size() == 1 ? binding.name_at.end : 0);
}

// Calls use(word) for every word, whatever it is there: a name, a function, a piece of a string. True where all of them give true.
template <class Use>
bool all_words(std::string_view text, Use use) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i && !use(text.substr(i, end - i))) return false;
    i = end + (end == i);
  }
  return true;
}

class Changes {
 public:
  Changes(const Document& before, const Document& now, const std::vector<EvaluatedBinding>& values)
      : before_(before), now_(now), values_(values) {}

  std::optional<std::vector<ChangedValue>> find() {
    if (!apply()) return std::nullopt;
    return std::move(made_);
  }

 private:
  bool apply() {
    constexpr std::ptrdiff_t kMostRefused = 100;  // so many share the time for looking for names that were meant
    if (std::count_if(values_.begin(), values_.end(), [](const EvaluatedBinding& each) { return !each.value; }) > kMostRefused)
      return false;
    if (!same_lines()) return false;
    if (std::find(changed_.begin(), changed_.end(), true) == changed_.end()) return true;
    find_binders();
    if (!find_stale()) return false;
    return evaluate_stale();
  }

  const Binding& at(std::size_t i) const { return now_.bindings[i]; }

  // The same statements with the same names at the same lines; what differs is the text of some.
  bool same_lines() {
    const std::size_t count = now_.bindings.size();
    if (before_.bindings.size() != count || values_.size() != count || before_.trailing != now_.trailing) return false;
    if (before_.passed_over.size() != now_.passed_over.size() || before_.bad_lines.size() != now_.bad_lines.size()) return false;
    changed_.resize(count);
    bool own = true;
    for (std::size_t i = 0; i < count; ++i) {
      const Binding &was = before_.bindings[i], &is = at(i);
      const Statement &old = was.statement, &now = is.statement;
      if (was.leading != is.leading || old.names != now.names || old.kind != now.kind || old.line != now.line) return false;
      changed_[i] = was.text != is.text;
      if (!changed_[i] && (was.expression_at.begin != is.expression_at.begin || was.expression_at.end != is.expression_at.end))
        return false;
      own = own && is_own(i);
    }
    // Between lines of another language the whole text decides how they are read.
    return own || dialect_of(to_text(before_)) == dialect_of(to_text(now_));
  }

  bool is_own(std::size_t i) const {
    const std::string_view word = first_word(at(i).text);
    const Statement::Kind kind = at(i).statement.kind;
    return (word == "let" && (kind == Statement::Kind::bind || kind == Statement::Kind::function)) ||
           (word == "param" && kind == Statement::Kind::parameter);
  }
  bool is_assertion(std::size_t i) const { return at(i).statement.kind == Statement::Kind::check && first_word(at(i).text) == "assert"; }
  bool is_stale(std::size_t i) const { return std::binary_search(stale_.begin(), stale_.end(), i); }

  void bind(const std::string& name, std::size_t i) {
    const auto [found, is_new] = binders_.emplace(name, i);
    if (!is_new) found->second = kUnsure;
  }
  void find_binders() {
    binders_.reserve(2 * now_.bindings.size());
    const auto assigned = [&](const Statement& statement) {
      for (const Assigned& each : statement.assigns) binders_[each.name] = kUnsure;
      for (const std::string& shared : statement.shares) binders_[shared] = kUnsure;
    };
    for (std::size_t i = 0; i < now_.bindings.size(); ++i) {
      for (const std::string& name : at(i).statement.names) bind(name, i);
    }
    for (const Binding& binding : now_.bindings) assigned(binding.statement);
    for (const PassedOver& each : now_.passed_over) {
      assigned(each.statement);
      for (const std::string& name : each.statement.names) binders_[name] = kUnsure;
    }
  }

  // Can this be evaluated beside the others, with the values of the names above it?
  bool is_sure(std::size_t i) const {
    const Statement& statement = at(i).statement;
    const EvaluatedBinding& value = values_[i];
    const bool kind = is_own(i) ? statement.names.size() == 1 && at(i).name_at.end > 0 && statement.update.empty() : is_assertion(i);
    if (!kind || !value.warnings.empty() || !value.needs.empty() || !value.parts.empty()) return false;
    if (statement.names.size() == 1 && binders_.at(statement.names[0]) != i) return false;
    for (const SourceSpan& span : {statement.expression, statement.lower, statement.upper}) {
      const bool written = span.begin != 0 || span.end != 0;
      if (written && (span.begin < statement.span.begin || span.end > statement.span.end)) return false;
    }
    return all_words(uses_of(at(i)), [&](std::string_view word) {
      const auto found = binders_.find(std::string(word));
      if (found == binders_.end()) return true;
      const std::size_t by = found->second;
      if (by == kUnsure || by >= i) return false;
      return is_stale(by) || (values_[by].value && values_[by].needs.empty() && values_[by].parts.empty());
    });
  }

  bool find_stale() {
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < now_.bindings.size(); ++i) {
      const bool uses = !names.empty() && !all_words(uses_of(at(i)), [&](std::string_view word) { return !names.contains(word); });
      if (!uses && !changed_[i]) continue;
      if (!is_sure(i)) return false;
      stale_.push_back(i);
      names.insert(at(i).statement.names.begin(), at(i).statement.names.end());
    }
    return true;
  }

  bool evaluate_stale() {
    std::string text;
    std::vector<Statement> statements;
    for (const std::size_t i : stale_) {
      Statement statement = at(i).statement;
      move_statement(statement, statement.span.begin, text.size());
      statements.push_back(std::move(statement));
      text += at(i).text + '\n';
    }
    if (dialect_of(text) != Dialect::ours) return false;
    const bool asserts = std::any_of(stale_.begin(), stale_.end(), [&](std::size_t i) { return is_assertion(i); });
    if (asserts && dialect_of(to_text(now_)) != Dialect::ours) return false;
    const Scope above = [&](std::string_view name) -> const Value* {
      const auto found = binders_.find(std::string(name));
      if (found == binders_.end() || found->second == kUnsure) return nullptr;
      const Result<Value>& value = values_[found->second].value;
      return is_stale(found->second) || !value ? nullptr : &*value;
    };
    SnippetAnswer answer = evaluate_statements(text, std::move(statements), {}, above);
    if (answer.statements.size() != stale_.size()) return false;
    for (const StatementAnswer& each : answer.statements) {
      if (each.refused || !each.warnings.empty() || !each.needs.empty() || !each.doubts.empty() || !each.remark.empty()) return false;
      if (each.statement.kind == Statement::Kind::passed_over) return false;
    }
    for (std::size_t k = 0; k < stale_.size(); ++k) {
      StatementAnswer& made = answer.statements[k];
      made_.push_back({stale_[k], made.values.empty() ? Value{true} : std::move(made.values[0].second), made.range});
    }
    return true;
  }

  static constexpr std::size_t kUnsure = static_cast<std::size_t>(-1);

  const Document &before_, &now_;
  const std::vector<EvaluatedBinding>& values_;
  std::vector<bool> changed_;
  std::unordered_map<std::string, std::size_t> binders_;  // which binding gives a name its value
  std::vector<std::size_t> stale_;                        // to be evaluated again, in their order
  std::vector<ChangedValue> made_;
};

}  // namespace

std::optional<std::vector<ChangedValue>> changed_values(const Document& before, const Document& now,
                                                        const std::vector<EvaluatedBinding>& values) {
  return Changes(before, now, values).find();
}

}  // namespace tessera
