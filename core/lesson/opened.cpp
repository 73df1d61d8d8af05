// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/opened.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lesson/read.hpp"

namespace tessera::lesson {
namespace {

// The first definition that cannot be read, or has no value; its span counts in the document.
Status check_values(const Document& document, const std::vector<EvaluatedBinding>& values) {
  if (!document.bad_lines.empty()) {
    Error error = document.bad_lines.front().error;
    if (!error.span) error.span = document.bad_lines.front().span;
    return error;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].value) continue;
    const Binding& binding = document.bindings[i];
    return moved(values[i].value.error(), {binding.expression, binding.span.begin});
  }
  return Done{};
}

}  // namespace

std::vector<std::string> instead_of(std::string_view name, const std::vector<std::string>& known, std::string_view words) {
  std::vector<std::string> notes = nearest_of(name, known);
  notes.push_back(fmt::format("{} {}", words, fmt::join(known, ", ")));
  return notes;
}

Result<OpenLesson> OpenLesson::open(std::string_view text) {
  TESSERA_TRY(read, read_lesson(text));
  OpenLesson opened(std::move(read));
  // The lesson's text with everything but its definitions blanked out: places in it are places in the lesson.
  std::string definitions;
  for (const char c : opened.lesson_.text) definitions += c == '\n' ? '\n' : ' ';
  auto values = std::make_shared<const Values>();
  for (const Part& part : opened.lesson_.parts) {
    opened.above_.push_back(values);
    const auto* bind = std::get_if<Bind>(&part);
    if (!bind) continue;
    definitions.replace(bind->tess.at, bind->tess.text.size(), bind->tess.text);
    const Budget budget;
    Result<Document> document = parse_document(definitions);
    if (!document) return placed(std::move(document).error(), opened.lesson_.text);
    auto evaluated = std::make_shared<Values>(evaluate(*document));
    if (Status status = check_values(*document, *evaluated); !status) return placed(std::move(status).error(), opened.lesson_.text);
    values = std::move(evaluated);
  }
  return opened;
}

Scope OpenLesson::above(std::size_t part) const { return tessera::scope_of(*above_.at(part)); }

std::vector<std::string> OpenLesson::ids() const {
  std::vector<std::string> ids;
  for (const Part& part : lesson_.parts) {
    if (const auto* ask = std::get_if<Ask>(&part)) ids.push_back(ask->id);
  }
  return ids;
}

Result<std::size_t> OpenLesson::find_vary(std::int64_t n) const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < lesson_.parts.size(); ++i) {
    const auto* vary = std::get_if<Vary>(&lesson_.parts[i]);
    if (!vary || ++count != n) continue;
    if (!vary->truth.empty()) return i;
    return Error{ErrorCode::unknown_name, fmt::format("vary {} of the lesson asks nothing: it has no truth", n), {}, {}};
  }
  return Error{ErrorCode::unknown_name, fmt::format("the lesson has no vary {}: it has {}", n, count), {}, {}};
}

Result<std::size_t> OpenLesson::find(std::string_view id) const {
  for (std::size_t i = 0; i < lesson_.parts.size(); ++i) {
    const auto* ask = std::get_if<Ask>(&lesson_.parts[i]);
    if (ask && ask->id == id) return i;
  }
  const std::vector<std::string> known = ids();
  std::vector<std::string> notes = instead_of(id, known, "its questions are");
  if (known.empty()) notes = {"this lesson asks nothing"};
  return Error{ErrorCode::unknown_name, fmt::format("the lesson has no question {}", id), {}, std::move(notes)};
}

}  // namespace tessera::lesson
