// SPDX-License-Identifier: BSD-3-Clause
// Font files, taken into the program by the assembler: as an array of numbers, each would be megabytes of source.
#include "core/render/shared/fonts.hpp"

#include <string_view>

#include "core/base/embedded_file.hpp"

TESSERA_EMBED(tessera_inter, TESSERA_FONTS "/Inter-Regular.otf");
TESSERA_EMBED(tessera_inter_semibold, TESSERA_FONTS "/Inter-SemiBold.otf");
TESSERA_EMBED(tessera_jetbrains_mono, TESSERA_FONTS "/JetBrainsMono-Regular.ttf");
// Made of the files above by fonttools: pyftsubset FILE --unicodes=U+20-7E,U+B0-B2,U+B5,U+B7,U+D7,U+2013,U+2026,U+2190-2193,U+2212,U+2218,
// U+2248,U+2260,U+2264,U+2265,U+2295 --layout-features= --no-hinting --drop-tables+=GPOS,GSUB,GDEF --name-IDs= --flavor=woff2
TESSERA_EMBED(tessera_web_inter, TESSERA_FONTS "/web/Inter-Regular.woff2");
TESSERA_EMBED(tessera_web_inter_semibold, TESSERA_FONTS "/web/Inter-SemiBold.woff2");
TESSERA_EMBED(tessera_web_jetbrains_mono, TESSERA_FONTS "/web/JetBrainsMono-Regular.woff2");

namespace tessera {

std::string_view font_bytes(Typeface face) {
  switch (face) {
    case Typeface::inter: return TESSERA_EMBEDDED(tessera_inter);
    case Typeface::inter_semibold: return TESSERA_EMBEDDED(tessera_inter_semibold);
    case Typeface::jetbrains_mono: return TESSERA_EMBEDDED(tessera_jetbrains_mono);
  }
  return {};
}

std::string_view web_font_bytes(Typeface face) {
  switch (face) {
    case Typeface::inter: return TESSERA_EMBEDDED(tessera_web_inter);
    case Typeface::inter_semibold: return TESSERA_EMBEDDED(tessera_web_inter_semibold);
    case Typeface::jetbrains_mono: return TESSERA_EMBEDDED(tessera_web_jetbrains_mono);
  }
  return {};
}

}  // namespace tessera
