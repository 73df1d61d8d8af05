// SPDX-License-Identifier: BSD-3-Clause
// A row of a dialog: a name, and words of which one is chosen. Tab comes to the row as a whole, Left and Right choose in it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

constexpr std::ptrdiff_t kNoWord = -1;

struct ChoiceRow {
  std::string_view name, help;
  std::span<const std::string_view> words;
  std::ptrdiff_t chosen = kNoWord;
  bool may_be_none = false;  // what is pressed again, and Left of the first word, choose nothing
};

// The row's name; what comes next stands beside it.
void draw_row_name(Ui& ui, std::string_view name, std::string_view help);
// To the right of the last word, or below it where the row ends.
void next_in_row(Ui& ui);
// Of the arrow keys: 1 for Right, -1 for Left, else 0; a ring around what has the keyboard shows that they go there.
int walked_in_row(Ui& ui, ImVec2 a, ImVec2 b);
// Another choice, where one was made. In a dialog with a ring.
std::optional<std::ptrdiff_t> draw_choices(Ui& ui, const ChoiceRow& row);

}  // namespace tessera::studio
