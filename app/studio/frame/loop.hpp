// SPDX-License-Identifier: BSD-3-Clause
// The studio's loop: sleeps until a person or a timer wants something, and draws until what came of it is on the screen.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/studio/frame/app.hpp"
#include "app/studio/frame/input.hpp"
#include "core/base/result.hpp"

namespace tessera::studio {

// What shows the studio and hears the person: a window, or a test with a clock of its own.
class Surface {
 public:
  virtual ~Surface() = default;
  virtual double now() const = 0;  // seconds
  // Sleeps until something happens, or for at most `seconds`; 0 does not sleep, a negative number sleeps for as long as it takes. What
  // happened is in `input` then. True when a frame should be drawn for it, e.g. also since the window was uncovered.
  virtual bool wait(double seconds) = 0;
  virtual InputQueue& input() = 0;
  virtual float scale() const { return 1; }  // pixels for 1/96 inch, of the monitor that it is on now
  virtual void set_title(const std::string& title) = 0;
  virtual void fill_screen(bool) {}  // the whole screen, or the place that it had
  // A second one with the same fonts, on another monitor where there is one. Refuses where there cannot be a second.
  virtual Result<std::unique_ptr<Surface>> beside(const std::string& title);
  virtual void frame(const InputFrame& input, const Textures& textures, ImU32 background, const std::function<void()>& draw) = 0;
};

constexpr double kFileCheckSeconds = 1, kAutosaveSeconds = 2, kBusySeconds = 0.05;
constexpr double kFigureSeconds = 0.016;  // between two looks whether a figure, or values are ready
constexpr double kValuePatience = 0.005;  // that a change waits for its values
constexpr double kPatience = 0.008;       // that a frame waits for its figures
constexpr int kSettleFrames = 3;          // ImGui needs a few to settle after the last event

// Until the person quits, or after `most_frames` unless that is 0.
void run(App& app, Surface& surface, long most_frames = 0);

}  // namespace tessera::studio
