// SPDX-License-Identifier: BSD-3-Clause
// Window: the studio on a screen, by GLFW and OpenGL 3. The only place that knows either.
#pragma once

#include <memory>
#include <string>

#include "app/studio/loop.hpp"
#include "core/base/result.hpp"

namespace tessera::studio {

class Window : public Surface {
 public:
  // Refuses, in a sentence, where there is no display or no OpenGL 3.
  static Result<std::unique_ptr<Window>> open(const std::string& title, int width, int height);
  ~Window() override;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  float scale() const { return scale_; }  // pixels for 1/96 inch

  double now() const override;
  bool wait(double seconds) override;
  InputQueue& input() override;
  void set_title(const std::string& title) override;
  void frame(const InputFrame& input, const Textures& textures, ImU32 background, const std::function<void()>& draw) override;

 private:
  struct Parts;
  explicit Window(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
  float scale_ = 1;
};

}  // namespace tessera::studio
