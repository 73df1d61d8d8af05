// SPDX-License-Identifier: BSD-3-Clause
// The session's bookkeeping: evaluation after every change, undo, kept figures, and the file.
#include "app/session/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/session/document_io.hpp"
#include "app/session/lineage.hpp"
#include "core/lang/suggest.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostKeptFigures = 256;
constexpr int kMostSuggested = 3;  // refusals that are looked at after each change: one takes up to a tenth of a second

// The first refusals say what was meant. A fix that brings a binding of its own is no expression, and gets no place in this one.
void suggest_first(const Document& document, std::vector<EvaluatedBinding>& bindings) {
  int looked_at = 0;
  for (std::size_t i = 0; i < bindings.size() && looked_at < kMostSuggested; ++i) {
    if (bindings[i].value) continue;
    Error& error = bindings[i].value.error();
    const auto named = [&](std::string_view name, std::size_t end) {
      return std::find_if(bindings.begin(), bindings.begin() + static_cast<std::ptrdiff_t>(end),
                          [&](const EvaluatedBinding& each) { return each.name == name; });
    };
    if (!error.missing.empty() && named(error.missing, bindings.size()) != bindings.end())
      continue;  // it is refused itself, or further down
    ++looked_at;
    const Scope above = [&](std::string_view name) -> const Value* {
      const auto found = named(name, i);
      return found != bindings.begin() + static_cast<std::ptrdiff_t>(i) && found->value ? &*found->value : nullptr;
    };
    suggest(error, document.bindings[i].expression, above);
    if (error.fix && error.fix->replacement.find('\n') != std::string::npos) error.fix.reset();
  }
}

}  // namespace

Status Session::open(const std::filesystem::path& path) {
  TESSERA_TRY(contents, read_contents(path, kLargestDocument));
  TESSERA_TRY(document, document_of(path, contents.bytes));
  path_ = path;
  title_ = path.filename().string();
  start_with(std::move(document));
  file_ = Clean{std::move(contents.facts)};
  warning_ = unfinished_end(document_);
  if (Result<std::vector<Recovery>> found = find_recoveries(path, contents.bytes))
    recoveries_ = std::move(*found);
  else
    recoveries_refused_ = found.error();
  return Done{};
}

Status Session::open_text(std::string_view text, std::string title) {
  TESSERA_TRY(document, parse_document(text));
  path_.reset();
  title_ = std::move(title);
  start_with(std::move(document));
  return Done{};
}

const EvaluatedBinding* Session::find(std::string_view name) const { return find_binding(bindings_, name); }

std::string_view Session::expression(std::string_view name) const {
  const EvaluatedBinding* const found = find(name);
  return found ? document_.bindings[static_cast<std::size_t>(found - bindings_.data())].expression : std::string_view();
}

bool Session::related(std::string_view a, std::string_view b) const {
  if (a == b) return true;
  const EvaluatedBinding *const one = find(a), *const other = find(b);
  if (!one || !other) return false;
  const auto number = [&](const EvaluatedBinding* binding) { return static_cast<std::size_t>(binding - bindings_.data()); };
  const auto [kept, is_new] = related_.emplace(std::pair(std::string(a), std::string(b)), false);
  if (is_new) kept->second = tessera::related(document_, number(one), number(other));
  return kept->second;
}

std::string Session::value_text(std::string_view name) const {
  const Value* value = find_value(bindings_, name);
  return value ? to_string(*value) : "";
}

const Result<Scene>& Session::figure(std::string_view name, const FigureOptions& options) const {
  FigureKey key{std::string(name), options};
  if (const auto kept = figures_.find(key); kept != figures_.end()) return kept->second.scene;
  const EvaluatedBinding* binding = find(name);
  const auto make = [&]() -> Result<Scene> {
    if (!binding) return Error{ErrorCode::unknown_name, fmt::format("there is no binding \"{}\"", name), {}, {}};
    if (!binding->value) return binding->value.error();
    if (!binding->needs.empty()) return needs_values(binding->needs);
    return figure_of(*find_value(bindings_, name), expression(name), options);
  };
  return figures_.emplace(std::move(key), KeptFigure{value_text(name), make()}).first->second.scene;
}

Status Session::run(const Command& command, bool merge) {
  TESSERA_TRY(document, tessera::apply(document_, command));  // std::apply would be found for the variant
  std::string label = describe(command);
  const bool merged = merge && merging_ && !undo_.empty() && undo_.back().label == label;
  if (!merged) {
    undo_.push_back({document_, std::move(label), revision_});
    if (undo_.size() > kMostUndoSteps) undo_.erase(undo_.begin());
  }
  merging_ = merge;
  redo_.clear();
  adopt(std::move(document), ++last_revision_);
  return Done{};
}

bool Session::undo() {
  if (undo_.empty()) return false;
  Step step = std::move(undo_.back());
  undo_.pop_back();
  redo_.push_back({document_, step.label, revision_});
  merging_ = false;
  adopt(std::move(step.document), step.revision);
  return true;
}

bool Session::redo() {
  if (redo_.empty()) return false;
  Step step = std::move(redo_.back());
  redo_.pop_back();
  undo_.push_back({document_, step.label, revision_});
  merging_ = false;
  adopt(std::move(step.document), step.revision);
  return true;
}

// A document that was just read: nothing to undo, nothing to save.
void Session::start_with(Document document) {
  undo_.clear();
  redo_.clear();
  warning_.clear();
  file_ = Unsaved{};
  autosave_ = Autosave();  // what the last document's holds is for its next opening
  recoveries_.clear();
  recovered_.clear();
  recoveries_refused_.reset();
  adopt(std::move(document), ++last_revision_);
  saved_revision_ = revision_;
}

void Session::adopt(Document document, std::uint64_t revision) {
  document_ = std::move(document);
  revision_ = revision;
  bindings_ = evaluate(document_);
  suggest_first(document_, bindings_);
  related_.clear();
  if (figures_.size() > kMostKeptFigures) figures_.clear();
  std::erase_if(figures_, [&](const auto& kept) {
    const EvaluatedBinding* binding = find(kept.first.name);
    return !binding || !binding->value || !kept.second.scene || value_text(kept.first.name) != kept.second.made_of;
  });
}

}  // namespace tessera
