// SPDX-License-Identifier: BSD-3-Clause
// Scene -> TikZ. print_latex's style repeats CuTe's text (tikz_cute.cpp); our own is for papers and slides (tikz_own.cpp).
#include <string>

#include "core/render/shared/look.hpp"
#include "core/render/tikz/tikz_styles.hpp"

namespace tessera {

Result<std::string> render_tikz(const Scene& scene, const RenderOptions& options) {
  return look_of(scene).cute_tikz ? render_cute_tikz(scene, options) : render_own_tikz(scene, options);
}

}  // namespace tessera
