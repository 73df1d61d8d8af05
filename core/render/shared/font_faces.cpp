// SPDX-License-Identifier: BSD-3-Clause
// The rules, each made once.
#include "core/render/shared/font_faces.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/base64.hpp"
#include "core/render/shared/fonts.hpp"

namespace tessera {

namespace {

std::string rule(std::string_view family, int weight, Typeface face) {
  return fmt::format("@font-face{{font-family:{};font-weight:{};src:url(data:font/woff2;base64,{}) format('woff2')}}\n", family, weight,
                     padded_base64(web_font_bytes(face)));
}

}  // namespace

std::string font_faces(const FacesInUse& used) {
  static const std::string inter = rule("Inter", 400, Typeface::inter), bold = rule("Inter", 600, Typeface::inter_semibold),
                           mono = rule("'JetBrains Mono'", 400, Typeface::jetbrains_mono);
  return inter + (used.bold ? bold : "") + (used.mono ? mono : "");
}

}  // namespace tessera
