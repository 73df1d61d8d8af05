// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: the program's fonts inside of an SVG or a page, so that a reader without them sees the type that was measured.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

constexpr std::string_view kSans = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
constexpr std::string_view kMono = "'JetBrains Mono', Menlo, 'DejaVu Sans Mono', monospace";

struct FacesInUse {
  bool bold = false, mono = false;  // beside Inter Regular
};

// Rules of CSS, @font-face each, with the fonts in them.
std::string font_faces(const FacesInUse& used);

}  // namespace tessera
