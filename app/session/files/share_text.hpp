// SPDX-License-Identifier: BSD-3-Clause
// A document as one word that goes through mail, chats and command lines:
//
//   tessera:1:bGV0IGEgPSA0OjEK.0a5b7b50c0f87150
//           | |                |
//           | the text, base64url (RFC 4648, 5) without padding
//           version            the first 16 digits of its SHA-256
//
// Version 1 will be read for ever; another way to write one takes another number. The same text always gives the same word: nothing is
// compressed, since what a compressor writes depends on its version.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

// What such a document is called, which has no file.
inline constexpr const char* kSharedTitle = "shared";

std::string share_text(std::string_view document);

// Begins with "tessera:", a number and ":"; white space may stand before it.
bool is_share_text(std::string_view text);

// The document's text. Line ends and blanks, which mail puts into long words, do not count. Refuses (ErrorCode::corrupt) what was cut off,
// what was changed, and what is of a later version, each in a sentence of its own.
Result<std::string> read_share_text(std::string_view text);

}  // namespace tessera
