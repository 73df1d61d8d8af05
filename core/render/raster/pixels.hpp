// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: what a PNG shows, without its file.
#pragma once

#include <string>

#include "core/render/shared/render.hpp"

namespace tessera {

// Width and height, 32 bits each, then 4 bytes a pixel: r, g, b, a, row by row from the top. Its opacity is not in its colours. Refused
// as render_png refuses.
Result<std::string> render_pixels(const Scene& scene, const RenderOptions& options = {});

}  // namespace tessera
