// SPDX-License-Identifier: BSD-3-Clause
// Fuzzy: how well what was typed fits a name. Letters may be left out, never exchanged: "spr" fits "Split right".
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

// The more the better; nothing where a letter is missing. Letters at the beginning of words, and next to each other, count more, and a
// short name more than a long one; the name itself, its beginning, and a part of it as it was typed come first. Below 0: letters stand
// apart in the middle of words, which is hardly what was meant. Case and blanks in `typed` do not count.
std::optional<int> fuzzy_score(std::string_view typed, std::string_view name);

// The same of several words in any order, each a part of the name or of what else it is known by, in small letters: "bf16 sm80". The more
// of them stand in the name, and the shorter it is, the better; nothing where one stands nowhere, and of one word or none in the name.
std::optional<int> words_score(std::string_view typed, std::string_view name, std::string_view keywords);

}  // namespace tessera
