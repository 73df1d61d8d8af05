// SPDX-License-Identifier: BSD-3-Clause
// Text inside a PNG file: what made the figure travels with it.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// The file with an iTXt chunk (UTF-8) after its header. `png` must be a PNG file.
std::string with_png_text(std::string_view png, std::string_view keyword, std::string_view text);
// The text of the chunk with this keyword; empty when there is none or the file is damaged.
std::string png_text(std::string_view png, std::string_view keyword);
// Does the chunk's checksum say that it is as it was written?
bool png_text_is_whole(std::string_view png, std::string_view keyword);

}  // namespace tessera
