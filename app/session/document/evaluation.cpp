// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/evaluation.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/figure/suggest_figures.hpp"

namespace tessera {
namespace {

constexpr int kMostSuggested = 3;  // refusals that are looked at after each change: one takes up to a tenth of a second
constexpr std::string_view kAwaited = "it is being evaluated";

Error awaited() { return {ErrorCode::timed_out, std::string(kAwaited), {}, {}}; }

// The bindings as they are after a step that is not taken yet, with refusals as they were before they said what was meant.
class Coming {
 public:
  Coming(const Evaluation& last, const EvaluationStep& step) : all_(step.all ? *step.all : last.bindings) {
    if (step.all) return;
    for (const auto& [number, error] : last.unsaid) errors_.emplace(number, &error);
    for (const ChangedValue& each : step.changed) changed_.emplace(each.binding, &each.value);
  }
  std::size_t size() const { return all_.size(); }
  const std::string& name(std::size_t i) const { return all_[i].name; }
  const Value* value(std::size_t i) const {
    const auto found = changed_.find(i);
    const Result<Value>& value = found == changed_.end() ? all_[i].value : *found->second;
    return value ? &*value : nullptr;
  }
  // Of one without a value. What has changed has one, else all would have been evaluated.
  const Error& error(std::size_t i) const {
    const auto found = errors_.find(i);
    return found == errors_.end() ? all_[i].value.error() : *found->second;
  }
  // The first of that name among the first `end`.
  const Value* find(std::string_view name, std::size_t end) const {
    for (std::size_t i = 0; i < end; ++i) {
      if (all_[i].name == name) return value(i);
    }
    return nullptr;
  }
  bool has(std::string_view name) const {
    return std::any_of(all_.begin(), all_.end(), [&](const EvaluatedBinding& each) { return each.name == name; });
  }

 private:
  const std::vector<EvaluatedBinding>& all_;
  std::unordered_map<std::size_t, const Error*> errors_;
  std::unordered_map<std::size_t, const Result<Value>*> changed_;
};

// The first refusals say what was meant. A fix that brings a binding of its own is no expression, and gets no place in this one.
std::vector<std::pair<std::size_t, Error>> suggestions(const Document& document, const Coming& coming) {
  std::vector<std::pair<std::size_t, Error>> said;
  for (std::size_t i = 0; i < coming.size() && said.size() < kMostSuggested; ++i) {
    if (coming.value(i)) continue;
    Error error = coming.error(i);
    if (!error.missing.empty() && coming.has(error.missing)) continue;  // it is refused itself, or further down
    const Scope above = [&](std::string_view name) { return coming.find(name, i); };
    suggest_with_figures(error, document.bindings[i].expression, above);
    if (error.fix && error.fix->replacement.find('\n') != std::string::npos) error.fix.reset();
    said.emplace_back(i, std::move(error));
  }
  return said;
}

// Only what has changed, where that is certain. A document that uses much of its budget is evaluated as a whole: what one binding uses
// up is missing to the next.
bool find_changes(const Evaluation& last, EvaluationStep& step) {
  if (!last.document) return false;
  const Budget budget;
  std::optional<std::vector<ChangedValue>> changed = changed_values(*last.document, *step.document, last.bindings);
  if (!changed) return false;
  step.changed = std::move(*changed);
  step.spent_cells = last.spent_cells + budget.cells();
  step.spent_bytes = last.spent_bytes + budget.bytes();
  return step.spent_cells <= budget.limits().cells / 4 && step.spent_bytes <= budget.limits().bytes / 4;
}

}  // namespace

EvaluationStep next_step(const Evaluation& last, std::shared_ptr<const Document> document, KnownValues& known) {
  EvaluationStep step;
  step.document = std::move(document);
  if (!find_changes(last, step)) {
    const Budget budget;
    step.changed.clear();
    step.all = evaluate(*step.document, known);
    step.spent_cells = budget.cells();
    step.spent_bytes = budget.bytes();
  }
  step.said = suggestions(*step.document, Coming(last, step));
  return step;
}

void take(Evaluation& last, EvaluationStep step) {
  for (auto& [number, error] : last.unsaid) last.bindings[number].value = std::move(error);
  last.unsaid.clear();
  if (step.all) last.bindings = std::move(*step.all);
  for (ChangedValue& each : step.changed) {
    last.bindings[each.binding].value = std::move(each.value);
    last.bindings[each.binding].range = each.range;
  }
  for (auto& [number, error] : step.said) {
    Result<Value>& value = last.bindings[number].value;
    last.unsaid.emplace_back(number, std::move(value.error()));
    value = std::move(error);
  }
  last.document = std::move(step.document);
  last.spent_cells = step.spent_cells;
  last.spent_bytes = step.spent_bytes;
}

std::vector<EvaluatedBinding> meanwhile(const Evaluation& last, const Document& document) {
  std::unordered_map<std::string_view, std::size_t> places;  // of the last ones; a name that is bound twice has its last
  if (last.document) {
    for (std::size_t i = 0; i < last.document->bindings.size(); ++i) places.insert_or_assign(last.document->bindings[i].name, i);
  }
  std::vector<EvaluatedBinding> shown;
  shown.reserve(document.bindings.size());
  for (std::size_t i = 0; i < document.bindings.size(); ++i) {
    const Binding& now = document.bindings[i];
    auto was = places.find(now.name);
    // What stood there under a name that is gone was renamed.
    const bool same_place = last.document && last.document->bindings.size() == document.bindings.size();
    if (was == places.end() && same_place && last.document->bindings[i].expression == now.expression)
      was = places.find(last.document->bindings[i].name);
    EvaluatedBinding made{now.name, awaited(), {}, {}, {}, {}};
    if (was != places.end()) {
      const EvaluatedBinding& before = last.bindings[was->second];
      if (last.document->bindings[was->second].expression == now.expression) {
        made = before;
        made.name = now.name;
      } else if (before.value) {
        made.value = before.value;
        made.parts = before.parts;
        made.needs = before.needs;
        made.range = before.range;
      }
    }
    shown.push_back(std::move(made));
  }
  return shown;
}

bool is_awaited(const Error& error) { return error.code == ErrorCode::timed_out && error.message == kAwaited; }

bool is_awaited(const EvaluatedBinding& binding) { return !binding.value && is_awaited(binding.value.error()); }

}  // namespace tessera
