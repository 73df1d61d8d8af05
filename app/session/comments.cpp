// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/comments.hpp"

#include <algorithm>
#include <set>

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

// "thr,val" where "thr, val) -> ..." begins like that; else empty.
std::string names_of_map(std::string_view text, std::size_t count) {
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    text = without_blanks_before(text);
    const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
    if (end == 0 || is_digit(text.front())) return {};
    names += (i == 0 ? "" : ",") + std::string(text.substr(0, end));
    text = without_blanks_before(text.substr(end));
    if (!text.starts_with(i + 1 < count ? ',' : ')')) return {};
    text.remove_prefix(1);
  }
  text = without_blanks_before(text);
  return text.starts_with("->") || text.starts_with("→") ? names : std::string();
}

// The one map of so many modes in a comment.
std::string modes_in(std::string_view comment, std::size_t count) {
  std::set<std::string> found;
  for (std::size_t at = comment.find('('); at != std::string_view::npos; at = comment.find('(', at + 1)) {
    if (std::string names = names_of_map(comment.substr(at + 1), count); !names.empty()) found.insert(std::move(names));
  }
  return found.size() == 1 ? *found.begin() : std::string();
}

}  // namespace

std::string comment_above(const Document& document, std::size_t binding) {
  std::string comment;
  const std::string& leading = document.bindings[binding].leading;
  std::size_t begin = binding == 0 ? 0 : std::min(leading.find('\n'), leading.size() - 1) + 1;
  while (begin < leading.size()) {
    const std::size_t end = std::min(leading.find('\n', begin), leading.size());
    std::string line = leading.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty() && line[0] == '#') {
      line.erase(0, line.find_first_not_of("# "));
      comment += (comment.empty() ? "" : " ") + line;
    } else if (!line.empty() || end < leading.size()) {
      comment.clear();  // a blank or bad line: what stood above belongs to what is above
    }
    begin = end + 1;
  }
  return comment;
}

std::string_view comment_behind(const Document& document, std::size_t binding) {
  const bool is_last = binding + 1 == document.bindings.size();
  const std::string_view rest = is_last ? std::string_view(document.trailing) : std::string_view(document.bindings[binding + 1].leading);
  const std::string_view line = without_blanks_before(rest.substr(0, rest.find('\n')));
  return line.starts_with('#') ? line : std::string_view();
}

std::string modes_said(const Document& document, std::size_t binding, const Value& value) {
  const std::size_t count = unnamed_modes(value);
  if (count == 0) return {};
  if (std::string behind = modes_in(comment_behind(document, binding), count); !behind.empty()) return behind;
  constexpr std::size_t kMostLines = 64;  // of a group
  for (std::size_t i = binding;; --i) {
    const std::string& leading = document.bindings[i].leading;
    const std::string above = comment_above(document, i);
    if (!above.empty() || i == 0 || binding - i == kMostLines || std::count(leading.begin(), leading.end(), '\n') > 1)
      return modes_in(above, count);
  }
}

}  // namespace tessera
