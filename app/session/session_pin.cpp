// SPDX-License-Identifier: BSD-3-Clause
// The session's pinned binding: its value and its figures as they were.
#include <fmt/format.h>

#include "app/session/session.hpp"

namespace tessera {

Session::Pinned& Session::pinned() const {
  const std::optional<Pin>& pin = workspace_.pinned;
  const std::shared_ptr<const Document> wanted = pin ? pin->document : nullptr;
  if (pinned_.document != wanted) pinned_ = {wanted, wanted ? evaluate(*wanted) : std::vector<EvaluatedBinding>(), {}};
  return pinned_;
}

const Value* Session::pinned_value() const {
  const std::vector<EvaluatedBinding>& then = pinned().bindings;
  return workspace_.pinned ? find_value(then, workspace_.pinned->binding) : nullptr;
}

const Result<Scene>& Session::pinned_figure(const FigureOptions& options) const {
  static const Result<Scene> kNothing = Error{ErrorCode::unknown_name, "nothing is pinned", {}, {}};
  const std::optional<Pin>& pin = workspace_.pinned;
  if (!pin) return kNothing;
  Pinned& then = pinned();
  if (const auto kept = then.figures.find(options); kept != then.figures.end()) return kept->second;
  const EvaluatedBinding* found = find_binding(then.bindings, pin->binding);
  const auto make = [&]() -> Result<Scene> {
    if (!found) return Error{ErrorCode::unknown_name, fmt::format("there was no binding \"{}\"", pin->binding), {}, {}};
    if (!found->value) return found->value.error();
    const auto number = static_cast<std::size_t>(found - then.bindings.data());
    return figure_of(*find_value(then.bindings, pin->binding), pin->document->bindings[number].expression, options);
  };
  return then.figures.emplace(options, make()).first->second;
}

}  // namespace tessera
