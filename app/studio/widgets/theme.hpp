// SPDX-License-Identifier: BSD-3-Clause
// Theme: the studio's colours, spacings and fonts. One place, so that every panel looks as if one hand had made it.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "app/studio/widgets/imgui_compat.hpp"
#include "app/studio/widgets/textures.hpp"

namespace tessera::studio {

enum class ThemeKind { dark, light, high_contrast, color_blind };

struct Theme {
  ThemeKind kind = ThemeKind::dark;
  ImU32 window, panel, raised, hover, border;  // surfaces, from the back to the front
  ImU32 text, dim, faint;                      // inks on them, from strong to weak
  ImU32 accent, accent_soft, on_accent;        // selection and the cell under the mouse
  ImU32 link;                                  // cells of the same thread
  ImU32 good, bad, bad_soft, warn;
  ImU32 live, emulated, recorded;  // where a result comes from
  ImU32 canvas, cell, ink;         // behind figures, cells without a fill, lines between cells
};

const Theme& theme_of(ThemeKind kind);
// "dark", "light", "high_contrast" or "color_blind"; dark for every other word.
ThemeKind theme_named(std::string_view name);
std::string_view name_of(ThemeKind kind);
ThemeKind theme_after(ThemeKind kind);  // and after the last the first

// A font at one size in pixels. ImGui before 1.92 bakes each size, so text is crisp only at these.
struct Face {
  ImFont* font = nullptr;
  float size = 0;
};

struct Fonts {
  Face body, strong, title, small, mono, mono_small;
  Face caption;             // of a presentation
  std::vector<Face> cell;   // monospaced, from small to large: labels in figures
  std::vector<Face> label;  // proportional, from small to large: names beside figures

  // The largest of `faces` that is at most `size`; the smallest when none is.
  static const Face& at_most(const std::vector<Face>& faces, float size);
};

// Loads the fonts into ImGui's atlas for a scale (1 = 96 dpi).
Fonts load_fonts(float scale);
// The atlas as a texture of ours, for backends without a GPU.
void bake_fonts(Textures& textures);
void apply_style(const Theme& theme, float scale);

ImVec4 to_vec4(ImU32 color);
// The same colour with another opacity, 0..1.
ImU32 faded(ImU32 color, float opacity);

}  // namespace tessera::studio
