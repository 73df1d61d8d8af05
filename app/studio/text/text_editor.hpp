// SPDX-License-Identifier: BSD-3-Clause
// The editor of a whole text: coloured, with line numbers, marks in the margin and completion. Only lines in sight are looked at. Undo is
// not its own: the session has one for everything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/studio/text/completion_popup.hpp"
#include "app/studio/text/scroll.hpp"
#include "app/studio/text/text_buffer.hpp"
#include "app/studio/text/text_rows.hpp"
#include "app/studio/widgets/actions.hpp"

namespace tessera::studio {

// A place of the text that something is to be said about.
struct TextMark {
  SourceSpan at;
  std::size_t line = 0;  // from 0
  std::string words;
  bool is_error = true;
};

// Words in a column beside the numbers of the lines.
struct TextNote {
  std::size_t line = 0;  // from 0
  std::string words;
  ImU32 color = 0;
};
struct TextGround {
  SourceSpan at;
  ImU32 color = 0;
};
struct TextNotes {
  float width = 0;                  // units: of the column
  std::vector<TextNote> all;        // in the order of lines
  std::vector<TextGround> grounds;  // behind words
};

struct TextEditorState {
  TextBuffer buffer;
  bool read_only = false;  // it is looked at and copied from
  Scroll scroll;
  float x = 0;        // scrolled to the right
  bool wraps = true;  // long lines stand in several rows
  TextRows rows{};
  std::uint64_t rows_of = 0;  // version of the text that they are of
  float goal = -1;            // where the cursor goes back to below a shorter row, from the left; below 0: where it is
  bool has_keyboard = false;  // what is typed goes here
  bool selecting = false;     // the mouse is held down
  bool follow = false;        // bring the cursor into sight
  CompletionState completion;
  std::vector<bool> in_comment;  // of each line, where one is open at its beginning
  bool recount = true;           // the text has changed since
};

struct TextEditorOutput {
  bool changed = false;
  bool moved = false;  // the cursor
  std::optional<Action> answer;
  std::string refused;                 // what the clipboard has
  std::optional<std::size_t> pointed;  // the place of the text that is under the mouse
  bool clicked = false;                // there
};
// `marks` in order of their places. `notes`: null where there are none.
TextEditorOutput draw_text_editor(Ui& ui, const Session& session, const std::vector<TextMark>& marks, TextEditorState& state,
                                  const ScreenRect& area, const TextNotes* notes = nullptr);
// The cursor goes there, and into sight.
void go_to(TextEditorState& state, std::size_t at);

}  // namespace tessera::studio
