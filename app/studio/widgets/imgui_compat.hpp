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

// The keyboard goes to the item that is drawn next. 1.90.0 and 1.90.1 look for that item only in the part of the window (its focus scope)
// that has the keyboard already, so this part gets it first.
inline void focus_next_item() {
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19020
  ImGui::SetWindowFocus();
#endif
  ImGui::SetKeyboardFocusHere();
}

// The keys that text fields and dialogs know; everything else arrives as text or as a shortcut.
#if IMGUI_VERSION_NUM >= 18700
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif
constexpr ImGuiKey kNamedKeys[] = {ImGuiKey_Tab,    ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                                   ImGuiKey_PageUp, ImGuiKey_PageDown,  ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_Insert,
                                   ImGuiKey_Delete, ImGuiKey_Backspace, ImGuiKey_Space,      ImGuiKey_Enter,   ImGuiKey_Escape,
                                   kKeypadEnter,    ImGuiKey_A,         ImGuiKey_C,          ImGuiKey_V,       ImGuiKey_X,
                                   ImGuiKey_Y,      ImGuiKey_Z};

// Input of one frame. 1.87 turned state into events and spreads them itself, which is switched off: our own queue has done it (input.hpp).
// 1.86 needs a map from its named keys to indices of KeysDown, which a backend may have set.
inline void start_input() {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
#endif
}

inline void feed_mouse(ImVec2 position, ImVec2 wheel) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(position.x, position.y);
  if (wheel.x != 0 || wheel.y != 0) io.AddMouseWheelEvent(wheel.x, wheel.y);
#else
  io.MousePos = position;
  io.MouseWheelH = wheel.x;
  io.MouseWheel = wheel.y;
#endif
}

inline void feed_button(int button, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseButtonEvent(button, down);
#else
  io.MouseDown[button] = down;
#endif
}

inline void feed_key(ImGuiKey key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(key, down);
#else
  if (io.KeyMap[key] < 0) io.KeyMap[key] = key;
  io.KeysDown[io.KeyMap[key]] = down;
#endif
}

inline void feed_modifiers(bool ctrl, bool shift, bool alt, bool super) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18902
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  io.AddKeyEvent(ImGuiMod_Super, super);
#elif IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiKey_ModCtrl, ctrl);
  io.AddKeyEvent(ImGuiKey_ModShift, shift);
  io.AddKeyEvent(ImGuiKey_ModAlt, alt);
  io.AddKeyEvent(ImGuiKey_ModSuper, super);
#else
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
  io.KeyAlt = alt;
  io.KeySuper = super;
#endif
}

// A key went down in this frame, or repeats.
inline bool key_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#endif
}
inline bool key_down(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyDown(key);
#else
  return ImGui::IsKeyDown(ImGui::GetKeyIndex(key));
#endif
}
// Nobody else hears of a key that went down in this frame; it repeats later.
inline void use_up(ImGuiKey key) {
  ImGuiIO& io = ImGui::GetIO();
  constexpr float kHeld = 1e-4f;  // seconds
#if IMGUI_VERSION_NUM >= 18700
  constexpr bool kAll = sizeof(io.KeysData) / sizeof(io.KeysData[0]) > ImGuiKey_NamedKey_COUNT;
  io.KeysData[kAll ? key : key - ImGuiKey_NamedKey_BEGIN].DownDuration = kHeld;
#else
  if (io.KeyMap[key] >= 0) io.KeysDownDuration[io.KeyMap[key]] = kHeld;
#endif
}
inline bool enter_pressed() { return key_pressed(ImGuiKey_Enter) || key_pressed(kKeypadEnter); }

// AddRect and AddPolyline swapped their last two arguments in 1.92.8: always through here.
inline void add_rect(ImDrawList* list, ImVec2 a, ImVec2 b, ImU32 color, float rounding, float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list->AddRect(a, b, color, rounding, thickness);
#else
  list->AddRect(a, b, color, rounding, 0, thickness);
#endif
}

}  // namespace tessera::studio
