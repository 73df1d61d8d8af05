// SPDX-License-Identifier: BSD-3-Clause
// The source page: a program's text as a person wrote it, beside the pictures of its variables. What each line came to stands in a column
// beside it, what is wrong or slow is underlined, and what the program takes from outside can be dragged to other values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/source/source_reading.hpp"
#include "app/session/source/source_text.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/panes.hpp"
#include "app/studio/text/text_editor.hpp"
#include "core/base/jobs.hpp"

namespace tessera::studio {

struct SourceState {
  bool open = false;
  SourceText source;
  TextEditorState editor;  // read only
  std::vector<std::pair<std::string, std::string>> given;

  std::unique_ptr<Jobs<SourceReading>> reader;  // beside the frames
  std::uint64_t order = 0;                      // of the reading that is wanted; 0: it is there
  double since = 0;                             // when it was asked for, in seconds of ImGui's clock
  std::optional<SourceReading> reading;         // the last one, which stays until the next

  // What is made of a reading for the screen, once.
  std::vector<TextMark> marks;
  TextNotes notes;
  std::optional<ThemeKind> made_for;

  std::string chosen;           // a variable's name
  std::size_t chosen_line = 0;  // and its line
  enum class Shows : std::uint8_t { variable, findings, refused } shows = Shows::variable;
  NumberDrag drag;
  std::string typed_of, typed;  // the name whose value is typed, and what stands in the field
  bool type_on = false;         // the field takes the keyboard in the next frame
  std::map<std::string, CanvasState> canvases;
  std::optional<Hovered> hovered;
  float text_width = 0;        // units; 0: as the window's width leaves room
  float outside_height = 120;  // pixels: of the rows of what it takes from outside, in the last frame

  bool waiting() const { return open && order != 0; }
};

// Another source in the place of what was open; it is read from the next frame on.
void open_source(SourceState& state, SourceText source);
// Looks at the file again; true where there is something new to show.
bool look_again(SourceState& state);
// Another value for what the program takes from outside; empty text: as it is without the person.
void give(SourceState& state, const std::string& name, const std::string& text);
// The variable of this name, in this line or the next one that has it. False where there is none.
bool choose(SourceState& state, const std::string& name, std::size_t line);

// In the place of the panels. `state.open` says whether the page goes on.
PanesOutput draw_source(Ui& ui, const PanesInput& input, SourceState& state, const ScreenRect& area);

}  // namespace tessera::studio
