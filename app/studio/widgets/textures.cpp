// SPDX-License-Identifier: BSD-3-Clause
// The register of textures.
#include "app/studio/widgets/textures.hpp"

#include <cstdint>
#include <utility>

namespace tessera::studio {

std::uint64_t Textures::add(Image image, bool smooth) {
  const std::uint64_t key = next_++;
  textures_.emplace(key, Texture{std::move(image), smooth, key});
  return key;
}

const Texture* Textures::find(std::uint64_t key) const {
  const auto found = textures_.find(key);
  return found == textures_.end() ? nullptr : &found->second;
}

}  // namespace tessera::studio
