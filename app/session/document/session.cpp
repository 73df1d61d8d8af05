// SPDX-License-Identifier: BSD-3-Clause
// The session's bookkeeping: evaluation after every change, undo, kept figures, and the file.
#include "app/session/document/session.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/files/share_text.hpp"
#include "core/lang/document/lineage.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostKeptFigures = 256;

}  // namespace

Status Session::open(const std::filesystem::path& path) {
  if (is_share_text(path.native())) {
    TESSERA_TRY(shared, load_document(path));
    return open_text(to_text(shared), kSharedTitle);
  }
  TESSERA_TRY(contents, read_contents(path, kLargestDocument));
  TESSERA_TRY(document, document_of(path, contents.bytes));
  path_ = path;
  title_ = path.filename().string();
  start_with(std::move(document));
  file_ = Clean{std::move(contents.facts)};
  warning_ = warning_of(this->document());
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

const EvaluatedBinding* Session::find(std::string_view name) const { return find_binding(bindings(), name); }

std::string_view Session::expression(std::string_view name) const {
  const EvaluatedBinding* const found = find(name);
  return found ? document().bindings[number_of(bindings(), *found)].expression : std::string_view();
}

bool Session::related(std::string_view a, std::string_view b) const {
  if (a == b) return true;
  const EvaluatedBinding *const one = find(a), *const other = find(b);
  if (!one || !other) return false;
  const auto number = [&](const EvaluatedBinding* binding) { return number_of(bindings(), *binding); };
  const auto [kept, is_new] = related_.emplace(std::pair(std::string(a), std::string(b)), false);
  if (is_new) kept->second = tessera::related(document(), number(one), number(other));
  return kept->second;
}

std::string Session::value_text(std::string_view name) const {
  const Value* value = find_value(bindings(), name);
  return value ? to_string(*value) : "";
}

// Remembers the workspace as it is.
void Session::record(std::string label, std::string merge_key) {
  const bool merged = !merge_key.empty() && merge_key == merge_key_ && !undo_.empty();
  if (!merged) {
    undo_.push_back({workspace_, std::move(label), revision_});
    if (undo_.size() > kMostUndoSteps) undo_.erase(undo_.begin());
  }
  merge_key_ = std::move(merge_key);
  redo_.clear();
}

Status Session::run(const Command& command, bool merge) {
  TESSERA_TRY(document, tessera::apply(this->document(), command));  // std::apply would be found for the variant
  Workspace next = workspace_;
  next.document = std::make_shared<const Document>(std::move(document));
  if (const auto* renamed = std::get_if<RenameBinding>(&command)) rename_views(next, renamed->from, renamed->to);
  if (std::holds_alternative<OpenText>(command))
    retyped_.follow(workspace_, next);
  else
    retyped_.forget();
  const std::string label = describe(command);
  change_to(std::move(next), label, merge ? label : std::string());
  retyped_.leaves(workspace_);
  return Done{};
}

void Session::change(Workspace next, std::string label, std::string merge_key) {
  retyped_.forget();
  change_to(std::move(next), std::move(label), std::move(merge_key));
}

void Session::change_to(Workspace next, std::string label, std::string merge_key) {
  if (next == workspace_) return;
  record(std::move(label), std::move(merge_key));
  const bool back = next.document == unchanged_;
  const std::uint64_t revision = next.document == workspace_.document ? revision_ : back ? saved_revision_ : ++last_revision_;
  adopt(std::move(next), revision);
}

void Session::show(Workspace next) {
  next.document = workspace_.document;
  const bool is_left = next.selected != workspace_.selected;  // the line whose name is typed anew
  workspace_ = std::move(next);
  if (!is_left) return;
  retyped_.forget();
  forget_missing();
}

bool Session::step_back(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty()) return false;
  Step step = std::move(from.back());
  from.pop_back();
  to.push_back({workspace_, step.label, revision_});
  merge_key_.clear();
  retyped_.forget();
  adopt(std::move(step.workspace), step.revision);
  return true;
}

