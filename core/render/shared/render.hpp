// SPDX-License-Identifier: BSD-3-Clause
// Scene -> TikZ, SVG, PNG, PDF, JSON and tables of text; html.hpp has the page of HTML. A renderer reads marks only. What would pass the
// request's budget is refused (base/budget.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

struct RenderOptions {
  double cell_points = 28.0;  // edge of a unit cell: points in PDF, pixels in SVG and PNG at scale 1
  double scale = 1.0;         // PNG: pixels a point, so 72 * scale dots an inch
  double zoom = 1.0;          // SVG: the size that it asks for, in those of its viewBox
  bool fit = true;            // PNG: where its edge would pass 3840 pixels at scale 1, its cells become smaller
  bool transparent = false;   // PNG, SVG and PDF without the paper behind the picture; TikZ has none
  bool standalone = true;     // TikZ: a whole document, or the picture alone
};

Result<std::string> render_tikz(const Scene& scene, const RenderOptions& options = {});
Result<std::string> render_svg(const Scene& scene, const RenderOptions& options = {});
Result<std::string> render_json(const Scene& scene);
// The grids of a figure with their labels, panel by panel. Refused where it has none.
enum class TextForm : std::uint8_t { boxes, markdown, csv };
Result<std::string> render_text(const Scene& scene, TextForm form);
Result<std::string> render_png(const Scene& scene, const RenderOptions& options = {});  // bytes; refused where Cairo is absent
Result<std::string> render_pdf(const Scene& scene, const RenderOptions& options = {});

}  // namespace tessera
