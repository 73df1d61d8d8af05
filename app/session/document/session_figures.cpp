// SPDX-License-Identifier: BSD-3-Clause
// The session's figures, those of the pinned binding as they were, and how they are kept.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/document/comments.hpp"
#include "app/session/document/session.hpp"

namespace tessera {

namespace {

// With what a document says of a binding: what its modes are, and its name.
FigureOptions said_of(FigureOptions options, const Document& document, const std::vector<EvaluatedBinding>& bindings,
                      const EvaluatedBinding& binding) {
  if (options.modes.empty()) options.modes = modes_said(document, bindings, binding);
  if (options.name.empty()) options.name = binding.name;
  return options;
}

}  // namespace

FigureOptions Session::as_said(std::string_view name, FigureOptions options) const {
  const EvaluatedBinding* const binding = find(name);
  return binding ? said_of(std::move(options), document(), bindings(), *binding) : options;
}

SharedFigure Session::kept_figure(std::string_view name, const FigureOptions& options) const {
  const auto kept = figures_.find({std::string(name), as_said(name, options)});
  return kept == figures_.end() ? nullptr : kept->second.scene;
}

Result<FigureTask> Session::figure_task(std::string_view name, const FigureOptions& options) const {
  const EvaluatedBinding* binding = find(name);
  if (!binding) return Error{ErrorCode::unknown_name, fmt::format("there is no binding \"{}\"", name), {}, {}};
  if (!binding->value) return binding->value.error();
  if (!binding->needs.empty()) return needs_values(binding->needs);
  FigureTask task{std::string(name), value_text(name), std::string(expression(name)), *find_value(bindings(), name),
                  as_said(name, options)};
  if (chosen_step(options) > 0) task.whole = kept_figure(name, with_step(options, 0));
  return task;
}

void Session::keep_figure(const FigureTask& task, const MadeFigure& made) const {
  if (value_text(task.name) != task.made_of) return;
  figures_.insert_or_assign(FigureKey{task.name, task.options}, KeptFigure{task.made_of, made.scene});
  if (made.whole) figures_.try_emplace(FigureKey{task.name, with_step(task.options, 0)}, KeptFigure{task.made_of, made.whole});
}

const Result<Scene>& Session::figure(std::string_view name, const FigureOptions& options) const {
  if (const SharedFigure kept = kept_figure(name, options)) return *kept;
  if (const Result<FigureTask> task = figure_task(name, options)) {
    keep_figure(*task, make(*task));
  } else {
    figures_.insert_or_assign(FigureKey{std::string(name), as_said(name, options)},
                              KeptFigure{value_text(name), std::make_shared<const Result<Scene>>(task.error())});
  }
  return *kept_figure(name, options);
}

std::size_t Session::steps(std::string_view name, const FigureOptions& options) const {
  const Result<Scene>& whole = figure(name, with_step(options, 0));
  return whole ? whole->steps.size() : 0;
}

Session::Pinned& Session::pinned() const {
  const std::optional<Pin>& pin = workspace_.pinned;
  const std::shared_ptr<const Document> wanted = pin ? pin->document : nullptr;
  if (pinned_.document != wanted) {
    const auto evaluated = [&] { return values_->document == wanted ? values_->bindings : evaluate(*wanted); };
    pinned_ = {wanted, wanted ? evaluated() : std::vector<EvaluatedBinding>(), {}, {}};
  }
  // Undoing brings a document back that another of its bindings was pinned in.
  if (pin && pinned_.name != pin->name_then()) {
    pinned_.name = pin->name_then();
    pinned_.figures.clear();
  }
  return pinned_;
}

const Value* Session::pinned_value() const {
  const std::vector<EvaluatedBinding>& then = pinned().bindings;
  return workspace_.pinned ? find_value(then, workspace_.pinned->name_then()) : nullptr;
}

std::string_view Session::pinned_expression() const {
  const std::optional<Pin>& pin = workspace_.pinned;
  if (!pin) return {};
  const std::vector<Binding>& then = pin->document->bindings;
  const auto found = std::find_if(then.begin(), then.end(), [&](const Binding& each) { return each.name == pin->name_then(); });
  return found == then.end() ? std::string_view() : std::string_view(found->expression);
}

const Result<Scene>& Session::pinned_figure(const FigureOptions& options) const {
  static const Result<Scene> kNothing = Error{ErrorCode::unknown_name, "nothing is pinned", {}, {}};
  const std::optional<Pin>& pin = workspace_.pinned;
  if (!pin) return kNothing;
  Pinned& then = pinned();
  if (const auto kept = then.figures.find(options); kept != then.figures.end()) return kept->second;
  const EvaluatedBinding* found = find_binding(then.bindings, pin->name_then());
  const auto make = [&]() -> Result<Scene> {
    if (!found) return Error{ErrorCode::unknown_name, fmt::format("there was no binding \"{}\"", pin->name_then()), {}, {}};
    if (!found->value) return found->value.error();
    const auto number = number_of(then.bindings, *found);
    return figure_of(*find_value(then.bindings, pin->name_then()), pin->document->bindings[number].expression,
                     said_of(options, *pin->document, then.bindings, *found));
  };
  return then.figures.emplace(options, make()).first->second;
}

}  // namespace tessera
