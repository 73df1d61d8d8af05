// SPDX-License-Identifier: BSD-3-Clause
// The themes as tables of colours, and the fonts.
#include "app/studio/widgets/theme.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/render/shared/fonts.hpp"

namespace tessera::studio {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

const Theme kDark{ThemeKind::dark, rgb(0x0f1115), rgb(0x16191f), rgb(0x1f232b), rgb(0x282d37), rgb(0x2a2f3a), rgb(0xe8ebf1), rgb(0x99a2b3),
                  rgb(0x5f6878),   rgb(0xffb454), rgb(0x3a2f1f), rgb(0x1b1307), rgb(0x5ab0ff), rgb(0x4cc38a), rgb(0xff6b6b), rgb(0x3a2024),
                  rgb(0xf2c14e),   rgb(0x4cc38a), rgb(0xb392f0), rgb(0x5ab0ff), rgb(0x12141a), rgb(0x2a2f3a), rgb(0x0b0d11)};

const Theme kLight{ThemeKind::light, rgb(0xeceef2), rgb(0xf8f9fb), rgb(0xffffff), rgb(0xe9edf4), rgb(0xd8dde6),
                   rgb(0x1a1f29),    rgb(0x5b6475), rgb(0x98a1b1), rgb(0xc4610a), rgb(0xfdeedd), rgb(0xffffff),
                   rgb(0x1768c9),    rgb(0x1c8757), rgb(0xc93a3a), rgb(0xfce8e8), rgb(0xa06a00), rgb(0x1c8757),
                   rgb(0x7345c4),    rgb(0x1768c9), rgb(0xffffff), rgb(0xffffff), rgb(0x232a36)};

// Black and white, with inks that have at least 7:1 on it.
const Theme kHighContrast{ThemeKind::high_contrast,
                          rgb(0x000000),
                          rgb(0x000000),
                          rgb(0x161616),
                          rgb(0x2e2e2e),
                          rgb(0x8c8c8c),
                          rgb(0xffffff),
                          rgb(0xe6e6e6),
                          rgb(0xa8a8a8),
                          rgb(0xffd400),
                          rgb(0x4a3f00),
                          rgb(0x000000),
                          rgb(0x66d9ff),
                          rgb(0x5dff9b),
                          rgb(0xff9a9a),
                          rgb(0x4d0000),
                          rgb(0xffd400),
                          rgb(0x5dff9b),
                          rgb(0xd9b8ff),
                          rgb(0x66d9ff),
                          rgb(0x000000),
                          rgb(0x262626),
                          rgb(0x000000)};

// Blue and orange where the others have green and red: told apart without either.
const Theme kColorBlind{ThemeKind::color_blind, rgb(0xeceef2), rgb(0xf8f9fb), rgb(0xffffff), rgb(0xe9edf4), rgb(0xd8dde6),
                        rgb(0x1a1f29),          rgb(0x565f70), rgb(0x98a1b1), rgb(0xb85c00), rgb(0xfdeedd), rgb(0xffffff),
                        rgb(0x0072b2),          rgb(0x005a8c), rgb(0xa84300), rgb(0xfdeadd), rgb(0x8a6d00), rgb(0x005a8c),
                        rgb(0x7a4f7a),          rgb(0x0072b2), rgb(0xffffff), rgb(0xffffff), rgb(0x232a36)};

const Theme* const kThemes[] = {&kDark, &kLight, &kHighContrast, &kColorBlind};
constexpr std::string_view kThemeNames[] = {"dark", "light", "high_contrast", "color_blind"};

Face load(Typeface face, float size) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  size = static_cast<float>(static_cast<int>(size + 0.5f));
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  config.FontDataOwnedByAtlas = false;
  static const ImWchar ranges[] = {0x20, 0x7e, 0xa0, 0xff, 0x2013, 0x2026, 0x2070, 0x208e, 0x2190, 0x2193, 0x2200, 0x22ff, 0};
  const std::string_view bytes = font_bytes(face);
  const auto add = [&](std::string_view font, const ImWchar* signs) {
    void* const data = const_cast<char*>(font.data());  // which ImGui only reads
    return atlas.AddFontFromMemoryTTF(data, static_cast<int>(font.size()), size, &config, signs);
  };
  ImFont* const made = add(bytes, ranges);
  // Inter has no signs of mathematics such as a plus in a circle.
  static const ImWchar signs[] = {0x2200, 0x22ff, 0};
  config.MergeMode = true;
  if (face != Typeface::jetbrains_mono) add(font_bytes(Typeface::jetbrains_mono), signs);
  return {made, size};
}

}  // namespace

