// SPDX-License-Identifier: BSD-3-Clause
// The table of actions: everything a person can ask for, one row each. Menus, the palette, the sheet of shortcuts, `tessera do`, the
// documentation and the tests all come from it.
//
//   perform(session, "binding.rename", {{"binding", "data"}, {"to", "smem"}})
//
// A row either gives another Workspace, which undo can take back, or is an *effect*: something outside of it (a file, the clipboard, a
// GPU, a window), which the studio does. What is special about an action stands in its row.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/document/session.hpp"

namespace tessera {

using Arguments = std::map<std::string, std::string, std::less<>>;

// `value`: an expression that has a value; `expression`: one that may still have none.
enum class Takes { binding, name, expression, value, text, integer, number, choice };

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

using Change = Result<Changed> (*)(const Session& session, const Arguments& arguments);

// What is no change of the workspace. Undo and redo are the session's own; the others are the studio's (app/studio/frame/effects.cpp).
enum class Effect : std::uint8_t {
  open,
  save,
  save_as,
  export_figure,
  open_source,
  give_source,
  choose_in_source,
  source_as_document,
  open_lesson,
  show_lesson_again,
  close_lesson,
  present_lesson,
  next_screen,
  previous_screen,
  go_to_screen,
  type_answer,
  grade_answer,
  show_answer,
  ask_another,
  move_slider,
  tick_slider,
  grade_slider,
  run_of_lesson,
  save_worklog,
  seed_lesson,
  begin_lesson_again,
  open_tour,
  take_up_left,
  forget_left,
  quit,
  undo,
  redo,
  copy_value,
  copy_share_text,
  copy_cells,
  paste,
  edit_expression,
  fit,
  actual_size,
  zoom_to_selection,
  show_text,
  wrap_text,
  save_layout,
  restore_layout,
  forget_layout,
  larger,
  smaller,
  switch_theme,
  fill_screen,
  blank,
  show_pointer,
  show_notes,
  run_gemm,
  emulate_gemm,
  stop_gemm,
  show_ladder,
  show_table,
  show_advice,
  show_gemm_page,
  show_finder,
  show_keys,
  show_welcome,
  show_messages,
  show_about
};
inline constexpr int kEffectCount = static_cast<int>(Effect::show_about) + 1;

enum class StudioPanel : std::uint8_t { none, list, side };

// What else whoever performs an action has to know.
struct ActionTraits {
  bool adds = false;                      // it makes a binding, whose figure is shown at once
  bool needs_values = false;              // it takes values out of the window or keeps them: it waits for those of the present text
  bool quiet = false;                     // to have nothing to do is no mistake
  bool in_list = false;                   // what it needs is typed in the binding's row of the list where that is in sight
  bool of_cells = false;                  // it stands in the menu of a figure's cells, too
  StudioPanel panel = StudioPanel::none;  // what it shows and hides
  // What its dialog begins with where the person gave nothing.
  Arguments (*begins_with)(const Session& session, const Arguments& arguments) = nullptr;
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
  std::variant<Change, Effect> does;
  ActionTraits traits{};

  const Effect* effect() const { return std::get_if<Effect>(&does); }  // null: it changes the workspace
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
// What a row would make of the workspace, which stays as it is. Refuses as `check` does, and effects.
Result<Changed> attempt(const Session& session, const ActionRow& row, const Arguments& arguments);
// Does what changes the workspace. Refuses effects, and unknown ids with the nearest.
Status perform(Session& session, std::string_view id, const Arguments& arguments = {}, bool merge = false);

// Shows what was added before it had a value, now that it may have one; after new values have come. Adds no step of undo.
void show_awaited_figures(Session& session);

// The bindings that a presentation walks through: the document's figures; where there are none, all that can be drawn.
std::vector<std::string> presentation_of(const Session& session);
// The figures that a document that was just opened shows.
std::vector<View> first_views(const Session& session);
// The figure of a binding as a call with what was chosen on the screen: "tv_figure(tv, data, thread=3)".
Result<std::string> kept_expression(const Session& session, const View& view);

}  // namespace tessera
