// SPDX-License-Identifier: BSD-3-Clause
// Font files, taken into the program by the assembler: as an array of numbers, each would be megabytes of source.
#include "core/render/shared/fonts.hpp"

#include <string_view>

// Names between a file's first byte and the one behind its last; C++ knows them by these names too.
#define TESSERA_FONT(name, file)                       \
  asm(".pushsection .rodata, \"a\"\n"                  \
      ".balign 16\n" #name                             \
      "_begin:\n"                                      \
      ".incbin \"" TESSERA_FONTS "/" file "\"\n" #name \
      "_end:\n"                                        \
      ".byte 0\n"                                      \
      ".popsection\n");                                \
  extern "C" const char name##_begin[], name##_end[]

TESSERA_FONT(tessera_inter, "Inter-Regular.otf");
TESSERA_FONT(tessera_inter_semibold, "Inter-SemiBold.otf");
TESSERA_FONT(tessera_jetbrains_mono, "JetBrainsMono-Regular.ttf");
// Made of the files above by fonttools: pyftsubset FILE --unicodes=U+20-7E,U+B0-B2,U+B5,U+B7,U+D7,U+2013,U+2026,U+2190-2193,U+2212,U+2218,
// U+2248,U+2260,U+2264,U+2265,U+2295 --layout-features= --no-hinting --drop-tables+=GPOS,GSUB,GDEF --name-IDs= --flavor=woff2
TESSERA_FONT(tessera_web_inter, "web/Inter-Regular.woff2");
TESSERA_FONT(tessera_web_inter_semibold, "web/Inter-SemiBold.woff2");
TESSERA_FONT(tessera_web_jetbrains_mono, "web/JetBrainsMono-Regular.woff2");

namespace tessera {

namespace {

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

std::string_view font_bytes(Typeface face) {
  switch (face) {
    case Typeface::inter: return between(tessera_inter_begin, tessera_inter_end);
    case Typeface::inter_semibold: return between(tessera_inter_semibold_begin, tessera_inter_semibold_end);
    case Typeface::jetbrains_mono: return between(tessera_jetbrains_mono_begin, tessera_jetbrains_mono_end);
  }
  return {};
}

std::string_view web_font_bytes(Typeface face) {
  switch (face) {
    case Typeface::inter: return between(tessera_web_inter_begin, tessera_web_inter_end);
    case Typeface::inter_semibold: return between(tessera_web_inter_semibold_begin, tessera_web_inter_semibold_end);
    case Typeface::jetbrains_mono: return between(tessera_web_jetbrains_mono_begin, tessera_web_jetbrains_mono_end);
  }
  return {};
}

}  // namespace tessera
