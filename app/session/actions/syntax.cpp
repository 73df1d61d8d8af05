// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/syntax.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/division_or_comment.hpp"

namespace tessera {
namespace {

constexpr std::string_view kKeywords[] = {"let",           "param", "assert", "in",  "auto", "using", "typedef", "const", "constexpr",
                                          "static_assert", "if",    "else",   "for", "o",    "true",  "false",   "print"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool begins_comment(std::string_view line, std::size_t at) {
  if (line[at] == '#') return true;
  if (line.substr(at, 2) != "//") return false;
  const std::vector<std::size_t> divisions = possible_divisions(line);
  return std::find(divisions.begin(), divisions.end(), at) == divisions.end();
}

std::size_t end_of_word(std::string_view line, std::size_t at) {
  while (at < line.size() && (is_word(line[at]) || (line.substr(at, 2) == "::" && at + 2 < line.size() && is_letter(line[at + 2]))))
    at += line[at] == ':' ? 2 : 1;
  return at;
}

std::size_t end_of_string(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (++at; at < line.size() && line[at] != quote; ++at) at += line[at] == '\\' ? 1 : 0;
  return std::min(at + 1, line.size());
}

// Also 1'000 and 1.5.
std::size_t end_of_number(std::string_view line, std::size_t at) {
  const auto digit_at = [&](std::size_t i) { return i < line.size() && is_digit(line[i]); };
  while (at < line.size() && (is_word(line[at]) || ((line[at] == '\'' || line[at] == '.') && digit_at(at + 1)))) ++at;
  return at;
}

// `let NAME`, `param NAME`, `NAME =`: where a name is given its value.
bool is_bound_here(std::string_view line, std::size_t begin, std::size_t end) {
  const std::string_view before = trimmed(line.substr(0, begin)), behind = trimmed(line.substr(end));
  if (before == "let" || before == "param") return true;
  return (before.empty() || before == "auto") && behind.starts_with('=') && !behind.starts_with("==");
}

WordRole role_of(std::string_view line, std::size_t begin, std::size_t end) {
  const std::string_view word = line.substr(begin, end - begin);
  if (has(kKeywords, word)) return WordRole::keyword;
  if (is_bound_here(line, begin, end)) return WordRole::bound;
  const bool called = trimmed(line.substr(end)).starts_with('(');
  if (called && is_function_name(word)) return WordRole::function;
  return is_atom_name(word) ? WordRole::atom : WordRole::name;
}

std::size_t past_comment(std::string_view line, std::size_t at, bool& in_comment) {
  const std::size_t close = line.find("*/", at);
  in_comment = close == std::string_view::npos;
  return in_comment ? line.size() : close + 2;
}

}  // namespace

bool is_function_name(std::string_view name) {
  static const std::set<std::string, std::less<>> kNames = [] {
    std::set<std::string, std::less<>> names;
    for (const BuiltinHelp& row : builtins()) names.emplace(row.name);
    for (std::string& name : figure_functions()) names.insert(std::move(name));
    return names;
  }();
  return kNames.contains(name.substr(name.find_last_of(':') + 1));  // cute::make_layout
}

bool is_atom_name(std::string_view name) {
  static const std::set<std::string, std::less<>> kNames = [] {
    std::set<std::string, std::less<>> names;
    for (const auto& all : {mma_atom_names(), copy_atom_names()})
      for (const std::string& each : all) names.insert(each.substr(0, each.find('<')));
    return names;
  }();
  const auto found = kNames.lower_bound(name);
  if (found == kNames.end() || name.find('_') == std::string_view::npos || !found->starts_with(name)) return false;
  return found->size() == name.size() || (*found)[name.size()] == '_';
}

std::vector<ColoredWord> colored_words(std::string_view line, bool& in_comment) {
  std::vector<ColoredWord> words;
  std::size_t at = 0;
  if (in_comment) {
    at = past_comment(line, 0, in_comment);
    if (at > 0) words.push_back({0, at, WordRole::comment});
  }
  while (at < line.size()) {
    const std::size_t begin = at;
    WordRole role = WordRole::symbol;
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    if (line.substr(at, 2) == "/*") {
      at = past_comment(line, at + 2, in_comment);
      role = WordRole::comment;
    } else if (begins_comment(line, at)) {
      at = line.size();
      role = WordRole::comment;
    } else if (line[at] == '"' || line[at] == '\'') {
      at = end_of_string(line, at);
      role = WordRole::string;
    } else if (is_digit(line[at]) || (line[at] == '_' && at + 1 < line.size() && is_digit(line[at + 1]))) {
      at = end_of_number(line, at);
      role = WordRole::number;
    } else if (is_letter(line[at])) {
      at = end_of_word(line, at);
      role = role_of(line, begin, at);
    } else {
      ++at;
      while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) ++at;  // the rest of one character
    }
    words.push_back({begin, at, role});
  }
  return words;
}

std::vector<bool> lines_in_comment(std::string_view text, const std::vector<std::size_t>& starts) {
  std::vector<bool> open(starts.size(), false);
  if (text.find("/*") == std::string_view::npos) return open;
  bool in_comment = false;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    open[i] = in_comment;
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : text.size();
    const std::string_view line = text.substr(starts[i], end - starts[i]);
    // Lines without a mark of a comment leave it as it is.
    if (line.find("/*") != std::string_view::npos || line.find("*/") != std::string_view::npos) colored_words(line, in_comment);
  }
  return open;
}

}  // namespace tessera
