// SPDX-License-Identifier: BSD-3-Clause
// The input queue: whatever happens between two frames reaches ImGui, in order and in states that one frame can tell apart.
#include "app/studio/frame/input.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera::studio;

namespace {

constexpr Modifiers kNone{}, kCtrl{true, false, false, false};

std::vector<InputFrame> frames_of(InputQueue& queue) {
  std::vector<InputFrame> frames;
  while (!queue.empty()) frames.push_back(queue.next());
  return frames;
}

bool down(const InputFrame& frame, ImGuiKey key) { return std::find(frame.keys.begin(), frame.keys.end(), key) != frame.keys.end(); }

}  // namespace

TEST_CASE("a press and a release between two frames are two frames, and the mouse is over what it presses before") {
  InputQueue queue;
  queue.add(MouseMoved{{10, 20}});
  queue.add(MouseButton{0, true, kNone});
  queue.add(MouseButton{0, false, kNone});
  queue.add(KeyChanged{ImGuiKey_Backspace, '\0', true, kNone});
  queue.add(KeyChanged{ImGuiKey_Backspace, '\0', false, kNone});
  const std::vector<InputFrame> frames = frames_of(queue);
  REQUIRE(frames.size() == 5);
  CHECK_FALSE(frames[0].buttons[0]);
  CHECK(frames[0].mouse.x == 10);
  CHECK(frames[1].buttons[0]);
  CHECK(frames[1].mouse.x == 10);
  CHECK_FALSE(frames[2].buttons[0]);
  CHECK(down(frames[3], ImGuiKey_Backspace));
  CHECK_FALSE(down(frames[4], ImGuiKey_Backspace));
}

TEST_CASE("a run of text is one frame, and a key or a click in it divides it") {
  InputQueue queue;
  for (const char c : std::string("(4,")) queue.add(TextTyped{static_cast<char32_t>(c)});
  queue.add(KeyChanged{ImGuiKey_Backspace, '\0', true, kNone});
  queue.add(KeyChanged{ImGuiKey_Backspace, '\0', false, kNone});
  for (const char c : std::string(":8")) queue.add(TextTyped{static_cast<char32_t>(c)});
  queue.add(MouseButton{0, true, kNone});
  queue.add(MouseButton{0, false, kNone});
  queue.add(TextTyped{U'é'});
  const std::vector<InputFrame> frames = frames_of(queue);
  REQUIRE(frames.size() == 6);
  CHECK(frames[0].text == U"(4,");
  CHECK(down(frames[1], ImGuiKey_Backspace));
  CHECK(frames[2].text == U":8");  // beside the key's release
  CHECK(frames[3].buttons[0]);
  CHECK(frames[3].text.empty());
  CHECK(frames[5].text == U"é");
}

TEST_CASE("Ctrl belongs to the key that it was held for, and a shortcut comes after what was typed before it") {
  InputQueue queue;
  queue.add(TextTyped{U'a'});
  queue.add(KeyChanged{std::nullopt, 's', true, kCtrl});
  queue.add(TextTyped{U'b'});
  queue.add(KeyChanged{ImGuiKey_A, 'a', true, kCtrl});
  queue.add(TextTyped{U'c'});
  queue.add(CloseAsked{});
  const std::vector<InputFrame> frames = frames_of(queue);
  REQUIRE(frames.size() == 6);
  CHECK(frames[0].text == U"a");
  CHECK(frames[1].shortcut == "Ctrl+S");
  CHECK(frames[1].text.empty());
  CHECK(frames[2].text == U"b");
  CHECK_FALSE(frames[2].modifiers.ctrl);
  CHECK(frames[3].modifiers.ctrl);
  CHECK(frames[4].text == U"c");
  CHECK_FALSE(frames[4].modifiers.ctrl);
  CHECK(frames[5].close);
}