// Back where a pin was set, nothing differs from it: it goes, with the step that set it. Redo brings both back.
bool Session::undo() {
  const std::shared_ptr<const Document> changed = workspace_.document;
  if (!step_back(undo_, redo_)) return false;
  const auto& now = workspace_.document;
  if (now == changed || !workspace_.pinned || workspace_.pinned->document != now) return true;
  unpin(workspace_);
  if (undo_.empty() || undo_.back().workspace.document != now || undo_.back().workspace.pinned) return true;
  adopt(std::move(undo_.back().workspace), revision_);
  undo_.pop_back();
  return true;
}

bool Session::redo() { return step_back(redo_, undo_); }

void Session::be_unchanged() {
  saved_revision_ = revision_;
  unchanged_ = workspace_.document;
}

// A document that was just read: nothing to undo, nothing to save, nothing on the screen.
void Session::start_with(Document document) {
  undo_.clear();
  redo_.clear();
  merge_key_.clear();
  warning_.clear();
  file_ = Unsaved{};
  autosave_ = Autosave();  // what the last document's holds is for its next opening
  recoveries_.clear();
  recovered_.clear();
  recoveries_refused_.reset();
  retyped_.forget();
  awaited_figures_.clear();
  Workspace workspace;
  workspace.document = std::make_shared<const Document>(std::move(document));
  adopt(std::move(workspace), ++last_revision_);
  be_unchanged();
}

void Session::adopt(Workspace workspace, std::uint64_t revision) {
  const bool other_document = workspace.document != workspace_.document;
  workspace_ = std::move(workspace);
  revision_ = revision;
  if (other_document) evaluate_again();
  forget_missing();
}

void Session::evaluate_again() {
  ++values_revision_;
  related_.clear();
  const std::shared_ptr<const Document>& now = workspace_.document;
  if (values_->document == now) {  // undo, before there were other values
    if (worker_) worker_->forget_all();
    meanwhile_.reset();
  } else if (!worker_ && std::isinf(patience_)) {
    take(*values_, next_step(*values_, now, *known_));
  } else {
    if (!worker_) worker_ = std::make_unique<EvaluationWorker>();
    ask(*worker_, known_, values_, now);
    if (patience_ >= 0 && collect(patience_)) return;
    meanwhile_ = meanwhile(*values_, document());
  }
  forget_old_figures();
}

bool Session::collect(double seconds) {
  if (!worker_) return false;
  std::vector<EvaluationWorker::Made> made = worker_->take(seconds);
  if (made.empty()) return false;
  take(*values_, std::move(made.back().value));
  meanwhile_.reset();
  ++values_revision_;
  forget_old_figures();
  return true;
}

void Session::settle() {
  if (evaluating()) collect(std::numeric_limits<double>::infinity());
}

void Session::forget_old_figures() {
  if (figures_.size() > kMostKeptFigures) figures_.clear();
  std::erase_if(figures_, [&](const auto& kept) {
    const EvaluatedBinding* binding = find(kept.first.name);
    return !binding || !binding->value || !*kept.second.scene || value_text(kept.first.name) != kept.second.made_of;
  });
}

// A binding that is gone is on no screen. Undo brings it back with its figures, since the step before has them.
void Session::forget_missing() {
  Workspace& now = workspace_;
  const auto missing = [&](const std::string& name) { return !name.empty() && !find(name); };
  const auto is_off = [&](const std::string& name) { return missing(name) && !retyped_.awaits(name); };
  now.arrangement = without(now.arrangement, [&](const View& view) { return is_off(view.binding); });
  if (is_off(now.maximised)) now.maximised.clear();
  if (missing(now.selection.binding)) now.selection = {};
  if (now.pinned && is_off(now.pinned->binding)) unpin(now);
  if (!missing(now.selected)) return;
  const std::vector<View> shown = shown_views(now.arrangement);
  const auto other = std::find_if(shown.begin(), shown.end(), [&](const View& view) { return !missing(view.binding); });
  now.selected = other == shown.end() ? std::string() : other->binding;
}

}  // namespace tessera
