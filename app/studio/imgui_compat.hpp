// SPDX-License-Identifier: BSD-3-Clause
// Dear ImGui, 1.86 to 1.92, behind one spelling. The only header of the studio that knows ImGui's version.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

#if __has_include(<imgui_stdlib.h>)
#include <imgui_stdlib.h>
#else
#include <misc/cpp/imgui_stdlib.h>
#endif

#if IMGUI_VERSION_NUM < 18600
#error "Tessera's studio needs Dear ImGui 1.86 or newer"
#endif

namespace tessera::studio {

// ImTextureID was void* and became an integer in 1.91.4.
inline ImTextureID to_texture_id(std::uint64_t key) { return (ImTextureID)(std::uintptr_t)key; }
inline std::uint64_t texture_key(ImTextureID id) { return (std::uint64_t)(std::uintptr_t)id; }

// 1.92 wraps texture ids so that the atlas can grow while it is in use.
inline std::uint64_t texture_of(const ImDrawCmd& command) { return texture_key(command.GetTexID()); }
inline void retarget(ImDrawCmd& command, std::uint64_t key) {
#if IMGUI_VERSION_NUM >= 19200
  command.TexRef = ImTextureRef(to_texture_id(key));
#else
  command.TextureId = to_texture_id(key);
#endif
}

inline void set_font_texture(ImFontAtlas& atlas, std::uint64_t key) { atlas.SetTexID(to_texture_id(key)); }

// 1.92: fonts have no size of their own, PushFont takes one.
inline void push_font(ImFont* font, float size) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, size);
#else
  (void)size;
  ImGui::PushFont(font);
#endif
}

inline ImVec2 text_size(ImFont* font, float size, const char* begin, const char* end) {
  return font->CalcTextSizeA(size, 3.0e38f, 0.0f, begin, end);
}

// A part of a window that keeps its padding. 1.90 moved the flag for that from the window's flags to the child's.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding, flags);
#else
  return ImGui::BeginChild(id, size, false, flags | ImGuiWindowFlags_AlwaysUseWindowPadding);
#endif
}

// Input for a backend without a window. 1.87 turned state into events; 1.86 needs a map from its named keys to indices of KeysDown.
inline void feed_mouse(ImVec2 position, bool left, bool middle, float wheel) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(position.x, position.y);
  io.AddMouseButtonEvent(0, left);
  io.AddMouseButtonEvent(2, middle);
  if (wheel != 0) io.AddMouseWheelEvent(0, wheel);
#else
  io.MousePos = position;
  io.MouseDown[0] = left;
  io.MouseDown[2] = middle;
  io.MouseWheel = wheel;
#endif
}

inline void feed_key(ImGuiKey key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(key, down);
#else
  io.KeyMap[key] = key;
  io.KeysDown[key] = down;
#endif
}

inline void feed_ctrl(bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18902
  io.AddKeyEvent(ImGuiMod_Ctrl, down);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, down);
#else
  io.KeyCtrl = down;
#endif
}

// AddRect and AddPolyline swapped their last two arguments in 1.92.8: always through here.
inline void add_rect(ImDrawList* list, ImVec2 a, ImVec2 b, ImU32 color, float rounding, float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list->AddRect(a, b, color, rounding, thickness);
#else
  list->AddRect(a, b, color, rounding, 0, thickness);
#endif
}

}  // namespace tessera::studio
