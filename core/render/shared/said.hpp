// SPDX-License-Identifier: BSD-3-Clause
// What a picture says in words, for those who do not see it, and for captions that are set elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// One line: what it shows and which facts hold without looking at it; its title or expression where it says nothing.
std::string alternative_text(const Scene& scene);

// The words below a picture, for a file of their own: a paragraph that \input takes, or plain text. Without what colours mean, which stays
// with their swatches. Empty: the picture says nothing.
std::string caption_text(const Scene& scene, bool tex);

// A PDF whose structure has a figure, as Cairo tags it, with the figure's alternative text, the language, and the title shown by readers;
// appended as an update. Unchanged where it has none.
std::string with_pdf_alternative(std::string pdf, std::string_view text);

}  // namespace tessera
