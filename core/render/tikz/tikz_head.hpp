// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: what stands before the marks of our own style of TikZ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene/scene.hpp"
#include "core/render/tikz/tikz_names.hpp"

namespace tessera {

std::string_view tikz_name(LabelRole role);  // "axis", "heading", "caption", "legend", "note": tesseraaxis is a colour

// What made the picture, and what of it a person may change: comments.
void append_tikz_head(std::string& out, const Scene& scene, const std::vector<CellNames>& names, bool has_rows);  // \tesseraRow is called

// The picture is as large as it is said to be, whatever the widths of its texts. Lengths in cells, the cell in points.
void append_tikz_begin(std::string& out, const Scene& scene, Bounds box, double margin, double cell);

void append_tikz_colors(std::string& out, const Scene& scene);

}  // namespace tessera
