// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: one scene's panels in another one.
#pragma once

#include <string_view>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Moves the panels of `part` by (dx, dy) into `into`, with their colours, texts and subjects; tensors of one name are one. Identities
// begin with `letter`, so that no two panels have the same. Steps and captions stay behind.
void append_scene(Scene& into, const Scene& part, float dx, float dy, std::string_view letter);

}  // namespace tessera
