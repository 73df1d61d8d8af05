// SPDX-License-Identifier: BSD-3-Clause
// NullBackend: ImGui without a window, a GPU or a clock. It drives the studio's real frames for screenshots and tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/studio/imgui_compat.hpp"
#include "app/studio/software_rasterizer.hpp"
#include "app/studio/textures.hpp"

namespace tessera::studio {

// What the person does in one frame.
struct FrameInput {
  ImVec2 mouse{-1, -1};
  bool left = false;
  float wheel = 0;
  std::string typed;           // UTF-8
  std::vector<ImGuiKey> keys;  // held down
  bool ctrl = false;
};

class NullBackend {
 public:
  NullBackend(int width, int height);
  ~NullBackend();
  NullBackend(const NullBackend&) = delete;
  NullBackend& operator=(const NullBackend&) = delete;

  // After the fonts have been loaded.
  void start(Textures& textures);
  void frame(const FrameInput& input, const std::function<void()>& draw);
  // The last frame as pixels.
  Image picture(const Textures& textures, ImU32 background) const;

 private:
  std::vector<ImGuiKey> held_;  // in the last frame
};

}  // namespace tessera::studio
