// SPDX-License-Identifier: BSD-3-Clause
// Reads words for cells, in the grammar of selections and as they are spoken.
#include "app/session/actions/said_cells.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/diagram/scene/selection.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {
namespace {

// "warp 3" is "warp=3", and "w3" is "W3".
std::string as_selectors(std::string_view words) {
  std::string text;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i;
    while (end < words.size() && is_letter(words[end])) ++end;
    if (end == i) {
      text += words[i++];
      continue;
    }
    std::string word(words.substr(i, end - i));
    const std::size_t next = std::min(words.find_first_not_of(' ', end), words.size());
    i = end;
    if (next < words.size() && is_digit(words[next])) {
      const std::string small = lower(word);
      std::string upper = word;
      for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (selects_of(small)) {
        word = small + "=";
        i = next;
      } else if (next == end && read_selection(upper + "0", "cells")) {
        word = upper;
      }
    }
    text += word;
  }
  return text;
}

bool is_drawn(const Session& session, std::string_view name) {
  const EvaluatedBinding* found = session.find(name);
  return found && found->value && is_drawable(*found->value);
}

// The words as selectors, where they are some.
std::string selectors_in(std::string_view words) {
  std::string text = as_selectors(trimmed(words));
  const Result<Selection> read = read_selection(text, "cells");
  return read && !read->empty() ? text : std::string();
}

}  // namespace

std::string focused_figure(const Session& session) {
  const Workspace& now = session.workspace();
  if (is_drawn(session, now.selected)) return now.selected;
  const std::vector<View> shown = shown_views(now.arrangement);
  return shown.empty() ? std::string() : shown.front().binding;
}

std::optional<SaidCells> said_cells(const Session& session, std::string_view words) {
  words = trimmed(words);
  const std::size_t blank = words.find(' ');
  const std::string name(words.substr(0, blank));
  if (blank != std::string_view::npos && session.find(name)) {
    if (std::string cells = selectors_in(words.substr(blank)); !cells.empty()) return SaidCells{name, std::move(cells)};
  }
  std::string cells = selectors_in(words);
  if (cells.empty()) return std::nullopt;
  return SaidCells{focused_figure(session), std::move(cells)};
}

}  // namespace tessera
