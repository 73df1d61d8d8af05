// SPDX-License-Identifier: BSD-3-Clause
// Spreads events over frames.
#include "app/studio/frame/input.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <variant>
#include <vector>

namespace tessera::studio {
namespace {

struct KeyName {
  ImGuiKey key;
  const char* name;
  bool alone;  // a shortcut without Ctrl or Alt, too
};
const KeyName kKeyNames[] = {
    {ImGuiKey_LeftArrow, "Left", false}, {ImGuiKey_RightArrow, "Right", false}, {ImGuiKey_UpArrow, "Up", false},
    {ImGuiKey_DownArrow, "Down", false}, {ImGuiKey_PageUp, "PageUp", false},    {ImGuiKey_PageDown, "PageDown", false},
    {ImGuiKey_Home, "Home", false},      {ImGuiKey_End, "End", false},          {ImGuiKey_Delete, "Delete", true},
    {ImGuiKey_Enter, "Enter", false},    {ImGuiKey_Escape, "Escape", true}};

bool is_shortcut(const KeyChanged& event) { return event.down && !chord_of(event).empty(); }

// One frame being filled. Each `take` either takes its event, or takes nothing and says that it has to wait.
class Filling {
 public:
  explicit Filling(InputFrame& frame) : frame_(frame) {}
  bool full() const { return full_; }

  bool take(const MouseMoved& event) {
    if (clicked_ || wheeled_) return false;
    moved_ = true;
    frame_.mouse = event.to;
    return true;
  }

  bool take(const MouseButton& event) {
    if (event.button < 0 || event.button >= static_cast<int>(frame_.buttons.size())) return true;
    bool& held = frame_.buttons[static_cast<std::size_t>(event.button)];
    if (acted() || moved_) return false;
    clicked_ = true;
    frame_.modifiers = event.modifiers;
    held = event.down;
    return true;
  }

  bool take(const MouseWheel& event) {
    if (clicked_ || pressed_ || typed_) return false;
    wheeled_ = true;
    frame_.modifiers = event.modifiers;
    frame_.wheel = {frame_.wheel.x + event.steps.x, frame_.wheel.y + event.steps.y};
    return true;
  }

  bool take(const KeyChanged& event) {
    if (!event.key && !is_shortcut(event)) return true;  // it arrives as text
    if (!event.down) return pressed_ ? false : release(*event.key, event.modifiers);
    if (acted() || (event.key && std::find(released_.begin(), released_.end(), *event.key) != released_.end())) return false;
    pressed_ = true;
    frame_.modifiers = event.modifiers;
    if (event.key && std::find(frame_.keys.begin(), frame_.keys.end(), *event.key) == frame_.keys.end()) frame_.keys.push_back(*event.key);
    if (!is_shortcut(event)) return true;
    frame_.shortcut = chord_of(event);
    return full_ = true;
  }

  bool take(const TextTyped& event) {
    if (clicked_ || pressed_) return false;
    typed_ = true;
    frame_.modifiers = {};  // text is what they have led to already
    frame_.text += event.letter;
    return true;
  }

  bool take(const FilesDropped& event) {
    if (acted()) return false;
    frame_.dropped = event.paths;
    return full_ = true;
  }

  bool take(const CloseAsked&) {
    if (acted()) return false;
    frame_.close = true;
    return full_ = true;
  }

 private:
  bool acted() const { return clicked_ || wheeled_ || pressed_ || typed_; }

  // Does nothing by itself, so it may follow whatever the frame has; the same key must be seen up before it goes down again.
  bool release(ImGuiKey key, const Modifiers& modifiers) {
    std::erase(frame_.keys, key);
    released_.push_back(key);
    if (!acted()) frame_.modifiers = modifiers;
    return true;
  }

  InputFrame& frame_;
  std::vector<ImGuiKey> released_;
  bool moved_ = false, clicked_ = false, wheeled_ = false, pressed_ = false, typed_ = false, full_ = false;
};

}  // namespace

Chord chord_of(const KeyChanged& event) {
  const Modifiers& with = event.modifiers;
  const bool held = with.ctrl || with.super || with.alt;
  std::string name;
  if (event.function > 0) {
    name = "F" + std::to_string(event.function);
  } else if (const auto named =
                 std::find_if(std::begin(kKeyNames), std::end(kKeyNames), [&](const KeyName& each) { return each.key == event.key; });
             event.key && named != std::end(kKeyNames)) {
    if (held || named->alone) name = named->name;
  } else if (event.letter > ' ' && held) {
    name = static_cast<char>(std::toupper(static_cast<unsigned char>(event.letter)));
  }
  if (name.empty()) return name;
  return std::string(with.ctrl || with.super ? "Ctrl+" : "") + (with.shift ? "Shift+" : "") + (with.alt ? "Alt+" : "") + name;
}

InputFrame InputQueue::next() {
  InputFrame frame = held_;
  Filling filling(frame);
  while (!waiting_.empty() && !filling.full()) {
    if (!std::visit([&](const auto& event) { return filling.take(event); }, waiting_.front())) break;
    waiting_.pop_front();
  }
  held_.mouse = frame.mouse;
  held_.buttons = frame.buttons;
  held_.keys = frame.keys;
  held_.modifiers = frame.modifiers;
  return frame;
}

void feed(const InputFrame& frame) {
  feed_modifiers(frame.modifiers.ctrl, frame.modifiers.shift, frame.modifiers.alt, frame.modifiers.super);
  for (const ImGuiKey key : kNamedKeys) feed_key(key, std::find(frame.keys.begin(), frame.keys.end(), key) != frame.keys.end());
  feed_mouse(frame.mouse, frame.wheel);
  for (std::size_t button = 0; button < frame.buttons.size(); ++button) feed_button(static_cast<int>(button), frame.buttons[button]);
  for (const char32_t letter : frame.text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
}

}  // namespace tessera::studio
