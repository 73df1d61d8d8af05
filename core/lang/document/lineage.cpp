// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/document/lineage.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {
namespace {

using Words = std::set<std::string, std::less<>>;

// Every word of a text, whatever it is there: a name, a function, a piece of a string.
void add_words(std::string_view text, Words& words) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.emplace(text.substr(i, end - i));
    i = end + (end == i);
  }
}

bool binds(const Binding& binding, const Words& words) {
  const std::vector<std::string>& names = binding.statement.names;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return words.contains(name); });
}

// What it needs, and itself.
std::vector<std::size_t> family(const Document& document, std::size_t binding) {
  std::vector<std::size_t> members = needed_bindings(document, binding, document.bindings[binding].expression);
  members.push_back(binding);
  return members;
}

}  // namespace

std::vector<std::size_t> needed_bindings(const Document& document, std::size_t end, std::string_view expression) {
  Words words;
  add_words(expression, words);
  std::vector<std::size_t> needed;
  for (std::size_t i = end; i-- > 0;) {  // a line needs only lines above it
    if (!binds(document.bindings[i], words)) continue;
    add_words(document.bindings[i].text, words);
    needed.push_back(i);
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

bool related(const Document& document, std::size_t a, std::size_t b) {
  if (a >= document.bindings.size() || b >= document.bindings.size()) return false;
  const std::vector<std::size_t> one = family(document, a), other = family(document, b);
  return std::find_first_of(one.begin(), one.end(), other.begin(), other.end()) != one.end();
}

}  // namespace tessera
