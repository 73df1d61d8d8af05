// SPDX-License-Identifier: BSD-3-Clause
// Text as XML takes it.
#include "core/render/shared/svg_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

void append_xml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    switch (const char32_t code = drawable(character)) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default:
        if (is_unprintable(code))  // shown by no terminal that the file is looked at in
          out += fmt::format("&#x{:x};", static_cast<std::uint32_t>(code));
        else
          append_utf8(out, code);
    }
    text.remove_prefix(character.length);
  }
}

}  // namespace tessera
