// SPDX-License-Identifier: BSD-3-Clause
// The table of actions: everything a person can ask for, one row each. Menus, the palette, the sheet of shortcuts, `tessera do`, the
// documentation and the tests all come from it.
//
//   perform(session, "binding.rename", {{"binding", "data"}, {"to", "smem"}})
//
// A row either gives another Workspace, which undo can take back, or is an *effect*: something outside of it (a file, the clipboard, a
// GPU, a window), which the studio does.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/document/session.hpp"

namespace tessera {

using Arguments = std::map<std::string, std::string, std::less<>>;

enum class Takes { binding, name, expression, text, integer, number, choice };

struct ActionParameter {
  std::string_view name, help;
  Takes takes = Takes::text;
  bool optional = false;                        // a binding that is left out is the selected one
  std::span<const std::string_view> choices{};  // of Takes::choice
};

// What an action makes of the workspace.
struct Changed {
  Workspace workspace;
  std::string label;        // of the undo step: "Rename data to smem"
  std::string merge_key{};  // steps of one key join while a burst lasts
  bool is_step = true;      // false: what is looked at changes, and undo passes over it
};

struct ActionRow {
  std::string_view id;     // "binding.rename"
  std::string_view title;  // "Rename"
  std::string_view help;   // one line
  std::string_view menu;   // where it stands: "Binding"; empty: only for panels
  std::string_view keys;   // "F2", "Ctrl+Shift+S"; several between blanks; empty: none
  std::span<const ActionParameter> parameters;
  // Why it cannot be done now, in a sentence; empty: it can. Null: it always can.
  std::string (*why_not)(const Session& session, const Arguments& arguments) = nullptr;
  // Null: an effect.
  Result<Changed> (*apply)(const Session& session, const Arguments& arguments) = nullptr;
};

// What a value can be copied as: {"latex", "LaTeX"}.
struct CopyForm {
  std::string_view name, title;
};
std::span<const CopyForm> copy_forms();

std::span<const ActionRow> actions();
const ActionRow* find_action(std::string_view id);       // null when there is none
const ActionRow* action_of_keys(std::string_view keys);  // null when they are nobody's

// Refuses arguments that the row does not have, misses those that it needs, and passes on why it cannot be done.
Status check(const Session& session, const ActionRow& row, const Arguments& arguments);
// Does what changes the workspace. Refuses effects, and unknown ids with the nearest.
Status perform(Session& session, std::string_view id, const Arguments& arguments = {}, bool merge = false);

// The bindings that a presentation walks through: the document's figures; where there are none, all that can be drawn.
std::vector<std::string> presentation_of(const Session& session);
// The figures that a document that was just opened shows.
std::vector<View> first_views(const Session& session);
// The figure of a binding as a call with what was chosen on the screen: "tv_figure(tv, data, thread=3)".
Result<std::string> kept_expression(const Session& session, const View& view);

}  // namespace tessera
