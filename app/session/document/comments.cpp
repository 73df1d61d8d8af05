// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/comments.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {
namespace {

// How many modes a layout has that does not say what they are; 0: the value is none.
std::size_t unnamed_modes(const Value& value) {
  if (const auto* plain = std::get_if<Layout>(&value.any)) return plain->shape().rank();
  if (const auto* composed = std::get_if<ComposedLayout>(&value.any)) return shape(AnyLayout(*composed)).rank();
  const auto* tensor = std::get_if<Tensor>(&value.any);
  return tensor && !tensor->part ? shape(tensor->layout).rank() : 0;
}

std::string_view without_blanks_before(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// The word that a text begins with; empty: it begins with none.
std::string_view first_word(std::string_view text) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  return end == 0 || is_digit(text.front()) ? std::string_view() : text.substr(0, end);
}

// One map: {"thr,val", "offset"}; what else stands behind the arrow is no name for its numbers.
using Map = std::pair<std::string, std::string>;

// Of "thr, val) -> ..."; no names where it does not begin like that.
Map map_of(std::string_view text, std::size_t count) {
  Map map;
  for (std::size_t i = 0; i < count; ++i) {
    text = without_blanks_before(text);
    const std::string_view name = first_word(text);
    if (name.empty()) return {};
    map.first += (i == 0 ? "" : ",") + std::string(name);
    text = without_blanks_before(text.substr(name.size()));
    if (!text.starts_with(i + 1 < count ? ',' : ')')) return {};
    text.remove_prefix(1);
  }
  text = without_blanks_before(text);
  for (const std::string_view arrow : {"->", "→"}) {
    if (!text.starts_with(arrow)) continue;
    text = without_blanks_before(text.substr(arrow.size()));
    std::string_view word = first_word(text);
    if (word.ends_with('s')) word.remove_suffix(1);
    if (text.starts_with('(')) word = "coordinate";
    if (word == "coordinate" || word == "offset" || word == "index") map.second = word;
    return map;
  }
  return {};
}

// What the maps of so many modes in a comment agree on.
std::string modes_in(std::string_view comment, std::size_t count) {
  std::set<Map> found;
  for (std::size_t at = comment.find('('); at != std::string_view::npos; at = comment.find('(', at + 1)) {
    if (Map map = map_of(comment.substr(at + 1), count); !map.first.empty()) found.insert(std::move(map));
  }
  if (found.empty() || found.begin()->first != found.rbegin()->first) return {};
  const auto& [names, numbers] = *found.begin();
  return found.size() == 1 && !numbers.empty() ? names + "->" + numbers : names;
}

}  // namespace

namespace {

// The lines of the comment that stands directly above a binding, without their signs.
std::vector<std::string> lines_above(const Document& document, std::size_t binding) {
  std::vector<std::string> lines;
  const std::string& leading = document.bindings[binding].leading;
  if (leading.find('#') == std::string::npos) return lines;
  std::size_t begin = binding == 0 ? 0 : std::min(leading.find('\n'), leading.size() - 1) + 1;
  while (begin < leading.size()) {
    const std::size_t end = std::min(leading.find('\n', begin), leading.size());
    std::string line = leading.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty() && line[0] == '#') {
      line.erase(0, line.find_first_not_of("# "));
      lines.push_back(std::move(line));
    } else if (!line.empty() || end < leading.size()) {
      lines.clear();  // a blank or bad line: what stood above belongs to what is above
    }
    begin = end + 1;
  }
  return lines;
}

constexpr std::string_view kNote = "note:";

// Where a comment's words for the speaker begin: what follows is theirs, too.
std::vector<std::string>::const_iterator first_note(const std::vector<std::string>& lines) {
  return std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with(kNote); });
}

constexpr std::size_t kMostLines = 64;  // of a group

}  // namespace

std::string comment_above(const Document& document, std::size_t binding) {
  const std::vector<std::string> lines = lines_above(document, binding);
  std::string comment;
  for (auto line = lines.begin(); line != first_note(lines); ++line) comment += (comment.empty() ? "" : " ") + *line;
  return comment;
}

std::string notes_of(const Document& document, std::size_t binding) {
  std::vector<std::string> lines;
  for (std::size_t i = binding; lines.empty(); --i) {
    lines = lines_above(document, i);
    if (i == 0 || binding - i == kMostLines || has_blank_line_above(document, i)) break;
  }
  std::string notes;
  const auto first = first_note(lines);
  for (auto line = first; line != lines.end(); ++line) {
    const std::string_view words = line == first ? without_blanks_before(std::string_view(*line).substr(kNote.size())) : *line;
    notes += (notes.empty() ? "" : "\n") + std::string(words);
  }
  return notes;
}

bool has_blank_line_above(const Document& document, std::size_t binding) {
  const std::string& leading = document.bindings[binding].leading;
  return binding > 0 && std::count(leading.begin(), leading.end(), '\n') > 1;
}

std::string heading_of(const Document& document, std::size_t binding) {
  for (std::size_t i = binding;; --i) {
    std::string above = comment_above(document, i);
    if (!above.empty() || i == 0 || binding - i == kMostLines || has_blank_line_above(document, i)) return above;
  }
}

std::string_view comment_behind(const Document& document, std::size_t binding) {
  const bool is_last = binding + 1 == document.bindings.size();
  const std::string_view rest = is_last ? std::string_view(document.trailing) : std::string_view(document.bindings[binding + 1].leading);
  const std::string_view line = without_blanks_before(rest.substr(0, rest.find('\n')));
  return line.starts_with('#') ? line : std::string_view();
}

std::string modes_said(const Document& document, const std::vector<EvaluatedBinding>& bindings, const EvaluatedBinding& evaluated) {
  const std::size_t count = evaluated.value ? unnamed_modes(*evaluated.value) : 0, binding = number_of(bindings, evaluated);
  if (count == 0) return {};
  if (std::string behind = modes_in(comment_behind(document, binding), count); !behind.empty()) return behind;
  return modes_in(heading_of(document, binding), count);
}

}  // namespace tessera
