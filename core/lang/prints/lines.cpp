// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/prints/lines.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

// Escape codes go; entities become what they stand for.
std::string decoded(std::string_view line) {
  std::string made;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      for (i += 2; i < line.size() && !is_letter(line[i]);) ++i;
      continue;
    }
    constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&nbsp;", ' '}};
    bool entity = false;
    for (const auto& [name, character] : kEntities) {
      if (line[i] != '&' || !line.substr(i).starts_with(name)) continue;
      made += character;
      i += name.size() - 1;
      entity = true;
      break;
    }
    if (!entity) made += line[i];
  }
  return made;
}

// Marks of comments and prompts at a line's begin: `//`, `#`, `%%`, `>>>`, `>??`, `> `, ` * `, `<!--`.
std::string_view without_marks(std::string_view line, bool& comment) {
  for (bool again = true; again;) {
    again = false;
    line = trimmed(line);
    for (const std::string_view mark : {"//", "#", "%% ", "% ", "/*", "<!--", "* "}) {
      if (!line.starts_with(mark)) continue;
      line.remove_prefix(mark.size());
      again = comment = true;
    }
    for (const std::string_view mark : {">>>", ">??", "> "}) {
      if (!line.starts_with(mark)) continue;
      line.remove_prefix(mark.size());
      again = true;
    }
  }
  for (const std::string_view end : {"-->", "*/"}) {
    if (comment && line.ends_with(end)) line = trimmed(line.substr(0, line.size() - end.size()));
  }
  return line;
}

bool is_open(std::string_view line) {  // the layout stands in the next line
  return line.ends_with(" o") || line.ends_with(" \xE2\x97\xA6") || line.ends_with(" \xE2\x88\x98");
}

// Behind ':', '=', '->', "=>", a tab or a run of '-', with blanks around; `separated` tells whether there was one.
std::string_view without_separator(std::string_view before, bool& separated) {
  const std::size_t size = before.size();
  while (!before.empty() && (before.back() == ' ' || before.back() == '"' || before.back() == '\'')) before.remove_suffix(1);
  separated = before.ends_with('\t');
  before = trimmed(before);
  while (!before.empty() && (before.back() == ':' || before.back() == '=' || before.ends_with("->") || before.ends_with("=>") ||
                             before.ends_with("--") || (separated && before.back() == '-'))) {
    separated = true;
    before.remove_suffix(1);
    if (before.ends_with('=') || before.ends_with('-')) before.remove_suffix(1);
  }
  if (before.empty() && size > 0 && !separated) separated = false;
  before = trimmed(before);
  if (before.ends_with("{}")) before = trimmed(before.substr(0, before.size() - 2));  // print("mma = {}", mma)
  while (!before.empty() && (before.back() == ':' || before.back() == '=')) before = trimmed(before.substr(0, before.size() - 1));
  return before;
}

// What may stand behind an object: nothing, a comment, and what closes what was open before it.
bool is_trailer(std::string_view rest) {
  rest = trimmed(rest);
  while (!rest.empty() && std::string_view(":;.,>)\"'").find(rest.front()) != std::string_view::npos) rest = trimmed(rest.substr(1));
  return rest.empty() || rest.starts_with("//") || rest.starts_with("#") || rest.starts_with("-->") || rest.starts_with("*/") ||
         rest.starts_with("--");
}

// 4:1:2 is no object with a name.
bool names_something(std::string_view before) {
  return std::any_of(before.begin(), before.end(), [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
}

bool may_begin(std::string_view line, std::size_t at) {
  const char c = line[at];
  const bool first = is_word(c) || c == '(' || c == '-' || c == '?';
  if (!first) return false;
  if (at == 0) return true;
  const char before = line[at - 1];
  // Not within a word, a path, or a call's brackets.
  return !(is_word(before) || before == '.' || before == '<' || before == '(' || before == '@' ||
           (before == ':' && at > 1 && line[at - 2] == ':'));
}

}  // namespace

std::vector<PrintLine> lines_of_print(std::string_view text) {
  std::vector<PrintLine> lines;
  bool open = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    PrintLine line;
    const std::string whole = decoded(text.substr(begin, end - begin));
    line.text = std::string(without_marks(whole, line.comment));
    const std::size_t indent = std::min(text.substr(begin, end - begin).find_first_not_of(" \t"), end - begin);
    line.span = {begin + indent, end};
    if (open && !line.text.empty()) {
      lines.back().text += ' ' + line.text;
      lines.back().span.end = end;
      open = is_open(lines.back().text);
    } else if (!open || !line.text.empty()) {
      open = is_open(line.text);
      lines.push_back(std::move(line));
    }
    begin = end + 1;
  }
  return lines;
}

