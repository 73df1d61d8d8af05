// SPDX-License-Identifier: BSD-3-Clause
// How far apart two colours look, to most people and to those who see fewer hues.
#pragma once

#include <cstdint>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// CIE 1976 L*a*b* under D65: lightness 0 (black) .. 100 (white); a from green to red, b from blue to yellow.
struct Lab {
  double l = 0, a = 0, b = 0;
};

Lab lab(Rgb color);           // of an sRGB colour
double luminance(Rgb color);  // of an sRGB colour, linear: 0 (black) .. 1 (white)
double lightness(Rgb color);  // L* alone: what is left in a grey print, 0 .. 100

// CIEDE2000 with all weights 1, as Sharma, Wu and Dalal (2005) write it out: 0 for equal colours, 1 is just visible side by side,
// 100 from black to white. Symmetric.
double color_difference(const Lab& x, const Lab& y);
double color_difference(Rgb x, Rgb y);

// Whose eyes: protan without the cones for long waves (reds look dark), deutan without those for middle ones (the most frequent;
// red and green look alike), tritan without those for short ones (blue and green look alike).
enum class Sight : std::uint8_t { normal, protan, deutan, tritan };

// The colour that shows to normal sight what `sight` has of `color`: Machado, Oliveira and Fernandes (2009) at severity 1.0.
Rgb seen(Rgb color, Sight sight);

}  // namespace tessera
