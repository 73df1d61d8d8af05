// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/source_file.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/base/file.hpp"
#include "core/lang/programs/symbol_table.hpp"
#include "core/lang/programs/trace.hpp"
#include "core/lang/programs/traced.hpp"
#include "core/lang/syntax/language.hpp"

namespace tessera {
namespace {

constexpr std::size_t kLongestTrace = std::size_t{64} << 20;  // bytes
constexpr std::size_t kMostNamed = 6;                         // errors and guesses that are named

std::string some_of(const std::vector<std::string>& all) {
  const std::vector<std::string> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostNamed)));
  return fmt::format("{}{}", fmt::join(first, "; "),
                     all.size() > first.size() ? fmt::format("; and {} more", all.size() - first.size()) : "");
}

void note_trace(const Trace& trace, const std::string& path, std::vector<std::string>& notes) {
  if (!trace.ended) notes.push_back(fmt::format("{} has no end: the program did not finish, and what it wrote before is shown", path));
  if (trace.dropped > 0) notes.push_back(fmt::format("{} leaves out {} rows beyond its limit", path, trace.dropped));
  if (trace.unread > 0)
    notes.push_back(fmt::format("{} line{} of {} {} no row, and left out", trace.unread, trace.unread == 1 ? "" : "s", path,
                                trace.unread == 1 ? "is" : "are"));
  if (!trace.errors.empty()) notes.push_back(fmt::format("the traced program failed: {}", some_of(trace.errors)));
  if (!trace.guessed.empty())
    notes.push_back(fmt::format("the trace stands on values that were not there and were made up: {}", some_of(trace.guessed)));
}

Status lay_trace(SourceFile& file, const std::string& source, const SourceWish& wish, const std::string& path) {
  TESSERA_TRY(bytes, read_file(path, kLongestTrace));
  TESSERA_TRY(trace, read_trace(bytes));
  TESSERA_TRY(objects, traced_in(trace, source, file.text));
  auto given = wish.given;
  std::vector<std::string> from_trace;
  for (auto& [name, text] : values_for(file.explanation.symbols, objects)) {
    from_trace.push_back(name);
    given.emplace_back(std::move(name), std::move(text));
  }
  if (!from_trace.empty()) file.explanation = explain(file.text, given, dialect_of_file(source), file.included.scope(), wish.entries);
  lay_over(file.explanation, objects, from_trace);
  std::erase_if(file.explanation.unused,
                [&](const Unused& each) { return std::find(from_trace.begin(), from_trace.end(), each.name) != from_trace.end(); });
  note_trace(trace, path, file.notes);
  file.trace = path;
  return Done{};
}

// The names of an expression: a, self.b, Traits::c.
std::vector<SourceSpan> names_in(std::string_view expression) {
  std::vector<SourceSpan> names;
  for (std::size_t at = 0; at < expression.size();) {
    if (!is_letter(expression[at])) {
      const bool number = is_digit(expression[at]);  // 1x is no name
      ++at;
      while (number && at < expression.size() && is_word(expression[at])) ++at;
      continue;
    }
    const std::size_t begin = at;
    const auto joined = [&](std::string_view by) {
      return expression.substr(at).starts_with(by) && at + by.size() < expression.size() && is_letter(expression[at + by.size()]);
    };
    while (at < expression.size() && (is_word(expression[at]) || joined("::") || joined("."))) at += joined("::") ? 2 : 1;
    names.push_back({begin, at});
  }
  return names;
}

class Naming {
 public:
  Naming(const SourceFile& file, std::size_t line) : file_(file), line_(line) {
    for (const Explained& each : file.explanation.objects) {
      for (const std::string_view name : std::set<std::string_view>{each.name, last_part(each.name)})
        all_[std::string(name)].push_back(&each);
    }
  }

  Result<SourceExpression> name(std::string_view expression) {
    std::map<std::size_t, std::vector<std::string>> lines;
    std::set<std::string> bound;
    std::size_t from = 0;
    for (const SourceSpan span : names_in(expression)) {
      const std::string_view name = expression.substr(span.begin, span.end - span.begin);
      TESSERA_TRY(value, value_of(name));
      if (!value.first) continue;
      const std::string own(last_part(name));
      made_.expression += std::string(expression.substr(from, span.begin - from)) + own;
      from = span.end;
      if (bound.insert(own).second) lines[value.second].push_back(fmt::format("let {} = {}", own, text_again(*value.first)));
    }
    made_.expression += expression.substr(from);
    std::size_t at = 1;
    for (const auto& [line, texts] : lines) {
      for (const std::string& text : texts) {
        for (; at < line; ++at) made_.document += '\n';
        made_.document += text + "\n";
        ++at;
      }
    }
    mark();
    return std::move(made_);
  }

