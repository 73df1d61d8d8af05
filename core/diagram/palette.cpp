// SPDX-License-Identifier: BSD-3-Clause
// The tables of colours, and the arithmetic that keeps text readable on them.
#include "core/diagram/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/atom/catalog.hpp"

namespace tessera {

namespace {

// Okabe and Ito's colours, ordered so that neighbours differ in hue and in lightness; black is replaced by a slate.
constexpr std::array<Rgb, 8> kHues = {
    {{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233}, {213, 94, 0}, {240, 220, 50}, {110, 110, 160}}};
constexpr std::array<double, 4> kSoftShares = {0.30, 0.42, 0.54, 0.66};
constexpr std::array<double, 4> kStrongShares = {0.50, 0.60, 0.70, 0.80};
constexpr double kSoftAlone = 0.42;  // when a hue has one shade only
constexpr double kStrongAlone = 0.70;

constexpr std::array<Rgb, 6> kRamp = {
    {{250, 246, 230}, {214, 234, 208}, {160, 214, 202}, {122, 187, 214}, {128, 156, 214}, {163, 144, 208}}};

// print_latex.hpp's tables, in its order.
constexpr std::array<int, 8> kLatexGreys = {0, 40, 20, 60, 10, 50, 30, 70};
constexpr std::array<Rgb, 8> kLatexPastels = {{{175, 175, 255},
                                               {175, 255, 175},
                                               {255, 255, 175},
                                               {255, 175, 175},
                                               {210, 210, 255},
                                               {210, 255, 210},
                                               {255, 255, 210},
                                               {255, 210, 210}}};

constexpr std::array<std::string_view, 5> kNames = {"tessera", "okabe_ito", "greys", "print_latex", "white"};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

std::uint8_t mixed(std::uint8_t a, std::uint8_t b, double share) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * share)); }

Rgb grey(double share) { return mix(kPaper, Rgb{0, 0, 0}, share); }

std::size_t modulo(std::int64_t i, std::int64_t n) { return static_cast<std::size_t>(((i % n) + n) % n); }

}  // namespace

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb text_color(Rgb fill) { return contrast(fill, kInk) >= contrast(fill, kPaper) ? kInk : kPaper; }

Rgb mix(Rgb a, Rgb b, double share) { return {mixed(a.r, b.r, share), mixed(a.g, b.g, share), mixed(a.b, b.b, share)}; }

PaletteColor plain_color(Rgb rgb) { return {rgb, fmt::format("{{rgb,255:red,{};green,{};blue,{}}}", rgb.r, rgb.g, rgb.b)}; }

std::span<const std::string_view> Palette::names() { return kNames; }

Result<Palette> Palette::find(std::string_view name) {
  if (name.empty()) name = "tessera";
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return Palette(static_cast<Id>(i), kNames[i]);
  }
  std::vector<std::string> known(kNames.begin(), kNames.end());
  Error error{ErrorCode::unknown_name, fmt::format("there is no palette '{}'", name), {}, {}};
  return std::move(error).note(fmt::format("the palettes are {}", names_and_nearest(name, known)));
}

PaletteColor Palette::category(std::int64_t index, std::int64_t count) const {
  if (id_ == Id::white) return {kPaper, "white"};
  if (id_ == Id::print_latex) return latex_thread(index);
  const std::int64_t group = std::clamp<std::int64_t>((count + 7) / 8, 1, 4);
  const std::size_t hue = modulo(index / group, 8), shade = modulo(index, group);
  if (id_ == Id::greys) return plain_color(grey(0.06 + 0.40 * static_cast<double>(modulo(index, 8)) / 7.0));
  const bool strong = id_ == Id::okabe_ito;
  const double share = group == 1 ? (strong ? kStrongAlone : kSoftAlone) : (strong ? kStrongShares : kSoftShares)[shade * 4 / group];
  // The darkest hues are held back a little, so that ink stays readable on them.
  Rgb fill = mix(kPaper, kHues[hue], share);
  for (double s = share; contrast(fill, kInk) < 4.5; s -= 0.02) fill = mix(kPaper, kHues[hue], s);
  return plain_color(fill);
}

PaletteColor Palette::ramp(double position) const {
  if (id_ == Id::white) return {kPaper, "white"};
  const double p = std::round(std::clamp(position, 0.0, 1.0) * 63) / 63;
  if (id_ == Id::greys || id_ == Id::print_latex) return plain_color(grey(0.02 + 0.42 * p));
  const double at = p * (kRamp.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), kRamp.size() - 2);
  return plain_color(mix(kRamp[i], kRamp[i + 1], at - static_cast<double>(i)));
}

PaletteColor Palette::latex_index(std::int64_t index) const {
  if (id_ == Id::white) return {kPaper, "white"};
  const int percent = kLatexGreys[modulo(index, 8)];
  return {grey(percent / 100.0), fmt::format("black!{:02d}", percent)};
}

PaletteColor Palette::latex_thread(std::int64_t thread) const {
  if (id_ == Id::white) return {kPaper, "white"};
  return plain_color(kLatexPastels[modulo(thread, 8)]);
}

}  // namespace tessera
