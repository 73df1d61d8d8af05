// SPDX-License-Identifier: BSD-3-Clause
// A file that is a part of the program, as a font or a script is: byte for byte, put there by the assembler.
//
//   TESSERA_EMBED(tessera_page_css, TESSERA_HTML "/page.css");   // at file scope
//   std::string_view css = TESSERA_EMBEDDED(tessera_page_css);
//
// The build has to be told that the source's object depends on the file (OBJECT_DEPENDS).
#pragma once

#include <cstddef>
#include <string_view>

// Names between a file's first byte and the one behind its last; C++ knows them by these names too. A byte of 0 stands behind the last.
#define TESSERA_EMBED(name, path)     \
  asm(".pushsection .rodata, \"a\"\n" \
      ".balign 16\n" #name            \
      "_begin:\n"                     \
      ".incbin \"" path "\"\n" #name  \
      "_end:\n"                       \
      ".byte 0\n"                     \
      ".popsection\n");               \
  extern "C" const char name##_begin[], name##_end[]

#define TESSERA_EMBEDDED(name) (std::string_view{name##_begin, static_cast<std::size_t>(name##_end - name##_begin)})