TEST_CASE("a shortcut is called as in the table of actions, and what only types is none") {
  const auto called = [](std::optional<ImGuiKey> key, char letter, Modifiers with, int function = 0) {
    return chord_of({key, letter, true, with, function});
  };
  CHECK(called(ImGuiKey_Z, 'z', {true, true, false, false}) == "Ctrl+Shift+Z");
  CHECK(called({}, 's', {false, false, false, true}) == "Ctrl+S");  // the Mac's key for the same
  CHECK(called({}, '\\', {true, false, false, false}) == "Ctrl+\\");
  CHECK(called({}, 0, {}, 5) == "F5");
  CHECK(called(ImGuiKey_UpArrow, 0, {false, false, true, false}) == "Alt+Up");
  CHECK(called(ImGuiKey_Delete, 0, {}) == "Delete");
  CHECK(called(ImGuiKey_Escape, 0, {}) == "Escape");
  CHECK(called(ImGuiKey_UpArrow, 0, {}).empty());
  CHECK(called(ImGuiKey_Enter, 0, {}).empty());
  CHECK(called({}, 'a', {false, true, false, false}).empty());
  CHECK(called(ImGuiKey_A, 'a', {}).empty());
}

TEST_CASE("a quick drag is seen: down where it began, moved while held, released where it ended") {
  InputQueue queue;
  queue.add(MouseMoved{{1, 1}});
  queue.add(MouseButton{0, true, kNone});
  for (int i = 2; i <= 9; ++i) queue.add(MouseMoved{{static_cast<float>(i), 1}});
  queue.add(MouseButton{0, false, kNone});
  queue.add(MouseMoved{{50, 1}});
  const std::vector<InputFrame> frames = frames_of(queue);
  REQUIRE(frames.size() == 5);
  CHECK((!frames[0].buttons[0] && frames[0].mouse.x == 1));
  CHECK((frames[1].buttons[0] && frames[1].mouse.x == 1));
  CHECK((frames[2].buttons[0] && frames[2].mouse.x == 9));
  CHECK((!frames[3].buttons[0] && frames[3].mouse.x == 9));
  CHECK(frames[4].mouse.x == 50);
}

TEST_CASE("of any input nothing is lost, doubled or reordered") {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 300; ++round) {
    InputQueue queue;
    std::string typed, seen;  // letters, and < > for a button, [ ] for a key, ! for a shortcut
    std::array<bool, 3> buttons{};
    std::vector<ImGuiKey> keys;
    float wheel = 0, turned = 0;
    for (int i = 0; i < 60; ++i) {
      switch (pick(6)) {
        case 0: queue.add(TextTyped{static_cast<char32_t>('a' + pick(26))}), typed += 'a'; break;
        case 1: {
          const int button = pick(3);
          bool& held = buttons[static_cast<std::size_t>(button)];
          held = !held;
          queue.add(MouseButton{button, held, kNone});
          typed += held ? '<' : '>';
          break;
        }
        case 2: {
          const ImGuiKey key = kNamedKeys[pick(6)];
          const bool held = std::erase(keys, key) == 0;
          if (held) keys.push_back(key);
          queue.add(KeyChanged{key, '\0', held, kNone});
          if (held) typed += '[';
          break;
        }
        case 3: queue.add(MouseMoved{{static_cast<float>(pick(100)), 0}}); break;
        case 4: queue.add(MouseWheel{{0, 1}, kNone}), ++wheel; break;
        default: queue.add(KeyChanged{std::nullopt, 's', true, kCtrl}), typed += '!'; break;
      }
    }
    InputFrame before;
    for (const InputFrame& frame : frames_of(queue)) {
      seen += std::string(frame.text.size(), 'a');
      for (std::size_t b = 0; b < 3; ++b) {
        if (frame.buttons[b] != before.buttons[b]) seen += frame.buttons[b] ? '<' : '>';
      }
      for (const ImGuiKey key : kNamedKeys) {
        if (down(frame, key) && !down(before, key)) seen += '[';
      }
      if (!frame.shortcut.empty()) seen += '!';
      turned += frame.wheel.y;
      before = frame;
    }
    CHECK(seen == typed);
    CHECK(turned == wheel);
    CHECK(before.buttons == buttons);
  }
}
