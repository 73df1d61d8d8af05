// SPDX-License-Identifier: BSD-3-Clause
// The fonts of assets/fonts as a part of the program: every picture and the studio have the same type on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

enum class Typeface : std::uint8_t { inter, inter_semibold, jetbrains_mono };

// A whole OpenType or TrueType file; it lives as long as the program.
std::string_view font_bytes(Typeface face);
// The same letters for a page: a WOFF2 file with the signs of ASCII and those that figures set beside them, without kerning, which no
// renderer here knows.
std::string_view web_font_bytes(Typeface face);

}  // namespace tessera
