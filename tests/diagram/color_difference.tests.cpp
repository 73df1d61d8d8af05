// SPDX-License-Identifier: BSD-3-Clause
// Differences of colours as published, and what the colour-blind see.
#include "core/diagram/scene/color_difference.hpp"

#include <cmath>
#include <cstdint>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct Pair {
  Lab x, y;
  double difference;
};

// Table 1 of Sharma, Wu and Dalal (2005). Pairs 1-6 are blues, 7-16 stand across the turns of hue, the last two are nearly black.
constexpr Pair kPublished[] = {
    {{50.0000, 2.6772, -79.7751}, {50.0000, 0.0000, -82.7485}, 2.0425},
    {{50.0000, 3.1571, -77.2803}, {50.0000, 0.0000, -82.7485}, 2.8615},
    {{50.0000, 2.8361, -74.0200}, {50.0000, 0.0000, -82.7485}, 3.4412},
    {{50.0000, -1.3802, -84.2814}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, -1.1848, -84.8006}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, -0.9009, -85.5211}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, 0.0000, 0.0000}, {50.0000, -1.0000, 2.0000}, 2.3669},
    {{50.0000, -1.0000, 2.0000}, {50.0000, 0.0000, 0.0000}, 2.3669},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0009}, 7.1792},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0010}, 7.1792},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0011}, 7.2195},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0012}, 7.2195},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0009, -2.4900}, 4.8045},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0010, -2.4900}, 4.8045},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0011, -2.4900}, 4.7461},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 0.0000, -2.5000}, 4.3065},
    {{50.0000, 2.5000, 0.0000}, {73.0000, 25.0000, -18.0000}, 27.1492},
    {{50.0000, 2.5000, 0.0000}, {61.0000, -5.0000, 29.0000}, 22.8977},
    {{50.0000, 2.5000, 0.0000}, {56.0000, -27.0000, -3.0000}, 31.9030},
    {{50.0000, 2.5000, 0.0000}, {58.0000, 24.0000, 15.0000}, 19.4535},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.1736, 0.5854}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.2972, 0.0000}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 1.8634, 0.5757}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.2592, 0.3350}, 1.0000},
    {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    {{63.0109, -31.0961, -5.8663}, {62.8187, -29.7946, -4.0864}, 1.2630},
    {{61.2901, 3.7196, -5.3901}, {61.4292, 2.2480, -4.9620}, 1.8731},
    {{35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645},
    {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
    {{36.4612, 47.8580, 18.3852}, {36.2715, 50.5065, 21.2231}, 1.4146},
    {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
    {{90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381},
    {{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
    {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
};

bool near(Rgb x, Rgb y, int levels) {
  return std::abs(x.r - y.r) <= levels && std::abs(x.g - y.g) <= levels && std::abs(x.b - y.b) <= levels;
}

}  // namespace

TEST_CASE("CIEDE2000 is what Sharma, Wu and Dalal published, either way round") {
  for (const Pair& pair : kPublished) {
    CHECK(std::abs(color_difference(pair.x, pair.y) - pair.difference) < 5e-5);
    CHECK(std::abs(color_difference(pair.y, pair.x) - pair.difference) < 5e-5);
  }
}

TEST_CASE("equal colours differ by nothing, and black from white by 100") {
  CHECK(color_difference(Rgb{12, 200, 90}, Rgb{12, 200, 90}) == 0);
  CHECK(std::abs(color_difference(Rgb{0, 0, 0}, Rgb{255, 255, 255}) - 100) < 1e-3);
}

TEST_CASE("sRGB's primaries have CIE's L*a*b*") {
  const auto is = [](Rgb color, double l, double a, double b) {
    const Lab at = lab(color);
    return std::abs(at.l - l) < 0.02 && std::abs(at.a - a) < 0.02 && std::abs(at.b - b) < 0.02;
  };
  CHECK(is({255, 255, 255}, 100, 0, 0));
  CHECK(is({0, 0, 0}, 0, 0, 0));
  CHECK(is({255, 0, 0}, 53.24, 80.09, 67.20));
  CHECK(is({0, 255, 0}, 87.73, -86.18, 83.18));
  CHECK(is({0, 0, 255}, 32.30, 79.19, -107.86));
  CHECK(is({119, 119, 119}, 50.03, 0, 0));
  CHECK(std::abs(lightness({119, 119, 119}) - 50.03) < 0.02);
  CHECK(luminance({255, 255, 255}) == 1);
}

TEST_CASE("the colour-blind keep greys, and lose the hues that their sight is named for") {
  for (const Sight sight : {Sight::normal, Sight::protan, Sight::deutan, Sight::tritan}) {
    for (const int level : {0, 31, 128, 200, 255}) {
      const Rgb grey{static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(level)};
      CHECK(near(seen(grey, sight), grey, 1));
    }
  }
  const Rgb red{213, 94, 0}, green{120, 135, 0}, violet{150, 60, 200};
  CHECK(seen(red, Sight::normal) == red);
  CHECK(color_difference(red, green) > 30);
  CHECK(color_difference(seen(red, Sight::deutan), seen(green, Sight::deutan)) < 12);
  CHECK(lightness(seen(red, Sight::protan)) < lightness(seen(red, Sight::deutan)) - 5);  // reds look dark
  CHECK(color_difference(seen(violet, Sight::tritan), violet) > 10);
  // Each matrix times full red, green and blue, by hand: the rows' entries, clamped to 0 .. 1 and encoded.
  CHECK(near(seen({255, 0, 0}, Sight::protan), {109, 95, 0}, 1));
  CHECK(near(seen({255, 0, 0}, Sight::deutan), {163, 144, 0}, 1));
  CHECK(near(seen({0, 0, 255}, Sight::protan), {0, 89, 255}, 1));
  CHECK(near(seen({0, 255, 0}, Sight::deutan), {239, 214, 58}, 1));
  CHECK(near(seen({0, 255, 0}, Sight::tritan), {0, 247, 217}, 1));
  CHECK(near(seen({0, 0, 255}, Sight::tritan), {0, 107, 150}, 1));
}
