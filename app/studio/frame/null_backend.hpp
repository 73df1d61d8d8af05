// SPDX-License-Identifier: BSD-3-Clause
// NullBackend: ImGui without a window, a GPU or a clock. It drives the studio's real frames for screenshots and tests.
#pragma once

#include <functional>

#include "app/studio/frame/input.hpp"
#include "app/studio/paint/software_rasterizer.hpp"
#include "app/studio/widgets/textures.hpp"

namespace tessera::studio {

class NullBackend {
 public:
  // With fonts of its own, or with those of another.
  NullBackend(int width, int height, ImFontAtlas* fonts = nullptr);
  ~NullBackend();
  NullBackend(const NullBackend&) = delete;
  NullBackend& operator=(const NullBackend&) = delete;

  // After the fonts have been loaded.
  void start(Textures& textures);
  // `seconds` have passed since the last frame.
  void frame(const InputFrame& input, const std::function<void()>& draw, float seconds = 1.0f / 60.0f);
  // The last frame as pixels.
  Image picture(const Textures& textures, ImU32 background) const;

 private:
  ImGuiContext* context_;  // of its own: two of them may live side by side
};

}  // namespace tessera::studio
