// SPDX-License-Identifier: BSD-3-Clause
// Stretches of a picture's two directions, in pixels.
#include "app/studio/paint/camera.hpp"

#include <algorithm>

namespace tessera::studio {

float AxisMap::rate(const Stretch& stretch, float scale) const {
  if (stretch.of == Stretch::Of::cells) return scale;
  return stretch.of == Stretch::Of::words ? type_ : std::min(scale, type_);
}

float AxisMap::to_pixels(float at, float scale) const {
  if (stretches_.empty()) return scale * at;
  float pixels = scale * stretches_.front().begin;
  if (at < stretches_.front().begin) return pixels - type_ * (stretches_.front().begin - at);
  for (const Stretch& each : stretches_) {
    if (at <= each.end) return pixels + rate(each, scale) * (at - each.begin);
    pixels += rate(each, scale) * (each.end - each.begin);
  }
  return pixels + type_ * (at - stretches_.back().end);
}

float AxisMap::to_scene(float pixels, float scale) const {
  if (stretches_.empty()) return pixels / scale;
  pixels -= scale * stretches_.front().begin;
  if (pixels < 0) return stretches_.front().begin + pixels / type_;
  for (const Stretch& each : stretches_) {
    const float wide = rate(each, scale) * (each.end - each.begin);
    if (pixels <= wide) return each.begin + pixels / rate(each, scale);
    pixels -= wide;
  }
  return stretches_.back().end + pixels / type_;
}

bool AxisMap::grows_at(float at) const {
  if (stretches_.empty()) return true;
  return std::any_of(stretches_.begin(), stretches_.end(),
                     [&](const Stretch& each) { return each.of == Stretch::Of::cells && at >= each.begin && at <= each.end; });
}

}  // namespace tessera::studio
