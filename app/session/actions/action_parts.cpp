// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/action_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/actions/said_cells.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::action {
namespace {

template <class Number>
Result<Number> read(const Arguments& arguments, std::string_view name, Number otherwise, std::string_view what) {
  const std::string given = text(arguments, name);
  if (given.empty()) return otherwise;
  if (const std::optional<Number> found = number_in<Number>(given)) return *found;
  return Error{ErrorCode::wrong_type, fmt::format("\"{}\" must be {}, not \"{}\"", name, what, given), {}, {}};
}

}  // namespace

std::string text(const Arguments& arguments, std::string_view name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::string() : found->second;
}

std::string binding(const Session& session, const Arguments& arguments) {
  std::string name = text(arguments, "binding");
  return name.empty() ? session.workspace().selected : name;
}

Result<std::int64_t> integer(const Arguments& arguments, std::string_view name, std::int64_t otherwise) {
  return read(arguments, name, otherwise, "a whole number");
}

Result<double> number(const Arguments& arguments, std::string_view name, double otherwise) {
  return read(arguments, name, otherwise, "a number");
}

// Where a figure is that was asked for: the pane of the binding, else that of the selected one, else the last.
PaneAt pane_for(const Session& session, const std::string& name) {
  const Arrangement& all = session.workspace().arrangement;
  if (const auto found = pane_of(all, name)) return *found;
  if (const auto found = pane_of(all, session.workspace().selected)) return *found;
  return panes(all).back();
}

PaneAt pane_in_question(const Session& session, const Arguments& arguments) {
  const std::string place = text(arguments, "place");
  if (arguments.contains("place")) {
    for (const PaneAt& each : panes(session.workspace().arrangement)) {
      if (each.place == place) return each;
    }
  }
  return pane_for(session, binding(session, arguments));
}

std::string needs_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  if (name.empty()) return "no binding is selected: click a line of the list first";
  return session.find(name) ? std::string() : fmt::format("there is no binding \"{}\"", name);
}

std::string needs_drawable(const Session& session, const Arguments& arguments) {
  if (std::string why = needs_binding(session, arguments); !why.empty()) return why;
  const std::string name = binding(session, arguments);
  const EvaluatedBinding* found = session.find(name);
  if (!found->value) return fmt::format("{} has no value: {}", name, found->value.error().message);
  if (!is_drawable(*found->value)) return fmt::format("{} is of kind {}, and there is no figure of that", name, kind_name(*found->value));
  return {};
}

std::string needs_figure(const Session& session, const Arguments& arguments) {
  if (arguments.contains("place")) {
    const Arrangement* part = part_at(session.workspace().arrangement, text(arguments, "place"));
    if (!part || part->is_split() || part->tabs.empty())
      return fmt::format("there is no figure at the place \"{}\"", text(arguments, "place"));
    return {};
  }
  if (std::string why = needs_binding(session, arguments); !why.empty()) return why;
  const std::string name = binding(session, arguments);
  return pane_of(session.workspace().arrangement, name) ? std::string() : fmt::format("no figure of {} is on the screen", name);
}

std::string needs_steps(const Session& session, const Arguments& arguments) {
  if (std::string why = needs_figure(session, arguments); !why.empty()) return why;
  const PaneAt at = pane_in_question(session, arguments);
  const View& view = at.pane->tabs[tab_of(*at.pane, binding(session, arguments))];
  if (session.steps(view.binding, view.options) > 0) return {};
  return fmt::format("the figure of {} is told at once: a timeline has steps, and a grid with steps=thread, steps=k, steps=row, ...",
                     view.binding);
}

std::string needs_gemm(const Session& session, const Arguments& arguments) {
  if (std::string why = needs_binding(session, arguments); !why.empty()) return why;
  const EvaluatedBinding* found = session.find(binding(session, arguments));
  return found->value && kind_name(*found->value) == "gemm" ? std::string() : fmt::format("{} is no GEMM", found->name);
}

std::string needs_fix(const Session& session, const Arguments& arguments) {
  if (std::string why = needs_binding(session, arguments); !why.empty()) return why;
  const EvaluatedBinding* found = session.find(binding(session, arguments));
  if (found->value) return fmt::format("{} has a value: there is nothing to mend", found->name);
  return found->value.error().fix ? std::string() : fmt::format("no mending is known for {}", found->name);
}

std::string needs_two_figures(const Session& session, const Arguments&) {
  return views(session.workspace().arrangement).size() > 1 ? std::string() : "only one figure is on the screen";
}

std::string needs_cells(const Session& session, const Arguments&) {
  return session.workspace().selection.empty() ? "no cells are selected: click one, or drag over several" : std::string();
}

std::string needs_focused_figure(const Session& session, const Arguments& arguments) {
  if (!text(arguments, "binding").empty()) return needs_drawable(session, arguments);
  const std::optional<SaidCells> said = said_cells(session, text(arguments, "cells"));
  if (said && !said->binding.empty()) return needs_drawable(session, {{"binding", said->binding}});
  return focused_figure(session).empty() ? "no figure is on the screen" : std::string();
}

std::string needs_pin(const Session& session, const Arguments&) {
  return session.workspace().pinned ? std::string() : "nothing is pinned: Ctrl+P pins the selected line first";
}

std::string needs_report(const Session& session, const Arguments& arguments) {
  if (std::string why = needs_binding(session, arguments); !why.empty()) return why;
  const EvaluatedBinding* found = session.find(binding(session, arguments));
  if (found->value && kind_name(*found->value) == "report") return {};
  return fmt::format("{} is no answer with a table, as find_smem_layout(...), check_copy(...) and sweep(...) give", found->name);
}

std::string needs_presentation(const Session& session, const Arguments&) {
  return presentation_of(session).empty() ? "nothing in this document can be drawn" : std::string();
}

std::string needs_changes(const Session& session, const Arguments&) {
  return session.dirty() ? std::string() : "the document is as it was opened or saved last";
}

std::string needs_undo(const Session& session, const Arguments&) { return session.can_undo() ? std::string() : "nothing was changed yet"; }

std::string needs_redo(const Session& session, const Arguments&) { return session.can_redo() ? std::string() : "nothing was undone"; }

}  // namespace tessera::action
