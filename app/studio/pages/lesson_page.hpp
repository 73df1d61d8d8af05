// SPDX-License-Identifier: BSD-3-Clause
// The lesson's page: a screen at a time, with its words, figures that light up together, questions that are answered where they stand, and
// sliders. What an answer is worth, and what it opens, the desk decides (app/session/lesson).
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/lesson/answer_draft.hpp"
#include "app/session/lesson/lesson_desk.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/panes.hpp"

namespace tessera::studio {

struct LessonState {
  bool open = false;
  std::unique_ptr<LessonDesk> desk;  // null: no lesson was opened yet
  std::map<std::string, CanvasState> canvases;
  std::map<std::string, float> heights;  // of pictures, in pixels, in the last frame
  std::optional<Hovered> hovered;

  std::size_t screen = 0, slide = 0;  // that the last frame showed
  std::size_t passed = 0;             // how many questions of this screen were answered in the last frame
  bool to_top = true;                 // the next frame begins at the screen's head
  bool to_foot = false;               // or shows its foot
  bool type_on = true;                // the first open field takes the keyboard in the next frame
  float reveal = -1;                  // what of the screen comes to the top, in pixels from its head; below 0: nothing does
  bool told_to_wait = false;          // the person wanted to go on before the answer

  std::string painting;                // the question whose cells the mouse paints or clears
  bool paints = false;                 // which of both
  PaintedCell cell;                    // that the keys paint
  std::optional<std::size_t> dragged;  // the option that is dragged to another place
  std::size_t option = 0;              // that the keys move

  bool waiting() const { return open && desk && desk->waiting(); }
};

// Shows a lesson, and closes the one that was open.
void open_lesson(LessonState& state, std::unique_ptr<LessonDesk> desk);

// In the place of the panels; what is asked for comes back as actions.
PanesOutput draw_lesson(Ui& ui, const PanesInput& input, LessonState& state, const ScreenRect& area);
// All of the window, for a class.
PanesOutput draw_lesson_slides(Ui& ui, const PanesInput& input, LessonState& state, const ScreenRect& area);

// ---- its parts, a file each ---------------------------------------------------------------------------------------------------

// The faces in which a lesson stands, for a person at a desk or for a class.
struct LessonFaces {
  Face body, strong, title, mono;
};
LessonFaces faces_of(const Ui& ui, bool for_a_class);

// Words in lines of at most this width, from the cursor on; the cursor stands below them afterwards.
void draw_line_of_words(Ui& ui, const WordLine& words, const LessonFaces& faces, float width, ImU32 ink);
void draw_blocks(Ui& ui, const std::vector<WordBlock>& blocks, const LessonFaces& faces, float width);
// Text as it stands, on a ground.
void draw_code(Ui& ui, std::string_view text, const Face& face, float width);

// What stands on a screen besides words, at the cursor.
struct LessonPlaceOnScreen {
  Ui& ui;
  const PanesInput& input;
  LessonState& state;
  PanesOutput& out;
  LessonFaces faces;
  float width = 0;  // pixels
  float room = 0;   // the height of the part that is seen at once
  bool presents = false;
  bool answered = true;  // in a presentation: the answer is shown
};
void draw_lesson_picture(const LessonPlaceOnScreen& on, const LessonPicture& picture, const std::string& name);
void draw_question(const LessonPlaceOnScreen& on, const LessonQuestion& question);
void draw_lesson_slider(const LessonPlaceOnScreen& on, std::size_t part, const LessonSlider& slider);
// One piece of a screen, whatever it is.
void draw_piece(const LessonPlaceOnScreen& on, const LessonPiece& piece);

}  // namespace tessera::studio