const Theme& theme_of(ThemeKind kind) { return *kThemes[static_cast<std::size_t>(kind)]; }

std::string_view name_of(ThemeKind kind) { return kThemeNames[static_cast<std::size_t>(kind)]; }

ThemeKind theme_after(ThemeKind kind) { return kThemes[(static_cast<std::size_t>(kind) + 1) % std::size(kThemes)]->kind; }

ThemeKind theme_named(std::string_view name) {
  for (const Theme* each : kThemes) {
    if (name_of(each->kind) == name) return each->kind;
  }
  return ThemeKind::dark;
}

const Face& Fonts::at_most(const std::vector<Face>& faces, float size) {
  const Face* best = &faces.front();
  for (const Face& face : faces) {
    if (face.size <= size) best = &face;
  }
  return *best;
}

Fonts load_fonts(float scale) {
  constexpr Typeface body = Typeface::inter, strong = Typeface::inter_semibold, mono = Typeface::jetbrains_mono;
  Fonts fonts;
  fonts.body = load(body, 15 * scale);
  fonts.strong = load(strong, 15 * scale);
  fonts.title = load(strong, 19 * scale);
  fonts.caption = load(body, 24 * scale);
  fonts.small = load(body, 12.5f * scale);
  fonts.mono = load(mono, 15 * scale);
  fonts.mono_small = load(mono, 13 * scale);
  for (const float size : {7.f, 8.f, 9.f, 10.f, 11.f, 12.f, 14.f, 16.f, 19.f, 23.f, 28.f, 36.f})
    fonts.cell.push_back(load(mono, size * scale));
  for (const float size : {11.f, 13.f, 15.f, 18.f, 22.f}) fonts.label.push_back(load(strong, size * scale));
  return fonts;
}

void bake_fonts(Textures& textures) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  Image image{width, height, std::vector<std::uint8_t>(pixels, pixels + static_cast<std::size_t>(width) * height * 4)};
  set_font_texture(atlas, textures.add(std::move(image), true));
#if IMGUI_VERSION_NUM < 19200
  atlas.ClearTexData();  // ImGui's own two copies; from 1.92 on it draws more glyphs into them
#endif
}

ImVec4 to_vec4(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

ImU32 faded(ImU32 color, float opacity) {
  const auto alpha = static_cast<ImU32>(opacity * static_cast<float>((color >> IM_COL32_A_SHIFT) & 255) + 0.5f);
  return (color & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {0, 0};
  style.FramePadding = {10, 6};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.WindowRounding = 0;
  style.ChildRounding = 0;
  style.FrameRounding = 6;
  style.PopupRounding = 8;
  style.GrabRounding = 6;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 10;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.ScaleAllSizes(scale);
  const auto set = [&](ImGuiCol_ which, ImU32 color) { style.Colors[which] = to_vec4(color); };
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.dim);
  set(ImGuiCol_WindowBg, theme.window);
  set(ImGuiCol_ChildBg, 0);
  set(ImGuiCol_PopupBg, theme.raised);
  set(ImGuiCol_Border, theme.border);
  set(ImGuiCol_FrameBg, theme.raised);
  set(ImGuiCol_FrameBgHovered, theme.hover);
  set(ImGuiCol_FrameBgActive, theme.hover);
  set(ImGuiCol_Button, theme.raised);
  set(ImGuiCol_ButtonHovered, theme.hover);
  set(ImGuiCol_ButtonActive, theme.border);
  set(ImGuiCol_Header, theme.hover);
  set(ImGuiCol_HeaderHovered, theme.hover);
  set(ImGuiCol_HeaderActive, theme.border);
  set(ImGuiCol_ScrollbarBg, 0);
  set(ImGuiCol_ScrollbarGrab, theme.border);
  set(ImGuiCol_ScrollbarGrabHovered, theme.faint);
  set(ImGuiCol_ScrollbarGrabActive, theme.dim);
  set(ImGuiCol_CheckMark, theme.accent);
  set(ImGuiCol_PlotHistogram, theme.accent);
  set(ImGuiCol_TextSelectedBg, faded(theme.accent, 0.35f));
  set(ImGuiCol_NavHighlight, theme.accent);
  set(ImGuiCol_ModalWindowDimBg, IM_COL32(0, 0, 0, 140));
  ImGui::GetStyle() = style;
}

}  // namespace tessera::studio
