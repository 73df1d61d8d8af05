// SPDX-License-Identifier: BSD-3-Clause
// Colours: what a number (a thread, a value, an offset, a bank) looks like, in one table for every renderer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/diagram/scene.hpp"

namespace tessera {

// The ink of texts and strong lines, and the paper behind them.
inline constexpr Rgb kInk{27, 31, 39};
inline constexpr Rgb kPaper{255, 255, 255};

double contrast(Rgb a, Rgb b);        // WCAG 2: 1 (equal) .. 21 (black on white)
Rgb text_color(Rgb fill);             // ink or paper, whichever can be read better on it
Rgb mix(Rgb a, Rgb b, double share);  // share of b: 0 gives a

// A palette gives categories (threads, values, banks) and ramps (offsets) their colours. All of its fills carry ink at a
// contrast of at least 4.5.
class Palette {
 public:
  // "" and "tessera" (Okabe-Ito's hues, softened), "okabe_ito" (stronger), "greys", "print_latex", "white".
  static Result<Palette> find(std::string_view name);
  static std::span<const std::string_view> names();

  std::string_view name() const { return name_; }
  // The colour of category `index` of `count`: up to 8 hues, each in up to 4 shades, so 32 categories stay apart: in a warp,
  // neighbours of a quad share the hue, and no two lanes look the same.
  PaletteColor category(std::int64_t index, std::int64_t count) const;
  // `position` 0..1 on a ramp from light to dark that orders offsets, in 64 steps.
  PaletteColor ramp(double position) const;
  // print_latex's own rules: index % 8 in a table of greys, thread % 8 in a table of pastels; or white throughout.
  PaletteColor latex_index(std::int64_t index) const;
  PaletteColor latex_thread(std::int64_t thread) const;

 private:
  enum class Id : std::uint8_t { tessera, okabe_ito, greys, print_latex, white };
  Palette(Id id, std::string_view name) : id_(id), name_(name) {}
  Id id_;
  std::string_view name_;
};

PaletteColor plain_color(Rgb rgb);  // spelt {rgb,255:red,r;green,g;blue,b} for TikZ

}  // namespace tessera
