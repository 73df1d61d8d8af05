// SPDX-License-Identifier: BSD-3-Clause
// The words that one being typed may become, in a list at the cursor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/actions/completion.hpp"
#include "app/studio/paint/scene_painter.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

struct CompletionState {
  CompletionList list;
  std::size_t chosen = 0;
  bool open = false;
  bool asked = false;    // with Ctrl+Space: a word of one letter, or none, is completed too
  ScreenRect area{};     // where it was in the last frame
  FieldCursor cursor{};  // of a field of ImGui's
};

// After the text or the cursor has changed.
void look_for_completions(const Session& session, std::string_view text, std::size_t cursor, CompletionState& state);
// Takes the keys that are the list's: up and down, Tab or Enter to choose, Escape. `used` is set where there was one.
std::optional<Completion> completion_by_key(CompletionState& state, bool& used);
// A field with such a list below it, which `field` draws with the state's cursor. True when the text has changed.
bool with_completions(Ui& ui, const Session& session, std::string& value, CompletionState& state, const std::function<void()>& field);
// The same of an expression.
bool edit_completed(Ui& ui, const Session& session, const char* label, std::string& value, bool multiline, CompletionState& state);
// At the cursor's line, whose upper and lower edge are known. A word that was clicked is chosen.
std::optional<Completion> draw_completions(Ui& ui, CompletionState& state, ImVec2 upper, ImVec2 lower);

}  // namespace tessera::studio
