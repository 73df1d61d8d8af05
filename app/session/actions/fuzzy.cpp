// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {
namespace {

bool begins_word(std::string_view name, std::size_t i) {
  if (i == 0) return true;
  const auto before = static_cast<unsigned char>(name[i - 1]), here = static_cast<unsigned char>(name[i]);
  return !std::isalnum(before) || (std::isdigit(here) && !std::isdigit(before)) || (std::isupper(here) && std::islower(before));
}

constexpr int kLetter = 1, kWord = 8, kNext = 6, kNone = -1;
constexpr int kExact = 4000, kPrefix = 2000, kWords = 1900, kPart = 1000;  // all of it stands in the name as it was typed
constexpr int kApart = -100000;  // a letter is neither at the beginning of a word nor next to the one before

// Whether the letters are in the name so that each begins a word or follows the one before.
bool stands_together(std::string_view letters, std::string_view name) {
  std::vector<bool> ends(name.size()), next(name.size());  // at name[i] the last letter so far may stand
  bool first = true;
  for (const char letter : letters) {
    bool before = first;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool follows = !first && i > 0 && ends[i - 1];
      if (!first && i > 0) before = before || ends[i - 1];
      next[i] = lower(name[i]) == letter && (follows || (before && begins_word(name, i)));
    }
    std::swap(ends, next);
    first = false;
  }
  return letters.empty() || std::find(ends.begin(), ends.end(), true) != ends.end();
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view typed, std::string_view name) {
  std::string letters;
  for (const char c : typed.substr(0, 200)) {
    if (!std::isspace(static_cast<unsigned char>(c))) letters += lower(c);
  }
  name = name.substr(0, 200);
  // best[i]: the best score of the letters so far, of which the last is name[i].
  std::vector<int> best(name.size(), kNone), next(name.size(), kNone);
  bool first = true;
  for (const char letter : letters) {
    int before = kNone;  // the best of all places further left than the one before
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (i >= 2) before = std::max(before, best[i - 2]);
      next[i] = kNone;
      if (lower(name[i]) != letter) continue;
      int from = first ? 0 : before;
      if (!first && i >= 1 && best[i - 1] != kNone) from = std::max(from, best[i - 1] + kNext);
      if (from != kNone) next[i] = from + kLetter + (begins_word(name, i) ? kWord : 0);
    }
    std::swap(best, next);
    first = false;
  }
  const int score = letters.empty() ? 0 : best.empty() ? kNone : *std::max_element(best.begin(), best.end());
  if (score == kNone) return std::nullopt;
  const std::string lowered = lower(name);
  if (letters.empty()) return 0;
  std::string close;  // the name without its blanks, as what was typed
  std::copy_if(lowered.begin(), lowered.end(), std::back_inserter(close), [](char c) { return c != ' '; });
  const std::size_t place = close.find(letters);
  // The same place in the name as it stands, where it is not over a blank.
  const std::size_t there = lowered.find(letters);
  const bool at_word = there != std::string::npos && begins_word(name, there);
  int whole = close == letters ? kExact : place == 0 ? kPrefix : at_word ? kWords : place != std::string::npos ? kPart : 0;
  if (whole == 0 && !stands_together(letters, name)) whole = kApart;
  return score * 4 + whole - static_cast<int>(name.size()) / 4;
}

std::optional<int> words_score(std::string_view typed, std::string_view name, std::string_view keywords) {
  const std::string in_name = lower(name), words = lower(typed);
  int count = 0, there = 0;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t begin = words.find_first_not_of(' ', at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    const std::string_view word(words.data() + begin, end - begin);
    at = end;
    ++count;
    const bool is_in_name = in_name.find(word) != std::string::npos;
    there += is_in_name;
    if (!is_in_name && keywords.find(word) == std::string::npos) return std::nullopt;
  }
  if (count == 0 || (count == 1 && there == 1)) return std::nullopt;  // one word of the name: fuzzy_score knows better
  return kPart + kWord * there - static_cast<int>(name.size()) / 4;
}

}  // namespace tessera
