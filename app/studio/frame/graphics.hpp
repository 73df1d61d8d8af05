// SPDX-License-Identifier: BSD-3-Clause
// Graphics: what draws the window, in OpenGL's own words; and how large a window or a picture may be.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera::studio {

// GL_RENDERER and GL_VERSION; empty without a window.
struct Graphics {
  std::string renderer, version;
  friend bool operator==(const Graphics&, const Graphics&) = default;
};

// Does a program on the processor draw, not a graphics card? llvmpipe, softpipe and SwiftShader are such programs.
bool is_software(std::string_view renderer);
// "NVIDIA H100, OpenGL 3.3.0 NVIDIA 535.104", with a word where it is software; "none: no window" without one.
std::string describe(const Graphics& graphics);

struct PixelSize {
  int width = 0, height = 0;
  friend bool operator==(const PixelSize&, const PixelSize&) = default;
};
constexpr PixelSize kUsualSize{1440, 900}, kSmallestSize{320, 240}, kLargestSize{16384, 16384};

// "1440x900"; other text, and a size beyond the limits, is refused with both.
Result<PixelSize> read_size(std::string_view text);

}  // namespace tessera::studio
