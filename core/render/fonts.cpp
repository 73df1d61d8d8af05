// SPDX-License-Identifier: BSD-3-Clause
// Font files, taken into the program by the assembler: as an array of numbers, each would be megabytes of source.
#include "core/render/fonts.hpp"

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

namespace tessera {

std::string_view font_bytes(Typeface face) {
  const auto between = [](const char* begin, const char* end) { return std::string_view(begin, static_cast<std::size_t>(end - begin)); };
  switch (face) {
    case Typeface::inter: return between(tessera_inter_begin, tessera_inter_end);
    case Typeface::inter_semibold: return between(tessera_inter_semibold_begin, tessera_inter_semibold_end);
    case Typeface::jetbrains_mono: return between(tessera_jetbrains_mono_begin, tessera_jetbrains_mono_end);
  }
  return {};
}

}  // namespace tessera
