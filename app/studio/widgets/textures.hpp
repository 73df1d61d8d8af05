// SPDX-License-Identifier: BSD-3-Clause
// Textures: every picture that a draw list refers to, as pixels in memory. A window uploads them; the software rasteriser reads them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tessera::studio {

// Pixels, row by row from the top, 4 bytes each: r, g, b, a.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

struct Texture {
  Image image;
  bool smooth = false;        // linear filter; else nearest
  std::uint64_t version = 0;  // another number after each change, so that an uploader knows
};

class Textures {
 public:
  // The key stands in a draw list as its ImTextureID. Keys are far from OpenGL's small names, so the two cannot be confused.
  std::uint64_t add(Image image, bool smooth);
  void remove(std::uint64_t key) { textures_.erase(key); }
  const Texture* find(std::uint64_t key) const;
  const std::map<std::uint64_t, Texture>& all() const { return textures_; }

 private:
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t next_ = std::uint64_t{1} << 30;
};

}  // namespace tessera::studio