 private:
  // The value, and its line; null where the file gives the name none.
  Result<std::pair<const Value*, std::size_t>> value_of(std::string_view name) {
    const auto found = all_.find(name);
    const Explained* last = nullptr;
    for (const Explained* each : found == all_.end() ? std::vector<const Explained*>() : found->second) {
      if (line_ == 0 || each->line <= line_) last = each;
    }
    if (last) {
      made_.names.push_back(last);
      several(name, found->second, *last);
      return std::pair(&last->value, last->line);
    }
    for (const Unexplained& each : file_.explanation.unexplained) {
      if (each.name != name || (line_ > 0 && each.line > line_)) continue;
      return Error{ErrorCode::unknown_name, fmt::format("{} of line {} has no value: {}", name, each.line, each.message), {}, {}};
    }
    for (const TracedText& each : file_.explanation.traced) {
      if (each.name == name && (line_ == 0 || each.line <= line_))
        return Error{
            ErrorCode::not_representable, fmt::format("{} of line {} was traced as {}: {}", name, each.line, each.words, each.why), {}, {}};
    }
    if (found != all_.end())
      return Error{ErrorCode::unknown_name,
                   fmt::format("{} gets its first value in line {}, behind line {}", name, found->second.front()->line, line_),
                   {},
                   {}};
    const Value* const included = file_.included.scope()(name);
    return std::pair(included, std::size_t{1});
  }

  void several(std::string_view name, const std::vector<const Explained*>& all, const Explained& taken) {
    std::set<std::string> values;
    std::set<std::size_t> lines;
    for (const Explained* each : all) {
      values.insert(to_string(each->value));
      lines.insert(each->line);
    }
    if (values.size() < 2) return;
    made_.notes.push_back(fmt::format("{} has {} values, of line{} {}; taken is the one of line {}, {}: --line N takes the last before it",
                                      name, values.size(), lines.size() == 1 ? "" : "s", fmt::join(lines, ", "), taken.line,
                                      to_string(taken.value)));
  }

  void mark() {
    std::vector<std::string> needs;
    std::set<std::string> given;
    bool traced = false;
    for (const Explained* each : made_.names) {
      needs.insert(needs.end(), each->needs.begin(), each->needs.end());
      given.insert(each->given.begin(), each->given.end());
      traced = traced || each->source == ValueSource::traced;
    }
    std::vector<std::string> words;
    if (traced) words.push_back("traced");
    if (!given.empty()) words.push_back(fmt::format("with {} as given", fmt::join(given, ", ")));
    if (!needs.empty())
      words.push_back(fmt::format("likely: if {}", fmt::join(guesses_of(needs, SymbolTable(file_.explanation.symbols)), ", ")));
    made_.mark = fmt::format("{}", fmt::join(words, "; "));
  }

  const SourceFile& file_;
  std::size_t line_;
  std::map<std::string, std::vector<const Explained*>, std::less<>> all_;
  SourceExpression made_;
};

}  // namespace

std::string_view last_part(std::string_view name) {
  const std::size_t colon = name.rfind("::"), dot = name.rfind('.');
  if (colon != std::string_view::npos) return name.substr(colon + 2);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string text_again(const Value& value) {
  const std::string text = to_string(value);
  const Element& element = value.element;
  if (!element.type || (element.space != MemorySpace::smem && element.space != MemorySpace::gmem)) return text;
  const bool is_layout = std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any);
  const auto* tensor = std::get_if<Tensor>(&value.any);
  if (!is_layout && !(tensor && tensor->offset == IntTuple(0) && !tensor->part)) return text;
  return fmt::format("make_tensor(make_{}mem_ptr<{}>(0), {})", element.space == MemorySpace::smem ? 's' : 'g', cute_name(*element.type),
                     text);
}

Result<SourceFile> open_source(const std::string& path, std::string text, const SourceWish& wish) {
  const bool from_stdin = path == "-";
  SourceFile file;
  file.text = std::move(text);
  if (!from_stdin) file.included = included_names(path, file.text);
  file.explanation =
      explain(file.text, wish.given, from_stdin ? std::optional<Dialect>() : dialect_of_file(path), file.included.scope(), wish.entries);
  TESSERA_CHECK(check_entries(wish.entries, file.explanation.called));
  if (!wish.trace.empty()) {
    TESSERA_CHECK(lay_trace(file, path, wish, wish.trace));
    return file;
  }
  const std::string beside = path + ".trace";
  std::error_code ignored;
  if (from_stdin || !std::filesystem::is_regular_file(beside, ignored)) return file;
  if (const Status laid = lay_trace(file, path, wish, beside); !laid)
    file.notes.push_back(fmt::format("{} is left out: {}", beside, laid.error().message));
  return file;
}

Result<SourceExpression> expression_in(const SourceFile& file, std::string_view expression, std::size_t line) {
  return Naming(file, line).name(expression);
}

}  // namespace tessera
