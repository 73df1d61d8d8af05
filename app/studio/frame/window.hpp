// SPDX-License-Identifier: BSD-3-Clause
// Window: the studio on a screen, by GLFW and OpenGL 3. The only place that knows either.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/studio/frame/graphics.hpp"
#include "app/studio/frame/loop.hpp"
#include "core/base/result.hpp"

namespace tessera::studio {

struct WindowWish {
  std::string title;
  PixelSize size = kUsualSize;
  bool grows = true;    // the size is in units of 1/96 inch, of which a fine screen has more pixels; else it is in pixels
  bool visible = true;  // or only to ask what OpenGL there is
  bool waits = true;    // for the screen's next picture before each frame; a bench does not
};

// Thrown by `frame` where the graphics driver has started anew and gives no window any more.
struct WindowLost {
  Error error;
};

class Window : public Surface {
 public:
  // Refuses, in a sentence, where there is no display or no OpenGL 3.3.
  static Result<std::unique_ptr<Window>> open(const WindowWish& wish);
  ~Window() override;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  const Graphics& graphics() const;

  double now() const override;
  bool wait(double seconds) override;
  InputQueue& input() override;
  float scale() const override;
  void set_title(const std::string& title) override;
  void fill_screen(bool fills) override;
  // Refuses, in a sentence, what the driver refuses.
  Result<std::unique_ptr<Surface>> beside(const std::string& title) override;
  // A window that is minimised goes on without a picture. One whose driver has started anew (GL_ARB_robustness) is made again.
  void frame(const InputFrame& input, const Textures& textures, ImU32 background, const std::function<void()>& draw) override;

 private:
  struct Parts;
  explicit Window(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// ImGui's and GLFW's versions and what draws, a line each: for --version --verbose. Opens a window that nobody sees.
std::string facts_of_window();

}  // namespace tessera::studio
