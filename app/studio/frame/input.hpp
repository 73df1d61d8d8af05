// SPDX-License-Identifier: BSD-3-Clause
// Input: what a person does, in order, and how much of it one frame may be shown. ImGui compares states of consecutive frames, so a press
// and a release between two frames would be nothing, and text typed before a click would go where the click leads. The queue hands out as
// many events as one frame can tell apart and keeps the rest for the next ones; nothing is dropped, however long a frame takes.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/studio/widgets/imgui_compat.hpp"

namespace tessera::studio {

struct Modifiers {
  bool ctrl = false, shift = false, alt = false, super = false;
  friend bool operator==(const Modifiers&, const Modifiers&) = default;
};

// A shortcut by its name in the table of actions: "Ctrl+Shift+S", "F2", "Alt+Up", "Delete".
using Chord = std::string;

// ---- what happens, one by one -------------------------------------------------------------------------------------------

struct MouseMoved {
  ImVec2 to;
};
struct MouseButton {
  int button = 0;  // 0 left, 1 right, 2 middle
  bool down = false;
  Modifiers modifiers;
};
struct MouseWheel {
  ImVec2 steps;
  Modifiers modifiers;
};
struct KeyChanged {
  std::optional<ImGuiKey> key;  // one of kNamedKeys, or none
  char letter = 0;              // what stands on it, when that is one ASCII character
  bool down = false;
  Modifiers modifiers;
  int function = 0;  // of F1 to F12
};
// What a key is called as a shortcut; empty for one that only types, or moves in a text.
Chord chord_of(const KeyChanged& event);
struct TextTyped {
  char32_t letter = 0;
};
struct FilesDropped {
  std::vector<std::string> paths;
};
struct CloseAsked {};

using InputEvent = std::variant<MouseMoved, MouseButton, MouseWheel, KeyChanged, TextTyped, FilesDropped, CloseAsked>;

// ---- what a frame is shown ------------------------------------------------------------------------------------------------

struct InputFrame {
  ImVec2 mouse{-1, -1};
  std::array<bool, 3> buttons{};  // held down
  ImVec2 wheel{0, 0};
  std::u32string text;
  std::vector<ImGuiKey> keys;  // held down
  Modifiers modifiers;
  Chord shortcut;  // empty: none
  std::vector<std::string> dropped;
  bool close = false;
};

class InputQueue {
 public:
  void add(InputEvent event) { waiting_.push_back(std::move(event)); }
  bool empty() const { return waiting_.empty(); }
  // The next frame's share:
  //   - one change of a button or one key going down, since a frame has one state of each;
  //   - any number of moves, but none after a click, which is where it was, and no click after a move: a widget that others may lie over
  //     takes a press only where the mouse was seen over it before, and a release after a move was a drag;
  //   - a run of text, or a turn of the wheel;
  //   - a shortcut, dropped files or the wish to close alone: what was typed before them is in the document by then.
  InputFrame next();

 private:
  std::deque<InputEvent> waiting_;
  InputFrame held_;  // buttons, keys and the mouse's place, which stay from frame to frame
};

// Gives ImGui a frame's input; just before ImGui::NewFrame.
void feed(const InputFrame& frame);

}  // namespace tessera::studio
