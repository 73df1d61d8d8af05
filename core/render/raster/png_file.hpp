// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: pixels -> the bytes of a PNG file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

// As Cairo has them: 32 bits a pixel, blue in the lowest byte, colours multiplied by their opacity.
struct Bitmap {
  const std::uint8_t* data = nullptr;
  int width = 0, height = 0, stride = 0;  // pixels, rows, bytes from row to row
  bool transparent = false;               // the file keeps the opacity; else the highest byte is not read
};

struct PngSize {
  int width = 0, height = 0;  // pixels
  bool transparent = false;
};

// Draws rows [begin, end) of a picture. The pixels last until the next call; no data: they could not be drawn.
using PngRows = std::function<Bitmap(int begin, int end)>;
// Makes one for a thread of its own.
using PngPainters = std::function<PngRows()>;

// Files for screens and slides: quickly made rather than small. The same bytes for the same pixels, on any number of cores. `text`, where
// there is one, is kept under the keyword "tessera" (png_text.hpp). Refused where drawing, memory or zlib fails.
// Pictures are drawn in bands of rows, so that a large one takes little memory.
Result<std::string> png_file(const PngSize& size, double dots_per_inch, std::string_view text, const PngPainters& painters);
Result<std::string> png_file(const Bitmap& pixels, double dots_per_inch, std::string_view text);

}  // namespace tessera