std::string binding_name(std::string_view text) {
  const std::size_t sign = text.find('=');  // Composition R = A o B
  if (sign != std::string_view::npos && sign > 0) text = trimmed(text.substr(0, sign));
  // What tells where a line came from stands before the name: [block (0,0,0)], INFO:
  const std::size_t behind = text.find_last_of("],;|:=\t\"");
  if (behind != std::string_view::npos) text = text.substr(behind + 1);
  std::string name;
  for (const char c : text) {
    if (is_word(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_' && !text.ends_with('_')) name.pop_back();
  constexpr std::size_t kLongestName = 64;
  return name.size() <= kLongestName && is_binding_name(name) ? name : std::string();
}

std::vector<NamedNotation> objects_in_line(std::string_view line) {
  constexpr std::size_t kLongestLine = std::size_t{1} << 14, kMostObjects = 16;
  std::vector<NamedNotation> found;
  if (line.size() > kLongestLine) return found;
  const std::size_t comment = comment_begin(line);
  for (std::size_t from = 0; from < line.size();) {
    std::optional<Notation> best;
    bool separated = false;
    int open = 0;  // brackets before the place
    for (std::size_t at = from; at < std::min(line.size(), comment) && !best; ++at) {
      const bool argument = open > 0;
      open += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
      if (argument || !may_begin(line, at)) continue;
      auto notation = read_notation(line, at);
      if (!notation) continue;
      without_separator(line.substr(from, at - from), separated);
      const std::string_view before = trimmed(line.substr(from, at - from));
      const bool alone = before.empty();
      if (!(alone || (separated && names_something(before)) || notation->kind == Notation::Kind::tensor)) continue;
      const std::string_view rest = line.substr(notation->end);
      const bool more = !trimmed(rest).empty() && (rest[0] == ',' || rest[0] == ' ' || rest[0] == '\t' || rest[0] == ';');
      if (is_trailer(rest) || (more && found.size() < kMostObjects && (separated || !found.empty()) &&
                               notation->kind >= Notation::Kind::tuple && !objects_in_line(trimmed(rest.substr(1))).empty())) {
        best = std::move(notation);
      }
    }
    if (!best) return {};
    const std::string_view before = without_separator(line.substr(from, best->begin - from), separated);
    const std::size_t end = best->end;
    const bool last = is_trailer(line.substr(end));
    found.push_back({binding_name(before), separated, std::move(*best)});
    if (last) break;
    from = end + 1;
  }
  return found;
}

std::vector<NamedNotation> object_in_comment(std::string_view comment) {
  bool mark = false;
  comment = without_marks(comment, mark);
  std::vector<NamedNotation> found = objects_in_line(comment);
  std::erase_if(found, [](const NamedNotation& each) { return each.notation.kind < Notation::Kind::layout; });
  return found;
}

std::vector<std::int64_t> numbers_in_line(std::string_view line) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(line.data() + i, line.data() + line.size(), number);
    if (status != std::errc()) return {};
    i = static_cast<std::size_t>(end - line.data());
    if (i < line.size() && line[i] != ' ' && line[i] != '\t') return {};
    numbers.push_back(number);
  }
  return numbers;
}

std::size_t comment_begin(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' || (c == '/' && i + 1 < line.size() && line[i + 1] == '/')) {
      return i;
    }
  }
  return std::string_view::npos;
}

bool is_statement(std::string_view code) {
  code = trimmed(code);
  if (code.empty() || code.starts_with('\\') || code.starts_with('<')) return false;  // TeX, SVG
  if (code.ends_with(';') || code.ends_with('{') || code.ends_with('}')) return true;
  for (const std::string_view word :
       {"auto ", "using ", "template", "#include", "return", "def ",    "import ",    "from ", "for ",    "for(",
        "if ",   "if(",    "while ",   "let ",     "class ", "struct ", "constexpr ", "@cute", "Layout ", "Tensor "}) {
    if (code.starts_with(word) && code.find(word.ends_with(' ') ? "(" : "") != std::string_view::npos) return true;
  }
  // NAME = ...CALL(...
  const std::size_t sign = code.find('=');
  for (std::size_t i = code.find('(', sign == std::string_view::npos ? code.size() : sign); i != std::string_view::npos && i < code.size();
       i = code.find('(', i + 1)) {
    if (i > 0 && is_word(code[i - 1])) return true;
  }
  return false;
}

}  // namespace tessera
