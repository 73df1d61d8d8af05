// SPDX-License-Identifier: BSD-3-Clause
// What the rows of the table of actions do, by what they are about; and how they read their arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/session/actions/actions.hpp"

namespace tessera::action {

// An argument's text; empty where it was not given.
std::string text(const Arguments& arguments, std::string_view name);
// The argument "binding", else the selected one.
std::string binding(const Session& session, const Arguments& arguments);
Result<std::int64_t> integer(const Arguments& arguments, std::string_view name, std::int64_t otherwise);
Result<double> number(const Arguments& arguments, std::string_view name, double otherwise);

// The pane of a binding, else of the selected one, or the last; at the argument "place" where that is given.
PaneAt pane_for(const Session& session, const std::string& name);
PaneAt pane_in_question(const Session& session, const Arguments& arguments);

// "layout", "layout_2", ...: the first that nothing else is called.
std::string free_name(const Session& session, std::string stem);

// The workspace after a command, as Session::run makes it.
Result<Changed> changed_by(const Session& session, const Command& command, std::string_view selects = {});

// Why not, in a sentence; empty where nothing stands in the way.
std::string needs_binding(const Session& session, const Arguments& arguments);  // one is selected or named, and is there
std::string needs_figure(const Session& session, const Arguments& arguments);   // and it is on the screen
std::string needs_drawable(const Session& session, const Arguments& arguments);
std::string needs_steps(const Session& session, const Arguments& arguments);  // and it is told in several
std::string needs_gemm(const Session& session, const Arguments& arguments);
std::string needs_fix(const Session& session, const Arguments& arguments);
std::string needs_two_figures(const Session& session, const Arguments& arguments);
std::string needs_cells(const Session& session, const Arguments& arguments);
std::string needs_focused_figure(const Session& session, const Arguments& arguments);
std::string needs_pin(const Session& session, const Arguments& arguments);
std::string needs_report(const Session& session, const Arguments& arguments);
std::string needs_presentation(const Session& session, const Arguments& arguments);
std::string needs_changes(const Session& session, const Arguments& arguments);
std::string needs_undo(const Session& session, const Arguments& arguments);
std::string needs_redo(const Session& session, const Arguments& arguments);

Result<Changed> revert(const Session& session, const Arguments& arguments);
Result<Changed> select_binding(const Session& session, const Arguments& arguments);
Result<Changed> add_binding(const Session& session, const Arguments& arguments);
Result<Changed> let_binding(const Session& session, const Arguments& arguments);
Result<Changed> compare_binding(const Session& session, const Arguments& arguments);
Result<Changed> set_binding(const Session& session, const Arguments& arguments);
Result<Changed> set_parameter(const Session& session, const Arguments& arguments);
Result<Changed> exchange_leaves(const Session& session, const Arguments& arguments);
Result<Changed> rename_binding(const Session& session, const Arguments& arguments);
Result<Changed> duplicate_binding(const Session& session, const Arguments& arguments);
Result<Changed> delete_binding(const Session& session, const Arguments& arguments);
Result<Changed> move_binding(const Session& session, const Arguments& arguments);
Result<Changed> raise_binding(const Session& session, const Arguments& arguments);
Result<Changed> lower_binding(const Session& session, const Arguments& arguments);
Result<Changed> fix_binding(const Session& session, const Arguments& arguments);
Result<Changed> set_text(const Session& session, const Arguments& arguments);
Result<Changed> paste_text(const Session& session, const Arguments& arguments);

Result<Changed> show_figure(const Session& session, const Arguments& arguments);
Result<Changed> show_beside(const Session& session, const Arguments& arguments);
Result<Changed> show_as_tab(const Session& session, const Arguments& arguments);
Result<Changed> close_figure(const Session& session, const Arguments& arguments);
Result<Changed> split_right(const Session& session, const Arguments& arguments);
Result<Changed> split_down(const Session& session, const Arguments& arguments);
Result<Changed> next_figure(const Session& session, const Arguments& arguments);
Result<Changed> previous_figure(const Session& session, const Arguments& arguments);
Result<Changed> maximise_figure(const Session& session, const Arguments& arguments);
Result<Changed> move_figure(const Session& session, const Arguments& arguments);
Result<Changed> resize_split(const Session& session, const Arguments& arguments);
Result<Changed> tile_figures(const Session& session, const Arguments& arguments);
Result<Changed> set_option(const Session& session, const Arguments& arguments);
Result<Changed> step_forward(const Session& session, const Arguments& arguments);
Result<Changed> step_back(const Session& session, const Arguments& arguments);
Result<Changed> keep_figure(const Session& session, const Arguments& arguments);

Result<Changed> toggle_list(const Session& session, const Arguments& arguments);
Result<Changed> toggle_side(const Session& session, const Arguments& arguments);
Result<Changed> toggle_sync(const Session& session, const Arguments& arguments);
Result<Changed> set_layout(const Session& session, const Arguments& arguments);
Result<Changed> reset_layout(const Session& session, const Arguments& arguments);

Result<Changed> select_cells(const Session& session, const Arguments& arguments);
Result<Changed> add_cells(const Session& session, const Arguments& arguments);
Result<Changed> cell_left(const Session& session, const Arguments& arguments);
Result<Changed> cell_right(const Session& session, const Arguments& arguments);
Result<Changed> cell_above(const Session& session, const Arguments& arguments);
Result<Changed> cell_below(const Session& session, const Arguments& arguments);
Result<Changed> grow_left(const Session& session, const Arguments& arguments);
Result<Changed> grow_right(const Session& session, const Arguments& arguments);
Result<Changed> grow_up(const Session& session, const Arguments& arguments);
Result<Changed> grow_down(const Session& session, const Arguments& arguments);
Result<Changed> go_to_cells(const Session& session, const Arguments& arguments);
Result<Changed> clear_cells(const Session& session, const Arguments& arguments);
Result<Changed> pin_binding(const Session& session, const Arguments& arguments);
Result<Changed> clear_pin(const Session& session, const Arguments& arguments);
Result<Changed> start_presenting(const Session& session, const Arguments& arguments);
Result<Changed> put_words_first(const Session& session, const Arguments& arguments);
Result<Changed> stop_presenting(const Session& session, const Arguments& arguments);
Result<Changed> next_step(const Session& session, const Arguments& arguments);
Result<Changed> previous_step(const Session& session, const Arguments& arguments);

}  // namespace tessera::action
