// SPDX-License-Identifier: BSD-3-Clause
// The document as one text, beside the list: what it was made of, and what is said about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/studio/text/text_editor.hpp"

namespace tessera::studio {

struct TextPage {
  TextEditorState editor;
  std::uint64_t revision = 0;  // of the document that is shown
  std::vector<TextMark> marks;
  std::string refused;  // why the document did not take what is written here
  std::optional<SignatureHelp> signature;
  bool reselect = false;  // something was typed: the line of the cursor may be another binding by now
};
std::optional<Action> draw_text_page(Ui& ui, const Session& session, TextPage& page, const std::optional<Error>& refused,
                                     const ScreenRect& area);
// The binding in whose line the cursor stands; empty where there is none.
std::string binding_at_cursor(const Session& session, const TextPage& page);
// What is refused and doubted in a document, at the places of its text.
std::vector<TextMark> marks_of(const Session& session, const TextBuffer& text);

}  // namespace tessera::studio
