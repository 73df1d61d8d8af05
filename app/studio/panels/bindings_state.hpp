// SPDX-License-Identifier: BSD-3-Clause
// What the left panel remembers from frame to frame: fields that are being typed in, where its list stands, and the text beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/studio/panels/text_page.hpp"
#include "app/studio/text/scroll.hpp"
#include "core/base/error.hpp"

namespace tessera::studio {

// The rows of the list with their heights, which are kept so that only those in sight are drawn.
struct ListLayout {
  struct Item {
    enum class Kind { binding, bad_line, mended_line };
    Kind kind = Kind::binding;
    std::size_t number = 0;  // of bindings, of bad lines
    std::string key;         // a binding's name, else its place: by this a row is found again after a change
    std::string comment;     // above it
    float comment_height = 0, height = 0;
  };
  struct Shown {
    std::string key;
    float y = 0, end = 0, row = 0;  // below the list's upper edge; of the row itself, without the comment above
    std::size_t number = 0;
    bool is_binding = false;
  };
  std::vector<Item> items;
  std::vector<Shown> shown;  // in the last frame
  std::string selected;      // in the last frame
  // What the items were made of.
  std::uint64_t revision = 0;
  std::string filter;
  float width = 0;
  bool mending = false;
  std::size_t matching = 0;  // bindings that pass the filter
  float editor_height = 0;   // below the selected row
  Scroll scroll;
};

struct BindingsState {
  std::string editing;           // binding whose text is below
  std::string text;              // what was typed; the document has it too unless it was refused
  CompletionState completion;    // of the word that is being typed
  int texts = 0;                 // that were shown in the field so far
  std::optional<Error> refused;  // why the document did not take it
  std::string filter;
  bool edit_next = false;  // the field takes the keyboard, with all that stands in it selected
  bool reveal = false;     // bring the selected binding into sight at the next frame
  // A bad line that is being mended, while its field has the keyboard: by then it may be a binding.
  struct Mending {
    std::size_t before = 0, begin = 0;  // bindings above it, its place in the text
    std::string written, text;          // what stands there in the document, and in the field
  };
  std::optional<Mending> mending;
  // A name that is being typed in its row.
  struct Renaming {
    std::string from, to, refused;
    bool focused = false;  // the field has the keyboard
  };
  std::optional<Renaming> renaming;
  std::string dragged;  // a row on its way to another place
  std::string menu_of;  // the row that was clicked with the right button
  TabRing menu_ring;
  bool keys_are_elsewhere = false;  // a page has them, or a figure's tool row
  std::string typed;                // at the foot of the list
  std::optional<Error> typed_refused;
  CompletionState typed_completion;
  bool type_next = false;  // the field at the foot takes the keyboard again
  float foot_height = 0;
  ListLayout list;
  bool as_text = false;  // which tab
  TextPage page;
};

}  // namespace tessera::studio
