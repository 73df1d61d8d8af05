// SPDX-License-Identifier: BSD-3-Clause
// SlowScreen: a screen whose frames take as long as a test says, on a clock of its own, with a person who does not wait for them. The
// studio's real loop runs on it.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/frame/loop.hpp"
#include "app/studio/frame/null_backend.hpp"

namespace tessera::test {

class SlowScreen : public studio::Surface {
 public:
  SlowScreen(studio::NullBackend& backend, studio::App& app, double frame_seconds)
      : backend_(backend), app_(app), frame_seconds_(frame_seconds) {}

  // What the person does `seconds` after what was done before.
  void then(double seconds, studio::InputEvent event) {
    last_ += seconds;
    person_.push_back({last_, std::move(event)});
  }
  void type(std::string_view text, double seconds_a_key) {
    for (const char c : text) then(seconds_a_key, studio::TextTyped{static_cast<char32_t>(c)});
  }
  void press(ImGuiKey key, double held, studio::Modifiers modifiers = {}, char letter = '\0') {
    then(0.01, studio::KeyChanged{key, letter, true, modifiers});
    then(held, studio::KeyChanged{key, letter, false, modifiers});
  }
  void click(const studio::RecordedItem& item, double held) {
    then(0.01, studio::MouseMoved{{item.x + item.w / 2, item.y + item.h / 2}});
    then(0, studio::MouseButton{0, true, {}});
    then(held, studio::MouseButton{0, false, {}});
  }

  // Runs the studio until the person is done and it has gone to sleep.
  void run() {
    app_.quit = false;
    studio::run(app_, *this);
    app_.quit = false;
  }

  double now() const override { return now_; }
  studio::InputQueue& input() override { return input_; }
  void set_title(const std::string&) override {}
  bool wait(double seconds) override {
    if (deliver() || seconds == 0) return false;
    if (person_.empty()) {
      app_.quit = true;  // it would sleep, and nobody will wake it
      return false;
    }
    const double until = person_.front().when;
    now_ = seconds < 0 ? until : std::min(until, now_ + seconds);
    deliver();
    return false;
  }
  void frame(const studio::InputFrame& input, const studio::Textures&, ImU32, const std::function<void()>& draw) override {
    if (app_.quit) return;
    if (before_frame) before_frame(frames_);
    backend_.frame(input, draw, static_cast<float>(frame_seconds_));
    now_ += frame_seconds_;
    ++frames_;
  }
  long frames() const { return frames_; }
  std::function<void(long)> before_frame;  // is given the frames drawn so far

 private:
  struct Deed {
    double when;
    studio::InputEvent event;
  };
  bool deliver() {
    bool any = false;
    while (!person_.empty() && person_.front().when <= now_) {
      input_.add(std::move(person_.front().event));
      person_.erase(person_.begin());
      any = true;
    }
    return any;
  }

  studio::NullBackend& backend_;
  studio::App& app_;
  double frame_seconds_, now_ = 0, last_ = 0;
  long frames_ = 0;
  studio::InputQueue input_;
  std::vector<Deed> person_;
};

}  // namespace tessera::test
