// SPDX-License-Identifier: BSD-3-Clause
// CIE's arithmetic of colours, and the sight of the colour-blind.
#include "core/diagram/scene/color_difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tessera {

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// IEC 61966-2-1: linear sRGB to X, Y, Z; its rows' sums are D65's white.
constexpr Matrix kToXyz = {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};

// Machado, Oliveira and Fernandes (2009), severity 1.0, on linear sRGB.
constexpr Matrix kProtan = {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan = {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan = {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Triple operator*(const Matrix& m, const Triple& v) {
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple linear(Rgb c) { return {linear(c.r), linear(c.g), linear(c.b)}; }

std::uint8_t encoded(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  return static_cast<std::uint8_t>(std::lround(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055)));
}

// CIE's cube root, with its straight piece near black.
double root(double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// The hue of (a, b), 0 .. 360 degrees; 0 for grey.
double hue(double a, double b) {
  const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
  return degrees < 0 ? degrees + 360 : degrees;
}

// Half way between two hues, on the shorter way around.
double mean_hue(double x, double y) {
  const double sum = x + y;
  if (std::abs(x - y) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

double seventh_power_share(double chroma) {
  const double c7 = std::pow(chroma, 7);
  return std::sqrt(c7 / (c7 + 6103515625.0));  // 25^7
}

}  // namespace

double luminance(Rgb c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

Lab lab(Rgb color) {
  const Triple xyz = kToXyz * linear(color), white = kToXyz * Triple{1, 1, 1};
  const double x = root(xyz[0] / white[0]), y = root(xyz[1] / white[1]), z = root(xyz[2] / white[2]);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double lightness(Rgb color) { return lab(color).l; }

double color_difference(const Lab& x, const Lab& y) {
  // Greys are spread along a, as their differences look larger than L*a*b* has them.
  const double spread = 1 + 0.5 * (1 - seventh_power_share((std::hypot(x.a, x.b) + std::hypot(y.a, y.b)) / 2));
  const double xa = spread * x.a, ya = spread * y.a;
  const double xc = std::hypot(xa, x.b), yc = std::hypot(ya, y.b);
  const bool grey = xc * yc == 0;  // which has no hue to differ in
  const double xh = hue(xa, x.b), yh = hue(ya, y.b);

  double turn = grey ? 0 : yh - xh;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  const double dl = y.l - x.l, dc = yc - xc, dh = 2 * std::sqrt(xc * yc) * std::sin(radians(turn / 2));

  const double l = (x.l + y.l) / 2 - 50, c = (xc + yc) / 2, h = grey ? xh + yh : mean_hue(xh, yh);
  const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) + 0.32 * std::cos(radians(3 * h + 6)) -
                   0.20 * std::cos(radians(4 * h - 63));
  const double sl = 1 + 0.015 * l * l / std::sqrt(20 + l * l), sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  const double blue = (h - 275) / 25;  // among blues, chroma and hue are not independent
  const double rotation = -2 * seventh_power_share(c) * std::sin(radians(60 * std::exp(-blue * blue)));
  const double l_term = dl / sl, c_term = dc / sc, h_term = dh / sh;
  return std::sqrt(l_term * l_term + c_term * c_term + h_term * h_term + rotation * c_term * h_term);
}

double color_difference(Rgb x, Rgb y) { return color_difference(lab(x), lab(y)); }

Rgb seen(Rgb color, Sight sight) {
  const Matrix* matrix = nullptr;
  switch (sight) {
    case Sight::normal: return color;
    case Sight::protan: matrix = &kProtan; break;
    case Sight::deutan: matrix = &kDeutan; break;
    case Sight::tritan: matrix = &kTritan; break;
  }
  const Triple rgb = *matrix * linear(color);
  return {encoded(rgb[0]), encoded(rgb[1]), encoded(rgb[2])};
}

}  // namespace tessera
