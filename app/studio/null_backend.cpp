// SPDX-License-Identifier: BSD-3-Clause
// ImGui with fixed time and given input.
#include "app/studio/null_backend.hpp"

#include "app/studio/theme.hpp"

namespace tessera::studio {

NullBackend::NullBackend(int width, int height) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = 1.0f / 60.0f;
  io.ConfigInputTextCursorBlink = false;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // else more than 64 k vertices would abort
}

NullBackend::~NullBackend() { ImGui::DestroyContext(); }

void NullBackend::start(Textures& textures) { bake_fonts(textures); }

void NullBackend::frame(const FrameInput& input, const std::function<void()>& draw) {
  feed_mouse(input.mouse, input.left, false, input.wheel);
  if (!input.typed.empty()) ImGui::GetIO().AddInputCharactersUTF8(input.typed.c_str());
  for (const ImGuiKey key : held_) feed_key(key, false);
  for (const ImGuiKey key : input.keys) feed_key(key, true);
  feed_ctrl(input.ctrl);
  held_ = input.keys;
  ImGui::NewFrame();
  draw();
  ImGui::Render();
}

Image NullBackend::picture(const Textures& textures, ImU32 background) const {
  return rasterize(*ImGui::GetDrawData(), textures, background);
}

}  // namespace tessera::studio
