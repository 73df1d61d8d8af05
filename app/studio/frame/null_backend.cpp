// SPDX-License-Identifier: BSD-3-Clause
// ImGui with fixed time and given input.
#include "app/studio/frame/null_backend.hpp"

#include <functional>

#include "app/studio/widgets/theme.hpp"

namespace tessera::studio {

NullBackend::NullBackend(int width, int height, ImFontAtlas* fonts) : context_(ImGui::CreateContext(fonts)) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.ConfigInputTextCursorBlink = false;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // else more than 64 k vertices would abort
  start_input();
}

NullBackend::~NullBackend() { ImGui::DestroyContext(context_); }

void NullBackend::start(Textures& textures) { bake_fonts(textures); }

void NullBackend::frame(const InputFrame& input, const std::function<void()>& draw, float seconds) {
  ImGui::SetCurrentContext(context_);
  ImGui::GetIO().DeltaTime = seconds;
  feed(input);
  ImGui::NewFrame();
  draw();
  ImGui::Render();
}

Image NullBackend::picture(const Textures& textures, ImU32 background) const {
  ImGui::SetCurrentContext(context_);
  return rasterize(*ImGui::GetDrawData(), textures, background);
}

}  // namespace tessera::studio
