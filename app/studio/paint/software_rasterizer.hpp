// SPDX-License-Identifier: BSD-3-Clause
// ImDrawData -> pixels without OpenGL: what `--screenshot` and the tests look at.
#pragma once

#include <string>

#include "app/studio/widgets/imgui_compat.hpp"
#include "app/studio/widgets/textures.hpp"

namespace tessera::studio {

// Paints the draw lists over an opaque background (ImU32, as ImGui packs colours).
Image rasterize(const ImDrawData& data, const Textures& textures, ImU32 background);

// The image as the bytes of a PNG file, without alpha.
std::string encode_png(const Image& image);

}  // namespace tessera::studio
