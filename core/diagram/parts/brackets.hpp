// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: brackets beside cells, with what they hold together.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

enum class BracketAt : std::uint8_t { above, below, left };

// From `from` to `to` along a side of what lies at `edge`: its line stands 0.3 text units away from the edge, its words behind the line.
void add_bracket(Scene& scene, Panel& panel, BracketAt side, float from, float to, float edge, std::string_view words, float unit);

// Room that a bracket with its words takes above or below, in text units.
inline constexpr float kBracketRoom = 0.95f;

}  // namespace tessera
