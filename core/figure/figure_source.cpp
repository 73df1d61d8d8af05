// SPDX-License-Identifier: BSD-3-Clause
// The lines that an expression needs, by the names that stand in it.
#include "core/figure/figure_source.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/document/lineage.hpp"
#include "core/lang/statements/statements.hpp"

namespace tessera {
namespace {

// `let` and `param` bind a name once, and `assert` none: then a value depends on nothing but the words of its expression.
bool all_own(const Document& document) {
  const std::string text = to_text(document);
  return document.passed_over.empty() && std::all_of(document.bindings.begin(), document.bindings.end(), [&](const Binding& binding) {
           return binding.statement.names.empty() || is_own_line(text, binding.statement);
         });
}

struct Lines {
  std::string text;
  std::int64_t count = 0;
  void add(const Binding& binding) {
    text += std::string(trimmed(binding.text)) + "\n";
    ++count;
  }
};

// The lines before `end` that the expression needs, in their order.
Lines needed_lines(const Document& document, std::size_t end, std::string_view expression) {
  Lines lines;
  for (const std::size_t i : needed_bindings(document, end, expression)) lines.add(document.bindings[i]);
  return lines;
}

}  // namespace

Source source_of(std::string_view expression) {
  Source source;
  source.version = TESSERA_VERSION;
  source.expression = expression;
  return source;
}

Source source_of(const Document& document, std::size_t binding) {
  const Binding& drawn = document.bindings[binding];
  Source source = source_of(drawn.expression);
  if (!all_own(document)) {
    source.document = to_text(document);
    source.binding = static_cast<std::int64_t>(binding);
    return source;
  }
  Lines lines = needed_lines(document, binding, drawn.expression);
  source.binding = lines.count;
  lines.add(drawn);  // its name is a part of some values: a GEMM's
  source.document = std::move(lines.text);
  return source;
}

Source source_of(const Document& document, std::string_view expression) {
  Source source = source_of(expression);
  source.document = all_own(document) ? needed_lines(document, document.bindings.size(), expression).text : to_text(document);
  return source;
}

Source with_options(Source source, const FigureOptions& options) {
  source.kind = options.kind;
  source.palette = options.palette;
  source.title = options.title;
  source.parameters = options.parameters;
  source.modes = options.modes;
  source.style.clear();
  if (options.style != FigureStyle::tessera) source.style = name_of(options.style);
  return source;
}

Result<SourceValue> evaluate(const Source& source) {
  SourceValue made;
  made.expression = source.expression;
  if (source.document.empty()) {
    TESSERA_TRY(value, evaluate(source.expression, {}, &made.warnings));
    made.value = std::move(value);
    return made;
  }
  TESSERA_TRY(document, parse_document(source.document));
  std::vector<EvaluatedBinding> bindings = evaluate(document);
  if (source.binding) {
    const auto at = static_cast<std::size_t>(*source.binding);
    if (at >= bindings.size()) {
      return Error{ErrorCode::corrupt, fmt::format("the source draws binding {} of a document that has {}", at, bindings.size()), {}, {}};
    }
    const EvaluatedBinding& drawn = bindings[at];
    TESSERA_CHECK(drawn.value);
    made = {document.bindings[at].expression, drawn.name, *drawn.value, drawn.warnings, drawn.needs};
    made.bindings = std::move(bindings);
    return made;
  }
  TESSERA_TRY(value, evaluate(source.expression, scope_of(bindings), &made.warnings));
  // A name that was drawn is named by its expression.
  if (const EvaluatedBinding* const bound = find_binding(bindings, source.expression)) {
    const auto at = number_of(bindings, *bound);
    made.expression = document.bindings[at].expression;
    made.needs = bound->needs;
  }
  made.value = std::move(value);
  made.bindings = std::move(bindings);
  return made;
}

std::vector<std::vector<std::size_t>> kin_of(const std::vector<Source>& sources) {
  // The names that a source's lines bind; a document of other lines than our own stands there whole.
  std::vector<std::set<std::string>> bound(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Result<Document> document = parse_document(sources[i].document);
    if (!document) continue;
    for (const Binding& binding : document->bindings) bound[i].insert(binding.statement.names.begin(), binding.statement.names.end());
  }
  std::vector<std::vector<std::size_t>> kin(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < sources.size() && !late(); ++j) {
      const auto shared = [&](const std::string& name) { return bound[j].count(name) > 0; };
      if (i != j && std::any_of(bound[i].begin(), bound[i].end(), shared)) kin[i].push_back(j);
    }
  }
  return kin;
}

}  // namespace tessera
