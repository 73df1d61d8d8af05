// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace tessera {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool begins_word(std::string_view name, std::size_t i) {
  if (i == 0) return true;
  const auto before = static_cast<unsigned char>(name[i - 1]), here = static_cast<unsigned char>(name[i]);
  return !std::isalnum(before) || (std::isdigit(here) && !std::isdigit(before)) || (std::isupper(here) && std::islower(before));
}

constexpr int kLetter = 1, kWord = 8, kNext = 6, kNone = -1;
constexpr int kWhole = 12;  // all of it stands in the name as it was typed

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
  std::string lowered(name);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower);
  const int whole = lowered == letters ? 2 * kWhole : lowered.find(letters) != std::string::npos ? kWhole : 0;
  return (score + whole) * 4 - static_cast<int>(name.size()) / 4;
}

}  // namespace tessera
