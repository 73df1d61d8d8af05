// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: the two styles in which a scene becomes TikZ.
#pragma once

#include <string>

#include "core/render/shared/render.hpp"

namespace tessera {

Result<std::string> render_cute_tikz(const Scene& scene, const RenderOptions& options);  // print_latex's
Result<std::string> render_own_tikz(const Scene& scene, const RenderOptions& options);

}  // namespace tessera
