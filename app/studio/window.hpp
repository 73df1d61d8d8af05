// SPDX-License-Identifier: BSD-3-Clause
// Window: the studio on a screen, by GLFW and OpenGL 3. The only place that knows either.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/studio/imgui_compat.hpp"
#include "app/studio/textures.hpp"
#include "core/base/result.hpp"

namespace tessera::studio {

struct KeyPress {
  char letter = 0;  // pressed with Ctrl, by what stands on the key
  bool shift = false;
};

class Window {
 public:
  // Refuses, in a sentence, where there is no display or no OpenGL 3.
  static Result<std::unique_ptr<Window>> open(const std::string& title, int width, int height);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  float scale() const { return scale_; }  // pixels for 1/96 inch
  bool close_requested() const;
  void keep_open();  // takes the person's wish to close back
  void set_title(const std::string& title);
  std::vector<KeyPress> take_keys();
  std::vector<std::string> take_dropped();  // files dropped on the window

  // Sleeps until something happens, or for at most `seconds`; 0 does not sleep, a negative number sleeps for as long as it takes.
  void wait(double seconds);
  void frame(const Textures& textures, ImU32 background, const std::function<void()>& draw);

 private:
  struct Parts;
  explicit Window(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
  float scale_ = 1;
};

}  // namespace tessera::studio
