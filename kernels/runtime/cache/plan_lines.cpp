// SPDX-License-Identifier: BSD-3-Clause
// Pairs lines by their names, in the order of the plan.
#include "kernels/runtime/cache/plan_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/utf8.hpp"

namespace tessera {
namespace {

constexpr std::size_t kShownLines = 3, kShownBytes = 80;

using Line = std::array<std::string_view, 3>;  // name, value, map

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    Line line;
    for (std::string_view& field : line) {
      const std::size_t tab = &field == &line.back() ? rest.size() : std::min(rest.find('\t'), rest.size());
      field = rest.substr(0, tab);
      rest.remove_prefix(std::min(tab + 1, rest.size()));
    }
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string shown(const std::string& text) {
  if (text.empty()) return "not there";
  const std::string_view head = utf8_prefix(text, kShownBytes);
  return head.size() < text.size() ? fmt::format("{}...", head) : text;
}

// "32 x 16 CTAs, 64 k-tiles, 3 stages"
std::vector<std::string_view> pieces_of(std::string_view map) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = map.find_first_of(",;");
    pieces.push_back(map.substr(0, end));
    if (end == map.npos) return pieces;
    map.remove_prefix(end + 1);
    while (map.starts_with(' ')) map.remove_prefix(1);
  }
}

// Of two maps that are built alike, the pieces that differ.
PlanLineDifference map_difference(std::string_view name, std::string_view was, std::string_view is) {
  const std::vector<std::string_view> before = pieces_of(was), now = pieces_of(is);
  if (before.size() != now.size()) return {std::string(name), std::string(was), std::string(is)};
  PlanLineDifference found{std::string(name), {}, {}};
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (before[i] == now[i]) continue;
    for (const auto& [into, piece] : {std::pair{&found.was, before[i]}, {&found.is, now[i]}})
      *into += (into->empty() ? "" : ", ") + std::string(piece);
  }
  return found;
}

}  // namespace

std::vector<PlanLineDifference> plan_differences(std::string_view was, std::string_view is) {
  std::vector<Line> before = lines_of(was);
  std::vector<PlanLineDifference> found;
  for (const Line& now : lines_of(is)) {
    const auto pair = std::find_if(before.begin(), before.end(), [&](const Line& line) { return line[0] == now[0]; });
    if (pair == before.end()) {
      found.push_back({std::string(now[0]), {}, std::string(now[1])});
      continue;
    }
    if ((*pair)[1] != now[1])
      found.push_back({std::string(now[0]), std::string((*pair)[1]), std::string(now[1])});
    else if ((*pair)[2] != now[2])
      found.push_back(map_difference(now[0], (*pair)[2], now[2]));
    before.erase(pair);
  }
  for (const Line& gone : before) found.push_back({std::string(gone[0]), std::string(gone[1]), {}});
  return found;
}

std::string plan_differences_in_words(const std::vector<PlanLineDifference>& differences) {
  if (differences.empty()) return {};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(differences.size(), kShownLines); ++i) {
    const auto& [name, was, is] = differences[i];
    words.push_back(fmt::format("{} was {}, is {}", utf8_prefix(name, kShownBytes), shown(was), shown(is)));
  }
  const std::size_t more = differences.size() - words.size();
  return fmt::format("in the plan {}{}", fmt::join(words, "; "),
                     more == 0 ? "" : fmt::format("; and {} more line{}", more, more == 1 ? " differs" : "s differ"));
}

}  // namespace tessera
